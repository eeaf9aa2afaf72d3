//! The comparison of threshold choice methods, and their thresholds, as JSON and as tables.

use super::AsText;
use super::json::{score as json_score, value as json_value};
use super::summary::number::{settled, short, short_value};
use super::table::{full_digits, new_table};
use super::wrap::wrap;
use crate::calculus::Estimate;
use crate::data::{AtCondition, KnownAt, MethodComparison, MinimiserInterval, Rates, Threshold};
use crate::functional::{Condition, Value};
use serde_json::{Value as Json, json};
use std::fmt;

/// The largest number of threshold intervals in a table.
const MOST_INTERVALS: usize = 4;

/// An estimate as JSON: a value with its error.
fn number(estimate: Estimate) -> Json {
    json_value(&Value::Numeric(estimate), None)
}

/// The comparison of methods as JSON.
pub fn json(comparison: &MethodComparison) -> Json {
    let lowest = |condition| comparison.lowest(condition).map(|entry| entry.method.name());
    json!({
        "known": comparison.known.map(KnownAt::name), "cost": comparison.cost,
        "lowest": { "cost": lowest(Condition::Cost), "skew": lowest(Condition::Skew) },
        "methods": comparison.methods.iter().map(|entry| json!({
            "method": entry.method.name(), "title": entry.method.title(), "applies": entry.applies,
            "requires": entry.advice.requires.name(), "uses": entry.advice.uses, "when": entry.advice.when,
            "loss": { "cost": json_value(&entry.cost_loss, None), "skew": json_value(&entry.skew_loss, None) },
            "uniform": {
                "cost": entry.advice.cost_metric, "skew": entry.advice.skew_metric,
                "value": entry.metric.as_ref().map(|metric| json_value(metric, None)),
            },
        })).collect::<Vec<_>>(),
    })
}

/// The rates of a threshold as JSON.
fn rates_json(rates: &Rates) -> Json {
    json!({
        "predicted_positive_rate": number(rates.predicted_positive),
        "true_positive_rate": number(rates.true_positive),
        "false_positive_rate": number(rates.false_positive),
    })
}

/// A threshold as JSON. The keys of an interval say which of its ends belongs to it: `from` and `to` do, `above` and `below` do not.
fn threshold_json(threshold: &Threshold, predicts_class_0_at_or_above: bool) -> Json {
    let [low, high] = if predicts_class_0_at_or_above { ["above", "to"] } else { ["from", "below"] };
    let interval_json = |interval: &MinimiserInterval| {
        json!({
            low: json_score(interval.from), high: json_score(interval.to), "points": interval.points,
            "first": rates_json(&interval.first), "last": rates_json(&interval.last),
        })
    };
    match threshold {
        Threshold::At(t) => json!({ "kind": "at", "threshold": t }),
        Threshold::Between(from, to) => {
            let (from, to, middle) = (json_score(*from), json_score(*to), midpoint(*from, *to));
            json!({ "kind": "between", low: from, high: to, "middle": middle })
        }
        Threshold::Split { score, share } => json!({ "kind": "split", "score": score, "share": number(*share) }),
        Threshold::DrawnScore(l, h) => json!({ "kind": "drawn score", "from": l, "to": h }),
        Threshold::DrawnRate => json!({ "kind": "drawn rate", "from": 0, "to": 1 }),
        Threshold::Minimisers(intervals) => {
            json!({ "kind": "minimisers", "minimisers": intervals.iter().map(interval_json).collect::<Vec<_>>() })
        }
    }
}

/// The midpoint of a plateau of the rate, which is the paper's threshold; none if the plateau is unbounded.
fn midpoint(from: f64, to: f64) -> Option<f64> {
    Some(from / 2.0 + to / 2.0).filter(|middle| middle.is_finite())
}

/// The thresholds of all methods at one operating condition as JSON.
pub fn thresholds_json(thresholds: &AtCondition) -> Json {
    let chosen = thresholds.chosen.iter().map(|chosen| {
        let mut object = json!({ "method": chosen.method.name(), "title": chosen.method.title() });
        if let Json::Object(map) = &mut object {
            match &chosen.threshold {
                Ok((threshold, rates)) => {
                    map.insert("threshold".into(), threshold_json(threshold, thresholds.predicts_class_0_at_or_above));
                    if let Json::Object(rates) = rates_json(rates) {
                        map.extend(rates);
                    }
                }
                Err(why) => {
                    map.insert("threshold".into(), json!({ "kind": null, "why": why.to_string() }));
                }
            }
            map.insert("loss".into(), json_value(&chosen.loss, None));
        }
        object
    });
    json!({
        "at": thresholds.at.to_string(), "condition": if thresholds.at.condition() == Condition::Cost { "cost" } else { "skew" },
        "cost_proportion": json_value(&thresholds.cost_proportion, None), "skew": json_value(&thresholds.skew, None),
        "unit": json_value(&thresholds.loss_ratio, None), "predicts_class_0": if thresholds.predicts_class_0_at_or_above { "score >= threshold" } else { "score <= threshold" },
        "methods": chosen.collect::<Vec<_>>(),
    })
}

