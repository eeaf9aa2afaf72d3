//! Options that several commands share.

use super::write_out;
use crate::front::{Failure, read_number, read_rate};
use crate::functional::{Cost, Thresholds};
use crate::lang::{Diagnostic, Source};
use clap::Args;
use std::path::PathBuf;

/// The distribution of operating conditions, and the thresholds of the fixed methods.
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
        // The message names the option that the text came from.
        let name_option = |mut error: Diagnostic| {
            error.source.name = "--cost".into();
            error
        };
        Ok(Cost::parse(&self.cost).map_err(name_option)?)
    }

    /// The threshold and the rate of the fixed methods.
    pub fn thresholds(&self) -> Result<Thresholds, Failure> {
        let threshold = read_number(&Source::new("--threshold", &self.threshold))?;
        Ok(Thresholds { threshold, rate: read_rate(&Source::new("--rate", &self.rate))? })
    }
}

/// The format and destination of a result.
#[derive(Args)]
pub(crate) struct Printing {
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Write to a file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

impl Printing {
    /// Writes a result as JSON or as tables, of which only the requested one is made.
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
