//! The normal family.

use super::{
    Behaviour, End, FARTHEST, Family, NumericDensity, ParameterError, ParameterRange, Places, Reference, SCALES,
    SearchFacts, Sites, bell_landmarks, simple_locations,
};
use crate::constant::Constant;
use crate::model::certified::density::{EnclosedDensity, LogPair, difference};
use crate::model::certified::jet::Jet;
use crate::model::certified::scores::{Points, ScoreSeries};
use crate::model::certified::tail::Tail;
use crate::model::certified::{EnclosedMixture, Trouble};
use crate::model::endpoint::Endpoint;
use crate::model::tree::Argument;
use rocproof_arith::{Balls, Interval, Polynomial, Rational, RationalFunction, Series};
use std::f64::consts::TAU;
use std::sync::Arc;

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
        if !(deviation.is_finite() && mean.abs() <= FARTHEST * deviation && SCALES.contains(&deviation)) {
            return Err(ParameterError::new(
                1,
                "the standard deviation of normal is too small or too large to tell scores apart",
            ));
        }
        Ok(Normal { mean, deviation })
    }
}

impl NumericDensity for Normal {
    fn support(&self) -> (f64, f64) {
        (f64::NEG_INFINITY, f64::INFINITY)
    }

    /// Not used, since both ends are infinite.
    fn behaviour(&self, _: End) -> Behaviour {
        Behaviour::REGULAR
    }

    fn landmarks(&self) -> Vec<f64> {
        bell_landmarks(self.mean, self.deviation)
    }

    /// The line, cut where the mass beyond is negligible.
    fn effective_support(&self) -> (f64, f64) {
        // The mass beyond 9.5 standard deviations is 1 - Φ(9.5) = 1.0e-21 on either side.
        const REACH: f64 = 9.5;
        (self.mean - REACH * self.deviation, self.mean + REACH * self.deviation)
    }

    /// `ln f = -z²/2 - ln(σ√(2π))` with `z = (x-μ)/σ`, and its derivative `-z/σ`.
    fn log_density(&self, places: &Places, log: &mut Sites, slope: &mut Sites) {
        let offset = 0.5 * TAU.ln() + self.deviation.ln();
        for i in 0..log.len() {
            let z = places.signed_distance(self.mean, i) / self.deviation;
            log[i] = -0.5 * z * z - offset;
            slope[i] = -z / self.deviation;
        }
    }

    /// A bound on the relative error of the density.
    fn rounding(&self) -> f64 {
        // x and μ are rounded to half a unit in the last place, so z = (x-μ)/σ has an error of about |μ|/σ·ε, and ln f a few times that.
        (16.0 + 4.0 * self.mean.abs() / self.deviation) * f64::EPSILON
    }
}

/// The normal family, as listed in [`FAMILIES`](super::FAMILIES).
#[derive(Debug)]
pub(super) struct NormalFamily;

pub(super) static FAMILY: NormalFamily = NormalFamily;

const REFERENCES: [Reference; 4] = [
    Reference::new("normal(0, 1)", 0.5, [0.35206532676429947, 0.6914624612740131, 0.3085375387259869]),
    Reference::new("normal(0, 1.5)", -4.5, [0.0029545656079586714, 0.0013498980316300946, 0.9986501019683699]),
    Reference::new(
        "normal(1000, 0.001)",
        1000.001953125,
        [59.23236585195376, 0.9745976073538704, 0.025402392646129642],
    ),
    Reference::new("normal(1/3, 2)", 9.0, [1.6685431197819188e-05, 0.9999926565761631, 7.343423836894691e-06]),
];

impl Family for NormalFamily {
    fn name(&self) -> &'static str {
        "normal"
    }

    fn parameters(&self) -> &'static [&'static str] {
        &["mean", "deviation"]
    }

    fn summary(&self) -> &'static str {
        "on the line, `exp(-(x-mean)²/(2 deviation²)) / (deviation √(2π))`"
    }

    fn numeric(&self, parameters: &[f64]) -> Result<Arc<dyn NumericDensity>, ParameterError> {
        Ok(Arc::new(Normal::new(parameters[0], parameters[1])?))
    }

    fn references(&self) -> &'static [Reference] {
        &REFERENCES
    }

    /// One normal component on the whole line, whose mass is known to be 1.
    fn enclosed(&self, arguments: &[Argument]) -> Result<EnclosedMixture, Trouble> {
        let [mean, deviation] = [0, 1].map(|k| arguments[k].constant.clone());
        let density = EnclosedNormal { mean, deviation };
        Ok(EnclosedMixture::component(density, Interval::ONE, Endpoint::line(), Some(Interval::ONE)))
    }

    /// The search draws normal densities.
    fn search(&self) -> Option<&'static dyn SearchFacts> {
        Some(&FAMILY)
    }
}

