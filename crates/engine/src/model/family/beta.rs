//! The beta family.

use super::{Behaviour, End, Family, ParameterError, Places, Sites, bell_landmarks};
use rocproof_arith::special::{beta_scale, ln_1p_minus, minus_log_share};

/// The beta density on [0, 1].
///
/// # Formula
///
/// `f(x) = x^(a-1) (1-x)^(b-1) / B(a, b)`. It is computed around the mean `p = a/(a+b)`, `q = 1-p` as
/// `f(x)·x(1-x) = s·exp(a ln(x/p) + b ln((1-x)/q))`, where nothing large cancels even for `a = b = 1e5`.
///
/// # Errors
///
/// [`Beta::new`] wants both parameters positive, and at most 1e9.
///
/// # Examples
///
/// ```
/// use rocproof_engine::model::family::Beta;
/// assert!(Beta::new(2.0, 5.0).is_ok());
/// assert_eq!(Beta::new(0.0, 5.0).unwrap_err().to_string(), "the parameters of beta must be positive");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Beta {
    a: f64,
    b: f64,
    log_scale: f64,
}

impl Beta {
    /// The density with exponents `a - 1` and `b - 1`.
    pub fn new(a: f64, b: f64) -> Result<Beta, ParameterError> {
        for (i, parameter) in [a, b].into_iter().enumerate() {
            if parameter.is_nan() || parameter <= 0.0 {
                return Err(ParameterError::new(i, "the parameters of beta must be positive"));
            }
            if !(1e-3..=1e9).contains(&parameter) {
                return Err(ParameterError::new(i, "the parameters of beta must lie between 1e-3 and 1e9"));
            }
        }
        Ok(Beta { a, b, log_scale: beta_scale(a, b).ln() })
    }

    fn deviation(&self) -> f64 {
        let n = self.a + self.b;
        (self.a / n * (self.b / n) / (n + 1.0)).sqrt()
    }
}

/// Parameters up to this sum lose no digits that matter to a plain sum of logarithms.
const MODEST: f64 = 20.0;

/// `ln x^exponent`, also where `ln x` is infinite.
fn power(exponent: f64, log_x: f64) -> f64 {
    if exponent == 0.0 { 0.0 } else { exponent * log_x }
}

impl Family for Beta {
    fn support(&self) -> (f64, f64) {
        (0.0, 1.0)
    }

    fn behaviour(&self, end: End) -> Behaviour {
        Behaviour::power(if end == End::Left { self.a } else { self.b } - 1.0)
    }

    fn landmarks(&self) -> Vec<f64> {
        // A broad bell cannot hide from the first panels.
        const BROAD: f64 = 0.06;
        let deviation = self.deviation();
        if deviation > BROAD {
            return Vec::new();
        }
        bell_landmarks(self.a / (self.a + self.b), deviation).into_iter().filter(|x| *x > 0.0 && *x < 1.0).collect()
    }

    fn log_density(&self, places: &Places, log: &mut Sites, slope: &mut Sites) {
        let (a, b) = (self.a, self.b);
        let (p, q) = (a / (a + b), b / (a + b));
        let (log_x, log_y) = (places.log_above(0.0), places.log_below(1.0));
        // Around the mean the large exponents cancel; small ones need no such care.
        let near = if a + b > MODEST { 0.3 * p.min(q) } else { 0.0 };
        let offset = self.log_scale + minus_log_share(a, b) + minus_log_share(b, a);
        for i in 0..log.len() {
            let (x, y) = (places.above(0.0, i), places.below(1.0, i));
            let from_mean = places.from_point(p, i);
            log[i] = if from_mean.abs() < near {
                let exponent = a * ln_1p_minus(from_mean / p) + b * ln_1p_minus(-from_mean / q);
                self.log_scale + exponent - log_x[i] - log_y[i]
            } else {
                offset + power(a - 1.0, log_x[i]) + power(b - 1.0, log_y[i])
            };
            slope[i] = (a - 1.0) / x - (b - 1.0) / y;
        }
    }

    fn rounding(&self) -> f64 {
        // The exponent is a + b times a difference of scores, each known to half a unit.
        (8.0 + 4.0 * (self.a + self.b).sqrt()) * f64::EPSILON
    }
}
