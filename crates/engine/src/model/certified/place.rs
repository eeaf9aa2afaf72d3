//! Places on the score axis that may be irrational: which comes first is decided, not guessed.

use crate::constant::Constant;
use rocproof_arith::{Interval, Rational};
use rocproof_language::{Diagnostic, Expr, Kind, Source};
use std::cmp::Ordering;

/// A place as the user wrote it; it may be infinite.
#[derive(Clone, Debug)]
pub struct Place {
    /// The number.
    pub constant: Constant,
    syntax: Option<Expr>,
}

impl Place {
    /// Reads a place.
    pub fn read(source: &Source, expr: &Expr) -> Result<Place, Diagnostic> {
        Ok(Place { constant: Constant::extended(source, expr)?, syntax: Some(expr.clone()) })
    }

    /// What the user wrote.
    pub fn syntax(&self) -> Option<&Expr> {
        self.syntax.as_ref()
    }

    /// A rational place.
    pub fn rational(value: Rational) -> Place {
        Place { constant: Constant::rational(value), syntax: None }
    }

    /// An infinite place.
    pub fn infinite(sign: f64) -> Place {
        let end = sign * f64::INFINITY;
        Place { constant: Constant::real(end, Interval::from(end)), syntax: None }
    }

    /// What it is known to lie in.
    pub fn enclosure(&self) -> Interval {
        self.constant.enclosure
    }

    /// Whether it is finite.
    pub fn is_finite(&self) -> bool {
        self.enclosure().is_bounded()
    }

    /// Which of two places comes first; `None` if they are too close to tell.
    pub fn compare(&self, other: &Place) -> Option<Ordering> {
        let (a, b) = (self.enclosure(), other.enclosure());
        if a.hi() < b.lo() {
            Some(Ordering::Less)
        } else if b.hi() < a.lo() {
            Some(Ordering::Greater)
        } else if let (Some(exact), Some(other)) = (&self.constant.exact, &other.constant.exact) {
            Some(if a.is_point() && b.is_point() { Ordering::Equal } else { exact.cmp(other) })
        } else {
            let same = a.is_point() && a == b && !a.is_bounded();
            let written_alike =
                self.syntax.as_ref().zip(other.syntax.as_ref()).is_some_and(|(a, b)| written_alike(a, b));
            (same || written_alike).then_some(Ordering::Equal)
        }
    }
}

/// Whether two expressions are the same, wherever they stand.
pub fn written_alike(a: &Expr, b: &Expr) -> bool {
    let all = |a: &[Expr], b: &[Expr]| a.len() == b.len() && a.iter().zip(b).all(|(a, b)| written_alike(a, b));
    match (&a.kind, &b.kind) {
        (Kind::Number(a), Kind::Number(b)) => a == b,
        (Kind::Name(a), Kind::Name(b)) => a == b,
        (Kind::Negate(a), Kind::Negate(b)) => written_alike(a, b),
        (Kind::Binary(op, a, b), Kind::Binary(other, c, d)) => {
            op == other && written_alike(a, c) && written_alike(b, d)
        }
        (Kind::Call(name, _, a), Kind::Call(other, _, b)) => name == other && all(a, b),
        (Kind::On(a, ends), Kind::On(b, others)) => written_alike(a, b) && all(&ends[..], &others[..]),
        (Kind::Pieces(a), Kind::Pieces(b)) => all(a, b),
        (Kind::Atoms(a), Kind::Atoms(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| written_alike(&a.0, &b.0) && written_alike(&a.1, &b.1))
        }
        _ => false,
    }
}
