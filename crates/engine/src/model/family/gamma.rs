//! The gamma family.

use super::{Behaviour, End, Family, NumericDensity, ParameterError, Places, Reference, Sites, bell_landmarks};
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

/// The numeric level cuts the tail where less than `e^-47 = 4e-21` of the mass lies beyond.
const REACH: f64 = 47.0;

/// Up to this shape, a plain sum of logarithms loses no digits that matter.
const MODEST: f64 = 20.0;

impl Gamma {
    /// The density with shape `k` and scale `θ`.
    pub fn new(shape: f64, scale: f64) -> Result<Gamma, ParameterError> {
        if shape.is_nan() || shape <= 0.0 {
            return Err(ParameterError::new(0, "the shape of gamma must be positive"));
        }
        if !(1e-3..=1e9).contains(&shape) {
            return Err(ParameterError::new(0, "the shape of gamma must lie between 1e-3 and 1e9"));
        }
        if scale.is_nan() || scale <= 0.0 {
            return Err(ParameterError::new(1, "the scale of gamma must be positive"));
        }
        if !(1e-150..=1e150).contains(&scale) {
            return Err(ParameterError::new(1, "the scale of gamma is too small or too large to tell scores apart"));
        }
        Ok(Gamma { shape, scale, log_scale: 0.5 * (shape / TAU).ln() - stirling_remainder(shape) })
    }

    fn mean(&self) -> f64 {
        self.shape * self.scale
    }
}

/// A multiple `r` of the mean beyond which less than `e^-reach` of the mass lies: Birgé and Massart's bound. It satisfies
/// `k (r - 1 - ln r) >= reach`.
fn multiple_of_mean(shape: f64, reach: f64) -> f64 {
    let share = reach / shape;
    1.0 + (2.0 * share).sqrt() + share
}

impl NumericDensity for Gamma {
    fn support(&self) -> (f64, f64) {
        (0.0, f64::INFINITY)
    }

    fn behaviour(&self, end: End) -> Behaviour {
        if end == End::Left { Behaviour::power(self.shape - 1.0) } else { Behaviour::REGULAR }
    }

    fn landmarks(&self) -> Vec<f64> {
        let deviation = self.shape.sqrt() * self.scale;
        let far = [12.0, 24.0].map(|k| self.mean() + k * deviation);
        bell_landmarks(self.mean(), deviation).into_iter().chain(far).filter(|x| *x > 0.0).collect()
    }

    fn effective_support(&self) -> (f64, f64) {
        (0.0, self.mean() * multiple_of_mean(self.shape, REACH))
    }

    fn log_density(&self, places: &Places, log: &mut Sites, slope: &mut Sites) {
        let (k, mean) = (self.shape, self.mean());
        let log_x = places.log_above(0.0);
        // Around the mean large terms cancel, and the form that is centered there is used. Small shapes need no such care.
        let centered_within = if k > MODEST { 0.3 * mean } else { 0.0 };
        let offset = self.log_scale + k - k * mean.ln();
        for i in 0..log.len() {
            let (x, from_mean) = (places.above(0.0, i), places.signed_distance(mean, i));
            log[i] = if from_mean.abs() < centered_within {
                self.log_scale + k * ln_1p_minus(from_mean / mean) - log_x[i]
            } else if k == 1.0 {
                offset - x / self.scale
            } else {
                offset + (k - 1.0) * log_x[i] - x / self.scale
            };
            slope[i] = (k - 1.0) / x - 1.0 / self.scale;
        }
    }

    fn rounding(&self) -> f64 {
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

    fn enclosed(&self, arguments: &[Argument]) -> Result<EnclosedMixture, Trouble> {
        let density = EnclosedGamma::new(&arguments[0].constant, &arguments[1].constant);
        let (ends, mass) = ([density.origin.clone(), Endpoint::infinite(1.0)], density.mass());
        EnclosedMixture::component(density, Interval::ONE, ends, mass).normalized()
    }
}

/// Within this distance from the center, relative to the center `c`, `ln(x/c)` is computed as `ln(1 + (x-c)/c)`, where nothing cancels.
const NEAR: f64 = 0.6;

/// `x^(k-1) e^(-x/θ)`, divided by its value at a center close to the mean. So its mass is never too small or too large for a float.
#[derive(Clone, Debug)]
struct EnclosedGamma {
    /// `k - 1`.
    exponent: Constant,
    /// `1/θ`.
    rate: Constant,
    /// 0.
    origin: Endpoint,
    /// The center.
    center: Interval,
}

impl EnclosedGamma {
    fn new(shape: &Constant, scale: &Constant) -> EnclosedGamma {
        let exponent = match &shape.exact {
            Some(exact) => Constant::rational(exact - Rational::ONE),
            None => Constant::real(shape.value - 1.0, shape.enclosure - Interval::ONE),
        };
        let rate = match &scale.exact {
            Some(exact) => Constant::rational(Rational::ONE / exact),
            None => Constant::real(1.0 / scale.value, Interval::ONE / scale.enclosure),
        };
        let center = Interval::from(shape.value * scale.value);
        EnclosedGamma { exponent, rate, origin: Endpoint::rational(Rational::ZERO), center }
    }

    /// `ln(c^(k-1) e^(-c/θ))` at the center `c`.
    fn log_scale(&self) -> Interval {
        self.exponent.enclosure * self.center.ln() - self.center * self.rate.enclosure
    }

