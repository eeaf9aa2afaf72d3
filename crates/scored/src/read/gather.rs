//! What is kept of the rows of a file: numbers only, and of many ties only how many they are.

use super::dataset::{Content, Dataset, Origin};
use super::error::{Cause, Role};
use super::label::{Label, Labels};
use super::request::{Columns, Mass, Request};

/// So many rows are kept before ties are looked for.
const MANY: usize = 1 << 20;
/// So many of them are looked at.
const SAMPLE: usize = 1 << 14;
/// Ties are counted when there are at least so many rows for each score.
const WORTHWHILE: usize = 4;

/// A cell of a label column.
pub(super) enum Cell<'a> {
    Truth(bool),
    Whole(i128),
    Number(f64),
    Text(&'a [u8]),
}

/// Cells as they come: for every row, or for a batch of rows, every column that is asked for.
pub(super) struct Gather {
    scores: Vec<Vec<f64>>,
    labels: Labels,
    kept: Kept,
    rows: usize,
    /// At so many kept rows ties are looked for. Rows only are counted: sums of weights would be rounded.
    limit: usize,
}

enum Kept {
    /// Which of the two labels each row has.
    Rows(Vec<bool>),
    Weighted(Vec<bool>, Vec<f64>),
    /// How many rows of each label there are.
    Counts([Vec<f64>; 2]),
}

impl Gather {
    pub fn new(columns: &Columns, names: &[String]) -> Gather {
        let limit = if matches!(columns.mass, Mass::Labels { weight: None, .. }) { MANY } else { usize::MAX };
        let (labels, kept) = match &columns.mass {
            Mass::Labels { weight: None, .. } => (Labels::default(), Kept::Rows(Vec::new())),
            Mass::Labels { weight: Some(_), .. } => (Labels::default(), Kept::Weighted(Vec::new(), Vec::new())),
            Mass::Counts(counts) => {
                (Labels::of_counts(counts.map(|index| names[index].as_str())), Kept::Counts([Vec::new(), Vec::new()]))
            }
        };
        Gather { scores: vec![Vec::new(); columns.scores.len()], labels, kept, rows: 0, limit }
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

    pub fn label(&mut self, cell: Cell) -> Result<(), Cause> {
        let index = match cell {
            Cell::Text(text) => self.labels.index_of_text(text)?,
            Cell::Truth(truth) => self.labels.index(Some(Label::Truth(truth)))?,
            Cell::Whole(whole) => self.labels.index(Some(Label::Whole(whole)))?,
            Cell::Number(number) => self.labels.index(Label::of_number(number))?,
        };
        match &mut self.kept {
            Kept::Rows(second) | Kept::Weighted(second, _) => second.push(index == 1),
            Kept::Counts(counts) => {
                counts[index].push(1.0);
                counts[1 - index].push(0.0);
            }
        }
        Ok(())
    }

    pub fn weight(&mut self, weight: f64) -> Result<(), Cause> {
        if let Kept::Weighted(_, weights) = &mut self.kept {
            weights.push(weighty(Role::Weight, weight)?);
        }
        Ok(())
    }

    /// A count of the `k`-th count column.
    pub fn count(&mut self, k: usize, count: f64) -> Result<(), Cause> {
        if let Kept::Counts(counts) = &mut self.kept {
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
                self.kept = Kept::Counts(merged(scores, &self.kept));
            }
            self.limit = MANY.max(2 * scores.len());
        }
    }

    /// Settles which label is which class.
    pub fn finish(self, file: &str, names: &[String], columns: &Columns, request: &Request) -> Result<Dataset, Cause> {
        if self.rows == 0 {
            return Err(Cause::NoRows);
        }
        let name = |index: usize| names[index].clone();
        let origin = match columns.mass {
            Mass::Labels { label, weight } => Origin::Labels { label: name(label), weight: weight.map(name) },
            Mass::Counts(counts) => Origin::Counts(counts.map(name)),
        };
        let settled = self.labels.settled(request, matches!(origin, Origin::Counts(_)))?;
        let classed = |mut second: Vec<bool>| {
            // Labels were numbered as they came.
            second.iter_mut().for_each(|is_1| *is_1 ^= settled.exchanged);
            second
        };
        let content = match self.kept {
            Kept::Rows(second) => Content::Rows { is_class_1: classed(second), weights: None },
            Kept::Weighted(second, weights) => Content::Rows { is_class_1: classed(second), weights: Some(weights) },
            Kept::Counts([a, b]) if settled.exchanged => Content::Groups([b, a]),
            Kept::Counts(counts) => Content::Groups(counts),
        };
        Dataset::checked(Dataset {
            file: file.to_owned(),
            rows: self.rows,
            score_columns: columns.scores.iter().map(|index| name(*index)).collect(),
            origin,
            classes: settled.classes,
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
fn merged(scores: &mut Vec<f64>, kept: &Kept) -> [Vec<f64>; 2] {
    let count = |row: usize| match kept {
        Kept::Rows(second) | Kept::Weighted(second, _) => {
            if second[row] {
                [0.0, 1.0]
            } else {
                [1.0, 0.0]
            }
        }
        Kept::Counts([a, b]) => [a[row], b[row]],
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
