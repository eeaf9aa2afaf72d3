//! The beta family.

use super::{
    Behaviour, End, Family, NumericDensity, ParameterError, ParameterRange, Places, Reference, SearchFacts, Sites,
    bell_landmarks, exact_parameter,
};
use crate::constant::Constant;
use crate::model::certified::density::{EnclosedDensity, LogPair, difference};
use crate::model::certified::jet::Jet;
use crate::model::certified::scores::{Points, ScoreSeries};
use crate::model::certified::tail::Tail;
use crate::model::certified::{EnclosedMixture, Trouble};
use crate::model::endpoint::Endpoint;
use crate::model::piecewise::{LARGEST_DEGREE, NotPolynomial, Piecewise};
use crate::model::tree::Argument;
use rocproof_arith::rational::from_f64;
use rocproof_arith::special::{beta_scale, ln_1p_minus, minus_log_share};
use rocproof_arith::{Balls, Enclosure, Interval, Polynomial, Rational, RationalFunction, Series, log_beta};
use std::cmp::Ordering;
use std::sync::Arc;

/// The beta density on [0, 1].
///
/// # Formula
///
/// `f(x) = x^(a-1) (1-x)^(b-1) / B(a, b)`. It is computed around the mean `p = a/(a+b)`, `q = 1-p` as
/// `f(x)·x(1-x) = s·exp(a ln(x/p) + b ln((1-x)/q))`, where nothing large cancels even for `a = b = 1e5`.
///
/// # Errors
///
/// [`Beta::new`] wants both parameters positive, and at most 1e9.
///
/// # Examples
///
/// ```
/// use rocproof_engine::model::family::Beta;
/// assert!(Beta::new(2.0, 5.0).is_ok());
/// assert_eq!(Beta::new(0.0, 5.0).unwrap_err().to_string(), "the parameters of beta must be positive");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Beta {
    a: f64,
    b: f64,
    log_scale: f64,
}

impl Beta {
    /// The density with exponents `a - 1` and `b - 1`.
    pub fn new(a: f64, b: f64) -> Result<Beta, ParameterError> {
        for (i, parameter) in [a, b].into_iter().enumerate() {
            if parameter.is_nan() || parameter <= 0.0 {
                return Err(ParameterError::new(i, "the parameters of beta must be positive"));
            }
            if !(1e-3..=1e9).contains(&parameter) {
                return Err(ParameterError::new(i, "the parameters of beta must lie between 1e-3 and 1e9"));
            }
        }
        Ok(Beta { a, b, log_scale: beta_scale(a, b).ln() })
    }

    /// The standard deviation.
    fn deviation(&self) -> f64 {
        let n = self.a + self.b;
        (self.a / n * (self.b / n) / (n + 1.0)).sqrt()
    }
}

/// Up to this sum of the parameters, a plain sum of logarithms loses no digits that matter.
const MODEST: f64 = 20.0;

/// `ln(x^exponent)`; 0 for the exponent 0, also where `ln x` is infinite.
fn log_power(exponent: f64, log_x: f64) -> f64 {
    if exponent == 0.0 { 0.0 } else { exponent * log_x }
}

impl NumericDensity for Beta {
    fn support(&self) -> (f64, f64) {
        (0.0, 1.0)
    }

    fn behaviour(&self, end: End) -> Behaviour {
        Behaviour::power(if end == End::Left { self.a } else { self.b } - 1.0)
    }

    fn landmarks(&self) -> Vec<f64> {
        // The first panels cannot miss a bell with a larger standard deviation.
        const BROAD: f64 = 0.06;
        let deviation = self.deviation();
        if deviation > BROAD {
            return Vec::new();
        }
        bell_landmarks(self.a / (self.a + self.b), deviation).into_iter().filter(|x| *x > 0.0 && *x < 1.0).collect()
    }

