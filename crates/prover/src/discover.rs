//! Discovery of linear relations between terms that hold for every model of a class.
//!
//! Integrals in normal form are vectors over the field of rational functions of `π0`; a linear relation between integrals is one between
//! these vectors. Elimination finds every relation with coefficients in that field; each becomes a statement with a checked proof.

use crate::search::{Ceiling, guard, show_independence};
use crate::statement::{self, Class, Comparison, Statement, Term};
use crate::theory::certificate::Certificate;
use crate::theory::lower::{Base, Lowering, Unsupported};
use crate::theory::prove;
use crate::theory::readable::in_proportions;
use crate::theory::relations::{Combination, combinations};
use crate::verdict::{Premises, judge_premises};
use rocproof_algebra::signed_sum;
use rocproof_arith::{Fraction, Rational};
use rocproof_language::{Diagnostic, Op, Relation, Source, parse};
use std::time::Duration;

/// A relation with its checked proof.
#[derive(Clone, Debug)]
pub struct DiscoveredRelation {
    /// The relation.
    pub statement: Statement,
    /// Its proof.
    pub certificate: Certificate,
    /// Whether its premises can be satisfied.
    pub premises: Premises,
}

/// Linear relations between a target and a basis.
#[derive(Clone, Debug)]
pub struct Discovery {
    /// The target by the basis: `target == Σ factor·element + constant`, if such a relation was found.
    pub target: Option<DiscoveredRelation>,
    /// Relations within the basis: one for each element that depends on those before it.
    pub within: Vec<DiscoveredRelation>,
    /// If the target was not found: a class proportion, and the number of its models that no linear combination of the basis fits.
    pub impossible: Option<(Rational, usize)>,
    /// Whether the ceiling on time cut the search off.
    pub stopped: bool,
}

/// Why no relations could be looked for.
#[derive(Clone, Debug)]
pub enum DiscoveryError {
    /// The input is wrong.
    Input(Box<Diagnostic>),
    /// Proofs cannot work on a term, given as text.
    Unsupported(String, Unsupported),
}

impl From<Diagnostic> for DiscoveryError {
    fn from(diagnostic: Diagnostic) -> DiscoveryError {
        DiscoveryError::Input(Box::new(diagnostic))
    }
}

/// Looks for the linear relations between a target and a basis, for models of some classes and under conditions.
///
/// ```
/// use rocproof_prover::discover::discover;
/// use rocproof_language::Source;
/// use rocproof_prover::statement::terms;
/// let [target, basis] = ["L[rd]", "AUC"].map(|text| terms(&Source::new("terms", text)).unwrap());
/// let found = discover(&target[0], &basis, &[], &[], rocproof_prover::verdict::CEILING).unwrap();
/// assert_eq!(found.target.unwrap().statement.to_string(), "L[rd] == -2*pi0*pi1*AUC + pi0*pi1 + 1/3");
/// ```
pub fn discover(
    target: &Term,
    basis: &[Term],
    classes: &[Class],
    conditions: &[&str],
    time: Duration,
) -> Result<Discovery, DiscoveryError> {
    let ceiling = Ceiling::after(time);
    let terms: Vec<&Term> = basis.iter().chain([target]).collect();
    let context = context(&terms, classes, conditions)?;
    context.meaning()?;
    let mut last = None;
    let mut discovery: Option<Discovery> = None;
    for base in Base::ALL {
        match find_relations(&terms, &context, base, &ceiling) {
            Ok(found) if found.target.is_some() => return Ok(found),
            // Relations may show over one base only.
            Ok(found) if discovery.as_ref().is_none_or(|known| known.within.len() < found.within.len()) => {
                discovery = Some(found);
            }
            Ok(_) => {}
            Err(failure) => last = last.or(Some(failure)),
        }
    }
    let failed = || DiscoveryError::Unsupported(target.to_string(), Unsupported::new("it has no form"));
    let mut discovery = discovery.ok_or_else(|| last.unwrap_or_else(failed))?;
    if !ceiling.is_reached() {
        discovery.impossible = show_independence(&context);
    }
    discovery.stopped = ceiling.was_reached();
    Ok(discovery)
}

/// Finds the relations over one base.
fn find_relations(
    terms: &[&Term],
    context: &Statement,
    base: Base,
    ceiling: &Ceiling,
) -> Result<Discovery, DiscoveryError> {
    let unsupported = |term: &Term, why: Unsupported| DiscoveryError::Unsupported(term.to_string(), why);
    let mut lowering = Lowering::new(context, base).map_err(|why| unsupported(terms[terms.len() - 1], why))?;
    let mut values = Vec::new();
    for term in terms {
        values.push(lowering.term(term).map_err(|why| unsupported(term, why))?);
    }
    let combinations = combinations(&lowering, &values);
    let combinations = combinations.map_err(|(k, why)| unsupported(terms[k], why))?;
    let mut discovery = Discovery { target: None, within: Vec::new(), impossible: None, stopped: false };
    for combination in combinations {
        if ceiling.is_reached() {
            discovery.stopped = true;
            break;
        }
        let statement = relation_statement(context, terms, &combination)?;
        // A relation that does not need probabilities itself holds on the scale that the other terms ask for.
        let on_scale = || statement.with_suppositions(&[], &["l == 0", "h == 1"]).ok();
        let proved = |statement: Statement| Some((prove::identity(&statement).ok()?, statement));
        let accepted = proved(statement.clone()).or_else(|| proved(on_scale()?));
        // Only relations that the checker accepts are reported; `guard` evaluates them on the panel.
        let Some((certificate, statement)) = accepted else { continue };
        guard(&statement);
        let premises = judge_premises(&statement, ceiling);
        let relation = DiscoveredRelation { statement, certificate, premises };
        if combination.term == terms.len() - 1 {
            discovery.target = Some(relation);
        } else {
            discovery.within.push(relation);
        }
    }
    Ok(discovery)
}

