//! Points of an enclosed curve: at a given score, at a given predicted positive rate, and where an expression is largest.

use super::super::program::Program;
use super::along::{EnclosedEnvironment, inputs};
use crate::calculus::patch::{EnclosedPoint, Patch, PatchMotion};
use crate::constant::Constant;
use crate::model::certified::EnclosedCurve;
use rocproof_arith::{Interval, Series};

/// Largest number of bisections of a patch.
const MOST_HALVINGS: u32 = 60;

/// The start of every curve: no mass below, any score.
fn start_point() -> EnclosedPoint {
    EnclosedPoint { x: [Interval::ALL; 2], below: [Interval::ZERO; 2], above: [Interval::ONE; 2] }
}

/// The end of every curve: all mass below, any score.
fn end_point() -> EnclosedPoint {
    EnclosedPoint { x: [Interval::ALL; 2], below: [Interval::ONE; 2], above: [Interval::ZERO; 2] }
}

/// Brackets the parameter of a patch, from -1 to 1, where a function that never falls reaches a target. The function is at most `target` at
/// the first parameter and above it at the second, by proof; unless they are the ends -1 and 1, where nothing is proved.
fn bracket(target: Interval, function: impl Fn(Interval) -> Interval) -> [f64; 2] {
    // Bisection between a parameter that is before some point, and one that is not.
    let bisect = |is_before: &dyn Fn(Interval) -> bool, mut lo: f64, mut hi: f64| {
        for _ in 0..MOST_HALVINGS {
            let middle = lo / 2.0 + hi / 2.0;
            if middle <= lo || middle >= hi {
                break;
            }
            if is_before(function(Interval::from(middle))) { lo = middle } else { hi = middle }
        }
        [lo, hi]
    };
    let [last_below, _] = bisect(&|value| value.hi() <= target.lo(), -1.0, 1.0);
    let [_, first_above] = bisect(&|value| value.lo() <= target.hi(), last_below, 1.0);
    [last_below, first_above]
}

/// Bounds found on one patch for the point that is sought, along the order of the curve.
struct PointBounds {
    /// A point of the patch that is not after the sought point.
    lower: Option<EnclosedPoint>,
    /// A point of the patch that is not before the sought point.
    upper: Option<EnclosedPoint>,
}

impl PointBounds {
    /// The sought point is not before the end of a patch.
    fn after(patch: &Patch) -> PointBounds {
        PointBounds { lower: Some(patch.end), upper: None }
    }

    /// The sought point is not after the start of a patch.
    fn before(patch: &Patch) -> PointBounds {
        PointBounds { lower: None, upper: Some(patch.start) }
    }
}

/// Encloses a point between the last lower bound and the first upper bound along patches.
fn enclose_point<'a>(
    patches: impl Iterator<Item = &'a Patch>,
    bounds_on: impl Fn(&Patch) -> PointBounds,
) -> EnclosedPoint {
    let mut last_lower = start_point();
    for patch in patches {
        let PointBounds { lower, upper } = bounds_on(patch);
        last_lower = lower.unwrap_or(last_lower);
        if let Some(upper) = upper {
            return last_lower.hull(&upper);
        }
    }
    last_lower.hull(&end_point())
}

/// Bounds for the point where a function that never falls along a patch reaches a target. The flags say whether the target is proved to lie
/// after the start and before the end.
fn bisect_point(
    patch: &Patch,
    target: Interval,
    [after_start, before_end]: [bool; 2],
    function: impl Fn(Interval) -> Interval,
) -> PointBounds {
    let [below, above] = bracket(target, function);
    // Nothing is proved at the ends of the bracket if they are those of the patch: there the flags decide.
    let lower = if below == -1.0 { after_start.then_some(patch.start) } else { Some(patch.at(Interval::from(below))) };
    let upper = || if above == 1.0 { patch.end } else { patch.at(Interval::from(above)) };
    PointBounds { lower, upper: before_end.then(upper) }
}

/// Encloses the point of the curve at a threshold; mass at the threshold itself is below it.
pub(super) fn at_score(curve: &EnclosedCurve, threshold: &Constant) -> EnclosedPoint {
    enclose_point(curve.patches.iter(), |patch| score_bounds(patch, threshold))
}

