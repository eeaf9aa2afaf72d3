//! The optimal loss along an enclosed hull: `∫ Q(c) w(c) dc` over its stretches and its corners.

use super::super::group::{OPTIMAL, compiled};
use super::super::program::Program;
use super::along::{MOST_LOSS, PATIENCE, View, along, inputs};
use crate::arith::{Interval, Series};
use crate::calculus::patch::{Motion, Spot};
use crate::model::certified::EnclosedCurve;
use crate::transform::certified_hull::EnclosedHull;
use std::sync::LazyLock;

/// How often a corner is halved.
const MOST_HALVINGS: u32 = 1100;
/// Into how many parts it is cut.
const MOST_PARTS: usize = 10_000;

/// How much more than the slack of a hull a functional of it may be off: a point further out by the slack, in `F0` and in `F1`,
/// changes no loss by more than twice that, and the area by no more than twice that. A refinement loss is the optimal loss of a curve
/// under uniform costs if that is convex, and changes as little with the directions if it is not.
pub(super) const SLACK: f64 = 2.0;

/// A posterior and one minus it.
type Posterior = [Interval; 2];

const FIRST: Posterior = [Interval::ZERO, Interval::ONE];
const LAST: Posterior = [Interval::ONE, Interval::ZERO];

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
    // Corners and lumps take the posterior from where one directed stretch ends to where the next starts.
    let mut arcs = EnclosedCurve { patches: Vec::new(), ..hull.clone() };
    let mut sum = Interval::ZERO;
    let mut last = Reached { posterior: FIRST, since: None };
    let mut lumps: Option<Spot> = None;
    for patch in hull.massive() {
        if !patch.is_directed() {
            let all = patch.start.hull(&patch.end);
            lumps = Some(lumps.map_or(all, |before| before.hull(&all)));
            continue;
        }
        let [from, to] = [-1.0, 1.0].map(|u| patch.posterior(Interval::from(u), view.proportions));
        let mut next = Reached { posterior: to, since: None };
        let goes_on = patch.smooth && last.since.is_none() && last.posterior[0].meets(from[0]);
        if lumps.is_some() || !goes_on {
            let at = lumps.take().map_or(patch.start, |at| at.hull(&patch.start));
            sum = sum + corner(&at, last.posterior, from, view) + last.fuzz(&at, view);
            if patch.motion == Motion::Straight {
                next.since = Some(at);
            } else {
                sum = sum + Reached { posterior: from, since: None }.fuzz(&at, view);
            }
        }
        last = next;
        if patch.motion == Motion::Arc && !patch.turn.is_zero() {
            arcs.patches.push(patch.clone());
        }
    }
    if let Some(end) = hull.patches.last().map(|p| p.end) {
        let at = lumps.map_or(end, |at| at.hull(&end));
        sum = sum + corner(&at, last.posterior, LAST, view) + last.fuzz(&at, view);
    }
    along(&arcs, &OPTIMAL, view).into_iter().next().map_or(Interval::ALL, |of_arcs| sum + of_arcs)
}

/// A posterior that the hull has reached.
struct Reached {
    posterior: Posterior,
    /// If it is that of a straight stretch: the corner before the stretch.
    since: Option<Spot>,
}

