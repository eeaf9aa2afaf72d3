//! Bootstrap intervals for all metrics and losses, and for differences between models that scored the same rows.

use super::chain::{RowWeights, Weights};
use super::delong::DeLong;
use super::formulas::{Formulas, formula_spreads};
use super::interval::combine_difference;
use super::paired::{Paired, Units};
use super::quantity::{MetricOrLoss, Variation, quantities};
use super::resample::{Strata, draw_counts, draw_rows, generator, permutation_generator, smooth_generator};
use super::sample_size::SampleSize;
use super::scored::Scored;
use super::smoothed::{SmoothModel, SmoothedValues};
use super::spread::{
    Caveat, IntervalMethod, NormalScale, Spread, mean_and_deviation, normal_quantile, percentile_spread,
};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use rocproof_engine::functional::{Condition, Cost, Definition, Evaluation, Thresholds, Value};

/// A sample that lacks a class is drawn again at most this many times.
const MOST_REDRAWN: usize = 1000;

/// The parameters of a bootstrap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bootstrap {
    /// The number of samples.
    pub replicates: usize,
    /// The seed of the generator. Equal seeds give equal intervals, on any number of cores.
    pub seed: u64,
    /// The coverage that intervals aim at: of many data sets from one distribution, the share whose interval holds the truth.
    pub level: f64,
    /// Whether samples have as many rows of each class as the data. Otherwise class proportions vary, too.
    pub stratified: bool,
}

impl Default for Bootstrap {
    fn default() -> Bootstrap {
        Bootstrap { replicates: 1000, seed: 1, level: 0.95, stratified: false }
    }
}

/// The sampling variation of all metrics and losses.
#[derive(Clone, Debug)]
pub struct Spreads {
    /// The metrics and losses, in the order of the lists below.
    pub quantities: Vec<MetricOrLoss>,
    /// For each model, the spread of each quantity; `None` if it does not apply.
    pub models: Vec<Vec<Option<Spread>>>,
    /// For each pair of models, the spread of the difference of each quantity, first minus second.
    pub differences: Vec<(usize, usize, Vec<Option<Spread>>)>,
    /// The number of samples that were drawn again because they lacked a class.
    pub redrawn: usize,
}

