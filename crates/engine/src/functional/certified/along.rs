//! Integrals of a group of definitions along an enclosed curve, by adaptive bisection of its patches.
//!
//! Each expression is cut by [`Grade`] into parts that are homogeneous in one differential: `dx`, mass, or `dc`. A patch is halved until
//! the integral of each part is narrow enough, or until only rounding is left.

use super::super::group::{GradedParts, Group, Origin};
use super::super::program::{Algebra, Grade, Program};
use super::graded::grade_towards_ends;
use super::weight::EnclosedCosts;
use crate::calculus::patch::{Patch, PatchMotion};
use crate::model::certified::EnclosedCurve;
use rocproof_arith::{Balls, Interval, Rational, Series};
use rocproof_language::meaning::Piece;

/// Largest number of halvings of a patch.
const MOST_HALVINGS: u32 = 60;
/// Halving is worth while if it shrinks the total width to at most this share.
pub(super) const PATIENCE: f64 = 0.6;
/// Integrals of size 1 that are narrower than this may be limited by rounding.
const ROUNDED: f64 = 1e-11;
/// Share of the requested width that is always narrow enough for one part, even with thousands of parts.
const NEGLIGIBLE: f64 = 1e-5;
/// Largest number of parts of patches in one integration.
const MOST_PARTS: usize = 4000;
/// The largest value of `Q`: the factors of its two terms add up to 1 each.
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

/// The values of the names that a program reads besides its inputs, and the accuracy asked for.
#[derive(Clone, Debug)]
pub(super) struct EnclosedEnvironment<'a> {
    pub(super) proportions: [Interval; 2],
    pub(super) weight: &'a EnclosedCosts,
    pub(super) range: [Interval; 2],
    pub(super) width: f64,
    /// Magnitude of the values: the effect of rounding is proportional to it.
    pub(super) scale: f64,
}

impl EnclosedEnvironment<'_> {
    /// Integrals narrower than this may be limited by rounding.
    pub(super) fn rounded(&self) -> f64 {
        ROUNDED * self.scale
    }

    /// The numbers that programs read, in the order of `NUMBERS`.
    pub(super) fn numbers<A: From<Interval>>(&self) -> [A; 5] {
        let ([pi0, pi1], [l, h]) = (self.proportions, self.range);
        [pi0, pi1, self.weight.mean(), l, h].map(A::from)
    }

    /// The outputs of a program along a patch, as series.
    pub(super) fn along(&self, program: &Program, inputs: &[Series; 14]) -> Vec<Option<Series>> {
        program.values(inputs, &self.numbers(), None, |c, complement| Some(self.weight.along(c, complement)))
    }

    /// The ranges of the outputs of a program.
    pub(super) fn at(&self, program: &Program, inputs: &[Interval; 14]) -> Vec<Option<Interval>> {
        program.values(inputs, &self.numbers(), None, |c, complement| Some(self.weight.at(*c, *complement)))
    }
}

/// The inputs of a program, in the order of `INPUTS`: `x`, `F0`, `F1` with their complements, `d = [dx, dF0, dF1]` and `q = [q0, q1, dq1]`.
/// The operating condition of the literal route is 0.
pub(super) fn inputs<A: Copy + From<Interval>>(x: [A; 2], f0: [A; 2], f1: [A; 2], d: [A; 3], q: [A; 3]) -> [A; 14] {
    let zero = A::from(Interval::ZERO);
    let [x, not_x] = x;
    let ([f0, not_f0], [f1, not_f1]) = (f0, f1);
    let ([dx, d0, d1], [q0, q1, dq1]) = (d, q);
    [x, not_x, f0, not_f0, f1, not_f1, dx, d0, d1, q0, q1, dq1, zero, A::from(Interval::ONE)]
}

/// The index of `dx` among the inputs.
const DX_INPUT: usize = 6;

/// The inputs along a patch. `dF0` and `dF1` are given as shares of the mass, and the caller multiplies the result by the mass. This is
/// valid because a definition is homogeneous in them, and avoids a division by a mass that may be 0.
fn inputs_of(patch: &Patch) -> [Series; 14] {
    let pair = |k: usize| [patch.below[k], patch.above[k]];
    let [q0, q1] = patch.share;
    inputs(patch.x, pair(0), pair(1), [patch.dx, q0, q1], [q0, q1, patch.turn])
}