/// Bounds on a patch for the point at a threshold.
fn score_bounds(patch: &Patch, threshold: &Constant) -> PointBounds {
    let t = threshold.enclosure;
    // The score of a tie and the threshold are compared exactly if both are rational.
    if let (Some(Constant { exact: Some(tie), .. }), Some(t)) = (&patch.tie, &threshold.exact) {
        return if tie <= t { PointBounds::after(patch) } else { PointBounds::before(patch) };
    }
    if patch.end.x[0].hi() <= t.lo() {
        return PointBounds::after(patch);
    }
    if patch.start.x[0].lo() > t.hi() {
        return PointBounds::before(patch);
    }
    let after_start = patch.start.x[0].hi() <= t.lo();
    let before_end = patch.end.x[0].lo() > t.hi();
    match patch.motion {
        // Only the score moves: `F0` and `F1` are those of either end.
        PatchMotion::Gap => {
            PointBounds { lower: after_start.then_some(patch.start), upper: before_end.then_some(patch.end) }
        }
        // The score is linear in the parameter: solve for it.
        PatchMotion::Straight if after_start && before_end => {
            let share = (t - patch.start.x[0]) / (patch.end.x[0] - patch.start.x[0]);
            let u = (share * Interval::from(2.0) - Interval::ONE).meet(Interval::new(-1.0, 1.0));
            PointBounds { lower: Some(patch.at(u)), upper: Some(patch.at(u)) }
        }
        PatchMotion::Arc | PatchMotion::Straight if patch.x[0].is_known() => {
            bisect_point(patch, t, [after_start, before_end], |u| patch.x[0].at(u))
        }
        // A lump, or a tail with unbounded scores.
        _ => PointBounds { lower: None, upper: before_end.then_some(patch.end) },
    }
}

/// Encloses the point of the curve at a predicted positive rate.
pub(super) fn at_rate(curve: &EnclosedCurve, rate: Interval, proportions: [Interval; 2]) -> EnclosedPoint {
    enclose_point(curve.massive(), |patch| rate_bounds(patch, rate, proportions))
}

/// Bounds on a patch for the point at a predicted positive rate.
fn rate_bounds(patch: &Patch, rate: Interval, proportions: [Interval; 2]) -> PointBounds {
    if patch.end.rate(proportions).hi() <= rate.lo() {
        return PointBounds::after(patch);
    }
    let before_end = patch.end.rate(proportions).lo() > rate.hi();
    if patch.motion == PatchMotion::Lump {
        return PointBounds { lower: None, upper: before_end.then_some(patch.end) };
    }
    let after_start = patch.start.rate(proportions).hi() <= rate.lo();
    let rate_along = patch.below[0].scaled(proportions[0]) + patch.below[1].scaled(proportions[1]);
    bisect_point(patch, rate, [after_start, before_end], |u| rate_along.at(u))
}

/// The value of a program's first output at a point; `None` if it has none. Differentials are 0.
pub(super) fn value_at(
    point: &EnclosedPoint,
    program: &Program,
    environment: &EnclosedEnvironment,
) -> Option<Interval> {
    let zero = [Interval::ZERO; 3];
    let pair = |k: usize| [point.below[k], point.above[k]];
    environment.at(program, &inputs(point.x, pair(0), pair(1), zero, zero)).into_iter().next().flatten()
}

/// Encloses the largest absolute value of a program's first output along a curve, by branch and bound: `least` is a value that is
/// attained, and subpatches whose range does not exceed `most` are dropped. `None` if the output has no value somewhere.
pub(super) fn largest(curve: &EnclosedCurve, program: &Program, environment: &EnclosedEnvironment) -> Option<Interval> {
    let mut least: f64 = 0.0;
    for patch in curve.massive() {
        let at_end = value_at(&patch.end, program, environment)?.abs();
        least = least.max(at_end.lo());
    }
    let mut most = least;
    for patch in curve.massive() {
        let series = series_along(patch, program, environment)?;
        let mut pending = vec![(-1.0, 1.0, 0)];
        while let Some((start, end, halvings)) = pending.pop() {
            let part = series.part(start, end);
            let range = part.rough_range().abs();
            if range.hi() <= most {
                continue;
            }
            least = least.max(part.at(Interval::ZERO).abs().lo());
            // The truncation error of a series stays when the patch is halved, so the tolerance is a multiple of it at least.
            let tolerance = (environment.width / 4.0).max(8.0 * part.error());
            if range.hi() <= least + tolerance || halvings == MOST_HALVINGS {
                most = most.max(range.hi());
                continue;
            }
            let middle = start / 2.0 + end / 2.0;
            pending.extend([(start, middle, halvings + 1), (middle, end, halvings + 1)]);
        }
    }
    Some(Interval::new(least, most.max(least)))
}

/// A program's first output along a patch, as a series. Score and differentials are 0: only functions of `F0` and `F1` are maximised.
fn series_along(patch: &Patch, program: &Program, environment: &EnclosedEnvironment) -> Option<Series> {
    let zero = Series::from(0.0);
    let pair = |k: usize| [patch.below[k], patch.above[k]];
    let inputs = inputs([zero; 2], pair(0), pair(1), [zero; 3], [zero; 3]);
    environment.along(program, &inputs).into_iter().next().flatten()
}
