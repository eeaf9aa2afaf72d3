//! Losses summed over batches of rows: their means, with standard errors and differences.

use super::PaidAt;
use super::units::ModelUnits;
use crate::interval::{MeanLoss, interval_of_differences};
use crate::sample_size::{FEW_ROWS_TO_COMPARE, FEW_SAMPLED_ROWS};
use crate::spread::{Caveat, IntervalMethod, Spread, normal_quantile};
use rocproof_arith::rational::to_f64;
use rocproof_engine::functional::{Condition, Cost};

/// For each batch of rows the weight of each class, and the weighted losses of each class in several columns.
pub(super) struct BatchSums {
    weights: Vec<[f64; 2]>,
    /// The losses of the columns of the first batch, then of the next.
    losses: Vec<[f64; 2]>,
    /// What rows add to the errors besides their losses, in the same order.
    influences: Vec<[f64; 2]>,
    columns: usize,
    /// The number of rows of each class.
    counts: [usize; 2],
    /// The number of rows that weigh as much as all, if rows have weights: `(Σw)²/Σw²`.
    effective_rows: f64,
}

impl BatchSums {
    /// No losses yet.
    pub(super) fn new(units: &ModelUnits, columns: usize) -> BatchSums {
        let mut weights = vec![[0.0; 2]; units.batches()];
        let (mut total, mut squares) = (0.0, 0.0);
        for unit in 0..units.len() {
            let weight = units.weight(unit);
            weights[units.batch(unit)][usize::from(units.class[unit])] += weight;
            total += weight;
            squares += weight * weight;
        }
        let none = vec![[0.0; 2]; weights.len() * columns];
        let (counts, effective_rows) = (units.counts(), total * total / squares);
        BatchSums { losses: none.clone(), influences: none, weights, columns, counts, effective_rows }
    }

    /// Adds the losses of a row.
    pub(super) fn add(&mut self, units: &ModelUnits, unit: usize, losses: &[f64]) {
        let (class, weight) = (usize::from(units.class[unit]), units.weight(unit));
        let start = units.batch(unit) * self.columns;
        for (sum, loss) in self.losses[start..].iter_mut().zip(losses) {
            sum[class] += weight * loss;
        }
    }

    /// Adds what rows contribute to the error of a column besides their losses, by tie and class.
    pub(super) fn add_influences(&mut self, units: &ModelUnits, column: usize, by_tie: &[[f64; 2]]) {
        for unit in 0..units.len() {
            let class = usize::from(units.class[unit]);
            let place = units.batch(unit) * self.columns + column;
            self.influences[place][class] += units.weight(unit) * by_tie[units.tie[unit] as usize][class];
        }
    }

    /// The number of rows of the smaller class.
    fn smaller_class(&self) -> f64 {
        self.counts[0].min(self.counts[1]) as f64
    }

    /// Divides all losses by a number.
    pub(super) fn divide(&mut self, by: f64) {
        self.losses.iter_mut().flatten().for_each(|loss| *loss /= by);
    }

