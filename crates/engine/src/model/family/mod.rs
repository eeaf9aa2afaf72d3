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
use std::ops::RangeInclusive;
use std::sync::Arc;

/// The largest distance of a location from 0, in scales: farther out, floats cannot tell the scores apart.
const FARTHEST: f64 = 1e12;

/// The scales, and lengths of intervals, that a family may have: their squares and reciprocals stay within the range of floats.
const SCALES: RangeInclusive<f64> = 1e-150..=1e150;

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

    /// The parameters that are scores at which a member is not smooth.
    fn positions(&self) -> &'static [usize] {
        &[]
    }

    /// One line of documentation: the support, the formula, the meaning of the parameters.
    fn summary(&self) -> &'static str;

    /// The member with these parameters at the numeric level. The error names a parameter that no member has.
    fn numeric(&self, parameters: &[f64]) -> Result<Arc<dyn NumericDensity>, ParameterError>;

    /// The member as piecewise polynomials with rational coefficients, or the reason why it is not of this kind. By default a family has no
    /// such members.
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
    /// The reference values of the density written as `text`: its value at `x`, and the masses below and above `x`.
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

    /// The parameters of simple members, a vector for each member, the simplest first. The larger `most`, the more values of a parameter
    /// are combined.
    fn simple_parameters(&self, most: usize) -> Vec<Vec<Rational>>;

    /// Whether there is a member with these parameters.
    fn is_valid(&self, parameters: &[Rational]) -> bool;

    /// Whether all members have a bounded support. Members of such a family with whole parameters must be piecewise polynomials.
    fn is_bounded(&self) -> bool;

    /// Whether the support of a member lies in [0, 1].
    fn is_probabilistic(&self, parameters: &[Rational]) -> bool;

    /// Whether the likelihood ratio `f1/f0` of two members never falls. `false` if it falls or if this simple test does not tell.
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

    /// Whether the scores of a model of two members are evenly spread: `π0 f0 + π1 f1 = 1` on [0, 1].
    fn is_even(&self, _pi0: &Rational, _p0: &[Rational], _p1: &[Rational]) -> bool {
        false
    }
}

/// The exact value of parameter `k`, or the error that it is not rational.
fn exact_parameter(arguments: &[Argument], k: usize) -> Result<&Rational, NotPolynomial> {
    let refusal =
        || NotPolynomial { argument: Some(k), reason: "this number is not rational".into(), label: "not rational" };
    arguments[k].constant.exact.as_ref().ok_or_else(refusal)
}

/// The simple parameters of a family with a location and a scale: all pairs of five locations with at most `most` scales.
fn simple_locations(most: usize) -> Vec<Vec<Rational>> {
    let locations = [(0, 1), (1, 1), (2, 1), (-1, 1), (1, 2)].map(fraction);
    let scales = [(1, 1), (2, 1), (1, 2), (3, 1)].map(fraction);
    let scales = &scales[..scales.len().min(most)];
    let with_scales = |location: &Rational| -> Vec<Vec<Rational>> {
        scales.iter().map(|scale| vec![location.clone(), scale.clone()]).collect()
    };
    locations.iter().flat_map(with_scales).collect()
}

/// A fraction, given its numerator and denominator.
fn fraction((numerator, denominator): (i32, i32)) -> Rational {
    Rational::from(numerator) / Rational::from(denominator)
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

    /// Scores at which panels are cut first: between two neighbours the density has no feature, such as a narrow peak, that the 21 nodes of a
    /// panel could miss.
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

    /// Whether the derivative is as accurate as the values. If it is not, rounding errors disturb all integrals that depend on the derivative
    /// of the posterior.
    fn has_derivative(&self) -> bool {
        true
    }

    /// A bound on the relative error of the density, except far out where there is no noticeable mass.
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

    /// The integral over the support, if it is known without numerical integration.
    fn known_mass(&self) -> Option<f64> {
        Some(1.0)
    }
}

/// A parameter that a family cannot have, with the index of the argument that is at fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParameterError {
    /// The index of the argument.
    pub argument: usize,
    /// The reason, as a sentence.
    pub sentence: String,
}

impl ParameterError {
    /// The error that the argument with this index is invalid, for the reason in `sentence`.
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
    /// The density is negative somewhere.
    Negative {
        /// The score.
        at: f64,
        /// The value there.
        value: f64,
    },
    /// The density is infinite or not a number somewhere.
    NotFinite {
        /// The score.
        at: f64,
    },
    /// The density grows so fast towards an end that its integral diverges, or is not found.
    Diverges {
        /// The end.
        at: f64,
    },
}

/// A number with four decimals; in scientific notation if its size is below 0.01 or at least 1e9.
fn four_decimals(value: f64) -> String {
    if value != 0.0 && !(0.01..1e9).contains(&value.abs()) { format!("{value:.3e}") } else { format!("{value:.4}") }
}

impl fmt::Display for NoDensity {
    /// Writes the reason as a clause, with the score rounded.
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

/// Estimates of the mass beyond the score `x`, where the density is `value`, and of the part of the mean that lies there. A tail that falls
/// like `x^-k` has the mass `f(x)·x/(k-1)`; twice `f(x)·x` bounds it for `k >= 3/2`.
fn mass_and_mean_beyond(x: f64, value: f64) -> (f64, f64) {
    let mass = 2.0 * value.abs() * x.abs();
    (mass, mass * x.abs())
}

/// Landmarks of a bell-shaped density: its mean, and 3 and 6 standard deviations on either side.
fn bell_landmarks(mean: f64, deviation: f64) -> Vec<f64> {
    [-6.0, -3.0, 0.0, 3.0, 6.0].map(|k| mean + k * deviation).to_vec()
}
