//! The gamma family.

use super::{Behaviour, End, Family, NumericDensity, ParameterError, Places, Reference, SCALES, Sites, bell_landmarks};
use crate::constant::Constant;
use crate::model::certified::density::{EnclosedDensity, LogPair, difference};
use crate::model::certified::jet::Jet;
use crate::model::certified::scores::{Points, ScoreSeries};
use crate::model::certified::tail::Tail;
use crate::model::certified::{EnclosedMixture, Trouble};
use crate::model::endpoint::Endpoint;
use crate::model::tree::Argument;
use rocproof_arith::rational::from_f64;
use rocproof_arith::special::{ln_1p_minus, stirling_remainder};
use rocproof_arith::{Balls, Enclosure, Interval, Polynomial, Rational, RationalFunction, Series, log_beta};
use std::cmp::Ordering;
use std::f64::consts::TAU;
use std::sync::Arc;

/// The gamma density on the positive half-line, with shape `k` and scale `θ`; its mean is `kθ`.
///
/// # Formula
///
/// `f(x) = x^(k-1) e^(-x/θ) / (Γ(k) θ^k)`. Around the mean `m = kθ` it is computed as
/// `f(x)·x = s·exp(k (ln(x/m) - (x-m)/m))`, where nothing large cancels. For `k = 1` it is the exponential density; for `k < 1` it has
/// a pole at 0.
///
/// # Errors
///
/// [`Gamma::new`] wants both parameters positive, and a shape between 1e-3 and 1e9.
///
/// # Examples
///
/// ```
/// use rocproof_engine::Density;
/// use rocproof_engine::model::family::Gamma;
/// assert!(Gamma::new(2.0, 3.0).is_ok());
/// assert_eq!(Gamma::new(2.0, 0.0).unwrap_err().to_string(), "the scale of gamma must be positive");
/// let erlang = Density::parse("gamma(2, 3)")?;
/// assert!((erlang.mean() - 6.0).abs() < 1e-13);
/// # Ok::<(), rocproof_language::Diagnostic>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gamma {
    shape: f64,
    scale: f64,
    /// `ln s` with `s = k^k e^-k / Γ(k)`.
    log_scale: f64,
}

/// The numeric level cuts the tail at a score beyond which less than `e^-47 = 4e-21` of the mass lies.
const REACH: f64 = 47.0;

/// Up to this shape, the plain form `(k-1) ln x - x/θ` loses no digits that matter.
const MODEST: f64 = 20.0;

/// The radius of the centered form around the mean, relative to the mean.
const CENTERED: f64 = 0.3;

impl Gamma {
    /// The density with the given shape and scale.
    pub fn new(shape: f64, scale: f64) -> Result<Gamma, ParameterError> {
        if shape.is_nan() || shape <= 0.0 {
            return Err(ParameterError::new(0, "the shape of gamma must be positive"));
        }
        // Outside this range the density is a spike that panels cannot resolve.
        if !(1e-3..=1e9).contains(&shape) {
            return Err(ParameterError::new(0, "the shape of gamma must lie between 1e-3 and 1e9"));
        }
        if scale.is_nan() || scale <= 0.0 {
            return Err(ParameterError::new(1, "the scale of gamma must be positive"));
        }
        if !SCALES.contains(&scale) {
            return Err(ParameterError::new(1, "the scale of gamma is too small or too large to tell scores apart"));
        }
        // By Stirling's formula ln Γ(k) = (k - ½) ln k - k + ½ ln 2π + remainder, so the large terms of k ln k - k - ln Γ(k) cancel.
        let log_scale = 0.5 * (shape / TAU).ln() - stirling_remainder(shape);
        Ok(Gamma { shape, scale, log_scale })
    }

    /// The mean, `kθ`.
    fn mean(&self) -> f64 {
        self.shape * self.scale
    }
}

/// A multiple `r` of the mean beyond which less than `e^-reach` of the mass of a gamma density with shape `k` lies: Birgé and Massart's
/// tail bound, `r = 1 + √(2s) + s` with `s = reach/k`. It satisfies `k (r - 1 - ln r) >= reach`.
fn multiple_of_mean(shape: f64, reach: f64) -> f64 {
    let share = reach / shape;
    1.0 + (2.0 * share).sqrt() + share
}

impl NumericDensity for Gamma {
    fn support(&self) -> (f64, f64) {
        (0.0, f64::INFINITY)
    }

    /// The density goes like `x^(k-1)` towards 0. The right end is infinite.
    fn behaviour(&self, end: End) -> Behaviour {
        if end == End::Left { Behaviour::power(self.shape - 1.0) } else { Behaviour::REGULAR }
    }

