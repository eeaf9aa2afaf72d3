//! Upper bounds on a typed density from a score to an end.
//!
//! Let `y` grow without bound: it is the distance itself towards infinity, and one over the distance towards a finite end.
//! A function of `y`, and the logarithm of its absolute value, are bounded by sums of terms `c·y^q·(ln y)^r`. The coefficients
//! are intervals, and the true coefficient may depend on `y`: an oscillating factor is enclosed by a constant interval. Sums,
//! products and logarithms of bounded functions are bounded again. Logarithms are bounded, too, so common factors of quotients
//! cancel.

use super::expression::{Node, horner, shifted_sine};
use super::tail::Tail;
use crate::model::endpoint::Endpoint;
use rocproof_arith::Interval;

/// The least `y` at which a comparison may start: `ln ln y` is not negative from `e` on.
const NEAREST: f64 = 2.8;
/// A function that grows faster than any power is bounded from below by a multiple of `y` to this power.
const HIGH: f64 = 4.0;
/// Longer sums are given up.
const MOST_TERMS: usize = 24;
/// Below this size of `g` the bounds on `ln(1 + g)` for small `g` serve; `1/(1 + g)` in them stays below 2.
const SMALL: f64 = 0.5;
/// Whole powers of sums up to this one are multiplied out.
const MOST_FACTORS: f64 = 8.0;

/// Where a comparison starts: the least `y`, and its logarithm.
#[derive(Clone, Copy, Debug)]
pub struct Start {
    y: Interval,
    log: Interval,
}

impl Start {
    /// A start at `y`; `None` if `y` is too small or unbounded.
    fn new(y: Interval) -> Option<Start> {
        (y.is_bounded() && y.lo() >= NEAREST).then(|| Start { y, log: y.ln() })
    }
}

/// `c·y^q·(ln y)^r`, with a coefficient that may depend on `y`.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Term {
    q: f64,
    r: i32,
    c: Interval,
}

impl Term {
    /// `y^q·(ln y)^r` at the start.
    fn power_at(&self, start: &Start) -> Interval {
        let power = if self.q == 0.0 { Interval::ONE } else { start.y.pow(Interval::from(self.q)) };
        power * start.log.power(self.r)
    }

    /// Whether `y^q (ln y)^r` grows (1), is constant (0) or falls (-1) from the start on: the sign of its elasticity
    /// `q + r/ln y`. `None` if the sign changes, or might.
    fn direction(q: f64, r: i32, start: &Start) -> Option<i32> {
        let elasticity = Interval::from(q) + Interval::from(f64::from(r)) / start.log;
        if q == 0.0 {
            return Some(r.signum());
        }
        // The elasticity goes monotonically from its value at the start to q.
        match q > 0.0 {
            true if elasticity.lo() >= 0.0 => Some(1),
            false if elasticity.hi() <= 0.0 => Some(-1),
            _ => None,
        }
    }

    /// Whether `y^q (ln y)^r` goes to infinity.
    fn grows(&self) -> bool {
        self.q > 0.0 || (self.q == 0.0 && self.r > 0)
    }
}

/// A sum of terms, sorted by growth: the slowest first.
#[derive(Clone, Debug, PartialEq)]
struct Sum(Vec<Term>);

impl Sum {
    fn constant(c: Interval) -> Sum {
        Sum::term(0.0, 0, c)
    }

    fn term(q: f64, r: i32, c: Interval) -> Sum {
        Sum(vec![Term { q, r, c }])
    }

    /// Sorts terms, and adds those with the same powers.
    fn of(terms: impl Iterator<Item = Term>) -> Sum {
        let mut sum: Vec<Term> = Vec::new();
        for term in terms {
            match sum.iter_mut().find(|t| (t.q, t.r) == (term.q, term.r)) {
                Some(same) => same.c = same.c + term.c,
                None => sum.push(term),
            }
        }
        sum.sort_by(|a, b| a.q.total_cmp(&b.q).then(a.r.cmp(&b.r)));
        Sum(sum)
    }

    fn plus(&self, other: &Sum) -> Sum {
        Sum::of(self.0.iter().chain(&other.0).copied())
    }

    fn scaled(&self, by: Interval) -> Sum {
        Sum(self.0.iter().map(|t| Term { c: t.c * by, ..*t }).collect())
    }

