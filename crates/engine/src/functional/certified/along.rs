//! Integrals of a group of definitions along an enclosed curve, by adaptive bisection of its patches.
//!
//! Each expression is decomposed into graded parts, which are homogeneous in one differential: `dx`, mass, or `dc`. A patch is halved into
//! subpatches until the integral of each graded part is narrow enough, or until only rounding is left.

use super::super::group::{GradedPart, GradedParts, Group, Origin};
use super::super::program::{DC, DF, DX, Program};
use super::graded::grade_towards_ends;
use super::weight::EnclosedCosts;
use crate::calculus::patch::{Patch, PatchMotion};
use crate::model::certified::EnclosedCurve;
use rocproof_arith::{Interval, Series};
use rocproof_language::meaning::Piece;

/// Largest number of halvings of a patch.
const MOST_HALVINGS: u32 = 60;
/// Halving is worthwhile if it shrinks the total width to at most this share.
pub(super) const PATIENCE: f64 = 0.6;
/// Integrals of size 1 that are narrower than this may be limited by rounding.
const ROUNDED: f64 = 1e-11;
/// Share of the requested width that is always narrow enough for one subpatch, even with thousands of them.
const NEGLIGIBLE: f64 = 1e-5;
/// Largest number of subpatches in one integration.
const MOST_SUBPATCHES: usize = 4000;
/// The largest value of `Q`: the factors of its two terms add up to 1 each.
pub(super) const MOST_LOSS: f64 = 2.0;

/// The values of the names that a program reads besides its inputs, and the accuracy asked for.
#[derive(Clone, Debug)]
pub(super) struct EnclosedEnvironment<'a> {
    /// The class proportions.
    pub(super) proportions: [Interval; 2],
    /// The density of operating conditions.
    pub(super) weight: &'a EnclosedCosts,
    /// The scale `[l, h]` of the scores.
    pub(super) range: [Interval; 2],
    /// The requested width of values.
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
/// The last two inputs, an operating condition and its complement, are read by the literal route only; here they are 0 and 1.
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
/// valid because a graded part is homogeneous in them, and avoids a division by a mass that may be 0.
fn inputs_along(patch: &Patch) -> [Series; 14] {
    let pair = |k: usize| [patch.below[k], patch.above[k]];
    let [q0, q1] = patch.share;
    inputs(patch.x, pair(0), pair(1), [patch.dx, q0, q1], [q0, q1, patch.turn])
}

/// The integrals of the expressions of a group along a curve, without its corners.
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

/// Degrees of the inputs in the score.
const DEGREES_IN_SCORE: [u32; 14] = [1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];

/// A patch or a part of one that is still to be integrated.
struct Subpatch {
    patch: Patch,
    /// The requested width of its integrals.
    wanted_width: f64,
    /// The widths of the integrals by series over the subpatch that was halved to give this one; empty for a whole patch.
    parent_widths: Vec<f64>,
    /// The largest width over the halved subpatch; integrals that are not resolved count with their crude bound.
    parent_widest: f64,
    /// The number of halvings that led to this subpatch.
    halvings: u32,
}

impl Subpatch {
    /// A whole patch.
    fn whole(patch: &Patch, wanted_width: f64) -> Subpatch {
        Subpatch { patch: patch.clone(), wanted_width, parent_widths: Vec::new(), parent_widest: 0.0, halvings: 0 }
    }

    /// Both halves, the second first, given the widths of the integrals over the whole.
    fn halves(&self, widths: &[f64], widest: f64) -> [Subpatch; 2] {
        [(0.0, 1.0), (-1.0, 0.0)].map(|(start, end)| Subpatch {
            patch: self.patch.part(start, end),
            wanted_width: self.wanted_width / 2.0,
            parent_widths: widths.to_vec(),
            parent_widest: widest,
            halvings: self.halvings + 1,
        })
    }
}

