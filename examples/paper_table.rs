//! The claims of the paper as a table in Markdown, with definitions, tests and verdicts.
//!
//! `cargo run --release --example paper_table > docs/paper.md`

use rocproof::paper;
use rocproof::paper::audit::{Audit, TIME};
use rocproof::report::paper_table::markdown;

fn main() -> Result<(), String> {
    print!("{}", markdown(&Audit::of(&paper::claims()?, TIME, |_| {})));
    Ok(())
}
