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
use crate::path::CurveStretch;
use crate::relation::{LinearRelation, Potential};
use crate::rules::factor::{is_positive, is_strict};
use crate::rules::{Context, Rule};
use crate::statement::{Comparison, Statement};
use crate::sum::IntegralSum;
use crate::symbol::Symbol;
use rocproof_algebra::{Fraction, Multinomial, Rational, invariant};
use rocproof_language::Relation;
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

/// The reason why a certificate was rejected.
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
    for (proved, claim) in certificate.claims.iter().zip(&statement.claims) {
        if !steps_imply(&proved.steps, claim) {
            return Err(Rejected(format!("what is shown is not `{claim}`")));
        }
        for step in &proved.steps {
            check_step(step, statement).map_err(|why| Rejected(format!("`{}`: {why}", step.comparison)))?;
        }
    }
    // Parts of the JSON that were not read must equal what is written from the parts that were.
    let written = certificate.to_json();
    if let Some(difference) = first_difference(&written, value, String::new()) {
        return Err(Rejected(format!("{} should be {}", difference.path, difference.expected)));
    }
    let claims = statement.claims.iter().map(ToString::to_string).collect();
    Ok(Verified { statement: statement.to_string(), hypotheses: certificate.hypotheses(), claims })
}

/// Whether the comparisons of some steps are a claim: the claim itself, or all the inequalities that it splits into.
fn steps_imply(steps: &[ProofStep], claim: &Comparison) -> bool {
    let shown: Vec<String> = steps.iter().map(|step| step.comparison.to_string()).collect();
    let is_split =
        || inequalities(claim).is_ok_and(|parts| parts.iter().map(ToString::to_string).eq(shown.iter().cloned()));
    !shown.is_empty() && (shown == [claim.to_string()] || is_split())
}

/// A difference of two JSON values.
struct JsonDifference {
    /// The path to it, such as `/claims/0/steps`.
    path: String,
    /// The value that is expected there, as text.
    expected: String,
}

/// The first difference of a JSON value from an expected one. `path` is the path to both.
fn first_difference(expected: &Value, found: &Value, path: String) -> Option<JsonDifference> {
    match (expected, found) {
        (Value::Object(expected), Value::Object(found)) => {
            if let Some(extra) = found.keys().find(|key| !expected.contains_key(*key)) {
                return Some(JsonDifference { path: format!("{path}/{extra}"), expected: "left out".into() });
            }
            expected.iter().find_map(|(key, value)| {
                first_difference(value, found.get(key).unwrap_or(&Value::Null), format!("{path}/{key}"))
            })
        }
        (Value::Array(expected), Value::Array(found)) if expected.len() == found.len() => {
            let mut pairs = expected.iter().zip(found).enumerate();
            pairs.find_map(|(i, (expected, found))| first_difference(expected, found, format!("{path}/{i}")))
        }
        _ => (expected != found).then(|| JsonDifference { path, expected: expected.to_string() }),
    }
}

/// Checks one step of a proof.
fn check_step(step: &ProofStep, statement: &Statement) -> Result<(), String> {
    let integrals = &step.lowering.integrals;
    let names: BTreeSet<&str> = integrals.iter().map(|integral| integral.name.name()).collect();
    if names.len() != integrals.len() {
        return Err("two integrals have one name".into());
    }
    match &step.proof {
        Proof::Vanishes(relations) => check_vanishing(step, relations),
        Proof::Sum { scale, terms, potentials } => check_sum(step, scale, terms, potentials, statement),
    }
}

/// Checks that the difference of the sides becomes 0 when the relations are applied.
fn check_vanishing(step: &ProofStep, relations: &[LinearRelation]) -> Result<(), String> {
    if is_strict(step.comparison.relation) {
        return Err("a difference that vanishes is not positive".into());
    }
    let mut difference = &step.left - &step.right;
    for relation in relations {
        check_relation(relation, &step.lowering)
            .map_err(|why| format!("the relation of {}: {why}", relation.integral))?;
        if !difference.depends_on(relation.integral) {
            return Err(format!("the relation of {} is not used", relation.integral));
        }
        difference =
            relation.apply(&difference).ok_or_else(|| format!("{} makes it divide by zero", relation.integral))?;
    }
    if difference.is_zero() { Ok(()) } else { Err(format!("the sides differ by {difference}")) }
}

