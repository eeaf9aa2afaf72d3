//! The families of densities, enclosed along a stretch and towards an end.

use super::place::Place;
use super::site::{Points, Site};
use super::trend::Decline;
use super::typed::{Beyond, Typed};
use crate::constant::Constant;
use rocproof_arith::rational::from_f64;
use rocproof_arith::{Balls, Enclosure, Interval, Rational, Series, log_beta};
use std::cmp::Ordering;

/// A value that is worse than this, relatively, is sought by its logarithm too.
const POOR: f64 = 1e-14;

/// A value below this is sought by its logarithm too: the next one may underflow.
const TINY: f64 = 1e-150;

/// Below this angle a sine is known as well, relatively, as the angle is; and so many terms say all of it.
const SMALL_ANGLE: f64 = 0.3;
const SINE_TERMS: usize = 8;

/// How far from the center of a beta density, relatively to it, logarithms are taken around the center.
const NEAR: f64 = 0.6;

/// A function along a stretch: its value, its derivative, and the logarithm with its derivative where that is known.
#[derive(Clone, Copy, Debug)]
pub struct Local {
    /// The value.
    pub value: Series,
    /// The derivative.
    pub slope: Series,
    /// The logarithm and its derivative.
    pub log: Option<[Series; 2]>,
}

impl Local {
    /// A value and its derivative.
    pub fn new(value: Series, slope: Series) -> Local {
        Local { value, slope, log: None }
    }

    /// A positive function by its logarithm.
    pub fn with_log(log: Series, rate: Series) -> Local {
        let value = log.exp();
        Local { value, slope: value * rate, log: Some([log, rate]) }
    }

    /// The same function, if this value of it is enclosed more narrowly.
    pub fn or_value(self, value: Series, slope: Series) -> Local {
        if value.error() < self.value.error() { Local { value, slope, ..self } } else { self }
    }

    /// The logarithm and its derivative.
    pub fn logarithm(&self) -> (Series, Series) {
        match self.log {
            Some([log, rate]) => (log, rate),
            None => (self.value.ln(), self.slope / self.value),
        }
    }

    /// The negative.
    pub fn negated(self) -> Local {
        Local::new(-self.value, -self.slope)
    }

    /// The sum.
    pub fn plus(self, other: Local) -> Local {
        let sum = Local::new(self.value + other.value, self.slope + other.slope);
        match self.log.zip(other.log) {
            // Too large or too small for a value.
            Some((a, b)) if !sum.value.is_known() || !sum.slope.is_known() || sum.value.bound() < TINY => {
                let [larger, smaller] =
                    if a[0].rough_range().mid() >= b[0].rough_range().mid() { [a, b] } else { [b, a] };
                let ratio = (smaller[0] - larger[0]).exp();
                let share = ratio / (Series::from(1.0) + ratio);
                let log = larger[0] + ratio.ln_1p();
                let rate = larger[1] + share * (smaller[1] - larger[1]);
                Local { log: Some([log, rate]).filter(|[log, _]| log.is_known()), ..sum }
            }
            _ => sum,
        }
    }

    /// The product.
    pub fn times(self, other: Local) -> Local {
        let value = self.value * other.value;
        let log = self.log.zip(other.log).map(|([a, da], [b, db])| [a + b, da + db]);
        Local { value, slope: self.slope * other.value + self.value * other.slope, log }.improved()
    }

    /// The quotient.
    pub fn over(self, other: Local) -> Local {
        let value = self.value / other.value;
        let log = self.log.zip(other.log).map(|([a, da], [b, db])| [a - b, da - db]);
        Local { value, slope: (self.slope - value * other.slope) / other.value, log }.improved()
    }

    /// `ln(1 + f)`.
    pub fn ln_1p(self) -> Local {
        Local::new(self.value.ln_1p(), self.slope / (Series::from(1.0) + self.value))
    }

    /// The sine; relatively good where the argument is close to 0.
    pub fn sin(self) -> Local {
        let [sin, cos] = self.value.sin_cos();
        let plain = Local::new(sin, cos * self.slope);
        if self.value.bound() > SMALL_ANGLE {
            return plain;
        }
        // sin(a)/a = 1 - a²/3! + a⁴/5! - …, and what is left out of it is less than the next term.
        let mut terms = vec![Interval::ONE];
        for k in 1..SINE_TERMS {
            let factor = Interval::from(-((2 * k) as f64 * (2 * k + 1) as f64));
            terms.push(terms[k - 1] / factor);
        }
        if let Some(last) = terms.last_mut() {
            *last = *last + Interval::around(0.0, last.magnitude() * SMALL_ANGLE * SMALL_ANGLE);
        }
        let share = (self.value * self.value).under(&terms);
        let log = self.log.map(|[log, rate]| [log + share.ln(), rate * (cos / share)]);
        Local { value: self.value * share, log, ..plain }
    }

