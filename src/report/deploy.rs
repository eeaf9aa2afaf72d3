//! Losses on rows that thresholds were not chosen on, and which model and method to deploy, as JSON and as tables.

use super::json::score as json_score;
use super::rule::{describe_method, describe_threshold, short_threshold, threshold_with_interval};
use super::spread::spread_json;
use super::summary::footnotes::Footnotes;
use super::summary::number::{self, short};
use super::table::new_table;
use super::wrap::wrap;
use crate::data::read::Classes;
use crate::data::{
    DeployedThreshold, HeldOutBy, HeldOutLosses, KnownAt, LossAt, OperatingPoint, OutOfSample, Recommendation, Spread,
    needs_condition,
};
use crate::functional::{Condition, Method};
use serde_json::{Map, Value as Json, json};
use std::fmt::Write;

/// Losses on rows that are held out, and what to deploy.
pub struct Deployment {
    /// The losses, or why there are none.
    pub out_of_sample: Result<OutOfSample, String>,
    /// The time at which the operating condition is known, if it was given.
    pub known: Option<KnownAt>,
    /// The recommendations, each with the conditions that it is for.
    pub recommendations: Vec<(LossAt, Recommendation)>,
    /// For each operating condition and model, the threshold of each method, with its interval.
    pub thresholds: Vec<Vec<Vec<Option<DeployedThreshold>>>>,
    /// For each model, the losses of the optimal method on the rows that its thresholds were chosen on, in the order of the losses.
    pub in_sample: Vec<Vec<Option<f64>>>,
}

/// A value with its interval.
fn with_interval(spread: &Spread) -> String {
    number::with_interval(spread.value, spread.interval)
}

/// The conditions in words.
pub(super) fn conditions(loss_at: &LossAt) -> String {
    match loss_at {
        LossAt::Over(Condition::Cost) => "over cost proportions".to_owned(),
        LossAt::Over(Condition::Skew) => "over skews".to_owned(),
        LossAt::At(at) => format!("at {at}"),
    }
}

/// The reason why a method is simpler than others.
fn simplicity(method: Method) -> &'static str {
    match method {
        Method::ScoreDriven => "its threshold follows from the condition, not from the data",
        Method::ScoreFixed(_) => "its threshold is fixed beforehand",
        Method::RateFixed(_) => "it takes one quantile of the scores from the data",
        Method::RateDriven => "it takes quantiles of the scores from the data, not the classes",
        Method::Optimal | Method::ScoreUniform | Method::RateUniform => "it asks for less",
    }
}

/// The header of a table of methods by models.
fn grid_header<'a>(content: &'a str, names: &'a [String]) -> Vec<&'a str> {
    [content].into_iter().chain(names.iter().map(String::as_str)).chain(["method"]).collect()
}

/// A row of such a table: the name of the method, a cell for each model, the title of the method.
fn grid_row(method: Method, cells: impl Iterator<Item = String>) -> Vec<String> {
    [method.name()].into_iter().chain(cells).chain([method.title().to_owned()]).collect()
}

/// A threshold with its interval, if it has one.
fn varying_threshold(threshold: Option<&DeployedThreshold>) -> String {
    match threshold {
        Some(DeployedThreshold { threshold, interval: Some(interval), .. }) => {
            threshold_with_interval(*threshold, *interval)
        }
        Some(DeployedThreshold { threshold, .. }) => short_threshold(*threshold),
        None => "-".to_owned(),
    }
}

/// The interval of a threshold as JSON.
fn interval_json(threshold: &DeployedThreshold) -> Option<Json> {
    let (lo, hi) = threshold.interval?;
    let method = format!("percentiles over {} samples of rows", threshold.samples);
    Some(json!({ "lo": json_score(lo), "hi": json_score(hi), "method": method }))
}

impl Deployment {
    /// The losses for a request.
    fn losses(&self, loss_at: &LossAt) -> Option<(&OutOfSample, &HeldOutLosses)> {
        let out = self.out_of_sample.as_ref().ok()?;
        Some((out, out.find(loss_at)?))
    }

