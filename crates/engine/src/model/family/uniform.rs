//! The uniform family.

use super::{Behaviour, End, Family, ParameterError, Places, Sites};

/// The constant density on an interval.
///
/// # Formula
///
/// `f(x) = 1/(hi - lo)` on `[lo, hi]`.
///
/// # Errors
///
/// [`Uniform::new`] wants `lo < hi`.
///
/// # Examples
///
/// ```
/// use rocproof_engine::model::family::Uniform;
/// assert!(Uniform::new(0.2, 0.7).is_ok());
/// assert!(Uniform::new(0.7, 0.2).is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Uniform {
    lo: f64,
    hi: f64,
}

impl Uniform {
    /// The density on `[lo, hi]`.
    pub fn new(lo: f64, hi: f64) -> Result<Uniform, ParameterError> {
        if lo.is_nan() || hi.is_nan() || lo >= hi {
            return Err(ParameterError::new(1, "uniform(lo, hi) needs lo < hi"));
        }
        if !(1e-150..=1e150).contains(&(hi - lo)) {
            return Err(ParameterError::new(1, "this interval is too short or too long to tell scores apart"));
        }
        Ok(Uniform { lo, hi })
    }
}

impl Family for Uniform {
    fn support(&self) -> (f64, f64) {
        (self.lo, self.hi)
    }

    fn behaviour(&self, _: End) -> Behaviour {
        Behaviour::REGULAR
    }

    fn height(&self) -> Option<f64> {
        Some(1.0 / (self.hi - self.lo))
    }

    fn log_density(&self, _: &Places, log: &mut Sites, slope: &mut Sites) {
        log.fill(-(self.hi - self.lo).ln());
        slope.fill(0.0);
    }
}
