//! Models made from recipes, and the conditions under which a recipe makes one.

use super::{Extent, PosteriorPiece, Recipe, RecipeCell, Tilt, WeightedCell, facts, one, two, zero};
use crate::search::shape::{DensityPiece, WrittenDensity, WrittenModel};
use rocproof_arith::Rational;

impl Recipe {
    /// Makes the model; `None` if the numbers determine none.
    pub fn build(&self) -> Option<WrittenModel> {
        if !self.is_sound() {
            return None;
        }
        Some(match self {
            Recipe::Cells { pi0, cells } => {
                WrittenModel { pi0: pi0.clone(), densities: [0, 1].map(|class| density_of_cells(cells, class)) }
            }
            Recipe::Calibrated(cells) => build_calibrated(cells),
            Recipe::Even(pieces) => build_even(pieces),
            Recipe::Named { pi0, densities } => WrittenModel {
                pi0: pi0.clone(),
                densities: densities.clone().map(|(name, parameters)| WrittenDensity::Named(name, parameters)),
            },
        })
    }

    /// Whether the numbers determine a model.
    fn is_sound(&self) -> bool {
        match self {
            Recipe::Cells { pi0, cells } => is_proportion(pi0) && are_sound_cells(cells),
            Recipe::Calibrated(cells) => are_sound_calibrated_cells(cells),
            Recipe::Even(pieces) => are_sound_pieces(pieces),
            Recipe::Named { pi0, densities } => {
                let is_member = |(name, parameters): &(&str, Vec<Rational>)| {
                    facts(name)
                        .is_some_and(|facts| facts.ranges().len() == parameters.len() && facts.is_valid(parameters))
                };
                is_proportion(pi0) && densities.iter().all(is_member)
            }
        }
    }
}

/// Whether a number may be a class proportion: both classes must have mass.
fn is_proportion(number: &Rational) -> bool {
    zero() < *number && *number < one()
}

/// Whether intervals have a positive length and extents are in increasing order. They may touch, so an atom may lie at the end of an
/// interval; but two atoms may not share a score.
fn are_ordered(extents: &[&Extent]) -> bool {
    let has_length = |extent: &Extent| match extent {
        Extent::At(_) => true,
        Extent::On([a, b]) => a < b,
    };
    let precedes = |left: &Extent, right: &Extent| {
        let (end, start) = (left.ends()[1], right.ends()[0]);
        let are_atoms = matches!((left, right), (Extent::At(_), Extent::At(_)));
        end < start || (end == start && !are_atoms)
    };
    extents.iter().all(|extent| has_length(extent)) && extents.windows(2).all(|pair| precedes(pair[0], pair[1]))
}

/// Whether cells are in order, each has mass of some class, and each class has mass in some cell.
fn are_sound_cells(cells: &[RecipeCell]) -> bool {
    let extents: Vec<&Extent> = cells.iter().map(|cell| &cell.extent).collect();
    are_ordered(&extents)
        && cells.iter().flat_map(|cell| &cell.mass).all(|mass| *mass >= zero())
        && cells.iter().all(|cell| cell.mass.iter().any(|mass| *mass > zero()))
        && [0, 1].iter().all(|class| cells.iter().any(|cell| cell.mass[*class] > zero()))
}

/// Whether the cells of a calibrated model are in order, lie in [0, 1] and have mass, and both classes have mass: not all of it lies at
/// score 0, nor all of it at score 1.
fn are_sound_calibrated_cells(cells: &[WeightedCell]) -> bool {
    let extents: Vec<&Extent> = cells.iter().map(|cell| &cell.extent).collect();
    are_ordered(&extents)
        && cells.iter().all(|cell| cell.weight > zero() && cell.extent.is_within_unit())
        && extents.iter().any(|extent| extent.mean() > zero())
        && extents.iter().any(|extent| extent.mean() < one())
}

/// Whether pieces cover [0, 1] in order, posteriors lie in [0, 1], and both classes have mass: the posterior is not 0 everywhere, nor 1.
fn are_sound_pieces(pieces: &[PosteriorPiece]) -> bool {
    let posteriors = || pieces.iter().flat_map(|piece| &piece.posterior);
    pieces.first().is_some_and(|piece| piece.end > zero())
        && pieces.last().is_some_and(|piece| piece.end == one())
        && pieces.windows(2).all(|pair| pair[0].end < pair[1].end)
        && posteriors().all(|c| zero() <= *c && *c <= one())
        && posteriors().any(|c| *c > zero())
        && posteriors().any(|c| *c < one())
}