    fn minus(&self, other: &Sum) -> Sum {
        self.plus(&other.scaled(-Interval::ONE))
    }

    /// The product; all values, if it would have too many terms.
    fn times(&self, other: &Sum) -> Sum {
        if self.0.len() * other.0.len() > MOST_TERMS {
            return Sum::constant(Interval::ALL);
        }
        let product = |a: &Term, b: &Term| Term { q: a.q + b.q, r: a.r + b.r, c: a.c * b.c };
        Sum::of(self.0.iter().flat_map(|a| other.0.iter().map(move |b| product(a, b))))
    }

    /// `d/d ln y` of the upper bound, in which every coefficient is at its upper end.
    fn highest_slope(&self) -> Sum {
        let slope = |t: &Term| {
            let c = Interval::from(t.c.hi());
            let by_power = Term { c: c * Interval::from(t.q), ..*t };
            let by_log = Term { r: t.r - 1, c: c * Interval::from(f64::from(t.r)), ..*t };
            [by_power, by_log]
        };
        Sum::of(self.0.iter().flat_map(slope).filter(|t| t.c != Interval::ZERO))
    }

    /// An upper bound from the start on. A sum whose slope is nowhere positive is at most its value at the start.
    fn upper_bound(&self, start: &Start) -> f64 {
        let by_terms = self.upper_bound_by_terms(start);
        let falls = self.highest_slope().upper_bound_by_terms(start) <= 0.0;
        if falls { self.highest_at_start(start).hi().min(by_terms) } else { by_terms }
    }

    /// An upper bound from the start on, term by term: falling terms by their values at the start; growing terms together, if
    /// the fastest one is negative and outweighs the positive ones.
    fn upper_bound_by_terms(&self, start: &Start) -> f64 {
        let highest = |t: &Term| Interval::from(t.c.hi());
        let mut bound = Interval::ZERO;
        let mut growing: Vec<&Term> = Vec::new();
        for term in self.0.iter().filter(|t| t.c.hi() != 0.0) {
            if (term.q, term.r) == (0.0, 0) {
                bound = bound + highest(term);
            } else if term.grows() {
                growing.push(term);
            } else if term.c.hi() > 0.0 {
                match Term::direction(term.q, term.r, start) {
                    Some(-1) => bound = bound + highest(term) * term.power_at(start),
                    _ => return f64::INFINITY,
                }
            }
        }
        // The fastest term must be negative, and outweigh at the start all positive growing terms. All of them grow more
        // slowly, so it outweighs them from there on.
        if let Some(fastest) = growing.last() {
            let is_positive = |t: &&&Term| t.c.hi() > 0.0;
            let is_slower = |t: &&Term| {
                let (q, r) = (t.q - fastest.q, t.r - fastest.r);
                Term::direction(q, r, start) == Some(-1)
            };
            let is_outgrown = Term::direction(fastest.q, fastest.r, start) == Some(1)
                && growing.iter().filter(is_positive).all(is_slower);
            let positive =
                growing.iter().filter(is_positive).fold(Interval::ZERO, |sum, t| sum + highest(t) * t.power_at(start));
            let balance = positive + highest(fastest) * fastest.power_at(start);
            if !is_outgrown || balance.hi() > 0.0 {
                return f64::INFINITY;
            }
            bound = bound + balance;
            // Other negative terms that grow are at most their values at the start.
            let falls = |t: &&&Term| t.c.hi() < 0.0 && **t != *fastest && Term::direction(t.q, t.r, start) == Some(1);
            bound = growing.iter().filter(falls).fold(bound, |sum, t| sum + highest(t) * t.power_at(start));
        }
        bound.hi()
    }

    /// All values from the start on.
    fn range(&self, start: &Start) -> Interval {
        Interval::new(-self.scaled(-Interval::ONE).upper_bound(start), self.upper_bound(start))
    }

    /// The value at the start of the upper bound, in which every coefficient is at its upper end.
    fn highest_at_start(&self, start: &Start) -> Interval {
        self.0.iter().fold(Interval::ZERO, |sum, t| sum + Interval::from(t.c.hi()) * t.power_at(start))
    }

