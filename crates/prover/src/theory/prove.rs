//! Finds proofs of statements, and hands them to the checker.

use super::certificate::{Certificate, Proof, divisors};
use super::check;
use super::effort::Effort;
use super::identity::Difference;
use super::inequality;
use super::lower::{Base, Lowering};
use super::proof::InequalityProof;
use super::relations::relations;
use super::rules::factor::Factor;
use super::rules::{Differential, Fact, Rule};
use super::unproved::Unproved;
use crate::statement::{Comparison, Statement};
#[cfg(feature = "threads")]
use rocproof_algebra::invariant;
use rocproof_arith::Rational;
use rocproof_language::Relation;

/// Proves a statement with a limited effort. The certificate has been accepted by the checker.
///
/// ```
/// use rocproof_prover::statement::Statement;
/// use rocproof_prover::theory::prove;
/// use rocproof_prover::theory::effort::Effort;
/// use std::time::Duration;
/// let statement = Statement::parse("MAE == L[su] >= L[sd] == BS")?;
/// assert_eq!(prove::statement(&statement, &Effort::usual(Duration::from_secs(60)))?.claims.len(), 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn statement(statement: &Statement, effort: &Effort) -> Result<Certificate, Unproved> {
    let claims = statement.claims.iter();
    let proofs = claims.map(|claim| prove_claim(statement, claim, effort)).collect::<Result<_, Unproved>>()?;
    certify(statement, proofs)
}

/// Proves a claim. An equation that does not follow from relations between integrals is proved as two inequalities.
fn prove_claim(statement: &Statement, claim: &Comparison, effort: &Effort) -> Result<Vec<(Base, Proof)>, Unproved> {
    check_divisors(statement, claim)?;
    if claim.relation == Relation::Equal
        && let Ok(proof) = prove_equality(statement, claim)
    {
        return Ok(vec![proof]);
    }
    let proofs = inequality::prove(statement, claim, effort)?;
    let to_sum = |InequalityProof { base, scale, terms, potentials }| {
        (base, Proof::Sum { scale, terms: merge_terms(terms), potentials })
    };
    Ok(proofs.into_iter().map(to_sum).collect())
}

/// Proves a statement in a thread of its own, and waits no longer than the ceiling of the effort; a linear program that is then still
/// running is abandoned. The flag says whether the ceiling cut the search off.
#[cfg(feature = "threads")]
pub fn within(statement: &Statement, effort: Effort) -> (Result<Certificate, Unproved>, bool) {
    use std::sync::Arc;
    use std::sync::mpsc::RecvTimeoutError;
    let effort = Arc::new(effort);
    let (sender, receiver) = std::sync::mpsc::channel();
    let (shared_effort, own_statement) = (effort.clone(), statement.clone());
    let thread = std::thread::spawn(move || {
        // The receiver is gone if the ceiling was reached before.
        let _ = sender.send(self::statement(&own_statement, &shared_effort));
    });
    match receiver.recv_timeout(effort.time_left()) {
        Ok(result) => {
            let stopped = result.is_err() && effort.was_stopped();
            (result, stopped)
        }
        Err(RecvTimeoutError::Timeout) => (Err(Unproved::OutOfTime), true),
        // The thread panicked: pass the panic on.
        Err(RecvTimeoutError::Disconnected) => match thread.join() {
            Err(panic) => std::panic::resume_unwind(panic),
            Ok(()) => invariant!("the thread of a proof ended without an answer"),
        },
    }
}

/// Proves a statement in the caller's thread: a linear program that was begun is solved to its end. The flag says whether the ceiling cut the
/// search off.
#[cfg(not(feature = "threads"))]
pub fn within(statement: &Statement, effort: Effort) -> (Result<Certificate, Unproved>, bool) {
    let result = self::statement(statement, &effort);
    let stopped = result.is_err() && effort.was_stopped();
    (result, stopped)
}

/// Proves a statement all of whose claims are equalities.
pub fn identity(statement: &Statement) -> Result<Certificate, Unproved> {
    let proofs = statement.claims.iter().map(|claim| {
        check_divisors(statement, claim)?;
        Ok(vec![prove_equality(statement, claim)?])
    });
    certify(statement, proofs.collect::<Result<_, Unproved>>()?)
}

/// Pairs of factors whose sum is 1.
const COMPLEMENTS: [[Factor; 2]; 7] = [
    [Factor::Pi0, Factor::Pi1],
    [Factor::F0, Factor::NotF0],
    [Factor::F1, Factor::NotF1],
    [Factor::Rate, Factor::NotRate],
    [Factor::Posterior, Factor::NotPosterior],
    [Factor::Mean, Factor::NotMean],
    [Factor::Distance, Factor::NotDistance],
];

