//! The logistic family.

use super::{Behaviour, End, FARTHEST, Family, ParameterError, Places, Sites};

/// The logistic density on the whole line.
///
/// # Formula
///
/// `f(x) = e^-z / (s(1 + e^-z)²)` with `z = (x-μ)/s`.
///
/// # Errors
///
/// [`Logistic::new`] wants `s > 0`.
///
/// # Examples
///
/// ```
/// use rocproof_engine::model::family::Logistic;
/// assert!(Logistic::new(0.0, 1.0).is_ok());
/// assert!(Logistic::new(0.0, 0.0).is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Logistic {
    location: f64,
    scale: f64,
}

impl Logistic {
    /// The density with the given location and scale.
    pub fn new(location: f64, scale: f64) -> Result<Logistic, ParameterError> {
        if scale.is_nan() || scale <= 0.0 {
            return Err(ParameterError::new(1, "the scale of logistic must be positive"));
        }
        if !(scale.is_finite() && location.abs() <= FARTHEST * scale && (1e-150..=1e150).contains(&scale)) {
            return Err(ParameterError::new(1, "the scale of logistic is too small or too large to tell scores apart"));
        }
        Ok(Logistic { location, scale })
    }
}

impl Family for Logistic {
    fn support(&self) -> (f64, f64) {
        (f64::NEG_INFINITY, f64::INFINITY)
    }

    fn behaviour(&self, _: End) -> Behaviour {
        Behaviour::REGULAR
    }

    fn landmarks(&self) -> Vec<f64> {
        [-20.0, -8.0, -3.0, 0.0, 3.0, 8.0, 20.0].map(|k| self.location + k * self.scale).to_vec()
    }

    fn effective_support(&self) -> (f64, f64) {
        // The tail beyond 47 scales holds e^-47 = 4e-21.
        (self.location - 47.0 * self.scale, self.location + 47.0 * self.scale)
    }

    fn log_density(&self, places: &Places, log: &mut Sites, slope: &mut Sites) {
        for i in 0..log.len() {
            let z = places.from_point(self.location, i) / self.scale;
            log[i] = -z.abs() - 2.0 * (-z.abs()).exp().ln_1p() - self.scale.ln();
            slope[i] = -(z / 2.0).tanh() / self.scale;
        }
    }

    fn rounding(&self) -> f64 {
        (16.0 + 4.0 * self.location.abs() / self.scale) * f64::EPSILON
    }
}
