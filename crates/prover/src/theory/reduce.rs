//! What a form is up to the differential of a function: the function, and a remainder in a normal form.
//!
//! The remainder is linear in the form, and vanishes exactly if the form is a differential of a polynomial in the coordinates.

use super::form::OneForm;
use super::lower::Lowering;
use super::path::CurveStretch;
use super::symbol::Symbol;
use rocproof_arith::{Fraction, multivariate::Monomial};

/// A form as `d(potential) + remainder`.
#[derive(Clone, Debug)]
pub struct Reduced {
    /// A function of the coordinates.
    pub potential: Fraction,
    /// What no such function accounts for.
    pub remainder: OneForm,
}

/// Whether a monomial is free of weights that nothing is known of, and of some variables.
fn free_of(monomial: &Monomial, symbols: &[Symbol]) -> bool {
    monomial.powers().iter().all(|(variable, _)| {
        let symbol = Symbol::of(*variable);
        !matches!(symbol, Symbol::Weight(_)) && !symbols.contains(&symbol)
    })
}

/// The power of a variable in a monomial.
fn power(monomial: &Monomial, symbol: Symbol) -> u32 {
    monomial.power_of(symbol.into())
}

struct Reduction<'a> {
    setting: &'a Lowering,
    stretch: &'a CurveStretch,
    potential: Fraction,
    rest: OneForm,
}

impl Reduction<'_> {
    /// Moves a function from the remainder to the potential.
    fn take(&mut self, function: Fraction) -> Option<()> {
        let differential = OneForm::differential(&function, &self.setting.base)?;
        self.rest = &self.rest - &self.stretch.restrict(&differential)?;
        self.potential = &self.potential + &function;
        Some(())
    }

    /// What of a part has terms of a kind and a denominator free of the coordinates.
    fn part(&self, of: &Fraction, is_of_kind: impl Fn(&Monomial) -> bool) -> Fraction {
        let varies = |symbol: &Symbol| of.factors().any(|(factor, _)| factor.depends_on(symbol));
        if Symbol::COORDINATES.iter().any(varies) {
            return Fraction::zero();
        }
        let [part, _] = of.parted(is_of_kind);
        part
    }

    fn run(&mut self) -> Option<()> {
        let [x_moves, r_moves, c_moves] = self.stretch.moves;
        if c_moves {
            let part = self.part(&self.rest.dc, |m| free_of(m, &[]));
            self.take(part.antiderivative(Symbol::Posterior)?)?;
        }
        if x_moves {
            let part = self.part(&self.rest.dx, |m| free_of(m, &[Symbol::Posterior]));
            self.take(part.antiderivative(Symbol::Score)?)?;
        }
        if r_moves && c_moves {
            self.curved()?;
        } else if r_moves {
            self.straight()?;
        }
        Some(())
    }

    /// `(b0 + b1 c) dR` is `p dF0 + q dF1` with `p = β0 b0`, `q = β1 (b0 + b1)`.
    fn curved(&mut self) -> Option<()> {
        let [beta0, beta1] = self.setting.base.clone();
        let linear = self.linear();
        let q = &linear.substitute(Symbol::Posterior, &Fraction::one())? * &beta1;
        self.take(q.antiderivative(Symbol::F1)?)?;
        let p = &self.linear().substitute(Symbol::Posterior, &Fraction::zero())? * &beta0;
        let [p, _] = p.parted(|m| power(m, Symbol::F1) == 0);
        self.take(p.antiderivative(Symbol::F0)?)
    }

    /// The part of what multiplies `dR` that is free of `x` and at most linear in `c`.
    fn linear(&self) -> Fraction {
        self.part(&self.rest.dr, |m| free_of(m, &[Symbol::Score]) && power(m, Symbol::Posterior) <= 1)
    }

    /// Where the posterior stands still, one distribution function tells the other.
    fn straight(&mut self) -> Option<()> {
        let moving = if self.stretch.fixed.iter().any(|(v, _)| *v == Symbol::F0) { Symbol::F1 } else { Symbol::F0 };
        let speed = OneForm::differential(&Fraction::variable(&moving), &self.setting.base)?;
        let speed = self.stretch.restrict(&speed)?.dr;
        let part = self.part(&self.rest.dr, |m| free_of(m, &[Symbol::Score]));
        self.take(part.over(&speed)?.antiderivative(moving)?)
    }
}

/// Reduces a form on a stretch.
pub fn reduce(form: &OneForm, stretch: &CurveStretch, setting: &Lowering) -> Option<Reduced> {
    let mut reduction = Reduction { setting, stretch, potential: Fraction::zero(), rest: stretch.restrict(form)? };
    reduction.run()?;
    Some(Reduced { potential: reduction.potential, remainder: reduction.rest })
}
