//! The notation, from the definitions that everything is computed by.

use super::Page;
use super::html::scrolling;
use crate::functional::definition::{LOSS, METRICS, Method, VOCABULARY};
use crate::statement::Statement;
use crate::theory::typeset;
use maud::{Markup, html};

impl Page<'_> {
    /// The section on notation: an introduction, and a table of losses and metrics.
    pub(super) fn notation_section(&self) -> Markup {
        let inline = |latex: &str| self.math.inline(latex);
        let loss_at_point = format!("Q(c) = {}", typeset::definition(LOSS));
        html! {
            section #notation aria-labelledby="notation-title" {
                "\n" h2 #notation-title { "Notation" }
                "\n" p {
                    "Class 0 is positive and scores low: a score of at most the threshold predicts class 0. " (inline("F_0, F_1"))
                    " are the distribution functions of the scores, " (inline("\\pi_0, \\pi_1")) " the class proportions, "
                    (inline("[l, h]")) " the scale of the scores, and " (inline("c")) " is the posterior of class 1. The loss at a point \
                     of the curve under cost proportion " (inline("c")) " is " (inline(&loss_at_point)) "; cost proportions have density "
                    (inline("w")) ", which is 1 unless another is given, and mean " (inline(&typeset::name("mean"))) ". Integrals run along the \
                     curve of the model. " (inline("L^{z}")) " is a loss over skews; a letter M in front, as in "
                    (inline(&typeset::name("MBS"))) ", takes classes as balanced. " (inline("\\mathrm{Conv}(m)")) " is the convex hull of \
                     a model, " (inline("\\mathrm{Cal}(m)")) " has posteriors for scores, and " (inline("\\mathrm{Even}(m)"))
                    " has evenly spaced ones."
                }
                "\n" p {
                    "An integral over arcs counts where scores have densities only: not at ties, not between scores, and not where "
                    (inline("c")) " jumps. So " (inline("\\int_{\\text{arcs}} dc")) " is what " (inline("c"))
                    " grows by without its jumps."
                }
                "\n" details.letters { summary { "Losses and metrics" } "\n" (scrolling(self.definitions())) "\n" } "\n"
            } "\n"
        }
    }

    /// The table of definitions: symbol, name, formula.
    fn definitions(&self) -> Markup {
        let rate = VOCABULARY.iter().filter(|(name, ..)| *name == "R").map(|(name, text, _)| {
            (typeset::name(name), "predicted positive rate".to_owned(), typeset::definition(text))
        });
        let losses = Method::ALL.iter().map(|method| {
            let words = format!("expected loss, {} threshold", method.title());
            (loss(*method), words, typeset::reading(method.reading()))
        });
        let metrics = METRICS
            .iter()
            .map(|metric| (typeset::name(metric.name), metric.title.to_owned(), typeset::reading(metric.reading)))
            .filter(|(.., formula)| !formula.is_empty());
        html! {
            table {
                "\n" thead { tr { @for name in ["symbol", "name", "definition"] { th scope="col" { (name) } } } }
                "\n" tbody {
                    "\n"
                    @for (symbol, words, formula) in rate.chain(losses).chain(metrics) {
                        tr {
                            td { (self.math.inline(&symbol)) }
                            td { (words) }
                            td { @if !formula.is_empty() { (self.math.inline(&formula)) } }
                        } "\n"
                    }
                }
            }
        }
    }
}

/// The symbol of the expected loss of a method, in LaTeX.
fn loss(method: Method) -> String {
    let method = match method {
        Method::ScoreFixed(_) => "sf(t)".to_owned(),
        Method::RateFixed(_) => "rf(r)".to_owned(),
        other => other.name(),
    };
    let read = Statement::parse(&format!("L[{method}] == 0")).ok();
    read.and_then(|statement| Some(typeset::side(&statement.claims.first()?.left))).unwrap_or_default()
}
