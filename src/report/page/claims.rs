//! All claims, by section of the paper.

use super::Page;
use super::evidence::proof;
use super::html::{badge, code, command, to_anchor, verdict, words};
use crate::output::escaped;
use crate::paper::audit::{Outcome, Settled};
use crate::paper::claim::Check;
use crate::report::audit::{command as command_of, statement};
use crate::theory::derivation;

/// All verdicts.
pub(super) const OUTCOMES: [Outcome; 5] =
    [Outcome::ByDefinition, Outcome::Proved, Outcome::Confirmed, Outcome::Refuted, Outcome::Undecided];

/// The anchor of a section, counted from 0.
pub(super) fn anchor(section: usize) -> String {
    format!("section-{}", section + 1)
}

impl Page<'_> {
    /// All claims.
    pub(super) fn claims_section(&self) -> String {
        let sections: String = self.sections.iter().enumerate().map(|(k, of)| self.section(k, of)).collect();
        format!(
            "<section id=\"claims\" aria-labelledby=\"claims-title\">\n<h2 id=\"claims-title\">All claims</h2>\n\
             <p>In the order of the paper, in our words. What was put to the engine stands below as a formula.</p>\n\
             {}{sections}</section>\n",
            self.filter(),
        )
    }

    /// Choosing among verdicts needs no script; where style sheets know no `:has`, all claims stay.
    fn filter(&self) -> String {
        let choice = |id: &str, words: &str, count: usize, checked: &str| {
            format!(
                "<label><input type=\"radio\" name=\"verdict\" id=\"only-{id}\"{checked}/> {words} <span class=\"count\">\
                 {count}</span></label>\n"
            )
        };
        let mut all = choice("all", "all", self.audit.claims.len(), " checked=\"checked\"");
        for outcome in OUTCOMES {
            let count = self.audit.claims.iter().filter(|settled| settled.outcome == outcome).count();
            if count > 0 {
                all += &choice(outcome.name(), verdict(outcome), count, "");
            }
        }
        format!("<fieldset class=\"filter\"><legend>Show</legend>\n{all}</fieldset>\n")
    }

    fn section(&self, k: usize, (title, claims): &(String, Vec<&Settled>)) -> String {
        let id = anchor(k);
        let claims: String = claims.iter().map(|settled| self.claim(settled)).collect();
        let title = escaped(title);
        format!(
            "<section class=\"chapter\" id=\"{id}\" aria-labelledby=\"{id}-title\">\n<h3 id=\"{id}-title\">{title}</h3>\n\
             {claims}</section>\n"
        )
    }

    fn claim(&self, settled: &Settled) -> String {
        let claim = &settled.claim;
        let id = escaped(&claim.id);
        let mut html = format!(
            "<article class=\"claim {}\" id=\"{id}\" aria-labelledby=\"{id}-title\">\n\
             <h4 id=\"{id}-title\">{} {}</h4>\n<p class=\"meta\">{} · <a class=\"anchor\" href=\"#{id}\">{id}</a>",
            settled.outcome.name(),
            badge(settled.outcome),
            escaped(&claim.place),
            claim.kind.name(),
        );
        if let Some(broken) = &claim.repairs {
            html += &format!(" · corrects {}", to_anchor(broken, broken));
        }
        html += &format!("</p>\n<p class=\"words\">{}</p>\n{}", words(&claim.words), self.said(settled));
        match self.findings.iter().find(|finding| finding.claim == claim.id) {
            // What is not right is shown once, where it is told what is.
            Some(finding) => html += &format!("<p>{}</p>\n", to_anchor(&finding.id, "The finding")),
            None => html += &(self.evidence(settled) + "\n"),
        }
        if let Some(certificate) = proof(settled) {
            let derivation = self.math.derivation(&derivation::blocks(certificate));
            html += &format!("<details class=\"proof\"><summary>Proof</summary>\n{derivation}</details>\n");
        }
        html += &again(settled);
        if proof(settled).is_some() {
            html += &format!("<p class=\"files\">{}</p>\n", self.proof_files(settled));
        }
        html + "</article>\n"
    }
}

/// What was asked, as it is typed, and the command that asks it again.
fn again(settled: &Settled) -> String {
    let asked = match &settled.claim.check {
        Check::Statement(_) | Check::Printed { .. } => format!("<p>Asked: {}</p>\n", code(&statement(settled))),
        _ => format!("<p>Asked: {}.</p>\n", escaped(&statement(settled))),
    };
    let again = command_of(settled).map_or(String::new(), |again| command(&again) + "\n");
    format!("<details class=\"again\"><summary>Check it again</summary>\n{asked}{again}</details>\n")
}
