//! Membership of recipes in classes.

use super::{Extent, Recipe, RecipeCell, Tilt, facts, one, zero};
use crate::statement::Class;
use rocproof_arith::Rational;

impl RecipeCell {
    /// The densities `[class 0, class 1]` at both ends, up to a common factor; their ratio determines the posterior.
    fn odds(&self) -> [[Rational; 2]; 2] {
        let at = |end: usize| {
            [0, 1].map(|k| {
                let steep = match (&self.extent, self.tilt[k]) {
                    (Extent::At(_), _) | (_, Tilt::Flat) => one(),
                    (_, Tilt::Rising) => Rational::from(2 * end),
                    (_, Tilt::Falling) => Rational::from(2 * (1 - end)),
                };
                &self.mass[k] * steep
            })
        };
        if self.tilt[0] == self.tilt[1] { [self.mass.clone(), self.mass.clone()] } else { [at(0), at(1)] }
    }
}

impl Recipe {
    /// Whether the recipe makes a model of a class. `false` may also mean that the recipe does not show it: such a model is not tried.
    pub fn fits(&self, class: Class) -> bool {
        let parts = |is: &dyn Fn(&Extent) -> bool| match self {
            Recipe::Cells { cells, .. } => cells.iter().all(|cell| is(&cell.extent)),
            Recipe::Calibrated(cells) => cells.iter().all(|(extent, _)| is(extent)),
            Recipe::Even(_) | Recipe::Named { .. } => true,
        };
        let named = |space: &str| matches!(self, Recipe::Named { densities, .. } if densities.iter().all(|(name, _)| *name == space));
        match class {
            Class::Continuous => parts(&|extent| matches!(extent, Extent::On(_))),
            Class::Piecewise => {
                !matches!(self, Recipe::Named { .. })
                    && parts(&|extent| matches!(extent, Extent::On([a, b]) if *a >= zero() && *b <= one()))
            }
            Class::Beta => named("beta"),
            Class::Binormal => named("normal"),
            Class::Triangular => named("triangular"),
            Class::Convex => match self {
                Recipe::Cells { cells, .. } => never_falls(cells.iter().flat_map(RecipeCell::odds)),
                Recipe::Even(pieces) => {
                    never_falls(pieces.iter().flat_map(|(_, posterior)| posterior).map(|c| [one() - c, c.clone()]))
                }
                Recipe::Calibrated(_) => true,
                Recipe::Named { densities: [(f0, p0), (f1, p1)], .. } => {
                    f0 == f1 && facts(f0).is_some_and(|facts| facts.has_rising_ratio(p0, p1))
                }
            },
            Class::Perfect => match self {
                Recipe::Cells { cells, .. } => {
                    let first = cells.iter().position(|cell| !cell.mass[1].is_zero()).unwrap_or(0);
                    cells[first..].iter().all(|cell| cell.mass[0].is_zero())
                }
                Recipe::Calibrated(cells) => {
                    cells.iter().all(|(extent, _)| extent.ends() == [&zero(); 2] || extent.ends() == [&one(); 2])
                }
                Recipe::Even(pieces) => {
                    let all: Vec<&Rational> = pieces.iter().flat_map(|(_, posterior)| posterior).collect();
                    let first = all.iter().position(|c| !c.is_zero()).unwrap_or(0);
                    first % 2 == 0 && all[first..].iter().all(|c| **c == one())
                }
                Recipe::Named { .. } => false,
            },
            Class::Random => match self {
                Recipe::Cells { cells, .. } => {
                    let same = |cell: &RecipeCell| cell.mass[0] == cell.mass[1] && cell.tilt[0] == cell.tilt[1];
                    cells.iter().all(same)
                }
                Recipe::Calibrated(cells) => matches!(cells.as_slice(), [(Extent::At(_), _)]),
                Recipe::Even(pieces) => {
                    let first = &pieces[0].1[0];
                    pieces.iter().flat_map(|(_, posterior)| posterior).all(|c| c == first)
                }
                Recipe::Named { densities: [f0, f1], .. } => f0 == f1,
            },
            Class::Calibrated => match self {
                Recipe::Calibrated(_) => true,
                // The posterior must equal the score everywhere.
                Recipe::Even(pieces) => {
                    let starts =
                        std::iter::once(&zero()).chain(pieces.iter().map(|(end, _)| end)).cloned().collect::<Vec<_>>();
                    pieces.iter().zip(&starts).all(|((end, [from, to]), start)| from == start && to == end)
                }
                Recipe::Named { pi0, densities: [(f0, p0), (f1, p1)] } => {
                    f0 == f1 && facts(f0).is_some_and(|facts| facts.is_calibrated(pi0, p0, p1))
                }
                Recipe::Cells { .. } => false,
            },
            Class::Even => match self {
                Recipe::Even(_) => true,
                Recipe::Named { pi0, densities: [(f0, p0), (f1, p1)] } => {
                    f0 == f1 && facts(f0).is_some_and(|facts| facts.is_even(pi0, p0, p1))
                }
                Recipe::Cells { .. } | Recipe::Calibrated(_) => false,
            },
        }
    }
}

/// Whether the odds of class 1 never fall along pairs `[class 0, class 1]`; pairs without mass are skipped.
fn never_falls(odds: impl Iterator<Item = [Rational; 2]>) -> bool {
    let mut last: Option<[Rational; 2]> = None;
    for [now0, now1] in odds.filter(|[a, b]| !(a.is_zero() && b.is_zero())) {
        if let Some([last0, last1]) = &last
            && &now1 * last0 < last1 * &now0
        {
            return false;
        }
        last = Some([now0, now1]);
    }
    true
}
