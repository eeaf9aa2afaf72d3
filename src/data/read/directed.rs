//! Data whose higher scores speak for class 0: turned round here, at the edge, without touching a tie.
//!
//! Inside, scores grow with class 1. If they grow with class 0 instead, `x = 1 - s` would be the probability of class 1, but in
//! floating point it makes ties of scores that differ (1e-20 and 2e-20). So `x = -s` says everything that rests on the order of scores.
//! What rests on their being probabilities is read with classes exchanged, where `s` itself is the probability of class 1:
//! `π0`, `F0(t)`, `F1(t)`, `c` and `t` become `π1`, `1-F1(t)`, `1-F0(t)`, `1-c` and `1-t`, and what each of them says
//! (absolute errors, Brier scores, calibration loss; `Q`, and so the losses of thresholds that are drawn from the scale of scores or equal to `c`)
//! stays the same number.

use super::dataset::Dataset;
use super::error::{Cause, Place, ReadError};
use crate::calculus::Estimate;
use crate::data::evaluate_scored;
use crate::functional::definition::Scores;
use crate::functional::{Cost, Evaluation, Fixed, Method, Value};

impl Dataset {
    /// All metrics and expected losses of a score column. Thresholds and mean scores are on the scale of the file.
    pub fn evaluate(&self, column: usize, cost: &Cost, fixed: Fixed) -> Result<Evaluation, ReadError> {
        self.directed(column, cost, fixed).map_err(|cause| ReadError {
            file: self.file.clone(),
            place: Place { column: self.score_columns.get(column).cloned(), ..Place::default() },
            cause,
        })
    }

    fn directed(&self, column: usize, cost: &Cost, fixed: Fixed) -> Result<Evaluation, Cause> {
        if self.classes.higher_means == 1 {
            return Ok(evaluate_scored(&self.curve(column, |s| s, false)?, cost, fixed));
        }
        let turned = Fixed { threshold: -fixed.threshold, ..fixed };
        let mut evaluation = evaluate_scored(&self.curve(column, |s| -s, false)?, cost, turned);
        let probabilities = self.scores[column].iter().all(|s| (0.0..=1.0).contains(s));
        if probabilities {
            let exchanged = evaluate_scored(&self.curve(column, |s| s, true)?, &cost.mirrored(), fixed);
            for ((definition, value), (_, other)) in evaluation.metrics.iter_mut().zip(exchanged.metrics) {
                if definition.scores != Scores::Any {
                    *value = other;
                }
            }
            let losses = evaluation.cost_losses.iter_mut().zip(exchanged.cost_losses);
            for ((method, value), (_, other)) in
                losses.chain(evaluation.skew_losses.iter_mut().zip(exchanged.skew_losses))
            {
                if method.scores() != Scores::Any {
                    *value = other;
                }
            }
        }
        for (_, value) in
            evaluation.metrics.iter_mut().filter(|(definition, _)| ["s0", "s1"].contains(&definition.name))
        {
            if let Value::Numeric(Estimate { value, .. }) = value {
                *value = 0.0 - *value;
            }
        }
        for (method, _) in evaluation.cost_losses.iter_mut().chain(&mut evaluation.skew_losses) {
            if let Method::ScoreFixed(threshold) = method {
                *threshold = fixed.threshold;
            }
        }
        evaluation.fixed = fixed;
        Ok(evaluation)
    }
}
