//! DeLong's variance of the AUC, and of differences between AUCs of models that scored the same rows.

use super::interval::{combine_difference, student_quantile};
use super::paired::{Paired, Units};
use super::sample_size::{FEW_ROWS, class_sizes};
use super::scored::Scored;
use super::spread::{Caveat, IntervalMethod, Spread, normal_quantile};
use rocproof_arith::libm;

/// The AUCs of models with their covariance matrix, by DeLong's placement values.
///
/// E. DeLong, D. DeLong and D. Clarke-Pearson (1988), "Comparing the areas under two or more correlated receiver operating
/// characteristic curves".
#[derive(Clone, Debug)]
pub struct DeLong {
    /// The AUC of each model.
    pub auc: Vec<f64>,
    /// The covariance of the AUCs of each pair of models.
    pub covariance: Vec<Vec<f64>>,
    /// The number of rows of the smaller class.
    pub smaller_class: f64,
    /// The degrees of freedom of the variance of each AUC.
    degrees: Vec<f64>,
}

/// A smaller standard error of an AUC is 0 up to rounding: that of n rows is at least `1/n²`, and there are fewer than ten million.
const NO_ERROR: f64 = 1e-15;

/// The difference of the AUCs of two models.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AucDifference {
    /// The difference.
    pub value: f64,
    /// Its standard error.
    pub standard_error: f64,
    /// The two-sided p-value of equal AUCs, by the normal approximation. `None` if the error is 0: a difference that does not vary over the rows
    /// is no evidence.
    pub p: Option<f64>,
}

/// Why DeLong's variance is not defined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoVariance {
    /// A class has a single row.
    #[error("a class has a single row: it has no variance")]
    OneRow(usize),
    /// Rows have weights that are not counts.
    #[error("rows have weights: DeLong's variance is that of rows that count alike")]
    Weighted,
}

impl DeLong {
    /// Computes the AUCs and their covariances.
    ///
    /// ```
    /// use rocproof_scored::{DeLong, Paired, Scored, Units};
    /// let data = Scored::from_rows(&[0.1, 0.4, 0.35, 0.8], &[false, false, true, true], None)?;
    /// let delong = DeLong::new(&Paired::single(data, Units::Rows)).unwrap();
    /// assert_eq!((delong.auc[0], delong.covariance[0][0]), (0.75, 0.125));
    /// # Ok::<(), rocproof_scored::BadScore>(())
    /// ```
    pub fn new(data: &Paired) -> Result<DeLong, NoVariance> {
        let models = data.models();
        if data.units == Units::Rows && models.iter().any(|model| model.weights().is_some()) {
            return Err(NoVariance::Weighted);
        }
        let totals = models.first().map_or([0.0; 2], Scored::totals);
        if let Some(class) = totals.iter().position(|total| *total < 2.0) {
            return Err(NoVariance::OneRow(class));
        }
        let auc: Vec<f64> = models.iter().map(auc).collect();
        // Placements in the order of the input rows, which is common to all models.
        let placements: Vec<Vec<f64>> =
            models.iter().enumerate().map(|(m, model)| placements_by_row(data, m, model)).collect();
        let weight = |row: usize| if data.units == Units::Counts { models[0].weight(row) } else { 1.0 };
        let class = classes(data);
        // The covariance of placements within each class, divided by the number of rows of the class.
        let by_class = |a: usize, b: usize| {
            let mut sums = [0.0; 2];
            for row in 0..data.rows {
                let product = (placements[a][row] - auc[a]) * (placements[b][row] - auc[b]);
                sums[class[row]] += weight(row) * product;
            }
            [0, 1].map(|k| sums[k] / (totals[k] - 1.0) / totals[k])
        };
        let covariance = |a: usize, b: usize| by_class(a, b).iter().sum();
        // Those of Welch and Satterthwaite: the variance is the sum of one for each class.
        let degrees = |m: usize| {
            let [v0, v1] = by_class(m, m);
            let degrees = (v0 + v1).powi(2) / (v0 * v0 / (totals[0] - 1.0) + v1 * v1 / (totals[1] - 1.0));
            if degrees.is_finite() { degrees } else { 1.0 }
        };
        let indices = 0..models.len();
        let degrees = indices.clone().map(degrees).collect();
        let covariance = indices.clone().map(|a| indices.clone().map(|b| covariance(a, b)).collect()).collect();
        Ok(DeLong { auc, covariance, smaller_class: totals[0].min(totals[1]), degrees })
    }

