//! Placements at the ends of bins, for what is a sum over rows.

use super::binned::{Bin, Binned};
use crate::scored::{BadScore, Scored, Tie};

/// The class that is at the lower ends of its bins; the other class is at the upper ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lower {
    /// Class 0, which is predicted for low scores: losses are least.
    Class0,
    /// Class 1: losses are greatest.
    Class1,
}

impl Lower {
    /// The key of each class, given those of the lower and of the upper end.
    fn keys(self, [lower, upper]: [f64; 2]) -> [f64; 2] {
        if self == Lower::Class0 { [lower, upper] } else { [upper, lower] }
    }
}

impl Binned {
    /// Each class at an end of its bins, whether it belongs to the bin or is approached only.
    pub(super) fn at_ends(&self, lower: Lower) -> Result<Scored, BadScore> {
        self.placed(|_, bin| lower.keys(bin.ends))
    }

    /// Each class at an end of its bins, or next to it if that end is the lower one and does not belong to the bin. Class 0 is predicted up
    /// to the threshold; whether a score can be above it is decided by the upper end even if that is open.
    pub(super) fn beside_thresholds(&self, lower: Lower) -> Result<Scored, BadScore> {
        let inside = |bin: &Bin| match bin.has_end[0] {
            true => bin.ends,
            false => [bin.ends[0].next_up(), bin.ends[1]],
        };
        self.placed(|_, bin| lower.keys(inside(bin)))
    }

    /// Extreme shares `(x - l)/(h - l)` of the scale between the smallest score `l` and the largest `h`, as scores. `None` if all scores may be
    /// equal, or nearly so, or are too far apart for floating point.
    pub(super) fn shares_of_scale(&self, lower: Lower) -> Option<Result<Scored, BadScore>> {
        let (first, last) = (self.bins.first()?.ends, self.bins.last()?.ends);
        if first[1] >= last[0] || !(last[1] - first[0]).is_finite() {
            return None;
        }
        let share = |[l, h]: [f64; 2], x: f64| ((x - l) / (h - l)).clamp(0.0, 1.0);
        // The share falls as the ends of the scale grow; neither can pass the score itself.
        let least = |bin: &Bin| share([first[1].min(bin.ends[0]), last[1]], bin.ends[0]);
        let greatest = |bin: &Bin| share([first[0], last[0].max(bin.ends[1])], bin.ends[1]);
        let groups = self.bins.iter().flat_map(|bin| {
            let [x0, x1] = lower.keys([least(bin), greatest(bin)]);
            [Tie { x: x0, mass: [bin.mass[0], 0.0] }, Tie { x: x1, mass: [0.0, bin.mass[1]] }]
        });
        Some(Scored::from_groups(&groups.collect::<Vec<_>>()))
    }

    /// Whether the smallest and the largest score are known.
    pub(super) fn has_known_scale(&self) -> bool {
        [self.bins.first(), self.bins.last()].into_iter().flatten().all(Bin::is_score)
    }
}
