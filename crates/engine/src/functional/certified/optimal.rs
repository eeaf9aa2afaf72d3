//! The optimal loss along an enclosed hull: `∫ Q(c) w(c) dc` over its arcs and corners.

use super::super::group::{OPTIMAL, compile_definitions};
use super::super::program::Program;
use super::along::{EnclosedEnvironment, MOST_LOSS, along, inputs};
use super::around::{Joints, Posterior, PosteriorIntegrand, Turn, rounding_gap, turns};
use crate::calculus::patch::{EnclosedPoint, Patch, PatchMotion, posterior};
use crate::model::certified::EnclosedCurve;
use crate::transform::certified_hull::{EnclosedHull, Slack};
use rocproof_arith::Interval;
use std::sync::LazyLock;

/// Bound on the error of a loss or an area of a hull, relative to the slack of the hull. Moving a point outwards by the slack, in `F0` and
/// in `F1`, changes a loss by at most twice the slack, and the area as well.
pub(super) const ERROR_PER_SLACK: f64 = 2.0;

/// The optimal loss of a curve, from its enclosed hull: the loss along the hull, widened by its slack.
pub(super) fn optimal_of_hull(hull: &EnclosedHull, environment: &EnclosedEnvironment) -> Interval {
    let loss = optimal(&hull.curve, environment);
    let slack = hull.loss_slack.iter().fold(Interval::ZERO, |sum, slack| sum + loss_error(slack, environment)).hi();
    // The loss of the better constant prediction is an upper bound: 2·E(c)·π0 or 2·E(1-c)·π1.
    let [pi0, pi1] = environment.proportions;
    let (two, mean) = (Interval::from(2.0), environment.weight.mean());
    let most = (two * mean * pi0).hi().min((two * (Interval::ONE - mean) * pi1).hi());
    (loss + Interval::around(0.0, slack)).meet(Interval::new(0.0, most))
}

/// A bound on the error of the loss due to one slack: distance times cost times the mass of the conditions that it affects. These are the
/// conditions whose posterior belongs to the directions of the slack.
fn loss_error(slack: &Slack, environment: &EnclosedEnvironment) -> Interval {
    let [pi0, pi1] = environment.proportions;
    let q1 = slack.directions.meet(Interval::UNIT);
    let [c, complement] = posterior([Interval::ONE - q1, q1], environment.proportions);
    // The largest cost of a unit of mass of either class.
    let costs = [pi0 * c, pi1 * complement].map(|cost| Interval::from(cost.hi()));
    let cost_in_both = (Interval::from(slack.by) * (costs[0] + costs[1])).hi();
    // A distance in one class alone is a second bound; the smaller one holds.
    let cost = match slack.alone {
        Some((class, distance)) => cost_in_both.min((Interval::from(distance) * costs[class]).hi()),
        None => cost_in_both,
    };
    Interval::from(ERROR_PER_SLACK) * Interval::from(cost) * Interval::from(environment.weight.mass(c, complement))
}

/// The optimal loss along a curve that is its own hull: `∫ Q(c) w(c) dc` along its arcs and around its turns.
pub(super) fn optimal(hull: &EnclosedCurve, environment: &EnclosedEnvironment) -> Interval {
    let Some((_, around)) = PosteriorIntegrand::of_group(&OPTIMAL, environment).next() else { return Interval::ALL };
    let mut sum = Interval::ZERO;
    for turn in turns(hull, environment.proportions, Joints::StraightEnds) {
        let Turn { hull: point, posterior: [from, to], since, next, .. } = &turn;
        sum =
            sum + around.between_floats(point, *from, *to) + rounding_error(*from, since.as_ref(), point, environment);
        // Before a straight patch, the turn at its far end charges the rounding error for both ends.
        if next.is_some_and(|motion| motion != PatchMotion::Straight) {
            sum = sum + rounding_error(*to, None, point, environment);
        }
    }
    let is_curved = |patch: &&Patch| patch.motion == PatchMotion::Arc && !patch.turn.is_zero();
    let patches = hull.massive().filter(is_curved).cloned().collect();
    let arcs = EnclosedCurve { patches, ..hull.clone() };
    // The group has one expression, so one integral.
    along(&arcs, &OPTIMAL, environment).into_iter().next().map_or(Interval::ALL, |along_arcs| sum + along_arcs)
}