    /// The landmarks of a bell at positive scores, and two more in the right tail.
    fn landmarks(&self) -> Vec<f64> {
        let deviation = self.shape.sqrt() * self.scale;
        // The right tail is exponential and needs landmarks farther out than a bell does.
        let in_tail = [12.0, 24.0].map(|k| self.mean() + k * deviation);
        bell_landmarks(self.mean(), deviation).into_iter().chain(in_tail).filter(|x| *x > 0.0).collect()
    }

    /// The support, cut where less than `e^-47` of the mass lies beyond.
    fn effective_support(&self) -> (f64, f64) {
        (0.0, self.mean() * multiple_of_mean(self.shape, REACH))
    }

    /// `ln f` and its derivative: in the form that is centered at the mean where large terms would cancel, else as a sum of logarithms.
    fn log_density(&self, places: &Places, log: &mut Sites, slope: &mut Sites) {
        let (k, mean) = (self.shape, self.mean());
        let log_x = places.log_above(0.0);
        let centered_radius = if k > MODEST { CENTERED * mean } else { 0.0 };
        // -ln(Γ(k) θ^k).
        let offset = self.log_scale + k - k * mean.ln();
        for i in 0..log.len() {
            let (x, from_mean) = (places.above(0.0, i), places.signed_distance(mean, i));
            log[i] = if from_mean.abs() < centered_radius {
                // `ln_1p_minus(t) = ln(1+t) - t`, here with t = (x-m)/m.
                self.log_scale + k * ln_1p_minus(from_mean / mean) - log_x[i]
            } else if k == 1.0 {
                // At x = 0 the logarithm is infinite, and its factor k - 1 is 0.
                offset - x / self.scale
            } else {
                offset + (k - 1.0) * log_x[i] - x / self.scale
            };
            slope[i] = (k - 1.0) / x - 1.0 / self.scale;
        }
    }

    /// A bound on the relative error of the density.
    fn rounding(&self) -> f64 {
        // Within a few standard deviations of the mean, the exponent changes by about sqrt(k) times a relative error of the score.
        (16.0 + 4.0 * self.shape.sqrt()) * f64::EPSILON
    }
}

/// The gamma family, as listed in [`FAMILIES`](super::FAMILIES).
#[derive(Debug)]
pub(super) struct GammaFamily;

pub(super) static FAMILY: GammaFamily = GammaFamily;

const REFERENCES: [Reference; 7] = [
    Reference::new("gamma(2, 1)", 1.5, [0.33469524022264474, 0.4421745996289254, 0.5578254003710745]),
    Reference::new("gamma(1, 3)", 0.75, [0.2596002610238016, 0.22119921692859512, 0.7788007830714049]),
    Reference::new("gamma(0.5, 2)", 0.0009765625, [12.759921021310934, 0.024929834868754254, 0.9750701651312458]),
    Reference::new("gamma(0.05, 1/3)", 0.125, [0.2688829505823787, 0.9621364423712806, 0.03786355762871939]),
    Reference::new("gamma(7.5, 0.25)", 6.0, [7.554968955574014e-05, 0.999974569561818, 2.543043818207088e-05]),
    Reference::new("gamma(200, 1/100)", 2.25, [0.5918396151314582, 0.9575006493020769, 0.04249935069792306]),
    Reference::new("gamma(3, 1/2)", 16.0, [1.2968105522272436e-11, 0.9999999999930981, 6.901970224256326e-12]),
];

impl Family for GammaFamily {
    fn name(&self) -> &'static str {
        "gamma"
    }

    fn parameters(&self) -> &'static [&'static str] {
        &["shape", "scale"]
    }

    fn summary(&self) -> &'static str {
        "on [0, inf], `x^(shape-1) e^(-x/scale) / (Γ(shape) scale^shape)`; the mean is shape·scale"
    }

    fn numeric(&self, parameters: &[f64]) -> Result<Arc<dyn NumericDensity>, ParameterError> {
        Ok(Arc::new(Gamma::new(parameters[0], parameters[1])?))
    }

    fn references(&self) -> &'static [Reference] {
        &REFERENCES
    }

    /// The enclosed shape on [0, ∞], divided by its mass.
    fn enclosed(&self, arguments: &[Argument]) -> Result<EnclosedMixture, Trouble> {
        let density = EnclosedGamma::new(&arguments[0].constant, &arguments[1].constant);
        let (ends, mass) = ([density.origin.clone(), Endpoint::infinite(1.0)], density.mass());
        EnclosedMixture::component(density, Interval::ONE, ends, mass).normalized()
    }
}

