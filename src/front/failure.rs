//! What went wrong, for the user.

use crate::data::read::ReadError;
use crate::lang::Diagnostic;

/// Why there is no answer. On the command line the exit status is 2.
#[derive(Debug)]
pub enum Failure {
    /// Something in what the user wrote.
    Input(Box<Diagnostic>),
    /// Something else: a file, an option.
    Other {
        /// What is wrong.
        message: String,
        /// What to do about it.
        help: Option<String>,
    },
}

impl Failure {
    /// A failure without a place in a text.
    pub fn new(message: impl Into<String>) -> Failure {
        Failure::Other { message: message.into(), help: None }
    }

    /// A failure with advice.
    pub fn with_help(message: impl Into<String>, help: impl Into<String>) -> Failure {
        Failure::Other { message: message.into(), help: Some(help.into()) }
    }

    /// What is wrong, in a sentence.
    pub fn message(&self) -> &str {
        match self {
            Failure::Input(diagnostic) => &diagnostic.message,
            Failure::Other { message, .. } => message,
        }
    }

    /// What would be right, if there is something to say.
    pub fn help(&self) -> Option<&str> {
        match self {
            Failure::Input(diagnostic) => diagnostic.help.as_deref(),
            Failure::Other { help, .. } => help.as_deref(),
        }
    }

    /// The message for the terminal.
    pub fn render(&self, color: bool) -> String {
        match self {
            Failure::Input(diagnostic) => diagnostic.render(color),
            Failure::Other { message, help } => {
                let help = help.as_ref().map_or(String::new(), |help| format!("  Help: {help}\n"));
                format!("Error: {message}\n{help}")
            }
        }
    }
}

impl From<Diagnostic> for Failure {
    fn from(diagnostic: Diagnostic) -> Failure {
        Failure::Input(Box::new(diagnostic))
    }
}

impl From<ReadError> for Failure {
    fn from(error: ReadError) -> Failure {
        Failure::Other { message: error.to_string(), help: error.cause.help() }
    }
}