    /// The cosine.
    pub fn cos(self) -> Local {
        let [sin, cos] = self.value.sin_cos();
        Local::new(cos, -(sin * self.slope))
    }

    /// A constant power.
    pub fn power(self, exponent: Interval) -> Local {
        let whole = exponent.is_point() && exponent.lo().fract() == 0.0 && exponent.magnitude() <= 64.0;
        let (log, rate) = match self.log {
            None if whole => (Series::UNKNOWN, Series::UNKNOWN),
            _ => self.logarithm(),
        };
        let by_log = Local::with_log(log.scaled(exponent), rate.scaled(exponent));
        let by_log = Local { log: by_log.log.filter(|[log, _]| log.is_known()), ..by_log };
        if !whole {
            return by_log;
        }
        let k = exponent.lo() as i32;
        if k == 0 {
            return Local::new(Series::from(1.0), Series::from(0.0));
        }
        by_log.or_value(self.value.power(k), self.value.power(k - 1).scaled(exponent) * self.slope)
    }

    fn improved(self) -> Local {
        match self.log {
            Some([log, rate]) if self.value.error() > POOR * self.value.bound() || !self.value.is_known() => {
                let by_log = Local::with_log(log, rate);
                if by_log.value.error() < self.value.error() { by_log } else { self }
            }
            _ => self,
        }
    }
}

/// A family of densities.
#[derive(Clone, Debug)]
pub enum Shape {
    /// `x^(a-1) (1-x)^(b-1)`, divided by its value at a place close to where it is largest.
    Beta {
        /// `a - 1` and `b - 1`.
        exponents: [Constant; 2],
        /// The ends, 0 and 1.
        ends: [Place; 2],
        /// The place at which it is divided by its value, and one minus it.
        center: [Interval; 2],
    },
    /// The normal density.
    Normal {
        /// The mean.
        mean: Constant,
        /// The standard deviation.
        deviation: Constant,
    },
    /// The logistic density.
    Logistic {
        /// The location.
        location: Constant,
        /// The scale.
        scale: Constant,
    },
    /// What the user typed; triangular and uniform densities, too.
    Typed(Typed),
}

/// The difference of two constants: 0 if they are the same rational.
fn difference(a: &Constant, b: &Constant) -> Interval {
    match (&a.exact, &b.exact) {
        // The difference of two floats is rounded but once.
        (Some(exact), Some(other)) if !(a.enclosure.is_point() && b.enclosure.is_point()) => {
            Interval::of(&(exact - other))
        }
        _ => a.enclosure - b.enclosure,
    }
}

/// `α + β·x` for the derivative of the logarithm of a ratio of normal densities.
fn normal_ratio([mean0, dev0]: [&Constant; 2], [mean1, dev1]: [&Constant; 2]) -> [Interval; 2] {
    let exact = |c: &Constant| c.exact.clone();
    if let (Some(m0), Some(s0), Some(m1), Some(s1)) = (exact(mean0), exact(dev0), exact(mean1), exact(dev1)) {
        let [p0, p1] = [&s0, &s1].map(|s| Rational::ONE / (s * s));
        return [Interval::of(&(m1 * &p1 - m0 * &p0)), Interval::of(&(p0 - p1))];
    }
    let [p0, p1] = [dev0, dev1].map(|s| Interval::ONE / s.enclosure.square());
    [mean1.enclosure * p1 - mean0.enclosure * p0, p0 - p1]
}

/// `ln(σ√(2π))`.
fn normal_scale(deviation: &Constant) -> Interval {
    (deviation.enclosure.square() * Interval::PI * Interval::from(2.0)).ln() * Interval::from(0.5)
}

/// The logarithm of `x^p (1-x)^q` at the center of a beta density.
fn beta_scale([p, q]: [Interval; 2], [x, y]: [Interval; 2]) -> Interval {
    p * x.ln() + q * y.ln()
}

impl Shape {
    /// The beta family, not normalised.
    pub fn beta(a: &Constant, b: &Constant) -> Shape {
        let less_one = |p: &Constant| match &p.exact {
            Some(exact) => Constant::rational(exact - Rational::ONE),
            None => Constant::real(p.value - 1.0, p.enclosure - Interval::ONE),
        };
        let exponents = [less_one(a), less_one(b)];
        // Any place serves; around the mean nothing large cancels.
        let mean = (a.value / (a.value + b.value)).clamp(1e-12, 1.0 - 1e-12);
        let center = [Interval::from(mean), Interval::ONE - Interval::from(mean)];
        let ends = [Rational::ZERO, Rational::ONE].map(Place::rational);
        Shape::Beta { exponents, ends, center }
    }

