//! Weighted rows of scored data collected one by one.

use super::keys::{Keys, pack};
use super::scored::{BadScore, ScoreDirection, Scored};

/// Collects weighted rows one by one. A row takes sixteen bytes.
///
/// ```
/// use rocproof_scored::{ScoreDirection, ScoredBuilder};
/// let mut rows = ScoredBuilder::new(ScoreDirection::TowardClass1);
/// for (score, is_1) in [(0.2, false), (0.7, true), (0.4, true)] {
///     rows.push(score, is_1, 1.0)?;
/// }
/// assert_eq!(rows.finish()?.totals(), [1.0, 2.0]);
/// # Ok::<(), rocproof_scored::BadScore>(())
/// ```
#[derive(Clone, Debug)]
pub struct ScoredBuilder {
    direction: ScoreDirection,
    /// The number of rows that were added, those of weight 0 included.
    count: usize,
    /// The rows whose score, with the sign that sorts it towards class 1, is negative: packed, with their weights. [`pack`] has no room for
    /// the sign.
    negative: Vec<(u64, f64)>,
    /// The other rows, packed, with their weights.
    others: Vec<(u64, f64)>,
}

impl ScoredBuilder {
    /// A builder without rows.
    pub fn new(direction: ScoreDirection) -> ScoredBuilder {
        ScoredBuilder { direction, count: 0, negative: Vec::new(), others: Vec::new() }
    }

    /// Adds a row. Rows of weight 0 are dropped.
    pub fn push(&mut self, score: f64, is_class_1: bool, weight: f64) -> Result<(), BadScore> {
        let row = self.count;
        if !score.is_finite() {
            return Err(BadScore::Score(row, score));
        }
        if !(weight.is_finite() && weight >= 0.0) {
            return Err(BadScore::Weight(row, weight));
        }
        self.count += 1;
        if weight > 0.0 {
            let (key, is_negative) = pack(self.direction.sort_key(score), usize::from(is_class_1));
            let rows = if is_negative { &mut self.negative } else { &mut self.others };
            rows.push((key, weight));
        }
        Ok(())
    }

    /// Sorts the rows.
    pub fn finish(self) -> Result<Scored, BadScore> {
        let (keys, weights) = Keys::sorted_with(self.negative, self.others);
        Scored::new(keys, Some(weights), self.direction).checked()
    }
}
