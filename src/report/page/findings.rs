//! The findings: what the paper says beside what is true, with the evidence and the corrected statements.

use super::Page;
use super::evidence::proof;
use super::html::{badge, command, scrolling, to_anchor, words};
use crate::paper;
use crate::paper::audit::{AuditedClaim, Finding, Nature};
use crate::paper::claim::{Check, Slip};
use crate::report::audit::command as command_of;
use maud::{Markup, html};

/// The level of the heading of a finding: 3 on its own, 4 within a group.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Heading {
    H3,
    H4,
}

impl Page<'_> {
    /// The section with all findings: first what is wrong, then what does not say enough, then slips.
    pub(super) fn findings_section(&self) -> Markup {
        let (mut wrong, mut underdetermined, mut slips) = (Vec::new(), Vec::new(), Vec::new());
        for finding in &self.findings {
            match finding.nature {
                Nature::Underdetermined => underdetermined.push(finding),
                Nature::Slip => slips.push(finding),
                Nature::Wrong | Nature::Hypothesis | Nature::Digits => wrong.push(finding),
            }
        }
        html! {
            section #findings aria-labelledby="findings-title" {
                "\n" h2 #findings-title { "Findings" } "\n"
                @if self.findings.is_empty() {
                    p { "Nothing that the paper says was found to be wrong." } "\n"
                } @else {
                    ol.glance { "\n" @for finding in &self.findings { (self.glance(finding)) } } "\n"
                    @for finding in wrong { (self.finding(finding, Heading::H3)) }
                }
                @if !underdetermined.is_empty() {
                    section aria-labelledby="underdetermined" {
                        "\n" h3 #underdetermined { "What does not say enough" }
                        "\n" p {
                            "These leave open which model is meant, as another one meets everything that is said of it, or can be read in \
                             more than one way."
                        } "\n"
                        @for finding in underdetermined { (self.finding(finding, Heading::H4)) }
                    } "\n"
                }
                @if !slips.is_empty() {
                    section aria-labelledby="slips" {
                        "\n" h3 #slips { "Slips" }
                        "\n" p {
                            "A word or a line of a proof is not right; what it is about holds all the same, or is corrected."
                        } "\n"
                        @for finding in slips { (self.finding(finding, Heading::H4)) }
                    } "\n"
                }
                (slips_of_the_pen(&paper::slips().unwrap_or_default()))
            } "\n"
        }
    }

    /// A finding in one line.
    fn glance(&self, finding: &Finding) -> Markup {
        let place = self.audited(&finding.claim).map_or("", |audited| audited.claim.place.as_str());
        html! {
            li { div { (to_anchor(&finding.id, place)) " " span { (words(&finding.paper_says)) } } } "\n"
        }
    }

    /// A finding: the claim of the paper beside the truth.
    fn finding(&self, finding: &Finding, heading: Heading) -> Markup {
        let Some(audited) = self.audited(&finding.claim) else { return Markup::default() };
        let id = &finding.id;
        let place = &audited.claim.place;
        html! {
            article.finding id=(id) aria-labelledby={ (id) "-title" } {
                "\n"
                @match heading {
                    Heading::H3 => h3 id={ (id) "-title" } { (place) },
                    Heading::H4 => h4 id={ (id) "-title" } { (place) },
                }
                "\n" p.meta {
                    (finding.kind.name()) " · " (finding.nature.name()) " · claim " (to_anchor(&finding.claim, &finding.claim))
                }
                "\n" div.versus {
                    "\n" div {
                        p.label { "The paper says" }
                        "\n" p.words { (words(&finding.paper_says)) }
                        "\n" (self.formula(audited))
                    }
                    "\n" div { p.label { "What is true" } "\n" (self.evidence(audited)) (disproof(audited)) } "\n"
                } "\n"
                @if let Some(explanation) = &finding.explanation { p.why { (words(explanation)) } "\n" }
                @if let Some(origin) = &finding.origin {
                    p.origin { strong { "Where it may come from." } " " (words(origin)) } "\n"
                }
                (self.repairs(&finding.repairs))
                @if let Some(again) = command_of(audited) { p.label { "Check it again" } "\n" (command(&again)) "\n" }
            } "\n"
        }
    }

    /// The statement of a claim as a formula; nothing for claims of other kinds.
    pub(super) fn formula(&self, audited: &AuditedClaim) -> Markup {
        let Check::Statement(text) = &audited.claim.check else { return Markup::default() };
        html! {
            p.formula { @if audited.claim.denied { "The paper denies: " } (self.math.statement(text)) } "\n"
        }
    }

    /// The corrected statements, each with its own verdict.
    fn repairs(&self, ids: &[String]) -> Markup {
        let repairs: Vec<&AuditedClaim> = ids.iter().filter_map(|id| self.audited(id)).collect();
        let repair = |audited: &AuditedClaim| {
            let is_proved = proof(audited).is_some();
            let evidence = if is_proved { "proof" } else { "evidence" };
            html! {
                div.repair {
                    "\n" p { (badge(audited.outcome)) " " (words(&audited.claim.words)) }
                    "\n" (self.formula(audited))
                    p.files {
                        (to_anchor(&audited.claim.id, evidence))
                        @if is_proved { " · " (self.proof_files(audited)) }
                    } "\n"
                } "\n"
            }
        };
        html! {
            @if !repairs.is_empty() { p.label { "Corrected" } "\n" }
            @for audited in repairs { (repair(audited)) }
        }
    }
}

/// A link to the proof of a statement that the paper denies.
fn disproof(audited: &AuditedClaim) -> Markup {
    html! {
        @if proof(audited).is_some() { p { "It holds: " (to_anchor(&audited.claim.id, "the proof")) "." } }
    }
}

/// Slips of the pen as a table.
fn slips_of_the_pen(slips: &[Slip]) -> Markup {
    if slips.is_empty() {
        return Markup::default();
    }
    let table = html! {
        table.pen {
            thead { tr { @for name in ["place", "the paper says", "meant"] { th scope="col" { (name) } } } }
            "\n" tbody {
                "\n"
                @for slip in slips {
                    tr id=(slip.id) { td { (slip.place) } td { (words(&slip.words)) } td { (words(&slip.meant)) } } "\n"
                }
            }
        }
    };
    html! {
        section aria-labelledby="pen" {
            "\n" h3 #pen { "Slips of the pen: read, not computed" }
            "\n" p {
                "Wrong words, indices and signs. There is nothing in them to compute: they were found by reading, and are not among the \
                 claims that are counted."
            }
            "\n" details { summary { (slips.len()) " slips" } "\n" (scrolling(table)) } "\n"
        } "\n"
    }
}
