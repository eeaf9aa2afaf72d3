//! The checker: whether a certificate proves what it says.
//!
//! It shares nothing with the search for proofs. It trusts the reading of statements ([`crate::statement`]), what functionals are along
//! the curve of a model ([`super::lower`], [`super::form`], [`super::path`]), what rules say ([`super::rules`]), and the arithmetic of
//! fractions; and it looks at everything else:
//!
//! * A relation `integral = Σ factor·other + constant` holds if `integral - Σ factor·other` is integrated from the differential of a
//!   function `G` along every stretch of every curve, and the constant is what these functions grow by.
//! * An equality holds if the difference of its sides vanishes when integrals are replaced by what such relations say: each
//!   replacement keeps the value of the difference, in whichever order and however often they are made.
//! * An inequality holds if the larger side minus the smaller one, times something positive, is a sum of what rules say is not negative,
//!   none of them taken negatively often; and it is strict if one of them is positive.
//! * Claims are those of the statement, all of them, and whatever else the certificate says is what is written from what was checked.

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
use std::fmt;

/// What a certificate was found to prove.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verified {
    /// The statement.
    pub statement: String,
    /// What is supposed in it.
    pub hypotheses: Vec<String>,
    /// Its claims.
    pub claims: Vec<String>,
}

/// Why a certificate was rejected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejected(pub String);

impl fmt::Display for Rejected {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Rejected {}

/// Checks a certificate.
pub fn verify(value: &Value) -> Result<Verified, Rejected> {
    let certificate = Certificate::from_json(value).map_err(Rejected)?;
    let statement = &certificate.statement;
    if certificate.claims.is_empty() || certificate.claims.len() != statement.claims.len() {
        return Err(Rejected("not every claim of the statement has a proof".into()));
    }
    for (claim, stated) in certificate.claims.iter().zip(&statement.claims) {
        let shown: Vec<String> = claim.steps.iter().map(|step| step.comparison.to_string()).collect();
        let whole = shown == [stated.to_string()];
        let apart =
            || inequalities(stated).is_ok_and(|parts| parts.iter().map(ToString::to_string).eq(shown.iter().cloned()));
        if shown.is_empty() || !(whole || apart()) {
            return Err(Rejected(format!("what is shown is not `{stated}`")));
        }
        for step in &claim.steps {
            check(step, statement).map_err(|why| Rejected(format!("`{}`: {why}", step.comparison)))?;
        }
    }
    // Whatever was not read must be what is written from what was.
    let written = certificate.to_json();
    if let Some((place, wanted)) = first_difference(&written, value, String::new()) {
        return Err(Rejected(format!("{place} should be {wanted}")));
    }
    let claims = statement.claims.iter().map(ToString::to_string).collect();
    Ok(Verified { statement: statement.to_string(), hypotheses: certificate.hypotheses(), claims })
}

/// Where two values differ first, and what the first one has there.
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
            let mut rest = IntegralSum::of(&lowering, &(&(larger - smaller) * scale)).map_err(|why| why.to_string())?;
            let mut strict = false;
            for (times, rule) in terms {
                if *times < Rational::ZERO {
                    return Err(format!("a rule is taken {times} times"));
                }
                let known = rule.non_negative(&mut lowering, statement)?;
                rest.add(&known.sum, &Fraction::constant(-times));
                strict |= known.positive && !times.is_zero();
            }
            if [lang::Relation::Less, lang::Relation::Greater].contains(&step.comparison.relation) && !strict {
                return Err("nothing in it is positive for every model, so the sides may be equal".into());
            }
            let left = &rest.value + &total(&rest, potentials, &lowering)?;
            if left.is_zero() { Ok(()) } else { Err(format!("the sides differ by {left}")) }
        }
    }
}

fn check_relation(relation: &LinearRelation, lowering: &Lowering) -> Result<(), String> {
    let known = |name| lowering.integrals.iter().any(|integral| integral.name == name);
    let names = || relation.others.iter().map(|(other, _)| *other).chain([relation.integral]);
    if let Some(unknown) = names().find(|name| !known(*name)) {
        return Err(format!("there is no integral {unknown}"));
    }
    for (_, factor) in &relation.others {
        is_made_of(factor, Symbol::is_number, lowering)?;
    }
    let mut others = relation.clone();
    others.constant = Fraction::zero();
    let difference = Fraction::variable(relation.integral) - others.right_hand_side();
    let sum = IntegralSum::of(lowering, &difference).map_err(|why| why.to_string())?;
    let constant = total(&sum, &relation.potentials, lowering)? + sum.value;
    if constant == relation.constant { Ok(()) } else { Err(format!("the potentials grow by {constant}")) }
}

/// The value of the integrals in a sum: what potentials grow by, of which they are the integrals on every stretch.
fn total(sum: &IntegralSum, potentials: &[Potential], lowering: &Lowering) -> Result<Fraction, String> {
    let places: BTreeSet<(Track, usize)> = potentials.iter().map(|p| (p.track, p.stretch)).collect();
    if places.len() != potentials.len() || !places.iter().eq(sum.forms.keys()) {
        return Err("there must be one potential for each stretch that something is integrated along".into());
    }
    let mut value = Fraction::zero();
    for potential in potentials {
        let (function, place) = (&potential.function, (potential.track, potential.stretch));
        // Integrals are numbers too. Nobody knows the derivative of a weight `w(c)`, or of anything else.
        let allowed = |symbol: &Symbol| {
            Symbol::COORDINATES.contains(symbol) || symbol.is_number() || matches!(symbol, Symbol::Integral(_))
        };
        is_made_of(function, allowed, lowering)?;
        let stretches = lowering.stretches(potential.track);
        let stretch = stretches.get(potential.stretch).ok_or("there is no such stretch")?;
        // Of all functions with this differential, the one without a constant, in the coordinates that move.
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

/// A fraction has only such symbols in it, and integrals of the setting, and divides by nothing but class proportions and the length of
/// the scale.
fn is_made_of(fraction: &Fraction, is_allowed: impl Fn(&Symbol) -> bool, lowering: &Lowering) -> Result<(), String> {
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
