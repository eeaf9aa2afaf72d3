//! Failures, worded for the user.

use super::wording::{Interface, Wording};
use crate::lang::Diagnostic;

/// The reason why there is no answer. The command line exits with status 2.
#[derive(Debug)]
pub enum Failure {
    /// An error at a position in a text that the user wrote.
    Input(Box<Diagnostic>),
    /// Any other error: a file, an option.
    Other {
        /// The error, as a sentence.
        message: Wording,
        /// Advice for the user.
        help: Option<Wording>,
    },
}

impl Failure {
    /// A failure without a position in a text.
    pub fn new(message: impl Into<Wording>) -> Failure {
        Failure::Other { message: message.into(), help: None }
    }

    /// A failure with advice.
    pub fn with_help(message: impl Into<Wording>, help: impl Into<Wording>) -> Failure {
        Failure::Other { message: message.into(), help: Some(help.into()) }
    }

    /// A failure whose message names options.
    pub fn worded(message: impl Fn(Interface) -> String) -> Failure {
        Failure::new(Wording::new(message))
    }

    /// A failure whose message and advice name options.
    pub(crate) fn worded_with_help(
        message: impl Fn(Interface) -> String,
        help: impl Fn(Interface) -> String,
    ) -> Failure {
        Failure::with_help(Wording::new(message), Wording::new(help))
    }

    /// The error, as a sentence.
    pub fn message(&self, interface: Interface) -> &str {
        match self {
            Failure::Input(diagnostic) => &diagnostic.message,
            Failure::Other { message, .. } => message.text(interface),
        }
    }

    /// Advice, if there is any.
    pub fn help(&self, interface: Interface) -> Option<String> {
        match self {
            Failure::Input(diagnostic) => diagnostic.advice(|level| interface.setting("level", level)),
            Failure::Other { help, .. } => help.as_ref().map(|help| help.text(interface).to_owned()),
        }
    }

    /// Message and advice as a terminal shows them.
    pub fn render(&self, interface: Interface, color: bool) -> String {
        match self {
            Failure::Input(diagnostic) => diagnostic.render_with(color, |level| interface.setting("level", level)),
            Failure::Other { .. } => {
                let help = self.help(interface).map_or(String::new(), |help| format!("  Help: {help}\n"));
                format!("Error: {}\n{help}", self.message(interface))
            }
        }
    }
}

impl From<Diagnostic> for Failure {
    fn from(diagnostic: Diagnostic) -> Failure {
        Failure::Input(Box::new(diagnostic))
    }
}
