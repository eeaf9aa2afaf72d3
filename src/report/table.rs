//! An evaluation as tables.

use crate::arith::decimal::fixed;
use crate::calculus::Estimate;
use crate::functional::evaluation::EnclosedShape;
use crate::functional::{Condition, Cost, Evaluation, Value};
use crate::model::Model;
use crate::output;
use comfy_table::{CellAlignment, Table, presets};
use std::collections::BTreeSet;
use std::fmt::Write;

/// An error rounded up to one digit.
fn round_up(error: f64) -> String {
    let text = format!("{error:.0e}");
    if error > 0.0 && text.parse::<f64>().is_ok_and(|rounded| rounded < error) {
        return format!("{:.0e}", error + 0.5 * 10f64.powf(error.log10().floor()));
    }
    text
}

/// The longest closed form in a table, in characters.
const LONGEST_FORM: usize = 48;
/// The longest closed form below the tables, in characters.
const LONGEST_BELOW: usize = 400;

/// The closed forms that are too long for the tables, each with the names of the values that have it.
fn long_forms(evaluation: &Evaluation) -> Vec<(String, String)> {
    let metrics = evaluation.metrics().map(|(m, value)| (evaluation.thresholds.label(m), value));
    let cost = evaluation.losses(Condition::Cost).map(|(m, value)| (format!("L[{}]", m.name()), value));
    let skew = evaluation.losses(Condition::Skew).map(|(m, value)| (format!("Lz[{}]", m.name()), value));
    let mut forms: Vec<(String, String)> = Vec::new();
    for (name, value) in metrics.chain(cost).chain(skew) {
        let Some(Ok(form)) = value.exact().map(|exact| &exact.form) else { continue };
        if form.chars().count() <= LONGEST_FORM {
            continue;
        }
        match forms.iter_mut().find(|(_, known)| known == form) {
            Some((names, _)) => *names = format!("{names} = {name}"),
            None => forms.push((name, form.clone())),
        }
    }
    forms
}

/// The cells of a value: its digits, and its evidence (the closed form or the error).
pub(super) fn cells(value: &Value, digits: usize) -> [String; 2] {
    match value {
        Value::Exact(exact) => {
            let evidence = match &exact.form {
                Ok(form) if form.chars().count() <= LONGEST_FORM => format!("= {form}"),
                Ok(_) => "= below".into(),
                Err(_) => "certified".into(),
            };
            [exact.digits(digits), evidence]
        }
        Value::Certified(..) => {
            let estimate = value.estimate().unwrap_or(Estimate { value: f64::NAN, error: 0.0 });
            let shown = output::digits(estimate);
            let error = round_up(error_as_shown(&shown, estimate));
            [shown, format!("certified ± {error}")]
        }
        Value::Numeric(estimate) => {
            let shown = output::digits(*estimate);
            let error = round_up(error_as_shown(&shown, *estimate));
            [shown, format!("± {error}")]
        }
        Value::Missing(_) => ["-".into(), String::new()],
    }
}

/// The error of a value as it is shown: that of the estimate, and the rounding to the digits shown.
fn error_as_shown(shown: &str, estimate: Estimate) -> f64 {
    let Estimate { value, error } = estimate;
    match shown.parse::<f64>() {
        Ok(printed) if printed == value && error == 0.0 => 0.0,
        // The digits are read back to within half a float; the factor covers the rounding of this sum.
        Ok(printed) => (error + (printed - value).abs() + f64::EPSILON * value.abs()) * (1.0 + 4.0 * f64::EPSILON),
        Err(_) => error,
    }
}

/// A score with all its digits, so that it can be typed as a threshold.
pub(super) fn full_digits(x: f64) -> String {
    let size = x.abs();
    if size == 0.0 || (1e-5..1e9).contains(&size) { format!("{}", x + 0.0) } else { format!("{x:e}") }
}

/// A score with at most ten decimals.
pub(super) fn short_score(x: f64) -> String {
    fixed(x, 10)
}

/// Columns of words. All others but the first hold numbers, and are aligned to the right.
const WORDS: [&str; 7] = ["means", "method", "evidence", "threshold", "thresholds", "when", "metric"];

