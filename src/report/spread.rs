//! Bootstrap intervals and DeLong's variances, as JSON and as tables.

use super::summary::number::short;
use super::table::{full_digits, new_table};
use crate::data::{
    AucDifference, Bootstrap, DeLong, IntervalMethod, MetricOrLoss, NoVariance, Power, Spread, Spreads, pairs,
};
use crate::functional::{Condition, Thresholds};
use serde_json::{Map, Value as Json, json};
use std::fmt::Write;

/// Standard errors and intervals of the values of all models.
pub struct Uncertainty {
    /// The parameters of the bootstrap. Without samples, intervals are by formulas.
    pub plan: Bootstrap,
    /// The fixed thresholds, which name values such as `Acc(1/2)`.
    pub thresholds: Thresholds,
    /// The intervals, by samples or by formulas.
    pub spreads: Spreads,
    /// Whether DeLong's table was requested.
    pub shows_delong: bool,
    /// DeLong's variances, or the reason why there are none.
    pub delong: Result<DeLong, NoVariance>,
    /// When a difference counts as found.
    pub power: Power,
    /// A difference that is to be found, if one was requested.
    pub sought: Option<f64>,
    /// The number of rows of the data.
    pub rows: f64,
}

/// A spread as JSON; a null value with a reason if there is none.
pub(super) fn spread_json(spread: &Option<Spread>) -> Json {
    match spread {
        Some(Spread { value, standard_error, interval: (lo, hi), bias, chance, method, caveat }) => {
            let mut object = json!({
                "value": value, "standard_error": standard_error, "lo": lo, "hi": hi, "method": method.name(),
            });
            if let Some(bias) = bias {
                object["bias"] = json!(bias);
            }
            if let Some(p) = chance {
                object["p_chance"] = json!(p);
            }
            if let Some(caveat) = caveat {
                object["caveat"] = json!(caveat.to_string());
            }
            object
        }
        None => json!({ "value": null, "why": "it does not apply, or has no spread" }),
    }
}

/// A spread with the opposite sign.
fn negate(spread: Spread) -> Spread {
    let interval = (-spread.interval.1, -spread.interval.0);
    Spread { value: -spread.value, interval, bias: spread.bias.map(|bias| -bias), ..spread }
}

impl Uncertainty {
    /// Whether there are bootstrap samples.
    fn has_samples(&self) -> bool {
        self.plan.replicates > 0
    }

    /// The spread of a quantity of a model.
    pub(super) fn spread_of(&self, model: usize, quantity: &MetricOrLoss) -> Option<Spread> {
        let k = self.spreads.quantities.iter().position(|known| known == quantity)?;
        self.spreads.models.get(model)?.get(k).copied().flatten()
    }

    /// The spread of the difference of a quantity, model `a` minus model `b`.
    pub(super) fn difference_of(&self, a: usize, b: usize, quantity: &MetricOrLoss) -> Option<Spread> {
        let k = self.spreads.quantities.iter().position(|known| known == quantity)?;
        let of_pair = |a: usize, b: usize| self.spreads.differences.iter().find(|(x, y, _)| (*x, *y) == (a, b));
        match (of_pair(a, b), of_pair(b, a)) {
            (Some((.., spreads)), _) => spreads.get(k).copied().flatten(),
            (None, Some((.., spreads))) => spreads.get(k).copied().flatten().map(negate),
            (None, None) => None,
        }
    }

    /// The intervals in words: their level and their methods.
    pub(super) fn legend(&self) -> String {
        let Bootstrap { replicates, seed, stratified, .. } = self.plan;
        let by_delong =
            |spread: &Spread| matches!(spread.method, IntervalMethod::DelongLogit | IntervalMethod::DisjointPairs);
        let by_class = if stratified { ", stratified by class" } else { "" };
        let has_delong = self.spreads.models.iter().flatten().flatten().any(by_delong);
        let methods = match (self.has_samples(), has_delong) {
            (true, true) => format!(
                "DeLong's for AUC, Wilson's for means, others by {replicates} bootstrap samples (seed {seed}{by_class})"
            ),
            (true, false) => format!("by {replicates} bootstrap samples (seed {seed}{by_class})"),
            (false, true) => "DeLong's for AUC, Wilson's for means".into(),
            (false, false) => "Wilson's for means".into(),
        };
        let level = format!("{} % sampling intervals: {methods}", self.percent());
        match self.spreads.redrawn {
            0 => level,
            redrawn => format!("{level}; {redrawn} samples lacked a class and were drawn again"),
        }
    }

    /// The smallest true difference that these rows find, with the standard error of this one.
    pub(super) fn detectable(&self, difference: &Spread) -> Option<f64> {
        self.power.detectable(difference)
    }

