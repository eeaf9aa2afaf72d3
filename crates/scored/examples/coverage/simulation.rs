//! Samples from known distributions, and how often their intervals hold the truth.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rand_distr::{Beta, Distribution};
use rayon::prelude::*;
use rocproof_arith::rational::to_f64;
use rocproof_engine::functional::{Condition, Cost, Evaluation, Method, Thresholds, Value};
use rocproof_scored::{
    Bootstrap, ChosenOn, DeLong, LossAt, MetricOrLoss, OperatingPoint, Paired, ScoreDirection, Scored, Spread,
    best_spreads, deployed_threshold, evaluate_scored, losses_out_of_sample,
};

/// A distribution of rows: scores of both classes are beta variables, and a second model adds noise to their logits.
#[derive(Clone, Copy)]
pub struct Population {
    /// The name in the table.
    pub name: &'static str,
    /// The parameters of the scores of class 0 and of class 1.
    pub beta: [[f64; 2]; 2],
    /// The share of class 0.
    pub pi0: f64,
    /// Scores are rounded to multiples of one over this; 0 if they are not rounded.
    pub steps: f64,
}

/// The metrics and losses of the table: with the prefix `L` over cost proportions, with `Lz` over skews.
pub const QUANTITIES: [&str; 13] =
    ["AUC", "BS", "MCB", "DSC", "H", "AUCH", "KS", "Acc(1/2)", "MAcc(1/2)", "L[o]", "L[rf(1/2)]", "L[rd]", "Lz[sd]"];

/// The operating condition of the losses out of sample.
pub const CONDITION: &str = "c=0.2";

/// The methods whose losses out of sample are in the table: at the rate 1/2, at the rate `c`, optimal.
pub const METHODS: [Method; 3] = [Method::RateFixed(0.5), Method::RateDriven, Method::Optimal];

/// The number of columns: the quantities, and the losses out of sample.
pub const COLUMNS: usize = QUANTITIES.len() + METHODS.len();

/// The standard deviation of the noise of the second model.
const NOISE: f64 = 0.75;

/// The cells into which scores are put for the truth: so coarse that the hull of these rows has no bias, so fine that nothing is lost.
const TRUTH_CELLS: f64 = 400.0;

/// Rows: the scores of two models, and whether a row is of class 1.
type Rows = ([Vec<f64>; 2], Vec<bool>);

/// The value of a metric or loss of the table.
fn value(evaluation: &Evaluation, name: &str) -> f64 {
    let loss = |condition: Condition, name: &str| {
        evaluation.losses(condition).find(|(method, _)| method.name() == name).map(|(_, value)| value.clone())
    };
    let found = match name.strip_suffix(']') {
        Some(loss_name) => match loss_name.split_once('[') {
            Some(("L", method)) => loss(Condition::Cost, method),
            Some((_, method)) => loss(Condition::Skew, method),
            None => None,
        },
        None => {
            evaluation.metrics().find(|(metric, _)| evaluation.thresholds.label(metric) == name).map(|(_, v)| v.clone())
        }
    };
    found.as_ref().and_then(Value::estimate).map_or(f64::NAN, |estimate| estimate.value)
}

/// What is true in a population.
pub struct Truth {
    /// For each model, the values of [`QUANTITIES`].
    values: [Vec<f64>; 2],
    /// For each model, the sorted scores of each class.
    scores: [[Vec<f64>; 2]; 2],
    pi0: f64,
}

impl Truth {
    /// The loss of a threshold at the condition.
    fn loss_of(&self, model: usize, threshold: f64, c: f64) -> f64 {
        let [zeros, ones] = &self.scores[model];
        let share = |scores: &[f64]| scores.partition_point(|score| *score <= threshold) as f64 / scores.len() as f64;
        2.0 * (c * self.pi0 * (1.0 - share(zeros)) + (1.0 - c) * (1.0 - self.pi0) * share(ones))
    }

