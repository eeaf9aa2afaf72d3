//! Linear relations that were discovered, for people and as JSON.

use crate::statement::{Statement, Term};
use crate::theory::discover::Discovery;
use serde_json::{Value, json};

/// The relations as text.
pub fn text(target: &Term, found: &Discovery) -> String {
    let mut text = String::new();
    match &found.target {
        Some(statement) => text += &format!("{statement}\n"),
        None => {
            text += &format!(
                "{target} is no linear combination of the basis with coefficients in Q(pi0), for all these models.\n"
            )
        }
    }
    if !found.within.is_empty() {
        text += "\nWithin the basis:\n";
        found.within.iter().for_each(|statement| text += &format!("  {statement}\n"));
    }
    text
}

/// The relations as JSON.
pub fn json(target: &Term, found: &Discovery) -> Value {
    let relation = |statement: &Statement| json!({ "statement": statement.to_string(), "verdict": "proved" });
    json!({
        "target": target.to_string(),
        "relation": found.target.as_ref().map(relation),
        "within": found.within.iter().map(relation).collect::<Vec<_>>(),
    })
}