    fn log_density(&self, places: &Places, log: &mut Sites, slope: &mut Sites) {
        let (a, b) = (self.a, self.b);
        let (p, q) = (a / (a + b), b / (a + b));
        let (log_x, log_y) = (places.log_above(0.0), places.log_below(1.0));
        // Around the mean terms with large exponents cancel, and the form that is centered there is used. Small exponents need no such care.
        let centered_within = if a + b > MODEST { 0.3 * p.min(q) } else { 0.0 };
        let offset = self.log_scale + minus_log_share(a, b) + minus_log_share(b, a);
        for i in 0..log.len() {
            let (x, y) = (places.above(0.0, i), places.below(1.0, i));
            let from_mean = places.signed_distance(p, i);
            log[i] = if from_mean.abs() < centered_within {
                let exponent = a * ln_1p_minus(from_mean / p) + b * ln_1p_minus(-from_mean / q);
                self.log_scale + exponent - log_x[i] - log_y[i]
            } else {
                offset + log_power(a - 1.0, log_x[i]) + log_power(b - 1.0, log_y[i])
            };
            slope[i] = (a - 1.0) / x - (b - 1.0) / y;
        }
    }

    fn rounding(&self) -> f64 {
        // The exponent is a + b times a difference of scores, each known to half a unit.
        (8.0 + 4.0 * (self.a + self.b).sqrt()) * f64::EPSILON
    }
}

/// The beta family, as listed in [`FAMILIES`](super::FAMILIES).
#[derive(Debug)]
pub(super) struct BetaFamily;

pub(super) static FAMILY: BetaFamily = BetaFamily;

const REFERENCES: [Reference; 5] = [
    Reference::new("beta(2, 5)", 0.25, [2.373046875, 0.466064453125, 0.533935546875]),
    Reference::new("beta(0.3, 200)", 0.001, [168.9328281781341, 0.6572956123060453, 0.3427043876939547]),
    Reference::new("beta(0.5, 0.5)", 0.96875, [1.8294445838767381, 0.8868659177426789, 0.11313408225732115]),
    Reference::new("beta(200, 180)", 0.5, [9.167713695441366, 0.15212954940791282, 0.8478704505920872]),
    Reference::new("beta(7, 1/3)", 0.0625, [4.372799931917829e-08, 3.882858303825128e-10, 0.9999999996117142]),
];

impl Family for BetaFamily {
    fn name(&self) -> &'static str {
        "beta"
    }

    fn parameters(&self) -> &'static [&'static str] {
        &["a", "b"]
    }

    fn summary(&self) -> &'static str {
        "on [0, 1], `x^(a-1) (1-x)^(b-1) / B(a, b)`"
    }

    fn numeric(&self, parameters: &[f64]) -> Result<Arc<dyn NumericDensity>, ParameterError> {
        Ok(Arc::new(Beta::new(parameters[0], parameters[1])?))
    }

    fn references(&self) -> &'static [Reference] {
        &REFERENCES
    }

    /// A polynomial, if both parameters are whole.
    fn exact(&self, arguments: &[Argument]) -> Result<Piecewise, NotPolynomial> {
        let mut powers = [0usize; 2];
        for (k, power) in powers.iter_mut().enumerate() {
            let value = exact_parameter(arguments, k)?;
            let whole = value.is_int().then(|| usize::try_from(value.numerator()).ok()).flatten();
            *power = whole.filter(|n| *n >= 1).ok_or_else(|| NotPolynomial {
                argument: Some(k),
                reason: "a beta density is a polynomial only if both parameters are whole numbers".into(),
                label: "not whole",
            })? - 1;
        }
        if powers[0] + powers[1] > LARGEST_DEGREE {
            let reason = format!("degree {} is beyond {LARGEST_DEGREE}", powers[0] + powers[1]);
            return Err(NotPolynomial { argument: None, reason, label: "too large a degree" });
        }
        let shape = &Polynomial::x().power(powers[0]) * &Polynomial::whole(&[1, -1]).power(powers[1]);
        Ok(Piecewise::piece(Rational::ZERO, Rational::ONE, shape).normalized())
    }

    fn enclosed(&self, arguments: &[Argument]) -> Result<EnclosedMixture, Trouble> {
        let density = EnclosedBeta::new(&arguments[0].constant, &arguments[1].constant);
        let mass = density.mass();
        EnclosedMixture::component(density, Interval::ONE, Endpoint::unit(), mass).normalized()
    }

    fn search(&self) -> Option<&'static dyn SearchFacts> {
        Some(&FAMILY)
    }
}

