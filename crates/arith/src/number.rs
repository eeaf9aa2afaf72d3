//! The real numbers of the exact level: rational, algebraic, or given by enclosures of any width.

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

/// The precision, in bits, at which the sign of a computed number is given up as unknown.
const FINEST: usize = 1 << 9;

/// Extra bits of the argument of a function, since slopes lose some.
const GUARD: usize = 64;
/// The largest degree of an algebraic number for which quotients are brought to normal form. Beyond it that takes too long.
const LARGEST_INVERTED: usize = 12;

type Enclose = dyn Fn(usize) -> Option<Enclosure> + Send + Sync;

/// A real number.
#[derive(Clone)]
pub enum Number {
    /// A rational.
    Rational(Rational),
    /// A rational function of an algebraic number. For a number of degree two it is `a + b·√d`.
    Algebraic(Arc<Root>, RationalFunction),
    /// A function that maps a working precision in bits to an enclosure of the number; `None` if the precision is too low.
    Computed(Arc<Enclose>),
}

impl Number {
    /// Zero.
    pub const ZERO: Number = Number::Rational(Rational::ZERO);
    /// One.
    pub const ONE: Number = Number::Rational(Rational::ONE);

    /// A number given by its enclosures. The finest enclosure is cached.
    pub fn computed(enclose: impl Fn(usize) -> Option<Enclosure> + Send + Sync + 'static) -> Number {
        // Sums ask for the same enclosure many times. The cache holds the last precision and its enclosure, `None` if that precision was too low.
        let cache: Mutex<Option<(usize, Option<Enclosure>)>> = Mutex::new(None);
        Number::Computed(Arc::new(move |bits| {
            let mut cache = cache.lock().unwrap_or_else(PoisonError::into_inner);
            let finest = match cache.take() {
                // A finer enclosure also serves coarser requests.
                Some((finer, Some(enclosure))) if finer >= bits => (finer, Some(enclosure)),
                Some((same, None)) if same == bits => (same, None),
                _ => (bits, enclose(bits)),
            };
            cache.insert(finest).1.as_ref().map(|enclosure| enclosure.rounded(bits))
        }))
    }

    /// A function of an algebraic number, in normal form unless that takes too long.
    fn algebraic(root: Arc<Root>, function: RationalFunction) -> Number {
        let large = root.polynomial().degree() > LARGEST_INVERTED && !function.is_polynomial();
        if large { Number::Algebraic(root, function) } else { Number::normal(root, function) }
    }

    /// A number without a value: no precision gives an enclosure.
    fn undefined() -> Number {
        Number::computed(|_| None)
    }

    /// A function of an algebraic number in normal form: a rational, or a polynomial of smaller degree than the defining polynomial. At a pole of the
    /// function the number is undefined.
    pub fn normal(root: Arc<Root>, function: RationalFunction) -> Number {
        if let Some(value) = function.as_constant() {
            return Number::Rational(value);
        }
        let modulo = |p: &Polynomial| p.divided_by(root.polynomial()).1;
        let (numerator, denominator) = (function.numerator(), function.denominator());
        let value = if denominator.is_constant() {
            modulo(numerator)
        } else {
            let denominator = modulo(denominator);
            if root.is_root_of(&denominator) {
                return Number::undefined();
            }
            // A common divisor without the root: the denominator has no inverse modulo the polynomial.
            if !denominator.gcd(root.polynomial()).is_constant() {
                return Number::Algebraic(root, function);
            }
            // Bézout's identity `s·denominator + t·polynomial = 1` gives the inverse `s` of the denominator.
            let (inverse, _) = denominator.bezout(root.polynomial());
            modulo(&(&modulo(numerator) * &inverse))
        };
        if value.is_constant() {
            return Number::Rational(value.coefficient(0));
        }
        Number::Algebraic(root, RationalFunction::from(value))
    }

