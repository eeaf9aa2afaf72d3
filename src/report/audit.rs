//! The audit of the paper: the summary, `claims.json`, and the files with the evidence.

use super::json::{model as model_json, score, value as number};
use super::verdict::{counterexample_json, model_options};
use crate::output::quote_for_shell;
use crate::paper;
use crate::paper::audit::{Audit, AuditedClaim, Evidence, Finding, Nature, Outcome};
use crate::paper::claim::{Check, Densities, Kind, PrintedInterval, Subject};
use crate::search::{Counterexample, Decision, ModelText};
use crate::statement::Statement;
use crate::theory::{derivation, sympy};
use crate::transform::ScoreInterval;
use crate::verdict::Verdict;
use serde_json::{Value as Json, json};
use std::path::Path;
use std::time::Duration;

/// A file of a report.
pub struct File {
    /// The path within the folder of the report, with slashes.
    pub path: String,
    /// The content.
    pub content: Vec<u8>,
}

impl File {
    /// A file of text.
    pub fn new(path: impl Into<String>, content: impl Into<Vec<u8>>) -> File {
        File { path: path.into(), content: content.into() }
    }
}

/// The summary lists findings of this kind and weightier ones.
const WEIGHTY: Kind = Kind::Number;
/// The longest text of a finding in the summary, in characters.
const WIDTH: usize = 100;

/// The summary of an audit: the number of claims with each outcome, the weightiest findings, and the path of the report.
pub fn summary(audit: &Audit, folder: &Path, time: Duration) -> String {
    let paper_claims = audit.claims.iter().filter(|audited| audited.claim.repairs.is_none()).count();
    let count = |outcome: Outcome| audit.count(outcome);
    let mut text = format!(
        "{paper_claims} claims of the paper in {:.1} s: {} by definition, {} proved, {} confirmed, {} not right, {} undecided\n",
        time.as_secs_f64(),
        count(Outcome::ByDefinition),
        count(Outcome::Proved),
        count(Outcome::Confirmed),
        count(Outcome::Refuted),
        count(Outcome::Undecided),
    );
    let findings = audit.findings();
    let is_weighty = |finding: &&Finding| {
        finding.kind <= WEIGHTY && !matches!(finding.nature, Nature::Slip | Nature::Underdetermined)
    };
    let (weighty, others): (Vec<&Finding>, Vec<&Finding>) = findings.iter().partition(is_weighty);
    for finding in &weighty {
        text += &format!("  {:<30} {}\n", finding.claim, cut(&finding.paper_says));
    }
    if !others.is_empty() {
        text += &format!("  and {} more: remarks, curves, captions and lines of proofs\n", others.len());
    }
    match paper::slips().unwrap_or_default().len() {
        0 => {}
        n => text += &format!("  and {n} slips of the pen, read and not computed\n"),
    }
    for audited in audit.claims.iter().filter(|audited| audited.outcome == Outcome::Undecided) {
        text += &format!("  undecided: {}\n", audited.claim.id);
    }
    text + &format!("\nReport: {}\n", folder.join("index.html").display())
}

