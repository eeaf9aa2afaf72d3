//! Expressions of the language, numbers, powers and integrals.

use super::{Style, is_sum};
use rocproof_arith::Rational;
use rocproof_language::{Expr, Kind, Op, Precedence, Source, parse};

impl Style {
    /// A number; in LaTeX a fraction has a bar.
    pub fn number(self, value: &Rational) -> String {
        if self.is_text() || value.is_int() {
            return value.to_string();
        }
        let sign = if *value < Rational::ZERO { "-" } else { "" };
        let size = if *value < Rational::ZERO { -value } else { value.clone() };
        format!("{sign}\\frac{{{}}}{{{}}}", size.numerator(), size.denominator())
    }

    /// A formula raised to a power, as a factor of a product: a sum gets parentheses also if the power is 1.
    pub fn power(self, formula: &str, power: u32) -> String {
        let is_simple = formula.chars().all(|letter| letter.is_alphanumeric() || "\\_{}".contains(letter));
        let base = if is_simple { formula.to_owned() } else { format!("({formula})") };
        match power {
            1 if is_sum(formula) => base,
            1 => formula.to_owned(),
            _ => self.with_exponent(&base, &power.to_string()),
        }
    }

    /// A base with an exponent, both as formulas.
    pub(super) fn with_exponent(self, base: &str, exponent: &str) -> String {
        if self.is_text() { format!("{base}{}", superscript(exponent)) } else { format!("{base}^{{{exponent}}}") }
    }

    /// An integral along the curve.
    pub fn integral(self, integrand: &str) -> String {
        match (self, is_sum(integrand)) {
            (Style::Text, true) => format!("∫ {{{integrand}}}"),
            (Style::Text, false) => format!("∫ {integrand}"),
            (Style::Latex, true) => format!("\\int \\{{{integrand}\\}}"),
            (Style::Latex, false) => format!("\\int {integrand}"),
        }
    }

    /// An integral along the curve or its hull, as `whose` says.
    pub fn integral_along(self, integrand: &str, whose: &str) -> String {
        if self.is_text() {
            return format!("{} along the {whose}", self.integral(integrand));
        }
        self.integral_over(integrand, whose)
    }

    /// An integral with its domain, in words, below the sign; for LaTeX only.
    pub(super) fn integral_over(self, integrand: &str, domain: &str) -> String {
        self.integral(integrand).replacen("\\int", &format!("\\int_{{\\text{{{domain}}}}}"), 1)
    }

    /// An expression of the language, given as text; words if the text is no expression.
    pub fn definition(self, text: &str) -> String {
        parse(&Source::new("definition", text))
            .map_or_else(|_| self.prose(text), |expr| self.expression(&expr, Precedence::Lowest))
    }

    /// An expression of the language, in parentheses if its precedence is below `least`.
    pub(super) fn expression(self, expr: &Expr, least: Precedence) -> String {
        let (text, precedence) = match &expr.kind {
            Kind::Number(value) if value.is_int() => (self.number(value), Precedence::Atom),
            Kind::Number(value) => (self.number(value), Precedence::Product),
            Kind::Name(name) if name.starts_with('d') && name.len() > 1 => (self.differential(name), Precedence::Atom),
            Kind::Name(name) => (self.variable(name), Precedence::Atom),
            Kind::Call(name, _, arguments) => {
                let arguments: Vec<String> =
                    arguments.iter().map(|argument| self.expression(argument, Precedence::Lowest)).collect();
                (format!("{}({})", self.variable(name), arguments.join(", ")), Precedence::Atom)
            }
            Kind::Negate(inner) => (format!("-{}", self.expression(inner, Precedence::Product)), Precedence::Sum),
            Kind::Binary(Op::Pow, base, exponent) => {
                let base = self.expression(base, Precedence::Atom);
                let exponent = self.expression(exponent, Precedence::Lowest);
                (self.with_exponent(&base, &exponent), Precedence::Power)
            }
            Kind::Binary(op, left, right) => {
                self.binary(*op, |least| self.expression(left, least), |least| self.expression(right, least))
            }
            // No other kind occurs in an integrand.
            _ => (String::new(), Precedence::Atom),
        };
        if precedence < least { format!("({text})") } else { text }
    }

    /// A sum, difference, product or quotient, with its precedence. `left` and `right` write the operands; each takes the least precedence
    /// that needs no parentheses in its position.
    pub(super) fn binary(
        self,
        op: Op,
        left: impl Fn(Precedence) -> String,
        right: impl Fn(Precedence) -> String,
    ) -> (String, Precedence) {
        let [l, r] = op.operand_precedences();
        match op {
            Op::Add => (format!("{} + {}", left(l), right(r)), op.precedence()),
            Op::Sub => (format!("{} - {}", left(l), right(r)), op.precedence()),
            Op::Mul => (self.product(&left(l), &right(r)), op.precedence()),
            _ if self.is_text() => (format!("{}/{}", left(l), right(r)), op.precedence()),
            // Operands above and below a bar need no parentheses.
            _ => {
                let [above, below] = [left(Precedence::Lowest), right(Precedence::Lowest)];
                (format!("\\frac{{{above}}}{{{below}}}"), Precedence::Power)
            }
        }
    }

    /// A product; a dot separates a right factor that begins with a digit.
    fn product(self, left: &str, right: &str) -> String {
        let dot = match self {
            _ if !right.starts_with(|first: char| first.is_ascii_digit()) => "",
            Style::Text => "· ",
            Style::Latex => "\\cdot ",
        };
        format!("{left} {dot}{right}")
    }
}

/// Digits as Unicode superscripts.
fn superscript(digits: &str) -> String {
    let raise = |digit: char| match digit {
        '-' => '⁻',
        // Unicode has these three apart from the block that begins at U+2070.
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        _ => digit.to_digit(10).and_then(|k| char::from_u32(0x2070 + k)).unwrap_or(digit),
    };
    digits.chars().map(raise).collect()
}
