//! Rational functions of one variable, in lowest terms.

use super::polynomial::Polynomial;
use super::rational::Rational;
use std::fmt;
use std::ops::{Add, Mul, Neg, Sub};

/// A rational function of one variable.
///
/// ```
/// use rocproof_arith::{Polynomial, RationalFunction};
/// let f = RationalFunction::new(Polynomial::whole(&[-1, 0, 1]), Polynomial::whole(&[-1, 1]));
/// assert_eq!(f.to_string(), "x + 1");
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct RationalFunction {
    numerator: Polynomial,
    /// Primitive and coprime to the numerator.
    denominator: Polynomial,
}

impl RationalFunction {
    /// A quotient, reduced to lowest terms. The denominator must not be 0.
    pub fn new(numerator: Polynomial, denominator: Polynomial) -> RationalFunction {
        if denominator.is_constant() {
            return RationalFunction::from(numerator.scaled(&(Rational::ONE / denominator.leading())));
        }
        let common = numerator.gcd(&denominator);
        if common.is_constant() {
            return RationalFunction::in_lowest_terms(numerator, denominator);
        }
        RationalFunction::in_lowest_terms(numerator.divided_by(&common).0, denominator.divided_by(&common).0)
    }

    /// A quotient of coprime polynomials; makes the denominator primitive.
    fn in_lowest_terms(numerator: Polynomial, denominator: Polynomial) -> RationalFunction {
        if numerator.is_zero() {
            return RationalFunction::constant(Rational::ZERO);
        }
        let primitive = denominator.primitive();
        let scale = primitive.leading() / denominator.leading();
        RationalFunction { numerator: numerator.scaled(&scale), denominator: primitive }
    }

    /// A constant function.
    pub fn constant(value: Rational) -> RationalFunction {
        RationalFunction::from(Polynomial::constant(value))
    }

    /// The identity `x`.
    pub(crate) fn x() -> RationalFunction {
        RationalFunction::from(Polynomial::x())
    }

    /// The numerator.
    pub fn numerator(&self) -> &Polynomial {
        &self.numerator
    }

    /// The denominator, primitive.
    pub fn denominator(&self) -> &Polynomial {
        &self.denominator
    }

    /// Whether it is 0.
    pub fn is_zero(&self) -> bool {
        self.numerator.is_zero()
    }

    /// Whether it is a polynomial.
    pub(crate) fn is_polynomial(&self) -> bool {
        self.denominator.is_constant()
    }

    /// The value, if the function is constant.
    pub(crate) fn as_constant(&self) -> Option<Rational> {
        (self.is_polynomial() && self.numerator.is_constant()).then(|| self.numerator.coefficient(0))
    }

    /// The value at a rational; `None` at a pole.
    pub(crate) fn at(&self, x: &Rational) -> Option<Rational> {
        let below = self.denominator.at(x);
        (!below.is_zero()).then(|| self.numerator.at(x) / below)
    }

    /// The derivative.
    pub fn derivative(&self) -> RationalFunction {
        if self.is_polynomial() {
            return RationalFunction::from(self.numerator.derivative());
        }
        let (n, d) = (&self.numerator, &self.denominator);
        RationalFunction::new(&(&n.derivative() * d) - &(n * &d.derivative()), d * d)
    }

    /// The composition `f(inner(x))`. Its denominator must not become 0.
    pub(crate) fn compose(&self, inner: &RationalFunction) -> RationalFunction {
        let apply = |p: &Polynomial| {
            p.coefficients().rev().fold(RationalFunction::constant(Rational::ZERO), |sum, c| {
                &(&sum * inner) + &RationalFunction::constant(c)
            })
        };
        &apply(&self.numerator) / &apply(&self.denominator)
    }

    /// A power with an integer exponent.
    pub fn power(&self, exponent: i32) -> RationalFunction {
        let n = exponent.unsigned_abs() as usize;
        let (above, below) = (self.numerator.power(n), self.denominator.power(n));
        if exponent < 0 {
            RationalFunction::in_lowest_terms(below, above)
        } else {
            RationalFunction::in_lowest_terms(above, below)
        }
    }

    /// The product with a rational.
    pub fn scaled(&self, by: &Rational) -> RationalFunction {
        RationalFunction::in_lowest_terms(self.numerator.scaled(by), self.denominator.clone())
    }
}

impl From<Polynomial> for RationalFunction {
    fn from(numerator: Polynomial) -> RationalFunction {
        RationalFunction { numerator, denominator: Polynomial::one() }
    }
}

impl Add for &RationalFunction {
    type Output = RationalFunction;

    fn add(self, other: &RationalFunction) -> RationalFunction {
        if self.denominator == other.denominator {
            let sum = &self.numerator + &other.numerator;
            return if self.is_polynomial() {
                RationalFunction::from(sum)
            } else {
                RationalFunction::new(sum, self.denominator.clone())
            };
        }
        let common = self.denominator.gcd(&other.denominator);
        let [of_self, of_other] = [other, self].map(|f| f.denominator.divided_by(&common).0);
        let sum = &(&self.numerator * &of_self) + &(&other.numerator * &of_other);
        RationalFunction::new(sum, &self.denominator * &of_self)
    }
}

impl Neg for &RationalFunction {
    type Output = RationalFunction;

    fn neg(self) -> RationalFunction {
        RationalFunction { numerator: -&self.numerator, denominator: self.denominator.clone() }
    }
}

impl Sub for &RationalFunction {
    type Output = RationalFunction;

    fn sub(self, other: &RationalFunction) -> RationalFunction {
        self + &-other
    }
}

impl Mul for &RationalFunction {
    type Output = RationalFunction;

    fn mul(self, other: &RationalFunction) -> RationalFunction {
        if self.is_polynomial() && other.is_polynomial() {
            return RationalFunction::from(&self.numerator * &other.numerator);
        }
        // Each side is in lowest terms, so a numerator can only cancel against the other side's denominator.
        let first = RationalFunction::new(self.numerator.clone(), other.denominator.clone());
        let second = RationalFunction::new(other.numerator.clone(), self.denominator.clone());
        RationalFunction::in_lowest_terms(
            &first.numerator * &second.numerator,
            &first.denominator * &second.denominator,
        )
    }
}

impl std::ops::Div for &RationalFunction {
    type Output = RationalFunction;

    /// The quotient. The divisor must not be 0.
    fn div(self, other: &RationalFunction) -> RationalFunction {
        let inverse = RationalFunction::in_lowest_terms(other.denominator.clone(), other.numerator.clone());
        std::ops::Mul::mul(self, &inverse)
    }
}

impl fmt::Display for RationalFunction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_polynomial() {
            return write!(f, "{}", self.numerator);
        }
        write!(f, "({})/({})", self.numerator, self.denominator)
    }
}

impl fmt::Debug for RationalFunction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