impl SearchFacts for NormalFamily {
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

    /// With equal standard deviations the ratio rises if class 1 has the larger mean. With different ones it is not monotone.
    fn has_rising_ratio(&self, p0: &[Rational], p1: &[Rational]) -> bool {
        p0[1] == p1[1] && p0[0] <= p1[0]
    }

    /// Gives class 1 the standard deviation of class 0, and the larger mean.
    fn make_ratio_rise(&self, p0: &mut [Rational], p1: &mut [Rational]) {
        p1[1] = p0[1].clone();
        if p0[0] > p1[0] {
            std::mem::swap(&mut p0[0], &mut p1[0]);
        }
    }
}

/// The normal density, enclosed.
#[derive(Clone, Debug)]
struct EnclosedNormal {
    mean: Constant,
    deviation: Constant,
}

impl EnclosedNormal {
    /// `ln(σ√(2π))`.
    fn log_scale(&self) -> Interval {
        (self.deviation.enclosure.square() * Interval::PI * Interval::from(2.0)).ln() * Interval::from(0.5)
    }

    /// The coefficients `α` and `β` of `d ln(f1/f0)/dx = α + β·x` for another density `f1`: `α = m1/s1² - m0/s0²` and `β = 1/s0² - 1/s1²`,
    /// exactly before rounding if all parameters are rational.
    fn log_ratio_slope(&self, other: &EnclosedNormal) -> [Interval; 2] {
        let exact = |c: &Constant| c.exact.clone();
        let [(m0, s0), (m1, s1)] = [self, other].map(|f| (&f.mean, &f.deviation));
        if let (Some(m0), Some(s0), Some(m1), Some(s1)) = (exact(m0), exact(s0), exact(m1), exact(s1)) {
            let [precision0, precision1] = [&s0, &s1].map(|s| Rational::ONE / (s * s));
            let alpha = m1 * &precision1 - m0 * &precision0;
            return [Interval::of(&alpha), Interval::of(&(precision0 - precision1))];
        }
        let [precision0, precision1] = [s0, s1].map(|s| Interval::ONE / s.enclosure.square());
        [m1.enclosure * precision1 - m0.enclosure * precision0, precision0 - precision1]
    }

    /// The parameters as intervals.
    fn bell(&self) -> Bell {
        Bell { mean: self.mean.enclosure, deviation: self.deviation.enclosure, log_scale: self.log_scale() }
    }
}

/// The parameters of a normal density, enclosed.
#[derive(Clone, Copy)]
struct Bell {
    mean: Interval,
    deviation: Interval,
    /// `ln(σ√(2π))`.
    log_scale: Interval,
}

impl Bell {
    /// `ln f = -z²/2 - ln(σ√(2π))` around some scores, with `z = (x-μ)/σ`.
    fn log_density(&self, points: &Points) -> Balls {
        let z = (points.x - Balls::from(self.mean)) / Balls::from(self.deviation);
        z * z * Balls::from(-0.5) - Balls::from(self.log_scale)
    }
}

impl EnclosedDensity for EnclosedNormal {
    /// The series of `ln f = -z²/2 - ln(σ√(2π))` with `z = (x-μ)/σ`, and of its derivative in the parameter of the scores.
    fn jet(&self, scores: &ScoreSeries) -> Jet {
        let sd = self.deviation.enclosure;
        let z = (scores.x - Series::from(self.mean.enclosure)).scaled(Interval::ONE / sd);
        let log = (z * z).scaled(Interval::from(-0.5)) - Series::from(self.log_scale());
        Jet::with_log(log, -(z * scores.speed).scaled(Interval::ONE / sd))
    }

    /// The density at all scores of the points, by the exponential of its logarithm.
    fn around(&self, points: &Points, _: usize, _: u32) -> Balls {
        self.bell().log_density(points).exp()
    }

