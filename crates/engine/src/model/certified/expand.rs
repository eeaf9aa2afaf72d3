//! Polynomials in `x` and `π`, expanded exactly around an end. They serve to recognise zeros of sines and logarithms at an end.

use crate::model::endpoint::Endpoint;
use rocproof_arith::rational::to_f64;
use rocproof_arith::{Interval, Rational};
use rocproof_language::{Expr, Kind, Op};
use std::collections::BTreeMap;

/// The largest degree that is expanded: higher ones cost more than they gain.
const HIGHEST: u32 = 12;

/// A polynomial in `x` and `π`: the coefficient of `x^i π^j` under the key `[i, j]`. As `π` is transcendental, it is 0 only if all
/// coefficients are.
#[derive(Clone, Debug, PartialEq)]
struct WithPi(BTreeMap<[u32; 2], Rational>);

impl WithPi {
    /// `c·x^i·π^j` for the powers `[i, j]`.
    fn term(powers: [u32; 2], c: Rational) -> WithPi {
        WithPi([(powers, c)].into())
    }

    /// The expression as a polynomial in `x` and `π`; `None` if it is none, or of too high a degree.
    fn read(expr: &Expr) -> Option<WithPi> {
        let value = match &expr.kind {
            Kind::Number(value) => WithPi::term([0, 0], value.clone()),
            Kind::Name(name) if name == "x" => WithPi::term([1, 0], Rational::ONE),
            Kind::Name(name) if name == "pi" => WithPi::term([0, 1], Rational::ONE),
            Kind::Negate(inner) => WithPi::read(inner)?.times(&WithPi::term([0, 0], -Rational::ONE)),
            Kind::Binary(op, left, right) => WithPi::apply(*op, &WithPi::read(left)?, &WithPi::read(right)?)?,
            _ => return None,
        };
        let is_low = value.0.keys().all(|powers| powers.iter().sum::<u32>() <= HIGHEST);
        is_low.then_some(value)
    }

    /// The result of an operation; `None` if it is not a polynomial, or a power is too high. Only rational constants divide, and only whole
    /// ones are exponents.
    fn apply(op: Op, left: &WithPi, right: &WithPi) -> Option<WithPi> {
        Some(match op {
            Op::Add => left.plus(right),
            Op::Sub => left.plus(&right.times(&WithPi::term([0, 0], -Rational::ONE))),
            Op::Mul => left.times(right),
            Op::Div => {
                let divisor = right.rational().filter(|divisor| !divisor.is_zero())?;
                left.times(&WithPi::term([0, 0], Rational::ONE / divisor))
            }
            Op::Pow => {
                let exponent = right.rational().filter(Rational::is_int).map(|n| to_f64(&n))?;
                let is_low = (0.0..=f64::from(HIGHEST)).contains(&exponent);
                is_low.then(|| left.power(exponent as u32))?
            }
        })
    }

    /// The value of a rational constant; `None` if there is an `x` or a `π`.
    fn rational(&self) -> Option<Rational> {
        let nonzero: Vec<_> = self.0.iter().filter(|(_, c)| !c.is_zero()).collect();
        match nonzero.as_slice() {
            [] => Some(Rational::ZERO),
            [([0, 0], c)] => Some((*c).clone()),
            _ => None,
        }
    }

    fn plus(&self, other: &WithPi) -> WithPi {
        let mut sum = self.0.clone();
        for (powers, c) in &other.0 {
            let coefficient = sum.entry(*powers).or_insert(Rational::ZERO);
            *coefficient = &*coefficient + c;
        }
        WithPi(sum)
    }

    fn times(&self, other: &WithPi) -> WithPi {
        let mut sum = WithPi(BTreeMap::new());
        for ([i, j], a) in &self.0 {
            let products = other.0.iter().map(|([k, l], b)| ([i + k, j + l], a * b)).collect();
            sum = sum.plus(&WithPi(products));
        }
        sum
    }

    fn power(&self, exponent: u32) -> WithPi {
        (0..exponent).fold(WithPi::term([0, 0], Rational::ONE), |product, _| product.times(self))
    }

    /// The composition with another polynomial in place of `x`.
    fn compose(&self, inner: &WithPi) -> WithPi {
        let mut sum = WithPi(BTreeMap::new());
        for ([i, j], c) in &self.0 {
            sum = sum.plus(&inner.power(*i).times(&WithPi::term([0, *j], c.clone())));
        }
        sum
    }
}

/// A polynomial around an end: its value there plus a polynomial in the distance from the end.
#[derive(Clone, Debug)]
pub struct Expanded {
    /// The value at the end, as a polynomial in `π`: its coefficients by power.
    value: BTreeMap<u32, Rational>,
    /// The coefficients of the powers of the distance, without the value: the first one is 0.
    pub by_distance: Vec<Interval>,
}