/// Up to this distance from the center `c`, relative to `c`, the logarithm `ln(x/c)` is computed as `ln(1 + (x-c)/c)`, where nothing cancels.
const NEAR: f64 = 0.6;

/// `x^(k-1) e^(-x/θ)`, divided by its value at a center close to the mean. The division keeps the mass within the range of floats.
#[derive(Clone, Debug)]
struct EnclosedGamma {
    /// `k - 1`.
    exponent: Constant,
    /// `1/θ`.
    rate: Constant,
    /// The left end of the support, 0.
    origin: Endpoint,
    /// The center, a float as an interval.
    center: Interval,
}

impl EnclosedGamma {
    /// The density with the given shape and scale, centered at a float close to its mean.
    fn new(shape: &Constant, scale: &Constant) -> EnclosedGamma {
        let exponent = match &shape.exact {
            Some(exact) => Constant::rational(exact - Rational::ONE),
            None => Constant::real(shape.value - 1.0, shape.enclosure - Interval::ONE),
        };
        let rate = match &scale.exact {
            Some(exact) => Constant::rational(Rational::ONE / exact),
            None => Constant::real(1.0 / scale.value, Interval::ONE / scale.enclosure),
        };
        // The density is right with any center; with the mean nothing large cancels.
        let center = Interval::from(shape.value * scale.value);
        EnclosedGamma { exponent, rate, origin: Endpoint::rational(Rational::ZERO), center }
    }

    /// `ln(c^(k-1) e^(-c/θ))` at the center `c`.
    fn log_scale(&self) -> Interval {
        self.exponent.enclosure * self.center.ln() - self.center * self.rate.enclosure
    }

    /// The mass `Γ(k) θ^k c^(1-k) e^(c/θ)` for the center `c`, where the parameters are rational. `None` if they are not, or if the enclosure
    /// is unbounded or holds 0.
    fn mass(&self) -> Option<Interval> {
        let (exponent, rate) = (self.exponent.exact.as_ref()?, self.rate.exact.as_ref()?);
        let center = from_f64(self.center.lo())?;
        let shape = exponent + Rational::ONE;
        let log_power = |exponent: &Rational, base: &Rational| {
            let log = log_beta::ln(base);
            log.times(&Enclosure::of(exponent, log.bits()))
        };
        let log_gamma = log_beta::ln_gamma(&shape);
        let center_over_scale = Enclosure::of(&(&center * rate), log_gamma.bits());
        let log_mass =
            log_gamma.minus(&log_power(&shape, rate)).minus(&log_power(exponent, &center)).plus(&center_over_scale);
        Some(log_beta::exp(&log_mass)).filter(|mass| mass.is_positive() && mass.is_bounded())
    }

    /// The factors `a` and `b` of the ratio of another density `f1` to this one: `ln(f1/f0) = a ln x - b x` up to a constant.
    fn log_ratio_factors(&self, other: &EnclosedGamma) -> [Interval; 2] {
        [difference(&other.exponent, &self.exponent), difference(&other.rate, &self.rate)]
    }

    /// The logarithm of the density.
    fn log_density(&self) -> LogDensity {
        LogDensity { power: self.exponent.enclosure, rate: self.rate.enclosure, scale: self.log_scale() }
    }
}

impl EnclosedDensity for EnclosedGamma {
    /// The series of `ln f = (k-1) ln(x/c) - (x-c)/θ` for the center `c`, and of its derivative in the parameter of the scores.
    fn jet(&self, scores: &ScoreSeries) -> Jet {
        let (exponent, rate) = (self.exponent.enclosure, self.rate.enclosure);
        let from_center = scores.x - Series::from(self.center);
        let mut log = -from_center.scaled(rate);
        let mut slope = -scores.speed.scaled(rate);
        if exponent != Interval::ZERO {
            let distance = scores.above(&self.origin);
            // ln(x/center): near the center as ln(1 + (x - center)/center).
            let log_ratio = if from_center.bound() < NEAR * self.center.lo() {
                from_center.scaled(Interval::ONE / self.center).ln_1p()
            } else {
                distance.ln() - Series::from(self.center.ln())
            };
            log = log + log_ratio.scaled(exponent);
            slope = slope + distance.rate().scaled(exponent);
        }
        Jet::with_log(log, slope)
    }

    /// The density at all scores of the points, by the exponential of its logarithm.
    fn around(&self, points: &Points, _: usize, _: u32) -> Balls {
        self.log_density().around(&self.origin, points).exp()
    }

    /// `d ln f/dx = (k-1)/x - 1/θ`; the first term is left out for `k = 1`, because `x` may be 0.
    fn log_slope(&self, x: Interval) -> Interval {
        let pole = if self.exponent.enclosure == Interval::ZERO { Interval::ZERO } else { self.exponent.enclosure / x };
        pole - self.rate.enclosure
    }

