//! The answer in words: which models can be told apart, and which threshold of which model to use at an operating condition.

use super::lead::{is_beyond_chance, ranking};
use super::number::{difference_in_words, interval_in_words, short, shortest_between};
use super::row::{Better, Row, losses, metrics};
use crate::data::read::ClassColumns;
use crate::data::{AtCondition, LossAt, MetricOrLoss, MinimiserInterval, Recommendation, Spread, Threshold};
use crate::functional::{Condition, Method, Value};
use crate::report::deploy::conditions;
use crate::report::rule::describe_threshold;
use crate::report::scored::ScoreReport;
use crate::report::spread::Uncertainty;
use crate::report::table::full_digits;
use crate::report::wrap::wrap;

/// The sentences.
pub(super) fn sentences(report: &ScoreReport) -> Vec<String> {
    let comparison = match report.evaluations {
        [_] => against_chance(report),
        _ => compare(report),
    };
    let comparison = comparison.map(|sentence| wrap(&sentence, 2));
    let requested = report.details.first().map_or(0, |details| details.at.len());
    let in_sample = (0..requested).filter_map(|k| recommend_in_sample(report, k)).map(|sentence| wrap(&sentence, 2));
    comparison.into_iter().chain(recommend(report)).chain(in_sample).collect()
}

/// The rows in words: "these 569 rows", "this row".
fn rows_in_words(report: &ScoreReport) -> String {
    let rows = match &report.data.origin {
        ClassColumns::Labels { .. } => report.data.rows as f64,
        ClassColumns::Counts(_) => report.data.totals().iter().sum(),
    };
    if rows == 1.0 { "this row".into() } else { format!("these {rows} rows") }
}

/// Whether a single model ranks better than chance, by the interval of its AUC.
fn against_chance(report: &ScoreReport) -> Option<String> {
    let auc = metrics(report, false).into_iter().find(|row| row.label == "AUC")?;
    let Spread { value, interval, caveat, .. } = report.uncertainty?.spread_of(0, &auc.quantity)?;
    let name = report.data.score_columns.first()?;
    let in_words = interval_in_words(value, interval);
    let caveat = caveat.map_or(String::new(), |caveat| format!("; {caveat}"));
    let auc = format!("AUC {}, interval {in_words}{caveat}", short(value));
    // Rows that show no variation are no evidence for anything.
    if interval.0 >= interval.1 {
        let rows = rows_in_words(report);
        return Some(format!("whether `{name}` ranks better than chance cannot be told from {rows} ({auc})"));
    }
    let verdict = if interval.0 > 0.5 {
        "ranks better than chance"
    } else if interval.1 < 0.5 {
        "ranks worse than chance"
    } else {
        "cannot be told from chance"
    };
    Some(format!("`{name}` {verdict} on {} ({auc})", rows_in_words(report)))
}

/// The comparison of all models by the loss of the optimal method: the best with each other.
fn compare(report: &ScoreReport) -> Option<String> {
    let is_optimal = |row: &Row| matches!(row.quantity, MetricOrLoss::Loss(_, Method::Optimal));
    let row = losses(report, Condition::Cost).into_iter().find(is_optimal)?;
    let ranked = ranking(&row);
    let (best, others) = ranked.split_first()?;
    let second = others.first()?;
    let name = |m: usize| format!("`{}`", report.data.score_columns[m]);
    let value = |m: usize| row.values[m].estimate().map_or(f64::NAN, |estimate| estimate.value);
    let difference = |m: usize| report.uncertainty.and_then(|u| u.difference_of(*best, m, &row.quantity));
    let Some(differences) = others.iter().map(|m| Some((*m, difference(*m)?))).collect::<Option<Vec<_>>>() else {
        let [lowest, next] = [*best, *second].map(|m| short(value(m)));
        return Some(match lowest == next {
            true => {
                format!("{} and {} have the same {} to four digits ({lowest})", name(*best), name(*second), row.label)
            }
            false => format!(
                "{} has the lowest {} ({lowest}, before {} with {next}); whether that is more than chance was not tested",
                name(*best),
                row.label,
                name(*second),
            ),
        });
    };
    let (behind, alike): (Vec<_>, Vec<_>) =
        differences.into_iter().partition(|(_, difference)| is_beyond_chance(difference, Better::Lower));
    let rows = rows_in_words(report);
    let mut parts = Vec::new();
    if let Some((_, largest)) = alike.last() {
        let names: Vec<String> = [*best].into_iter().chain(alike.iter().map(|(m, _)| *m)).map(name).collect();
        let at_most = if alike.len() > 1 { "at most " } else { "" };
        let lead = describe_lead(largest);
        let detectable = report.uncertainty.and_then(|uncertainty| describe_detectable(uncertainty, largest));
        parts.push(format!(
            "{} cannot be told apart on {rows} ({} differs by {at_most}{lead}{})",
            join(&names),
            row.label,
            detectable.unwrap_or_default(),
        ));
    }
    if let Some((nearest, lead)) = behind.first() {
        let names: Vec<String> = behind.iter().map(|(m, _)| name(*m)).collect();
        let place = if alike.is_empty() { format!(" on {rows}") } else { String::new() };
        let than = if behind.len() > 1 { format!(" than that of {}", name(*nearest)) } else { String::new() };
        let lead = describe_lead(lead);
        parts.push(format!(
            "{} is better than {}{place} ({} lower{than} by {lead})",
            name(*best),
            join(&names),
            row.label
        ));
    }
    Some(parts.join("; "))
}

