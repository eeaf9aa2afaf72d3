//! Requests about statements.

use super::{Failure, Interface};
use crate::discover::{self, Discovery, DiscoveryError};
use crate::lang::Source;
use crate::model::Model;
use crate::search::{self, Decision};
use crate::statement::{Class, Statement, Term, terms};
use crate::theory::check::{self, Rejected, Verified};
use serde_json::Value;
use std::time::Duration;

/// Finds the linear relations between a target and a basis, for models of the given classes and under the given conditions. `target` holds one term,
/// each source of `basis` one or several. Returns the target as it was read, and the relations.
pub fn discover(
    target: &Source,
    basis: &[Source],
    classes: &[String],
    conditions: &[String],
    time: Duration,
) -> Result<(Term, Discovery), Failure> {
    let target_terms = terms(target)?;
    let [target] = target_terms.as_slice() else {
        return Err(target.error(target.whole(), "one target is needed", "several terms").into());
    };
    let mut basis_terms = Vec::new();
    for source in basis {
        basis_terms.extend(terms(source)?);
    }
    let classes = read_classes(classes)?;
    let conditions: Vec<&str> = conditions.iter().map(String::as_str).collect();
    let found =
        discover::discover(target, &basis_terms, &classes, &conditions, time).map_err(|failure| match failure {
            DiscoveryError::Input(diagnostic) => Failure::Input(diagnostic),
            DiscoveryError::Unsupported(term, why) => {
                Failure::with_help(format!("no relations can be looked for with {term}: {why}"), "leave it out")
            }
        })?;
    Ok((target.clone(), found))
}

/// Decides a statement on models. It fails if the statement is not about such models, or a density can only be estimated.
pub fn examine(statement: &Statement, models: &[Model]) -> Result<Decision, Failure> {
    for density in models.iter().flat_map(|model| [0, 1].map(|class| model.density(class))) {
        // Estimates decide nothing: every density must have a stronger level.
        density.tree_for("exact or certified")?;
    }
    match search::examine(statement, models) {
        Decision::OutOfScope { why } => Err(Failure::new(format!("the statement is not about such models: {why}"))),
        decision => Ok(decision),
    }
}

/// Reads a statement. If classes are given, it is restricted to them.
pub fn read_statement(source: Source, over: &[String]) -> Result<Statement, Failure> {
    let statement = Statement::read(source)?;
    let over = read_classes(over)?;
    Ok(if over.is_empty() { statement } else { statement.with_suppositions(&over, &[])? })
}

/// Checks a certificate, or an answer of `check` that contains one, with the checker alone. `name` is what messages call it. The outer error says that
/// the text is not JSON, the inner one that the certificate does not prove its statement.
pub fn verify(name: &str, text: &str) -> Result<Result<Verified, Rejected>, Failure> {
    let value: Value = serde_json::from_str(text).map_err(|error| {
        Failure::worded_with_help(
            |_| format!("{name} is not JSON: {error}"),
            |i| match i {
                Interface::CommandLine => "a certificate is written by `rocproof check --certificate FILE`".to_owned(),
                Interface::Python => {
                    "a certificate is `check(statement).certificate`, or a file that holds it".to_owned()
                }
            },
        )
    })?;
    let Some(inner) = value.get("certificate").filter(|inner| inner.is_object()) else {
        return Ok(check::verify(&value));
    };
    Ok(check::verify(inner).and_then(|verified| check_agreement(&value, &verified).map(|()| verified)))
}

/// Refuses an answer that claims something else than its certificate proves.
fn check_agreement(answer: &Value, verified: &Verified) -> Result<(), Rejected> {
    let is_proved = |text: &str| Statement::parse(text).is_ok_and(|read| read.to_string() == verified.statement);
    let class = Statement::parse(&verified.statement).map(|statement| {
        let names: Vec<&str> = statement.classes.iter().map(|class| class.name()).collect();
        if names.is_empty() { "all".to_owned() } else { names.join(" ") }
    });
    for (field, value) in answer.as_object().into_iter().flatten() {
        let agrees = match field.as_str() {
            "statement" => value.as_str().is_some_and(is_proved),
            "verdict" => value == "proved",
            "class" => class.as_ref().is_ok_and(|class| value == class),
            "hypotheses" => *value == serde_json::json!(verified.hypotheses),
            "counterexample" | "support" => value.is_null(),
            _ => true,
        };
        if !agrees {
            return Err(Rejected(format!("`{field}` beside the certificate contradicts what it proves")));
        }
    }
    Ok(())
}

/// Reads class names; `all` stands for no restriction.
pub(crate) fn read_classes(words: &[String]) -> Result<Vec<Class>, Failure> {
    let mut classes = Vec::new();
    for word in words {
        match Class::named(word) {
            // `all` is a known word without a class.
            Some(class) => classes.extend(class),
            None => {
                let names = format!("classes: all {}", Class::ALL.map(Class::name).join(" "));
                let help = Class::near(word).map_or(names, |near| format!("did you mean `{near}`?"));
                return Err(Failure::with_help(format!("unknown class `{word}`"), help));
            }
        }
    }
    Ok(classes)
}
