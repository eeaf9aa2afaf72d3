//! `rocproof check`.

use super::OPEN;
use super::input::read_densities;
use super::options::Printing;
use super::write_out;
use crate::front::{Failure, Interface, ceiling, examine, read_model, read_statement};
use crate::lang::Source;
use crate::model::Model;
use crate::report::verdict as report;
use crate::search::Decision;
use crate::statement::Statement;
use crate::theory::certificate::Certificate;
use crate::theory::{derivation, sympy};
use crate::verdict::{Judgement, Verdict, prove_only, settle};
use clap::Args;
use rayon::prelude::*;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

/// The arguments of `check`.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The statement, e.g. 'L[rd] == pi0*pi1*(1 - 2*AUC) + 1/3' or 'for convex m: L[o] == RL'; - reads statements from standard input, one
    /// per line, and answers each with a line of JSON
    #[arg(value_name = "STATEMENT", allow_hyphen_values = true)]
    statement: String,
    /// Decide it on one model instead of all: a model file (TOML) or @name. Repeat for statements about two models.
    #[arg(long, value_name = "MODEL", conflicts_with_all = ["f0", "f1", "over"])]
    model: Vec<String>,
    /// Decide it on one model instead of all: its score density of class 0. Repeat for statements about two models.
    #[arg(long, value_name = "DENSITY", requires = "f1", allow_hyphen_values = true, conflicts_with = "over")]
    f0: Vec<String>,
    /// Score density of class 1
    #[arg(long, value_name = "DENSITY", requires = "f0", allow_hyphen_values = true)]
    f1: Vec<String>,
    /// Proportion of class 0 [default: 1/2]
    #[arg(long, value_name = "NUMBER", requires = "f0", allow_hyphen_values = true)]
    pi0: Option<String>,
    /// Restrict the statement to a class or family of models: convex, beta, binormal, piecewise, ...
    #[arg(long, value_name = "CLASS")]
    over: Vec<String>,
    /// Ceiling of time in seconds; the search is bounded by a count of work, which most statements end long before
    #[arg(long, value_name = "SECONDS", default_value = "60")]
    time: f64,
    /// Look for a proof only, and for no counterexample
    #[arg(long, conflicts_with_all = ["model", "f0", "f1"])]
    proofs_only: bool,
    /// Write the proof as a certificate that `rocproof verify` checks
    #[arg(long, value_name = "FILE")]
    certificate: Option<PathBuf>,
    /// Write the proof as a Python script that checks it with SymPy alone
    #[arg(long, value_name = "FILE")]
    sympy: Option<PathBuf>,
    /// Write the proof as a derivation in LaTeX
    #[arg(long, value_name = "FILE")]
    latex: Option<PathBuf>,
    #[command(flatten)]
    printing: Printing,
}

/// Settles a statement and prints the verdict.
pub fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    if arguments.statement == "-" {
        return arguments.check_lines();
    }
    let statement = read_statement(Source::new("STATEMENT", &arguments.statement), &arguments.over)?;
    let models = arguments.read_models()?;
    if !models.is_empty() {
        return arguments.check_on(&statement, &models);
    }
    // A statement without a meaning for all models is an input error, not an undecided one.
    statement.meaning()?;
    let judgement = arguments.judge(&statement)?;
    match &judgement.verdict {
        Verdict::Proved(certificate) => arguments.write_proof(certificate)?,
        // If standard error is closed, the message is lost.
        _ if arguments.wants_proof() => drop(writeln!(std::io::stderr(), "There is no proof to write.")),
        _ => {}
    }
    arguments.printing.write(|| report::json(&judgement), || report::text(&judgement))?;
    Ok(match judgement.verdict {
        Verdict::Proved(_) => ExitCode::SUCCESS,
        Verdict::Refuted(_) => ExitCode::from(1),
        Verdict::Supported(_) | Verdict::Undecided(_) => ExitCode::from(OPEN),
    })
}

