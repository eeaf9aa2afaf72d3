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

/// Looks for the linear relations between a target and a basis, for models of some classes and under conditions, within a time.
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
    let mut first_error = None;
    let mut best: Option<Discovery> = None;
    for base in Base::ALL {
        match find_relations(&terms, &context, base, &ceiling) {
            Ok(discovery) if discovery.target.is_some() => return Ok(discovery),
            // Some relations show over one base only: keep the base with more of them.
            Ok(discovery) if best.as_ref().is_none_or(|best| best.within.len() < discovery.within.len()) => {
                best = Some(discovery);
            }
            Ok(_) => {}
            Err(error) => first_error = first_error.or(Some(error)),
        }
    }
    let no_form = || DiscoveryError::Unsupported(target.to_string(), Unsupported::new("it has no form"));
    let mut discovery = best.ok_or_else(|| first_error.unwrap_or_else(no_form))?;
    if !ceiling.is_reached() {
        discovery.impossible = show_independence(&context);
    }
    discovery.stopped = ceiling.was_reached();
    Ok(discovery)
}

/// Finds the relations between terms, the last of which is the target, over one base.
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
    let combinations = combinations(&lowering, &values).map_err(|(k, why)| unsupported(terms[k], why))?;
    let mut discovery = Discovery { target: None, within: Vec::new(), impossible: None, stopped: false };
    for combination in combinations {
        if ceiling.is_reached() {
            discovery.stopped = true;
            break;
        }
        // Only relations that the checker accepts are reported.
        let statement = relation_statement(context, terms, &combination)?;
        let Some(relation) = prove_relation(statement, ceiling) else { continue };
        if combination.term == terms.len() - 1 {
            discovery.target = Some(relation);
        } else {
            discovery.within.push(relation);
        }
    }
    Ok(discovery)
}

/// Proves a relation; if that fails, proves it for scores between 0 and 1. The terms may have been compared on that scale, because one of them
/// needs probabilities, while the terms of the relation do not ask for it. `None` if the checker accepts no proof.
fn prove_relation(statement: Statement, ceiling: &Ceiling) -> Option<DiscoveredRelation> {
    let prove = |statement: Statement| Some((prove::identity(&statement).ok()?, statement));
    let on_unit_scale = || statement.with_suppositions(&[], &["l == 0", "h == 1"]).ok();
    let (certificate, statement) = prove(statement.clone()).or_else(|| prove(on_unit_scale()?))?;
    guard(&statement);
    let premises = judge_premises(&statement, ceiling);
    Some(DiscoveredRelation { statement, certificate, premises })
}

/// A statement with all the terms, so that it asks of scores whatever any of them does.
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

/// `factor·term` in the language, as a term for [`signed_sum`]: whether it is negative, and its absolute value.
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

/// A constant in the language, as a term for [`signed_sum`]: whether it is negative, and its absolute value.
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

    /// The relations between a target and a basis, given as text.
    fn discover_text(target: &str, basis: &str, classes: &[Class], conditions: &[&str]) -> Discovery {
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
            let discovery = discover_text(target, basis, classes, conditions);
            assert!(discovery.target.is_some(), "{target}");
            for DiscoveredRelation { statement, .. } in discovery.target.iter().chain(&discovery.within) {
                let difference = Difference::new(statement, &statement.claims[0], Base::Given).unwrap();
                assert!(difference.vanishes(), "{statement}");
            }
        }
        for (target, basis) in [("BS", "AUC"), ("L[o]", "AUC, AUCH, RL")] {
            let discovery = discover_text(target, basis, &[], &[]);
            assert!(discovery.target.is_none() && discovery.impossible.is_some(), "{target}");
        }
    }

    #[test]
    fn balanced_variants_are_related() {
        let discovery = discover_text("MBS", "MCL, MRL", &[], &[]);
        assert_eq!(discovery.target.unwrap().statement.to_string(), "MBS == MCL + MRL");
    }

    #[test]
    fn relations_name_the_scale_that_they_need() {
        let discovery = discover_text("int(x^2 dx)", "BS", &[], &[]);
        let text = discovery.target.unwrap().statement.to_string();
        assert_eq!(text, "int(x^2*dx) == 1/3 where l == 0, h == 1");
    }

    #[test]
    fn divisors_are_hypotheses() {
        let discovery = discover_text("AUC", "pi0*AUC + pi1*(1 - AUC)", &[], &[]);
        let relation = discovery.target.unwrap();
        let hypotheses = relation.certificate.hypotheses();
        assert!(hypotheses.iter().any(|text| text.ends_with("is not 0")), "{}", relation.statement);
    }
}
