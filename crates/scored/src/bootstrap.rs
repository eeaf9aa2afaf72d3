//! Bootstrap intervals for all metrics and losses, and for differences between models that scored the same rows.

use super::chain::{RowWeights, Weights};
use super::paired::{Paired, Units};
use super::resample::{draw_counts, draw_rows, generator};
use super::scored::Scored;
use rayon::prelude::*;
use rocproof_engine::functional::{Condition, Cost, Definition, Evaluation, Method, Thresholds, Value};

/// A sample that lacks a class is drawn again at most this many times.
const MOST_REDRAWN: usize = 1000;

/// The parameters of a bootstrap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bootstrap {
    /// The number of samples.
    pub replicates: usize,
    /// The seed of the generator. Equal seeds give equal intervals, on any number of cores.
    pub seed: u64,
    /// The share of the samples that an interval covers.
    pub level: f64,
}

impl Default for Bootstrap {
    fn default() -> Bootstrap {
        Bootstrap { replicates: 1000, seed: 1, level: 0.95 }
    }
}

/// A value with its sampling variation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// The value on the data.
    pub value: f64,
    /// The standard deviation over samples.
    pub standard_error: f64,
    /// The percentile interval of the requested level.
    pub interval: (f64, f64),
}

/// A metric or an expected loss.
#[derive(Clone, Debug, PartialEq)]
pub enum MetricOrLoss {
    /// A metric.
    Metric(Definition),
    /// The expected loss of a threshold choice method.
    Loss(Condition, Method),
}

