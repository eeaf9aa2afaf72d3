//! Recipes: numbers from which the search makes a model.

mod build;
mod class;
mod reductions;

use rocproof_algebra::invariant;
use rocproof_arith::Rational;
use rocproof_engine::model::family::{self, SearchFacts};

/// The facts about a family that the search uses, if it draws from that family.
pub fn facts(name: &str) -> Option<&'static dyn SearchFacts> {
    family::find(name)?.search()
}

/// The scores that a cell covers.
#[derive(Clone, Debug, PartialEq)]
pub enum Extent {
    /// One score.
    At(Rational),
    /// An interval.
    On([Rational; 2]),
}

/// The course of a density along a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tilt {
    /// Constant.
    Flat,
    /// Linear, from 0 at the left end.
    Rising,
    /// Linear, to 0 at the right end.
    Falling,
}

/// An atom or an interval with its share of each class.
#[derive(Clone, Debug, PartialEq)]
pub struct RecipeCell {
    /// The scores that it covers.
    pub extent: Extent,
    /// The mass of each class, relative to that of the other cells.
    pub mass: [Rational; 2],
    /// The course of each density along an interval.
    pub tilt: [Tilt; 2],
}

/// A cell of a calibrated model. At score `x` the share `x` of its mass is class 1, so one mass determines both classes.
#[derive(Clone, Debug, PartialEq)]
pub struct WeightedCell {
    /// The scores that it covers.
    pub extent: Extent,
    /// The mass of both classes together, relative to that of the other cells.
    pub weight: Rational,
}

/// An interval of scores of an evenly spaced model, on which the posterior is linear. It starts where the piece before it ends; the first
/// starts at 0.
#[derive(Clone, Debug, PartialEq)]
pub struct PosteriorPiece {
    /// The right end of the interval.
    pub end: Rational,
    /// The posterior at the left and at the right end.
    pub posterior: [Rational; 2],
}