/// The integrals of a group along a curve, without its corners.
pub(super) fn along(curve: &EnclosedCurve, group: &Group, environment: &EnclosedEnvironment) -> Vec<Interval> {
    let mut sums = vec![Interval::ZERO; group.len()];
    for piece in [Piece::Arc, Piece::Tie, Piece::Gap] {
        let patches: Vec<&Patch> = curve.patches.iter().filter(|patch| patch.piece() == piece).collect();
        if patches.is_empty() || group.on(piece).is_nothing() {
            continue;
        }
        let mut integration = EnclosedIntegration::new(curve, &patches, group, piece, environment);
        patches.into_iter().for_each(|patch| integration.add(patch));
        sums = sums.into_iter().zip(integration.into_integrals()).map(|(sum, integral)| sum + integral).collect();
    }
    sums
}

/// The grades of integrals over the score, over mass and over the posterior: degrees in `dx`, in `dF0` and `dF1`, and in `dc`.
const DX: Grade = [1, 0, 0];
const DF: Grade = [0, 1, 0];
pub(super) const DC: Grade = [0, 0, 1];

/// Degrees of the inputs in the score.
const DEGREES_IN_SCORE: [u32; 14] = [1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];

/// A part of a patch whose integrals are still too wide.
struct PendingPart {
    patch: Patch,
    /// The requested width of its integrals.
    wanted_width: f64,
    /// The widths of the integrals over the part that was halved to give this one; empty for a whole patch.
    parent_widths: Vec<f64>,
    /// The largest width over the halved part; integrals that are not resolved count with their crude bound.
    widest: f64,
    /// The number of halvings that led to this part.
    halvings: u32,
}

/// The running sums of the integrals of a group along the patches of one kind of piece.
struct EnclosedIntegration<'a> {
    group: &'a Group,
    /// The expressions, cut into parts by their differentials; each part is integrated by itself.
    parts: &'a GradedParts,
    environment: &'a EnclosedEnvironment<'a>,
    /// The sum so far of the integrals of each part.
    sums: Vec<Interval>,
    /// Which parts are multiplied by the mass.
    by_mass: Vec<bool>,
    /// Which parts have a finite value: not those that read infinite bounds of the scale, or read unbounded scores otherwise than
    /// linearly.
    applies: Vec<bool>,
    /// Which parts read the score.
    reads_score: Vec<bool>,
    /// Integrals narrower than this may be limited by rounding, for each part.
    rounded: Vec<f64>,
    /// The requested width of an integral over one patch.
    width: f64,
    /// The number of parts of patches integrated so far.
    parts_done: usize,
}

