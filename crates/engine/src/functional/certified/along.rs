//! The integrals of a group of definitions along an enclosed curve: stretches are halved until every integral is narrow enough,
//! or no better for it.

use super::super::group::{GradedParts, Group, Origin};
use super::super::program::{Algebra, Grade, Program};
use super::graded::grade_towards_ends;
use super::weight::EnclosedBeta;
use crate::calculus::patch::{Patch, PatchMotion};
use crate::model::certified::EnclosedCurve;
use rocproof_arith::{Balls, Interval, Rational, Series};
use rocproof_language::meaning::Piece;

/// How often a stretch is halved.
const MOST_HALVINGS: u32 = 60;
/// How often it is halved for a definition that gains nothing by it.
pub(super) const PATIENCE: f64 = 0.6;
/// A width above which it cannot be rounding, for values of size 1.
const ROUNDED: f64 = 1e-11;
/// A share of the width asked for that even thousands of parts may add.
const NEGLIGIBLE: f64 = 1e-5;
/// How many parts of stretches one integral may need.
const MOST_PARTS: usize = 4000;
/// No loss is larger: both terms of `Q` have factors that add up to 1.
pub(super) const MOST_LOSS: f64 = 2.0;

impl Algebra for Series {
    fn constant(value: &Rational) -> Series {
        Series::from(Interval::of(value))
    }
    fn literal(_: &Rational, enclosed: Interval) -> Series {
        Series::from(enclosed)
    }
    fn plus(&self, other: &Series) -> Series {
        *self + *other
    }
    fn minus(&self, other: &Series) -> Series {
        *self - *other
    }
    fn times(&self, other: &Series) -> Series {
        *self * *other
    }
    fn over(&self, other: &Series) -> Series {
        *self / *other
    }
    fn power(&self, exponent: i32) -> Series {
        Series::power(*self, exponent)
    }
}

impl Algebra for Balls {
    fn constant(value: &Rational) -> Balls {
        Balls::from(Interval::of(value))
    }
    fn literal(_: &Rational, enclosed: Interval) -> Balls {
        Balls::from(enclosed)
    }
    fn plus(&self, other: &Balls) -> Balls {
        self + other
    }
    fn minus(&self, other: &Balls) -> Balls {
        self - other
    }
    fn times(&self, other: &Balls) -> Balls {
        self * other
    }
    fn over(&self, other: &Balls) -> Balls {
        self / other
    }
    fn power(&self, exponent: i32) -> Balls {
        Balls::power(self, exponent)
    }
}

impl Algebra for Interval {
    fn constant(value: &Rational) -> Interval {
        Interval::of(value)
    }
    fn literal(_: &Rational, enclosed: Interval) -> Interval {
        enclosed
    }
    fn plus(&self, other: &Interval) -> Interval {
        *self + *other
    }
    fn minus(&self, other: &Interval) -> Interval {
        *self - *other
    }
    fn times(&self, other: &Interval) -> Interval {
        *self * *other
    }
    fn over(&self, other: &Interval) -> Interval {
        *self / *other
    }
    fn power(&self, exponent: i32) -> Interval {
        if exponent == 2 { self.square() } else { Interval::power(*self, exponent) }
    }
}

/// Under which class proportions, costs and scale a definition is read, and how narrow an integral should be.
#[derive(Clone, Debug)]
pub(super) struct EnclosedEnvironment<'a> {
    pub(super) proportions: [Interval; 2],
    pub(super) weight: &'a EnclosedBeta,
    pub(super) range: [Interval; 2],
    pub(super) width: f64,
    /// How large values are: rounding is as much smaller.
    pub(super) scale: f64,
}

impl EnclosedEnvironment<'_> {
    /// A width above which it cannot be rounding.
    pub(super) fn rounded(&self) -> f64 {
        ROUNDED * self.scale
    }

    pub(super) fn numbers<A: From<Interval>>(&self) -> [A; 5] {
        let ([pi0, pi1], [l, h]) = (self.proportions, self.range);
        [pi0, pi1, self.weight.mean(), l, h].map(A::from)
    }

    pub(super) fn along(&self, program: &Program, inputs: &[Series; 14]) -> Vec<Option<Series>> {
        program.values(inputs, &self.numbers(), None, |c, complement| Some(self.weight.along(c, complement)))
    }

    pub(super) fn at(&self, program: &Program, inputs: &[Interval; 14]) -> Vec<Option<Interval>> {
        program.values(inputs, &self.numbers(), None, |c, complement| Some(self.weight.at(*c, *complement)))
    }
}