    /// `d ln f/dx = -(x-μ)/σ²`.
    fn log_slope(&self, x: Interval) -> Interval {
        -(x - self.mean.enclosure) / self.deviation.enclosure.square()
    }

    /// The mean, and the distance from it at which `z²/2 = reach`.
    fn tail_reach(&self, reach: f64) -> Option<(f64, f64)> {
        Some((self.mean.value, (2.0 * reach).sqrt() * self.deviation.value))
    }

    /// The density is analytic in the whole complex plane.
    fn is_entire(&self) -> bool {
        true
    }

    /// The density at the start of a tail divided by the mass of the tail: the reciprocal of Mills' ratio. By Gordon's bounds it lies between
    /// `z` and `z + 1/z` for a start `z > 0` standard deviations out. Nearer to the mean the slope of the logarithm bounds it.
    fn tail_decay(&self, tail: &Tail) -> Interval {
        let (mean, deviation) = (self.mean.enclosure, self.deviation.enclosure);
        let z = if tail.left { mean - tail.from } else { tail.from - mean } / deviation;
        if z.is_positive() {
            let upper = (z + Interval::ONE / z) / deviation;
            return (z / deviation).hull(upper);
        }
        let slope = self.log_slope(tail.x);
        if tail.left { slope } else { -slope }
    }

    /// `(μ - x)/σ²`, if the parameters are rational.
    fn rational_log_slope(&self) -> Option<RationalFunction> {
        let (mean, deviation) = (self.mean.exact.clone()?, self.deviation.exact.as_ref()?);
        let precision = Rational::ONE / (deviation * deviation);
        Some(RationalFunction::from(Polynomial::linear(&(mean * &precision), &-precision)))
    }

    /// `d ln(f1/f0)/du = (α + β·x)·dx/du` along a series of scores.
    fn ratio_rate(&self, other: &dyn EnclosedDensity, scores: &ScoreSeries) -> Option<Series> {
        let [alpha, beta] = self.log_ratio_slope(other.member()?);
        let mut slope = Series::from(alpha);
        if beta != Interval::ZERO {
            slope = slope + scores.x.scaled(beta);
        }
        Some(slope * scores.speed)
    }

    /// `d ln(f1/f0)/dx = α + β·x` in a tail. The term with `β = 0` is left out, because `x` may be unbounded.
    fn ratio_slope(&self, other: &dyn EnclosedDensity, tail: &Tail) -> Option<Interval> {
        let [alpha, beta] = self.log_ratio_slope(other.member()?);
        Some(if beta == Interval::ZERO { alpha } else { alpha + beta * tail.x })
    }

    /// This density with another normal density. With `d = x - μ0`, `δ = μ1 - μ0` and `β = 1/σ0² - 1/σ1²`, the logarithm of the ratio is
    /// `ln(σ0/σ1) - δ²/2σ1² + (δ/σ1²)·d + (β/2)·d²`, where nothing large cancels.
    fn pair<'a>(&'a self, other: &'a dyn EnclosedDensity) -> Option<Box<dyn LogPair + 'a>> {
        let other: &EnclosedNormal = other.member()?;
        let bells = [self.bell(), other.bell()];
        let half = Interval::from(0.5);
        let (shift, [_, beta]) = (difference(&other.mean, &self.mean), self.log_ratio_slope(other));
        let deviation = other.deviation.enclosure;
        let constant = bells[0].log_scale - bells[1].log_scale - (shift / deviation).square() * half;
        let ratio = [constant, shift / deviation.square(), beta * half];
        Some(Box::new(NormalPair { bells, ratio }))
    }
}

/// Two normal densities, and the logarithm of their ratio.
struct NormalPair {
    bells: [Bell; 2],
    /// The coefficients of `ln(f1/f0)`, a quadratic polynomial in the distance from the first mean.
    ratio: [Interval; 3],
}

impl LogPair for NormalPair {
    /// `ln f0`, `ln f1` and `ln(f1/f0)` around some scores.
    fn logs(&self, points: &Points) -> [Balls; 3] {
        let [bell0, bell1] = self.bells;
        // `under` evaluates a polynomial, given its coefficients.
        let ratio = (points.x - Balls::from(bell0.mean)).under(&self.ratio);
        [bell0.log_density(points), bell1.log_density(points), ratio]
    }
}
