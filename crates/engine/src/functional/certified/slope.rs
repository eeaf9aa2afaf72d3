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
    /// The inputs of a program at a point: the score, `F0` and `F1` are the variables, their complements have the derivative -1, and
    /// differentials are 0.
    pub(super) fn inputs(point: &EnclosedPoint) -> [Dual; INPUTS.len()] {
        let variable = |value: Interval, index: usize, slope: f64| {
            let mut dual = Dual::from(value);
            dual.slope[index] = Interval::from(slope);
            dual
        };
        // The first six inputs are the score, `F0` and `F1`, each followed by its complement.
        let mut inputs = [Dual::from(Interval::ZERO); INPUTS.len()];
        let values = [point.x, [point.below[0], point.above[0]], [point.below[1], point.above[1]]];
        for (index, [value, complement]) in values.into_iter().enumerate() {
            inputs[2 * index] = variable(value, index, 1.0);
            inputs[2 * index + 1] = variable(complement, index, -1.0);
        }
        inputs
    }

    /// A number from its value and a function that gives its partial derivatives.
    fn new(value: Interval, slope: impl Fn(usize) -> Interval) -> Dual {
        Dual { value, slope: std::array::from_fn(slope) }
    }

    /// The density of operating conditions at `self`, given the complement `1 - self`.
    pub(super) fn weight(&self, complement: &Dual, weight: &EnclosedCosts) -> Dual {
        let slope = weight.slope(self.value, complement.value);
        // Chain rule. A derivative of 0 stays 0 even if the slope of the density is unbounded.
        Dual::new(weight.at(self.value, complement.value), |i| {
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
        Dual::new(self.value + other.value, |i| self.slope[i] + other.slope[i])
    }
    fn minus(&self, other: &Dual) -> Dual {
        Dual::new(self.value - other.value, |i| self.slope[i] - other.slope[i])
    }
    fn times(&self, other: &Dual) -> Dual {
        Dual::new(self.value * other.value, |i| self.slope[i] * other.value + self.value * other.slope[i])
    }
    /// The quotient rule: `(u/v)' = (u' - (u/v) v')/v`.
    fn over(&self, other: &Dual) -> Dual {
        let value = self.value.over(&other.value);
        Dual::new(value, |i| (self.slope[i] - value * other.slope[i]).over(&other.value))
    }
    fn power(&self, exponent: i32) -> Dual {
        // (v^n)' = n v^(n-1) v'.
        let lower_power = exponent.checked_sub(1).map_or(Interval::ALL, |lower| Algebra::power(&self.value, lower));
        let factor = Interval::from(f64::from(exponent)) * lower_power;
        Dual::new(Algebra::power(&self.value, exponent), |i| {
            if self.slope[i] == Interval::ZERO { Interval::ZERO } else { factor * self.slope[i] }
        })
    }
}
