//! What an evaluation looks like: JSON for programs, tables for people.

pub mod choice;
pub mod decomposition;
pub mod finite;
pub mod json;
pub mod scored;
pub mod spread;
pub mod table;
