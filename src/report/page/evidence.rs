//! The evidence behind verdicts, as HTML: models, both sides of a comparison, digits, intervals.

use super::Page;
use super::html::{code, joined, scrolling, to_anchor, to_file};
use crate::arith::Rational;
use crate::arith::rational::to_f64;
use crate::functional::Value;
use crate::model::Model;
use crate::paper::audit::{AuditedClaim, Digits, Evidence};
use crate::paper::claim::{Check, PrintedInterval, Subject};
use crate::report::audit::{RECONSTRUCTION, certificate_paths, counterexample_path, is_about_reconstruction};
use crate::search::{Counterexample, Decision, FailedClaim, ModelText};
use crate::statement::Comparison;
use crate::theory::certificate::Certificate;
use crate::theory::typeset;
use crate::transform::ScoreInterval;
use crate::verdict::Verdict;
use maud::{Markup, html};

/// Tolerance when a computed end of an interval is compared with printed digits: it covers the error of the computed end.
const ROUNDED: f64 = 1e-9;

/// The ends of an interval of thresholds and of its interval of posteriors, exactly, as text.
type ExactEnds = [[String; 2]; 2];

impl Page<'_> {
    /// The evidence behind a verdict, without the proof.
    pub(super) fn evidence(&self, audited: &AuditedClaim) -> Markup {
        match &audited.evidence {
            Evidence::Everywhere(_, Verdict::Proved(certificate)) => self.hypotheses(certificate),
            Evidence::Everywhere(_, Verdict::Refuted(found)) => self.counterexample(audited, found),
            Evidence::Everywhere(_, Verdict::Supported(support)) => {
                html! { p { "No counterexample among " (support.models) " models, and no proof." } }
            }
            Evidence::Everywhere(_, Verdict::Undecided(why)) | Evidence::Fault(why) => html! { p { (why) } },
            Evidence::OnModel(model, statement, decision) => html! {
                (self.subject(audited, model))
                @match decision {
                    Decision::Holds { sides, .. } => (self.chain(&statement.claims, sides)),
                    Decision::Fails(failure) => (self.failure(&statement.claims, failure)),
                    Decision::OutOfScope { why } => p { (why) },
                    Decision::Unknown => "",
                }
            },
            Evidence::Printed { model, value, digits, .. } => html! {
                (self.subject(audited, model)) (self.digits(audited, value.as_ref(), digits))
            },
            Evidence::Intervals { model, found, exact } => {
                let printed = match &audited.claim.check {
                    Check::Intervals(printed) => printed.as_slice(),
                    _ => &[],
                };
                html! { (self.subject(audited, model)) (intervals(printed, found, exact.as_deref())) }
            }
            Evidence::Class(model, member) => html! { (self.subject(audited, model)) (membership(audited, *member)) },
            Evidence::NoModel(why) => html! {
                @if let Subject::Worded(d) = &audited.claim.subject {
                    (model_table(&ModelText { pi0: d.pi0.clone(), f0: d.f0.clone(), f1: d.f1.clone() }, "as worded"))
                }
                p { "These make no model: " (why) "." }
            },
            Evidence::Model(model) => self.subject(audited, model),
            Evidence::Two { models: [first, second], met, differ } => html! {
                (self.subject(audited, first)) (self.second_model(audited, second, met, differ.as_ref()))
            },
        }
    }

    /// The hypotheses of a proof.
    fn hypotheses(&self, certificate: &Certificate) -> Markup {
        let hypotheses = certificate.hypotheses();
        let each = hypotheses.iter().map(|text| self.math.sentence(&typeset::hypothesis(text)));
        html! {
            p.supposed {
                "For every model" @if !hypotheses.is_empty() { ", supposing: " (joined(each, "; ")) } "."
            }
        }
    }

    /// Links to the files of a proof.
    pub(super) fn proof_files(&self, audited: &AuditedClaim) -> Markup {
        let [json, tex, py] = certificate_paths(audited);
        joined([to_file(&json, "certificate"), to_file(&tex, "LaTeX"), to_file(&py, "SymPy script")], " · ")
    }

    /// The models of a counterexample, its parameters, and both sides.
    fn counterexample(&self, audited: &AuditedClaim, found: &Counterexample) -> Markup {
        let title = |name: &str| match found.models.len() {
            1 => "counterexample".to_owned(),
            _ => format!("counterexample, {name}"),
        };
        html! {
            @for (k, (name, texts)) in found.models.iter().enumerate() {
                (model_table(texts, &title(name)))
                p.files { (to_file(&counterexample_path(audited, k), "model file")) }
            }
            (parameters(&found.parameters, found.cost.as_ref().map(ToString::to_string)))
            (self.sides(&found.claim, [&found.lhs, &found.rhs]))
        }
    }

    /// The parameters with which a claim fails on a model, and both sides.
    fn failure(&self, claims: &[Comparison], failure: &FailedClaim) -> Markup {
        let [left, right] = &failure.sides;
        html! {
            @if let Some(claim) = claims.get(failure.claim) {
                (parameters(&failure.parameters, failure.cost.as_ref().map(ToString::to_string)))
                (self.sides(claim, [left, right]))
            }
        }
    }

    /// Both sides of a comparison that fails.
    fn sides(&self, claim: &Comparison, values: [&Value; 2]) -> Markup {
        let terms = claim.sides().map(typeset::side);
        let comparison = format!("{} {} {}", terms[0], typeset::sign_of(claim.relation), terms[1]);
        let rows = html! { @for (term, value) in terms.iter().zip(values) { (self.row(term, value)) } };
        html! {
            (table(&["side", "value"], rows))
            p.formula { "So " (self.math.inline(&comparison)) " fails." }
        }
    }

    /// The members of a chain of comparisons `a <= b <= c` with their values: the left side of the first one, then each right side after its sign.
    fn chain(&self, claims: &[Comparison], sides: &[[Value; 2]]) -> Markup {
        let right =
            |claim: &Comparison| format!("{{}} {} {}", typeset::sign_of(claim.relation), typeset::side(&claim.right));
        let rows = html! {
            @for (k, (claim, [left_value, right_value])) in claims.iter().zip(sides).enumerate() {
                @if k == 0 { (self.row(&typeset::side(&claim.left), left_value)) }
                (self.row(&right(claim), right_value))
            }
        };
        table(&["side", "value"], rows)
    }

    /// A formula beside its value.
    fn row(&self, formula: &str, value: &Value) -> Markup {
        html! { tr { td { (self.math.inline(formula)) } td { (value_with_level(value)) } } }
    }

    /// Printed digits beside the value. Digits that differ are marked.
    fn digits(&self, audited: &AuditedClaim, value: Option<&Value>, digits: &Digits) -> Markup {
        let name = match (&audited.claim.check, &audited.evidence) {
            (Check::Printed { .. }, Evidence::Printed { statement, .. }) => {
                statement.claims.first().map(|claim| self.math.inline(&typeset::side(&claim.right)))
            }
            _ => None,
        };
        let name = name.unwrap_or_default();
        let Some(value) = value else { return html! { p { (name) " has no value here." } } };
        let rounded = digits.rounded(value).unwrap_or_default();
        let marked = match audited.outcome.holds() {
            true => [html! { (digits.text) }, html! { (rounded) }],
            false => mark_difference(&digits.text, &rounded),
        };
        let [shown_printed, shown_rounded] = marked;
        let rows = html! {
            tr { td { "printed" } td { (name) " ≈ " span.digits { (shown_printed) } } }
            @if !rounded.is_empty() { tr { td { "computed" } td { (name) " ≈ " span.digits { (shown_rounded) } } } }
            tr { td { "value" } td { (value_with_level(value)) } }
        };
        table(&[], rows)
    }

    /// The model that a claim is about, in one line.
    fn subject(&self, audited: &AuditedClaim, model: &Model) -> Markup {
        let texts = ModelText::of(model);
        let each = rows(&texts).map(|(name, text)| html! { (name) " = " (code(text)) });
        html! {
            p.name {
                "Model "
                @match &audited.claim.subject {
                    Subject::Named(label) if self.figures.iter().any(|figure| figure.label == *label) =>
                        (to_anchor(&super::figures::anchor(label), &format!("@{label}"))),
                    Subject::Named(label) => { "@" (label) },
                    _ => "as worded",
                }
                ": " (joined(each, ", "))
            }
            @if is_about_reconstruction(audited) { p.reconstruction { (RECONSTRUCTION) } }
        }
    }

    /// A second model that meets everything that the paper says of the first, and a value that differs.
    fn second_model(
        &self,
        audited: &AuditedClaim,
        second: &Model,
        met: &[String],
        differ: Option<&(&'static str, [Value; 2])>,
    ) -> Markup {
        let first = match &audited.claim.subject {
            Subject::Named(label) => format!("@{label}"),
            _ => "as worded".to_owned(),
        };
        let compared = |name: &str, values: &[Value; 2]| {
            let name = self.math.inline(&typeset::name(name));
            html! {
                @for (on, value) in [first.as_str(), "the other"].into_iter().zip(values) {
                    tr { td { (name) " on " (on) } td { (value_with_level(value)) } }
                }
            }
        };
        html! {
            p {
                "Another model meets "
                @match met.len() {
                    0 => "what is said as well:",
                    n => {
                        @if n == 1 { "the one thing" } @else { "all " (n) " things" }
                        " that hold of it: " (joined(met.iter().map(|id| to_anchor(id, id)), ", ")) "."
                    },
                }
            }
            (model_table(&ModelText::of(second), "another"))
            @if let Some((name, values)) = differ { (table(&["", "value"], compared(name, values))) }
        }
    }
}