/// The lead of the first of two models in a difference of losses, first minus second, with its interval and caveat.
fn describe_lead(difference: &Spread) -> String {
    let Spread { value, interval: (low, high), caveat, .. } = difference;
    let caveat = caveat.map_or(String::new(), |caveat| format!(", but {caveat}"));
    difference_in_words(-value, (-high, -low)) + &caveat
}

/// The smallest difference that these rows would show.
fn describe_detectable(uncertainty: &Uncertainty, difference: &Spread) -> Option<String> {
    let detectable = short(uncertainty.detectable(difference)?);
    let percent = full_digits(100.0 * uncertainty.power.probability);
    Some(format!("; a true difference of {detectable} would show with probability {percent} %"))
}

/// Words joined by commas and a final "and".
fn join(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// What to use under the conditions that losses out of sample were asked for, and why.
fn recommend(report: &ScoreReport) -> Vec<String> {
    let Some(deployment) = report.deployment else { return Vec::new() };
    let advise = |(loss_at, advice): &(LossAt, Recommendation)| {
        let rule = deployment.rule(loss_at, advice, &report.data.classes, report.at_setting);
        let Spread { value, interval, caveat, .. } = advice.loss;
        let caveat = caveat.map_or(String::new(), |caveat| format!(", but {caveat}"));
        let interval = interval_in_words(value, interval);
        [
            wrap(&format!("{} use {}{rule}", conditions(loss_at), subject(report, advice.model)), 2),
            wrap(
                &format!(
                    "  {}; it loses {} out of sample, interval {interval}{caveat}",
                    advice.method.title(),
                    short(value)
                ),
                2,
            ),
            wrap(&format!("  why: {}", deployment.why(advice, &report.data.score_columns)), 2),
        ]
        .join("\n")
    };
    deployment.recommendations.iter().map(advise).collect()
}

/// The model that is recommended, unless there is only one.
fn subject(report: &ScoreReport, model: usize) -> String {
    match report.data.score_columns.len() {
        1 => String::new(),
        _ => format!("`{}` with ", report.data.score_columns[model]),
    }
}

/// The model and the threshold of least loss at the `k`-th requested operating condition, on the rows that it was chosen on. `None` if losses
/// out of sample decide.
fn recommend_in_sample(report: &ScoreReport, k: usize) -> Option<String> {
    let requested = &report.details.first()?.at.get(k)?.at;
    if report.deployment.is_some_and(|deployment| deployment.has_advice_at(requested)) {
        return None;
    }
    let optimal = |at: &AtCondition| at.chosen.iter().find(|chosen| chosen.method == Method::Optimal).cloned();
    let candidate = |m: usize| {
        let at = report.details[m].at.get(k)?;
        let chosen = optimal(at)?;
        let loss = Value::estimate(&chosen.loss)?.value;
        let (Threshold::Minimisers(intervals), _) = chosen.threshold.ok()? else { return None };
        Some((m, at, loss, widest(&intervals)?))
    };
    let candidates = (0..report.details.len()).filter_map(candidate);
    let (m, at, loss, interval) = candidates.min_by(|a, b| a.2.total_cmp(&b.2))?;
    let is_positive_above = at.predicts_class_0_at_or_above;
    let threshold = match (interval.from.is_finite(), interval.to.is_finite()) {
        (false, _) => interval.from,
        (_, false) => interval.to,
        _ => shortest_between(interval.from, interval.to, is_positive_above),
    };
    let rule = describe_threshold(&report.data.classes, threshold);
    let loss = format!("loss {} on these rows, on which the threshold was chosen", short(loss));
    Some(format!("at {} use {}{rule} ({loss})", at.at, subject(report, m)))
}

/// The widest of several intervals of thresholds.
fn widest(intervals: &[MinimiserInterval]) -> Option<MinimiserInterval> {
    let width = |interval: &MinimiserInterval| interval.to - interval.from;
    intervals.iter().copied().max_by(|a, b| width(a).total_cmp(&width(b)))
}

#[cfg(test)]
mod tests {
    use super::join;

    #[test]
    fn words_are_joined() {
        let words = ["a", "b", "c"].map(str::to_owned);
        assert_eq!([join(&words[..1]), join(&words[..2]), join(&words)], ["a", "a and b", "a, b and c"]);
    }
}
