//! Sampling intervals by formulas, without samples: DeLong's of the AUC, and those of means over rows.

use super::bootstrap::Spreads;
use super::delong::{DeLong, cautious_spreads};
use super::interval::{MeanLoss, VANISHING, combine, interval_of_differences, student_quantile, wilson};
use super::paired::{Paired, pairs};
use super::quantity::{CorpPart, MetricOrLoss, quantities};
use super::sample_size::SampleSize;
use super::scored::Scored;
use super::spread::{Caveat, IntervalMethod, Spread, normal_quantile};
use rocproof_engine::functional::{Condition, Cost, Definition, Evaluation, Method, Value};

impl Spreads {
    /// Puts intervals by formulas in the place of those from samples, where there are any. Samples of few rows vary less than new rows do,
    /// and samples of rows that are all right are all right.
    ///
    pub fn use_formulas(&mut self, formulas: &Spreads) {
        for (spreads, others) in self.models.iter_mut().zip(&formulas.models) {
            for (spread, other) in spreads.iter_mut().zip(others) {
                if let Some(other) = other {
                    replace(spread, *other);
                }
            }
        }
        for ((.., spreads), (.., others)) in self.differences.iter_mut().zip(&formulas.differences) {
            for (spread, other) in spreads.iter_mut().zip(others) {
                if let Some(other) = other {
                    replace(spread, *other);
                }
            }
        }
    }
}

/// Puts a spread in the place of another, whose value is kept.
fn replace(place: &mut Option<Spread>, spread: Spread) {
    let value = place.map_or(spread.value, |old| old.value);
    *place = Some(Spread { value, ..spread });
}

/// The AUC and the Gini coefficient as `offset + factor AUC`.
fn auc_reading(quantity: &MetricOrLoss) -> Option<(f64, f64)> {
    match quantity {
        MetricOrLoss::Metric(Definition { name: "AUC", .. }) => Some((0.0, 1.0)),
        MetricOrLoss::Metric(Definition { name: "Gini", .. }) => Some((-1.0, 2.0)),
        _ => None,
    }
}

/// The spread of `offset + factor x`, given that of `x`.
fn scale(spread: Spread, (offset, factor): (f64, f64)) -> Spread {
    let place = |x: f64| offset + factor * x;
    let (low, high) = (place(spread.interval.0), place(spread.interval.1));
    let interval = if factor < 0.0 { (high, low) } else { (low, high) };
    Spread { value: place(spread.value), standard_error: factor.abs() * spread.standard_error, interval, ..spread }
}

/// How formulas make intervals.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Formulas {
    /// The coverage that intervals aim at.
    pub level: f64,
    /// Whether samples have the class proportions of the data.
    pub is_stratified: bool,
}

