//! What is kept of the rows of a file: numbers only, and of many ties only how many they are.

use super::dataset::{ClassColumns, Content, Dataset};
use super::error::{Cause, Role};
use super::label::{ClassLabel, Labels};
use super::request::{ClassIndices, ColumnIndices, Request};

/// So many rows are kept before ties are looked for.
const MANY: usize = 1 << 20;
/// So many of them are looked at.
const SAMPLE: usize = 1 << 14;
/// Ties are counted when there are at least so many rows for each score.
const WORTHWHILE: usize = 4;

/// A cell of a label column.
#[cfg_attr(not(feature = "parquet"), expect(dead_code, reason = "CSV has text only"))]
pub(super) enum CellValue<'a> {
    Truth(bool),
    Whole(i128),
    Number(f64),
    Text(&'a [u8]),
}

/// Cells as they come: for every row, or for a batch of rows, every column that is asked for.
pub(super) struct RowCollector {
    scores: Vec<Vec<f64>>,
    labels: Labels,
    kept: Classification,
    rows: usize,
    /// At so many kept rows ties are looked for. Rows only are counted: sums of weights would be rounded.
    limit: usize,
}

enum Classification {
    /// Which of the two labels each row has.
    Rows(Vec<bool>),
    Weighted(Vec<bool>, Vec<f64>),
    /// How many rows of each label there are.
    Counts([Vec<f64>; 2]),
}

impl RowCollector {
    pub fn new(columns: &ColumnIndices, names: &[String]) -> RowCollector {
        let limit =
            if matches!(columns.classes, ClassIndices::Labels { weight: None, .. }) { MANY } else { usize::MAX };
        let (labels, kept) = match &columns.classes {
            ClassIndices::Labels { weight: None, .. } => (Labels::default(), Classification::Rows(Vec::new())),
            ClassIndices::Labels { weight: Some(_), .. } => {
                (Labels::default(), Classification::Weighted(Vec::new(), Vec::new()))
            }
            ClassIndices::Counts(counts) => (
                Labels::of_counts(counts.map(|index| names[index].as_str())),
                Classification::Counts([Vec::new(), Vec::new()]),
            ),
        };
        RowCollector { scores: vec![Vec::new(); columns.scores.len()], labels, kept, rows: 0, limit }
    }

    /// A score of the `k`-th score column.
    pub fn score(&mut self, k: usize, score: f64) -> Result<(), Cause> {
        if !score.is_finite() {
            return Err(Cause::NotFinite(Role::Score, score));
        }
        // No zero is below another.
        self.scores[k].push(score + 0.0);
        Ok(())
    }

    pub fn label(&mut self, cell: CellValue) -> Result<(), Cause> {
        let index = match cell {
            CellValue::Text(text) => self.labels.index_of_text(text)?,
            CellValue::Truth(truth) => self.labels.index(Some(ClassLabel::Truth(truth)))?,
            CellValue::Whole(whole) => self.labels.index(Some(ClassLabel::Whole(whole)))?,
            CellValue::Number(number) => self.labels.index(ClassLabel::of_number(number))?,
        };
        match &mut self.kept {
            Classification::Rows(second) | Classification::Weighted(second, _) => second.push(index == 1),
            Classification::Counts(counts) => {
                counts[index].push(1.0);
                counts[1 - index].push(0.0);
            }
        }
        Ok(())
    }

    pub fn weight(&mut self, weight: f64) -> Result<(), Cause> {
        if let Classification::Weighted(_, weights) = &mut self.kept {
            weights.push(weighty(Role::Weight, weight)?);
        }
        Ok(())
    }

    /// A count of the `k`-th count column.
    pub fn count(&mut self, k: usize, count: f64) -> Result<(), Cause> {
        if let Classification::Counts(counts) = &mut self.kept {
            counts[k].push(weighty(Role::Count, count)?);
        }
        Ok(())
    }

    /// So many rows are complete.
    pub fn rows_done(&mut self, rows: usize) {
        self.rows += rows;
        if let [scores] = &mut self.scores[..]
            && scores.len() >= self.limit
        {
            if has_many_ties(scores) {
                self.kept = Classification::Counts(count_ties(scores, &self.kept));
            }
            self.limit = MANY.max(2 * scores.len());
        }
    }

    /// Settles which label is which class.
    pub fn finish(
        self,
        file: &str,
        names: &[String],
        columns: &ColumnIndices,
        request: &Request,
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
        let classed = |mut second: Vec<bool>| {
            // Labels were numbered as they came.
            second.iter_mut().for_each(|is_1| *is_1 ^= roles.exchanged);
            second
        };
        let content = match self.kept {
            Classification::Rows(second) => Content::Rows { is_class_1: classed(second), weights: None },
            Classification::Weighted(second, weights) => {
                Content::Rows { is_class_1: classed(second), weights: Some(weights) }
            }
            Classification::Counts([a, b]) if roles.exchanged => Content::Groups([b, a]),
            Classification::Counts(counts) => Content::Groups(counts),
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

fn weighty(role: Role, weight: f64) -> Result<f64, Cause> {
    match weight {
        weight if !weight.is_finite() => Err(Cause::NotFinite(role, weight)),
        weight if weight < 0.0 => Err(Cause::Negative(role, weight)),
        weight => Ok(weight),
    }
}

/// Whether a sample of scores has several rows for each score.
fn has_many_ties(scores: &[f64]) -> bool {
    let mut sample: Vec<f64> = scores.iter().step_by((scores.len() / SAMPLE).max(1)).copied().collect();
    let looked_at = sample.len();
    sample.sort_unstable_by(f64::total_cmp);
    sample.dedup();
    WORTHWHILE * sample.len() <= looked_at
}

/// Counts the rows of each score: one score is left of each tie.
fn count_ties(scores: &mut Vec<f64>, kept: &Classification) -> [Vec<f64>; 2] {
    let count = |row: usize| match kept {
        Classification::Rows(second) | Classification::Weighted(second, _) => {
            if second[row] {
                [0.0, 1.0]
            } else {
                [1.0, 0.0]
            }
        }
        Classification::Counts([a, b]) => [a[row], b[row]],
    };
    let mut groups: Vec<(f64, [f64; 2])> = scores.iter().enumerate().map(|(row, score)| (*score, count(row))).collect();
    groups.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    groups.dedup_by(|next, kept| {
        let tied = next.0 == kept.0;
        if tied {
            kept.1 = [kept.1[0] + next.1[0], kept.1[1] + next.1[1]];
        }
        tied
    });
    scores.clear();
    scores.extend(groups.iter().map(|(score, _)| *score));
    scores.shrink_to_fit();
    [0, 1].map(|k| groups.iter().map(|(_, counts)| counts[k]).collect())
}
