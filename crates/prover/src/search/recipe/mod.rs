//! Models as they are made: what can be chosen, and what follows from the choice.

mod class;
mod reductions;

use super::shape::{Piece, Shape, Written};
use rocproof_algebra::invariant;
use rocproof_arith::Rational;

/// Where a cell of a model lies.
#[derive(Clone, Debug, PartialEq)]
pub enum Place {
    /// At one score.
    At(Rational),
    /// On an interval.
    On([Rational; 2]),
}

/// How the density of a class goes along a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tilt {
    /// Evenly.
    Flat,
    /// From 0 upward.
    Rising,
    /// Down to 0.
    Falling,
}

/// A part of a model.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// Where it lies.
    pub place: Place,
    /// How much of each class it holds, as a share of all cells together.
    pub mass: [Rational; 2],
    /// How each class is spread over an interval.
    pub tilt: [Tilt; 2],
}

/// A model as it is made.
#[derive(Clone, Debug, PartialEq)]
pub enum Recipe {
    /// Each class has its share of each cell.
    Cells {
        /// The proportion of class 0.
        pi0: Rational,
        /// The cells, from left to right.
        cells: Vec<Cell>,
    },
    /// Scores are posteriors: each cell has so much of all mass, and its scores say how much of that is class 1. The proportion of
    /// classes follows.
    Calibrated(Vec<(Place, Rational)>),
    /// Scores are spread evenly over [0, 1]: the posterior goes on a straight line over each piece, given by the end of the piece and the
    /// posterior at both its ends. The proportion of classes follows.
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

/// The factor of a tilt on an interval, with integral one over it together with its scale.
fn tilted(on: &[Rational; 2], tilt: Tilt, mass: Rational) -> Piece {
    let [a, b] = on;
    let width = b - a;
    let steep = || &mass * two() / (&width * &width);
    match tilt {
        Tilt::Flat => Piece::flat(on.clone(), mass / width),
        Tilt::Rising => Piece { on: on.clone(), scale: steep(), factors: vec![[-a.clone(), one()]] },
        Tilt::Falling => Piece { on: on.clone(), scale: steep(), factors: vec![[b.clone(), -one()]] },
    }
}

impl Cell {
    /// A cell over which both classes are spread evenly.
    pub fn new(place: Place, mass: [Rational; 2]) -> Cell {
        Cell { place, mass, tilt: [Tilt::Flat; 2] }
    }
}

impl Place {
    fn mean(&self) -> Rational {
        match self {
            Place::At(at) => at.clone(),
            Place::On([a, b]) => (a + b) / two(),
        }
    }

    fn ends(&self) -> [&Rational; 2] {
        match self {
            Place::At(at) => [at, at],
            Place::On([a, b]) => [a, b],
        }
    }

