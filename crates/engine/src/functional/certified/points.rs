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

/// Encloses the points of the curve at a threshold; mass at the threshold itself is below it.
pub(super) fn at_score(curve: &EnclosedCurve, threshold: &Constant) -> EnclosedPoint {
    let t = threshold.enclosure;
    let mut lower = start_point();
    for patch in &curve.patches {
        let selected = match (&patch.tie, &threshold.exact) {
            (Some(Constant { exact: Some(place), .. }), Some(t)) => Some(place <= t),
            _ => None,
        };
        match selected {
            Some(true) => {
                lower = patch.end;
                continue;
            }
            Some(false) => return lower.hull(&patch.start),
            None => {}
        }
        if patch.end.x[0].hi() <= t.lo() {
            lower = patch.end;
            continue;
        }
        if patch.start.x[0].lo() > t.hi() {
            return lower.hull(&patch.start);
        }
        let upper_end = patch.end.x[0].lo() > t.hi();
        match patch.motion {
            // Only the score moves.
            PatchMotion::Gap => {
                lower = if patch.start.x[0].hi() <= t.lo() { patch.start } else { lower };
                if upper_end {
                    return lower.hull(&patch.end);
                }
            }
            PatchMotion::Straight if patch.start.x[0].hi() <= t.lo() && upper_end => {
                let share = (t - patch.start.x[0]) / (patch.end.x[0] - patch.start.x[0]);
                let u = (share * Interval::from(2.0) - Interval::ONE).meet(Interval::new(-1.0, 1.0));
                return patch.at(u);
            }
            // The score may reach the threshold at either end of the patch.
            PatchMotion::Arc | PatchMotion::Straight if patch.x[0].is_known() => {
                let [below, above] = bracket(t, |u| patch.x[0].at(u));
                if patch.start.x[0].hi() <= t.lo() || below > -1.0 {
                    lower = if below == -1.0 { patch.start } else { patch.at(Interval::from(below)) };
                }
                if upper_end {
                    let upper = if above == 1.0 { patch.end } else { patch.at(Interval::from(above)) };
                    return lower.hull(&upper);
                }
            }
            _ if upper_end => return lower.hull(&patch.end),
            _ => {}
        }
    }
    lower.hull(&end_point())
}

/// Encloses the points of the curve at a predicted positive rate.
pub(super) fn at_rate(curve: &EnclosedCurve, rate: Interval, proportions: [Interval; 2]) -> EnclosedPoint {
    let mut lower = start_point();
    for patch in curve.massive() {
        if patch.end.rate(proportions).hi() <= rate.lo() {
            lower = patch.end;
            continue;
        }
        let upper_end = patch.end.rate(proportions).lo() > rate.hi();
        if patch.motion == PatchMotion::Lump {
            if upper_end {
                return lower.hull(&patch.end);
            }
            continue;
        }
        let along = patch.below[0].scaled(proportions[0]) + patch.below[1].scaled(proportions[1]);
        let [below, above] = bracket(rate, |u| along.at(u));
        if below > -1.0 || patch.start.rate(proportions).hi() <= rate.lo() {
            lower = if below == -1.0 { patch.start } else { patch.at(Interval::from(below)) };
        }
        if upper_end {
            let upper = if above == 1.0 { patch.end } else { patch.at(Interval::from(above)) };
            return lower.hull(&upper);
        }
    }
    lower.hull(&end_point())
}

/// The value of a program's first output at a point.
pub(super) fn value_at(spot: &EnclosedPoint, program: &Program, view: &EnclosedEnvironment) -> Option<Interval> {
    let zero = [Interval::ZERO; 3];
    let pair = |k: usize| [spot.below[k], spot.above[k]];
    view.at(program, &inputs(spot.x, pair(0), pair(1), zero, zero)).into_iter().next().flatten()
}

/// Encloses the largest absolute value of a program's first output along a curve, by branch and bound.
pub(super) fn largest(curve: &EnclosedCurve, program: &Program, view: &EnclosedEnvironment) -> Option<Interval> {
    // Lower bound: values at joints and midpoints. Upper bound: ranges of the parts that remain.
    let size = |spot: &EnclosedPoint| value_at(spot, program, view).map(Interval::abs);
    let mut least: f64 = 0.0;
    for patch in curve.massive() {
        least = least.max(size(&patch.end)?.lo());
    }
    let zero = Series::from(0.0);
    let along = |patch: &Patch| -> Option<Series> {
        let pair = |k: usize| [patch.below[k], patch.above[k]];
        let inputs = inputs([zero; 2], pair(0), pair(1), [zero; 3], [zero; 3]);
        view.along(program, &inputs).into_iter().next().flatten()
    };
    let mut most = least;
    for patch in curve.massive() {
        let series = along(patch)?;
        let mut pending = vec![(-1.0, 1.0, 0)];
        while let Some((from, to, halvings)) = pending.pop() {
            let part = series.part(from, to);
            let range = part.rough_range().abs();
            if range.hi() <= most {
                continue;
            }
            least = least.max(part.at(Interval::ZERO).abs().lo());
            // The truncation error of a series stays when the patch is halved.
            let enough = least + (view.width / 4.0).max(8.0 * part.error());
            if range.hi() <= enough || halvings == MOST_HALVINGS {
                most = most.max(range.hi());
                continue;
            }
            let middle = from / 2.0 + to / 2.0;
            pending.extend([(from, middle, halvings + 1), (middle, to, halvings + 1)]);
        }
    }
    Some(Interval::new(least, most.max(least)))
}
