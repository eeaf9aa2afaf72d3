//! How many rows tell two models apart.

use super::spread::{Spread, normal_quantile};

/// When a true difference counts as found: the interval excludes 0, and it does so with a stated probability.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Power {
    /// The coverage of the interval.
    pub level: f64,
    /// The probability of finding the difference, at least one half.
    pub probability: f64,
}

impl Power {
    /// The smallest true difference that is found on as many rows as the spread comes from: `(z_level + z_probability)` standard errors.
    /// `None` if the difference does not vary.
    pub fn detectable(self, spread: &Spread) -> Option<f64> {
        // A normal variable lies below z with probability p if it lies between -z and z with probability 2p - 1.
        let standard_errors = normal_quantile(self.level) + normal_quantile(2.0 * self.probability - 1.0);
        let size = standard_errors * spread.standard_error;
        (size.is_finite() && size > 0.0).then_some(size)
    }

    /// The number of rows on which a true difference of this size is found. The spread comes from `rows` rows.
    ///
    /// Standard errors fall with the square root of the number of rows: `n = rows (detectable / difference)²`.
    ///
    /// ```
    /// use rocproof_scored::{IntervalMethod, Power, Spread};
    /// let power = Power { level: 0.95, probability: 0.8 };
    /// let spread = Spread {
    ///     value: 0.004, standard_error: 0.01, interval: (-0.016, 0.024),
    ///     bias: None, chance: None, method: IntervalMethod::Delong, caveat: None,
    /// };
    /// // A difference of one standard error on 100 rows needs (1.960 + 0.842)² = 7.85 times as many.
    /// assert_eq!(power.rows_needed(100.0, &spread, 0.01), Some(785));
    /// assert_eq!(power.rows_needed(100.0, &spread, 0.0), None);
    /// ```
    pub fn rows_needed(self, rows: f64, spread: &Spread, difference: f64) -> Option<u64> {
        let needed = rows * (self.detectable(spread)? / difference).powi(2);
        (needed.is_finite() && needed < 1e18).then(|| needed.ceil().max(2.0) as u64)
    }
}
