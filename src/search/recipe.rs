//! Models as they are made: what can be chosen, and what follows from the choice.

use super::shape::{Piece, Shape, Written};
use crate::arith::Rational;
use crate::statement::Class;

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

    /// The odds of class 1, up to the class proportions, at both ends: as `[of class 0, of class 1]`.
    fn odds(&self) -> [[Rational; 2]; 2] {
        let at = |end: usize| {
            [0, 1].map(|k| {
                let steep = match (&self.place, self.tilt[k]) {
                    (Place::At(_), _) | (_, Tilt::Flat) => one(),
                    (_, Tilt::Rising) => Rational::from(2 * end),
                    (_, Tilt::Falling) => Rational::from(2 * (1 - end)),
                };
                &self.mass[k] * steep
            })
        };
        if self.tilt[0] == self.tilt[1] { [self.mass.clone(), self.mass.clone()] } else { [at(0), at(1)] }
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

    /// Whether the model is in a class, as far as its recipe tells: what is not, is left out without further ado.
    pub fn fits(&self, class: Class) -> bool {
        let parts = |is: &dyn Fn(&Place) -> bool| match self {
            Recipe::Cells { cells, .. } => cells.iter().all(|cell| is(&cell.place)),
            Recipe::Calibrated(cells) => cells.iter().all(|(place, _)| is(place)),
            Recipe::Even(_) | Recipe::Named { .. } => true,
        };
        let named = |wanted: &str| {
            matches!(self, Recipe::Named { densities, .. } if densities.iter().all(|(name, _)| *name == wanted))
        };
        match class {
            Class::Continuous => parts(&|place| matches!(place, Place::On(_))),
            Class::Piecewise => {
                !matches!(self, Recipe::Named { .. })
                    && parts(&|place| matches!(place, Place::On([a, b]) if *a >= zero() && *b <= one()))
            }
            Class::Beta => named("beta"),
            Class::Binormal => named("normal"),
            Class::Triangular => named("triangular"),
            Class::Convex => match self {
                Recipe::Cells { cells, .. } => never_falls(cells.iter().flat_map(Cell::odds)),
                Recipe::Even(pieces) => never_falls(
                    pieces.iter().flat_map(|(_, posterior)| posterior).map(|c| [one() - c, c.clone()]),
                ),
                _ => true,
            },
            Class::Perfect => match self {
                Recipe::Cells { cells, .. } => {
                    let first = cells.iter().position(|cell| !cell.mass[1].is_zero()).unwrap_or(0);
                    cells[first..].iter().all(|cell| cell.mass[0].is_zero())
                }
                Recipe::Calibrated(cells) => {
                    cells.iter().all(|(place, _)| place.ends() == [&zero(); 2] || place.ends() == [&one(); 2])
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
                    let same = |cell: &Cell| cell.mass[0] == cell.mass[1] && cell.tilt[0] == cell.tilt[1];
                    cells.iter().all(same)
                }
                Recipe::Calibrated(cells) => matches!(cells.as_slice(), [(Place::At(_), _)]),
                Recipe::Even(pieces) => {
                    let first = &pieces[0].1[0];
                    pieces.iter().flat_map(|(_, posterior)| posterior).all(|c| c == first)
                }
                Recipe::Named { densities: [f0, f1], .. } => f0 == f1,
            },
            Class::Calibrated => match self {
                Recipe::Calibrated(_) => true,
                // The one that is evenly spaced as well.
                Recipe::Even(pieces) => {
                    let starts = std::iter::once(&zero()).chain(pieces.iter().map(|(end, _)| end)).cloned().collect::<Vec<_>>();
                    pieces.iter().zip(&starts).all(|((end, [from, to]), start)| from == start && to == end)
                }
                Recipe::Named { pi0, densities: [(f0, p0), (f1, p1)] } => match (*f0, &p0[..], *f1, &p1[..]) {
                    // x·beta(a, b) and (1-x)·beta(a, b).
                    ("beta", [a0, b0], "beta", [a1, b1]) => {
                        *a1 == a0 + one() && *b0 == b1 + one() && *pi0 == b1 / (a0 + b1)
                    }
                    ("triangular", [a0, c0, b0], "triangular", [a1, c1, b1]) => {
                        [a0, c0, a1].iter().all(|p| p.is_zero())
                            && [b0, c1, b1].iter().all(|p| **p == one())
                            && *pi0 == one() / two()
                    }
                    _ => false,
                },
                Recipe::Cells { .. } => false,
            },
            Class::Even => match self {
                Recipe::Even(_) => true,
                Recipe::Named { pi0, densities: [(f0, p0), (f1, p1)] } => match (*f0, &p0[..], *f1, &p1[..]) {
                    ("beta", [a0, b0], "beta", [a1, b1]) => {
                        [a0, b0, a1, b1].iter().all(|p| **p == one())
                            || (a0 == b1 && b0 == a1 && &(a0 + b0) == &Rational::from(3) && a0.is_int()
                                && *pi0 == one() / two())
                    }
                    ("triangular", [a0, c0, b0], "triangular", [a1, c1, b1]) => {
                        [a0, a1].iter().all(|p| p.is_zero())
                            && [b0, b1].iter().all(|p| **p == one())
                            && c0 + c1 == one() && c0.is_int()
                            && *pi0 == one() / two()
                    }
                    _ => false,
                },
                Recipe::Cells { .. } | Recipe::Calibrated(_) => false,
            },
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
            Recipe::Calibrated(cells) => cells
                .iter()
                .flat_map(|(place, weight)| of_place(place).into_iter().chain([weight.clone()]))
                .collect(),
            Recipe::Even(pieces) => pieces
                .iter()
                .flat_map(|(end, [from, to])| [end.clone(), from.clone(), to.clone()])
                .collect(),
            Recipe::Named { pi0, densities } => std::iter::once(pi0.clone())
                .chain(densities.iter().flat_map(|(_, parameters)| parameters.clone()))
                .collect(),
        }
    }

    /// The same with other numbers, in the order of [`Recipe::numbers`]. Cells that touch keep touching.
    pub fn with(&self, numbers: &[Rational]) -> Recipe {
        let mut numbers = numbers.iter().cloned();
        let mut next = || numbers.next().unwrap_or_default();
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

    /// Models like it with fewer or plainer parts.
    pub fn reductions(&self) -> Vec<Recipe> {
        let mut found = Vec::new();
        match self {
            Recipe::Cells { pi0, cells } => {
                for k in 0..cells.len() {
                    let mut fewer = cells.clone();
                    fewer.remove(k);
                    found.push(Recipe::Cells { pi0: pi0.clone(), cells: fewer });
                }
                for k in 1..cells.len() {
                    if let (Place::On([a, _]), Place::On([_, b])) = (&cells[k - 1].place, &cells[k].place) {
                        let mut fewer = cells.clone();
                        let mass = [0, 1].map(|i| &cells[k - 1].mass[i] + &cells[k].mass[i]);
                        fewer[k - 1] = Cell::new(Place::On([a.clone(), b.clone()]), mass);
                        fewer.remove(k);
                        found.push(Recipe::Cells { pi0: pi0.clone(), cells: fewer });
                    }
                }
                for (k, cell) in cells.iter().enumerate() {
                    for i in [0, 1] {
                        let mut plainer = cells.clone();
                        if cell.tilt[i] != Tilt::Flat {
                            plainer[k].tilt[i] = Tilt::Flat;
                            found.push(Recipe::Cells { pi0: pi0.clone(), cells: plainer.clone() });
                        }
                        if !cell.mass[i].is_zero() {
                            plainer[k].mass[i] = zero();
                            found.push(Recipe::Cells { pi0: pi0.clone(), cells: plainer });
                        }
                    }
                    if let Place::On([a, b]) = &cell.place {
                        let middle = (a + b) / two();
                        for at in [a, b, &middle] {
                            let mut plainer = cells.clone();
                            plainer[k].place = Place::At(at.clone());
                            found.push(Recipe::Cells { pi0: pi0.clone(), cells: plainer });
                        }
                    }
                }
            }
            Recipe::Calibrated(cells) => {
                for k in 0..cells.len() {
                    let mut fewer = cells.clone();
                    fewer.remove(k);
                    found.push(Recipe::Calibrated(fewer));
                    let mut plainer = cells.clone();
                    plainer[k].0 = Place::At(cells[k].0.mean());
                    if plainer[k].0 != cells[k].0 {
                        found.push(Recipe::Calibrated(plainer));
                    }
                }
            }
            Recipe::Even(pieces) => {
                for k in 0..pieces.len() {
                    if k + 1 < pieces.len() {
                        let mut fewer = pieces.clone();
                        fewer.remove(k);
                        found.push(Recipe::Even(fewer));
                        let mut fewer = pieces.clone();
                        fewer[k + 1].1 = pieces[k].1.clone();
                        fewer.remove(k);
                        found.push(Recipe::Even(fewer));
                    }
                    let [from, to] = &pieces[k].1;
                    if from != to {
                        for c in [from, to] {
                            let mut plainer = pieces.clone();
                            plainer[k].1 = [c.clone(), c.clone()];
                            found.push(Recipe::Even(plainer));
                        }
                    }
                }
            }
            Recipe::Named { .. } => {}
        }
        found
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

/// Whether odds, each `[of class 0, of class 1]`, never fall; what has no mass has none.
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
