//! Placements that are extreme for what depends on the order of scores only. Scores are their positions in that order.

use super::binned::Binned;
use crate::scored::{BadScore, Scored};

/// An order of the scores within bins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// Class 0 below class 1 in each bin; where bins touch, class 1 of the lower one ties with class 0 of the upper one.
    Best,
    /// Class 1 below class 0 in each bin; where bins touch, class 0 of the lower one ties with class 1 of the upper one.
    Worst,
    /// Only known scores tie.
    Apart,
    /// Each run of touching bins is one tie.
    Joined,
}

impl Binned {
    /// Scored data in an order. Their scores are positions and mean nothing else.
    pub(super) fn in_order(&self, order: Order) -> Result<Scored, BadScore> {
        let mut position = -1.0;
        let mut next = || {
            position += 1.0;
            position
        };
        // The positions of the lower and of the upper end of each bin.
        let mut ends: Vec<[f64; 2]> = Vec::with_capacity(self.bins.len());
        for bin in &self.bins {
            let ties_with =
                ends.last().filter(|_| bin.touches_before && order != Order::Apart).map(|[_, upper]| *upper);
            let lower = ties_with.unwrap_or_else(&mut next);
            let upper = if bin.is_score() || order == Order::Joined { lower } else { next() };
            ends.push([lower, upper]);
        }
        self.placed(|k, _| {
            let [lower, upper] = ends[k];
            if order == Order::Worst { [upper, lower] } else { [lower, upper] }
        })
    }
}

/// The greatest `F0 - F1` on the ROC curve, and the greatest `F1 - F0`. Neither is negative: both are 0 at the ends of the curve.
pub(super) fn greatest_distances(data: &Scored) -> [f64; 2] {
    let totals = data.totals();
    let mut sums = [crate::sum::CompensatedSum::default(); 2];
    let mut greatest = [0.0f64; 2];
    for tie in data.ties() {
        sums = [0, 1].map(|class| sums[class].plus(tie.mass[class]));
        let [f0, f1] = [0, 1].map(|class| sums[class].value() / totals[class]);
        greatest = [greatest[0].max(f0 - f1), greatest[1].max(f1 - f0)];
    }
    greatest
}
