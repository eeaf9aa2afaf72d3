//! The optimal loss along an enclosed hull: `∫ Q(c) w(c) dc` over its stretches and its corners.

use super::super::group::{OPTIMAL, compiled};
use super::super::program::Program;
use super::along::{EnclosedEnvironment, MOST_LOSS, along, inputs};
use super::around::{Around, FIRST, LAST, Posterior, spread};
use crate::calculus::patch::{EnclosedPoint, PatchMotion, posterior};
use crate::model::certified::EnclosedCurve;
use crate::transform::certified_hull::{EnclosedHull, Slack};
use rocproof_arith::Interval;
use std::sync::LazyLock;

/// How much more than the slack of a hull a functional of it may be off: a point further out by the slack, in `F0` and in `F1`,
/// changes no loss by more than twice that, and the area by no more than twice that.
pub(super) const SLACK: f64 = 2.0;

/// The optimal loss of a curve whose hull is enclosed.
pub(super) fn optimal_of_hull(hull: &EnclosedHull, view: &EnclosedEnvironment) -> Interval {
    let loss = optimal(&hull.curve, view);
    let slack = hull.off.iter().fold(Interval::ZERO, |sum, off| sum + charge(off, view)).hi();
    let mean = view.weight.mean();
    // Predicting one class always costs no less.
    let two = Interval::from(2.0);
    let most = (two * mean * view.proportions[0]).hi().min((two * (Interval::ONE - mean) * view.proportions[1]).hi());
    (loss + Interval::around(0.0, slack)).meet(Interval::new(0.0, most))
}

/// What the loss may be off where the hull is: only the conditions count whose posterior belongs to one of those directions.
fn charge(off: &Slack, view: &EnclosedEnvironment) -> Interval {
    let [pi0, pi1] = view.proportions;
    let q1 = off.directions.meet(Interval::UNIT);
    let [c, complement] = posterior([Interval::ONE - q1, q1], view.proportions);
    // What a step of either class costs.
    let costs = [pi0 * c, pi1 * complement].map(|cost| Interval::from(cost.hi()));
    let both = Interval::from(off.by) * (costs[0] + costs[1]);
    let most = off.alone.map_or(both.hi(), |(class, by)| both.hi().min((Interval::from(by) * costs[class]).hi()));
    Interval::from(SLACK) * Interval::from(most) * Interval::from(view.weight.mass(c, complement))
}

/// The optimal loss along a curve that is its own hull.
pub(super) fn optimal(hull: &EnclosedCurve, view: &EnclosedEnvironment) -> Interval {
    // Corners and lumps take the posterior from where one directed stretch ends to where the next starts.
    let mut arcs = EnclosedCurve { patches: Vec::new(), ..hull.clone() };
    let Some((_, around)) = Around::all(&OPTIMAL, view).next() else { return Interval::ALL };
    let mut sum = Interval::ZERO;
    let mut last = ReachedPosterior { posterior: FIRST, since: None };
    let mut lumps: Option<EnclosedPoint> = None;
    for patch in hull.massive() {
        if !patch.is_directed() {
            let all = patch.start.hull(&patch.end);
            lumps = Some(lumps.map_or(all, |before| before.hull(&all)));
            continue;
        }
        let [from, to] = [-1.0, 1.0].map(|u| patch.posterior(Interval::from(u), view.proportions));
        let mut next = ReachedPosterior { posterior: to, since: None };
        let goes_on = patch.smooth && last.since.is_none() && last.posterior[0].meets(from[0]);
        if lumps.is_some() || !goes_on {
            let at = lumps.take().map_or(patch.start, |at| at.hull(&patch.start));
            sum = sum + around.between(&at, last.posterior, from) + last.fuzz(&at, view);
            if patch.motion == PatchMotion::Straight {
                next.since = Some(at);
            } else {
                sum = sum + ReachedPosterior { posterior: from, since: None }.fuzz(&at, view);
            }
        }
        last = next;
        if patch.motion == PatchMotion::Arc && !patch.turn.is_zero() {
            arcs.patches.push(patch.clone());
        }
    }
    if let Some(end) = hull.patches.last().map(|p| p.end) {
        let at = lumps.map_or(end, |at| at.hull(&end));
        sum = sum + around.between(&at, last.posterior, LAST) + last.fuzz(&at, view);
    }
    along(&arcs, &OPTIMAL, view).into_iter().next().map_or(Interval::ALL, |of_arcs| sum + of_arcs)
}