    /// The standard error of the AUC of a model.
    pub fn standard_error(&self, model: usize) -> f64 {
        self.covariance[model][model].max(0.0).sqrt()
    }

    /// The difference of the AUCs of two models.
    pub fn difference(&self, a: usize, b: usize) -> AucDifference {
        let value = self.auc[a] - self.auc[b];
        let variance = self.covariance[a][a] + self.covariance[b][b] - 2.0 * self.covariance[a][b];
        let standard_error = variance.max(0.0).sqrt();
        let p = libm::erfc(value.abs() / standard_error / std::f64::consts::SQRT_2);
        AucDifference { value, standard_error, p: (standard_error > NO_ERROR).then_some(p) }
    }

    /// The AUC of a model with an interval inside [0, 1]: DeLong's variance, on the scale of the logit, by the quantile of Student's
    /// distribution with the degrees of freedom of Welch and Satterthwaite, since a class may have few rows.
    ///
    /// An AUC of 1 or 0 has the variance 0. Its interval is then a cautious one from disjoint pairs: all `m` pairs, one row of each class,
    /// are ranked right with probability `AUC^m`, whatever the distribution of scores. An AUC of 1 says more than that, since all other
    /// pairs are ranked right, too.
    ///
    /// ```
    /// use rocproof_scored::{DeLong, Paired, Scored, Units};
    /// let data = Scored::from_rows(&[0.1, 0.2, 0.8, 0.9], &[false, false, true, true], None)?;
    /// let auc = DeLong::new(&Paired::single(data, Units::Rows)).unwrap().spread(0, 0.95);
    /// // Two disjoint pairs: the lower end is the square root of 0.025.
    /// assert!((auc.interval.0 - 0.025_f64.sqrt()).abs() < 1e-15 && auc.interval.1 == 1.0 && auc.caveat.is_some());
    /// # Ok::<(), rocproof_scored::BadScore>(())
    /// ```
    pub fn spread(&self, model: usize, level: f64) -> Spread {
        let (value, standard_error) = (self.auc[model], self.standard_error(model));
        if standard_error > NO_ERROR && value > 0.0 && value < 1.0 {
            let logit = (value / (1.0 - value)).ln();
            let half_width = student_quantile(level, self.degrees[model]) * standard_error / (value * (1.0 - value));
            let expit = |place: f64| 1.0 / (1.0 + (-place).exp());
            let caveat = (self.smaller_class < FEW_ROWS).then_some(Caveat::FewRows(self.smaller_class));
            let interval = (expit(logit - half_width), expit(logit + half_width));
            let method = IntervalMethod::DelongLogit;
            return Spread { value, standard_error, interval, bias: None, chance: None, method, caveat };
        }
        Spread { standard_error, ..without_variance(value, self.smaller_class, level) }
    }

    /// The difference of two AUCs with an interval from those of both AUCs and their correlation (Zou and Donner 2008): as these, it is not
    /// symmetric near 1.
    pub fn spread_of_difference(&self, a: usize, b: usize, level: f64) -> Spread {
        let AucDifference { value, standard_error, p } = self.difference(a, b);
        let spreads = [a, b].map(|model| self.spread(model, level));
        let correlation = self.covariance[a][b] / (spreads[0].standard_error * spreads[1].standard_error);
        let interval = match (p, correlation.is_finite()) {
            (None, _) => (value, value),
            (Some(_), true) => {
                let [one, other] = spreads.map(|spread| (spread.value, spread.interval));
                combine_difference(one, other, correlation)
            }
            // One of the rankings is perfect.
            (Some(_), false) => DeLong::interval(value, standard_error, level),
        };
        let caveat = spreads.iter().find_map(|spread| spread.caveat).or(p.is_none().then_some(Caveat::SameRanking));
        Spread { value, standard_error, interval, bias: None, chance: None, method: IntervalMethod::Delong, caveat }
    }

    /// The confidence interval of an estimate by the normal approximation. It may reach beyond [0, 1].
    pub fn interval(value: f64, standard_error: f64, level: f64) -> (f64, f64) {
        let z = normal_quantile(level);
        (value - z * standard_error, value + z * standard_error)
    }
}