    /// The mass, `Γ(k) θ^k c^(1-k) e^(c/θ)`, where the parameters are rational.
    fn mass(&self) -> Option<Interval> {
        let (p, rate) = (self.exponent.exact.as_ref()?, self.rate.exact.as_ref()?);
        let center = from_f64(self.center.lo())?;
        let shape = p + Rational::ONE;
        let times = |factor: &Rational, log: Enclosure| log.times(&Enclosure::of(factor, log.bits()));
        let gamma = log_beta::ln_gamma(&shape);
        let decay = Enclosure::of(&(&center * rate), gamma.bits());
        let log = gamma.minus(&times(&shape, log_beta::ln(rate))).minus(&times(p, log_beta::ln(&center))).plus(&decay);
        Some(log_beta::exp(&log)).filter(|mass| mass.is_positive() && mass.is_bounded())
    }

    /// `a` and `b` of `ln(f1/f0) = a ln x - b x` up to a constant.
    fn log_ratio_factors(&self, other: &EnclosedGamma) -> [Interval; 2] {
        [difference(&other.exponent, &self.exponent), difference(&other.rate, &self.rate)]
    }

    /// The logarithm of the density.
    fn log_density(&self) -> LogDensity {
        LogDensity { power: self.exponent.enclosure, rate: self.rate.enclosure, scale: self.log_scale() }
    }
}

impl EnclosedDensity for EnclosedGamma {
    fn jet(&self, scores: &ScoreSeries) -> Jet {
        let (exponent, rate) = (self.exponent.enclosure, self.rate.enclosure);
        let from_center = scores.x - Series::from(self.center);
        let mut log = -from_center.scaled(rate);
        let mut slope = -scores.speed.scaled(rate);
        if exponent != Interval::ZERO {
            let distance = scores.above(&self.origin);
            // ln(x/center): around the center as ln(1 + a small number).
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

    fn around(&self, points: &Points, _: usize, _: u32) -> Balls {
        self.log_density().around(&self.origin, points).exp()
    }

    fn log_slope(&self, x: Interval) -> Interval {
        let pole = if self.exponent.enclosure == Interval::ZERO { Interval::ZERO } else { self.exponent.enclosure / x };
        pole - self.rate.enclosure
    }

    fn tail_reach(&self, reach: f64) -> Option<(f64, f64)> {
        let mean = (self.exponent.value + 1.0) / self.rate.value;
        // From a later start of the tail, the density falls about as much over this distance.
        Some((mean, mean * (multiple_of_mean(self.exponent.value + 1.0, reach) - 1.0)))
    }

    fn elasticity(&self, tail: &Tail) -> Interval {
        if tail.left && self.origin.compare(tail.end) == Some(Ordering::Equal) {
            return self.exponent.enclosure - tail.distance * self.rate.enclosure;
        }
        tail.distance * tail.sign() * self.log_slope(tail.x)
    }

    fn has_elasticity(&self, tail: &Tail) -> bool {
        tail.end.is_finite()
    }

    /// `(k-1)/x - 1/θ`.
    fn rational_log_slope(&self) -> Option<RationalFunction> {
        let (p, rate) = (self.exponent.exact.as_ref()?, self.rate.exact.as_ref()?);
        Some(RationalFunction::new(Polynomial::linear(p, &-rate), Polynomial::x()))
    }

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

    /// `a/x - b`, times `x` unless the shapes are equal.
    fn ratio_slope(&self, other: &dyn EnclosedDensity, tail: &Tail) -> Option<Interval> {
        let [power, rate] = self.log_ratio_factors(other.member()?);
        Some(match (power == Interval::ZERO, rate == Interval::ZERO) {
            (true, _) => -rate,
            (_, true) => power,
            _ => power - rate * tail.x,
        })
    }

    fn pair<'a>(&'a self, other: &'a dyn EnclosedDensity) -> Option<Box<dyn LogPair + 'a>> {
        let other: &EnclosedGamma = other.member()?;
        let [log0, log1] = [self.log_density(), other.log_density()];
        let [power, rate] = self.log_ratio_factors(other);
        let ratio = LogDensity { power, rate, scale: log1.scale - log0.scale };
        Some(Box::new(GammaPair { origin: &self.origin, logs: [log0, log1, ratio] }))
    }
}

/// `power·ln x - rate·x - scale`.
#[derive(Clone, Copy)]
struct LogDensity {
    power: Interval,
    rate: Interval,
    scale: Interval,
}

impl LogDensity {
    /// The values around some scores.
    fn around(&self, origin: &Endpoint, points: &Points) -> Balls {
        let mut log = -Balls::from(self.scale);
        if self.rate != Interval::ZERO {
            log = log - points.x * Balls::from(self.rate);
        }
        // The logarithm is unbounded at 0: it is left out where its factor is 0.
        if self.power != Interval::ZERO {
            log = log + points.log_distance(0, origin) * Balls::from(self.power);
        }
        log
    }
}

/// Two gamma densities and their ratio.
struct GammaPair<'a> {
    origin: &'a Endpoint,
    logs: [LogDensity; 3],
}

impl LogPair for GammaPair<'_> {
    fn logs(&self, points: &Points) -> [Balls; 3] {
        self.logs.map(|log| log.around(self.origin, points))
    }
}
