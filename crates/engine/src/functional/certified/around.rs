//! Integrals over the posterior at the corners of an enclosed curve.
//!
//! At a corner only the posterior `c` moves, so an integrand `g(point, c) dc` is integrated over `c` at a fixed point. A run of
//! patches without a known direction is treated as a corner whose point is known up to the extent of the run.

use super::super::group::{GradedParts, Group, Origin};
use super::super::program::Program;
use super::along::{DC, EnclosedEnvironment, MOST_LOSS, PATIENCE, along, inputs};
use super::slope::Dual;
use crate::calculus::patch::{EnclosedPoint, PatchMotion};
use crate::model::certified::EnclosedCurve;
use rocproof_arith::{Interval, Series};
use rocproof_language::meaning::Piece;

/// Largest number of bisections of an interval of posteriors.
const MOST_HALVINGS: u32 = 1100;
/// Largest number of subintervals that an interval of posteriors is cut into.
const MOST_PARTS: usize = 10_000;

/// A posterior and one minus it.
pub(super) type Posterior = [Interval; 2];

/// The posterior before the start of every curve: 0.
pub(super) const FIRST: Posterior = [Interval::ZERO, Interval::ONE];
/// The posterior after the end of every curve: 1.
pub(super) const LAST: Posterior = [Interval::ONE, Interval::ZERO];

/// A change of the posterior at a corner, or across neighbouring patches without a known direction.
pub(super) struct Turn {
    /// The points where it starts and ends; at a corner they are the same.
    pub(super) ends: [EnclosedPoint; 2],
    /// An enclosure of all points in between.
    pub(super) hull: EnclosedPoint,
    /// The posterior before and after.
    pub(super) posterior: [Posterior; 2],
    /// If the turn ends a straight patch that another turn started: `hull` of that other turn.
    pub(super) since: Option<EnclosedPoint>,
    /// The motion of the patch that follows; `None` at the end of the curve.
    pub(super) next: Option<PatchMotion>,
}

/// Which joints of a curve [`turns`] lists besides its corners.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Joints {
    /// None.
    Corners,
    /// The far end of each straight patch that a turn starts, even if the curve goes on smoothly from there.
    StraightEnds,
}

/// The turns of a curve, from posterior 0 at its start to posterior 1 at its end.
///
/// A turn leads from the last posterior of one directed patch to the first of the next. There is one wherever these two may
/// differ, and across each run of patches without a known direction.
pub(super) fn turns(curve: &EnclosedCurve, proportions: [Interval; 2], joints: Joints) -> Vec<Turn> {
    let mut turns: Vec<Turn> = Vec::new();
    let mut last = FIRST;
    let mut since: Option<EnclosedPoint> = None;
    // The first point of a run of patches without direction, and an enclosure of the run.
    let mut run: Option<(EnclosedPoint, EnclosedPoint)> = None;
    let turn_at = |run: Option<(EnclosedPoint, EnclosedPoint)>, end: EnclosedPoint, posterior: [Posterior; 2]| {
        let (start, hull) = run.map_or((end, end), |(start, hull)| (start, hull.hull(&end)));
        Turn { ends: [start, end], hull, posterior, since: None, next: None }
    };
    for patch in curve.massive() {
        if !patch.is_directed() {
            let extent = patch.start.hull(&patch.end);
            run = Some(run.map_or((patch.start, extent), |(start, hull)| (start, hull.hull(&extent))));
            continue;
        }
        let [from, to] = [-1.0, 1.0].map(|u| patch.posterior(Interval::from(u), proportions));
        let ends_straight = joints == Joints::StraightEnds && since.is_some();
        let goes_on = patch.smooth && !ends_straight && last[0].meets(from[0]);
        if run.is_some() || !goes_on {
            let turn = turn_at(run.take(), patch.start, [last, from]);
            let starts_straight = (patch.motion == PatchMotion::Straight).then_some(turn.hull);
            turns.push(Turn { since, next: Some(patch.motion), ..turn });
            since = starts_straight;
        } else {
            since = None;
        }
        last = to;
    }
    if let Some(end) = curve.patches.last().map(|p| p.end) {
        turns.push(Turn { since, ..turn_at(run, end, [last, LAST]) });
    }
    turns
}

