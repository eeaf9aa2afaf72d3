//! The command line: one file per command.

mod check;
mod discover;
mod eval;
mod figure;
mod gallery;
mod input;
mod options;
mod pictures;
mod reproduce;
mod score;
mod verify;

use crate::front::{Failure, Interface};
use crate::output::file::write_whole;
use clap::{Parser, Subcommand};
use std::io::{IsTerminal, Write};
use std::process::ExitCode;

/// Settles statements about the evaluation of binary classifiers.
#[derive(Parser)]
#[command(name = "rocproof", version, about, arg_required_else_help = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Every claim of the paper settled, every figure drawn: a report
    Reproduce(Box<reproduce::Arguments>),
    /// All metrics and expected losses of one model
    Eval(Box<eval::Arguments>),
    /// The figure of one model: densities, distribution functions, ROC curve, and the curves of loss
    Figure(Box<figure::Arguments>),
    /// The figures of all models in a folder, and a page that shows them
    Gallery(Box<gallery::Arguments>),
    /// All metrics and expected losses of scored data: CSV, Parquet or Arrow
    Score(Box<score::Arguments>),
    /// Settles a statement about all models: a proof, a counterexample, or what is known
    Check(Box<check::Arguments>),
    /// Checks the certificate of a proof, with the checker alone
    Verify(Box<verify::Arguments>),
    /// All linear relations between a functional and others, proved
    Discover(Box<discover::Arguments>),
}

/// The exit status of a statement that is neither proved nor refuted.
const OPEN: u8 = 3;
/// The exit status of an internal error: a broken invariant, or a proof that a model breaks.
const INTERNAL: u8 = 70;

/// Runs the program on its arguments. The exit status is 0 for proved or done, 1 for refuted, 2 for bad input, 3 for undecided, and 70 for
/// an internal error.
pub fn main() -> ExitCode {
    let default_hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        // If standard error is closed, the message is lost.
        let _ = writeln!(std::io::stderr(), "Internal error: this should not happen, and no answer follows.");
        default_hook(panic);
    }));
    std::panic::catch_unwind(run).unwrap_or_else(|_| ExitCode::from(INTERNAL))
}

/// Runs the command, and prints its failure.
fn run() -> ExitCode {
    let outcome = match Arguments::parse().command {
        Command::Reproduce(arguments) => reproduce::run(&arguments),
        Command::Eval(arguments) => eval::run(&arguments).map(|()| ExitCode::SUCCESS),
        Command::Figure(arguments) => figure::run(&arguments).map(|()| ExitCode::SUCCESS),
        Command::Gallery(arguments) => gallery::run(&arguments).map(|()| ExitCode::SUCCESS),
        Command::Score(arguments) => score::run(&arguments).map(|()| ExitCode::SUCCESS),
        Command::Check(arguments) => check::run(&arguments),
        Command::Verify(arguments) => verify::run(&arguments),
        Command::Discover(arguments) => discover::run(&arguments),
    };
    match outcome {
        Ok(status) => status,
        Err(failure) => {
            let color = std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none();
            // If standard error is closed, the message is lost.
            let _ = write!(std::io::stderr(), "{}", failure.render(Interface::CommandLine, color));
            ExitCode::from(2)
        }
    }
}

/// Writes a result to a file or to standard output. A closed pipe is not an error.
fn write_out(text: &str, file: Option<&std::path::Path>) -> Result<(), Failure> {
    if let Some(path) = file {
        let written = write_whole(path, |out| out.write_all(text.as_bytes()));
        return written.map_err(|e| Failure::new(format!("cannot write {}: {e}", path.display())));
    }
    match std::io::stdout().write_all(text.as_bytes()) {
        Err(e) if e.kind() != std::io::ErrorKind::BrokenPipe => Err(Failure::new(format!("cannot write: {e}"))),
        _ => Ok(()),
    }
}