/// The intervals that formulas give: of the AUC and of losses that depend on it and the class proportion alone, of means over rows, and of
/// losses that are such means; the others are missing. `evaluations` are those of the models, under the distribution `cost` of operating
/// conditions.
pub fn formula_spreads(
    data: &Paired,
    evaluations: &[Evaluation],
    cost: &Cost,
    delong: Option<&DeLong>,
    formulas: Formulas,
) -> Spreads {
    let quantities = evaluations.first().map(quantities).unwrap_or_default();
    let sizes: Vec<SampleSize> = data.models().iter().map(|model| SampleSize::new(data, model)).collect();
    let is_weighted = sizes.iter().any(|size| size.is_weighted);
    let means: Vec<Option<RowMean>> = match is_weighted {
        true => vec![None; quantities.len()],
        false => quantities.iter().map(|quantity| RowMean::of(quantity, cost)).collect(),
    };
    let count = evaluations.len();
    let level = formulas.level;
    let aucs: Vec<Option<Spread>> = match delong {
        Some(delong) => (0..count).map(|m| Some(delong.spread(m, level))).collect(),
        None => cautious_spreads(data, level),
    };
    let spread = |m: usize, k: usize| {
        let (model, quantity) = (&data.models()[m], &quantities[k]);
        let spread = if let Some(reading) = auc_reading(quantity) {
            scale(aucs[m]?, reading)
        } else if let Some(reading) = ByAuc::of(quantity, cost).filter(|_| !is_weighted) {
            reading.spread(value(&evaluations[m], quantity)?, aucs[m]?, model.totals(), formulas)
        } else if matches!(quantity, MetricOrLoss::Corp(CorpPart::Uncertainty)) {
            return (!is_weighted && !formulas.is_stratified).then(|| uncertainty_spread(model.totals(), level));
        } else {
            let mean = means[k].as_ref()?;
            mean.spread(&mean.of_classes(model, &evaluations[m]), value(&evaluations[m], quantity)?, formulas)
        };
        let caveat = spread.caveat.or(sizes[m].caveat_on_formula(quantity.variation()));
        Some(Spread { caveat, ..spread })
    };
    let each = |spread: &dyn Fn(usize) -> Option<Spread>| (0..quantities.len()).map(spread).collect::<Vec<_>>();
    let differences = pairs(count).map(|(a, b)| {
        let difference = |k: usize| {
            let quantity = &quantities[k];
            let spread = match (auc_reading(quantity), delong) {
                (Some((_, factor)), Some(delong)) => scale(delong.spread_of_difference(a, b, level), (0.0, factor)),
                (Some(_), None) => return None,
                (None, Some(delong)) if ByAuc::of(quantity, cost).is_some() => {
                    let auc = delong.spread_of_difference(a, b, level);
                    ByAuc::of(quantity, cost)?.spread_of_difference(auc, data.models()[a].totals(), formulas)
                }
                (None, _) => {
                    let values = [a, b].map(|m| value(&evaluations[m], quantity));
                    let [Some(x), Some(y)] = values else { return None };
                    means[k].as_ref()?.spread_of_difference(data, (a, b), evaluations, x - y, formulas)?
                }
            };
            let of_models =
                [a, b].into_iter().find_map(|m| sizes[m].caveat_on_formula_difference(quantity.variation()));
            Some(Spread { caveat: spread.caveat.or(of_models), ..spread })
        };
        (a, b, each(&difference))
    });
    let differences = differences.collect();
    Spreads { models: (0..count).map(|m| each(&|k| spread(m, k))).collect(), differences, redrawn: 0, quantities }
}

/// `π0 π1`: it grows with the share of the smaller class, up to 1/4.
fn uncertainty_spread([n0, n1]: [f64; 2], level: f64) -> Spread {
    let (n, share) = (n0 + n1, n0 / (n0 + n1));
    let of = |share: f64| share * (1.0 - share);
    let (low, high) = wilson(share, n, normal_quantile(level));
    let largest = if low <= 0.5 && 0.5 <= high { 0.25 } else { of(low).max(of(high)) };
    let standard_error = (1.0 - 2.0 * share).abs() * (of(share) / n).sqrt();
    let interval = (of(low).min(of(high)), largest);
    let (bias, chance, method) = (None, None, IntervalMethod::Wilson);
    Spread { value: of(share), standard_error, interval, bias, chance, method, caveat: None }
}

/// Losses under uniform costs that depend on the AUC and the class proportion alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::enum_variant_names, reason = "these are the names of the methods")]
enum ByAuc {
    /// `L[ru] = (π0² + π1²)/2 + 2 π0 π1 (1 - AUC)`.
    RateUniform,
    /// `L[rd] = 1/3 + π0 π1 (1 - 2 AUC)`.
    RateDriven,
    /// `Lz[ru] = 3/4 - AUC/2`.
    RateUniformOverSkews,
    /// `Lz[rd] = 1/3 + (1 - 2 AUC)/4`.
    RateDrivenOverSkews,
}

