//! Real numbers as the exact level meets them: rational, algebraic, or known by enclosures as narrow as one likes.

use super::enclosure::Enclosure;
use super::polynomial::{Polynomial, sign};
use super::rational::Rational;
use super::rational_function::RationalFunction;
use super::roots::{Real, Root};
use super::whole::square_free;
use dashu_base::{Sign, UnsignedAbs};
use dashu_int::{IBig, UBig};
use std::fmt;
use std::ops::{Add, Div, Mul, Neg, Sub};
use std::sync::{Arc, Mutex, PoisonError};

/// How finely a number is looked at before its sign is given up.
const FINEST: usize = 1 << 9;

/// How many more binary digits the argument of a function has than its value: slopes lose some.
const GUARD: usize = 64;
/// The largest degree of an algebraic number whose values are brought to a normal form.
const MOST_INVERTED: usize = 12;

type Enclose = dyn Fn(usize) -> Option<Enclosure> + Send + Sync;

/// A real number.
#[derive(Clone)]
pub enum Number {
    /// A rational.
    Rational(Rational),
    /// A rational function of an algebraic number. Those of degree two are functions `a + b·√d`.
    Algebraic(Arc<Root>, RationalFunction),
    /// A number computed from others; given a number of binary digits to work with, an enclosure of it.
    Computed(Arc<Enclose>),
}

impl Number {
    /// Zero.
    pub const ZERO: Number = Number::Rational(Rational::ZERO);
    /// One.
    pub const ONE: Number = Number::Rational(Rational::ONE);

    /// A number known by its enclosures.
    pub fn computed(enclose: impl Fn(usize) -> Option<Enclosure> + Send + Sync + 'static) -> Number {
        // Sums ask for the same enclosure many times over.
        let known: Mutex<Option<(usize, Option<Enclosure>)>> = Mutex::new(None);
        Number::Computed(Arc::new(move |bits| {
            let mut known = known.lock().unwrap_or_else(PoisonError::into_inner);
            // The finest that is known serves coarser requests.
            let finest = match known.take() {
                Some((finer, Some(enclosure))) if finer >= bits => (finer, Some(enclosure)),
                Some((same, None)) if same == bits => (same, None),
                _ => (bits, enclose(bits)),
            };
            known.insert(finest).1.as_ref().map(|enclosure| enclosure.rounded(bits))
        }))
    }

    /// A function of an algebraic number, brought to a normal form unless that takes long.
    fn algebraic(root: Arc<Root>, function: RationalFunction) -> Number {
        let large = root.polynomial().degree() > MOST_INVERTED && !function.is_polynomial();
        if large { Number::Algebraic(root, function) } else { Number::normal(root, function) }
    }

    /// A function of an algebraic number in normal form: a polynomial of smaller degree than that number, if it is not
    /// rational.
    pub fn normal(root: Arc<Root>, function: RationalFunction) -> Number {
        if let Some(value) = function.as_constant() {
            return Number::Rational(value);
        }
        let modulo = |p: &Polynomial| p.divided_by(root.polynomial()).1;
        let (above, below) = (function.numerator(), function.denominator());
        // Modulo the defining polynomial every value is a polynomial of smaller degree.
        let value = if below.is_constant() {
            modulo(above)
        } else {
            let below = modulo(below);
            if root.is_root_of(&below) {
                return Number::computed(|_| None);
            }
            if !below.gcd(root.polynomial()).is_constant() {
                return Number::Algebraic(root, function);
            }
            modulo(&(&modulo(above) * &below.bezout(root.polynomial()).0))
        };
        if value.is_constant() {
            return Number::Rational(value.coefficient(0));
        }
        Number::Algebraic(root, RationalFunction::from(value))
    }

