//! An evaluation as tables.

use super::summary::number::short_value;
use crate::arith::decimal::fixed;
use crate::calculus::Estimate;
use crate::functional::evaluation::EnclosedShape;
use crate::functional::{Condition, Cost, Evaluation, Value};
use crate::model::Model;
use crate::output;
use comfy_table::{CellAlignment, Table, presets};
use std::collections::BTreeSet;
use std::fmt::Write;

/// An error in scientific notation with one digit, rounded up.
fn round_up(error: f64) -> String {
    let nearest = format!("{error:.0e}");
    let is_below = nearest.parse::<f64>().is_ok_and(|rounded| rounded < error);
    if error > 0.0 && is_below {
        // Half a unit of the leading digit more rounds to the next digit.
        let unit = 10f64.powf(error.log10().floor());
        return format!("{:.0e}", error + 0.5 * unit);
    }
    nearest
}

/// The longest closed form in a table, in characters.
const LONGEST_FORM: usize = 48;
/// The longest closed form below the tables, in characters.
const LONGEST_BELOW: usize = 400;

/// The closed forms that are too long for the tables, each with the names of the values that have it.
fn long_forms(evaluation: &Evaluation) -> Vec<(String, String)> {
    let metrics = evaluation.metrics().map(|(metric, value)| (evaluation.thresholds.label(metric), value));
    let cost = evaluation.losses(Condition::Cost).map(|(method, value)| (format!("L[{}]", method.name()), value));
    let skew = evaluation.losses(Condition::Skew).map(|(method, value)| (format!("Lz[{}]", method.name()), value));
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

/// The lines below the tables with the closed forms that are too long for them.
pub(super) fn long_forms_below(evaluation: &Evaluation) -> String {
    let line = |(names, form): (String, String)| match form.chars().count() {
        length if length <= LONGEST_BELOW => format!("{names} = {form}\n"),
        length => format!("{names}: a closed form of {length} characters, see the JSON\n"),
    };
    long_forms(evaluation).into_iter().map(line).collect()
}

/// The cells of a value: its digits, and its evidence (the closed form or the error). `digits` is the number of digits of an exact value; others
/// have the digits that their errors justify.
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

/// The cells of a value as [`cells`] gives them, with at most this many significant digits.
pub(super) fn limited_cells(value: &Value, digits: usize) -> [String; 2] {
    let Value::Numeric(estimate) = value else { return cells(value, digits) };
    let all_digits = output::digits(*estimate);
    let significant = all_digits.trim_start_matches(['-', '0', '.']);
    let has_fewer = significant.bytes().filter(u8::is_ascii_digit).count() <= digits;
    let shown = match has_fewer || estimate.value == 0.0 || all_digits.contains('e') {
        true => all_digits,
        false => {
            let before_point = estimate.value.abs().log10().floor() as i64 + 1;
            format!("{:.*}", (digits as i64 - before_point).max(0) as usize, estimate.value)
        }
    };
    let error = round_up(error_as_shown(&shown, *estimate));
    [shown, format!("± {error}")]
}

/// The cells of a value: four significant digits, or the requested number of digits with the evidence in a second cell.
pub(super) fn shown_cells(value: &Value, digits: Option<usize>) -> Vec<String> {
    digits.map_or_else(|| vec![short_value(value)], |digits| limited_cells(value, digits).to_vec())
}

/// The header of a table of values: with a column of evidence after `value` if digits were requested.
pub(super) fn value_header<'a>(
    before: &[&'a str],
    value: &'a str,
    digits: Option<usize>,
    after: &[&'a str],
) -> Vec<&'a str> {
    let evidence = digits.map(|_| "evidence");
    before.iter().copied().chain([value]).chain(evidence).chain(after.iter().copied()).collect()
}

/// An upper bound on `|shown - truth|`: the error of the estimate plus the rounding to the digits shown.
fn error_as_shown(shown: &str, estimate: Estimate) -> f64 {
    let Estimate { value, error } = estimate;
    match shown.parse::<f64>() {
        Ok(printed) if printed == value && error == 0.0 => 0.0,
        // The digits are read back to within half a float; the factor covers the rounding of this sum.
        Ok(printed) => (error + (printed - value).abs() + f64::EPSILON * value.abs()) * (1.0 + 4.0 * f64::EPSILON),
        Err(_) => error,
    }
}

/// A score with all its digits, so that it can be typed as a threshold. Very small and very large ones are in scientific notation.
pub(super) fn full_digits(x: f64) -> String {
    let size = x.abs();
    // Adding 0 removes the sign of a zero.
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

/// The number of digits of exact values, unless another one is requested.
const DIGITS: usize = 15;

/// An evaluation of a model, as `eval` prints it. `digits` is the number of digits of exact values.
pub fn evaluation(model: &Model, cost: &Cost, evaluation: &Evaluation, digits: Option<usize>) -> String {
    let digits = digits.unwrap_or(DIGITS);
    let mut out = heading(model);
    // Writing to a string cannot fail.
    let _ = writeln!(out, "  the ROC curve is {}\n", convexity(evaluation));
    let _ = writeln!(out, "{}\n", metrics(evaluation, digits));
    let _ = writeln!(out, "expected loss, operating conditions {cost}\n{}\n", losses(evaluation, digits));
    let intervals_title = if evaluation.convex == Some(false) { "intervals of the hull" } else { "intervals" };
    let _ = writeln!(out, "{intervals_title}\n{}", intervals(evaluation));
    out + &long_forms_below(evaluation) + &footer(evaluation)
}

/// The name, class proportion, densities and note of a model.
fn heading(model: &Model) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = writeln!(out, "{}   π0 = {}", model.name(), model.pi0());
    for class in [0, 1] {
        let _ = writeln!(out, "  f{class} = {}", model.density(class).text());
    }
    if let Some(note) = &model.note {
        for line in note.lines() {
            let _ = writeln!(out, "  | {line}");
        }
    }
    out
}

/// Whether the ROC curve is convex, and where not, as the end of a sentence.
fn convexity(evaluation: &Evaluation) -> String {
    match evaluation.convex {
        Some(true) => "convex".to_owned(),
        Some(false) => {
            let off_hull: Vec<String> = match &evaluation.exact_shape {
                Ok(shape) => shape.gaps.iter().map(|[a, b]| format!("[{a}, {b}]")).collect(),
                Err(_) => {
                    evaluation.gaps.iter().map(|(a, b)| format!("[{}, {}]", short_score(*a), short_score(*b))).collect()
                }
            };
            format!("not convex; off the hull for scores in {}", off_hull.join(", "))
        }
        None => match &evaluation.enclosed_shape {
            Some(EnclosedShape { undecided: Some(x), .. }) => {
                format!("convex or not: that could not be decided near x = {}", short_score(*x))
            }
            _ => "convex as far as there is mass; the far tails were not decided".to_owned(),
        },
    }
}

/// The bijective, constant and singular intervals, with exact ends where they are known.
fn intervals(evaluation: &Evaluation) -> Table {
    let mut table = new_table(&["interval", "thresholds τ", "posteriors σ"]);
    let ends = |(a, b): (f64, f64)| format!("({}, {})", short_score(a), short_score(b));
    for (k, interval) in evaluation.intervals.iter().enumerate() {
        let exact = evaluation.exact_shape.as_ref().ok().and_then(|shape| shape.intervals.get(k));
        let [tau, sigma] = match exact {
            Some(exact) => exact.each_ref().map(|[a, b]| format!("({a}, {b})")),
            None => [ends(interval.tau), ends(interval.sigma)],
        };
        table.add_row([interval.kind.name().to_owned(), tau, sigma]);
    }
    table
}

/// The lines below the tables: why values are missing or weaker, and the level of evidence.
fn footer(evaluation: &Evaluation) -> String {
    let mut lines: Vec<String> = Vec::new();
    let values: Vec<&Value> = evaluation.values.iter().collect();
    lines.extend(reasons(&values));
    match &evaluation.exact_shape {
        Ok(_) => lines.push("level: exact; values after = are the number itself, all digits shown are right".into()),
        Err(why) => {
            let has_certified = values.iter().any(|value| matches!(value, Value::Certified(..)));
            lines.push(match has_certified {
                true => "level: certified; the truth lies within what is given after certified ±, by proof".into(),
                false => format!("level: numeric ({why})"),
            });
            if let Some(EnclosedShape { undecided: Some(x), .. }) = &evaluation.enclosed_shape {
                let x = short_score(*x);
                lines.push(format!("the hull could not be verified near x = {x}: its intervals are estimates"));
            } else if has_certified {
                lines.push("the intervals are estimates; the hull behind them is verified".into());
            }
        }
    }
    if values.iter().any(|value| matches!(value, Value::Numeric(_))) {
        lines.push(BY_ESTIMATE.into());
    }
    lines.iter().map(|line| format!("{line}\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arith::Interval;
    use crate::arith::rational::Rational;

    /// The truth lies within the error shown of the digits shown, by exact arithmetic.
    #[test]
    fn errors_cover_the_rounding_of_the_digits() {
        // Enclosures with many digits, near underflow, across a carry, of no width, around 0, and above 1.
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
            // Reads decimal digits without rounding.
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
