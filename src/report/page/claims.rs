//! All claims, by section of the paper.

use super::Page;
use super::evidence::proof;
use super::html::{badge, closed, code, command, to_anchor, verdict, words};
use crate::paper::audit::{AuditedClaim, Outcome};
use crate::paper::claim::Check;
use crate::report::audit::{command as command_of, statement};
use crate::theory::derivation;
use maud::{Markup, html};

/// All outcomes, in the order of the page.
pub(super) const OUTCOMES: [Outcome; 5] =
    [Outcome::ByDefinition, Outcome::Proved, Outcome::Confirmed, Outcome::Refuted, Outcome::Undecided];

/// The anchor of a section, counted from 0.
pub(super) fn anchor(section: usize) -> String {
    format!("section-{}", section + 1)
}

impl Page<'_> {
    /// The section with all claims.
    pub(super) fn claims_section(&self) -> Markup {
        html! {
            section #claims aria-labelledby="claims-title" {
                "\n" h2 #claims-title { "All claims" }
                "\n" p { "In the order of the paper, in our words. What was put to the engine stands below as a formula." }
                "\n" (self.filter())
                @for (k, (title, claims)) in self.sections.iter().enumerate() { (self.section(k, title, claims)) }
            } "\n"
        }
    }

    /// Radio buttons that show the claims of one outcome. The style sheet does it by `:has`, without a script; where `:has` is not supported, all
    /// claims stay visible.
    fn filter(&self) -> Markup {
        let choice = |id: &str, words: &str, count: usize, checked: Option<&str>| {
            let id = format!("only-{id}");
            let button = closed(html! { input type="radio" name="verdict" id=(id) checked=[checked]; });
            html! { label { (button) " " (words) " " span.count { (count) } } "\n" }
        };
        let counted = OUTCOMES
            .map(|outcome| (outcome, self.audit.claims.iter().filter(|audited| audited.outcome == outcome).count()));
        html! {
            fieldset.filter {
                legend { "Show" }
                "\n" (choice("all", "all", self.audit.claims.len(), Some("checked")))
                @for (outcome, count) in counted.into_iter().filter(|(_, count)| *count > 0) {
                    (choice(outcome.name(), verdict(outcome), count, None))
                }
            } "\n"
        }
    }

    /// A section with its claims.
    fn section(&self, k: usize, title: &str, claims: &[&AuditedClaim]) -> Markup {
        let id = anchor(k);
        html! {
            section.chapter id=(id) aria-labelledby={ (id) "-title" } {
                "\n" h3 id={ (id) "-title" } { (title) } "\n"
                @for audited in claims { (self.claim(audited)) }
            } "\n"
        }
    }

    /// A claim with its verdict and evidence.
    fn claim(&self, audited: &AuditedClaim) -> Markup {
        let claim = &audited.claim;
        let id = &claim.id;
        let proof = proof(audited);
        html! {
            article class={ "claim " (audited.outcome.name()) } id=(id) aria-labelledby={ (id) "-title" } {
                "\n" h4 id={ (id) "-title" } { (badge(audited.outcome)) " " (claim.place) }
                "\n" p.meta {
                    (claim.kind.name()) " · " a.anchor href={ "#" (id) } { (id) }
                    @if let Some(broken) = &claim.repairs { " · corrects " (to_anchor(broken, broken)) }
                }
                "\n" p.words { (words(&claim.words)) }
                "\n" (self.formula(audited))
                // A claim that is not right has its evidence in the finding, once.
                @match self.findings.iter().find(|finding| finding.claim == *id) {
                    Some(finding) => p { (to_anchor(&finding.id, "The finding")) },
                    None => (self.evidence(audited)),
                }
                "\n"
                @if let Some(certificate) = proof {
                    details.proof {
                        summary { "Proof" } "\n" (self.math.derivation(&derivation::blocks(certificate)))
                    } "\n"
                }
                (check_again(audited))
                @if proof.is_some() { p.files { (self.proof_files(audited)) } "\n" }
            } "\n"
        }
    }
}

/// The question as it is typed, and the command that asks it again.
fn check_again(audited: &AuditedClaim) -> Markup {
    let is_typed = matches!(audited.claim.check, Check::Statement(_) | Check::Printed { .. });
    let asked = statement(audited);
    html! {
        details.again {
            summary { "Check it again" }
            "\n" p { "Asked: " @if is_typed { (code(&asked)) } @else { (asked) "." } } "\n"
            @if let Some(again) = command_of(audited) { (command(&again)) "\n" }
        } "\n"
    }
}