/// Checks that `scale·(larger - smaller) = Σ times·rule`, up to differentials of the potentials, where `scale` is positive and no `times`
/// is negative. A strict comparison needs a rule whose quantity is positive.
fn check_sum(
    step: &ProofStep,
    scale: &Fraction,
    terms: &[(Rational, Rule)],
    potentials: &[Potential],
    statement: &Statement,
) -> Result<(), String> {
    // Rules add their integrals to the lowering.
    let mut lowering = step.lowering.clone();
    if !is_positive(&Context { lowering: &mut lowering, statement }, scale) {
        return Err(format!("{scale} is not positive for every model"));
    }
    let (larger, smaller) = match step.comparison.relation {
        Relation::AtMost | Relation::Less => (&step.right, &step.left),
        Relation::AtLeast | Relation::Greater => (&step.left, &step.right),
        Relation::Equal => return Err("an equality is shown in two directions".into()),
    };
    // scale·(larger - smaller) - Σ times·rule.
    let mut difference = IntegralSum::of(&lowering, &(&(larger - smaller) * scale)).map_err(|why| why.to_string())?;
    let mut is_sum_positive = false;
    for (times, rule) in terms {
        if *times < Rational::ZERO {
            return Err(format!("a rule is taken {times} times"));
        }
        let quantity = rule.non_negative(&mut lowering, statement)?;
        difference.add(&quantity.sum, &Fraction::constant(-times));
        is_sum_positive |= quantity.positive && !times.is_zero();
    }
    if is_strict(step.comparison.relation) && !is_sum_positive {
        return Err("nothing in it is positive for every model, so the sides may be equal".into());
    }
    let value = &difference.value + &integrate(&difference, potentials, &lowering)?;
    if value.is_zero() { Ok(()) } else { Err(format!("the sides differ by {value}")) }
}

/// Checks that a linear relation holds for every curve: `integral - Σ factor·other` is the differential of the potentials, and their growth
/// is the constant.
fn check_relation(relation: &LinearRelation, lowering: &Lowering) -> Result<(), String> {
    let is_known = |name| lowering.integrals.iter().any(|integral| integral.name == name);
    let mut names = relation.others.iter().map(|(other, _)| *other).chain([relation.integral]);
    if let Some(unknown) = names.find(|name| !is_known(*name)) {
        return Err(format!("there is no integral {unknown}"));
    }
    for (_, factor) in &relation.others {
        check_symbols(factor, Symbol::is_number, lowering)?;
    }
    let without_constant = LinearRelation { constant: Fraction::zero(), ..relation.clone() };
    let difference = Fraction::variable(relation.integral) - without_constant.right_hand_side();
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
        let function = &potential.function;
        let stretches = lowering.stretches(potential.track);
        let stretch = check_potential(potential, &stretches, lowering)?;
        let differential = OneForm::differential(function, &lowering.base).and_then(|d| stretch.restrict(&d));
        let differential = differential.ok_or("a potential is not defined everywhere")?;
        let Some(form) = sum.forms.get(&(potential.track, potential.stretch)) else {
            invariant!("a potential stands where nothing is integrated")
        };
        if !(form - &differential).is_zero() {
            return Err(format!("on the stretch `{}`, d({function}) is not {form}", stretch.name));
        }
        value = value + growth(potential, lowering)?;
    }
    Ok(value)
}

/// Checks the symbols and the normalisation of a potential, and returns its stretch: one of `stretches`, those of its track.
fn check_potential<'a>(
    potential: &Potential,
    stretches: &'a [CurveStretch],
    lowering: &Lowering,
) -> Result<&'a CurveStretch, String> {
    let function = &potential.function;
    // A potential may contain integrals, which are numbers. It must not contain a weight `w(c)`, whose derivative is unknown.
    let is_allowed = |symbol: &Symbol| {
        Symbol::COORDINATES.contains(symbol) || symbol.is_number() || matches!(symbol, Symbol::Integral(_))
    };
    check_symbols(function, is_allowed, lowering)?;
    let stretch = stretches.get(potential.stretch).ok_or("there is no such stretch")?;
    // Potentials are normalised: 0 at the origin, and without coordinates that are fixed on the stretch.
    let mut coordinates = Symbol::COORDINATES.iter();
    let at_origin = coordinates.try_fold(function.clone(), |f, symbol| f.substitute(symbol, &Fraction::zero()));
    let is_zero_at_origin = at_origin.is_some_and(|value| value.is_zero());
    if !is_zero_at_origin || stretch.fixed.iter().any(|(fixed, _)| function.depends_on(fixed)) {
        return Err(format!("{function} has a constant, or what stands still on `{}`", stretch.name));
    }
    Ok(stretch)
}

/// Checks that a fraction contains only allowed symbols and known integrals, and divides only by class proportions and the length of the
/// scale.
fn check_symbols(fraction: &Fraction, is_allowed: impl Fn(&Symbol) -> bool, lowering: &Lowering) -> Result<(), String> {
    for variable in fraction.variables() {
        let symbol = Symbol::of(variable);
        let is_known = || lowering.integrals.iter().any(|integral| integral.name == variable);
        if !is_allowed(&symbol) || (matches!(symbol, Symbol::Integral(_)) && !is_known()) {
            return Err(format!("{symbol} may not occur in {fraction}"));
        }
    }
    let is_safe = |(factor, _): (&Multinomial, u32)| never_vanishes(factor, lowering);
    if fraction.factors().all(is_safe) { Ok(()) } else { Err(format!("{fraction} divides by what may be zero")) }
}
