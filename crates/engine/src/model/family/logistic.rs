//! The logistic family.

use super::{
    Behaviour, End, FARTHEST, Family, NumericDensity, ParameterError, ParameterRange, Places, Reference, SCALES,
    SearchFacts, Sites, simple_locations,
};
use crate::constant::Constant;
use crate::model::certified::density::{EnclosedDensity, difference};
use crate::model::certified::jet::Jet;
use crate::model::certified::scores::{Points, ScoreSeries};
use crate::model::certified::tail::Tail;
use crate::model::certified::{EnclosedMixture, Trouble};
use crate::model::endpoint::Endpoint;
use crate::model::tree::Argument;
use rocproof_arith::{Balls, Interval, Rational, Series};
use std::sync::Arc;

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
        if !(scale.is_finite() && location.abs() <= FARTHEST * scale && SCALES.contains(&scale)) {
            return Err(ParameterError::new(1, "the scale of logistic is too small or too large to tell scores apart"));
        }
        Ok(Logistic { location, scale })
    }
}

impl NumericDensity for Logistic {
    fn support(&self) -> (f64, f64) {
        (f64::NEG_INFINITY, f64::INFINITY)
    }

    /// Not used, since both ends are infinite.
    fn behaviour(&self, _: End) -> Behaviour {
        Behaviour::REGULAR
    }

    /// The tails are exponential, so the landmarks reach farther out than those of a bell.
    fn landmarks(&self) -> Vec<f64> {
        [-20.0, -8.0, -3.0, 0.0, 3.0, 8.0, 20.0].map(|k| self.location + k * self.scale).to_vec()
    }

    /// The line, cut where the mass beyond is negligible.
    fn effective_support(&self) -> (f64, f64) {
        // The mass beyond 47 scales on either side is about e^-47 = 4e-21.
        const REACH: f64 = 47.0;
        (self.location - REACH * self.scale, self.location + REACH * self.scale)
    }

    /// `ln f = -|z| - 2 ln(1 + e^-|z|) - ln s`, which cannot overflow, and its derivative `-tanh(z/2)/s`.
    fn log_density(&self, places: &Places, log: &mut Sites, slope: &mut Sites) {
        for i in 0..log.len() {
            let z = places.signed_distance(self.location, i) / self.scale;
            log[i] = -z.abs() - 2.0 * (-z.abs()).exp().ln_1p() - self.scale.ln();
            slope[i] = -(z / 2.0).tanh() / self.scale;
        }
    }

    /// A bound on the relative error of the density.
    fn rounding(&self) -> f64 {
        // x and μ are rounded to half a unit in the last place, so z = (x-μ)/s has an error of about |μ|/s·ε, and so has ln f.
        (16.0 + 4.0 * self.location.abs() / self.scale) * f64::EPSILON
    }
}

/// The logistic family, as listed in [`FAMILIES`](super::FAMILIES).
#[derive(Debug)]
pub(super) struct LogisticFamily;

pub(super) static FAMILY: LogisticFamily = LogisticFamily;

const REFERENCES: [Reference; 4] = [
    Reference::new("logistic(0, 1)", 0.5, [0.2350037122015945, 0.6224593312018546, 0.37754066879814546]),
    Reference::new("logistic(-3, 0.2)", -4.5, [0.002762365363510802, 0.0005527786369235996, 0.9994472213630764]),
    Reference::new("logistic(1, 2)", 17.0, [0.00016761883537823712, 0.9996646498695335, 0.0003353501304664781]),
    Reference::new("logistic(1/3, 1/7)", 0.375, [1.7133035124885614, 0.5724041114770213, 0.42759588852297864]),
];

impl Family for LogisticFamily {
    fn name(&self) -> &'static str {
        "logistic"
    }

    fn parameters(&self) -> &'static [&'static str] {
        &["location", "scale"]
    }

    fn summary(&self) -> &'static str {
        "on the line, `e^-z / (scale (1 + e^-z)²)` with `z = (x-location)/scale`"
    }

    fn numeric(&self, parameters: &[f64]) -> Result<Arc<dyn NumericDensity>, ParameterError> {
        Ok(Arc::new(Logistic::new(parameters[0], parameters[1])?))
    }

    fn references(&self) -> &'static [Reference] {
        &REFERENCES
    }

    /// One logistic component on the whole line, whose mass is known to be 1.
    fn enclosed(&self, arguments: &[Argument]) -> Result<EnclosedMixture, Trouble> {
        let [location, scale] = [0, 1].map(|k| arguments[k].constant.clone());
        let density = EnclosedLogistic { location, scale };
        Ok(EnclosedMixture::component(density, Interval::ONE, Endpoint::line(), Some(Interval::ONE)))
    }

    /// The search draws logistic densities.
    fn search(&self) -> Option<&'static dyn SearchFacts> {
        Some(&FAMILY)
    }
}