/// A statement with all the terms, so that it asks of scores what any of them does.
fn context(terms: &[&Term], classes: &[Class], conditions: &[&str]) -> Result<Statement, Diagnostic> {
    let sides: Vec<String> = terms.iter().map(ToString::to_string).chain(["0".to_owned()]).collect();
    Statement::parse(&sides.join(" == "))?.with_suppositions(classes, conditions)
}

/// The relation `term == Σ factor·other + constant` as a statement, under the suppositions of the context.
fn relation_statement(
    context: &Statement,
    terms: &[&Term],
    combination: &Combination,
) -> Result<Statement, Diagnostic> {
    let others = combination.others.iter().map(|(k, factor)| multiple(factor, terms[*k]));
    let text = match (combination.others.is_empty(), combination.constant.is_zero()) {
        (true, _) => in_proportions(&combination.constant),
        (false, true) => signed_sum(others),
        (false, false) => signed_sum(others.chain([summand(&combination.constant)])),
    };
    let source = Source::new("relation", text);
    let right = statement::term(&source, &parse(&source)?)?;
    let left = terms[combination.term].clone();
    Ok(context.with_claim(&Comparison { left, relation: Relation::Equal, right, span: source.whole() }))
}

/// `factor·term` in the language, as a term for [`signed_sum`].
fn multiple(factor: &Fraction, term: &Term) -> (bool, String) {
    let text = in_proportions(factor);
    let negative = text.starts_with('-');
    let size = if negative { in_proportions(&-factor) } else { text };
    let size = if size.contains([' ', '/']) { format!("({size})") } else { size };
    let term = match term {
        sum @ Term::Binary(Op::Add | Op::Sub | Op::Div, ..) => format!("({sum})"),
        term => term.to_string(),
    };
    (negative, if size == "1" { term } else { format!("{size}*{term}") })
}

/// A number that is added, in the language, as a term for [`signed_sum`].
fn summand(constant: &Fraction) -> (bool, String) {
    let text = in_proportions(constant);
    match text.strip_prefix('-') {
        Some(size) if !size.contains(' ') => (true, size.to_owned()),
        Some(_) => (true, format!("({})", in_proportions(&-constant))),
        None => (false, text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statement::terms;
    use crate::theory::identity::Difference;

    fn found(target: &str, basis: &str, classes: &[Class], conditions: &[&str]) -> Discovery {
        let [target, basis] = [target, basis].map(|text| terms(&Source::new("terms", text)).unwrap());
        discover(&target[0], &basis, classes, conditions, crate::verdict::CEILING).unwrap()
    }

    #[test]
    fn every_relation_found_is_proved() {
        let cases: [(&str, &str, &[Class], &[&str]); 8] = [
            ("L[rd]", "AUC", &[], &[]),
            ("L[rd; beta(2,2)]", "int(F0^i F1^j dF1) for i+j <= 4", &[], &[]),
            ("L[o]", "RL_conv, BS(Cal(m))", &[], &[]),
            ("BS", "RL, CL", &[], &[]),
            ("BS", "AUC", &[Class::Even], &[]),
            ("MAE", "s0, s1", &[], &[]),
            ("L[su]", "RL", &[Class::Calibrated], &["pi0 == 1/3"]),
            ("L[sf(t)]", "Acc(t), AUC", &[], &[]),
        ];
        for (target, basis, classes, conditions) in cases {
            let discovery = found(target, basis, classes, conditions);
            assert!(discovery.target.is_some(), "{target}");
            for DiscoveredRelation { statement, .. } in discovery.target.iter().chain(&discovery.within) {
                let difference = Difference::new(statement, &statement.claims[0], Base::Given).unwrap();
                assert!(difference.vanishes(), "{statement}");
            }
        }
        for (target, basis) in [("BS", "AUC"), ("L[o]", "AUC, AUCH, RL")] {
            let found = found(target, basis, &[], &[]);
            assert!(found.target.is_none() && found.impossible.is_some(), "{target}");
        }
    }

    #[test]
    fn balanced_variants_are_related() {
        let discovery = found("MBS", "MCL, MRL", &[], &[]);
        assert_eq!(discovery.target.unwrap().statement.to_string(), "MBS == MCL + MRL");
    }

    #[test]
    fn relations_name_the_scale_that_they_need() {
        let discovery = found("int(x^2 dx)", "BS", &[], &[]);
        let text = discovery.target.unwrap().statement.to_string();
        assert_eq!(text, "int(x^2*dx) == 1/3 where l == 0, h == 1");
    }

    #[test]
    fn divisors_are_hypotheses() {
        let discovery = found("AUC", "pi0*AUC + pi1*(1 - AUC)", &[], &[]);
        let found = discovery.target.unwrap();
        assert!(found.certificate.hypotheses().iter().any(|text| text.ends_with("is not 0")), "{}", found.statement);
    }
}
