//! Bands around curves: at each abscissa, an interval of the ordinate.

use super::{CurveKind, CurvePiece, Curves};
use crate::bootstrap::Bootstrap;
use crate::resample::{MultinomialDraws, band_generator};
use crate::scored::{ScoreDirection, Scored, Tie};
use crate::smoothed::SmoothModel;
use crate::spread::{mean_and_deviation, normal_quantile, quantile};
use rand_chacha::ChaCha8Rng;
use rand_distr::{Binomial, Distribution};
use rayon::prelude::*;
use rocproof_engine::functional::Method;

/// The number of samples for a band, if nobody says otherwise.
pub const BAND_SAMPLES: usize = 400;

/// Steps of the abscissa from 0 to 1.
const STEPS: usize = 100;

/// The band of the reliability curve is computed at this many scores of the data, if there are as many.
const MOST_SCORES: usize = 200;

/// How a band was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BandMethod {
    /// Quantiles of the curves of samples of rows.
    Percentile,
    /// Normal, corrected for bias; samples are drawn from a smooth model of the data.
    Smoothed,
    /// Quantiles of the curves of samples whose labels are drawn from the scores: where the curve of calibrated scores lies.
    Consistency,
}

impl BandMethod {
    /// The name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            BandMethod::Percentile => "pointwise percentile bootstrap",
            BandMethod::Smoothed => "pointwise smoothed bootstrap, bias-corrected",
            BandMethod::Consistency => "pointwise consistency band: labels drawn from the scores",
        }
    }
}

/// An interval of the ordinate at one abscissa.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BandPoint {
    /// The abscissa.
    pub x: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// A band around a curve, or for reliability around the diagonal.
#[derive(Clone, Debug, PartialEq)]
pub struct Band {
    /// How it was made.
    pub method: BandMethod,
    /// The share of samples that the band holds, at each abscissa by itself.
    pub level: f64,
    /// The points from left to right.
    pub points: Vec<BandPoint>,
}

impl Curves<'_> {
    /// The band of a curve. `None` for curves that have none, for weights that are not whole numbers, and if samples lack a class.
    ///
    /// ```
    /// use rocproof_scored::{Bootstrap, Scored, curves::{CurveKind, Curves}};
    /// let scores: Vec<f64> = (0..60).map(|i| f64::from(i) / 60.0).collect();
    /// let is_1: Vec<bool> = (0..60).map(|i| i % 7 + i / 10 > 5).collect();
    /// let data = Scored::from_rows(&scores, &is_1, None)?;
    /// let band = Curves::new(&data).band(CurveKind::Roc, &Bootstrap { replicates: 50, ..Bootstrap::default() }).unwrap();
    /// assert!(band.points.iter().all(|point| 0.0 <= point.low && point.low <= point.high && point.high <= 1.0));
    /// # Ok::<(), rocproof_scored::BadScore>(())
    /// ```
    pub fn band(&self, kind: CurveKind, plan: &Bootstrap) -> Option<Band> {
        let data = self.data();
        if plan.replicates < 2 || data.weights().is_some_and(|weights| weights.iter().any(|w| w.fract() != 0.0)) {
            return None;
        }
        self.curve(kind).ok()?;
        let steps: Vec<f64> = (0..=STEPS).map(|k| k as f64 / STEPS as f64).collect();
        match kind {
            CurveKind::Hull | CurveKind::Loss(Method::Optimal, _) => self.smoothed_band(kind, &steps, plan),
            CurveKind::Roc | CurveKind::Loss(..) => {
                let rows = RowSampler::new(data);
                let sample = |generator: &mut ChaCha8Rng| {
                    sample_ordinates(rows.sample(plan.stratified, generator)?, kind, &steps)
                };
                percentile_band(BandMethod::Percentile, &steps, plan, sample)
            }
            CurveKind::Reliability if self.scale() == (0.0, 1.0) => {
                let rows = RowSampler::new(data);
                let scores = rows.some_scores();
                let sample = |generator: &mut ChaCha8Rng| sample_reliability(&rows.calibrated(generator)?, &scores);
                percentile_band(BandMethod::Consistency, &scores, plan, sample)
            }
            _ => None,
        }
    }

    /// The band of a curve of the hull, which is fitted to the rows and so biased.
    fn smoothed_band(&self, kind: CurveKind, steps: &[f64], plan: &Bootstrap) -> Option<Band> {
        let model = SmoothModel::new(self.data());
        let truth = sample_ordinates(model.expected()?, kind, steps)?;
        let sample =
            |generator: &mut ChaCha8Rng| sample_ordinates(model.draw(plan.stratified, generator)?, kind, steps);
        let samples = draw_samples(plan, sample)?;
        let values = ordinates(&self.curve(kind).ok()?.pieces().collect::<Vec<_>>(), steps);
        let z = normal_quantile(plan.level);
        let point = |(k, x): (usize, &f64)| {
            let column: Vec<f64> = samples.iter().map(|sample| sample[k]).collect();
            let (mean, deviation) = mean_and_deviation(&column);
            let centre = values[k] - (mean - truth[k]);
            let [low, high] = [centre - z * deviation, centre + z * deviation].map(|end| end.clamp(0.0, 1.0));
            BandPoint { x: *x, low, high }
        };
        let points = steps.iter().enumerate().map(point).collect();
        Some(Band { method: BandMethod::Smoothed, level: plan.level, points })
    }
}