/// An empty table with a header.
pub(super) fn new_table(header: &[&str]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::UTF8_FULL_CONDENSED).set_header(header);
    for (index, title) in header.iter().enumerate().skip(1) {
        if let Some(column) = table.column_mut(index)
            && !WORDS.contains(title)
        {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}

/// The meaning of ±.
pub(super) const BY_ESTIMATE: &str = "values with ± are within it of the truth by estimate, not by proof";

/// The metrics of an evaluation.
pub(super) fn metrics(evaluation: &Evaluation, digits: usize) -> Table {
    let mut metrics = new_table(&["metric", "value", "evidence", "means"]);
    for (definition, value) in evaluation.metrics() {
        let [value, evidence] = cells(value, digits);
        metrics.add_row([&evaluation.thresholds.label(definition), &value, &evidence, definition.title]);
    }
    metrics
}

/// The expected losses of an evaluation.
pub(super) fn losses(evaluation: &Evaluation, digits: usize) -> Table {
    let mut losses = new_table(&["loss", "cost proportions", "evidence", "skews", "evidence", "method"]);
    for ((method, by_cost), (_, by_skew)) in evaluation.losses(Condition::Cost).zip(evaluation.losses(Condition::Skew))
    {
        let ([c, c_evidence], [s, s_evidence]) = (cells(by_cost, digits), cells(by_skew, digits));
        losses.add_row([method.name(), c, c_evidence, s, s_evidence, method.title().to_owned()]);
    }
    losses
}

/// The reasons why values are missing or not at a stronger level, each once.
pub(super) fn reasons(values: &[&Value]) -> BTreeSet<String> {
    let reason = |value: &&Value| match value {
        Value::Missing(why) => Some(format!("- : {why}")),
        Value::Exact(exact) => exact.form.as_ref().err().map(|why| format!("certified: {why}")),
        Value::Certified(_, why) => why.as_ref().map(|why| format!("certified: {why}")),
        Value::Numeric(_) => None,
    };
    values.iter().filter_map(reason).collect()
}

/// An evaluation of a model, as `eval` prints it.
pub fn evaluation(model: &Model, cost: &Cost, evaluation: &Evaluation, digits: Option<usize>) -> String {
    let digits = digits.unwrap_or(15);
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = writeln!(out, "{}   π0 = {}", model.name(), model.pi0());
    for class in [0, 1] {
        let _ = writeln!(out, "  f{class} = {}", model.density(class).text());
    }
    if let Some(note) = &model.note {
        note.lines().for_each(|line| {
            let _ = writeln!(out, "  | {line}");
        });
    }
    let convex = match evaluation.convex {
        Some(true) => "convex".to_owned(),
        Some(false) => {
            let non_hull: Vec<String> = match &evaluation.shape {
                Ok(shape) => shape.gaps.iter().map(|[a, b]| format!("[{a}, {b}]")).collect(),
                Err(_) => {
                    evaluation.gaps.iter().map(|(a, b)| format!("[{}, {}]", short_score(*a), short_score(*b))).collect()
                }
            };
            format!("not convex; off the hull for scores in {}", non_hull.join(", "))
        }
        None => match &evaluation.enclosed_shape {
            Some(EnclosedShape { undecided: Some(x), .. }) => {
                format!("convex or not: that could not be decided near x = {}", short_score(*x))
            }
            _ => "convex as far as there is mass; the far tails were not decided".to_owned(),
        },
    };
    let _ = writeln!(out, "  the ROC curve is {convex}\n");

    let _ = writeln!(out, "{}\n", metrics(evaluation, digits));
    let _ = writeln!(out, "expected loss, operating conditions {cost}\n{}\n", losses(evaluation, digits));

    let mut intervals = new_table(&["interval", "thresholds τ", "posteriors σ"]);
    for (k, interval) in evaluation.intervals.iter().enumerate() {
        let ends = |(a, b): (f64, f64)| format!("({}, {})", short_score(a), short_score(b));
        let exact_ends = |[a, b]: &[String; 2]| format!("({a}, {b})");
        let shape = evaluation.shape.as_ref().ok().and_then(|shape| shape.intervals.get(k));
        let [tau, sigma] = match shape {
            Some(interval) => interval.each_ref().map(exact_ends),
            None => [ends(interval.tau), ends(interval.sigma)],
        };
        intervals.add_row([interval.kind.name().to_owned(), tau, sigma]);
    }
    let heading = if evaluation.convex == Some(false) { "intervals of the hull" } else { "intervals" };
    let _ = writeln!(out, "{heading}\n{intervals}");

    for (names, form) in long_forms(evaluation) {
        let length = form.chars().count();
        let _ = match length <= LONGEST_BELOW {
            true => writeln!(out, "{names} = {form}"),
            false => writeln!(out, "{names}: a closed form of {length} characters, see the JSON"),
        };
    }
    let values: Vec<&Value> = evaluation.values.iter().collect();
    reasons(&values).iter().for_each(|why| {
        let _ = writeln!(out, "{why}");
    });
    let numeric = values.iter().any(|v| matches!(v, Value::Numeric(_)));
    match &evaluation.shape {
        Ok(_) => {
            let _ = writeln!(out, "level: exact; values after = are the number itself, all digits shown are right");
        }
        Err(why) => {
            let certified = values.iter().any(|v| matches!(v, Value::Certified(..)));
            let _ = match certified {
                true => {
                    writeln!(out, "level: certified; the truth lies within what is given after certified ±, by proof")
                }
                false => writeln!(out, "level: numeric ({why})"),
            };
            if let Some(EnclosedShape { undecided: Some(x), .. }) = &evaluation.enclosed_shape {
                let _ = writeln!(
                    out,
                    "the hull could not be verified near x = {}: its intervals are estimates",
                    short_score(*x)
                );
            } else if certified {
                let _ = writeln!(out, "the intervals are estimates; the hull behind them is verified");
            }
        }
    }
    if numeric {
        let _ = writeln!(out, "{BY_ESTIMATE}");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arith::Interval;
    use crate::arith::rational::Rational;

    /// The truth lies within the error shown of the digits shown, by exact arithmetic.
    #[test]
    fn errors_cover_the_rounding_of_the_digits() {
        for (lo, hi) in [
            (0.764_058_882_781_68, 0.764_058_882_781_76),
            (5.9e-79, 5.92e-79),
            (0.888_888_888_888_86, 0.888_888_888_888_91),
            (0.25, 0.25),
            (-1e-17, 3e-17),
            (123_456.788, 123_456.791),
        ] {
            let [shown, evidence] = cells(&Value::Certified(Interval::new(lo, hi), None), 15);
            let exact = |x: f64| crate::arith::rational::from_f64(x).unwrap();
            let decimal = |text: &str| -> Rational {
                let expr = crate::lang::parse(&crate::lang::Source::new("number", text)).unwrap();
                crate::lang::Literal::of(&crate::lang::Source::new("number", text), &expr).unwrap().exact.unwrap()
            };
            let error = decimal(evidence.trim_start_matches("certified ± "));
            let printed = decimal(&shown);
            assert!(
                &printed - &error <= exact(lo) && exact(hi) <= &printed + &error,
                "{shown} {evidence}: [{lo}, {hi}]"
            );
        }
    }
}
