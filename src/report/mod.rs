//! Results as JSON and CSV for programs, as tables for people, and the report on the paper as a page.

pub mod audit;
pub mod bins;
pub mod choice;
pub mod curves;
pub mod decomposition;
pub mod deploy;
pub mod discovery;
pub mod figures;
pub mod finite;
pub mod folder;
pub mod gallery;
pub mod groups;
pub mod json;
pub mod page;
pub mod paper_table;
mod rule;
pub mod scored;
pub mod severity;
pub mod spread;
pub mod summary;
pub mod table;
pub mod verdict;
mod wrap;

/// A result, displayed as tables.
#[derive(Clone, Copy, Debug)]
pub struct AsText<'a, T>(pub &'a T);
