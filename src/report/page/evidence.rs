//! What verdicts rest on, as HTML: models, both sides of a comparison, digits, intervals.

use super::Page;
use super::html::{code, scrolling, to_anchor, to_file};
use crate::arith::rational::to_f64;
use crate::functional::Value;
use crate::model::Model;
use crate::output::escaped;
use crate::paper::audit::{Digits, Evidence, Settled};
use crate::paper::claim::{Check, PrintedInterval, Subject};
use crate::report::audit::{RECONSTRUCTION, certificate_paths, counterexample_path, reconstructed, texts};
use crate::search::{Counterexample, Decision, Failure, Texts};
use crate::statement::Comparison;
use crate::theory::certificate::Certificate;
use crate::theory::typeset;
use crate::transform::Interval;
use crate::verdict::Verdict;

/// The ends of intervals that are rounded are compared with so much room.
const ROUNDED: f64 = 1e-9;

impl Page<'_> {
    /// What a verdict rests on, but for proofs.
    pub(super) fn evidence(&self, settled: &Settled) -> String {
        match &settled.evidence {
            Evidence::Everywhere(_, Verdict::Proved(certificate)) => self.supposed(certificate),
            Evidence::Everywhere(_, Verdict::Refuted(found)) => self.counterexample(settled, found),
            Evidence::Everywhere(_, Verdict::Supported(support)) => {
                format!("<p>No counterexample among {} models, and no proof.</p>", support.models)
            }
            Evidence::Everywhere(_, Verdict::Undecided(why)) | Evidence::Fault(why) => {
                format!("<p>{}</p>", escaped(why))
            }
            Evidence::OnModel(model, statement, decision) => {
                let shown = match decision {
                    Decision::Holds { sides, .. } => self.chain(&statement.claims, sides),
                    Decision::Fails(failure) => self.failure(&statement.claims, failure),
                    Decision::Beside { why } => format!("<p>{}</p>", escaped(why)),
                    Decision::Unknown => String::new(),
                };
                self.subject(settled, model) + &shown
            }
            Evidence::Printed { model, value, digits, .. } => {
                self.subject(settled, model) + &self.digits(settled, value.as_ref(), digits)
            }
            Evidence::Intervals { model, found, exact } => {
                let printed = match &settled.claim.check {
                    Check::Intervals(printed) => printed.as_slice(),
                    _ => &[],
                };
                self.subject(settled, model) + &intervals(printed, found, exact.as_deref())
            }
            Evidence::Class(model, member) => {
                let is = match member {
                    Some(true) => "is",
                    Some(false) => "is not",
                    None => "may or may not be",
                };
                let class = match &settled.claim.check {
                    Check::Class(class) => class.as_str(),
                    _ => "",
                };
                format!("{}<p>The model {is} {}.</p>", self.subject(settled, model), escaped(class))
            }
            Evidence::NoModel(why) => {
                let worded = match &settled.claim.subject {
                    Subject::Worded(d) => {
                        model_table(&Texts { pi0: d.pi0.clone(), f0: d.f0.clone(), f1: d.f1.clone() }, "as worded")
                    }
                    _ => String::new(),
                };
                format!("{worded}<p>These make no model: {}.</p>", escaped(why))
            }
            Evidence::Model(model) => self.subject(settled, model),
            Evidence::Two { models: [first, second], met, differ } => {
                self.subject(settled, first) + &self.two(settled, second, met, differ.as_ref())
            }
        }
    }

    /// What a proof supposes.
    fn supposed(&self, certificate: &Certificate) -> String {
        let hypotheses = certificate.hypotheses();
        if hypotheses.is_empty() {
            return "<p class=\"supposed\">For every model.</p>".to_owned();
        }
        let all: Vec<String> = hypotheses.iter().map(|text| self.math.sentence(&typeset::hypothesis(text))).collect();
        format!("<p class=\"supposed\">For every model, supposing: {}.</p>", all.join("; "))
    }

    /// The files of a proof.
    pub(super) fn proof_files(&self, settled: &Settled) -> String {
        let [json, tex, py] = certificate_paths(settled);
        format!("{} · {} · {}", to_file(&json, "certificate"), to_file(&tex, "LaTeX"), to_file(&py, "SymPy script"))
    }

    fn counterexample(&self, settled: &Settled, found: &Counterexample) -> String {
        let mut html = String::new();
        for (k, (name, texts)) in found.models.iter().enumerate() {
            let title =
                if found.models.len() > 1 { format!("counterexample, {name}") } else { "counterexample".into() };
            html += &model_table(texts, &title);
            html += &format!("<p class=\"files\">{}</p>", to_file(&counterexample_path(settled, k), "model file"));
        }
        html += &parameters(&found.parameters, found.cost.as_ref().map(ToString::to_string));
        html + &self.sides(&found.claim, [&found.lhs, &found.rhs])
    }

    fn failure(&self, claims: &[Comparison], failure: &Failure) -> String {
        let Some(claim) = claims.get(failure.claim) else { return String::new() };
        let [left, right] = &failure.sides;
        parameters(&failure.parameters, failure.cost.as_ref().map(ToString::to_string))
            + &self.sides(claim, [left, right])
    }

    /// Both sides of a comparison that fails.
    fn sides(&self, claim: &Comparison, values: [&Value; 2]) -> String {
        let terms = claim.sides().map(typeset::side);
        let rows = terms.iter().zip(values).map(|(term, value)| self.row(term, value));
        let table = table(&["side", "value"], &rows.collect::<String>());
        let comparison = format!("{} {} {}", terms[0], typeset::sign_of(claim.relation), terms[1]);
        format!("{table}<p class=\"formula\">So {} fails.</p>", self.math.inline(&comparison))
    }

    /// The members of a chain of comparisons.
    fn chain(&self, claims: &[Comparison], sides: &[[Value; 2]]) -> String {
        let mut rows = String::new();
        for (k, (claim, [left, right])) in claims.iter().zip(sides).enumerate() {
            if k == 0 {
                rows += &self.row(&typeset::side(&claim.left), left);
            }
            let sign = typeset::sign_of(claim.relation);
            rows += &self.row(&format!("{{}} {sign} {}", typeset::side(&claim.right)), right);
        }
        table(&["side", "value"], &rows)
    }

    fn row(&self, formula: &str, value: &Value) -> String {
        format!("<tr><td>{}</td><td>{}</td></tr>", self.math.inline(formula), value_html(value))
    }

    /// Printed digits beside the value; those that differ are marked.
    fn digits(&self, settled: &Settled, value: Option<&Value>, digits: &Digits) -> String {
        let name = match (&settled.claim.check, &settled.evidence) {
            (Check::Printed { .. }, Evidence::Printed { statement, .. }) => {
                statement.claims.first().map(|claim| self.math.inline(&typeset::side(&claim.right)))
            }
            _ => None,
        };
        let name = name.unwrap_or_default();
        let Some(value) = value else { return format!("<p>{name} has no value here.</p>") };
        let rounded = digits.rounded(value).unwrap_or_default();
        let right = settled.outcome.holds();
        let [printed, rounded] = if right { [digits.text.clone(), rounded] } else { differing(&digits.text, &rounded) };
        let mut rows = format!("<tr><td>printed</td><td>{name} ≈ <span class=\"digits\">{printed}</span></td></tr>");
        if !rounded.is_empty() {
            rows += &format!("<tr><td>computed</td><td>{name} ≈ <span class=\"digits\">{rounded}</span></td></tr>");
        }
        rows += &format!("<tr><td>value</td><td>{}</td></tr>", value_html(value));
        table(&[], &rows)
    }

    /// The model that a claim is about, in a line.
    fn subject(&self, settled: &Settled, model: &Model) -> String {
        let name = match &settled.claim.subject {
            Subject::Named(label) if self.figures.iter().any(|figure| figure.label == *label) => {
                to_anchor(&super::figures::anchor(label), &format!("@{label}"))
            }
            Subject::Named(label) => escaped(&format!("@{label}")),
            _ => "as worded".to_owned(),
        };
        let each: Vec<String> =
            rows(&texts(model)).iter().map(|(name, text)| format!("{name} = {}", code(text))).collect();
        let found = if reconstructed(settled) {
            format!("<p class=\"reconstruction\">{RECONSTRUCTION}</p>")
        } else {
            String::new()
        };
        format!("<p class=\"name\">Model {name}: {}</p>{found}", each.join(", "))
    }

    fn two(
        &self,
        settled: &Settled,
        second: &Model,
        met: &[String],
        differ: Option<&(&'static str, [Value; 2])>,
    ) -> String {
        let mut html = match met.len() {
            0 => "<p>Another model meets what is said as well:</p>".to_owned(),
            n => {
                let all: Vec<String> = met.iter().map(|id| to_anchor(id, id)).collect();
                let things = if n == 1 { "the one thing" } else { &format!("all {n} things") };
                format!("<p>Another model meets {things} that hold of it: {}.</p>", all.join(", "))
            }
        };
        html += &model_table(&texts(second), "another");
        if let Some((name, [a, b])) = differ {
            let first = match &settled.claim.subject {
                Subject::Named(label) => format!("@{label}"),
                _ => "as worded".to_owned(),
            };
            let name = self.math.inline(&typeset::name(name));
            let row = |on: &str, value: &Value| {
                format!("<tr><td>{name} on {}</td><td>{}</td></tr>", escaped(on), value_html(value))
            };
            html += &table(&["", "value"], &(row(&first, a) + &row("the other", b)));
        }
        html
    }
}

