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

/// Factor between the slack of a hull and the error of a functional of it. Moving a point outwards by the slack, in `F0` and
/// in `F1`, changes a loss by at most twice the slack, and the area as well.
pub(super) const SLACK: f64 = 2.0;

/// The optimal loss of a curve, from its enclosed hull: the loss along the hull, widened by its slack.
pub(super) fn optimal_of_hull(hull: &EnclosedHull, environment: &EnclosedEnvironment) -> Interval {
    let loss = optimal(&hull.curve, environment);
    let slack = hull.loss_slack.iter().fold(Interval::ZERO, |sum, slack| sum + loss_error(slack, environment)).hi();
    let mean = environment.weight.mean();
    // The best constant prediction is an upper bound.
    let two = Interval::from(2.0);
    let most = (two * mean * environment.proportions[0])
        .hi()
        .min((two * (Interval::ONE - mean) * environment.proportions[1]).hi());
    (loss + Interval::around(0.0, slack)).meet(Interval::new(0.0, most))
}

/// The error of the loss due to one slack. Only the conditions count whose posterior belongs to the directions of the slack.
fn loss_error(slack: &Slack, environment: &EnclosedEnvironment) -> Interval {
    let [pi0, pi1] = environment.proportions;
    let q1 = slack.directions.meet(Interval::UNIT);
    let [c, complement] = posterior([Interval::ONE - q1, q1], environment.proportions);
    // The cost of a unit of mass of either class.
    let costs = [pi0 * c, pi1 * complement].map(|cost| Interval::from(cost.hi()));
    let both = Interval::from(slack.by) * (costs[0] + costs[1]);
    let most = slack.alone.map_or(both.hi(), |(class, by)| both.hi().min((Interval::from(by) * costs[class]).hi()));
    Interval::from(SLACK) * Interval::from(most) * Interval::from(environment.weight.mass(c, complement))
}

/// The optimal loss along a curve that is its own hull: `∫ Q(c) w(c) dc` along its arcs and around its turns.
pub(super) fn optimal(hull: &EnclosedCurve, environment: &EnclosedEnvironment) -> Interval {
    let Some((_, around)) = PosteriorIntegrand::of_group(&OPTIMAL, environment).next() else { return Interval::ALL };
    let mut sum = Interval::ZERO;
    for turn in turns(hull, environment.proportions, Joints::StraightEnds) {
        let Turn { hull: point, posterior: [from, to], since, next, .. } = &turn;
        sum =
            sum + around.between_floats(point, *from, *to) + rounding_error(*from, since.as_ref(), point, environment);
        // A straight patch is charged at its far end, for both of its ends.
        if next.is_some_and(|motion| motion != PatchMotion::Straight) {
            sum = sum + rounding_error(*to, None, point, environment);
        }
    }
    let is_curved = |patch: &&Patch| patch.motion == PatchMotion::Arc && !patch.turn.is_zero();
    let patches = hull.massive().filter(is_curved).cloned().collect();
    let arcs = EnclosedCurve { patches, ..hull.clone() };
    along(&arcs, &OPTIMAL, environment).into_iter().next().map_or(Interval::ALL, |of_arcs| sum + of_arcs)
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
    let mut losses = extreme_losses(point, environment);
    if let Some(before) = since {
        let before = extreme_losses(before, environment);
        losses = [0, 1].map(|k| losses[k] - before[k]);
    }
    let [at_zero, at_one] = losses.map(Interval::abs);
    let largest = (at_zero * complement + at_one * c).hi().min(MOST_LOSS);
    let bound = Interval::from(largest) * Interval::from(environment.weight.mass(c, complement));
    Interval::around(0.0, bound.hi())
}

/// The compiled definition of `Q(c)`.
static LOSS: LazyLock<Program> = LazyLock::new(|| compile_definitions(&["Q(c)"]));

/// The losses at a point under the conditions 0 and 1; in between the loss is affine.
fn extreme_losses(point: &EnclosedPoint, environment: &EnclosedEnvironment) -> [Interval; 2] {
    let (zero, one) = (Interval::ZERO, Interval::ONE);
    let pair = |k: usize| [point.below[k], point.above[k]];
    // The posterior is 0 or 1 where only one class has mass.
    [[one, zero], [zero, one]].map(|[q0, q1]| {
        let inputs = inputs([zero; 2], pair(0), pair(1), [zero; 3], [q0, q1, zero]);
        let all = Interval::new(0.0, MOST_LOSS);
        environment.at(&LOSS, &inputs).into_iter().next().flatten().filter(|loss| loss.is_bounded()).unwrap_or(all)
    })
}

#[cfg(test)]
mod tests {
    use super::super::around::FIRST;
    use super::super::weight::EnclosedCosts;
    use super::*;
    use crate::constant::Constant;

