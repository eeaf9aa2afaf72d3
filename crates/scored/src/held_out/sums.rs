//! Losses summed over batches of rows: their means, with standard errors and differences.

use super::LossAt;
use super::units::ModelUnits;
use crate::spread::{Caveat, IntervalMethod, Spread, normal_quantile};
use rocproof_engine::functional::Condition;

/// For each batch of rows the weight of each class, and the weighted losses of each class in several columns.
pub(super) struct BatchSums {
    weights: Vec<[f64; 2]>,
    /// The losses of the columns of the first batch, then of the next.
    losses: Vec<[f64; 2]>,
    columns: usize,
    /// The number of rows of each class.
    counts: [usize; 2],
}

impl BatchSums {
    /// No losses yet.
    pub(super) fn new(units: &ModelUnits, columns: usize) -> BatchSums {
        let mut weights = vec![[0.0; 2]; units.batches()];
        for unit in 0..units.len() {
            weights[units.batch(unit)][usize::from(units.class[unit])] += units.weight(unit);
        }
        BatchSums { losses: vec![[0.0; 2]; weights.len() * columns], weights, columns, counts: units.counts() }
    }

    /// Adds the losses of a row.
    pub(super) fn add(&mut self, units: &ModelUnits, unit: usize, losses: &[f64]) {
        let (class, weight) = (usize::from(units.class[unit]), units.weight(unit));
        let start = units.batch(unit) * self.columns;
        for (sum, loss) in self.losses[start..].iter_mut().zip(losses) {
            sum[class] += weight * loss;
        }
    }

    /// Divides all losses by a number.
    pub(super) fn divide(&mut self, by: f64) {
        self.losses.iter_mut().flatten().for_each(|loss| *loss /= by);
    }

    /// The mean loss of a column, and the share of each batch in its error.
    fn mean_and_errors(&self, column: usize, condition: Condition) -> (f64, Vec<f64>) {
        let of_column = || self.losses.iter().skip(column).step_by(self.columns);
        let add = |a: [f64; 2], b: &[f64; 2]| [a[0] + b[0], a[1] + b[1]];
        let totals = self.weights.iter().fold([0.0; 2], add);
        let sums = of_column().fold([0.0; 2], add);
        let batches = self.weights.len() as f64;
        match condition {
            Condition::Cost => {
                let total = totals[0] + totals[1];
                let mean = (sums[0] + sums[1]) / total;
                let correction = (batches / (batches - 1.0).max(1.0)).sqrt() / total;
                let error = |(sum, weight): (&[f64; 2], &[f64; 2])| {
                    correction * (sum[0] + sum[1] - mean * (weight[0] + weight[1]))
                };
                (mean, of_column().zip(&self.weights).map(error).collect())
            }
            Condition::Skew => {
                let means = [0, 1].map(|k| sums[k] / totals[k]);
                let corrections = [0, 1].map(|k| {
                    let rows = (self.counts[k] as f64).min(batches);
                    (rows / (rows - 1.0).max(1.0)).sqrt() / (2.0 * totals[k])
                });
                let error = |(sum, weight): (&[f64; 2], &[f64; 2])| {
                    (0..2).map(|k| corrections[k] * (sum[k] - means[k] * weight[k])).sum()
                };
                ((means[0] + means[1]) / 2.0, of_column().zip(&self.weights).map(error).collect())
            }
        }
    }
}

/// The losses of all models and methods under one request, on rows that are held out.
#[derive(Clone, Debug)]
pub struct HeldOutLosses {
    /// The conditions.
    pub loss_at: LossAt,
    /// For each model, the loss of each method; `None` if it does not apply.
    pub losses: Vec<Vec<Option<Spread>>>,
    /// For each model and method, the share of each batch of rows in the error of the loss.
    errors: Vec<Vec<Vec<f64>>>,
    /// For each model and method, the variance that comes from the choice of thresholds.
    variances: Vec<Vec<f64>>,
    level: f64,
}

impl HeldOutLosses {
    /// The losses in the columns from `start` on.
    pub(super) fn new(
        loss_at: &LossAt,
        sums: &[BatchSums],
        start: usize,
        applies: &[Vec<bool>],
        variances: Vec<Vec<f64>>,
        level: f64,
    ) -> HeldOutLosses {
        let (mut losses, mut errors) = (Vec::new(), Vec::new());
        for ((sums, applies), variances) in sums.iter().zip(applies).zip(&variances) {
            let columns = applies.iter().enumerate();
            let found = columns.map(|(j, applies)| {
                let (mean, errors) = sums.mean_and_errors(start + j, loss_at.condition());
                let spread = applies
                    .then(|| Spread { caveat: caveat(&errors), ..spread(mean, &errors, variances[j], level, 0.0) });
                (spread, errors)
            });
            let (spreads, of_model) = found.unzip();
            losses.push(spreads);
            errors.push(of_model);
        }
        HeldOutLosses { loss_at: loss_at.clone(), losses, errors, variances, level }
    }

    /// The loss of one model and method minus that of another, by the same rows. Each is given by the places of the model and the method.
    pub fn difference(&self, one: (usize, usize), other: (usize, usize)) -> Option<Spread> {
        let value = |(m, j): (usize, usize)| self.losses.get(m)?.get(j)?.map(|spread| spread.value);
        let difference = value(one)? - value(other)?;
        let [a, b] = [one, other].map(|(m, j)| &self.errors[m][j]);
        let errors: Vec<f64> = a.iter().zip(b).map(|(a, b)| a - b).collect();
        // Thresholds that are chosen apart vary apart.
        let variance = if one == other { 0.0 } else { self.variances[one.0][one.1] + self.variances[other.0][other.1] };
        Some(spread(difference, &errors, variance, self.level, f64::NEG_INFINITY))
    }
}

/// A mean with its normal interval, not below `least`. The variance besides that of rows is given.
fn spread(value: f64, errors: &[f64], variance: f64, level: f64, least: f64) -> Spread {
    let standard_error = (errors.iter().map(|error| error * error).sum::<f64>() + variance).sqrt();
    let reach = normal_quantile(level) * standard_error;
    let interval = ((value - reach).max(least), value + reach);
    Spread {
        value,
        standard_error,
        interval,
        bias: None,
        method: IntervalMethod::MeanOfRows,
        caveat: None,
        chance: None,
    }
}

/// Rows that all have the same loss show no variation.
fn caveat(errors: &[f64]) -> Option<Caveat> {
    errors.iter().all(|error| error.abs() < 1e-15).then_some(Caveat::AllAlike)
}
