//! The columns that a request names, and where they are in a file.

use super::dataset::ClassColumns;
use super::error::{Cause, Role};
use crate::partition::Closed;
use std::str::FromStr;

/// A request for columns of a file.
#[derive(Clone, Debug, Default)]
pub struct ColumnRequest {
    /// Names of score columns; an item may hold several names separated by commas. If empty, `score`.
    pub scores: Vec<String>,
    /// The columns of the ends of the bins that scores are in; then there are no scores.
    pub bins: Option<BinColumns>,
    /// The name of the label column; by default `label`.
    pub label: Option<String>,
    /// The name of a column of weights.
    pub weight: Option<String>,
    /// The names of two columns that count the rows of each class, separated by a comma; the second is positive by default.
    pub counts: Option<String>,
    /// The positive label, by default 1 or true; for grouped data, the name of its count column. It becomes class 0.
    pub positive: Option<String>,
    /// The label that higher scores indicate, by default the positive one; for grouped data, the name of its count column.
    pub higher_means: Option<String>,
    /// The name of a column: the rows of each of its values are evaluated by themselves, too.
    pub group_by: Option<String>,
    /// The delimiter of CSV cells; by default a comma, or a tab in `.tsv` files.
    pub delimiter: Option<u8>,
}

/// The names of the columns that hold the lower and the upper end of the bin of each row, and which end belongs to it.
///
/// ```
/// use rocproof_scored::{Closed, read::BinColumns};
/// let bins: BinColumns = "from,to:left".parse()?;
/// assert_eq!((bins.names, bins.closed), (["from".to_owned(), "to".to_owned()], Some(Closed::Left)));
/// assert!("from".parse::<BinColumns>().is_err());
/// # Ok::<(), rocproof_scored::read::Cause>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BinColumns {
    /// The column of lower ends, and that of upper ends.
    pub names: [String; 2],
    /// The end that belongs to a bin; `None` if both may.
    pub closed: Option<Closed>,
}

impl FromStr for BinColumns {
    type Err = Cause;

    fn from_str(text: &str) -> Result<BinColumns, Cause> {
        let (names, closed) = match text.rsplit_once(':') {
            Some((names, "left")) => (names, Some(Closed::Left)),
            Some((names, "right")) => (names, Some(Closed::Right)),
            _ => (text, None),
        };
        match &names.split(',').map(str::trim).collect::<Vec<_>>()[..] {
            [lo, hi] if !lo.is_empty() && !hi.is_empty() => {
                Ok(BinColumns { names: [(*lo).to_owned(), (*hi).to_owned()], closed })
            }
            _ => Err(Cause::TwoBinEnds(text.to_owned())),
        }
    }
}

/// The indices of the requested columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ColumnIndices {
    /// The score columns, or those of the ends of bins.
    pub scores: Vec<usize>,
    score_role: Role,
    pub classes: ClassIndices,
    pub slice: Option<usize>,
}

/// The names of the requested columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ColumnNames {
    pub scores: Vec<String>,
    pub classes: ClassColumns,
    pub slice: Option<String>,
}

impl std::fmt::Display for ColumnNames {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let classes = match &self.classes {
            ClassColumns::Labels { label, weight } => [Some(label), weight.as_ref()].into_iter().flatten().collect(),
            ClassColumns::Counts(counts) => counts.iter().collect::<Vec<_>>(),
        };
        let all = self.scores.iter().chain(classes).chain(&self.slice);
        f.write_str(&all.map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", "))
    }
}

/// The indices of the columns that give the class of a row, or the number of rows of each class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ClassIndices {
    Labels { label: usize, weight: Option<usize> },
    Counts([usize; 2]),
}

