//! The program as a user meets it: commands, figures, reports, and the audit of the paper.

#[path = "../common/mod.rs"]
mod common;
#[path = "../drawing/mod.rs"]
mod drawing;

mod audit;
mod bins_cli;
mod check_cli;
mod cli;
mod figure_cli;
mod figures;
mod model_figures;
mod paper;
mod report_page;
mod reproduce_cli;
mod score_cli;
mod score_table;

use rocproof::paper::audit::{Audit, TIME};
use std::sync::LazyLock;

/// The audit of the paper, made once for all tests that look at it.
static AUDIT: LazyLock<Audit> = LazyLock::new(|| Audit::of(&rocproof::paper::claims().unwrap(), TIME, |_| {}));
