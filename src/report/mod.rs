//! What an evaluation looks like: JSON for programs, tables for people.

pub mod curves;
pub mod json;
pub mod table;
