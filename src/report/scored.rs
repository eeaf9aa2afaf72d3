//! Evaluations of scored data, of one model or several side by side, as JSON and as tables.

use super::AsText;
use super::deploy::Deployment;
use super::spread::Uncertainty;
use super::summary::number::short_value;
use super::summary::{self, Layout};
use super::table::long_forms_below;
use super::wrap::wrap;
use super::{choice, decomposition, finite, json, severity};
use crate::data::read::{ClassColumns, Dataset};
use crate::data::{AtCondition, CalibrationError, Corp, Decomposition, FiniteValue, HandMeasure, MethodComparison};
use crate::functional::{Cost, Evaluation};
use crate::model::Transform;
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
    /// Losses on rows that are held out, and what to deploy, if that was requested.
    pub deployment: Option<&'a Deployment>,
    /// A sentence on intervals that are missing, if there is something to say.
    pub interval_note: Option<&'a str>,
    /// The option that says what higher scores mean, if the interface has one.
    pub higher_means_option: Option<&'static str>,
    /// The request for thresholds at an operating condition, such as `--at c=0.2`.
    pub at_setting: &'static str,
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
    /// The CORP decomposition of the Brier score; none of transformed scores.
    pub corp: Option<Corp>,
    /// Hand's H under the requested severities.
    pub severities: Vec<HandMeasure>,
    /// Whether the table of the CORP decomposition is shown.
    pub shows_corp: bool,
    /// Calibration errors by stated bins.
    pub calibration_errors: Vec<CalibrationError>,
    /// The mean number of rows for each different score; none of transformed scores.
    pub rows_per_score: Option<f64>,
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
            ("ece", list(self.calibration_errors.iter().map(decomposition::calibration_json).collect())),
            ("corp", self.corp.as_ref().map(decomposition::corp_json)),
            ("severity", list(self.severities.iter().map(severity::json).collect())),
            ("finite_sample", (!self.finite_sample.is_empty()).then(|| finite::json(&self.finite_sample))),
        ];
        parts.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?))).collect()
    }

    /// The extras of this model alone as tables, with so many digits, or with four.
    fn tables(&self, digits: Option<usize>) -> Vec<String> {
        let mut parts: Vec<String> = Vec::new();
        parts.extend(self.choice.iter().map(choice::comparison_table));
        parts.extend(self.at.iter().map(choice::thresholds_table));
        parts.extend(self.decompositions.iter().map(|decomposition| decomposition::tables(decomposition, digits)));
        parts.extend(self.calibration_errors.iter().map(|error| AsText(error).to_string()));
        parts.extend(self.corp.iter().filter(|_| self.shows_corp).map(|corp| decomposition::corp_table(corp, digits)));
        if !self.finite_sample.is_empty() {
            parts.push(finite::table(&self.finite_sample, digits));
        }
        parts
    }
}

/// The note on metrics by ties if few scores are equal.
const FEW_EQUAL: &str =
    "not meaningful: few scores are equal (fewer than 20 rows for each different score); see MCB under `corp`";

