//! Splits a form into the differential of a potential and a remainder in normal form.
//!
//! The remainder is linear in the form. It vanishes exactly if the form is the differential of a polynomial in the coordinates.

use super::form::OneForm;
use super::lower::Lowering;
use super::path::CurveStretch;
use super::symbol::Symbol;
use rocproof_arith::{Fraction, multivariate::Monomial};

/// A form as `d(potential) + remainder`.
#[derive(Clone, Debug)]
pub struct Reduced {
    /// The potential, a function of the coordinates.
    pub potential: Fraction,
    /// The form minus the differential of the potential.
    pub remainder: OneForm,
}

/// Whether a monomial contains no unknown weight `w(…)`, which has no elementary antiderivative, and none of the given symbols.
fn free_of(monomial: &Monomial, symbols: &[Symbol]) -> bool {
    monomial.powers().iter().all(|(variable, _)| {
        let symbol = Symbol::of(*variable);
        !matches!(symbol, Symbol::Weight(_)) && !symbols.contains(&symbol)
    })
}

/// The power of a symbol in a monomial.
fn power(monomial: &Monomial, symbol: Symbol) -> u32 {
    monomial.power_of(symbol.into())
}

/// A reduction under way: the form is always `d(potential) + remainder`.
struct Reduction<'a> {
    lowering: &'a Lowering,
    stretch: &'a CurveStretch,
    potential: Fraction,
    remainder: OneForm,
}

impl Reduction<'_> {
    /// Adds a function to the potential, and subtracts its differential from the remainder. `None` if the differential is not defined on
    /// the stretch.
    fn move_to_potential(&mut self, function: Fraction) -> Option<()> {
        let differential = OneForm::differential(&function, &self.lowering.base)?;
        self.remainder = &self.remainder - &self.stretch.restrict(&differential)?;
        self.potential = &self.potential + &function;
        Some(())
    }

    /// The terms that satisfy a predicate, in a coefficient of the remainder; zero if its denominator depends on the coordinates.
    fn terms_that(coefficient: &Fraction, predicate: impl Fn(&Monomial) -> bool) -> Fraction {
        let is_in_denominator = |symbol: &Symbol| coefficient.factors().any(|(factor, _)| factor.depends_on(symbol));
        if Symbol::COORDINATES.iter().any(is_in_denominator) {
            return Fraction::zero();
        }
        let [terms, _] = coefficient.partition_terms(predicate);
        terms
    }

    /// Integrates the terms of the remainder that have an elementary potential: those of `dc` over `c`, those of `dx` without `c` over `x`,
    /// and those of `dR` without `x` over a distribution function. Each of these steps keeps the coefficients that the steps before have
    /// cleared. `None` if a potential has no differential on the stretch.
    fn run(&mut self) -> Option<()> {
        let [x_moves, r_moves, c_moves] = self.stretch.moves;
        if c_moves {
            let terms = Self::terms_that(&self.remainder.dc, |m| free_of(m, &[]));
            self.move_to_potential(terms.antiderivative(Symbol::Posterior)?)?;
        }
        if x_moves {
            let terms = Self::terms_that(&self.remainder.dx, |m| free_of(m, &[Symbol::Posterior]));
            self.move_to_potential(terms.antiderivative(Symbol::Score)?)?;
        }
        if r_moves && c_moves {
            self.reduce_on_arc()?;
        } else if r_moves {
            self.reduce_on_segment()?;
        }
        Some(())
    }

    /// On an arc: `(b0 + b1 c) dR` is `p dF0 + q dF1` with `p = β0 b0`, `q = β1 (b0 + b1)`; integrates `q` over `F1`, then `p` over `F0`.
    fn reduce_on_arc(&mut self) -> Option<()> {
        let [beta0, beta1] = self.lowering.base.clone();
        let q = &self.linear_in_posterior().substitute(Symbol::Posterior, &Fraction::one())? * &beta1;
        self.move_to_potential(q.antiderivative(Symbol::F1)?)?;
        // The differential of the first potential has changed the remainder: take its terms again.
        let p = &self.linear_in_posterior().substitute(Symbol::Posterior, &Fraction::zero())? * &beta0;
        let [p, _] = p.partition_terms(|m| power(m, Symbol::F1) == 0);
        self.move_to_potential(p.antiderivative(Symbol::F0)?)
    }

    /// The terms of the coefficient of `dR` that are free of `x` and at most linear in `c`.
    fn linear_in_posterior(&self) -> Fraction {
        Self::terms_that(&self.remainder.dr, |m| free_of(m, &[Symbol::Score]) && power(m, Symbol::Posterior) <= 1)
    }

    /// On a segment of constant posterior, where each distribution function is a function of the other: integrates over the one that moves.
    fn reduce_on_segment(&mut self) -> Option<()> {
        let variable = if self.stretch.fixed.iter().any(|(v, _)| *v == Symbol::F0) { Symbol::F1 } else { Symbol::F0 };
        // The derivative of that function in `R`.
        let speed = OneForm::differential(&Fraction::variable(&variable), &self.lowering.base)?;
        let speed = self.stretch.restrict(&speed)?.dr;
        let terms = Self::terms_that(&self.remainder.dr, |m| free_of(m, &[Symbol::Score]));
        self.move_to_potential(terms.over(&speed)?.antiderivative(variable)?)
    }
}

/// Reduces a form on a stretch; `None` if the form, or the differential of a potential, is not defined there.
pub fn reduce(form: &OneForm, stretch: &CurveStretch, lowering: &Lowering) -> Option<Reduced> {
    let mut reduction =
        Reduction { lowering, stretch, potential: Fraction::zero(), remainder: stretch.restrict(form)? };
    reduction.run()?;
    Some(Reduced { potential: reduction.potential, remainder: reduction.remainder })
}