impl<'a> EnclosedIntegration<'a> {
    /// Starts an integration along the patches of a curve that are pieces of one kind.
    fn new(
        curve: &EnclosedCurve,
        patches: &[&Patch],
        group: &'a Group,
        piece: Piece,
        environment: &'a EnclosedEnvironment<'a>,
    ) -> EnclosedIntegration<'a> {
        let parts = group.on(piece).parts();
        let count = parts.list.len();
        let reads = |k: usize, names: &[&str]| parts.program.reads(k, names);
        let by_mass = parts.list.iter().map(|(_, grade)| *grade == DF).collect();
        let bounded = environment.range.iter().all(|end| end.is_bounded());
        let has_tail = patches.iter().any(|patch| !patch.x.iter().all(Series::is_known));
        let is_linear =
            |k: usize| parts.program.degree(k, &DEGREES_IN_SCORE, 0, None).is_some_and(|degree| degree <= 1);
        let applies = |k: usize| {
            let is_finite_on_tail = parts.list[k].1 != DX && (!reads(k, &["x", "1-x"]) || is_linear(k));
            (bounded || !reads(k, &["l", "h"])) && (!has_tail || is_finite_on_tail)
        };
        let applies: Vec<bool> = (0..count).map(applies).collect();
        let sums = applies.iter().map(|applies| if *applies { Interval::ZERO } else { Interval::ALL }).collect();
        let width = environment.width / curve.patches.len().max(1) as f64;
        let reads_score = (0..count).map(|k| reads(k, &["x", "1-x"])).collect();
        let rounded = vec![environment.rounded(); count];
        let mut integration = EnclosedIntegration {
            group,
            parts,
            environment,
            sums,
            by_mass,
            applies,
            reads_score,
            rounded,
            width,
            parts_done: 0,
        };
        if group.origins.contains(&Origin::Typed) {
            integration.measure_typed(patches);
        }
        integration
    }

    /// Adds the integrals over a patch.
    fn add(&mut self, patch: &Patch) {
        match patch.motion {
            PatchMotion::Lump => self.add_lump(patch),
            PatchMotion::Straight | PatchMotion::Gap => {
                // The posterior is constant, so integrals over it are 0.
                let without_dc: Vec<bool> = self.parts.list.iter().map(|(_, grade)| *grade != DC).collect();
                self.add_straight(patch, &without_dc);
            }
            PatchMotion::Arc => {
                let all = vec![true; self.parts.list.len()];
                self.add_parts(patch, &all);
            }
        }
    }

    /// Raises the rounding level of expressions that a user typed in proportion to the size of their integrals over these patches.
    fn measure_typed(&mut self, patches: &[&Patch]) {
        for patch in patches.iter().filter(|patch| patch.motion != PatchMotion::Lump) {
            let integrals = self.integrals(patch);
            for (k, integral) in integrals.into_iter().enumerate().filter(|(_, integral)| integral.is_bounded()) {
                if self.group.origins[self.parts.list[k].0] == Origin::Typed {
                    self.rounded[k] += self.environment.rounded() * integral.magnitude();
                }
            }
        }
    }

    /// The integrals of the expressions: the sums over their parts.
    fn into_integrals(self) -> Vec<Interval> {
        let mut integrals = vec![Interval::ZERO; self.group.len()];
        for ((k, _), sum) in self.parts.list.iter().zip(self.sums) {
            integrals[*k] = integrals[*k] + sum;
        }
        self.parts.whole.iter().for_each(|k| integrals[*k] = Interval::ALL);
        integrals
    }

    /// The class whose mass a part is proportional to, if it reads no other differential and no direction.
    fn reads_class(&self, k: usize) -> Option<usize> {
        let reads = |name: &str| self.parts.program.reads(k, &[name]);
        let directed = self.parts.program.reads(k, &["q0", "q1", "dq1", "dx"]);
        match [reads("dF0"), reads("dF1")] {
            [true, false] if !directed => Some(0),
            [false, true] if !directed => Some(1),
            _ => None,
        }
    }

    /// The integrals of all parts over a patch, by series.
    fn integrals(&self, patch: &Patch) -> Vec<Interval> {
        let mass = patch.rate[0] + patch.rate[1];
        let values = self.environment.along(&self.parts.program, &inputs_of(patch));
        let integral = |(k, value): (usize, Option<Series>)| match value {
            _ if self.by_mass[k] && mass.is_zero() => Interval::ZERO,
            Some(value) if self.by_mass[k] => (value * mass).integral(),
            Some(value) => value.integral(),
            None => Interval::ALL,
        };
        values.into_iter().take(self.sums.len()).enumerate().map(integral).collect()
    }

    /// A crude bound on the integral over a patch of a part that the density of operating conditions weights.
    fn crude_bound(&self, k: usize, patch: &Patch) -> Interval {
        let Some(condition) = &self.group.conditions[self.parts.list[k].0] else { return Interval::ALL };
        let pair = |k: usize| [patch.below[k], patch.above[k]].map(|s| s.range());
        let [q0, q1] = patch.share.map(|s| s.range());
        let inputs =
            inputs(patch.x.map(|s| s.range()), pair(0), pair(1), [Interval::ZERO; 3], [q0, q1, Interval::ZERO]);
        match self.environment.at(condition, &inputs).as_slice() {
            [Some(c), Some(complement)] => {
                // The mass of conditions is an upper bound. Where the posterior may fall, the integral may be negative.
                let mass = self.environment.weight.mass(*c, *complement);
                let may_fall = self.parts.list[k].1 == DC && patch.bend.rough_range().lo() < 0.0;
                self.loss_range(k, &inputs) * Interval::new(if may_fall { -mass } else { 0.0 }, mass)
            }
            _ => Interval::ALL,
        }
    }

    /// The range of the loss on a patch if the part is an integral of losses over the score; `[0, MOST_LOSS]` otherwise.
    fn loss_range(&self, k: usize, inputs: &[Interval; 14]) -> Interval {
        let any = Interval::new(0.0, MOST_LOSS);
        let reads = |names: &[&str]| self.parts.program.reads(k, names);
        if !reads(&["dx"]) || reads(&["dF0", "dF1", "dq1"]) {
            return any;
        }
        let mut inputs = *inputs;
        inputs[DX_INPUT] = Interval::ONE;
        let value =
            self.parts.program.values(&inputs, &self.environment.numbers(), None, |_, _| Some(Interval::ONE))[k];
        value.map_or(any, |loss| loss.meet(any))
    }

    /// Adds the integrals over a patch of each part `k` with `selected[k]`, by adaptive bisection.
    fn add_parts(&mut self, patch: &Patch, selected: &[bool]) {
        // No patch may use up the budget of the others.
        let most_parts = MOST_PARTS.min(self.parts_done + MOST_PARTS / 4);
        let mut pending = vec![PendingPart {
            patch: patch.clone(),
            wanted_width: self.width,
            parent_widths: Vec::new(),
            widest: 0.0,
            halvings: 0,
        }];
        // Refine the widest part first: when the budget runs out, only narrow ones are left unrefined.
        while let Some(widest) = (0..pending.len()).max_by(|a, b| pending[*a].widest.total_cmp(&pending[*b].widest)) {
            let PendingPart { patch, wanted_width, parent_widths, halvings, .. } = pending.swap_remove(widest);
            let mut integrals = self.integrals(&patch);
            // Only the widths of resolved integrals show whether halving helps.
            let widths: Vec<f64> = integrals.iter().map(|value| value.width()).collect();
            for (k, value) in integrals.iter_mut().enumerate().filter(|(_, value)| !value.is_bounded()) {
                *value = self.crude_bound(k, &patch);
            }
            self.parts_done += 1;
            let is_last = halvings == MOST_HALVINGS || self.parts_done > most_parts;
            let is_narrow = |width: f64| width <= wanted_width.max(NEGLIGIBLE * self.environment.width);
            // At the rounding level a part is accepted only if halving no longer gains.
            let is_limited_by_rounding = |k: usize, width: f64| {
                width <= self.rounded[k]
                    && parent_widths.get(k).is_some_and(|parent_width| 2.0 * width > PATIENCE * parent_width)
            };
            let is_done = |(k, value): (usize, &Interval)| {
                let width = value.width();
                !(self.applies[k] && selected[k]) || is_narrow(width) || is_limited_by_rounding(k, width)
            };
            if is_last || integrals.iter().enumerate().all(is_done) {
                for k in (0..integrals.len()).filter(|k| selected[*k]) {
                    self.sums[k] = self.sums[k] + integrals[k];
                }
                continue;
            }
            let widest =
                (0..integrals.len()).filter(|k| self.applies[*k] && selected[*k]).map(|k| integrals[k].width());
            let widest = widest.fold(0.0, f64::max);
            for (start, end) in [(0.0, 1.0), (-1.0, 0.0)] {
                let patch = patch.part(start, end);
                pending.push(PendingPart {
                    patch,
                    wanted_width: wanted_width / 2.0,
                    parent_widths: widths.clone(),
                    widest,
                    halvings: halvings + 1,
                });
            }
        }
    }

    /// Adds the integrals over a straight patch of each part `k` with `selected[k]`, graded towards ends with a singular weight.
    fn add_straight(&mut self, patch: &Patch, selected: &[bool]) {
        grade_towards_ends(patch, self.environment.weight).iter().for_each(|part| self.add_parts(part, selected));
    }

    /// Adds the integrals over a lump: a short patch along which only ranges are known, no series. Integrals over the posterior are
    /// left out: `around` adds them with the corners.
    fn add_lump(&mut self, patch: &Patch) {
        let scores_are_bounded = patch.x.iter().all(Series::is_known);
        let mut integrals = self.lump_integrals(patch, scores_are_bounded);
        if scores_are_bounded {
            let over_score: Vec<bool> = self.parts.list.iter().map(|(_, grade)| *grade == DX).collect();
            over_score
                .iter()
                .zip(&mut integrals)
                .filter(|(is_over_score, _)| **is_over_score)
                .for_each(|(_, value)| *value = Interval::ZERO);
            self.add_score_range(patch, &over_score);
        }
        // Where scores may have either sign, their mean does not bound the mean of a product with them.
        let has_both_signs = !scores_are_bounded && patch.start.x[0].lo() < 0.0 && patch.end.x[0].hi() > 0.0;
        let over_posterior = |k: usize| self.parts.list[k].1 == DC;
        for (k, value) in integrals.into_iter().enumerate().filter(|(k, _)| !over_posterior(*k)) {
            let is_typed = self.group.origins[self.parts.list[k].0] == Origin::Typed;
            let value = match value.is_bounded() {
                true if has_both_signs && is_typed && self.reads_score[k] => Interval::ALL,
                true => value,
                false => self.crude_bound(k, patch),
            };
            self.sums[k] = self.sums[k] + value;
        }
    }

    /// The integrals over a lump: the range of each integrand times the mass, or times the increment of the score.
    fn lump_integrals(&self, patch: &Patch, scores_are_bounded: bool) -> Vec<Interval> {
        // Rates are per unit of the patch's parameter, which runs over an interval of length 2: hence the factor 2.
        let at_middle = |s: &Series| s.at(Interval::ZERO);
        let two = Interval::from(2.0);
        let masses = patch.rate.map(|rate| at_middle(&rate) * two);
        // In an infinite tail the score is replaced by its mean.
        let scores = |mean: Interval| {
            if scores_are_bounded { patch.x.map(|s| s.rough_range()) } else { [mean, Interval::ONE - mean] }
        };
        let dx = if scores_are_bounded { at_middle(&patch.dx) * two } else { Interval::ZERO };
        let pair = |k: usize| [patch.below[k], patch.above[k]].map(|s| s.rough_range().meet(Interval::UNIT));
        let halves = [Interval::new(0.0, 0.5), Interval::new(0.5, 1.0)];
        let known = patch.share.map(|s| at_middle(&s).meet(Interval::UNIT));
        // A wide range of directions is cut in two, so that the two shares stay correlated.
        let shares =
            if known[1].width() <= 0.5 { vec![known] } else { vec![[halves[1], halves[0]], [halves[0], halves[1]]] };
        let values = |x: [Interval; 2], [q0, q1]: [Interval; 2], mass: Interval| {
            let inputs = inputs(x, pair(0), pair(1), [dx, q0, q1], [q0, q1, Interval::ZERO]);
            let values = self.environment.at(&self.parts.program, &inputs).into_iter().take(self.sums.len());
            let integral = |(k, value): (usize, Option<Interval>)| match value {
                Some(value) if self.by_mass[k] => value * mass,
                Some(value) => value,
                None => Interval::ALL,
            };
            values.enumerate().map(integral).collect::<Vec<_>>()
        };
        let [mean0, mean1] = patch.mean_scores;
        let over_shares =
            shares.into_iter().map(|share| values(scores(mean0.hull(mean1)), share, masses[0] + masses[1]));
        let hull = |a: Vec<Interval>, b: Vec<Interval>| a.into_iter().zip(b).map(|(a, b)| a.hull(b)).collect();
        let mut integrals: Vec<Interval> = over_shares.reduce(hull).unwrap_or_default();
        // A part that reads one class alone is bounded by the mass of that class.
        for (class, share) in [[Interval::ONE, Interval::ZERO], [Interval::ZERO, Interval::ONE]].into_iter().enumerate()
        {
            let of_class = values(scores(patch.mean_scores[class]), share, masses[class]);
            for (k, value) in of_class.into_iter().enumerate().filter(|(k, _)| self.reads_class(*k) == Some(class)) {
                integrals[k] = value;
            }
        }
        integrals
    }

    /// Adds the integrals over the score on a lump: the score moves linearly, and `F0`, `F1` and the direction stay in their ranges.
    fn add_score_range(&mut self, patch: &Patch, over_score: &[bool]) {
        let score_range = Patch {
            below: patch.below,
            above: patch.above,
            share: patch.share,
            ..Patch::straight(patch.start, patch.end, [Interval::ZERO; 2])
        };
        // A smooth lump holds a point of tangency, where a chord takes over: it may cover any part of the scores.
        let dx =
            if patch.smooth { Series::from(score_range.dx.rough_range().hull(Interval::ZERO)) } else { score_range.dx };
        self.add_straight(&Patch { dx, ..score_range }, over_score);
    }
}
