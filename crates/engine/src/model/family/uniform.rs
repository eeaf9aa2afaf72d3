//! The uniform family.

use super::{
    Behaviour, End, Family, NumericDensity, ParameterError, Places, Reference, SCALES, Sites, exact_parameter,
};
use crate::model::certified::{EnclosedMixture, Trouble};
use crate::model::piecewise::{NotPolynomial, Piecewise};
use crate::model::tree::Argument;
use rocproof_arith::{Interval, Polynomial, Rational};
use std::sync::Arc;

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
        if !SCALES.contains(&(hi - lo)) {
            return Err(ParameterError::new(1, "this interval is too short or too long to tell scores apart"));
        }
        Ok(Uniform { lo, hi })
    }
}

impl NumericDensity for Uniform {
    fn support(&self) -> (f64, f64) {
        (self.lo, self.hi)
    }

    fn behaviour(&self, _: End) -> Behaviour {
        Behaviour::REGULAR
    }

    /// The constant value of the density.
    fn height(&self) -> Option<f64> {
        Some(1.0 / (self.hi - self.lo))
    }

    /// The constant `-ln(hi - lo)`, with the derivative 0.
    fn log_density(&self, _: &Places, log: &mut Sites, slope: &mut Sites) {
        log.fill(-(self.hi - self.lo).ln());
        slope.fill(0.0);
    }
}

/// The uniform family, as listed in [`FAMILIES`](super::FAMILIES).
#[derive(Debug)]
pub(super) struct UniformFamily;

pub(super) static FAMILY: UniformFamily = UniformFamily;

const REFERENCES: [Reference; 3] = [
    Reference::new("uniform(0, 1)", 0.25, [1.0, 0.25, 0.75]),
    Reference::new("uniform(0.2, 0.7)", 0.5, [2.0, 0.6, 0.4]),
    Reference::new("uniform(-3, 1/3)", -2.75, [0.3, 0.075, 0.925]),
];

impl Family for UniformFamily {
    fn name(&self) -> &'static str {
        "uniform"
    }

    fn parameters(&self) -> &'static [&'static str] {
        &["lo", "hi"]
    }

    fn positions(&self) -> &'static [usize] {
        &[0, 1]
    }

    fn summary(&self) -> &'static str {
        "on [lo, hi], `1/(hi - lo)`"
    }

    fn numeric(&self, parameters: &[f64]) -> Result<Arc<dyn NumericDensity>, ParameterError> {
        Ok(Arc::new(Uniform::new(parameters[0], parameters[1])?))
    }

    fn references(&self) -> &'static [Reference] {
        &REFERENCES
    }

    /// One constant piece.
    fn exact(&self, arguments: &[Argument]) -> Result<Piecewise, NotPolynomial> {
        let [lo, hi] = [exact_parameter(arguments, 0)?, exact_parameter(arguments, 1)?];
        let height = Polynomial::constant(Rational::ONE / (hi - lo));
        Ok(Piecewise::piece(lo.clone(), hi.clone(), height))
    }

    /// A constant component: the polynomial 1 with the weight `1/(hi - lo)`, and the mass 1.
    fn enclosed(&self, arguments: &[Argument]) -> Result<EnclosedMixture, Trouble> {
        let ends = [0, 1].map(|k| arguments[k].endpoint());
        let width = ends[1].enclosure() - ends[0].enclosure();
        Ok(EnclosedMixture::polynomial_in_distance(&[1], 0, Interval::ONE / width, ends, Interval::ONE))
    }
}
