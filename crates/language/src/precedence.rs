//! Precedence of operations, for printers.

use crate::syntax::Op;

/// How tightly an expression binds. A printer puts an operand in parentheses if it binds less tightly than its position asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Precedence {
    /// Anything: the position needs no parentheses.
    Lowest,
    /// Sums and differences.
    Sum,
    /// Products and quotients, also fractions such as `1/3`.
    Product,
    /// Negations, where they bind more tightly than products.
    Negation,
    /// Powers.
    Power,
    /// Names, integers and calls.
    Atom,
}

impl Op {
    /// The precedence of the operation.
    pub fn precedence(self) -> Precedence {
        match self {
            Op::Add | Op::Sub => Precedence::Sum,
            Op::Mul | Op::Div => Precedence::Product,
            Op::Pow => Precedence::Power,
        }
    }

    /// The least precedence of the left and the right operand without parentheses, by the laws of arithmetic: `a + (b + c)` needs none.
    pub fn operand_precedences(self) -> [Precedence; 2] {
        match self {
            Op::Add => [Precedence::Sum, Precedence::Sum],
            Op::Sub => [Precedence::Sum, Precedence::Product],
            Op::Mul => [Precedence::Product, Precedence::Product],
            Op::Div => [Precedence::Product, Precedence::Power],
            Op::Pow => [Precedence::Atom, Precedence::Atom],
        }
    }
}
