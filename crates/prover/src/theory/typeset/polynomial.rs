//! Polynomials in the symbols of a proof.

use super::fraction::Names;
use super::{SignedText, Style};
use crate::theory::symbol::Symbol;
use rocproof_algebra::signed_sum;
use rocproof_arith::{Multinomial, Variable};
use std::collections::BTreeMap;

/// The powers of the variables of a monomial.
type Powers = Vec<(Variable, u32)>;

impl Style {
    /// A polynomial, collected by the variables other than `π0`, highest degree first. The coefficients are written in `π0` and `π1`, as
    /// short as possible.
    pub(super) fn polynomial(self, polynomial: &Multinomial, names: Names) -> String {
        let mut terms: Vec<SignedText> = Vec::new();
        for (powers, coefficient) in collect_by_others(polynomial) {
            let (negative, coefficient) = self.in_proportions(&coefficient, !powers.is_empty());
            let mut factors = Vec::new();
            if coefficient != "1" || powers.is_empty() {
                factors.push(coefficient);
            }
            factors.extend(powers.iter().map(|(variable, power)| self.power(&names(*variable), *power)));
            terms.push((negative, factors.join(" ")));
        }
        move_positive_first(&mut terms);
        if terms.is_empty() { "0".into() } else { signed_sum(terms) }
    }
}

/// The coefficients of a polynomial in the variables other than `π0`, which are polynomials in `π0`; monomials of the highest degree come first.
fn collect_by_others(polynomial: &Multinomial) -> Vec<(Powers, Multinomial)> {
    let mut collected: BTreeMap<Powers, Multinomial> = BTreeMap::new();
    for (powers, coefficient) in polynomial.terms() {
        let (in_pi0, in_others): (Powers, Powers) =
            powers.iter().copied().partition(|(variable, _)| Symbol::of(*variable) == Symbol::Pi0);
        let pi0_power = in_pi0.first().map_or(0, |(_, power)| *power);
        *collected.entry(in_others).or_insert_with(Multinomial::zero) +=
            Multinomial::variable("pi0").power(pi0_power).scaled(coefficient);
    }
    let degree = |powers: &Powers| powers.iter().map(|(_, power)| *power).sum::<u32>();
    let mut terms: Vec<(Powers, Multinomial)> = collected.into_iter().collect();
    // The sort is stable: monomials of equal degree stay in ascending order.
    terms.sort_by_key(|(powers, _)| std::cmp::Reverse(degree(powers)));
    terms
}

/// Moves the first positive term of a sum to its beginning, if there is one, so that the sum does not begin with a sign.
pub(super) fn move_positive_first(terms: &mut [SignedText]) {
    if let Some(k) = terms.iter().position(|(negative, _)| !negative) {
        terms[..=k].rotate_right(1);
    }
}
