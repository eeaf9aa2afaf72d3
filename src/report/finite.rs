//! Expected losses of finite samples, as JSON and as a table.

use super::json::value as json_value;
use super::table::{new_table, shown_cells};
use super::wrap::wrap;
use crate::data::FiniteValue;
use crate::functional::Value;
use serde_json::{Value as Json, json};
use std::collections::BTreeSet;
use std::fmt::Write;

/// The formulas with their values as a JSON list.
pub fn json(items: &[FiniteValue]) -> Json {
    let item = |item: &FiniteValue| {
        json!({
            "name": item.of.name, "title": item.of.title, "convention": item.of.convention, "ties": item.of.ties.title(),
            "formula": item.of.formula, "limit_formula": item.of.limit,
            "value": json_value(&item.value, None), "limit": json_value(&item.limit, None),
            "difference": json_value(&item.difference, None), "note": item.of.note,
        })
    };
    Json::Array(items.iter().map(item).collect())
}

/// The formulas with their values as a table, followed by conventions and notes.
pub fn table(items: &[FiniteValue], digits: Option<usize>) -> String {
    let mut out = String::new();
    let mut table = new_table(&["formula", "value", "many rows", "difference", "means"]);
    for item in items {
        let [value, limit, difference] =
            [&item.value, &item.limit, &item.difference].map(|v| shown_cells(v, digits).swap_remove(0));
        table.add_row([item.of.name, &value, &limit, &difference, item.of.title]);
    }
    // Writing to a string cannot fail.
    let _ = writeln!(out, "finite samples, operating conditions uniform\n{table}");
    for item in items {
        let convention = format!("{}: {}; {}", item.of.name, item.of.convention, item.of.ties.title());
        let _ = writeln!(out, "{}\n    = {}", wrap(&convention, 4), item.of.formula);
        if let Some(note) = item.of.note {
            let _ = writeln!(out, "{}", wrap(&format!("    {note}"), 4));
        }
    }
    let why = |v: &Value| if let Value::Missing(why) = v { Some(format!("- : {why}")) } else { None };
    let reasons: BTreeSet<String> = items.iter().filter_map(|item| why(&item.value)).collect();
    reasons.iter().for_each(|why| {
        let _ = writeln!(out, "{why}");
    });
    out
}
