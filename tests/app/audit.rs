//! The paper, audited: every claim is settled, verdicts follow the definitions, and evidence holds when it is looked at again.

use crate::AUDIT;
use rocproof::paper::audit::{Audit, Evidence, Nature, Outcome, TIME};
use rocproof::paper::claim::{Check, Claim};
use rocproof::paper::{self, audit::AuditedClaim};
use rocproof::report::audit as report;
use rocproof::search::{Decision, ModelText, examine};
use rocproof::theory::check;
use rocproof::verdict::Verdict;
use rocproof::{Model, model::file};

fn settled(id: &str) -> &'static AuditedClaim {
    AUDIT.claims.iter().find(|settled| settled.claim.id == id).unwrap_or_else(|| panic!("{id}"))
}

#[test]
fn every_claim_is_settled() {
    assert!(AUDIT.claims.len() > 80);
    for settled in &AUDIT.claims {
        assert_ne!(settled.outcome, Outcome::Undecided, "{}: {:?}", settled.claim.id, settled.evidence);
    }
}

#[test]
fn names_are_told_apart() {
    let mut ids: Vec<&str> = AUDIT.claims.iter().map(|settled| settled.claim.id.as_str()).collect();
    let mut stems: Vec<String> = AUDIT.claims.iter().map(|settled| settled.claim.file_stem()).collect();
    let count = ids.len();
    ids.sort_unstable();
    ids.dedup();
    stems.sort_unstable();
    stems.dedup();
    assert_eq!([ids.len(), stems.len()], [count, count]);
}

#[test]
fn repairs_hold_and_stand_for_what_does_not() {
    for repair in AUDIT.claims.iter().filter(|settled| settled.claim.repairs.is_some()) {
        let broken = settled(repair.claim.repairs.as_deref().unwrap());
        assert!(repair.outcome.holds(), "{} does not hold", repair.claim.id);
        assert_eq!(broken.outcome, Outcome::Refuted, "{} needs no repair", broken.claim.id);
    }
}

/// Every proof is checked again from its file, and every counterexample from its file by deciding the statement on it.
#[test]
fn evidence_is_checked_again_from_its_files() {
    let files = report::files(&AUDIT);
    let text = |path: &str| {
        let file = files.iter().find(|file| file.path == path).unwrap_or_else(|| panic!("{path}"));
        std::str::from_utf8(&file.content).unwrap()
    };
    let (mut proofs, mut counterexamples) = (0, 0);
    for settled in &AUDIT.claims {
        match &settled.evidence {
            Evidence::Everywhere(_, Verdict::Proved(_)) => {
                let certificate = serde_json::from_str(text(&report::certificate_path(settled))).unwrap();
                assert!(check::verify(&certificate).is_ok(), "{}", settled.claim.id);
                proofs += 1;
            }
            Evidence::Everywhere(statement, Verdict::Refuted(found)) => {
                let model = |k: usize| file::parse("model", text(&report::counterexample_path(settled, k))).unwrap();
                let models: Vec<Model> = (0..found.models.len()).map(model).collect();
                let decision = examine(statement, &models);
                assert!(matches!(decision, Decision::Fails(_)), "{}: {decision:?}", settled.claim.id);
                counterexamples += 1;
            }
            _ => {}
        }
    }
    assert!(proofs > 80 && counterexamples >= 5, "{proofs} {counterexamples}");
}

#[test]
fn printed_numbers_are_held_against_values() {
    let right = r#"
        [[claim]]
        id = "right"
        place = ""
        kind = "number"
        words = ""
        model = "nonstrictlyconvex"
        value = "F0(3/4)"
        printed = "0.857"
    "#;
    for (printed, outcome) in [
        ("0.857", Outcome::Confirmed),
        ("0.86", Outcome::Confirmed),
        ("0.9", Outcome::Confirmed),
        ("0.85", Outcome::Refuted),
        ("0.858", Outcome::Refuted),
        ("0.8571428", Outcome::Refuted),
        ("0.8571429", Outcome::Confirmed),
    ] {
        let claims = paper::claim::read(&right.replace("0.857", printed)).unwrap();
        assert_eq!(Audit::of(&claims, TIME, |_| {}).claims[0].outcome, outcome, "{printed}");
    }
}

#[test]
fn denials_turn_verdicts_around() {
    let mut claims: Vec<Claim> = paper::claims().unwrap();
    claims.retain(|claim| ["thm:RL", "thm:evenlyskews", "fig:strictlyconvex-loss"].contains(&claim.id.as_str()));
    assert_eq!(claims.len(), 3);
    for claim in &mut claims {
        claim.denied = !claim.denied;
    }
    let audit = Audit::of(&claims, TIME, |_| {});
    for turned in &audit.claims {
        assert_eq!(turned.outcome.holds(), !settled(&turned.claim.id).outcome.holds(), "{}", turned.claim.id);
    }
}

