//! The rows of the table: metrics and expected losses, with their values for each model.

use crate::data::{Corp, CorpPart, ENOUGH_ROWS_PER_SCORE, MetricOrLoss};
use crate::functional::definition::{METRICS, metric_named};
use crate::functional::{Condition, Cost, Definition, Evaluation, Method, Value};
use crate::report::scored::ScoreReport;

/// Which values of a quantity are better.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Better {
    /// More is better.
    Higher,
    /// Less is better.
    Lower,
}

/// A metric or an expected loss of all models.
pub(super) struct Row {
    pub(super) quantity: MetricOrLoss,
    /// The name: `AUC`, `L[o]`.
    pub(super) label: String,
    /// The name in words.
    pub(super) title: String,
    /// Which values are better, if any are.
    pub(super) better: Option<Better>,
    /// The value of each model.
    pub(super) values: Vec<Value>,
    /// For each model, whether the value depends on ties that the scores hardly have.
    pub(super) lacks_ties: Vec<bool>,
}

/// The metrics that people compare models by, in order: ranking (AUC, H, KS), decisions at the threshold (accuracy, plain and balanced),
/// probabilities (the Brier score; its parts follow).
const COMPARED: [&str; 6] = ["AUC", "H", "KS", "Acc", "MAcc", "BS"];

/// The metrics by ties.
const BY_TIES: [&str; 2] = ["CL", "RL"];

/// The names of the metrics that are shown first, in order.
pub fn first_metrics() -> Vec<&'static str> {
    COMPARED.into_iter().chain(CorpPart::ALL.map(CorpPart::name)).chain(BY_TIES).collect()
}

/// The metrics of the summary: those that people compare by, the parts of the Brier score, and the metrics by ties. With `all`, all others
/// follow.
pub(super) fn metrics(report: &ScoreReport, all: bool) -> Vec<Row> {
    if report.evaluations.is_empty() {
        return Vec::new();
    }
    let [compared, by_ties, others] = metrics_in_order();
    let mut rows: Vec<Row> = compared.iter().map(|definition| metric_row(report, definition)).collect();
    rows.extend(corp_rows(report));
    rows.extend(by_ties.iter().map(|definition| metric_row(report, definition)));
    if all {
        rows.extend(others.iter().map(|definition| metric_row(report, definition)));
    }
    rows
}

/// All metrics: those that people compare by, those by ties, and the others.
pub(super) fn metrics_in_order() -> [Vec<Definition>; 3] {
    let named = |names: &[&str]| names.iter().filter_map(|name| metric_named(name)).copied().collect::<Vec<_>>();
    let (compared, by_ties) = (named(&COMPARED), named(&BY_TIES));
    let is_new = |definition: &&Definition| !compared.contains(definition) && !by_ties.contains(definition);
    let others = METRICS.iter().filter(is_new).copied().collect();
    [compared, by_ties, others]
}

/// A metric of all models.
fn metric_row(report: &ScoreReport, definition: &Definition) -> Row {
    let value = |evaluation: &Evaluation| evaluation.metric(definition.name).cloned();
    let by_ties = BY_TIES.contains(&definition.name);
    let label = report.evaluations.first().map(|evaluation| evaluation.thresholds.label(definition));
    let title = metric_title(definition, &report.data.classes.names);
    Row {
        quantity: MetricOrLoss::Metric(*definition),
        label: label.unwrap_or_default(),
        title,
        better: better(definition.name),
        values: report.evaluations.iter().filter_map(value).collect(),
        lacks_ties: report.details.iter().map(|details| by_ties && lacks_ties(details.rows_per_score)).collect(),
    }
}

/// The name of a metric in words.
pub(super) fn metric_title(definition: &Definition, classes: &[String; 2]) -> String {
    match (definition.mean_of, definition.name) {
        (Some(class), _) => format!("mean score of `{}`", classes[class]),
        (None, "CL" | "RL") => format!("{}, ties", definition.title),
        (None, "AUC") => "area under ROC curve".to_owned(),
        (None, "Acc") => "accuracy".to_owned(),
        (None, "MAcc") => "balanced accuracy".to_owned(),
        (None, "KS") => "Kolmogorov-Smirnov".to_owned(),
        _ => definition.title.to_owned(),
    }
}

