//! The score columns of a file as models of the same rows.

use super::dataset::{Content, Dataset};
use crate::{BadScore, Paired, Units};

/// Why samples cannot be drawn from the rows of a file.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum NotPaired {
    /// The rows are not scored data.
    #[error(transparent)]
    Bad(#[from] BadScore),
    /// A count is not a whole number.
    #[error("a count is {0}: only whole numbers of rows can be drawn again")]
    Count(f64),
    /// Grouped data with several score columns.
    #[error("grouped data have one score column when rows are drawn again")]
    SeveralOfGroups,
}

impl Dataset {
    /// The score columns as models that scored the same rows, from which samples can be drawn.
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