/// Numbers that determine a model.
#[derive(Clone, Debug, PartialEq)]
pub enum Recipe {
    /// Each class has its own mass in each cell.
    Cells {
        /// The proportion of class 0.
        pi0: Rational,
        /// The cells, from left to right.
        cells: Vec<RecipeCell>,
    },
    /// A calibrated model, by its cells from left to right. The class proportions follow.
    Calibrated(Vec<WeightedCell>),
    /// An evenly spaced model: scores are uniform on [0, 1]. The pieces cover [0, 1]; the class proportions follow.
    Even(Vec<PosteriorPiece>),
    /// Two densities of named families.
    Named {
        /// The proportion of class 0.
        pi0: Rational,
        /// For each class, the name of the family and its parameters.
        densities: [(&'static str, Vec<Rational>); 2],
    },
}

const fn zero() -> Rational {
    Rational::ZERO
}

const fn one() -> Rational {
    Rational::ONE
}

fn two() -> Rational {
    Rational::from(2)
}

impl RecipeCell {
    /// A cell on which both densities are constant.
    pub fn new(extent: Extent, mass: [Rational; 2]) -> RecipeCell {
        RecipeCell { extent, mass, tilt: [Tilt::Flat; 2] }
    }
}

impl Extent {
    /// The midpoint.
    pub fn mean(&self) -> Rational {
        match self {
            Extent::At(at) => at.clone(),
            Extent::On([a, b]) => (a + b) / two(),
        }
    }

    /// The least and the largest score.
    fn ends(&self) -> [&Rational; 2] {
        match self {
            Extent::At(at) => [at, at],
            Extent::On([a, b]) => [a, b],
        }
    }

    /// The numbers that determine it: one score, or two ends.
    fn numbers(&self) -> Vec<Rational> {
        match self {
            Extent::At(at) => vec![at.clone()],
            Extent::On([a, b]) => vec![a.clone(), b.clone()],
        }
    }

    /// Whether it lies in [0, 1].
    fn is_within_unit(&self) -> bool {
        let [lo, hi] = self.ends();
        *lo >= zero() && *hi <= one()
    }
}

impl Recipe {
    /// Whether all scores lie in [0, 1].
    pub fn is_probabilistic(&self) -> bool {
        match self {
            Recipe::Cells { cells, .. } => cells.iter().all(|cell| cell.extent.is_within_unit()),
            Recipe::Named { densities, .. } => densities
                .iter()
                .all(|(name, parameters)| facts(name).is_some_and(|facts| facts.is_probabilistic(parameters))),
            Recipe::Calibrated(_) | Recipe::Even(_) => true,
        }
    }

    /// Whether all scores lie in a bounded interval.
    pub fn is_bounded(&self) -> bool {
        match self {
            Recipe::Named { densities, .. } => {
                densities.iter().all(|(name, _)| facts(name).is_some_and(|facts| facts.is_bounded()))
            }
            _ => true,
        }
    }

    /// The proportion of class 0, if it is one of the numbers of the recipe. It is then the first of [`Recipe::numbers`].
    pub fn pi0(&self) -> Option<&Rational> {
        match self {
            Recipe::Cells { pi0, .. } | Recipe::Named { pi0, .. } => Some(pi0),
            Recipe::Calibrated(_) | Recipe::Even(_) => None,
        }
    }

    /// The proportion that [`Recipe::pi0`] reads, to be changed.
    pub fn pi0_mut(&mut self) -> Option<&mut Rational> {
        match self {
            Recipe::Cells { pi0, .. } | Recipe::Named { pi0, .. } => Some(pi0),
            Recipe::Calibrated(_) | Recipe::Even(_) => None,
        }
    }

    /// All numbers of the recipe, in the order of its fields.
    pub fn numbers(&self) -> Vec<Rational> {
        match self {
            Recipe::Cells { pi0, cells } => {
                let of_cell = |cell: &RecipeCell| cell.extent.numbers().into_iter().chain(cell.mass.clone());
                std::iter::once(pi0.clone()).chain(cells.iter().flat_map(of_cell)).collect()
            }
            Recipe::Calibrated(cells) => {
                let of_cell = |cell: &WeightedCell| cell.extent.numbers().into_iter().chain([cell.weight.clone()]);
                cells.iter().flat_map(of_cell).collect()
            }
            Recipe::Even(pieces) => {
                let of_piece =
                    |piece: &PosteriorPiece| std::iter::once(piece.end.clone()).chain(piece.posterior.clone());
                pieces.iter().flat_map(of_piece).collect()
            }
            Recipe::Named { pi0, densities } => {
                let parameters = densities.iter().flat_map(|(_, parameters)| parameters.clone());
                std::iter::once(pi0.clone()).chain(parameters).collect()
            }
        }
    }

    /// The recipe with other numbers, in the order of [`Recipe::numbers`].
    pub fn with(&self, numbers: &[Rational]) -> Recipe {
        let mut numbers = numbers.iter().cloned();
        let mut next = || numbers.next().unwrap_or_else(|| invariant!("a recipe has more numbers than were given"));
        let mut recipe = self.clone();
        match &mut recipe {
            Recipe::Cells { pi0, cells } => {
                *pi0 = next();
                for cell in cells {
                    renumber(&mut cell.extent, &mut next);
                    cell.mass = [next(), next()];
                }
            }
            Recipe::Calibrated(cells) => {
                for cell in cells {
                    renumber(&mut cell.extent, &mut next);
                    cell.weight = next();
                }
            }
            Recipe::Even(pieces) => {
                for piece in pieces {
                    piece.end = next();
                    piece.posterior = [next(), next()];
                }
            }
            Recipe::Named { pi0, densities } => {
                *pi0 = next();
                densities.iter_mut().flat_map(|(_, parameters)| parameters).for_each(|parameter| *parameter = next());
            }
        }
        recipe
    }

    /// The scores that are both the end of one cell and the start of the next, each as the pair of its indices in [`Recipe::numbers`]. The
    /// two numbers of a pair must change together.
    pub fn shared(&self) -> Vec<[usize; 2]> {
        // The index of the first number of a cell, and how many masses follow the numbers of its extent.
        let (mut start, masses, extents): (usize, usize, Vec<&Extent>) = match self {
            Recipe::Cells { cells, .. } => (1, 2, cells.iter().map(|cell| &cell.extent).collect()),
            Recipe::Calibrated(cells) => (0, 1, cells.iter().map(|cell| &cell.extent).collect()),
            Recipe::Even(_) | Recipe::Named { .. } => return Vec::new(),
        };
        let mut shared = Vec::new();
        for pair in extents.windows(2) {
            let [this, next] = [pair[0], pair[1]];
            let last = start + this.numbers().len() - 1;
            start = last + 1 + masses;
            if this.ends()[1] == next.ends()[0] {
                shared.push([last, start]);
            }
        }
        shared
    }
}

/// Replaces the numbers of an extent by the results of `next`.
fn renumber(extent: &mut Extent, next: &mut impl FnMut() -> Rational) {
    match extent {
        Extent::At(at) => *at = next(),
        Extent::On(on) => *on = [next(), next()],
    }
}
