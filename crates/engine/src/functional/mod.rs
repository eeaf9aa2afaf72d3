//! The definitions: `Q`, the threshold choice methods, their expected losses, the metrics; and their readings.
//!
//! Each is defined once, as text in the language, in [`definition`]; [`program`] turns that text into something that runs
//! along a curve.

pub mod along;
pub mod certified;
pub mod cost;
pub mod evaluate;
pub mod exact;
pub mod formula;
pub mod group;
pub mod literal;
mod numeric;
pub(crate) mod plan;
pub mod profile;
pub mod program;
pub mod question;
pub mod readable;
mod rough;
mod sampled;
pub mod settle;
pub mod settled;
pub mod thresholds;
mod typed;

pub use cost::Cost;
pub use definition::{Condition, Definition, Method};
pub use evaluate::{Evaluation, Value, evaluate, evaluate_at};
pub use rocproof_language::definition;
pub use thresholds::Thresholds;