impl SearchFacts for BetaFamily {
    fn ranges(&self) -> &'static [ParameterRange] {
        &[ParameterRange::Positive; 2]
    }

    fn simple_parameters(&self, most: usize) -> Vec<Vec<Rational>> {
        let values =
            [(1, 1), (2, 1), (3, 1), (1, 2), (5, 1), (4, 1)].map(|(a, b)| Rational::from(a) / Rational::from(b));
        let values = &values[..values.len().min(most)];
        values.iter().flat_map(|a| values.iter().map(|b| vec![a.clone(), b.clone()])).collect()
    }

    fn is_valid(&self, parameters: &[Rational]) -> bool {
        parameters.iter().all(|p| *p > Rational::ZERO)
    }

    fn is_bounded(&self) -> bool {
        true
    }

    fn is_probabilistic(&self, _: &[Rational]) -> bool {
        true
    }

    fn has_rising_ratio(&self, p0: &[Rational], p1: &[Rational]) -> bool {
        p0[0] <= p1[0] && p0[1] >= p1[1]
    }

    fn calibrating_proportion(&self, p0: &[Rational], p1: &[Rational]) -> Option<Rational> {
        Some(&p1[1] / (&p0[0] + &p1[1]))
    }

    /// The densities are `(1-x)` and `x` times one beta density.
    fn is_calibrated(&self, pi0: &Rational, p0: &[Rational], p1: &[Rational]) -> bool {
        let one = Rational::ONE;
        p1[0] == &p0[0] + &one && p0[1] == &p1[1] + &one && *pi0 == &p1[1] / (&p0[0] + &p1[1])
    }

    /// Both uniform, or `2(1-x)` and `2x` in either order.
    fn is_even(&self, pi0: &Rational, p0: &[Rational], p1: &[Rational]) -> bool {
        let half = Rational::ONE / Rational::from(2);
        let is_swapped = p0[0] == p1[1] && p0[1] == p1[0];
        p0.iter().chain(p1).all(|p| *p == Rational::ONE)
            || (is_swapped && &p0[0] + &p0[1] == Rational::from(3) && p0[0].is_int() && *pi0 == half)
    }
}

/// Within this distance from the center, relative to the center `c`, `ln(x/c)` is computed as `ln(1 + (x-c)/c)`, where nothing cancels.
const NEAR: f64 = 0.6;

/// `x^(a-1) (1-x)^(b-1)`, divided by its value at a center close to the mean. So its mass is never too small or too large for a float.
#[derive(Clone, Debug)]
struct EnclosedBeta {
    /// `a - 1` and `b - 1`.
    exponents: [Constant; 2],
    /// 0 and 1.
    ends: [Endpoint; 2],
    /// The center, and one minus it.
    center: [Interval; 2],
}

impl EnclosedBeta {
    fn new(a: &Constant, b: &Constant) -> EnclosedBeta {
        let less_one = |p: &Constant| match &p.exact {
            Some(exact) => Constant::rational(exact - Rational::ONE),
            None => Constant::real(p.value - 1.0, p.enclosure - Interval::ONE),
        };
        let exponents = [less_one(a), less_one(b)];
        // The density is right with any center; with the mean nothing large cancels. The clamp keeps both parts of the center positive.
        let mean = (a.value / (a.value + b.value)).clamp(1e-12, 1.0 - 1e-12);
        let center = [Interval::from(mean), Interval::ONE - Interval::from(mean)];
        EnclosedBeta { exponents, ends: Endpoint::unit(), center }
    }

    /// `a - 1` and `b - 1`.
    fn powers(&self) -> [Interval; 2] {
        self.exponents.each_ref().map(|exponent| exponent.enclosure)
    }

