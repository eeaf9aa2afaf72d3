//! A smooth model of the class given the score: penalised logistic regression on B-splines of ranks.
//!
//! Eilers and Marx (1996), "Flexible smoothing with B-splines and penalties". The model is fitted to ranks, so that it does not depend on
//! the scale of the scores; the penalty is chosen by Akaike's criterion.

use super::scored::Tie;
use nalgebra::{DMatrix, DVector};

/// Intervals between knots.
const SEGMENTS: usize = 16;

/// Coefficients of cubic splines.
const COEFFICIENTS: usize = SEGMENTS + 3;

/// Penalties on second differences of coefficients that are tried, from stiff to flexible.
const PENALTIES: [f64; 6] = [1e3, 1e2, 1e1, 1.0, 1e-1, 1e-2];

/// Weight of prior rows at the overall share of class 1. Without them, the slope of separated classes would have no maximum. A whole row
/// would blur well-separated classes: intervals of 95 % then cover 89 %.
const PRIOR_ROWS: f64 = 0.2;

/// Newton steps in a fit. A fit takes about ten.
const MOST_STEPS: usize = 60;

/// The largest change of a coefficient in a Newton step.
const LONGEST_STEP: f64 = 3.0;

/// Added to the diagonal of the Hessian, which is singular if some spline has no rows.
const RIDGE: f64 = 1e-6;

/// The rows of a tie in the regression.
struct Cell {
    weight: f64,
    /// The share of class 1.
    share: f64,
    /// The index of the first of the four splines that do not vanish at the tie.
    first: usize,
    /// Their values.
    splines: [f64; 4],
}

/// A fit with one penalty.
struct Fit {
    /// The probability of class 1 in each cell.
    probabilities: Vec<f64>,
    /// Akaike's criterion: deviance plus twice the effective number of parameters.
    criterion: f64,
}

/// The smoothed probability of class 1 at each tie. Ties must come in the order of their scores, and both classes must have weight.
pub(super) fn class_1_probabilities(ties: &[Tie]) -> Vec<f64> {
    let regression = Regression::new(ties);
    // Each fit starts where the stiffer one ended.
    let mut coefficients = DVector::from_element(COEFFICIENTS, logit(regression.base_rate));
    let fits = PENALTIES.map(|penalty| regression.fit(&mut coefficients, penalty));
    let best = fits.into_iter().min_by(|a, b| a.criterion.total_cmp(&b.criterion));
    best.map_or_else(Vec::new, |fit| fit.probabilities)
}

/// Logistic regression of the class on splines of the rank.
struct Regression {
    cells: Vec<Cell>,
    total: f64,
    /// The overall share of class 1.
    base_rate: f64,
}

impl Regression {
    /// The regression of ties. The covariate is the logit of the mid-rank.
    fn new(ties: &[Tie]) -> Regression {
        let weight = |tie: &Tie| tie.mass[0] + tie.mass[1];
        let total: f64 = ties.iter().map(weight).sum();
        let mut below = 0.0;
        let covariates: Vec<f64> = ties
            .iter()
            .map(|tie| {
                let rank = (below + weight(tie) / 2.0) / total;
                below += weight(tie);
                logit(rank)
            })
            .collect();
        let (low, high) = (covariates.first().copied().unwrap_or(0.0), covariates.last().copied().unwrap_or(0.0));
        // A single tie has no range.
        let knot_distance = ((high - low) / SEGMENTS as f64).max(f64::MIN_POSITIVE);
        let cell = |(tie, covariate): (&Tie, &f64)| {
            let (first, splines) = cubic_splines((covariate - low) / knot_distance);
            Cell { weight: weight(tie), share: tie.mass[1] / weight(tie), first, splines }
        };
        let cells = ties.iter().zip(&covariates).map(cell).collect();
        let base_rate = ties.iter().map(|tie| tie.mass[1]).sum::<f64>() / total;
        Regression { cells, total, base_rate }
    }

    /// The probability of class 1 in a cell.
    fn probability(cell: &Cell, coefficients: &DVector<f64>) -> f64 {
        let predictor: f64 = (0..4).map(|k| cell.splines[k] * coefficients[cell.first + k]).sum();
        1.0 / (1.0 + (-predictor).exp())
    }

    /// Fits by Newton's method, from these coefficients on, which become those of the fit.
    fn fit(&self, coefficients: &mut DVector<f64>, penalty: f64) -> Fit {
        let mut effective = COEFFICIENTS as f64;
        for _ in 0..MOST_STEPS {
            let (mut gradient, information) = self.derivatives(coefficients);
            let mut hessian = information.clone();
            penalise(penalty, coefficients, &mut gradient, &mut hessian);
            let Some(factors) = hessian.cholesky() else { break };
            let step = factors.solve(&gradient);
            let longest = step.amax();
            *coefficients += step * (LONGEST_STEP / longest).min(1.0);
            effective = factors.solve(&information).trace();
            if longest < 1e-6 {
                break;
            }
        }
        let probabilities: Vec<f64> =
            self.cells.iter().map(|cell| Regression::probability(cell, coefficients)).collect();
        let log_likelihood = |(cell, p): (&Cell, &f64)| {
            let log = |p: f64| p.max(f64::MIN_POSITIVE).ln();
            cell.weight * (cell.share * log(*p) + (1.0 - cell.share) * log(1.0 - p))
        };
        let deviance = -2.0 * self.cells.iter().zip(&probabilities).map(log_likelihood).sum::<f64>();
        Fit { probabilities, criterion: deviance + 2.0 * effective }
    }

