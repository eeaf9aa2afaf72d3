//! Relations between integrals, and the functions that show them.

use crate::lower::Track;
use rocproof_algebra::{Fraction, Variable};

/// An integral as a combination of others: `integral = Σ factor·other + constant`, with the potentials that show it.
#[derive(Clone, Debug, PartialEq)]
pub struct LinearRelation {
    /// The integral.
    pub integral: Variable,
    /// The others, and what they are multiplied by.
    pub others: Vec<(Variable, Fraction)>,
    /// What is added.
    pub constant: Fraction,
    /// For every stretch of every track, in order: the function of which the difference of the forms is the differential.
    pub potentials: Vec<Potential>,
}

impl LinearRelation {
    /// `Σ factor·other + constant`: what the integral equals.
    pub(crate) fn right_hand_side(&self) -> Fraction {
        let others = self.others.iter().map(|(other, factor)| factor * &Fraction::variable(*other));
        others.fold(self.constant.clone(), |sum, term| sum + term)
    }

    /// A fraction with what the integral equals in its place; `None` if that divides by zero.
    pub fn apply(&self, fraction: &Fraction) -> Option<Fraction> {
        fraction.substitute(self.integral, &self.right_hand_side())
    }
}

/// A function of the coordinates on a stretch of a curve.
#[derive(Clone, Debug, PartialEq)]
pub struct Potential {
    /// Whose curve.
    pub track: Track,
    /// Which stretch.
    pub stretch: usize,
    /// The function.
    pub function: Fraction,
}
