//! The score transforms at the certified level.
//!
//! Each takes an enclosed curve to an enclosed curve. `Conv` and `Cal` need a hull whose shape is decided.

use super::certified_hull::{KnownContact, enclosed_hull, hull_with_chords};
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

/// Applies a transform to a curve whose `chords` are known; `None` if they cannot be located on it.
pub fn apply_with_chords(
    curve: &EnclosedCurve,
    transform: Transform,
    proportions: [Interval; 2],
    chords: &[[KnownContact; 2]],
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
        // The score of the atom: the finite end, or 0 if there is none.
        let score = match (from[0].is_bounded(), to[0].is_bounded()) {
            (true, true) => continue,
            (true, false) => from,
            (false, true) => to,
            (false, false) => [Interval::ZERO, Interval::ONE],
        };
        (patch.start.x, patch.end.x) = (score, score);
        *patch = Patch::straight(patch.start, patch.end, patch.start.towards(&patch.end));
    }
    curve
}

/// The patch with other scores between 0 and 1. `x` are the score and one minus it, `dx` is its derivative, and `ends` are the values of `x`
/// at the start and at the end.
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
    // The weighted sum over both classes, of series and of values.
    let mix = |classes: &[Series; 2]| classes[0].scaled(proportions[0]) + classes[1].scaled(proportions[1]);
    let mix_values = |classes: [Interval; 2]| classes[0] * proportions[0] + classes[1] * proportions[1];
    let relabel_by_rate = |patch: &Patch| {
        let ends = [patch.start, patch.end].map(|point| [mix_values(point.below), mix_values(point.above)]);
        relabel(patch, [mix(&patch.below), mix(&patch.above)], mix(&patch.rate), ends)
    };
    EnclosedCurve {
        patches: curve.massive().map(relabel_by_rate).collect(),
        range: [Interval::ZERO, Interval::ONE],
        probabilistic: true,
        convex: curve.convex,
    }
}

/// `Cal(m)`: along the hull the score becomes the posterior. A straight piece becomes an atom, a corner a gap.
pub fn cal(curve: &EnclosedCurve, proportions: [Interval; 2]) -> Result<EnclosedCurve, UndecidedHull> {
    Ok(calibrate_hull(&conv(curve)?, proportions))
}

/// A posterior and one minus it.
type Posterior = [Interval; 2];

/// `Cal(m)` from the hull of `m`.
fn calibrate_hull(hull: &EnclosedCurve, proportions: [Interval; 2]) -> EnclosedCurve {
    // The posteriors at both ends of each patch; `None` for a patch without a direction.
    let posteriors_at_ends = |patch: &Patch| {
        patch.is_directed().then(|| [-1.0, 1.0].map(|u| patch.posterior(Interval::from(u), proportions)))
    };
    let posteriors: Vec<Option<[Posterior; 2]>> = hull.massive().map(posteriors_at_ends).collect();
    let hull_of = |a: Posterior, b: Posterior| [a[0].hull(b[0]), a[1].hull(b[1])];
    let zero = [Interval::ZERO, Interval::ONE];
    let one = [Interval::ONE, Interval::ZERO];
    let mut patches: Vec<Patch> = Vec::new();
    // The posterior at the end of the patch before.
    let mut last = zero;
    for (k, patch) in hull.massive().enumerate() {
        let Some([from, to]) = posteriors[k] else {
            // Without a direction, the posterior lies between those of the neighbours.
            let next = posteriors[k + 1..].iter().flatten().next().map_or(one, |ends| ends[0]);
            let x = hull_of(last, next).map(Series::from);
            let dx = Series::from(Interval::ZERO.hull(next[0] - last[0]));
            patches.push(relabel(patch, x, dx, [last, next]));
            last = next;
            continue;
        };
        push_gap(&mut patches, patch.start, last, from, patch.smooth);
        if patch.motion == PatchMotion::Arc && !patch.turn.is_zero() {
            push_calibrated_arc(&mut patches, patch, [from, to], proportions);
        } else {
            patches.push(relabel(patch, hull_of(from, to).map(Series::from), Series::from(0.0), [from, to]));
        }
        last = to;
    }
    if let Some(end) = hull.patches.last().map(|p| p.end) {
        push_gap(&mut patches, end, last, one, false);
    }
    EnclosedCurve { patches, range: zero, probabilistic: true, convex: hull.convex }
}

/// A part of an arc whose posterior is still to be enclosed.
struct PendingPart {
    patch: Patch,
    /// The posteriors at its ends.
    ends: [Posterior; 2],
    /// The error of the posterior on the part that it is a half of.
    error_before: f64,
    halvings: u32,
}

/// Adds an arc with the posterior as score, given the posteriors at its ends. It is halved until the posterior is accurate.
fn push_calibrated_arc(patches: &mut Vec<Patch>, patch: &Patch, ends: [Posterior; 2], proportions: [Interval; 2]) {
    let [pi0, pi1] = proportions;
    let mut pending = vec![PendingPart { patch: patch.clone(), ends, error_before: f64::INFINITY, halvings: 0 }];
    while let Some(PendingPart { patch, ends, error_before, halvings }) = pending.pop() {
        let [q0, q1] = patch.share;
        let total = q0.scaled(pi0) + q1.scaled(pi1);
        let c = [q1.scaled(pi1) / total, q0.scaled(pi0) / total];
        let error = c[0].error().max(c[1].error());
        // Close to a pole the first halvings gain little; at the rounding level a halving must halve the error.
        let gains = (error > ABOVE_ROUNDING || error < error_before / 2.0) && halvings < MOST_HALVINGS;
        if error <= ACCURATE || !gains {
            // c = π1 q1/(π0 q0 + π1 q1) with q0 = 1 - q1, so dc = π0 π1 dq1/(π0 q0 + π1 q1)².
            let dc = patch.turn.scaled(pi0 * pi1) / (total * total);
            patches.push(relabel(&patch, c, dc, ends));
            continue;
        }
        let middle = patch.posterior(Interval::ZERO, proportions);
        let half = |from: f64, to: f64, ends: [Posterior; 2]| PendingPart {
            patch: patch.part(from, to),
            ends,
            error_before: error,
            halvings: halvings + 1,
        };
        // The left half is popped first.
        pending.push(half(0.0, 1.0, [middle, ends[1]]));
        pending.push(half(-1.0, 0.0, [ends[0], middle]));
    }
}

/// Adds the gap that the corner at a point becomes: the interval of posteriors `from` to `to` without mass. Without a corner nothing is added.
fn push_gap(patches: &mut Vec<Patch>, at: EnclosedPoint, from: Posterior, to: Posterior, smooth: bool) {
    if smooth || from == to {
        return;
    }
    let [start, end] = [from, to].map(|x| EnclosedPoint { x, ..at });
    patches.push(Patch::straight(start, end, [Interval::ZERO; 2]));
}