impl ScoreReport<'_> {
    /// Each score column with its evaluation.
    fn columns_with_evaluations(&self) -> impl Iterator<Item = (&String, &Evaluation)> {
        self.data.score_columns.iter().zip(self.evaluations)
    }

    /// Warnings about a model: that its AUC is below 1/2 beyond the error, so that its scores seem to be reversed.
    fn notes(&self, column: &str, evaluation: &Evaluation) -> Vec<String> {
        let Some(auc) = evaluation.metric("AUC") else { return Vec::new() };
        if !auc.estimate().is_some_and(|auc| auc.value + auc.error < 0.5) {
            return Vec::new();
        }
        let classes = &self.data.classes;
        let [meant, other] = [classes.higher_means, 1 - classes.higher_means].map(|class| &classes.names[class]);
        // Interfaces without the option take the scores as an array.
        let advice = match self.higher_means_option {
            Some(option) => format!("say {option} '{other}'"),
            None => "negate them".to_owned(),
        };
        vec![format!(
            "the AUC of `{column}` is {}, below 1/2: higher scores speak for `{other}` rather than `{meant}`; the \
             direction was not changed. If higher scores are to mean `{other}`, {advice}",
            short_value(auc)
        )]
    }

    /// The report as `score --json` prints it. A single model also has the keys of `eval` at the top level.
    pub fn json(&self) -> Json {
        let models: Vec<Map<String, Json>> = self
            .columns_with_evaluations()
            .enumerate()
            .map(|(k, (column, evaluation))| self.model(k, column, evaluation))
            .collect();
        let mut notes = conventions(self.data);
        let mut object = Map::new();
        object.insert("data".into(), description(self.data, self.transforms));
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
        if let Some(deployment) = self.deployment {
            object.insert(
                "deploy".into(),
                deployment.json(&self.data.score_columns, &self.data.classes, self.at_setting),
            );
        }
        object.insert("notes".into(), json!(notes));
        Json::Object(object)
    }

    /// The keys of the `k`-th model.
    fn model(&self, k: usize, column: &str, evaluation: &Evaluation) -> Map<String, Json> {
        let of_eval: Map<String, Json> = [
            ("score", json!(column)),
            ("convex", json!(evaluation.convex)),
            ("gaps", json::gaps(evaluation)),
            ("intervals", json::intervals(evaluation)),
            ("metrics", self.metrics(k, evaluation)),
            ("loss", json::loss(evaluation, None)),
            ("notes", json!(self.notes(column, evaluation))),
        ]
        .into_iter()
        .map(|(key, value)| (key.to_owned(), value))
        .collect();
        let mut details = self.details.get(k).map(ModelExtras::json).unwrap_or_default();
        if let Some(deployment) = self.deployment {
            deployment.add_to_model(k, &mut details);
        }
        let uncertainty = self.uncertainty.map(|uncertainty| uncertainty.of_model(k)).unwrap_or_default();
        of_eval.into_iter().chain(details).chain(uncertainty).collect()
    }

    /// The metrics of the `k`-th model. Those by ties have a note if few scores are equal.
    fn metrics(&self, k: usize, evaluation: &Evaluation) -> Json {
        let mut metrics = json::metrics(evaluation, None);
        let rows_per_score = self.details.get(k).and_then(|details| details.rows_per_score);
        if summary::row::lacks_ties(rows_per_score) {
            for name in ["CL", "RL"] {
                if let Some(Json::Object(metric)) = metrics.get_mut(name) {
                    metric.insert("note".into(), json!(FEW_EQUAL));
                }
            }
        }
        metrics
    }

    /// The report as `score` prints it, with what it shows by default.
    pub fn tables(&self) -> String {
        self.tables_with(Layout::default())
    }

    /// The report as `score` prints it.
    pub fn tables_with(&self, layout: Layout) -> String {
        let mut out = self.heading(layout) + "\n" + &summary::write(self, layout);
        // Writing to a string cannot fail.
        for (column, evaluation) in self.columns_with_evaluations().filter(|_| layout.digits.is_some()) {
            let forms = long_forms_below(evaluation);
            let _ = if forms.is_empty() { Ok(()) } else { writeln!(out, "`{column}`\n{forms}") };
        }
        for (column, evaluation) in self.columns_with_evaluations() {
            for note in self.notes(column, evaluation) {
                let _ = writeln!(out, "{}", wrap(&format!("note: {note}"), 4));
            }
        }
        for (column, details) in self.data.score_columns.iter().zip(self.details) {
            let tables = details.tables(layout.digits);
            if !tables.is_empty() {
                let _ = writeln!(out, "\n`{column}`\n{}", tables.join("\n").trim_end());
            }
        }
        for part in self.common_parts(layout.digits) {
            let _ = writeln!(out, "\n{}", part.trim_end());
        }
        if let Some(deployment) = self.deployment {
            let tables = deployment.tables(&self.data.score_columns);
            let _ = writeln!(out, "\n{}", tables.trim_end());
        }
        if let Some(uncertainty) = self.uncertainty {
            let tables = uncertainty.tables(&self.data.score_columns, layout.all);
            let _ = if tables.is_empty() { Ok(()) } else { writeln!(out, "\n{}", tables.trim_end()) };
        }
        let closing = summary::closing(self);
        if !closing.is_empty() {
            let _ = writeln!(out, "\n{}", closing.join("\n"));
        }
        out
    }

    /// What follows the tables of all models: what these mean, and extras that compare models.
    fn common_parts(&self, digits: Option<usize>) -> Vec<String> {
        let Some(first) = self.details.first() else { return Vec::new() };
        let choice = first.choice.as_ref().map(choice::comparison_legend);
        let at = first.at.first().map(choice::thresholds_legend);
        let legend: String = choice.into_iter().chain(at).collect();
        let names: Vec<&str> = self.data.score_columns.iter().map(String::as_str).collect();
        let measures: Vec<&[HandMeasure]> = self.details.iter().map(|details| &details.severities[..]).collect();
        let severity = (!first.severities.is_empty()).then(|| severity::table(&names, &measures, digits));
        [Some(legend).filter(|legend| !legend.is_empty()), severity].into_iter().flatten().collect()
    }

    /// The lines above the tables: the data, the conventions, the transforms, and with all details the shape of each ROC curve.
    fn heading(&self, layout: Layout) -> String {
        let mut out = heading(self.data);
        // Writing to a string cannot fail.
        if !self.transforms.is_empty() {
            let names: Vec<&str> = self.transforms.iter().map(|transform| transform.name()).collect();
            let _ = writeln!(out, "  transformed: {}", names.join(", then "));
        }
        for (column, evaluation) in self.columns_with_evaluations().filter(|_| layout.all) {
            let convex = match evaluation.convex {
                Some(true) => "convex".to_owned(),
                Some(false) => match evaluation.gaps.len() {
                    1 => "not convex: it lies below its hull on 1 interval of scores".to_owned(),
                    count => format!("not convex: it lies below its hull on {count} intervals of scores"),
                },
                None => "convex or not: that was not decided".to_owned(),
            };
            let _ = writeln!(out, "  the ROC curve of `{column}` is {convex}");
        }
        out
    }
}