    fn numbers(&self) -> usize {
        match self {
            Place::At(_) => 1,
            Place::On(_) => 2,
        }
    }
}

impl Recipe {
    /// The model as it is written; `None` if there is no such model.
    pub fn written(&self) -> Option<Written> {
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
                        match &cell.place {
                            Place::At(at) => atoms.push([at.clone(), mass]),
                            Place::On(on) => pieces.push(tilted(on, cell.tilt[k], mass)),
                        }
                    }
                    Shape::Parts(pieces, atoms)
                };
                Some(Written { pi0: pi0.clone(), densities: [density(0), density(1)] })
            }
            Recipe::Calibrated(cells) => {
                let total = cells.iter().fold(zero(), |sum, (_, weight)| sum + weight);
                let pi1 = cells.iter().fold(zero(), |sum, (place, weight)| sum + weight * place.mean()) / &total;
                let pi0 = one() - &pi1;
                // Class 1 has the share x of what is at x, class 0 the rest.
                let density = |proportion: &Rational, factor: [Rational; 2]| {
                    let (mut pieces, mut atoms) = (Vec::new(), Vec::new());
                    for (place, weight) in cells {
                        let mass = weight / &total / proportion;
                        match place {
                            Place::At(at) => {
                                let share = &factor[0] + &factor[1] * at;
                                if !share.is_zero() {
                                    atoms.push([at.clone(), mass * share]);
                                }
                            }
                            Place::On(on) => {
                                let scale = mass / (&on[1] - &on[0]);
                                pieces.push(Piece { on: on.clone(), scale, factors: vec![factor.clone()] });
                            }
                        }
                    }
                    Shape::Parts(pieces, atoms)
                };
                let densities = [density(&pi0, [one(), -one()]), density(&pi1, [zero(), one()])];
                Some(Written { pi0, densities })
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
                        straight(on, [p / proportion, q / proportion])
                    };
                    Shape::Parts(spans.iter().zip(pieces).map(piece).collect(), Vec::new())
                };
                let densities = [density(0), density(1)];
                Some(Written { pi0, densities })
            }
            Recipe::Named { pi0, densities } => Some(Written {
                pi0: pi0.clone(),
                densities: densities.clone().map(|(name, parameters)| Shape::Named(name, parameters)),
            }),
        }
    }

    /// Whether the numbers make a model.
    fn is_sound(&self) -> bool {
        let inside = |p: &Rational| zero() < *p && *p < one();
        let ordered = |places: Vec<&Place>| {
            let own = places.iter().all(|place| matches!(place, Place::At(_)) || place.ends()[0] < place.ends()[1]);
            // An atom may stand at the end of an interval, but two atoms not at one place.
            own && places.windows(2).all(|pair| {
                let (left, right) = (pair[0].ends()[1], pair[1].ends()[0]);
                left < right || (left == right && !matches!(pair, [Place::At(_), Place::At(_)]))
            })
        };
        match self {
            Recipe::Cells { pi0, cells } => {
                inside(pi0)
                    && ordered(cells.iter().map(|cell| &cell.place).collect())
                    && cells.iter().all(|cell| cell.mass.iter().all(|mass| *mass >= zero()))
                    && cells.iter().all(|cell| cell.mass.iter().any(|mass| *mass > zero()))
                    && [0, 1].iter().all(|k| cells.iter().any(|cell| cell.mass[*k] > zero()))
            }
            Recipe::Calibrated(cells) => {
                ordered(cells.iter().map(|(place, _)| place).collect())
                    && cells.iter().all(|(place, weight)| {
                        *weight > zero() && *place.ends()[0] >= zero() && *place.ends()[1] <= one()
                    })
                    && cells.iter().any(|(place, _)| place.mean() > zero())
                    && cells.iter().any(|(place, _)| place.mean() < one())
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
                    && densities.iter().all(|(name, parameters)| match (*name, parameters.as_slice()) {
                        ("beta", [a, b]) => *a > zero() && *b > zero(),
                        ("triangular", [a, c, b]) => a <= c && c <= b && a < b,
                        ("normal" | "logistic", [_, deviation]) => *deviation > zero(),
                        _ => false,
                    })
            }
        }
    }

    /// Whether all scores lie in [0, 1].
    pub fn is_probabilistic(&self) -> bool {
        match self {
            Recipe::Cells { cells, .. } => {
                cells.iter().all(|cell| *cell.place.ends()[0] >= zero() && *cell.place.ends()[1] <= one())
            }
            Recipe::Named { densities, .. } => densities.iter().all(|(name, parameters)| match *name {
                "beta" => true,
                "triangular" => parameters[0] >= zero() && parameters[2] <= one(),
                _ => false,
            }),
            Recipe::Calibrated(_) | Recipe::Even(_) => true,
        }
    }

    /// Whether all scores lie in a bounded interval.
    pub fn is_bounded(&self) -> bool {
        match self {
            Recipe::Named { densities, .. } => densities.iter().all(|(name, _)| ["beta", "triangular"].contains(name)),
            _ => true,
        }
    }

    /// The proportion of class 0, where it is chosen and does not follow.
    pub fn pi0_mut(&mut self) -> Option<&mut Rational> {
        match self {
            Recipe::Cells { pi0, .. } | Recipe::Named { pi0, .. } => Some(pi0),
            Recipe::Calibrated(_) | Recipe::Even(_) => None,
        }
    }

    /// All numbers that are chosen.
    pub fn numbers(&self) -> Vec<Rational> {
        let of_place = |place: &Place| match place {
            Place::At(at) => vec![at.clone()],
            Place::On([a, b]) => vec![a.clone(), b.clone()],
        };
        match self {
            Recipe::Cells { pi0, cells } => std::iter::once(pi0.clone())
                .chain(cells.iter().flat_map(|cell| of_place(&cell.place).into_iter().chain(cell.mass.clone())))
                .collect(),
            Recipe::Calibrated(cells) => {
                cells.iter().flat_map(|(place, weight)| of_place(place).into_iter().chain([weight.clone()])).collect()
            }
            Recipe::Even(pieces) => {
                pieces.iter().flat_map(|(end, [from, to])| [end.clone(), from.clone(), to.clone()]).collect()
            }
            Recipe::Named { pi0, densities } => std::iter::once(pi0.clone())
                .chain(densities.iter().flat_map(|(_, parameters)| parameters.clone()))
                .collect(),
        }
    }

    /// The same with other numbers, in the order of [`Recipe::numbers`]. Cells that touch keep touching.
    pub fn with(&self, numbers: &[Rational]) -> Recipe {
        let mut numbers = numbers.iter().cloned();
        let mut next = || numbers.next().unwrap_or_else(|| invariant!("a recipe has more numbers than were given"));
        let mut made = self.clone();
        match &mut made {
            Recipe::Cells { pi0, cells } => {
                *pi0 = next();
                for cell in cells {
                    renumber(&mut cell.place, &mut next);
                    cell.mass = [next(), next()];
                }
            }
            Recipe::Calibrated(cells) => {
                for (place, weight) in cells {
                    renumber(place, &mut next);
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
        made
    }

    /// Which numbers are the end of one cell and the start of the next: they change together.
    pub fn shared(&self) -> Vec<[usize; 2]> {
        let places: Vec<(&Place, usize)> = match self {
            Recipe::Cells { cells, .. } => cells.iter().map(|cell| (&cell.place, 2)).collect(),
            Recipe::Calibrated(cells) => cells.iter().map(|(place, _)| (place, 1)).collect(),
            Recipe::Even(_) | Recipe::Named { .. } => return Vec::new(),
        };
        let mut at = usize::from(matches!(self, Recipe::Cells { .. }));
        let mut shared = Vec::new();
        for (k, (place, others)) in places.iter().enumerate() {
            let last = at + place.numbers() - 1;
            at += place.numbers() + others;
            if let Some((next, _)) = places.get(k + 1)
                && place.ends()[1] == next.ends()[0]
            {
                shared.push([last, at]);
            }
        }
        shared
    }
}

fn renumber(place: &mut Place, next: &mut impl FnMut() -> Rational) {
    match place {
        Place::At(at) => *at = next(),
        Place::On(on) => *on = [next(), next()],
    }
}

/// The piece that goes straight from one height to another.
fn straight(on: &[Rational; 2], [from, to]: [Rational; 2]) -> Piece {
    if from == to {
        return Piece::flat(on.clone(), from);
    }
    let slope = (&to - &from) / (&on[1] - &on[0]);
    let start = &from - &slope * &on[0];
    // 2*x and 2*(1-x) rather than (2-2*x).
    let scale = if slope < zero() { -slope.clone() } else { slope.clone() };
    Piece { on: on.clone(), factors: vec![[start / &scale, slope / &scale]], scale }
}
