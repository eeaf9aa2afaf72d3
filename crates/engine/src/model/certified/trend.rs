//! Upper bounds on a typed density from a score to an end.
//!
//! Let `y` grow without bound: it is the distance itself towards infinity, and one over the distance towards a finite end.
//! A function of `y`, and the logarithm of its absolute value, are bounded by sums of terms `c·y^q·(ln y)^r`. The coefficients
//! are intervals, and the true coefficient may depend on `y`: an oscillating factor is enclosed by a constant interval. Sums,
//! products and logarithms of bounded functions are bounded again. Logarithms are bounded, too, so common factors of quotients
//! cancel.

use super::expression::{Node, shifted_sine};
use super::growth::horner;
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
/// `ln ln y / ln y` falls where `ln y > e`; so from this value of `ln y` on, it is at most its value at the start.
const LOG_RATIO_FALLS: f64 = 3.0;
/// An upper bound on `ln ln y / ln y` everywhere: its maximum is `1/e`.
const LARGEST_LOG_RATIO: f64 = 0.37;

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

/// How a function changes from a start on.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Monotonicity {
    Increasing,
    Constant,
    Decreasing,
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

    /// The value of the term at the start, with the coefficient at its upper end.
    fn highest_at(&self, start: &Start) -> Interval {
        Interval::from(self.c.hi()) * self.power_at(start)
    }

    /// Whether `y^q (ln y)^r` increases or decreases from the start on, by the sign of its elasticity `q + r/ln y`. `None` if the sign
    /// changes, or might.
    fn monotonicity(q: f64, r: i32, start: &Start) -> Option<Monotonicity> {
        if q == 0.0 {
            return Some(match r {
                1.. => Monotonicity::Increasing,
                0 => Monotonicity::Constant,
                _ => Monotonicity::Decreasing,
            });
        }
        // The elasticity goes monotonically from its value at the start to q.
        let at_start = Interval::from(q) + Interval::from(f64::from(r)) / start.log;
        if q > 0.0 && at_start.lo() >= 0.0 {
            Some(Monotonicity::Increasing)
        } else if q < 0.0 && at_start.hi() <= 0.0 {
            Some(Monotonicity::Decreasing)
        } else {
            None
        }
    }

    /// Whether `y^q (ln y)^r` is proved to increase from the start on.
    fn is_increasing(&self, start: &Start) -> bool {
        Term::monotonicity(self.q, self.r, start) == Some(Monotonicity::Increasing)
    }

    /// Whether `y^q (ln y)^r` is proved to decrease from the start on.
    fn is_decreasing(&self, start: &Start) -> bool {
        Term::monotonicity(self.q, self.r, start) == Some(Monotonicity::Decreasing)
    }

    /// Whether the quotient of the powers of this term and of another one decreases from the start on.
    fn is_slower_than(&self, other: &Term, start: &Start) -> bool {
        Term::monotonicity(self.q - other.q, self.r - other.r, start) == Some(Monotonicity::Decreasing)
    }

    /// Whether `y^q (ln y)^r` goes to infinity.
    fn is_unbounded(&self) -> bool {
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

    /// The single term `c·y^q (ln y)^r`.
    fn term(q: f64, r: i32, c: Interval) -> Sum {
        Sum(vec![Term { q, r, c }])
    }

    /// The sum of terms in any order; those with the same powers are added.
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

    /// An upper bound from the start on, term by term. A decreasing positive term is at most its value at the start; a negative term that
    /// goes to 0 is at most 0; terms that go to infinity are bounded together.
    fn upper_bound_by_terms(&self, start: &Start) -> f64 {
        let mut bound = Interval::ZERO;
        let mut growing: Vec<Term> = Vec::new();
        for term in self.0.iter().filter(|t| t.c.hi() != 0.0) {
            if (term.q, term.r) == (0.0, 0) {
                bound = bound + Interval::from(term.c.hi());
            } else if term.is_unbounded() {
                growing.push(*term);
            } else if term.c.hi() > 0.0 {
                if !term.is_decreasing(start) {
                    return f64::INFINITY;
                }
                bound = bound + term.highest_at(start);
            }
        }
        add_bound_of_growing(bound, &growing, start).map_or(f64::INFINITY, |bound| bound.hi())
    }

    /// All values from the start on.
    fn range(&self, start: &Start) -> Interval {
        Interval::new(-self.scaled(-Interval::ONE).upper_bound(start), self.upper_bound(start))
    }

    /// The value at the start of the upper bound, in which every coefficient is at its upper end.
    fn highest_at_start(&self, start: &Start) -> Interval {
        self.0.iter().fold(Interval::ZERO, |sum, t| sum + t.highest_at(start))
    }

    /// `ln|sum|`: the fastest term `c·y^q·(ln y)^r` is factored out, so that `q·ln y + r·ln ln y + ln|c + …|` remains. Here `r·ln ln y` is
    /// enclosed by a multiple of `ln y`, since sums have no terms with `ln ln y`. `None` if the last logarithm is unknown.
    fn log_size(&self, start: &Start) -> Option<Sum> {
        let fastest = self.0.iter().rfind(|t| t.c != Interval::ZERO)?;
        let others = self.0.iter().filter(|t| (t.q, t.r) < (fastest.q, fastest.r));
        let quotients = Sum(others.map(|t| Term { q: t.q - fastest.q, r: t.r - fastest.r, c: t.c }).collect());
        let factor = (fastest.c + quotients.range(start)).abs();
        // 0 <= ln ln y <= k·ln y for the largest ratio k from the start on.
        let largest_ratio = if start.log.lo() > LOG_RATIO_FALLS {
            start.log.ln() / start.log
        } else {
            Interval::from(LARGEST_LOG_RATIO)
        };
        let log_power = Interval::from(f64::from(fastest.r)) * Interval::new(0.0, largest_ratio.hi());
        let is_known = factor.hi() < f64::INFINITY && factor.hi() > 0.0;
        is_known.then(|| Sum::term(0.0, 1, Interval::from(fastest.q) + log_power).plus(&Sum::constant(factor.ln())))
    }
}

