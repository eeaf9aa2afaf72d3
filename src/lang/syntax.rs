//! The syntax tree.

use crate::arith::Rational;

/// A range of bytes in the source text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// The first byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

impl Span {
    /// The span from the start of `self` to the end of `other`.
    pub fn to(self, other: Span) -> Span {
        Span { start: self.start, end: other.end }
    }
}

/// An expression and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// What it is.
    pub kind: Kind,
    /// Where it stands.
    pub span: Span,
}

/// A binary operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Op {
    Add,
    Sub,
    Mul,
    Div,
    Pow,
}

/// The kinds of expression.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// An exact number.
    Number(Rational),
    /// A name: `x`, `pi`, `F0`.
    Name(String),
    /// `-e`.
    Negate(Box<Expr>),
    /// `l op r`.
    Binary(Op, Box<Expr>, Box<Expr>),
    /// `name(arguments)`; the span is that of the name.
    Call(String, Span, Vec<Expr>),
    /// `e on [lo, hi]`.
    On(Box<Expr>, Box<[Expr; 2]>),
    /// `{ e on [a,b]; … }`.
    Pieces(Vec<Expr>),
    /// `{ place: mass; … }`.
    Atoms(Vec<(Expr, Expr)>),
}