    /// `ln|sum|`: the fastest term `c·y^q·(ln y)^r` is factored out, so that `q·ln y + r·ln ln y + ln|c + …|` remains. `None` if the last
    /// logarithm is unknown.
    fn log_size(&self, start: &Start) -> Option<Sum> {
        let fastest = self.0.iter().rfind(|t| t.c != Interval::ZERO)?;
        let others = self.0.iter().filter(|t| (t.q, t.r) < (fastest.q, fastest.r));
        let quotients = Sum(others.map(|t| Term { q: t.q - fastest.q, r: t.r - fastest.r, c: t.c }).collect());
        let factor = (fastest.c + quotients.range(start)).abs();
        // 0 <= ln ln y <= k·ln y. The ratio falls for ln y > e, from 1/e < 0.37, so far out k is its value at the start.
        let double_log = if start.log.lo() > 3.0 { start.log.ln() / start.log } else { Interval::from(0.37) };
        let log_power = Interval::from(f64::from(fastest.r)) * Interval::new(0.0, double_log.hi());
        let is_known = factor.hi() < f64::INFINITY && factor.hi() > 0.0;
        is_known.then(|| Sum::term(0.0, 1, Interval::from(fastest.q) + log_power).plus(&Sum::constant(factor.ln())))
    }
}

/// Bounds on a function from a start to an end.
#[derive(Clone, Debug)]
pub struct Trend {
    /// All values.
    pub range: Interval,
    /// The function.
    value: Sum,
    /// The logarithm of its absolute value.
    log_size: Sum,
}

/// A range without values of the other sign, which rounding at an underflow may have added.
fn with_sign(range: Interval, sign: Option<Interval>) -> Interval {
    match sign {
        Some(sign) if sign.is_positive() => Interval::new(range.lo().max(0.0), range.hi().max(0.0)),
        Some(_) => Interval::new(range.lo().min(0.0), range.hi().min(0.0)),
        None => range,
    }
}

/// The range of `1/f`, given that of `f`. An end 0 of the range is a limit that `f` does not reach.
fn reciprocal(range: Interval) -> Interval {
    let end = |v: f64| Interval::ONE / Interval::from(v);
    let inverse = match (range.lo(), range.hi()) {
        (0.0, hi) if hi > 0.0 => Interval::new(end(hi).lo(), f64::INFINITY),
        (lo, 0.0) if lo < 0.0 => Interval::new(f64::NEG_INFINITY, end(lo).hi()),
        _ => Interval::ONE / range,
    };
    with_sign(inverse, sign(range))
}

/// 1 if not negative, -1 if not positive; `None` if that is not known.
fn sign(range: Interval) -> Option<Interval> {
    match (range.lo() >= 0.0, range.hi() <= 0.0) {
        (true, _) => Some(Interval::ONE),
        (_, true) => Some(-Interval::ONE),
        _ => None,
    }
}

/// A lower bound on the growth of an unbounded function, by the logarithm of its size: one term that goes to infinity, with the sign
/// of the function. `None` if the sign is unknown, or no such term is found.
fn value_of_log_size(range: Interval, log_size: &Sum, start: &Start) -> Option<Sum> {
    let sign = sign(range)?;
    let coefficient = |r: i32| log_size.0.iter().find(|t| (t.q, t.r) == (0.0, r)).map_or(Interval::ZERO, |t| t.c);
    let (scale, power) = (coefficient(0).exp() * sign, coefficient(1));
    // f = scale·y^power.
    if log_size.0.iter().all(|t| t.q == 0.0 && (0..=1).contains(&t.r)) && power.lo() > 0.0 {
        let excess = if power.is_point() { Interval::ONE } else { Interval::new(1.0, f64::INFINITY) };
        return Some(Sum::term(power.lo(), 0, scale * excess));
    }
    let least = log_size.minus(&Sum::term(0.0, 1, Interval::from(HIGH))).range(start).exp().lo();
    (least > 0.0).then(|| Sum::term(HIGH, 0, Interval::new(least, f64::INFINITY) * sign))
}

/// `ln|a + b|`, and its second summand in `ln|a| + ln|1 + b/a|`, whose width tells how good the bound is.
fn log_size_of_sum(a: &Trend, b: &Trend, start: &Start) -> Option<(Sum, Interval)> {
    let ratio = b.log_size.minus(&a.log_size).range(start).exp();
    let factor = match sign(a.range).zip(sign(b.range)) {
        Some((a, b)) => Interval::ONE + ratio * a * b,
        None => Interval::ONE + Interval::new(-ratio.hi(), ratio.hi()),
    };
    let log = factor.abs().ln();
    factor.is_bounded().then(|| (a.log_size.plus(&Sum::constant(log)), log))
}

