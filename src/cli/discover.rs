//! `rocproof discover`.

use super::OPEN;
use super::error::Failure;
use super::options::Printing;
use crate::lang::Source;
use crate::report::discovery;
use crate::statement::{Class, terms};
use crate::theory::discover::{self, discover};
use clap::Args;
use std::process::ExitCode;

/// The arguments of `discover`.
#[derive(Args)]
pub struct Arguments {
    /// What to express, e.g. 'L[rd; beta(2,2)]'
    #[arg(value_name = "TARGET", allow_hyphen_values = true)]
    target: String,
    /// By what to express it, with commas between, e.g. 'AUC, int(F0^i F1^j dF1) for i+j <= 4'; may be repeated
    #[arg(long, value_name = "TERMS", required = true, allow_hyphen_values = true)]
    basis: Vec<String>,
    /// For models of a class only: convex, calibrated, even, perfect, random; may be repeated
    #[arg(long = "for", value_name = "CLASS")]
    classes: Vec<String>,
    /// Under a condition only, e.g. 'pi0 == 1/2'; may be repeated
    #[arg(long = "where", value_name = "CONDITION")]
    conditions: Vec<String>,
    #[command(flatten)]
    printing: Printing,
}

/// Looks for relations and prints them.
pub fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let source = Source::new("TARGET", &arguments.target);
    let target = terms(&source)?;
    let [target] = target.as_slice() else {
        return Err(source.error(source.whole(), "one target is needed", "several terms").into());
    };
    let mut basis = Vec::new();
    for text in &arguments.basis {
        basis.extend(terms(&Source::new("--basis", text))?);
    }
    let classes = classes(&arguments.classes)?;
    let conditions: Vec<&str> = arguments.conditions.iter().map(String::as_str).collect();
    let found = discover(target, &basis, &classes, &conditions).map_err(|failure| match failure {
        discover::Failure::Input(diagnostic) => Failure::Input(diagnostic),
        discover::Failure::Unsupported(term, why) => {
            Failure::with_help(format!("no relations can be looked for with {term}: {why}"), "leave it out")
        }
    })?;
    arguments.printing.write(|| discovery::json(target, &found), || discovery::text(target, &found))?;
    Ok(if found.target.is_some() { ExitCode::SUCCESS } else { ExitCode::from(OPEN) })
}

/// The classes that words stand for.
pub(super) fn classes(words: &[String]) -> Result<Vec<Class>, Failure> {
    let mut found = Vec::new();
    for word in words {
        match Class::named(word) {
            Some(class) => found.extend(class),
            None => {
                let names = format!("classes: all {}", Class::ALL.map(Class::name).join(" "));
                let help = Class::near(word).map_or(names, |near| format!("did you mean `{near}`?"));
                return Err(Failure::with_help(format!("unknown class `{word}`"), help));
            }
        }
    }
    Ok(found)
}
