//! Families of terms: one term for every choice of non-negative integers, as in `int(F0^i F1^j dF1) for i+j <= 4`.

use crate::statement::{self, Term};
use rocproof_arith::Rational;
use rocproof_engine::functional::formula;
use rocproof_language::{ComparisonSyntax, Diagnostic, Expr, FamilySyntax, Kind, Op, Relation, Source, parse_families};

/// The largest value of an index; a family that reaches it is refused, since its bounds may leave the index free.
const LARGEST_INDEX: u32 = 40;
/// The most terms of a family.
const MOST_MEMBERS: usize = 400;

/// Reads terms with commas between them; a family becomes its members.
///
/// ```
/// use rocproof_language::Source;
/// use rocproof_prover::statement::terms;
/// let basis = terms(&Source::new("basis", "AUC, int(F0^i F1^j dF1) for i+j <= 1"))?;
/// let texts: Vec<String> = basis.iter().map(ToString::to_string).collect();
/// assert_eq!(texts, ["AUC", "int(dF1)", "int(F1*dF1)", "int(F0*dF1)"]);
/// # Ok::<(), rocproof_language::Diagnostic>(())
/// ```
pub fn terms(source: &Source) -> Result<Vec<Term>, Diagnostic> {
    let mut terms: Vec<Term> = Vec::new();
    for family in parse_families(source)? {
        for member in members(source, &family)? {
            let term = statement::term(source, &member)?;
            if !terms.contains(&term) {
                terms.push(term);
            }
        }
    }
    Ok(terms)
}

/// The members of a family: its term with every choice of indices that satisfies the bounds.
fn members(source: &Source, family: &FamilySyntax) -> Result<Vec<Expr>, Diagnostic> {
    let mut indices = Vec::new();
    for bound in &family.bounds {
        collect_names(&bound.left, &mut indices);
        collect_names(&bound.right, &mut indices);
    }
    if indices.is_empty() {
        return Ok(vec![family.member.clone()]);
    }
    let whole = family.bounds.iter().fold(family.member.span, |span, bound| span.to(bound.span()));
    let mut members = Vec::new();
    let mut choice = vec![0u32; indices.len()];
    loop {
        if satisfies_bounds(source, family, &indices, &choice)? {
            if choice.contains(&LARGEST_INDEX) || members.len() == MOST_MEMBERS {
                let message =
                    format!("this family has more than {MOST_MEMBERS} members, or an index above {LARGEST_INDEX}");
                return Err(source.error(whole, message, "too many").help("for example: for i+j <= 4"));
            }
            members.push(simplify(&substitute(&family.member, &indices, &choice)));
        }
        // The next choice, as an odometer counts: the last index runs fastest.
        let Some(k) = (0..choice.len()).rev().find(|k| choice[*k] < LARGEST_INDEX) else { break };
        choice[k] += 1;
        choice[k + 1..].fill(0);
    }
    Ok(members)
}

/// Whether a choice of indices satisfies the bounds of a family.
fn satisfies_bounds(
    source: &Source,
    family: &FamilySyntax,
    indices: &[String],
    choice: &[u32],
) -> Result<bool, Diagnostic> {
    let value = |expr: &Expr| {
        let index_value = |name: &str| {
            let k = indices.iter().position(|index| index == name)?;
            Some(rocproof_arith::Number::from(Rational::from(choice[k])))
        };
        let value = formula::evaluate(expr, &index_value).and_then(|number| number.as_rational().cloned());
        value.ok_or_else(|| source.error(expr.span, "a bound of whole numbers is needed here", "not one"))
    };
    for ComparisonSyntax { left, relation, right } in &family.bounds {
        let (l, r) = (value(left)?, value(right)?);
        let holds = match relation {
            Relation::Equal => l == r,
            Relation::AtMost => l <= r,
            Relation::Less => l < r,
            Relation::AtLeast => l >= r,
            Relation::Greater => l > r,
        };
        if !holds {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Adds the names in a bound to a list, each once.
fn collect_names(expr: &Expr, names: &mut Vec<String>) {
    match &expr.kind {
        Kind::Name(name) if !names.contains(name) => names.push(name.clone()),
        Kind::Negate(inner) => collect_names(inner, names),
        Kind::Binary(_, left, right) => {
            collect_names(left, names);
            collect_names(right, names);
        }
        _ => {}
    }
}

/// The expression with numbers in place of the indices.
fn substitute(expr: &Expr, indices: &[String], choice: &[u32]) -> Expr {
    let recurse = |expr: &Expr| substitute(expr, indices, choice);
    let kind = match &expr.kind {
        Kind::Name(name) => match indices.iter().position(|index| index == name) {
            Some(k) => Kind::Number(Rational::from(choice[k])),
            None => return expr.clone(),
        },
        Kind::Negate(inner) => Kind::Negate(Box::new(recurse(inner))),
        Kind::Binary(op, left, right) => Kind::Binary(*op, Box::new(recurse(left)), Box::new(recurse(right))),
        Kind::Call(name, span, arguments) => Kind::Call(name.clone(), *span, arguments.iter().map(recurse).collect()),
        Kind::Bracket(name, span, method, cost) => {
            let cost = cost.as_ref().map(|cost| Box::new(recurse(cost)));
            Kind::Bracket(name.clone(), *span, Box::new(recurse(method)), cost)
        }
        Kind::Apply(callee, arguments) => {
            Kind::Apply(Box::new(recurse(callee)), arguments.iter().map(recurse).collect())
        }
        Kind::Number(_) | Kind::On(..) | Kind::OnPieces(..) | Kind::Pieces(_) | Kind::Atoms(_) => return expr.clone(),
    };
    Expr { kind, span: expr.span }
}

/// Removes factors 1 and powers 0 and 1 from an expression, so that a member of a family is written as a user would.
fn simplify(expr: &Expr) -> Expr {
    let is_number = |expr: &Expr, value: u8| expr.kind == Kind::Number(value.into());
    let kind = match &expr.kind {
        Kind::Binary(op, left, right) => {
            let (left, right) = (simplify(left), simplify(right));
            match op {
                Op::Pow if is_number(&right, 0) => Kind::Number(1u8.into()),
                Op::Pow if is_number(&right, 1) => return left,
                Op::Mul if is_number(&left, 1) => return right,
                Op::Mul | Op::Div if is_number(&right, 1) => return left,
                _ => Kind::Binary(*op, Box::new(left), Box::new(right)),
            }
        }
        Kind::Negate(inner) => Kind::Negate(Box::new(simplify(inner))),
        Kind::Call(name, span, arguments) => Kind::Call(name.clone(), *span, arguments.iter().map(simplify).collect()),
        Kind::Apply(callee, arguments) => {
            Kind::Apply(Box::new(simplify(callee)), arguments.iter().map(simplify).collect())
        }
        _ => return expr.clone(),
    };
    Expr { kind, span: expr.span }
}