/// Merges terms of a sum: `F0 A + (1 - F0) A` becomes `A`, and `A beta0 dF0 + A beta1 dF1` becomes `A dR`. `beta0` and
/// `beta1` are the base proportions, of which `R = beta0 F0 + beta1 F1`.
fn merge_terms(mut terms: Vec<(Rational, Rule)>) -> Vec<(Rational, Rule)> {
    terms.iter_mut().for_each(|(_, rule)| rule.factors.sort());
    while let Some(MergeablePair { i, j, sum }) = mergeable_pair(&terms) {
        // The smaller of both coefficients moves to the sum, so that at least one of the terms vanishes.
        let coefficient = terms[i].0.clone().min(terms[j].0.clone());
        terms[i].0 -= &coefficient;
        terms[j].0 -= &coefficient;
        match terms.iter_mut().find(|(_, rule)| *rule == sum) {
            Some((present, _)) => *present += coefficient,
            None => terms.push((coefficient, sum)),
        }
        terms.retain(|(coefficient, _)| !coefficient.is_zero());
    }
    terms
}

/// Two terms, by index, whose rules have a sum that is a rule, in the order that [`sum_of_rules`] needs.
struct MergeablePair {
    i: usize,
    j: usize,
    sum: Rule,
}

/// The first pair of terms that can be merged, in this order: `j` may come before `i`.
fn mergeable_pair(terms: &[(Rational, Rule)]) -> Option<MergeablePair> {
    for (i, (_, one)) in terms.iter().enumerate() {
        for (j, (_, other)) in terms.iter().enumerate().filter(|(j, _)| *j != i) {
            if let Some(sum) = sum_of_rules(one, other) {
                return Some(MergeablePair { i, j, sum });
            }
        }
    }
    None
}

/// The sum of two rules, if it is a rule. They must agree but for a factor of the first and its complement in the second, or for
/// `beta0 dF0` in the first and `beta1 dF1` in the second, in this order.
fn sum_of_rules(one: &Rule, other: &Rule) -> Option<Rule> {
    if one.square != other.square {
        return None;
    }
    let along = |differential| match &one.fact {
        Fact::Along { track, stretch, .. } => Some(Fact::Along { track: *track, stretch: *stretch, differential }),
        _ => None,
    };
    if one.factors == other.factors
        && along(Differential::F0).as_ref() == Some(&one.fact)
        && along(Differential::F1).as_ref() == Some(&other.fact)
    {
        return Some(Rule { fact: along(Differential::Rate)?, ..one.clone() });
    }
    if one.fact != other.fact {
        return None;
    }
    COMPLEMENTS.iter().find_map(|[factor, complement]| {
        let common = without(one, factor)?;
        (Some(&common) == without(other, complement).as_ref()).then_some(common)
    })
}

/// The rule with the power of a factor lowered by one; `None` if it has no such factor.
fn without(rule: &Rule, factor: &Factor) -> Option<Rule> {
    let mut lowered = rule.clone();
    let k = lowered.factors.iter().position(|(known, _)| known == factor)?;
    lowered.factors[k].1 -= 1;
    lowered.factors.retain(|(_, power)| *power > 0);
    Some(lowered)
}

/// Puts the proofs of each claim into a certificate, and has the checker verify it in the form in which it is written.
fn certify(statement: &Statement, proofs: Vec<Vec<(Base, Proof)>>) -> Result<Certificate, Unproved> {
    let certificate = Certificate::new(&statement.to_string(), proofs)?;
    check::verify(&certificate.to_json()).map_err(|why| Unproved::Refused(why.to_string()))?;
    Ok(certificate)
}

/// Proves an equation by relations that make the difference of its sides vanish, over either base. The error is that of the first base.
fn prove_equality(statement: &Statement, claim: &Comparison) -> Result<(Base, Proof), Unproved> {
    let mut first_reason = None;
    for base in Base::ALL {
        let reason = match Difference::new(statement, claim, base) {
            Ok(difference) if difference.vanishes() => {
                return Ok((base, Proof::Vanishes(difference.relations)));
            }
            Ok(difference) => Unproved::SidesDiffer(difference.value.to_string()),
            Err(why) => why.into(),
        };
        first_reason.get_or_insert(reason);
    }
    Err(first_reason.unwrap_or(Unproved::NoRules))
}

/// Refuses a claim that divides by a term that is zero for every model.
fn check_divisors(statement: &Statement, claim: &Comparison) -> Result<(), Unproved> {
    for divisor in claim.sides().into_iter().flat_map(divisors) {
        let vanishes = |base: Base| {
            let mut lowering = Lowering::new(statement, base).ok()?;
            let value = lowering.term(divisor).ok()?;
            relations(&lowering)?.iter().try_fold(value, |value, relation| relation.apply(&value))
        };
        if Base::ALL.into_iter().filter_map(vanishes).any(|value| value.is_zero()) {
            return Err(Unproved::ZeroDivisor(divisor.to_string()));
        }
    }
    Ok(())
}
