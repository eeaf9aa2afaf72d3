//! Terms: arithmetic on functionals, parameters and numbers, the sides of comparisons.

use super::functional::Functional;
use rocproof_algebra::Rational;
use rocproof_language::{Literal, Op, Precedence, Relation, Span};
use std::fmt;

/// A side of a comparison, or a part of it.
#[derive(Clone, Debug, PartialEq)]
pub enum Term {
    /// A number.
    Number(Literal),
    /// `pi0`, `pi1`, the ends `l`, `h` of the scale of scores, or a parameter such as `t`.
    Symbol(String),
    /// A functional of a model.
    Value(Box<Functional>),
    /// A sum, difference, product or quotient.
    Binary(Op, Box<Term>, Box<Term>),
    /// A power with an integer exponent.
    Power(Box<Term>, i32),
    /// A function applied to terms.
    Function(TermFunction, Vec<Term>),
}

/// A function of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum TermFunction {
    Min,
    Max,
    Abs,
    Sqrt,
}

impl TermFunction {
    /// All functions.
    pub(crate) const ALL: [TermFunction; 4] =
        [TermFunction::Min, TermFunction::Max, TermFunction::Abs, TermFunction::Sqrt];

    /// The name in the language.
    pub fn name(self) -> &'static str {
        match self {
            TermFunction::Min => "min",
            TermFunction::Max => "max",
            TermFunction::Abs => "abs",
            TermFunction::Sqrt => "sqrt",
        }
    }
}

/// Two terms and the relation between them.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// The left-hand side.
    pub left: Term,
    /// The relation between the sides.
    pub relation: Relation,
    /// The right-hand side.
    pub right: Term,
    /// The place in the statement.
    pub span: Span,
}

impl Term {
    /// The functionals, from left to right.
    pub fn functionals(&self) -> Vec<&Functional> {
        let mut functionals = Vec::new();
        self.visit(&mut |term| {
            if let Term::Value(functional) = term {
                functionals.push(functional.as_ref());
            }
        });
        functionals
    }

    /// The symbols, including the parameters of functionals.
    pub fn symbols(&self) -> Vec<&str> {
        let mut symbols = Vec::new();
        self.visit(&mut |term| match term {
            Term::Symbol(name) => symbols.push(name.as_str()),
            Term::Value(functional) => symbols.extend(functional.parameter()),
            _ => {}
        });
        symbols
    }

    /// Calls a function on the term and all its subterms, from left to right.
    pub(crate) fn visit<'a>(&'a self, visitor: &mut impl FnMut(&'a Term)) {
        visitor(self);
        match self {
            Term::Binary(_, left, right) => {
                left.visit(visitor);
                right.visit(visitor);
            }
            Term::Power(base, _) => base.visit(visitor),
            Term::Function(_, terms) => terms.iter().for_each(|term| term.visit(visitor)),
            Term::Number(_) | Term::Symbol(_) | Term::Value(_) => {}
        }
    }
}

impl Comparison {
    /// Both sides.
    pub fn sides(&self) -> [&Term; 2] {
        [&self.left, &self.right]
    }
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{} {} {}", self.left, self.relation.symbol(), self.right)
    }
}

impl Term {
    /// Whether it is the number 0.
    fn is_zero(&self) -> bool {
        matches!(self, Term::Number(value) if value.exact.as_ref().is_some_and(Rational::is_zero))
    }

    /// The precedence of the printed text. An irrational number is printed as an expression, perhaps a sum; `1/2` and `-1` as products.
    fn precedence(&self) -> Precedence {
        match self {
            Term::Binary(op, ..) => op.precedence(),
            Term::Number(value) if value.exact.is_none() => Precedence::Sum,
            Term::Number(value) if value.text().contains(['/', '-']) => Precedence::Product,
            Term::Power(..) => Precedence::Power,
            _ => Precedence::Atom,
        }
    }

    /// Writes the term, in parentheses if its precedence is below that which the operand's position requires.
    fn write(&self, f: &mut fmt::Formatter, required: Precedence) -> fmt::Result {
        if self.precedence() < required {
            return write!(f, "({self})");
        }
        write!(f, "{self}")
    }
}

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Term::Number(value) => write!(f, "{value}"),
            Term::Symbol(name) => f.write_str(name),
            Term::Value(functional) => write!(f, "{functional}"),
            // A negation is read as `0 - term`.
            Term::Binary(Op::Sub, left, right) if left.is_zero() => {
                f.write_str("-")?;
                right.write(f, Precedence::Product)
            }
            Term::Binary(op, left, right) => {
                let symbol = match op {
                    Op::Add => " + ",
                    Op::Sub => " - ",
                    Op::Mul => "*",
                    _ => "/",
                };
                let [required_left, required_right] = op.operand_precedences();
                left.write(f, required_left)?;
                f.write_str(symbol)?;
                right.write(f, required_right)
            }
            Term::Power(base, exponent) => {
                base.write(f, Precedence::Atom)?;
                write!(f, "^{exponent}")
            }
            Term::Function(function, terms) => {
                write!(f, "{}(", function.name())?;
                for (i, term) in terms.iter().enumerate() {
                    write!(f, "{}{term}", if i > 0 { ", " } else { "" })?;
                }
                f.write_str(")")
            }
        }
    }
}
