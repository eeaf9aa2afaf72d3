//! The first table of scores that are known by bins: a range for each metric and expected loss.

use super::footnotes::Footnotes;
use super::grid::{Grid, Section};
use super::row::{corp_title, loss_label, loss_title, metric_title, metrics_in_order};
use super::{Layout, loss_heading, number};
use crate::data::{CorpPart, RangeOrMissing};
use crate::functional::{Condition, Definition};
use crate::report::bins::BinReport;

/// The significant digits of a range.
const DIGITS: usize = 4;

/// The table, and the footnotes below it.
pub(in crate::report) fn write_ranges(report: &BinReport, layout: Layout) -> String {
    let digits = layout.digits.unwrap_or(DIGITS);
    let mut writer = RangeWriter { report, digits, notes: Footnotes::default() };
    let [compared, by_ties, others] = metrics_in_order();
    let mut rows = writer.metrics(&compared);
    rows.extend(writer.corp());
    rows.extend(writer.metrics(&by_ties));
    if layout.all {
        rows.extend(writer.metrics(&others));
    }
    let mut sections = vec![Section { heading: None, rows }, writer.losses(Condition::Cost)];
    if layout.all {
        sections.push(writer.losses(Condition::Skew));
    }
    let header = ["", "from, to", ""].map(str::to_owned).to_vec();
    let lines: String = writer.notes.lines().iter().map(|line| format!("{line}\n")).collect();
    let grid = Grid { header, sections }.render(true);
    if lines.is_empty() { grid } else { format!("{grid}\n{lines}") }
}

/// Writes cells, and collects footnotes on the way.
struct RangeWriter<'a> {
    report: &'a BinReport<'a>,
    digits: usize,
    notes: Footnotes,
}

impl RangeWriter<'_> {
    /// The rows of metrics.
    fn metrics(&mut self, definitions: &[Definition]) -> Vec<Vec<String>> {
        let (evaluation, names) = (self.report.evaluation, &self.report.data.classes.names);
        let row = |definition: &Definition| {
            let range = evaluation.metric(definition.name)?;
            Some(self.row(evaluation.thresholds.label(definition), range, metric_title(definition, names)))
        };
        definitions.iter().filter_map(row).collect()
    }

    /// The rows of the parts of the Brier score.
    fn corp(&mut self) -> Vec<Vec<String>> {
        let corp = &self.report.evaluation.corp;
        let row = |part: CorpPart| {
            let range = match part {
                CorpPart::Miscalibration => &corp.miscalibration,
                CorpPart::Discrimination => &corp.discrimination,
                CorpPart::Uncertainty => &corp.uncertainty,
            };
            self.row(part.name().to_owned(), range, corp_title(part).to_owned())
        };
        CorpPart::ALL.map(row).into()
    }

    /// The losses over one kind of operating condition.
    fn losses(&mut self, condition: Condition) -> Section {
        let BinReport { evaluation, cost, .. } = *self.report;
        let losses = evaluation.losses(condition);
        let rows = losses
            .map(|(method, range)| {
                let has_metric = |name: &str| evaluation.metric(name).is_some_and(Result::is_ok);
                let title = loss_title(cost, condition, method, has_metric);
                self.row(loss_label(condition, method), range, title)
            })
            .collect();
        Section { heading: Some(loss_heading(cost, condition)), rows }
    }

    /// The cells of a row: its label, its range, its title.
    fn row(&mut self, label: String, range: &RangeOrMissing, title: String) -> Vec<String> {
        let cell = match range {
            Ok(range) => {
                let mark = range.why_not_sharp.map_or(String::new(), |why| self.notes.cite(why));
                number::range((range.lo, range.hi), self.digits) + &mark
            }
            Err(why) => format!("-{}", self.notes.cite(&why.to_string())),
        };
        vec![label, cell, title]
    }
}
