//! The report as one page that loads nothing else: it can be mailed, printed, and read offline.
//!
//! | file | content |
//! | --- | --- |
//! | `findings` | the claims that are not right, beside what is true |
//! | `figures` | drawings |
//! | `claims` | every claim with its verdict, by section |
//! | `evidence` | models, both sides of comparisons, digits, intervals |
//! | `notation` | symbols, from the definitions |
//! | `math` | LaTeX to MathML |
//! | `html` | shared elements |

mod claims;
mod evidence;
mod figures;
mod findings;
mod html;
mod math;
mod notation;

pub use figures::Figure;

use crate::paper;
use crate::paper::audit::{Audit, AuditedClaim, Finding, Outcome};
use crate::theory::certificate::Certificate;
use crate::theory::derivation::blocks;
use html::{closed, code, command, to_anchor, to_file, verdict};
use math::Math;
use maud::{DOCTYPE, Markup, PreEscaped, html};

const STYLE: &str = include_str!("style.css");
const TITLE: &str = "Threshold Choice Methods: the Missing Link";

/// The content of the page.
struct Page<'a> {
    audit: &'a Audit,
    figures: &'a [Figure],
    findings: Vec<Finding>,
    /// The titles of the paper's sections, each with its claims.
    sections: Vec<(String, Vec<&'a AuditedClaim>)>,
    math: Math,
}

/// The report on an audit: `index.html`.
pub fn page(audit: &Audit, figures: &[Figure]) -> String {
    let sections = sections(audit);
    let page = Page { audit, figures, findings: audit.findings(), sections, math: Math::new() };
    page.whole().into_string()
}

/// The derivation of a proof as HTML with MathML.
pub fn derivation(certificate: &Certificate) -> String {
    Math::new().derivation(&blocks(certificate)).into_string()
}

/// A statement of the language as HTML with MathML; its text if it cannot be read.
pub fn statement(text: &str) -> String {
    Math::new().statement(text).into_string()
}

/// The claims by section of the paper. Claims that are not in the paper come last.
fn sections(audit: &Audit) -> Vec<(String, Vec<&AuditedClaim>)> {
    let mut unplaced: Vec<&AuditedClaim> = audit.claims.iter().collect();
    let mut sections = Vec::new();
    for section in paper::sections().unwrap_or_default() {
        let is_in = |audited: &&AuditedClaim| section.claims.iter().any(|claim| claim.id == audited.claim.id);
        let (within, others) = unplaced.into_iter().partition(is_in);
        sections.push((section.title.to_owned(), within));
        unplaced = others;
    }
    sections.push(("Further claims".to_owned(), unplaced));
    sections.retain(|(_, claims): &(String, Vec<&AuditedClaim>)| !claims.is_empty());
    sections
}

impl Page<'_> {
    /// A claim by its identifier.
    fn audited(&self, id: &str) -> Option<&AuditedClaim> {
        self.audit.claims.iter().find(|audited| audited.claim.id == id)
    }

    /// The whole page.
    fn whole(&self) -> Markup {
        html! {
            (DOCTYPE) "\n"
            html lang="en" {
                "\n" head {
                    "\n" (closed(html! { meta charset="utf-8"; }))
                    "\n" (closed(html! { meta name="viewport" content="width=device-width, initial-scale=1"; }))
                    "\n" (closed(html! { meta name="color-scheme" content="light dark"; }))
                    "\n" title { (TITLE) ": audited" }
                    "\n" style { "\n" (PreEscaped(STYLE)) } "\n"
                }
                "\n" body {
                    "\n" a.skip href="#findings" { "To the findings" }
                    "\n" (self.header())
                    (self.contents())
                    main {
                        "\n" (self.findings_section())
                        @if !self.figures.is_empty() { (self.figures_section()) }
                        (self.notation_section())
                        (self.claims_section())
                        (again())
                    }
                    "\n" footer { "\n" p { "rocproof " (env!("CARGO_PKG_VERSION")) } "\n" } "\n"
                } "\n"
            } "\n"
        }
    }

    /// The title, and how many claims turned out how.
    fn header(&self) -> Markup {
        let count = |outcome: Outcome| self.audit.count(outcome);
        let claim_count: usize = claims::OUTCOMES.into_iter().map(count).sum();
        let repaired = self.findings.iter().filter(|finding| !finding.repairs.is_empty()).count();
        let tiles = [
            (Outcome::ByDefinition, "both sides are read alike: nothing to prove"),
            (Outcome::Proved, "for every model, by proofs that were checked"),
            (Outcome::Confirmed, "on the models they are about, exactly or in proved bounds"),
            (Outcome::Refuted, "with the evidence, and what is true instead"),
            (Outcome::Undecided, "could not be settled"),
        ];
        html! {
            header {
                "\n" p.over { "An audit by rocproof" }
                "\n" h1 { (TITLE) }
                "\n" p.by { "José Hernández-Orallo, Peter Flach and Cèsar Ferri" }
                "\n" p {
                    "The paper taken apart into " (claim_count) " claims, each put to an engine that proves statements about all classifiers or \
                     finds one that breaks them, and evaluates examples exactly or in proved bounds. Of those that are not right as they \
                     stand, " (repaired) " are corrected below by statements that are settled in the same way."
                }
                "\n" dl.tiles {
                    "\n"
                    @for (outcome, words) in tiles {
                        div class={ "tile " (outcome.name()) } {
                            dt { (verdict(outcome)) } dd { strong { (count(outcome)) } span { (words) } }
                        } "\n"
                    }
                } "\n"
            } "\n"
        }
    }

    /// The table of contents.
    fn contents(&self) -> Markup {
        let item = |id: &str, words: &str, count: usize| {
            html! { li { (to_anchor(id, words)) " " span.count { (count) } } "\n" }
        };
        let slips = paper::slips().unwrap_or_default().len();
        html! {
            nav aria-label="Contents" {
                "\n" ul {
                    "\n" (item("findings", "Findings", self.findings.len()))
                    @if slips > 0 { (item("pen", "Slips of the pen", slips)) }
                    @if !self.figures.is_empty() { (item("figures", "Figures", self.figures.len())) }
                    li { (to_anchor("notation", "Notation")) }
                    "\n" li {
                        (to_anchor("claims", "All claims")) " " span.count { (self.audit.claims.len()) }
                        "\n" ul {
                            "\n"
                            @for (k, (title, claims)) in self.sections.iter().enumerate() {
                                (item(&claims::anchor(k), title, claims.len()))
                            }
                        }
                    }
                    "\n" li { (to_anchor("again", "Check everything again")) } "\n"
                } "\n"
            } "\n"
        }
    }
}

/// The commands that repeat the audit and check its proofs.
fn again() -> Markup {
    let commands = [
        ("All of it, from the data to this page:", "rocproof reproduce --out report"),
        (
            "Every proof from its file alone, in this folder:",
            "for file in certificates/*.json; do rocproof verify \"$file\" || break; done",
        ),
        (
            "Every proof without this program, by SymPy:",
            "for file in certificates/*.py; do python3 \"$file\" || break; done",
        ),
    ];
    html! {
        section #again aria-labelledby="again-title" {
            "\n" h2 #again-title { "Check everything again" } "\n"
            @for (words, line) in commands { p { (words) } "\n" (command(line)) "\n" }
            p {
                "Counterexamples are model files for " (code("rocproof check STATEMENT --model FILE"))
                ". All verdicts with their evidence, for programs: " (to_file("claims.json", "claims.json")) "."
            } "\n"
        } "\n"
    }
}
