//! The triangular family.

use super::{Behaviour, End, Family, ParameterError, Places, Sites};

/// The triangular density.
///
/// # Formula
///
/// `f(x) = 2(x-lo)/((hi-lo)(mode-lo))` up to the mode, `2(hi-x)/((hi-lo)(hi-mode))` from there on.
///
/// # Errors
///
/// [`Triangular::new`] wants `lo <= mode <= hi` and `lo < hi`.
///
/// # Examples
///
/// ```
/// use rocproof_engine::model::family::Triangular;
/// assert!(Triangular::new(0.0, 1.0 / 3.0, 1.0).is_ok());
/// assert!(Triangular::new(0.0, 0.0, 1.0).is_ok());
/// assert!(Triangular::new(0.0, 2.0, 1.0).is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Triangular {
    lo: f64,
    mode: f64,
    hi: f64,
}

impl Triangular {
    /// The density on `[lo, hi]` with its peak at `mode`.
    pub fn new(lo: f64, mode: f64, hi: f64) -> Result<Triangular, ParameterError> {
        if lo.is_nan() || hi.is_nan() || lo >= hi {
            return Err(ParameterError::new(2, "triangular(lo, mode, hi) needs lo < hi"));
        }
        if !(1e-150..=1e150).contains(&(hi - lo)) {
            return Err(ParameterError::new(2, "this interval is too short or too long to tell scores apart"));
        }
        if mode.is_nan() || mode < lo || mode > hi {
            return Err(ParameterError::new(1, "the mode of triangular(lo, mode, hi) must lie between lo and hi"));
        }
        Ok(Triangular { lo, mode, hi })
    }
}

impl Family for Triangular {
    fn support(&self) -> (f64, f64) {
        (self.lo, self.hi)
    }

    fn breakpoints(&self) -> Vec<f64> {
        if self.lo < self.mode && self.mode < self.hi { vec![self.mode] } else { Vec::new() }
    }

    fn behaviour(&self, end: End) -> Behaviour {
        let at_mode = if end == End::Left { self.lo == self.mode } else { self.hi == self.mode };
        if at_mode { Behaviour::REGULAR } else { Behaviour::power(1.0) }
    }

    fn log_density(&self, places: &Places, log: &mut Sites, slope: &mut Sites) {
        for i in 0..log.len() {
            let rising = places.x[i] < self.mode || self.mode == self.hi;
            let (distance, side) = if rising {
                (places.above(self.lo, i), self.mode - self.lo)
            } else {
                (places.below(self.hi, i), self.hi - self.mode)
            };
            log[i] = (2.0 / (self.hi - self.lo) * (distance / side)).ln();
            slope[i] = if rising { 1.0 } else { -1.0 } / distance;
        }
    }
}
