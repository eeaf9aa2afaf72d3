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
    /// The rest of the form.
    pub remainder: OneForm,
}

/// Whether a monomial has no unknown weight `w(…)` and none of some symbols.
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

struct Reduction<'a> {
    lowering: &'a Lowering,
    stretch: &'a CurveStretch,
    potential: Fraction,
    rest: OneForm,
}

impl Reduction<'_> {
    /// Moves a function from the remainder to the potential.
    fn take(&mut self, function: Fraction) -> Option<()> {
        let differential = OneForm::differential(&function, &self.lowering.base)?;
        self.rest = &self.rest - &self.stretch.restrict(&differential)?;
        self.potential = &self.potential + &function;
        Some(())
    }

    /// The terms of a kind in a coefficient; zero if its denominator depends on the coordinates.
    fn terms_of_kind(&self, of: &Fraction, is_of_kind: impl Fn(&Monomial) -> bool) -> Fraction {
        let varies = |symbol: &Symbol| of.factors().any(|(factor, _)| factor.depends_on(symbol));
        if Symbol::COORDINATES.iter().any(varies) {
            return Fraction::zero();
        }
        let [part, _] = of.partition_terms(is_of_kind);
        part
    }

    fn run(&mut self) -> Option<()> {
        let [x_moves, r_moves, c_moves] = self.stretch.moves;
        if c_moves {
            let part = self.terms_of_kind(&self.rest.dc, |m| free_of(m, &[]));
            self.take(part.antiderivative(Symbol::Posterior)?)?;
        }
        if x_moves {
            let part = self.terms_of_kind(&self.rest.dx, |m| free_of(m, &[Symbol::Posterior]));
            self.take(part.antiderivative(Symbol::Score)?)?;
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
        let linear = self.linear_in_posterior();
        let q = &linear.substitute(Symbol::Posterior, &Fraction::one())? * &beta1;
        self.take(q.antiderivative(Symbol::F1)?)?;
        let p = &self.linear_in_posterior().substitute(Symbol::Posterior, &Fraction::zero())? * &beta0;
        let [p, _] = p.partition_terms(|m| power(m, Symbol::F1) == 0);
        self.take(p.antiderivative(Symbol::F0)?)
    }

    /// The terms of the coefficient of `dR` that are free of `x` and at most linear in `c`.
    fn linear_in_posterior(&self) -> Fraction {
        self.terms_of_kind(&self.rest.dr, |m| free_of(m, &[Symbol::Score]) && power(m, Symbol::Posterior) <= 1)
    }

    /// On a segment of constant posterior, where each distribution function is a function of the other: integrates over the one that moves.
    fn reduce_on_segment(&mut self) -> Option<()> {
        let moving = if self.stretch.fixed.iter().any(|(v, _)| *v == Symbol::F0) { Symbol::F1 } else { Symbol::F0 };
        let speed = OneForm::differential(&Fraction::variable(&moving), &self.lowering.base)?;
        let speed = self.stretch.restrict(&speed)?.dr;
        let part = self.terms_of_kind(&self.rest.dr, |m| free_of(m, &[Symbol::Score]));
        self.take(part.over(&speed)?.antiderivative(moving)?)
    }
}

/// Reduces a form on a stretch.
pub fn reduce(form: &OneForm, stretch: &CurveStretch, lowering: &Lowering) -> Option<Reduced> {
    let mut reduction = Reduction { lowering, stretch, potential: Fraction::zero(), rest: stretch.restrict(form)? };
    reduction.run()?;
    Some(Reduced { potential: reduction.potential, remainder: reduction.rest })
}