    /// A primitive squarefree polynomial with the number as a root. `None` if the number is not stored as algebraic, or its degree is
    /// large.
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
        if root.polynomial().degree() > LARGEST_INVERTED {
            return None;
        }
        annihilating_polynomial(value, root.polynomial())
    }

    /// The value, if it is stored as a rational.
    pub fn as_rational(&self) -> Option<&Rational> {
        match self {
            Number::Rational(value) => Some(value),
            _ => None,
        }
    }

    /// `(a, b, d)` if it is stored as `a + b·√d`.
    pub fn as_quadratic(&self) -> Option<(Rational, Rational, UBig)> {
        let Number::Algebraic(root, f) = self else { return None };
        // Roots of degree two are stored as square roots, with the defining polynomial x² - d.
        let [minus_d, _, _] = root.polynomial().parts().0 else { return None };
        Some((f.numerator().coefficient(0), f.numerator().coefficient(1), minus_d.clone().unsigned_abs()))
    }

    /// An enclosure computed with a precision in bits; `None` if the precision is too low.
    pub fn enclosure(&self, bits: usize) -> Option<Enclosure> {
        match self {
            Number::Rational(value) => Some(Enclosure::of(value, bits)),
            Number::Algebraic(root, function) => {
                root.enclosure(bits + GUARD).through(function).map(|e| e.rounded(bits))
            }
            Number::Computed(enclose) => enclose(bits),
        }
    }

    /// Rational bounds: the value itself if it is stored as a rational, else the ends of an enclosure.
    pub fn bounds(&self, bits: usize) -> Option<[Rational; 2]> {
        match self.as_rational() {
            Some(value) => Some([value.clone(), value.clone()]),
            None => self.enclosure(bits).map(|enclosure| enclosure.ends()),
        }
    }

    /// The sign. `None` for a computed number that is too close to 0 to decide; rational and algebraic numbers are always decided.
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

    /// Whether it is known to be 0.
    pub fn is_zero(&self) -> bool {
        !matches!(self, Number::Computed(_)) && self.sign() == Some(0)
    }

    /// The value of a rational function at this number.
    pub fn through(&self, function: &RationalFunction) -> Number {
        match self {
            Number::Rational(value) => match function.at(value) {
                Some(value) => Number::Rational(value),
                None => Number::undefined(),
            },
            Number::Algebraic(root, inner) => Number::algebraic(root.clone(), function.compose(inner)),
            Number::Computed(enclose) => {
                let (enclose, function) = (enclose.clone(), function.clone());
                Number::computed(move |bits| Some(enclose(bits + GUARD)?.through(&function)?.rounded(bits)))
            }
        }
    }

    /// Whether two numbers are known to be equal. `false` does not mean that they differ.
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

    /// Applies a binary operation: exactly if both are functions of one algebraic number, else on enclosures.
    fn combine(
        &self,
        other: &Number,
        exact: fn(&RationalFunction, &RationalFunction) -> RationalFunction,
        enclose: fn(&Enclosure, &Enclosure) -> Option<Enclosure>,
    ) -> Number {
        use Number::*;
        let constant = |value: &super::rational::Rational| RationalFunction::constant(value.clone());
        match (self, other) {
            (Algebraic(root, f), Rational(b)) => Number::algebraic(root.clone(), exact(f, &constant(b))),
            (Rational(a), Algebraic(root, g)) => Number::algebraic(root.clone(), exact(&constant(a), g)),
            (Algebraic(root, f), Algebraic(same, g)) if root.is_same(same) => {
                Number::algebraic(root.clone(), exact(f, g))
            }
            _ => {
                let (a, b) = (self.clone(), other.clone());
                Number::computed(move |bits| enclose(&a.enclosure(bits)?, &b.enclosure(bits)?))
            }
        }
    }
}

/// The polynomial `q` of least degree with `q(value) = 0` modulo a polynomial, made squarefree.
///
/// The powers of the value are vectors of coefficients. The first power that depends linearly on the lower ones gives `q`, by Gaussian elimination.
fn annihilating_polynomial(value: &Polynomial, modulus: &Polynomial) -> Option<Polynomial> {
    // Rows in echelon form, highest degree first, each with the combination of powers that it is: `x^k` stands for the k-th power of the value.
    let mut echelon: Vec<(Polynomial, Polynomial)> = Vec::new();
    let mut power = Polynomial::one();
    for exponent in 0..=modulus.degree() {
        let (mut remainder, mut combination) = (power.clone(), Polynomial::x().power(exponent));
        for (row, row_combination) in &echelon {
            let factor = remainder.coefficient(row.degree()) / row.leading();
            remainder = &remainder - &row.scaled(&factor);
            combination = &combination - &row_combination.scaled(&factor);
        }
        if remainder.is_zero() {
            return Some(combination.squarefree());
        }
        echelon.push((remainder, combination));
        echelon.sort_by_key(|(row, _)| std::cmp::Reverse(row.degree()));
        power = (&power * value).divided_by(modulus).1;
    }
    None
}

impl From<Rational> for Number {
    fn from(value: Rational) -> Number {
        Number::Rational(value)
    }
}

impl From<&Real> for Number {
    /// A root of degree two is written as `a + b·√d`.
    fn from(real: &Real) -> Number {
        let root = match real {
            Real::Rational(value) => return Number::Rational(value.clone()),
            Real::Irrational(root) => root,
        };
        let [c0, c1, c2] = root.polynomial().parts().0 else {
            return Number::Algebraic(root.clone(), RationalFunction::x());
        };
        // The root is (-b ± √(b² - 4ac))/2a, with a = c2, b = c1, c = c0.
        // With b² - 4ac = outside²·inside it is middle ± step·√inside.
        let discriminant = c1 * c1 - IBig::from(4) * c2 * c0;
        let (outside, inside) = square_free(&discriminant.unsigned_abs());
        let twice_a = IBig::from(2) * c2;
        let middle = Rational::from(-c1) / Rational::from(twice_a.clone());
        let step = Rational::from(outside) / Rational::from(twice_a);
        // The step is positive for the root above the middle, and negative for the root below.
        let has_right_sign = real.is_above(&middle) == (step.sign() == Sign::Positive);
        let step = if has_right_sign { step } else { -step };
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
        self.combine(other, |a, b| a + b, |a, b| Some(a.plus(b)))
    }
}

impl Sub for &Number {
    type Output = Number;

    fn sub(self, other: &Number) -> Number {
        if let (Number::Rational(a), Number::Rational(b)) = (self, other) {
            return Number::Rational(a - b);
        }
        self.combine(other, |a, b| a - b, |a, b| Some(a.minus(b)))
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
        self.combine(other, |a, b| a * b, |a, b| Some(a.times(b)))
    }
}

impl Div for &Number {
    type Output = Number;

    /// The quotient, where 0/0 is 0: a share of no mass is no mass.
    fn div(self, other: &Number) -> Number {
        if self.is_zero() {
            return Number::ZERO;
        }
        if other.is_zero() {
            return Number::undefined();
        }
        if let (Number::Rational(a), Number::Rational(b)) = (self, other) {
            return Number::Rational(a / b);
        }
        self.combine(other, |a, b| a / b, Enclosure::over)
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