/// The ordinates of samples. `None` if fewer than two samples have them.
fn draw_samples(
    plan: &Bootstrap,
    sample: impl Fn(&mut ChaCha8Rng) -> Option<Vec<f64>> + Sync,
) -> Option<Vec<Vec<f64>>> {
    let replicates = (0..plan.replicates).into_par_iter();
    let samples: Vec<Vec<f64>> =
        replicates.filter_map(|replicate| sample(&mut band_generator(plan.seed, replicate))).collect();
    (samples.len() >= 2).then_some(samples)
}

/// The band between quantiles of samples.
fn percentile_band(
    method: BandMethod,
    abscissas: &[f64],
    plan: &Bootstrap,
    sample: impl Fn(&mut ChaCha8Rng) -> Option<Vec<f64>> + Sync,
) -> Option<Band> {
    let samples = draw_samples(plan, sample)?;
    let tail = (1.0 - plan.level) / 2.0;
    let point = |(k, x): (usize, &f64)| {
        let mut column: Vec<f64> = samples.iter().map(|sample| sample[k]).collect();
        column.sort_unstable_by(f64::total_cmp);
        BandPoint { x: *x, low: quantile(&column, tail), high: quantile(&column, 1.0 - tail) }
    };
    Some(Band { method, level: plan.level, points: abscissas.iter().enumerate().map(point).collect() })
}

/// The ordinates of a curve of a sample; `None` if it has no such curve.
fn sample_ordinates(sample: Scored, kind: CurveKind, abscissas: &[f64]) -> Option<Vec<f64>> {
    let curves = Curves::new(&sample);
    let pieces: Vec<CurvePiece> = curves.curve(kind).ok()?.pieces().collect();
    Some(ordinates(&pieces, abscissas))
}

/// The ordinates of pieces from left to right at growing abscissas; on a vertical piece its upper end.
fn ordinates(pieces: &[CurvePiece], abscissas: &[f64]) -> Vec<f64> {
    let mut next = 0;
    let ordinate = |x: &f64| {
        while next + 1 < pieces.len() && pieces[next + 1].from <= *x {
            next += 1;
        }
        let piece = &pieces[next];
        if *x >= piece.to { piece.right() } else { piece.at(*x) }
    };
    abscissas.iter().map(ordinate).collect()
}

