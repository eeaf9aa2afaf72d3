//! Membership of recipes in classes.

use super::{Extent, PosteriorPiece, Recipe, RecipeCell, Tilt, facts, one, zero};
use crate::statement::Class;
use rocproof_arith::Rational;
use rocproof_engine::model::family::SearchFacts;

impl Recipe {
    /// Whether the recipe makes a model of a class. `false` may also mean that the recipe does not show it: such a model is not tried.
    pub fn fits(&self, class: Class) -> bool {
        match class {
            Class::Continuous => self.has_only_extents(|extent| matches!(extent, Extent::On(_))),
            Class::Piecewise => {
                let is_piece = |extent: &Extent| matches!(extent, Extent::On(_)) && extent.is_within_unit();
                !matches!(self, Recipe::Named { .. }) && self.has_only_extents(is_piece)
            }
            Class::Beta => self.is_of_family("beta"),
            Class::Binormal => self.is_of_family("normal"),
            Class::Triangular => self.is_of_family("triangular"),
            Class::Convex => self.is_convex(),
            Class::Perfect => self.is_perfect(),
            Class::Random => self.is_random(),
            Class::Calibrated => self.is_calibrated(),
            Class::Even => self.is_even(),
        }
    }

    /// Whether all cells, if the recipe has cells, have an extent that satisfies a predicate.
    fn has_only_extents(&self, is_allowed: impl Fn(&Extent) -> bool) -> bool {
        match self {
            Recipe::Cells { cells, .. } => cells.iter().all(|cell| is_allowed(&cell.extent)),
            Recipe::Calibrated(cells) => cells.iter().all(|cell| is_allowed(&cell.extent)),
            Recipe::Even(_) | Recipe::Named { .. } => true,
        }
    }

    /// Whether both densities are of a family.
    fn is_of_family(&self, family: &str) -> bool {
        matches!(self, Recipe::Named { densities, .. } if densities.iter().all(|(name, _)| *name == family))
    }

    /// Whether the curve is convex: the posterior never falls.
    fn is_convex(&self) -> bool {
        match self {
            Recipe::Cells { cells, .. } => odds_never_fall(cells.iter().flat_map(RecipeCell::odds)),
            Recipe::Even(pieces) => {
                let posteriors = pieces.iter().flat_map(|piece| &piece.posterior);
                odds_never_fall(posteriors.map(|c| [one() - c, c.clone()]))
            }
            Recipe::Calibrated(_) => true,
            Recipe::Named { densities: [(f0, p0), (f1, p1)], .. } => {
                f0 == f1 && facts(f0).is_some_and(|facts| facts.has_rising_ratio(p0, p1))
            }
        }
    }

    /// Whether all mass of class 0 lies to the left of all mass of class 1.
    fn is_perfect(&self) -> bool {
        match self {
            Recipe::Cells { cells, .. } => {
                let first_of_class_1 = cells.iter().position(|cell| !cell.mass[1].is_zero()).unwrap_or(0);
                cells[first_of_class_1..].iter().all(|cell| cell.mass[0].is_zero())
            }
            // The posterior is the score, and must be 0 or 1.
            Recipe::Calibrated(cells) => {
                cells.iter().all(|cell| cell.extent.ends() == [&zero(); 2] || cell.extent.ends() == [&one(); 2])
            }
            // The posterior must be 0 on some pieces and 1 on the others. Each piece has two ends, so these pieces start at an even index.
            Recipe::Even(pieces) => {
                let posteriors: Vec<&Rational> = pieces.iter().flat_map(|piece| &piece.posterior).collect();
                let first_of_class_1 = posteriors.iter().position(|c| !c.is_zero()).unwrap_or(0);
                first_of_class_1 % 2 == 0 && posteriors[first_of_class_1..].iter().all(|c| **c == one())
            }
            Recipe::Named { .. } => false,
        }
    }

