//! Decompositions of the Brier score, as JSON and as tables.

use super::AsText;
use super::json::{score as json_score, value as json_value};
use super::summary::number::short_value;
use super::table::{full_digits, new_table, short_score, shown_cells, value_header};
use crate::data::{CalibrationError, Closed, Corp, Decomposition, Partition, PartitionCell};
use crate::functional::Value;
use serde_json::{Value as Json, json};
use std::fmt;

/// Cells are listed if there are at most this many.
const MOST_ROWS: usize = 50;

/// A decomposition as JSON: the partition, its cells (unless they are ties), and the parts of the score.
pub fn json(decomposition: &Decomposition) -> Json {
    let Decomposition { partition, filled, empty, cells, note, .. } = decomposition;
    let mut object = json!({
        "partition": partition.name(), "means": partition.to_string(), "closed": closed_end(partition),
        "filled": filled, "empty": empty,
        "cells": cells.iter().map(cell_json).collect::<Vec<_>>(),
        "note": note,
    });
    if let Json::Object(map) = &mut object {
        map.extend(decomposition.parts().map(|(name, _, value)| (name.to_owned(), json_value(value, None))));
    }
    object
}

/// The end of a bin that belongs to it, by name.
fn closed_end(partition: &Partition) -> Option<&'static str> {
    partition.closed().map(|closed| if closed == Closed::Left { "left" } else { "right" })
}

/// A cell of a partition as JSON.
fn cell_json(cell: &PartitionCell) -> Json {
    json!({
        "edges": [json_score(cell.edges.0), json_score(cell.edges.1)],
        "scores": [cell.scores.0, cell.scores.1],
        "weight": cell.mass, "mean_score": cell.mean, "share": cell.share(),
    })
}

/// The calibration error of stated bins as JSON.
pub fn calibration_json(error: &CalibrationError) -> Json {
    let CalibrationError { partition, expected, largest, cells, empty } = error;
    json!({
        "partition": partition.name(), "means": partition.to_string(), "closed": closed_end(partition),
        "ECE": json_value(expected, None), "MCE": json_value(largest, None),
        "filled": cells.len(), "empty": empty, "cells": cells.iter().map(cell_json).collect::<Vec<_>>(),
    })
}

/// The CORP decomposition (by isotonic recalibration) as JSON.
pub fn corp_json(corp: &Corp) -> Json {
    let parts = corp.parts().map(|(name, _meaning, value)| (name.to_owned(), json_value(value, None)));
    Json::Object(parts.into_iter().collect())
}

/// Writes a table of parts, each with its name, its meaning and its value; below it, why values are missing.
fn write_parts(f: &mut impl fmt::Write, parts: &[(&str, &str, &Value)], digits: Option<usize>) -> fmt::Result {
    let mut table = new_table(&value_header(&["part"], "value", digits, &["means"]));
    let mut reasons = Vec::new();
    for (name, meaning, value) in parts {
        let shown = shown_cells(value, digits);
        table.add_row([(*name).to_owned()].into_iter().chain(shown).chain([(*meaning).to_owned()]));
        if let Value::Missing(why) = value {
            reasons.push(why);
        }
    }
    writeln!(f, "{table}")?;
    reasons.dedup();
    reasons.iter().try_for_each(|why| writeln!(f, "- : {why}"))
}

/// Writes a table of cells, if there are not too many.
fn write_cells(f: &mut impl fmt::Write, cells: &[PartitionCell]) -> fmt::Result {
    if cells.is_empty() || cells.len() > MOST_ROWS {
        return Ok(());
    }
    let header = ["cell", "lowest score", "highest", "positives", "negatives", "mean score", "share"];
    let mut table = new_table(&header);
    for cell in cells {
        let (from, to) = cell.edges;
        let numbers = [cell.mass[0], cell.mass[1], cell.mean, cell.share()].map(short_score);
        let ends = [cell.scores.0, cell.scores.1].map(full_digits);
        let edges = format!("{} to {}", full_digits(from), full_digits(to));
        table.add_row([edges].into_iter().chain(ends).chain(numbers));
    }
    writeln!(f, "{table}")
}

impl fmt::Display for AsText<'_, CalibrationError> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let CalibrationError { partition, expected, largest, cells, empty } = self.0;
        let [expected, largest] = [expected, largest].map(short_value);
        writeln!(f, "expected calibration error {expected}, largest {largest}: {partition}, {empty} empty")?;
        write_cells(f, cells)
    }
}

/// Writes a decomposition, with so many digits, or with four.
fn write_decomposition(f: &mut impl fmt::Write, decomposition: &Decomposition, digits: Option<usize>) -> fmt::Result {
    let Decomposition { partition, filled, empty, cells, note, .. } = decomposition;
    write!(f, "Brier score by {partition}; {filled} cells")?;
    writeln!(f, "{}", if *empty > 0 { format!(", {empty} bins empty") } else { String::new() })?;
    write_parts(f, &decomposition.parts(), digits)?;
    write_cells(f, cells)?;
    note.map_or(Ok(()), |note| writeln!(f, "{note}"))
}

/// Writes the CORP decomposition, with so many digits, or with four.
fn write_corp(f: &mut impl fmt::Write, corp: &Corp, digits: Option<usize>) -> fmt::Result {
    writeln!(f, "Brier score by isotonic recalibration (CORP): BS = MCB - DSC + UNC")?;
    write_parts(f, &corp.parts(), digits)
}

/// A decomposition as tables, with so many digits, or with four.
pub(super) fn tables(decomposition: &Decomposition, digits: Option<usize>) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = write_decomposition(&mut text, decomposition, digits);
    text
}

/// The CORP decomposition as a table, with so many digits, or with four.
pub(super) fn corp_table(corp: &Corp, digits: Option<usize>) -> String {
    let mut text = String::new();
    // As above.
    let _ = write_corp(&mut text, corp, digits);
    text
}

impl fmt::Display for AsText<'_, Decomposition> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_decomposition(f, self.0, None)
    }
}

impl fmt::Display for AsText<'_, Corp> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_corp(f, self.0, None)
    }
}