impl ByAuc {
    /// The reading of a quantity, if it has one.
    fn of(quantity: &MetricOrLoss, cost: &Cost) -> Option<ByAuc> {
        match quantity {
            MetricOrLoss::Loss(_, _) if !cost.is_uniform() => None,
            MetricOrLoss::Loss(Condition::Cost, Method::RateUniform) => Some(ByAuc::RateUniform),
            MetricOrLoss::Loss(Condition::Cost, Method::RateDriven) => Some(ByAuc::RateDriven),
            MetricOrLoss::Loss(Condition::Skew, Method::RateUniform) => Some(ByAuc::RateUniformOverSkews),
            MetricOrLoss::Loss(Condition::Skew, Method::RateDriven) => Some(ByAuc::RateDrivenOverSkews),
            _ => None,
        }
    }

    /// The derivatives by the AUC and by `π0`.
    fn derivatives(self, auc: f64, pi0: f64) -> [f64; 2] {
        let (u, slope) = (pi0 * (1.0 - pi0), 1.0 - 2.0 * pi0);
        match self {
            // With π0² + π1² = 1 - 2 π0 π1.
            ByAuc::RateUniform => [-2.0 * u, slope * (1.0 - 2.0 * auc)],
            ByAuc::RateDriven => [-2.0 * u, slope * (1.0 - 2.0 * auc)],
            ByAuc::RateUniformOverSkews | ByAuc::RateDrivenOverSkews => [-0.5, 0.0],
        }
    }

    /// The spread of a difference, from that of the AUCs and Wilson's of the class proportion.
    fn spread_of_difference(self, auc: Spread, [n0, n1]: [f64; 2], formulas: Formulas) -> Spread {
        let (n, pi0) = (n0 + n1, n0 / (n0 + n1));
        let [factor, _] = self.derivatives(0.0, pi0);
        let by_proportion = match self {
            ByAuc::RateUniform | ByAuc::RateDriven if !formulas.is_stratified => -2.0 * (1.0 - 2.0 * pi0) * auc.value,
            _ => 0.0,
        };
        let of_proportion = wilson(pi0, n, normal_quantile(formulas.level));
        let value = factor * auc.value;
        let interval = combine(value, [(auc.value, auc.interval, factor), (pi0, of_proportion, by_proportion)]);
        let variance = (factor * auc.standard_error).powi(2) + by_proportion.powi(2) * pi0 * (1.0 - pi0) / n;
        Spread { value, standard_error: variance.sqrt(), interval, method: IntervalMethod::ByAuc, ..auc }
    }

    /// The spread, from the interval of the AUC and Wilson's of the class proportion. They vary apart: the AUC does not depend on the
    /// proportion.
    fn spread(self, value: f64, auc: Spread, [n0, n1]: [f64; 2], formulas: Formulas) -> Spread {
        let (n, pi0) = (n0 + n1, n0 / (n0 + n1));
        let [by_auc, by_proportion] = self.derivatives(auc.value, pi0);
        let by_proportion = if formulas.is_stratified { 0.0 } else { by_proportion };
        let of_proportion = wilson(pi0, n, normal_quantile(formulas.level));
        let (low, high) = combine(value, [(auc.value, auc.interval, by_auc), (pi0, of_proportion, by_proportion)]);
        let variance = (by_auc * auc.standard_error).powi(2) + by_proportion.powi(2) * pi0 * (1.0 - pi0) / n;
        Spread {
            value,
            standard_error: variance.sqrt(),
            interval: (low.max(0.0), high),
            method: IntervalMethod::ByAuc,
            ..auc
        }
    }
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
struct RowMean {
    loss: Loss,
    /// Whether both classes count alike, whatever their numbers of rows.
    is_balanced: bool,
    /// Whether the quantity is one minus the mean.
    is_complement: bool,
}

/// The loss of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Loss {
    /// The squared distance of the score from the class.
    Squared,
    /// The absolute distance of the score from the class.
    Absolute,
    /// Whether the row is predicted wrong.
    Share,
}

