//! What evaluations and curves look like: JSON and CSV for programs, tables for people.

pub mod audit;
pub mod choice;
pub mod curves;
pub mod decomposition;
pub mod discovery;
pub mod figures;
pub mod finite;
pub mod folder;
pub mod gallery;
pub mod json;
pub mod page;
pub mod paper_table;
pub mod scored;
pub mod spread;
pub mod table;
pub mod verdict;

/// A result as a table for people.
#[derive(Clone, Copy, Debug)]
pub struct AsText<'a, T>(pub &'a T);
