//! The beta family.

use super::{
    Behaviour, End, Family, NumericDensity, ParameterError, ParameterRange, Places, Reference, SearchFacts, Sites,
    bell_landmarks, exact_parameter, fraction,
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
/// [`Beta::new`] wants both parameters between 1e-3 and 1e9.
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
    /// `ln s` with `s = p^a q^b / B(a, b)`.
    log_scale: f64,
}

impl Beta {
    /// The density with exponents `a - 1` and `b - 1`.
    pub fn new(a: f64, b: f64) -> Result<Beta, ParameterError> {
        for (i, parameter) in [a, b].into_iter().enumerate() {
            if parameter.is_nan() || parameter <= 0.0 {
                return Err(ParameterError::new(i, "the parameters of beta must be positive"));
            }
            // Outside this range the density is a spike that panels cannot resolve.
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

/// Up to this sum of the parameters, the plain form `(a-1) ln x + (b-1) ln(1-x)` loses no digits that matter.
const MODEST: f64 = 20.0;

/// The radius of the centered form around the mean `p`, relative to the smaller of `p` and `1-p`.
const CENTERED: f64 = 0.3;

/// `ln(x^exponent)`, given `ln x`; 0 for the exponent 0, also where `ln x` is infinite.
fn log_power(exponent: f64, log_x: f64) -> f64 {
    if exponent == 0.0 { 0.0 } else { exponent * log_x }
}

impl NumericDensity for Beta {
    fn support(&self) -> (f64, f64) {
        (0.0, 1.0)
    }

    /// The density goes like `x^(a-1)` towards 0 and like `(1-x)^(b-1)` towards 1.
    fn behaviour(&self, end: End) -> Behaviour {
        Behaviour::power(if end == End::Left { self.a } else { self.b } - 1.0)
    }

    /// The landmarks of a bell inside (0, 1); none for a broad density.
    fn landmarks(&self) -> Vec<f64> {
        // A bell with a larger standard deviation is so broad that the first panels cannot miss it.
        const BROAD: f64 = 0.06;
        let deviation = self.deviation();
        if deviation > BROAD {
            return Vec::new();
        }
        bell_landmarks(self.a / (self.a + self.b), deviation).into_iter().filter(|x| *x > 0.0 && *x < 1.0).collect()
    }

    /// `ln f` and its derivative: in the form that is centered at the mean where large terms would cancel, else as a sum of logarithms.
    fn log_density(&self, places: &Places, log: &mut Sites, slope: &mut Sites) {
        let (a, b) = (self.a, self.b);
        let (p, q) = (a / (a + b), b / (a + b));
        let (log_x, log_y) = (places.log_above(0.0), places.log_below(1.0));
        let centered_radius = if a + b > MODEST { CENTERED * p.min(q) } else { 0.0 };
        // -ln B(a, b).
        let offset = self.log_scale + minus_log_share(a, b) + minus_log_share(b, a);
        for i in 0..log.len() {
            // y = 1 - x, without cancellation.
            let (x, y) = (places.above(0.0, i), places.below(1.0, i));
            let from_mean = places.signed_distance(p, i);
            log[i] = if from_mean.abs() < centered_radius {
                // a ln(x/p) + b ln(y/q). The linear terms of the two logarithms cancel, and `ln_1p_minus(t) = ln(1+t) - t` omits them.
                let exponent = a * ln_1p_minus(from_mean / p) + b * ln_1p_minus(-from_mean / q);
                self.log_scale + exponent - log_x[i] - log_y[i]
            } else {
                offset + log_power(a - 1.0, log_x[i]) + log_power(b - 1.0, log_y[i])
            };
            slope[i] = (a - 1.0) / x - (b - 1.0) / y;
        }
    }

    /// A bound on the relative error of the density.
    fn rounding(&self) -> f64 {
        // Within a few standard deviations of the mean, the exponent changes by about sqrt(a + b) times a relative error of the score.
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
        let powers = [exact_power(arguments, 0)?, exact_power(arguments, 1)?];
        if powers[0] + powers[1] > LARGEST_DEGREE {
            let reason = format!("degree {} is beyond {LARGEST_DEGREE}", powers[0] + powers[1]);
            return Err(NotPolynomial { argument: None, reason, label: "too large a degree" });
        }
        let shape = &Polynomial::x().power(powers[0]) * &Polynomial::whole(&[1, -1]).power(powers[1]);
        Ok(Piecewise::piece(Rational::ZERO, Rational::ONE, shape).normalized())
    }

    /// The enclosed shape on [0, 1], divided by its mass.
    fn enclosed(&self, arguments: &[Argument]) -> Result<EnclosedMixture, Trouble> {
        let density = EnclosedBeta::new(&arguments[0].constant, &arguments[1].constant);
        let mass = density.mass();
        EnclosedMixture::component(density, Interval::ONE, Endpoint::unit(), mass).normalized()
    }

    /// The search draws beta densities.
    fn search(&self) -> Option<&'static dyn SearchFacts> {
        Some(&FAMILY)
    }
}

/// The power `a - 1` (for `k = 0`) or `b - 1` (for `k = 1`), if the parameter is a positive whole number.
fn exact_power(arguments: &[Argument], k: usize) -> Result<usize, NotPolynomial> {
    let value = exact_parameter(arguments, k)?;
    let whole = if value.is_int() { usize::try_from(value.numerator()).ok() } else { None };
    whole.and_then(|n| n.checked_sub(1)).ok_or_else(|| NotPolynomial {
        argument: Some(k),
        reason: "a beta density is a polynomial only if both parameters are whole numbers".into(),
        label: "not whole",
    })
}

impl SearchFacts for BetaFamily {
    /// Both parameters are positive.
    fn ranges(&self) -> &'static [ParameterRange] {
        &[ParameterRange::Positive; 2]
    }

    /// Pairs of simple values, at most `most` for each parameter.
    fn simple_parameters(&self, most: usize) -> Vec<Vec<Rational>> {
        let values = [(1, 1), (2, 1), (3, 1), (1, 2), (5, 1), (4, 1)].map(fraction);
        let values = &values[..values.len().min(most)];
        values.iter().flat_map(|a| values.iter().map(|b| vec![a.clone(), b.clone()])).collect()
    }

    fn is_valid(&self, parameters: &[Rational]) -> bool {
        parameters.iter().all(|p| *p > Rational::ZERO)
    }

    /// The support is [0, 1].
    fn is_bounded(&self) -> bool {
        true
    }

    /// The support is [0, 1] for all parameters.
    fn is_probabilistic(&self, _: &[Rational]) -> bool {
        true
    }

    /// `f1/f0` is proportional to `x^(a1-a0) (1-x)^(b1-b0)`.
    fn has_rising_ratio(&self, p0: &[Rational], p1: &[Rational]) -> bool {
        p0[0] <= p1[0] && p0[1] >= p1[1]
    }

    /// `π0 = b/(a+b)` for the members `beta(a, b+1)` and `beta(a+1, b)`: it makes the posterior equal to `x`.
    fn calibrating_proportion(&self, p0: &[Rational], p1: &[Rational]) -> Option<Rational> {
        Some(&p1[1] / (&p0[0] + &p1[1]))
    }

    /// Whether the members are `beta(a, b+1)` and `beta(a+1, b)`, that is, `1-x` and `x` times one beta density, and `π0 = b/(a+b)`.
    fn is_calibrated(&self, pi0: &Rational, p0: &[Rational], p1: &[Rational]) -> bool {
        let one = Rational::ONE;
        p1[0] == &p0[0] + &one && p0[1] == &p1[1] + &one && *pi0 == &p1[1] / (&p0[0] + &p1[1])
    }

    /// Whether both members are uniform, or they are `2(1-x)` and `2x` in either order with `π0 = 1/2`. The parameters are then 1 and 2.
    fn is_even(&self, pi0: &Rational, p0: &[Rational], p1: &[Rational]) -> bool {
        let half = Rational::ONE / Rational::from(2);
        let is_swapped = p0[0] == p1[1] && p0[1] == p1[0];
        p0.iter().chain(p1).all(|p| *p == Rational::ONE)
            || (is_swapped && &p0[0] + &p0[1] == Rational::from(3) && p0[0].is_int() && *pi0 == half)
    }
}

/// Up to this distance from the center `c`, relative to `c`, the logarithm `ln(x/c)` is computed as `ln(1 + (x-c)/c)`, where nothing cancels.
const NEAR: f64 = 0.6;

/// `x^(a-1) (1-x)^(b-1)`, divided by its value at a center close to the mean. The division keeps the mass within the range of floats.
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
    /// The density with parameters `a` and `b`, centered at a float close to its mean.
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