/// The integrals of a group along a curve, corners included.
pub(super) fn with_corners(curve: &EnclosedCurve, group: &Group, environment: &EnclosedEnvironment) -> Vec<Interval> {
    let mut integrals = along(curve, group, environment);
    let turns = turns(curve, environment.proportions, Joints::Corners);
    for (expression, around) in PosteriorIntegrand::of_group(group, environment) {
        let sum = turns.iter().fold(Interval::ZERO, |sum, turn| sum + around.over_turn(turn));
        integrals[expression] = integrals[expression] + sum;
    }
    group.on(Piece::Corner).parts().whole.iter().for_each(|k| integrals[*k] = Interval::ALL);
    // Without a direction, a change of the posterior along an arc and one at a corner cannot be told apart.
    if curve.massive().any(|patch| !patch.is_directed()) {
        let depends_on_corners = |k: &usize| group.turns[*k] && group.is_masked(*k);
        (0..integrals.len()).filter(depends_on_corners).for_each(|k| integrals[k] = Interval::ALL);
    }
    integrals
}

/// The midpoint of a posterior, or of its complement if that is smaller; `true` for the complement.
fn nearest_float(p: Posterior) -> (f64, bool) {
    if p[0].mid() <= 0.5 { (p[0].mid(), false) } else { (p[1].mid(), true) }
}

/// The enclosure of the posteriors between `p` and its float from [`nearest_float`]; `None` if `p` is that float.
pub(super) fn rounding_gap(p: Posterior) -> Option<Posterior> {
    let (mid, is_complement) = nearest_float(p);
    let spread = p[usize::from(is_complement)].hull(Interval::from(mid));
    let other = Interval::ONE - spread;
    (!spread.is_point()).then_some(if is_complement { [other, spread] } else { [spread, other] })
}

/// A subinterval of posteriors, or of their complements, that is still to be integrated.
struct PendingPosteriors {
    lo: f64,
    hi: f64,
    /// The width of the integral over the subinterval that was halved; infinite if that was not resolved.
    parent_width: f64,
    /// The number of halvings that led to this subinterval.
    halvings: u32,
    /// The number of the latest halvings in a row that did not narrow the integral.
    halvings_in_vain: u32,
}

/// An integrand over the posterior: one output of a group's program on corners.
pub(super) struct PosteriorIntegrand<'a> {
    program: &'a Program,
    /// The index of the output.
    k: usize,
    /// Whether it belongs to an expected loss, which the density of operating conditions weights.
    is_loss: bool,
    environment: &'a EnclosedEnvironment<'a>,
}

impl<'a> PosteriorIntegrand<'a> {
    /// All integrands over the posterior of a group, each with the index of the expression that it belongs to.
    pub(super) fn of_group(
        group: &'a Group,
        environment: &'a EnclosedEnvironment<'a>,
    ) -> impl Iterator<Item = (usize, PosteriorIntegrand<'a>)> {
        let GradedParts { program, list, .. } = group.on(Piece::Corner).parts();
        let over_posterior = list.iter().enumerate().filter(|(_, (_, grade))| *grade == DC);
        over_posterior.map(move |(k, (expression, _))| {
            let is_loss = group.origins[*expression] == Origin::Loss;
            (*expression, PosteriorIntegrand { program, k, is_loss, environment })
        })
    }

    /// The integral over a turn: at its start, widened by the change of the integrand between its ends.
    fn over_turn(&self, Turn { ends: [start, end], posterior: [from, to], hull, .. }: &Turn) -> Interval {
        // Integration by parts: a change of the integrand with the point counts at most twice, whatever path the posterior takes.
        let [d0, d1] = start.towards(end).map(Interval::magnitude);
        let distance = [(end.x[0] - start.x[0]).magnitude(), d0, d1];
        let change = if distance == [0.0; 3] { 0.0 } else { self.change_bound(hull, distance) };
        // The last factor covers the rounding of the product.
        self.at_corner(start, *from, *to) + Interval::around(0.0, 2.0 * change * (1.0 + 1e-12))
    }

