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

    /// Minus or plus infinity, by the sign.
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

    /// The order of two positions; `None` if they are too close to tell. Two irrational ones are equal if they are written alike.
    pub fn compare(&self, other: &Endpoint) -> Option<Ordering> {
        let (a, b) = (self.enclosure(), other.enclosure());
        if a.hi() < b.lo() {
            Some(Ordering::Less)
        } else if b.hi() < a.lo() {
            Some(Ordering::Greater)
        } else if let (Some(exact), Some(other)) = (&self.constant.exact, &other.constant.exact) {
            Some(if a.is_point() && b.is_point() { Ordering::Equal } else { exact.cmp(other) })
        } else {
            let is_same_infinity = a.is_point() && a == b && !a.is_bounded();
            let expressions = self.syntax.as_ref().zip(other.syntax.as_ref());
            let is_written_alike = expressions.is_some_and(|(a, b)| is_written_alike(a, b));
            (is_same_infinity || is_written_alike).then_some(Ordering::Equal)
        }
    }
}

/// Whether two expressions are the same but for their spans.
pub fn is_written_alike(a: &Expr, b: &Expr) -> bool {
    let all = |a: &[Expr], b: &[Expr]| a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_written_alike(a, b));
    match (&a.kind, &b.kind) {
        (Kind::Number(a), Kind::Number(b)) => a == b,
        (Kind::Name(a), Kind::Name(b)) => a == b,
        (Kind::Negate(a), Kind::Negate(b)) => is_written_alike(a, b),
        (Kind::Binary(op, a, b), Kind::Binary(other, c, d)) => {
            op == other && is_written_alike(a, c) && is_written_alike(b, d)
        }
        (Kind::Call(name, _, a), Kind::Call(other, _, b)) => name == other && all(a, b),
        (Kind::On(a, ends), Kind::On(b, others)) => is_written_alike(a, b) && all(&ends[..], &others[..]),
        (Kind::Pieces(a), Kind::Pieces(b)) => all(a, b),
        (Kind::Atoms(a), Kind::Atoms(b)) => {
            let pairs = || a.iter().zip(b);
            a.len() == b.len() && pairs().all(|(a, b)| is_written_alike(&a.0, &b.0) && is_written_alike(&a.1, &b.1))
        }
        _ => false,
    }
}