/// The table of a comparison of methods, and why losses are missing.
pub(super) fn comparison_table(comparison: &MethodComparison) -> String {
    let mut text = format!("expected loss in sample, operating conditions {}\n", comparison.cost);
    let header = ["method", "applies", "condition known", "cost proportions", "skews", "metric"];
    let mut table = new_table(&header);
    let mut reasons = String::new();
    for entry in &comparison.methods {
        let [by_cost, by_skew] = [&entry.cost_loss, &entry.skew_loss].map(short_value);
        let applies = if entry.applies { "yes" } else { "" };
        let advice = &entry.advice;
        let name = entry.method.name();
        table.add_row([&name, applies, advice.requires.name(), &by_cost, &by_skew, advice.cost_metric]);
        if let Value::Missing(why) = &entry.cost_loss {
            reasons += &format!("- {name}: {why}\n");
        }
    }
    text += &format!("{table}\n{reasons}");
    text
}

/// What the tables of comparisons mean: when the operating condition is known, and when each method is advisable.
pub(super) fn comparison_legend(comparison: &MethodComparison) -> String {
    let mut lines: Vec<String> = comparison.known.iter().map(ToString::to_string).collect();
    lines.extend(comparison.methods.iter().filter(|entry| entry.applies).map(|entry| {
        let (method, advice) = (entry.method, &entry.advice);
        wrap(&format!("{} ({}, by {}): {}", method.name(), method.title(), advice.uses, advice.when), 4)
    }));
    lines.push(
        "in sample, on the rows that thresholds are chosen on: losses of the optimal method are too low".to_owned(),
    );
    lines.push("the metric is the expected loss where operating conditions are uniform".to_owned());
    lines.join("\n") + "\n"
}

impl fmt::Display for AsText<'_, MethodComparison> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", comparison_table(self.0), comparison_legend(self.0))
    }
}

/// An interval of equivalent thresholds in words. It is `(from, to]` if class 0 is predicted at or above the threshold, else `[from, to)`.
fn describe_interval(from: f64, to: f64, predicts_class_0_at_or_above: bool) -> String {
    let (low, high) = (full_digits(from), full_digits(to));
    match (from.is_finite(), to.is_finite()) {
        (true, true) if predicts_class_0_at_or_above => format!("above {low} up to {high}"),
        (true, true) => format!("from {low} to below {high}"),
        (true, false) if predicts_class_0_at_or_above => format!("any above {low}"),
        (true, false) => format!("from {low} on"),
        (false, true) if predicts_class_0_at_or_above => format!("any up to {high}"),
        (false, true) => format!("any below {high}"),
        (false, false) => "any".into(),
    }
}

/// A threshold in words.
fn describe_threshold(threshold: &Threshold, predicts_class_0_at_or_above: bool) -> String {
    let interval = |from: f64, to: f64| describe_interval(from, to, predicts_class_0_at_or_above);
    match threshold {
        Threshold::At(t) => full_digits(*t),
        Threshold::Between(from, to) => interval(*from, *to),
        Threshold::Split { score: x, share } => {
            format!("{}, splitting its tie: {} of it", full_digits(*x), short(share.value))
        }
        Threshold::DrawnScore(l, h) => format!("drawn from {} to {}", full_digits(*l), full_digits(*h)),
        Threshold::DrawnRate => "drawn by its rate".into(),
        Threshold::Minimisers(intervals) => {
            let mut parts: Vec<String> =
                intervals.iter().take(MOST_INTERVALS).map(|m| interval(m.from, m.to)).collect();
            if intervals.len() > MOST_INTERVALS {
                parts.push(format!("{} more", intervals.len() - MOST_INTERVALS));
            }
            parts.join("; or ")
        }
    }
}

/// The table of thresholds at one operating condition.
pub(super) fn thresholds_table(at: &AtCondition) -> String {
    let [cost, skew, loss_ratio] = [&at.cost_proportion, &at.skew, &at.loss_ratio].map(short_value);
    let mut table = new_table(&["method", "loss", "rate", "true positive", "false positive", "threshold"]);
    for chosen in &at.chosen {
        let loss = short_value(&chosen.loss);
        let name = chosen.method.name();
        match &chosen.threshold {
            Ok((threshold, rates)) => {
                let [rate, tpr, fpr] = [rates.predicted_positive, rates.true_positive, rates.false_positive]
                    .map(|rate| short(settled(rate)));
                let threshold = describe_threshold(threshold, at.predicts_class_0_at_or_above);
                table.add_row([name, loss, rate, tpr, fpr, threshold]);
            }
            Err(why) => {
                table.add_row([name, "-".into(), "-".into(), "-".into(), "-".into(), why.to_string()]);
            }
        }
    }
    let has_several_minimisers = at.chosen.iter().any(|chosen| match &chosen.threshold {
        Ok((Threshold::Minimisers(intervals), _)) => {
            intervals.iter().map(|interval| interval.points).sum::<usize>() > 1
        }
        _ => false,
    });
    let several = match has_several_minimisers {
        true => "several points of the ROC curve have the least loss; the rates are those of the lowest threshold\n",
        false => "",
    };
    format!(
        "at {} in sample: cost proportion {cost}, skew {skew}; loss by cost = {loss_ratio} times loss by skew\n{table}\n{several}",
        at.at
    )
}

/// What tables of thresholds mean.
pub(super) fn thresholds_legend(at: &AtCondition) -> String {
    let sign = if at.predicts_class_0_at_or_above { ">=" } else { "<=" };
    format!("rates and losses of random thresholds are expectations; s {sign} t predicts the positive label\n")
}

impl fmt::Display for AsText<'_, AtCondition> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", thresholds_table(self.0), thresholds_legend(self.0))
    }
}
