//! Evaluation at a requested level of evidence.

use super::Failure;
use super::option::read_number;
use crate::data::Scored;
use crate::functional::{self, Cost, Evaluation, Level, Refusal, Request, Thresholds};
use crate::lang::Source;
use crate::model::{Model, Transform};

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
    let mut request = Request::at(level).under(cost.clone()).with_thresholds(thresholds.clone());
    if let Some(width) = &width {
        request = request.within(read_width(width)?);
    }
    Ok(functional::evaluate(model, &request)?)
}

/// Reads the width that enclosures should have.
fn read_width(source: &Source) -> Result<f64, Failure> {
    let width = read_number(source)?;
    if width.value > 0.0 {
        return Ok(width.value);
    }
    Err(source.error(source.whole(), "a width is above 0", format!("this is {width}")).help("for example 1e-12").into())
}

/// Points at the cause in the user's text, or tells which level serves the model.
impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Failure {
        let served = match (refusal.diagnostic(), &refusal) {
            (Some(diagnostic), _) => return diagnostic.clone().into(),
            (None, Refusal::Certified(_)) => "gives estimates with their errors",
            (None, _) => "serves this model",
        };
        Failure::worded_with_help(|_| refusal.to_string(), |i| format!("{} {served}", i.setting("level", "numeric")))
    }
}

/// Evaluates scored data at the exact level, as a model of atoms.
pub(crate) fn evaluate_scores_exactly(
    data: &Scored,
    transforms: &[Transform],
    cost: &Cost,
    thresholds: &Thresholds,
) -> Result<Evaluation, Failure> {
    if data.ties().zip(data.ties().skip(1)).any(|(one, next)| one.x == next.x) {
        return Err(Failure::worded_with_help(
            |i| format!("{}: turned round, some scores are closer than doubles can tell", i.setting("level", "exact")),
            |i| format!("{} keeps them apart", i.setting("level", "numeric")),
        ));
    }
    let model = transforms.iter().fold(data.model()?, |model, transform| model.transformed(*transform));
    let threshold = data.threshold_of_model(thresholds.threshold.value, transforms);
    let of_model = Thresholds { threshold, rate: thresholds.rate.clone() };
    let evaluation =
        functional::evaluate(&model, &Request::at(Level::Exact).under(cost.clone()).with_thresholds(of_model))?;
    // Methods are named by the threshold that was given.
    Ok(Evaluation { thresholds: thresholds.clone(), ..evaluation })
}
