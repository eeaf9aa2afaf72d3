//! Recipes: numbers from which the search makes a model.

mod class;
mod reductions;

use super::shape::{DensityPiece, WrittenDensity, WrittenModel};
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
    /// A calibrated model: the share of all mass in each cell. At score `x` the share `x` of that mass is class 1, so the class
    /// proportions follow.
    Calibrated(Vec<(Extent, Rational)>),
    /// An evenly spaced model: scores are uniform on [0, 1]. Each piece is given by its right end and the posterior at both its ends,
    /// between which the posterior is linear. The class proportions follow.
    Even(Vec<(Rational, [Rational; 2])>),
    /// Named families.
    Named {
        /// The proportion of class 0.
        pi0: Rational,
        /// The densities.
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

/// The piece of a density with this mass and tilt on an interval.
fn tilted_piece(on: &[Rational; 2], tilt: Tilt, mass: Rational) -> DensityPiece {
    let [a, b] = on;
    let width = b - a;
    let steep = || &mass * two() / (&width * &width);
    match tilt {
        Tilt::Flat => DensityPiece::flat(on.clone(), mass / width),
        Tilt::Rising => DensityPiece { on: on.clone(), scale: steep(), factors: vec![[-a.clone(), one()]] },
        Tilt::Falling => DensityPiece { on: on.clone(), scale: steep(), factors: vec![[b.clone(), -one()]] },
    }
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

    fn ends(&self) -> [&Rational; 2] {
        match self {
            Extent::At(at) => [at, at],
            Extent::On([a, b]) => [a, b],
        }
    }

    fn numbers(&self) -> usize {
        match self {
            Extent::At(_) => 1,
            Extent::On(_) => 2,
        }
    }
}

impl Recipe {
    /// Makes the model; `None` if the numbers determine none.
    pub fn build(&self) -> Option<WrittenModel> {
        if !self.is_sound() {
            return None;
        }
        match self {
            Recipe::Cells { pi0, cells } => {
                let density = |k: usize| {
                    let total = cells.iter().fold(zero(), |sum, cell| sum + &cell.mass[k]);
                    let (mut pieces, mut atoms) = (Vec::new(), Vec::new());
                    for cell in cells.iter().filter(|cell| !cell.mass[k].is_zero()) {
                        let mass = &cell.mass[k] / &total;
                        match &cell.extent {
                            Extent::At(at) => atoms.push([at.clone(), mass]),
                            Extent::On(on) => pieces.push(tilted_piece(on, cell.tilt[k], mass)),
                        }
                    }
                    WrittenDensity::Parts(pieces, atoms)
                };
                Some(WrittenModel { pi0: pi0.clone(), densities: [density(0), density(1)] })
            }
            Recipe::Calibrated(cells) => {
                let total = cells.iter().fold(zero(), |sum, (_, weight)| sum + weight);
                let pi1 = cells.iter().fold(zero(), |sum, (extent, weight)| sum + weight * extent.mean()) / &total;
                let pi0 = one() - &pi1;
                // At score x, class 1 has the share x of the mass and class 0 the share 1 - x.
                let density = |proportion: &Rational, factor: [Rational; 2]| {
                    let (mut pieces, mut atoms) = (Vec::new(), Vec::new());
                    for (extent, weight) in cells {
                        let mass = weight / &total / proportion;
                        match extent {
                            Extent::At(at) => {
                                let share = &factor[0] + &factor[1] * at;
                                if !share.is_zero() {
                                    atoms.push([at.clone(), mass * share]);
                                }
                            }
                            Extent::On(on) => {
                                let scale = mass / (&on[1] - &on[0]);
                                pieces.push(DensityPiece { on: on.clone(), scale, factors: vec![factor.clone()] });
                            }
                        }
                    }
                    WrittenDensity::Parts(pieces, atoms)
                };
                let densities = [density(&pi0, [one(), -one()]), density(&pi1, [zero(), one()])];
                Some(WrittenModel { pi0, densities })
            }
            Recipe::Even(pieces) => {
                let ends = std::iter::once(zero()).chain(pieces.iter().map(|(end, _)| end.clone()));
                let spans: Vec<[Rational; 2]> = ends.zip(pieces).map(|(from, (to, _))| [from, to.clone()]).collect();
                let pi1 = spans
                    .iter()
                    .zip(pieces)
                    .fold(zero(), |sum, ([a, b], (_, [from, to]))| sum + (b - a) * (from + to) / two());
                let pi0 = one() - &pi1;
                let density = |class: usize| {
                    let proportion = if class == 0 { &pi0 } else { &pi1 };
                    let piece = |(on, (_, posterior)): (&[Rational; 2], &(Rational, [Rational; 2]))| {
                        let [p, q] = posterior.each_ref().map(|c| if class == 1 { c.clone() } else { one() - c });
                        linear_piece(on, [p / proportion, q / proportion])
                    };
                    WrittenDensity::Parts(spans.iter().zip(pieces).map(piece).collect(), Vec::new())
                };
                let densities = [density(0), density(1)];
                Some(WrittenModel { pi0, densities })
            }
            Recipe::Named { pi0, densities } => Some(WrittenModel {
                pi0: pi0.clone(),
                densities: densities.clone().map(|(name, parameters)| WrittenDensity::Named(name, parameters)),
            }),
        }
    }

    /// Whether the numbers determine a model.
    fn is_sound(&self) -> bool {
        let inside = |p: &Rational| zero() < *p && *p < one();
        let ordered = |extents: Vec<&Extent>| {
            let own =
                extents.iter().all(|extent| matches!(extent, Extent::At(_)) || extent.ends()[0] < extent.ends()[1]);
            // An atom may lie at the end of an interval; two atoms may not share a score.
            own && extents.windows(2).all(|pair| {
                let (left, right) = (pair[0].ends()[1], pair[1].ends()[0]);
                left < right || (left == right && !matches!(pair, [Extent::At(_), Extent::At(_)]))
            })
        };
        match self {
            Recipe::Cells { pi0, cells } => {
                inside(pi0)
                    && ordered(cells.iter().map(|cell| &cell.extent).collect())
                    && cells.iter().all(|cell| cell.mass.iter().all(|mass| *mass >= zero()))
                    && cells.iter().all(|cell| cell.mass.iter().any(|mass| *mass > zero()))
                    && [0, 1].iter().all(|k| cells.iter().any(|cell| cell.mass[*k] > zero()))
            }
            Recipe::Calibrated(cells) => {
                ordered(cells.iter().map(|(extent, _)| extent).collect())
                    && cells.iter().all(|(extent, weight)| {
                        *weight > zero() && *extent.ends()[0] >= zero() && *extent.ends()[1] <= one()
                    })
                    && cells.iter().any(|(extent, _)| extent.mean() > zero())
                    && cells.iter().any(|(extent, _)| extent.mean() < one())
            }
            Recipe::Even(pieces) => {
                let ends: Vec<&Rational> = pieces.iter().map(|(end, _)| end).collect();
                let posteriors: Vec<&Rational> = pieces.iter().flat_map(|(_, posterior)| posterior).collect();
                ends.first().is_some_and(|end| **end > zero())
                    && ends.last().is_some_and(|end| **end == one())
                    && ends.windows(2).all(|pair| pair[0] < pair[1])
                    && posteriors.iter().all(|c| zero() <= **c && **c <= one())
                    && posteriors.iter().any(|c| **c > zero())
                    && posteriors.iter().any(|c| **c < one())
            }
            Recipe::Named { pi0, densities } => {
                inside(pi0)
                    && densities.iter().all(|(name, parameters)| {
                        facts(name).is_some_and(|f| f.ranges().len() == parameters.len() && f.is_valid(parameters))
                    })
            }
        }
    }

    /// Whether all scores lie in [0, 1].
    pub fn is_probabilistic(&self) -> bool {
        match self {
            Recipe::Cells { cells, .. } => {
                cells.iter().all(|cell| *cell.extent.ends()[0] >= zero() && *cell.extent.ends()[1] <= one())
            }
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

    /// The proportion of class 0, if it is one of the numbers of the recipe.
    pub fn pi0_mut(&mut self) -> Option<&mut Rational> {
        match self {
            Recipe::Cells { pi0, .. } | Recipe::Named { pi0, .. } => Some(pi0),
            Recipe::Calibrated(_) | Recipe::Even(_) => None,
        }
    }

    /// All numbers of the recipe.
    pub fn numbers(&self) -> Vec<Rational> {
        let of_extent = |extent: &Extent| match extent {
            Extent::At(at) => vec![at.clone()],
            Extent::On([a, b]) => vec![a.clone(), b.clone()],
        };
        match self {
            Recipe::Cells { pi0, cells } => std::iter::once(pi0.clone())
                .chain(cells.iter().flat_map(|cell| of_extent(&cell.extent).into_iter().chain(cell.mass.clone())))
                .collect(),
            Recipe::Calibrated(cells) => cells
                .iter()
                .flat_map(|(extent, weight)| of_extent(extent).into_iter().chain([weight.clone()]))
                .collect(),
            Recipe::Even(pieces) => {
                pieces.iter().flat_map(|(end, [from, to])| [end.clone(), from.clone(), to.clone()]).collect()
            }
            Recipe::Named { pi0, densities } => std::iter::once(pi0.clone())
                .chain(densities.iter().flat_map(|(_, parameters)| parameters.clone()))
                .collect(),
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
                for (extent, weight) in cells {
                    renumber(extent, &mut next);
                    *weight = next();
                }
            }
            Recipe::Even(pieces) => {
                for (end, posterior) in pieces {
                    *end = next();
                    *posterior = [next(), next()];
                }
            }
            Recipe::Named { pi0, densities } => {
                *pi0 = next();
                densities.iter_mut().flat_map(|(_, parameters)| parameters).for_each(|parameter| *parameter = next());
            }
        }
        recipe
    }

    /// The pairs of numbers that are the end of one cell and the start of the next. They must change together.
    pub fn shared(&self) -> Vec<[usize; 2]> {
        let extents: Vec<(&Extent, usize)> = match self {
            Recipe::Cells { cells, .. } => cells.iter().map(|cell| (&cell.extent, 2)).collect(),
            Recipe::Calibrated(cells) => cells.iter().map(|(extent, _)| (extent, 1)).collect(),
            Recipe::Even(_) | Recipe::Named { .. } => return Vec::new(),
        };
        let mut at = usize::from(matches!(self, Recipe::Cells { .. }));
        let mut shared = Vec::new();
        for (k, (extent, others)) in extents.iter().enumerate() {
            let last = at + extent.numbers() - 1;
            at += extent.numbers() + others;
            if let Some((next, _)) = extents.get(k + 1)
                && extent.ends()[1] == next.ends()[0]
            {
                shared.push([last, at]);
            }
        }
        shared
    }
}

/// Replaces the numbers of an extent by the next ones.
fn renumber(extent: &mut Extent, next: &mut impl FnMut() -> Rational) {
    match extent {
        Extent::At(at) => *at = next(),
        Extent::On(on) => *on = [next(), next()],
    }
}

/// The piece of a density that is linear between two heights.
fn linear_piece(on: &[Rational; 2], [from, to]: [Rational; 2]) -> DensityPiece {
    if from == to {
        return DensityPiece::flat(on.clone(), from);
    }
    let slope = (&to - &from) / (&on[1] - &on[0]);
    let start = &from - &slope * &on[0];
    // The scale makes the text 2*(1-x) rather than (2-2*x).
    let scale = if slope < zero() { -slope.clone() } else { slope.clone() };
    DensityPiece { on: on.clone(), factors: vec![[start / &scale, slope / &scale]], scale }
}
