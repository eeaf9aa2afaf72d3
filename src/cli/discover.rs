//! `rocproof discover`.

use super::OPEN;
use super::options::Printing;
use crate::front::{Failure, ceiling, discover};
use crate::lang::Source;
use crate::report::discovery;
use crate::verdict::CEILING;
use clap::Args;
use std::process::ExitCode;

/// The arguments of `discover`.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The functional to express, e.g. 'L[rd; beta(2,2)]'
    #[arg(value_name = "TARGET", allow_hyphen_values = true)]
    target: String,
    /// The functionals to express it by, separated by commas, e.g. 'AUC, int(F0^i F1^j dF1) for i+j <= 4'; may be repeated
    #[arg(long, value_name = "TERMS", required = true, allow_hyphen_values = true)]
    basis: Vec<String>,
    /// For models of a class only: convex, calibrated, even, perfect, random; may be repeated
    #[arg(long = "for", value_name = "CLASS")]
    classes: Vec<String>,
    /// Under a condition only, e.g. 'pi0 == 1/2'; may be repeated
    #[arg(long = "where", value_name = "CONDITION")]
    conditions: Vec<String>,
    /// Ceiling of time in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = CEILING.as_secs_f64())]
    time: f64,
    #[command(flatten)]
    printing: Printing,
}

/// Looks for relations and prints them.
pub fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let source = Source::new("TARGET", &arguments.target);
    let basis: Vec<Source> = arguments.basis.iter().map(|text| Source::new("--basis", text)).collect();
    let (target, found) =
        discover(&source, &basis, &arguments.classes, &arguments.conditions, ceiling(arguments.time)?)?;
    arguments.printing.write(|| discovery::json(&target, &found), || discovery::text(&target, &found))?;
    Ok(if found.target.is_some() { ExitCode::SUCCESS } else { ExitCode::from(OPEN) })
}
