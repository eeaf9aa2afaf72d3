//! Several scores of the same rows.

use super::scored::{BadScore, ScoreDirection, Scored};

/// Models that scored the same rows, one score column each; what is resampled are the rows, and so differences are paired.
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
    /// For each model, which row stands where after sorting; one model alone needs no order.
    pub(super) orders: Option<Vec<Vec<u32>>>,
    /// What rows count for.
    pub(super) units: Units,
    /// How many rows there are.
    pub(super) rows: usize,
}

/// What was drawn from the population, and so is drawn again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Units {
    /// Rows, whatever they weigh.
    Rows,
    /// As many rows as the weights say: weights are counts, as in grouped data.
    Counts,
}

impl Paired {
    /// Reads the scores of each model, with the direction of each, and the classes and weights that they share.
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
            // A row of no weight is no row: it is not drawn, either.
            let kept: Vec<usize> = (0..weights.len()).filter(|row| weights[*row] != 0.0).collect();
            let of = |column: &&[f64]| -> Result<Vec<f64>, BadScore> {
                match column.len() == weights.len() {
                    true => Ok(kept.iter().map(|row| column[*row]).collect()),
                    false => Err(BadScore::Ragged),
                }
            };
            let columns = scores.iter().map(of).collect::<Result<Vec<_>, _>>()?;
            let columns: Vec<&[f64]> = columns.iter().map(Vec::as_slice).collect();
            let classes: Vec<bool> = kept.iter().map(|row| is_class_1[*row]).collect();
            return Paired::new(&columns, directions, &classes, Some(&of(&weights)?));
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

    /// One model. Where weights are counts they are whole numbers; what is not is no count and is drawn as if it were rounded down.
    pub fn single(model: Scored, units: Units) -> Paired {
        let rows = model.rows();
        Paired { models: vec![model], orders: None, units, rows }
    }

    /// The models.
    pub fn models(&self) -> &[Scored] {
        &self.models
    }
}
