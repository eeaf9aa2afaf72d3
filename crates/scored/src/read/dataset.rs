//! The data of a file: scores, classes, and their names.

use super::error::Cause;
use super::label::Classes;
use crate::sum::CompensatedSum;
use crate::{BadBins, BadScore, BinRows, Binned, Closed, ScoreDirection, Scored, Tie, evaluate_transformed};
use rocproof_arith::Interval;
use rocproof_engine::calculus::Estimate;
use rocproof_engine::functional::{Cost, Evaluation, Thresholds, Value};
use rocproof_engine::model::Transform;
use rocproof_language::definition::METRICS;

/// Scored data as a file holds them, by rows or by groups.
#[derive(Clone, Debug)]
pub struct Dataset {
    /// The name of the file.
    pub file: String,
    /// The number of rows of the file.
    pub rows: usize,
    /// The names of the score columns.
    pub score_columns: Vec<String>,
    /// The columns that give the classes.
    pub origin: ClassColumns,
    /// The labels of the classes, and the class that higher scores indicate.
    pub classes: Classes,
    /// The scores of each score column, as they are in the file. Rows that were grouped have one score for each group.
    pub scores: Vec<Vec<f64>>,
    /// The class of each row, or the counts of each group, in the order of the scores.
    pub content: Content,
}

/// The columns that give the class of each row, or the number of rows of each class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClassColumns {
    /// A column of labels, and perhaps one of weights.
    Labels {
        /// The column of labels.
        label: String,
        /// The column of weights.
        weight: Option<String>,
    },
    /// The columns that count the rows of class 0 and of class 1.
    Counts([String; 2]),
}

/// The classes of rows or groups.
#[derive(Clone, Debug, PartialEq)]
pub enum Content {
    /// Rows in the order of the file.
    Rows {
        /// Whether each row is of class 1.
        is_class_1: Vec<bool>,
        /// The weight of each row; `None` if all are 1.
        weights: Option<Vec<f64>>,
    },
    /// The number of rows of class 0 and of class 1 in each group. Rows with very many ties are grouped while they are read.
    Groups([Vec<f64>; 2]),
}

impl Dataset {
    /// Refuses data in which a class has no weight, or weights overflow.
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

    /// The total weight of class 0 and of class 1.
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

    /// The number of rows of a sample that is drawn from the data: the rows, or for grouped data their total count.
    pub fn sampled_rows(&self) -> f64 {
        match &self.content {
            Content::Rows { .. } => self.rows as f64,
            Content::Groups(_) => self.totals().iter().sum(),
        }
    }

    /// The class that higher scores indicate.
    pub fn direction(&self) -> ScoreDirection {
        if self.classes.higher_means == 1 { ScoreDirection::TowardClass1 } else { ScoreDirection::TowardClass0 }
    }

    /// The scores of a column, sorted.
    pub fn scored(&self, column: usize) -> Result<Scored, BadScore> {
        let scores = &self.scores[column];
        match &self.content {
            Content::Rows { is_class_1, weights } => {
                Scored::directed(self.direction(), scores, is_class_1, weights.as_deref())
            }
            Content::Groups(counts) => {
                let group = |(k, x): (usize, &f64)| Tie { x: *x, mass: [counts[0][k], counts[1][k]] };
                let groups: Vec<Tie> = scores.iter().enumerate().map(group).collect();
                Scored::directed_groups(self.direction(), &groups)
            }
        }
    }

    /// The bins between the ends in the two score columns. `closed` says which end belongs to a bin.
    pub fn binned(&self, closed: Option<Closed>) -> Result<Binned, BadBins> {
        let [lo, hi] = &self.scores[..] else { return Err(BadBins::Ragged) };
        let mass: Vec<[f64; 2]> = match &self.content {
            Content::Rows { is_class_1, weights } => {
                let weight = |row: usize| weights.as_ref().map_or(1.0, |weights| weights[row]);
                let of_row = |(row, is_1): (usize, &bool)| if *is_1 { [0.0, weight(row)] } else { [weight(row), 0.0] };
                is_class_1.iter().enumerate().map(of_row).collect()
            }
            Content::Groups([n0, n1]) => n0.iter().zip(n1).map(|(n0, n1)| [*n0, *n1]).collect(),
        };
        Binned::new(self.direction(), BinRows { lo, hi, mass: &mass }, closed)
    }

    /// All metrics and expected losses of a score column after transforms, which are applied in order.
    ///
    /// Thresholds and scores are on the scale of the file; after `Cal` or `Even`, on that of probabilities of the class that higher scores
    /// indicate.
    pub fn evaluate_column(
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

/// Puts the scores in an evaluation of transformed data on the scale of the input. Nothing changes unless scores were reversed.
pub fn on_input_scale(data: &Scored, transforms: &[Transform], evaluation: Evaluation) -> Evaluation {
    if !data.is_reversed() {
        return evaluation;
    }
    let becomes_probability = transforms.iter().any(|transform| *transform != Transform::Conv);
    let input_score = |x: f64| if becomes_probability { 1.0 - x } else { data.input_score(x) };
    let input_mean = |x: f64| if becomes_probability { 1.0 - x } else { data.input_mean(x) };
    reverse_scores(evaluation, input_score, input_mean)
}

/// Puts the scores in an evaluation of reversed scores on the scale of the input.
pub(crate) fn reverse_scores(
    mut evaluation: Evaluation,
    input_score: impl Fn(f64) -> f64,
    input_mean: impl Fn(f64) -> f64,
) -> Evaluation {
    for definition in METRICS.iter().filter(|definition| definition.mean_of.is_some()) {
        if let Some(value) = evaluation.metric_mut(definition.name) {
            *value = match value {
                Value::Numeric(mean) => Value::Numeric(Estimate {
                    value: input_mean(mean.value),
                    error: mean.error + f64::EPSILON * (1.0 + mean.value.abs()),
                }),
                // The closed form is that of the reversed score, and is dropped.
                Value::Exact(_) | Value::Certified(..) => match value.enclosure() {
                    Some(mean) => Value::Certified(Interval::from(input_mean(0.0)) - mean, None),
                    None => continue,
                },
                Value::Missing(_) => continue,
            };
        }
    }
    if let Ok(shape) = &mut evaluation.exact_shape {
        // The exact ends are those of reversed scores.
        shape.gaps.clear();
        shape.intervals.clear();
    }
    let reversed = |(low, high): (f64, f64)| (input_score(high), input_score(low));
    evaluation.gaps = evaluation.gaps.into_iter().rev().map(reversed).collect();
    evaluation.intervals.reverse();
    for interval in &mut evaluation.intervals {
        interval.tau = reversed(interval.tau);
        interval.sigma = (interval.sigma.1, interval.sigma.0);
    }
    evaluation
}

/// The compensated sum of weights.
fn total<'a>(weights: impl Iterator<Item = &'a f64>) -> f64 {
    weights.fold(CompensatedSum::default(), |sum, weight| sum.plus(*weight)).value()
}
