//! The paper's classification of thresholds: intervals where `c(T)` is strictly increasing (bijective), constant, or jumps (singular).

use super::conv;
use crate::calculus::panel::{Corner, Motion, Panel, posterior};
use crate::model::Curve;

/// Posteriors closer than this count as equal.
const SAME: f64 = 1e-9;
/// Slopes of the log-odds of the posterior below this are rounding.
const LOG_ODDS_NOISE: f64 = 1e-12;

/// The three kinds of interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IntervalKind {
    /// `c` grows: a curved part of the ROC curve.
    Bijective,
    /// `c` is constant: a straight part.
    Constant,
    /// `c` jumps: a corner, or an interval of scores without mass.
    Singular,
}

impl IntervalKind {
    /// The paper's word.
    pub fn name(self) -> &'static str {
        match self {
            IntervalKind::Bijective => "bijective",
            IntervalKind::Constant => "constant",
            IntervalKind::Singular => "singular",
        }
    }
}

/// An interval of thresholds `tau` with its interval of posteriors `sigma`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScoreInterval {
    /// How `c` behaves.
    pub kind: IntervalKind,
    /// The thresholds; ends may be infinite.
    pub tau: (f64, f64),
    /// The posteriors.
    pub sigma: (f64, f64),
}

/// The intervals of `Conv(m)`, which are those of `m` if it is convex.
pub fn intervals(curve: &Curve, pi0: f64, pi1: f64) -> Vec<ScoreInterval> {
    intervals_of_hull(&conv(curve), pi0, pi1)
}

/// The intervals of a curve that is its own hull.
pub fn intervals_of_hull(hull: &Curve, pi0: f64, pi1: f64) -> Vec<ScoreInterval> {
    let posterior = |direction: [f64; 2]| posterior(direction, (pi0, pi1))[1];
    let mut intervals: Vec<ScoreInterval> = Vec::new();
    // Each corner comes with the index of the panel after it.
    let mut corners = hull.corners((pi0, pi1)).into_iter().peekable();
    let singular = |corner: &Corner| ScoreInterval {
        kind: IntervalKind::Singular,
        tau: (corner.at.x, corner.at.x),
        sigma: (corner.from[1], corner.to[1]),
    };
    for (index, panel) in hull.panels.iter().enumerate() {
        if let Some((_, corner)) = corners.next_if(|(next_panel, _)| *next_panel == index) {
            append(&mut intervals, singular(&corner));
        }
        let sigma = if panel.has_mass() {
            (posterior(panel.start_share), posterior(panel.end_share))
        } else {
            // Without mass the posterior stays.
            let c = intervals.last().map_or(0.0, |i| i.sigma.1);
            (c, c)
        };
        append(&mut intervals, ScoreInterval { kind: kind(panel), tau: (panel.start.x, panel.end.x), sigma });
    }
    corners.for_each(|(_, corner)| append(&mut intervals, singular(&corner)));
    extend_to_limits(&mut intervals, hull, posterior);
    drop_rounding(&mut intervals);
    // Intervals on both sides of a dropped corner may be of one kind.
    let mut merged: Vec<ScoreInterval> = Vec::new();
    intervals.into_iter().for_each(|interval| append(&mut merged, interval));
    merge_across_gaps(merged)
}

/// Removes corners whose jump is rounding. At an end of the curve the only neighbour takes over the jump. Constant intervals get a single
/// posterior.
fn drop_rounding(intervals: &mut Vec<ScoreInterval>) {
    let is_rounding =
        |i: &ScoreInterval| i.kind == IntervalKind::Singular && i.sigma.1 - i.sigma.0 <= SAME && i.tau.0 >= i.tau.1;
    for k in 0..intervals.len() {
        if !is_rounding(&intervals[k]) {
            continue;
        }
        let (from, to) = intervals[k].sigma;
        if k == 0 && intervals.len() > 1 {
            intervals[1].sigma.0 = from;
        } else if k > 0 && k + 1 == intervals.len() {
            intervals[k - 1].sigma.1 = to;
        }
    }
    intervals.retain(|i| !is_rounding(i));
    for interval in intervals.iter_mut().filter(|i| i.kind == IntervalKind::Constant) {
        interval.sigma.1 = interval.sigma.0;
    }
}

