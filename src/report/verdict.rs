//! Verdicts on statements, as text and as JSON.

use super::json::value as number;
use crate::functional::Value;
use crate::model::Model;
use crate::search::{Counterexample, Decision, ModelText, Support};
use crate::statement::{Comparison, Statement};
use crate::theory::check::{Rejected, Verified};
use crate::theory::derivation;
use crate::verdict::{Judgement, Premises, Verdict};
use serde_json::{Value as Json, json};

/// A verdict as text.
pub fn text(judgement: &Judgement) -> String {
    let Judgement { statement, verdict, premises, always_off_by, nearby, stopped } = judgement;
    let is_vacuous = matches!(premises, Some(Premises::Contradictory(_)));
    let mut text = match verdict {
        Verdict::Proved(certificate) => {
            let premises = premises_text(statement, premises.as_ref());
            if is_vacuous {
                // A contradiction implies everything: the proof is not worth reading.
                format!("proved, but vacuous\n{premises}\nThe proof is in its certificate, if one is asked for.\n")
            } else {
                format!("proved\n\n{}{premises}", derivation::text(certificate))
            }
        }
        Verdict::Refuted(found) => refuted_text(statement, found),
        Verdict::Supported(support) => supported_text(support),
        Verdict::Undecided(why) => format!("undecided: {why}\n"),
    };
    if *stopped {
        text += "\nThe ceiling of time cut the search off; with more time there may be another verdict.\n";
    }
    if let Some(difference) = always_off_by {
        text += &format!("\nFor every such model the left-hand side minus the right-hand side is {difference}.\n");
    }
    if !nearby.is_empty() {
        text += "\nNearby:\n";
        for (statement, verdict) in nearby {
            let known = match verdict {
                Verdict::Supported(support) => format!("no counterexample among {} models", support.models),
                other => other.name().to_owned(),
            };
            text += &format!("  {statement}   {known}\n");
        }
    }
    text
}

/// Whether the premises of a proved statement can be satisfied; empty if it has none.
pub(super) fn premises_text(statement: &Statement, premises: Option<&Premises>) -> String {
    let has_suppositions =
        !(statement.classes.is_empty() && statement.premises.is_empty() && statement.conditions.is_empty());
    match premises {
        Some(Premises::Satisfied(witness)) if has_suppositions => {
            let parameters: String =
                witness.parameters.iter().map(|(name, value)| format!(", {name} = {value}")).collect();
            format!("\nA model that satisfies the premises: {}{parameters}\n", model_options(&witness.model))
        }
        Some(Premises::Open) => "\nNo model was found that satisfies the premises.\n".into(),
        Some(Premises::Contradictory(why)) => format!("\nNo model satisfies the premises: {why}.\n"),
        _ => String::new(),
    }
}

/// The text of a supported statement.
fn supported_text(support: &Support) -> String {
    let closest = match (support.closest, support.closest_models.first()) {
        (Some(closest), Some(texts)) => format!("The closest call, {closest:.1e}: {}\n", model_options(texts)),
        _ => String::new(),
    };
    format!("supported, not proved: no counterexample among {} models\n{closest}", support.models)
}

/// A model as options of the command line.
pub(crate) fn model_options(ModelText { pi0, f0, f1 }: &ModelText) -> String {
    format!("--f0 '{f0}' --f1 '{f1}' --pi0 {pi0}")
}

/// The text of a refuted statement: the counterexample, and both sides.
fn refuted_text(statement: &Statement, found: &Counterexample) -> String {
    let mut text = "refuted\n\n".to_owned();
    for (name, texts) in &found.models {
        let name = if statement.models.len() > 1 { format!("{name}: ") } else { String::new() };
        text += &format!("  {name}{}\n", model_options(texts));
    }
    for (name, value) in &found.parameters {
        text += &format!("  {name} = {value}\n");
    }
    if let Some(cost) = &found.cost {
        text += &format!("  w = {cost}\n");
    }
    text + "\n" + &sides(&found.claim, [&found.lhs, &found.rhs])
}

/// Both sides of a comparison with their values.
fn sides(claim: &Comparison, values: [&Value; 2]) -> String {
    let names = [claim.left.to_string(), claim.right.to_string()];
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    let line = |name: &String, value: &Value| {
        let value = value.to_string();
        // A value prints as its closed form, then ` = ` and digits. A side that is that form already is followed by the digits only.
        let is_number = value.split(" = ").next() == Some(name.as_str());
        let suffix =
            if is_number { value.strip_prefix(name.as_str()).unwrap_or_default() } else { &format!(" = {value}") };
        format!("  {}\n", format!("{name:width$}{suffix}").trim_end())
    };
    names.iter().zip(values).map(|(name, value)| line(name, value)).collect()
}

/// A verdict as JSON. Keys that do not belong to the verdict are `null`.
pub fn json(judgement: &Judgement) -> Json {
    let Judgement { statement, verdict, premises, always_off_by, nearby, stopped } = judgement;
    let (mut counterexample, mut support, mut certificate, mut why) = (Json::Null, Json::Null, Json::Null, Json::Null);
    match verdict {
        Verdict::Proved(proof) => certificate = proof.to_json(),
        Verdict::Refuted(found) => counterexample = counterexample_json(found),
        Verdict::Supported(found) => support = support_json(found),
        Verdict::Undecided(reason) => why = json!(reason),
    }
    json!({
        "statement": statement.source.text,
        "verdict": verdict.name(),
        "class": class(statement),
        "hypotheses": match verdict {
            Verdict::Proved(certificate) => certificate.hypotheses(),
            _ => statement.hypotheses(),
        },
        "counterexample": counterexample,
        "support": support,
        "witness": premises.as_ref().map(witness_json),
        "vacuous": premises.as_ref().and_then(Premises::is_vacuous),
        "stopped": stopped.then_some("time"),
        "certificate": certificate,
        "why": why,
        "always_off_by": always_off_by,
        "nearby": nearby.iter().map(|(statement, verdict)| {
            json!({ "statement": statement.to_string(), "verdict": verdict.name() })
        }).collect::<Vec<_>>(),
    })
}

