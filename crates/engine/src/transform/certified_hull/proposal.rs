//! A hull of sample points in floating point, by Andrew's monotone chain. It is verified elsewhere.

use super::pieces::{PiecePosition, SignedPiece, turns_back};
use rocproof_arith::Interval;

/// Turns back by less than this, as cross products of normalised increments, are taken for rounding.
const TURN_NOISE: f64 = 1e-13;

/// A sample point of the curve, in floating point.
#[derive(Clone, Copy, Debug)]
pub(super) struct CurveSample {
    pub(super) piece: usize,
    /// The parameter on the piece, from -1 to 1.
    pub(super) u: f64,
    /// `F0` and `F1`.
    below: [f64; 2],
    /// `1 - F0` and `1 - F1`.
    above: [f64; 2],
}

impl CurveSample {
    /// The point at the parameter `u` of a piece.
    fn new(pieces: &[SignedPiece], piece: usize, u: f64) -> CurveSample {
        let point = pieces[piece].at(Interval::from(u));
        CurveSample { piece, u, below: point.below.map(Interval::mid), above: point.above.map(Interval::mid) }
    }

    /// The increments of `F0` and `F1` to another point, from the side on which less cancels.
    fn towards(&self, other: &CurveSample) -> [f64; 2] {
        let increment = |class: usize| {
            if other.below[class] <= 0.5 {
                other.below[class] - self.below[class]
            } else {
                self.above[class] - other.above[class]
            }
        };
        [increment(0), increment(1)]
    }

    /// The rounding error of its coordinates. Near either end of the curve it is small, because `below` or `above` is.
    fn noise(&self) -> f64 {
        let size = |k: usize| self.below[k].min(self.above[k]);
        f64::EPSILON * size(0).max(size(1))
    }

    /// Whether it is the end of its piece.
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

/// Samples the pieces at `count` equal steps each, and at the positions in `extra`. Samples so close that their increments would be rounding
/// are left out.
pub(super) fn sample_pieces(pieces: &[SignedPiece], count: usize, extra: &[PiecePosition]) -> Vec<CurveSample> {
    let mut sampler = Sampler::default();
    for (k, piece) in pieces.iter().enumerate() {
        let is_followed_smoothly = k > 0 && pieces.get(k + 1).is_some_and(|next| next.patch.smooth);
        if piece.is_sliver() && is_followed_smoothly {
            continue;
        }
        let mut parameters = sample_parameters(pieces, k, count);
        parameters.extend(extra.iter().filter(|position| position.piece == k).map(|position| position.u));
        parameters.sort_by(f64::total_cmp);
        parameters.dedup();
        // The start of a piece is the end of the piece before, which is a sample already.
        for (i, u) in parameters.iter().enumerate().skip(usize::from(k > 0)) {
            let is_last = i + 1 == parameters.len();
            let kind = if is_last && k + 1 == pieces.len() {
                SampleKind::CurveEnd
            } else if is_last && !pieces[k + 1].patch.smooth {
                SampleKind::Corner
            } else {
                SampleKind::Interior
            };
            sampler.add(CurveSample::new(pieces, k, *u), kind);
        }
    }
    sampler.samples
}

/// The kind of a sample: it decides which of two close samples is kept.
#[derive(Clone, Copy, PartialEq, Eq)]
enum SampleKind {
    Interior,
    /// The end of a piece after which the direction may jump.
    Corner,
    /// The end of the curve.
    CurveEnd,
}

/// Collects samples that are far enough apart.
#[derive(Default)]
struct Sampler {
    samples: Vec<CurveSample>,
    /// Whether the last sample is a corner.
    at_corner: bool,
}

impl Sampler {
    /// Adds a sample. If it is too close to the last one, a corner replaces a sample that is none, and the end of the curve replaces any;
    /// other samples are dropped. The first sample stays.
    fn add(&mut self, sample: CurveSample, kind: SampleKind) {
        if self.samples.last().is_none_or(|last| is_far(last, &sample)) {
            self.samples.push(sample);
            self.at_corner = kind == SampleKind::Corner;
            return;
        }
        let has_more_than_start = self.samples.len() > 1;
        match kind {
            SampleKind::Corner if !self.at_corner && has_more_than_start => {
                self.samples.pop();
                self.samples.push(sample);
                self.at_corner = true;
            }
            SampleKind::CurveEnd => {
                if has_more_than_start {
                    self.samples.pop();
                }
                self.samples.push(sample);
            }
            SampleKind::Interior | SampleKind::Corner => {}
        }
    }
}

/// Whether the increment between two samples is well above their rounding errors.
fn is_far(last: &CurveSample, sample: &CurveSample) -> bool {
    /// Least increment as a multiple of the rounding error.
    const FAR: f64 = 1e4;
    let [a, b] = last.towards(sample);
    a + b > FAR * last.noise().max(sample.noise())
}

/// The upper hull of the samples by Andrew's monotone chain, as indices of samples.
pub(super) fn monotone_chain(samples: &[CurveSample]) -> Vec<usize> {
    let mut hull: Vec<usize> = Vec::new();
    for (k, sample) in samples.iter().enumerate() {
        while let [.., a, b] = hull.as_slice() {
            // Products of tiny increments would underflow.
            let normalise = |increments: [f64; 2]| increments.map(|part| part / (increments[0] + increments[1]));
            let (before, after) = (samples[*a].towards(&samples[*b]), samples[*b].towards(sample));
            if cross(normalise(before), normalise(after)) >= -TURN_NOISE {
                break;
            }
            hull.pop();
        }
        hull.push(k);
    }
    hull
}
