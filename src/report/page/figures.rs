//! Figures on the page.

use super::Page;
use super::html::{to_anchor, to_file};
use crate::output::escaped;
use crate::paper::claim::Subject;

/// A figure of the report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Figure {
    /// The label of what it shows; that of a model leads from the claims about it.
    pub label: String,
    /// Its title.
    pub title: String,
    /// What can be seen, in words.
    pub caption: String,
    /// The drawing.
    pub svg: String,
    /// The files that it is kept in, within the folder of the report.
    pub files: Vec<String>,
}

/// The anchor of a figure.
pub(super) fn anchor(label: &str) -> String {
    format!("figure:{label}")
}

impl Page<'_> {
    /// All figures.
    pub(super) fn figures_section(&self) -> String {
        let figures: String = self.figures.iter().map(|figure| self.figure(figure)).collect();
        format!(
            "<section id=\"figures\" aria-labelledby=\"figures-title\">\n<h2 id=\"figures-title\">Figures</h2>\n{figures}\
             </section>\n"
        )
    }

    fn figure(&self, figure: &Figure) -> String {
        let id = escaped(&anchor(&figure.label));
        let about = self.audit.claims.iter().filter(|settled| match &settled.claim.subject {
            Subject::Named(label) => *label == figure.label,
            _ => false,
        });
        let about: Vec<String> = about.map(|settled| to_anchor(&settled.claim.id, &settled.claim.id)).collect();
        let about = match about.as_slice() {
            [] => String::new(),
            all => format!(
                "<details><summary>Claims about it <span class=\"count\">{}</span></summary>\n<p class=\"files\">{}</p></details>\n",
                all.len(),
                all.join(", ")
            ),
        };
        let files: Vec<String> = figure
            .files
            .iter()
            .map(|path| to_file(path, &path.rsplit('.').next().unwrap_or_default().to_uppercase()))
            .collect();
        let files =
            if files.is_empty() { String::new() } else { format!("<p class=\"files\">{}</p>\n", files.join(" · ")) };
        let (title, caption) = (escaped(&figure.title), escaped(&figure.caption));
        format!(
            "<article class=\"drawn\" aria-labelledby=\"{id}-title\">\n<h3 id=\"{id}-title\">{title}</h3>\n\
             <figure id=\"{id}\">\n<div class=\"scroll canvas\">\n{}\n\
             </div>\n<figcaption>{caption}</figcaption>\n</figure>\n{files}{about}</article>\n",
            inlined(figure)
        )
    }
}

/// The drawing as a part of the page: names in it become its own, and it is told what it shows.
fn inlined(figure: &Figure) -> String {
    let own = |text: &str| text.replace('"', "");
    let label = escaped(&own(&figure.label));
    let start = figure.svg.find("<svg").unwrap_or(0);
    let svg = figure.svg.get(start..).unwrap_or_default().trim_end();
    let svg = svg
        .replace(" id=\"", &format!(" id=\"{label}-"))
        .replace("url(#", &format!("url(#{label}-"))
        .replace("href=\"#", &format!("href=\"#{label}-"));
    svg.replacen("<svg ", &format!("<svg aria-label=\"{}\" ", escaped(&figure.title)), 1)
}