impl ColumnIndices {
    /// Finds the columns of a request among the columns of a file.
    pub fn find(names: &[String], request: &ColumnRequest) -> Result<ColumnIndices, Cause> {
        let (scores, score_role): (Vec<String>, Role) = match (&request.bins, &request.scores[..]) {
            (Some(bins), _) => (bins.names.to_vec(), Role::BinEnd),
            (None, []) => (vec!["score".to_owned()], Role::Score),
            (None, requested) => (requested.iter().flat_map(|text| split_names(names, text)).collect(), Role::Score),
        };
        let scores = scores.iter().map(|name| find_column(names, name, score_role)).collect::<Result<Vec<_>, _>>()?;
        let classes = match requested_counts(names, request)? {
            Some(_) if request.label.is_some() => return Err(Cause::LabelWithCounts),
            Some(_) if request.weight.is_some() => return Err(Cause::WeightWithCounts),
            Some(text) => match &split_names(names, text)[..] {
                [n0, n1] => {
                    ClassIndices::Counts([find_column(names, n0, Role::Count)?, find_column(names, n1, Role::Count)?])
                }
                _ => return Err(Cause::TwoCounts(text.to_owned())),
            },
            None => ClassIndices::Labels {
                label: find_column(names, request.label.as_deref().unwrap_or("label"), Role::Label)?,
                weight: (request.weight.as_deref()).map(|name| find_column(names, name, Role::Weight)).transpose()?,
            },
        };
        let slice = (request.group_by.as_deref()).map(|name| find_column(names, name, Role::Slice)).transpose()?;
        let columns = ColumnIndices { scores, score_role, classes, slice };
        let all = columns.all();
        match all.iter().enumerate().find(|(k, (index, _))| all[..*k].iter().any(|(other, _)| other == index)) {
            Some((_, (index, _))) => Err(Cause::Shared(names[*index].clone())),
            None => Ok(columns),
        }
    }

    /// The names of the columns.
    pub fn named(&self, names: &[String]) -> ColumnNames {
        let name = |index: usize| names[index].clone();
        let classes = match self.classes {
            ClassIndices::Labels { label, weight } => {
                ClassColumns::Labels { label: name(label), weight: weight.map(name) }
            }
            ClassIndices::Counts(counts) => ClassColumns::Counts(counts.map(name)),
        };
        ColumnNames {
            scores: self.scores.iter().map(|index| name(*index)).collect(),
            classes,
            slice: self.slice.map(name),
        }
    }

    /// All columns with their roles: scores first, then the label and the weight, or the counts, then the groups.
    pub fn all(&self) -> Vec<(usize, Role)> {
        let scores = self.scores.iter().map(|index| (*index, self.score_role));
        let classes = match &self.classes {
            ClassIndices::Labels { label, weight } => {
                let label = std::iter::once((*label, Role::Label));
                label.chain(weight.map(|index| (index, Role::Weight))).collect::<Vec<_>>()
            }
            ClassIndices::Counts(counts) => counts.map(|index| (index, Role::Count)).to_vec(),
        };
        scores.chain(classes).chain(self.slice.map(|index| (index, Role::Slice))).collect()
    }
}

/// The index of the only column with a name.
fn find_column(names: &[String], name: &str, role: Role) -> Result<usize, Cause> {
    let mut found = names.iter().enumerate().filter(|(_, n)| *n == name).map(|(index, _)| index);
    match (found.next(), found.next()) {
        (Some(index), None) => Ok(index),
        (Some(_), Some(_)) => Err(Cause::Twice(name.to_owned())),
        (None, _) => Err(Cause::NoColumn { name: name.to_owned(), role, names: names.to_vec() }),
    }
}

/// Splits a text at commas, unless a column is called like the whole text.
fn split_names(names: &[String], text: &str) -> Vec<String> {
    match names.iter().any(|name| name == text) {
        true => vec![text.to_owned()],
        false => text.split(',').map(|part| part.trim().to_owned()).collect(),
    }
}

/// The columns of counts of a request. By default they are `n0` and `n1`, if there are such columns and no label is named.
fn requested_counts<'a>(names: &[String], request: &'a ColumnRequest) -> Result<Option<&'a str>, Cause> {
    let has = |name: &str| names.iter().any(|n| n == name);
    match &request.counts {
        Some(text) => Ok(Some(text)),
        None if request.label.is_some() || !has("n0") || !has("n1") => Ok(None),
        None if has("label") => Err(Cause::LabelsAndCounts),
        None => Ok(Some("n0,n1")),
    }
}
