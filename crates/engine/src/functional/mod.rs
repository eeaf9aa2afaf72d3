//! The definitions: `Q`, the threshold choice methods, their expected losses, the metrics; and their readings.
//!
//! Each is defined once, as text in the language, in [`definition`]; [`program`] turns that text into something that runs
//! along a curve.

pub mod along;
pub mod certified;
pub mod cost;
pub mod evaluate;
pub mod evaluation;
pub mod exact;
pub mod exact_value;
pub mod formula;
pub mod group;
mod ladder;
pub mod literal;
pub mod missing;
mod numeric;
pub(crate) mod plan;
pub mod profile;
pub mod program;
pub mod question;
pub mod readable;
pub mod request;
mod rough;
mod sampled;
pub mod thresholds;
mod typed;
pub mod value;

pub use cost::Cost;
pub use definition::{Condition, Definition, Method};
pub use evaluate::evaluate;
pub use evaluation::Evaluation;
pub use exact_value::ExactValue;
pub use missing::Missing;
pub use request::{Level, Refusal, Request};
pub use rocproof_language::definition;
pub use thresholds::Thresholds;
pub use value::Value;
