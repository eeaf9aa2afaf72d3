//! Scored data: reading, evaluation, decomposition, choice of thresholds, sampling intervals.

#[path = "../common/mod.rs"]
mod common;
#[path = "../rows/mod.rs"]
mod rows;

mod choice;
mod convergence;
mod curves;
mod data;
mod decomposition;
mod finite_sample;
mod score_files;
mod scored_reports;
mod uncertainty;
