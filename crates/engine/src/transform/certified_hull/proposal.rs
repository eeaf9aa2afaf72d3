//! A hull of sample points in floating point, by Andrew's monotone chain. It is verified elsewhere.

use super::pieces::{SignedPiece, turns_back};
use rocproof_arith::Interval;

/// Turns back by less than this are taken for rounding.
const TURN: f64 = 1e-13;

/// A sample point of the curve, in floating point.
#[derive(Clone, Copy, Debug)]
pub(super) struct CurveSample {
    pub(super) piece: usize,
    pub(super) u: f64,
    below: [f64; 2],
    above: [f64; 2],
}

impl CurveSample {
    fn new(pieces: &[SignedPiece], piece: usize, u: f64) -> CurveSample {
        let point = pieces[piece].at(Interval::from(u));
        CurveSample { piece, u, below: point.below.map(Interval::mid), above: point.above.map(Interval::mid) }
    }

    /// The increments of `F0` and `F1` to another point, from the side on which less cancels.
    fn towards(&self, other: &CurveSample) -> [f64; 2] {
        [0, 1].map(
            |k| {
                if other.below[k] <= 0.5 { other.below[k] - self.below[k] } else { self.above[k] - other.above[k] }
            },
        )
    }

    /// The rounding error of its coordinates.
    fn noise(&self) -> f64 {
        let size = |k: usize| self.below[k].min(self.above[k]);
        f64::EPSILON * size(0).max(size(1))
    }

    pub(super) fn is_end(&self) -> bool {
        self.u == 1.0
    }
}

/// The cross product `a × b`.
fn cross(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[1] - a[1] * b[0]
}

/// The parameters of the samples on piece `k`. They accumulate at a corner that turns back, because the chord over it may be short.
fn sample_parameters(pieces: &[SignedPiece], k: usize, count: usize) -> Vec<f64> {
    /// Number of halvings of the distance to the corner.
    const CLOSEST: i32 = 30;
    if !pieces[k].bends_to_class1() {
        return vec![-1.0, 1.0];
    }
    let distances_to_corner = || (1..=CLOSEST).map(|n| 2.0 / count as f64 * 0.5f64.powi(n));
    let mut parameters: Vec<f64> = (0..=count).map(|i| -1.0 + 2.0 * i as f64 / count as f64).collect();
    if k > 0 && turns_back(pieces, k) {
        parameters.splice(1..1, distances_to_corner().rev().map(|distance| -1.0 + distance));
    }
    if k + 1 < pieces.len() && turns_back(pieces, k + 1) {
        let last = parameters.len() - 1;
        parameters.splice(last..last, distances_to_corner().map(|distance| 1.0 - distance));
    }
    parameters
}

/// Samples the pieces. Neighbouring samples are far enough apart that their increments are not rounding. The pieces and parameters in `extra`
/// are sampled, too.
pub(super) fn sample_pieces(pieces: &[SignedPiece], count: usize, extra: &[(usize, f64)]) -> Vec<CurveSample> {
    /// Factor over the rounding errors of two samples from which on they are far enough apart.
    const FAR: f64 = 1e4;
    let mut samples: Vec<CurveSample> = Vec::new();
    let mut at_corner = false;
    for (k, piece) in pieces.iter().enumerate() {
        let goes_on = k > 0 && pieces.get(k + 1).is_some_and(|next| next.patch.smooth);
        if piece.is_sliver() && goes_on {
            continue;
        }
        let mut parameters = sample_parameters(pieces, k, count);
        parameters.extend(extra.iter().filter(|(piece, _)| *piece == k).map(|(_, u)| *u));
        parameters.sort_by(f64::total_cmp);
        parameters.dedup();
        for (i, u) in parameters.iter().enumerate().skip(usize::from(k > 0)) {
            let is_last = i + 1 == parameters.len();
            let sample = CurveSample::new(pieces, k, *u);
            let is_far = |last: &CurveSample| {
                let [a, b] = last.towards(&sample);
                a + b > FAR * last.noise().max(sample.noise())
            };
            let is_corner = is_last && pieces.get(k + 1).is_some_and(|next| !next.patch.smooth);
            if samples.last().is_none_or(is_far) {
                samples.push(sample);
                at_corner = is_corner;
            } else if is_corner && !at_corner && samples.len() > 1 {
                // Prefer a corner to a sample close to it.
                samples.pop();
                samples.push(sample);
                at_corner = true;
            } else if k + 1 == pieces.len() && is_last {
                // The end of the curve is always a sample.
                if samples.len() > 1 {
                    samples.pop();
                }
                samples.push(sample);
            }
        }
    }
    samples
}

/// The upper hull of the samples by Andrew's monotone chain, as indices.
pub(super) fn monotone_chain(samples: &[CurveSample]) -> Vec<usize> {
    let mut hull: Vec<usize> = Vec::new();
    for (k, sample) in samples.iter().enumerate() {
        while let [.., a, b] = hull.as_slice() {
            // Cross products of normalised vectors: products of tiny increments would underflow.
            let normalise = |increments: [f64; 2]| increments.map(|part| part / (increments[0] + increments[1]));
            let (before, after) = (samples[*a].towards(&samples[*b]), samples[*b].towards(sample));
            if cross(normalise(before), normalise(after)) >= -TURN {
                break;
            }
            hull.pop();
        }
        hull.push(k);
    }
    hull
}
