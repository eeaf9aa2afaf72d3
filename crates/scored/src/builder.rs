//! Rows of scored data collected one by one.

use super::keys::{Keys, pack};
use super::scored::{BadScore, ScoreDirection, Scored};

/// Collects rows one by one. A row takes eight bytes, and eight more if it has a weight.
///
/// ```
/// use rocproof_scored::{ScoreDirection, ScoredBuilder};
/// let mut rows = ScoredBuilder::unweighted(ScoreDirection::TowardClass1);
/// for (score, is_1) in [(0.2, false), (0.7, true), (0.4, true)] {
///     rows.push(score, is_1, 1.0)?;
/// }
/// assert_eq!(rows.finish()?.totals(), [1.0, 2.0]);
/// # Ok::<(), rocproof_scored::BadScore>(())
/// ```
#[derive(Clone, Debug)]
pub struct ScoredBuilder {
    direction: ScoreDirection,
    count: usize,
    rows: CollectedRows,
}

/// Packed rows: first those with negative sort keys, then the others.
#[derive(Clone, Debug)]
enum CollectedRows {
    Unweighted([Vec<u64>; 2]),
    Weighted([Vec<(u64, f64)>; 2]),
}

impl ScoredBuilder {
    /// A builder for rows of weight 1.
    pub fn unweighted(direction: ScoreDirection) -> ScoredBuilder {
        ScoredBuilder { direction, count: 0, rows: CollectedRows::Unweighted(Default::default()) }
    }

    /// A builder for rows that have a weight each.
    pub fn weighted(direction: ScoreDirection) -> ScoredBuilder {
        ScoredBuilder { direction, count: 0, rows: CollectedRows::Weighted(Default::default()) }
    }

    /// Adds a row. An unweighted builder ignores the weight; a weighted one drops rows of weight 0.
    pub fn push(&mut self, score: f64, is_class_1: bool, weight: f64) -> Result<(), BadScore> {
        let row = self.count;
        if !score.is_finite() {
            return Err(BadScore::Score(row, score));
        }
        let (key, negative) = pack(self.direction.sort_key(score), usize::from(is_class_1));
        let side = usize::from(!negative);
        match &mut self.rows {
            CollectedRows::Unweighted(keys) => keys[side].push(key),
            CollectedRows::Weighted(_) if !(weight.is_finite() && weight >= 0.0) => {
                return Err(BadScore::Weight(row, weight));
            }
            CollectedRows::Weighted(_) if weight == 0.0 => {}
            CollectedRows::Weighted(keys) => keys[side].push((key, weight)),
        }
        self.count += 1;
        Ok(())
    }

    /// Sorts the rows.
    pub fn finish(self) -> Result<Scored, BadScore> {
        match self.rows {
            CollectedRows::Unweighted([negative, others]) => {
                Scored::new(Keys::sorted(negative, others), None, self.direction).checked()
            }
            CollectedRows::Weighted([negative, others]) => {
                let (keys, weights) = Keys::sorted_with(negative, others);
                Scored::new(keys, Some(weights), self.direction).checked()
            }
        }
    }
}
