//! What every room that writes needs: files that are written whole, numbers with their justified digits.

mod digits;
pub(crate) mod file;

pub use digits::digits;
