//! Proofs of inequalities, as the search finds them.

use super::lower::Base;
use super::relation::Potential;
use super::rules::Rule;
use rocproof_arith::{Fraction, Rational};

/// `scale·(larger - smaller) = Σ λ·(sum of a rule)` for every model of the class: the forms on both sides differ by the differentials of the
/// potentials.
#[derive(Clone, Debug, PartialEq)]
pub struct InequalityProof {
    /// The proportions behind `R` and `c`.
    pub base: Base,
    /// The positive factor of the difference.
    pub scale: Fraction,
    /// The rules with their coefficients, which are not negative.
    pub terms: Vec<(Rational, Rule)>,
    /// The potentials, functions of the coordinates: one for each stretch with an integral.
    pub potentials: Vec<Potential>,
}
