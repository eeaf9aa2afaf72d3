//! Options that several commands have.

use super::error::Failure;
use super::write_out;
use crate::functional::Cost;
use crate::functional::settle::Thresholds;
use crate::lang::{Source, parse};
use crate::model::constant::Constant;
use clap::Args;
use std::path::PathBuf;

/// Under which operating conditions, and where fixed thresholds are.
#[derive(Args)]
pub struct Conditions {
    /// Distribution of operating conditions: uniform or beta(a, b)
    #[arg(long, value_name = "COST", default_value = "uniform", allow_hyphen_values = true)]
    cost: String,
    /// Threshold of the score-fixed method and of accuracy
    #[arg(long, value_name = "NUMBER", default_value = "1/2", allow_hyphen_values = true)]
    threshold: String,
    /// Predicted positive rate of the rate-fixed method
    #[arg(long, value_name = "NUMBER", default_value = "1/2", allow_hyphen_values = true)]
    rate: String,
}

impl Conditions {
    /// The distribution of operating conditions.
    pub fn cost(&self) -> Result<Cost, Failure> {
        Ok(Cost::parse(&self.cost)?)
    }

    /// The fixed threshold and the fixed rate.
    pub fn thresholds(&self) -> Result<Thresholds, Failure> {
        Ok(Thresholds { threshold: number("--threshold", &self.threshold)?, rate: rate(&self.rate)? })
    }
}

/// How and where a result is written.
#[derive(Args)]
pub struct Printing {
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Write to a file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

impl Printing {
    /// Writes a result as JSON or as tables.
    pub fn write(
        &self,
        json: impl FnOnce() -> serde_json::Value,
        tables: impl FnOnce() -> String,
    ) -> Result<(), Failure> {
        let text = if self.json {
            serde_json::to_string_pretty(&json()).map_err(|e| Failure::new(e.to_string()))? + "\n"
        } else {
            tables()
        };
        write_out(&text, self.output.as_deref())
    }
}

/// A number in the language.
pub fn number(option: &str, text: &str) -> Result<Constant, Failure> {
    let source = Source::new(option, text);
    Ok(Constant::of(&source, &parse(&source)?)?)
}

fn rate(text: &str) -> Result<Constant, Failure> {
    let rate = number("--rate", text)?;
    if (0.0..=1.0).contains(&rate.value) {
        return Ok(rate);
    }
    let source = Source::new("--rate", text);
    Err(source.error(source.whole(), "a rate lies between 0 and 1", format!("this is {rate}")).into())
}