/// The proof that a verdict rests on, if it is one.
pub(super) fn proof(settled: &Settled) -> Option<&Certificate> {
    match &settled.evidence {
        Evidence::Everywhere(_, Verdict::Proved(certificate)) => Some(certificate),
        _ => None,
    }
}

fn table(head: &[&str], rows: &str) -> String {
    let head: String = head.iter().map(|name| format!("<th scope=\"col\">{name}</th>")).collect();
    let head = if head.is_empty() { head } else { format!("<thead><tr>{head}</tr></thead>") };
    scrolling(&format!("<table>{head}<tbody>{rows}</tbody></table>"))
}

/// A model: its densities and its class proportion.
fn rows(Texts { pi0, f0, f1 }: &Texts) -> [(&'static str, &str); 3] {
    [("<i>f</i><sub>0</sub>", f0), ("<i>f</i><sub>1</sub>", f1), ("<i>π</i><sub>0</sub>", pi0)]
}

/// A model as a table.
fn model_table(of: &Texts, title: &str) -> String {
    let row = |(name, text): &(&str, &str)| format!("<tr><td>{name}</td><td>{}</td></tr>", code(text));
    let rows: String = rows(of).iter().map(row).collect();
    let table = format!("<table class=\"model\"><tbody>{rows}</tbody></table>");
    format!("<p class=\"name\">Model: {}</p>{}", escaped(title), scrolling(&table))
}

fn parameters(of: &[(String, crate::arith::Rational)], cost: Option<String>) -> String {
    let of = of.iter().map(|(name, value)| format!("{name} = {value}"));
    let all: Vec<String> = of.chain(cost.map(|cost| format!("w = {cost}"))).collect();
    if all.is_empty() { String::new() } else { format!("<p>With {}.</p>", code(&all.join(", "))) }
}

/// A value with its evidence.
fn value_html(value: &Value) -> String {
    let level = match value {
        Value::Settled(settled) => settled.level(),
        Value::Certified(..) => "certified",
        Value::Numeric(_) => "numeric",
        Value::Unavailable(why) => return escaped(why),
    };
    format!("<span class=\"digits\">{}</span> <span class=\"level\">{level}</span>", escaped(&value.to_string()))
}

/// Two numbers with the digits marked from the first that differs on.
fn differing(printed: &str, rounded: &str) -> [String; 2] {
    let same = printed.chars().zip(rounded.chars()).take_while(|(a, b)| a == b).count();
    [printed, rounded].map(|digits| {
        let (head, tail): (String, String) = (digits.chars().take(same).collect(), digits.chars().skip(same).collect());
        if tail.is_empty() { escaped(&head) } else { format!("{}<mark>{}</mark>", escaped(&head), escaped(&tail)) }
    })
}

/// Intervals as printed beside those that there are.
fn intervals(printed: &[PrintedInterval], found: &[Interval], exact: Option<&[[[String; 2]; 2]]>) -> String {
    let mut rows = String::new();
    for k in 0..printed.len().max(found.len()) {
        let (said, is) = (printed.get(k), found.get(k));
        let known = exact.and_then(|all| all.get(k));
        let kinds = [said.map(|said| said.kind.as_str()), is.map(|is| is.kind.name())];
        let differ = kinds[0] != kinds[1];
        let kind = |kind: Option<&str>| marked(kind.unwrap_or("none"), differ);
        rows += &format!("<tr><td>{}</td><td>{}</td>", kind(kinds[0]), kind(kinds[1]));
        for end in 0..2 {
            let said = said.map(|said| if end == 0 { &said.tau } else { &said.sigma });
            let is = is.map(|is| if end == 0 { is.tau } else { is.sigma });
            let known = known.map(|known| &known[end]);
            let off = match (said, is) {
                (Some(said), Some((a, b))) => [!agrees(&said[0], a), !agrees(&said[1], b)],
                _ => [true, true],
            };
            let cell = |of: Option<[String; 2]>| {
                of.map_or("none".to_owned(), |[a, b]| format!("({}, {})", marked(&a, off[0]), marked(&b, off[1])))
            };
            let is = is.map(|(a, b)| known.cloned().unwrap_or_else(|| [a, b].map(|x| format!("{x:.6}"))));
            rows += &format!("<td>{}</td><td>{}</td>", cell(said.cloned()), cell(is));
        }
        rows += "</tr>";
    }
    table(&["kind, printed", "computed", "τ, printed", "computed", "σ, printed", "computed"], &rows)
}

fn agrees(said: &str, value: f64) -> bool {
    Digits::new(said).is_some_and(|digits| {
        let [low, high] = digits.bounds().map(|end| to_f64(&end));
        (low - ROUNDED..=high + ROUNDED).contains(&value)
    })
}

fn marked(text: &str, differs: bool) -> String {
    if differs { format!("<mark>{}</mark>", escaped(text)) } else { escaped(text) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_marked_from_the_first_that_differs() {
        assert_eq!(differing("0.10245", "0.10256"), ["0.102<mark>45</mark>", "0.102<mark>56</mark>"]);
        assert_eq!(differing("0.85", "0.85"), ["0.85", "0.85"]);
    }
}
