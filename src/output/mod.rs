//! Shared by all rooms that write: files that are written whole, numbers with their justified digits, escaped texts.

mod digits;
mod escape;
pub(crate) mod file;

pub use digits::digits;
pub(crate) use escape::is_xml_character;
pub use escape::{escape_xml, quote_for_shell};
