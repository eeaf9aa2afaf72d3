//! Bootstrap intervals and DeLong's variances, as JSON and as tables.

use super::table::{full_digits, new_table};
use crate::data::{Bootstrap, DeLong, MetricOrLoss, NoVariance, Spread, Spreads};
use crate::functional::{Condition, Thresholds};
use serde_json::{Map, Value as Json, json};
use std::fmt::Write;

/// Standard errors and intervals of the values of all models.
pub struct Uncertainty {
    /// The parameters of the bootstrap.
    pub plan: Bootstrap,
    /// The fixed thresholds, which name values such as `Acc(1/2)`.
    pub thresholds: Thresholds,
    /// The results of the bootstrap, if there was one.
    pub spreads: Option<Spreads>,
    /// DeLong's variances, or the reason why there are none.
    pub delong: Result<DeLong, NoVariance>,
}

/// A spread as JSON; a null value with a reason if there is none.
fn spread_json(spread: &Option<Spread>) -> Json {
    match spread {
        Some(Spread { value, standard_error, interval: (lo, hi) }) => {
            json!({ "value": value, "standard_error": standard_error, "lo": lo, "hi": hi })
        }
        None => json!({ "value": null, "why": "it does not apply, or has no spread" }),
    }
}

impl Uncertainty {
    /// Spreads by name: metrics, and losses by operating condition.
    fn by_name(&self, quantities: &[MetricOrLoss], spreads: &[Option<Spread>]) -> Json {
        let select = |is_wanted: &dyn Fn(&MetricOrLoss) -> bool| -> Map<String, Json> {
            let wanted = quantities.iter().zip(spreads).filter(|(quantity, _)| is_wanted(quantity));
            wanted.map(|(quantity, spread)| (quantity.label(&self.thresholds), spread_json(spread))).collect()
        };
        let loss =
            |wanted: Condition| select(&|q| matches!(q, MetricOrLoss::Loss(condition, _) if *condition == wanted));
        json!({
            "metrics": select(&|q| matches!(q, MetricOrLoss::Metric(_))),
            "loss": { "cost": loss(Condition::Cost), "skew": loss(Condition::Skew) },
        })
    }

    /// The AUC of a model with DeLong's standard error and interval, as JSON.
    fn delong_of(&self, model: usize) -> Json {
        match &self.delong {
            Ok(delong) => {
                let error = delong.standard_error(model);
                let (lo, hi) = DeLong::interval(delong.auc[model], error, self.plan.level);
                json!({ "AUC": delong.auc[model], "standard_error": error, "lo": lo, "hi": hi })
            }
            Err(why) => json!({ "AUC": null, "why": why.to_string() }),
        }
    }

    /// The results for a model, by key.
    pub fn of_model(&self, model: usize) -> Map<String, Json> {
        let mut object = Map::new();
        if let Some(spreads) = &self.spreads {
            object.insert("bootstrap".into(), self.by_name(&spreads.quantities, &spreads.models[model]));
        }
        object.insert("delong".into(), self.delong_of(model));
        object
    }

    /// The parameters of the intervals.
    pub fn parameters_json(&self) -> Json {
        let Bootstrap { replicates, seed, level } = self.plan;
        match &self.spreads {
            Some(spreads) => json!({
                "replicates": replicates, "seed": seed, "level": level, "interval": "percentile",
                "redrawn": spreads.redrawn,
            }),
            None => json!({ "level": level, "interval": "normal" }),
        }
    }

