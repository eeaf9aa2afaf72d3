//! What the command line and the Python package share: requests in texts, and answers or failures.

mod curves;
mod evaluation;
mod failure;
mod model;
mod option;
mod reproduction;
mod scored;
mod statement;

pub use curves::{curves_named, kinds_named, write_curves_json};
pub use evaluation::{Level, evaluated, exactly};
pub use failure::Failure;
pub use model::named;
pub use option::{number, rate, seconds};
pub use reproduction::{Reproduction, not_written};
pub use scored::{Extras, ScorePlan, ScoredLevel, as_they_are};
pub use statement::{classes, discovered, examined, stated, verified};
