//! A hull in floating point, from points along the curve: what is then verified.

use super::pieces::{SignedPiece, turns_back};
use rocproof_arith::Interval;

/// The least turn that a proposed hull takes for a turn.
const TURN: f64 = 1e-13;

/// A point on a piece, in floating point.
#[derive(Clone, Copy, Debug)]
pub(super) struct CurveSample {
    pub(super) piece: usize,
    pub(super) u: f64,
    below: [f64; 2],
    above: [f64; 2],
}

impl CurveSample {
    fn new(pieces: &[SignedPiece], piece: usize, u: f64) -> CurveSample {
        let spot = pieces[piece].at(Interval::from(u));
        CurveSample { piece, u, below: spot.below.map(Interval::mid), above: spot.above.map(Interval::mid) }
    }

    /// What leads to another point, from the side on which less cancels.
    fn towards(&self, other: &CurveSample) -> [f64; 2] {
        [0, 1].map(
            |k| {
                if other.below[k] <= 0.5 { other.below[k] - self.below[k] } else { self.above[k] - other.above[k] }
            },
        )
    }

    /// What rounding can do to its place.
    fn noise(&self) -> f64 {
        let size = |k: usize| self.below[k].min(self.above[k]);
        f64::EPSILON * size(0).max(size(1))
    }

    pub(super) fn is_end(&self) -> bool {
        self.u == 1.0
    }
}

fn turn(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[1] - a[1] * b[0]
}

/// Places on a piece: the closer the nearer to a corner that turns back, which a chord passes, however slightly it turns.
fn places(pieces: &[SignedPiece], k: usize, count: usize) -> Vec<f64> {
    const CLOSEST: i32 = 30;
    if !pieces[k].is_turning() {
        return vec![-1.0, 1.0];
    }
    let closer = || (1..=CLOSEST).map(|n| 2.0 / count as f64 * 0.5f64.powi(n));
    let mut places: Vec<f64> = (0..=count).map(|i| -1.0 + 2.0 * i as f64 / count as f64).collect();
    if k > 0 && turns_back(pieces, k) {
        places.splice(1..1, closer().rev().map(|distance| -1.0 + distance));
    }
    if k + 1 < pieces.len() && turns_back(pieces, k + 1) {
        let last = places.len() - 1;
        places.splice(last..last, closer().map(|distance| 1.0 - distance));
    }
    places
}

/// Points along the pieces, each far enough from the one before that the way between them is not rounding.
/// These places, on pieces, are among them.
pub(super) fn samples(pieces: &[SignedPiece], count: usize, among: &[(usize, f64)]) -> Vec<CurveSample> {
    const FAR: f64 = 1e4;
    let mut found: Vec<CurveSample> = Vec::new();
    let mut at_corner = false;
    for (k, piece) in pieces.iter().enumerate() {
        let goes_on = k > 0 && pieces.get(k + 1).is_some_and(|next| next.patch.smooth);
        if piece.is_sliver() && goes_on {
            continue;
        }
        let mut places = places(pieces, k, count);
        places.extend(among.iter().filter(|(piece, _)| *piece == k).map(|(_, u)| *u));
        places.sort_by(f64::total_cmp);
        places.dedup();
        for (i, u) in places.iter().enumerate().skip(usize::from(k > 0)) {
            let is_last = i + 1 == places.len();
            let sample = CurveSample::new(pieces, k, *u);
            let is_far = |last: &CurveSample| {
                let [a, b] = last.towards(&sample);
                a + b > FAR * last.noise().max(sample.noise())
            };
            let is_corner = is_last && pieces.get(k + 1).is_some_and(|next| !next.patch.smooth);
            if found.last().is_none_or(is_far) {
                found.push(sample);
                at_corner = is_corner;
            } else if is_corner && !at_corner && found.len() > 1 {
                // What is touched is a corner rather than a point close to it.
                found.pop();
                found.push(sample);
                at_corner = true;
            } else if k + 1 == pieces.len() && is_last {
                // The last point stays in any case.
                if found.len() > 1 {
                    found.pop();
                }
                found.push(sample);
            }
        }
    }
    found
}

/// The hull of points along the pieces, as indices into them.
pub(super) fn proposed(samples: &[CurveSample]) -> Vec<usize> {
    let mut hull: Vec<usize> = Vec::new();
    for (k, sample) in samples.iter().enumerate() {
        while let [.., a, b] = hull.as_slice() {
            // Shares rather than products, which may underflow.
            let direction = |way: [f64; 2]| way.map(|part| part / (way[0] + way[1]));
            let (from, to) = (samples[*a].towards(&samples[*b]), samples[*b].towards(sample));
            if turn(direction(from), direction(to)) >= -TURN {
                break;
            }
            hull.pop();
        }
        hull.push(k);
    }
    hull
}