    /// What a beta density was divided by: its value, not normalised, at its center.
    pub fn beta_scale(&self) -> Option<Interval> {
        let Shape::Beta { exponents: [p, q], center, .. } = self else { return None };
        Some(beta_scale([p.enclosure, q.enclosure], *center).exp())
    }

    /// The mass of a beta density as it is here, divided by its value at its center, where its parameters are rational.
    pub fn beta_mass(&self) -> Option<Interval> {
        let Shape::Beta { exponents: [p, q], center, .. } = self else { return None };
        let (p, q, x) = (p.exact.as_ref()?, q.exact.as_ref()?, from_f64(center[0].lo())?);
        let one = Rational::ONE;
        let term = |exponent: &Rational, of: &Rational| {
            let log = log_beta::ln(of);
            log.times(&Enclosure::of(exponent, log.bits()))
        };
        let scale = term(p, &x).plus(&term(q, &(&one - &x)));
        let mass = log_beta::exp(&log_beta::ln_beta(&(p + &one), &(q + one)).minus(&scale));
        (mass.is_positive() && mass.is_bounded()).then_some(mass)
    }

    /// The density along a stretch.
    pub fn local(&self, site: &Site) -> Local {
        match self {
            Shape::Beta { exponents, ends, center } => {
                let distances = [site.above(&ends[0]), site.below(&ends[1])];
                let from_center = site.x - Series::from(center[0]);
                let mut log = Series::from(0.0);
                let mut rate = Series::from(0.0);
                for side in [0, 1] {
                    let exponent = exponents[side].enclosure;
                    if exponent == Interval::ZERO {
                        continue;
                    }
                    // ln(distance/center): around the center as ln(1 + a small number).
                    let away = if side == 0 { from_center } else { -from_center };
                    let near = from_center.bound() < NEAR * center[side].lo();
                    let of_distance = if near {
                        away.scaled(Interval::ONE / center[side]).ln_1p()
                    } else {
                        distances[side].ln() - Series::from(center[side].ln())
                    };
                    log = log + of_distance.scaled(exponent);
                    rate = rate + distances[side].rate().scaled(exponent);
                }
                Local::with_log(log, rate)
            }
            Shape::Normal { mean, deviation } => {
                let sd = deviation.enclosure;
                let z = (site.x - Series::from(mean.enclosure)).scaled(Interval::ONE / sd);
                let log = (z * z).scaled(Interval::from(-0.5)) - Series::from(normal_scale(deviation));
                Local::with_log(log, -(z * site.speed).scaled(Interval::ONE / sd))
            }
            Shape::Logistic { location, scale } => {
                let s = scale.enclosure;
                let z = (site.x - Series::from(location.enclosure)).scaled(Interval::ONE / s);
                // The density is even: E = e^-|z| does not overflow.
                let right = z.rough_range().mid() >= 0.0;
                let towards = if right { -z } else { z };
                let e = towards.exp();
                let one = Series::from(1.0);
                let log = towards - (one + e).ln().scaled(Interval::from(2.0)) - Series::from(s.ln());
                let tanh = (one - e) / (one + e);
                let slope = (tanh * site.speed).scaled(Interval::ONE / s);
                Local::with_log(log, if right { -slope } else { slope })
            }
            Shape::Typed(typed) => typed.local(site),
        }
    }

    /// The density around some scores, divided by a power of the distance from an end, not above its order there.
    pub fn at(&self, points: &Points, side: usize, power: u32) -> Balls {
        match self {
            Shape::Beta { .. } | Shape::Normal { .. } => {
                Pair::new(self, self).map_or(Balls::UNKNOWN, |pair| pair.logs(points)[0].exp())
            }
            Shape::Logistic { location, scale } => {
                let z = (points.x - Balls::from(location.enclosure)) / Balls::from(scale.enclosure);
                // Even, and written such that it does not overflow.
                let e = if z.center() < 0.0 { z.exp() } else { (-z).exp() };
                let sum = Balls::from(1.0) + e;
                e / (sum * sum * Balls::from(scale.enclosure))
            }
            Shape::Typed(typed) => typed.at(points, side, power),
        }
    }

    /// The value of the density, if it is constant.
    pub fn constant(&self) -> Option<Interval> {
        if let Shape::Typed(typed) = self { typed.constant() } else { None }
    }

