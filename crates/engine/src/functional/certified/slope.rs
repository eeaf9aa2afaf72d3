//! Forward-mode differentiation in intervals: enclosures of an expression and of its partial derivatives.

use super::super::program::{Algebra, INPUTS};
use super::weight::EnclosedCosts;
use crate::calculus::patch::EnclosedPoint;
use rocproof_arith::{Interval, Rational};

/// A value and its partial derivatives with respect to the score, `F0` and `F1`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Dual {
    pub(super) value: Interval,
    pub(super) slope: [Interval; 3],
}

impl From<Interval> for Dual {
    fn from(value: Interval) -> Dual {
        Dual { value, slope: [Interval::ZERO; 3] }
    }
}

impl Dual {
    /// The inputs of a program at a point; differentials are 0.
    pub(super) fn inputs(point: &EnclosedPoint) -> [Dual; INPUTS.len()] {
        let variable = |value: Interval, index: usize, slope: f64| {
            let mut dual = Dual::from(value);
            dual.slope[index] = Interval::from(slope);
            dual
        };
        let mut inputs = [Dual::from(Interval::ZERO); INPUTS.len()];
        let values = [point.x, [point.below[0], point.above[0]], [point.below[1], point.above[1]]];
        for (index, [value, complement]) in values.into_iter().enumerate() {
            inputs[2 * index] = variable(value, index, 1.0);
            inputs[2 * index + 1] = variable(complement, index, -1.0);
        }
        inputs
    }

    /// A result with the given value, and with partial derivatives by their index.
    fn with(&self, value: Interval, slope: impl Fn(usize) -> Interval) -> Dual {
        Dual { value, slope: std::array::from_fn(slope) }
    }

    /// The density of operating conditions at `self`, given the complement `1 - self`.
    pub(super) fn weight(&self, complement: &Dual, weight: &EnclosedCosts) -> Dual {
        let slope = weight.slope(self.value, complement.value);
        self.with(weight.at(self.value, complement.value), |i| {
            if self.slope[i] == Interval::ZERO { Interval::ZERO } else { slope * self.slope[i] }
        })
    }
}

impl Algebra for Dual {
    fn constant(value: &Rational) -> Dual {
        Dual::from(Interval::of(value))
    }
    fn literal(_: &Rational, enclosed: Interval) -> Dual {
        Dual::from(enclosed)
    }
    fn plus(&self, other: &Dual) -> Dual {
        self.with(self.value + other.value, |i| self.slope[i] + other.slope[i])
    }
    fn minus(&self, other: &Dual) -> Dual {
        self.with(self.value - other.value, |i| self.slope[i] - other.slope[i])
    }
    fn times(&self, other: &Dual) -> Dual {
        self.with(self.value * other.value, |i| self.slope[i] * other.value + self.value * other.slope[i])
    }
    fn over(&self, other: &Dual) -> Dual {
        let value = self.value.over(&other.value);
        self.with(value, |i| (self.slope[i] - value * other.slope[i]).over(&other.value))
    }
    fn power(&self, exponent: i32) -> Dual {
        let below = exponent.checked_sub(1).map_or(Interval::ALL, |below| Algebra::power(&self.value, below));
        let factor = Interval::from(f64::from(exponent)) * below;
        self.with(Algebra::power(&self.value, exponent), |i| {
            if self.slope[i] == Interval::ZERO { Interval::ZERO } else { factor * self.slope[i] }
        })
    }
}