impl MetricOrLoss {
    /// The name, with the parameter of a fixed method.
    pub fn label(&self, thresholds: &Thresholds) -> String {
        match self {
            MetricOrLoss::Metric(definition) => thresholds.label(definition),
            MetricOrLoss::Loss(_, method) => method.name(),
        }
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
/// A sample has as many rows as the data, drawn with replacement from all rows; so class proportions vary, too. The range of scores that
/// are not probabilities stays that of the data.
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
    let evaluations: Vec<Evaluation> =
        data.models().iter().map(|model| model.evaluate(&[], cost, thresholds)).collect();
    let quantities = evaluations.first().map(quantities).unwrap_or_default();
    let evaluate_replicate = |replicate: usize| {
        // Called before the work: it may unwind to stop the bootstrap.
        next();
        let values = replicate_values(data, cost, thresholds, plan.seed, replicate);
        let no_values = || data.models().iter().map(|_| vec![f64::NAN; quantities.len()]).collect();
        values.unwrap_or_else(|| (no_values(), MOST_REDRAWN))
    };
    // For each sample, the values of each model and the number of redraws.
    let samples: Vec<(Vec<Vec<f64>>, usize)> = (0..plan.replicates).into_par_iter().map(evaluate_replicate).collect();
    let data_values: Vec<Vec<f64>> =
        data.models().iter().zip(&evaluations).map(|(model, evaluation)| values(model, evaluation)).collect();
    // The spread of each quantity; `read` reads the quantity of an index from the values of all models.
    let spreads_of = |read: &dyn Fn(&[Vec<f64>], usize) -> f64| -> Vec<Option<Spread>> {
        let spread_of = |k: usize| {
            let sampled = samples.iter().map(|(sample, _)| read(sample, k)).collect();
            spread(read(&data_values, k), sampled, plan.level)
        };
        (0..quantities.len()).map(spread_of).collect()
    };
    let models = (0..data_values.len()).map(|m| spreads_of(&|sample, k| sample[m][k])).collect();
    let pairs = (0..data_values.len()).flat_map(|a| (a + 1..data_values.len()).map(move |b| (a, b)));
    let differences = pairs.map(|(a, b)| (a, b, spreads_of(&|sample, k| sample[a][k] - sample[b][k]))).collect();
    Spreads { models, differences, redrawn: samples.iter().map(|(_, redrawn)| redrawn).sum(), quantities }
}

/// The values of each model in one sample, and the number of redraws; `None` if every redraw lacked a class.
fn replicate_values(
    data: &Paired,
    cost: &Cost,
    thresholds: &Thresholds,
    seed: u64,
    replicate: usize,
) -> Option<(Vec<Vec<f64>>, usize)> {
    let mut generator = generator(seed, replicate);
    if let (Units::Counts, [model]) = (data.units, data.models()) {
        let mut counts = vec![0.0; data.rows];
        return (0..MOST_REDRAWN).find_map(|redrawn| {
            draw_counts(&mut generator, model, &mut counts);
            let evaluation = model.evaluate_reweighted(RowWeights::<true>(&counts), cost, thresholds)?;
            Some((vec![values(model, &evaluation)], redrawn))
        });
    }
    let mut counts = vec![0; data.rows];
    (0..MOST_REDRAWN).find_map(|redrawn| {
        draw_rows(&mut generator, &mut counts);
        let model_values = |m: usize| {
            let model = &data.models()[m];
            let drawn = DrawCounts { counts: &counts, order: data.orders.as_ref().map(|orders| orders[m].as_slice()) };
            let evaluation = match model.weights() {
                Some(weights) => model.evaluate_reweighted(WeightedDraws { drawn, weights }, cost, thresholds),
                None => model.evaluate_reweighted(drawn, cost, thresholds),
            };
            evaluation.map(|evaluation| values(model, &evaluation))
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

/// The metrics and losses of an evaluation.
fn quantities(evaluation: &Evaluation) -> Vec<MetricOrLoss> {
    let metrics = evaluation.metrics().map(|(definition, _)| MetricOrLoss::Metric(*definition));
    let cost = evaluation.losses(Condition::Cost).map(|(method, _)| MetricOrLoss::Loss(Condition::Cost, method));
    let skew = evaluation.losses(Condition::Skew).map(|(method, _)| MetricOrLoss::Loss(Condition::Skew, method));
    metrics.chain(cost).chain(skew).collect()
}

/// The values in the order of [`quantities`], NaN for missing ones; mean scores are on the scale of the input.
fn values(model: &Scored, evaluation: &Evaluation) -> Vec<f64> {
    let value = |value: &Value| value.estimate().map_or(f64::NAN, |estimate| estimate.value);
    let losses = evaluation.losses(Condition::Cost).chain(evaluation.losses(Condition::Skew));
    let on_input_scale = |definition: &Definition, x: f64| match definition.mean_of.is_some() {
        true => model.input_mean(x),
        false => x,
    };
    let metrics = evaluation.metrics().map(|(definition, v)| on_input_scale(definition, value(v)));
    metrics.chain(losses.map(|(_, v)| value(v))).collect()
}

/// The spread of a value over samples; `None` if the value is missing, or fewer than two samples have one.
fn spread(value: f64, mut samples: Vec<f64>, level: f64) -> Option<Spread> {
    samples.retain(|sample| sample.is_finite());
    if !value.is_finite() || samples.len() < 2 {
        return None;
    }
    samples.sort_unstable_by(f64::total_cmp);
    let n = samples.len() as f64;
    let mean = samples.iter().sum::<f64>() / n;
    let variance = samples.iter().map(|sample| (sample - mean).powi(2)).sum::<f64>() / (n - 1.0);
    let tail = (1.0 - level) / 2.0;
    let interval = (percentile(&samples, tail), percentile(&samples, 1.0 - tail));
    Some(Spread { value, standard_error: variance.sqrt(), interval })
}

/// The `p`-quantile of sorted samples by linear interpolation (definition 7 of Hyndman and Fan).
fn percentile(sorted: &[f64], p: f64) -> f64 {
    let position = p * (sorted.len() - 1) as f64;
    let (below, above) = (sorted[position.floor() as usize], sorted[position.ceil() as usize]);
    below + (position - position.floor()) * (above - below)
}
