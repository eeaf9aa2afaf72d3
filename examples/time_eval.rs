//! How long does a whole evaluation take? Prints all metrics and losses of two beta densities as JSON, with the best
//! time of many runs. `benches/side_by_side.py` compares it with scipy.
//!
//!     cargo run --release --example time_eval -- 2 5 5 2 0.5

use rocproof::{Condition, Cost, Level, Model, Request, evaluate};
use serde_json::{Map, Value, json};
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [a0, b0, a1, b1, pi0] = arguments.as_slice() else {
        return Err("usage: time_eval a0 b0 a1 b1 pi0".into());
    };
    let model = Model::new(&format!("beta({a0}, {b0})"), &format!("beta({a1}, {b1})"), pi0)?;
    let cost = Cost::uniform();
    let mut best = f64::INFINITY;
    let mut evaluation = evaluate(&model, &Request::at(Level::Numeric).under(cost.clone())).unwrap();
    for _ in 0..500 {
        let start = Instant::now();
        evaluation = evaluate(&model, &Request::at(Level::Numeric).under(cost.clone())).unwrap();
        best = best.min(start.elapsed().as_secs_f64());
    }
    let number = |value: &rocproof::Value| json!(value.estimate().map(|e| e.value));
    let mut values = Map::new();
    for (definition, value) in evaluation.metrics() {
        let name = if definition.name == "H_hmeasure" { "H_R" } else { definition.name };
        values.insert(name.into(), number(value));
    }
    for (condition, losses) in
        [("cost", evaluation.losses(Condition::Cost)), ("skew", evaluation.losses(Condition::Skew))]
    {
        for (method, value) in losses {
            values.insert(format!("{condition}_{}", method.name().trim_end_matches("(1/2)")), number(value));
        }
    }
    println!("{}", json!({ "values": Value::Object(values), "seconds": best }));
    Ok(())
}
