//! The report as a page that needs nothing but itself: it can be mailed, printed, and read offline.
//!
//! | file | what it does |
//! | --- | --- |
//! | `findings` | what is not right, beside what is |
//! | `figures` | drawings |
//! | `claims` | every claim with its verdict, by section |
//! | `evidence` | models, both sides of comparisons, digits, intervals |
//! | `notation` | what the letters stand for, from the definitions |
//! | `math` | LaTeX to MathML |
//! | `html` | pieces of HTML |

mod claims;
mod evidence;
mod figures;
mod findings;
mod html;
mod math;
mod notation;

pub use figures::Figure;

use crate::output::escaped;
use crate::paper;
use crate::paper::audit::{Audit, Finding, Outcome, Settled};
use crate::theory::certificate::Certificate;
use crate::theory::derivation::blocks;
use html::{code, command, to_anchor, to_file, verdict};
use math::Math;

const STYLE: &str = include_str!("style.css");
const TITLE: &str = "Threshold Choice Methods: the Missing Link";

/// What is put on the page.
struct Page<'a> {
    audit: &'a Audit,
    figures: &'a [Figure],
    findings: Vec<Finding>,
    /// The titles of the paper's sections, and the claims in them.
    sections: Vec<(String, Vec<&'a Settled>)>,
    math: Math,
}

/// The report of an audit: `index.html`.
pub fn page(audit: &Audit, figures: &[Figure]) -> String {
    let sections = sections(audit);
    Page { audit, figures, findings: audit.findings(), sections, math: Math::new() }.whole()
}

/// The derivation of a proof as HTML with MathML.
pub fn derivation(certificate: &Certificate) -> String {
    Math::new().derivation(&blocks(certificate))
}

/// A statement of the language as HTML with MathML; its text if it cannot be read.
pub fn statement(text: &str) -> String {
    Math::new().statement(text)
}

/// The claims by section; those that are not the paper's come last.
fn sections(audit: &Audit) -> Vec<(String, Vec<&Settled>)> {
    let mut left: Vec<&Settled> = audit.claims.iter().collect();
    let mut found = Vec::new();
    for section in paper::sections().unwrap_or_default() {
        let is_in = |settled: &&Settled| section.claims.iter().any(|claim| claim.id == settled.claim.id);
        let (within, others) = left.into_iter().partition(is_in);
        found.push((section.title.to_owned(), within));
        left = others;
    }
    found.push(("Further claims".to_owned(), left));
    found.retain(|(_, claims): &(String, Vec<&Settled>)| !claims.is_empty());
    found
}

impl Page<'_> {
    fn settled(&self, id: &str) -> Option<&Settled> {
        self.audit.claims.iter().find(|settled| settled.claim.id == id)
    }

    fn whole(&self) -> String {
        let figures = if self.figures.is_empty() { String::new() } else { self.figures_section() };
        format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n\
             <meta name=\"color-scheme\" content=\"light dark\"/>\n<title>{TITLE}: audited</title>\n\
             <style>\n{STYLE}</style>\n</head>\n<body>\n<a class=\"skip\" href=\"#findings\">To the findings</a>\n\
             {}{}<main>\n{}{figures}{}{}{}</main>\n{}</body>\n</html>\n",
            self.header(),
            self.contents(),
            self.findings_section(),
            self.notation_section(),
            self.claims_section(),
            again(),
            footer(),
        )
    }

    /// What was audited, and how it turned out.
    fn header(&self) -> String {
        let count = |outcome: Outcome| self.audit.count(outcome);
        let tile = |outcome: Outcome, words: &str| {
            format!(
                "<div class=\"tile {}\"><dt>{}</dt><dd><strong>{}</strong><span>{words}</span></dd></div>\n",
                outcome.name(),
                verdict(outcome),
                count(outcome)
            )
        };
        let all: usize = claims::OUTCOMES.into_iter().map(count).sum();
        let repaired = self.findings.iter().filter(|finding| !finding.repairs.is_empty()).count();
        let tiles = [
            tile(Outcome::ByDefinition, "both sides are read alike: nothing to prove"),
            tile(Outcome::Proved, "for every model, by proofs that were checked"),
            tile(Outcome::Confirmed, "on the models they are about, exactly or in proved bounds"),
            tile(Outcome::Refuted, "with the evidence, and what is true instead"),
            tile(Outcome::Undecided, "could not be settled"),
        ]
        .concat();
        format!(
            "<header>\n<p class=\"over\">An audit by rocproof</p>\n<h1>{TITLE}</h1>\n\
             <p class=\"by\">José Hernández-Orallo, Peter Flach and Cèsar Ferri</p>\n\
             <p>The paper taken apart into {all} claims, each put to an engine that proves statements about all classifiers or \
             finds one that breaks them, and evaluates examples exactly or in proved bounds. Of those that are not right as they stand, \
             {repaired} are corrected below by statements that are settled in the same way.</p>\n\
             <dl class=\"tiles\">\n{tiles}</dl>\n</header>\n"
        )
    }

    fn contents(&self) -> String {
        let sections: String = self
            .sections
            .iter()
            .enumerate()
            .map(|(k, (title, claims))| {
                let link = to_anchor(&claims::anchor(k), title);
                format!("<li>{link} <span class=\"count\">{}</span></li>\n", claims.len())
            })
            .collect();
        let item = |id: &str, words: &str, count: usize| {
            format!("<li>{} <span class=\"count\">{count}</span></li>\n", to_anchor(id, words))
        };
        let slips = match paper::slips().unwrap_or_default().len() {
            0 => String::new(),
            n => item("pen", "Slips of the pen", n),
        };
        let figures =
            if self.figures.is_empty() { String::new() } else { item("figures", "Figures", self.figures.len()) };
        format!(
            "<nav aria-label=\"Contents\">\n<ul>\n{}{slips}{figures}<li>{}</li>\n<li>{} <span class=\"count\">{}</span>\n\
             <ul>\n{sections}</ul></li>\n<li>{}</li>\n</ul>\n</nav>\n",
            item("findings", "Findings", self.findings.len()),
            to_anchor("notation", "Notation"),
            to_anchor("claims", "All claims"),
            self.audit.claims.len(),
            to_anchor("again", "Check everything again"),
        )
    }
}

fn again() -> String {
    let line = |words: &str, line: &str| format!("<p>{words}</p>\n{}\n", command(line));
    [
        "<section id=\"again\" aria-labelledby=\"again-title\">\n<h2 id=\"again-title\">Check everything again</h2>\n".to_owned(),
        line("All of it, from the data to this page:", "rocproof reproduce --out report"),
        line(
            "Every proof from its file alone, in this folder:",
            "for file in certificates/*.json; do rocproof verify \"$file\" || break; done",
        ),
        line(
            "Every proof without this program, by SymPy:",
            "for file in certificates/*.py; do python3 \"$file\" || break; done",
        ),
        format!(
            "<p>Counterexamples are model files for {}. All verdicts with their evidence, for programs: {}.</p>\n</section>\n",
            code("rocproof check STATEMENT --model FILE"),
            to_file("claims.json", "claims.json")
        ),
    ]
    .concat()
}

fn footer() -> String {
    format!("<footer>\n<p>rocproof {}</p>\n</footer>\n", escaped(env!("CARGO_PKG_VERSION")))
}
