//! Intervals of means of losses that have a smallest and a largest value.

use super::spread::normal_quantile;

/// The mean of the losses of some rows.
#[derive(Clone, Copy, Debug)]
pub(super) struct MeanLoss {
    /// The mean.
    pub(super) mean: f64,
    /// The variance of the mean.
    pub(super) variance: f64,
    /// The largest loss of a row; the smallest is 0.
    pub(super) largest: f64,
    /// The number of rows.
    pub(super) rows: f64,
}

impl MeanLoss {
    /// Wilson's interval of a share with the same variance.
    ///
    /// As a share `p` of its largest value, the mean has the variance of a share of `n = p(1-p)/variance` rows: the effective number of rows.
    /// Where losses are 0 or 1 it is their number, and the interval is Wilson's. Far from both ends it is the normal interval. Near an end it
    /// is not symmetric, since the variance grows with the distance from the end. If all rows lose the least or the most, it is that of a
    /// share of so many rows. If all rows have the same loss otherwise, it has no width.
    ///
    /// `quantile` is the number of standard errors of a normal interval.
    pub(super) fn interval(self, quantile: f64) -> (f64, f64) {
        let share = (self.mean / self.largest).clamp(0.0, 1.0);
        let spread = share * (1.0 - share);
        let variance = self.variance / (self.largest * self.largest);
        // Rounding leaves a little of a variance of 0, and of a mean of 0.
        let is_end = spread < VANISHING;
        let rows = if is_end { self.rows } else { spread / variance };
        if !is_end && variance <= VANISHING * VANISHING {
            return (self.mean, self.mean);
        }
        let (low, high) = wilson(share, rows, quantile);
        (low * self.largest, high * self.largest)
    }
}

/// A share of the largest loss, or its standard error, that is 0 up to rounding.
pub(super) const VANISHING: f64 = 1e-13;

/// Wilson's interval of a share of `n` rows: the shares from which this one is at most `quantile` standard errors away.
pub(super) fn wilson(share: f64, n: f64, quantile: f64) -> (f64, f64) {
    let z2 = quantile * quantile;
    let centre = (share + z2 / (2.0 * n)) / (1.0 + z2 / n);
    let half_width = (z2 * (share * (1.0 - share) / n + z2 / (4.0 * n * n))).sqrt() / (1.0 + z2 / n);
    // At an end the interval reaches it, but for rounding.
    let low = if share <= VANISHING { 0.0 } else { (centre - half_width).max(0.0) };
    let high = if share >= 1.0 - VANISHING { 1.0 } else { (centre + half_width).min(1.0) };
    (low, high)
}

/// The interval of a sum of independent terms, given each term with its interval and its factor: the distances to the ends are added as
/// standard errors are (the method of variance estimates recovery, Zou and Donner 2008).
pub(super) fn combine(value: f64, terms: impl IntoIterator<Item = (f64, (f64, f64), f64)>) -> (f64, f64) {
    let (mut below, mut above) = (0.0, 0.0);
    for (term, (low, high), factor) in terms {
        let [down, up] = [factor * (term - low), factor * (high - term)].map(|distance| distance * distance);
        // A negative factor exchanges the ends.
        let (down, up) = if factor < 0.0 { (up, down) } else { (down, up) };
        below += down;
        above += up;
    }
    (value - below.sqrt(), value + above.sqrt())
}

/// The interval of a difference of two terms, given each with its interval and their correlation, as by [`combine`].
pub(super) fn combine_difference(one: (f64, (f64, f64)), other: (f64, (f64, f64)), correlation: f64) -> (f64, f64) {
    let distance = |a: f64, b: f64| (a * a + b * b - 2.0 * correlation * a * b).max(0.0).sqrt();
    let ((x, (x_low, x_high)), (y, (y_low, y_high))) = (one, other);
    (x - y - distance(x - x_low, y_high - y), x - y + distance(x_high - x, y - y_low))
}

/// The interval of a mean of differences, at most `largest` away from 0: from the intervals of the mean of what lies above 0 and of what lies
/// below it, as by [`combine`]. `quantile` is the number of standard errors of a normal interval.
///
/// If two methods differ in few rows, a difference varies with their number, as a share of few rows does.
pub(super) fn interval_of_differences(differences: &[f64], largest: f64, quantile: f64) -> (f64, f64) {
    let n = differences.len() as f64;
    let part = |sign: f64| {
        let of = || differences.iter().map(move |difference| (sign * difference).max(0.0));
        let mean = of().sum::<f64>() / n;
        let variance = of().map(|x| (x - mean).powi(2)).sum::<f64>() / (n - 1.0).max(1.0) / n;
        (MeanLoss { mean, variance, largest, rows: n }, variance)
    };
    let ((above, variance_above), (below, variance_below)) = (part(1.0), part(-1.0));
    if above.mean == 0.0 && below.mean == 0.0 {
        return (0.0, 0.0);
    }
    // A row lies on one side only.
    let covariance = -above.mean * below.mean / n;
    let correlation = covariance / (variance_above * variance_below).sqrt();
    let correlation = if correlation.is_finite() { correlation.max(-1.0) } else { 0.0 };
    let [up, down] = [above, below].map(|part| (part.mean, part.interval(quantile)));
    combine_difference(up, down, correlation)
}

