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
    /// `name[method; cost]`, as in `L[rd; beta(2, 2)]`; the span is that of the name.
    Bracket(String, Span, Box<Expr>, Option<Box<Expr>>),
    /// `e(arguments)` where `e` is a call or has brackets itself, as in `L[o](m)` and `Acc(t)(m)`.
    Apply(Box<Expr>, Vec<Expr>),
    /// `e on [lo, hi]`.
    On(Box<Expr>, Box<[Expr; 2]>),
    /// `{ e on [a,b]; … }`.
    Pieces(Vec<Expr>),
    /// `{ place: mass; … }`.
    Atoms(Vec<(Expr, Expr)>),
}

/// How the two sides of a statement compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Relation {
    Equal,
    AtMost,
    Less,
    AtLeast,
    Greater,
}

impl Relation {
    /// The relation that is spelled so.
    pub fn spelled(text: &str) -> Option<Relation> {
        match text {
            "==" => Some(Relation::Equal),
            "<=" | "≤" => Some(Relation::AtMost),
            "<" => Some(Relation::Less),
            ">=" | "≥" => Some(Relation::AtLeast),
            ">" => Some(Relation::Greater),
            _ => None,
        }
    }

    /// Its spelling in the language.
    pub fn symbol(self) -> &'static str {
        match self {
            Relation::Equal => "==",
            Relation::AtMost => "<=",
            Relation::Less => "<",
            Relation::AtLeast => ">=",
            Relation::Greater => ">",
        }
    }
}

/// Two sides and how they compare.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// The left-hand side.
    pub left: Expr,
    /// How they compare.
    pub relation: Relation,
    /// The right-hand side.
    pub right: Expr,
}

impl Comparison {
    /// Where it stands.
    pub fn span(&self) -> Span {
        self.left.span.to(self.right.span)
    }
}

/// A word and where it stands.
pub type Word = (String, Span);

/// `[for CLASS m, …:] [PREMISE implies] CLAIM [where CONDITION, …]`.
#[derive(Clone, Debug, PartialEq)]
pub struct StatementSyntax {
    /// The words before the names of the models.
    pub classes: Vec<Word>,
    /// The names of the models.
    pub models: Vec<Word>,
    /// What is supposed before `implies`; a chain `a <= b <= c` is two comparisons.
    pub premises: Vec<Comparison>,
    /// What is claimed; a chain `a == b == c` is two comparisons.
    pub claims: Vec<Comparison>,
    /// What stands after `where`.
    pub conditions: Vec<Comparison>,
}

/// `EXPRESSION [for CONDITION, …]`: one expression for each choice of whole numbers, as in `int(F0^i F1^j dF1) for i+j <= 4`.
#[derive(Clone, Debug, PartialEq)]
pub struct FamilySyntax {
    /// The expression.
    pub member: Expr,
    /// What bounds the whole numbers.
    pub bounds: Vec<Comparison>,
}