impl Trend {
    /// Bounds by a range, and by sums for the value and the logarithm of its size where they are known. Each is tightened by the
    /// others.
    fn new(range: Interval, value: Option<Sum>, log_size: Option<Sum>, start: &Start) -> Trend {
        let of_value = value.as_ref().map_or(Interval::ALL, |value| value.range(start));
        let range = range.meet(of_value);
        let log_size = log_size.unwrap_or_else(|| Sum::constant(range.abs().ln()));
        let by_size = log_size.range(start).exp();
        let range = range.meet(match sign(range) {
            Some(sign) => by_size * sign,
            None => Interval::new(-by_size.hi(), by_size.hi()),
        });
        // The range of a bounded function is a better bound than a sum that does not show that it is bounded.
        let value = match value {
            Some(value) if of_value.is_bounded() || !range.is_bounded() => value,
            None if !range.is_bounded() => value_of_log_size(range, &log_size, start).unwrap_or(Sum::constant(range)),
            _ => Sum::constant(range),
        };
        Trend { range, value, log_size }
    }

    /// No bounds at all.
    fn unknown(start: &Start) -> Trend {
        Trend::new(Interval::ALL, None, None, start)
    }

    /// The polynomial in the distance with these coefficients.
    fn polynomial(coefficients: &[Interval], tail: &Tail, start: &Start) -> Trend {
        // Towards a finite end the distance is 1/y.
        let sign = if tail.end.is_finite() { -1.0 } else { 1.0 };
        let terms = coefficients.iter().enumerate().filter(|(_, c)| **c != Interval::ZERO);
        let value = Sum::of(terms.map(|(k, c)| Term { q: sign * k as f64, r: 0, c: *c }));
        let log_size = value.log_size(start);
        Trend::new(horner(coefficients, tail.distance).0, Some(value), log_size, start)
    }

    fn negated(self) -> Trend {
        Trend { range: -self.range, value: self.value.scaled(-Interval::ONE), log_size: self.log_size }
    }

    fn plus(self, other: Trend, start: &Start) -> Trend {
        if self.range == Interval::ZERO {
            return other;
        }
        if other.range == Interval::ZERO {
            return self;
        }
        let candidates = [log_size_of_sum(&self, &other, start), log_size_of_sum(&other, &self, start)];
        let narrowest = candidates.into_iter().flatten().min_by(|(_, a), (_, b)| a.width().total_cmp(&b.width()));
        let (range, value) = (self.range + other.range, self.value.plus(&other.value));
        Trend::new(range, Some(value), narrowest.map(|(log_size, _)| log_size), start)
    }

    fn times(self, other: Trend, start: &Start) -> Trend {
        let (value, log_size) = (self.value.times(&other.value), self.log_size.plus(&other.log_size));
        let sign = sign(self.range).zip(sign(other.range)).map(|(a, b)| a * b);
        Trend::new(with_sign(self.range * other.range, sign), Some(value), Some(log_size), start)
    }

    fn inverse(self, start: &Start) -> Trend {
        Trend::new(reciprocal(self.range), None, Some(self.log_size.scaled(-Interval::ONE)), start)
    }

    /// `f^exponent`: small whole powers are multiplied out; other powers need `f >= 0`.
    fn power(self, exponent: Interval, start: &Start) -> Trend {
        let is_whole = exponent.is_point() && exponent.lo().fract() == 0.0;
        let log_size = self.log_size.scaled(exponent);
        if !is_whole && self.range.lo() < 0.0 {
            return Trend::unknown(start);
        }
        let value = (is_whole && (1.0..=MOST_FACTORS).contains(&exponent.lo()))
            .then(|| (1..exponent.lo() as usize).fold(self.value.clone(), |product, _| product.times(&self.value)));
        let range = if exponent.hi() < 0.0 { reciprocal(self.range).pow(-exponent) } else { self.range.pow(exponent) };
        let sign = sign(self.range).filter(|sign| sign.is_positive());
        let range = with_sign(range, sign);
        Trend::new(range, value, Some(log_size), start)
    }

    /// `e^f`, whose logarithm is `f`.
    fn exp(self, start: &Start) -> Trend {
        Trend::new(self.range.exp(), None, Some(self.value), start)
    }