    /// Whether both classes have the same density: the posterior is constant.
    fn is_random(&self) -> bool {
        match self {
            Recipe::Cells { cells, .. } => {
                cells.iter().all(|cell| cell.mass[0] == cell.mass[1] && cell.tilt[0] == cell.tilt[1])
            }
            Recipe::Calibrated(cells) => matches!(cells.as_slice(), [cell] if matches!(cell.extent, Extent::At(_))),
            Recipe::Even(pieces) => {
                let first = &pieces[0].posterior[0];
                pieces.iter().flat_map(|piece| &piece.posterior).all(|c| c == first)
            }
            Recipe::Named { densities: [f0, f1], .. } => f0 == f1,
        }
    }

    /// Whether the posterior equals the score.
    fn is_calibrated(&self) -> bool {
        match self {
            Recipe::Calibrated(_) => true,
            Recipe::Even(pieces) => {
                let follows_score = |start: &Rational, piece: &PosteriorPiece| {
                    piece.posterior[0] == *start && piece.posterior[1] == piece.end
                };
                let starts: Vec<Rational> =
                    std::iter::once(zero()).chain(pieces.iter().map(|piece| piece.end.clone())).collect();
                starts.iter().zip(pieces).all(|(start, piece)| follows_score(start, piece))
            }
            Recipe::Named { .. } => self.has_family_fact(|facts, pi0, p0, p1| facts.is_calibrated(pi0, p0, p1)),
            Recipe::Cells { .. } => false,
        }
    }

    /// Whether the scores of both classes together are uniform on [0, 1].
    fn is_even(&self) -> bool {
        match self {
            Recipe::Even(_) => true,
            Recipe::Named { .. } => self.has_family_fact(|facts, pi0, p0, p1| facts.is_even(pi0, p0, p1)),
            Recipe::Cells { .. } | Recipe::Calibrated(_) => false,
        }
    }

    /// Whether both densities are of one family, and a predicate holds for it, the proportion of class 0 and the parameters of both classes.
    fn has_family_fact(&self, holds: impl Fn(&dyn SearchFacts, &Rational, &[Rational], &[Rational]) -> bool) -> bool {
        let Recipe::Named { pi0, densities: [(f0, p0), (f1, p1)] } = self else { return false };
        f0 == f1 && facts(f0).is_some_and(|facts| holds(facts, pi0, p0, p1))
    }
}

impl RecipeCell {
    /// The densities `[class 0, class 1]` at the left and at the right end, up to a common factor; their ratio determines the posterior.
    fn odds(&self) -> [[Rational; 2]; 2] {
        // Along densities of one tilt the ratio is constant. Their masses give it, also at an end where both densities are 0.
        if self.tilt[0] == self.tilt[1] {
            return [self.mass.clone(), self.mass.clone()];
        }
        // A density of this mass at an end (0 or 1), relative to its mean along the cell.
        let relative_height = |tilt: Tilt, end: usize| match (&self.extent, tilt) {
            (Extent::At(_), _) | (_, Tilt::Flat) => one(),
            (_, Tilt::Rising) => Rational::from(2 * end),
            (_, Tilt::Falling) => Rational::from(2 * (1 - end)),
        };
        [0, 1].map(|end| [0, 1].map(|class| &self.mass[class] * relative_height(self.tilt[class], end)))
    }
}

/// Whether the odds of class 1 never fall along pairs `[class 0, class 1]`; pairs without mass are skipped.
fn odds_never_fall(odds: impl Iterator<Item = [Rational; 2]>) -> bool {
    let mut last: Option<[Rational; 2]> = None;
    for [now0, now1] in odds.filter(|[a, b]| !(a.is_zero() && b.is_zero())) {
        // The odds fall if now1/now0 < last1/last0; the products avoid divisions by 0.
        if let Some([last0, last1]) = &last
            && &now1 * last0 < last1 * &now0
        {
            return false;
        }
        last = Some([now0, now1]);
    }
    true
}
