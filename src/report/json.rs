//! An evaluation as JSON.

use crate::arith::Interval;
use crate::calculus::Estimate;
use crate::functional::evaluation::EnclosedShape;
use crate::functional::{Condition, Cost, Evaluation, Value};
use crate::model::Model;
use crate::transform::ScoreInterval;
use serde_json::{Value as Json, json};

/// A value with its bounds and level, or `null` with the reason. `digits` adds the exact value to that many digits, as text.
pub fn value(value: &Value, digits: Option<usize>) -> Json {
    match value {
        Value::Exact(exact) => {
            let mut object = json!({
                "value": exact.value, "lo": exact.lo, "hi": exact.hi,
                "exact": exact.form.as_ref().ok(), "level": exact.level(),
            });
            if let Json::Object(map) = &mut object {
                if let Some(count) = digits {
                    map.insert("digits".into(), json!(exact.digits(count)));
                }
                if let Err(why) = &exact.form {
                    map.insert("why".into(), json!(why));
                }
            }
            object
        }
        Value::Certified(interval, why) => {
            let mut object = json!({
                // Adding 0 removes the sign of a zero.
                "value": interval.mid() + 0.0, "lo": interval.lo() + 0.0, "hi": interval.hi() + 0.0,
                "exact": null, "level": "certified",
            });
            if let (Json::Object(map), Some(why)) = (&mut object, why) {
                map.insert("why".into(), json!(why));
            }
            object
        }
        // JSON has no infinity.
        Value::Numeric(Estimate { value, error }) => json!({
            "value": value, "lo": (value - error).max(f64::MIN), "hi": (value + error).min(f64::MAX),
            "exact": null, "level": "numeric",
        }),
        Value::Missing(why) => json!({ "value": null, "why": why.to_string() }),
    }
}

/// A score. Infinities are the strings `"-inf"` and `"inf"`, since JSON has no number for them.
pub fn score(x: f64) -> Json {
    if x == f64::INFINITY {
        json!("inf")
    } else if x == f64::NEG_INFINITY {
        json!("-inf")
    } else {
        json!(x)
    }
}

/// A model: name, class proportion, densities, note.
pub fn model(model: &Model) -> Json {
    let mut object = json!({
        "name": model.name(),
        "pi0": model.pi0().to_string(),
        "f0": model.density(0).text(),
        "f1": model.density(1).text(),
    });
    if let (Json::Object(map), Some(note)) = (&mut object, &model.note) {
        map.insert("note".into(), json!(note));
    }
    object
}

/// The losses of all methods over one kind of condition.
fn losses(evaluation: &Evaluation, condition: Condition, digits: Option<usize>) -> Json {
    Json::Object(evaluation.losses(condition).map(|(method, v)| (method.name(), value(v, digits))).collect())
}

/// The metrics of an evaluation, by name.
pub fn metrics(evaluation: &Evaluation, digits: Option<usize>) -> Json {
    let metrics = evaluation.metrics();
    Json::Object(metrics.map(|(m, v)| (evaluation.thresholds.label(m), value(v, digits))).collect())
}

/// The expected losses of an evaluation, by operating condition and method.
pub fn loss(evaluation: &Evaluation, digits: Option<usize>) -> Json {
    json!({
        "cost": losses(evaluation, Condition::Cost, digits),
        "skew": losses(evaluation, Condition::Skew, digits),
    })
}

/// The intervals of scores where the ROC curve lies below its hull.
pub fn gaps(evaluation: &Evaluation) -> Json {
    Json::Array(evaluation.gaps.iter().map(|(a, b)| json!([score(*a), score(*b)])).collect())
}

/// The bijective, constant and singular intervals of the hull.
pub fn intervals(evaluation: &Evaluation) -> Json {
    let shape = evaluation.exact_shape.as_ref().ok();
    let interval_json = |(k, interval): (usize, &ScoreInterval)| {
        let mut object = json!({
            "kind": interval.kind.name(),
            "tau": [score(interval.tau.0), score(interval.tau.1)],
            "sigma": [interval.sigma.0, interval.sigma.1],
        });
        let exact_ends = shape.and_then(|shape| shape.intervals.get(k));
        if let (Json::Object(map), Some([tau, sigma])) = (&mut object, exact_ends) {
            map.insert("exact".into(), json!({ "tau": tau, "sigma": sigma }));
        }
        object
    };
    Json::Array(evaluation.intervals.iter().enumerate().map(interval_json).collect())
}

/// An evaluation of a model, as `eval --json` prints it.
pub fn evaluation(of: &Model, cost: &Cost, evaluation: &Evaluation, digits: Option<usize>) -> Json {
    let mut object = json!({
        "model": model(of),
        "cost": cost.to_string(),
        "convex": evaluation.convex,
        "gaps": gaps(evaluation),
        "intervals": intervals(evaluation),
        "metrics": metrics(evaluation, digits),
        "loss": loss(evaluation, digits),
    });
    if let Json::Object(map) = &mut object {
        map.insert("hull".into(), hull(evaluation));
    }
    object
}

/// The level at which the hull is known, and the intervals of scores off the hull at that level.
fn hull(evaluation: &Evaluation) -> Json {
    match (&evaluation.exact_shape, &evaluation.enclosed_shape) {
        (Ok(shape), _) => json!({ "level": "exact", "gaps": shape.gaps }),
        (Err(_), Some(EnclosedShape { gaps, undecided: None })) => {
            let enclosed_end = |end: &Interval| json!([score(end.lo()), score(end.hi())]);
            let gaps: Vec<Json> = gaps.iter().map(|[a, b]| json!([enclosed_end(a), enclosed_end(b)])).collect();
            json!({ "level": "certified", "gaps": gaps })
        }
        (Err(_), Some(EnclosedShape { undecided: Some(x), .. })) => {
            json!({ "level": "numeric", "why": format!("the hull could not be verified near x = {x}"), "near": score(*x) })
        }
        (Err(why), None) => json!({ "level": "numeric", "why": why }),
    }
}
