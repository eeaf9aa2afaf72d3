//! Comparisons split into inequalities without `min`, `max` and `abs`.

use crate::statement::{Comparison, Term, TermFunction};
use rocproof_language::Literal;
use rocproof_language::{Op, Relation};

/// Splits a comparison into inequalities without `min`, `max` and `abs` that are together equivalent to it: `X <= min(a, b)` is `X <= a`
/// and `X <= b`, `abs(X) <= Y` is `X <= Y` and `-X <= Y`, an equality is two inequalities. Fails if there is no such conjunction.
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
    let with =
        |left: Term, relation: Relation, right: Term| Comparison { left, relation, right, span: comparison.span };
    let (left, right) = (comparison.left.clone(), comparison.right.clone());
    let (smaller, relation, larger) = match comparison.relation {
        Relation::Equal => {
            let both = [Relation::AtMost, Relation::AtLeast].map(|r| with(left.clone(), r, right.clone()));
            return Ok(both.iter().map(inequalities).collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect());
        }
        Relation::AtMost | Relation::Less => (left, comparison.relation, right),
        Relation::AtLeast | Relation::Greater => (right, comparison.relation.reversed(), left),
    };
    let (smaller, larger) =
        (terms_of_extreme(smaller, TermFunction::Max)?, terms_of_extreme(larger, TermFunction::Min)?);
    let mut found = Vec::new();
    for smaller in &smaller {
        for larger in &larger {
            // Print the sides in the order in which they were written.
            found.push(if relation == comparison.relation {
                with(smaller.clone(), relation, larger.clone())
            } else {
                with(larger.clone(), relation.reversed(), smaller.clone())
            });
        }
    }
    Ok(found)
}

/// The terms whose maximum, or minimum, a term is.
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