    /// The loss of a model and a method as JSON; null with the reason if there is none.
    fn loss_json(&self, loss_at: &LossAt, model: usize, name: &str) -> Json {
        if let Err(why) = &self.out_of_sample {
            return json!({ "value": null, "why": why });
        }
        let found = self.losses(loss_at).and_then(|(out, losses)| {
            let place = out.methods.iter().position(|method| method.name() == name)?;
            losses.losses.get(model)?.get(place).copied()
        });
        spread_json(&found.flatten())
    }

    /// Adds losses out of sample to the keys of a model: to its methods at operating conditions, and to those that are compared.
    pub(super) fn add_to_model(&self, model: usize, keys: &mut Map<String, Json>) {
        let at: Vec<&LossAt> = self.requests().filter(|loss_at| matches!(loss_at, LossAt::At(_))).collect();
        let conditions = keys.get_mut("at").and_then(Json::as_array_mut).into_iter().flatten();
        for (k, condition) in conditions.enumerate() {
            for (j, method) in condition["methods"].as_array_mut().into_iter().flatten().enumerate() {
                let name = method["method"].as_str().unwrap_or_default().to_owned();
                method["out_of_sample"] = match at.get(k) {
                    Some(loss_at) => self.loss_json(loss_at, model, &name),
                    None => self.loss_json(&LossAt::Over(Condition::Cost), model, &name),
                };
                let threshold = self.thresholds.get(k).and_then(|models| models.get(model)?.get(j)?.as_ref());
                if let Some(interval) = threshold.and_then(interval_json) {
                    method["threshold_interval"] = interval;
                }
            }
        }
        let compared = keys.get_mut("choice").and_then(|choice| choice["methods"].as_array_mut());
        for method in compared.into_iter().flatten() {
            let name = method["method"].as_str().unwrap_or_default().to_owned();
            let loss = |condition| self.loss_json(&LossAt::Over(condition), model, &name);
            method["out_of_sample"] = loss(Condition::Cost);
            method["out_of_sample_skew"] = loss(Condition::Skew);
        }
    }

    /// All requests.
    fn requests(&self) -> impl Iterator<Item = &LossAt> {
        self.out_of_sample.iter().flat_map(|out| &out.losses).map(|losses| &losses.loss_at)
    }

    /// The threshold of a recommendation, if it has one for all conditions.
    fn threshold(&self, loss_at: &LossAt, advice: &Recommendation) -> Option<DeployedThreshold> {
        let place = self.requests().filter(|loss_at| matches!(loss_at, LossAt::At(_))).position(|at| at == loss_at);
        match (place, advice.method) {
            (Some(k), method) => {
                let out = self.out_of_sample.as_ref().ok()?;
                let j = out.methods.iter().position(|other| *other == method)?;
                *self.thresholds.get(k)?.get(advice.model)?.get(j)?
            }
            (None, Method::ScoreFixed(t)) => {
                Some(DeployedThreshold { threshold: t, share: 1.0, interval: None, samples: 0 })
            }
            (None, _) => None,
        }
    }

    /// Whether there is a recommendation at an operating condition.
    pub(super) fn has_advice_at(&self, at: &OperatingPoint) -> bool {
        self.recommendations.iter().any(|(loss_at, _)| *loss_at == LossAt::At(at.clone()))
    }

    /// Which rows a recommendation calls positive. `at` is the request for one condition, such as `--at c=0.2`.
    pub(super) fn rule(&self, loss_at: &LossAt, advice: &Recommendation, classes: &Classes, at: &str) -> String {
        let Some(DeployedThreshold { threshold, share, interval, samples }) = self.threshold(loss_at, advice) else {
            return describe_method(classes, advice.method, at);
        };
        let mut rule = describe_threshold(classes, threshold);
        // Writing to a string cannot fail.
        if share < 1.0 {
            let _ = write!(rule, ", and of the rows at it a share of {}", short(share));
        }
        if let Some((low, high)) = interval.filter(|(low, high)| low < high) {
            let [low, high] = [low, high].map(short_threshold);
            let _ = write!(rule, " (from {low} to {high} over {samples} samples of rows)");
        }
        rule
    }

