//! What the command line and the Python package share: requests in texts, and answers or failures.

mod evaluation;
mod failure;
mod model;
mod option;
mod reproduction;
mod statement;

pub use evaluation::{Level, evaluated, exactly};
pub use failure::Failure;
pub use model::named;
pub use option::{number, rate, seconds};
pub use reproduction::{Reproduction, not_written};
pub use statement::{classes, discovered, examined, stated, verified};