/// `bound` plus an upper bound, from the start on, of the sum of terms that go to infinity, the slowest first. `None` if the sum is not
/// known to be bounded above.
fn add_bound_of_growing(bound: Interval, growing: &[Term], start: &Start) -> Option<Interval> {
    let Some((fastest, slower)) = growing.split_last() else { return Some(bound) };
    let (positive, negative): (Vec<&Term>, Vec<&Term>) = slower.iter().partition(|t| t.c.hi() > 0.0);
    // The fastest term must be negative, and outweigh at the start all positive terms. All of them grow more slowly, so it outweighs them
    // from there on, and their sum is at most its value at the start.
    let is_outgrown = fastest.c.hi() < 0.0
        && fastest.is_increasing(start)
        && positive.iter().all(|term| term.is_slower_than(fastest, start));
    let positive_sum = positive.iter().fold(Interval::ZERO, |sum, term| sum + term.highest_at(start));
    let balance = positive_sum + fastest.highest_at(start);
    if !is_outgrown || balance.hi() > 0.0 {
        return None;
    }
    // Other negative terms whose powers increase are at most their values at the start; the rest are at most 0.
    let falling = negative.iter().filter(|term| term.is_increasing(start));
    Some(falling.fold(bound + balance, |sum, term| sum + term.highest_at(start)))
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

/// The part of a range that has the given sign, if the sign is known. Rounding at an underflow may have added values of the other one.
fn with_sign(range: Interval, sign: Option<Interval>) -> Interval {
    match sign {
        Some(sign) if sign.is_positive() => Interval::new(range.lo().max(0.0), range.hi().max(0.0)),
        Some(_) => Interval::new(range.lo().min(0.0), range.hi().min(0.0)),
        None => range,
    }
}

/// The range of `1/f`, given that of `f`. An end 0 of the range is a limit that `f` does not reach.
fn reciprocal(range: Interval) -> Interval {
    let inverse_of = |end: f64| Interval::ONE / Interval::from(end);
    let inverse = match (range.lo(), range.hi()) {
        (0.0, hi) if hi > 0.0 => Interval::new(inverse_of(hi).lo(), f64::INFINITY),
        (lo, 0.0) if lo < 0.0 => Interval::new(f64::NEG_INFINITY, inverse_of(lo).hi()),
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

/// A sum of one term that goes to infinity and encloses a function with the given range and logarithm of size. `None` if the sign of the
/// function is unknown, or no such term is found.
fn value_of_log_size(range: Interval, log_size: &Sum, start: &Start) -> Option<Sum> {
    let sign = sign(range)?;
    // If ln|f| = ln(scale) + power·ln y and nothing else, then |f| = scale·y^power.
    let coefficient = |r: i32| log_size.0.iter().find(|t| (t.q, t.r) == (0.0, r)).map_or(Interval::ZERO, |t| t.c);
    let (scale, power) = (coefficient(0).exp() * sign, coefficient(1));
    let is_power = log_size.0.iter().all(|t| t.q == 0.0 && (0..=1).contains(&t.r));
    if is_power && power.lo() > 0.0 {
        // A power that is not known exactly is at least y^lo, and y^power/y^lo is at least 1.
        let excess = if power.is_point() { Interval::ONE } else { Interval::new(1.0, f64::INFINITY) };
        return Some(Sum::term(power.lo(), 0, scale * excess));
    }
    // Any other function may still grow at least like y^HIGH: the least value of |f|/y^HIGH is positive.
    let least = log_size.minus(&Sum::term(0.0, 1, Interval::from(HIGH))).range(start).exp().lo();
    (least > 0.0).then(|| Sum::term(HIGH, 0, Interval::new(least, f64::INFINITY) * sign))
}

/// `ln|a + b| = ln|a| + ln|1 + b/a|`, and the range of the second summand, whose width tells how good the bound is. `None` if that range
/// is unbounded.
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
        let range_of_value = value.as_ref().map_or(Interval::ALL, |value| value.range(start));
        let range = range.meet(range_of_value);
        let log_size = log_size.unwrap_or_else(|| Sum::constant(range.abs().ln()));
        let size = log_size.range(start).exp();
        let range = range.meet(match sign(range) {
            Some(sign) => size * sign,
            None => Interval::new(-size.hi(), size.hi()),
        });
        // The range of a bounded function is a better bound than a sum that does not show that it is bounded.
        let value = match value {
            Some(value) if range_of_value.is_bounded() || !range.is_bounded() => value,
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
        // Towards a finite end the distance is 1/y, and its powers are those of y with the other sign.
        let power_of_y = if tail.end.is_finite() { -1.0 } else { 1.0 };
        let terms = coefficients.iter().enumerate().filter(|(_, c)| **c != Interval::ZERO);
        let value = Sum::of(terms.map(|(k, c)| Term { q: power_of_y * k as f64, r: 0, c: *c }));
        let log_size = value.log_size(start);
        Trend::new(horner(coefficients, tail.distance).0, Some(value), log_size, start)
    }

    fn negated(self) -> Trend {
        Trend { range: -self.range, value: self.value.scaled(-Interval::ONE), log_size: self.log_size }
    }

    /// The sum. The logarithm of its size is the better one of two bounds: either summand may be factored out.
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

    /// The product.
    fn times(self, other: Trend, start: &Start) -> Trend {
        let (value, log_size) = (self.value.times(&other.value), self.log_size.plus(&other.log_size));
        let sign = sign(self.range).zip(sign(other.range)).map(|(a, b)| a * b);
        Trend::new(with_sign(self.range * other.range, sign), Some(value), Some(log_size), start)
    }

    /// `1/f`.
    fn inverse(self, start: &Start) -> Trend {
        Trend::new(reciprocal(self.range), None, Some(self.log_size.scaled(-Interval::ONE)), start)
    }

    /// `f^exponent`: small whole powers are multiplied out; other powers need `f >= 0`.
    fn power(self, exponent: Interval, start: &Start) -> Trend {
        let is_whole = exponent.is_point() && exponent.lo().fract() == 0.0;
        if !is_whole && self.range.lo() < 0.0 {
            return Trend::unknown(start);
        }
        let is_multiplied_out = is_whole && (1.0..=MOST_FACTORS).contains(&exponent.lo());
        let value = is_multiplied_out.then(|| {
            let more_factors = 1..exponent.lo() as usize;
            more_factors.fold(self.value.clone(), |product, _| product.times(&self.value))
        });
        let range = if exponent.hi() < 0.0 { reciprocal(self.range).pow(-exponent) } else { self.range.pow(exponent) };
        // A power of a positive function is positive.
        let sign = sign(self.range).filter(|sign| sign.is_positive());
        Trend::new(with_sign(range, sign), value, Some(self.log_size.scaled(exponent)), start)
    }

    /// `e^f`, whose logarithm is `f`.
    fn exp(self, start: &Start) -> Trend {
        Trend::new(self.range.exp(), None, Some(self.value), start)
    }

    /// `ln f`, where `f` is not negative: its value is the logarithm of the size of `f`.
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

    /// `sin g`: where `g` is small, it is `g` times a factor close to 1.
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

    /// `cos g`, by its range.
    fn cos(self, start: &Start) -> Trend {
        Trend::new(self.range.cos(), None, None, start)
    }
}

impl Node {
    /// Bounds on the value and size of the expression in a tail, bottom up. `ends` are those of the interval of the expression.
    fn trend(&self, tail: &Tail, ends: &[Endpoint; 2], start: &Start) -> Trend {
        let trend = |node: &Node| node.trend(tail, ends, start);
        let side = usize::from(!tail.left);
        match self {
            Node::Polynomial(expansions) => match expansions.coefficients_in_tail(tail, ends) {
                Some(coefficients) => Trend::polynomial(&coefficients, tail, start),
                None => Trend::unknown(start),
            },
            Node::Add(a, b) => trend(a).plus(trend(b), start),
            Node::Sub(a, b) => trend(a).plus(trend(b).negated(), start),
            Node::Mul(a, b) => trend(a).times(trend(b), start),
            Node::Div(a, b) => trend(a).times(trend(b).inverse(start), start),
            Node::Power(a, k) => trend(a).power(*k, start),
            Node::Exp(a) => trend(a).exp(start),
            Node::Log { argument, less_one } => {
                let less_one = less_one[side].as_ref().map(|node| trend(node));
                match less_one.filter(|less_one| less_one.range.magnitude() < SMALL) {
                    Some(small) => small.ln_1p(start),
                    None => trend(argument).ln(start),
                }
            }
            Node::ShiftedSine { argument, quarters, near_end } => {
                let (angle, quarters) = match &near_end[side] {
                    Some(split) => (trend(&split.remainder), split.quarters),
                    None => (trend(argument), *quarters),
                };
                shifted_sine(angle, quarters, |a| a.sin(start), |a| a.cos(start), Trend::negated)
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
/// The absolute value of the function is at most some `U(y)` whose elasticity `d ln U/d ln y` is at most `s`. So its integral from
/// `Y` on is at most `Y·U(Y)/(-1-s)`, and `U(Y)/Y/(1-s)` where the distance is `1/y`.
pub fn tail_bound(root: &Node, tail: &Tail, ends: &[Endpoint; 2]) -> Option<TailBound> {
    let is_finite = tail.end.is_finite();
    let distance = Interval::from(if is_finite { tail.distance.hi() } else { tail.distance.lo() });
    let y = if is_finite { Interval::ONE / distance } else { distance };
    let start = Start::new(y)?;
    let trend = root.trend(tail, ends, &start);
    // Two candidates for ln U: the bound on ln|f|, and the largest value of that bound as a constant.
    let largest = trend.log_size.range(&start).hi();
    let mut candidates = vec![trend.log_size];
    candidates.extend(largest.is_finite().then(|| Sum::constant(Interval::from(largest))));
    // By the formulas above. The tail begins at the distance Y from the origin, or 1/Y from a finite end.
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

    /// The bound on the tail of an expression between the score `from` and the end, which is 0 or infinite.
    fn bound_beyond(text: &str, from: f64, end: f64) -> Option<TailBound> {
        let source = Source::new("test", text);
        let expr = parse(&source).unwrap();
        let left = end < from;
        let is_finite = end.is_finite();
        let zero = || Endpoint::rational(rocproof_arith::Rational::ZERO);
        let endpoint = if is_finite { zero() } else { Endpoint::infinite(end.signum()) };
        let far_end = Endpoint::infinite(if left { 1.0 } else { -1.0 });
        let ends = if left { [endpoint.clone(), far_end] } else { [far_end, endpoint.clone()] };
        let density = ExpressionDensity::read(&source, &expr, ends).unwrap();
        let distance =
            if is_finite { Interval::new(0.0, from.abs()) } else { Interval::new(from.abs(), f64::INFINITY) };
        let x = if from < 0.0 { -distance } else { distance };
        density.tail_bound(&Tail { left, end: &endpoint, from: Interval::ZERO, distance, x })
    }

    /// Random sums of up to four terms with coefficients that are points, at many places: no value lies outside of the bounds.
    #[test]
    fn sums_stay_within_their_bounds() {
        // A linear congruential generator.
        let mut state = 7u64;
        let mut random_below = |n: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % n
        };
        let mut bounded_count = 0;
        for _ in 0..4000 {
            let count = 1 + random_below(4);
            let random_term = |random_below: &mut dyn FnMut(u64) -> u64| Term {
                q: random_below(9) as f64 / 2.0 - 2.0,
                r: random_below(4) as i32 - 1,
                c: Interval::from((random_below(17) as f64 - 8.0) * [1.0, 30.0][random_below(2) as usize]),
            };
            let terms: Vec<Term> = (0..count).map(|_| random_term(&mut random_below)).collect();
            let sum = Sum::of(terms.into_iter());
            let first = [2.8, 5.0, 40.0][random_below(3) as usize];
            let range = sum.range(&start(first));
            bounded_count += usize::from(range.hi() < f64::INFINITY);
            for k in 0..400 {
                let y = first * (0.05 * f64::from(k)).exp();
                let value_at_y = |t: &Term| t.c.lo() * y.powf(t.q) * y.ln().powi(t.r);
                let value: f64 = sum.0.iter().map(value_at_y).sum();
                let rounding = 1e-12 * sum.0.iter().map(|t| value_at_y(t).abs()).sum::<f64>();
                assert!(value <= range.hi() + rounding && value >= range.lo() - rounding, "{sum:?} at {y}");
            }
        }
        // The bounds are not infinite throughout.
        assert!(bounded_count > 500, "{bounded_count}");
    }

    /// A tail of an expression with a known mass.
    struct TailCase {
        text: &'static str,
        from: f64,
        end: f64,
        /// The mass between `from` and the end.
        mass: f64,
        /// The bound is less than the mass times this factor.
        factor: f64,
        /// Whether the mass is an approximation, good to one percent, rather than a closed form.
        is_rough: bool,
    }

    impl TailCase {
        fn new(text: &'static str, from: f64, end: f64, mass: f64, factor: f64) -> TailCase {
            TailCase { text, from, end, mass, factor, is_rough: false }
        }

        fn rough(self) -> TailCase {
            TailCase { is_rough: true, ..self }
        }

        fn check(&self) {
            let TailCase { text, from, mass, factor, .. } = self;
            let bound = bound_beyond(text, *from, self.end).unwrap_or_else(|| panic!("{text} from {from}"));
            assert!(bound.is_density, "{text}");
            let is_close = bound.mass > 0.99 * mass && bound.mass < factor * mass;
            assert!(is_close, "{text} from {from}: {bound:?}, not {mass}");
            assert!(self.is_rough || bound.mass >= mass * (1.0 - 1e-14), "{text}");
        }
    }

    #[test]
    fn bounds_of_infinite_tails_hold_their_mass_and_are_not_much_larger() {
        let exp = |v: f64| v.exp();
        let inf = f64::INFINITY;
        let pi = std::f64::consts::PI;
        for case in [
            TailCase::new("exp(-x)/(1+exp(-x))^2", 20.0, inf, 1.0 / (1.0 + exp(20.0)), 1.1),
            TailCase::new("exp(-x)/(1+exp(-x))^2", -20.0, -inf, 1.0 / (1.0 + exp(20.0)), 1.1),
            TailCase::new("2/pi/(exp(x)+exp(-x))", -9.0, -inf, (exp(-9.0)).atan() * 2.0 / pi, 1.2),
            TailCase::new("exp(x-exp(x))", -12.0, -inf, -(-exp(-12.0)).exp_m1(), 1.2),
            TailCase::new("exp(x-exp(x))", 5.0, inf, exp(-exp(5.0)), 40.0),
            TailCase::new("exp(-x)*(1+sin(x))", 8.0, inf, exp(-8.0) * (1.0 + (8f64.sin() + 8f64.cos()) / 2.0), 3.0),
            TailCase::new("1/(pi*(1+x^2))", 50.0, inf, (0.02f64).atan() / pi, 1.01),
            TailCase::new("x*exp(-x^2/2)", 9.0, inf, exp(-40.5), 1.1),
            TailCase::new("x^3/(1+x^2)*exp(-x)*(2+cos(x^2))/(1+exp(-x))", 30.0, inf, 29.0 * exp(-30.0), 4.0).rough(),
            TailCase::new("log(x)/x^3", 100.0, inf, (100f64.ln() / 2.0 + 0.25) / 1e4, 3.0),
            TailCase::new("exp(-log(x)^2)*2*log(x)/x", 50.0, inf, exp(-50f64.ln().powi(2)), 5.0),
            TailCase::new("exp(-sqrt(x))", 900.0, inf, 62.0 * exp(-30.0), 1.2).rough(),
            TailCase::new("exp(-x^(1/3))*x^(-2/3)/3", 1e6, inf, exp(-100.0), 1.2),
        ] {
            case.check();
        }
    }

    #[test]
    fn bounds_of_tails_at_zero_hold_their_mass_and_are_not_much_larger() {
        let exp = |v: f64| v.exp();
        for case in [
            TailCase::new("exp(-1/x)/x^2", 0.05, 0.0, exp(-20.0), 1.2),
            TailCase::new("(1+sin(1/x))*x", 0.01, 0.0, 0.00005, 3.0).rough(),
            TailCase::new("x^x", 0.001, 0.0, 0.000995, 1.1).rough(),
            TailCase::new("-log(x)", 0.01, 0.0, 0.01 * (1.0 + 100f64.ln()), 2.0),
            TailCase::new("sin(x)/x^1.5", 0.01, 0.0, 0.2, 1.01).rough(),
            TailCase::new("exp(-log(x)^2/2)/x", 0.01, 0.0, 5.0e-6, 3.0).rough(),
            TailCase::new("exp(-1/x)/(exp(-1/x)+exp(-2/x))", 0.05, 0.0, 0.05, 1.01),
        ] {
            case.check();
        }
    }

    #[test]
    fn functions_that_are_not_absolutely_integrable_have_no_bound() {
        for text in
            ["1/x", "1", "1/(x*log(x))", "sin(x)/x", "exp(x)/x^9", "exp(sin(x))", "x^x", "exp(x^2-exp(x)/exp(x))"]
        {
            assert!(bound_beyond(text, 30.0, f64::INFINITY).is_none(), "{text}");
        }
        for text in ["1/x", "x^(-1.5)", "exp(1/x)", "1/sin(x)", "exp(log(x)^2)"] {
            assert!(bound_beyond(text, 0.01, 0.0).is_none(), "{text}");
        }
    }

    #[test]
    fn functions_that_may_be_negative_are_not_called_densities() {
        for text in ["exp(-x)*sin(x)", "-exp(-x)", "exp(-x)-exp(-x/2)", "exp(-x)*(1+sin(x)*1.01)"] {
            assert!(!bound_beyond(text, 30.0, f64::INFINITY).unwrap().is_density, "{text}");
        }
    }
}
