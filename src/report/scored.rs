//! Evaluations of scored data, of one model or several side by side, as JSON and as tables.

use super::AsText;
use super::spread::Uncertainty;
use super::table::{self, BY_ESTIMATE, cells};
use super::{choice, decomposition, finite, json};
use crate::data::read::{ClassColumns, Dataset};
use crate::data::{AtCondition, Corp, Decomposition, FiniteValue, MethodComparison};
use crate::functional::{Condition, Cost, Evaluation, Value};
use crate::model::Transform;
use crate::output::digits;
use serde_json::{Map, Value as Json, json};
use std::fmt::Write;

/// Scored data with the evaluation of each score column.
pub struct ScoreReport<'a> {
    /// The data.
    pub data: &'a Dataset,
    /// The transforms of the scores, in the order of application.
    pub transforms: &'a [Transform],
    /// The distribution of operating conditions.
    pub cost: &'a Cost,
    /// An evaluation for each score column.
    pub evaluations: &'a [Evaluation],
    /// The extras of each score column.
    pub details: &'a [ModelExtras],
    /// Standard errors and intervals, if they were requested.
    pub uncertainty: Option<&'a Uncertainty>,
    /// The option that says what higher scores mean, if the interface has one.
    pub higher_means_option: Option<&'static str>,
}

/// The extras of a model, besides metrics and losses. Those that were not requested are empty.
#[derive(Default)]
pub struct ModelExtras {
    /// Thresholds at operating conditions.
    pub at: Vec<AtCondition>,
    /// The comparison of methods.
    pub choice: Option<MethodComparison>,
    /// Decompositions of the Brier score.
    pub decompositions: Vec<Decomposition>,
    /// The CORP decomposition of the Brier score.
    pub corp: Option<Corp>,
    /// Expected losses of finite samples.
    pub finite_sample: Vec<FiniteValue>,
}

impl ModelExtras {
    /// The extras by key.
    fn json(&self) -> Map<String, Json> {
        let list = |items: Vec<Json>| (!items.is_empty()).then(|| Json::Array(items));
        let parts = [
            ("at", list(self.at.iter().map(choice::thresholds_json).collect())),
            ("choice", self.choice.as_ref().map(choice::json)),
            ("decompositions", list(self.decompositions.iter().map(decomposition::json).collect())),
            ("corp", self.corp.as_ref().map(decomposition::corp_json)),
            ("finite_sample", (!self.finite_sample.is_empty()).then(|| finite::json(&self.finite_sample))),
        ];
        parts.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?))).collect()
    }

    /// The extras as tables.
    fn tables(&self) -> String {
        let mut parts: Vec<String> = Vec::new();
        parts.extend(self.choice.iter().map(|of| AsText(of).to_string()));
        parts.extend(self.at.iter().map(|of| AsText(of).to_string()));
        parts.extend(self.decompositions.iter().map(|of| AsText(of).to_string()));
        parts.extend(self.corp.iter().map(|of| AsText(of).to_string()));
        if !self.finite_sample.is_empty() {
            parts.push(finite::table(&self.finite_sample));
        }
        parts.join("\n")
    }
}

/// The largest number of digits in a table.
const DIGITS: usize = 15;

