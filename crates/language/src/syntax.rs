//! The syntax tree, and how it is printed.

use crate::piece::Piece;
use crate::precedence::Precedence;
use rocproof_algebra::Rational;
use std::fmt;

/// A range of bytes in the source text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
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

/// An expression with its place in the text.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// The kind of expression, with its parts.
    pub kind: Kind,
    /// The place in the text.
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
    /// `e on arcs`: an integrand restricted to one kind of piece.
    OnPieces(Box<Expr>, Piece),
    /// `{ e on [a,b]; … }`.
    Pieces(Vec<Expr>),
    /// `{ score: mass; … }`.
    Atoms(Vec<(Expr, Expr)>),
}

/// A relation between the two sides of a comparison.
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
    /// Reads a relation: `==`, `<=`, `≤`, `<`, `>=`, `≥` or `>`.
    pub(crate) fn parse(text: &str) -> Option<Relation> {
        match text {
            "==" => Some(Relation::Equal),
            "<=" | "≤" => Some(Relation::AtMost),
            "<" => Some(Relation::Less),
            ">=" | "≥" => Some(Relation::AtLeast),
            ">" => Some(Relation::Greater),
            _ => None,
        }
    }

    /// The spelling in the language.
    pub fn symbol(self) -> &'static str {
        match self {
            Relation::Equal => "==",
            Relation::AtMost => "<=",
            Relation::Less => "<",
            Relation::AtLeast => ">=",
            Relation::Greater => ">",
        }
    }

    /// The relation with its sides exchanged: `a < b` is `b > a`.
    pub fn reversed(self) -> Relation {
        match self {
            Relation::Equal => Relation::Equal,
            Relation::AtMost => Relation::AtLeast,
            Relation::Less => Relation::Greater,
            Relation::AtLeast => Relation::AtMost,
            Relation::Greater => Relation::Less,
        }
    }
}

/// Two expressions and the relation between them.
#[derive(Clone, Debug, PartialEq)]
pub struct ComparisonSyntax {
    /// The left-hand side.
    pub left: Expr,
    /// The relation between the sides.
    pub relation: Relation,
    /// The right-hand side.
    pub right: Expr,
}

impl ComparisonSyntax {
    /// The place in the text.
    pub fn span(&self) -> Span {
        self.left.span.to(self.right.span)
    }
}

/// A word with its place in the text.
pub type Word = (String, Span);

/// `[for CLASS m, …:] [PREMISE implies] CLAIM [where CONDITION, …]`.
#[derive(Clone, Debug, PartialEq)]
pub struct StatementSyntax {
    /// The classes: the words before the name of the first model.
    pub classes: Vec<Word>,
    /// The names of the models.
    pub models: Vec<Word>,
    /// The premises before `implies`. A chain `a <= b <= c` is two comparisons.
    pub premises: Vec<ComparisonSyntax>,
    /// The claims. A chain `a == b == c` is two comparisons.
    pub claims: Vec<ComparisonSyntax>,
    /// The conditions after `where`.
    pub conditions: Vec<ComparisonSyntax>,
}

/// `EXPRESSION [for BOUND, …]`: one expression for each choice of integers, as in `int(F0^i F1^j dF1) for i+j <= 4`.
#[derive(Clone, Debug, PartialEq)]
pub struct FamilySyntax {
    /// The expression.
    pub member: Expr,
    /// The bounds on the integers.
    pub bounds: Vec<ComparisonSyntax>,
}

impl Kind {
    /// The precedence when printed.
    fn precedence(&self) -> Precedence {
        match self {
            Kind::On(..) | Kind::OnPieces(..) => Precedence::Lowest,
            Kind::Binary(op, ..) => op.precedence(),
            Kind::Number(value) if !value.is_int() => Precedence::Product,
            Kind::Negate(_) => Precedence::Negation,
            _ => Precedence::Atom,
        }
    }
}

/// Prints expressions with a separator between them.
fn write_list(f: &mut fmt::Formatter, expressions: &[Expr], separator: &str) -> fmt::Result {
    for (i, expression) in expressions.iter().enumerate() {
        write!(f, "{}{expression}", if i > 0 { separator } else { "" })?;
    }
    Ok(())
}

/// Prints the expression in the language. The text parses to the same tree.
impl fmt::Display for Expr {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        use Precedence::{Atom, Negation, Power, Product, Sum};
        // An operand, in parentheses if its precedence is below `least`.
        let write_operand = |f: &mut fmt::Formatter, operand: &Expr, least: Precedence| {
            if operand.kind.precedence() < least { write!(f, "({operand})") } else { write!(f, "{operand}") }
        };
        match &self.kind {
            Kind::Number(value) => write!(f, "{value}"),
            Kind::Name(name) => f.write_str(name),
            Kind::Negate(inner) => {
                f.write_str("-")?;
                write_operand(f, inner, Negation)
            }
            Kind::Binary(op, left, right) => {
                // Stricter than `Op::operand_precedences`: the text must read back as the same tree, also `a + (b + c)`.
                let (symbol, [l, r]) = match op {
                    Op::Add => (" + ", [Sum, Product]),
                    Op::Sub => (" - ", [Sum, Product]),
                    Op::Mul => ("*", [Product, Negation]),
                    Op::Div => ("/", [Product, Negation]),
                    Op::Pow => ("^", [Atom, Power]),
                };
                write_operand(f, left, l)?;
                f.write_str(symbol)?;
                write_operand(f, right, r)
            }
            Kind::Call(name, _, arguments) => {
                write!(f, "{name}(")?;
                write_list(f, arguments, ", ")?;
                f.write_str(")")
            }
            Kind::Bracket(name, _, method, cost) => {
                write!(f, "{name}[{method}")?;
                if let Some(cost) = cost {
                    write!(f, "; {cost}")?;
                }
                f.write_str("]")
            }
            Kind::Apply(callee, arguments) => {
                write!(f, "{callee}(")?;
                write_list(f, arguments, ", ")?;
                f.write_str(")")
            }
            Kind::On(inner, ends) => write!(f, "{inner} on [{}, {}]", ends[0], ends[1]),
            Kind::OnPieces(inner, piece) => write!(f, "{inner} on {}", piece.plural()),
            Kind::Pieces(pieces) => {
                f.write_str("{ ")?;
                write_list(f, pieces, "; ")?;
                f.write_str(" }")
            }
            Kind::Atoms(atoms) => {
                f.write_str("{ ")?;
                for (i, (score, mass)) in atoms.iter().enumerate() {
                    write!(f, "{}{score}: {mass}", if i > 0 { "; " } else { "" })?;
                }
                f.write_str(" }")
            }
        }
    }
}