/// Draws samples and evaluates each. `next` is called before each sample.
///
/// A sample has as many rows as the data, drawn with replacement from all rows, so that class proportions vary, too; or if samples are
/// stratified, from the rows of each class as many as it has. The range of scores that are not probabilities stays that of the data.
///
/// ```
/// use rocproof_scored::{Bootstrap, Paired, Scored, Units, bootstrap};
/// use rocproof_engine::{Cost, functional::Thresholds};
/// let scores: Vec<f64> = (0..100).map(|i| f64::from(i) / 100.0).collect();
/// let is_1: Vec<bool> = (0..100).map(|i| i % 7 + i / 20 > 5).collect();
/// let data = Paired::single(Scored::from_rows(&scores, &is_1, None)?, Units::Rows);
/// let plan = Bootstrap { replicates: 100, ..Bootstrap::default() };
/// let spreads = bootstrap(&data, &Cost::uniform(), &Thresholds::default(), &plan, || ());
/// let auc = spreads.models[0][0].unwrap();
/// assert!(auc.interval.0 < auc.value && auc.value < auc.interval.1);
/// # Ok::<(), rocproof_scored::BadScore>(())
/// ```
pub fn bootstrap(
    data: &Paired,
    cost: &Cost,
    thresholds: &Thresholds,
    plan: &Bootstrap,
    next: impl Fn() + Sync,
) -> Spreads {
    let models = data.models();
    let evaluations: Vec<Evaluation> = models.iter().map(|model| model.evaluate(&[], cost, thresholds)).collect();
    let quantities = evaluations.first().map(quantities).unwrap_or_default();
    let data_values: Vec<Vec<f64>> =
        models.iter().zip(&evaluations).map(|(model, e)| values(model, e, uncertainty(model.totals()))).collect();
    let sizes: Vec<SampleSize> = models.iter().map(|model| SampleSize::new(data, model)).collect();
    let smooth_models: Vec<Option<SmoothModel>> =
        models.iter().zip(&sizes).map(|(model, size)| (!size.is_weighted).then(|| SmoothModel::new(model))).collect();
    let strata = plan.stratified.then(|| Strata::new(data));
    let evaluate_replicate = |replicate: usize| {
        // Called before the work: it may unwind to stop the bootstrap.
        next();
        let values = replicate_values(data, cost, thresholds, strata.as_ref(), generator(plan.seed, replicate));
        let no_values = || models.iter().map(|_| vec![f64::NAN; quantities.len()]).collect();
        let (rows, redrawn) = values.unwrap_or_else(|| (no_values(), MOST_REDRAWN));
        let smoothed = |(m, model): (usize, &Option<SmoothModel>)| {
            let mut generator = smooth_generator(plan.seed, replicate, m);
            let sample = |model: &SmoothModel| model.sample(plan.stratified, &mut generator, cost, thresholds);
            model.as_ref().and_then(sample).map(|sample| smoothed_values(&models[m], &sample))
        };
        let smoothed = smooth_models.iter().enumerate().map(smoothed).collect();
        let permuted = |(m, smooth): (usize, &Option<SmoothModel>)| {
            let mut generator = permutation_generator(plan.seed, replicate, m);
            let sample = smooth.as_ref()?.permuted(models[m].totals()[1], &mut generator, cost, thresholds)?;
            Some(smoothed_values(&models[m], &sample))
        };
        let permuted = smooth_models.iter().enumerate().map(permuted).collect();
        Replicate { rows, redrawn, smoothed, permuted }
    };
    let replicates: Vec<Replicate> = (0..plan.replicates).into_par_iter().map(evaluate_replicate).collect();
    let truths: Vec<Option<Vec<f64>>> = smooth_models
        .iter()
        .zip(models)
        .map(|(smooth, model)| Some(smoothed_values(model, &smooth.as_ref()?.truth(cost, thresholds)?)))
        .collect();
    let samples = Samples { quantities, data_values, sizes, replicates, truths, level: plan.level };
    let count = samples.data_values.len();
    let pairs = (0..count).flat_map(|a| (a + 1..count).map(move |b| (a, b)));
    Spreads {
        models: (0..count).map(|m| samples.of_each(|k| samples.spread(m, k))).collect(),
        differences: pairs.map(|(a, b)| (a, b, samples.of_each(|k| samples.difference(a, b, k)))).collect(),
        redrawn: samples.replicates.iter().map(|replicate| replicate.redrawn).sum(),
        quantities: samples.quantities,
    }
}

/// The best intervals that there are: those of [`formula_spreads`] where there is a formula, others by [`bootstrap`]. `evaluations` are those
/// of the models, `next` is called before each sample. Without samples there are formulas only.
pub fn best_spreads(
    data: &Paired,
    evaluations: &[Evaluation],
    cost: &Cost,
    thresholds: &Thresholds,
    (plan, delong): (&Bootstrap, Option<&DeLong>),
    next: impl Fn() + Sync,
) -> Spreads {
    let formulas = Formulas { level: plan.level, is_stratified: plan.stratified };
    let by_formulas = formula_spreads(data, evaluations, cost, delong, formulas);
    if plan.replicates == 0 {
        return by_formulas;
    }
    let mut spreads = bootstrap(data, cost, thresholds, plan, next);
    spreads.use_formulas(&by_formulas);
    spreads
}

/// The values of one replicate.
struct Replicate {
    /// The values of each model in a sample of rows.
    rows: Vec<Vec<f64>>,
    /// The number of samples of rows that lacked a class and were drawn again.
    redrawn: usize,
    /// The values of each model in a sample of its smooth model; `None` if it has none, or the sample lacks a class.
    smoothed: Vec<Option<Vec<f64>>>,
    /// The values of each model with its classes permuted; `None` if rows have weights.
    permuted: Vec<Option<Vec<f64>>>,
}

/// The values of all replicates, and those on the data.
struct Samples {
    quantities: Vec<MetricOrLoss>,
    /// The values of each model on the data.
    data_values: Vec<Vec<f64>>,
    sizes: Vec<SampleSize>,
    replicates: Vec<Replicate>,
    /// The values of each smooth model itself, if there is one.
    truths: Vec<Option<Vec<f64>>>,
    level: f64,
}

impl Samples {
    /// A result for each quantity.
    fn of_each(&self, spread: impl Fn(usize) -> Option<Spread>) -> Vec<Option<Spread>> {
        (0..self.quantities.len()).map(spread).collect()
    }