    /// The mean loss of a column, the share of each batch in its error, and the share of each batch in the mean with what its rows contribute
    /// through others.
    fn mean_and_shares(&self, column: usize, condition: Condition) -> (f64, Vec<f64>, Vec<f64>) {
        let of_column = || self.losses.iter().skip(column).step_by(self.columns);
        let influences = || self.influences.iter().skip(column).step_by(self.columns);
        let rows = || of_column().zip(influences()).zip(&self.weights);
        let add = |a: [f64; 2], b: &[f64; 2]| [a[0] + b[0], a[1] + b[1]];
        let totals = self.weights.iter().fold([0.0; 2], add);
        let sums = of_column().fold([0.0; 2], add);
        let batches = self.weights.len() as f64;
        match condition {
            Condition::Cost => {
                let total = totals[0] + totals[1];
                let mean = (sums[0] + sums[1]) / total;
                let correction = (batches / (batches - 1.0).max(1.0)).sqrt() / total;
                let error = |((sum, influence), weight): ((&[f64; 2], &[f64; 2]), &[f64; 2])| {
                    let own = sum[0] + sum[1] - mean * (weight[0] + weight[1]);
                    correction * (own + influence[0] + influence[1])
                };
                let share = |((sum, influence), _): ((&[f64; 2], &[f64; 2]), &[f64; 2])| {
                    (sum[0] + sum[1] + influence[0] + influence[1]) / total
                };
                (mean, rows().map(error).collect(), rows().map(share).collect())
            }
            Condition::Skew => {
                let means = [0, 1].map(|k| sums[k] / totals[k]);
                let corrections = [0, 1].map(|k| {
                    let rows = (self.counts[k] as f64).min(batches);
                    (rows / (rows - 1.0).max(1.0)).sqrt() / (2.0 * totals[k])
                });
                let error = |((sum, influence), weight): ((&[f64; 2], &[f64; 2]), &[f64; 2])| {
                    (0..2).map(|k| corrections[k] * (sum[k] - means[k] * weight[k] + influence[k])).sum()
                };
                let share = |((sum, influence), _): ((&[f64; 2], &[f64; 2]), &[f64; 2])| {
                    (0..2).map(|k| (sum[k] + influence[k]) / (2.0 * totals[k])).sum()
                };
                ((means[0] + means[1]) / 2.0, rows().map(error).collect(), rows().map(share).collect())
            }
        }
    }
}

/// The losses of all models and methods under one request, on rows that are held out.
#[derive(Clone, Debug)]
pub struct HeldOutLosses {
    /// The conditions.
    pub paid: PaidAt,
    /// For each model, the loss of each method; `None` if it does not apply.
    pub losses: Vec<Vec<Option<Spread>>>,
    /// For each model and method, the share of each batch of rows in the error of the loss.
    errors: Vec<Vec<Vec<f64>>>,
    /// For each model and method, the share of each batch of rows in the loss.
    shares: Vec<Vec<Vec<f64>>>,
    /// The largest loss of a row.
    largest: f64,
    /// The number of rows of the smaller class.
    smaller_class: f64,
    /// For each model and method, the variance that comes from the choice of thresholds.
    variances: Vec<Vec<f64>>,
    level: f64,
}

/// How intervals of losses are made.
pub(super) struct LossIntervals<'a> {
    /// The distribution of operating conditions.
    pub(super) cost: &'a Cost,
    /// The coverage that they aim at.
    pub(super) level: f64,
}

impl LossIntervals<'_> {
    /// The largest loss that rows can have: all of one class at cost proportions, half of each class over skews.
    fn largest(&self, paid: &PaidAt) -> f64 {
        let c = if let PaidAt::At(at) = paid { to_f64(at.value()) } else { self.cost.mean() };
        match paid.condition() {
            Condition::Cost => 2.0 * c.max(1.0 - c),
            Condition::Skew => 1.0,
        }
    }

    /// A mean over rows with its interval, given the share of each batch in its error, and the variance besides that of rows.
    fn spread(&self, paid: &PaidAt, sums: &BatchSums, (mean, errors): (f64, &[f64]), variance: f64) -> Spread {
        let variance = errors.iter().map(|error| error * error).sum::<f64>() + variance;
        let is_alike = errors.iter().all(|error| error.abs() < ALIKE);
        let rows = match paid.condition() {
            Condition::Cost => sums.effective_rows,
            Condition::Skew => sums.smaller_class().min(sums.effective_rows),
        };
        let loss =
            MeanLoss { mean, variance: if is_alike { 0.0 } else { variance }, largest: self.largest(paid), rows };
        let few = sums.smaller_class() < FEW_SAMPLED_ROWS;
        let few_rows = few.then(|| Caveat::FewRows(sums.smaller_class()));
        Spread {
            value: mean,
            standard_error: variance.sqrt(),
            interval: loss.interval(normal_quantile(self.level)),
            bias: None,
            chance: None,
            method: IntervalMethod::EffectiveShare,
            caveat: is_alike.then_some(Caveat::AllAlike).or(few_rows),
        }
    }
}

