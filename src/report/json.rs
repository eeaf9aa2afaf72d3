//! An evaluation as JSON.

use crate::calculus::Estimate;
use crate::functional::{Cost, Evaluation, Method, Value};
use crate::model::Model;
use serde_json::{Map, Value as Json, json};

/// A number with its bounds and level, or `null` with the reason.
pub fn value(value: &Value) -> Json {
    match value {
        Value::Numeric(Estimate { value, error }) => json!({
            "value": value, "lo": value - error, "hi": value + error, "exact": null, "level": "numeric",
        }),
        Value::Unavailable(why) => json!({ "value": null, "why": why }),
    }
}

/// A score; infinite ones are the strings `"-inf"` and `"inf"`, since JSON has no number for them.
pub fn score(x: f64) -> Json {
    if x == f64::INFINITY {
        json!("inf")
    } else if x == f64::NEG_INFINITY {
        json!("-inf")
    } else {
        json!(x)
    }
}

/// A model as it was given.
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

fn losses(losses: &[(Method, Value)]) -> Json {
    Json::Object(losses.iter().map(|(method, v)| (method.name(), value(v))).collect())
}

/// What `eval --json` prints.
pub fn evaluation(of: &Model, cost: &Cost, evaluation: &Evaluation) -> Json {
    let metrics: Map<String, Json> =
        evaluation.metrics.iter().map(|(definition, v)| (definition.label(evaluation.fixed), value(v))).collect();
    let intervals = evaluation.intervals.iter().map(|i| {
        json!({
            "kind": i.kind.name(),
            "tau": [score(i.tau.0), score(i.tau.1)],
            "sigma": [i.sigma.0, i.sigma.1],
        })
    });
    json!({
        "model": model(of),
        "cost": cost.to_string(),
        "convex": evaluation.convex,
        "gaps": evaluation.gaps.iter().map(|(a, b)| json!([score(*a), score(*b)])).collect::<Vec<_>>(),
        "intervals": intervals.collect::<Vec<_>>(),
        "metrics": metrics,
        "loss": { "cost": losses(&evaluation.cost_losses), "skew": losses(&evaluation.skew_losses) },
    })
}
