//! Collects the rows of a file as numbers.

use super::dataset::{ClassColumns, Content, Dataset};
use super::error::{Cause, Role};
use super::label::{ClassLabel, Labels};
use super::memory::{append, check_room};
use super::request::{ColumnIndices, ColumnNames, ColumnRequest};
use super::slices::{SliceCollector, Slices};
use crate::{BadScore, NotSorted, SortedRows};
use rocproof_engine::functional::Evaluation;

/// Ties are looked for once this many rows were collected.
const ROWS_BEFORE_GROUPING: usize = 1 << 20;
/// The number of rows in the sample that is searched for ties.
const SAMPLE: usize = 1 << 14;
/// Rows are grouped if the sample has at least this many rows for each score.
const ROWS_PER_SCORE: usize = 4;

/// Bytes for each row, at least, that an evaluation takes besides the data.
const EVALUATION_BYTES: usize = 28;

/// A value of a column.
#[cfg_attr(not(feature = "parquet"), expect(dead_code, reason = "CSV has text only"))]
pub(super) enum CellValue<'a> {
    Truth(bool),
    Whole(i128),
    Number(f64),
    Text(&'a [u8]),
}

/// Collects values column by column, for one row or for a batch of rows at a time.
///
/// Rows of a single score column without weights are grouped by score if they have many ties, to save memory. Weighted rows are not:
/// sums of weights would be rounded.
pub(super) struct RowCollector {
    /// The columns, which are the same in all files.
    columns: ColumnNames,
    scores: Vec<Vec<f64>>,
    labels: Labels,
    classes: RowClasses,
    slices: Option<SliceCollector>,
    /// The evaluation that takes sorted rows, which are not kept then.
    sorted: Option<SortedRows>,
    rows: usize,
    /// The number of collected rows at which ties are looked for next.
    limit: usize,
}

/// The class of each collected row or group, by the index of its label.
enum RowClasses {
    /// Whether each row has the second label.
    Rows(Vec<bool>),
    /// Whether each row has the second label, and its weight.
    Weighted(Vec<bool>, Vec<f64>),
    /// The number of rows with each label, for each group.
    Counts([Vec<f64>; 2]),
}

/// The destination of the rows of all files.
#[derive(Default)]
pub(super) struct Destination {
    /// The collector of the rows, from the first file on.
    pub collector: Option<RowCollector>,
    /// Before the first file, the evaluation that takes sorted rows as they are read.
    pub sorted: Option<SortedRows>,
}

impl RowCollector {
    /// A collector without rows for these columns.
    fn new(columns: ColumnNames, sorted: Option<SortedRows>) -> RowCollector {
        let (labels, classes, limit) = match &columns.classes {
            ClassColumns::Labels { weight: None, .. } => {
                (Labels::default(), RowClasses::Rows(Vec::new()), ROWS_BEFORE_GROUPING)
            }
            ClassColumns::Labels { weight: Some(_), .. } => {
                (Labels::default(), RowClasses::Weighted(Vec::new(), Vec::new()), usize::MAX)
            }
            ClassColumns::Counts(counts) => {
                let labels = Labels::of_counts(counts.each_ref().map(String::as_str));
                (labels, RowClasses::Counts([Vec::new(), Vec::new()]), usize::MAX)
            }
        };
        let slices = columns.slice.as_ref().map(|_| SliceCollector::default());
        RowCollector {
            scores: vec![Vec::new(); columns.scores.len()],
            labels,
            classes,
            rows: 0,
            limit: if slices.is_some() { usize::MAX } else { limit },
            slices,
            columns,
            sorted,
        }
    }