    /// Why a model and a method are recommended, in a sentence.
    pub(super) fn why(&self, advice: &Recommendation, names: &[String]) -> String {
        let title = |(model, method): (usize, Method)| match names {
            [_] => method.title().to_owned(),
            _ => format!("{} of `{}`", method.title(), names[model]),
        };
        let chosen = (advice.model, advice.method);
        let lowest = advice.lowest;
        let mut why = if chosen == lowest {
            format!("it has the lowest loss out of sample of the {} that were compared", advice.compared)
        } else {
            format!(
                "of the {} that were compared, {} has the lowest loss out of sample; {} cannot be told apart from it, \
                 and is simpler to deploy: {}",
                advice.compared,
                title(lowest),
                title(chosen),
                simplicity(advice.method)
            )
        };
        let others = advice.within_chance.iter().filter(|other| (other.model, other.method) != lowest);
        let others: Vec<String> = others.map(|other| title((other.model, other.method))).collect();
        let verb = if others.len() == 1 { "is" } else { "are" };
        if !others.is_empty() {
            // Writing to a string cannot fail.
            let _ = write!(why, "; {} {verb} within chance of it, too", others.join(", "));
        } else if chosen == lowest && advice.compared > 1 {
            match advice.caveat {
                None => why.push_str(", beyond chance"),
                // Writing to a string cannot fail.
                Some(caveat) => drop(write!(why, ", by more than the interval of the difference, but {caveat}")),
            }
        }
        why
    }

    /// The recommendations as JSON. `at` is the request for one condition, such as `--at c=0.2`.
    pub(super) fn json(&self, names: &[String], classes: &Classes, at: &str) -> Json {
        let items = self.recommendations.iter().map(|(loss_at, advice)| {
            let threshold = self.threshold(loss_at, advice);
            let rule = self.rule(loss_at, advice, classes, at);
            let at = if let LossAt::At(at) = loss_at { Some(at.to_string()) } else { None };
            let within_chance = advice.within_chance.iter().map(|other| {
                json!({
                    "model": names[other.model], "method": other.method.name(), "difference": spread_json(&Some(other.difference)),
                })
            });
            json!({
                "at": at, "known": self.known.map(KnownAt::name), "model": names[advice.model],
                "method": advice.method.name(), "title": advice.method.title(),
                "threshold": threshold.map(|threshold| json_score(threshold.threshold)),
                "share": threshold.map(|threshold| threshold.share).filter(|share| *share < 1.0),
                "threshold_interval": threshold.as_ref().and_then(interval_json),
                "rule": rule, "loss": spread_json(&Some(advice.loss)),
                "lowest": { "model": names[advice.lowest.0], "method": advice.lowest.1.name() },
                "within_chance": within_chance.collect::<Vec<_>>(),
                "why": self.why(advice, names),
            })
        });
        Json::Array(items.collect())
    }

    /// How rows were held out, in words.
    fn held_out_by(out: &OutOfSample) -> String {
        match out.by {
            HeldOutBy::Separate => "thresholds are chosen on the training data and evaluated on these rows".to_owned(),
            HeldOutBy::Folds { folds, repeats } => {
                let times = if repeats == 1 { String::new() } else { format!(", drawn {repeats} times") };
                format!(
                    "thresholds are chosen on all rows but those of one fold, and evaluated on that fold ({folds} folds, stratified by \
                     class{times})"
                )
            }
        }
    }

