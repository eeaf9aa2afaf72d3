//! The score transforms at the certified level.
//!
//! Each takes an enclosed curve to an enclosed curve. `Conv` and `Cal` need a hull whose shape is decided.

use super::certified_hull::{enclosed_hull, hull_with_chords};
use crate::calculus::patch::{EnclosedPoint, Patch, PatchMotion};
use crate::model::Transform;
use crate::model::certified::EnclosedCurve;
use rocproof_arith::{Interval, Series};

/// The hull could not be verified near this score, so `Conv` and `Cal` are not certified.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UndecidedHull(pub f64);

/// Applies a transform to a curve, for given class proportions.
pub fn apply(
    curve: &EnclosedCurve,
    transform: Transform,
    proportions: [Interval; 2],
) -> Result<EnclosedCurve, UndecidedHull> {
    match transform {
        Transform::Conv => conv(curve),
        Transform::Cal => cal(curve, proportions),
        Transform::Even => Ok(even(curve, proportions)),
    }
}

/// Applies a transform to a curve whose chords are known, as [`hull_with_chords`] takes them; `None` if they cannot be located.
pub fn apply_with_chords(
    curve: &EnclosedCurve,
    transform: Transform,
    proportions: [Interval; 2],
    chords: &[[(EnclosedPoint, bool); 2]],
) -> Option<EnclosedCurve> {
    let hull = collapse_infinite_chords(hull_with_chords(curve, chords)?);
    Some(match transform {
        Transform::Conv => hull,
        Transform::Cal => calibrate_hull(&hull, proportions),
        Transform::Even => even(curve, proportions),
    })
}

/// `Conv(m)`. An interval of infinite length becomes an atom at its finite end.
pub fn conv(curve: &EnclosedCurve) -> Result<EnclosedCurve, UndecidedHull> {
    let hull = enclosed_hull(curve);
    match hull.decided {
        Some(curve) => Ok(collapse_infinite_chords(EnclosedCurve { convex: Some(true), ..curve })),
        None => Err(UndecidedHull(hull.undecided.unwrap_or(0.0))),
    }
}

/// Replaces chords over infinite intervals of scores by atoms.
fn collapse_infinite_chords(mut curve: EnclosedCurve) -> EnclosedCurve {
    for patch in curve.patches.iter_mut().filter(|p| p.motion == PatchMotion::Straight) {
        let [from, to] = [patch.start.x, patch.end.x];
        let at = match (from[0].is_bounded(), to[0].is_bounded()) {
            (true, true) => continue,
            (true, false) => from,
            (false, true) => to,
            (false, false) => [Interval::ZERO, Interval::ONE],
        };
        (patch.start.x, patch.end.x) = (at, at);
        *patch = Patch::straight(patch.start, patch.end, patch.start.towards(&patch.end));
    }
    curve
}

/// The patch with other scores.
fn relabel(patch: &Patch, x: [Series; 2], dx: Series, ends: [[Interval; 2]; 2]) -> Patch {
    let label = |point: EnclosedPoint, x: [Interval; 2]| EnclosedPoint { x, ..point };
    Patch {
        mean_scores: [x[0].rough_range().meet(Interval::UNIT); 2],
        x,
        dx,
        start: label(patch.start, ends[0]),
        end: label(patch.end, ends[1]),
        tie: None,
        ..patch.clone()
    }
}

/// Posteriors with an error below this are not refined.
const ACCURATE: f64 = 1e-14;
/// Errors above this are not rounding.
const ABOVE_ROUNDING: f64 = 1e-10;
/// Largest number of halvings of a patch for a better posterior.
const MOST_HALVINGS: u32 = 16;

/// `Even(m)`: the score becomes the predicted positive rate.
pub fn even(curve: &EnclosedCurve, proportions: [Interval; 2]) -> EnclosedCurve {
    let mix = |of: &[Series; 2]| of[0].scaled(proportions[0]) + of[1].scaled(proportions[1]);
    let at = |of: [Interval; 2]| of[0] * proportions[0] + of[1] * proportions[1];
    let moved = |patch: &Patch| {
        let ends = [patch.start, patch.end].map(|point| [at(point.below), at(point.above)]);
        relabel(patch, [mix(&patch.below), mix(&patch.above)], mix(&patch.rate), ends)
    };
    EnclosedCurve {
        patches: curve.massive().map(moved).collect(),
        range: [Interval::ZERO, Interval::ONE],
        probabilistic: true,
        convex: curve.convex,
    }
}

