//! What was read: scores as the file has them, classes, and what was decided about them.

use super::error::Cause;
use super::label::Classes;
use crate::data::{Scored, Step};

/// Scored data as a file has them: the columns of scores, row by row or group by group.
#[derive(Clone, Debug)]
pub struct Dataset {
    /// What the file is called.
    pub file: String,
    /// How many rows of data it has.
    pub rows: usize,
    /// The names of the score columns.
    pub score_columns: Vec<String>,
    /// Which columns say what class a row belongs to.
    pub origin: Origin,
    /// Which label is which class, and what higher scores mean.
    pub classes: Classes,
    /// The scores of each score column, as they are in the file.
    pub scores: Vec<Vec<f64>>,
    /// The class of each row, or the counts of each group; as many as scores in a column.
    pub content: Content,
}

/// Which columns say what class a row belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A label and perhaps a weight.
    Labels {
        /// The column of labels.
        label: String,
        /// The column of weights.
        weight: Option<String>,
    },
    /// How many rows of class 0 and of class 1 there are.
    Counts([String; 2]),
}

/// Rows, or groups of them.
#[derive(Clone, Debug, PartialEq)]
pub enum Content {
    /// Rows in the order of the file.
    Rows {
        /// Whether each is of class 1.
        is_class_1: Vec<bool>,
        /// The weight of each; 1 if there are none.
        weights: Option<Vec<f64>>,
    },
    /// How many rows of class 0 and of class 1 each group has. Rows with very many ties are grouped as they are read.
    Groups([Vec<f64>; 2]),
}

impl Dataset {
    /// Both classes must be there.
    pub(super) fn checked(self) -> Result<Dataset, Cause> {
        let totals = self.totals();
        if !(totals[0] + totals[1]).is_finite() {
            return Err(Cause::TooHeavy);
        }
        match totals.iter().position(|total| *total <= 0.0) {
            Some(class) => Err(Cause::NoWeight(self.classes.names[class].clone())),
            None => Ok(self),
        }
    }

    /// The weight of class 0 and of class 1.
    pub fn totals(&self) -> [f64; 2] {
        match &self.content {
            Content::Rows { is_class_1, weights: None } => {
                let ones = is_class_1.iter().filter(|is_1| **is_1).count();
                [is_class_1.len() - ones, ones].map(|count| count as f64)
            }
            Content::Rows { is_class_1, weights: Some(weights) } => {
                let of = |class: bool| is_class_1.iter().zip(weights).filter(move |(is_1, _)| **is_1 == class);
                [false, true].map(|class| of(class).map(|(_, weight)| weight).sum())
            }
            Content::Groups(counts) => counts.each_ref().map(|counts| counts.iter().sum()),
        }
    }

    /// A score column as a curve: each score changed by a function, the classes perhaps exchanged.
    pub(super) fn curve(&self, column: usize, change: impl Fn(f64) -> f64, exchange: bool) -> Result<Scored, Cause> {
        let scores: Vec<f64> = self.scores[column].iter().map(|score| change(*score)).collect();
        let read = match &self.content {
            Content::Rows { is_class_1, weights } if exchange => {
                let is_class_0: Vec<bool> = is_class_1.iter().map(|is_1| !is_1).collect();
                Scored::from_rows(&scores, &is_class_0, weights.as_deref())
            }
            Content::Rows { is_class_1, weights } => Scored::from_rows(&scores, is_class_1, weights.as_deref()),
            Content::Groups(counts) => {
                let [zero, one] = if exchange { [1, 0] } else { [0, 1] };
                let step = |(row, x): (usize, &f64)| Step { x: *x, mass: [counts[zero][row], counts[one][row]] };
                Scored::from_groups(&scores.iter().enumerate().map(step).collect::<Vec<_>>())
            }
        };
        // Scores and weights were looked at as they were read, and both classes have weight.
        read.map_err(|_| Cause::TooHeavy)
    }
}
