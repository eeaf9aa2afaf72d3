//! Sums of many numbers.

/// A sum that keeps what rounding takes off it (Neumaier).
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct CompensatedSum {
    sum: f64,
    lost: f64,
}

impl CompensatedSum {
    /// One more term.
    #[inline]
    pub(super) fn plus(self, term: f64) -> CompensatedSum {
        let sum = self.sum + term;
        let lost = if self.sum.abs() >= term.abs() { (self.sum - sum) + term } else { (term - sum) + self.sum };
        CompensatedSum { sum, lost: self.lost + lost }
    }

    /// The sum of two sums.
    pub(super) fn and(self, other: CompensatedSum) -> CompensatedSum {
        self.plus(other.sum).plus(other.lost)
    }

    /// What it comes to.
    #[inline]
    pub(super) fn value(self) -> f64 {
        self.sum + self.lost
    }
}

impl From<f64> for CompensatedSum {
    fn from(sum: f64) -> CompensatedSum {
        CompensatedSum { sum, lost: 0.0 }
    }
}