    /// The number of rows on which the difference that is to be found is found.
    fn rows_needed(&self, spread: &Spread) -> Option<u64> {
        self.power.rows_needed(self.rows, spread, self.sought?)
    }

    /// What it takes to find a difference, by key.
    fn add_power(&self, spread: &Spread, object: &mut Json) {
        object["detectable"] = json!(self.detectable(spread));
        if self.sought.is_some() {
            object["rows_needed"] = json!(self.rows_needed(spread));
        }
    }

    /// A difference as JSON: its spread, and what it takes to find a difference.
    fn difference_json(&self, difference: &Option<Spread>) -> Json {
        let mut object = spread_json(difference);
        if let Some(difference) = difference {
            self.add_power(difference, &mut object);
        }
        object
    }

    /// Spreads by name: metrics, and losses by operating condition. `spreads` are those of `quantities`, in the same order.
    fn by_name(
        &self,
        quantities: &[MetricOrLoss],
        spreads: &[Option<Spread>],
        as_json: impl Fn(&Option<Spread>) -> Json,
    ) -> Json {
        let (mut metrics, mut cost, mut skew) = (Map::new(), Map::new(), Map::new());
        for (quantity, spread) in quantities.iter().zip(spreads) {
            let list = match quantity {
                MetricOrLoss::Metric(_) | MetricOrLoss::Corp(_) => &mut metrics,
                MetricOrLoss::Loss(Condition::Cost, _) => &mut cost,
                MetricOrLoss::Loss(Condition::Skew, _) => &mut skew,
            };
            list.insert(quantity.label(&self.thresholds), as_json(spread));
        }
        json!({ "metrics": metrics, "loss": { "cost": cost, "skew": skew } })
    }

    /// The AUC of a model with DeLong's standard error and intervals, as JSON: the plain one, and that on the scale of the logit.
    fn delong_of(&self, model: usize) -> Json {
        match &self.delong {
            Ok(delong) => {
                let error = delong.standard_error(model);
                let (lo, hi) = DeLong::interval(delong.auc[model], error, self.plan.level);
                let logit = spread_json(&Some(delong.spread(model, self.plan.level)));
                json!({ "AUC": delong.auc[model], "standard_error": error, "lo": lo, "hi": hi, "logit": logit })
            }
            Err(why) => json!({ "AUC": null, "why": why.to_string() }),
        }
    }

    /// The results for a model, by key.
    pub fn of_model(&self, model: usize) -> Map<String, Json> {
        let mut object = Map::new();
        let Spreads { quantities, models, .. } = &self.spreads;
        object.insert(self.key().into(), self.by_name(quantities, &models[model], spread_json));
        object.insert("delong".into(), self.delong_of(model));
        object
    }