/// `Cal(m)`: along the hull the score becomes the posterior. A straight piece becomes an atom, a corner a gap.
pub fn cal(curve: &EnclosedCurve, proportions: [Interval; 2]) -> Result<EnclosedCurve, UndecidedHull> {
    Ok(calibrate_hull(&conv(curve)?, proportions))
}

/// `Cal(m)` from the hull of `m`.
fn calibrate_hull(hull: &EnclosedCurve, proportions: [Interval; 2]) -> EnclosedCurve {
    let directed: Vec<Option<[[Interval; 2]; 2]>> = hull
        .massive()
        .map(|p| p.is_directed().then(|| [-1.0, 1.0].map(|u| p.posterior(Interval::from(u), proportions))))
        .collect();
    let zero = [Interval::ZERO, Interval::ONE];
    let one = [Interval::ONE, Interval::ZERO];
    let mut patches: Vec<Patch> = Vec::new();
    let mut last = zero;
    for (k, patch) in hull.massive().enumerate() {
        let hulls = |a: [Interval; 2], b: [Interval; 2]| [a[0].hull(b[0]), a[1].hull(b[1])];
        let Some([from, to]) = directed[k] else {
            // Without a direction, the posterior lies between those of the neighbours.
            let next = directed[k + 1..].iter().flatten().next().map_or(one, |ends| ends[0]);
            let all = hulls(last, next);
            patches.push(relabel(
                patch,
                all.map(Series::from),
                Series::from(Interval::ZERO.hull(next[0] - last[0])),
                [last, next],
            ));
            last = next;
            continue;
        };
        push_gap(&mut patches, patch.start, last, from, patch.smooth);
        if patch.motion == PatchMotion::Arc && !patch.turn.is_zero() {
            push_calibrated_arc(&mut patches, patch, [from, to], proportions);
        } else {
            patches.push(relabel(patch, hulls(from, to).map(Series::from), Series::from(0.0), [from, to]));
        }
        last = to;
    }
    if let Some(end) = hull.patches.last().map(|p| p.end) {
        push_gap(&mut patches, end, last, one, false);
    }
    EnclosedCurve { patches, range: zero, probabilistic: true, convex: hull.convex }
}

/// Adds an arc with the posterior as score, given the posteriors at its ends. It is halved until the posterior is accurate.
fn push_calibrated_arc(patches: &mut Vec<Patch>, patch: &Patch, ends: [[Interval; 2]; 2], proportions: [Interval; 2]) {
    let [pi0, pi1] = proportions;
    let mut pending = vec![(patch.clone(), ends, f64::INFINITY, 0)];
    while let Some((patch, ends, before, halvings)) = pending.pop() {
        let [q0, q1] = patch.share;
        let total = q0.scaled(pi0) + q1.scaled(pi1);
        let c = [q1.scaled(pi1) / total, q0.scaled(pi0) / total];
        let error = c[0].error().max(c[1].error());
        // Close to a pole the first halvings gain little; at the rounding level a halving must halve the error.
        let gains = (error > ABOVE_ROUNDING || error < before / 2.0) && halvings < MOST_HALVINGS;
        if error <= ACCURATE || !gains {
            let dc = patch.turn.scaled(pi0 * pi1) / (total * total);
            patches.push(relabel(&patch, c, dc, ends));
            continue;
        }
        let middle = patch.posterior(Interval::ZERO, proportions);
        pending.push((patch.part(0.0, 1.0), [middle, ends[1]], error, halvings + 1));
        pending.push((patch.part(-1.0, 0.0), [ends[0], middle], error, halvings + 1));
    }
}

/// Adds the gap that a corner becomes: an interval of posteriors without mass.
fn push_gap(patches: &mut Vec<Patch>, at: EnclosedPoint, from: [Interval; 2], to: [Interval; 2], smooth: bool) {
    if smooth || from == to {
        return;
    }
    let [start, end] = [from, to].map(|x| EnclosedPoint { x, ..at });
    patches.push(Patch::straight(start, end, [Interval::ZERO; 2]));
}