impl Expanded {
    /// Expands an expression around the left (0) or the right (1) end of an interval. `None` if the expression or the end is not a
    /// polynomial in `x` and `π`.
    pub fn new(expr: &Expr, ends: &[Endpoint; 2], side: usize) -> Option<Expanded> {
        let end = match &ends[side].constant.exact {
            Some(exact) => WithPi::term([0, 0], exact.clone()),
            None => ends[side].syntax().and_then(WithPi::read)?,
        };
        // x = end + sign·distance.
        let sign = if side == 0 { Rational::ONE } else { -Rational::ONE };
        let in_distance = WithPi::read(expr)?.compose(&end.plus(&WithPi::term([1, 0], sign)));
        let mut by_distance = Vec::new();
        let mut value = BTreeMap::new();
        for ([i, j], c) in in_distance.0.into_iter().filter(|(_, c)| !c.is_zero()) {
            if i == 0 {
                value.insert(j, c);
                continue;
            }
            by_distance.resize(by_distance.len().max(i as usize + 1), Interval::ZERO);
            by_distance[i as usize] = by_distance[i as usize] + Interval::of(&c) * Interval::PI.power(j as i32);
        }
        Some(Expanded { value, by_distance })
    }

    /// `k` modulo 4 if the value is `k·π/2` with a whole `k`.
    pub fn quarters(&self) -> Option<i32> {
        /// Larger numbers of quarter turns are not reduced modulo 4: the conversion to a float must be exact.
        const MOST_QUARTERS: f64 = 1e9;
        let quarters = match self.value.iter().collect::<Vec<_>>().as_slice() {
            [] => return Some(0),
            [(1, c)] => *c * Rational::from(2),
            _ => return None,
        };
        let (is_whole, count) = (quarters.is_int(), to_f64(&quarters));
        (is_whole && count.abs() < MOST_QUARTERS).then(|| (count as i64).rem_euclid(4) as i32)
    }

    /// Whether the value at the end is 1.
    pub fn is_one_at_end(&self) -> bool {
        self.value.len() == 1 && self.value.get(&0) == Some(&Rational::ONE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rocproof_language::{Source, parse};

    /// Expands an expression around the left (0) or the right (1) of two ends.
    fn expand(text: &str, [a, b]: [&str; 2], side: usize) -> Option<Expanded> {
        let endpoint = |text: &str| {
            let source = Source::new("test", text);
            Endpoint::read(&source, &parse(&source).unwrap()).unwrap()
        };
        Expanded::new(&parse(&Source::new("test", text)).unwrap(), &[endpoint(a), endpoint(b)], side)
    }

    /// The number of quarter turns at an end, modulo 4: `π·1` makes two, `-3π/2` one.
    #[test]
    fn multiples_of_a_quarter_turn_are_recognised() {
        let quarters = |text, ends, side| expand(text, ends, side).and_then(|e| e.quarters());
        assert_eq!(quarters("pi*x", ["0", "1"], 0), Some(0));
        assert_eq!(quarters("pi*x", ["0", "1"], 1), Some(2));
        assert_eq!(quarters("pi*x/2", ["0", "1"], 1), Some(1));
        assert_eq!(quarters("-3*pi*x^2/2", ["0", "1"], 1), Some(1));
        assert_eq!(quarters("x", ["0", "pi"], 1), Some(2));
        assert_eq!(quarters("2*(x - pi)", ["pi/2", "3*pi/4"], 0), Some(2));
        assert_eq!(quarters("2*(x - pi)", ["pi/2", "3*pi/4"], 1), Some(3));
        for (text, ends) in [("x", ["0", "3"]), ("pi*x/3", ["0", "1"]), ("pi^2*x", ["0", "1"]), ("pi*x", ["0", "1/4"])]
        {
            assert_eq!(quarters(text, ends, 1), None, "{text}");
        }
        assert!(expand("x/pi", ["0", "1"], 0).is_none() && expand("exp(x)", ["0", "1"], 0).is_none());
        assert!(expand("x", ["0", "exp(1)"], 1).is_none());
    }

    /// With the distance `d`: `π(1-d)² = π - 2πd + πd²`, and `2(1/2 - d) = 1 - 2d`.
    #[test]
    fn expressions_are_a_value_plus_a_polynomial_in_the_distance() {
        let expansion = expand("pi*x^2", ["0", "1"], 1).unwrap();
        let pi = Interval::PI;
        assert_eq!(expansion.by_distance.len(), 3);
        assert_eq!(expansion.by_distance[0], Interval::ZERO);
        assert!(expansion.by_distance[1].meets(pi * Interval::from(-2.0)) && expansion.by_distance[2].meets(pi));
        let expansion = expand("2*x", ["0", "1/2"], 1).unwrap();
        assert!(expansion.is_one_at_end() && expansion.by_distance == [Interval::ZERO, Interval::from(-2.0)]);
        assert!(!expand("2*x", ["0", "1"], 1).unwrap().is_one_at_end());
        assert!(!expand("x + pi - 3", ["0", "1"], 1).unwrap().is_one_at_end());
    }
}