/// The inputs of a definition, in the order of the vocabulary.
pub(super) fn inputs<A: Copy + From<Interval>>(x: [A; 2], f0: [A; 2], f1: [A; 2], d: [A; 3], q: [A; 3]) -> [A; 14] {
    let none = A::from(Interval::ZERO);
    let [x, not_x] = x;
    let ([f0, not_f0], [f1, not_f1]) = (f0, f1);
    let ([dx, d0, d1], [q0, q1, dq1]) = (d, q);
    [x, not_x, f0, not_f0, f1, not_f1, dx, d0, d1, q0, q1, dq1, none, A::from(Interval::ONE)]
}

/// Where `dx` is among them.
const WAY_OF_SCORE: usize = 6;

/// The inputs along a stretch. Differentials of `F0` and `F1` are given as shares of the mass: a definition is homogeneous in
/// them, and the mass is multiplied with what it makes of the shares. So nothing is divided by a mass that may be 0.
fn inputs_of(patch: &Patch) -> [Series; 14] {
    let pair = |k: usize| [patch.below[k], patch.above[k]];
    let [q0, q1] = patch.share;
    inputs(patch.x, pair(0), pair(1), [patch.dx, q0, q1], [q0, q1, patch.turn])
}

/// The integrals of a group along a curve, corners left out.
pub(super) fn along(curve: &EnclosedCurve, group: &Group, view: &EnclosedEnvironment) -> Vec<Interval> {
    let mut found = vec![Interval::ZERO; group.len()];
    for piece in [Piece::Arc, Piece::Tie, Piece::Gap] {
        let patches: Vec<&Patch> = curve.patches.iter().filter(|patch| patch.piece() == piece).collect();
        if patches.is_empty() || group.on(piece).is_nothing() {
            continue;
        }
        let mut integration = EnclosedIntegration::new(curve, &patches, group, piece, view);
        patches.into_iter().for_each(|patch| integration.add(patch));
        found = found.into_iter().zip(integration.found()).map(|(sum, found)| sum + found).collect();
    }
    found
}

/// The degrees in the differentials of what goes with the score, with the mass, and with the posterior.
const DX: Grade = [1, 0, 0];
const DF: Grade = [0, 1, 0];
pub(super) const DC: Grade = [0, 0, 1];

/// How the score comes in.
const BY_SCORE: [u32; 14] = [1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];

/// A part of a stretch that is still to be looked at.
struct PendingPart {
    patch: Patch,
    /// How narrow its integrals should be.
    wanted: f64,
    /// How wide those of the part that it is a half of were.
    before: Vec<f64>,
    /// The widest of them, bounded where it was not resolved.
    widest: f64,
    halvings: u32,
}

struct EnclosedIntegration<'a> {
    group: &'a Group,
    /// The expressions taken apart by their differentials: each part is integrated by itself.
    parts: &'a GradedParts,
    view: &'a EnclosedEnvironment<'a>,
    sums: Vec<Interval>,
    /// Whether a part is to be multiplied with the mass.
    by_mass: Vec<bool>,
    /// Whether it applies: not if it reads a scale that has no bounds, or more of scores without bounds than their mean.
    applies: Vec<bool>,
    /// Whether it reads the score.
    reads_score: Vec<bool>,
    /// Widths above which they cannot be rounding.
    rounded: Vec<f64>,
    /// How narrow the integral over one stretch should be.
    width: f64,
    /// How many parts of stretches there were.
    stretches: usize,
}