    /// Whether the density is analytic in the whole plane.
    pub fn is_entire(&self) -> bool {
        match self {
            Shape::Typed(typed) => typed.is_entire(),
            Shape::Normal { .. } => true,
            Shape::Beta { .. } | Shape::Logistic { .. } => false,
        }
    }

    /// How often the density vanishes at an end, if it does so exactly.
    pub fn order(&self, side: usize, end: &Place) -> u32 {
        if let Shape::Typed(typed) = self { typed.order(side, end) } else { 0 }
    }

    /// `d ln f/dx` in a region.
    fn log_slope(&self, x: Interval) -> Interval {
        match self {
            Shape::Beta { exponents: [p, q], .. } => p.enclosure / x - q.enclosure / (Interval::ONE - x),
            Shape::Normal { mean, deviation } => -(x - mean.enclosure) / deviation.enclosure.square(),
            Shape::Logistic { location, scale } => {
                let z = (x - location.enclosure) / scale.enclosure;
                // tanh(z/2) grows from -1 to 1.
                let tanh = |z: f64| {
                    let e = Interval::from(-z.abs()).exp();
                    let size = (Interval::ONE - e) / (Interval::ONE + e);
                    if z < 0.0 { -size } else { size }
                };
                -Interval::new(tanh(z.lo()).lo(), tanh(z.hi()).hi()) / scale.enclosure
            }
            Shape::Typed(_) => Interval::ALL,
        }
    }

    /// By which power of the distance it changes beyond a stretch: `d ln f/d ln(distance)`.
    pub fn elasticity(&self, beyond: &Beyond) -> Interval {
        if let Shape::Typed(typed) = self {
            return typed.elasticity(beyond);
        }
        if let Shape::Beta { exponents, ends, .. } = self
            && let side = usize::from(!beyond.left)
            && ends[side].compare(beyond.end) == Some(Ordering::Equal)
        {
            let far = beyond.distance / (Interval::ONE - beyond.distance);
            return exponents[side].enclosure - exponents[1 - side].enclosure * far;
        }
        beyond.distance * beyond.sign() * self.log_slope(beyond.x)
    }

    /// What is known of the mass beyond a stretch, if nothing is known of its growth.
    pub fn decline(&self, beyond: &Beyond) -> Option<Decline> {
        if let Shape::Typed(typed) = self { typed.decline(beyond) } else { None }
    }

    /// The density at the start of an infinite tail as a multiple of the mass in it. No more than how fast the density falls there,
    /// `-d ln f/d|x|`, falls further out; for a normal density Gordon's bounds on Mills' ratio say more.
    pub fn tail_decay(&self, beyond: &Beyond) -> Interval {
        if let Shape::Normal { mean, deviation } = self {
            let away = if beyond.left { mean.enclosure - beyond.from } else { beyond.from - mean.enclosure };
            let z = away / deviation.enclosure;
            if z.is_positive() {
                let most = (z + Interval::ONE / z) / deviation.enclosure;
                return (z / deviation.enclosure).hull(most);
            }
        }
        let slope = self.log_slope(beyond.x);
        if beyond.left { slope } else { -slope }
    }

    /// `d ln(f1/f0)/du` along a stretch, for two densities of one family, where common terms cancel exactly.
    pub fn ratio_rate(&self, other: &Shape, site: &Site) -> Option<Series> {
        match (self, other) {
            (Shape::Beta { exponents: p, ends, .. }, Shape::Beta { exponents: q, .. }) => {
                let [left, right] = [difference(&q[0], &p[0]), difference(&q[1], &p[1])];
                let mut rate = Series::from(0.0);
                if left != Interval::ZERO {
                    rate = rate + site.above(&ends[0]).rate().scaled(left);
                }
                if right != Interval::ZERO {
                    rate = rate + site.below(&ends[1]).rate().scaled(right);
                }
                Some(rate)
            }
            (Shape::Normal { mean: m0, deviation: s0 }, Shape::Normal { mean: m1, deviation: s1 }) => {
                let [alpha, beta] = normal_ratio([m0, s0], [m1, s1]);
                let mut slope = Series::from(alpha);
                if beta != Interval::ZERO {
                    slope = slope + site.x.scaled(beta);
                }
                Some(slope * site.speed)
            }
            _ => None,
        }
    }

