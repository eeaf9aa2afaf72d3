//! Definitions read in exact numbers and in rational functions.

use super::super::program::Algebra;
use rocproof_arith::{Number, Rational, RationalFunction};

/// What can be told from 0, and divided by if it is not.
pub(super) trait Divisible {
    fn is_nothing(&self) -> bool;
}

impl Divisible for RationalFunction {
    fn is_nothing(&self) -> bool {
        self.is_zero()
    }
}

impl Divisible for Number {
    fn is_nothing(&self) -> bool {
        self.is_zero()
    }
}

/// Functions or numbers, or nothing where something was divided by 0, be it 0 itself.
impl<T: Algebra + Divisible> Algebra for Option<T> {
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
    fn over(&self, other: &Option<T>) -> Option<T> {
        let (above, below) = (self.as_ref()?, other.as_ref()?);
        (!below.is_nothing()).then(|| above.over(below))
    }
    fn power(&self, exponent: i32) -> Option<T> {
        self.as_ref().filter(|base| exponent >= 0 || !base.is_nothing()).map(|base| base.power(exponent))
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