/// The number of statements of standard input that are settled in parallel before their answers are written.
const AT_ONCE: usize = 64;

impl Arguments {
    /// Settles a statement about all models.
    fn judge(&self, statement: &Statement) -> Result<Judgement, Failure> {
        let time = ceiling(self.time)?;
        Ok(if self.proofs_only { prove_only(statement, time) } else { settle(statement, time) })
    }

    /// Settles the statements of standard input, one per line, and prints a line of JSON for each.
    fn check_lines(&self) -> Result<ExitCode, Failure> {
        let unreadable = |error: std::io::Error| Failure::new(format!("cannot read standard input: {error}"));
        let lines = std::io::stdin().lines().collect::<Result<Vec<String>, _>>().map_err(unreadable)?;
        let lines: Vec<&String> = lines.iter().filter(|line| !line.trim().is_empty()).collect();
        for batch in lines.chunks(AT_ONCE) {
            let answers: Vec<String> = batch.par_iter().map(|line| self.check_line(line)).collect();
            write_out(&answers.concat(), None)?;
        }
        Ok(ExitCode::SUCCESS)
    }

    /// The line of JSON that answers a statement. A statement that cannot be read is answered by an `input-error`.
    fn check_line(&self, line: &str) -> String {
        let settle_line = || -> Result<serde_json::Value, Failure> {
            let statement = read_statement(Source::new("STATEMENT", line), &self.over)?;
            statement.meaning()?;
            Ok(report::json(&self.judge(&statement)?))
        };
        let answer = settle_line().unwrap_or_else(|failure| {
            let (why, help) = (failure.message(Interface::CommandLine), failure.help(Interface::CommandLine));
            serde_json::json!({ "statement": line, "verdict": "input-error", "why": why, "help": help })
        });
        format!("{answer}\n")
    }

    /// Reads the models that the statement is to be decided on.
    fn read_models(&self) -> Result<Vec<Model>, Failure> {
        if self.f0.len() != self.f1.len() {
            return Err(Failure::with_help("every --f0 needs an --f1", "one of each for each model"));
        }
        let pi0 = self.pi0.as_deref().unwrap_or("1/2");
        let from_densities = self.f0.iter().zip(&self.f1).map(|(f0, f1)| read_densities(f0, f1, pi0));
        self.model.iter().map(|name| read_model(name)).chain(from_densities).collect()
    }

    /// Decides the statement on models.
    fn check_on(&self, statement: &Statement, models: &[Model]) -> Result<ExitCode, Failure> {
        if self.wants_proof() {
            return Err(Failure::new(
                "a proof is about all models: leave out the model, or --certificate, --sympy and --latex",
            ));
        }
        let decision = examine(statement, models)?;
        self.printing.write(
            || report::decision_json(statement, models, &decision),
            || report::decision_text(statement, models, &decision),
        )?;
        Ok(match decision {
            Decision::Holds { sampled: false, .. } => ExitCode::SUCCESS,
            Decision::Fails(_) => ExitCode::from(1),
            Decision::Holds { .. } | Decision::OutOfScope { .. } | Decision::Unknown => ExitCode::from(OPEN),
        })
    }

    /// Whether a proof is to be written to a file.
    fn wants_proof(&self) -> bool {
        self.certificate.is_some() || self.sympy.is_some() || self.latex.is_some()
    }

    /// Writes a proof to the files that were asked for.
    fn write_proof(&self, certificate: &Certificate) -> Result<(), Failure> {
        if let Some(path) = &self.certificate {
            let text = serde_json::to_string_pretty(&certificate.to_json()).map_err(|e| Failure::new(e.to_string()))?;
            write_out(&(text + "\n"), Some(path))?;
        }
        if let Some(path) = &self.sympy {
            write_out(&sympy::script(certificate), Some(path))?;
        }
        if let Some(path) = &self.latex {
            write_out(&derivation::latex(certificate), Some(path))?;
        }
        Ok(())
    }
}
