//! The distribution of operating conditions: a beta density on [0, 1].

use super::definition::Beta;
use crate::constant::Constant;
use rocproof_arith::Interval;
use rocproof_arith::rational::{Rational, from_f64};
use rocproof_arith::special::{beta_scale, minus_log_share};
use rocproof_language::Diagnostic;
use std::fmt;

/// Whole powers up to this are computed by multiplication, larger ones by logarithms.
const LARGEST_MULTIPLIED: f64 = 8.0;

/// The density `w` of operating conditions (cost proportions or skews) on [0, 1].
///
/// ```
/// use rocproof_engine::functional::Cost;
/// assert_eq!(Cost::parse("beta(2, 2)")?.to_string(), "beta(2, 2)");
/// assert_eq!(Cost::parse("beta(1, 3)")?.mean(), 0.25);
/// assert!(Cost::parse("beta(0, 2)").is_err());
/// # Ok::<(), rocproof_language::Diagnostic>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Cost {
    /// The exponents of the density are `a - 1` and `b - 1`.
    a: f64,
    b: f64,
    /// `ln(1/B(a, b))`.
    log_scale: f64,
    /// `1/B(a, b)`.
    scale: f64,
    /// The parameters, if both are rational.
    exact: Option<[Rational; 2]>,
    parameters: [Constant; 2],
    /// The distribution as the user wrote it.
    text: String,
}

impl Cost {
    /// The uniform distribution.
    pub fn uniform() -> Cost {
        Cost { text: "uniform".into(), ..Cost::beta(1.0, 1.0) }
    }

    /// A beta distribution with these parameters, taken exactly. They must be positive.
    pub(crate) fn beta(a: f64, b: f64) -> Cost {
        // ln(1/B(a, b)), computed from the scale around the mean.
        let log_scale = beta_scale(a, b).ln() + minus_log_share(a, b) + minus_log_share(b, a);
        let exact = from_f64(a).zip(from_f64(b)).map(|(a, b)| [a, b]);
        let parameters = [a, b].map(|p| Constant::real(p, Interval::from(p)));
        let parameters = exact.clone().map_or(parameters, |exact| exact.map(Constant::rational));
        Cost { a, b, log_scale, scale: log_scale.exp(), exact, parameters, text: format!("beta({a}, {b})") }
    }

    /// Reads `uniform` or `beta(a, b)`.
    pub fn parse(text: &str) -> Result<Cost, Diagnostic> {
        Ok(Cost::from(&Beta::parse(text)?))
    }

    /// The density at `c`, given with `1 - c`. At an end where it may be infinite it is 0: such points have no weight in an integral.
    pub fn density(&self, c: f64, complement: f64) -> f64 {
        let (p, q) = (self.a - 1.0, self.b - 1.0);
        if p == 0.0 && q == 0.0 {
            return 1.0;
        }
        if (c <= 0.0 && p != 0.0) || (complement <= 0.0 && q != 0.0) {
            return 0.0;
        }
        // Small whole powers by multiplication.
        let is_small_whole = |power: f64| power.fract() == 0.0 && power <= LARGEST_MULTIPLIED;
        if is_small_whole(p) && is_small_whole(q) {
            return self.scale * c.powi(p as i32) * complement.powi(q as i32);
        }
        // Near 1, `ln c` is computed from the complement.
        let log = |base: f64, one_minus_base: f64| {
            if one_minus_base < 0.5 { (-one_minus_base).ln_1p() } else { base.ln() }
        };
        let term = |power: f64, base: f64, one_minus_base: f64| {
            if power == 0.0 { 0.0 } else { power * log(base, one_minus_base) }
        };
        (self.log_scale + term(p, c, complement) + term(q, complement, c)).exp()
    }

    /// The powers `a - 1` of `c` and `b - 1` of `1 - c` in the density, if both are whole numbers from 0 to 63.
    pub fn whole_powers(&self) -> Option<[i32; 2]> {
        let power = |parameter: f64| {
            (parameter.fract() == 0.0 && (1.0..=64.0).contains(&parameter)).then_some(parameter as i32 - 1)
        };
        Some([power(self.a)?, power(self.b)?])
    }

    /// The factor `1/B(a, b)` of the density.
    pub fn scale(&self) -> f64 {
        self.scale
    }

    /// Whether this is the uniform distribution.
    pub fn is_uniform(&self) -> bool {
        self.exact.as_ref().is_some_and(|parameters| parameters.iter().all(Rational::is_one))
    }

    /// The exponents `a` and `b` with which the mass vanishes towards 0 and 1, as floats.
    pub fn exponents(&self) -> [f64; 2] {
        [self.a, self.b]
    }

    /// The parameters, if both are rational.
    pub(crate) fn exact_parameters(&self) -> Option<&[Rational; 2]> {
        self.exact.as_ref()
    }

    /// The parameters `a` and `b`.
    pub fn parameters(&self) -> &[Constant; 2] {
        &self.parameters
    }

    /// The mean operating condition.
    pub fn mean(&self) -> f64 {
        self.a / (self.a + self.b)
    }

    /// The standard deviation of the operating condition.
    pub fn deviation(&self) -> f64 {
        let n = self.a + self.b;
        (self.a / n * (self.b / n) / (n + 1.0)).sqrt()
    }

    /// A bound on the relative error of the density.
    pub fn rounding(&self) -> f64 {
        if self.is_uniform() { 0.0 } else { 4.0 * (self.a + self.b + 2.0) * f64::EPSILON }
    }
}

impl From<&Beta> for Cost {
    fn from(beta: &Beta) -> Cost {
        let parameters = beta.parameters.each_ref().map(Constant::from);
        let [a, b] = parameters.each_ref().map(|p| p.value);
        Cost { text: beta.to_string(), exact: beta.exact(), parameters, ..Cost::beta(a, b) }
    }
}

impl fmt::Display for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
