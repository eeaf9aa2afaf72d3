//! Helpers for all modules that write: atomic files, numbers with justified digits, escaped texts.

mod digits;
mod escape;
pub(crate) mod file;

pub use digits::digits;
pub(crate) use escape::is_xml_character;
pub use escape::{escape_xml, quote_for_shell};