#[test]
fn wrong_digits_are_explained_only_by_what_gives_them() {
    let loss = settled("fig:strictlyconvex-loss");
    let Evidence::Printed { explained: Some(explained), .. } = &loss.evidence else { panic!("{:?}", loss.evidence) };
    assert!((explained.gives - 0.102_459).abs() < 1e-6, "{explained:?}");
    let other = settled("fig:nonstrictlyconvex-loss");
    let Evidence::Printed { explained: Some(explained), .. } = &other.evidence else { panic!("{:?}", other.evidence) };
    assert!((explained.gives - 0.226_605).abs() < 1e-6, "{explained:?}");
    let mut claim = loss.claim.clone();
    if let Check::Printed { printed, .. } = &mut claim.check {
        *printed = "0.10255".to_owned();
    }
    let other = Audit::of(&[claim], TIME, |_| {});
    assert!(matches!(&other.claims[0].evidence, Evidence::Printed { explained: None, .. }));
}

#[test]
fn claims_of_another_model_turn_red() {
    // Classes exchanged: what holds of every model stays, what is said of this one does not.
    let mut claims = paper::claims().unwrap();
    claims.retain(|claim| claim.id == "fig:nonstrictlyconvex-intervals");
    let model = paper::model("nonstrictlyconvex").unwrap().unwrap();
    let [f0, f1] = [1, 0].map(|class| model.density(class).text().to_owned());
    let ModelText { f0, f1, pi0 } = ModelText { f0, f1, pi0: "1/2".to_owned() };
    claims[0].subject = paper::claim::Subject::Worded(paper::claim::Densities { f0, f1, pi0 });
    assert_eq!(settled("fig:nonstrictlyconvex-intervals").outcome, Outcome::Confirmed);
    assert_eq!(Audit::of(&claims, TIME, |_| {}).claims[0].outcome, Outcome::Refuted);
}

#[test]
fn findings_say_what_is_true() {
    let findings = AUDIT.findings();
    let of = |id: &str| findings.iter().find(|finding| finding.claim == id).unwrap_or_else(|| panic!("{id}"));
    assert!(of("fig:strictlyconvex-loss").true_is.contains("0.10256"));
    assert_eq!(of("thm:evenlyskews").repairs, ["thm:evenlyskews-repaired"]);
    let refuted = AUDIT.claims.iter().filter(|s| s.outcome == Outcome::Refuted && s.claim.repairs.is_none());
    assert_eq!(findings.len(), refuted.count());
    for finding in &findings {
        assert!(finding.explanation.is_some(), "{} says nothing of why", finding.id);
    }
    // What weighs most comes first, slips last.
    let is_slip: Vec<bool> = findings.iter().map(|finding| finding.nature == Nature::Slip).collect();
    assert!(is_slip.is_sorted() && is_slip.contains(&true) && !is_slip[0]);
    assert_eq!(of("sample-instances").nature, Nature::Underdetermined);
    assert_eq!(of("th::LcostiUUU-method").nature, Nature::Wrong);
    assert_eq!(of("Conv-densities").nature, Nature::Hypothesis);
    // A guess is told as one.
    let json = report::json(&AUDIT);
    let told = json["findings"].as_array().unwrap().iter().find(|f| f["claim"] == "fig:strictlyconvex-loss").unwrap();
    assert!(told["explanation"].as_str().unwrap().contains("Where it may come from: "), "{told}");
}

/// Slips that are read and not computed are no claims, and count as none.
#[test]
fn slips_of_the_pen_stand_apart() {
    let slips = paper::slips().unwrap();
    let json = report::json(&AUDIT);
    assert_eq!(json["slips"].as_array().unwrap().len(), slips.len());
    for slip in &slips {
        assert!(AUDIT.claims.iter().all(|settled| settled.claim.id != slip.id), "{}", slip.id);
        assert!(!slip.words.is_empty() && !slip.meant.is_empty(), "{}", slip.id);
    }
    let mut ids: Vec<&str> = slips.iter().map(|slip| slip.id.as_str()).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), slips.len());
}

#[test]
fn reconstructions_are_told_as_such() {
    let told = |id: &str| report::evidence(settled(id))["reconstruction"].is_string();
    assert!(told("tab:models2-rd-A") && told("optimal-B") && told("fig:noncalibrated-areas"));
    assert!(!told("fig:strictlyconvex-loss") && !told("thm:RL"));
    // That they are not determined by what is said is a finding.
    for id in ["intro-determined-A", "intro-determined-B"] {
        let Evidence::Two { met, .. } = &settled(id).evidence else { panic!("{id}") };
        assert!(met.len() > 5, "{met:?}");
    }
}

#[test]
fn the_report_is_the_same_twice() {
    let again = Audit::of(&paper::claims().unwrap(), TIME, |_| {});
    assert_eq!(report::json(&AUDIT).to_string(), report::json(&again).to_string());
}

/// `cargo run --release --example paper_table > docs/paper.md` writes it.
#[test]
fn the_table_in_the_docs_is_what_was_found() {
    let table = include_str!("../../docs/paper.md");
    let found = rocproof::report::paper_table::markdown(&AUDIT);
    let stale = table.lines().zip(found.lines()).find(|(written, found)| written != found);
    assert!(stale.is_none() && table.len() == found.len(), "docs/paper.md is stale: {stale:?}");
    // The tests that it names are there.
    let tests = [include_str!("audit.rs"), include_str!("reproduce_cli.rs")].concat();
    for name in ["evidence_is_checked_again_from_its_files", "commands_of_the_report_check_it_again"] {
        assert!(found.contains(name) && tests.contains(&format!("fn {name}()")), "{name}");
    }
}
