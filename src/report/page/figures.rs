//! Figures on the page.

use super::Page;
use super::html::{joined, to_anchor, to_file};
use crate::output::escape_xml;
use crate::paper::claim::Subject;
use maud::{Markup, PreEscaped, html};

/// A figure of the report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Figure {
    /// The label; for a model, the label that claims name it by.
    pub label: String,
    /// The title.
    pub title: String,
    /// The caption.
    pub caption: String,
    /// The drawing.
    pub svg: String,
    /// The files that hold the figure, as paths within the folder of the report.
    pub files: Vec<String>,
}

/// The anchor of a figure.
pub(super) fn anchor(label: &str) -> String {
    format!("figure:{label}")
}

impl Page<'_> {
    /// The section with all figures.
    pub(super) fn figures_section(&self) -> Markup {
        html! {
            section #figures aria-labelledby="figures-title" {
                "\n" h2 #figures-title { "Figures" } "\n"
                @for figure in self.figures { (self.figure(figure)) }
            } "\n"
        }
    }

    /// A figure with its caption.
    fn figure(&self, figure: &Figure) -> Markup {
        let id = anchor(&figure.label);
        let is_about = |subject: &Subject| matches!(subject, Subject::Named(label) if *label == figure.label);
        let claims = self.audit.claims.iter().map(|audited| &audited.claim);
        let about: Vec<&str> = claims.filter(|claim| is_about(&claim.subject)).map(|claim| claim.id.as_str()).collect();
        let format = |path: &str| path.rsplit('.').next().unwrap_or_default().to_uppercase();
        html! {
            article.drawn aria-labelledby={ (id) "-title" } {
                "\n" h3 id={ (id) "-title" } { (figure.title) }
                "\n" figure id=(id) {
                    "\n" div.scroll.canvas { "\n" (inline_svg(figure)) "\n" }
                    "\n" figcaption { (figure.caption) } "\n"
                } "\n"
                @if !figure.files.is_empty() {
                    p.files { (joined(figure.files.iter().map(|path| to_file(path, &format(path))), " · ")) } "\n"
                }
                @if !about.is_empty() {
                    details {
                        summary { "Claims about it " span.count { (about.len()) } }
                        "\n" p.files { (joined(about.iter().map(|id| to_anchor(id, id)), ", ")) }
                    } "\n"
                }
            } "\n"
        }
    }
}

/// The drawing as an element of the page. Its identifiers begin with its label, so that no two figures share one, and its title labels it.
fn inline_svg(figure: &Figure) -> Markup {
    let label = escape_xml(&figure.label.replace('"', ""));
    let start = figure.svg.find("<svg").unwrap_or(0);
    let svg = figure.svg.get(start..).unwrap_or_default().trim_end();
    let svg = svg
        .replace(" id=\"", &format!(" id=\"{label}-"))
        .replace("url(#", &format!("url(#{label}-"))
        .replace("href=\"#", &format!("href=\"#{label}-"))
        .replacen("<svg ", &format!("<svg aria-label=\"{}\" ", escape_xml(&figure.title)), 1);
    PreEscaped(svg)
}
