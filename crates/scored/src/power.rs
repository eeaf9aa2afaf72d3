//! How many rows tell two models apart.

use super::spread::normal_quantile;

/// The number of rows at which a true difference is found, as an interval that excludes 0, with probability `power`.
///
/// `standard_error` is that of the difference on `rows` rows, `level` the coverage of the interval. Standard errors fall with the square
/// root of the number of rows: `n = rows (z_level + z_power)² (standard_error / difference)²`. `None` if there is no difference.
///
/// ```
/// use rocproof_scored::rows_needed;
/// // A difference of one standard error on 100 rows needs (1.960 + 0.842)² = 7.85 times as many.
/// assert_eq!(rows_needed(100.0, 0.01, 0.01, 0.95, 0.8), Some(785));
/// assert_eq!(rows_needed(100.0, 0.01, 0.0, 0.95, 0.8), None);
/// ```
pub fn rows_needed(rows: f64, standard_error: f64, difference: f64, level: f64, power: f64) -> Option<u64> {
    let z = normal_quantile(level) + one_sided_quantile(power);
    let needed = rows * (z * standard_error / difference).powi(2);
    (needed.is_finite() && needed < 1e18).then(|| needed.ceil().max(2.0) as u64)
}

/// The number below which a standard normal variable lies with probability `p`.
fn one_sided_quantile(p: f64) -> f64 {
    let size = normal_quantile((2.0 * p - 1.0).abs());
    if p < 0.5 { -size } else { size }
}