    /// The logarithm of `x^(a-1) (1-x)^(b-1)` at the center.
    fn log_scale(&self) -> Interval {
        let ([p, q], [x, y]) = (self.powers(), self.center);
        p * x.ln() + q * y.ln()
    }

    /// The mass, where the parameters are rational.
    fn mass(&self) -> Option<Interval> {
        let [p, q] = &self.exponents;
        let (p, q, x) = (p.exact.as_ref()?, q.exact.as_ref()?, from_f64(self.center[0].lo())?);
        let one = Rational::ONE;
        let log_power = |exponent: &Rational, base: &Rational| {
            let log = log_beta::ln(base);
            log.times(&Enclosure::of(exponent, log.bits()))
        };
        let scale = log_power(p, &x).plus(&log_power(q, &(&one - &x)));
        let mass = log_beta::exp(&log_beta::ln_beta(&(p + &one), &(q + one)).minus(&scale));
        (mass.is_positive() && mass.is_bounded()).then_some(mass)
    }

    /// The mass by integration.
    fn integrated_mass(&self) -> Option<Interval> {
        let mixture = EnclosedMixture::component(self.clone(), Interval::ONE, self.ends.clone(), None);
        mixture.components.first()?.mass().ok()
    }

    /// `p` and `q` of `f1/f0 = x^p (1-x)^q` up to a constant.
    fn ratio_powers(&self, other: &EnclosedBeta) -> [Interval; 2] {
        [0, 1].map(|side| difference(&other.exponents[side], &self.exponents[side]))
    }
}

impl EnclosedDensity for EnclosedBeta {
    fn jet(&self, scores: &ScoreSeries) -> Jet {
        let EnclosedBeta { exponents, ends, center } = self;
        let distances = [scores.above(&ends[0]), scores.below(&ends[1])];
        let from_center = scores.x - Series::from(center[0]);
        let mut log = Series::from(0.0);
        let mut rate = Series::from(0.0);
        for side in [0, 1] {
            let exponent = exponents[side].enclosure;
            if exponent == Interval::ZERO {
                continue;
            }
            // ln(distance/center): around the center as ln(1 + a small number).
            let excess = if side == 0 { from_center } else { -from_center };
            let is_near = from_center.bound() < NEAR * center[side].lo();
            let log_ratio = if is_near {
                excess.scaled(Interval::ONE / center[side]).ln_1p()
            } else {
                distances[side].ln() - Series::from(center[side].ln())
            };
            log = log + log_ratio.scaled(exponent);
            rate = rate + distances[side].rate().scaled(exponent);
        }
        Jet::with_log(log, rate)
    }

    fn around(&self, points: &Points, _: usize, _: u32) -> Balls {
        sums_of_logs(&self.ends, &[self.powers()], [self.log_scale()], points)[0].exp()
    }

    fn log_slope(&self, x: Interval) -> Interval {
        let [p, q] = self.powers();
        p / x - q / (Interval::ONE - x)
    }

    fn elasticity(&self, tail: &Tail) -> Interval {
        let side = usize::from(!tail.left);
        if self.ends[side].compare(tail.end) == Some(Ordering::Equal) {
            let odds = tail.distance / (Interval::ONE - tail.distance);
            return self.exponents[side].enclosure - self.exponents[1 - side].enclosure * odds;
        }
        tail.distance * tail.sign() * self.log_slope(tail.x)
    }

    /// `p/x + q/(x - 1)`.
    fn rational_log_slope(&self) -> Option<RationalFunction> {
        let pole = |p: &Constant, at: Rational| {
            let exact = Polynomial::constant(p.exact.clone()?);
            Some(RationalFunction::new(exact, Polynomial::linear(&-at, &Rational::ONE)))
        };
        let [p, q] = &self.exponents;
        Some(&pole(p, Rational::ZERO)? + &pole(q, Rational::ONE)?)
    }

