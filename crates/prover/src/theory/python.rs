//! Python expressions for SymPy scripts.

use super::lower::{Lowering, Track};
use super::symbol::Symbol;
use crate::statement::Term;
use rocproof_algebra::signed_sum;
use rocproof_arith::{Fraction, Multinomial, Rational, Variable};
use rocproof_language::{Expr, Kind, Op, Precedence};

/// A number; an integer as it is.
pub(super) fn number(value: &Rational) -> String {
    if value.is_int() { value.to_string() } else { format!("Rational({}, {})", value.numerator(), value.denominator()) }
}

/// A number as a SymPy rational, also if it is an integer.
pub(super) fn rational(value: &Rational) -> String {
    format!("Rational({}, {})", value.numerator(), value.denominator())
}

/// A Python string literal.
pub(super) fn quoted(text: &str) -> String {
    serde_json::to_string(text).unwrap_or_default()
}

/// An expression of the language in Python; adds the names in it to a list, each once.
pub(super) fn expression(expr: &Expr, names: &mut Vec<String>) -> String {
    let mut add_name = |name: &String| {
        if !names.contains(name) {
            names.push(name.clone());
        }
    };
    match &expr.kind {
        Kind::Number(value) => number(value),
        Kind::Name(name) => {
            add_name(name);
            name.clone()
        }
        Kind::Call(name, _, arguments) => {
            add_name(name);
            let arguments: Vec<String> = arguments.iter().map(|argument| expression(argument, names)).collect();
            format!("{name}({})", arguments.join(", "))
        }
        Kind::Negate(inner) => format!("-{}", grouped(inner, names, Precedence::Product)),
        Kind::Binary(op, left, right) => {
            let symbol = match op {
                Op::Add => " + ",
                Op::Sub => " - ",
                Op::Mul => "*",
                Op::Div => "/",
                Op::Pow => "**",
            };
            let [l, r] = op.operand_precedences();
            let (left, mut right) = (grouped(left, names, l), grouped(right, names, r));
            // Python would divide two integers as floats.
            if *op == Op::Div && !right.contains(|letter: char| letter.is_alphabetic()) {
                right = format!("Integer({right})");
            }
            format!("{left}{symbol}{right}")
        }
        // No other kind occurs in a definition.
        _ => String::new(),
    }
}

/// An expression, in parentheses if its precedence is below `least`.
fn grouped(expr: &Expr, names: &mut Vec<String>, least: Precedence) -> String {
    let precedence = match &expr.kind {
        Kind::Binary(op, ..) => op.precedence(),
        Kind::Negate(_) => Precedence::Sum,
        _ => Precedence::Atom,
    };
    let text = expression(expr, names);
    if precedence < least { format!("({text})") } else { text }
}

/// The name of a symbol in a script: `V[name]` for unknown numbers of the model, else a variable of the prelude.
pub(super) fn symbol(variable: Variable) -> String {
    match Symbol::of(variable) {
        Symbol::Border => "border".into(),
        Symbol::Weight(argument) => format!("any_weight({})", argument.replace('^', "**")),
        Symbol::Parameter(_) | Symbol::Distance(_) | Symbol::At { .. } | Symbol::Integral(_) => {
            format!("V[{}]", quoted(variable.name()))
        }
        plain => plain.to_string(),
    }
}

/// A polynomial.
fn polynomial(polynomial: &Multinomial) -> String {
    let term = |(powers, coefficient): (&[(Variable, u32)], &Rational)| {
        let negative = *coefficient < Rational::ZERO;
        let size = if negative { -coefficient } else { coefficient.clone() };
        let mut factors: Vec<String> = powers
            .iter()
            .map(|(variable, power)| {
                let name = symbol(*variable);
                if *power == 1 { name } else { format!("{name}**{power}") }
            })
            .collect();
        if size != Rational::ONE || factors.is_empty() {
            factors.insert(0, number(&size));
        }
        (negative, factors.join("*"))
    };
    if polynomial.is_zero() { "Integer(0)".into() } else { signed_sum(polynomial.terms().map(term)) }
}

/// A fraction, with its denominator in factors.
pub(super) fn fraction(fraction: &Fraction) -> String {
    let numerator = polynomial(fraction.numerator());
    let denominator: Vec<String> =
        fraction.factors().map(|(factor, power)| format!("({})**{power}", polynomial(factor))).collect();
    if denominator.is_empty() { numerator } else { format!("({numerator})/({})", denominator.join("*")) }
}

/// A tuple of two fractions.
pub(super) fn pair([a, b]: &[Fraction; 2]) -> String {
    format!("({}, {})", fraction(a), fraction(b))
}

/// The key of a track.
pub(super) fn track(track: Track) -> &'static str {
    match track {
        Track::Own => "\"own\"",
        Track::Hull => "\"hull\"",
    }
}

/// A side of a comparison, or a part of it; empty for terms that proofs cannot work on.
pub(super) fn term(term: &Term, lowering: &Lowering) -> String {
    match term {
        Term::Number(value) => value.exact.as_ref().map_or_else(String::new, rational),
        Term::Symbol(name) => match name.as_str() {
            "pi0" => "model[0]".into(),
            "pi1" => "model[1]".into(),
            "l" => "scale[0]".into(),
            "h" => "scale[1]".into(),
            _ => lowering.clone().term(term).map_or_else(|_| String::new(), |value| fraction(&value)),
        },
        Term::Value(functional) => format!("V[{}]", quoted(&functional.to_string())),
        Term::Binary(op, left, right) => {
            let symbol = match op {
                Op::Add => "+",
                Op::Sub => "-",
                Op::Mul => "*",
                _ => "/",
            };
            format!("({} {symbol} {})", self::term(left, lowering), self::term(right, lowering))
        }
        Term::Power(base, exponent) => format!("{}**({exponent})", self::term(base, lowering)),
        Term::Function(..) => String::new(),
    }
}
