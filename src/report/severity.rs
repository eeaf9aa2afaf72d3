//! Hand's H under severities, as JSON and as a table.

use super::json::value as json_value;
use super::table::{cells, new_table};
use crate::data::HandMeasure;
use serde_json::{Value as Json, json};

/// The largest number of digits in a table.
const DIGITS: usize = 15;

/// Hand's H under one severity as JSON.
pub fn json(measure: &HandMeasure) -> Json {
    let HandMeasure { severity, prior, value } = measure;
    let prior = prior.as_ref().map(ToString::to_string);
    json!({ "severity": severity.to_string(), "prior": prior, "H": json_value(value, None) })
}

/// Hand's H under each severity, with the distribution of the cost proportion that it stands for.
pub fn table(measures: &[HandMeasure]) -> String {
    let mut table = new_table(&["severity", "H", "evidence", "distribution of c"]);
    for HandMeasure { severity, prior, value } in measures {
        let [digits, evidence] = cells(value, DIGITS);
        let prior = prior.as_ref().map_or_else(String::new, ToString::to_string);
        table.add_row([severity.to_string(), digits, evidence, prior]);
    }
    format!("Hand's H by severity\n{table}\n")
}