    /// The key of the intervals in JSON, by their origin.
    fn key(&self) -> &'static str {
        if self.has_samples() { "bootstrap" } else { "formulas" }
    }

    /// The parameters of the intervals.
    pub fn parameters_json(&self) -> Json {
        let Bootstrap { replicates, seed, level, stratified } = self.plan;
        match self.has_samples() {
            true => json!({
                "replicates": replicates, "seed": seed, "level": level, "interval": "by method", "stratified": stratified,
                "redrawn": self.spreads.redrawn, "power": self.power.probability,
            }),
            false => json!({
                "level": level, "interval": "by method", "stratified": stratified, "power": self.power.probability,
            }),
        }
    }

    /// The differences between all pairs of models, as a JSON list. `names` are those of the models, in order.
    pub fn differences(&self, names: &[String]) -> Json {
        Json::Array(pairs(names.len()).map(|(a, b)| self.difference(names, a, b)).collect())
    }

    /// The difference between the models with indices `a` and `b`: the value of `a` minus that of `b`.
    fn difference(&self, names: &[String], a: usize, b: usize) -> Json {
        let mut object = Map::new();
        object.insert("models".into(), json!([names[a], names[b]]));
        if let Some((.., spreads_of_pair)) = self.spreads.differences.iter().find(|(x, y, _)| (*x, *y) == (a, b)) {
            let differences =
                self.by_name(&self.spreads.quantities, spreads_of_pair, |difference| self.difference_json(difference));
            object.insert(self.key().into(), differences);
        }
        let delong = match &self.delong {
            Ok(delong) => {
                let AucDifference { value, standard_error, p } = delong.difference(a, b);
                let (lo, hi) = DeLong::interval(value, standard_error, self.plan.level);
                let spread = delong.spread_of_difference(a, b, self.plan.level);
                let mut object = json!({ "AUC": value, "standard_error": standard_error, "lo": lo, "hi": hi, "p": p });
                if p.is_none() {
                    object["why_no_p"] = json!("the difference does not vary over these rows: it cannot be tested");
                }
                if let Some(caveat) = spread.caveat {
                    object["caveat"] = json!(caveat.to_string());
                }
                self.add_power(&spread, &mut object);
                object
            }
            Err(why) => json!({ "AUC": null, "why": why.to_string() }),
        };
        object.insert("delong".into(), delong);
        Json::Object(object)
    }

    /// DeLong's table if it was requested; with `all`, or if a difference is sought, the differences of all quantities. `names` are those of the models, in order.
    pub fn tables(&self, names: &[String], all: bool) -> String {
        let shows_differences = all || self.sought.is_some();
        let differences = if shows_differences { self.difference_tables(names) } else { String::new() };
        let delong = match &self.delong {
            _ if !all && !self.shows_delong => String::new(),
            Err(why) => format!("AUC by DeLong: {why}\n"),
            Ok(delong) => {
                let level = self.percent();
                format!(
                    "{}\nDeLong's variance; {level} % intervals, of an AUC on the scale of the logit\n",
                    self.delong_table(delong, names)
                )
            }
        };
        differences + &delong
    }

    /// The coverage of the intervals in percent.
    fn percent(&self) -> String {
        full_digits(100.0 * self.plan.level)
    }

    /// A table for each difference of two models.
    fn difference_tables(&self, names: &[String]) -> String {
        let mut out = String::new();
        for (a, b, spreads_of_pair) in &self.spreads.differences {
            let table = self.table(&self.spreads.quantities, spreads_of_pair);
            // Writing to a string cannot fail.
            let _ = writeln!(out, "`{}` - `{}`\n{table}", names[*a], names[*b]);
        }
        if !out.is_empty() {
            let percent = full_digits(100.0 * self.power.probability);
            // As above.
            let _ = writeln!(
                out,
                "detectable: the smallest true difference whose interval on so many rows excludes 0 in {percent} % of samples"
            );
            let _ = self.sought.map_or(Ok(()), |sought| {
                writeln!(
                    out,
                    "rows for {0}: the number of rows on which a true difference of {0} is found as often",
                    full_digits(sought)
                )
            });
            let _ = writeln!(out);
        }
        out
    }

    /// DeLong's table: a row for the AUC of each model, and one for the difference of each pair, with its p-value.
    fn delong_table(&self, delong: &DeLong, names: &[String]) -> comfy_table::Table {
        let mut table = new_table(&["AUC by DeLong", "value", "standard error", "from", "to", "p", ""]);
        let mut add_row = |name: String, spread: Spread, p: Option<f64>| {
            let Spread { value, standard_error: error, interval: (lo, hi), caveat, .. } = spread;
            let p = p.map_or(String::new(), |p| format!("{p:.3e}"));
            let caveat = caveat.map_or(String::new(), |caveat| caveat.to_string());
            table.add_row([name, short(value), short(error), short(lo), short(hi), p, caveat]);
        };
        for (model, name) in names.iter().enumerate() {
            add_row(format!("`{name}`"), delong.spread(model, self.plan.level), None);
        }
        for (a, b) in pairs(names.len()) {
            let p = delong.difference(a, b).p;
            let difference = delong.spread_of_difference(a, b, self.plan.level);
            add_row(format!("`{}` - `{}`", names[a], names[b]), difference, p);
        }
        table
    }

    /// A table with a row for the difference of each metric and loss.
    fn table(&self, quantities: &[MetricOrLoss], spreads: &[Option<Spread>]) -> comfy_table::Table {
        let rows_for = self.sought.map(|sought| format!("rows for {}", full_digits(sought)));
        let header = ["difference of", "value", "standard error", "from", "to", "detectable"];
        let mut table = new_table(&header.into_iter().chain(rows_for.as_deref()).collect::<Vec<_>>());
        let or_dash = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
        for (quantity, spread) in quantities.iter().zip(spreads) {
            let name = match quantity {
                MetricOrLoss::Metric(_) | MetricOrLoss::Corp(_) => quantity.label(&self.thresholds),
                MetricOrLoss::Loss(Condition::Cost, _) => format!("L[{}]", quantity.label(&self.thresholds)),
                MetricOrLoss::Loss(Condition::Skew, _) => format!("Lz[{}]", quantity.label(&self.thresholds)),
            };
            let numbers = spread.map(|Spread { value, standard_error, interval: (lo, hi), .. }| {
                [value, standard_error, lo, hi].map(short)
            });
            let mut row = vec![name];
            row.extend(numbers.unwrap_or_else(|| std::array::from_fn(|_| "-".to_owned())));
            row.push(or_dash(spread.and_then(|spread| self.detectable(&spread).map(short))));
            if self.sought.is_some() {
                row.push(or_dash(spread.and_then(|spread| self.rows_needed(&spread).map(|rows| rows.to_string()))));
            }
            table.add_row(row);
        }
        table
    }
}
