//! The paper claim by claim, as a table in Markdown: what is settled, by which definitions, held by which test, with which verdict.
//!
//! `cargo run --release --example paper_table > docs/paper.md`

use rocproof::paper;
use rocproof::paper::audit::{Audit, TIME};
use rocproof::report::paper_table::markdown;

fn main() -> Result<(), String> {
    print!("{}", markdown(&Audit::of(&paper::claims()?, TIME, |_| {})));
    Ok(())
}