    /// A bound on the change of the integrand, at any posterior, while score, `F0` and `F1` move by at most `distance` inside a region: by
    /// the mean value theorem, `Σ |slope|·distance`.
    fn change_bound(&self, region: &EnclosedPoint, distance: [f64; 3]) -> f64 {
        // c and 1-c anywhere in [0, 1], and dc = 1.
        let posterior = [Interval::UNIT, Interval::UNIT, Interval::ONE].map(Dual::from);
        let numbers = self.environment.numbers();
        let inputs = Dual::inputs(region);
        let weight = |c: &Dual, complement: &Dual| Some(c.weight(complement, self.environment.weight));
        let value = self.program.values(&inputs, &numbers, Some(&posterior), weight).into_iter().nth(self.k).flatten();
        value.map_or(f64::INFINITY, |value| {
            let product = |(slope, distance): (Interval, f64)| slope.abs() * Interval::from(distance);
            value.slope.into_iter().zip(distance).map(product).fold(Interval::ZERO, |sum, term| sum + term).hi()
        })
    }

    /// The integral at a point, from one enclosed posterior to another.
    fn at_corner(&self, point: &EnclosedPoint, from: Posterior, to: Posterior) -> Interval {
        let error_at = |p: Posterior| rounding_gap(p).map_or(0.0, |between| self.integral_bound(point, between));
        // The last factor covers the rounding of the sum.
        let error = (error_at(from) + error_at(to)) * (1.0 + 1e-12);
        self.between_floats(point, from, to) + Interval::around(0.0, error)
    }

    /// The integral at a point between the floats nearest to two posteriors.
    pub(super) fn between_floats(&self, point: &EnclosedPoint, from: Posterior, to: Posterior) -> Interval {
        // Each half of [0, 1] is integrated over the smaller of the posterior and its complement.
        let below_half = |from: f64, to: f64| self.bisect(point, from, to, false);
        let above_half = |from: f64, to: f64| self.bisect(point, from, to, true);
        let ((a, a_is_complement), (b, b_is_complement)) = (nearest_float(from), nearest_float(to));
        match (a_is_complement, b_is_complement) {
            (false, false) => below_half(a, b),
            (true, true) => above_half(a, b),
            (false, true) => below_half(a, 0.5) + above_half(0.5, b),
            (true, false) => above_half(a, 0.5) + below_half(0.5, b),
        }
    }

    /// A bound on the absolute integral over an enclosure of posteriors.
    fn integral_bound(&self, point: &EnclosedPoint, between: Posterior) -> f64 {
        let [c, complement] = between;
        (self.range(point, between).abs() * Interval::from(c.width().min(complement.width()))).hi()
    }

    /// The range of the integrand over an enclosure of posteriors.
    fn range(&self, point: &EnclosedPoint, [c, complement]: Posterior) -> Interval {
        let pair = |k: usize| [point.below[k], point.above[k]];
        let no_differentials = [Interval::ZERO; 3];
        let inputs = inputs(point.x, pair(0), pair(1), no_differentials, no_differentials);
        let weight = |c: &Interval, complement: &Interval| Some(self.environment.weight.at(*c, *complement));
        let posterior = [c, complement, Interval::ONE];
        let values = self.program.values(&inputs, &self.environment.numbers(), Some(&posterior), weight);
        values.into_iter().nth(self.k).flatten().unwrap_or(Interval::ALL)
    }

    /// The integral at a point between two floats, which are posteriors or their complements, by adaptive bisection.
    fn bisect(&self, point: &EnclosedPoint, from: f64, to: f64, is_complement: bool) -> Interval {
        if from == to {
            return Interval::ZERO;
        }
        let environment = self.environment;
        let (lo, hi) = (from.min(to), from.max(to));
        let mut sum = Interval::ZERO;
        let mut pending =
            vec![PendingPosteriors { lo, hi, parent_width: f64::INFINITY, halvings: 0, halvings_in_vain: 0 }];
        let mut parts = 0;
        while let Some(PendingPosteriors { lo, hi, parent_width, halvings, halvings_in_vain }) = pending.pop() {
            parts += 1;
            let resolved = self.by_series(point, lo, hi, is_complement);
            let part = resolved.unwrap_or_else(|| self.crude_bound(point, lo, hi, is_complement));
            let width = part.width();
            let middle = lo / 2.0 + hi / 2.0;
            let size = part.magnitude().max(1.0);
            // A slowly converging series may gain nothing from one halving and much from the next: tolerate one in vain.
            let halvings_in_vain = if 2.0 * width > PATIENCE * parent_width { halvings_in_vain + 1 } else { 0 };
            // A thousandth of the requested width each, since there may be many parts.
            let is_narrow = width <= environment.width * 1e-3;
            let is_limited_by_rounding = width <= environment.rounded() * size && halvings_in_vain > 1;
            let is_narrow_enough = is_narrow || is_limited_by_rounding;
            if is_narrow_enough || halvings == MOST_HALVINGS || parts > MOST_PARTS || middle <= lo || middle >= hi {
                sum = sum + part;
                continue;
            }
            // Only the widths of resolved parts show whether halving helps.
            let parent_width = if resolved.is_some() { width } else { f64::INFINITY };
            for (lo, hi) in [(middle, hi), (lo, middle)] {
                pending.push(PendingPosteriors { lo, hi, parent_width, halvings: halvings + 1, halvings_in_vain });
            }
        }
        // The complement falls as the posterior grows.
        if (from < to) == is_complement { -sum } else { sum }
    }

