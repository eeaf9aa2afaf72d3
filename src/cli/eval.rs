//! `rocproof eval`.

use super::input::ModelArguments;
use super::options::{Conditions, Printing};
use crate::front::{Failure, evaluate};
use crate::functional::Level;
use crate::lang::Source;
use crate::report::{json, table};
use clap::{Args, ValueEnum};

/// The arguments of `eval`.
#[derive(Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    model: ModelArguments,
    #[command(flatten)]
    conditions: Conditions,
    /// Level of evidence
    #[arg(long, value_enum, default_value_t = LevelName::Best)]
    level: LevelName,
    /// Significant digits to print of values at the exact level
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=10_000))]
    digits: Option<u16>,
    /// Width of the enclosures to aim at; --level certified [default: 4e-13]
    #[arg(long, value_name = "W", allow_hyphen_values = true)]
    width: Option<String>,
    #[command(flatten)]
    printing: Printing,
}

/// A level of evidence by name.
#[derive(Clone, Copy, ValueEnum)]
enum LevelName {
    /// Fast, with error estimates
    Numeric,
    /// Guaranteed enclosures
    Certified,
    /// Rational arithmetic
    Exact,
    /// The strongest level that applies
    Best,
}

impl LevelName {
    /// The level.
    fn level(self) -> Level {
        match self {
            LevelName::Numeric => Level::Numeric,
            LevelName::Certified => Level::Certified,
            LevelName::Exact => Level::Exact,
            LevelName::Best => Level::Best,
        }
    }
}

/// Evaluates a model and prints its metrics and expected losses.
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let cost = arguments.conditions.cost()?;
    let model = arguments.model.read()?;
    let thresholds = arguments.conditions.thresholds()?;
    let width = arguments.width.as_deref().map(|text| Source::new("--width", text));
    let evaluation = evaluate(&model, &cost, &thresholds, arguments.level.level(), width)?;
    let digits = arguments.digits.map(usize::from);
    arguments.printing.write(
        || json::evaluation(&model, &cost, &evaluation, digits),
        || table::evaluation(&model, &cost, &evaluation, digits),
    )
}
