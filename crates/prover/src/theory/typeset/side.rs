//! Comparisons and their sides.

use super::Style;
use crate::statement::{Comparison, Statement, Term};
use rocproof_arith::Rational;
use rocproof_language::{Precedence, Relation};

impl Style {
    /// A side of a comparison.
    pub fn term(self, term: &Term) -> String {
        self.side(term, Precedence::Lowest)
    }

    /// A side of a comparison or a part of it, in parentheses if its precedence is below `least`.
    fn side(self, term: &Term, least: Precedence) -> String {
        let (text, precedence) = match term {
            Term::Number(value) => match &value.exact {
                Some(exact) if exact.is_int() && *exact >= Rational::ZERO => (self.number(exact), Precedence::Atom),
                Some(exact) => (self.number(exact), Precedence::Product),
                None => (value.to_string(), Precedence::Atom),
            },
            Term::Symbol(name) => (self.variable(name), Precedence::Atom),
            Term::Value(functional) => (self.functional(functional), Precedence::Atom),
            Term::Binary(op, left, right) => {
                self.binary(*op, |least| self.side(left, least), |least| self.side(right, least))
            }
            Term::Power(base, exponent) => {
                (self.with_exponent(&self.side(base, Precedence::Atom), &exponent.to_string()), Precedence::Power)
            }
            Term::Function(function, arguments) => {
                let arguments: Vec<String> = arguments.iter().map(|argument| self.term(argument)).collect();
                let name = match self {
                    Style::Text => function.name().to_owned(),
                    Style::Latex => format!("\\operatorname{{{}}}", function.name()),
                };
                (format!("{name}({})", arguments.join(", ")), Precedence::Atom)
            }
        };
        if precedence < least { format!("({text})") } else { text }
    }

    /// The sign of a relation.
    pub(super) fn relation(self, relation: Relation) -> &'static str {
        match (self, relation) {
            (_, Relation::Equal) => "=",
            (_, Relation::Less) => "<",
            (_, Relation::Greater) => ">",
            (Style::Text, Relation::AtMost) => "≤",
            (Style::Text, Relation::AtLeast) => "≥",
            (Style::Latex, Relation::AtMost) => "\\le",
            (Style::Latex, Relation::AtLeast) => "\\ge",
        }
    }

    /// The sign of "at most".
    pub fn at_most(self) -> &'static str {
        self.relation(Relation::AtMost)
    }

    /// A comparison.
    pub fn comparison(self, comparison: &Comparison) -> String {
        self.chain(std::slice::from_ref(comparison))
    }

    /// Comparisons, separated by commas. A comparison that begins with the last side of the one before continues it: `a ≤ b ≤ c`.
    pub(super) fn chain(self, comparisons: &[Comparison]) -> String {
        let mut text = String::new();
        let mut last_side = None;
        for Comparison { left, relation, right, .. } in comparisons {
            if last_side != Some(left) {
                let separator = if last_side.is_none() { "" } else { ", " };
                text += &format!("{separator}{}", self.term(left));
            }
            text += &format!(" {} {}", self.relation(*relation), self.term(right));
            last_side = Some(right);
        }
        text
    }

    /// The larger side of a comparison, given as text, minus the smaller one; empty if the text is no comparison.
    pub fn difference_of(self, comparison: &str) -> String {
        let parsed = Statement::parse(comparison).ok().and_then(|mut statement| statement.claims.pop());
        let Some(claim) = parsed else { return String::new() };
        let [left, right] = claim.sides().map(|side| self.term(side));
        let right_is_larger = matches!(claim.relation, Relation::AtMost | Relation::Less);
        let (larger, smaller) = if right_is_larger { (right, left) } else { (left, right) };
        format!("({larger} - ({smaller}))")
    }
}