    fn ln(self, start: &Start) -> Trend {
        if self.range.lo() < 0.0 {
            return Trend::unknown(start);
        }
        let log_size = self.log_size.log_size(start);
        Trend::new(self.range.ln(), Some(self.log_size), log_size, start)
    }

    /// `ln(1 + g)` for small `g`: it lies between `g` and `g/(1+g)`.
    fn ln_1p(self, start: &Start) -> Trend {
        let ratio = Interval::ONE.hull(Interval::ONE / (Interval::ONE + self.range));
        let range = with_sign(self.range * ratio, sign(self.range));
        Trend::new(range, None, Some(self.log_size.plus(&Sum::constant(ratio.ln()))), start)
    }

    /// `sin g`, up to a factor close to 1 of the size of `g` where `g` is small.
    fn sin(self, start: &Start) -> Trend {
        if self.range.magnitude() > 1.0 {
            return Trend::new(self.range.sin(), None, None, start);
        }
        // 1 - g²/6 <= sin(g)/g <= 1.
        let ratio =
            Interval::ONE - self.range.square() * Interval::new(0.0, (Interval::ONE / Interval::from(6.0)).hi());
        let ratio = Interval::new(ratio.lo(), 1.0);
        let range = with_sign(self.range * ratio, sign(self.range));
        Trend::new(range, None, Some(self.log_size.plus(&Sum::constant(ratio.ln()))), start)
    }

    fn cos(self, start: &Start) -> Trend {
        Trend::new(self.range.cos(), None, None, start)
    }
}

impl Node {
    /// Bounds on the value and size of the expression beyond `start`, bottom up.
    fn trend(&self, tail: &Tail, ends: &[Endpoint; 2], start: &Start) -> Trend {
        let trend = |node: &Node| node.trend(tail, ends, start);
        let side = usize::from(!tail.left);
        match self {
            Node::Polynomial(expansions) => match expansions.coefficients(tail, ends) {
                Some(coefficients) => Trend::polynomial(&coefficients, tail, start),
                None => Trend::unknown(start),
            },
            Node::Add(a, b) => trend(a).plus(trend(b), start),
            Node::Sub(a, b) => trend(a).plus(trend(b).negated(), start),
            Node::Mul(a, b) => trend(a).times(trend(b), start),
            Node::Div(a, b) => trend(a).times(trend(b).inverse(start), start),
            Node::Power(a, k) => trend(a).power(*k, start),
            Node::Exp(a) => trend(a).exp(start),
            Node::Log(a, less_one) => {
                let less_one = less_one[side].as_ref().map(|node| trend(node));
                let small = less_one.filter(|g| g.range.magnitude() < SMALL);
                small.map_or_else(|| trend(a).ln(start), |g| g.ln_1p(start))
            }
            Node::ShiftedSine(a, quarters, split) => {
                let (argument, quarters) = match &split[side] {
                    Some((remainder, quarters)) => (trend(remainder), *quarters),
                    None => (trend(a), *quarters),
                };
                shifted_sine(argument, quarters, |a| a.sin(start), |a| a.cos(start), Trend::negated)
            }
        }
    }
}

/// All values of a function in a tail towards an infinite end.
pub fn range_in_tail(root: &Node, tail: &Tail, ends: &[Endpoint; 2]) -> Interval {
    let start = Start::new(Interval::from(tail.distance.lo()));
    start.map_or(Interval::ALL, |start| root.trend(tail, ends, &start).range)
}

/// A bound on the mass in a tail.
#[derive(Clone, Copy, Debug)]
pub struct TailBound {
    /// The upper bound.
    pub mass: f64,
    /// The mass beyond distance `y` falls at least like `y^-decay` towards infinity, and like `y^decay` towards a finite end.
    pub decay: Interval,
    /// Whether the density is known not to be negative there.
    pub is_density: bool,
}