/// A posterior that the hull has reached.
struct ReachedPosterior {
    posterior: Posterior,
    /// If it is that of a straight stretch: the corner before the stretch.
    since: Option<EnclosedPoint>,
}

impl ReachedPosterior {
    /// What the posterior may be off counts for, at the corner that goes on from it.
    ///
    /// If it is that of a straight stretch, the corner before the stretch ends where this one starts: what one counts too much the other
    /// counts too little, but for the difference of the losses at both.
    fn fuzz(&self, at: &EnclosedPoint, view: &EnclosedEnvironment) -> Interval {
        let Some([c, complement]) = spread(self.posterior) else { return Interval::ZERO };
        let mut losses = extreme_losses(at, view);
        if let Some(before) = &self.since {
            let before = extreme_losses(before, view);
            losses = [0, 1].map(|k| losses[k] - before[k]);
        }
        let [first, last] = losses.map(Interval::abs);
        let largest = (first * complement + last * c).hi().min(MOST_LOSS);
        let fuzz = Interval::from(largest) * Interval::from(view.weight.mass(c, complement));
        Interval::around(0.0, fuzz.hi())
    }
}

/// The loss at a point, compiled.
static LOSS: LazyLock<Program> = LazyLock::new(|| compiled(&["Q(c)"]));

/// The loss at a point under the conditions 0 and 1: between them it is affine.
fn extreme_losses(at: &EnclosedPoint, view: &EnclosedEnvironment) -> [Interval; 2] {
    let (none, one) = (Interval::ZERO, Interval::ONE);
    let pair = |k: usize| [at.below[k], at.above[k]];
    // 0 and 1 are the posteriors of one class alone.
    [[one, none], [none, one]].map(|[q0, q1]| {
        let inputs = inputs([none; 2], pair(0), pair(1), [none; 3], [q0, q1, none]);
        let all = Interval::new(0.0, MOST_LOSS);
        view.at(&LOSS, &inputs).into_iter().next().flatten().filter(|loss| loss.is_bounded()).unwrap_or(all)
    })
}

#[cfg(test)]
mod tests {
    use super::super::weight::EnclosedBeta;
    use super::*;
    use crate::calculus::patch::Patch;
    use crate::constant::Constant;

    /// The diagonal, told with a direction that is off, and with one that is vague: 1/4 is held, and what is vague counts.
    #[test]
    fn the_direction_of_a_straight_stretch_counts_twice() {
        let spot = |f: Interval| EnclosedPoint { x: [f; 2], below: [f; 2], above: [Interval::ONE - f; 2] };
        let weight = EnclosedBeta::new(&[1, 1].map(|k| Constant::rational(k.into()))).unwrap();
        let half = Interval::from(0.5);
        let view =
            EnclosedEnvironment { proportions: [half; 2], weight: &weight, range: FIRST, width: 1e-13, scale: 1.0 };
        let (a, b) = (spot(Interval::ZERO), spot(Interval::ONE));
        let of = |patches: Vec<Patch>| optimal(&EnclosedCurve { patches, ..EnclosedCurve::diagonal() }, &view);
        let vague = of(vec![Patch::straight(a, b, [Interval::new(1.0, 1.5), Interval::ONE])]);
        assert!(vague.contains(0.25) && vague.width() < 0.25, "{vague:?}");
        // An arc may start and end with different directions: each counts in full, by a tenth of 1/2 and of 3/5.
        let arc = Patch { motion: PatchMotion::Arc, ..Patch::straight(a, b, [Interval::new(1.0, 1.5), Interval::ONE]) };
        let found = of(vec![arc]);
        assert!(found.contains(0.25) && found.width() > 0.2, "{found:?}");
        // Of little mass it counts little.
        let near = spot(Interval::from(1e-9));
        let light = Patch::straight(a, near, [Interval::new(1e-9, 1.5e-9), Interval::from(1e-9)]);
        let exact = Interval::ONE - Interval::from(1e-9);
        let found = of(vec![light, Patch::straight(near, b, [exact; 2])]);
        assert!(found.contains(0.25) && found.width() < 1e-9 && found.width() > 1e-12, "{found:?}");
    }