/// The model that satisfies the premises of a statement, if one was found, as JSON.
pub(super) fn witness_json(premises: &Premises) -> Json {
    let Premises::Satisfied(witness) = premises else { return Json::Null };
    let ModelText { pi0, f0, f1 } = &witness.model;
    let mut object = json!({ "model": { "pi0": pi0, "f0": f0, "f1": f1 } });
    if let Json::Object(map) = &mut object {
        if !witness.parameters.is_empty() {
            let parameters = witness.parameters.iter().map(|(name, value)| (name.clone(), json!(value.to_string())));
            map.insert("parameters".into(), parameters.collect::<serde_json::Map<_, _>>().into());
        }
        if let Some(cost) = &witness.cost {
            map.insert("w".into(), json!(cost.to_string()));
        }
    }
    object
}

/// The names of a statement's classes; `all` if it has none.
fn class(statement: &Statement) -> String {
    let names: Vec<&str> = statement.classes.iter().map(|class| class.name()).collect();
    if names.is_empty() { "all".to_owned() } else { names.join(" ") }
}

/// A search without counterexample, as JSON.
fn support_json(support: &Support) -> Json {
    json!({
        "models": support.models,
        "level": Support::LEVEL,
        "largest_gap": support.closest.map(|gap| json!({ "value": gap, "level": Support::LEVEL })),
    })
}

/// A counterexample, as JSON.
pub(crate) fn counterexample_json(found: &Counterexample) -> Json {
    let model_json = |(name, ModelText { pi0, f0, f1 }): &(String, ModelText)| json!({ "name": name, "pi0": pi0, "f0": f0, "f1": f1 });
    let parameters: serde_json::Map<String, Json> =
        found.parameters.iter().map(|(name, value)| (name.clone(), json!(value.to_string()))).collect();
    let mut object = json!({
        "model": found.models.first().map(model_json),
        "claim": found.claim.to_string(),
        "lhs": number(&found.lhs, None),
        "rhs": number(&found.rhs, None),
    });
    if let Json::Object(map) = &mut object {
        if found.models.len() > 1 {
            map.insert("models".into(), found.models.iter().map(model_json).collect());
        }
        if !parameters.is_empty() {
            map.insert("parameters".into(), parameters.into());
        }
        if let Some(cost) = &found.cost {
            map.insert("w".into(), json!(cost.to_string()));
        }
    }
    object
}

/// The decision of a statement on models, as text.
pub fn decision_text(statement: &Statement, models: &[Model], decision: &Decision) -> String {
    let names: Vec<String> = models.iter().map(Model::name).collect();
    let models = names.join(", ");
    let list_claims = |values: &[[Value; 2]]| {
        let lines = statement.claims.iter().zip(values).map(|(claim, [l, r])| sides(claim, [l, r]));
        lines.collect::<Vec<_>>().join("\n")
    };
    match decision {
        Decision::Holds { sides, sampled: false } => format!("holds on {models}\n\n{}", list_claims(sides)),
        Decision::Holds { sides, sampled: true } => {
            format!(
                "holds on {models}, for every parameter that was tried; with the first of them:\n\n{}",
                list_claims(sides)
            )
        }
        Decision::Fails(failure) => {
            let claim = statement.claims.get(failure.claim);
            let sides = claim.map(|claim| sides(claim, failure.sides.each_ref()));
            let parameters: String =
                failure.parameters.iter().map(|(name, value)| format!("  {name} = {value}\n")).collect();
            format!("fails on {models}\n\n{parameters}{}", sides.unwrap_or_default())
        }
        Decision::OutOfScope { why } => format!("it is not about {models}: {why}\n"),
        Decision::Unknown => {
            format!("it cannot be told on {models}: the sides are too close for enclosures, and not known exactly\n")
        }
    }
}

/// The decision of a statement on models, as JSON.
pub fn decision_json(statement: &Statement, models: &[Model], decision: &Decision) -> Json {
    let (verdict, sides) = match decision {
        Decision::Holds { sides, sampled: false } => ("proved", sides.clone()),
        Decision::Holds { sides, sampled: true } => ("supported", sides.clone()),
        Decision::Fails(failure) => ("refuted", vec![failure.sides.clone()]),
        Decision::OutOfScope { .. } | Decision::Unknown => ("undecided", Vec::new()),
    };
    let values: Vec<Json> =
        sides.iter().map(|[l, r]| json!({ "lhs": number(l, None), "rhs": number(r, None) })).collect();
    json!({
        "statement": statement.source.text,
        "verdict": verdict,
        "class": class(statement),
        "models": models.iter().map(Model::name).collect::<Vec<_>>(),
        "claims": values,
    })
}

/// The result of checking a certificate, as JSON.
pub fn verification_json(outcome: &Result<Verified, Rejected>) -> Json {
    match outcome {
        Ok(verified) => {
            json!({ "verdict": "proved", "statement": verified.statement, "hypotheses": verified.hypotheses })
        }
        Err(rejected) => json!({ "verdict": "rejected", "why": rejected.to_string() }),
    }
}