/// A bound on the integral between a posterior and the float that [`PosteriorIntegrand::between_floats`] takes for it, at a point.
///
/// The posterior of a straight patch ends the turn before the patch (at `since`) and starts the turn after it (at `point`). The two errors have
/// opposite signs, so only the difference of the losses at the two points counts.
fn rounding_error(
    posterior: Posterior,
    since: Option<&EnclosedPoint>,
    point: &EnclosedPoint,
    environment: &EnclosedEnvironment,
) -> Interval {
    let Some([c, complement]) = rounding_gap(posterior) else { return Interval::ZERO };
    let losses = extreme_losses(point, environment);
    let losses = match since.map(|start| extreme_losses(start, environment)) {
        Some(at_start) => [0, 1].map(|k| losses[k] - at_start[k]),
        None => losses,
    };
    // The loss, or the difference of two losses, is affine in the condition.
    let [at_zero, at_one] = losses.map(Interval::abs);
    let largest = (at_zero * complement + at_one * c).hi().min(MOST_LOSS);
    let bound = Interval::from(largest) * Interval::from(environment.weight.mass(c, complement));
    Interval::around(0.0, bound.hi())
}

/// The compiled definition of `Q(c)`.
static LOSS: LazyLock<Program> = LazyLock::new(|| compile_definitions(&["Q(c)"]));

/// The losses `Q(0)` and `Q(1)` at a point, under the conditions 0 and 1; in between the loss is affine.
fn extreme_losses(point: &EnclosedPoint, environment: &EnclosedEnvironment) -> [Interval; 2] {
    let (zero, one) = (Interval::ZERO, Interval::ONE);
    let pair = |k: usize| [point.below[k], point.above[k]];
    // `Q(c)` reads the posterior as condition, and the posterior is 0 or 1 if only one class has mass.
    [[one, zero], [zero, one]].map(|[q0, q1]| {
        let inputs = inputs([zero; 2], pair(0), pair(1), [zero; 3], [q0, q1, zero]);
        let loss = environment.at(&LOSS, &inputs).into_iter().next().flatten();
        loss.filter(|loss| loss.is_bounded()).unwrap_or(Interval::new(0.0, MOST_LOSS))
    })
}

#[cfg(test)]
mod tests {
    use super::super::around::FIRST;
    use super::super::weight::EnclosedCosts;
    use super::*;
    use crate::constant::Constant;

    /// The diagonal has the optimal loss 1/4. Its enclosure stays valid if the direction of a patch is enclosed widely, and widens with it:
    /// less on a straight patch, whose errors at both ends partly cancel, than on an arc.
    #[test]
    fn a_vague_direction_widens_the_loss() {
        let point = |f: Interval| EnclosedPoint { x: [f; 2], below: [f; 2], above: [Interval::ONE - f; 2] };
        let weight = EnclosedCosts::new(&[1, 1].map(|k| Constant::rational(k.into()))).unwrap();
        let half = Interval::from(0.5);
        let environment =
            EnclosedEnvironment { proportions: [half; 2], weight: &weight, range: FIRST, width: 1e-13, scale: 1.0 };
        let (start, end) = (point(Interval::ZERO), point(Interval::ONE));
        let loss_along =
            |patches: Vec<Patch>| optimal(&EnclosedCurve { patches, ..EnclosedCurve::diagonal() }, &environment);
        let vague = Patch::straight(start, end, [Interval::new(1.0, 1.5), Interval::ONE]);
        let loss = loss_along(vec![vague.clone()]);
        assert!(loss.contains(0.25) && loss.width() < 0.25, "{loss:?}");
        // On an arc the directions at start and end may differ, so both count in full: a tenth of 1/2 and a tenth of 3/5.
        let loss = loss_along(vec![Patch { motion: PatchMotion::Arc, ..vague }]);
        assert!(loss.contains(0.25) && loss.width() > 0.2, "{loss:?}");
        // A patch of little mass adds little.
        let near_start = point(Interval::from(1e-9));
        let light = Patch::straight(start, near_start, [Interval::new(1e-9, 1.5e-9), Interval::from(1e-9)]);
        let remaining_mass = Interval::ONE - Interval::from(1e-9);
        let loss = loss_along(vec![light, Patch::straight(near_start, end, [remaining_mass; 2])]);
        assert!(loss.contains(0.25) && loss.width() < 1e-9 && loss.width() > 1e-12, "{loss:?}");
    }