    /// Chains that turn back, or are not known everywhere: their loss is off that of their hull, and the slack holds the difference where the
    /// conditions are, also if one class is rare.
    #[test]
    fn the_slack_of_a_chain_holds_what_it_is_off() {
        let weight = |a: u32, b: u32| EnclosedBeta::new(&[a, b].map(|k| Constant::rational(k.into()))).unwrap();
        let rare = Interval::from(0.0009765625);
        for (weight, steps, hull, lumps, is_off) in [
            // Back at one corner; back and forth; a short step back on the way.
            (weight(1, 1), vec![[0.375, 0.625], [0.625, 0.375]], vec![[1.0; 2]], vec![], true),
            (weight(2, 2), vec![[0.375, 0.625], [0.625, 0.375]], vec![[1.0; 2]], vec![], true),
            (
                weight(2, 2),
                vec![[0.5, 0.25], [0.0, 0.125], [0.125, 0.0], [0.375, 0.625]],
                vec![[0.5, 0.25], [0.125, 0.125], [0.375, 0.625]],
                vec![],
                true,
            ),
            // It may go on to (1/2 + 1/16, 1/4) before it rises, or rise first.
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
                let view = EnclosedEnvironment { proportions, weight: &weight, range: FIRST, width: 1e-13, scale: 1.0 };
                let (found, truth) = (EnclosedHull::of_polygon(&steps, &lumps), EnclosedHull::of_polygon(&hull, &[]));
                let (chain, truth) = (optimal(&found.curve, &view), optimal(&truth.curve, &view));
                let loss = optimal_of_hull(&found, &view);
                assert!(
                    loss.meets(truth) && (!is_off || !chain.meets(truth)),
                    "{steps:?} {pi0:?}: {chain:?} {truth:?}"
                );
                // What a class that is rare can cost at all.
                assert!(loss.width() < 2.0 * pi0.hi().min(proportions[1].hi()), "{steps:?} {pi0:?}: {loss:?}");
            }
        }
    }

    /// Only the conditions count that belong to the directions, and of them only the class that is off.
    #[test]
    fn slack_is_charged_where_it_is() {
        let weight = EnclosedBeta::new(&[1, 1].map(|k| Constant::rational(k.into()))).unwrap();
        let half = Interval::from(0.5);
        let view =
            EnclosedEnvironment { proportions: [half; 2], weight: &weight, range: FIRST, width: 1e-13, scale: 1.0 };
        let off = Slack { by: 0.125, alone: None, directions: Interval::new(0.5, 0.75) };
        let of = |off: &Slack| charge(off, &view).hi();
        // If class 1 is rare, most conditions belong to directions that hardly leave it.
        let rare = Interval::from(0.0009765625);
        let rarely = |directions: Interval| {
            let view = EnclosedEnvironment { proportions: [Interval::ONE - rare, rare], ..view.clone() };
            charge(&Slack { by: 0.125, alone: None, directions }, &view).hi()
        };
        let (middle, last) = (rarely(Interval::new(0.5, 0.75)), rarely(Interval::new(0.999, 1.0)));
        assert!(middle < 1e-5 && last > 0.09, "{middle} {last}");
        // Twice 1/8 of 1/2 for a quarter of the conditions.
        assert!((0.03125..0.04).contains(&of(&off)), "{}", of(&off));
        // Of class 0 at most 3/8, of class 1 at most 1/4, of what they have alone.
        let [first, second] = [0, 1].map(|class| of(&Slack { alone: Some((class, 0.0625)), ..off }));
        assert!((0.0117..0.0118).contains(&first) && (0.0078..0.0079).contains(&second), "{first} {second}");
    }
}
