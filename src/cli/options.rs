//! Options that several commands have.

use super::write_out;
use crate::front::Failure;
use crate::front::{number, rate};
use crate::functional::Cost;
use crate::functional::Thresholds;
use crate::lang::Source;
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
        let threshold = number(&Source::new("--threshold", &self.threshold))?;
        Ok(Thresholds { threshold, rate: rate(&Source::new("--rate", &self.rate))? })
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