    /// The integral over one subinterval by series; `None` if the series does not bound it.
    fn by_series(&self, point: &EnclosedPoint, lo: f64, hi: f64, is_complement: bool) -> Option<Interval> {
        let (lo, hi) = (Interval::from(lo), Interval::from(hi));
        let half = (hi - lo) * Interval::from(0.5);
        let variable = Series::linear((hi + lo) * Interval::from(0.5), half);
        let other = Series::from(1.0) - variable;
        let [c, complement] = if is_complement { [other, variable] } else { [variable, other] };
        let constant = |v: [Interval; 2]| v.map(Series::from);
        let pair = |k: usize| constant([point.below[k], point.above[k]]);
        let no_differentials = [Series::from(0.0); 3];
        let inputs = inputs(constant(point.x), pair(0), pair(1), no_differentials, no_differentials);
        let posterior = [c, complement, Series::from(half)];
        let weight = |c: &Series, complement: &Series| Some(self.environment.weight.along(c, complement));
        let values = self.program.values(&inputs, &self.environment.numbers(), Some(&posterior), weight);
        let integral = values.into_iter().nth(self.k).flatten()?.integral();
        integral.is_bounded().then_some(integral)
    }

    /// A crude enclosure of the integral over one subinterval: largest integrand times length.
    fn crude_bound(&self, point: &EnclosedPoint, lo: f64, hi: f64, is_complement: bool) -> Interval {
        let range = Interval::new(lo, hi);
        let other = Interval::ONE - range;
        let [c, complement] = if is_complement { [other, range] } else { [range, other] };
        if self.is_loss {
            // The largest loss times the mass of the operating conditions.
            return Interval::new(0.0, MOST_LOSS) * Interval::from(self.environment.weight.mass(c, complement));
        }
        self.range(point, [c, complement]) * (Interval::from(hi) - Interval::from(lo))
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::group::OPTIMAL;
    use super::super::weight::EnclosedCosts;
    use super::*;
    use crate::constant::Constant;

    /// At the midpoint of the curve the loss is 1/2 under every condition, and half of the mass of conditions lies below 1/2. Their
    /// density is unbounded at both ends.
    #[test]
    fn what_cannot_be_resolved_is_bounded() {
        let half = Interval::from(0.5);
        let weight = EnclosedCosts::new(&[half; 2].map(|v| Constant::real(0.5, v))).unwrap();
        let at = EnclosedPoint { x: [half; 2], below: [half; 2], above: [half; 2] };
        for width in [1e-2, 1e-4, 1e-6, 1e-8] {
            let environment =
                EnclosedEnvironment { proportions: [half; 2], weight: &weight, range: FIRST, width, scale: 1.0 };
            let (_, around) = PosteriorIntegrand::of_group(&OPTIMAL, &environment).next().unwrap();
            for (from, to, truth) in [(FIRST, [half; 2], 0.25), ([half; 2], LAST, 0.25), (LAST, FIRST, -0.5)] {
                let found = around.between_floats(&at, from, to);
                assert!(found.contains(truth) && found.width() < width, "{width}: {found:?}");
            }
            // An enclosed posterior contributes its whole width.
            let vague = [Interval::new(0.375, 0.5), Interval::new(0.5, 0.625)];
            let found = around.at_corner(&at, vague, LAST);
            assert!(found.contains(0.25) && found.hi() > 0.29, "{found:?}");
        }
    }
}