impl Loss {
    /// The loss of a row of each class at a score on the curve.
    fn at(self, x: f64) -> [f64; 2] {
        match self {
            Loss::Squared => [x * x, (1.0 - x) * (1.0 - x)],
            Loss::Absolute | Loss::Share => [x, 1.0 - x],
        }
    }
}

/// The losses of the rows of a class: their number, their mean, and the sum of the squared distances from it.
#[derive(Clone, Copy, Debug)]
struct ClassLosses {
    rows: f64,
    mean: f64,
    squares: f64,
}

impl ClassLosses {
    /// The mean with its variance.
    fn mean_loss(self) -> MeanLoss {
        let variance = if self.rows > 1.0 { self.squares / (self.rows - 1.0) / self.rows } else { 0.0 };
        MeanLoss { mean: self.mean, variance, largest: 1.0, rows: self.rows }
    }

    /// The interval of the mean. Shares know their variance, other losses estimate it.
    fn interval(self, loss: Loss, level: f64) -> (f64, f64) {
        match loss {
            Loss::Share => wilson(self.mean, self.rows, normal_quantile(level)),
            // A row by itself has no variance.
            _ if self.rows < 2.0 => (0.0, 1.0),
            Loss::Squared | Loss::Absolute => self.mean_loss().interval(student_quantile(level, self.rows - 1.0)),
        }
    }
}

impl RowMean {
    /// The mean that a quantity is, if it is one. Losses of uniform cost proportions are those of the paper's theorems: the Brier score,
    /// the absolute error, the error rate; over skews their balanced variants.
    fn of(quantity: &MetricOrLoss, cost: &Cost) -> Option<RowMean> {
        let (loss, is_balanced, is_complement) = match quantity {
            MetricOrLoss::Metric(Definition { name, .. }) => match *name {
                "BS" => (Loss::Squared, false, false),
                "MBS" => (Loss::Squared, true, false),
                "MAE" => (Loss::Absolute, false, false),
                "MMAE" => (Loss::Absolute, true, false),
                "Acc" => (Loss::Share, false, true),
                "MAcc" => (Loss::Share, true, true),
                _ => return None,
            },
            MetricOrLoss::Loss(condition, method) if cost.is_uniform() => {
                let loss = match method {
                    Method::ScoreDriven => Loss::Squared,
                    Method::ScoreUniform => Loss::Absolute,
                    Method::ScoreFixed(_) => Loss::Share,
                    _ => return None,
                };
                (loss, *condition == Condition::Skew, false)
            }
            _ => return None,
        };
        Some(RowMean { loss, is_balanced, is_complement })
    }

    /// The losses of each class on one model's data.
    fn of_classes(&self, model: &Scored, evaluation: &Evaluation) -> [ClassLosses; 2] {
        let totals = model.totals();
        if self.loss == Loss::Share {
            let mut below = [0.0; 2];
            for (_, mass) in model.tied_rows().take(positive_ties(model, evaluation)) {
                below = [0, 1].map(|k| below[k] + mass[k]);
            }
            let wrong = [totals[0] - below[0], below[1]];
            return [0, 1].map(|k| {
                let mean = wrong[k] / totals[k];
                ClassLosses { rows: totals[k], mean, squares: totals[k] * mean * (1.0 - mean) }
            });
        }
        let sum = |of: &dyn Fn(usize, f64) -> f64| {
            model.ties().fold([0.0; 2], |sums, tie| {
                let losses = self.loss.at(tie.x);
                [0, 1].map(|k| sums[k] + tie.mass[k] * of(k, losses[k]))
            })
        };
        let sums = sum(&|_, loss| loss);
        let means = [0, 1].map(|k| sums[k] / totals[k]);
        let squares = sum(&|k, loss| (loss - means[k]).powi(2));
        [0, 1].map(|k| ClassLosses { rows: totals[k], mean: means[k], squares: squares[k] })
    }

