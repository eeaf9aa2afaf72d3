//! The rows of models that were sorted.

use super::paired::{Paired, Units};

/// The rows that models are made of, from which equal models can be made again.
#[derive(Clone, Debug, PartialEq)]
pub struct Rows {
    /// The input scores of each model.
    pub scores: Vec<Vec<f64>>,
    /// Whether each row is of class 1.
    pub is_class_1: Vec<bool>,
    /// The weight of each row; `None` if all are 1.
    pub weights: Option<Vec<f64>>,
    /// The sampling unit.
    pub units: Units,
}

impl Paired {
    /// The rows without those of weight 0: in the order of the input for several models, in the order of the scores for one.
    ///
    /// ```
    /// use rocproof_scored::{Paired, ScoreDirection};
    /// let (one, other) = ([0.8, 0.1, 0.4], [0.5, 0.5, 0.2]);
    /// let models = Paired::new(&[&one, &other], &[ScoreDirection::TowardClass0; 2], &[false, true, true], None)?;
    /// assert_eq!(models.to_rows().scores, [one, other]);
    /// # Ok::<(), rocproof_scored::BadScore>(())
    /// ```
    pub fn to_rows(&self) -> Rows {
        let count = self.models().first().map_or(0, |model| model.rows());
        let mut is_class_1 = vec![false; count];
        let mut weights = self.models().first().and_then(|model| model.weights().map(<[f64]>::to_vec));
        let mut scores = Vec::with_capacity(self.models().len());
        for (k, model) in self.models().iter().enumerate() {
            let mut column = vec![0.0; count];
            for sorted in 0..count {
                let row = self.orders.as_ref().map_or(sorted, |orders| orders[k][sorted] as usize);
                column[row] = model.sorted_input_score(sorted);
                is_class_1[row] = model.class(sorted) == 1;
                if let Some(weights) = &mut weights {
                    weights[row] = model.weight(sorted);
                }
            }
            scores.push(column);
        }
        Rows { scores, is_class_1, weights, units: self.units }
    }
}