    /// The differences between all pairs of models.
    pub fn differences(&self, names: &[String]) -> Json {
        let pairs = (0..names.len()).flat_map(|a| (a + 1..names.len()).map(move |b| (a, b)));
        let pair = |(a, b): (usize, usize)| {
            let mut object = Map::new();
            object.insert("models".into(), json!([names[a], names[b]]));
            if let Some(spreads) = &self.spreads
                && let Some((.., spreads_of_pair)) = spreads.differences.iter().find(|(x, y, _)| (*x, *y) == (a, b))
            {
                object.insert("bootstrap".into(), self.by_name(&spreads.quantities, spreads_of_pair));
            }
            let delong = match &self.delong {
                Ok(delong) => {
                    let (difference, error, p) = delong.difference(a, b);
                    let (lo, hi) = DeLong::interval(difference, error, self.plan.level);
                    json!({ "AUC": difference, "standard_error": error, "lo": lo, "hi": hi, "p": p })
                }
                Err(why) => json!({ "AUC": null, "why": why.to_string() }),
            };
            object.insert("delong".into(), delong);
            Json::Object(object)
        };
        Json::Array(pairs.map(pair).collect())
    }

    /// All results as tables.
    pub fn tables(&self, names: &[String]) -> String {
        let mut out = String::new();
        let percent = full_digits(100.0 * self.plan.level);
        if let Some(spreads) = &self.spreads {
            let Bootstrap { replicates, seed, .. } = self.plan;
            // Writing to a string cannot fail.
            let _ = writeln!(
                out,
                "bootstrap: {replicates} samples of rows, seed {seed}; percentile intervals that cover {percent} %"
            );
            if spreads.redrawn > 0 {
                let _ = writeln!(out, "{} samples lacked a class and were drawn again", spreads.redrawn);
            }
            for (name, spreads_of_model) in names.iter().zip(&spreads.models) {
                let _ = writeln!(out, "`{name}`\n{}", self.table(&spreads.quantities, spreads_of_model));
            }
            for (a, b, spreads_of_pair) in &spreads.differences {
                let table = self.table(&spreads.quantities, spreads_of_pair);
                let _ = writeln!(out, "`{}` - `{}`\n{table}", names[*a], names[*b]);
            }
        }
        match &self.delong {
            Err(why) => {
                let _ = writeln!(out, "AUC by DeLong: {why}");
            }
            Ok(delong) => {
                let header = ["AUC by DeLong", "value", "standard error", "from", "to", "p"];
                let mut table = new_table(&header);
                let mut row = |name: String, value: f64, error: f64, p: Option<f64>| {
                    let (lo, hi) = DeLong::interval(value, error, self.plan.level);
                    let p = p.map_or(String::new(), |p| format!("{p:.3e}"));
                    table.add_row([name, short(value), short(error), short(lo), short(hi), p]);
                };
                for (model, name) in names.iter().enumerate() {
                    row(format!("`{name}`"), delong.auc[model], delong.standard_error(model), None);
                }
                for a in 0..names.len() {
                    for b in a + 1..names.len() {
                        let (difference, error, p) = delong.difference(a, b);
                        row(format!("`{}` - `{}`", names[a], names[b]), difference, error, Some(p));
                    }
                }
                let _ = writeln!(out, "{table}\nnormal intervals that cover {percent} %");
            }
        }
        out
    }

    /// A table with a row for each metric and loss.
    fn table(&self, quantities: &[MetricOrLoss], spreads: &[Option<Spread>]) -> comfy_table::Table {
        let mut table = new_table(&["value of", "value", "standard error", "from", "to"]);
        for (quantity, spread) in quantities.iter().zip(spreads) {
            let name = match quantity {
                MetricOrLoss::Metric(_) => quantity.label(&self.thresholds),
                MetricOrLoss::Loss(Condition::Cost, _) => format!("L[{}]", quantity.label(&self.thresholds)),
                MetricOrLoss::Loss(Condition::Skew, _) => format!("Lz[{}]", quantity.label(&self.thresholds)),
            };
            match spread {
                Some(Spread { value, standard_error, interval: (lo, hi) }) => {
                    table.add_row([name, short(*value), short(*standard_error), short(*lo), short(*hi)]);
                }
                None => {
                    table.add_row([name, "-".into(), "-".into(), "-".into(), "-".into()]);
                }
            }
        }
        table
    }
}

/// A number with six decimals: its sampling error hides the rest.
fn short(x: f64) -> String {
    format!("{x:.6}")
}