    /// The spread of the mean on one model's data. `value` is the quantity.
    fn spread(&self, classes: &[ClassLosses; 2], value: f64, formulas: Formulas) -> Spread {
        let mean = if self.is_complement { 1.0 - value } else { value };
        let n = classes[0].rows + classes[1].rows;
        let is_by_class = self.is_balanced || formulas.is_stratified;
        let factors = match self.is_balanced {
            true => [0.5, 0.5],
            false => classes.map(|class| class.rows / n),
        };
        let (variance, interval, method) = if is_by_class {
            let terms = [0, 1].map(|k| (classes[k].mean, classes[k].interval(self.loss, formulas.level), factors[k]));
            let variance = (0..2).map(|k| factors[k].powi(2) * classes[k].mean_loss().variance).sum::<f64>();
            (variance, combine(mean, terms), IntervalMethod::ByClass)
        } else {
            let between = classes.iter().map(|class| class.squares + class.rows * (class.mean - mean).powi(2));
            let losses = ClassLosses { rows: n, mean, squares: between.sum() };
            let is_share = self.loss == Loss::Share;
            let method = if is_share { IntervalMethod::Wilson } else { IntervalMethod::EffectiveShare };
            let variance = if is_share { mean * (1.0 - mean) / n } else { losses.mean_loss().variance };
            (variance, losses.interval(self.loss, formulas.level), method)
        };
        let (low, high) = (interval.0.max(0.0), interval.1.min(1.0));
        let interval = if self.is_complement { (1.0 - high, 1.0 - low) } else { (low, high) };
        let standard_error = variance.max(0.0).sqrt();
        let standard_error = if standard_error < VANISHING { 0.0 } else { standard_error };
        Spread { value, standard_error, interval, bias: None, chance: None, method, caveat: None }
    }

    /// The loss of each input row of class 0 and of class 1, in the same order for all models; `None` if the order is not known.
    fn by_row(&self, data: &Paired, m: usize, evaluation: &Evaluation) -> Option<[Vec<f64>; 2]> {
        let (model, order) = (&data.models()[m], &data.orders.as_ref()?[m]);
        let mut losses_by_row = vec![(0, 0.0); data.rows];
        let positive_ties = if self.loss == Loss::Share { positive_ties(model, evaluation) } else { 0 };
        for (k, ((rows, _), tie)) in model.tied_rows().zip(model.ties()).enumerate() {
            let losses = match self.loss {
                Loss::Share if k < positive_ties => [0.0, 1.0],
                Loss::Share => [1.0, 0.0],
                loss => loss.at(tie.x),
            };
            for (class, (rows, loss)) in rows.into_iter().zip(losses).enumerate() {
                rows.for_each(|row| losses_by_row[order[row] as usize] = (class, loss));
            }
        }
        let of_class = |class: usize| losses_by_row.iter().filter(|row| row.0 == class).map(|row| row.1).collect();
        Some([of_class(0), of_class(1)])
    }

