//! The first table of `score`: the metrics that people compare by and the expected losses, with sampling intervals, the best model of each
//! row, and an answer in words.

mod bins;
mod closing;
pub(super) mod footnotes;
mod grid;
mod lead;
pub(super) mod number;
pub(super) mod row;

use super::scored::ScoreReport;
use super::table::limited_cells;
use super::wrap::WIDTH;
use crate::data::Caveat;
use crate::functional::{Condition, Cost, Value};
pub(super) use bins::write_ranges;
use footnotes::Footnotes;
use grid::{Grid, Section};
use lead::{Lead, Mark, lead};
use row::Row;
pub use row::{Better, better, first_metrics};

/// How much a report shows.
#[derive(Clone, Copy, Debug, Default)]
pub struct Layout {
    /// Whether to show all metrics, losses over skews, the shape of the ROC curves, and all differences.
    pub all: bool,
    /// The number of significant digits. Values then have their rounding error beside them.
    pub digits: Option<usize>,
}

/// The tables and the legend below them.
pub(super) fn write(report: &ScoreReport, layout: Layout) -> String {
    let mut blocks = vec![
        (None, row::metrics(report, layout.all)),
        (Some(loss_heading(report.cost, Condition::Cost)), row::losses(report, Condition::Cost)),
    ];
    if layout.all {
        blocks.push((Some(loss_heading(report.cost, Condition::Skew)), row::losses(report, Condition::Skew)));
    }
    let mut writer = Writer { report, layout, notes: Footnotes::default(), marks: Vec::new(), has_intervals: false };
    let tables = writer.tables(&blocks);
    let mut lines = vec![String::new()];
    lines.extend(writer.legend());
    lines.extend(writer.notes.lines());
    tables + &lines.join("\n") + "\n"
}

/// The answer in words.
pub(super) fn closing(report: &ScoreReport) -> Vec<String> {
    closing::sentences(report)
}

/// The line above expected losses.
fn loss_heading(cost: &Cost, condition: Condition) -> String {
    let conditions = if condition == Condition::Cost { "cost proportions" } else { "skews" };
    format!("expected loss by threshold choice method, {conditions} {cost}")
}

/// Rows below an optional heading.
type Block = (Option<String>, Vec<Row>);

/// Writes cells, and collects footnotes and marks on the way.
struct Writer<'a> {
    report: &'a ScoreReport<'a>,
    layout: Layout,
    notes: Footnotes,
    /// The marks that the table has.
    marks: Vec<Mark>,
    has_intervals: bool,
}