impl ScoreReport<'_> {
    /// Each score column with its evaluation.
    fn each(&self) -> impl Iterator<Item = (&String, &Evaluation)> {
        self.data.score_columns.iter().zip(self.evaluations)
    }

    /// The conventions in words: which label is which class, and what scores mean.
    fn conventions(&self) -> Vec<String> {
        let classes = &self.data.classes;
        let [zero, one] = &classes.names;
        let kind = match &self.data.origin {
            ClassColumns::Labels { label, .. } => format!("label in column `{label}`"),
            ClassColumns::Counts(_) => "count column".to_owned(),
        };
        let direction = if classes.higher_means == 1 { "at most" } else { "at least" };
        let mut said = vec![
            format!("class 0, the positive class, is `{zero}`; class 1 is `{one}` ({kind})"),
            format!(
                "higher scores mean `{}`: `{zero}` is predicted where the score is {direction} the threshold",
                classes.names[classes.higher_means]
            ),
        ];
        let granted = match classes.by_default {
            [true, true] => {
                "which class is positive and what higher scores mean was taken for granted: \
                             --positive and --higher-means say otherwise"
            }
            [true, false] => "which class is positive was taken for granted: --positive says otherwise",
            [false, true] => "what higher scores mean was taken for granted: --higher-means says otherwise",
            [false, false] => return said,
        };
        said.push(granted.to_owned());
        said
    }

    /// Warnings about a model.
    fn notes(&self, column: &str, evaluation: &Evaluation) -> Vec<String> {
        let auc = evaluation.metric("AUC").and_then(Value::estimate);
        let Some(auc) = auc.filter(|auc| auc.value + auc.error < 0.5) else { return Vec::new() };
        let classes = &self.data.classes;
        let [meant, other] = [classes.higher_means, 1 - classes.higher_means].map(|class| &classes.names[class]);
        let advice = match self.higher_means_option {
            Some(option) => format!("say {option} '{other}'"),
            None => "negate them".to_owned(),
        };
        vec![format!(
            "the AUC of `{column}` is {}, below 1/2: higher scores speak for `{other}` rather than `{meant}`; nothing was \
             turned round. If higher scores are to mean `{other}`, {advice}",
            digits(auc)
        )]
    }

    /// The report as `score --json` prints it. A single model also has the keys of `eval` at the top level.
    pub fn json(&self) -> Json {
        let models: Vec<Map<String, Json>> =
            self.each().enumerate().map(|(k, (column, evaluation))| self.model(k, column, evaluation)).collect();
        let mut notes = self.conventions();
        let mut object = Map::new();
        object.insert("data".into(), self.description());
        object.insert("cost".into(), json!(self.cost.to_string()));
        if let ([only], [column], [evaluation]) = (&models[..], &self.data.score_columns[..], self.evaluations) {
            notes.extend(self.notes(column, evaluation));
            let of_eval = only.iter().filter(|(key, _)| !["score", "notes"].contains(&key.as_str()));
            object.extend(of_eval.map(|(key, value)| (key.clone(), value.clone())));
        }
        object.insert("models".into(), json!(models));
        if let Some(uncertainty) = self.uncertainty {
            object.insert("uncertainty".into(), uncertainty.parameters_json());
            object.insert("differences".into(), uncertainty.differences(&self.data.score_columns));
        }
        object.insert("notes".into(), json!(notes));
        Json::Object(object)
    }

    /// The description of the data.
    fn description(&self) -> Json {
        let Dataset { file, rows, score_columns, origin, classes, .. } = self.data;
        let totals = self.data.totals();
        let (label, counts, weight) = match origin {
            ClassColumns::Labels { label, weight } => (Some(label), None, weight.as_ref()),
            ClassColumns::Counts(counts) => (None, Some(counts), None),
        };
        let transforms: Vec<String> = self.transforms.iter().map(|t| t.name().to_lowercase()).collect();
        json!({
            "file": file, "rows": rows, "score": score_columns,
            "label": label, "counts": counts, "weight": weight,
            "class0": classes.names[0], "class1": classes.names[1], "higher_means": classes.names[classes.higher_means],
            "totals": totals, "pi0": totals[0] / (totals[0] + totals[1]), "transforms": transforms,
        })
    }

    /// The keys of the `k`-th model.
    fn model(&self, k: usize, column: &str, evaluation: &Evaluation) -> Map<String, Json> {
        let of_eval: Map<String, Json> = [
            ("score", json!(column)),
            ("convex", json!(evaluation.convex)),
            ("gaps", json::gaps(evaluation)),
            ("intervals", json::intervals(evaluation)),
            ("metrics", json::metrics(evaluation, None)),
            ("loss", json::loss(evaluation, None)),
            ("notes", json!(self.notes(column, evaluation))),
        ]
        .into_iter()
        .map(|(key, value)| (key.to_owned(), value))
        .collect();
        let details = self.details.get(k).map(ModelExtras::json).unwrap_or_default();
        let uncertainty = self.uncertainty.map(|uncertainty| uncertainty.of_model(k)).unwrap_or_default();
        of_eval.into_iter().chain(details).chain(uncertainty).collect()
    }

    /// The report as `score` prints it.
    pub fn tables(&self) -> String {
        let mut out = String::new();
        let file = if self.data.file == "-" { "standard input" } else { &self.data.file };
        let totals = self.data.totals();
        let pi0 = totals[0] / (totals[0] + totals[1]);
        let (rows, [n0, n1]) = (self.data.rows, totals);
        let unit = match &self.data.origin {
            ClassColumns::Labels { weight: None, .. } => "rows",
            ClassColumns::Labels { weight: Some(_), .. } => "weight",
            ClassColumns::Counts(_) => "counts",
        };
        // Writing to a string cannot fail.
        let _ = writeln!(out, "{file}   {rows} rows   {unit} of class 0: {n0}, of class 1: {n1}   π0 = {pi0}");
        self.conventions().iter().for_each(|said| {
            let _ = writeln!(out, "  {said}");
        });
        if !self.transforms.is_empty() {
            let names: Vec<&str> = self.transforms.iter().map(|transform| transform.name()).collect();
            let _ = writeln!(out, "  transformed: {}", names.join(", then "));
        }
        for (column, evaluation) in self.each() {
            let convex = match evaluation.convex {
                Some(true) => "convex",
                Some(false) => "not convex",
                None => "convex or not: that was not decided",
            };
            let _ = writeln!(out, "  the ROC curve of `{column}` is {convex}");
        }
        let _ = match (self.evaluations, &self.data.score_columns[..]) {
            ([evaluation], [column]) => writeln!(
                out,
                "\nscores in column `{column}`\n{}\n\nexpected loss, operating conditions {}\n{}\n",
                table::metrics(evaluation, DIGITS),
                self.cost,
                table::losses(evaluation, DIGITS)
            ),
            _ => writeln!(
                out,
                "\n{}\n\nexpected loss over cost proportions, operating conditions {}\n{}\n\n\
                 expected loss over skews, operating conditions {}\n{}\n",
                self.metrics_beside(),
                self.cost,
                self.losses_beside(Condition::Cost),
                self.cost,
                self.losses_beside(Condition::Skew)
            ),
        };
        for (column, evaluation) in self.each() {
            for note in self.notes(column, evaluation) {
                let _ = writeln!(out, "note: {note}");
            }
        }
        for (column, details) in self.data.score_columns.iter().zip(self.details) {
            let tables = details.tables();
            if !tables.is_empty() {
                let _ = writeln!(out, "\n`{column}`\n{tables}");
            }
        }
        if let Some(uncertainty) = self.uncertainty {
            let _ = writeln!(out, "\n{}", uncertainty.tables(&self.data.score_columns));
        }
        let values: Vec<&Value> = self.evaluations.iter().flat_map(|evaluation| &evaluation.values).collect();
        table::reasons(&values).iter().for_each(|why| {
            let _ = writeln!(out, "{why}");
        });
        let _ = match self.evaluations.iter().all(|evaluation| evaluation.shape.is_ok()) {
            true => writeln!(out, "level: exact; values after = are the number itself, all digits shown are right"),
            false => writeln!(out, "level: numeric; {BY_ESTIMATE}"),
        };
        out
    }

    /// The metrics of all models, side by side.
    fn metrics_beside(&self) -> comfy_table::Table {
        let names = self.data.score_columns.iter().map(String::as_str);
        let header: Vec<&str> = ["metric"].into_iter().chain(names).chain(["means"]).collect();
        let mut table = table::new_table(&header);
        let Some(first) = self.evaluations.first() else { return table };
        for (k, (definition, _)) in first.metrics().enumerate() {
            let values = self.evaluations.iter().map(|e| e.metrics().nth(k).map_or_else(String::new, |(_, v)| cell(v)));
            let name = first.thresholds.label(definition);
            table.add_row([name].into_iter().chain(values).chain([definition.title.to_owned()]));
        }
        table
    }

    /// The losses of all models over one kind of condition, side by side.
    fn losses_beside(&self, condition: Condition) -> comfy_table::Table {
        let names = self.data.score_columns.iter().map(String::as_str);
        let header: Vec<&str> = ["loss"].into_iter().chain(names).chain(["method"]).collect();
        let mut table = table::new_table(&header);
        let Some(first) = self.evaluations.first() else { return table };
        for (k, (method, _)) in first.losses(condition).enumerate() {
            let values =
                self.evaluations.iter().map(|e| e.losses(condition).nth(k).map_or_else(String::new, |(_, v)| cell(v)));
            table.add_row([method.name()].into_iter().chain(values).chain([method.title().to_owned()]));
        }
        table
    }
}

/// A value with its evidence, in one cell.
fn cell(value: &Value) -> String {
    let [value, evidence] = cells(value, DIGITS);
    if evidence.is_empty() { value } else { format!("{value} {evidence}") }
}