/// The running sums of the integrals of a group along the patches of one kind of piece. Vectors hold one entry for each graded part.
struct EnclosedIntegration<'a> {
    group: &'a Group,
    /// The expressions of the group, decomposed; each graded part is integrated by itself.
    parts: &'a GradedParts,
    environment: &'a EnclosedEnvironment<'a>,
    /// The sums of the integrals so far.
    sums: Vec<Interval>,
    /// Which parts are integrals over mass: their values are multiplied by the mass.
    by_mass: Vec<bool>,
    /// Which parts have a finite value: not those that read infinite bounds of the scale, or read unbounded scores otherwise than
    /// linearly.
    is_finite: Vec<bool>,
    /// Which parts read the score.
    reads_score: Vec<bool>,
    /// Integrals narrower than this may be limited by rounding.
    rounded: Vec<f64>,
    /// The requested width of an integral over one patch.
    width: f64,
    /// The number of subpatches integrated so far.
    subpatches_done: usize,
}

impl<'a> EnclosedIntegration<'a> {
    /// Starts an integration along `patches`: those of the curve that are pieces of the given kind.
    fn new(
        curve: &EnclosedCurve,
        patches: &[&Patch],
        group: &'a Group,
        piece: Piece,
        environment: &'a EnclosedEnvironment<'a>,
    ) -> EnclosedIntegration<'a> {
        let parts = group.on(piece).parts();
        let count = parts.list.len();
        let has_tail = patches.iter().any(|patch| !patch.x.iter().all(Series::is_known));
        let is_finite: Vec<bool> = (0..count).map(|k| has_finite_value(parts, k, has_tail, environment)).collect();
        let mut integration = EnclosedIntegration {
            group,
            parts,
            environment,
            sums: is_finite.iter().map(|finite| if *finite { Interval::ZERO } else { Interval::ALL }).collect(),
            by_mass: parts.list.iter().map(|part| part.grade == DF).collect(),
            is_finite,
            reads_score: (0..count).map(|k| parts.program.reads(k, &["x", "1-x"])).collect(),
            rounded: vec![environment.rounded(); count],
            width: environment.width / curve.patches.len().max(1) as f64,
            subpatches_done: 0,
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
                let without_dc = self.select(|part| part.grade != DC);
                self.add_straight(patch, &without_dc);
            }
            PatchMotion::Arc => self.add_adaptively(patch, &self.select(|_| true)),
        }
    }

    /// For each graded part, whether it satisfies a condition.
    fn select(&self, condition: impl Fn(&GradedPart) -> bool) -> Vec<bool> {
        self.parts.list.iter().map(condition).collect()
    }

    /// Whether graded part `k` belongs to an expression that a user typed.
    fn is_typed(&self, k: usize) -> bool {
        self.group.origins[self.parts.list[k].expression] == Origin::Typed
    }

    /// Raises the rounding level of expressions that a user typed in proportion to the size of their integrals over these patches.
    fn measure_typed(&mut self, patches: &[&Patch]) {
        for patch in patches.iter().filter(|patch| patch.motion != PatchMotion::Lump) {
            for (k, integral) in self.integrals(patch).into_iter().enumerate() {
                if integral.is_bounded() && self.is_typed(k) {
                    self.rounded[k] += self.environment.rounded() * integral.magnitude();
                }
            }
        }
    }

    /// The integrals of the expressions: the sums over their graded parts.
    fn into_integrals(self) -> Vec<Interval> {
        let mut integrals = vec![Interval::ZERO; self.group.len()];
        for (GradedPart { expression, .. }, sum) in self.parts.list.iter().zip(self.sums) {
            integrals[*expression] = integrals[*expression] + sum;
        }
        self.parts.undivided.iter().for_each(|k| integrals[*k] = Interval::ALL);
        integrals
    }

    /// The class whose mass a graded part is proportional to, if it reads no other differential and no direction.
    fn reads_class(&self, k: usize) -> Option<usize> {
        let reads = |name: &str| self.parts.program.reads(k, &[name]);
        if self.parts.program.reads(k, &["q0", "q1", "dq1", "dx"]) {
            return None;
        }
        match [reads("dF0"), reads("dF1")] {
            [true, false] => Some(0),
            [false, true] => Some(1),
            _ => None,
        }
    }

    /// The integrals of all graded parts over a patch, by series.
    fn integrals(&self, patch: &Patch) -> Vec<Interval> {
        let mass = patch.rate[0] + patch.rate[1];
        let values = self.environment.along(&self.parts.program, &inputs_along(patch));
        let integral = |(k, value): (usize, Option<Series>)| match value {
            _ if self.by_mass[k] && mass.is_zero() => Interval::ZERO,
            Some(value) if self.by_mass[k] => (value * mass).integral(),
            Some(value) => value.integral(),
            None => Interval::ALL,
        };
        values.into_iter().take(self.sums.len()).enumerate().map(integral).collect()
    }

    /// A crude bound on the integral of a graded part of an expected loss over a patch: the range of the loss times the mass of the
    /// operating conditions. Other parts have no such bound.
    fn crude_bound(&self, k: usize, patch: &Patch) -> Interval {
        let Some(condition) = &self.group.conditions[self.parts.list[k].expression] else { return Interval::ALL };
        let pair = |k: usize| [patch.below[k], patch.above[k]].map(|s| s.range());
        let [q0, q1] = patch.share.map(|s| s.range());
        let inputs =
            inputs(patch.x.map(|s| s.range()), pair(0), pair(1), [Interval::ZERO; 3], [q0, q1, Interval::ZERO]);
        match self.environment.at(condition, &inputs).as_slice() {
            [Some(c), Some(complement)] => {
                let mass = self.environment.weight.mass(*c, *complement);
                // Where the posterior may fall, the integral may be negative.
                let may_fall = self.parts.list[k].grade == DC && patch.bend.rough_range().lo() < 0.0;
                self.loss_range(k, &inputs) * Interval::new(if may_fall { -mass } else { 0.0 }, mass)
            }
            _ => Interval::ALL,
        }
    }

    /// The range of the loss on a patch if the graded part is an integral of losses over the score; `[0, MOST_LOSS]` otherwise.
    fn loss_range(&self, k: usize, inputs: &[Interval; 14]) -> Interval {
        let any = Interval::new(0.0, MOST_LOSS);
        let reads = |names: &[&str]| self.parts.program.reads(k, names);
        if !reads(&["dx"]) || reads(&["dF0", "dF1", "dq1"]) {
            return any;
        }
        // With dx = 1 and w = 1 only the loss remains.
        let mut inputs = *inputs;
        inputs[DX_INPUT] = Interval::ONE;
        let unweighted = |_: &Interval, _: &Interval| Some(Interval::ONE);
        let value = self.parts.program.values(&inputs, &self.environment.numbers(), None, unweighted)[k];
        value.map_or(any, |loss| loss.meet(any))
    }

    /// Adds the integrals over a patch of each graded part `k` with `selected[k]`, by adaptive bisection.
    fn add_adaptively(&mut self, patch: &Patch, selected: &[bool]) {
        // No patch may use up the budget of the others.
        let most_subpatches = MOST_SUBPATCHES.min(self.subpatches_done + MOST_SUBPATCHES / 4);
        let mut pending = vec![Subpatch::whole(patch, self.width)];
        // Refine the widest subpatch first: when the budget runs out, only narrow ones are left unrefined.
        let widest_of = |pending: &[Subpatch]| {
            (0..pending.len()).max_by(|a, b| pending[*a].parent_widest.total_cmp(&pending[*b].parent_widest))
        };
        while let Some(widest) = widest_of(&pending) {
            let subpatch = pending.swap_remove(widest);
            let by_series = self.integrals(&subpatch.patch);
            let resolved_or_crude = |(k, integral): (usize, &Interval)| {
                if integral.is_bounded() { *integral } else { self.crude_bound(k, &subpatch.patch) }
            };
            let integrals: Vec<Interval> = by_series.iter().enumerate().map(resolved_or_crude).collect();
            self.subpatches_done += 1;
            let must_accept = subpatch.halvings == MOST_HALVINGS || self.subpatches_done > most_subpatches;
            let counted: Vec<usize> = (0..integrals.len()).filter(|k| self.is_finite[*k] && selected[*k]).collect();
            let is_accepted = |k: &usize| self.is_narrow_enough(*k, integrals[*k].width(), &subpatch);
            if must_accept || counted.iter().all(is_accepted) {
                for k in (0..integrals.len()).filter(|k| selected[*k]) {
                    self.sums[k] = self.sums[k] + integrals[k];
                }
                continue;
            }
            let widths: Vec<f64> = by_series.iter().map(|integral| integral.width()).collect();
            let widest = counted.iter().map(|k| integrals[*k].width()).fold(0.0, f64::max);
            pending.extend(subpatch.halves(&widths, widest));
        }
    }

    /// Whether an integral over a subpatch is as narrow as requested, or at the rounding level where halving no longer gains. Whether
    /// halving gains is seen from the integrals by series alone: crude bounds always shrink.
    fn is_narrow_enough(&self, k: usize, width: f64, subpatch: &Subpatch) -> bool {
        let is_narrow = width <= subpatch.wanted_width.max(NEGLIGIBLE * self.environment.width);
        let gains_little = |parent_width: &f64| 2.0 * width > PATIENCE * parent_width;
        let is_at_rounding_level = width <= self.rounded[k] && subpatch.parent_widths.get(k).is_some_and(gains_little);
        is_narrow || is_at_rounding_level
    }

    /// Adds the integrals over a straight patch of each graded part `k` with `selected[k]`, graded towards ends with a singular weight.
    fn add_straight(&mut self, patch: &Patch, selected: &[bool]) {
        grade_towards_ends(patch, self.environment.weight).iter().for_each(|part| self.add_adaptively(part, selected));
    }

    /// Adds the integrals over a lump: a short patch along which only ranges are known, no series. Integrals over the posterior are
    /// left out: `around` adds them with the corners.
    fn add_lump(&mut self, patch: &Patch) {
        let lump = LumpRanges::of(patch);
        let has_tail = lump.scores.is_none();
        if !has_tail {
            let over_score = self.select(|part| part.grade == DX);
            self.add_score_range(patch, &over_score);
        }
        // Where scores may have either sign, their mean does not bound the mean of a product with them.
        let has_both_signs = has_tail && patch.start.x[0].lo() < 0.0 && patch.end.x[0].hi() > 0.0;
        for (k, integral) in self.lump_integrals(patch, &lump).into_iter().enumerate() {
            let grade = self.parts.list[k].grade;
            let is_added_elsewhere = grade == DC || grade == DX && !has_tail;
            if is_added_elsewhere {
                continue;
            }
            let integral = match integral.is_bounded() {
                true if has_both_signs && self.is_typed(k) && self.reads_score[k] => Interval::ALL,
                true => integral,
                false => self.crude_bound(k, patch),
            };
            self.sums[k] = self.sums[k] + integral;
        }
    }

    /// The integrals of all graded parts over a lump: the range of each integrand times the mass, or times the increment of the score.
    fn lump_integrals(&self, patch: &Patch, lump: &LumpRanges) -> Vec<Interval> {
        let mean_score = patch.mean_scores[0].hull(patch.mean_scores[1]);
        let total_mass = lump.masses[0] + lump.masses[1];
        let over_shares =
            lump.shares.iter().map(|share| self.integrals_from_ranges(lump, mean_score, *share, total_mass));
        let hull = |a: Vec<Interval>, b: Vec<Interval>| a.into_iter().zip(b).map(|(a, b)| a.hull(b)).collect();
        let mut integrals: Vec<Interval> = over_shares.reduce(hull).unwrap_or_default();
        // A part that reads one class alone is bounded by the mass of that class.
        let pure_shares = [[Interval::ONE, Interval::ZERO], [Interval::ZERO, Interval::ONE]];
        for (class, share) in pure_shares.into_iter().enumerate() {
            let of_class = self.integrals_from_ranges(lump, patch.mean_scores[class], share, lump.masses[class]);
            for (k, value) in of_class.into_iter().enumerate().filter(|(k, _)| self.reads_class(*k) == Some(class)) {
                integrals[k] = value;
            }
        }
        integrals
    }

    /// The integrals over a lump for one range of directions and a mass. In an infinite tail the score is replaced by its mean.
    fn integrals_from_ranges(
        &self,
        lump: &LumpRanges,
        mean_score: Interval,
        [q0, q1]: [Interval; 2],
        mass: Interval,
    ) -> Vec<Interval> {
        let x = lump.scores.unwrap_or([mean_score, Interval::ONE - mean_score]);
        let inputs = inputs(x, lump.f[0], lump.f[1], [lump.dx, q0, q1], [q0, q1, Interval::ZERO]);
        let integral = |(k, value): (usize, Option<Interval>)| match value {
            Some(value) if self.by_mass[k] => value * mass,
            Some(value) => value,
            None => Interval::ALL,
        };
        let values = self.environment.at(&self.parts.program, &inputs).into_iter().take(self.sums.len());
        values.enumerate().map(integral).collect()
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

/// Whether the integral of a graded part is finite. It may be infinite if the part reads the bounds `l` or `h` of an unbounded scale, and,
/// on patches with an infinite tail, if it is an integral over the score or reads the score otherwise than linearly.
fn has_finite_value(parts: &GradedParts, k: usize, has_tail: bool, environment: &EnclosedEnvironment) -> bool {
    let reads = |names: &[&str]| parts.program.reads(k, names);
    let scale_is_bounded = environment.range.iter().all(|end| end.is_bounded());
    let is_linear = || parts.program.degree(k, &DEGREES_IN_SCORE, 0, None).is_some_and(|degree| degree <= 1);
    let is_finite_on_tail = || parts.list[k].grade != DX && (!reads(&["x", "1-x"]) || is_linear());
    (scale_is_bounded || !reads(&["l", "h"])) && (!has_tail || is_finite_on_tail())
}

/// The ranges of the quantities that an integrand reads on a lump.
struct LumpRanges {
    /// The score and one minus it; `None` in an infinite tail.
    scores: Option<[Interval; 2]>,
    /// `[F0, 1 - F0]` and `[F1, 1 - F1]`.
    f: [[Interval; 2]; 2],
    /// The increment of the score; 0 in an infinite tail.
    dx: Interval,
    /// The mass of each class.
    masses: [Interval; 2],
    /// Ranges of directions that cover all directions of the lump. A wide range is cut in two, so that the two shares stay correlated.
    shares: Vec<[Interval; 2]>,
}

impl LumpRanges {
    /// The ranges on a lump.
    fn of(patch: &Patch) -> LumpRanges {
        let at_middle = |s: &Series| s.at(Interval::ZERO);
        // Rates are per unit of the patch's parameter, which runs over an interval of length 2: hence the factor 2.
        let increment = |rate: &Series| at_middle(rate) * Interval::from(2.0);
        let scores = patch.x.iter().all(Series::is_known).then(|| patch.x.map(|s| s.rough_range()));
        let share = patch.share.map(|s| at_middle(&s).meet(Interval::UNIT));
        let [lower, upper] = [Interval::new(0.0, 0.5), Interval::new(0.5, 1.0)];
        LumpRanges {
            scores,
            f: [0, 1].map(|k| [patch.below[k], patch.above[k]].map(|s| s.rough_range().meet(Interval::UNIT))),
            dx: if scores.is_some() { increment(&patch.dx) } else { Interval::ZERO },
            masses: patch.rate.each_ref().map(increment),
            shares: if share[1].width() <= 0.5 { vec![share] } else { vec![[upper, lower], [lower, upper]] },
        }
    }
}