    /// The loss of the threshold at a rate, at the condition. Ties are split.
    fn loss_at_rate(&self, model: usize, rate: f64, c: f64) -> f64 {
        let [zeros, ones] = &self.scores[model];
        let share = |scores: &[f64], at: f64| scores.partition_point(|score| *score <= at) as f64 / scores.len() as f64;
        let rate_at = |at: f64| self.pi0 * share(zeros, at) + (1.0 - self.pi0) * share(ones, at);
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..60 {
            let middle = (low + high) / 2.0;
            if rate_at(middle) < rate { low = middle } else { high = middle }
        }
        let (below, above) = (rate_at(low), rate_at(high));
        let split = if above > below { (rate - below) / (above - below) } else { 0.0 };
        (1.0 - split) * self.loss_of(model, low, c) + split * self.loss_of(model, high, c)
    }
}

impl Population {
    /// Rows of the population.
    pub fn draw(&self, rows: usize, generator: &mut ChaCha8Rng) -> Rows {
        let betas = self.beta.map(|[a, b]| Beta::new(a, b).expect("the parameters are positive"));
        let round = |x: f64| if self.steps > 0.0 { (x * self.steps).round() / self.steps } else { x };
        let (mut scores, mut is_1) = ([Vec::new(), Vec::new()], Vec::new());
        for _ in 0..rows {
            let class = usize::from(generator.random::<f64>() >= self.pi0);
            let x: f64 = betas[class].sample(generator).clamp(1e-12, 1.0 - 1e-12);
            // The sum of twelve uniform variables is close to normal, with the variance 1.
            let noise = (0..12).map(|_| generator.random::<f64>()).sum::<f64>() - 6.0;
            let noisy = 1.0 / (1.0 + (-(x / (1.0 - x)).ln() - NOISE * noise).exp());
            scores[0].push(round(x));
            scores[1].push(round(noisy));
            is_1.push(class == 1);
        }
        (scores, is_1)
    }

    /// The true values of both models, from so many rows.
    pub fn truth(&self, rows: usize) -> Truth {
        let (columns, is_1) = self.draw(rows, &mut ChaCha8Rng::seed_from_u64(1));
        let values = columns.each_ref().map(|scores| {
            let cell = |x: &f64| ((x * TRUTH_CELLS).floor() + 0.5) / TRUTH_CELLS;
            let coarse: Vec<f64> = if self.steps > 0.0 { scores.clone() } else { scores.iter().map(cell).collect() };
            let evaluate = |scores: &[f64]| {
                let data = Scored::from_rows(scores, &is_1, None).expect("scores are finite");
                evaluate_scored(&data, &Cost::uniform(), &Thresholds::default())
            };
            let (fine, coarse) = (evaluate(scores), evaluate(&coarse));
            let recalibrated = value(&coarse, "RL_conv");
            let of = |name: &str| match name {
                "L[o]" => recalibrated,
                "MCB" => (value(&fine, "BS") - recalibrated).max(0.0),
                "DSC" => self.pi0 * (1.0 - self.pi0) - recalibrated,
                "H" | "AUCH" | "KS" => value(&coarse, name),
                name => value(&fine, name),
            };
            QUANTITIES.map(of).to_vec()
        });
        let scores = columns.map(|scores| {
            [false, true].map(|class| {
                let of_class = scores.iter().zip(&is_1).filter(|(_, is_1)| **is_1 == class);
                let mut sorted: Vec<f64> = of_class.map(|(score, _)| *score).collect();
                sorted.sort_unstable_by(f64::total_cmp);
                sorted
            })
        });
        Truth { values, scores, pi0: self.pi0 }
    }
}

/// An interval and what it is to hold.
pub type Found = (Spread, f64);