    /// A polynomial with rational coefficients that it is a root of, primitive and without multiple roots, if it is seen to
    /// be algebraic of small degree.
    pub fn defining_polynomial(&self) -> Option<Polynomial> {
        let (root, value) = match self {
            Number::Rational(value) => return Some(Polynomial::linear(&-value, &Rational::ONE).primitive()),
            Number::Algebraic(root, f) if f.is_polynomial() => (root, f.numerator()),
            _ => return None,
        };
        if *value == Polynomial::x() {
            return Some(root.polynomial().clone());
        }
        if value.degree() == 1 {
            // y = a + b·x where x = (y - a)/b.
            let (a, b) = (value.coefficient(0), value.coefficient(1));
            let inner = Polynomial::linear(&(-a / &b), &(Rational::ONE / &b));
            return Some(root.polynomial().compose(&inner).primitive());
        }
        let degree = root.polynomial().degree();
        if degree > MOST_INVERTED {
            return None;
        }
        // The powers of the value modulo the root's polynomial: the first that depends on those before it.
        let mut reduced: Vec<(Polynomial, Polynomial)> = Vec::new();
        let mut power = Polynomial::one();
        for exponent in 0..=degree {
            let (mut rest, mut combination) = (power.clone(), Polynomial::x().power(exponent));
            for (row, of) in &reduced {
                let factor = rest.coefficient(row.degree()) / row.leading();
                rest = &rest - &row.scaled(&factor);
                combination = &combination - &of.scaled(&factor);
            }
            if rest.is_zero() {
                return Some(combination.squarefree());
            }
            reduced.push((rest, combination));
            reduced.sort_by_key(|(row, _)| std::cmp::Reverse(row.degree()));
            power = (&power * value).divided_by(root.polynomial()).1;
        }
        None
    }

    /// The rational that it is seen to be.
    pub fn as_rational(&self) -> Option<&Rational> {
        match self {
            Number::Rational(value) => Some(value),
            _ => None,
        }
    }

    /// `(a, b, d)` if it is seen to be `a + b·√d`.
    pub fn as_quadratic(&self) -> Option<(Rational, Rational, UBig)> {
        let Number::Algebraic(root, f) = self else { return None };
        let [minus_d, _, _] = root.polynomial().parts().0 else { return None };
        Some((f.numerator().coefficient(0), f.numerator().coefficient(1), minus_d.clone().unsigned_abs()))
    }

    /// An enclosure computed with this many binary digits; `None` if they are too few to give one.
    pub fn enclosure(&self, bits: usize) -> Option<Enclosure> {
        match self {
            Number::Rational(value) => Some(Enclosure::of(value, bits)),
            Number::Algebraic(root, function) => {
                root.enclosure(bits + GUARD).through(function).map(|e| e.rounded(bits))
            }
            Number::Computed(enclose) => enclose(bits),
        }
    }

    /// Rationals that it lies between: itself if it is rational, else the ends of an enclosure.
    pub fn bounds(&self, bits: usize) -> Option<[Rational; 2]> {
        match self.as_rational() {
            Some(value) => Some([value.clone(), value.clone()]),
            None => self.enclosure(bits).map(|enclosure| enclosure.ends()),
        }
    }

    /// The sign; `None` if the number is too close to 0 to tell. That of rational and algebraic numbers is always told.
    pub fn sign(&self) -> Option<i8> {
        match self {
            Number::Rational(value) => return Some(sign(value)),
            Number::Algebraic(root, function) if root.is_root_of(function.numerator()) => return Some(0),
            _ => {}
        }
        let mut bits = 64;
        loop {
            if let Some(sign) = self.enclosure(bits).and_then(|e| e.sign()) {
                return Some(sign);
            }
            bits *= 2;
            if matches!(self, Number::Computed(_)) && bits > FINEST {
                return None;
            }
        }
    }

    /// Whether it is seen to be zero.
    pub fn is_zero(&self) -> bool {
        !matches!(self, Number::Computed(_)) && self.sign() == Some(0)
    }

    /// The value of a rational function here.
    pub fn through(&self, function: &RationalFunction) -> Number {
        match self {
            Number::Rational(value) => match function.at(value) {
                Some(value) => Number::Rational(value),
                None => Number::computed(|_| None),
            },
            Number::Algebraic(root, inner) => Number::algebraic(root.clone(), function.of(inner)),
            Number::Computed(enclose) => {
                let (enclose, function) = (enclose.clone(), function.clone());
                Number::computed(move |bits| Some(enclose(bits + GUARD)?.through(&function)?.rounded(bits)))
            }
        }
    }

    /// Whether two are seen to be the same number.
    pub fn is_same(&self, other: &Number) -> bool {
        match (self, other) {
            (Number::Rational(a), Number::Rational(b)) => a == b,
            (Number::Algebraic(root, f), Number::Algebraic(same, g)) => root.is_same(same) && f == g,
            (Number::Computed(a), Number::Computed(b)) => Arc::ptr_eq(a, b),
            _ => false,
        }
    }

