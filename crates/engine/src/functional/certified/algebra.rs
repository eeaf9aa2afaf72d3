//! Evaluation of programs in series, in balls and in intervals.

use super::super::program::Algebra;
use rocproof_arith::{Balls, Interval, Rational, Series};

impl Algebra for Series {
    fn constant(value: &Rational) -> Series {
        Series::from(Interval::of(value))
    }
    fn literal(_: &Rational, enclosed: Interval) -> Series {
        Series::from(enclosed)
    }
    fn plus(&self, other: &Series) -> Series {
        *self + *other
    }
    fn minus(&self, other: &Series) -> Series {
        *self - *other
    }
    fn times(&self, other: &Series) -> Series {
        *self * *other
    }
    fn over(&self, other: &Series) -> Series {
        *self / *other
    }
    fn power(&self, exponent: i32) -> Series {
        Series::power(*self, exponent)
    }
}

impl Algebra for Balls {
    fn constant(value: &Rational) -> Balls {
        Balls::from(Interval::of(value))
    }
    fn literal(_: &Rational, enclosed: Interval) -> Balls {
        Balls::from(enclosed)
    }
    fn plus(&self, other: &Balls) -> Balls {
        self + other
    }
    fn minus(&self, other: &Balls) -> Balls {
        self - other
    }
    fn times(&self, other: &Balls) -> Balls {
        self * other
    }
    fn over(&self, other: &Balls) -> Balls {
        self / other
    }
    fn power(&self, exponent: i32) -> Balls {
        Balls::power(self, exponent)
    }
}

impl Algebra for Interval {
    fn constant(value: &Rational) -> Interval {
        Interval::of(value)
    }
    fn literal(_: &Rational, enclosed: Interval) -> Interval {
        enclosed
    }
    fn plus(&self, other: &Interval) -> Interval {
        *self + *other
    }
    fn minus(&self, other: &Interval) -> Interval {
        *self - *other
    }
    fn times(&self, other: &Interval) -> Interval {
        *self * *other
    }
    fn over(&self, other: &Interval) -> Interval {
        *self / *other
    }
    fn power(&self, exponent: i32) -> Interval {
        if exponent == 2 { self.square() } else { Interval::power(*self, exponent) }
    }
}
