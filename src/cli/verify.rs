//! `rocproof verify`.

use super::options::Printing;
use crate::front::{Failure, verify};
use crate::report::verdict as report;
use clap::Args;
use std::path::PathBuf;
use std::process::ExitCode;

/// The arguments of `verify`.
#[derive(Args)]
pub(crate) struct Arguments {
    /// A certificate that `rocproof check --certificate` wrote, or the output of `rocproof check --json`
    #[arg(value_name = "CERTIFICATE")]
    certificate: PathBuf,
    #[command(flatten)]
    printing: Printing,
}

/// Checks a certificate and prints what it proves.
pub fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let path = arguments.certificate.display();
    let text = std::fs::read_to_string(&arguments.certificate)
        .map_err(|error| Failure::new(format!("cannot read the certificate {path}: {error}")))?;
    let outcome = verify(&path.to_string(), &text)?;
    match &outcome {
        Ok(verified) => {
            let hypotheses: String = verified.hypotheses.iter().map(|h| format!("  where {h}\n")).collect();
            arguments.printing.write(
                || report::verification_json(&outcome),
                || format!("The certificate is valid. It proves\n  {}\n{hypotheses}", verified.statement),
            )?;
            Ok(ExitCode::SUCCESS)
        }
        Err(rejected) => {
            arguments.printing.write(
                || report::verification_json(&outcome),
                || format!("The certificate is not valid: {rejected}\n"),
            )?;
            Ok(ExitCode::from(1))
        }
    }
}
