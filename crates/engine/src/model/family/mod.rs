//! The families of densities: one file each.
//!
//! A family declares its support, the points inside where it is not smooth, how it behaves at its ends, where its
//! mass is, and its logarithm with derivative; everything else (distribution function, quantiles, moments) follows from
//! these by integration, for all families alike.

mod beta;
pub(super) mod expression;
mod function;
mod logistic;
mod normal;
mod triangular;
mod uniform;

pub use beta::Beta;
pub use expression::Expression;
pub use function::{Function, Values};
pub use logistic::Logistic;
pub use normal::Normal;
pub use triangular::Triangular;
pub use uniform::Uniform;

use super::behaviour::Behaviour;
use crate::calculus::coordinate::Places;
use crate::calculus::rule::Sites;
use std::fmt;

/// How many scales away from 0 a family may lie: farther out, floats cannot tell its scores apart.
const FARTHEST: f64 = 1e12;

/// An end of an interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum End {
    Left,
    Right,
}

/// What a family of densities declares about itself.
pub trait Family: fmt::Debug + Send + Sync {
    /// The interval outside which the density is zero.
    fn support(&self) -> (f64, f64);

    /// Points strictly inside the support where the density is not smooth.
    fn breakpoints(&self) -> Vec<f64> {
        Vec::new()
    }

    /// How the density behaves at a finite end of its support.
    fn behaviour(&self, end: End) -> Behaviour;

    /// Points between which the density has no feature that 21 nodes could miss.
    fn landmarks(&self) -> Vec<f64> {
        Vec::new()
    }

    /// The support, its infinite ends replaced by points beyond which less than 1e-20 of the mass lies.
    fn effective_support(&self) -> (f64, f64) {
        self.support()
    }

    /// `ln f` and its derivative at the given places, all of which lie inside the support and on one side of each
    /// breakpoint.
    fn log_density(&self, places: &Places, log: &mut Sites, slope: &mut Sites);

    /// Whether its derivative is as good as its values. Where it is not, rounding shows in everything that turns with the posterior.
    fn has_derivative(&self) -> bool {
        true
    }

    /// A bound on the relative error of the density where its mass is.
    fn rounding(&self) -> f64 {
        8.0 * f64::EPSILON
    }

    /// Bounds on the mass, and on the part of the mean, beyond the effective support.
    fn tails(&self) -> (f64, f64) {
        (0.0, 0.0)
    }

    /// The density, if it is the same everywhere on its support.
    fn height(&self) -> Option<f64> {
        None
    }

    /// Its integral, where that is known without integrating.
    fn known_mass(&self) -> Option<f64> {
        Some(1.0)
    }
}

/// A parameter that a family cannot have, with the index of the argument that is at fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParameterError {
    /// Which argument.
    pub argument: usize,
    /// What is wrong with it, as a sentence.
    pub sentence: String,
}

impl ParameterError {
    fn new(argument: usize, sentence: impl Into<String>) -> ParameterError {
        ParameterError { argument, sentence: sentence.into() }
    }
}

impl fmt::Display for ParameterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.sentence)
    }
}

impl std::error::Error for ParameterError {}

/// Why something is no density.
#[derive(Clone, Debug, PartialEq)]
pub enum NoDensity {
    /// It is negative somewhere.
    Negative {
        /// Where.
        at: f64,
        /// How much.
        value: f64,
    },
    /// It is not a finite number somewhere.
    NotFinite {
        /// Where.
        at: f64,
    },
    /// It grows so fast at an end that no integral of it is found, if there is one.
    Diverges {
        /// At which end.
        at: f64,
    },
}

/// Four digits after the point; a number that would have too few of its own is written with its power of ten.
fn short(value: f64) -> String {
    if value != 0.0 && !(0.01..1e9).contains(&value.abs()) { format!("{value:.3e}") } else { format!("{value:.4}") }
}

impl fmt::Display for NoDensity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoDensity::Negative { at, value } => {
                write!(f, "the density is negative: {} at x = {}", short(*value), short(*at))
            }
            NoDensity::NotFinite { at } => write!(f, "the density is not a finite number at x = {}", short(*at)),
            NoDensity::Diverges { at } => write!(
                f,
                "no integral of the density was found: at x = {at} it grows about as fast as one over the distance, or faster"
            ),
        }
    }
}

impl std::error::Error for NoDensity {}

/// Bounds on the mass, and on the part of the mean, beyond a score where the density has a value. A tail that falls like `x^-k` holds
/// `f(x)·x/(k-1)`; what falls no faster than `x^-2` has no mean.
fn beyond(x: f64, value: f64) -> (f64, f64) {
    let mass = 2.0 * value.abs() * x.abs();
    (mass, mass * x.abs())
}

/// The mean and standard deviations around it between which a bell has no hidden feature.
fn bell_landmarks(mean: f64, deviation: f64) -> Vec<f64> {
    [-6.0, -3.0, 0.0, 3.0, 6.0].map(|k| mean + k * deviation).to_vec()
}
