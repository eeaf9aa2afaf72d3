//! The least calibration loss by ties.
//!
//! `CL` is the mean of `(x - c)²` over ties, with the score `x` of a tie and its share `c` of class 1. For a set of bins whose scores tie with no
//! others, with weight `m`, share `c` and all scores in `[l, h]`, Jensen's inequality gives `CL >= m (x̄ - c)² >= m d²`, where `x̄` is their mean
//! score and `d` the distance of `c` from `[l, h]`. A single bin attains `m d²`, or approaches it if an end is open: all of it ties at the score
//! next to `c`. A run of touching bins need not.

use super::binned::{Bin, Binned};
use crate::sum::CompensatedSum;
use rocproof_engine::calculus::Estimate;

/// The error of a mean of squares of numbers from [0, 1], each with a few roundings.
const ROUNDING: f64 = 16.0 * f64::EPSILON;

impl Binned {
    /// A lower bound of the calibration loss, and whether it is attained or approached. Scores are probabilities.
    pub(super) fn least_calibration_loss(&self) -> (Estimate, bool) {
        let bound = self.loss_of_sets(self.runs());
        let of_single_bins = self.loss_of_sets(self.bins.chunks(1));
        let is_attained = !self.has_touching_bins() || of_single_bins.value <= bound.value + ROUNDING;
        (bound, is_attained)
    }

    /// The sum of `m d²/n` over sets of neighbouring bins.
    fn loss_of_sets<'a>(&'a self, sets: impl Iterator<Item = &'a [Bin]>) -> Estimate {
        let sum =
            |mass: &mut dyn Iterator<Item = f64>| mass.fold(CompensatedSum::default(), CompensatedSum::plus).value();
        let n = sum(&mut self.bins.iter().map(|bin| bin.mass[0] + bin.mass[1]));
        let term = |set: &[Bin]| {
            let [m0, m1] = [0, 1].map(|class: usize| sum(&mut set.iter().map(|bin| bin.mass[class])));
            let share = m1 / (m0 + m1);
            let (Some(first), Some(last)) = (set.first(), set.last()) else { return 0.0 };
            let [l, h] = [first.ends[0], last.ends[1]].map(|key| self.probability(key));
            let distance = (l - share).max(share - h).max(0.0);
            (m0 + m1) / n * distance * distance
        };
        Estimate { value: sum(&mut sets.map(term)), error: ROUNDING }
    }
}
