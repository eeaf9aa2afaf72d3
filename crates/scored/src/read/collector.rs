//! Collects the rows of a file as numbers.

use super::dataset::{ClassColumns, Content, Dataset};
use super::error::{Cause, Role};
use super::label::{ClassLabel, Labels};
use super::request::{ClassIndices, ColumnIndices, ColumnRequest};

/// Ties are looked for once this many rows were collected.
const ROWS_BEFORE_GROUPING: usize = 1 << 20;
/// The number of rows in the sample that is searched for ties.
const SAMPLE: usize = 1 << 14;
/// Rows are grouped if the sample has at least this many rows for each score.
const ROWS_PER_SCORE: usize = 4;

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
    scores: Vec<Vec<f64>>,
    labels: Labels,
    classes: RowClasses,
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

impl RowCollector {
    /// A collector without rows for these columns.
    pub fn new(columns: &ColumnIndices, names: &[String]) -> RowCollector {
        let (labels, classes, limit) = match &columns.classes {
            ClassIndices::Labels { weight: None, .. } => {
                (Labels::default(), RowClasses::Rows(Vec::new()), ROWS_BEFORE_GROUPING)
            }
            ClassIndices::Labels { weight: Some(_), .. } => {
                (Labels::default(), RowClasses::Weighted(Vec::new(), Vec::new()), usize::MAX)
            }
            ClassIndices::Counts(counts) => {
                let labels = Labels::of_counts(counts.map(|index| names[index].as_str()));
                (labels, RowClasses::Counts([Vec::new(), Vec::new()]), usize::MAX)
            }
        };
        RowCollector { scores: vec![Vec::new(); columns.scores.len()], labels, classes, rows: 0, limit }
    }

    /// Adds a score of the `k`-th score column.
    pub fn push_score(&mut self, k: usize, score: f64) -> Result<(), Cause> {
        if !score.is_finite() {
            return Err(Cause::NotFinite(Role::Score, score));
        }
        // Adding 0.0 turns -0.0 into 0.0: the two are equal scores.
        self.scores[k].push(score + 0.0);
        Ok(())
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
            RowClasses::Rows(second) | RowClasses::Weighted(second, _) => second.push(index == 1),
            RowClasses::Counts(counts) => {
                counts[index].push(1.0);
                counts[1 - index].push(0.0);
            }
        }
        Ok(())
    }

    /// Adds a weight.
    pub fn push_weight(&mut self, weight: f64) -> Result<(), Cause> {
        if let RowClasses::Weighted(_, weights) = &mut self.classes {
            weights.push(check_weight(Role::Weight, weight)?);
        }
        Ok(())
    }

    /// Adds a count of the `k`-th count column.
    pub fn push_count(&mut self, k: usize, count: f64) -> Result<(), Cause> {
        if let RowClasses::Counts(counts) = &mut self.classes {
            counts[k].push(check_weight(Role::Count, count)?);
        }
        Ok(())
    }

    /// Ends this many rows: all their columns were added. Groups the rows if there are many ties.
    pub fn end_rows(&mut self, rows: usize) {
        self.rows += rows;
        if let [scores] = &mut self.scores[..]
            && scores.len() >= self.limit
        {
            if has_many_ties(scores) {
                self.classes = RowClasses::Counts(group_by_score(scores, &self.classes));
            }
            self.limit = ROWS_BEFORE_GROUPING.max(2 * scores.len());
        }
    }

    /// Assigns the classes to the labels, and returns the data.
    pub fn finish(
        self,
        file: &str,
        names: &[String],
        columns: &ColumnIndices,
        request: &ColumnRequest,
    ) -> Result<Dataset, Cause> {
        if self.rows == 0 {
            return Err(Cause::NoRows);
        }
        let name = |index: usize| names[index].clone();
        let origin = match columns.classes {
            ClassIndices::Labels { label, weight } => {
                ClassColumns::Labels { label: name(label), weight: weight.map(name) }
            }
            ClassIndices::Counts(counts) => ClassColumns::Counts(counts.map(name)),
        };
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
        Dataset::checked(Dataset {
            file: file.to_owned(),
            rows: self.rows,
            score_columns: columns.scores.iter().map(|index| name(*index)).collect(),
            origin,
            classes: roles.classes,
            scores: self.scores,
            content,
        })
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
    let count = |row: usize| match classes {
        RowClasses::Rows(second) | RowClasses::Weighted(second, _) => {
            if second[row] {
                [0.0, 1.0]
            } else {
                [1.0, 0.0]
            }
        }
        RowClasses::Counts([a, b]) => [a[row], b[row]],
    };
    let mut groups: Vec<(f64, [f64; 2])> = scores.iter().enumerate().map(|(row, score)| (*score, count(row))).collect();
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
