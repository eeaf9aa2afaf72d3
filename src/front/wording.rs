//! Messages that name options the way each interface spells them.

use std::fmt::Display;

/// The interface that a message is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interface {
    /// Options are `--finite-sample` and `--level exact`.
    CommandLine,
    /// Options are keyword arguments: `finite_sample=` and `level="exact"`.
    Python,
}

impl Interface {
    /// An option by its name on the command line.
    pub fn option(self, name: &str) -> String {
        match self {
            Interface::CommandLine => format!("--{name}"),
            Interface::Python => format!("{}=", keyword(name)),
        }
    }

    /// An option with a value.
    ///
    /// ```
    /// use rocproof::front::Interface;
    /// assert_eq!(Interface::CommandLine.setting("level", "exact"), "--level exact");
    /// assert_eq!(Interface::Python.setting("level", "exact"), "level=\"exact\"");
    /// assert_eq!(Interface::Python.setting("bootstrap", 1000), "bootstrap=1000");
    /// ```
    pub fn setting(self, name: &str, value: impl Display) -> String {
        let value = value.to_string();
        match self {
            Interface::CommandLine => format!("--{name} {value}"),
            Interface::Python if value.parse::<f64>().is_ok() => format!("{}={value}", keyword(name)),
            Interface::Python => format!("{}={value:?}", keyword(name)),
        }
    }
}

/// The keyword argument for an option of the command line.
fn keyword(option: &str) -> String {
    match option {
        "curve" => "names".to_owned(),
        other => other.replace('-', "_"),
    }
}

/// A message, worded for each interface.
#[derive(Clone, Debug)]
pub struct Wording {
    command_line: String,
    python: String,
}

impl Wording {
    /// A message that names options.
    pub fn new(words: impl Fn(Interface) -> String) -> Wording {
        Wording { command_line: words(Interface::CommandLine), python: words(Interface::Python) }
    }

    /// The message for an interface.
    pub fn text(&self, interface: Interface) -> &str {
        match interface {
            Interface::CommandLine => &self.command_line,
            Interface::Python => &self.python,
        }
    }
}

/// A message that names no option.
impl From<String> for Wording {
    fn from(text: String) -> Wording {
        Wording { command_line: text.clone(), python: text }
    }
}

impl From<&str> for Wording {
    fn from(text: &str) -> Wording {
        text.to_owned().into()
    }
}
