//! The algebras of the exact level: numbers, rational functions, and either with "undefined" for a division by 0.

use super::super::program::Algebra;
use rocproof_arith::{Number, Rational, RationalFunction};

/// Types with a decidable test for zero.
pub(super) trait DecidableZero {
    /// Whether this is 0.
    fn is_known_zero(&self) -> bool;
}

impl DecidableZero for RationalFunction {
    fn is_known_zero(&self) -> bool {
        self.is_zero()
    }
}

impl DecidableZero for Number {
    fn is_known_zero(&self) -> bool {
        self.is_zero()
    }
}

/// `None` is the result of a division by 0, including 0/0.
impl<T: Algebra + DecidableZero> Algebra for Option<T> {
    fn constant(value: &Rational) -> Option<T> {
        Some(T::constant(value))
    }
    fn plus(&self, other: &Option<T>) -> Option<T> {
        Some(self.as_ref()?.plus(other.as_ref()?))
    }
    fn minus(&self, other: &Option<T>) -> Option<T> {
        Some(self.as_ref()?.minus(other.as_ref()?))
    }
    fn times(&self, other: &Option<T>) -> Option<T> {
        Some(self.as_ref()?.times(other.as_ref()?))
    }
    /// The quotient; `None` if the divisor is 0.
    fn over(&self, other: &Option<T>) -> Option<T> {
        let (dividend, divisor) = (self.as_ref()?, other.as_ref()?);
        (!divisor.is_known_zero()).then(|| dividend.over(divisor))
    }
    fn power(&self, exponent: i32) -> Option<T> {
        self.as_ref().filter(|base| exponent >= 0 || !base.is_known_zero()).map(|base| base.power(exponent))
    }
}

impl Algebra for RationalFunction {
    fn constant(value: &Rational) -> RationalFunction {
        RationalFunction::constant(value.clone())
    }
    fn plus(&self, other: &RationalFunction) -> RationalFunction {
        self + other
    }
    fn minus(&self, other: &RationalFunction) -> RationalFunction {
        self - other
    }
    fn times(&self, other: &RationalFunction) -> RationalFunction {
        self * other
    }
    /// The quotient; 0 divided by anything is 0.
    fn over(&self, other: &RationalFunction) -> RationalFunction {
        if self.is_zero() { self.clone() } else { self / other }
    }
    fn power(&self, exponent: i32) -> RationalFunction {
        self.power(exponent)
    }
}

impl Algebra for Number {
    fn constant(value: &Rational) -> Number {
        Number::from(value.clone())
    }
    fn plus(&self, other: &Number) -> Number {
        self + other
    }
    fn minus(&self, other: &Number) -> Number {
        self - other
    }
    fn times(&self, other: &Number) -> Number {
        self * other
    }
    fn over(&self, other: &Number) -> Number {
        self / other
    }
    fn power(&self, exponent: i32) -> Number {
        self.power(exponent)
    }
}