    /// The spread of the difference of two models' means over the same rows. `value` is the difference of the quantities.
    fn spread_of_difference(
        &self,
        data: &Paired,
        (a, b): (usize, usize),
        evaluations: &[Evaluation],
        value: f64,
        formulas: Formulas,
    ) -> Option<Spread> {
        // A difference of complements is that of the losses, turned round.
        let (a, b) = if self.is_complement { (b, a) } else { (a, b) };
        let (one, other) = (self.by_row(data, a, &evaluations[a])?, self.by_row(data, b, &evaluations[b])?);
        let subtract = |k: usize| one[k].iter().zip(&other[k]).map(|(x, y)| x - y).collect::<Vec<f64>>();
        let [zeros, ones] = [subtract(0), subtract(1)];
        let mean = |of: &[f64]| of.iter().sum::<f64>() / of.len() as f64;
        let variance = |of: &[f64]| {
            let (mean, n) = (mean(of), of.len() as f64);
            of.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (n - 1.0).max(1.0) / n
        };
        let interval = |of: &[f64]| {
            let quantile = match self.loss {
                Loss::Share => normal_quantile(formulas.level),
                _ => student_quantile(formulas.level, of.len() as f64 - 1.0),
            };
            interval_of_differences(of, 1.0, quantile)
        };
        let (variance, interval) = if self.is_balanced || formulas.is_stratified {
            let n = data.rows as f64;
            let factors = [&zeros, &ones].map(|of| if self.is_balanced { 0.5 } else { of.len() as f64 / n });
            let terms =
                [(&zeros, factors[0]), (&ones, factors[1])].map(|(of, factor)| (mean(of), interval(of), factor));
            (factors[0].powi(2) * variance(&zeros) + factors[1].powi(2) * variance(&ones), combine(value, terms))
        } else {
            let all = [zeros, ones].concat();
            (variance(&all), interval(&all))
        };
        let (standard_error, method) = (variance.sqrt(), IntervalMethod::PairedRows);
        let caveat = (standard_error == 0.0).then_some(Caveat::AllAlike);
        Some(Spread { value, standard_error, interval, bias: None, chance: None, method, caveat })
    }
}

/// The number of ties that are predicted to be of class 0 at the fixed threshold.
fn positive_ties(model: &Scored, evaluation: &Evaluation) -> usize {
    let threshold = evaluation.thresholds.methods().into_iter().find_map(|method| match method {
        Method::ScoreFixed(threshold) => Some(threshold),
        _ => None,
    });
    threshold.map_or(0, |threshold| model.ties_up_to(threshold))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ScoreDirection, Units, evaluate_scored};
    use rocproof_engine::functional::Thresholds;

    const IS_1: [bool; 5] = [false, false, true, true, true];
    const SCORES: [[f64; 5]; 2] = [[0.1, 0.4, 0.35, 0.8, 0.6], [0.2, 0.3, 0.6, 0.9, 0.5]];

    fn spreads(cost: &Cost) -> Spreads {
        let columns: Vec<&[f64]> = SCORES.iter().map(|scores| scores.as_slice()).collect();
        let data = Paired::new(&columns, &[ScoreDirection::TowardClass1; 2], &IS_1, None).unwrap();
        let evaluate = |model: &Scored| evaluate_scored(model, cost, &Thresholds::default());
        let evaluations: Vec<Evaluation> = data.models().iter().map(evaluate).collect();
        let formulas = Formulas { level: 0.95, is_stratified: false };
        formula_spreads(&data, &evaluations, cost, DeLong::new(&data).ok().as_ref(), formulas)
    }

    fn index(spreads: &Spreads, label: &str) -> usize {
        spreads.quantities.iter().position(|quantity| quantity.label(&Thresholds::default()) == label).unwrap()
    }

    /// The mean of squared errors and its standard error, by hand: losses 0.01, 0.16, 0.4225, 0.04, 0.16. The interval is Wilson's of a share
    /// of 0.1585 with this variance, which 25 rows have, with Student's quantile 2.776 of four degrees of freedom.
    #[test]
    fn the_brier_score_is_a_mean_over_rows() {
        let spreads = spreads(&Cost::uniform());
        for label in ["BS", "sd"] {
            let spread = spreads.models[0][index(&spreads, label)].unwrap();
            assert!((spread.standard_error - 0.072_730_667_534_403_95).abs() < 1e-15, "{label}: {spread:?}");
            assert!((spread.interval.0 - 0.044_494).abs() < 1e-4, "{label}: {spread:?}");
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
    /// interval is that of log(0.72/0.28) ± 2.1026 sqrt(variance)/(0.72 0.28), Student's quantile at 17.8 degrees of freedom.
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
        assert!((low - 0.432_699).abs() < 1e-5 && (high - 0.896_578).abs() < 1e-5, "{low} {high}");
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
