//! Comparisons split into inequalities without `min`, `max` and `abs`.

use crate::statement::{Comparison, Term, TermFunction};
use rocproof_language::Literal;
use rocproof_language::{Op, Relation};

/// Splits a comparison into inequalities without `min`, `max` and `abs` that are together equivalent to it.
///
/// `X <= min(a, b)` is `X <= a` and `X <= b`. `abs(X) <= Y` is `X <= Y` and `-X <= Y`. An equality is two inequalities. Fails if there is
/// no such conjunction. Functions inside sums and products stay.
///
/// ```
/// use rocproof_checker::statement::Statement;
/// use rocproof_checker::inequalities::inequalities;
/// let statement = Statement::parse("abs(Gini) <= min(1, 2*KS)").unwrap();
/// let parts: Vec<String> = inequalities(&statement.claims[0]).unwrap().iter().map(|part| part.to_string()).collect();
/// assert_eq!(parts.join(", "), "Gini <= 1, Gini <= 2*KS, -Gini <= 1, -Gini <= 2*KS");
/// assert!(rocproof_checker::inequalities::inequalities(&Statement::parse("max(AUC, KS) >= 1/2").unwrap().claims[0]).is_err());
/// ```
pub fn inequalities(comparison: &Comparison) -> Result<Vec<Comparison>, String> {
    let compare = |left: &Term, relation: Relation, right: &Term| Comparison {
        left: left.clone(),
        relation,
        right: right.clone(),
        span: comparison.span,
    };
    let Comparison { left, relation, right, .. } = comparison;
    let (smaller, larger) = match relation {
        Relation::Equal => {
            let mut both = inequalities(&compare(left, Relation::AtMost, right))?;
            both.extend(inequalities(&compare(left, Relation::AtLeast, right))?);
            return Ok(both);
        }
        Relation::AtMost | Relation::Less => (left, right),
        Relation::AtLeast | Relation::Greater => (right, left),
    };
    let smaller_terms = terms_of_extreme(smaller.clone(), TermFunction::Max)?;
    let larger_terms = terms_of_extreme(larger.clone(), TermFunction::Min)?;
    let mut split = Vec::new();
    for smaller in &smaller_terms {
        for larger in &larger_terms {
            // Keep the sides in the order in which they were written.
            let (left, right) = match relation {
                Relation::AtLeast | Relation::Greater => (larger, smaller),
                _ => (smaller, larger),
            };
            split.push(compare(left, *relation, right));
        }
    }
    Ok(split)
}

/// Writes a term as the maximum, or minimum, of terms, and returns these: `max(a, b)` is the maximum of `a` and `b`, `abs(X)` of `X` and
/// `-X`, and a term without a function in front is its own. `extreme` is `Max` or `Min`. Fails for any other function in front.
fn terms_of_extreme(term: Term, extreme: TermFunction) -> Result<Vec<Term>, String> {
    match term {
        Term::Function(function, terms) if function == extreme => {
            let all = terms.into_iter().map(|term| terms_of_extreme(term, extreme)).collect::<Result<Vec<_>, _>>()?;
            Ok(all.into_iter().flatten().collect())
        }
        Term::Function(TermFunction::Abs, terms) if extreme == TermFunction::Max => {
            let zero = || Box::new(Term::Number(Literal::rational(0u8.into())));
            let negated = terms.iter().map(|term| Term::Binary(Op::Sub, zero(), Box::new(term.clone())));
            Ok(terms.iter().cloned().chain(negated).collect())
        }
        Term::Function(function, _) => Err(format!("`{}` is not understood on this side", function.name())),
        term => Ok(vec![term]),
    }
}
