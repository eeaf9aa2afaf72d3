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

/// Bisects for a function that never falls along a patch: the last parameter found where it is proved at most `target`, and the
/// first found where it is proved above.
fn bracket(target: Interval, at: impl Fn(Interval) -> Interval) -> [f64; 2] {
    let search = |is_before: &dyn Fn(Interval) -> bool, mut lo: f64, mut hi: f64| {
        for _ in 0..MOST_HALVINGS {
            let middle = lo / 2.0 + hi / 2.0;
            if middle <= lo || middle >= hi {
                break;
            }
            if is_before(at(Interval::from(middle))) { lo = middle } else { hi = middle }
        }
        [lo, hi]
    };
    let [below, _] = search(&|v| v.hi() <= target.lo(), -1.0, 1.0);
    let [_, above] = search(&|v| v.lo() <= target.hi(), below, 1.0);
    [below, above]
}

/// Bounds found on one patch for the point that is sought: a point of the patch before it, and one after it.
type PointBounds = [Option<EnclosedPoint>; 2];

/// Encloses a point between the last lower bound and the first upper bound along patches.
fn enclose_point<'a>(
    patches: impl Iterator<Item = &'a Patch>,
    bounds: impl Fn(&Patch) -> PointBounds,
) -> EnclosedPoint {
    let mut lower = start_point();
    for patch in patches {
        let [patch_lower, patch_upper] = bounds(patch);
        lower = patch_lower.unwrap_or(lower);
        if let Some(upper) = patch_upper {
            return lower.hull(&upper);
        }
    }
    lower.hull(&end_point())
}

/// Bounds for the point where a function that never falls along a patch reaches a target. The flags say whether the target is proved to lie
/// after the start and before the end.
fn bisect_point(
    patch: &Patch,
    target: Interval,
    [after_start, before_end]: [bool; 2],
    at: impl Fn(Interval) -> Interval,
) -> PointBounds {
    let [below, above] = bracket(target, at);
    let lower = if below == -1.0 { after_start.then_some(patch.start) } else { Some(patch.at(Interval::from(below))) };
    let upper = || if above == 1.0 { patch.end } else { patch.at(Interval::from(above)) };
    [lower, before_end.then(upper)]
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
        return if tie <= t { [Some(patch.end), None] } else { [None, Some(patch.start)] };
    }
    if patch.end.x[0].hi() <= t.lo() {
        return [Some(patch.end), None];
    }
    if patch.start.x[0].lo() > t.hi() {
        return [None, Some(patch.start)];
    }
    let after_start = patch.start.x[0].hi() <= t.lo();
    let before_end = patch.end.x[0].lo() > t.hi();
    match patch.motion {
        // Only the score moves.
        PatchMotion::Gap => [after_start.then_some(patch.start), before_end.then_some(patch.end)],
        PatchMotion::Straight if after_start && before_end => {
            let share = (t - patch.start.x[0]) / (patch.end.x[0] - patch.start.x[0]);
            let u = (share * Interval::from(2.0) - Interval::ONE).meet(Interval::new(-1.0, 1.0));
            [Some(patch.at(u)); 2]
        }
        PatchMotion::Arc | PatchMotion::Straight if patch.x[0].is_known() => {
            bisect_point(patch, t, [after_start, before_end], |u| patch.x[0].at(u))
        }
        _ => [None, before_end.then_some(patch.end)],
    }
}

/// Encloses the point of the curve at a predicted positive rate.
pub(super) fn at_rate(curve: &EnclosedCurve, rate: Interval, proportions: [Interval; 2]) -> EnclosedPoint {
    enclose_point(curve.massive(), |patch| {
        if patch.end.rate(proportions).hi() <= rate.lo() {
            return [Some(patch.end), None];
        }
        let before_end = patch.end.rate(proportions).lo() > rate.hi();
        if patch.motion == PatchMotion::Lump {
            return [None, before_end.then_some(patch.end)];
        }
        let after_start = patch.start.rate(proportions).hi() <= rate.lo();
        let along = patch.below[0].scaled(proportions[0]) + patch.below[1].scaled(proportions[1]);
        bisect_point(patch, rate, [after_start, before_end], |u| along.at(u))
    })
}

/// The value of a program's first output at a point.
pub(super) fn value_at(
    point: &EnclosedPoint,
    program: &Program,
    environment: &EnclosedEnvironment,
) -> Option<Interval> {
    let zero = [Interval::ZERO; 3];
    let pair = |k: usize| [point.below[k], point.above[k]];
    environment.at(program, &inputs(point.x, pair(0), pair(1), zero, zero)).into_iter().next().flatten()
}

/// Encloses the largest absolute value of a program's first output along a curve, by branch and bound.
pub(super) fn largest(curve: &EnclosedCurve, program: &Program, environment: &EnclosedEnvironment) -> Option<Interval> {
    // Lower bound: values at joints and midpoints. Upper bound: ranges of the parts that remain.
    let size = |point: &EnclosedPoint| value_at(point, program, environment).map(Interval::abs);
    let mut least: f64 = 0.0;
    for patch in curve.massive() {
        least = least.max(size(&patch.end)?.lo());
    }
    let zero = Series::from(0.0);
    let series_along = |patch: &Patch| -> Option<Series> {
        let pair = |k: usize| [patch.below[k], patch.above[k]];
        let inputs = inputs([zero; 2], pair(0), pair(1), [zero; 3], [zero; 3]);
        environment.along(program, &inputs).into_iter().next().flatten()
    };
    let mut most = least;
    for patch in curve.massive() {
        let series = series_along(patch)?;
        let mut pending = vec![(-1.0, 1.0, 0)];
        while let Some((start, end, halvings)) = pending.pop() {
            let part = series.part(start, end);
            let range = part.rough_range().abs();
            if range.hi() <= most {
                continue;
            }
            least = least.max(part.at(Interval::ZERO).abs().lo());
            // The truncation error of a series stays when the patch is halved.
            let high_enough = least + (environment.width / 4.0).max(8.0 * part.error());
            if range.hi() <= high_enough || halvings == MOST_HALVINGS {
                most = most.max(range.hi());
                continue;
            }
            let middle = start / 2.0 + end / 2.0;
            pending.extend([(start, middle, halvings + 1), (middle, end, halvings + 1)]);
        }
    }
    Some(Interval::new(least, most.max(least)))
}
