//! What evaluations and curves look like: JSON and CSV for programs, tables for people.

pub mod choice;
pub mod curves;
pub mod decomposition;
pub mod discovery;
pub(crate) mod file;
pub mod finite;
pub mod json;
pub mod scored;
pub mod spread;
pub mod table;
pub mod verdict;