/// Smaller shares of rows in an error are 0 up to rounding.
const ALIKE: f64 = 1e-15;

impl HeldOutLosses {
    /// The losses in the columns from `start` on.
    pub(super) fn new(
        paid: &PaidAt,
        sums: &[BatchSums],
        start: usize,
        applies: &[Vec<bool>],
        variances: Vec<Vec<f64>>,
        intervals: &LossIntervals,
    ) -> HeldOutLosses {
        let (mut losses, mut errors, mut shares) = (Vec::new(), Vec::new(), Vec::new());
        for ((sums, applies), variances) in sums.iter().zip(applies).zip(&variances) {
            let columns = applies.iter().enumerate();
            let found = columns.map(|(j, applies)| {
                let (mean, errors, shares) = sums.mean_and_shares(start + j, paid.condition());
                let spread = applies.then(|| intervals.spread(paid, sums, (mean, &errors), variances[j]));
                (spread, (errors, shares))
            });
            let (spreads, (errors_of_model, shares_of_model)) = found.unzip();
            losses.push(spreads);
            errors.push(errors_of_model);
            shares.push(shares_of_model);
        }
        HeldOutLosses {
            paid: paid.clone(),
            losses,
            errors,
            shares,
            largest: intervals.largest(paid),
            smaller_class: sums.first().map_or(0.0, BatchSums::smaller_class),
            variances,
            level: intervals.level,
        }
    }

    /// The loss of one model and method minus that of another, by the same rows. Each is given by the places of the model and the method.
    pub fn difference(&self, one: (usize, usize), other: (usize, usize)) -> Option<Spread> {
        let value = |(m, j): (usize, usize)| self.losses.get(m)?.get(j)?.map(|spread| spread.value);
        let difference = value(one)? - value(other)?;
        let [a, b] = [one, other].map(|(m, j)| &self.errors[m][j]);
        let errors: Vec<f64> = a.iter().zip(b).map(|(a, b)| a - b).collect();
        // Rates are chosen by the rows that pay, and are in the errors. What is left is the choice of the optimal threshold: of one model it
        // is the same, those of two models are chosen apart.
        let is_same = one == other;
        let variance = if is_same { 0.0 } else { self.variances[one.0][one.1] + self.variances[other.0][other.1] };
        let standard_error = (errors.iter().map(|error| error * error).sum::<f64>() + variance).sqrt();
        let [a, b] = [one, other].map(|(m, j)| &self.shares[m][j]);
        let rows = a.len() as f64;
        let by_row: Vec<f64> = a.iter().zip(b).map(|(a, b)| rows * (a - b)).collect();
        let of_rows = interval_of_differences(&by_row, self.largest, normal_quantile(self.level));
        // What the choice adds to the variance widens both sides.
        let widen = |distance: f64| distance.hypot(normal_quantile(self.level) * variance.sqrt());
        let interval = (difference - widen(difference - of_rows.0), difference + widen(of_rows.1 - difference));
        let is_alike = [one, other]
            .into_iter()
            .all(|(m, j)| self.losses[m][j].is_some_and(|spread| spread.caveat == Some(Caveat::AllAlike)));
        let few = self.smaller_class < FEW_ROWS_TO_COMPARE;
        let caveat = is_alike.then_some(Caveat::AllAlike).or(few.then_some(Caveat::FewRows(self.smaller_class)));
        Some(Spread {
            value: difference,
            standard_error,
            interval,
            bias: None,
            chance: None,
            method: IntervalMethod::PairedRows,
            caveat: caveat.filter(|_| !is_same),
        })
    }
}
