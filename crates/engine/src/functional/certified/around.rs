//! Integrals over the posterior at the corners of an enclosed curve.
//!
//! At a corner only the posterior `c` moves, so an integrand `g(point, c) dc` is integrated over `c` at a fixed point. A run of
//! patches without a known direction is treated as a corner whose point is known up to the extent of the run.

use super::super::group::{GradedParts, Group, Origin};
use super::super::program::{DC, Program};
use super::along::{EnclosedEnvironment, MOST_LOSS, PATIENCE, along, inputs};
use super::slope::Dual;
use crate::calculus::patch::{EnclosedPoint, PatchMotion};
use crate::model::certified::EnclosedCurve;
use rocproof_arith::{Interval, Series};
use rocproof_language::meaning::Piece;

/// Largest number of bisections of an interval of posteriors.
const MOST_HALVINGS: u32 = 1100;
/// Largest number of subintervals that an interval of posteriors is cut into.
const MOST_PARTS: usize = 10_000;

/// Factor that covers the rounding of a few floating-point operations on bounds.
const ROUNDED_UP: f64 = 1.0 + 1e-12;
/// Share of the requested width that is narrow enough for one subinterval, since there may be many.
const NARROW_SHARE: f64 = 1e-3;

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

/// A run of neighbouring patches without a known direction.
#[derive(Clone, Copy)]
struct UndirectedRun {
    /// Its first point.
    start: EnclosedPoint,
    /// An enclosure of all its points.
    extent: EnclosedPoint,
}

impl Turn {
    /// A turn that ends at a point: at the end of a run of patches without direction, or at a corner if there is none.
    fn ending_at(end: EnclosedPoint, run: Option<UndirectedRun>, posterior: [Posterior; 2]) -> Turn {
        let UndirectedRun { start, extent } = run.unwrap_or(UndirectedRun { start: end, extent: end });
        Turn { ends: [start, end], hull: extent.hull(&end), posterior, since: None, next: None }
    }
}

/// The turns of a curve, from posterior 0 at its start to posterior 1 at its end.
///
/// A turn leads from the last posterior of one directed patch to the first of the next. There is one wherever these two may
/// differ, and across each run of patches without a known direction.
pub(super) fn turns(curve: &EnclosedCurve, proportions: [Interval; 2], joints: Joints) -> Vec<Turn> {
    let mut turns: Vec<Turn> = Vec::new();
    let mut last_posterior = FIRST;
    // `hull` of the turn at the start of the last patch, if that patch is straight.
    let mut since: Option<EnclosedPoint> = None;
    let mut run: Option<UndirectedRun> = None;
    for patch in curve.massive() {
        if !patch.is_directed() {
            let extent = patch.start.hull(&patch.end);
            run = Some(match run {
                Some(run) => UndirectedRun { extent: run.extent.hull(&extent), ..run },
                None => UndirectedRun { start: patch.start, extent },
            });
            continue;
        }
        let [from, to] = [-1.0, 1.0].map(|u| patch.posterior(Interval::from(u), proportions));
        let ends_straight = joints == Joints::StraightEnds && since.is_some();
        let goes_on_smoothly = patch.smooth && !ends_straight && last_posterior[0].meets(from[0]);
        if run.is_none() && goes_on_smoothly {
            since = None;
        } else {
            let turn = Turn::ending_at(patch.start, run.take(), [last_posterior, from]);
            let starts_straight = (patch.motion == PatchMotion::Straight).then_some(turn.hull);
            turns.push(Turn { since, next: Some(patch.motion), ..turn });
            since = starts_straight;
        }
        last_posterior = to;
    }
    if let Some(last) = curve.patches.last() {
        turns.push(Turn { since, ..Turn::ending_at(last.end, run, [last_posterior, LAST]) });
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
    group.on(Piece::Corner).parts().undivided.iter().for_each(|k| integrals[*k] = Interval::ALL);
    // The value of an expression restricted to arcs or to corners is unknown here: on a patch without direction, a change of the
    // posterior along an arc and one at a corner cannot be told apart.
    if curve.massive().any(|patch| !patch.is_directed()) {
        let depends_on_corners = |k: &usize| group.turns[*k] && group.is_masked(*k);
        (0..integrals.len()).filter(depends_on_corners).for_each(|k| integrals[k] = Interval::ALL);
    }
    integrals
}

/// The variable of an integral over posteriors. Floats near 0 are denser than floats near 1, so a posterior above 1/2 is represented by its
/// complement.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Variable {
    Posterior,
    Complement,
}

