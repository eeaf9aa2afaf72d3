//! The optimal loss along an enclosed hull: `∫ Q(c) w(c) dc` over its stretches and its corners.

use super::super::group::OPTIMAL;
use super::along::{View, along};
use super::around::{Around, turns};
use crate::arith::Interval;
use crate::calculus::patch::{Motion, Patch};
use crate::model::certified::EnclosedCurve;
use crate::transform::certified_hull::EnclosedHull;

/// How much more than the slack of a hull a functional of it may be off: a point further out by the slack, in `F0` and in `F1`,
/// changes no loss by more than twice that, and the area by no more than twice that. A refinement loss is the optimal loss of a curve
/// under uniform costs if that is convex, and changes as little with the directions if it is not.
pub(super) const SLACK: f64 = 2.0;

/// The optimal loss of a curve whose hull is enclosed.
pub(super) fn optimal_of_hull(hull: &EnclosedHull, view: &View) -> Interval {
    let loss = optimal(&hull.curve, view);
    let slack = SLACK * hull.slack;
    let mean = view.weight.mean();
    // Predicting one class always costs no less.
    let two = Interval::from(2.0);
    let most = (two * mean * view.proportions[0]).hi().min((two * (Interval::ONE - mean) * view.proportions[1]).hi());
    (loss + Interval::around(0.0, slack)).meet(Interval::new(0.0, most))
}

/// The optimal loss along a curve that is its own hull.
pub(super) fn optimal(hull: &EnclosedCurve, view: &View) -> Interval {
    let around = Around::loss(view);
    // Along a hull the posterior only grows: where little is known of its way, any point on it may count.
    let corners = turns(hull, view.proportions).into_iter().map(|turn| {
        let [from, to] = turn.posterior;
        around.corner(&turn.spot, from, to)
    });
    let sum = corners.fold(Interval::ZERO, |sum, corner| sum + corner);
    let turning = |patch: &&Patch| patch.motion == Motion::Arc && !patch.turn.is_zero();
    let arcs = EnclosedCurve { patches: hull.massive().filter(turning).cloned().collect(), ..hull.clone() };
    along(&arcs, &OPTIMAL, view).into_iter().next().map_or(Interval::ALL, |of_arcs| sum + of_arcs)
}
