//! Shared by all rooms that write: files that are written whole, numbers with their justified digits, escaped texts.

mod digits;
mod escape;
pub(crate) mod file;

pub use digits::digits;
pub use escape::{escaped, quoted};