impl Variable {
    /// The posterior and its complement, given the variable and one minus it.
    fn to_posterior<T>(self, variable: T, one_minus: T) -> [T; 2] {
        match self {
            Variable::Posterior => [variable, one_minus],
            Variable::Complement => [one_minus, variable],
        }
    }
}

/// The midpoint of a posterior, or of its complement if that is smaller.
fn nearest_float(p: Posterior) -> (f64, Variable) {
    if p[0].mid() <= 0.5 { (p[0].mid(), Variable::Posterior) } else { (p[1].mid(), Variable::Complement) }
}

/// The enclosure of the posteriors between `p` and its float from [`nearest_float`]; `None` if `p` is that float.
pub(super) fn rounding_gap(p: Posterior) -> Option<Posterior> {
    let (float, variable) = nearest_float(p);
    let enclosure = if variable == Variable::Posterior { p[0] } else { p[1] };
    let spread = enclosure.hull(Interval::from(float));
    (!spread.is_point()).then(|| variable.to_posterior(spread, Interval::ONE - spread))
}

/// A subinterval of the variable that is still to be integrated.
struct PendingInterval {
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
        let over_posterior = list.iter().enumerate().filter(|(_, part)| part.grade == DC);
        over_posterior.map(move |(k, part)| {
            let is_loss = group.origins[part.expression] == Origin::Loss;
            (part.expression, PosteriorIntegrand { program, k, is_loss, environment })
        })
    }

    /// The integral over a turn: at its start, widened by the change of the integrand between its ends.
    fn over_turn(&self, Turn { ends: [start, end], posterior: [from, to], hull, .. }: &Turn) -> Interval {
        // Integration by parts: a change of the integrand with the point counts at most twice, whatever path the posterior takes.
        // Any two points of the turn are at most this far apart, since the score, F0 and F1 never fall.
        let [d0, d1] = start.towards(end).map(Interval::magnitude);
        let distance = [(end.x[0] - start.x[0]).magnitude(), d0, d1];
        let change = if distance == [0.0; 3] { 0.0 } else { self.change_bound(hull, distance) };
        self.at_corner(start, *from, *to) + Interval::around(0.0, 2.0 * change * ROUNDED_UP)
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

    /// The integral at a point, from one enclosed posterior to another. The integrals between each posterior and its nearest float are
    /// bounded and count as error.
    fn at_corner(&self, point: &EnclosedPoint, from: Posterior, to: Posterior) -> Interval {
        let error_at = |p: Posterior| rounding_gap(p).map_or(0.0, |between| self.integral_bound(point, between));
        let error = (error_at(from) + error_at(to)) * ROUNDED_UP;
        self.between_floats(point, from, to) + Interval::around(0.0, error)
    }

    /// The integral at a point between the floats nearest to two posteriors.
    pub(super) fn between_floats(&self, point: &EnclosedPoint, from: Posterior, to: Posterior) -> Interval {
        let ((a, variable_a), (b, variable_b)) = (nearest_float(from), nearest_float(to));
        if variable_a == variable_b {
            return self.integrate(point, a, b, variable_a);
        }
        // The posteriors lie on both sides of 1/2, which is its own complement: change the variable there.
        self.integrate(point, a, 0.5, variable_a) + self.integrate(point, 0.5, b, variable_b)
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

    /// The integral at a point between two values of the variable, by adaptive bisection.
    fn integrate(&self, point: &EnclosedPoint, from: f64, to: f64, variable: Variable) -> Interval {
        if from == to {
            return Interval::ZERO;
        }
        let (lo, hi) = (from.min(to), from.max(to));
        let mut sum = Interval::ZERO;
        let mut pending =
            vec![PendingInterval { lo, hi, parent_width: f64::INFINITY, halvings: 0, halvings_in_vain: 0 }];
        let mut parts = 0;
        while let Some(PendingInterval { lo, hi, parent_width, halvings, halvings_in_vain }) = pending.pop() {
            parts += 1;
            let by_series = self.by_series(point, lo, hi, variable);
            let integral = by_series.unwrap_or_else(|| self.crude_bound(point, lo, hi, variable));
            let width = integral.width();
            let middle = lo / 2.0 + hi / 2.0;
            let has_no_middle = middle <= lo || middle >= hi;
            let halvings_in_vain = if 2.0 * width > PATIENCE * parent_width { halvings_in_vain + 1 } else { 0 };
            let is_last = halvings == MOST_HALVINGS || parts > MOST_PARTS || has_no_middle;
            if is_last || self.is_narrow_enough(integral, halvings_in_vain) {
                sum = sum + integral;
                continue;
            }
            // Only the widths of integrals by series show whether halving helps.
            let parent_width = if by_series.is_some() { width } else { f64::INFINITY };
            for (lo, hi) in [(middle, hi), (lo, middle)] {
                pending.push(PendingInterval { lo, hi, parent_width, halvings: halvings + 1, halvings_in_vain });
            }
        }
        // `sum` is over a growing variable. The complement falls as the posterior grows.
        let grows = from < to;
        if grows == (variable == Variable::Posterior) { sum } else { -sum }
    }

    /// Whether the integral over a subinterval is narrow, or limited by rounding.
    fn is_narrow_enough(&self, integral: Interval, halvings_in_vain: u32) -> bool {
        let is_narrow = integral.width() <= self.environment.width * NARROW_SHARE;
        let rounding = self.environment.rounded() * integral.magnitude().max(1.0);
        // A slowly converging series may gain nothing from one halving and much from the next: tolerate one in vain.
        is_narrow || integral.width() <= rounding && halvings_in_vain > 1
    }

    /// The integral over one subinterval by series; `None` if the series does not bound it.
    fn by_series(&self, point: &EnclosedPoint, lo: f64, hi: f64, variable: Variable) -> Option<Interval> {
        let (lo, hi) = (Interval::from(lo), Interval::from(hi));
        // The variable is linear in the parameter, which runs from -1 to 1; its derivative is half the length.
        let half = (hi - lo) * Interval::from(0.5);
        let series = Series::linear((hi + lo) * Interval::from(0.5), half);
        let [c, complement] = variable.to_posterior(series, Series::from(1.0) - series);
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
    fn crude_bound(&self, point: &EnclosedPoint, lo: f64, hi: f64, variable: Variable) -> Interval {
        let range = Interval::new(lo, hi);
        let [c, complement] = variable.to_posterior(range, Interval::ONE - range);
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

    /// At the midpoint of the curve the loss is 1/2 under every condition, and half of the mass of conditions lies below 1/2: the integral
    /// over either half is 1/4. The density of conditions is unbounded at 0 and 1, so there the series fail and crude bounds count.
    #[test]
    fn integrals_over_posteriors_hold_with_a_singular_weight() {
        let half = Interval::from(0.5);
        let weight = EnclosedCosts::new(&[half; 2].map(|v| Constant::real(0.5, v))).unwrap();
        let midpoint = EnclosedPoint { x: [half; 2], below: [half; 2], above: [half; 2] };
        for width in [1e-2, 1e-4, 1e-6, 1e-8] {
            let environment =
                EnclosedEnvironment { proportions: [half; 2], weight: &weight, range: FIRST, width, scale: 1.0 };
            let (_, around) = PosteriorIntegrand::of_group(&OPTIMAL, &environment).next().unwrap();
            for (from, to, truth) in [(FIRST, [half; 2], 0.25), ([half; 2], LAST, 0.25), (LAST, FIRST, -0.5)] {
                let integral = around.between_floats(&midpoint, from, to);
                assert!(integral.contains(truth) && integral.width() < width, "{width}: {integral:?}");
            }
            // A posterior known to lie in [3/8, 1/2] contributes its whole width: the integral from 3/8 to 1 is above 0.29.
            let vague = [Interval::new(0.375, 0.5), Interval::new(0.5, 0.625)];
            let integral = around.at_corner(&midpoint, vague, LAST);
            assert!(integral.contains(0.25) && integral.hi() > 0.29, "{integral:?}");
        }
    }
}
