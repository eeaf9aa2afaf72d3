//! rocproof settles statements about the evaluation of binary classifiers.
pub mod arith;
pub mod calculus;
pub mod functional;
pub mod lang;
pub mod model;
pub mod transform;

pub use functional::{Condition, Cost, Evaluation, Method, Value, evaluate};
pub use model::{Density, Model};
pub mod cli;
pub mod paper;
pub mod report;
