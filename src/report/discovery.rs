//! Discovered linear relations, as text and as JSON.

use super::verdict::{premises_text, witness_json};
use crate::discover::{DiscoveredRelation, Discovery};
use crate::statement::Term;
use serde_json::{Value, json};

/// The relations as text.
pub fn text(target: &Term, found: &Discovery) -> String {
    let mut text = match (&found.target, &found.impossible) {
        (Some(relation), _) => line(relation),
        (None, Some((pi0, models))) => format!(
            "{target} is no linear combination of the basis with coefficients that depend on pi0 only: none fits {models} models with \
             pi0 = {pi0}.\n"
        ),
        (None, None) => format!("No linear relation between {target} and the basis was found.\n"),
    };
    if !found.within.is_empty() {
        text += "\nWithin the basis:\n";
        found.within.iter().for_each(|relation| text += &format!("  {}", line(relation)));
    }
    if let Some(DiscoveredRelation { statement, premises, .. }) = &found.target {
        text += &premises_text(statement, Some(premises));
    }
    if found.stopped {
        text += "\nThe ceiling of time cut the search off; with more time there may be more relations.\n";
    }
    text
}

/// A relation, and the hypotheses that its statement does not mention.
fn line(DiscoveredRelation { statement, certificate, .. }: &DiscoveredRelation) -> String {
    let stated = statement.hypotheses();
    let unstated: Vec<String> = certificate.hypotheses().into_iter().filter(|text| !stated.contains(text)).collect();
    let supposing = if unstated.is_empty() { String::new() } else { format!("   supposing {}", unstated.join(", ")) };
    format!("{statement}{supposing}\n")
}

/// The relations as JSON.
pub fn json(target: &Term, found: &Discovery) -> Value {
    // Every relation has a checked certificate.
    let relation = |DiscoveredRelation { statement, certificate, premises }: &DiscoveredRelation| {
        json!({
            "statement": statement.to_string(),
            "verdict": "proved",
            "hypotheses": certificate.hypotheses(),
            "witness": witness_json(premises),
            "vacuous": premises.is_vacuous(),
            "certificate": certificate.to_json(),
        })
    };
    json!({
        "target": target.to_string(),
        "relation": found.target.as_ref().map(relation),
        "within": found.within.iter().map(relation).collect::<Vec<_>>(),
        "impossible": found.impossible.as_ref().map(|(pi0, models)| json!({ "pi0": pi0.to_string(), "models": models })),
        "stopped": found.stopped.then_some("time"),
    })
}