impl Reached {
    /// What the posterior may be off counts for, at the corner that goes on from it.
    ///
    /// If it is that of a straight stretch, the corner before the stretch ends where this one starts: what one counts too much the other
    /// counts too little, but for the difference of the losses at both.
    fn fuzz(&self, at: &Spot, view: &View) -> Interval {
        let (mid, is_complement) = middle(self.posterior);
        let reached = self.posterior[usize::from(is_complement)];
        let spread = reached.hull(Interval::from(mid));
        if spread.is_point() {
            return Interval::ZERO;
        }
        let other = Interval::ONE - spread;
        let [c, complement] = if is_complement { [other, spread] } else { [spread, other] };
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

/// A float close to a posterior, or to one minus it.
fn middle(p: Posterior) -> (f64, bool) {
    if p[0].mid() <= 0.5 { (p[0].mid(), false) } else { (p[1].mid(), true) }
}

/// The loss at a point while the posterior goes from one value to another: from a float close to the one to a float close to the other.
fn corner(at: &Spot, from: Posterior, to: Posterior, view: &View) -> Interval {
    let half = |from: f64, to: f64, is_complement: bool| stretch(at, from, to, is_complement, view);
    let ((a, high_a), (b, high_b)) = (middle(from), middle(to));
    match (high_a, high_b) {
        (false, false) => half(a, b, false),
        (true, true) => half(a, b, true),
        (false, true) => half(a, 0.5, false) + half(0.5, b, true),
        (true, false) => half(a, 0.5, true) + half(0.5, b, false),
    }
}

/// The loss at a point, compiled.
static LOSS: LazyLock<Program> = LazyLock::new(|| compiled(&["Q(c)"]));

/// The loss at a point under the conditions 0 and 1: between them it is affine.
fn extreme_losses(at: &Spot, view: &View) -> [Interval; 2] {
    let (none, one) = (Interval::ZERO, Interval::ONE);
    let pair = |k: usize| [at.below[k], at.above[k]];
    // 0 and 1 are the posteriors of one class alone.
    [[one, none], [none, one]].map(|[q0, q1]| {
        let inputs = inputs([none; 2], pair(0), pair(1), [none; 3], [q0, q1, none]);
        let all = Interval::new(0.0, MOST_LOSS);
        view.at(&LOSS, &inputs).into_iter().next().flatten().filter(|loss| loss.is_bounded()).unwrap_or(all)
    })
}

/// The same between two floats: values of the posterior, or of one minus it.
fn stretch(at: &Spot, from: f64, to: f64, is_complement: bool, view: &View) -> Interval {
    if from == to {
        return Interval::ZERO;
    }
    let (lo, hi) = (from.min(to), from.max(to));
    let mut sum = Interval::ZERO;
    let mut pending = vec![(lo, hi, f64::INFINITY, 0)];
    let mut parts = 0;
    while let Some((lo, hi, before, halvings)) = pending.pop() {
        parts += 1;
        let resolved = part(at, lo, hi, is_complement, view);
        let part = resolved.unwrap_or_else(|| bounded(lo, hi, is_complement, view));
        let width = part.width();
        let middle = lo / 2.0 + hi / 2.0;
        let enough = width <= view.width * 1e-3 || (width <= view.rounded() && 2.0 * width > PATIENCE * before);
        if enough || halvings == MOST_HALVINGS || parts > MOST_PARTS || middle <= lo || middle >= hi {
            sum = sum + part;
            continue;
        }
        // What is not resolved yet says nothing about what halving gains.
        let width = if resolved.is_some() { width } else { f64::INFINITY };
        pending.push((middle, hi, width, halvings + 1));
        pending.push((lo, middle, width, halvings + 1));
    }
    // One minus the posterior falls as the posterior grows.
    if (from < to) == is_complement { -sum } else { sum }
}

/// The loss between two floats in one piece, if it can be resolved.
fn part(at: &Spot, lo: f64, hi: f64, is_complement: bool, view: &View) -> Option<Interval> {
    let (lo, hi) = (Interval::from(lo), Interval::from(hi));
    let half = (hi - lo) * Interval::from(0.5);
    let moving = Series::linear((hi + lo) * Interval::from(0.5), half);
    let rest = Series::from(1.0) - moving;
    let [c, complement] = if is_complement { [rest, moving] } else { [moving, rest] };
    // The direction whose posterior this is, and its derivative.
    let [pi0, pi1] = view.proportions;
    let [of0, of1] = [complement.scaled(pi1), c.scaled(pi0)];
    let sum = of0 + of1;
    let dq1 = Series::from(pi0 * pi1 * half) / (sum * sum);
    let zero = Series::from(0.0);
    let constant = |v: [Interval; 2]| v.map(Series::from);
    let pair = |k: usize| constant([at.below[k], at.above[k]]);
    let inputs = inputs(constant(at.x), pair(0), pair(1), [zero; 3], [of0 / sum, of1 / sum, dq1]);
    let found = view.along(&OPTIMAL.program, &inputs).into_iter().next().flatten()?.integral();
    found.is_bounded().then_some(found)
}

/// What it is at most: the largest loss under all operating conditions between.
fn bounded(lo: f64, hi: f64, is_complement: bool, view: &View) -> Interval {
    let range = Interval::new(lo, hi);
    let other = Interval::ONE - range;
    let mass = if is_complement { view.weight.mass(other, range) } else { view.weight.mass(range, other) };
    Interval::new(0.0, MOST_LOSS) * Interval::from(mass)
}

#[cfg(test)]
mod tests {
    use super::super::weight::Weight;
    use super::*;
    use crate::calculus::patch::Patch;
    use crate::model::constant::Constant;

    /// The diagonal, told with a direction that is off, and with one that is vague: 1/4 is held, and what is vague counts.
    #[test]
    fn the_direction_of_a_straight_stretch_counts_twice() {
        let spot = |f: Interval| Spot { x: [f; 2], below: [f; 2], above: [Interval::ONE - f; 2] };
        let weight = Weight::new(&[1, 1].map(|k| Constant::rational(k.into()))).unwrap();
        let half = Interval::from(0.5);
        let view = View { proportions: [half; 2], weight: &weight, range: FIRST, width: 1e-13, scale: 1.0 };
        let (a, b) = (spot(Interval::ZERO), spot(Interval::ONE));
        let of = |patches: Vec<Patch>| optimal(&EnclosedCurve { patches, ..EnclosedCurve::diagonal() }, &view);
        let vague = of(vec![Patch::straight(a, b, [Interval::new(1.0, 1.5), Interval::ONE])]);
        assert!(vague.contains(0.25) && vague.width() < 0.25, "{vague:?}");
        // An arc may start and end with different directions: each counts in full, by a tenth of 1/2 and of 3/5.
        let arc = Patch { motion: Motion::Arc, ..Patch::straight(a, b, [Interval::new(1.0, 1.5), Interval::ONE]) };
        let found = of(vec![arc]);
        assert!(found.contains(0.25) && found.width() > 0.2, "{found:?}");
        // Of little mass it counts little.
        let near = spot(Interval::from(1e-9));
        let light = Patch::straight(a, near, [Interval::new(1e-9, 1.5e-9), Interval::from(1e-9)]);
        let exact = Interval::ONE - Interval::from(1e-9);
        let found = of(vec![light, Patch::straight(near, b, [exact; 2])]);
        assert!(found.contains(0.25) && found.width() < 1e-9 && found.width() > 1e-12, "{found:?}");
    }
}
