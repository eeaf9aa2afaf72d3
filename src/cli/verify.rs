//! `rocproof verify`.

use super::error::Failure;
use super::options::Printing;
use crate::theory::check;
use clap::Args;
use serde_json::{Value, json};
use std::path::PathBuf;
use std::process::ExitCode;

/// The arguments of `verify`.
#[derive(Args)]
pub struct Arguments {
    /// A certificate that `rocproof check --certificate` wrote, or what `rocproof check --json` printed
    #[arg(value_name = "CERTIFICATE")]
    certificate: PathBuf,
    #[command(flatten)]
    printing: Printing,
}

/// Checks a certificate anew.
pub fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let path = arguments.certificate.display();
    let text = std::fs::read_to_string(&arguments.certificate)
        .map_err(|error| Failure::new(format!("cannot read the certificate {path}: {error}")))?;
    let value: Value = serde_json::from_str(&text).map_err(|error| {
        Failure::with_help(
            format!("{path} is not JSON: {error}"),
            "a certificate is written by `rocproof check --certificate FILE`",
        )
    })?;
    let certificate = value.get("certificate").filter(|inner| inner.is_object()).unwrap_or(&value);
    match check::verify(certificate) {
        Ok(verified) => {
            let hypotheses: String = verified.hypotheses.iter().map(|h| format!("  where {h}\n")).collect();
            arguments.printing.write(
                || json!({ "verdict": "proved", "statement": verified.statement, "hypotheses": verified.hypotheses }),
                || format!("The certificate is valid. It proves\n  {}\n{hypotheses}", verified.statement),
            )?;
            Ok(ExitCode::SUCCESS)
        }
        Err(rejected) => {
            arguments.printing.write(
                || json!({ "verdict": "rejected", "why": rejected.to_string() }),
                || format!("The certificate is not valid: {rejected}\n"),
            )?;
            Ok(ExitCode::from(1))
        }
    }
}
