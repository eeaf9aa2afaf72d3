//! Proofs of inequalities, as they are found.

use super::lower::Base;
use super::relation::Potential;
use super::rules::Rule;
use rocproof_arith::{Fraction, Rational};

/// `scale·(larger - smaller) = Σ λ·(what a rule says is not negative)` for every model of the class, as the forms on both sides differ by
/// differentials of the potentials.
#[derive(Clone, Debug, PartialEq)]
pub struct InequalityProof {
    /// The proportions behind `R` and `c`.
    pub base: Base,
    /// What the difference is multiplied by; positive.
    pub scale: Fraction,
    /// The rules, and how often each is taken; none of these numbers is negative.
    pub terms: Vec<(Rational, Rule)>,
    /// The functions of the coordinates, one for each stretch that something is integrated along.
    pub potentials: Vec<Potential>,
}