    /// The diagonal has the optimal loss 1/4. Its enclosure stays valid if the direction is enclosed widely, and widens with it.
    #[test]
    fn the_direction_of_a_straight_stretch_counts_twice() {
        let point = |f: Interval| EnclosedPoint { x: [f; 2], below: [f; 2], above: [Interval::ONE - f; 2] };
        let weight = EnclosedCosts::new(&[1, 1].map(|k| Constant::rational(k.into()))).unwrap();
        let half = Interval::from(0.5);
        let environment =
            EnclosedEnvironment { proportions: [half; 2], weight: &weight, range: FIRST, width: 1e-13, scale: 1.0 };
        let (a, b) = (point(Interval::ZERO), point(Interval::ONE));
        let of = |patches: Vec<Patch>| optimal(&EnclosedCurve { patches, ..EnclosedCurve::diagonal() }, &environment);
        let vague = of(vec![Patch::straight(a, b, [Interval::new(1.0, 1.5), Interval::ONE])]);
        assert!(vague.contains(0.25) && vague.width() < 0.25, "{vague:?}");
        // On an arc the directions at start and end may differ, so both count in full: a tenth of 1/2 and a tenth of 3/5.
        let arc = Patch { motion: PatchMotion::Arc, ..Patch::straight(a, b, [Interval::new(1.0, 1.5), Interval::ONE]) };
        let found = of(vec![arc]);
        assert!(found.contains(0.25) && found.width() > 0.2, "{found:?}");
        // A patch of little mass adds little.
        let near = point(Interval::from(1e-9));
        let light = Patch::straight(a, near, [Interval::new(1e-9, 1.5e-9), Interval::from(1e-9)]);
        let exact = Interval::ONE - Interval::from(1e-9);
        let found = of(vec![light, Patch::straight(near, b, [exact; 2])]);
        assert!(found.contains(0.25) && found.width() < 1e-9 && found.width() > 1e-12, "{found:?}");
    }

    /// The loss along a chain that turns back, or has a patch without direction, differs from the loss of its hull. The slack covers the
    /// difference for the conditions at hand, also if one class is rare.
    #[test]
    fn the_slack_of_a_chain_holds_what_it_is_off() {
        let weight = |a: u32, b: u32| EnclosedCosts::new(&[a, b].map(|k| Constant::rational(k.into()))).unwrap();
        let rare = Interval::from(0.0009765625);
        for (weight, steps, hull, lumps, is_off) in [
            // One corner that turns back, under two weights; a small step back in the middle.
            (weight(1, 1), vec![[0.375, 0.625], [0.625, 0.375]], vec![[1.0; 2]], vec![], true),
            (weight(2, 2), vec![[0.375, 0.625], [0.625, 0.375]], vec![[1.0; 2]], vec![], true),
            (
                weight(2, 2),
                vec![[0.5, 0.25], [0.0, 0.125], [0.125, 0.0], [0.375, 0.625]],
                vec![[0.5, 0.25], [0.125, 0.125], [0.375, 0.625]],
                vec![],
                true,
            ),
            // The patch without direction may go right first, to (1/2 + 1/16, 1/4), or up first.
            (
                weight(1, 1),
                vec![[0.5, 0.25], [0.0625, 0.0625], [0.4375, 0.6875]],
                vec![[0.5, 0.25], [0.0625, 0.0], [0.0, 0.0625], [0.4375, 0.6875]],
                vec![1],
                false,
            ),
        ] {
            for pi0 in [Interval::from(0.5), rare, Interval::ONE - rare] {
                let proportions = [pi0, Interval::ONE - pi0];
                let environment =
                    EnclosedEnvironment { proportions, weight: &weight, range: FIRST, width: 1e-13, scale: 1.0 };
                let (found, truth) = (EnclosedHull::of_polygon(&steps, &lumps), EnclosedHull::of_polygon(&hull, &[]));
                let (chain, truth) = (optimal(&found.curve, &environment), optimal(&truth.curve, &environment));
                let loss = optimal_of_hull(&found, &environment);
                assert!(
                    loss.meets(truth) && (!is_off || !chain.meets(truth)),
                    "{steps:?} {pi0:?}: {chain:?} {truth:?}"
                );
                // The loss of a rare class is bounded by its proportion.
                assert!(loss.width() < 2.0 * pi0.hi().min(proportions[1].hi()), "{steps:?} {pi0:?}: {loss:?}");
            }
        }
    }

    /// Slack counts only for the conditions of its directions, and only for the class that is off if there is just one.
    #[test]
    fn slack_is_charged_where_it_is() {
        let weight = EnclosedCosts::new(&[1, 1].map(|k| Constant::rational(k.into()))).unwrap();
        let half = Interval::from(0.5);
        let environment =
            EnclosedEnvironment { proportions: [half; 2], weight: &weight, range: FIRST, width: 1e-13, scale: 1.0 };
        let off = Slack { by: 0.125, alone: None, directions: Interval::new(0.5, 0.75) };
        let of = |off: &Slack| loss_error(off, &environment).hi();
        // If class 1 is rare, most conditions belong to directions close to that of class 1 alone.
        let rare = Interval::from(0.0009765625);
        let rarely = |directions: Interval| {
            let environment = EnclosedEnvironment { proportions: [Interval::ONE - rare, rare], ..environment.clone() };
            loss_error(&Slack { by: 0.125, alone: None, directions }, &environment).hi()
        };
        let (middle, last) = (rarely(Interval::new(0.5, 0.75)), rarely(Interval::new(0.999, 1.0)));
        assert!(middle < 1e-5 && last > 0.09, "{middle} {last}");
        // SLACK · 1/8 · (1/2) for a quarter of the conditions.
        assert!((0.03125..0.04).contains(&of(&off)), "{}", of(&off));
        // With slack in one class alone: cost at most 3/8 in class 0, at most 1/4 in class 1.
        let [first, second] = [0, 1].map(|class| of(&Slack { alone: Some((class, 0.0625)), ..off }));
        assert!((0.0117..0.0118).contains(&first) && (0.0078..0.0079).contains(&second), "{first} {second}");
    }
}