    /// The mass `B(p+1, q+1) / (c^p (1-c)^q)` for the center `c`, where the exponents `p` and `q` are rational. `None` if they are not, or if
    /// the enclosure is unbounded or holds 0.
    fn mass(&self) -> Option<Interval> {
        let [p, q] = &self.exponents;
        let (p, q, center) = (p.exact.as_ref()?, q.exact.as_ref()?, from_f64(self.center[0].lo())?);
        let one = Rational::ONE;
        let log_power = |exponent: &Rational, base: &Rational| {
            let log = log_beta::ln(base);
            log.times(&Enclosure::of(exponent, log.bits()))
        };
        let log_scale = log_power(p, &center).plus(&log_power(q, &(&one - &center)));
        positive(log_beta::exp(&log_beta::ln_beta(&(p + &one), &(q + one)).minus(&log_scale)))
    }

    /// The mass by certified integration, for parameters that are not rational.
    fn integrated_mass(&self) -> Option<Interval> {
        let mixture = EnclosedMixture::component(self.clone(), Interval::ONE, self.ends.clone(), None);
        mixture.components.first()?.mass().ok()
    }

    /// The powers `p` and `q` of the ratio of another density `f1` to this one: `f1/f0 = x^p (1-x)^q` up to a constant.
    fn ratio_powers(&self, other: &EnclosedBeta) -> [Interval; 2] {
        [0, 1].map(|side| difference(&other.exponents[side], &self.exponents[side]))
    }
}