    /// The gradient of the log-likelihood, prior rows included, and the information matrix.
    fn derivatives(&self, coefficients: &DVector<f64>) -> (DVector<f64>, DMatrix<f64>) {
        let mut gradient = DVector::zeros(COEFFICIENTS);
        let mut information = DMatrix::zeros(COEFFICIENTS, COEFFICIENTS);
        for cell in &self.cells {
            let p = Regression::probability(cell, coefficients);
            // The prior rows are spread over the cells as the rows are.
            let prior = cell.weight * PRIOR_ROWS / self.total;
            let residual = cell.weight * (cell.share - p) + prior * (self.base_rate - p);
            let variance = (cell.weight + prior) * p * (1.0 - p);
            for a in 0..4 {
                gradient[cell.first + a] += residual * cell.splines[a];
                for b in 0..4 {
                    information[(cell.first + a, cell.first + b)] += variance * cell.splines[a] * cell.splines[b];
                }
            }
        }
        (gradient, information)
    }
}

/// Adds the penalty on squared second differences of the coefficients.
fn penalise(penalty: f64, coefficients: &DVector<f64>, gradient: &mut DVector<f64>, hessian: &mut DMatrix<f64>) {
    const SECOND_DIFFERENCE: [f64; 3] = [1.0, -2.0, 1.0];
    for start in 0..COEFFICIENTS - 2 {
        let difference: f64 = (0..3).map(|k| SECOND_DIFFERENCE[k] * coefficients[start + k]).sum();
        for a in 0..3 {
            gradient[start + a] -= penalty * SECOND_DIFFERENCE[a] * difference;
            for b in 0..3 {
                hessian[(start + a, start + b)] += penalty * SECOND_DIFFERENCE[a] * SECOND_DIFFERENCE[b];
            }
        }
    }
    for k in 0..COEFFICIENTS {
        hessian[(k, k)] += RIDGE;
    }
}

/// The cubic B-splines that do not vanish at `x`, where knots are the whole numbers from 0 to [`SEGMENTS`]: the index of the first, and
/// the values of the four.
fn cubic_splines(x: f64) -> (usize, [f64; 4]) {
    let first = (x.max(0.0) as usize).min(SEGMENTS - 1);
    let u = x - first as f64;
    let v = 1.0 - u;
    let middle = |u: f64| (3.0 * u * u * u - 6.0 * u * u + 4.0) / 6.0;
    (first, [v * v * v / 6.0, middle(u), middle(v), u * u * u / 6.0])
}

/// `ln(p / (1 - p))`.
fn logit(p: f64) -> f64 {
    (p / (1.0 - p)).ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Splines add up to one everywhere, and vanish outside of their support.
    #[test]
    fn splines_are_a_partition_of_unity() {
        for x in [0.0, 0.3, 1.0, 7.5, 15.999, 16.0] {
            let (first, values) = cubic_splines(x);
            assert!((values.iter().sum::<f64>() - 1.0).abs() < 1e-15, "{x}");
            assert!(first < SEGMENTS && values.iter().all(|value| *value >= 0.0), "{x}");
        }
    }

    /// Labels drawn from a known probability: the fit is close to it away from the ends, where few rows tell, and the mean of its
    /// probabilities is the share of class 1.
    #[test]
    fn a_smooth_probability_is_found() {
        let rows = 4000;
        let truth = |k: usize| 1.0 / (1.0 + (-6.0 * (k as f64 / rows as f64 - 0.5)).exp());
        // A low-discrepancy sequence in place of a generator.
        let is_1 = |k: usize| (k as f64 * 0.618_033_988_749_895).fract() < truth(k);
        let tie = |k: usize| Tie { x: k as f64, mass: if is_1(k) { [0.0, 1.0] } else { [1.0, 0.0] } };
        let ties: Vec<Tie> = (0..rows).map(tie).collect();
        let probabilities = class_1_probabilities(&ties);
        for k in (100..rows - 100).step_by(100) {
            assert!((probabilities[k] - truth(k)).abs() < 0.03, "{k}: {} {}", probabilities[k], truth(k));
        }
        let share = ties.iter().map(|tie| tie.mass[1]).sum::<f64>() / rows as f64;
        assert!((probabilities.iter().sum::<f64>() / rows as f64 - share).abs() < 1e-3);
    }

    /// Constant scores, few ties, and separated classes have finite fits.
    #[test]
    fn degenerate_data_have_fits() {
        let constant = [Tie { x: 0.5, mass: [3.0, 1.0] }];
        assert!((class_1_probabilities(&constant)[0] - 0.25).abs() < 1e-6);
        let separated: Vec<Tie> =
            (0..40).map(|k| Tie { x: f64::from(k), mass: if k < 20 { [1.0, 0.0] } else { [0.0, 1.0] } }).collect();
        let probabilities = class_1_probabilities(&separated);
        assert!(
            probabilities.is_sorted() && probabilities.iter().all(|p| (0.0..=1.0).contains(p)),
            "{probabilities:?}"
        );
        assert!(probabilities[0] < 0.05 && probabilities[39] > 0.95);
        // Next to the other class nothing is certain.
        assert!(probabilities[19] > 0.1 && probabilities[20] < 0.9, "{probabilities:?}");
    }
}