/// Which values of a metric, or of a part of the Brier score, are better; `None` if neither.
pub fn better(name: &str) -> Option<Better> {
    match name {
        "AUC" | "AUCH" | "Gini" | "KS" | "H" | "H_priors" | "H_hmeasure" | "Acc" | "MAcc" | "DSC" => {
            Some(Better::Higher)
        }
        "MAE" | "MMAE" | "BS" | "MBS" | "CL" | "RL" | "RL_conv" | "MCB" => Some(Better::Lower),
        _ => None,
    }
}

/// Whether too few scores are equal for metrics by ties.
pub(in crate::report) fn lacks_ties(rows_per_score: Option<f64>) -> bool {
    rows_per_score.is_some_and(|rows| rows < ENOUGH_ROWS_PER_SCORE)
}

/// The parts of the Brier score by isotonic recalibration; none if they were not computed.
fn corp_rows(report: &ScoreReport) -> Vec<Row> {
    let Some(corps) = report.details.iter().map(|details| details.corp.as_ref()).collect::<Option<Vec<&Corp>>>() else {
        return Vec::new();
    };
    let row = |part: CorpPart| {
        let value = |corp: &&Corp| match part {
            CorpPart::Miscalibration => corp.miscalibration.clone(),
            CorpPart::Discrimination => corp.discrimination.clone(),
            CorpPart::Uncertainty => corp.uncertainty.clone(),
        };
        let values: Vec<Value> = corps.iter().map(value).collect();
        let lacks_ties = vec![false; values.len()];
        let (label, title, better) = (part.name().to_owned(), corp_title(part).to_owned(), better(part.name()));
        Row { quantity: MetricOrLoss::Corp(part), label, title, better, values, lacks_ties }
    };
    CorpPart::ALL.map(row).into()
}

/// A part of the Brier score in words.
pub(super) fn corp_title(part: CorpPart) -> &'static str {
    match part {
        CorpPart::Miscalibration => "miscalibration",
        CorpPart::Discrimination => "discrimination",
        CorpPart::Uncertainty => "BS = MCB - DSC + UNC",
    }
}

/// The expected losses of all methods over one kind of condition.
pub(super) fn losses(report: &ScoreReport, condition: Condition) -> Vec<Row> {
    let Some(first) = report.evaluations.first() else { return Vec::new() };
    let methods: Vec<Method> = first.losses(condition).map(|(method, _)| method).collect();
    let row = |method: Method| {
        let values: Vec<Value> =
            report.evaluations.iter().filter_map(|evaluation| evaluation.loss(condition, method).cloned()).collect();
        Row {
            quantity: MetricOrLoss::Loss(condition, method),
            label: loss_label(condition, method),
            title: loss_title(report.cost, condition, method, |name| has_metric(report, condition, method, name)),
            better: Some(Better::Lower),
            lacks_ties: vec![false; values.len()],
            values,
        }
    };
    methods.into_iter().map(row).collect()
}

/// The name of a loss: `L[o]`, `Lz[o]`.
pub(super) fn loss_label(condition: Condition, method: Method) -> String {
    let name = if condition == Condition::Cost { "L" } else { "Lz" };
    format!("{name}[{}]", method.name())
}

/// Whether all models that have a loss also have the metric that it is. Scores outside of [0, 1] have none.
fn has_metric(report: &ScoreReport, condition: Condition, method: Method, name: &str) -> bool {
    let is_there = |value: Option<&Value>| value.and_then(Value::estimate).is_some();
    let mut with_loss = report.evaluations.iter().filter(|e| is_there(e.loss(condition, method))).peekable();
    with_loss.peek().is_some() && with_loss.all(|evaluation| is_there(evaluation.metric(name)))
}

/// The name of a method in words, with the metric that its loss is under uniform cost proportions, if that metric has values.
pub(super) fn loss_title(
    cost: &Cost,
    condition: Condition,
    method: Method,
    has_metric: impl FnOnce(&str) -> bool,
) -> String {
    let metric = match method {
        _ if !cost.is_uniform() || condition != Condition::Cost => None,
        Method::ScoreFixed(_) => Some(("Acc", "1-Acc")),
        Method::ScoreDriven => Some(("BS", "BS")),
        Method::ScoreUniform => Some(("MAE", "MAE")),
        _ => None,
    };
    match (metric.filter(|(name, _)| has_metric(name)), method) {
        (Some((_, shown)), _) => format!("{} (= {shown})", method.title()),
        (None, Method::Optimal) => "optimal, in sample".to_owned(),
        _ => method.title().to_owned(),
    }
}