impl EnclosedDensity for EnclosedBeta {
    /// The series of `ln f = (a-1) ln(x/c) + (b-1) ln((1-x)/(1-c))` for the center `c`, and of its derivative in the parameter of the scores.
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
            // ln(distance/center): near the center as ln(1 + excess/center).
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

    /// The density at all scores of the points, by the exponential of its logarithm.
    fn around(&self, points: &Points, _: usize, _: u32) -> Balls {
        sums_of_logs(&self.ends, &[self.powers()], [self.log_scale()], points)[0].exp()
    }

    /// `d ln f/dx = (a-1)/x - (b-1)/(1-x)`.
    fn log_slope(&self, x: Interval) -> Interval {
        let [p, q] = self.powers();
        p / x - q / (Interval::ONE - x)
    }

    /// `d ln f/d ln(distance)` from the end of a tail.
    fn elasticity(&self, tail: &Tail) -> Interval {
        let side = usize::from(!tail.left);
        // At the ends 0 and 1 of the support one term is the exponent, exactly: for d = x it is (a-1) - (b-1)·d/(1-d).
        if self.ends[side].compare(tail.end) == Some(Ordering::Equal) {
            let odds = tail.distance / (Interval::ONE - tail.distance);
            return self.exponents[side].enclosure - self.exponents[1 - side].enclosure * odds;
        }
        tail.distance * tail.sign() * self.log_slope(tail.x)
    }

    /// `(a-1)/x + (b-1)/(x-1)`, if the parameters are rational.
    fn rational_log_slope(&self) -> Option<RationalFunction> {
        // residue/(x - at).
        let pole = |residue: &Constant, at: Rational| {
            let numerator = Polynomial::constant(residue.exact.clone()?);
            Some(RationalFunction::new(numerator, Polynomial::linear(&-at, &Rational::ONE)))
        };
        let [p, q] = &self.exponents;
        Some(&pole(p, Rational::ZERO)? + &pole(q, Rational::ONE)?)
    }

    /// `d ln(f1/f0)/du` along a series of scores: `p` times the rate of `ln x` plus `q` times the rate of `ln(1-x)`. Terms with the factor 0
    /// are left out, because the rates are unbounded at the ends.
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

    /// `d ln(f1/f0)/dx = p/x - q/(1-x)` up to a positive factor: times `1-x` if `p = 0`, times `x` if `q = 0`, else times both.
    fn ratio_slope(&self, other: &dyn EnclosedDensity, tail: &Tail) -> Option<Interval> {
        let [left, right] = self.ratio_powers(other.member()?);
        Some(if left == Interval::ZERO {
            -right
        } else if right == Interval::ZERO {
            left
        } else {
            left * (Interval::ONE - tail.x) - right * tail.x
        })
    }

    /// This density with another beta density; the powers of the ratio are subtracted exactly.
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
    /// `ln f0`, `ln f1` and `ln(f1/f0)` around some scores.
    fn logs(&self, points: &Points) -> [Balls; 3] {
        sums_of_logs(self.ends, &self.powers, self.scales, points)
    }
}

/// `p·ln x + q·ln(1-x) - scale` around some scores, for several `[p, q]` in `powers` and `scales`; `ends` are 0 and 1.
fn sums_of_logs<const N: usize>(
    ends: &[Endpoint; 2],
    powers: &[[Interval; 2]; N],
    scales: [Interval; N],
    points: &Points,
) -> [Balls; N] {
    let mut sums = scales.map(|scale| -Balls::from(scale));
    for side in [0, 1] {
        // The logarithm is unbounded at the end, so terms with the factor 0 must be left out, not multiplied.
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

/// The enclosure of a mass, unless it is unbounded or holds 0.
fn positive(mass: Interval) -> Option<Interval> {
    Some(mass).filter(|mass| mass.is_positive() && mass.is_bounded())
}

/// An enclosure of `B(a, b)`: by the log-beta function for rational parameters, else by certified integration. `None` if it could not be
/// enclosed away from 0.
pub fn beta_mass([a, b]: &[Constant; 2]) -> Option<Interval> {
    if let (Some(a), Some(b)) = (&a.exact, &b.exact)
        && let Some(mass) = positive(log_beta::exp(&log_beta::ln_beta(a, b)))
    {
        return Some(mass);
    }
    let density = EnclosedBeta::new(a, b);
    positive(density.integrated_mass()? * density.log_scale().exp())
}

/// A center `c`, which is a float close to the mean of a beta density, as `[c, 1-c]`; and the mass of `x^(a-1) (1-x)^(b-1)` divided by its
/// value at `c`. The division keeps the mass within the range of floats. `None` if the mass could not be enclosed away from 0.
pub fn centered_beta_mass([a, b]: &[Constant; 2]) -> Option<([Interval; 2], Interval)> {
    let density = EnclosedBeta::new(a, b);
    let mass = density.mass().or_else(|| density.integrated_mass()).and_then(positive)?;
    Some((density.center, mass))
}
