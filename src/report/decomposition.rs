//! Decompositions of the Brier score, as JSON and as tables.

use super::AsText;
use super::json::{score as json_score, value as json_value};
use super::summary::number::short;
use super::table::{cells, full_digits, new_table, short_score};
use crate::data::{CalibrationError, Closed, Corp, Decomposition, Partition, PartitionCell};
use crate::functional::Value;
use serde_json::{Value as Json, json};
use std::fmt;

/// Cells are listed if there are at most this many.
const MOST_ROWS: usize = 50;
/// The largest number of digits in a table.
const DIGITS: usize = 15;

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
fn write_parts(f: &mut fmt::Formatter<'_>, parts: &[(&str, &str, &Value)]) -> fmt::Result {
    let mut table = new_table(&["part", "value", "evidence", "means"]);
    let mut reasons = Vec::new();
    for (name, meaning, value) in parts {
        let [digits, evidence] = cells(value, DIGITS);
        table.add_row([*name, &digits, &evidence, meaning]);
        if let Value::Missing(why) = value {
            reasons.push(why);
        }
    }
    writeln!(f, "{table}")?;
    reasons.dedup();
    reasons.iter().try_for_each(|why| writeln!(f, "- : {why}"))
}

/// Writes a table of cells, if there are not too many.
fn write_cells(f: &mut fmt::Formatter<'_>, cells: &[PartitionCell]) -> fmt::Result {
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
        let [expected, largest] =
            [expected, largest].map(|value| value.estimate().map_or("-".into(), |v| short(v.value)));
        writeln!(f, "expected calibration error {expected}, largest {largest}: {partition}, {empty} empty")?;
        write_cells(f, cells)
    }
}

impl fmt::Display for AsText<'_, Decomposition> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Brier score by {}; {} cells", self.0.partition, self.0.filled)?;
        writeln!(f, "{}", if self.0.empty > 0 { format!(", {} bins empty", self.0.empty) } else { String::new() })?;
        write_parts(f, &self.0.parts())?;
        write_cells(f, &self.0.cells)?;
        self.0.note.map_or(Ok(()), |note| writeln!(f, "{note}"))
    }
}

impl fmt::Display for AsText<'_, Corp> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "Brier score by isotonic recalibration (CORP): BS = MCB - DSC + UNC")?;
        write_parts(f, &self.0.parts())
    }
}
