//! `rocproof eval`.

use super::error::Failure;
use super::input::ModelArguments;
use super::write_out;
use crate::functional::{Cost, Fixed, evaluate_at};
use crate::lang::{Source, parse};
use crate::model::constant::Constant;
use crate::report::{json, table};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// The arguments of `eval`.
#[derive(Args)]
pub struct Arguments {
    #[command(flatten)]
    model: ModelArguments,
    /// Distribution of operating conditions: uniform or beta(a, b)
    #[arg(long, value_name = "COST", default_value = "uniform", allow_hyphen_values = true)]
    cost: String,
    /// Threshold of the score-fixed method and of accuracy
    #[arg(long, value_name = "NUMBER", default_value = "1/2", allow_hyphen_values = true)]
    threshold: String,
    /// Predicted positive rate of the rate-fixed method
    #[arg(long, value_name = "NUMBER", default_value = "1/2", allow_hyphen_values = true)]
    rate: String,
    /// Level of evidence
    #[arg(long, value_enum, default_value_t = Level::Best)]
    level: Level,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Write to a file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
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

fn number(option: &str, text: &str) -> Result<f64, Failure> {
    let source = Source::new(option, text);
    Ok(Constant::of(&source, &parse(&source)?)?.value)
}

fn rate(text: &str) -> Result<f64, Failure> {
    let rate = number("--rate", text)?;
    if (0.0..=1.0).contains(&rate) {
        return Ok(rate);
    }
    let source = Source::new("--rate", text);
    Err(source.error(source.whole(), "a rate lies between 0 and 1", format!("this is {rate}")).into())
}

/// Evaluates a model and prints it.
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let level = match arguments.level {
        Level::Numeric | Level::Best => None,
        Level::Certified => Some("certified"),
        Level::Exact => Some("exact"),
    };
    if let Some(level) = level {
        return Err(Failure::with_help(
            format!("the {level} level is not available in this version"),
            "--level numeric gives estimates with their errors",
        ));
    }
    let cost = Cost::parse(&arguments.cost)?;
    let model = arguments.model.read()?;
    let fixed = Fixed { threshold: number("--threshold", &arguments.threshold)?, rate: rate(&arguments.rate)? };
    let evaluation = evaluate_at(&model, &cost, fixed);
    let text = if arguments.json {
        let json = json::evaluation(&model, &cost, &evaluation);
        serde_json::to_string_pretty(&json).map_err(|e| Failure::new(e.to_string()))? + "\n"
    } else {
        table::evaluation(&model, &cost, &evaluation)
    };
    write_out(&text, arguments.output.as_deref())
}