    /// The losses of methods and models in one table for each request.
    pub(super) fn tables(&self, names: &[String]) -> String {
        let out = match &self.out_of_sample {
            Ok(out) => out,
            Err(why) => return wrap(&format!("no losses out of sample: {why}"), 4) + "\n",
        };
        let mut text = wrap(&format!("losses out of sample: {}", Deployment::held_out_by(out)), 4) + "\n";
        // Writing to a string cannot fail.
        for (k, losses) in out.losses.iter().enumerate().filter(|(_, losses)| self.is_shown(&losses.loss_at)) {
            let _ = writeln!(text, "\nloss out of sample {}", conditions(&losses.loss_at));
            let mut notes = Footnotes::default();
            let _ = writeln!(text, "{}", self.grid(out, losses, k, names, &mut notes));
            for line in notes.lines() {
                let _ = writeln!(text, "{line}");
            }
            text += &self.variation(&losses.loss_at, out, names);
        }
        text
    }

    /// Whether losses are shown as a table: at a condition; or over cost proportions, if no condition was asked for alone.
    fn is_shown(&self, loss_at: &LossAt) -> bool {
        match loss_at {
            LossAt::At(_) => true,
            LossAt::Over(condition) => {
                *condition == Condition::Cost && (self.known.is_some() || self.thresholds.is_empty())
            }
        }
    }

    /// The thresholds that are chosen on data, with their intervals: methods by rows, models by columns. Empty if there are none.
    fn variation(&self, loss_at: &LossAt, out: &OutOfSample, names: &[String]) -> String {
        let at = self.requests().filter(|loss_at| matches!(loss_at, LossAt::At(_))).position(|at| at == loss_at);
        let Some(thresholds) = at.and_then(|k| self.thresholds.get(k)) else { return String::new() };
        let varies =
            |j: usize| thresholds.iter().filter_map(move |of_model| of_model[j].filter(|t| t.interval.is_some()));
        let mut table = new_table(&grid_header("threshold", names));
        for (j, method) in out.methods.iter().enumerate().filter(|(_, method)| self.is_usable(**method)) {
            if varies(j).next().is_some() {
                table.add_row(grid_row(
                    *method,
                    thresholds.iter().map(|of_model| varying_threshold(of_model[j].as_ref())),
                ));
            }
        }
        let samples = (0..out.methods.len()).flat_map(varies).map(|threshold| threshold.samples).max();
        samples.map_or_else(String::new, |samples| {
            format!("thresholds that are chosen on data, and how they vary over {samples} samples of rows\n{table}\n")
        })
    }

    /// Whether enough is known for a method.
    fn is_usable(&self, method: Method) -> bool {
        self.known != Some(KnownAt::Never) || !needs_condition(method)
    }

    /// The losses of methods, by rows, and models, by columns, for the request at a place, with their caveats as footnotes. The optimal
    /// method has a second row, in sample.
    fn grid(
        &self,
        out: &OutOfSample,
        losses: &HeldOutLosses,
        request: usize,
        names: &[String],
        notes: &mut Footnotes,
    ) -> comfy_table::Table {
        let mut table = new_table(&grid_header("loss", names));
        for (j, method) in out.methods.iter().enumerate().filter(|(_, method)| self.is_usable(**method)) {
            let mut cell = |spread: &Spread| {
                let cite = spread.caveat.map_or(String::new(), |caveat| notes.cite(&caveat.to_string()));
                with_interval(spread) + &cite
            };
            let cells = losses.losses.iter().map(|of_model| of_model[j].as_ref().map_or("-".to_owned(), &mut cell));
            table.add_row(grid_row(*method, cells));
        }
        let in_sample: Vec<Option<f64>> = self.in_sample.iter().map(|losses| *losses.get(request)?).collect();
        if self.is_usable(Method::Optimal) && in_sample.iter().any(Option::is_some) {
            let cells = in_sample.iter().map(|loss| loss.map_or("-".to_owned(), short));
            table.add_row([String::new()].into_iter().chain(cells).chain(["in sample: too low".to_owned()]));
        }
        table
    }
}