    /// The values of quantity `k` of model `m` in samples of rows.
    fn of_rows(&self, m: usize, k: usize) -> Vec<f64> {
        self.replicates.iter().map(|replicate| replicate.rows[m][k]).collect()
    }

    /// The truth of quantity `k` in the smooth model of `m`, and the values in its samples; `None` if there are too few.
    fn of_smooth_model(&self, m: usize, k: usize) -> Option<(f64, Vec<f64>)> {
        let truth = self.truths[m].as_ref()?[k];
        let values = self.replicates.iter().filter_map(|replicate| Some(replicate.smoothed[m].as_ref()?[k]));
        let samples: Vec<f64> = values.filter(|value| value.is_finite()).collect();
        (truth.is_finite() && samples.len() >= 2).then_some((truth, samples))
    }

    /// The spread of quantity `k` of model `m`.
    fn spread(&self, m: usize, k: usize) -> Option<Spread> {
        let variation = self.quantities[k].variation();
        let by_rows = percentile_spread(self.data_values[m][k], self.of_rows(m, k), self.level)?;
        let spread = match variation {
            Variation::Hull(scale) => match self.of_smooth_model(m, k) {
                Some((truth, samples)) => self.smoothed_spread(by_rows.value, truth, &samples, scale, m),
                None => self.corrected_spread(by_rows, m, k, scale),
            },
            _ => by_rows,
        };
        let is_zero = variation == Variation::Hull(NormalScale::Plain) && spread.interval.0 == 0.0;
        let caveat = self.sizes[m].caveat_on(variation).or(is_zero.then_some(Caveat::NearZero));
        let chance = match variation {
            Variation::Hull(scale) => self.chance(m, k, scale),
            _ => None,
        };
        Some(Spread { caveat, chance, ..spread })
    }

    /// The p-value of quantity `k` of model `m` against chance: the share of permutations that are at least as good, the data among them.
    fn chance(&self, m: usize, k: usize, scale: NormalScale) -> Option<f64> {
        let value = self.data_values[m][k];
        let is_as_good = |permuted: f64| match scale {
            NormalScale::LogLoss => permuted <= value,
            NormalScale::LogDistanceFromOne => permuted >= value,
            NormalScale::Plain => false,
        };
        let values = self.replicates.iter().filter_map(|replicate| Some(replicate.permuted[m].as_ref()?[k]));
        let values: Vec<f64> = values.filter(|value| value.is_finite()).collect();
        let good = values.iter().filter(|permuted| is_as_good(**permuted)).count();
        (scale != NormalScale::Plain && !values.is_empty()).then(|| (1 + good) as f64 / (1 + values.len()) as f64)
    }

    /// A normal interval on a scale, corrected for the bias of samples of the smooth model.
    fn smoothed_spread(&self, value: f64, truth: f64, samples: &[f64], scale: NormalScale, m: usize) -> Spread {
        // No value of `n` rows comes closer to perfect than `1/n^2`, unless it is perfect.
        let rows = self.sizes[m].rows;
        let least = 0.5 / (rows * rows);
        let places: Vec<f64> = samples.iter().map(|sample| scale.place(*sample, least)).collect();
        let (mean, deviation) = mean_and_deviation(&places);
        let centre = scale.place(value, least) - (mean - scale.place(truth, least));
        let half_width = normal_quantile(self.level) * deviation;
        let (plain_mean, standard_error) = mean_and_deviation(samples);
        let (low, high) = (scale.value(centre - half_width), scale.value(centre + half_width));
        // Scores that separate the classes of all rows always do so for these. However biased the value is, the truth may be the best one.
        let best = scale.best().filter(|best| value == *best);
        let interval = best.map_or((low, high), |best| (low.min(best), high.max(best)));
        Spread {
            value,
            standard_error,
            interval,
            bias: Some(plain_mean - truth),
            chance: None,
            method: IntervalMethod::Smoothed,
            caveat: None,
        }
    }

