//! Sampling intervals by formulas, without samples: DeLong's of the AUC, and those of means over rows.

use super::bootstrap::{MetricOrLoss, Spreads, quantities};
use super::delong::DeLong;
use super::paired::{Paired, Units, pairs};
use super::scored::Scored;
use super::spread::{Caveat, IntervalMethod, Spread, normal_quantile};
use rocproof_engine::functional::{Condition, Cost, Definition, Evaluation, Method, Value};

impl Spreads {
    /// Replaces the intervals of the AUC and of the Gini coefficient, and of their differences, by DeLong's. Caveats stay.
    pub fn use_delong(&mut self, delong: &DeLong, level: f64) {
        for (k, quantity) in self.quantities.iter().enumerate() {
            let MetricOrLoss::Metric(Definition { name: name @ ("AUC" | "Gini"), .. }) = quantity else { continue };
            let on_scale = |auc: Spread, is_difference: bool| match (*name, is_difference) {
                ("Gini", false) => scale(auc, 2.0, -1.0),
                ("Gini", true) => scale(auc, 2.0, 0.0),
                _ => auc,
            };
            for (m, spreads) in self.models.iter_mut().enumerate() {
                replace(&mut spreads[k], on_scale(delong.spread(m, level), false));
            }
            for (a, b, spreads) in &mut self.differences {
                replace(&mut spreads[k], on_scale(delong.spread_of_difference(*a, *b, level), true));
            }
        }
    }
}

impl Spreads {
    /// Replaces intervals of no width by those of formulas, where there are any: samples of rows that are all right are all right, too.
    pub fn replace_points(&mut self, formulas: &Spreads) {
        for (spreads, others) in self.models.iter_mut().zip(&formulas.models) {
            for (spread, other) in spreads.iter_mut().zip(others) {
                let is_point = spread.is_some_and(|spread| spread.interval.0 == spread.interval.1);
                if let (true, Some(other)) = (is_point, other) {
                    replace(spread, *other);
                }
            }
        }
    }
}

/// Puts a spread in the place of another, whose value and caveat are kept.
fn replace(place: &mut Option<Spread>, spread: Spread) {
    let (value, caveat) = place.map_or((spread.value, None), |old| (old.value, old.caveat));
    *place = Some(Spread { value, caveat: spread.caveat.or(caveat), ..spread });
}

/// The spread of `offset + factor x`, given that of `x`; the factor is positive.
fn scale(spread: Spread, factor: f64, offset: f64) -> Spread {
    let place = |x: f64| offset + factor * x;
    let interval = (place(spread.interval.0), place(spread.interval.1));
    Spread { value: place(spread.value), standard_error: factor * spread.standard_error, interval, ..spread }
}

/// The intervals that formulas give, of the AUC, of means over rows, and of losses that are such means; the others are missing.
/// `evaluations` are those of the models, under the distribution `cost` of operating conditions.
pub fn formula_spreads(
    data: &Paired,
    evaluations: &[Evaluation],
    cost: &Cost,
    delong: Option<&DeLong>,
    level: f64,
) -> Spreads {
    let quantities = evaluations.first().map(quantities).unwrap_or_default();
    let is_weighted = data.units == Units::Rows && data.models().iter().any(|model| model.weights().is_some());
    let means: Vec<Option<RowMean>> = match is_weighted {
        true => vec![None; quantities.len()],
        false => quantities.iter().map(|quantity| RowMean::of(quantity, cost)).collect(),
    };
    let spread = |m: usize, k: usize| {
        let value = value(&evaluations[m], &quantities[k])?;
        Some(means[k]?.spread(&data.models()[m], value, level))
    };
    let count = evaluations.len();
    let each = |spread: &dyn Fn(usize) -> Option<Spread>| (0..quantities.len()).map(spread).collect::<Vec<_>>();
    let differences = pairs(count).map(|(a, b)| {
        let difference = |k: usize| {
            let values = [a, b].map(|m| value(&evaluations[m], &quantities[k]));
            let [Some(x), Some(y)] = values else { return None };
            means[k]?.spread_of_difference(data, a, b, x - y, level)
        };
        (a, b, each(&difference))
    });
    let mut spreads = Spreads {
        models: (0..count).map(|m| each(&|k| spread(m, k))).collect(),
        differences: differences.collect(),
        redrawn: 0,
        quantities,
    };
    if let Some(delong) = delong {
        spreads.use_delong(delong, level);
    }
    spreads
}

/// The value of a metric or loss.
fn value(evaluation: &Evaluation, quantity: &MetricOrLoss) -> Option<f64> {
    let value = match quantity {
        MetricOrLoss::Metric(definition) => evaluation.metric(definition.name),
        MetricOrLoss::Loss(condition, method) => evaluation.loss(*condition, *method),
        MetricOrLoss::Corp(_) => None,
    };
    value.and_then(Value::estimate).map(|estimate| estimate.value)
}