    /// The loss along a chain that turns back, or has a patch without direction, differs from the loss of its hull. The slack covers the
    /// difference for the conditions at hand, also if one class is rare.
    #[test]
    fn the_slack_of_a_chain_covers_its_distance_from_the_hull() {
        /// A chain of steps `[dF0, dF1]`, those of its hull, and the chain's steps without a known direction.
        struct Case {
            /// The parameters of the beta distribution of conditions.
            cost: [u32; 2],
            chain: Vec<[f64; 2]>,
            hull: Vec<[f64; 2]>,
            lumps: Vec<usize>,
            /// Whether the loss along the chain is proved to differ from that of the hull.
            differs: bool,
        }
        let turning_back = vec![[0.375, 0.625], [0.625, 0.375]];
        let cases = [
            Case { cost: [1, 1], chain: turning_back.clone(), hull: vec![[1.0; 2]], lumps: vec![], differs: true },
            Case { cost: [2, 2], chain: turning_back, hull: vec![[1.0; 2]], lumps: vec![], differs: true },
            // A small step back in the middle.
            Case {
                cost: [2, 2],
                chain: vec![[0.5, 0.25], [0.0, 0.125], [0.125, 0.0], [0.375, 0.625]],
                hull: vec![[0.5, 0.25], [0.125, 0.125], [0.375, 0.625]],
                lumps: vec![],
                differs: true,
            },
            // The step without direction may go along F0 first, to F0 = 1/2 + 1/16, or along F1 first.
            Case {
                cost: [1, 1],
                chain: vec![[0.5, 0.25], [0.0625, 0.0625], [0.4375, 0.6875]],
                hull: vec![[0.5, 0.25], [0.0625, 0.0], [0.0, 0.0625], [0.4375, 0.6875]],
                lumps: vec![1],
                differs: false,
            },
        ];
        let rare = Interval::from(0.0009765625);
        for Case { cost, chain, hull, lumps, differs } in cases {
            let weight = EnclosedCosts::new(&cost.map(|k| Constant::rational(k.into()))).unwrap();
            for pi0 in [Interval::from(0.5), rare, Interval::ONE - rare] {
                let proportions = [pi0, Interval::ONE - pi0];
                let environment =
                    EnclosedEnvironment { proportions, weight: &weight, range: FIRST, width: 1e-13, scale: 1.0 };
                let with_slack = EnclosedHull::of_polygon(&chain, &lumps);
                let truth = optimal(&EnclosedHull::of_polygon(&hull, &[]).curve, &environment);
                let of_chain = optimal(&with_slack.curve, &environment);
                let loss = optimal_of_hull(&with_slack, &environment);
                assert!(
                    loss.meets(truth) && (!differs || !of_chain.meets(truth)),
                    "{chain:?} {pi0:?}: {of_chain:?} {truth:?}"
                );
                // The loss of a rare class is bounded by its proportion.
                assert!(loss.width() < 2.0 * pi0.hi().min(proportions[1].hi()), "{chain:?} {pi0:?}: {loss:?}");
            }
        }
    }

    /// Slack counts only for the conditions of its directions, and only for the class that is off if there is just one.
    #[test]
    fn slack_is_charged_for_its_directions_and_its_class() {
        let weight = EnclosedCosts::new(&[1, 1].map(|k| Constant::rational(k.into()))).unwrap();
        let half = Interval::from(0.5);
        let environment =
            EnclosedEnvironment { proportions: [half; 2], weight: &weight, range: FIRST, width: 1e-13, scale: 1.0 };
        // If class 1 is rare, most conditions belong to directions close to that of class 1 alone.
        let rare = Interval::from(0.0009765625);
        let error_if_rare = |directions: Interval| {
            let environment = EnclosedEnvironment { proportions: [Interval::ONE - rare, rare], ..environment.clone() };
            loss_error(&Slack { by: 0.125, alone: None, directions }, &environment).hi()
        };
        let (in_middle, at_end) = (error_if_rare(Interval::new(0.5, 0.75)), error_if_rare(Interval::new(0.999, 1.0)));
        assert!(in_middle < 1e-5 && at_end > 0.09, "{in_middle} {at_end}");
        // For balanced classes the directions are the conditions from 1/2 to 3/4: 2 · 1/8 · (3/8 + 1/4) · 1/4 = 0.0390625, where 3/8 and
        // 1/4 are the largest costs of a unit of mass of class 0 and of class 1.
        let slack = Slack { by: 0.125, alone: None, directions: Interval::new(0.5, 0.75) };
        let error = loss_error(&slack, &environment).hi();
        assert!((0.03125..0.04).contains(&error), "{error}");
        // With a distance of 1/16 in one class alone: 2 · 1/16 · 3/8 · 1/4 = 0.01171875, or 2 · 1/16 · 1/4 · 1/4 = 0.0078125.
        let error_alone =
            |class: usize| loss_error(&Slack { alone: Some((class, 0.0625)), ..slack }, &environment).hi();
        let errors = [error_alone(0), error_alone(1)];
        assert!((0.0117..0.0118).contains(&errors[0]) && (0.0078..0.0079).contains(&errors[1]), "{errors:?}");
    }
}
