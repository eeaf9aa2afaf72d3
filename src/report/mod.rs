//! What evaluations and curves look like: JSON and CSV for programs, tables for people.

pub mod curves;
pub mod json;
pub mod table;
