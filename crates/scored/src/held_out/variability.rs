//! The threshold that a method chooses on all rows, and how it varies over samples of them.

use super::training::{Cut, CutLosses, Training};
use super::{LossAt, fixed_rate};
use crate::operating_point::OperatingPoint;
use crate::paired::{Paired, Units};
use crate::resample::{draw_counts, draw_rows, generator};
use crate::scored::Scored;
use crate::spread::mean_and_deviation;
use rayon::prelude::*;
use rocproof_arith::rational::to_f64;
use rocproof_engine::functional::{Method, Thresholds};

/// The threshold to deploy, on the scale of the input.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DeployedThreshold {
    /// The threshold.
    pub threshold: f64,
    /// The share of the rows at the threshold that are predicted positive: 1 unless a tie is split.
    pub share: f64,
    /// The quantiles of the thresholds that samples of rows choose. `None` if the threshold does not depend on rows, or no samples were drawn.
    pub interval: Option<(f64, f64)>,
    /// The number of samples.
    pub samples: usize,
}

/// The threshold that a method chooses at a condition on all rows of the `m`-th model, with its quantiles over `samples` samples of rows.
///
/// `None` for methods that draw thresholds.
pub fn deployed_threshold(
    data: &Paired,
    m: usize,
    method: Method,
    at: &OperatingPoint,
    thresholds: &Thresholds,
    (samples, seed, level): (usize, u64, f64),
) -> Option<DeployedThreshold> {
    let model = data.models().get(m)?;
    let alone = |threshold| Some(DeployedThreshold { threshold, share: 1.0, interval: None, samples: 0 });
    match method {
        Method::ScoreFixed(t) => return alone(t),
        Method::ScoreDriven => return alone(model.driven_threshold(at.value())),
        Method::ScoreUniform | Method::RateUniform => return None,
        Method::RateFixed(_) | Method::RateDriven | Method::Optimal => {}
    }
    let sign = if model.is_reversed() { -1.0 } else { 1.0 };
    let rate = fixed_rate(&thresholds.methods());
    let choose = |training: &Training| -> Cut {
        match method {
            Method::RateFixed(_) => training.cut_at_rate(at.condition(), rate),
            Method::RateDriven => training.cut_at_rate(at.condition(), to_f64(at.value())),
            _ => training.best_cut(at.condition(), at.value()),
        }
    };
    let Cut { key, share } = choose(&Training::of(model));
    let draw = |sample: usize| {
        let training = drawn_training(model, data.units, seed, sample);
        training.has_both_classes().then(|| sign * choose(&training).key)
    };
    let mut drawn: Vec<f64> = (0..samples).into_par_iter().filter_map(draw).collect();
    drawn.sort_unstable_by(f64::total_cmp);
    let tail = (1.0 - level) / 2.0;
    // Thresholds may be infinite: quantiles are thresholds that were chosen, not means of two.
    let quantile = |p: f64| drawn[((p * drawn.len() as f64).ceil() as usize).clamp(1, drawn.len()) - 1];
    let interval = (drawn.len() > 1).then(|| (quantile(tail), quantile(1.0 - tail)));
    Some(DeployedThreshold { threshold: sign * key, share, interval, samples: drawn.len() })
}

/// The number of samples that show how the loss varies with the rows that thresholds are chosen on.
const TRAINING_SAMPLES: usize = 100;
/// With many rows there are fewer samples, so that about this many rows are drawn.
const DRAWN_ROWS: usize = 20_000_000;
/// But there are at least this many samples.
const FEWEST_SAMPLES: usize = 20;

/// For each request and method, twice the variance of the loss over samples of the rows that thresholds are chosen on; 0 for all methods but
/// the optimal, and over a distribution of conditions, where the choices at many conditions average out.
///
/// A mean over rows knows how rows vary, not how the optimal threshold does. Twice, since those of the folds vary, and that to be deployed
/// varies. Rates follow from the rows that pay, and their variation is part of the errors of rows.
pub(super) fn training_variances(
    data: &Paired,
    m: usize,
    loss_at: &[LossAt],
    methods: &[Method],
    seed: u64,
) -> Vec<Vec<f64>> {
    let model = &data.models()[m];
    let all = Training::of(model);
    let at: Vec<Option<&OperatingPoint>> =
        loss_at.iter().map(|loss_at| if let LossAt::At(at) = loss_at { Some(at) } else { None }).collect();
    if at.iter().all(Option::is_none) {
        return vec![vec![0.0; methods.len()]; loss_at.len()];
    }
    let losses: Vec<Option<CutLosses>> =
        at.iter().map(|at| at.map(|at| all.cut_losses(at.condition(), to_f64(at.value())))).collect();
    // Samples that lack a class choose nothing.
    let draw = |sample: usize| -> Option<Vec<f64>> {
        let training = drawn_training(model, data.units, seed, sample);
        let of = |(at, losses): (&Option<&OperatingPoint>, &Option<CutLosses>)| {
            let (Some(at), Some(losses)) = (at, losses) else { return 0.0 };
            losses.of(training.best_cut(at.condition(), at.value()))
        };
        training.has_both_classes().then(|| at.iter().zip(&losses).map(of).collect())
    };
    let samples = (DRAWN_ROWS / data.rows.max(1)).clamp(FEWEST_SAMPLES, TRAINING_SAMPLES);
    let drawn: Vec<Vec<f64>> = (0..samples).into_par_iter().filter_map(draw).collect();
    let variance = |request: usize| {
        let losses: Vec<f64> = drawn.iter().map(|losses| losses[request]).collect();
        if losses.len() < 2 { 0.0 } else { 2.0 * mean_and_deviation(&losses).1.powi(2) }
    };
    let of_request = |request: usize| {
        let variance = variance(request);
        methods.iter().map(|method| if *method == Method::Optimal { variance } else { 0.0 }).collect()
    };
    (0..loss_at.len()).map(of_request).collect()
}

/// A sample of as many rows, drawn with replacement.
fn drawn_training(model: &Scored, units: Units, seed: u64, sample: usize) -> Training {
    let mut generator = generator(seed, sample);
    let counts: Vec<f64> = match units {
        Units::Counts => {
            let mut counts = vec![0.0; model.rows()];
            draw_counts(&mut generator, model, &mut counts);
            counts
        }
        Units::Rows => {
            let mut counts = vec![0; model.rows()];
            draw_rows(&mut generator, &mut counts);
            counts.into_iter().enumerate().map(|(row, count)| f64::from(count) * model.weight(row)).collect()
        }
    };
    let sign = if model.is_reversed() { -1.0 } else { 1.0 };
    let ties = model.ties_on_input_scale().zip(model.tied_rows());
    Training::new(ties.map(|(tie, (rows, _))| (sign * tie.x, rows.map(|rows| rows.map(|row| counts[row]).sum()))))
}