impl<'a> EnclosedIntegration<'a> {
    /// For the patches of a curve that are pieces of one kind.
    fn new(
        curve: &EnclosedCurve,
        patches: &[&Patch],
        group: &'a Group,
        piece: Piece,
        view: &'a EnclosedEnvironment<'a>,
    ) -> EnclosedIntegration<'a> {
        let parts = group.on(piece).parts();
        let count = parts.list.len();
        let reads = |k: usize, names: &[&str]| parts.program.reads(k, names);
        let by_mass = parts.list.iter().map(|(_, grade)| *grade == DF).collect();
        let bounded = view.range.iter().all(|end| end.is_bounded());
        let tailed = patches.iter().any(|patch| !patch.x.iter().all(Series::is_known));
        let linear = |k: usize| parts.program.degree(k, &BY_SCORE, 0, None).is_some_and(|degree| degree <= 1);
        let applies = |k: usize| {
            let tails = !tailed || parts.list[k].1 != DX && (!reads(k, &["x", "1-x"]) || linear(k));
            (bounded || !reads(k, &["l", "h"])) && tails
        };
        let applies: Vec<bool> = (0..count).map(applies).collect();
        let sums = applies.iter().map(|applies| if *applies { Interval::ZERO } else { Interval::ALL }).collect();
        let width = view.width / curve.patches.len().max(1) as f64;
        let reads_score = (0..count).map(|k| reads(k, &["x", "1-x"])).collect();
        let rounded = vec![view.rounded(); count];
        let mut integration = EnclosedIntegration {
            group,
            parts,
            view,
            sums,
            by_mass,
            applies,
            reads_score,
            rounded,
            width,
            stretches: 0,
        };
        if group.origins.contains(&Origin::Typed) {
            integration.measure(patches);
        }
        integration
    }

    /// Adds a patch.
    fn add(&mut self, patch: &Patch) {
        let all = vec![true; self.parts.list.len()];
        match patch.motion {
            PatchMotion::Lump => self.add_lump(patch),
            PatchMotion::Straight | PatchMotion::Gap => {
                // The posterior stands still.
                let those: Vec<bool> = self.parts.list.iter().map(|(_, grade)| *grade != DC).collect();
                self.add_straight(patch, &those);
            }
            PatchMotion::Arc => self.add_those(patch, &all),
        }
    }

    /// Measures how large the integrals of expressions are that a user typed: rounding is as much larger.
    fn measure(&mut self, patches: &[&Patch]) {
        for patch in patches.iter().filter(|patch| patch.motion != PatchMotion::Lump) {
            let found = self.integrals(patch);
            for (k, found) in found.into_iter().enumerate().filter(|(_, found)| found.is_bounded()) {
                if self.group.origins[self.parts.list[k].0] == Origin::Typed {
                    self.rounded[k] += self.view.rounded() * found.magnitude();
                }
            }
        }
    }

    /// The integrals of the expressions: the sums of those of their parts.
    fn found(self) -> Vec<Interval> {
        let mut found = vec![Interval::ZERO; self.group.len()];
        for ((k, _), sum) in self.parts.list.iter().zip(self.sums) {
            found[*k] = found[*k] + sum;
        }
        self.parts.whole.iter().for_each(|k| found[*k] = Interval::ALL);
        found
    }

    /// The class whose mass alone a definition goes with.
    fn reads_class(&self, k: usize) -> Option<usize> {
        let reads = |name: &str| self.parts.program.reads(k, &[name]);
        let directed = self.parts.program.reads(k, &["q0", "q1", "dq1", "dx"]);
        match [reads("dF0"), reads("dF1")] {
            [true, false] if !directed => Some(0),
            [false, true] if !directed => Some(1),
            _ => None,
        }
    }

    /// The integrals over a stretch.
    fn integrals(&self, patch: &Patch) -> Vec<Interval> {
        let mass = patch.rate[0] + patch.rate[1];
        let values = self.view.along(&self.parts.program, &inputs_of(patch));
        let integral = |(k, value): (usize, Option<Series>)| match value {
            _ if self.by_mass[k] && mass.is_zero() => Interval::ZERO,
            Some(value) if self.by_mass[k] => (value * mass).integral(),
            Some(value) => value.integral(),
            None => Interval::ALL,
        };
        values.into_iter().take(self.sums.len()).enumerate().map(integral).collect()
    }

    /// What a stretch can add to a definition that is weighted by the operating condition, whatever happens on it.
    fn bounded(&self, k: usize, patch: &Patch) -> Interval {
        let Some(condition) = &self.group.conditions[self.parts.list[k].0] else { return Interval::ALL };
        let pair = |k: usize| [patch.below[k], patch.above[k]].map(|s| s.range());
        let [q0, q1] = patch.share.map(|s| s.range());
        let inputs =
            inputs(patch.x.map(|s| s.range()), pair(0), pair(1), [Interval::ZERO; 3], [q0, q1, Interval::ZERO]);
        match self.view.at(condition, &inputs).as_slice() {
            [Some(c), Some(complement)] => {
                // The mass is a bound: there may be none; and where the posterior may fall, it may count against.
                let mass = self.view.weight.mass(*c, *complement);
                let may_fall = self.parts.list[k].1 == DC && patch.bend.rough_range().lo() < 0.0;
                self.loss(k, &inputs) * Interval::new(if may_fall { -mass } else { 0.0 }, mass)
            }
            _ => Interval::ALL,
        }
    }

    /// All losses on a stretch, where the condition is the score itself and the integral goes over it; else no more than that they
    /// are losses.
    fn loss(&self, k: usize, inputs: &[Interval; 14]) -> Interval {
        let any = Interval::new(0.0, MOST_LOSS);
        let reads = |names: &[&str]| self.parts.program.reads(k, names);
        if !reads(&["dx"]) || reads(&["dF0", "dF1", "dq1"]) {
            return any;
        }
        let mut inputs = *inputs;
        inputs[WAY_OF_SCORE] = Interval::ONE;
        let value = self.parts.program.values(&inputs, &self.view.numbers(), None, |_, _| Some(Interval::ONE))[k];
        value.map_or(any, |loss| loss.meet(any))
    }

    /// Adds the integrals of some of the definitions over a stretch.
    fn add_those(&mut self, patch: &Patch, those: &[bool]) {
        // One stretch may not use up what others need.
        let most_parts = MOST_PARTS.min(self.stretches + MOST_PARTS / 4);
        let mut pending = vec![PendingPart {
            patch: patch.clone(),
            wanted: self.width,
            before: Vec::new(),
            widest: 0.0,
            halvings: 0,
        }];
        // What is widest comes first, so that what is left when there are no more parts to be had is not.
        while let Some(widest) = (0..pending.len()).max_by(|a, b| pending[*a].widest.total_cmp(&pending[*b].widest)) {
            let PendingPart { patch, wanted, before, halvings, .. } = pending.swap_remove(widest);
            let mut found = self.integrals(&patch);
            // What is not resolved yet says nothing about what halving gains.
            let widths: Vec<f64> = found.iter().map(|value| value.width()).collect();
            for (k, value) in found.iter_mut().enumerate().filter(|(_, value)| !value.is_bounded()) {
                *value = self.bounded(k, &patch);
            }
            self.stretches += 1;
            let last = halvings == MOST_HALVINGS || self.stretches > most_parts;
            let enough = found.iter().enumerate().all(|(k, value)| {
                let width = value.width();
                // Two halves together should be better than the whole, unless rounding is all that is left.
                !(self.applies[k] && those[k])
                    || width <= wanted.max(NEGLIGIBLE * self.view.width)
                    || (width <= self.rounded[k] && before.get(k).is_some_and(|before| 2.0 * width > PATIENCE * before))
            });
            if enough || last {
                for k in (0..found.len()).filter(|k| those[*k]) {
                    self.sums[k] = self.sums[k] + found[k];
                }
                continue;
            }
            let widest = (0..found.len()).filter(|k| self.applies[*k] && those[*k]).map(|k| found[k].width());
            let widest = widest.fold(0.0, f64::max);
            for (from, to) in [(0.0, 1.0), (-1.0, 0.0)] {
                let patch = patch.part(from, to);
                pending.push(PendingPart {
                    patch,
                    wanted: wanted / 2.0,
                    before: widths.clone(),
                    widest,
                    halvings: halvings + 1,
                });
            }
        }
    }

    fn add_straight(&mut self, patch: &Patch, those: &[bool]) {
        grade_towards_ends(patch, self.view.weight).iter().for_each(|part| self.add_those(part, those));
    }

    /// What is known of a stretch where everything moves by little.
    fn add_lump(&mut self, patch: &Patch) {
        let at = |s: &Series| s.at(Interval::ZERO);
        let two = Interval::from(2.0);
        let masses = patch.rate.map(|rate| at(&rate) * two);
        // In an infinite tail scores count as far as their mean does.
        let bounded = patch.x.iter().all(Series::is_known);
        let scores = |mean: Interval| {
            if bounded { patch.x.map(|s| s.rough_range()) } else { [mean, Interval::ONE - mean] }
        };
        let dx = if bounded { at(&patch.dx) * two } else { Interval::ZERO };
        let pair = |k: usize| [patch.below[k], patch.above[k]].map(|s| s.rough_range().meet(Interval::UNIT));
        let halves = [Interval::new(0.0, 0.5), Interval::new(0.5, 1.0)];
        let known = patch.share.map(|s| at(&s).meet(Interval::UNIT));
        let shares =
            if known[1].width() <= 0.5 { vec![known] } else { vec![[halves[1], halves[0]], [halves[0], halves[1]]] };
        let values = |x: [Interval; 2], [q0, q1]: [Interval; 2], mass: Interval| {
            let inputs = inputs(x, pair(0), pair(1), [dx, q0, q1], [q0, q1, Interval::ZERO]);
            let values = self.view.at(&self.parts.program, &inputs).into_iter().take(self.sums.len());
            let by_mass = |(k, value): (usize, Option<Interval>)| match value {
                Some(value) if self.by_mass[k] => value * mass,
                Some(value) => value,
                None => Interval::ALL,
            };
            values.enumerate().map(by_mass).collect::<Vec<_>>()
        };
        let [mean0, mean1] = patch.mean_scores;
        let of_both = shares.into_iter().map(|share| values(scores(mean0.hull(mean1)), share, masses[0] + masses[1]));
        let hull = |a: Vec<Interval>, b: Vec<Interval>| a.into_iter().zip(b).map(|(a, b)| a.hull(b)).collect();
        let mut found: Vec<Interval> = of_both.reduce(hull).unwrap_or_default();
        // What reads one class alone goes with the mass of that class, whatever the other does.
        for (class, share) in [[Interval::ONE, Interval::ZERO], [Interval::ZERO, Interval::ONE]].into_iter().enumerate()
        {
            let of_class = values(scores(patch.mean_scores[class]), share, masses[class]);
            for (k, value) in of_class.into_iter().enumerate().filter(|(k, _)| self.reads_class(*k) == Some(class)) {
                found[k] = value;
            }
        }
        if bounded {
            // The score goes all the way, whatever little the distribution functions do meanwhile.
            let way = Patch {
                below: patch.below,
                above: patch.above,
                share: patch.share,
                ..Patch::straight(patch.start, patch.end, [Interval::ZERO; 2])
            };
            let those: Vec<bool> = self.parts.list.iter().map(|(_, grade)| *grade == DX).collect();
            those.iter().zip(&mut found).filter(|(is, _)| **is).for_each(|(_, value)| *value = Interval::ZERO);
            // In a stretch that holds a place of tangency a chord takes over on the way.
            let dx = if patch.smooth { Series::from(way.dx.rough_range().hull(Interval::ZERO)) } else { way.dx };
            self.add_straight(&Patch { dx, ..way }, &those);
        }
        // Where scores may have either sign, their mean says little of their product with something.
        let signed = !bounded && patch.start.x[0].lo() < 0.0 && patch.end.x[0].hi() > 0.0;
        let counts = |k: usize| self.parts.list[k].1 != DC;
        for (k, value) in found.into_iter().enumerate().filter(|(k, _)| counts(*k)) {
            let typed = self.group.origins[self.parts.list[k].0] == Origin::Typed;
            let value = match value.is_bounded() {
                true if signed && typed && self.reads_score[k] => Interval::ALL,
                true => value,
                false => self.bounded(k, patch),
            };
            self.sums[k] = self.sums[k] + value;
        }
    }
}
