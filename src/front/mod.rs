//! Requests as texts, answered or refused: shared by the command line and the Python package. This module does not depend on either.

mod bins;
mod curves;
mod deployment;
mod evaluation;
mod failure;
mod memory;
mod model;
mod option;
mod reproduction;
mod scored;
mod statement;
mod unreadable;
mod wording;

pub use bins::{BinEvaluation, read_closed};
pub(crate) use curves::curve_kinds;
pub use curves::{find_curves, write_curves_json};
pub use evaluation::evaluate;
pub(crate) use evaluation::evaluate_scores_exactly;
pub use failure::Failure;
pub use model::read_model;
pub use option::{ceiling, read_delimiter, read_number, read_prevalence, read_rate};
pub use reproduction::{Reproduction, cannot_write_report};
pub use scored::{
    Extras, ScoreEvaluation, ScorePlan, ScoreSettings, ScoredLevel, are_groups_sampled, check_transforms,
};
pub use statement::{discover, examine, read_statement, verify};
pub use unreadable::explain_unreadable;
pub use wording::{Interface, Wording};