impl SearchFacts for LogisticFamily {
    fn ranges(&self) -> &'static [ParameterRange] {
        &[ParameterRange::Location, ParameterRange::Positive]
    }

    /// Pairs of a simple location and a simple scale.
    fn simple_parameters(&self, most: usize) -> Vec<Vec<Rational>> {
        simple_locations(most)
    }

    fn is_valid(&self, parameters: &[Rational]) -> bool {
        parameters[1] > Rational::ZERO
    }

    fn is_bounded(&self) -> bool {
        false
    }

    /// The support is the whole line for all parameters.
    fn is_probabilistic(&self, _: &[Rational]) -> bool {
        false
    }

    /// With equal scales the ratio rises if class 1 lies to the right of class 0. With different scales it is not monotone.
    fn has_rising_ratio(&self, p0: &[Rational], p1: &[Rational]) -> bool {
        p0[1] == p1[1] && p0[0] <= p1[0]
    }
}

/// The logistic density, enclosed.
#[derive(Clone, Debug)]
struct EnclosedLogistic {
    location: Constant,
    scale: Constant,
}

impl EnclosedDensity for EnclosedLogistic {
    /// The series of `ln f = -|z| - 2 ln(1 + e^-|z|) - ln s` with `z = (x-μ)/s`, and of its derivative in the parameter of the scores.
    fn jet(&self, scores: &ScoreSeries) -> Jet {
        let s = self.scale.enclosure;
        let z = (scores.x - Series::from(self.location.enclosure)).scaled(Interval::ONE / s);
        // The density is even in z, so z may be replaced by -|z|, whose exponential does not overflow.
        let is_right = z.rough_range().mid() >= 0.0;
        let minus_abs_z = if is_right { -z } else { z };
        let e = minus_abs_z.exp();
        let one = Series::from(1.0);
        let log = minus_abs_z - (one + e).ln().scaled(Interval::from(2.0)) - Series::from(s.ln());
        // tanh(|z|/2), the size of the slope of the logarithm in z.
        let tanh = (one - e) / (one + e);
        let slope = (tanh * scores.speed).scaled(Interval::ONE / s);
        Jet::with_log(log, if is_right { -slope } else { slope })
    }

    /// The density `e^-z / (s(1 + e^-z)²)` at all scores of the points.
    fn around(&self, points: &Points, _: usize, _: u32) -> Balls {
        let z = (points.x - Balls::from(self.location.enclosure)) / Balls::from(self.scale.enclosure);
        // The density is even in z, so z may be replaced by -|z|, whose exponential does not overflow.
        let e = if z.center() < 0.0 { z.exp() } else { (-z).exp() };
        let sum = Balls::from(1.0) + e;
        e / (sum * sum * Balls::from(self.scale.enclosure))
    }

    /// `d ln f/dx = -tanh(z/2)/s` with `z = (x-μ)/s`, for all scores of an interval.
    fn log_slope(&self, x: Interval) -> Interval {
        let z = (x - self.location.enclosure) / self.scale.enclosure;
        // tanh(z/2) grows with z, so its values at the ends of an interval bound those between.
        let tanh_of_half = |z: f64| {
            // tanh(|z|/2) = (1 - e^-|z|)/(1 + e^-|z|).
            let e = Interval::from(-z.abs()).exp();
            let size = (Interval::ONE - e) / (Interval::ONE + e);
            if z < 0.0 { -size } else { size }
        };
        -Interval::new(tanh_of_half(z.lo()).lo(), tanh_of_half(z.hi()).hi()) / self.scale.enclosure
    }

    /// The location, and the distance from it over which the density falls by about `e^-reach`.
    fn tail_reach(&self, reach: f64) -> Option<(f64, f64)> {
        Some((self.location.value, reach * self.scale.value))
    }

    /// `d ln(f1/f0)/dx` up to a positive factor. With equal scales it has the sign of the difference of the locations everywhere; with
    /// different ones nothing is known.
    fn ratio_slope(&self, other: &dyn EnclosedDensity, _: &Tail) -> Option<Interval> {
        let other: &EnclosedLogistic = other.member()?;
        let same_scale = difference(&other.scale, &self.scale) == Interval::ZERO;
        same_scale.then(|| difference(&other.location, &self.location))
    }
}
