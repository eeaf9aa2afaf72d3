//! Evaluation at a requested level of evidence.

use super::Failure;
use super::option::read_number;
use crate::data::Scored;
use crate::functional::Thresholds;
use crate::functional::certified;
use crate::functional::exact::Refusal;
use crate::functional::settle::{evaluate_best, evaluate_enclosed, evaluate_exactly};
use crate::functional::{Cost, Evaluation, Method, evaluate_at};
use crate::lang::Source;
use crate::model::{Model, Transform};

/// Levels of evidence that can be requested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// Floating point, with error estimates.
    Numeric,
    /// Guaranteed enclosures.
    Certified,
    /// Rational arithmetic.
    Exact,
    /// The strongest level that applies.
    Best,
}

/// Evaluates a model at a level. A width may be given at the certified level only.
pub fn evaluate(
    model: &Model,
    cost: &Cost,
    thresholds: &Thresholds,
    level: Level,
    width: Option<Source>,
) -> Result<Evaluation, Failure> {
    if width.is_some() && level != Level::Certified {
        return Err(Failure::worded_with_help(
            |i| format!("{} belongs to {}", i.option("width"), i.setting("level", "certified")),
            |i| format!("add {}", i.setting("level", "certified")),
        ));
    }
    match level {
        Level::Numeric => match model.beyond_floating_point() {
            Some(diagnostic) => Err(diagnostic.into()),
            None => Ok(evaluate_at(model, cost, thresholds)),
        },
        Level::Certified => {
            let width = width.as_ref().map_or(Ok(certified::WIDTH), read_width)?;
            evaluate_enclosed(model, cost, thresholds, width).map_err(not_enclosed)
        }
        Level::Exact => evaluate_exactly(model, cost, thresholds).map_err(refused),
        Level::Best => Ok(evaluate_best(model, cost, thresholds)?),
    }
}

/// Reads the width that enclosures should have.
fn read_width(source: &Source) -> Result<f64, Failure> {
    let width = read_number(source)?;
    if width.value > 0.0 {
        return Ok(width.value);
    }
    Err(source.error(source.whole(), "a width is above 0", format!("this is {width}")).help("for example 1e-12").into())
}

fn not_enclosed(refusal: certified::Refusal) -> Failure {
    match refusal {
        certified::Refusal::Density(diagnostic) => (*diagnostic).into(),
        other => Failure::worded_with_help(
            |_| other.to_string(),
            |i| format!("{} gives estimates with their errors", i.setting("level", "numeric")),
        ),
    }
}

/// Why there is no exact value.
fn refused(refusal: Refusal) -> Failure {
    match &refusal {
        Refusal::NotPiecewise(why) => why.diagnostic().clone().into(),
        Refusal::Undecided => Failure::worded_with_help(
            |_| refusal.to_string(),
            |i| format!("{} serves this model", i.setting("level", "numeric")),
        ),
    }
}

/// Evaluates scored data at the exact level, as a model of atoms.
pub fn evaluate_scores_exactly(
    data: &Scored,
    transforms: &[Transform],
    cost: &Cost,
    given: &Thresholds,
) -> Result<Evaluation, Failure> {
    if data.ties().zip(data.ties().skip(1)).any(|(one, next)| one.x == next.x) {
        return Err(Failure::worded_with_help(
            |i| format!("{}: turned round, some scores are closer than doubles can tell", i.setting("level", "exact")),
            |i| format!("{} keeps them apart", i.setting("level", "numeric")),
        ));
    }
    let model = transforms.iter().fold(data.model()?, |model, transform| model.transformed(*transform));
    let threshold = data.threshold_of_model(given.threshold.value, transforms);
    let thresholds = Thresholds { threshold, rate: given.rate.clone() };
    let mut evaluation = evaluate_exactly(&model, cost, &thresholds).map_err(refused)?;
    evaluation.thresholds = given.clone();
    for (method, _) in evaluation.cost_losses.iter_mut().chain(&mut evaluation.skew_losses) {
        // It is called by the threshold that was given.
        if let Method::ScoreFixed(t) = method {
            *t = given.threshold.value;
        }
    }
    Ok(evaluation)
}