/// The calibrated probability of a sample at scores, in growing order: that of the pool around a score, and on the line between pools
/// elsewhere.
fn sample_reliability(sample: &Scored, scores: &[f64]) -> Option<Vec<f64>> {
    let curves = Curves::new(sample);
    let pools: Vec<CurvePiece> = curves.curve(CurveKind::Reliability).ok()?.pieces().collect();
    let (first, last) = (pools.first()?, pools.last()?);
    let mut next = 0;
    let probability = |x: &f64| {
        while next < pools.len() && pools[next].to < *x {
            next += 1;
        }
        match (next.checked_sub(1).map(|before| &pools[before]), pools.get(next)) {
            (_, None) => last.right(),
            (_, Some(pool)) if pool.from <= *x => pool.left(),
            (None, Some(_)) => first.left(),
            (Some(before), Some(after)) => {
                let share = (x - before.to) / (after.from - before.to);
                before.right() + share * (after.left() - before.right())
            }
        }
    };
    Some(scores.iter().map(probability).collect())
}

/// Draws samples of the rows of scored data.
struct RowSampler {
    /// The ties on the scale of the input.
    ties: Vec<Tie>,
    direction: ScoreDirection,
    rows: f64,
}

impl RowSampler {
    fn new(data: &Scored) -> RowSampler {
        let direction = if data.is_reversed() { ScoreDirection::TowardClass0 } else { ScoreDirection::TowardClass1 };
        RowSampler { ties: data.ties_on_input_scale().collect(), direction, rows: data.totals().iter().sum() }
    }

    /// A sample of as many rows, or as many of each class if it is stratified, drawn with replacement; `None` if it lacks a class.
    fn sample(&self, stratified: bool, generator: &mut ChaCha8Rng) -> Option<Scored> {
        let drawn: Vec<Tie> = if stratified {
            let counts = [0, 1].map(|class| {
                let weight: f64 = self.ties.iter().map(|tie| tie.mass[class]).sum();
                let mut draws = MultinomialDraws { generator, draws: weight as u64, weight };
                self.ties.iter().map(|tie| draws.next(tie.mass[class]) as f64).collect::<Vec<f64>>()
            });
            let mass = |k: usize| [counts[0][k], counts[1][k]];
            self.ties.iter().enumerate().map(|(k, tie)| Tie { x: tie.x, mass: mass(k) }).collect()
        } else {
            let mut draws = MultinomialDraws { generator, draws: self.rows as u64, weight: self.rows };
            self.ties.iter().map(|tie| Tie { x: tie.x, mass: tie.mass.map(|mass| draws.next(mass) as f64) }).collect()
        };
        Scored::directed_groups(self.direction, &drawn).ok()
    }

    /// A sample of scores as many as there are, with classes drawn from them as probabilities; `None` if it lacks a class.
    fn calibrated(&self, generator: &mut ChaCha8Rng) -> Option<Scored> {
        let (mut remaining_rows, mut remaining_weight) = (self.rows as u64, self.rows);
        let mut drawn = Vec::with_capacity(self.ties.len());
        for tie in &self.ties {
            let weight = tie.mass[0] + tie.mass[1];
            let mut draws = MultinomialDraws { generator, draws: remaining_rows, weight: remaining_weight };
            let count = draws.next(weight);
            remaining_rows -= count;
            remaining_weight -= weight;
            let indicated = Binomial::new(count, tie.x).map_or(0, |binomial| binomial.sample(generator)).min(count);
            let [indicated, other] = [indicated, count - indicated].map(|rows| rows as f64);
            let mass =
                if self.direction == ScoreDirection::TowardClass1 { [other, indicated] } else { [indicated, other] };
            drawn.push(Tie { x: tie.x, mass });
        }
        Scored::directed_groups(self.direction, &drawn).ok()
    }

