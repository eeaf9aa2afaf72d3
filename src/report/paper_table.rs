//! The table of claims as Markdown: each claim with its definitions, test, figure and verdict.

use super::audit::statement;
use crate::functional::Condition;
use crate::functional::Method;
use crate::model::Transform;
use crate::paper::audit::{Audit, AuditedClaim, Evidence, Outcome};
use crate::paper::claim::{Check, Subject};
use crate::paper::{self, INTRODUCTION, MODELS};
use crate::statement::{Asked, Functional, Statement};
use crate::verdict::Verdict;
use std::collections::BTreeSet;
use std::fmt::Write;

/// The files with definitions, relative to the folder of the table.
const DEFINITIONS: &str = "../crates/language/src/definition.rs";
const TRANSFORMS: &str = "../crates/engine/src/transform/mod.rs";
const CLASSES: &str = "../crates/prover/src/search/membership.rs";
const INTERVALS: &str = "../crates/engine/src/transform/intervals.rs";
const DENSITIES: &str = "../crates/engine/src/model/density.rs";

/// The table of claims.
pub fn markdown(audit: &Audit) -> String {
    let mut text = format!(
        "# The paper, claim by claim\n\n\
         Written by `cargo run --release --example paper_table > docs/paper.md`; a test holds it to what the program finds. \
         {} claims of the paper: {} by definition, {} proved, {} confirmed on the models they are about, {} not right, {} undecided. Claims in \
         italics are not the paper's: they repair the one that they name.\n\n\
         | claim | place | what is settled | definitions | test | figure | verdict |\n| --- | --- | --- | --- | --- | --- | --- |\n",
        audit.claims.iter().filter(|audited| audited.claim.repairs.is_none()).count(),
        audit.count(Outcome::ByDefinition),
        audit.count(Outcome::Proved),
        audit.count(Outcome::Confirmed),
        audit.count(Outcome::Refuted),
        audit.count(Outcome::Undecided),
    );
    for audited in &audit.claims {
        let claim = &audited.claim;
        let name = match &claim.repairs {
            Some(repaired) => format!("*{}*, repairs {repaired}", claim.id),
            None => claim.id.clone(),
        };
        let denied = if claim.denied { "not: " } else { "" };
        let settled = format!("{denied}`{}`{}", cell(&statement(audited)), on_subject(&claim.subject));
        let (test, figure) = (test(audited).to_owned(), figure(&claim.subject));
        let cells = [name, cell(&claim.place), settled, definitions(audited), test, figure];
        // Writing to a string cannot fail.
        let _ = writeln!(text, "| {} | {} |", cells.join(" | "), audited.outcome.name());
    }
    text += "\n## Slips of the pen: read, not computed\n\n| slip | place | the paper says | meant |\n| --- | --- | --- | --- |\n";
    for slip in paper::slips().unwrap_or_default() {
        let cells = [&slip.id, &slip.place, &slip.words, &slip.meant].map(|text| cell(text));
        let _ = writeln!(text, "| {} |", cells.join(" | "));
    }
    text
}

/// A text escaped for a cell of the table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}

/// The model of a claim as a phrase; empty for claims about all models.
fn on_subject(subject: &Subject) -> String {
    match subject {
        Subject::Every => String::new(),
        Subject::Named(label) => format!(" on @{label}"),
        Subject::Worded(densities) => format!(" on `{}` / `{}`, π0 = {}", densities.f0, densities.f1, densities.pi0),
    }
}

/// The test that checks the evidence again.
fn test(audited: &AuditedClaim) -> &'static str {
    match audited.evidence {
        Evidence::Everywhere(_, Verdict::Proved(_) | Verdict::Refuted(_)) => {
            "[evidence_is_checked_again_from_its_files](../tests/app/audit.rs)"
        }
        _ => "[commands_of_the_report_check_it_again](../tests/app/reproduce_cli.rs)",
    }
}

/// The path of the figure of a claim's model, if there is one.
fn figure(subject: &Subject) -> String {
    match subject {
        Subject::Named(label) if MODELS.iter().chain(INTRODUCTION).any(|(name, _)| name == label) => {
            format!("`figures/{label}.svg`")
        }
        _ => String::new(),
    }
}

/// The definitions that a claim uses, each as a link to its file: sorted, without repetitions.
fn definitions(audited: &AuditedClaim) -> String {
    let names_and_files = match &audited.evidence {
        Evidence::Everywhere(statement, _)
        | Evidence::OnModel(_, statement, _)
        | Evidence::Printed { statement, .. } => definitions_of(statement),
        Evidence::Intervals { .. } => vec![("intervals".to_owned(), INTERVALS)],
        Evidence::Class(..) => match &audited.claim.check {
            Check::Class(class) => vec![(class.clone(), CLASSES)],
            _ => Vec::new(),
        },
        Evidence::NoModel(_) | Evidence::Model(_) => vec![("density".to_owned(), DENSITIES)],
        Evidence::Two { .. } | Evidence::Fault(_) => Vec::new(),
    };
    let links: BTreeSet<(String, &str)> = names_and_files.into_iter().collect();
    links.iter().map(|(name, file)| format!("[`{name}`]({file})")).collect::<Vec<_>>().join(" ")
}

/// The classes, functionals and transforms of a statement: the name of each, and the file that defines it.
fn definitions_of(statement: &Statement) -> Vec<(String, &'static str)> {
    let mut definitions: Vec<(String, &'static str)> =
        statement.classes.iter().map(|class| (class.name().to_owned(), CLASSES)).collect();
    for functional in statement.functionals() {
        definitions.push((name(functional), DEFINITIONS));
        definitions.extend(
            functional.transforms.iter().map(|transform: &Transform| (transform.name().to_owned(), TRANSFORMS)),
        );
    }
    definitions
}

/// The name of the definition behind a functional.
fn name(functional: &Functional) -> String {
    match &functional.asked {
        Asked::Metric(metric, _) => metric.name.to_owned(),
        Asked::Integral(_) => "int".to_owned(),
        Asked::At(name, _) => name.to_string(),
        Asked::Loss(method) => {
            let letter = if functional.condition == Condition::Skew { "Lz" } else { "L" };
            let method = match method {
                // The fixed methods have a parameter, which the name of the definition omits.
                Method::ScoreFixed(_) => "sf",
                Method::RateFixed(_) => "rf",
                _ => Method::NAMED.iter().find(|(_, named)| named == method).map_or("", |(name, _)| name),
            };
            format!("{letter}[{method}]")
        }
    }
}
