//! Polynomials in the score with `π` among their coefficients, expanded around an end, exactly: so that it is known where a sine
//! or a logarithm is zero.

use crate::model::endpoint::Endpoint;
use rocproof_arith::rational::to_f64;
use rocproof_arith::{Interval, Rational};
use rocproof_language::{Expr, Kind, Op};
use std::collections::BTreeMap;

/// Beyond this degree an expansion costs more than it gives.
const HIGHEST: u32 = 12;

/// A polynomial in `x` and `π`: its coefficients by both powers. No polynomial in `π` with rational coefficients is zero but 0.
#[derive(Clone, Debug, PartialEq)]
struct WithPi(BTreeMap<[u32; 2], Rational>);

impl WithPi {
    fn term(powers: [u32; 2], c: Rational) -> WithPi {
        WithPi([(powers, c)].into())
    }

    fn read(expr: &Expr) -> Option<WithPi> {
        let value = match &expr.kind {
            Kind::Number(value) => WithPi::term([0, 0], value.clone()),
            Kind::Name(name) if name == "x" => WithPi::term([1, 0], Rational::ONE),
            Kind::Name(name) if name == "pi" => WithPi::term([0, 1], Rational::ONE),
            Kind::Negate(inner) => WithPi::read(inner)?.times(&WithPi::term([0, 0], -Rational::ONE)),
            Kind::Binary(op, left, right) => {
                let (l, r) = (WithPi::read(left)?, WithPi::read(right)?);
                let number = r.number();
                match op {
                    Op::Add => l.plus(&r),
                    Op::Sub => l.plus(&r.times(&WithPi::term([0, 0], -Rational::ONE))),
                    Op::Mul => l.times(&r),
                    Op::Div => {
                        let by = number.filter(|by| !by.is_zero())?;
                        l.times(&WithPi::term([0, 0], Rational::ONE / by))
                    }
                    Op::Pow => {
                        let exponent = number.filter(Rational::is_int).map(|n| to_f64(&n))?;
                        let small = (0.0..=f64::from(HIGHEST)).contains(&exponent);
                        small.then(|| l.power(exponent as u32))?
                    }
                }
            }
            _ => return None,
        };
        let low = value.0.keys().all(|powers| powers.iter().sum::<u32>() <= HIGHEST);
        low.then_some(value)
    }

    /// The rational that it is.
    fn number(&self) -> Option<Rational> {
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
            let at = sum.entry(*powers).or_insert(Rational::ZERO);
            *at = &*at + c;
        }
        WithPi(sum)
    }

    fn times(&self, other: &WithPi) -> WithPi {
        self.0.iter().fold(WithPi(BTreeMap::new()), |sum, ([i, j], a)| {
            let shifted = other.0.iter().map(|([k, l], b)| ([i + k, j + l], a * b)).collect();
            sum.plus(&WithPi(shifted))
        })
    }

    fn power(&self, exponent: u32) -> WithPi {
        (0..exponent).fold(WithPi::term([0, 0], Rational::ONE), |product, _| product.times(self))
    }

    /// The composition with another polynomial in place of `x`.
    fn of(&self, inner: &WithPi) -> WithPi {
        self.0.iter().fold(WithPi(BTreeMap::new()), |sum, ([i, j], c)| {
            sum.plus(&inner.power(*i).times(&WithPi::term([0, *j], c.clone())))
        })
    }
}

/// A polynomial around an end: what it is there, and what the distance to the end adds.
#[derive(Clone, Debug)]
pub struct Expanded {
    /// Its value at the end, by powers of `π`.
    value: BTreeMap<u32, Rational>,
    /// The coefficients of the powers of the distance; the first one is 0.
    pub rest: Vec<Interval>,
}

impl Expanded {
    /// Expands an expression around the left or the right end of an interval, if that can be done exactly.
    pub fn new(expr: &Expr, ends: &[Endpoint; 2], side: usize) -> Option<Expanded> {
        let end = match &ends[side].constant.exact {
            Some(exact) => WithPi::term([0, 0], exact.clone()),
            None => ends[side].syntax().and_then(WithPi::read)?,
        };
        let away = if side == 0 { Rational::ONE } else { -Rational::ONE };
        let around = WithPi::read(expr)?.of(&end.plus(&WithPi::term([1, 0], away)));
        let mut rest = Vec::new();
        let mut value = BTreeMap::new();
        for ([i, j], c) in around.0.into_iter().filter(|(_, c)| !c.is_zero()) {
            if i == 0 {
                value.insert(j, c);
                continue;
            }
            rest.resize(rest.len().max(i as usize + 1), Interval::ZERO);
            rest[i as usize] = rest[i as usize] + Interval::of(&c) * Interval::PI.power(j as i32);
        }
        Some(Expanded { value, rest })
    }

    /// Which multiple of a quarter turn, `π/2`, the value is, up to full turns.
    pub fn quarters(&self) -> Option<i32> {
        let quarters = match self.value.iter().collect::<Vec<_>>().as_slice() {
            [] => return Some(0),
            [(1, c)] => *c * Rational::from(2),
            _ => return None,
        };
        let (whole, count) = (quarters.is_int(), to_f64(&quarters));
        (whole && count.abs() < 1e9).then(|| (count as i64).rem_euclid(4) as i32)
    }

    /// Whether the value is 1.
    pub fn starts_from_one(&self) -> bool {
        self.value.len() == 1 && self.value.get(&0) == Some(&Rational::ONE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rocproof_language::{Source, parse};

    fn expanded(text: &str, [a, b]: [&str; 2], side: usize) -> Option<Expanded> {
        let place = |text: &str| {
            let source = Source::new("test", text);
            Endpoint::read(&source, &parse(&source).unwrap()).unwrap()
        };
        Expanded::new(&parse(&Source::new("test", text)).unwrap(), &[place(a), place(b)], side)
    }

    #[test]
    fn multiples_of_a_quarter_turn_are_recognised() {
        let quarters = |text, ends, side| expanded(text, ends, side).and_then(|e| e.quarters());
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
        assert!(expanded("x/pi", ["0", "1"], 0).is_none() && expanded("exp(x)", ["0", "1"], 0).is_none());
        assert!(expanded("x", ["0", "exp(1)"], 1).is_none());
    }

    /// `π(1-d)² - π = -2πd + πd²`, and `2(1/2 - d) = 1 - 2d`.
    #[test]
    fn the_rest_is_a_polynomial_in_the_distance() {
        let found = expanded("pi*x^2", ["0", "1"], 1).unwrap();
        let pi = Interval::PI;
        assert_eq!(found.rest.len(), 3);
        assert_eq!(found.rest[0], Interval::ZERO);
        assert!(found.rest[1].meets(pi * Interval::from(-2.0)) && found.rest[2].meets(pi));
        let found = expanded("2*x", ["0", "1/2"], 1).unwrap();
        assert!(found.starts_from_one() && found.rest == [Interval::ZERO, Interval::from(-2.0)]);
        assert!(!expanded("2*x", ["0", "1"], 1).unwrap().starts_from_one());
        assert!(!expanded("x + pi - 3", ["0", "1"], 1).unwrap().starts_from_one());
    }
}