    /// The collector for the next file: the one of the files before it, or a new one. Refuses columns other than theirs.
    pub fn for_file<'a>(
        destination: &'a mut Destination,
        columns: &ColumnIndices,
        names: &[String],
    ) -> Result<&'a mut RowCollector, Cause> {
        let found = columns.named(names);
        if destination.sorted.is_some() && found.scores.len() > 1 {
            return Err(Cause::SortedColumns);
        }
        match &mut destination.collector {
            Some(collector) if collector.columns != found => {
                Err(Cause::OtherColumns { found: found.to_string(), expected: collector.columns.to_string() })
            }
            Some(collector) => Ok(collector),
            collector @ None => Ok(collector.insert(RowCollector::new(found, destination.sorted.take()))),
        }
    }

    /// Adds a score of the `k`-th score column, or an end of a bin.
    pub fn push_score(&mut self, k: usize, role: Role, score: f64) -> Result<(), Cause> {
        if !score.is_finite() {
            return Err(Cause::NotFinite(role, score));
        }
        // Adding 0.0 turns -0.0 into 0.0: the two are equal scores.
        append(&mut self.scores[k], score + 0.0)
    }

    /// Adds a label.
    pub fn push_label(&mut self, cell: CellValue) -> Result<(), Cause> {
        let index = match cell {
            CellValue::Text(text) => self.labels.index_of_text(text)?,
            CellValue::Truth(truth) => self.labels.index(Some(ClassLabel::Truth(truth)))?,
            CellValue::Whole(whole) => self.labels.index(Some(ClassLabel::Whole(whole)))?,
            CellValue::Number(number) => self.labels.index(ClassLabel::of_number(number))?,
        };
        match &mut self.classes {
            RowClasses::Rows(second) | RowClasses::Weighted(second, _) => append(second, index == 1),
            RowClasses::Counts(counts) => {
                append(&mut counts[index], 1.0)?;
                append(&mut counts[1 - index], 0.0)
            }
        }
    }

    /// Adds the value by which rows are told apart; `None` if there is none.
    pub fn push_slice(&mut self, cell: Option<CellValue>) -> Result<(), Cause> {
        let Some(slices) = &mut self.slices else { return Ok(()) };
        match cell {
            None => slices.push_missing(),
            Some(CellValue::Text(text)) => slices.push(text),
            Some(CellValue::Truth(truth)) => slices.push(truth.to_string().as_bytes()),
            Some(CellValue::Whole(whole)) => slices.push(whole.to_string().as_bytes()),
            Some(CellValue::Number(number)) => slices.push(number.to_string().as_bytes()),
        }
    }

    /// Adds a weight.
    pub fn push_weight(&mut self, weight: f64) -> Result<(), Cause> {
        if let RowClasses::Weighted(_, weights) = &mut self.classes {
            append(weights, check_weight(Role::Weight, weight)?)?;
        }
        Ok(())
    }

    /// Adds a count of the `k`-th count column.
    pub fn push_count(&mut self, k: usize, count: f64) -> Result<(), Cause> {
        if let RowClasses::Counts(counts) = &mut self.classes {
            append(&mut counts[k], check_weight(Role::Count, count)?)?;
        }
        Ok(())
    }

    /// Ends this many rows: all their columns were added. Groups the rows if there are many ties. Sorted rows are evaluated and not kept; an
    /// error comes with the index of the row among these.
    pub fn end_rows(&mut self, rows: usize) -> Result<(), (usize, Cause)> {
        self.rows += rows;
        if let Some(sorted) = &mut self.sorted {
            let scores = &mut self.scores[0];
            for (row, score) in scores.iter().enumerate() {
                let NotSorted { before, score } = match sorted.push(*score, self.classes.weights(row)) {
                    Ok(()) => continue,
                    Err(not_sorted) => not_sorted,
                };
                return Err((row, Cause::NotSorted { before, score }));
            }
            scores.clear();
            self.classes.clear();
            return Ok(());
        }
        if let [scores] = &mut self.scores[..]
            && scores.len() >= self.limit
        {
            if has_many_ties(scores) {
                self.classes = RowClasses::Counts(group_by_score(scores, &self.classes));
            }
            self.limit = ROWS_BEFORE_GROUPING.max(2 * scores.len());
        }
        Ok(())
    }

    /// Assigns the classes to the labels of sorted rows, and evaluates them. The data hold the totals only; the number is the mean number of
    /// rows for each different score.
    pub fn finish_sorted(
        mut self,
        file: &str,
        request: &ColumnRequest,
    ) -> Result<(Dataset, f64, SortedEvaluation), Cause> {
        let Some(sorted) = self.sorted.take().filter(|_| self.rows > 0) else { return Err(Cause::NoRows) };
        let ([a, b], rows_per_score) = (sorted.totals(), sorted.rows_per_score());
        self.scores = vec![vec![0.0]];
        self.classes = RowClasses::Counts([vec![a], vec![b]]);
        let exchanged = {
            let are_counts = matches!(self.columns.classes, ClassColumns::Counts(_));
            self.labels.assign_classes(request, are_counts)?.exchanged
        };
        let (data, _) = self.finish(file, request)?;
        let labels = if exchanged { [1, 0] } else { [0, 1] };
        let evaluation = sorted.finish(labels, data.direction());
        Ok((data, rows_per_score, evaluation))
    }

    /// Assigns the classes to the labels, and returns the data.
    pub fn finish(self, file: &str, request: &ColumnRequest) -> Result<(Dataset, Option<Slices>), Cause> {
        if self.rows == 0 {
            return Err(Cause::NoRows);
        }
        let ColumnNames { scores: score_columns, classes: origin, slice } = self.columns;
        check_room(self.scores.first().map_or(0, Vec::len), EVALUATION_BYTES)?;
        let roles = self.labels.assign_classes(request, matches!(origin, ClassColumns::Counts(_)))?;
        // Labels are numbered in the order of their appearance.
        let is_class_1 = |mut second: Vec<bool>| {
            second.iter_mut().for_each(|is_1| *is_1 ^= roles.exchanged);
            second
        };
        let content = match self.classes {
            RowClasses::Rows(second) => Content::Rows { is_class_1: is_class_1(second), weights: None },
            RowClasses::Weighted(second, weights) => {
                Content::Rows { is_class_1: is_class_1(second), weights: Some(weights) }
            }
            RowClasses::Counts([a, b]) if roles.exchanged => Content::Groups([b, a]),
            RowClasses::Counts(counts) => Content::Groups(counts),
        };
        let data = Dataset::checked(Dataset {
            file: file.to_owned(),
            rows: self.rows,
            score_columns,
            origin,
            classes: roles.classes,
            scores: self.scores,
            content,
        })?;
        let slices = self.slices.zip(slice).map(|(slices, column)| slices.finish(&column)).transpose()?;
        Ok((data, slices))
    }
}

