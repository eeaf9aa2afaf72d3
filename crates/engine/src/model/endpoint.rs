//! Ends of intervals and positions of atoms on the score axis. They may be irrational; their order is proved, never guessed.

use crate::constant::Constant;
use rocproof_arith::{Interval, Rational};
use rocproof_language::{Diagnostic, Expr, Kind, Source, Span};
use std::cmp::Ordering;

/// A position on the score axis, finite or infinite.
#[derive(Clone, Debug)]
pub struct Endpoint {
    /// The number.
    pub constant: Constant,
    /// The expression that the user wrote; `None` if the position is implied.
    syntax: Option<Expr>,
}

impl Endpoint {
    /// Reads a number, `inf` or `-inf`.
    pub fn read(source: &Source, expr: &Expr) -> Result<Endpoint, Diagnostic> {
        Ok(Endpoint { constant: Constant::extended(source, expr)?, syntax: Some(expr.clone()) })
    }

    /// A number with the expression that it was written as.
    pub fn new(constant: Constant, syntax: Expr) -> Endpoint {
        Endpoint { constant, syntax: Some(syntax) }
    }

    /// The expression that the user wrote; `None` if the position is implied.
    pub fn syntax(&self) -> Option<&Expr> {
        self.syntax.as_ref()
    }

    /// Where the user wrote the position.
    pub fn span(&self) -> Option<Span> {
        self.syntax.as_ref().map(|syntax| syntax.span)
    }

    /// A rational position.
    pub fn rational(value: Rational) -> Endpoint {
        Endpoint { constant: Constant::rational(value), syntax: None }
    }

    /// Plus infinity for a positive sign, minus infinity for a negative one.
    pub fn infinite(sign: f64) -> Endpoint {
        let end = sign * f64::INFINITY;
        Endpoint { constant: Constant::real(end, Interval::from(end)), syntax: None }
    }

    /// The ends of the unit interval, 0 and 1.
    pub fn unit() -> [Endpoint; 2] {
        [Rational::ZERO, Rational::ONE].map(Endpoint::rational)
    }

    /// The ends of the real line, minus and plus infinity.
    pub fn line() -> [Endpoint; 2] {
        [-1.0, 1.0].map(Endpoint::infinite)
    }

    /// An interval that contains the position.
    pub fn enclosure(&self) -> Interval {
        self.constant.enclosure
    }

    /// Whether the position is finite.
    pub fn is_finite(&self) -> bool {
        self.enclosure().is_bounded()
    }

    /// The order of two positions, if it can be proved: by disjoint enclosures, by exact values, or because both are the same infinity
    /// or are written alike. `None` if the positions are too close to tell.
    pub fn compare(&self, other: &Endpoint) -> Option<Ordering> {
        let (a, b) = (self.enclosure(), other.enclosure());
        if a.hi() < b.lo() {
            Some(Ordering::Less)
        } else if b.hi() < a.lo() {
            Some(Ordering::Greater)
        } else if let (Some(own_exact), Some(other_exact)) = (&self.constant.exact, &other.constant.exact) {
            // Two points that are not ordered are equal; rationals need not be compared.
            Some(if a.is_point() && b.is_point() { Ordering::Equal } else { own_exact.cmp(other_exact) })
        } else {
            let is_same_infinity = a.is_point() && a == b && !a.is_bounded();
            let expressions = self.syntax.as_ref().zip(other.syntax.as_ref());
            let is_written_alike = expressions.is_some_and(|(a, b)| is_written_alike(a, b));
            (is_same_infinity || is_written_alike).then_some(Ordering::Equal)
        }
    }
}

/// Whether two expressions are equal apart from their spans. Kinds that never occur in a density count as different.
pub fn is_written_alike(a: &Expr, b: &Expr) -> bool {
    let all_alike = |a: &[Expr], b: &[Expr]| a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_written_alike(a, b));
    match (&a.kind, &b.kind) {
        (Kind::Number(a), Kind::Number(b)) => a == b,
        (Kind::Name(a), Kind::Name(b)) => a == b,
        (Kind::Negate(a), Kind::Negate(b)) => is_written_alike(a, b),
        (Kind::Binary(op_a, left_a, right_a), Kind::Binary(op_b, left_b, right_b)) => {
            op_a == op_b && is_written_alike(left_a, left_b) && is_written_alike(right_a, right_b)
        }
        (Kind::Call(name_a, _, a), Kind::Call(name_b, _, b)) => name_a == name_b && all_alike(a, b),
        (Kind::On(a, ends_a), Kind::On(b, ends_b)) => is_written_alike(a, b) && all_alike(&ends_a[..], &ends_b[..]),
        (Kind::Pieces(a), Kind::Pieces(b)) => all_alike(a, b),
        (Kind::Atoms(a), Kind::Atoms(b)) => {
            let are_alike = |((position_a, mass_a), (position_b, mass_b)): (&(Expr, Expr), &(Expr, Expr))| {
                is_written_alike(position_a, position_b) && is_written_alike(mass_a, mass_b)
            };
            a.len() == b.len() && a.iter().zip(b).all(are_alike)
        }
        _ => false,
    }
}