/// The proof that a verdict rests on, if it rests on one.
pub(super) fn proof(audited: &AuditedClaim) -> Option<&Certificate> {
    match &audited.evidence {
        Evidence::Everywhere(_, Verdict::Proved(certificate)) => Some(certificate),
        _ => None,
    }
}

/// Whether the model is in the class of the claim, as a sentence. `member` is `None` if that is open.
fn membership(audited: &AuditedClaim, member: Option<bool>) -> Markup {
    let verb = match member {
        Some(true) => "is",
        Some(false) => "is not",
        None => "may or may not be",
    };
    let class = match &audited.claim.check {
        Check::Class(class) => class.as_str(),
        _ => "",
    };
    html! { p { "The model " (verb) " " (class) "." } }
}

/// A table that scrolls on its own; without a head if there are no names.
fn table(head: &[&str], rows: Markup) -> Markup {
    scrolling(html! {
        table {
            @if !head.is_empty() { thead { tr { @for name in head { th scope="col" { (name) } } } } }
            tbody { (rows) }
        }
    })
}

/// The densities and the class proportion of a model, each with its symbol.
fn rows(ModelText { pi0, f0, f1 }: &ModelText) -> [(Markup, &str); 3] {
    let symbol = |letter: &str, class: u8| html! { i { (letter) } sub { (class) } };
    [(symbol("f", 0), f0), (symbol("f", 1), f1), (symbol("π", 0), pi0)]
}