/// The intervals of one sample: those of both models, and those of their difference, by column.
pub fn intervals(population: &Population, truth: &Truth, rows: usize, sample: usize) -> Option<[Vec<Found>; 3]> {
    let mut generator = ChaCha8Rng::seed_from_u64(1000 + sample as u64);
    let ([one, other], is_1) = population.draw(rows, &mut generator);
    let plan = Bootstrap { replicates: 200, seed: sample as u64, ..Bootstrap::default() };
    let data = Paired::new(&[&one, &other], &[ScoreDirection::TowardClass1; 2], &is_1, None).ok()?;
    let (cost, thresholds) = (Cost::uniform(), Thresholds::default());
    let evaluations: Vec<Evaluation> =
        data.models().iter().map(|model| evaluate_scored(model, &cost, &thresholds)).collect();
    let delong = DeLong::new(&data).ok();
    let spreads = best_spreads(&data, &evaluations, &cost, &thresholds, (&plan, delong.as_ref()), || ());
    let place = |name: &str| {
        spreads.quantities.iter().position(|quantity| {
            let label = quantity.label(&thresholds);
            match quantity {
                MetricOrLoss::Loss(Condition::Cost, _) => format!("L[{label}]") == name,
                MetricOrLoss::Loss(Condition::Skew, _) => format!("Lz[{label}]") == name,
                _ => label == name,
            }
        })
    };
    let mut found = [Vec::new(), Vec::new(), Vec::new()];
    for (k, name) in QUANTITIES.iter().enumerate() {
        let place = place(name)?;
        let truths = [truth.values[0][k], truth.values[1][k]];
        found[0].push((spreads.models[0][place]?, truths[0]));
        found[1].push((spreads.models[1][place]?, truths[1]));
        found[2].push((spreads.differences[0].2[place]?, truths[0] - truths[1]));
    }
    let at = OperatingPoint::parse(CONDITION).ok()?;
    let c = to_f64(at.value());
    let loss_at = [LossAt::At(at.clone())];
    let seed = ChosenOn::OtherFolds(sample as u64);
    let out = losses_out_of_sample(&data, seed, &loss_at, &cost, &thresholds, 0.95).ok()?;
    let losses = &out.losses[0];
    for method in METHODS {
        let j = out.methods.iter().position(|other| *other == method)?;
        let true_loss = |m: usize| match method {
            Method::RateFixed(rate) => Some(truth.loss_at_rate(m, rate, c)),
            Method::RateDriven => Some(truth.loss_at_rate(m, c, c)),
            // The threshold that these rows choose, on new rows.
            _ => {
                let chosen = deployed_threshold(&data, m, method, &at, &thresholds, (0, 1, 0.95))?;
                Some(truth.loss_of(m, chosen.threshold, c))
            }
        };
        let truths = [true_loss(0)?, true_loss(1)?];
        found[0].push((losses.losses[0][j]?, truths[0]));
        found[1].push((losses.losses[1][j]?, truths[1]));
        found[2].push((losses.difference((0, j), (1, j))?, truths[0] - truths[1]));
    }
    Some(found)
}

/// How often intervals held the truth, among those without a caveat and those with one.
#[derive(Clone, Copy, Default)]
pub struct Coverage {
    /// The intervals without a caveat that held the truth, and all of these.
    pub relied_on: [usize; 2],
    /// The intervals with a caveat that held the truth, and all of these.
    pub with_caveat: [usize; 2],
}

impl Coverage {
    /// Counts an interval.
    fn count(&mut self, (spread, truth): &Found) {
        let holds = spread.interval.0 <= truth + 1e-12 && *truth <= spread.interval.1 + 1e-12;
        let counts = if spread.caveat.is_none() { &mut self.relied_on } else { &mut self.with_caveat };
        counts[0] += usize::from(holds);
        counts[1] += 1;
    }
}

/// The coverage of the intervals of both models and of their difference, by column.
pub fn coverage(population: &Population, truth: &Truth, rows: usize, samples: usize) -> [[Coverage; COLUMNS]; 3] {
    let found: Vec<_> =
        (0..samples).into_par_iter().filter_map(|sample| intervals(population, truth, rows, sample)).collect();
    let mut coverage = [[Coverage::default(); COLUMNS]; 3];
    for sample in found {
        for (coverage, column) in coverage.iter_mut().zip(sample) {
            coverage.iter_mut().zip(&column).for_each(|(coverage, found)| coverage.count(found));
        }
    }
    coverage
}
