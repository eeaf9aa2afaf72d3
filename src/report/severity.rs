//! Hand's H under severities, as JSON and as a table.

use super::json::value as json_value;
use super::table::{new_table, shown_cells, value_header};
use crate::data::HandMeasure;
use serde_json::{Value as Json, json};

/// Hand's H under one severity as JSON.
pub fn json(measure: &HandMeasure) -> Json {
    let HandMeasure { severity, prior, value } = measure;
    let prior = prior.as_ref().map(ToString::to_string);
    json!({ "severity": severity.to_string(), "prior": prior, "H": json_value(value, None) })
}

/// Hand's H of all models under each severity, with the distribution of the cost proportion that it stands for. All models have the same
/// severities; the distribution depends on the severity alone.
pub fn table(names: &[&str], models: &[&[HandMeasure]], digits: Option<usize>) -> String {
    let evidence = digits.map(|_| "evidence");
    let header: Vec<&str> = match names {
        [_] => value_header(&["severity"], "H", digits, &["distribution of c"]),
        _ => {
            let of_models = names.iter().flat_map(|name| [*name].into_iter().chain(evidence));
            ["severity"].into_iter().chain(of_models).chain(["distribution of c"]).collect()
        }
    };
    let mut table = new_table(&header);
    for (k, HandMeasure { severity, prior, .. }) in models.first().into_iter().copied().flatten().enumerate() {
        let prior = prior.as_ref().map_or_else(String::new, ToString::to_string);
        let values = models.iter().flat_map(|measures| shown_cells(&measures[k].value, digits));
        table.add_row([severity.to_string()].into_iter().chain(values).chain([prior]));
    }
    format!("Hand's H by severity\n{table}\n")
}