    /// The mean, and the distance from it beyond which less than `e^-reach` of the mass lies.
    fn tail_reach(&self, reach: f64) -> Option<(f64, f64)> {
        let shape = self.exponent.value + 1.0;
        let mean = shape / self.rate.value;
        Some((mean, mean * (multiple_of_mean(shape, reach) - 1.0)))
    }

    /// `d ln f/d ln(distance)` from the end of a tail: `(k-1) - x/θ` from the end 0.
    fn elasticity(&self, tail: &Tail) -> Interval {
        if tail.left && self.origin.compare(tail.end) == Some(Ordering::Equal) {
            return self.exponent.enclosure - tail.distance * self.rate.enclosure;
        }
        tail.distance * tail.sign() * self.log_slope(tail.x)
    }

    /// Whether the tail leads to a finite end. Towards infinity the slope of the logarithm is bounded, and the elasticity is not.
    fn has_elasticity(&self, tail: &Tail) -> bool {
        tail.end.is_finite()
    }

    /// `(k-1)/x - 1/θ`, if the parameters are rational.
    fn rational_log_slope(&self) -> Option<RationalFunction> {
        let (exponent, rate) = (self.exponent.exact.as_ref()?, self.rate.exact.as_ref()?);
        Some(RationalFunction::new(Polynomial::linear(exponent, &-rate), Polynomial::x()))
    }

    /// `d ln(f1/f0)/du` along a series of scores: `a` times the rate of `ln x` minus `b` times the rate of `x`. Terms with the factor 0 are
    /// left out, because the first rate is unbounded at 0.
    fn ratio_rate(&self, other: &dyn EnclosedDensity, scores: &ScoreSeries) -> Option<Series> {
        let [power, rate] = self.log_ratio_factors(other.member()?);
        let mut sum = Series::from(0.0);
        if power != Interval::ZERO {
            sum = sum + scores.above(&self.origin).rate().scaled(power);
        }
        if rate != Interval::ZERO {
            sum = sum - scores.speed.scaled(rate);
        }
        Some(sum)
    }

    /// `d ln(f1/f0)/dx = a/x - b` up to a positive factor: times `x` unless `a = 0`. Terms with the factor 0 are left out, because `x` may be
    /// unbounded.
    fn ratio_slope(&self, other: &dyn EnclosedDensity, tail: &Tail) -> Option<Interval> {
        let [power, rate] = self.log_ratio_factors(other.member()?);
        Some(if power == Interval::ZERO {
            -rate
        } else if rate == Interval::ZERO {
            power
        } else {
            power - rate * tail.x
        })
    }

    /// This density with another gamma density; the factors of the ratio are subtracted exactly.
    fn pair<'a>(&'a self, other: &'a dyn EnclosedDensity) -> Option<Box<dyn LogPair + 'a>> {
        let other: &EnclosedGamma = other.member()?;
        let [log0, log1] = [self.log_density(), other.log_density()];
        let [power, rate] = self.log_ratio_factors(other);
        let ratio = LogDensity { power, rate, scale: log1.scale - log0.scale };
        Some(Box::new(GammaPair { origin: &self.origin, logs: [log0, log1, ratio] }))
    }
}

/// The function `power·ln x - rate·x - scale`: the logarithm of a gamma density, or of a ratio of two.
#[derive(Clone, Copy)]
struct LogDensity {
    power: Interval,
    rate: Interval,
    scale: Interval,
}

impl LogDensity {
    /// The values around some scores; `origin` is 0, the score to which the distance is `x`.
    fn around(&self, origin: &Endpoint, points: &Points) -> Balls {
        let mut log = -Balls::from(self.scale);
        if self.rate != Interval::ZERO {
            log = log - points.x * Balls::from(self.rate);
        }
        // The logarithm is unbounded at 0, so it must be left out, not multiplied, where its factor is 0.
        if self.power != Interval::ZERO {
            log = log + points.log_distance(0, origin) * Balls::from(self.power);
        }
        log
    }
}

/// Two gamma densities and their ratio, by their logarithms.
struct GammaPair<'a> {
    /// The left end of the support, 0.
    origin: &'a Endpoint,
    /// `ln f0`, `ln f1` and `ln(f1/f0)`.
    logs: [LogDensity; 3],
}

impl LogPair for GammaPair<'_> {
    /// `ln f0`, `ln f1` and `ln(f1/f0)` around some scores.
    fn logs(&self, points: &Points) -> [Balls; 3] {
        self.logs.map(|log| log.around(self.origin, points))
    }
}
