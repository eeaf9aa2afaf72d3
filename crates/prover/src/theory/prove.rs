//! Proofs of statements, looked for and written down.

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
use crate::statement::{Comparison, Statement};
use rocproof_arith::Rational;
use rocproof_language::Relation;

/// Proves a statement; why not, if no proof is found with the effort that there is. What it returns has been checked.
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
pub fn statement(statement: &Statement, effort: &Effort) -> Result<Certificate, String> {
    let prove = |claim: &Comparison| {
        has_meaning(statement, claim)?;
        if claim.relation == Relation::Equal
            && let Ok(proof) = equality(statement, claim)
        {
            return Ok(vec![proof]);
        }
        let proofs = inequality::prove(statement, claim, effort)?.into_iter();
        let proof =
            |p: InequalityProof| Proof::Sum { scale: p.scale, terms: merged(p.terms), potentials: p.potentials };
        Ok(proofs.map(|p| (p.base, proof(p))).collect())
    };
    checked(statement, statement.claims.iter().map(prove).collect::<Result<_, String>>()?)
}

/// The same, but it does not wait longer than the ceiling: a linear program that was begun runs on by itself and is forgotten. Also whether
/// the ceiling cut it off.
#[cfg(feature = "threads")]
pub fn within(statement: &Statement, effort: Effort) -> (Result<Certificate, String>, bool) {
    use std::sync::Arc;
    use std::sync::mpsc::RecvTimeoutError;
    let (effort, own) = (Arc::new(effort), statement.clone());
    let (sender, receiver) = std::sync::mpsc::channel();
    let shared = effort.clone();
    let thread = std::thread::spawn(move || {
        // Nobody listens any more if it took too long.
        let _ = sender.send(self::statement(&own, &shared));
    });
    match receiver.recv_timeout(effort.time_left()) {
        Ok(found) => {
            let stopped = found.is_err() && effort.was_stopped();
            (found, stopped)
        }
        Err(RecvTimeoutError::Timeout) => (Err("no proof was found in time".into()), true),
        // It panicked: so do we.
        Err(RecvTimeoutError::Disconnected) => match thread.join() {
            Err(panic) => std::panic::resume_unwind(panic),
            Ok(()) => (Err("no proof was found".into()), false),
        },
    }
}

/// The same in the caller's thread: it waits until a linear program that was begun is solved. Also whether the ceiling cut it off.
#[cfg(not(feature = "threads"))]
pub fn within(statement: &Statement, effort: Effort) -> (Result<Certificate, String>, bool) {
    let found = self::statement(statement, &effort);
    let stopped = found.is_err() && effort.was_stopped();
    (found, stopped)
}

/// Proves a statement all of whose claims are equalities.
pub fn identity(statement: &Statement) -> Result<Certificate, String> {
    let proofs = statement.claims.iter().map(|claim| {
        has_meaning(statement, claim)?;
        Ok(vec![equality(statement, claim)?])
    });
    checked(statement, proofs.collect::<Result<_, String>>()?)
}

/// Factors that add up to 1.
const COMPLEMENTS: [[Factor; 2]; 7] = [
    [Factor::Pi0, Factor::Pi1],
    [Factor::F0, Factor::NotF0],
    [Factor::F1, Factor::NotF1],
    [Factor::Rate, Factor::NotRate],
    [Factor::Posterior, Factor::NotPosterior],
    [Factor::Mean, Factor::NotMean],
    [Factor::Distance, Factor::NotDistance],
];

/// The same sum in fewer terms: `F0 A + (1 - F0) A` is `A`, and `A beta0 dF0 + A beta1 dF1` is `A dR`.
fn merged(mut terms: Vec<(Rational, Rule)>) -> Vec<(Rational, Rule)> {
    terms.iter_mut().for_each(|(_, rule)| rule.factors.sort());
    let pair = |terms: &[(Rational, Rule)]| {
        (0..terms.len()).find_map(|i| {
            (0..terms.len()).filter(|j| *j != i).find_map(|j| Some((i, j, together(&terms[i].1, &terms[j].1)?)))
        })
    };
    while let Some((i, j, rule)) = pair(&terms) {
        let times = terms[i].0.clone().min(terms[j].0.clone());
        terms[i].0 -= &times;
        terms[j].0 -= &times;
        match terms.iter_mut().find(|(_, known)| *known == rule) {
            Some((known, _)) => *known += times,
            None => terms.push((times, rule)),
        }
        terms.retain(|(times, _)| !times.is_zero());
    }
    terms
}

/// What two rules add up to, if that is a rule: the first has a factor more than it, the second the complement of that factor.
fn together(one: &Rule, other: &Rule) -> Option<Rule> {
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
        let rest = without(one, factor)?;
        (Some(&rest) == without(other, complement).as_ref()).then_some(rest)
    })
}

/// A rule with a factor less.
fn without(rule: &Rule, factor: &Factor) -> Option<Rule> {
    let mut rest = rule.clone();
    let k = rest.factors.iter().position(|(known, _)| known == factor)?;
    rest.factors[k].1 -= 1;
    rest.factors.retain(|(_, power)| *power > 0);
    Some(rest)
}

/// Only what the check accepts counts.
fn checked(statement: &Statement, proofs: Vec<Vec<(Base, Proof)>>) -> Result<Certificate, String> {
    let certificate = Certificate::new(&statement.to_string(), proofs)?;
    check::verify(&certificate.to_json()).map_err(|why| why.to_string())?;
    Ok(certificate)
}

/// The relations that make the difference of the sides vanish.
fn equality(statement: &Statement, claim: &Comparison) -> Result<(Base, Proof), String> {
    let mut reasons = Vec::new();
    for base in Base::ALL {
        match Difference::new(statement, claim, base) {
            Ok(difference) if difference.vanishes() => {
                return Ok((base, Proof::Vanishes(difference.relations)));
            }
            Ok(difference) => reasons.push(format!("the sides differ by {}", difference.value)),
            Err(why) => reasons.push(why.to_string()),
        }
    }
    Err(reasons.into_iter().next().unwrap_or_default())
}

/// Refuses a claim that divides by what is zero for every model.
fn has_meaning(statement: &Statement, claim: &Comparison) -> Result<(), String> {
    for divisor in claim.sides().into_iter().flat_map(divisors) {
        let vanishes = |base: Base| {
            let mut setting = Lowering::new(statement, base).ok()?;
            let value = setting.term(divisor).ok()?;
            relations(&setting)?.iter().try_fold(value, |value, relation| relation.apply(&value))
        };
        if Base::ALL.into_iter().filter_map(vanishes).any(|value| value.is_zero()) {
            return Err(format!("it divides by {divisor}, which is zero for every model"));
        }
    }
    Ok(())
}
