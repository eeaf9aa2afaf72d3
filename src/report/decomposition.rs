//! Decompositions of the Brier score, as JSON and as tables.

use super::AsText;
use super::json::{score as json_score, value as json_value};
use super::table::{cells, full_digits, new_table, short_score};
use crate::data::{Closed, Corp, Decomposition};
use crate::functional::Value;
use serde_json::{Value as Json, json};
use std::fmt;

/// Cells are listed if there are at most this many.
const MOST_ROWS: usize = 50;
/// The largest number of digits in a table.
const DIGITS: usize = 15;

/// A decomposition as JSON: the partition, its cells (unless they are ties), and the parts of the score.
pub fn json(of: &Decomposition) -> Json {
    let closed = of.partition.closed().map(|closed| if closed == Closed::Left { "left" } else { "right" });
    let mut object = json!({
        "partition": of.partition.name(), "means": of.partition.to_string(), "closed": closed,
        "filled": of.filled, "empty": of.empty,
        "cells": of.cells.iter().map(|cell| json!({
            "edges": [json_score(cell.edges.0), json_score(cell.edges.1)],
            "scores": [cell.scores.0, cell.scores.1],
            "weight": cell.mass, "mean_score": cell.mean, "share": cell.share(),
        })).collect::<Vec<_>>(),
        "note": of.note,
    });
    if let Json::Object(map) = &mut object {
        map.extend(of.parts().map(|(name, _, value)| (name.to_owned(), json_value(value, None))));
    }
    object
}

/// The CORP decomposition (by isotonic recalibration) as JSON.
pub fn corp_json(of: &Corp) -> Json {
    Json::Object(of.parts().map(|(name, _, value)| (name.to_owned(), json_value(value, None))).into_iter().collect())
}

/// Writes a table of parts, each with its name, its meaning and its value.
fn write_parts(f: &mut fmt::Formatter<'_>, parts: &[(&str, &str, &Value)]) -> fmt::Result {
    let mut table = new_table(&["part", "value", "evidence", "means"]);
    for (name, means, value) in parts {
        let [value, evidence] = cells(value, DIGITS);
        table.add_row([*name, &value, &evidence, means]);
    }
    writeln!(f, "{table}")?;
    let reasons = parts.iter().filter_map(|(_, _, v)| if let Value::Missing(why) = v { Some(why) } else { None });
    let mut reasons: Vec<_> = reasons.collect();
    reasons.dedup();
    reasons.iter().try_for_each(|why| writeln!(f, "- : {why}"))
}

impl fmt::Display for AsText<'_, Decomposition> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Brier score by {}; {} cells", self.0.partition, self.0.filled)?;
        writeln!(f, "{}", if self.0.empty > 0 { format!(", {} bins empty", self.0.empty) } else { String::new() })?;
        write_parts(f, &self.0.parts())?;
        if !self.0.cells.is_empty() && self.0.cells.len() <= MOST_ROWS {
            let mut table =
                new_table(&["cell", "lowest score", "highest", "weight 0", "weight 1", "mean score", "share"]);
            for cell in &self.0.cells {
                let (from, to) = cell.edges;
                let numbers = [cell.mass[0], cell.mass[1], cell.mean, cell.share()].map(short_score);
                let ends = [cell.scores.0, cell.scores.1].map(full_digits);
                let edges = format!("{} to {}", full_digits(from), full_digits(to));
                table.add_row([edges].into_iter().chain(ends).chain(numbers));
            }
            writeln!(f, "{table}")?;
        }
        self.0.note.map_or(Ok(()), |note| writeln!(f, "{note}"))
    }
}

impl fmt::Display for AsText<'_, Corp> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "Brier score by isotonic recalibration (CORP): BS = MCB - DSC + UNC")?;
        write_parts(f, &self.0.parts())
    }
}
