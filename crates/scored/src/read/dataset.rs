//! What was read: scores as the file has them, classes, and what was decided about them.

use super::error::Cause;
use super::label::Classes;
use crate::sum::CompensatedSum;
use crate::{BadScore, ScoreDirection, Scored, Tie, evaluate_transformed};
use rocproof_arith::Interval;
use rocproof_engine::calculus::Estimate;
use rocproof_engine::functional::{Cost, Evaluation, Thresholds, Value};
use rocproof_engine::model::Transform;
use rocproof_language::definition::METRICS;

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
    pub origin: ClassColumns,
    /// Which label is which class, and what higher scores mean.
    pub classes: Classes,
    /// The scores of each score column, as they are in the file.
    pub scores: Vec<Vec<f64>>,
    /// The class of each row, or the counts of each group; as many as scores in a column.
    pub content: Content,
}

/// Which columns say what class a row belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClassColumns {
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
                [false, true].map(|class| total(of(class).map(|(_, weight)| weight)))
            }
            Content::Groups(counts) => counts.each_ref().map(|counts| total(counts.iter())),
        }
    }

    /// Which way scores point.
    pub fn direction(&self) -> ScoreDirection {
        if self.classes.higher_means == 1 { ScoreDirection::TowardClass1 } else { ScoreDirection::TowardClass0 }
    }

    /// A score column as a curve.
    pub fn scored(&self, column: usize) -> Result<Scored, BadScore> {
        let scores = &self.scores[column];
        match &self.content {
            Content::Rows { is_class_1, weights } => {
                Scored::directed(self.direction(), scores, is_class_1, weights.as_deref())
            }
            Content::Groups(counts) => {
                let step = |(row, x): (usize, &f64)| Tie { x: *x, mass: [counts[0][row], counts[1][row]] };
                let steps: Vec<Tie> = scores.iter().enumerate().map(step).collect();
                Scored::directed_groups(self.direction(), &steps)
            }
        }
    }

    /// All metrics and expected losses of a score column after transforms, the first of which is applied first. Thresholds and scores
    /// are on the scale of the file, or of probabilities of the class that higher scores mean if scores were turned into those.
    pub fn evaluate(
        &self,
        column: usize,
        transforms: &[Transform],
        cost: &Cost,
        thresholds: &Thresholds,
    ) -> Result<Evaluation, BadScore> {
        let data = self.scored(column)?;
        Ok(on_input_scale(&data, transforms, evaluate_transformed(&data, transforms, cost, thresholds)))
    }
}

/// An evaluation of data after transforms with its scores on the scale of what was given.
pub fn on_input_scale(data: &Scored, transforms: &[Transform], mut evaluation: Evaluation) -> Evaluation {
    if !data.is_reversed() {
        return evaluation;
    }
    let becomes_probability = transforms.iter().any(|transform| *transform != Transform::Conv);
    let given = |x: f64| if becomes_probability { 1.0 - x } else { data.input_score(x) };
    let mean_given = |x: f64| if becomes_probability { 1.0 - x } else { data.input_mean(x) };
    for definition in METRICS.iter().filter(|definition| definition.mean_of.is_some()) {
        if let Some(value) = evaluation.metric_mut(definition.name) {
            *value = match value {
                Value::Numeric(mean) => Value::Numeric(Estimate {
                    value: mean_given(mean.value),
                    error: mean.error + f64::EPSILON * (1.0 + mean.value.abs()),
                }),
                // The closed form is that of the score before it was turned round.
                Value::Exact(_) | Value::Certified(..) => match value.enclosure() {
                    Some(mean) => Value::Certified(Interval::from(mean_given(0.0)) - mean, None),
                    None => continue,
                },
                Value::Missing(_) => continue,
            };
        }
    }
    if let Ok(shape) = &mut evaluation.shape {
        // Written out they are on the other scale.
        shape.gaps.clear();
        shape.intervals.clear();
    }
    let turned = |(low, high): (f64, f64)| (given(high), given(low));
    evaluation.gaps = evaluation.gaps.into_iter().rev().map(turned).collect();
    evaluation.intervals.reverse();
    for interval in &mut evaluation.intervals {
        interval.tau = turned(interval.tau);
        interval.sigma = (interval.sigma.1, interval.sigma.0);
    }
    evaluation
}

fn total<'a>(weights: impl Iterator<Item = &'a f64>) -> f64 {
    weights.fold(CompensatedSum::default(), |sum, weight| sum.plus(*weight)).value()
}
