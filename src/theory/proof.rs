//! Proofs of inequalities, and the check that they prove what they claim.

use super::form::Form;
use super::lower::{Base, Setting, Track};
use super::relations::Potential;
use super::rules::factor::{is_positive, is_strict, larger_minus_smaller};
use super::rules::{Context, Rule};
use super::sum::Sum;
use crate::arith::{Fraction, Rational};
use crate::lang::Relation;
use crate::statement::{Comparison, Statement};

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

impl InequalityProof {
    /// Checks that it proves a comparison of a statement; why not, if it does not.
    pub fn verify(&self, statement: &Statement, comparison: &Comparison) -> Result<(), String> {
        if comparison.relation == Relation::Equal {
            return Err("an equality has two proofs, one for each direction".into());
        }
        let mut setting = Setting::new(statement, self.base).map_err(|why| why.to_string())?;
        let context = &mut Context { setting: &mut setting, statement };
        let difference = larger_minus_smaller(context, comparison)?;
        if !is_positive(context, &self.scale) {
            return Err(format!("{} is not positive for every model", self.scale));
        }
        let mut rest = Sum::of(&setting, &(&difference * &self.scale)).map_err(|why| why.to_string())?;
        let mut strict = false;
        for (factor, rule) in &self.terms {
            if *factor < Rational::ZERO {
                return Err("a rule is taken with a negative factor".into());
            }
            let known = rule.non_negative(&mut setting, statement)?;
            rest.add(&known.sum, &Fraction::constant(-factor));
            strict |= known.positive && !factor.is_zero();
        }
        vanishes(&rest, &self.potentials, &setting)?;
        if is_strict(comparison.relation) && !strict {
            return Err("nothing in it is positive for every model, so the sides may be equal".into());
        }
        Ok(())
    }
}

/// Checks that a sum is zero for every model: its forms are the differentials of the potentials, and these grow by as much as the
/// number lacks.
fn vanishes(sum: &Sum, potentials: &[Potential], setting: &Setting) -> Result<(), String> {
    let mut value = sum.value.clone();
    for ((track, k), form) in &sum.forms {
        let known = potentials.iter().find(|p| p.track == *track && p.stretch == *k);
        let function = known.map_or_else(Fraction::zero, |p| p.function.clone());
        let stretches = setting.stretches(*track);
        let stretch = stretches.get(*k).ok_or("there is no such stretch")?;
        let differential = Form::differential(&function, &setting.base).and_then(|d| stretch.restrict(&d));
        let differential = differential.ok_or("a potential is not defined everywhere")?;
        if !(form - &differential).is_zero() {
            let whose = if *track == Track::Own { "curve" } else { "hull" };
            return Err(format!("the integrands along the {whose} do not add up"));
        }
        value = value + stretch.growth(&function).ok_or("a potential is not defined at an end")?;
    }
    if value.is_zero() { Ok(()) } else { Err(format!("the sides differ by {value}")) }
}
