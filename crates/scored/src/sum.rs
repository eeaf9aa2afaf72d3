//! Sums of many floats: compensated, and exact.

use rocproof_arith::rational::from_f64;
use rocproof_arith::{Interval, Rational};

/// Neumaier's compensated sum: the rounding error of each addition is accumulated and added at the end.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct CompensatedSum {
    sum: f64,
    compensation: f64,
}

impl CompensatedSum {
    /// The sum with one more term.
    #[inline]
    pub(super) fn plus(self, term: f64) -> CompensatedSum {
        let sum = self.sum + term;
        let rounding_error =
            if self.sum.abs() >= term.abs() { (self.sum - sum) + term } else { (term - sum) + self.sum };
        CompensatedSum { sum, compensation: self.compensation + rounding_error }
    }

    /// The sum of two sums.
    pub(super) fn plus_sum(self, other: CompensatedSum) -> CompensatedSum {
        self.plus(other.sum).plus(other.compensation)
    }

    /// The value of the sum.
    #[inline]
    pub(super) fn value(self) -> f64 {
        self.sum + self.compensation
    }
}

impl From<f64> for CompensatedSum {
    fn from(sum: f64) -> CompensatedSum {
        CompensatedSum { sum, compensation: 0.0 }
    }
}

/// Shewchuk's exact sum: floats whose digits do not overlap, in ascending order. It is a single float while nothing was rounded.
#[derive(Clone, Debug, Default)]
pub(super) struct ExactSum {
    parts: Vec<f64>,
}

impl ExactSum {
    /// Adds a term without error.
    pub(super) fn add(&mut self, term: f64) {
        let mut carried = term;
        let mut kept = 0;
        for i in 0..self.parts.len() {
            let part = self.parts[i];
            let (large, small) = if carried.abs() < part.abs() { (part, carried) } else { (carried, part) };
            carried = large + small;
            let rounding_error = small - (carried - large);
            if rounding_error != 0.0 {
                self.parts[kept] = rounding_error;
                kept += 1;
            }
        }
        self.parts.truncate(kept);
        self.parts.push(carried);
    }

    /// The sum as a float, within a few roundings.
    pub(super) fn rounded(&self) -> f64 {
        self.parts.iter().sum()
    }

    /// The sum as a rational.
    pub(super) fn exact(&self) -> Rational {
        self.parts.iter().filter_map(|part| from_f64(*part)).fold(Rational::ZERO, |sum, part| sum + part)
    }

    /// The narrowest interval of floats around the sum.
    pub(super) fn interval(&self) -> Interval {
        match self.parts.as_slice() {
            [] => Interval::ZERO,
            [sum] => Interval::from(*sum),
            _ => Interval::of(&self.exact()),
        }
    }
}
