//! Arithmetic formulas with names of their own, evaluated in any [`Algebra`]: intervals, rationals, numbers with errors.

use super::program::Algebra;
use crate::calculus::Estimate;
use rocproof_arith::{Interval, Rational};
use rocproof_language::{Expr, Kind, Op, Source, parse};

/// The value of a formula, given the values of its names; `None` if it does not parse or has an unknown name.
///
/// ```
/// use rocproof_arith::{Number, Rational};
/// use rocproof_engine::functional::formula;
/// let n = Number::from(Rational::from(3));
/// let value = formula::value("n/(n+1)^2 - 1/4", |name| (name == "n").then(|| n.clone())).unwrap();
/// assert_eq!(value.as_rational().unwrap().to_string(), "-1/16");
/// assert!(formula::value::<Number>("m", |_| None).is_none());
/// ```
pub fn value<A: Algebra>(text: &str, given: impl Fn(&str) -> Option<A>) -> Option<A> {
    let expr = parse(&Source::new("formula", text)).ok()?;
    evaluate(&expr, &given)
}

/// The value of a formula that is parsed already; `None` if it has an unknown name or is no arithmetic.
pub fn evaluate<A: Algebra>(expr: &Expr, given: &impl Fn(&str) -> Option<A>) -> Option<A> {
    match &expr.kind {
        Kind::Number(value) => Some(A::constant(value)),
        Kind::Name(name) => given(name),
        Kind::Negate(inner) => Some(A::constant(&Rational::ZERO).minus(&evaluate(inner, given)?)),
        Kind::Binary(Op::Pow, base, exponent) => {
            let Kind::Number(exponent) = &exponent.kind else { return None };
            let power = i32::try_from(exponent.numerator()).ok().filter(|_| exponent.is_int())?;
            Some(evaluate(base, given)?.power(power))
        }
        Kind::Binary(op, left, right) => {
            let (left, right) = (evaluate(left, given)?, evaluate(right, given)?);
            Some(match op {
                Op::Add => left.plus(&right),
                Op::Sub => left.minus(&right),
                Op::Mul => left.times(&right),
                _ => left.over(&right),
            })
        }
        _ => None,
    }
}

/// The value of a formula in numbers with errors, by interval arithmetic.
pub fn estimate(text: &str, given: impl Fn(&str) -> Option<Estimate>) -> Option<Estimate> {
    value(text, |name| given(name).map(|e| Interval::around(e.value, e.error))).map(middle)
}

/// The midpoint of an interval with its radius as error.
pub fn middle(interval: Interval) -> Estimate {
    // Adding 0 turns -0 into 0.
    Estimate { value: interval.mid() + 0.0, error: interval.radius() + 0.0 }
}