    /// A normal interval, corrected for the bias of samples of rows.
    fn corrected_spread(&self, by_rows: Spread, m: usize, k: usize, scale: NormalScale) -> Spread {
        let samples: Vec<f64> = self.of_rows(m, k).into_iter().filter(|value| value.is_finite()).collect();
        let (mean, _) = mean_and_deviation(&samples);
        let bias = mean - by_rows.value;
        let half_width = normal_quantile(self.level) * by_rows.standard_error;
        let (low, high) = (by_rows.value - bias - half_width, by_rows.value - bias + half_width);
        let highest = if scale == NormalScale::LogDistanceFromOne { 1.0 } else { f64::INFINITY };
        let best = scale.best().filter(|best| by_rows.value == *best);
        let interval =
            (low.max(0.0).min(best.unwrap_or(f64::INFINITY)), high.clamp(0.0, highest).max(best.unwrap_or(0.0)));
        Spread { interval, bias: Some(bias), method: IntervalMethod::Corrected, ..by_rows }
    }

    /// The spread of the difference of quantity `k`, model `a` minus model `b`.
    fn difference(&self, a: usize, b: usize, k: usize) -> Option<Spread> {
        let variation = self.quantities[k].variation();
        let difference = self.data_values[a][k] - self.data_values[b][k];
        let samples = self.of_rows(a, k).iter().zip(self.of_rows(b, k)).map(|(a, b)| a - b).collect();
        let by_rows = percentile_spread(difference, samples, self.level)?;
        let caveat_on = |m: usize| self.sizes[m].caveat_on_difference(variation);
        let caveat = caveat_on(a).or(caveat_on(b));
        let smoothed = |m: usize, scale: NormalScale| {
            let (truth, samples) = self.of_smooth_model(m, k)?;
            Some(self.smoothed_spread(self.data_values[m][k], truth, &samples, scale, m))
        };
        let of_models = match variation {
            Variation::Hull(scale) => smoothed(a, scale).zip(smoothed(b, scale)),
            _ => None,
        };
        let Some((one, other)) = of_models else { return Some(Spread { caveat, ..by_rows }) };
        let (bias, method) = (one.bias.zip(other.bias).map(|(a, b)| a - b), IntervalMethod::PairedCorrected);
        if variation == Variation::Hull(NormalScale::Plain) {
            // The intervals of parts of the Brier score end at 0, which those of their differences do not.
            let centre = difference - bias.unwrap_or(0.0);
            let half_width = normal_quantile(self.level) * by_rows.standard_error;
            let interval = (centre - half_width, centre + half_width);
            return Some(Spread { interval, bias, method, caveat, ..by_rows });
        }
        // Each side as by itself; that they are paired shows in samples of rows.
        let corrected = |spread: Spread| (spread.value - spread.bias.unwrap_or(0.0), spread.interval);
        let correlation = correlation(&self.of_rows(a, k), &self.of_rows(b, k));
        let [s, t] = [one, other].map(|spread| spread.standard_error);
        Some(Spread {
            value: difference,
            standard_error: (s * s + t * t - 2.0 * correlation * s * t).max(0.0).sqrt(),
            interval: combine_difference(corrected(one), corrected(other), correlation),
            bias,
            chance: None,
            method,
            caveat,
        })
    }
}

/// The correlation of the values of two models in the same samples; 0 if one of them does not vary.
fn correlation(one: &[f64], other: &[f64]) -> f64 {
    let pairs: Vec<(f64, f64)> =
        one.iter().copied().zip(other.iter().copied()).filter(|(a, b)| a.is_finite() && b.is_finite()).collect();
    let n = pairs.len() as f64;
    let (x, y) = pairs.iter().fold((0.0, 0.0), |(x, y), (a, b)| (x + a / n, y + b / n));
    let products = pairs
        .iter()
        .fold([0.0; 3], |[xx, xy, yy], (a, b)| [xx + (a - x).powi(2), xy + (a - x) * (b - y), yy + (b - y).powi(2)]);
    let correlation = products[1] / (products[0] * products[2]).sqrt();
    if correlation.is_finite() { correlation.clamp(-1.0, 1.0) } else { 0.0 }
}