/// Bounds the mass of a typed function in a tail; `None` if no bound is found.
///
/// The absolute value of the function is at most some `U(y)` with `d ln U/d ln y <= e`. So its integral from `Y` on is at most
/// `Y·U(Y)/(-1-e)`, and `U(Y)/Y/(1-e)` where the distance is `1/y`.
pub fn tail_bound(root: &Node, tail: &Tail, ends: &[Endpoint; 2]) -> Option<TailBound> {
    let is_finite = tail.end.is_finite();
    let distance = Interval::from(if is_finite { tail.distance.hi() } else { tail.distance.lo() });
    let y = if is_finite { Interval::ONE / distance } else { distance };
    let start = Start::new(y)?;
    let trend = root.trend(tail, ends, &start);
    // Two candidates for ln U: the sum, and the largest value of the sum.
    let largest = trend.log_size.range(&start).hi();
    let mut candidates = vec![trend.log_size];
    candidates.extend(largest.is_finite().then(|| Sum::constant(Interval::from(largest))));
    let mass_and_decay = |log_bound: &Sum| {
        let elasticity = Interval::from(log_bound.highest_slope().upper_bound(&start));
        let decay = if is_finite { Interval::ONE - elasticity } else { -Interval::ONE - elasticity };
        let mass = (log_bound.highest_at_start(&start).exp() * distance / decay).hi();
        (decay.is_positive() && mass.is_finite()).then_some((mass, decay))
    };
    let (mass, decay) = candidates.iter().filter_map(mass_and_decay).min_by(|(a, _), (b, _)| a.total_cmp(b))?;
    let decay = Interval::new(decay.lo(), f64::INFINITY);
    Some(TailBound { mass, decay, is_density: trend.range.lo() >= 0.0 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::certified::density::EnclosedDensity;
    use crate::model::certified::expression::ExpressionDensity;
    use rocproof_language::{Source, parse};

    fn start(y: f64) -> Start {
        Start::new(Interval::from(y)).unwrap()
    }

    /// The bound on the tail beyond the score `at` of an expression on an interval that ends at 0 or is infinite on that side.
    fn bound_beyond(text: &str, left: bool, end: f64, at: f64) -> Option<TailBound> {
        let source = Source::new("test", text);
        let expr = parse(&source).unwrap();
        let zero = || Endpoint::rational(rocproof_arith::Rational::ZERO);
        let endpoint = if end.is_finite() { zero() } else { Endpoint::infinite(end.signum()) };
        let other = if left { Endpoint::infinite(1.0) } else { Endpoint::infinite(-1.0) };
        let ends = if left { [endpoint.clone(), other] } else { [other, endpoint.clone()] };
        let typed = ExpressionDensity::read(&source, &expr, ends).unwrap();
        let distance = if end.is_finite() { Interval::new(0.0, at.abs()) } else { Interval::new(at.abs(), end.abs()) };
        let x = if at < 0.0 { -distance } else { distance };
        typed.tail_bound(&Tail { left, end: &endpoint, from: Interval::ZERO, distance, x })
    }

    /// Sums against their values at many places: none is above.
    #[test]
    fn sums_stay_below_their_bounds() {
        let mut state = 7u64;
        let mut next = |n: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % n
        };
        let mut bounded = 0;
        for _ in 0..4000 {
            let count = 1 + next(4);
            let term = |next: &mut dyn FnMut(u64) -> u64| Term {
                q: next(9) as f64 / 2.0 - 2.0,
                r: next(4) as i32 - 1,
                c: Interval::from((next(17) as f64 - 8.0) * [1.0, 30.0][next(2) as usize]),
            };
            let terms: Vec<Term> = (0..count).map(|_| term(&mut next)).collect();
            let sum = Sum::of(terms.into_iter());
            let y = [2.8, 5.0, 40.0][next(3) as usize];
            let range = sum.range(&start(y));
            bounded += usize::from(range.hi() < f64::INFINITY);
            for k in 0..400 {
                let y = y * (0.05 * f64::from(k)).exp();
                let value: f64 = sum.0.iter().map(|t| t.c.lo() * y.powf(t.q) * y.ln().powi(t.r)).sum();
                let size: f64 = sum.0.iter().map(|t| (t.c.lo() * y.powf(t.q) * y.ln().powi(t.r)).abs()).sum();
                assert!(value <= range.hi() + 1e-12 * size && value >= range.lo() - 1e-12 * size, "{sum:?} at {y}");
            }
        }
        assert!(bounded > 500, "{bounded}");
    }

    /// Tails whose mass is known: the bound holds it, and is not much larger.
    #[test]
    fn tails_hold_their_mass() {
        let e = |v: f64| v.exp();
        let inf = f64::INFINITY;
        let cases: Vec<(&str, bool, f64, f64, f64, f64)> = vec![
            ("exp(-x)/(1+exp(-x))^2", false, inf, 20.0, 1.0 / (1.0 + e(20.0)), 1.1),
            ("exp(-x)/(1+exp(-x))^2", true, -inf, -20.0, 1.0 / (1.0 + e(20.0)), 1.1),
            ("2/pi/(exp(x)+exp(-x))", true, -inf, -9.0, (e(-9.0)).atan() * 2.0 / std::f64::consts::PI, 1.2),
            ("exp(x-exp(x))", true, -inf, -12.0, -(-e(-12.0)).exp_m1(), 1.2),
            ("exp(x-exp(x))", false, inf, 5.0, e(-e(5.0)), 40.0),
            ("exp(-x)*(1+sin(x))", false, inf, 8.0, e(-8.0) * (1.0 + (8f64.sin() + 8f64.cos()) / 2.0), 3.0),
            ("1/(pi*(1+x^2))", false, inf, 50.0, (0.02f64).atan() / std::f64::consts::PI, 1.01),
            ("x*exp(-x^2/2)", false, inf, 9.0, e(-40.5), 1.1),
            ("x^3/(1+x^2)*exp(-x)*(2+cos(x^2))/(1+exp(-x))", false, inf, 30.0, 29.0 * e(-30.0), 4.0),
            ("log(x)/x^3", false, inf, 100.0, (100f64.ln() / 2.0 + 0.25) / 1e4, 3.0),
            ("exp(-log(x)^2)*2*log(x)/x", false, inf, 50.0, e(-50f64.ln().powi(2)), 5.0),
            ("exp(-sqrt(x))", false, inf, 900.0, 62.0 * e(-30.0), 1.2),
            ("exp(-x^(1/3))*x^(-2/3)/3", false, inf, 1e6, e(-100.0), 1.2),
            // Towards 0.
            ("exp(-1/x)/x^2", true, 0.0, 0.05, e(-20.0), 1.2),
            ("(1+sin(1/x))*x", true, 0.0, 0.01, 0.00005, 3.0),
            ("x^x", true, 0.0, 0.001, 0.000995, 1.1),
            ("-log(x)", true, 0.0, 0.01, 0.01 * (1.0 + 100f64.ln()), 2.0),
            ("sin(x)/x^1.5", true, 0.0, 0.01, 0.2, 1.01),
            ("exp(-log(x)^2/2)/x", true, 0.0, 0.01, 5.0e-6, 3.0),
            ("exp(-1/x)/(exp(-1/x)+exp(-2/x))", true, 0.0, 0.05, 0.05, 1.01),
        ];
        for (text, left, end, at, truth, factor) in cases {
            let bound = bound_beyond(text, left, end, at).unwrap_or_else(|| panic!("{text} at {at}"));
            assert!(bound.is_density, "{text}");
            assert!(bound.mass > 0.99 * truth && bound.mass < factor * truth, "{text} at {at}: {bound:?}, not {truth}");
            // Tails that are known in closed form are held to the last digit but one.
            let rough = ["x^3/", "exp(-sqrt", "(1+sin(1/x))", "x^x", "sin(x)/", "exp(-log(x)^2/2)"];
            assert!(rough.iter().any(|r| text.starts_with(r)) || bound.mass >= truth * (1.0 - 1e-14), "{text}");
        }
    }

    /// A function without mass, or one that may be negative, is not called a density.
    #[test]
    fn no_bound_where_there_is_none() {
        let inf = f64::INFINITY;
        for text in
            ["1/x", "1", "1/(x*log(x))", "sin(x)/x", "exp(x)/x^9", "exp(sin(x))", "x^x", "exp(x^2-exp(x)/exp(x))"]
        {
            assert!(bound_beyond(text, false, inf, 30.0).is_none(), "{text}");
        }
        for text in ["1/x", "x^(-1.5)", "exp(1/x)", "1/sin(x)", "exp(log(x)^2)"] {
            assert!(bound_beyond(text, true, 0.0, 0.01).is_none(), "{text}");
        }
        for text in ["exp(-x)*sin(x)", "-exp(-x)", "exp(-x)-exp(-x/2)", "exp(-x)*(1+sin(x)*1.01)"] {
            assert!(!bound_beyond(text, false, inf, 30.0).unwrap().is_density, "{text}");
        }
    }
}
