//! DeLong's variance of the AUC, and of differences between AUCs of models that scored the same rows.

use super::paired::{Paired, Units};
use super::scored::Scored;
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
}

/// Why DeLong's variance is not defined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoVariance {
    /// A class has a single row.
    #[error("class {0} has a single row: it has no variance")]
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
        let covariance = |a: usize, b: usize| {
            let mut sums = [0.0; 2];
            for row in 0..data.rows {
                let product = (placements[a][row] - auc[a]) * (placements[b][row] - auc[b]);
                sums[class[row]] += weight(row) * product;
            }
            sums[0] / (totals[0] - 1.0) / totals[0] + sums[1] / (totals[1] - 1.0) / totals[1]
        };
        let indices = 0..models.len();
        let covariance = indices.clone().map(|a| indices.clone().map(|b| covariance(a, b)).collect()).collect();
        Ok(DeLong { auc, covariance })
    }

    /// The standard error of the AUC of a model.
    pub fn standard_error(&self, model: usize) -> f64 {
        self.covariance[model][model].max(0.0).sqrt()
    }

    /// The difference of two AUCs, its standard error, and the two-sided p-value of equal AUCs (normal approximation).
    pub fn difference(&self, a: usize, b: usize) -> (f64, f64, f64) {
        let difference = self.auc[a] - self.auc[b];
        let variance = self.covariance[a][a] + self.covariance[b][b] - 2.0 * self.covariance[a][b];
        let error = variance.max(0.0).sqrt();
        let p = match difference == 0.0 {
            true => 1.0,
            false => libm::erfc(difference.abs() / error / std::f64::consts::SQRT_2),
        };
        (difference, error, p)
    }

    /// The confidence interval of an estimate by the normal approximation.
    pub fn interval(value: f64, standard_error: f64, level: f64) -> (f64, f64) {
        let z = normal_quantile(level);
        (value - z * standard_error, value + z * standard_error)
    }
}

/// The number `z` such that a standard normal variable lies in [-z, z] with probability `level`, by bisection.
fn normal_quantile(level: f64) -> f64 {
    // Beyond 40 the probability outside is 0 in floating point.
    let (mut low, mut high) = (0.0, 40.0);
    while high - low > 1e-12 {
        let middle = (low + high) / 2.0;
        if libm::erf(middle / std::f64::consts::SQRT_2) < level {
            low = middle;
        } else {
            high = middle;
        }
    }
    (low + high) / 2.0
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
fn auc(model: &Scored) -> f64 {
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
