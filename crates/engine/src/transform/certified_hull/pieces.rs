//! Cuts a curve at its inflections, into pieces that bend one way.

use super::chord::cross;
use crate::calculus::patch::{EnclosedPoint, Patch, PatchMotion};
use crate::model::certified::EnclosedCurve;
use rocproof_arith::{Interval, Series};

/// Largest number of bisections for an inflection.
const MOST_HALVINGS: u32 = 44;
/// Largest number of parts of a patch whose sign is examined.
const MOST_VISITED: usize = 300;

/// Mass of a piece below which its bend does not matter.
const SLIVER: f64 = 1e-12;

/// Halving the parameters can decide the sign of a series only if its bound is more than this multiple of its error.
const DOMINANT_ERROR: f64 = 8.0;

/// A point of the curve, by its piece and its parameter there.
#[derive(Clone, Copy, Debug)]
pub(super) struct PiecePosition {
    pub(super) piece: usize,
    /// From -1 to 1.
    pub(super) u: f64,
}

/// A part of a patch whose bend has one sign: towards class 1 (1), straight (0), back (-1), or unknown (`None`).
pub(super) struct SignedPiece {
    pub(super) patch: Patch,
    pub(super) bend: Option<i8>,
}

impl SignedPiece {
    /// Whether it is an arc that bends towards class 1: only such a piece can have interior points on the hull.
    pub(super) fn bends_to_class1(&self) -> bool {
        self.bend == Some(1) && self.patch.motion == PatchMotion::Arc
    }

    /// Whether it is the remainder around an inflection; no chord should end on it.
    pub(super) fn is_sliver(&self) -> bool {
        self.bend.is_none() && self.patch.smooth && self.patch.most_mass() < SLIVER
    }

    /// Whether it proves that the curve is not convex: it has mass of class 1 alone before class 0 is exhausted, or mass of class 0 alone
    /// after some of class 1.
    pub(super) fn proves_not_convex(&self) -> bool {
        let Patch { rate, start, end, .. } = &self.patch;
        // Proved from the increments or from the rates, whichever enclosure is tight enough.
        let has_mass = |class: usize| start.towards(end)[class].is_positive() || rate[class].integral().is_positive();
        let is_alone = |class: usize| rate[1 - class].is_zero() && has_mass(class);
        is_alone(1) && end.above[0].is_positive() || is_alone(0) && start.below[1].is_positive()
    }

    /// The point at a parameter, or the enclosure of the points over an interval of parameters.
    pub(super) fn at(&self, u: Interval) -> EnclosedPoint {
        if u == Interval::ONE {
            self.patch.end
        } else if u == -Interval::ONE {
            self.patch.start
        } else {
            self.patch.at(u)
        }
    }

    /// A finite score on the piece.
    pub(super) fn score(&self) -> f64 {
        let [a, b] = [self.patch.start.x[0], self.patch.end.x[0]];
        if a.is_bounded() { a.mid() } else { b.mid() }
    }
}

/// Whether the corner before piece `k` is proved to turn back.
pub(super) fn turns_back(pieces: &[SignedPiece], k: usize) -> bool {
    let [before, after] = [&pieces[k - 1].patch, &pieces[k].patch];
    let is_known_corner = before.is_directed() && after.is_directed() && !after.smooth;
    is_known_corner && cross(before.direction(Interval::ONE), after.direction(-Interval::ONE)).is_negative()
}

/// The sign of an interval; `None` if it is not decided.
pub(super) fn sign_of(bend: Interval) -> Option<i8> {
    if bend == Interval::ZERO {
        Some(0)
    } else if bend.is_positive() {
        Some(1)
    } else if bend.is_negative() {
        Some(-1)
    } else {
        None
    }
}

/// An interval of parameters on which a function has one sign: 1, 0 or -1, or unknown (`None`).
struct SignedRange {
    from: f64,
    to: f64,
    sign: Option<i8>,
}

/// Cuts `[-1, 1]` where a series changes sign, by bisection. Neighbouring ranges have different signs.
fn cut_by_sign(bend: &Series) -> Vec<SignedRange> {
    if bend.is_zero() {
        return vec![SignedRange { from: -1.0, to: 1.0, sign: Some(0) }];
    }
    let mut ranges: Vec<SignedRange> = Vec::new();
    // Start, end and number of halvings; the leftmost interval is last.
    let mut pending = vec![(-1.0, 1.0, 0)];
    let mut visited = 0;
    while let Some((from, to, halvings)) = pending.pop() {
        let part = bend.part(from, to);
        let sign = sign_of(part.rough_range()).or_else(|| sign_of(part.range()));
        let can_improve = bend.is_known() && part.bound() > DOMINANT_ERROR * part.error();
        visited += 1;
        if sign.is_none() && halvings < MOST_HALVINGS && can_improve && visited < MOST_VISITED {
            let middle = from / 2.0 + to / 2.0;
            pending.push((middle, to, halvings + 1));
            pending.push((from, middle, halvings + 1));
            continue;
        }
        match ranges.last_mut() {
            Some(last) if last.sign == sign => last.to = to,
            _ => ranges.push(SignedRange { from, to, sign }),
        }
    }
    ranges
}

/// The pieces of a curve, without its gaps.
pub(super) fn cut_at_inflections(curve: &EnclosedCurve) -> Vec<SignedPiece> {
    let mut pieces = Vec::new();
    for patch in curve.massive() {
        if patch.motion != PatchMotion::Arc {
            let bend = if patch.is_directed() { Some(0) } else { sign_of(patch.bend.rough_range()) };
            pieces.push(SignedPiece { patch: patch.clone(), bend });
            continue;
        }
        for SignedRange { from, to, sign } in cut_by_sign(&patch.bend) {
            let part = patch.part(from, to);
            // Only the sign is used from here on.
            let bend = sign.map_or(part.bend, |sign| Series::from(f64::from(sign)));
            pieces.push(SignedPiece { patch: Patch { bend, ..part }, bend: sign });
        }
    }
    pieces
}
