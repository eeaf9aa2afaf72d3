//! The families of densities: one file each, known to the rest of the program through [`FAMILIES`].
//!
//! A file holds the numeric, the exact and the certified reading of its family, the facts that the search for counterexamples uses, and
//! reference values, which a test compares with all readings.

mod beta;
pub(super) mod expression;
mod function;
mod gamma;
mod logistic;
mod normal;
#[cfg(test)]
mod tests;
mod triangular;
mod uniform;

/// All families.
pub static FAMILIES: &[&dyn Family] =
    &[&beta::FAMILY, &triangular::FAMILY, &uniform::FAMILY, &normal::FAMILY, &logistic::FAMILY, &gamma::FAMILY];

pub use beta::{Beta, beta_mass, centered_beta_mass};
pub use expression::Expression;
pub use function::{Function, Values};
pub use gamma::Gamma;
pub use logistic::Logistic;
pub use normal::Normal;
pub use triangular::Triangular;
pub use uniform::Uniform;

use super::behaviour::Behaviour;
use super::certified::{EnclosedMixture, Trouble};
use super::piecewise::{NotPolynomial, Piecewise};
use super::tree::Argument;
use crate::calculus::coordinate::Places;
use crate::calculus::rule::Sites;
use rocproof_arith::Rational;
use std::fmt;
use std::sync::Arc;

/// How many scales away from 0 a family may lie: farther out, floats cannot tell its scores apart.
const FARTHEST: f64 = 1e12;

/// The family with this name.
pub fn find(name: &str) -> Option<&'static dyn Family> {
    FAMILIES.iter().copied().find(|family| family.name() == name)
}

/// A family of densities: `name(parameters)` in the language.
pub trait Family: fmt::Debug + Sync {
    /// The name.
    fn name(&self) -> &'static str;

    /// The names of the parameters.
    fn parameters(&self) -> &'static [&'static str];

    /// One line of documentation: the support, the formula, the meaning of the parameters.
    fn summary(&self) -> &'static str;

    /// The member with these parameters at the numeric level, or the parameter that no member has.
    fn numeric(&self, parameters: &[f64]) -> Result<Arc<dyn NumericDensity>, ParameterError>;

    /// The member as piecewise polynomials with rational coefficients, if it is that.
    fn exact(&self, _arguments: &[Argument]) -> Result<Piecewise, NotPolynomial> {
        let reason = format!("a {} density is not piecewise polynomial", self.name());
        Err(NotPolynomial { argument: None, reason, label: "not polynomial" })
    }

    /// The member at the certified level.
    fn enclosed(&self, arguments: &[Argument]) -> Result<EnclosedMixture, Trouble>;

    /// The facts that the search for counterexamples uses; `None` if it does not draw from this family.
    fn search(&self) -> Option<&'static dyn SearchFacts> {
        None
    }

    /// Reference values, computed with at least 30 digits by other means. At least three rows.
    fn references(&self) -> &'static [Reference];

    /// The name with its parameters: `beta(a, b)`.
    fn form(&self) -> String {
        format!("{}({})", self.name(), self.parameters().join(", "))
    }
}

/// Reference values of one member at one score.
#[derive(Clone, Copy, Debug)]
pub struct Reference {
    /// The density in the language.
    pub text: &'static str,
    /// The score.
    pub x: f64,
    /// The density there.
    pub density: f64,
    /// The mass below the score.
    pub below: f64,
    /// The mass above the score.
    pub above: f64,
}

impl Reference {
    /// A row: a density in the language, a score, and the density there, the mass below it and the mass above it.
    pub const fn new(text: &'static str, x: f64, [density, below, above]: [f64; 3]) -> Reference {
        Reference { text, x, density, below, above }
    }
}

/// How the search draws a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParameterRange {
    /// Always this number.
    Fixed(i8),
    /// Between 0 and 1.
    Unit,
    /// Positive, small and large.
    Positive,
    /// Any number around 0.
    Location,
}

/// Facts about a family with rational parameters that the search for counterexamples uses.
pub trait SearchFacts: Sync {
    /// How each parameter is drawn at random.
    fn ranges(&self) -> &'static [ParameterRange];

    /// Simple parameters, the simplest first; `most` says how many values of each parameter are used.
    fn simple_parameters(&self, most: usize) -> Vec<Vec<Rational>>;

