//! The checker: verifies that a certificate proves its statement.
//!
//! It shares nothing with the search for proofs. It trusts the reading of statements ([`crate::statement`]), the lowering of functionals
//! ([`super::lower`], [`super::form`], [`super::path`]), the rules ([`super::rules`]), and the arithmetic of fractions. It checks everything
//! else:
//!
//! * A relation `integral = Σ factor·other + constant` holds if the form of `integral - Σ factor·other` is the differential of a potential
//!   on every stretch, and the constant is the sum of the growths of the potentials.
//! * An equality holds if the difference of its sides becomes 0 when relations are applied. Each application keeps the value of the
//!   difference, so their order and number do not matter.
//! * An inequality holds if a positive multiple of the larger side minus the smaller one is a sum of quantities that rules show not to be
//!   negative, with non-negative multiples. It is strict if one of these quantities is positive.
//! * The claims of the certificate are all claims of the statement, and everything else in its JSON equals what is written again from the
//!   checked parts.

use crate::certificate::{Certificate, Proof, ProofStep, growth, never_vanishes};
use crate::form::OneForm;
use crate::inequalities::inequalities;
use crate::lower::{Lowering, Track};
use crate::relation::{LinearRelation, Potential};
use crate::rules::Context;
use crate::rules::factor::is_positive;
use crate::statement::Statement;
use crate::sum::IntegralSum;
use crate::symbol::Symbol;
use rocproof_algebra::{Fraction, Multinomial, Rational, invariant};
use rocproof_language as lang;
use serde_json::Value;
use std::collections::BTreeSet;

/// The content of a certificate that was accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verified {
    /// The statement.
    pub statement: String,
    /// The hypotheses.
    pub hypotheses: Vec<String>,
    /// The claims.
    pub claims: Vec<String>,
}

/// Why a certificate was rejected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Rejected(pub String);

/// Checks a certificate.
pub fn verify(value: &Value) -> Result<Verified, Rejected> {
    let certificate = Certificate::from_json(value).map_err(Rejected)?;
    let statement = &certificate.statement;
    if certificate.claims.is_empty() || certificate.claims.len() != statement.claims.len() {
        return Err(Rejected("not every claim of the statement has a proof".into()));
    }
    for (claim, stated) in certificate.claims.iter().zip(&statement.claims) {
        let shown: Vec<String> = claim.steps.iter().map(|step| step.comparison.to_string()).collect();
        let is_whole = shown == [stated.to_string()];
        let is_split =
            || inequalities(stated).is_ok_and(|parts| parts.iter().map(ToString::to_string).eq(shown.iter().cloned()));
        if shown.is_empty() || !(is_whole || is_split()) {
            return Err(Rejected(format!("what is shown is not `{stated}`")));
        }
        for step in &claim.steps {
            check(step, statement).map_err(|why| Rejected(format!("`{}`: {why}", step.comparison)))?;
        }
    }
    // Parts of the JSON that were not read must equal what is written from the parts that were.
    let written = certificate.to_json();
    if let Some((place, wanted)) = first_difference(&written, value, String::new()) {
        return Err(Rejected(format!("{place} should be {wanted}")));
    }
    let claims = statement.claims.iter().map(ToString::to_string).collect();
    Ok(Verified { statement: statement.to_string(), hypotheses: certificate.hypotheses(), claims })
}

/// The path of the first difference of two JSON values, and the value that was wanted there.
fn first_difference(wanted: &Value, found: &Value, at: String) -> Option<(String, String)> {
    match (wanted, found) {
        (Value::Object(wanted), Value::Object(found)) => {
            if let Some(extra) = found.keys().find(|key| !wanted.contains_key(*key)) {
                return Some((format!("{at}/{extra}"), "left out".into()));
            }
            wanted.iter().find_map(|(key, value)| {
                first_difference(value, found.get(key).unwrap_or(&Value::Null), format!("{at}/{key}"))
            })
        }
        (Value::Array(wanted), Value::Array(found)) if wanted.len() == found.len() => {
            let pairs = wanted.iter().zip(found).enumerate();
            pairs.into_iter().find_map(|(i, (wanted, found))| first_difference(wanted, found, format!("{at}/{i}")))
        }
        _ => (wanted != found).then(|| (at, wanted.to_string())),
    }
}

