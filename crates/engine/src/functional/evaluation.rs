//! All metrics and expected losses of a model, each with its evidence, and the shape of its hull.

use super::definition::{Condition, Definition, METRICS, Method};
use super::thresholds::Thresholds;
use super::value::Value;
use crate::transform::ScoreInterval;
use rocproof_arith::Interval;

/// The ends of the gaps and intervals of a hull, written out by exact arithmetic.
#[derive(Clone, Debug, PartialEq)]
pub struct ExactShape {
    /// The ends of the non-hull intervals.
    pub gaps: Vec<[String; 2]>,
    /// The ends of `tau` and of `sigma` for each interval.
    pub intervals: Vec<[[String; 2]; 2]>,
}

/// The proved facts about a hull at the certified level.
#[derive(Clone, Debug, PartialEq)]
pub struct EnclosedShape {
    /// The non-hull intervals, their ends enclosed.
    pub gaps: Vec<[Interval; 2]>,
    /// A score near which the hull could not be verified.
    pub undecided: Option<f64>,
}

/// All that `eval` says of a model.
#[derive(Clone, Debug)]
pub struct Evaluation {
    /// The threshold and the rate of the fixed methods.
    pub thresholds: Thresholds,
    /// Whether the ROC curve is convex; `None` if that could not be decided.
    pub convex: Option<bool>,
    /// The non-hull intervals of scores.
    pub gaps: Vec<(f64, f64)>,
    /// The bijective, constant and singular intervals of the hull.
    pub intervals: Vec<ScoreInterval>,
    /// The gaps and intervals written out, at the exact level; otherwise why they are not.
    pub exact_shape: Result<ExactShape, String>,
    /// The proved facts about the hull, at the certified level.
    pub enclosed_shape: Option<EnclosedShape>,
    /// The metrics in the order of [`METRICS`], the losses over cost proportions, the losses over skews.
    pub values: Vec<Value>,
}

impl Evaluation {
    /// The metrics.
    pub fn metrics(&self) -> impl Iterator<Item = (&'static Definition, &Value)> {
        METRICS.iter().zip(&self.values)
    }

    /// The expected losses of the seven methods over one kind of operating condition.
    pub fn losses(&self, condition: Condition) -> impl Iterator<Item = (Method, &Value)> {
        let skipped = METRICS.len() + if condition == Condition::Cost { 0 } else { Method::ALL.len() };
        self.thresholds.methods().into_iter().zip(&self.values[skipped..])
    }

    /// A metric by name.
    pub fn metric(&self, name: &str) -> Option<&Value> {
        self.metrics().find(|(definition, _)| definition.name == name).map(|(_, value)| value)
    }

    /// A metric by name, to be changed.
    pub fn metric_mut(&mut self, name: &str) -> Option<&mut Value> {
        METRICS.iter().position(|definition| definition.name == name).and_then(|k| self.values.get_mut(k))
    }

    /// An expected loss.
    pub fn loss(&self, condition: Condition, method: Method) -> Option<&Value> {
        self.losses(condition).find(|(known, _)| *known == method).map(|(_, value)| value)
    }
}