    fn ratio_rate(&self, other: &dyn EnclosedDensity, scores: &ScoreSeries) -> Option<Series> {
        let [left, right] = self.ratio_powers(other.member()?);
        let mut rate = Series::from(0.0);
        if left != Interval::ZERO {
            rate = rate + scores.above(&self.ends[0]).rate().scaled(left);
        }
        if right != Interval::ZERO {
            rate = rate + scores.below(&self.ends[1]).rate().scaled(right);
        }
        Some(rate)
    }

    /// `p/x - q/(1-x)`, times `x`, `1-x` or both.
    fn ratio_slope(&self, other: &dyn EnclosedDensity, tail: &Tail) -> Option<Interval> {
        let [left, right] = self.ratio_powers(other.member()?);
        Some(match (left == Interval::ZERO, right == Interval::ZERO) {
            (true, _) => -right,
            (_, true) => left,
            _ => left * (Interval::ONE - tail.x) - right * tail.x,
        })
    }

    fn pair<'a>(&'a self, other: &'a dyn EnclosedDensity) -> Option<Box<dyn LogPair + 'a>> {
        let other: &EnclosedBeta = other.member()?;
        let [scale0, scale1] = [self.log_scale(), other.log_scale()];
        let powers = [self.powers(), other.powers(), self.ratio_powers(other)];
        Some(Box::new(BetaPair { ends: &self.ends, powers, scales: [scale0, scale1, scale1 - scale0] }))
    }
}

/// Two beta densities and their ratio, each as `p·ln x + q·ln(1-x) - scale`.
struct BetaPair<'a> {
    /// 0 and 1.
    ends: &'a [Endpoint; 2],
    /// `p` and `q` of the first density, the second density and the ratio.
    powers: [[Interval; 2]; 3],
    /// The constants of the three.
    scales: [Interval; 3],
}

impl LogPair for BetaPair<'_> {
    fn logs(&self, points: &Points) -> [Balls; 3] {
        sums_of_logs(self.ends, &self.powers, self.scales, points)
    }
}

/// `p·ln x + q·ln(1-x) - scale` around some scores, for several powers `p`, `q` and scales.
fn sums_of_logs<const N: usize>(
    ends: &[Endpoint; 2],
    powers: &[[Interval; 2]; N],
    scales: [Interval; N],
    points: &Points,
) -> [Balls; N] {
    let mut sums = scales.map(|scale| -Balls::from(scale));
    for side in [0, 1] {
        // The logarithm is unbounded at the end: it is left out where its factor is 0.
        if powers.iter().all(|power| power[side] == Interval::ZERO) {
            continue;
        }
        let log = points.log_distance(side, &ends[side]);
        for (sum, power) in sums.iter_mut().zip(powers) {
            if power[side] != Interval::ZERO {
                *sum = *sum + log * Balls::from(power[side]);
            }
        }
    }
    sums
}

/// The mass, if it is bounded and away from 0.
fn positive(mass: Interval) -> Option<Interval> {
    Some(mass).filter(|mass| mass.is_positive() && mass.is_bounded())
}

/// `B(a, b)`, by integration where the parameters are not rational; `None` if it could not be enclosed away from 0.
pub fn beta_mass([a, b]: &[Constant; 2]) -> Option<Interval> {
    if let (Some(a), Some(b)) = (&a.exact, &b.exact)
        && let Some(mass) = positive(log_beta::exp(&log_beta::ln_beta(a, b)))
    {
        return Some(mass);
    }
    let density = EnclosedBeta::new(a, b);
    positive(density.integrated_mass()? * density.log_scale().exp())
}

/// A float close to the mean of a beta density, with one minus it, and the mass of `x^(a-1) (1-x)^(b-1)` divided by its value there,
/// which is never too small or too large for a float. `None` if the mass could not be enclosed away from 0.
pub fn centered_beta_mass([a, b]: &[Constant; 2]) -> Option<([Interval; 2], Interval)> {
    let density = EnclosedBeta::new(a, b);
    let mass = density.mass().or_else(|| density.integrated_mass()).and_then(positive)?;
    Some((density.center, mass))
}
