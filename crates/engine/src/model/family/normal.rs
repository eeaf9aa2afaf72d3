//! The normal family.

use super::{Behaviour, End, FARTHEST, Family, ParameterError, Places, Sites, bell_landmarks};
use std::f64::consts::TAU;

/// The normal density on the whole line.
///
/// # Formula
///
/// `f(x) = exp(-(x-μ)²/2σ²) / (σ√2π)`.
///
/// # Errors
///
/// [`Normal::new`] wants `σ > 0`.
///
/// # Examples
///
/// ```
/// use rocproof_engine::model::family::Normal;
/// assert!(Normal::new(0.0, 1.5).is_ok());
/// assert!(Normal::new(0.0, -1.0).is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Normal {
    mean: f64,
    deviation: f64,
}

impl Normal {
    /// The density with the given mean and standard deviation.
    pub fn new(mean: f64, deviation: f64) -> Result<Normal, ParameterError> {
        if deviation.is_nan() || deviation <= 0.0 {
            return Err(ParameterError::new(1, "the standard deviation of normal must be positive"));
        }
        if !(deviation.is_finite() && mean.abs() <= FARTHEST * deviation && (1e-150..=1e150).contains(&deviation)) {
            return Err(ParameterError::new(
                1,
                "the standard deviation of normal is too small or too large to tell scores apart",
            ));
        }
        Ok(Normal { mean, deviation })
    }
}

impl Family for Normal {
    fn support(&self) -> (f64, f64) {
        (f64::NEG_INFINITY, f64::INFINITY)
    }

    fn behaviour(&self, _: End) -> Behaviour {
        Behaviour::REGULAR
    }

    fn landmarks(&self) -> Vec<f64> {
        bell_landmarks(self.mean, self.deviation)
    }

    fn effective_support(&self) -> (f64, f64) {
        // 1 - Φ(9.5) = 1.0e-21.
        (self.mean - 9.5 * self.deviation, self.mean + 9.5 * self.deviation)
    }

    fn log_density(&self, places: &Places, log: &mut Sites, slope: &mut Sites) {
        let offset = 0.5 * TAU.ln() + self.deviation.ln();
        for i in 0..log.len() {
            let z = places.from_point(self.mean, i) / self.deviation;
            log[i] = -0.5 * z * z - offset;
            slope[i] = -z / self.deviation;
        }
    }

    fn rounding(&self) -> f64 {
        // The score is known to half a unit, and so is the mean.
        (16.0 + 4.0 * self.mean.abs() / self.deviation) * f64::EPSILON
    }
}