/// The values of each model in one sample, and the number of redraws; `None` if every redraw lacked a class.
fn replicate_values(
    data: &Paired,
    cost: &Cost,
    thresholds: &Thresholds,
    strata: Option<&Strata>,
    mut generator: ChaCha8Rng,
) -> Option<(Vec<Vec<f64>>, usize)> {
    if let (Units::Counts, [model]) = (data.units, data.models()) {
        let mut counts = vec![0.0; data.rows];
        return (0..MOST_REDRAWN).find_map(|redrawn| {
            match strata {
                Some(strata) => strata.draw_counts(&mut generator, model, &mut counts),
                None => draw_counts(&mut generator, model, &mut counts),
            }
            let (evaluation, totals) = model.evaluate_reweighted(RowWeights::<true>(&counts), cost, thresholds)?;
            Some((vec![values(model, &evaluation, uncertainty(totals))], redrawn))
        });
    }
    let mut counts = vec![0; data.rows];
    (0..MOST_REDRAWN).find_map(|redrawn| {
        match strata {
            Some(strata) => strata.draw_rows(&mut generator, &mut counts),
            None => draw_rows(&mut generator, &mut counts),
        }
        let model_values = |m: usize| {
            let model = &data.models()[m];
            let drawn = DrawCounts { counts: &counts, order: data.orders.as_ref().map(|orders| orders[m].as_slice()) };
            let evaluation = match model.weights() {
                Some(weights) => model.evaluate_reweighted(WeightedDraws { drawn, weights }, cost, thresholds),
                None => model.evaluate_reweighted(drawn, cost, thresholds),
            };
            evaluation.map(|(evaluation, totals)| values(model, &evaluation, uncertainty(totals)))
        };
        let all_values: Option<Vec<Vec<f64>>> = (0..data.models().len()).map(model_values).collect();
        Some((all_values?, redrawn))
    })
}

/// The number of times that each row was drawn, as weights.
#[derive(Clone, Copy)]
struct DrawCounts<'a> {
    counts: &'a [u32],
    /// The input row of each sorted row; `None` if counts are in sorted order.
    order: Option<&'a [u32]>,
}

impl Weights for DrawCounts<'_> {
    #[inline]
    fn of(&self, row: usize) -> f64 {
        f64::from(self.counts[self.order.map_or(row, |order| order[row] as usize)])
    }
    const WHOLE: bool = true;
}

/// The number of times that each row was drawn, times its weight.
#[derive(Clone, Copy)]
struct WeightedDraws<'a> {
    drawn: DrawCounts<'a>,
    weights: &'a [f64],
}

impl Weights for WeightedDraws<'_> {
    #[inline]
    fn of(&self, row: usize) -> f64 {
        self.drawn.of(row) * self.weights[row]
    }
    const WHOLE: bool = false;
}

/// `MCB`, `DSC` and `UNC`.
fn corp_values(brier_score: f64, recalibrated: f64, uncertainty: f64) -> [f64; 3] {
    [brier_score - recalibrated, uncertainty - recalibrated, uncertainty]
}

/// `π0 π1`.
fn uncertainty([n0, n1]: [f64; 2]) -> f64 {
    n0 / (n0 + n1) * (n1 / (n0 + n1))
}

/// The values of a sample of a smooth model, in the order of [`quantities`]. Only those that depend on ranks alone are those of the sample,
/// and the parts of the Brier score.
fn smoothed_values(model: &Scored, sample: &SmoothedValues) -> Vec<f64> {
    let mut values = values(model, &sample.by_rank, uncertainty(sample.totals));
    let recalibrated = sample.by_rank.metric("RL_conv").and_then(Value::estimate).map_or(f64::NAN, |v| v.value);
    // The Brier score of ranks is not that of the scores.
    let parts = corp_values(sample.brier_score, recalibrated, uncertainty(sample.totals));
    let first_part = values.len() - parts.len();
    values[first_part..].copy_from_slice(&parts);
    values
}

/// The values in the order of [`quantities`], NaN for missing ones; mean scores are on the scale of the input.
fn values(model: &Scored, evaluation: &Evaluation, uncertainty: f64) -> Vec<f64> {
    let value = |value: &Value| value.estimate().map_or(f64::NAN, |estimate| estimate.value);
    let losses = evaluation.losses(Condition::Cost).chain(evaluation.losses(Condition::Skew));
    let on_input_scale = |definition: &Definition, x: f64| match definition.mean_of.is_some() {
        true => model.input_mean(x),
        false => x,
    };
    let metrics = evaluation.metrics().map(|(definition, v)| on_input_scale(definition, value(v)));
    let metric = |name: &str| evaluation.metric(name).map_or(f64::NAN, value);
    let parts = corp_values(metric("BS"), metric("RL_conv"), uncertainty);
    metrics.chain(losses.map(|(_, v)| value(v))).chain(parts).collect()
}
