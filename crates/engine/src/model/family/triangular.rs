//! The triangular family.

use super::{
    Behaviour, End, Family, NumericDensity, ParameterError, ParameterRange, Places, Reference, SCALES, SearchFacts,
    Sites, exact_parameter, fraction,
};
use crate::model::certified::{EnclosedMixture, Trouble};
use crate::model::piecewise::{NotPolynomial, Piecewise};
use crate::model::tree::Argument;
use rocproof_arith::{Interval, Polynomial, Rational};
use std::cmp::Ordering;
use std::sync::Arc;

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
        if !SCALES.contains(&(hi - lo)) {
            return Err(ParameterError::new(2, "this interval is too short or too long to tell scores apart"));
        }
        if mode.is_nan() || mode < lo || mode > hi {
            return Err(ParameterError::new(1, "the mode of triangular(lo, mode, hi) must lie between lo and hi"));
        }
        Ok(Triangular { lo, mode, hi })
    }
}

impl NumericDensity for Triangular {
    fn support(&self) -> (f64, f64) {
        (self.lo, self.hi)
    }

    /// The mode, unless it is an end.
    fn breakpoints(&self) -> Vec<f64> {
        if self.lo < self.mode && self.mode < self.hi { vec![self.mode] } else { Vec::new() }
    }

    /// The density vanishes linearly at an end, unless the mode lies there.
    fn behaviour(&self, end: End) -> Behaviour {
        let at_mode = if end == End::Left { self.lo == self.mode } else { self.hi == self.mode };
        if at_mode { Behaviour::REGULAR } else { Behaviour::power(1.0) }
    }

    /// `ln f` and its derivative, where `f` is `2/(hi-lo)` times the distance from the end on this side of the mode, relative to the mode's.
    fn log_density(&self, places: &Places, log: &mut Sites, slope: &mut Sites) {
        for i in 0..log.len() {
            let is_rising = places.x[i] < self.mode || self.mode == self.hi;
            let (distance, mode_distance) = if is_rising {
                (places.above(self.lo, i), self.mode - self.lo)
            } else {
                (places.below(self.hi, i), self.hi - self.mode)
            };
            log[i] = (2.0 / (self.hi - self.lo) * (distance / mode_distance)).ln();
            slope[i] = if is_rising { 1.0 } else { -1.0 } / distance;
        }
    }
}

/// The triangular family, as listed in [`FAMILIES`](super::FAMILIES).
#[derive(Debug)]
pub(super) struct TriangularFamily;

pub(super) static FAMILY: TriangularFamily = TriangularFamily;

const REFERENCES: [Reference; 4] = [
    Reference::new("triangular(0, 1/3, 1)", 0.25, [1.5, 0.1875, 0.8125]),
    Reference::new("triangular(0, 0, 1)", 0.75, [0.5, 0.9375, 0.0625]),
    Reference::new("triangular(-2, 5, 5)", 3.5, [0.22448979591836735, 0.6173469387755102, 0.3826530612244898]),
    Reference::new("triangular(0, 1/4, 2)", 0.5, [0.8571428571428571, 0.35714285714285715, 0.6428571428571429]),
];