/// A model as a table.
fn model_table(texts: &ModelText, title: &str) -> Markup {
    let table = html! {
        table.model { tbody { @for (name, text) in rows(texts) { tr { td { (name) } td { (code(text)) } } } } }
    };
    html! { p.name { "Model: " (title) } (scrolling(table)) }
}

/// The parameters and the cost distribution of a counterexample, if there are any.
fn parameters(parameters: &[(String, Rational)], cost: Option<String>) -> Markup {
    let assigned = parameters.iter().map(|(name, value)| format!("{name} = {value}"));
    let all: Vec<String> = assigned.chain(cost.map(|cost| format!("w = {cost}"))).collect();
    html! { @if !all.is_empty() { p { "With " (code(&all.join(", "))) "." } } }
}

/// A value with its level of evidence.
fn value_with_level(value: &Value) -> Markup {
    let level = match value {
        Value::Exact(exact) => exact.level(),
        Value::Certified(..) => "certified",
        Value::Numeric(_) => "numeric",
        Value::Missing(why) => return html! { (why) },
    };
    html! { span.digits { (value.to_string()) } " " span.level { (level) } }
}

/// Two numbers, marked from the first digit that differs.
fn mark_difference(printed: &str, rounded: &str) -> [Markup; 2] {
    let same = printed.chars().zip(rounded.chars()).take_while(|(a, b)| a == b).count();
    [printed, rounded].map(|digits| {
        let (head, tail): (String, String) = (digits.chars().take(same).collect(), digits.chars().skip(same).collect());
        html! { (head) @if !tail.is_empty() { mark { (tail) } } }
    })
}

