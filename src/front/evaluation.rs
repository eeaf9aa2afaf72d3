//! Evaluation at a requested level of evidence.

use super::Failure;
use super::option::read_number;
use crate::data::Scored;
use crate::functional::exact_value::ExactValue;
use crate::functional::question::{Question, Questions};
use crate::functional::{self, Cost, Evaluation, Level, Missing, Refusal, Request, Thresholds, Value};
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
        if let Some(diagnostic) = refusal.diagnostic() {
            return diagnostic.clone().into();
        }
        let benefit = match &refusal {
            Refusal::Certified(_) => "gives estimates with their errors",
            _ => "serves this model",
        };
        Failure::worded_with_help(|_| refusal.to_string(), |i| format!("{} {benefit}", i.setting("level", "numeric")))
    }
}

/// The metric whose prior depends on the class that higher scores speak for. The hull decides it, so transforms do not change it.
const BY_DIRECTION: &str = "H_hmeasure";

/// A metric of a model at the exact level, or why it has no value there.
fn exact_metric(model: &Model, name: &str) -> Value {
    let questions = Question::metric(name).and_then(|question| Questions::new(&[question]).ok());
    let answer = questions.and_then(|questions| questions.exact(model).ok()?.pop());
    match answer.map(|quantity| quantity.map(ExactValue::new)) {
        Some(Ok(Some(exact))) => Value::Exact(Box::new(exact)),
        Some(Err(why)) => why.into(),
        _ => Missing::NotComputed.into(),
    }
}

/// Evaluates scored data at the exact level, as a model of atoms. It fails if reversing the scores made two of them equal.
pub(crate) fn evaluate_scores_exactly(
    data: &Scored,
    transforms: &[Transform],
    cost: &Cost,
    thresholds: &Thresholds,
) -> Result<Evaluation, Failure> {
    let has_equal_neighbours = data.ties().zip(data.ties().skip(1)).any(|(tie, next)| tie.x == next.x);
    if has_equal_neighbours {
        return Err(Failure::worded_with_help(
            |i| {
                format!(
                    "{}: some scores are so close that they are equal after reversal, in double precision",
                    i.setting("level", "exact")
                )
            },
            |i| format!("{} keeps them apart", i.setting("level", "numeric")),
        ));
    }
    let model = transforms.iter().fold(data.model()?, |model, transform| model.transformed(*transform));
    let threshold = data.threshold_of_model(thresholds.threshold.value, transforms);
    let model_thresholds = Thresholds { threshold, rate: thresholds.rate.clone() };
    let request = Request::at(Level::Exact).under(cost.clone()).with_thresholds(model_thresholds);
    let mut evaluation = functional::evaluate(&model, &request)?;
    if data.is_reversed()
        && let Some(value) = evaluation.metric_mut(BY_DIRECTION)
    {
        *value = exact_metric(&data.with_input_scores().model()?, BY_DIRECTION);
    }
    // Methods are named by the threshold that was given.
    Ok(Evaluation { thresholds: thresholds.clone(), ..evaluation })
}