    /// A power with an integer exponent.
    pub fn power(&self, exponent: i32) -> Number {
        self.through(&RationalFunction::x().power(exponent))
    }

    fn combined(
        &self,
        other: &Number,
        exactly: fn(&RationalFunction, &RationalFunction) -> RationalFunction,
        roughly: fn(&Enclosure, &Enclosure) -> Option<Enclosure>,
    ) -> Number {
        use Number::*;
        let constant = |value: &super::rational::Rational| RationalFunction::constant(value.clone());
        match (self, other) {
            (Algebraic(root, f), Rational(b)) => Number::algebraic(root.clone(), exactly(f, &constant(b))),
            (Rational(a), Algebraic(root, g)) => Number::algebraic(root.clone(), exactly(&constant(a), g)),
            (Algebraic(root, f), Algebraic(same, g)) if root.is_same(same) => {
                Number::algebraic(root.clone(), exactly(f, g))
            }
            _ => {
                let (a, b) = (self.clone(), other.clone());
                Number::computed(move |bits| roughly(&a.enclosure(bits)?, &b.enclosure(bits)?))
            }
        }
    }
}

impl From<Rational> for Number {
    fn from(value: Rational) -> Number {
        Number::Rational(value)
    }
}

impl From<&Real> for Number {
    fn from(real: &Real) -> Number {
        let root = match real {
            Real::Rational(value) => return Number::Rational(value.clone()),
            Real::Irrational(root) => root,
        };
        let [c0, c1, c2] = root.polynomial().parts().0 else {
            return Number::Algebraic(root.clone(), RationalFunction::x());
        };
        // (-b ± √(b² - 4ac))/2a.
        let discriminant = c1 * c1 - IBig::from(4) * c2 * c0;
        let (outside, inside) = square_free(&discriminant.unsigned_abs());
        let twice = IBig::from(2) * c2;
        let middle = Rational::from(-c1) / Rational::from(twice.clone());
        let step = Rational::from(outside) / Rational::from(twice);
        let upper = real.is_above(&middle) == (step.sign() == Sign::Positive);
        let step = if upper { step } else { -step };
        Number::Algebraic(
            Arc::new(Root::square_root(&inside)),
            RationalFunction::from(Polynomial::linear(&middle, &step)),
        )
    }
}

impl Add for &Number {
    type Output = Number;

    fn add(self, other: &Number) -> Number {
        if let (Number::Rational(a), Number::Rational(b)) = (self, other) {
            return Number::Rational(a + b);
        }
        self.combined(other, |a, b| a + b, |a, b| Some(a.plus(b)))
    }
}

impl Sub for &Number {
    type Output = Number;

    fn sub(self, other: &Number) -> Number {
        if let (Number::Rational(a), Number::Rational(b)) = (self, other) {
            return Number::Rational(a - b);
        }
        self.combined(other, |a, b| a - b, |a, b| Some(a.minus(b)))
    }
}

impl Mul for &Number {
    type Output = Number;

    fn mul(self, other: &Number) -> Number {
        match (self, other) {
            (Number::Rational(a), Number::Rational(b)) => return Number::Rational(a * b),
            (Number::Rational(zero), _) | (_, Number::Rational(zero)) if zero.is_zero() => return Number::ZERO,
            _ => {}
        }
        self.combined(other, |a, b| a * b, |a, b| Some(a.times(b)))
    }
}

impl Div for &Number {
    type Output = Number;

    /// The quotient; 0/0 is 0: where there is no mass there is no share of it.
    fn div(self, other: &Number) -> Number {
        if self.is_zero() {
            return Number::ZERO;
        }
        if other.is_zero() {
            return Number::computed(|_| None);
        }
        if let (Number::Rational(a), Number::Rational(b)) = (self, other) {
            return Number::Rational(a / b);
        }
        self.combined(other, |a, b| a / b, Enclosure::over)
    }
}

impl Neg for &Number {
    type Output = Number;

    fn neg(self) -> Number {
        &Number::ZERO - self
    }
}

impl fmt::Debug for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Number::Rational(value) => write!(f, "{value}"),
            Number::Algebraic(root, function) => write!(f, "{function} at {root:?}"),
            Number::Computed(_) => write!(f, "computed {:?}", self.enclosure(64).map(|e| e.ends())),
        }
    }
}
