//! The audit of the paper: the summary, `claims.json`, and the files with the evidence.

use super::json::{model as model_json, score, value as number};
use super::verdict::{counterexample_json, model_options};
use crate::model::Model;
use crate::output::quote_for_shell;
use crate::paper;
use crate::paper::audit::{Audit, AuditedClaim, Evidence, Finding, Nature, Outcome};
use crate::paper::claim::{Check, Kind, PrintedInterval, Subject};
use crate::search::{Decision, ModelText};
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
    let is_light = |nature: Nature| matches!(nature, Nature::Slip | Nature::Underdetermined);
    let (weighty, others): (Vec<_>, Vec<_>) =
        findings.iter().partition(|finding| finding.kind <= WEIGHTY && !is_light(finding.nature));
    for finding in &weighty {
        let words: String = match finding.paper_says.char_indices().nth(WIDTH) {
            Some((end, _)) => format!("{}…", &finding.paper_says[..end]),
            None => finding.paper_says.clone(),
        };
        text += &format!("  {:<30} {words}\n", finding.claim);
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

/// The path of the `k`-th model of a counterexample.
pub fn counterexample_path(audited: &AuditedClaim, k: usize) -> String {
    let number = if k == 0 { String::new() } else { format!("-{}", k + 1) };
    format!("counterexamples/{}{number}.toml", audited.claim.file_stem())
}

/// The command that checks a claim again, run in the folder of the report.
pub fn command(audited: &AuditedClaim) -> Option<String> {
    let check = |statement: &str, on: String| {
        format!("rocproof check {} {on}", quote_for_shell(statement)).trim_end().to_owned()
    };
    let on = |model: &Model| match &audited.claim.subject {
        Subject::Named(label) => format!("--model @{label}"),
        _ => model_options(&ModelText::of(model)),
    };
    Some(match &audited.evidence {
        Evidence::Everywhere(_, Verdict::Proved(_)) => format!("rocproof verify {}", certificate_path(audited)),
        Evidence::Everywhere(statement, Verdict::Refuted(found)) => {
            let files = (0..found.models.len()).map(|k| format!("--model {}", counterexample_path(audited, k)));
            check(&statement.source.text, files.collect::<Vec<_>>().join(" "))
        }
        Evidence::Everywhere(statement, _) => check(&statement.source.text, String::new()),
        Evidence::OnModel(model, statement, _) | Evidence::Printed { model, statement, .. } => {
            check(&statement.source.text, on(model))
        }
        Evidence::Intervals { model, .. } | Evidence::Class(model, _) | Evidence::Model(model) => {
            match &audited.claim.subject {
                Subject::Named(label) => format!("rocproof eval @{label}"),
                _ => format!("rocproof eval {}", model_options(&ModelText::of(model))),
            }
        }
        Evidence::NoModel(_) => match &audited.claim.subject {
            Subject::Worded(d) => {
                let texts = ModelText { pi0: d.pi0.clone(), f0: d.f0.clone(), f1: d.f1.clone() };
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

/// The evidence behind a verdict, as JSON.
pub fn evidence(audited: &AuditedClaim) -> Json {
    let mut found = match &audited.evidence {
        Evidence::Everywhere(_, Verdict::Proved(certificate)) => json!({
            "level": "proved",
            "certificate": certificate_path(audited),
            "hypotheses": certificate.hypotheses(),
        }),
        Evidence::Everywhere(_, Verdict::Refuted(found)) => {
            let files: Vec<String> = (0..found.models.len()).map(|k| counterexample_path(audited, k)).collect();
            json!({
                "level": if found.is_exact() { "exact" } else { "certified" },
                "counterexample": counterexample_json(found),
                "models": files,
            })
        }
        Evidence::Everywhere(..) => json!({ "level": Json::Null }),
        Evidence::OnModel(model, _, decision) => {
            let sides = match decision {
                Decision::Holds { sides, .. } => sides.clone(),
                Decision::Fails(failure) => vec![failure.sides.clone()],
                Decision::OutOfScope { .. } | Decision::Unknown => Vec::new(),
            };
            let sides: Vec<Json> =
                sides.iter().map(|[l, r]| json!({ "lhs": number(l, None), "rhs": number(r, None) })).collect();
            json!({ "model": model_json(model), "sides": sides })
        }
        Evidence::Printed { model, value, digits, explained, .. } => json!({
            "model": model_json(model),
            "printed": digits.text,
            "value": value.as_ref().map(|value| number(value, None)),
            "rounded": value.as_ref().and_then(|value| digits.rounded(value)),
            "explained": explained.as_ref().map(|explained| explained.gives),
        }),
        Evidence::Intervals { model, found, exact } => {
            let interval = |(k, i): (usize, &ScoreInterval)| {
                json!({
                    "kind": i.kind.name(),
                    "tau": [score(i.tau.0), score(i.tau.1)],
                    "sigma": [i.sigma.0, i.sigma.1],
                    "exact": exact.as_ref().and_then(|all| all.get(k)),
                })
            };
            let intervals: Vec<Json> = found.iter().enumerate().map(interval).collect();
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
    };
    if let Json::Object(map) = &mut found {
        if is_about_reconstruction(audited) {
            map.insert("reconstruction".into(), json!(RECONSTRUCTION));
        }
        map.insert("command".into(), json!(command(audited)));
    }
    found
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
    let text = |text: &str| toml::Value::String(text.to_owned()).to_string();
    let name = audited.claim.file_stem();
    let note = format!("Breaks {} ({}).", audited.claim.id, audited.claim.place);
    format!(
        "name = {}\npi0 = {}\nf0 = {}\nf1 = {}\nnote = {}\n",
        text(&name),
        text(pi0),
        text(f0),
        text(f1),
        text(&note)
    )
}
