//! `rocproof eval`.

use super::error::Failure;
use super::input::ModelArguments;
use super::options::{Conditions, Printing, number};
use crate::functional::certified;
use crate::functional::evaluate_at;
use crate::functional::exact::Refusal;
use crate::functional::settle::{evaluate_best, evaluate_enclosed, evaluate_exactly};
use crate::lang::Source;
use crate::report::{json, table};
use clap::{Args, ValueEnum};

/// The arguments of `eval`.
#[derive(Args)]
pub struct Arguments {
    #[command(flatten)]
    model: ModelArguments,
    #[command(flatten)]
    conditions: Conditions,
    /// Level of evidence
    #[arg(long, value_enum, default_value_t = Level::Best)]
    level: Level,
    /// Significant digits to print of values at the exact level
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=10_000))]
    digits: Option<u16>,
    /// Width of the enclosures to aim at; --level certified [default: 4e-13]
    #[arg(long, value_name = "W", allow_hyphen_values = true)]
    width: Option<String>,
    #[command(flatten)]
    printing: Printing,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Level {
    /// Fast, with error estimates
    Numeric,
    /// Guaranteed enclosures
    Certified,
    /// Rational arithmetic
    Exact,
    /// The strongest level that applies
    Best,
}

/// Evaluates a model and prints it.
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let cost = arguments.conditions.cost()?;
    let model = arguments.model.read()?;
    if arguments.width.is_some() && arguments.level != Level::Certified {
        return Err(Failure::with_help("--width belongs to --level certified", "add --level certified"));
    }
    let thresholds = arguments.conditions.thresholds()?;
    let evaluation = match arguments.level {
        Level::Numeric => match model.beyond_floating_point() {
            Some(diagnostic) => return Err(diagnostic.into()),
            None => evaluate_at(&model, &cost, thresholds.fixed()),
        },
        Level::Certified => {
            let width = width(arguments.width.as_deref())?;
            evaluate_enclosed(&model, &cost, &thresholds, width).map_err(not_enclosed)?
        }
        Level::Exact => evaluate_exactly(&model, &cost, &thresholds).map_err(refused)?,
        _ => evaluate_best(&model, &cost, &thresholds)?,
    };
    let digits = arguments.digits.map(usize::from);
    arguments.printing.write(
        || json::evaluation(&model, &cost, &evaluation, digits),
        || table::evaluation(&model, &cost, &evaluation, digits),
    )
}

fn width(text: Option<&str>) -> Result<f64, Failure> {
    let Some(text) = text else { return Ok(certified::WIDTH) };
    let width = number("--width", text)?;
    if width.value > 0.0 {
        return Ok(width.value);
    }
    let source = Source::new("--width", text);
    Err(source.error(source.whole(), "a width is above 0", format!("this is {width}")).help("for example 1e-12").into())
}

fn not_enclosed(refusal: certified::Refusal) -> Failure {
    match refusal {
        certified::Refusal::Density(diagnostic) => (*diagnostic).into(),
        other => Failure::with_help(other.to_string(), "--level numeric gives estimates with their errors"),
    }
}

/// Why there is no exact value.
pub(super) fn refused(refusal: Refusal) -> Failure {
    match &refusal {
        Refusal::NotPiecewise(why) => why.diagnostic().clone().into(),
        Refusal::Undecided => Failure::with_help(refusal.to_string(), "--level numeric serves this model"),
    }
}