/// The conventions in words: which label is positive, and what scores mean.
pub(super) fn conventions(data: &Dataset) -> Vec<String> {
    let classes = &data.classes;
    let [positive, negative] = &classes.names;
    let kind = match &data.origin {
        ClassColumns::Labels { label, .. } => format!("labels in column `{label}`"),
        ClassColumns::Counts(_) => "count columns".to_owned(),
    };
    let direction = if classes.higher_means == 1 { "at most" } else { "at least" };
    let mut sentences = vec![
        format!("`{positive}` is positive, `{negative}` negative ({kind})"),
        format!(
            "higher scores mean `{}`: `{positive}` is predicted where the score is {direction} the threshold",
            classes.names[classes.higher_means]
        ),
    ];
    sentences.extend(assumption(data).map(str::to_owned));
    sentences
}

/// The conventions that are defaults, in words.
fn assumption(data: &Dataset) -> Option<&'static str> {
    match data.classes.by_default {
        [true, true] => Some("both by default: --positive and --higher-means change that"),
        [true, false] => Some("the positive label is the default: --positive changes that"),
        [false, true] => Some("the meaning of higher scores is the default: --higher-means changes that"),
        [false, false] => None,
    }
}

/// The description of the data in JSON.
pub(super) fn description(data: &Dataset, transforms: &[Transform]) -> Json {
    let Dataset { file, rows, score_columns, origin, classes, .. } = data;
    let totals = data.totals();
    let (label, counts, weight) = match origin {
        ClassColumns::Labels { label, weight } => (Some(label), None, weight.as_ref()),
        ClassColumns::Counts(counts) => (None, Some(counts), None),
    };
    let transforms: Vec<String> = transforms.iter().map(|t| t.name().to_lowercase()).collect();
    json!({
        "file": file, "rows": rows, "score": score_columns,
        "label": label, "counts": counts, "weight": weight,
        "class0": classes.names[0], "class1": classes.names[1], "higher_means": classes.names[classes.higher_means],
        "totals": totals, "pi0": totals[0] / (totals[0] + totals[1]), "transforms": transforms,
    })
}

/// The lines that every table starts with: the data and the conventions.
pub(super) fn heading(data: &Dataset) -> String {
    let file = if data.file == "-" { "standard input" } else { &data.file };
    let totals = data.totals();
    let share = 100.0 * totals[0] / (totals[0] + totals[1]);
    let [n0, n1] = totals;
    let rows = match data.rows {
        1 => "1 row".to_owned(),
        rows => format!("{rows} rows"),
    };
    let unit = match &data.origin {
        ClassColumns::Labels { weight: None, .. } => "",
        ClassColumns::Labels { weight: Some(_), .. } => "by weight ",
        ClassColumns::Counts(_) => "by counts ",
    };
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = writeln!(out, "{file}   {rows}   {unit}{n0} positive ({share:.1} %), {n1} negative");
    for sentence in conventions(data) {
        let _ = writeln!(out, "  {sentence}");
    }
    out
}
