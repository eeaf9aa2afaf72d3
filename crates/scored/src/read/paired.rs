//! The score columns of a file as models of the same rows.

use super::dataset::{Content, Dataset};
use crate::{BadScore, Paired, Units};

/// Why rows of a file cannot be drawn again.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum NotPaired {
    /// Rows are no scored data.
    Bad(BadScore),
    /// A count is not a whole number.
    Count(f64),
    /// Groups with several score columns.
    SeveralOfGroups,
}

impl std::fmt::Display for NotPaired {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            NotPaired::Bad(bad) => bad.fmt(f),
            NotPaired::Count(count) => {
                write!(f, "a count is {count}: only whole numbers of rows can be drawn again")
            }
            NotPaired::SeveralOfGroups => {
                write!(f, "grouped data have one score column when rows are drawn again")
            }
        }
    }
}

impl std::error::Error for NotPaired {}

impl From<BadScore> for NotPaired {
    fn from(bad: BadScore) -> NotPaired {
        NotPaired::Bad(bad)
    }
}

impl Dataset {
    /// The score columns as models of the same rows, from which samples can be drawn.
    pub fn paired(&self) -> Result<Paired, NotPaired> {
        match &self.content {
            Content::Rows { .. } if self.scores.len() == 1 => Ok(Paired::single(self.scored(0)?, Units::Rows)),
            Content::Rows { is_class_1, weights } => {
                let scores: Vec<&[f64]> = self.scores.iter().map(Vec::as_slice).collect();
                let directions = vec![self.direction(); scores.len()];
                Ok(Paired::new(&scores, &directions, is_class_1, weights.as_deref())?)
            }
            Content::Groups(_) if self.scores.len() > 1 => Err(NotPaired::SeveralOfGroups),
            Content::Groups(counts) => match counts.iter().flatten().find(|count| count.fract() != 0.0) {
                Some(count) => Err(NotPaired::Count(*count)),
                None => Ok(Paired::single(self.scored(0)?, Units::Counts)),
            },
        }
    }
}
