//! `rocproof reproduce`.

use super::figure::Colours;
use super::{OPEN, write_out};
use crate::front::{Failure, Reproduction, cannot_write_report, ceiling};
use crate::paper;
use crate::paper::audit::Outcome;
use crate::report::audit as report;
use crate::report::folder::Folder;
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

/// The arguments of `reproduce`.
#[derive(Args)]
pub(crate) struct Arguments {
    /// Write the report to this folder; an earlier report is replaced once the new one is complete
    #[arg(long, value_name = "DIR", default_value = "report")]
    out: PathBuf,
    /// Ceiling of time for each claim in seconds; a claim that reaches it is undecided
    #[arg(long, value_name = "SECONDS", default_value = "60")]
    time: f64,
    #[command(flatten)]
    colours: Colours,
    /// Print claims.json as well
    #[arg(long)]
    json: bool,
}

/// Audits every claim of the paper and writes the report.
pub fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let start = Instant::now();
    // A folder that cannot be written is refused before anything is computed.
    let folder = Folder::prepare(&arguments.out).map_err(|why| cannot_write_report(&why, &arguments.out))?;
    let claims = paper::claims().map_err(Failure::new)?;
    let bar = progress(claims.len() as u64);
    let Reproduction { audit, json, files } =
        Reproduction::of(&claims, ceiling(arguments.time)?, arguments.colours.palette(), |audited| {
            bar.set_message(audited.claim.id.clone());
            bar.inc(1);
        })?;
    bar.finish_and_clear();
    folder.write(&files).and_then(Folder::replace).map_err(|why| cannot_write_report(&why, &arguments.out))?;
    let summary = report::summary(&audit, &arguments.out, start.elapsed());
    if arguments.json {
        // Standard output holds the JSON alone; the summary goes to standard error.
        let _ = write!(std::io::stderr(), "{summary}");
        write_out(&json, None)?;
    } else {
        write_out(&summary, None)?;
    }
    Ok(if audit.count(Outcome::Undecided) == 0 { ExitCode::SUCCESS } else { ExitCode::from(OPEN) })
}

/// A progress bar on standard error; hidden if that is not a terminal.
fn progress(length: u64) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} claims  {msg}");
    ProgressBar::new(length).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}