    /// Whether there is a member with these parameters.
    fn is_valid(&self, parameters: &[Rational]) -> bool;

    /// Whether all members have a bounded support. Those with whole parameters are then polynomials.
    fn is_bounded(&self) -> bool;

    /// Whether the support of a member lies in [0, 1].
    fn is_probabilistic(&self, parameters: &[Rational]) -> bool;

    /// Whether the likelihood ratio `f1/f0` of two members never falls.
    fn has_rising_ratio(&self, p0: &[Rational], p1: &[Rational]) -> bool;

    /// Changes the parameters of two members such that their ratio never falls, where that is easy.
    fn make_ratio_rise(&self, _p0: &mut [Rational], _p1: &mut [Rational]) {}

    /// The proportion of class 0 with which two members are calibrated, if there is one.
    fn calibrating_proportion(&self, _p0: &[Rational], _p1: &[Rational]) -> Option<Rational> {
        None
    }

    /// Whether a model of two members is calibrated.
    fn is_calibrated(&self, _pi0: &Rational, _p0: &[Rational], _p1: &[Rational]) -> bool {
        false
    }

    /// Whether the scores of a model of two members are evenly spread.
    fn is_even(&self, _pi0: &Rational, _p0: &[Rational], _p1: &[Rational]) -> bool {
        false
    }
}

/// A rational parameter, or the refusal of one that is not rational.
fn exact_parameter(arguments: &[Argument], k: usize) -> Result<&Rational, NotPolynomial> {
    let refusal =
        || NotPolynomial { argument: Some(k), reason: "this number is not rational".into(), label: "not rational" };
    arguments[k].constant.exact.as_ref().ok_or_else(refusal)
}

/// Pairs of a simple location and a simple scale, with at most `most` scales.
fn simple_locations(most: usize) -> Vec<Vec<Rational>> {
    let number = |(above, below): (i32, i32)| Rational::from(above) / Rational::from(below);
    let locations = [(0, 1), (1, 1), (2, 1), (-1, 1), (1, 2)].map(number);
    let scales = [(1, 1), (2, 1), (1, 2), (3, 1)].map(number);
    let scales = &scales[..scales.len().min(most)];
    locations.iter().flat_map(|m| scales.iter().map(|s| vec![m.clone(), s.clone()])).collect()
}

/// An end of an interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum End {
    Left,
    Right,
}

/// A smooth density at the numeric level: support, breakpoints, behaviour at the ends, and the logarithm with its derivative. Distribution
/// function, quantiles and moments follow by integration.
pub trait NumericDensity: fmt::Debug + Send + Sync {
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
    /// The reason, as a sentence.
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

/// A number with four decimals; in scientific notation if it is smaller than 0.01 or very large.
fn four_decimals(value: f64) -> String {
    if value != 0.0 && !(0.01..1e9).contains(&value.abs()) { format!("{value:.3e}") } else { format!("{value:.4}") }
}

impl fmt::Display for NoDensity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoDensity::Negative { at, value } => {
                write!(f, "the density is negative: {} at x = {}", four_decimals(*value), four_decimals(*at))
            }
            NoDensity::NotFinite { at } => {
                write!(f, "the density is not a finite number at x = {}", four_decimals(*at))
            }
            NoDensity::Diverges { at } => write!(
                f,
                "no integral of the density was found: at x = {at} it grows about as fast as one over the distance, or faster"
            ),
        }
    }
}

impl std::error::Error for NoDensity {}

/// Estimates of the mass beyond the score `x`, where the density is `value`, and of its part of the mean. A tail that falls like `x^-k`
/// has the mass `f(x)·x/(k-1)`; twice `f(x)·x` bounds it for `k >= 3/2`.
fn mass_and_mean_beyond(x: f64, value: f64) -> (f64, f64) {
    let mass = 2.0 * value.abs() * x.abs();
    (mass, mass * x.abs())
}

/// Landmarks of a bell: its mean, and 3 and 6 standard deviations on either side.
fn bell_landmarks(mean: f64, deviation: f64) -> Vec<f64> {
    [-6.0, -3.0, 0.0, 3.0, 6.0].map(|k| mean + k * deviation).to_vec()
}
