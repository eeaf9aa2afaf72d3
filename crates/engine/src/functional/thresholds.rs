//! The threshold and the rate of the fixed methods.

use super::definition::{Definition, Method};
use crate::constant::Constant;
use rocproof_arith::rational::from_f64;
use rocproof_arith::{Interval, Rational};

/// The threshold and the rate of the fixed methods, exactly as the user wrote them.
#[derive(Clone, Debug, PartialEq)]
pub struct Thresholds {
    /// The threshold of the score-fixed method and of accuracy.
    pub threshold: Constant,
    /// The predicted positive rate of the rate-fixed method.
    pub rate: Constant,
}

/// One half for both.
impl Default for Thresholds {
    fn default() -> Thresholds {
        let half = Constant::rational(Rational::ONE / Rational::from(2));
        Thresholds { threshold: half.clone(), rate: half }
    }
}

impl Thresholds {
    /// The threshold and the rate that two floating-point numbers are, exactly.
    pub fn of_floats(threshold: f64, rate: f64) -> Thresholds {
        let constant = |value: f64| match from_f64(value) {
            Some(exact) => Constant::rational(exact),
            None => Constant::real(value, Interval::from(value)),
        };
        Thresholds { threshold: constant(threshold), rate: constant(rate) }
    }

    /// The threshold and the rate, in the order of the parameters of the standard questions.
    pub(super) fn parameters(&self) -> [Constant; 2] {
        [self.threshold.clone(), self.rate.clone()]
    }

    /// The name of a metric, with the threshold if it depends on one: `Acc(1/2)`.
    pub fn label(&self, metric: &Definition) -> String {
        metric.label(self.threshold.value)
    }

    /// The seven threshold choice methods, by the `f64` nearest to their parameters.
    pub fn methods(&self) -> [Method; 7] {
        Method::each(self.threshold.value, self.rate.value)
    }
}
