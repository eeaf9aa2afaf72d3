//! Variables: interned names.
//!
//! Each name is stored once and never freed, so variables are pointers that are cheap to copy and to compare.

use std::cmp::Ordering;
use std::collections::HashSet;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::{LazyLock, Mutex, PoisonError};

/// A variable, ordered by its name. Any text can be a name; only names of the language can be parsed again.
///
/// ```
/// use rocproof_algebra::multivariate::Variable;
/// let (x, y) = (Variable::new("x"), Variable::new("y"));
/// assert!(x < y && x == Variable::new("x") && x.name() == "x");
/// ```
#[derive(Clone, Copy)]
pub struct Variable(&'static str);

/// The names of all variables.
static NAMES: LazyLock<Mutex<HashSet<&'static str>>> = LazyLock::new(Mutex::default);

impl Variable {
    /// The variable with a name. A new name is stored for the life of the program.
    pub fn new(name: &str) -> Variable {
        let mut names = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = names.get(name) {
            return Variable(known);
        }
        let stored: &'static str = Box::leak(name.into());
        names.insert(stored);
        Variable(stored)
    }

    /// The name.
    pub fn name(self) -> &'static str {
        self.0
    }
}

impl From<&str> for Variable {
    fn from(name: &str) -> Variable {
        Variable::new(name)
    }
}

impl From<&Variable> for Variable {
    fn from(variable: &Variable) -> Variable {
        *variable
    }
}

impl PartialEq for Variable {
    fn eq(&self, other: &Variable) -> bool {
        // Each name is stored once, so equal names have equal addresses.
        std::ptr::eq(self.0, other.0)
    }
}

impl Eq for Variable {}

impl Ord for Variable {
    fn cmp(&self, other: &Variable) -> Ordering {
        if self == other { Ordering::Equal } else { self.0.cmp(other.0) }
    }
}

impl PartialOrd for Variable {
    fn partial_cmp(&self, other: &Variable) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Hash for Variable {
    fn hash<H: Hasher>(&self, state: &mut H) {
        std::ptr::hash(self.0, state);
    }
}

impl fmt::Display for Variable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl fmt::Debug for Variable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}
