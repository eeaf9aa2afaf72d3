//! Ranges of scores that are known by bins, as JSON and as a table.

use super::scored::{conventions, description, heading};
use super::summary::{Layout, write_ranges};
use crate::data::read::Dataset;
use crate::data::{BinnedEvaluation, Closed, RangeOrMissing};
use crate::functional::{Condition, Cost};
use serde_json::{Map, Value as Json, json};
use std::fmt::Write;

/// Binned scores with their evaluation.
#[derive(Clone, Copy)]
pub struct BinReport<'a> {
    /// The data. Its score columns are the ends of bins.
    pub data: &'a Dataset,
    /// The end that belongs to a bin; `None` if both may.
    pub closed: Option<Closed>,
    /// The distribution of operating conditions.
    pub cost: &'a Cost,
    /// The ranges.
    pub evaluation: &'a BinnedEvaluation,
    /// A sentence on how the ranges could be narrower, if they could.
    pub advice: Option<&'a str>,
}

impl BinReport<'_> {
    /// The name of the scores: the two columns.
    fn name(&self) -> String {
        self.data.score_columns.join(",")
    }

    /// What is known of the scores, in words.
    fn meaning(&self) -> Vec<String> {
        let columns: Vec<String> = self.data.score_columns.iter().map(|name| format!("`{name}`")).collect();
        let closed = match self.closed {
            Some(closed) => closed.to_string(),
            None => "either end may belong to a bin".to_owned(),
        };
        let mut sentences = vec![
            format!("rows are known by bins from {} ({closed})", columns.join(" to ")),
            "values range over all scores within the bins; there are no sampling intervals".to_owned(),
        ];
        sentences.extend(self.advice.map(str::to_owned));
        if let Some(Ok(auc)) = self.evaluation.metric("AUC")
            && auc.hi < 0.5
        {
            let classes = &self.data.classes;
            let [meant, other] = [classes.higher_means, 1 - classes.higher_means].map(|class| &classes.names[class]);
            sentences.push(format!(
                "the AUC is below 1/2 wherever the scores are: higher scores speak for `{other}` rather than `{meant}`"
            ));
        }
        sentences
    }

    /// The report as `score --bins --json` prints it.
    pub fn json(&self) -> Json {
        let evaluation = self.evaluation;
        let mut data = description(self.data, &[]);
        if let Json::Object(data) = &mut data {
            let closed = match self.closed {
                None => "both",
                Some(Closed::Left) => "left",
                Some(Closed::Right) => "right",
            };
            data.insert("score".into(), json!([self.name()]));
            data.insert("bins".into(), json!({ "columns": self.data.score_columns, "closed": closed }));
        }
        let metrics = evaluation.metrics();
        let metrics: Map<String, Json> =
            metrics.map(|(metric, range)| (evaluation.thresholds.label(metric), range_json(range))).collect();
        let losses = |condition: Condition| -> Map<String, Json> {
            evaluation.losses(condition).map(|(method, range)| (method.name(), range_json(range))).collect()
        };
        let corp = evaluation.corp.parts().map(|(name, range)| (name.to_owned(), range_json(range)));
        let corp: Map<String, Json> = corp.into_iter().collect();
        let loss = json!({ "cost": losses(Condition::Cost), "skew": losses(Condition::Skew) });
        let notes: Vec<String> = conventions(self.data).into_iter().chain(self.meaning()).collect();
        json!({
            "data": data, "cost": self.cost.to_string(), "metrics": metrics, "loss": loss, "corp": corp,
            "models": [{ "score": self.name(), "metrics": metrics, "loss": loss, "corp": corp, "notes": [] }],
            "notes": notes,
        })
    }

    /// The report as `score --bins` prints it.
    pub fn table(&self, layout: Layout) -> String {
        let mut out = heading(self.data);
        for sentence in self.meaning() {
            // Writing to a string cannot fail.
            let _ = writeln!(out, "  {sentence}");
        }
        out + "\n" + &write_ranges(self, layout)
    }
}

/// A range as JSON: its ends contain all values, and are attained or approached if it is sharp. There is no single value.
fn range_json(range: &RangeOrMissing) -> Json {
    match range {
        Ok(range) => {
            let mut object =
                json!({ "value": null, "lo": range.lo + 0.0, "hi": range.hi + 0.0, "sharp": range.is_sharp() });
            if let (Json::Object(map), Some(why)) = (&mut object, range.why_not_sharp) {
                map.insert("why".into(), json!(why));
            }
            object
        }
        Err(why) => json!({ "value": null, "why": why.to_string() }),
    }
}