/// The evaluation of sorted rows, or why they are not scored data.
pub(super) type SortedEvaluation = Result<Evaluation, BadScore>;

impl RowClasses {
    /// The weight of each label in a row or group.
    fn weights(&self, row: usize) -> [f64; 2] {
        match self {
            RowClasses::Rows(second) if second[row] => [0.0, 1.0],
            RowClasses::Rows(_) => [1.0, 0.0],
            RowClasses::Weighted(second, weights) if second[row] => [0.0, weights[row]],
            RowClasses::Weighted(_, weights) => [weights[row], 0.0],
            RowClasses::Counts([a, b]) => [a[row], b[row]],
        }
    }

    /// Drops all rows.
    fn clear(&mut self) {
        match self {
            RowClasses::Rows(second) => second.clear(),
            RowClasses::Weighted(second, weights) => {
                second.clear();
                weights.clear();
            }
            RowClasses::Counts(counts) => counts.iter_mut().for_each(Vec::clear),
        }
    }
}

/// Refuses a weight or count that is not finite, or negative.
fn check_weight(role: Role, weight: f64) -> Result<f64, Cause> {
    match weight {
        weight if !weight.is_finite() => Err(Cause::NotFinite(role, weight)),
        weight if weight < 0.0 => Err(Cause::Negative(role, weight)),
        weight => Ok(weight),
    }
}

/// Whether a sample of the scores has several rows for each score.
fn has_many_ties(scores: &[f64]) -> bool {
    let mut sample: Vec<f64> = scores.iter().step_by((scores.len() / SAMPLE).max(1)).copied().collect();
    let rows = sample.len();
    sample.sort_unstable_by(f64::total_cmp);
    sample.dedup();
    ROWS_PER_SCORE * sample.len() <= rows
}

/// Groups rows by score: leaves each score once, and returns the number of rows with each label.
fn group_by_score(scores: &mut Vec<f64>, classes: &RowClasses) -> [Vec<f64>; 2] {
    let mut groups: Vec<(f64, [f64; 2])> =
        scores.iter().enumerate().map(|(row, score)| (*score, classes.weights(row))).collect();
    groups.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    groups.dedup_by(|next, group| {
        let tied = next.0 == group.0;
        if tied {
            group.1 = [group.1[0] + next.1[0], group.1[1] + next.1[1]];
        }
        tied
    });
    scores.clear();
    scores.extend(groups.iter().map(|(score, _)| *score));
    scores.shrink_to_fit();
    [0, 1].map(|k| groups.iter().map(|(_, counts)| counts[k]).collect())
}