    /// `d ln(f1/f0)/dx` beyond a stretch, up to a positive factor.
    pub fn ratio_slope(&self, other: &Shape, beyond: &Beyond) -> Interval {
        match (self, other) {
            (Shape::Beta { exponents: p, .. }, Shape::Beta { exponents: q, .. }) => {
                let [left, right] = [difference(&q[0], &p[0]), difference(&q[1], &p[1])];
                match (left == Interval::ZERO, right == Interval::ZERO) {
                    // Times 1-x, times x, or both.
                    (true, _) => -right,
                    (_, true) => left,
                    _ => left * (Interval::ONE - beyond.x) - right * beyond.x,
                }
            }
            (Shape::Normal { mean: m0, deviation: s0 }, Shape::Normal { mean: m1, deviation: s1 }) => {
                let [alpha, beta] = normal_ratio([m0, s0], [m1, s1]);
                if beta == Interval::ZERO { alpha } else { alpha + beta * beyond.x }
            }
            (Shape::Logistic { location: m0, scale: s0 }, Shape::Logistic { location: m1, scale: s1 })
                if difference(s1, s0) == Interval::ZERO =>
            {
                difference(m1, m0)
            }
            (Shape::Typed(_), _) | (_, Shape::Typed(_)) => {
                (other.elasticity(beyond) - self.elasticity(beyond)) * beyond.sign()
            }
            _ => other.log_slope(beyond.x) - self.log_slope(beyond.x),
        }
    }
}

/// Two densities of one family by their logarithms: what they have in common cancels in the ratio.
#[derive(Clone, Debug)]
pub enum Pair<'a> {
    /// Sums of logarithms of the distances from two ends, with these factors, less a constant: of each density and of the ratio.
    Beta {
        /// The ends.
        ends: &'a [Place; 2],
        /// The factors.
        powers: [[Interval; 2]; 3],
        /// The constants.
        scales: [Interval; 3],
    },
    /// `-z²/2 - c` with `z = (x - m)/s`, and a square polynomial in the distance from the first mean for the ratio.
    Normal {
        /// `m`, `s` and `c` of each density.
        bells: [[Interval; 3]; 2],
        /// The coefficients of the ratio.
        ratio: [Interval; 3],
    },
}

impl<'a> Pair<'a> {
    /// Two densities, if they are of one family that has logarithms.
    pub fn new(f0: &'a Shape, f1: &'a Shape) -> Option<Pair<'a>> {
        match (f0, f1) {
            (Shape::Beta { exponents: p, ends, center: at0 }, Shape::Beta { exponents: q, center: at1, .. }) => {
                let of = |exponents: &[Constant; 2]| exponents.each_ref().map(|e| e.enclosure);
                let apart = [0, 1].map(|side| difference(&q[side], &p[side]));
                let [scale0, scale1] = [beta_scale(of(p), *at0), beta_scale(of(q), *at1)];
                Some(Pair::Beta { ends, powers: [of(p), of(q), apart], scales: [scale0, scale1, scale1 - scale0] })
            }
            (Shape::Normal { mean: m0, deviation: s0 }, Shape::Normal { mean: m1, deviation: s1 }) => {
                let bell = |m: &Constant, s: &Constant| [m.enclosure, s.enclosure, normal_scale(s)];
                let (bells, half) = ([bell(m0, s0), bell(m1, s1)], Interval::from(0.5));
                // Around the mean of the first one, where nothing large cancels.
                let (apart, [_, beta]) = (difference(m1, m0), normal_ratio([m0, s0], [m1, s1]));
                let start = bells[0][2] - bells[1][2] - (apart / s1.enclosure).square() * half;
                let ratio = [start, apart / s1.enclosure.square(), beta * half];
                Some(Pair::Normal { bells, ratio })
            }
            _ => None,
        }
    }

    /// `ln f0`, `ln f1` and `ln(f1/f0)` around some scores.
    pub fn logs(&self, points: &Points) -> [Balls; 3] {
        match self {
            Pair::Beta { ends, powers, scales } => {
                let mut found = scales.map(|scale| -Balls::from(scale));
                for side in [0, 1] {
                    // Where no density has this factor the end is regular, and nothing is known of the logarithm there.
                    if powers.iter().all(|power| power[side] == Interval::ZERO) {
                        continue;
                    }
                    let log = points.log_distance(side, &ends[side]);
                    for (sum, power) in found.iter_mut().zip(powers) {
                        if power[side] != Interval::ZERO {
                            *sum = *sum + log * Balls::from(power[side]);
                        }
                    }
                }
                found
            }
            Pair::Normal { bells: [bell0, bell1], ratio } => {
                let bell = |[m, s, scale]: [Interval; 3]| {
                    let z = (points.x - Balls::from(m)) / Balls::from(s);
                    z * z * Balls::from(-0.5) - Balls::from(scale)
                };
                [bell(*bell0), bell(*bell1), (points.x - Balls::from(bell0[0])).under(ratio)]
            }
        }
    }
}
