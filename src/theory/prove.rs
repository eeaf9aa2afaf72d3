//! Proofs of statements, looked for and written down.

use super::certificate::{Certificate, Proof, divisors};
use super::check;
use super::identity::Difference;
use super::inequality;
use super::lower::{Base, Setting};
use super::relations::relations;
use crate::lang::Relation;
use crate::statement::{Comparison, Statement};
use std::time::{Duration, Instant};

/// Proves a statement; why not, if no proof is found in time. What it returns has been checked.
///
/// ```
/// use rocproof::statement::Statement;
/// use rocproof::theory::prove;
/// use std::time::Duration;
/// let statement = Statement::parse("MAE == L[su] >= L[sd] == BS")?;
/// assert_eq!(prove::statement(&statement, Duration::from_secs(60))?.claims.len(), 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn statement(statement: &Statement, limit: Duration) -> Result<Certificate, String> {
    let end = Instant::now() + limit;
    let prove = |claim: &Comparison| {
        has_meaning(statement, claim)?;
        if claim.relation == Relation::Equal
            && let Ok(proof) = equality(statement, claim)
        {
            return Ok(vec![proof]);
        }
        let left = end.saturating_duration_since(Instant::now());
        let proofs = inequality::prove(statement, claim, left)?.into_iter();
        Ok(proofs.map(|p| (p.base, Proof::Sum { scale: p.scale, terms: p.terms, potentials: p.potentials })).collect())
    };
    checked(statement, statement.claims.iter().map(prove).collect::<Result<_, String>>()?)
}

/// Proves a statement all of whose claims are equalities.
pub fn identity(statement: &Statement) -> Result<Certificate, String> {
    let proofs = statement.claims.iter().map(|claim| {
        has_meaning(statement, claim)?;
        Ok(vec![equality(statement, claim)?])
    });
    checked(statement, proofs.collect::<Result<_, String>>()?)
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
            let mut setting = Setting::new(statement, base).ok()?;
            let value = setting.term(divisor).ok()?;
            relations(&setting)?.iter().try_fold(value, |value, relation| relation.apply(&value))
        };
        if Base::ALL.into_iter().filter_map(vanishes).any(|value| value.is_zero()) {
            return Err(format!("it divides by {divisor}, which is zero for every model"));
        }
    }
    Ok(())
}
