//! Single points of an enclosed curve: where the score or the predicted positive rate is given; and the largest value.

use super::super::program::Program;
use super::along::{EnclosedEnvironment, inputs};
use crate::calculus::patch::{EnclosedPoint, Patch, PatchMotion};
use crate::constant::Constant;
use crate::model::certified::EnclosedCurve;
use rocproof_arith::{Interval, Series};

/// How often a stretch is halved to find a point on it.
const MOST_HALVINGS: u32 = 60;

/// The first point.
fn first() -> EnclosedPoint {
    EnclosedPoint { x: [Interval::ALL; 2], below: [Interval::ZERO; 2], above: [Interval::ONE; 2] }
}

/// The last point.
fn last() -> EnclosedPoint {
    EnclosedPoint { x: [Interval::ALL; 2], below: [Interval::ONE; 2], above: [Interval::ZERO; 2] }
}

/// The place up to which something that never falls along a stretch is known to be below a target, and the one from which on
/// it is known to be above.
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

/// All points where the score may be the threshold: what is selected by it.
pub(super) fn at_score(curve: &EnclosedCurve, threshold: &Constant) -> EnclosedPoint {
    let t = threshold.enclosure;
    let mut lower = first();
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
            // Nothing moves but the score.
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
            // The score may start or end where the threshold is.
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
    lower.hull(&last())
}

/// All points where the predicted positive rate may be the one given.
pub(super) fn at_rate(curve: &EnclosedCurve, rate: Interval, proportions: [Interval; 2]) -> EnclosedPoint {
    let mut lower = first();
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
    lower.hull(&last())
}

/// The value of an expression of the definitions at a point.
pub(super) fn value_at(spot: &EnclosedPoint, program: &Program, view: &EnclosedEnvironment) -> Option<Interval> {
    let zero = [Interval::ZERO; 3];
    let pair = |k: usize| [spot.below[k], spot.above[k]];
    view.at(program, &inputs(spot.x, pair(0), pair(1), zero, zero)).into_iter().next().flatten()
}

/// The largest absolute value of an expression along a curve.
pub(super) fn largest(curve: &EnclosedCurve, program: &Program, view: &EnclosedEnvironment) -> Option<Interval> {
    // At least what is reached at joints; at most what a stretch that is not ruled out may reach.
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
            // Halving does not make the error of the series smaller.
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
