//! What the letters stand for, from the definitions that everything is computed by.

use super::Page;
use crate::functional::definition::{LOSS, METRICS, Method, VOCABULARY};
use crate::output::escaped;
use crate::statement::Statement;
use crate::theory::typeset;

impl Page<'_> {
    /// A table of losses and metrics.
    pub(super) fn notation_section(&self) -> String {
        let row = |symbol: &str, words: &str, formula: &str| {
            let formula = if formula.is_empty() { String::new() } else { self.math.inline(formula) };
            format!("<tr><td>{}</td><td>{}</td><td>{formula}</td></tr>\n", self.math.inline(symbol), escaped(words))
        };
        let losses: String = Method::ALL
            .iter()
            .map(|method| {
                let words = format!("expected loss, {} threshold", method.title());
                row(&loss(*method), &words, &typeset::reading(method.reading()))
            })
            .collect();
        let metrics: String = METRICS
            .iter()
            .map(|metric| (metric, typeset::reading(metric.reading)))
            .filter(|(_, formula)| !formula.is_empty())
            .map(|(metric, formula)| row(&typeset::name(metric.name), metric.title, &formula))
            .collect();
        let letters: String = VOCABULARY
            .iter()
            .filter(|(name, ..)| *name == "R")
            .map(|(name, text, _)| row(&typeset::name(name), "predicted positive rate", &typeset::definition(text)))
            .collect();
        let inline = |latex: &str| self.math.inline(latex);
        format!(
            "<section id=\"notation\" aria-labelledby=\"notation-title\">\n<h2 id=\"notation-title\">Notation</h2>\n\
             <p>Class 0 is positive and scores low: a score of at most the threshold predicts class 0. {} are the distribution \
             functions of the scores, {} the class proportions, {} the scale of the scores, and {} is the posterior of class 1. The \
             loss at a point of the curve under cost proportion {} is {}; cost proportions have density {}, which is 1 if nothing is \
             said, and mean {}. Integrals run along the curve of the model. {} is a loss over skews; a letter M in front, as in {}, \
             takes classes as balanced. {} is the convex hull of a model, {} has posteriors for scores, and {} has evenly spaced \
             ones.</p>\n\
             <p>An integral over arcs counts where scores have densities only: not at ties, not between scores, and not where {} jumps. So \
             {} is what {} grows by without its jumps.</p>\n\
             <details class=\"letters\"><summary>Losses and metrics</summary>\n\
             <div class=\"scroll\"><table>\n<thead><tr><th scope=\"col\">\
             symbol</th><th scope=\"col\">name</th><th scope=\"col\">definition</th></tr></thead>\n<tbody>\n{letters}{losses}\
             {metrics}</tbody></table></div>\n</details>\n</section>\n",
            inline("F_0, F_1"),
            inline("\\pi_0, \\pi_1"),
            inline("[l, h]"),
            inline("c"),
            inline("c"),
            inline(&format!("Q(c) = {}", typeset::definition(LOSS))),
            inline("w"),
            inline(&typeset::name("mean")),
            inline("L^{z}"),
            inline(&typeset::name("MBS")),
            inline("\\mathrm{Conv}(m)"),
            inline("\\mathrm{Cal}(m)"),
            inline("\\mathrm{Even}(m)"),
            inline("c"),
            inline("\\int_{\\text{arcs}} dc"),
            inline("c"),
        )
    }
}

/// The expected loss of a method, in LaTeX.
fn loss(method: Method) -> String {
    let method = match method {
        Method::ScoreFixed(_) => "sf(t)".to_owned(),
        Method::RateFixed(_) => "rf(r)".to_owned(),
        other => other.name(),
    };
    let read = Statement::parse(&format!("L[{method}] == 0")).ok();
    read.and_then(|statement| Some(typeset::side(&statement.claims.first()?.left))).unwrap_or_default()
}