/// Checks one step of a proof.
fn check(step: &ProofStep, statement: &Statement) -> Result<(), String> {
    let lowering = &step.lowering;
    let names: BTreeSet<&str> = lowering.integrals.iter().map(|integral| integral.name.name()).collect();
    if names.len() != lowering.integrals.len() {
        return Err("two integrals have one name".into());
    }
    match &step.proof {
        Proof::Vanishes(relations) => {
            if [lang::Relation::Less, lang::Relation::Greater].contains(&step.comparison.relation) {
                return Err("a difference that vanishes is not positive".into());
            }
            let mut difference = &step.left - &step.right;
            for relation in relations {
                check_relation(relation, lowering)
                    .map_err(|why| format!("the relation of {}: {why}", relation.integral))?;
                if !difference.depends_on(relation.integral) {
                    return Err(format!("the relation of {} is not used", relation.integral));
                }
                difference = relation
                    .apply(&difference)
                    .ok_or_else(|| format!("{} makes it divide by zero", relation.integral))?;
            }
            if difference.is_zero() { Ok(()) } else { Err(format!("the sides differ by {difference}")) }
        }
        Proof::Sum { scale, terms, potentials } => {
            let mut lowering = lowering.clone();
            if !is_positive(&Context { lowering: &mut lowering, statement }, scale) {
                return Err(format!("{scale} is not positive for every model"));
            }
            let (larger, smaller) = match step.comparison.relation {
                lang::Relation::AtMost | lang::Relation::Less => (&step.right, &step.left),
                lang::Relation::AtLeast | lang::Relation::Greater => (&step.left, &step.right),
                lang::Relation::Equal => return Err("an equality is shown in two directions".into()),
            };
            let mut difference =
                IntegralSum::of(&lowering, &(&(larger - smaller) * scale)).map_err(|why| why.to_string())?;
            let mut strict = false;
            for (times, rule) in terms {
                if *times < Rational::ZERO {
                    return Err(format!("a rule is taken {times} times"));
                }
                let known = rule.non_negative(&mut lowering, statement)?;
                difference.add(&known.sum, &Fraction::constant(-times));
                strict |= known.positive && !times.is_zero();
            }
            if [lang::Relation::Less, lang::Relation::Greater].contains(&step.comparison.relation) && !strict {
                return Err("nothing in it is positive for every model, so the sides may be equal".into());
            }
            let value = &difference.value + &integrate(&difference, potentials, &lowering)?;
            if value.is_zero() { Ok(()) } else { Err(format!("the sides differ by {value}")) }
        }
    }
}

/// Checks that a linear relation holds for every curve.
fn check_relation(relation: &LinearRelation, lowering: &Lowering) -> Result<(), String> {
    let known = |name| lowering.integrals.iter().any(|integral| integral.name == name);
    let names = || relation.others.iter().map(|(other, _)| *other).chain([relation.integral]);
    if let Some(unknown) = names().find(|name| !known(*name)) {
        return Err(format!("there is no integral {unknown}"));
    }
    for (_, factor) in &relation.others {
        check_symbols(factor, Symbol::is_number, lowering)?;
    }
    let mut others = relation.clone();
    others.constant = Fraction::zero();
    let difference = Fraction::variable(relation.integral) - others.right_hand_side();
    let sum = IntegralSum::of(lowering, &difference).map_err(|why| why.to_string())?;
    let constant = integrate(&sum, &relation.potentials, lowering)? + sum.value;
    if constant == relation.constant { Ok(()) } else { Err(format!("the potentials grow by {constant}")) }
}

/// The value of the integrals in a sum: the growth of potentials whose differentials are the forms. Fails if they are not.
fn integrate(sum: &IntegralSum, potentials: &[Potential], lowering: &Lowering) -> Result<Fraction, String> {
    let places: BTreeSet<(Track, usize)> = potentials.iter().map(|p| (p.track, p.stretch)).collect();
    if places.len() != potentials.len() || !places.iter().eq(sum.forms.keys()) {
        return Err("there must be one potential for each stretch that something is integrated along".into());
    }
    let mut value = Fraction::zero();
    for potential in potentials {
        let (function, place) = (&potential.function, (potential.track, potential.stretch));
        // A potential may contain integrals, which are numbers. It must not contain a weight `w(c)`, whose derivative is unknown.
        let allowed = |symbol: &Symbol| {
            Symbol::COORDINATES.contains(symbol) || symbol.is_number() || matches!(symbol, Symbol::Integral(_))
        };
        check_symbols(function, allowed, lowering)?;
        let stretches = lowering.stretches(potential.track);
        let stretch = stretches.get(potential.stretch).ok_or("there is no such stretch")?;
        // Potentials are normalised: 0 at the origin, and without coordinates that are fixed on the stretch.
        let origin =
            Symbol::COORDINATES.iter().try_fold(function.clone(), |f, symbol| f.substitute(symbol, &Fraction::zero()));
        if origin.is_none_or(|value| !value.is_zero())
            || stretch.fixed.iter().any(|(fixed, _)| function.depends_on(fixed))
        {
            return Err(format!("{function} has a constant, or what stands still on `{}`", stretch.name));
        }
        let differential = OneForm::differential(function, &lowering.base).and_then(|d| stretch.restrict(&d));
        let differential = differential.ok_or("a potential is not defined everywhere")?;
        let Some(form) = sum.forms.get(&place) else { invariant!("a potential stands where nothing is integrated") };
        if !(form - &differential).is_zero() {
            return Err(format!("on the stretch `{}`, d({function}) is not {form}", stretch.name));
        }
        value = value + growth(potential, lowering)?;
    }
    Ok(value)
}

/// Checks that a fraction contains only allowed symbols and known integrals, and divides only by class proportions and the length of the
/// scale.
fn check_symbols(fraction: &Fraction, is_allowed: impl Fn(&Symbol) -> bool, lowering: &Lowering) -> Result<(), String> {
    for variable in fraction.variables() {
        let symbol = Symbol::of(variable);
        let known = || lowering.integrals.iter().any(|integral| integral.name == variable);
        if !is_allowed(&symbol) || (matches!(symbol, Symbol::Integral(_)) && !known()) {
            return Err(format!("{symbol} may not occur in {fraction}"));
        }
    }
    let safe = |(factor, _): (&Multinomial, u32)| never_vanishes(factor, lowering);
    if fraction.factors().all(safe) { Ok(()) } else { Err(format!("{fraction} divides by what may be zero")) }
}