/// A mean over rows of a loss that each row has by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RowMean {
    /// The squared distance of the score from the class.
    Squared,
    /// The absolute distance of the score from the class.
    Absolute,
    /// Whether the row is predicted right, or wrong.
    Share,
}

impl RowMean {
    /// The mean that a quantity is, if it is one. Losses of uniform cost proportions are those of the paper's theorems: the Brier score,
    /// the absolute error, the error rate.
    fn of(quantity: &MetricOrLoss, cost: &Cost) -> Option<RowMean> {
        match quantity {
            MetricOrLoss::Metric(Definition { name: "BS", .. }) => Some(RowMean::Squared),
            MetricOrLoss::Metric(Definition { name: "MAE", .. }) => Some(RowMean::Absolute),
            MetricOrLoss::Metric(Definition { name: "Acc", .. }) => Some(RowMean::Share),
            MetricOrLoss::Loss(Condition::Cost, method) if cost.is_uniform() => match method {
                Method::ScoreDriven => Some(RowMean::Squared),
                Method::ScoreUniform => Some(RowMean::Absolute),
                Method::ScoreFixed(_) => Some(RowMean::Share),
                _ => None,
            },
            _ => None,
        }
    }

    /// The loss of a row of each class at a score on the curve.
    fn losses(self, x: f64) -> [f64; 2] {
        match self {
            RowMean::Squared => [x * x, (1.0 - x) * (1.0 - x)],
            RowMean::Absolute | RowMean::Share => [x, 1.0 - x],
        }
    }

    /// The spread of the mean on one model's data.
    fn spread(self, model: &Scored, value: f64, level: f64) -> Spread {
        let [n0, n1] = model.totals();
        let n = n0 + n1;
        if self == RowMean::Share {
            return wilson(value, n, level);
        }
        let squares = model.ties().map(|tie| {
            let losses = self.losses(tie.x);
            (0..2).map(|class| tie.mass[class] * (losses[class] - value).powi(2)).sum::<f64>()
        });
        normal(value, (squares.sum::<f64>() / (n - 1.0) / n).sqrt(), level)
    }

    /// The spread of the difference of two models' means over the same rows.
    fn spread_of_difference(self, data: &Paired, a: usize, b: usize, value: f64, level: f64) -> Option<Spread> {
        if self == RowMean::Share {
            return None;
        }
        let orders = data.orders.as_ref()?;
        let by_row = |m: usize| {
            let model = &data.models()[m];
            let mut losses_by_row = vec![0.0; data.rows];
            for ((rows, _), tie) in model.tied_rows().zip(model.ties()) {
                let losses = self.losses(tie.x);
                rows.into_iter().zip(losses).for_each(|(rows, loss)| {
                    rows.for_each(|row| losses_by_row[orders[m][row] as usize] = loss);
                });
            }
            losses_by_row
        };
        let n = data.rows as f64;
        let squares = by_row(a).into_iter().zip(by_row(b)).map(|(a, b)| (a - b - value).powi(2));
        Some(normal(value, (squares.sum::<f64>() / (n - 1.0) / n).sqrt(), level))
    }
}

/// A normal interval.
fn normal(value: f64, standard_error: f64, level: f64) -> Spread {
    let half_width = normal_quantile(level) * standard_error;
    let interval = (value - half_width, value + half_width);
    Spread {
        value,
        standard_error,
        interval,
        bias: None,
        chance: None,
        method: IntervalMethod::MeanOfRows,
        caveat: None,
    }
}