/// Printed intervals beside the computed ones, and their exact ends if they are known. Differences are marked.
fn intervals(printed: &[PrintedInterval], computed: &[ScoreInterval], exact: Option<&[ExactEnds]>) -> Markup {
    let row = |k: usize| {
        let (printed, computed) = (printed.get(k), computed.get(k));
        let [exact_tau, exact_sigma] = match exact.and_then(|all| all.get(k)) {
            Some([tau, sigma]) => [Some(tau), Some(sigma)],
            None => [None, None],
        };
        let kinds = [printed.map(|interval| interval.kind.as_str()), computed.map(|interval| interval.kind.name())];
        let tau =
            interval_cells(printed.map(|interval| &interval.tau), computed.map(|interval| interval.tau), exact_tau);
        let sigma = interval_cells(
            printed.map(|interval| &interval.sigma),
            computed.map(|interval| interval.sigma),
            exact_sigma,
        );
        html! {
            tr {
                @for kind in kinds { td { (mark_if(kinds[0] != kinds[1], kind.unwrap_or("none"))) } }
                @for cell in tau.into_iter().chain(sigma) { td { (cell) } }
            }
        }
    };
    let rows = html! { @for k in 0..printed.len().max(computed.len()) { (row(k)) } };
    table(&["kind, printed", "computed", "τ, printed", "computed", "σ, printed", "computed"], rows)
}

/// Two cells: an interval as printed and as computed, with exact ends if they are known. Ends that differ are marked.
fn interval_cells(
    printed: Option<&[String; 2]>,
    computed: Option<(f64, f64)>,
    exact: Option<&[String; 2]>,
) -> [Markup; 2] {
    let differs = match (printed, computed) {
        (Some([printed_a, printed_b]), Some((a, b))) => [!agrees(printed_a, a), !agrees(printed_b, b)],
        _ => [true, true],
    };
    let computed = computed.map(|(a, b)| exact.cloned().unwrap_or_else(|| [a, b].map(|end| format!("{end:.6}"))));
    [printed.cloned(), computed].map(|ends| match ends {
        Some([a, b]) => html! { "(" (mark_if(differs[0], &a)) ", " (mark_if(differs[1], &b)) ")" },
        None => html! { "none" },
    })
}

/// Whether a value rounds to the printed digits.
fn agrees(printed: &str, value: f64) -> bool {
    Digits::new(printed).is_some_and(|digits| {
        let [low, high] = digits.bounds().map(|end| to_f64(&end));
        (low - ROUNDED..=high + ROUNDED).contains(&value)
    })
}

/// A text, marked if it differs.
fn mark_if(differs: bool, text: &str) -> Markup {
    html! { @if differs { mark { (text) } } @else { (text) } }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_marked_from_the_first_that_differs() {
        let marked = |printed, rounded| mark_difference(printed, rounded).map(Markup::into_string);
        assert_eq!(marked("0.10245", "0.10256"), ["0.102<mark>45</mark>", "0.102<mark>56</mark>"]);
        assert_eq!(marked("0.85", "0.85"), ["0.85", "0.85"]);
    }
}
