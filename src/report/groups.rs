//! The rows of each value of a column, evaluated one by one: a line for each, and the keys of `score` for programs.

use super::summary::number;
use super::table::new_table;
use serde_json::{Value as Json, json};

/// The rows of one value of a column.
pub struct Group {
    /// The value; `None` where the cell is empty.
    pub value: Option<String>,
    /// The number of rows.
    pub rows: usize,
    /// The report on these rows as JSON, or why there is none.
    pub report: Result<Json, String>,
}

/// The columns of the table: the heading, and the path of keys to the value in the report of a model.
const SHOWN: [(&str, [&str; 3]); 3] =
    [("AUC", ["metrics", "AUC", ""]), ("L[o]", ["loss", "cost", "o"]), ("BS", ["metrics", "BS", ""])];

/// The note on losses without an interval.
const OF_THE_REST: &str = "intervals of the rest: --bootstrap 200, which takes long for many rows or many groups";

/// Adds the groups of a column to the report on all rows.
pub fn add_groups(report: &mut Json, column: &str, groups: &[Group]) {
    let group = |group: &Group| {
        let mut object = json!({ "group": group.value, "rows": group.rows });
        match &group.report {
            Ok(Json::Object(keys)) => keys.iter().for_each(|(key, value)| object[key] = value.clone()),
            Ok(_) => {}
            Err(why) => object["why"] = json!(why),
        }
        object
    };
    report["group_by"] = json!(column);
    report["groups"] = json!(groups.iter().map(group).collect::<Vec<_>>());
}

/// A line for each group and model, and one for all rows.
pub fn table(column: &str, groups: &[Group], all: &Group) -> String {
    let models = |report: &Json| report["models"].as_array().cloned().unwrap_or_default();
    let several = all.report.as_ref().is_ok_and(|report| models(report).len() > 1);
    let mut header = vec![column, "rows", "positive"];
    if several {
        header.push("model");
    }
    header.extend(SHOWN.map(|(name, _)| name));
    let mut table = new_table(&header);
    let mut reasons = Vec::new();
    let mut is_by_formulas = false;
    for (group, name) in groups.iter().map(|group| (group, name(group))).chain([(all, "all rows".to_owned())]) {
        match &group.report {
            Ok(report) => {
                for (k, model) in models(report).into_iter().enumerate() {
                    let share = report["data"]["pi0"].as_f64().map_or_else(String::new, percent);
                    // The models of a group have its rows in common.
                    let mut row = match k {
                        0 => vec![name.clone(), group.rows.to_string(), share],
                        _ => vec![String::new(); 3],
                    };
                    is_by_formulas |= !model["formulas"].is_null();
                    if several {
                        row.push(model["score"].as_str().unwrap_or_default().to_owned());
                    }
                    row.extend(SHOWN.map(|(_, place)| cell(&model, place)));
                    table.add_row(row);
                }
            }
            Err(why) => {
                table.add_row([name.clone(), group.rows.to_string(), "-".to_owned()]);
                reasons.push(format!("{column} {name}: {why}\n"));
            }
        }
    }
    if is_by_formulas {
        reasons.push(format!("{OF_THE_REST}\n"));
    }
    format!("{table}\n{}", reasons.concat())
}

/// A share in percent.
fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

/// The name of a group in tables.
fn name(group: &Group) -> String {
    group.value.clone().unwrap_or_else(|| "(missing)".to_owned())
}

/// The intervals of a model, by samples or by formulas; null if it has none.
fn intervals(model: &Json) -> &Json {
    ["bootstrap", "formulas"].into_iter().map(|key| &model[key]).find(|found| !found.is_null()).unwrap_or(&Json::Null)
}

/// A value of a model with its sampling interval, if there is one.
fn cell(model: &Json, place: [&str; 3]) -> String {
    let field = |root: &Json, key: &str| {
        let found = place.iter().filter(|key| !key.is_empty()).fold(root, |at, key| &at[*key]);
        found[key].as_f64()
    };
    let Some(value) = field(model, "value") else { return "-".to_owned() };
    let spread = intervals(model);
    match (field(spread, "lo"), field(spread, "hi")) {
        (Some(lo), Some(hi)) => number::with_interval(value, (lo, hi)),
        _ => number::short(value),
    }
}
