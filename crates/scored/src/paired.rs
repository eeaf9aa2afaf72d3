//! Several models that scored the same rows.

use super::scored::{BadScore, ScoreDirection, Scored};

/// Models that scored the same rows, one score column each. Samples are drawn from the rows, so that differences between models are paired.
///
/// ```
/// use rocproof_scored::{ScoreDirection, Paired};
/// let (good, bad) = ([0.1, 0.2, 0.8, 0.9], [0.4, 0.5, 0.3, 0.6]);
/// let models = Paired::new(&[&good, &bad], &[ScoreDirection::TowardClass1; 2], &[false, false, true, true], None)?;
/// assert_eq!(models.models().len(), 2);
/// # Ok::<(), rocproof_scored::BadScore>(())
/// ```
#[derive(Clone, Debug)]
pub struct Paired {
    models: Vec<Scored>,
    /// For each model, the input row of each sorted row; `None` for a single model, which needs no common order.
    pub(super) orders: Option<Vec<Vec<u32>>>,
    /// The sampling unit.
    pub(super) units: Units,
    /// The number of rows.
    pub(super) rows: usize,
}

/// All pairs of indices below `count`, the smaller one first.
///
/// ```
/// use rocproof_scored::pairs;
/// assert_eq!(pairs(3).collect::<Vec<_>>(), [(0, 1), (0, 2), (1, 2)]);
/// ```
pub fn pairs(count: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..count).flat_map(move |a| (a + 1..count).map(move |b| (a, b)))
}

/// The sampling unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Units {
    /// Rows, regardless of their weights.
    Rows,
    /// Rows that are counted by the weights, as in grouped data.
    Counts,
}

impl Paired {
    /// Sorts the scores of each model, given with their direction. Classes and weights are common. Rows of weight 0 are dropped.
    pub fn new(
        scores: &[&[f64]],
        directions: &[ScoreDirection],
        is_class_1: &[bool],
        weights: Option<&[f64]>,
    ) -> Result<Paired, BadScore> {
        if scores.len() != directions.len() || weights.is_some_and(|weights| weights.len() != is_class_1.len()) {
            return Err(BadScore::Ragged);
        }
        if u32::try_from(is_class_1.len()).is_err() {
            return Err(BadScore::TooMany(is_class_1.len()));
        }
        if let Some(weights) = weights.filter(|weights| weights.contains(&0.0)) {
            let kept: Vec<usize> = (0..weights.len()).filter(|row| weights[*row] != 0.0).collect();
            let without_dropped = |column: &&[f64]| -> Result<Vec<f64>, BadScore> {
                match column.len() == weights.len() {
                    true => Ok(kept.iter().map(|row| column[*row]).collect()),
                    false => Err(BadScore::Ragged),
                }
            };
            let columns = scores.iter().map(without_dropped).collect::<Result<Vec<_>, _>>()?;
            let columns: Vec<&[f64]> = columns.iter().map(Vec::as_slice).collect();
            let classes: Vec<bool> = kept.iter().map(|row| is_class_1[*row]).collect();
            return Paired::new(&columns, directions, &classes, Some(&without_dropped(&weights)?));
        }
        let mut models = Vec::with_capacity(scores.len());
        let mut orders = Vec::with_capacity(scores.len());
        for (scores, direction) in scores.iter().zip(directions) {
            let (model, order) = Scored::with_order(*direction, scores, is_class_1, weights)?;
            models.push(model);
            orders.push(order);
        }
        Ok(Paired { models, orders: Some(orders), units: Units::Rows, rows: is_class_1.len() })
    }

    /// A single model. With [`Units::Counts`] weights should be whole numbers; samples are drawn as if their total were rounded down.
    pub fn single(model: Scored, units: Units) -> Paired {
        let rows = model.rows();
        Paired { models: vec![model], orders: None, units, rows }
    }

    /// The sampling unit.
    pub fn units(&self) -> Units {
        self.units
    }

    /// The number of rows, or of groups of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The number of rows of a sample: the rows, or for grouped data their total count.
    pub fn sampled_rows(&self) -> f64 {
        match (self.units, self.models.first()) {
            (Units::Counts, Some(model)) => model.totals().iter().sum(),
            _ => self.rows as f64,
        }
    }

    /// The models.
    pub fn models(&self) -> &[Scored] {
        &self.models
    }
}