/// The kind of interval that a panel belongs to.
fn kind(panel: &Panel) -> IntervalKind {
    match panel.motion {
        Motion::Straight => IntervalKind::Constant,
        Motion::Gap | Motion::Corner => IntervalKind::Singular,
        Motion::Arc => {
            // The slope of the log-odds is turn/(q0 q1).
            let grows = (0..panel.turn.len())
                .any(|i| panel.turn[i].abs() > LOG_ODDS_NOISE * panel.share[0][i] * panel.share[1][i]);
            if grows { IntervalKind::Bijective } else { IntervalKind::Constant }
        }
    }
}

/// Appends an interval, merged with the last one if they are of one kind. Constant intervals are merged only if their posteriors agree.
fn append(intervals: &mut Vec<ScoreInterval>, next: ScoreInterval) {
    if let Some(last) = intervals.last_mut() {
        let joins = last.kind == next.kind
            && (next.kind != IntervalKind::Constant || (last.sigma.1 - next.sigma.0).abs() < SAME);
        if joins {
            (last.tau.1, last.sigma.1) = (next.tau.1, next.sigma.1);
            return;
        }
    }
    intervals.push(next);
}

/// Extends the intervals at infinite ends of the support. The curve was cut where its mass ends in floating point; `c` goes on to its limit,
/// and only the rest of the jump to 0 or 1 is singular. A limit on the wrong side belongs to a tail without mass and is ignored.
fn extend_to_limits(intervals: &mut [ScoreInterval], hull: &Curve, posterior: impl Fn([f64; 2]) -> f64) {
    let last_index = intervals.len().saturating_sub(1);
    // At each end: a singular interval with a bijective one inside it.
    if let (Some(limit), [first, second, ..]) = (hull.limits[0], &mut *intervals)
        && first.kind == IntervalKind::Singular
        && second.kind == IntervalKind::Bijective
        && posterior(limit) <= second.sigma.0
    {
        first.sigma.1 = posterior(limit);
        second.sigma.0 = first.sigma.1;
        first.tau = (f64::NEG_INFINITY, f64::NEG_INFINITY);
    }
    if let (Some(limit), [.., before, last]) = (hull.limits[1], &mut *intervals)
        && last.kind == IntervalKind::Singular
        && before.kind == IntervalKind::Bijective
        && posterior(limit) >= before.sigma.1
    {
        last.sigma.0 = posterior(limit);
        before.sigma.1 = last.sigma.0;
        last.tau = (f64::INFINITY, f64::INFINITY);
    }
    // The outermost interval with mass reaches the infinite end, and the jump beyond it lies there.
    let has_mass = |i: &&mut ScoreInterval| i.kind != IntervalKind::Singular;
    if hull.support.0.is_infinite() {
        intervals.iter_mut().find(has_mass).into_iter().for_each(|i| i.tau.0 = hull.support.0);
        if last_index > 0 && intervals[0].kind == IntervalKind::Singular {
            intervals[0].tau = (hull.support.0, hull.support.0);
        }
    }
    if hull.support.1.is_infinite() {
        intervals.iter_mut().rev().find(has_mass).into_iter().for_each(|i| i.tau.1 = hull.support.1);
        if last_index > 0 && intervals[last_index].kind == IntervalKind::Singular {
            intervals[last_index].tau = (hull.support.1, hull.support.1);
        }
    }
}

/// Merges two constant intervals of one posterior with the gap between them: the ROC curve is straight across it.
fn merge_across_gaps(intervals: Vec<ScoreInterval>) -> Vec<ScoreInterval> {
    let mut merged: Vec<ScoreInterval> = Vec::new();
    for next in intervals {
        if let [.., before, gap] = merged.as_slice()
            && next.kind == IntervalKind::Constant
            && before.kind == IntervalKind::Constant
            && gap.kind == IntervalKind::Singular
            && (before.sigma.1 - next.sigma.0).abs() < SAME
        {
            let tau = (before.tau.0, next.tau.1);
            merged.truncate(merged.len() - 2);
            merged.push(ScoreInterval { tau, ..next });
            continue;
        }
        merged.push(next);
    }
    merged
}