/// The AUC of a model whose variance cannot be estimated, with a cautious interval, given the number of rows of the smaller class.
fn without_variance(value: f64, smaller_class: f64, level: f64) -> Spread {
    let bound = ((1.0 - level) / 2.0).powf(1.0 / smaller_class);
    let (interval, method, caveat) = if value >= 1.0 {
        ((bound, 1.0), IntervalMethod::DisjointPairs, Caveat::PerfectRanking)
    } else if value <= 0.0 {
        ((0.0, 1.0 - bound), IntervalMethod::DisjointPairs, Caveat::ReversedRanking)
    } else if smaller_class < 2.0 {
        ((0.0, 1.0), IntervalMethod::Unbounded, Caveat::FewRows(smaller_class))
    } else {
        // All rows of a class are placed alike, as for constant scores.
        ((value, value), IntervalMethod::DelongLogit, Caveat::NoVariation)
    };
    Spread { value, standard_error: 0.0, interval, bias: None, chance: None, method, caveat: Some(caveat) }
}

/// Whether all rows of the class `above` lie above all rows of the other.
fn is_separated(model: &Scored, above: usize) -> bool {
    let mut is_above = false;
    model.tied_rows().all(|(rows, _)| {
        let [has_above, has_below] = [above, 1 - above].map(|class| !rows[class].is_empty());
        is_above |= has_above;
        !(is_above && has_below)
    })
}

/// The AUC of each model where DeLong's variance is not defined: cautious intervals, for a class with a single row and for rankings without
/// an error; `None` for others of weighted rows.
pub(super) fn cautious_spreads(data: &Paired, level: f64) -> Vec<Option<Spread>> {
    let spread = |model: &Scored| {
        let [n0, n1] = class_sizes(data.units, model);
        let smaller_class = n0.min(n1);
        // Sums of weights are rounded: whether a ranking is perfect is read off the rows.
        let value = if is_separated(model, 1) {
            1.0
        } else if is_separated(model, 0) {
            0.0
        } else {
            auc(model)
        };
        // Constant scores have no variation, whatever their weights.
        let is_certain = value == 1.0 || value == 0.0 || smaller_class < 2.0 || model.tied_rows().count() == 1;
        is_certain.then(|| without_variance(value, smaller_class, level))
    };
    data.models().iter().map(spread).collect()
}

/// The placement of each sorted row: the share of the other class that it is ranked correctly against, ties counted half.
fn placements(model: &Scored) -> Vec<f64> {
    let [n0, n1] = model.totals();
    let mut placements = Vec::with_capacity(model.rows());
    let mut below = [0.0; 2];
    for (rows, mass) in model.tied_rows() {
        let placement = [1.0 - (below[1] + mass[1] / 2.0) / n1, (below[0] + mass[0] / 2.0) / n0];
        rows.into_iter().enumerate().for_each(|(class, rows)| placements.extend(rows.map(|_| placement[class])));
        below = [0, 1].map(|k| below[k] + mass[k]);
    }
    placements
}

/// The AUC as the share of pairs in the right order, ties counted half.
pub(super) fn auc(model: &Scored) -> f64 {
    let totals = model.totals();
    let mut class_0_below = 0.0;
    let ordered_pairs = |(_, [m0, m1]): (_, [f64; 2])| {
        let pairs = m1 * (class_0_below + m0 / 2.0);
        class_0_below += m0;
        pairs
    };
    model.tied_rows().map(ordered_pairs).sum::<f64>() / (totals[0] * totals[1])
}

/// The placements in the common order of the models: that of the input rows, or for a single model that of its sorted rows.
fn placements_by_row(data: &Paired, m: usize, model: &Scored) -> Vec<f64> {
    let sorted = placements(model);
    let Some(orders) = &data.orders else { return sorted };
    let mut by_row = vec![0.0; data.rows];
    orders[m].iter().zip(sorted).for_each(|(row, placement)| by_row[*row as usize] = placement);
    by_row
}

/// The classes in the common order of the models, as for [`placements_by_row`].
fn classes(data: &Paired) -> Vec<usize> {
    let Some(model) = data.models().first() else { return Vec::new() };
    let sorted = (0..model.rows()).map(|row| model.class(row));
    let Some(orders) = &data.orders else { return sorted.collect() };
    let mut classes = vec![0; data.rows];
    orders[0].iter().zip(sorted).for_each(|(row, class)| classes[*row as usize] = class);
    classes
}
