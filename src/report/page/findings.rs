//! The findings: what the paper says beside what is true, with the evidence and the corrected statements.

use super::Page;
use super::evidence::proof;
use super::html::{badge, command, scrolling, to_anchor, words};
use crate::output::escaped;
use crate::paper;
use crate::paper::audit::{Finding, Nature, Settled};
use crate::paper::claim::{Check, Slip};
use crate::report::audit::command as command_of;

impl Page<'_> {
    /// All findings, first those that are wrong, then what does not say enough, and slips.
    pub(super) fn findings_section(&self) -> String {
        let of = |is: &dyn Fn(Nature) -> bool, heading: &str| -> String {
            self.findings.iter().filter(|f| is(f.nature)).map(|finding| self.finding(finding, heading)).collect()
        };
        let wrong = of(&|nature| !matches!(nature, Nature::Underdetermined | Nature::Slip), "h3");
        let open = of(&|nature| nature == Nature::Underdetermined, "h4");
        let slips = of(&|nature| nature == Nature::Slip, "h4");
        let glance: String = self.findings.iter().map(|finding| self.glance(finding)).collect();
        let mut html = "<section id=\"findings\" aria-labelledby=\"findings-title\">\n\
             <h2 id=\"findings-title\">Findings</h2>\n"
            .to_owned();
        if self.findings.is_empty() {
            html += "<p>Nothing that the paper says was found to be wrong.</p>\n";
        } else {
            html += &format!("<ol class=\"glance\">\n{glance}</ol>\n{wrong}");
        }
        if !open.is_empty() {
            html += &format!(
                "<section aria-labelledby=\"underdetermined\">\n<h3 id=\"underdetermined\">What does not say enough</h3>\n\
                 <p>These leave open which model is meant, as another one meets everything that is said of it, or can be read in \
                 more than one way.</p>\n{open}</section>\n"
            );
        }
        if !slips.is_empty() {
            html += &format!(
                "<section aria-labelledby=\"slips\">\n<h3 id=\"slips\">Slips</h3>\n<p>A word or a line of a proof is not right; \
                 what it is about holds all the same, or is corrected.</p>\n{slips}</section>\n"
            );
        }
        html + &pen(&paper::slips().unwrap_or_default()) + "</section>\n"
    }

    fn glance(&self, finding: &Finding) -> String {
        let place = self.place(finding);
        format!("<li><div>{} <span>{}</span></div></li>\n", to_anchor(&finding.id, place), words(&finding.paper_says))
    }

    fn place(&self, finding: &Finding) -> &str {
        self.settled(&finding.claim).map_or("", |settled| settled.claim.place.as_str())
    }

    fn finding(&self, finding: &Finding, heading: &str) -> String {
        let Some(settled) = self.settled(&finding.claim) else { return String::new() };
        let id = escaped(&finding.id);
        let mut html = format!(
            "<article class=\"finding\" id=\"{id}\" aria-labelledby=\"{id}-title\">\n\
             <{heading} id=\"{id}-title\">{}</{heading}>\n<p class=\"meta\">{} · {} · claim {}</p>\n",
            escaped(&settled.claim.place),
            finding.kind.name(),
            finding.nature.name(),
            to_anchor(&finding.claim, &finding.claim),
        );
        html += &format!(
            "<div class=\"versus\">\n<div><p class=\"label\">The paper says</p>\n<p class=\"words\">{}</p>\n{}</div>\n\
             <div><p class=\"label\">What is true</p>\n{}{}</div>\n</div>\n",
            words(&finding.paper_says),
            self.said(settled),
            self.evidence(settled),
            self.disproof(settled),
        );
        if let Some(explanation) = &finding.explanation {
            html += &format!("<p class=\"why\">{}</p>\n", words(explanation));
        }
        if let Some(origin) = &finding.origin {
            let told = words(origin);
            html += &format!("<p class=\"origin\"><strong>Where it may come from.</strong> {told}</p>\n");
        }
        html += &self.repairs(&finding.repairs);
        if let Some(again) = command_of(settled) {
            html += &format!("<p class=\"label\">Check it again</p>\n{}\n", command(&again));
        }
        html + "</article>\n"
    }

    /// The proof of what the paper says does not hold.
    fn disproof(&self, settled: &Settled) -> String {
        let Some(_) = proof(settled) else { return String::new() };
        format!("<p>It holds: {}.</p>", to_anchor(&settled.claim.id, "the proof"))
    }

    /// What the paper says, as a formula.
    pub(super) fn said(&self, settled: &Settled) -> String {
        let formula = match &settled.claim.check {
            Check::Statement(text) => self.math.statement(text),
            _ => return String::new(),
        };
        let denied = if settled.claim.denied { "The paper denies: " } else { "" };
        format!("<p class=\"formula\">{denied}{formula}</p>\n")
    }

    /// The corrected statements, each with its own verdict.
    fn repairs(&self, ids: &[String]) -> String {
        let repair = |settled: &Settled| {
            let claim = &settled.claim;
            let files = proof(settled).map_or(String::new(), |_| format!(" · {}", self.proof_files(settled)));
            format!(
                "<div class=\"repair\">\n<p>{} {}</p>\n{}<p class=\"files\">{}{files}</p>\n</div>\n",
                badge(settled.outcome),
                words(&claim.words),
                self.said(settled),
                to_anchor(&claim.id, if proof(settled).is_some() { "proof" } else { "evidence" }),
            )
        };
        let all: String = ids.iter().filter_map(|id| self.settled(id)).map(repair).collect();
        if all.is_empty() { all } else { format!("<p class=\"label\">Corrected</p>\n{all}") }
    }
}

/// Slips of the pen.
fn pen(slips: &[Slip]) -> String {
    if slips.is_empty() {
        return String::new();
    }
    let row = |slip: &Slip| {
        let id = escaped(&slip.id);
        format!(
            "<tr id=\"{id}\"><td>{}</td><td>{}</td><td>{}</td></tr>\n",
            escaped(&slip.place),
            words(&slip.words),
            words(&slip.meant)
        )
    };
    let rows: String = slips.iter().map(row).collect();
    let table = format!(
        "<table class=\"pen\"><thead><tr><th scope=\"col\">place</th><th scope=\"col\">the paper says</th>\
         <th scope=\"col\">meant</th></tr></thead>\n<tbody>\n{rows}</tbody></table>"
    );
    format!(
        "<section aria-labelledby=\"pen\">\n<h3 id=\"pen\">Slips of the pen: read, not computed</h3>\n\
         <p>Wrong words, indices and signs. There is nothing in them to compute: they were found by reading, and are not among the \
         claims that are counted.</p>\n<details><summary>{} slips</summary>\n{}</details>\n</section>\n",
        slips.len(),
        scrolling(&table)
    )
}