impl Writer<'_> {
    /// The tables: models as columns if they fit, otherwise as rows.
    fn tables(&mut self, blocks: &[Block]) -> String {
        let upright = self.upright(blocks);
        [true, false]
            .into_iter()
            .map(|has_titles| upright.render(has_titles))
            .find(|text| grid::width(text) <= WIDTH || self.report.evaluations.len() == 1)
            .unwrap_or_else(|| self.turned(blocks))
    }

    /// A table with models as columns.
    fn upright(&mut self, blocks: &[Block]) -> Grid {
        let names = &self.report.data.score_columns;
        let header =
            [String::new()].into_iter().chain(names.iter().map(|name| format!("  {name}"))).chain([String::new()]);
        let header = header.collect();
        let sections = blocks.iter().map(|(heading, rows)| Section { heading: heading.clone(), rows: self.rows(rows) });
        Grid { header, sections: sections.collect() }
    }

    /// The cells of rows with models as columns. Rows that mean nothing for any model are joined into one.
    fn rows(&mut self, rows: &[Row]) -> Vec<Vec<String>> {
        let (meaningless, meaningful): (Vec<&Row>, Vec<&Row>) =
            rows.iter().partition(|row| !row.lacks_ties.is_empty() && row.lacks_ties.iter().all(|lacks| *lacks));
        let mut lines: Vec<Vec<String>> = meaningful.into_iter().map(|row| self.row(row, row.label.clone())).collect();
        if let Some(first) = meaningless.first() {
            let labels: Vec<&str> = meaningless.iter().map(|row| row.label.as_str()).collect();
            lines.push(self.row(first, labels.join(", ")));
            if let Some(title) = lines.last_mut().and_then(|line| line.last_mut()) {
                *title = "calibration by ties".into();
            }
        }
        lines
    }

    /// The cells of a row: its label, a cell for each model, its title.
    fn row(&mut self, row: &Row, label: String) -> Vec<String> {
        let lead = self.lead(row);
        let cells = (0..row.values.len()).map(|m| self.marked_cell(row, m, lead, true)).collect::<Vec<_>>();
        [label].into_iter().chain(cells).chain([row.title.clone()]).collect()
    }

    /// The best model of a row. Its mark enters the legend.
    fn lead(&mut self, row: &Row) -> Option<Lead> {
        let lead = lead(row, self.report.uncertainty);
        if let Some(Lead { mark, .. }) = lead
            && !self.marks.contains(&mark)
        {
            self.marks.push(mark);
        }
        lead
    }

    /// Tables with models as rows: the values that matter most with intervals, the others without. With all digits or all metrics, all
    /// have intervals, in as many tables as are needed.
    fn turned(&mut self, blocks: &[Block]) -> String {
        const WITH_INTERVALS: [&str; 4] = ["AUC", "BS", "MCB", "L[o]"];
        const MOST_PLAIN: usize = 9;
        // The cells of the table that was too wide are gone, and with them their footnotes and marks.
        (self.notes, self.marks) = (Footnotes::default(), Vec::new());
        let is_meaningful = |row: &&Row| row.lacks_ties.iter().any(|lacks| !lacks);
        let rows: Vec<&Row> = blocks.iter().flat_map(|(_, rows)| rows).filter(is_meaningful).collect();
        let is_short = !self.layout.all && self.layout.digits.is_none();
        let (first, others): (Vec<&Row>, Vec<&Row>) =
            rows.into_iter().partition(|row| !is_short || WITH_INTERVALS.contains(&row.label.as_str()));
        let mut tables: Vec<String> =
            first.chunks(WITH_INTERVALS.len()).map(|rows| self.turned_grid(rows, true).render(true)).collect();
        tables.extend(others.chunks(MOST_PLAIN).map(|rows| self.turned_grid(rows, false).render(true)));
        tables.join("\n")
    }

    /// A table with models as rows.
    fn turned_grid(&mut self, rows: &[&Row], with_intervals: bool) -> Grid {
        let header = [String::new()].into_iter().chain(rows.iter().map(|row| format!("  {}", row.label))).collect();
        let leads: Vec<Option<Lead>> = rows.iter().map(|row| self.lead(row)).collect();
        let names = &self.report.data.score_columns;
        let line = |(m, name): (usize, &String)| {
            let cells = rows.iter().zip(&leads).map(|(row, lead)| self.marked_cell(row, m, *lead, with_intervals));
            [name.clone()].into_iter().chain(cells.collect::<Vec<_>>()).collect()
        };
        let rows = names.iter().enumerate().map(line).collect();
        Grid { header, sections: vec![Section { heading: None, rows }] }
    }

    /// A value with its mark.
    fn marked_cell(&mut self, row: &Row, m: usize, lead: Option<Lead>, with_intervals: bool) -> String {
        let sign = lead.filter(|lead| lead.model == m).map_or(' ', |lead| lead.mark.sign());
        format!("{sign} {}", self.cell(row, m, with_intervals))
    }

    /// A value with its interval, and its footnotes.
    fn cell(&mut self, row: &Row, m: usize, with_intervals: bool) -> String {
        if row.lacks_ties[m] {
            let note = "few scores are equal (fewer than 20 rows for each different score): see MCB";
            return format!("not meaningful{}", self.notes.cite(note));
        }
        let value = &row.values[m];
        let Some(estimate) = value.estimate() else {
            let why = if let Value::Missing(why) = value { why.to_string() } else { "not computed".into() };
            return format!("-{}", self.notes.cite(&why));
        };
        let shown = self.layout.digits.map(|digits| {
            let [shown, evidence] = limited_cells(value, digits);
            format!("{shown} {evidence}").trim_end().to_owned()
        });
        let spread = self.report.uncertainty.and_then(|uncertainty| uncertainty.spread_of(m, &row.quantity));
        let settled = number::settled(estimate);
        let Some(spread) = spread.filter(|_| with_intervals) else {
            return shown.unwrap_or_else(|| number::short(settled));
        };
        self.has_intervals = true;
        let (low, high) = spread.interval;
        // The ends are rounded as the value is.
        let rounding = estimate.error + 8.0 * f64::EPSILON * settled.abs();
        let is_outside = settled < low - rounding || high + rounding < settled;
        let mut cites = Vec::new();
        if is_outside && spread.bias.is_some() {
            let note = "the value is biased by its fit to these rows; the interval is corrected for that";
            cites.push(self.notes.cite(note));
        }
        // That the interval reaches zero is plain to see.
        let caveat = spread.caveat.filter(|caveat| !(is_outside && *caveat == Caveat::NearZero));
        cites.extend(caveat.map(|caveat| self.notes.cite(&caveat.to_string())));
        if cites.is_empty() && high - low <= 2.0 * rounding {
            cites.push(self.notes.cite("no sample of these rows differs: they do not show how much new rows vary"));
        }
        let text = match shown {
            Some(shown) => format!("{shown} {}", number::interval(settled, spread.interval)),
            None => number::with_interval(settled, spread.interval),
        };
        text + &cites.join(" ")
    }

    /// The meaning of intervals, marks and rounding errors.
    fn legend(&self) -> Vec<String> {
        let mut lines = Vec::new();
        if let Some(uncertainty) = self.report.uncertainty.filter(|_| self.has_intervals) {
            lines.push(format!("[from, to] {}", uncertainty.legend()));
        }
        lines.extend(self.report.interval_note.map(str::to_owned));
        let marks: Vec<&str> = self.marks.iter().map(|mark| mark.legend()).collect();
        if !marks.is_empty() {
            lines.push(marks.join("; "));
        }
        if self.layout.digits.is_some() {
            lines.push(match self.report.evaluations.iter().all(|evaluation| evaluation.exact_shape.is_ok()) {
                true => "values after = are the number itself, all digits shown are right".into(),
                false => "± bounds the rounding error of a value by estimate; it says nothing about sampling".into(),
            });
        }
        lines
    }
}
