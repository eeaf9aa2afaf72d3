//! Linear relations between integrals, and the potentials that prove them.

use crate::lower::Track;
use rocproof_algebra::{Fraction, Variable};

/// A linear relation `integral = Σ factor·other + constant`, with the potentials that prove it.
#[derive(Clone, Debug, PartialEq)]
pub struct LinearRelation {
    /// The integral.
    pub integral: Variable,
    /// The other integrals with their factors.
    pub others: Vec<(Variable, Fraction)>,
    /// The constant.
    pub constant: Fraction,
    /// For every stretch of every track, in order: a function whose differential is `integral - Σ factor·other` there.
    pub potentials: Vec<Potential>,
}

impl LinearRelation {
    /// `Σ factor·other + constant`.
    pub(crate) fn right_hand_side(&self) -> Fraction {
        let others = self.others.iter().map(|(other, factor)| factor * &Fraction::variable(*other));
        others.fold(self.constant.clone(), |sum, term| sum + term)
    }

    /// Substitutes the right-hand side for the integral in a fraction; `None` if it then divides by 0.
    pub fn apply(&self, fraction: &Fraction) -> Option<Fraction> {
        fraction.substitute(self.integral, &self.right_hand_side())
    }
}

/// A potential: a function of the coordinates on a stretch of a curve. The integral of its differential is its growth.
#[derive(Clone, Debug, PartialEq)]
pub struct Potential {
    /// The curve: the model's own or its hull.
    pub track: Track,
    /// The number of the stretch on that curve.
    pub stretch: usize,
    /// The function.
    pub function: Fraction,
}