    /// Scores of the data in growing order, evenly spaced by rank, at most [`MOST_SCORES`].
    fn some_scores(&self) -> Vec<f64> {
        let mut scores: Vec<f64> = self.ties.iter().map(|tie| tie.x).collect();
        scores.sort_unstable_by(f64::total_cmp);
        if scores.len() <= MOST_SCORES {
            return scores;
        }
        let last = scores.len() - 1;
        (0..MOST_SCORES).map(|k| scores[k * last / (MOST_SCORES - 1)]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rocproof_engine::functional::Condition;

    /// Rows whose labels have the probability of their score, by a low-discrepancy sequence in place of a generator.
    fn calibrated_rows(rows: usize) -> Scored {
        let scores: Vec<f64> = (0..rows).map(|k| (k as f64 + 0.5) / rows as f64).collect();
        let is_1: Vec<bool> =
            scores.iter().enumerate().map(|(k, x)| (k as f64 * 0.618_033_988_749_895).fract() < *x).collect();
        Scored::from_rows(&scores, &is_1, None).unwrap()
    }

    const PLAN: Bootstrap = Bootstrap { replicates: 200, seed: 3, level: 0.9, stratified: false };

    /// `F0` at a fixed `F1` varies at least as a binomial share of the rows of class 0 does.
    #[test]
    fn bands_of_roc_curves_are_as_wide_as_shares() {
        let data = calibrated_rows(400);
        let curves = Curves::new(&data);
        let band = curves.band(CurveKind::Roc, &PLAN).unwrap();
        let roc = curves.curve(CurveKind::Roc).unwrap();
        for point in band.points.iter().filter(|point| (0.05..0.6).contains(&point.x)) {
            let value = roc.limits(point.x).value.unwrap();
            assert!(point.low <= value && value <= point.high, "{point:?} {value}");
            let deviation = (value * (1.0 - value) / 200.0).sqrt();
            // Of a normal variable 90 % lie within 1.645 deviations.
            let width = (point.high - point.low) / 2.0 / 1.645;
            assert!(width > 0.7 * deviation && width < 3.0 * deviation, "{point:?}: {width} {deviation}");
        }
    }

    /// Calibrated scores lie within the consistency band nearly everywhere; scores that are too extreme do not.
    #[test]
    fn consistency_bands_tell_calibrated_scores() {
        let outside = |data: &Scored| {
            let curves = Curves::new(data);
            let band = curves.band(CurveKind::Reliability, &PLAN).unwrap();
            let reliability = curves.curve(CurveKind::Reliability).unwrap();
            let is_outside = |point: &&BandPoint| {
                let value = reliability.limits(point.x).value.unwrap();
                value < point.low || value > point.high
            };
            band.points.iter().filter(is_outside).count() as f64 / band.points.len() as f64
        };
        let data = calibrated_rows(500);
        assert!(outside(&data) < 0.1, "{}", outside(&data));
        let extreme: Vec<Tie> = data.ties().map(|tie| Tie { x: tie.x.powi(3), mass: tie.mass }).collect();
        assert!(outside(&Scored::from_groups(&extreme).unwrap()) > 0.5);
    }

    /// The optimal loss is too low on the rows that its hull is fitted to: its band lies above the curve on the whole, and ends at zero where
    /// the curve does.
    #[test]
    fn bands_of_the_hull_are_corrected() {
        let data = calibrated_rows(200);
        let curves = Curves::new(&data);
        let kind = CurveKind::Loss(Method::Optimal, Condition::Cost);
        let band = curves.band(kind, &PLAN).unwrap();
        assert_eq!(band.method, BandMethod::Smoothed);
        let curve = curves.curve(kind).unwrap();
        let above: f64 =
            band.points.iter().map(|point| (point.low + point.high) / 2.0 - curve.limits(point.x).value.unwrap()).sum();
        assert!(above > 0.0, "{above}");
        assert!(band.points[0].high < 1e-12 && band.points[STEPS].high < 1e-12);
    }
}