/// The density of a class whose mass in each cell is given, scaled to a total mass of 1.
fn density_of_cells(cells: &[RecipeCell], class: usize) -> WrittenDensity {
    let total = cells.iter().fold(zero(), |sum, cell| sum + &cell.mass[class]);
    let (mut pieces, mut atoms) = (Vec::new(), Vec::new());
    for cell in cells.iter().filter(|cell| !cell.mass[class].is_zero()) {
        let mass = &cell.mass[class] / &total;
        match &cell.extent {
            Extent::At(at) => atoms.push([at.clone(), mass]),
            Extent::On(on) => pieces.push(tilted_piece(on, cell.tilt[class], mass)),
        }
    }
    WrittenDensity::Parts(pieces, atoms)
}

/// The piece of a density with this mass and tilt on an interval.
fn tilted_piece(on: &[Rational; 2], tilt: Tilt, mass: Rational) -> DensityPiece {
    let [a, b] = on;
    let width = b - a;
    // The triangle of height `width·slope` above the interval has the area `mass`.
    let slope = || &mass * two() / (&width * &width);
    match tilt {
        Tilt::Flat => DensityPiece::flat(on.clone(), mass / width),
        Tilt::Rising => DensityPiece { on: on.clone(), scale: slope(), factors: vec![[-a.clone(), one()]] },
        Tilt::Falling => DensityPiece { on: on.clone(), scale: slope(), factors: vec![[b.clone(), -one()]] },
    }
}

/// The calibrated model with these cells. Its proportion of class 1 is its mean score.
fn build_calibrated(cells: &[WeightedCell]) -> WrittenModel {
    let total = cells.iter().fold(zero(), |sum, cell| sum + &cell.weight);
    let pi1 = cells.iter().fold(zero(), |sum, cell| sum + &cell.weight * cell.extent.mean()) / &total;
    let pi0 = one() - &pi1;
    // The density of a class with the share `a + b·x` of the mass at score x.
    let density = |proportion: &Rational, [a, b]: [Rational; 2]| {
        let (mut pieces, mut atoms) = (Vec::new(), Vec::new());
        for WeightedCell { extent, weight } in cells {
            let mass = weight / &total / proportion;
            match extent {
                Extent::At(at) => {
                    let share = &a + &b * at;
                    if !share.is_zero() {
                        atoms.push([at.clone(), mass * share]);
                    }
                }
                Extent::On(on) => {
                    let scale = mass / (&on[1] - &on[0]);
                    pieces.push(DensityPiece { on: on.clone(), scale, factors: vec![[a.clone(), b.clone()]] });
                }
            }
        }
        WrittenDensity::Parts(pieces, atoms)
    };
    // The shares at score x are 1 - x of class 0 and x of class 1.
    let densities = [density(&pi0, [one(), -one()]), density(&pi1, [zero(), one()])];
    WrittenModel { pi0, densities }
}

/// The evenly spaced model with these pieces. Scores are uniform on [0, 1], so its proportion of class 1 is the integral of the posterior
/// `c(x)`, and its densities are `(1 - c(x))/pi0` and `c(x)/pi1`.
fn build_even(pieces: &[PosteriorPiece]) -> WrittenModel {
    let starts = std::iter::once(zero()).chain(pieces.iter().map(|piece| piece.end.clone()));
    let intervals: Vec<[Rational; 2]> = starts.zip(pieces).map(|(start, piece)| [start, piece.end.clone()]).collect();
    let mut pi1 = zero();
    for ([a, b], piece) in intervals.iter().zip(pieces) {
        let [from, to] = &piece.posterior;
        pi1 += (b - a) * (from + to) / two();
    }
    let pi0 = one() - &pi1;
    let density = |class: usize| {
        let proportion = if class == 0 { &pi0 } else { &pi1 };
        let height = |c: &Rational| (if class == 0 { one() - c } else { c.clone() }) / proportion;
        let density_piece =
            |(on, piece): (&[Rational; 2], &PosteriorPiece)| linear_piece(on, piece.posterior.each_ref().map(height));
        WrittenDensity::Parts(intervals.iter().zip(pieces).map(density_piece).collect(), Vec::new())
    };
    let densities = [density(0), density(1)];
    WrittenModel { pi0, densities }
}

/// The piece of a density that is linear between the heights `from` and `to` at the ends of an interval.
fn linear_piece(on: &[Rational; 2], [from, to]: [Rational; 2]) -> DensityPiece {
    if from == to {
        return DensityPiece::flat(on.clone(), from);
    }
    let slope = (&to - &from) / (&on[1] - &on[0]);
    let height_at_0 = &from - &slope * &on[0];
    // The scale makes the text 2*(1-x) rather than (2-2*x).
    let scale = if slope < zero() { -slope.clone() } else { slope.clone() };
    DensityPiece { on: on.clone(), factors: vec![[height_at_0 / &scale, slope / &scale]], scale }
}