/// The number `t` such that a variable of Student's distribution lies in [-t, t] with probability `level`, by the expansion of Fisher and
/// Cornish: 1 % off at two degrees of freedom, 0.02 % at five.
pub(super) fn student_quantile(level: f64, degrees: f64) -> f64 {
    let z = normal_quantile(level);
    let z2 = z * z;
    let terms = [
        (z2 + 1.0) / 4.0,
        (5.0 * z2.powi(2) + 16.0 * z2 + 3.0) / 96.0,
        (3.0 * z2.powi(3) + 19.0 * z2.powi(2) + 17.0 * z2 - 15.0) / 384.0,
        (79.0 * z2.powi(4) + 776.0 * z2.powi(3) + 1482.0 * z2.powi(2) - 1920.0 * z2 - 945.0) / 92160.0,
    ];
    let degrees = degrees.max(1.0);
    let series = terms.iter().zip(1..).map(|(term, power)| term / degrees.powi(power)).sum::<f64>();
    z * (1.0 + series)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tables: 4.303, 2.571, 2.228 and 1.984 standard errors at 2, 5, 10 and 100 degrees of freedom.
    #[test]
    fn quantiles_of_students_distribution() {
        for (degrees, quantile) in [(2.0, 4.302_65), (5.0, 2.570_58), (10.0, 2.228_14), (100.0, 1.983_97)] {
            let found = student_quantile(0.95, degrees);
            assert!((found / quantile - 1.0).abs() < 0.01 / degrees.powi(2) * 4.0, "{degrees}: {found}");
        }
    }

    /// Of 40 losses of 0 or 0.4, four are 0.4: Wilson's interval of four in 40 is [0.0396, 0.2305].
    #[test]
    fn losses_of_one_size_have_wilsons_interval() {
        let mean = MeanLoss { mean: 0.04, variance: 0.16 * 0.09 / 40.0, largest: 0.4, rows: 40.0 };
        let (low, high) = mean.interval(normal_quantile(0.95));
        assert!((low / 0.4 - 0.039_580).abs() < 1e-5 && (high / 0.4 - 0.230_518).abs() < 1e-5, "{low} {high}");
    }

    /// No row of 40 loses anything: the bound is that of a share of 40, z²/(40 + z²) = 0.0876.
    #[test]
    fn rows_that_lose_nothing_have_a_bound() {
        let none = MeanLoss { mean: 0.0, variance: 0.0, largest: 1.6, rows: 40.0 };
        let (low, high) = none.interval(normal_quantile(0.95));
        assert!(low == 0.0 && (high - 1.6 * 0.087_622).abs() < 1e-5, "{high}");
        let all = MeanLoss { mean: 1.6, ..none }.interval(normal_quantile(0.95));
        assert!((all.0 - (1.6 - high)).abs() < 1e-12 && all.1 == 1.6, "{all:?}");
        let alike = MeanLoss { mean: 0.4, ..none };
        assert_eq!(alike.interval(2.0), (0.4, 0.4));
    }

    /// Far from the ends the interval is the normal one.
    #[test]
    fn many_rows_have_the_normal_interval() {
        let (low, high) = MeanLoss { mean: 0.3, variance: 1e-8, largest: 1.0, rows: 1e6 }.interval(1.96);
        assert!((low - 0.3 + 1.96e-4).abs() < 1e-7 && (high - 0.3 - 1.96e-4).abs() < 1e-7, "{low} {high}");
    }

    /// Of 100 rows four are better and one is worse: McNemar's situation. The normal interval is 0.03 ± 0.044; Tango's score interval, which
    /// is exact to the second order, is [-0.0193, 0.0893].
    #[test]
    fn differences_in_few_rows() {
        let differences: Vec<f64> =
            (0..100).map(|row| [1.0, 1.0, 1.0, 1.0, -1.0].get(row).copied().unwrap_or(0.0)).collect();
        let (low, high) = interval_of_differences(&differences, 1.0, normal_quantile(0.95));
        assert!((low + 0.02).abs() < 0.006 && (high - 0.09).abs() < 0.006, "{low} {high}");
        assert_eq!(interval_of_differences(&[0.0; 9], 1.0, 2.0), (0.0, 0.0));
        let turned: Vec<f64> = differences.iter().map(|difference| -difference).collect();
        assert_eq!(interval_of_differences(&turned, 1.0, normal_quantile(0.95)), (-high, -low));
    }

    /// One term has its own interval; of two the distances add up as sides of a right angle do, and a negative factor turns them round.
    #[test]
    fn terms_are_combined() {
        assert_eq!(combine(0.5, [(0.5, (0.2, 0.9), 1.0)]), (0.2, 0.9));
        let (low, high) = combine(0.0, [(0.5, (0.2, 0.9), 1.0), (0.5, (0.1, 0.8), -1.0)]);
        assert!((low + 0.18f64.sqrt()).abs() < 1e-15 && (high - 0.32f64.sqrt()).abs() < 1e-15);
    }
}
