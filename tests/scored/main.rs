//! Scored data: reading, evaluation, decomposition, choice of thresholds, sampling intervals.

#[path = "../common/mod.rs"]
mod common;
#[path = "../rows/mod.rs"]
mod rows;

mod bins;
mod choice;
mod conventions;
mod convergence;
mod coverage;
mod curves;
mod data;
mod decomposition;
mod finite_sample;
mod held_out;
mod peers;
mod score_files;
mod scored_reports;
mod several_files;
mod uncertainty;
