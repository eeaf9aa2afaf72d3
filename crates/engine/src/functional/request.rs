//! Requests for an evaluation: a level of evidence, operating conditions, thresholds.

use super::cost::Cost;
use super::thresholds::Thresholds;
use super::{certified, exact};
use rocproof_language::Diagnostic;
use std::fmt;

/// A level of evidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// Floating point with error estimates.
    Numeric,
    /// Enclosures that contain the truth by proof.
    Certified,
    /// Rational arithmetic, for densities that are piecewise polynomial.
    Exact,
    /// The strongest level that has a value, for each value.
    Best,
}

/// How a model is to be evaluated.
///
/// ```
/// use rocproof_engine::{Cost, Level, Request};
/// let request = Request::at(Level::Exact).under(Cost::parse("beta(2, 2)")?);
/// assert_eq!((request.level, request.cost.mean()), (Level::Exact, 0.5));
/// # Ok::<(), rocproof_language::Diagnostic>(())
/// ```
#[derive(Clone, Debug)]
pub struct Request {
    /// The level of evidence.
    pub level: Level,
    /// The distribution of operating conditions.
    pub cost: Cost,
    /// The threshold and the rate of the fixed methods.
    pub thresholds: Thresholds,
    /// How narrow enclosures should be, at the certified level.
    pub width: f64,
}

/// The strongest level, uniform operating conditions, thresholds at 1/2.
impl Default for Request {
    fn default() -> Request {
        Request::at(Level::Best)
    }
}

impl Request {
    /// A level of evidence, uniform operating conditions, thresholds at 1/2.
    pub fn at(level: Level) -> Request {
        Request { level, cost: Cost::uniform(), thresholds: Thresholds::default(), width: certified::WIDTH }
    }

    /// Sets the distribution of operating conditions.
    pub fn under(self, cost: Cost) -> Request {
        Request { cost, ..self }
    }

    /// Sets the threshold and the rate of the fixed methods.
    pub fn with_thresholds(self, thresholds: Thresholds) -> Request {
        Request { thresholds, ..self }
    }

    /// Sets how narrow enclosures should be.
    pub fn within(self, width: f64) -> Request {
        Request { width, ..self }
    }
}

/// Why a model has no evaluation at a level.
#[derive(Clone, Debug)]
pub enum Refusal {
    /// No level serves the model: it is none, or its class proportions are out of reach.
    Model(Box<Diagnostic>),
    /// The exact level does not serve it.
    Exact(exact::ExactRefusal),
    /// The certified level does not serve it.
    Certified(certified::CertifiedRefusal),
}

impl Refusal {
    /// The diagnostic that shows the cause in the user's text, if it has a place there.
    pub fn diagnostic(&self) -> Option<&Diagnostic> {
        match self {
            Refusal::Model(diagnostic) | Refusal::Certified(certified::CertifiedRefusal::Density(diagnostic)) => {
                Some(diagnostic)
            }
            Refusal::Exact(exact::ExactRefusal::NotPiecewise(why)) => Some(why.diagnostic()),
            Refusal::Exact(exact::ExactRefusal::Undecided) | Refusal::Certified(_) => None,
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Model(diagnostic) => diagnostic.fmt(f),
            Refusal::Exact(refusal) => refusal.fmt(f),
            Refusal::Certified(refusal) => refusal.fmt(f),
        }
    }
}

impl std::error::Error for Refusal {}

impl From<Diagnostic> for Refusal {
    fn from(diagnostic: Diagnostic) -> Refusal {
        Refusal::Model(Box::new(diagnostic))
    }
}

impl From<exact::ExactRefusal> for Refusal {
    fn from(refusal: exact::ExactRefusal) -> Refusal {
        Refusal::Exact(refusal)
    }
}

impl From<certified::CertifiedRefusal> for Refusal {
    fn from(refusal: certified::CertifiedRefusal) -> Refusal {
        Refusal::Certified(refusal)
    }
}