/// A text cut to [`WIDTH`] characters, with an ellipsis if it was cut.
fn cut(text: &str) -> String {
    match text.char_indices().nth(WIDTH) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// `claims.json`: every claim with its verdict and evidence, the findings, and the slips of the pen, which were read and not computed.
pub fn json(audit: &Audit) -> Json {
    let claims: Vec<Json> = audit.claims.iter().map(claim).collect();
    let findings: Vec<Json> = audit
        .findings()
        .iter()
        .map(|finding| {
            let audited = audit.claims.iter().find(|audited| audited.claim.id == finding.claim);
            json!({
                "id": finding.id,
                "claim": finding.claim,
                "nature": finding.nature.name(),
                "paper_says": finding.paper_says,
                "true_is": finding.true_is,
                "explanation": explanation(finding),
                "repairs": finding.repairs,
                "evidence": audited.map(evidence),
            })
        })
        .collect();
    let slips: Vec<Json> = paper::slips()
        .unwrap_or_default()
        .iter()
        .map(|slip| json!({ "id": slip.id, "place": slip.place, "paper_says": slip.words, "meant": slip.meant }))
        .collect();
    json!({ "claims": claims, "findings": findings, "slips": slips })
}

/// Why a claim is not right, and how the paper may have come to it.
fn explanation(finding: &Finding) -> Option<String> {
    let origin = finding.origin.as_ref().map(|origin| format!("Where it may come from: {origin}"));
    let parts: Vec<String> = finding.explanation.iter().cloned().chain(origin).collect();
    (!parts.is_empty()).then(|| parts.join(" "))
}

/// A claim with its outcome and evidence, as JSON.
fn claim(audited: &AuditedClaim) -> Json {
    let claim = &audited.claim;
    json!({
        "id": claim.id,
        "place": claim.place,
        "kind": claim.kind.name(),
        "words": claim.words,
        "statement": statement(audited),
        "model": match &claim.subject {
            Subject::Every => Json::Null,
            Subject::Named(label) => json!(format!("@{label}")),
            Subject::Worded(d) => json!({ "pi0": d.pi0, "f0": d.f0, "f1": d.f1 }),
        },
        "denied": claim.denied,
        "repairs": claim.repairs,
        "verdict": audited.outcome.name(),
        "evidence": evidence(audited),
    })
}

/// The audited question, as text.
pub fn statement(audited: &AuditedClaim) -> String {
    match &audited.claim.check {
        Check::Statement(text) => text.clone(),
        Check::Printed { value, printed, .. } => format!("{value} ≈ {printed}"),
        Check::Intervals(printed) => printed.iter().map(interval_text).collect::<Vec<_>>().join(", "),
        Check::Class(class) => format!("the model is {class}"),
        Check::Determined { .. } => "what is said determines the model".to_owned(),
        Check::Model => "the densities are not negative and integrate to one".to_owned(),
    }
}

/// An interval as the paper prints it.
fn interval_text(PrintedInterval { kind, tau: [a, b], sigma: [c, d] }: &PrintedInterval) -> String {
    format!("{kind} τ = ({a}, {b}) σ = ({c}, {d})")
}

/// The path of a claim's certificate.
pub fn certificate_path(audited: &AuditedClaim) -> String {
    let [certificate, ..] = certificate_paths(audited);
    certificate
}

/// The paths of a claim's proof: the certificate, the derivation in LaTeX, and the script for SymPy.
pub(crate) fn certificate_paths(audited: &AuditedClaim) -> [String; 3] {
    ["json", "tex", "py"].map(|kind| format!("certificates/{}.{kind}", audited.claim.file_stem()))
}

/// The paths of all models of a counterexample.
fn counterexample_paths(audited: &AuditedClaim, counterexample: &Counterexample) -> Vec<String> {
    (0..counterexample.models.len()).map(|k| counterexample_path(audited, k)).collect()
}

/// The path of the `k`-th model of a counterexample, counted from 0.
pub fn counterexample_path(audited: &AuditedClaim, k: usize) -> String {
    let number = if k == 0 { String::new() } else { format!("-{}", k + 1) };
    format!("counterexamples/{}{number}.toml", audited.claim.file_stem())
}

/// The command that checks a claim again, run in the folder of the report. `None` if the claim could not be asked.
pub fn command(audited: &AuditedClaim) -> Option<String> {
    let subject = &audited.claim.subject;
    let check = |statement: &Statement, model_options: &str| {
        format!("rocproof check {} {model_options}", quote_for_shell(&statement.source.text)).trim_end().to_owned()
    };
    Some(match &audited.evidence {
        Evidence::Everywhere(_, Verdict::Proved(_)) => format!("rocproof verify {}", certificate_path(audited)),
        Evidence::Everywhere(statement, Verdict::Refuted(counterexample)) => {
            let files = counterexample_paths(audited, counterexample);
            let options: Vec<String> = files.iter().map(|file| format!("--model {file}")).collect();
            check(statement, &options.join(" "))
        }
        Evidence::Everywhere(statement, _) => check(statement, ""),
        Evidence::OnModel(model, statement, _) | Evidence::Printed { model, statement, .. } => match subject {
            Subject::Named(label) => check(statement, &format!("--model @{label}")),
            _ => check(statement, &model_options(&ModelText::of(model))),
        },
        Evidence::Intervals { model, .. } | Evidence::Class(model, _) | Evidence::Model(model) => match subject {
            Subject::Named(label) => format!("rocproof eval @{label}"),
            _ => format!("rocproof eval {}", model_options(&ModelText::of(model))),
        },
        Evidence::NoModel(_) => match subject {
            Subject::Worded(Densities { pi0, f0, f1 }) => {
                let texts = ModelText { pi0: pi0.clone(), f0: f0.clone(), f1: f1.clone() };
                format!("rocproof eval {}", model_options(&texts))
            }
            _ => return None,
        },
        Evidence::Two { models: [_, second], .. } => format!("rocproof eval {}", model_options(&ModelText::of(second))),
        Evidence::Fault(_) => return None,
    })
}

/// The caveat for claims about a reconstructed model.
pub(super) const RECONSTRUCTION: &str = "The paper does not print this model: it is a reconstruction from what the paper says of it. \
     That it agrees shows that what is said can be met, no more.";

/// Whether a claim is about a model that the paper does not print.
pub(super) fn is_about_reconstruction(audited: &AuditedClaim) -> bool {
    matches!(&audited.claim.subject, Subject::Named(label) if paper::is_reconstructed(label))
}

/// The evidence behind a verdict, as JSON, with the command that checks it again.
pub fn evidence(audited: &AuditedClaim) -> Json {
    let mut object = evidence_alone(audited);
    if let Json::Object(map) = &mut object {
        if is_about_reconstruction(audited) {
            map.insert("reconstruction".into(), json!(RECONSTRUCTION));
        }
        map.insert("command".into(), json!(command(audited)));
    }
    object
}

/// The evidence behind a verdict, as JSON: an object whose keys depend on the kind of evidence.
fn evidence_alone(audited: &AuditedClaim) -> Json {
    match &audited.evidence {
        Evidence::Everywhere(_, Verdict::Proved(certificate)) => json!({
            "level": "proved",
            "certificate": certificate_path(audited),
            "hypotheses": certificate.hypotheses(),
        }),
        Evidence::Everywhere(_, Verdict::Refuted(counterexample)) => json!({
            "level": if counterexample.is_exact() { "exact" } else { "certified" },
            "counterexample": counterexample_json(counterexample),
            "models": counterexample_paths(audited, counterexample),
        }),
        Evidence::Everywhere(..) => json!({ "level": Json::Null }),
        Evidence::OnModel(model, _, decision) => {
            json!({ "model": model_json(model), "sides": sides_json(decision) })
        }
        Evidence::Printed { model, value, digits, explained, .. } => json!({
            "model": model_json(model),
            "printed": digits.text,
            "value": value.as_ref().map(|value| number(value, None)),
            "rounded": value.as_ref().and_then(|value| digits.rounded(value)),
            "explained": explained.as_ref().map(|explained| explained.gives),
        }),
        Evidence::Intervals { model, found, exact } => {
            let interval_json = |(k, interval): (usize, &ScoreInterval)| {
                json!({
                    "kind": interval.kind.name(),
                    "tau": [score(interval.tau.0), score(interval.tau.1)],
                    "sigma": [interval.sigma.0, interval.sigma.1],
                    "exact": exact.as_ref().and_then(|all| all.get(k)),
                })
            };
            let intervals: Vec<Json> = found.iter().enumerate().map(interval_json).collect();
            json!({ "model": model_json(model), "intervals": intervals })
        }
        Evidence::Class(model, member) => json!({ "model": model_json(model), "member": member }),
        Evidence::NoModel(why) => json!({ "why": why }),
        Evidence::Model(model) => json!({ "model": model_json(model) }),
        Evidence::Two { models, met, differ } => json!({
            "models": models.each_ref().map(model_json),
            "met": met,
            "differ": differ.as_ref().map(|(name, values)| {
                json!({ "value": name, "on": values.each_ref().map(|value| number(value, None)) })
            }),
        }),
        Evidence::Fault(why) => json!({ "why": why }),
    }
}

/// The values of both sides of each comparison that was decided, as JSON: all of them if the statement holds, else the one that fails.
fn sides_json(decision: &Decision) -> Vec<Json> {
    let sides = match decision {
        Decision::Holds { sides, .. } => sides.as_slice(),
        Decision::Fails(failure) => std::slice::from_ref(&failure.sides),
        Decision::OutOfScope { .. } | Decision::Unknown => &[],
    };
    sides.iter().map(|[left, right]| json!({ "lhs": number(left, None), "rhs": number(right, None) })).collect()
}

/// The files with the evidence: certificates with their derivations and scripts, and counterexamples.
pub fn files(audit: &Audit) -> Vec<File> {
    let mut files = Vec::new();
    for audited in &audit.claims {
        match &audited.evidence {
            Evidence::Everywhere(_, Verdict::Proved(certificate)) => {
                let [json, tex, py] = certificate_paths(audited);
                let text = serde_json::to_string_pretty(&certificate.to_json()).unwrap_or_default();
                files.push(File::new(json, text + "\n"));
                files.push(File::new(tex, derivation::document(&[derivation::latex(certificate)])));
                files.push(File::new(py, sympy::script(certificate)));
            }
            Evidence::Everywhere(_, Verdict::Refuted(found)) => {
                for (k, (_, texts)) in found.models.iter().enumerate() {
                    files.push(File::new(counterexample_path(audited, k), model_file(audited, texts)));
                }
            }
            _ => {}
        }
    }
    files
}

/// A counterexample as a model file.
fn model_file(audited: &AuditedClaim, ModelText { pi0, f0, f1 }: &ModelText) -> String {
    let quote = |text: &str| toml::Value::String(text.to_owned()).to_string();
    let name = audited.claim.file_stem();
    let note = format!("Breaks {} ({}).", audited.claim.id, audited.claim.place);
    format!(
        "name = {}\npi0 = {}\nf0 = {}\nf1 = {}\nnote = {}\n",
        quote(&name),
        quote(pi0),
        quote(f0),
        quote(f1),
        quote(&note)
    )
}