impl Family for TriangularFamily {
    fn name(&self) -> &'static str {
        "triangular"
    }

    fn parameters(&self) -> &'static [&'static str] {
        &["lo", "mode", "hi"]
    }

    fn positions(&self) -> &'static [usize] {
        &[0, 1, 2]
    }

    fn summary(&self) -> &'static str {
        "on [lo, hi], linear up to the mode and down from there"
    }

    fn numeric(&self, parameters: &[f64]) -> Result<Arc<dyn NumericDensity>, ParameterError> {
        Ok(Arc::new(Triangular::new(parameters[0], parameters[1], parameters[2])?))
    }

    fn references(&self) -> &'static [Reference] {
        &REFERENCES
    }

    /// One linear piece on each side of the mode, unless the mode is an end.
    fn exact(&self, arguments: &[Argument]) -> Result<Piecewise, NotPolynomial> {
        let [lo, mode, hi] =
            [exact_parameter(arguments, 0)?, exact_parameter(arguments, 1)?, exact_parameter(arguments, 2)?];
        let height = Rational::from(2) / (hi - lo);
        // The line that is 0 at an end and has the full height at the mode.
        let line_from = |end: &Rational| {
            let slope = &height / (mode - end);
            Polynomial::linear(&(-&slope * end), &slope)
        };
        let mut pieces = Piecewise::default();
        if lo < mode {
            pieces = pieces.joined(Piecewise::piece(lo.clone(), mode.clone(), line_from(lo)));
        }
        if mode < hi {
            pieces = pieces.joined(Piecewise::piece(mode.clone(), hi.clone(), line_from(hi)));
        }
        Ok(pieces)
    }

    /// One linear component on each side of the mode, with its share of the mass. Errors if the order of the parameters cannot be proved.
    fn enclosed(&self, arguments: &[Argument]) -> Result<EnclosedMixture, Trouble> {
        let [lo, mode, hi] = [0, 1, 2].map(|k| arguments[k].endpoint());
        let width = hi.enclosure() - lo.enclosure();
        let two = Interval::from(2.0);
        let mut mixture = EnclosedMixture::default();
        // On each side the density is `2/(width·side)` times the distance from the end, where `side` is the distance of the mode; its mass is
        // `side/width`. The coefficients [0, 1] stand for the distance itself.
        if lo.compare(&mode).ok_or(Trouble::Corners)? == Ordering::Less {
            let rise = mode.enclosure() - lo.enclosure();
            let (weight, ends) = (two / width / rise, [lo, mode.clone()]);
            mixture.join(EnclosedMixture::polynomial_in_distance(&[0, 1], 0, weight, ends, rise / width));
        }
        if mode.compare(&hi).ok_or(Trouble::Corners)? == Ordering::Less {
            let fall = hi.enclosure() - mode.enclosure();
            let (weight, ends) = (two / width / fall, [mode, hi]);
            mixture.join(EnclosedMixture::polynomial_in_distance(&[0, 1], 1, weight, ends, fall / width));
        }
        Ok(mixture)
    }

    /// The search draws triangular densities.
    fn search(&self) -> Option<&'static dyn SearchFacts> {
        Some(&FAMILY)
    }
}

/// Whether the support `[lo, hi]` of a member with the parameters `lo`, `mode`, `hi` is [0, 1].
fn has_unit_support(parameters: &[Rational]) -> bool {
    parameters[0].is_zero() && parameters[2] == Rational::ONE
}

impl SearchFacts for TriangularFamily {
    /// Triangles on [0, 1] with any mode.
    fn ranges(&self) -> &'static [ParameterRange] {
        &[ParameterRange::Fixed(0), ParameterRange::Unit, ParameterRange::Fixed(1)]
    }

    /// Triangles on [0, 1], with at most `most + 1` modes: each mode is one member, where other families have pairs of parameters.
    fn simple_parameters(&self, most: usize) -> Vec<Vec<Rational>> {
        let modes = [(1, 2), (0, 1), (1, 1), (1, 3), (2, 3), (1, 4), (3, 4)];
        let modes = &modes[..(most + 1).min(modes.len())];
        modes.iter().map(|mode| vec![Rational::ZERO, fraction(*mode), Rational::ONE]).collect()
    }

    fn is_valid(&self, parameters: &[Rational]) -> bool {
        matches!(parameters, [lo, mode, hi] if lo <= mode && mode <= hi && lo < hi)
    }

    fn is_bounded(&self) -> bool {
        true
    }

    fn is_probabilistic(&self, parameters: &[Rational]) -> bool {
        parameters[0] >= Rational::ZERO && parameters[2] <= Rational::ONE
    }

    /// On a common support the ratio rises if class 1 has the mode farther to the right.
    fn has_rising_ratio(&self, p0: &[Rational], p1: &[Rational]) -> bool {
        p0[0] == p1[0] && p0[2] == p1[2] && p0[1] <= p1[1]
    }

    /// Whether the members are `2(1-x)` and `2x`, with `π0 = 1/2`.
    fn is_calibrated(&self, pi0: &Rational, p0: &[Rational], p1: &[Rational]) -> bool {
        [p0, p1].into_iter().all(has_unit_support)
            && p0[1].is_zero()
            && p1[1] == Rational::ONE
            && *pi0 == Rational::ONE / Rational::from(2)
    }

    /// Whether the members are `2(1-x)` and `2x` in either order, with `π0 = 1/2`: both on [0, 1], with the modes 0 and 1.
    fn is_even(&self, pi0: &Rational, p0: &[Rational], p1: &[Rational]) -> bool {
        // Modes in [0, 1] that are whole and add up to 1 are 0 and 1.
        [p0, p1].into_iter().all(has_unit_support)
            && &p0[1] + &p1[1] == Rational::ONE
            && p0[1].is_int()
            && *pi0 == Rational::ONE / Rational::from(2)
    }
}