/// Wilson's interval of a share of `n` rows.
fn wilson(value: f64, n: f64, level: f64) -> Spread {
    let z2 = normal_quantile(level).powi(2);
    let centre = (value + z2 / (2.0 * n)) / (1.0 + z2 / n);
    let half_width = (z2 * (value * (1.0 - value) / n + z2 / (4.0 * n * n))).sqrt() / (1.0 + z2 / n);
    let standard_error = (value * (1.0 - value) / n).sqrt();
    let interval = ((centre - half_width).max(0.0), (centre + half_width).min(1.0));
    let caveat = (n < 2.0).then_some(Caveat::FewRows(n));
    Spread { value, standard_error, interval, bias: None, chance: None, method: IntervalMethod::Wilson, caveat }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ScoreDirection, evaluate_scored};
    use rocproof_engine::functional::Thresholds;

    const IS_1: [bool; 5] = [false, false, true, true, true];
    const SCORES: [[f64; 5]; 2] = [[0.1, 0.4, 0.35, 0.8, 0.6], [0.2, 0.3, 0.6, 0.9, 0.5]];

    fn spreads(cost: &Cost) -> Spreads {
        let columns: Vec<&[f64]> = SCORES.iter().map(|scores| scores.as_slice()).collect();
        let data = Paired::new(&columns, &[ScoreDirection::TowardClass1; 2], &IS_1, None).unwrap();
        let evaluate = |model: &Scored| evaluate_scored(model, cost, &Thresholds::default());
        let evaluations: Vec<Evaluation> = data.models().iter().map(evaluate).collect();
        formula_spreads(&data, &evaluations, cost, DeLong::new(&data).ok().as_ref(), 0.95)
    }

    fn index(spreads: &Spreads, label: &str) -> usize {
        spreads.quantities.iter().position(|quantity| quantity.label(&Thresholds::default()) == label).unwrap()
    }

    /// The mean of squared errors, its standard error and its normal interval, by hand: losses 0.01, 0.16, 0.4225, 0.04, 0.16.
    #[test]
    fn the_brier_score_is_a_mean_over_rows() {
        let spreads = spreads(&Cost::uniform());
        for label in ["BS", "sd"] {
            let spread = spreads.models[0][index(&spreads, label)].unwrap();
            assert!((spread.standard_error - 0.072_730_667_534_403_95).abs() < 1e-15, "{label}: {spread:?}");
            assert!((spread.interval.0 - 0.015_950_511_061_011_7).abs() < 1e-12, "{label}: {spread:?}");
        }
        let difference = spreads.differences[0].2[index(&spreads, "BS")].unwrap();
        assert!((difference.value - 0.0485).abs() < 1e-15, "{difference:?}");
        assert!((difference.standard_error - 0.059_977_078_955_214_2).abs() < 1e-15, "{difference:?}");
    }

    /// Four of five rows are right: Wilson's interval is [0.3755, 0.9638].
    #[test]
    fn accuracy_has_wilsons_interval() {
        let spreads = spreads(&Cost::uniform());
        let spread = spreads.models[0][index(&spreads, "Acc(1/2)")].unwrap();
        assert!((spread.interval.0 - 0.375_534_629_762_5).abs() < 1e-12, "{spread:?}");
        assert!((spread.interval.1 - 0.963_775_891_367_6).abs() < 1e-12, "{spread:?}");
        assert!(spreads.models[0][index(&spreads, "o")].is_none());
    }

    /// Under other costs a loss is not the mean of these distances.
    #[test]
    fn losses_of_other_costs_have_no_formula() {
        let spreads = spreads(&Cost::parse("beta(2, 2)").unwrap());
        assert!(
            spreads.models[0][index(&spreads, "sd")].is_none() && spreads.models[0][index(&spreads, "BS")].is_some()
        );
    }

    /// The P10N10 data of the R package precrec: pROC has the AUC 0.72 and the variance 0.0135777777777778. On the scale of the logit the
    /// interval is that of log(0.72/0.28) ± 1.96 sqrt(variance)/(0.72 0.28).
    #[test]
    fn delong_on_the_scale_of_the_logit() {
        let positives = [20.0, 19.0, 17.0, 16.0, 15.0, 14.0, 14.0, 8.0, 6.0, 5.0];
        let negatives = [18.0, 14.0, 14.0, 14.0, 14.0, 7.0, 5.0, 5.0, 5.0, 5.0];
        let scores: Vec<f64> = positives.into_iter().chain(negatives).collect();
        let is_1: Vec<bool> = (0..20).map(|row| row < 10).collect();
        let data = Paired::single(Scored::from_rows(&scores, &is_1, None).unwrap(), Units::Rows);
        let delong = DeLong::new(&data).unwrap();
        assert!((delong.covariance[0][0] - 0.013_577_777_777_777_8).abs() < 1e-15);
        let (low, high) = delong.spread(0, 0.95).interval;
        assert!((low - 0.453_042_021_608_711_8).abs() < 1e-12 && (high - 0.888_678_222_455_180_7).abs() < 1e-12);
    }

    /// Scores that rank all pairs right or wrong, or none: the interval says so.
    #[test]
    fn rankings_without_variance_have_a_caveat() {
        let spread = |scores: [f64; 4]| {
            let data = Scored::from_rows(&scores, &[false, false, true, true], None).unwrap();
            DeLong::new(&Paired::single(data, Units::Rows)).unwrap().spread(0, 0.95)
        };
        let reversed = spread([0.9, 0.8, 0.2, 0.1]);
        assert!(reversed.interval.0 == 0.0 && (reversed.interval.1 - (1.0 - 0.025_f64.sqrt())).abs() < 1e-15);
        assert_eq!(reversed.caveat, Some(Caveat::ReversedRanking));
        let constant = spread([0.5; 4]);
        assert_eq!((constant.interval, constant.caveat), ((0.5, 0.5), Some(Caveat::NoVariation)));
    }
}
