//! Rational functions of the class proportions in a readable form: in `pi0` and `pi1`, factored.

use rocproof_algebra::signed_sum;
use rocproof_arith::multivariate::Multinomial;
use rocproof_arith::{Fraction, Rational};

/// A fraction in the language, with `pi1` for `1 - pi0` where that is shorter.
pub fn in_proportions(fraction: &Fraction) -> String {
    let plain = fraction.to_string();
    let numerator = factored(fraction.numerator());
    let denominator = factored(&fraction.denominator());
    let text = match denominator.as_str() {
        "1" => numerator,
        _ => format!("{}/{}", parenthesize_sum(&numerator), parenthesize_compound(&denominator)),
    };
    if text.chars().count() <= plain.chars().count() { text } else { plain }
}

/// Whether a text is a sum.
fn is_sum(text: &str) -> bool {
    text.contains(" + ") || text.contains(" - ")
}

/// Puts a sum in parentheses.
fn parenthesize_sum(text: &str) -> String {
    if is_sum(text) { format!("({text})") } else { text.to_owned() }
}

/// Puts a sum, a product or a quotient in parentheses.
fn parenthesize_compound(text: &str) -> String {
    if is_sum(text) || text.contains(['*', '/']) { format!("({text})") } else { text.to_owned() }
}

/// A polynomial as `cofactor*pi0^a*pi1^b`, with the largest `a` and `b`.
fn factored(polynomial: &Multinomial) -> String {
    if polynomial.is_zero() {
        return "0".to_owned();
    }
    let pi0 = Multinomial::variable("pi0");
    let pi1 = Multinomial::one() - &pi0;
    let mut cofactor = polynomial.clone();
    let mut powers = [0u32; 2];
    for (factor, power) in [&pi0, &pi1].into_iter().zip(&mut powers) {
        while let Some(quotient) = cofactor.divided_exactly_by(factor) {
            cofactor = quotient;
            *power += 1;
        }
    }
    let power_text = |name: &str, power: u32| match power {
        0 => None,
        1 => Some(name.to_owned()),
        _ => Some(format!("{name}^{power}")),
    };
    let proportions = [power_text("pi0", powers[0]), power_text("pi1", powers[1])];
    let proportions = proportions.into_iter().flatten().collect::<Vec<_>>().join("*");
    if proportions.is_empty() {
        return in_powers_of_pi0_pi1(&cofactor);
    }
    match cofactor.as_constant() {
        Some(constant) if constant.is_one() => proportions,
        Some(constant) if (-constant.clone()).is_one() => format!("-{proportions}"),
        Some(constant) => format!("{constant}*{proportions}"),
        None => format!("{}*{proportions}", parenthesize_sum(&in_powers_of_pi0_pi1(&cofactor))),
    }
}

/// A term `coefficient·pi0^in_pi0·(pi0·pi1)^in_product`, with `in_pi0` 0 or 1.
struct ProportionTerm {
    coefficient: Rational,
    in_pi0: usize,
    in_product: usize,
}

impl ProportionTerm {
    /// Whether the term is negative, and its text without the sign.
    fn sign_and_text(&self) -> (bool, String) {
        let negative = self.coefficient < Rational::ZERO;
        let size = if negative { -&self.coefficient } else { self.coefficient.clone() };
        let mut factors = Vec::new();
        if !size.is_one() || (self.in_pi0 == 0 && self.in_product == 0) {
            factors.push(size.to_string());
        }
        match self.in_product {
            0 => {}
            1 => factors.push("pi0*pi1".to_owned()),
            k => factors.push(format!("pi0^{k}*pi1^{k}")),
        }
        if self.in_pi0 == 1 {
            factors.push("pi0".to_owned());
        }
        (negative, factors.join("*"))
    }
}

/// A polynomial in `pi0` as a sum of `(a + b·pi0)·(pi0·pi1)^k`, if that has no more terms; found by repeated division by `pi0·pi1`.
fn in_powers_of_pi0_pi1(polynomial: &Multinomial) -> String {
    let plain = polynomial.to_string();
    let Some(univariate) = polynomial.to_univariate("pi0") else { return plain };
    let product = rocproof_arith::Polynomial::whole(&[0, 1, -1]);
    let (mut dividend, mut terms, mut in_product) = (univariate, Vec::new(), 0usize);
    while !dividend.is_zero() {
        let (quotient, remainder) = dividend.divided_by(&product);
        for (in_pi0, coefficient) in remainder.coefficients().enumerate().filter(|(_, c)| !c.is_zero()) {
            terms.push(ProportionTerm { coefficient, in_pi0, in_product });
        }
        (dividend, in_product) = (quotient, in_product + 1);
    }
    if terms.len() <= polynomial.terms().len() {
        signed_sum(terms.iter().rev().map(ProportionTerm::sign_and_text))
    } else {
        plain
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rocproof_language::{Expr, Kind, Op, Source, parse};

    /// Reads a fraction from the language; names are variables, and `pi1` is `1 - pi0`.
    fn read(text: &str) -> Option<Fraction> {
        fraction(&parse(&Source::new("fraction", text)).ok()?)
    }

    fn fraction(expr: &Expr) -> Option<Fraction> {
        Some(match &expr.kind {
            Kind::Number(value) => Fraction::constant(value.clone()),
            Kind::Name(name) if name == "pi1" => Fraction::one() - Fraction::variable("pi0"),
            Kind::Name(name) => Fraction::variable(name.as_str()),
            Kind::Negate(of) => -fraction(of)?,
            Kind::Binary(Op::Pow, base, exponent) => {
                let Kind::Number(exponent) = &exponent.kind else { return None };
                let power = i32::try_from(exponent.numerator()).ok().filter(|_| exponent.is_int())?;
                fraction(base)?.power(power)?
            }
            Kind::Binary(op, left, right) => {
                let (l, r) = (fraction(left)?, fraction(right)?);
                match op {
                    Op::Add => l + r,
                    Op::Sub => l - r,
                    Op::Mul => l * r,
                    _ => l.over(&r)?,
                }
            }
            _ => return None,
        })
    }

    #[test]
    fn proportions_are_factored() {
        let pi0 = Fraction::variable("pi0");
        let pi1 = Fraction::one() - &pi0;
        assert_eq!(in_proportions(&(&pi0 * &pi1 * &pi1).scaled(&"12".parse().unwrap())), "12*pi0*pi1^2");
        assert_eq!(in_proportions(&(&pi0 * &pi1 + Fraction::one())), "pi0*pi1 + 1");
        assert_eq!(in_proportions(&pi1), "pi1");
    }

    #[test]
    fn fractions_read_back() {
        for text in [
            "12*pi0^3 - 24*pi0^2 + 12*pi0",
            "pi0^4 - 2*pi0^3 + pi0 + 2/5",
            "-pi0^2 + pi0",
            "(1 - 2*pi0)/(3*pi0*(1 - pi0))",
            "7/3",
            "0",
            "pi0^2 + pi0*h - l",
            "(pi0^2 - 1)/(h - l)",
        ] {
            let value = read(text).unwrap();
            assert_eq!(read(&in_proportions(&value)).unwrap(), value, "{text}: {}", in_proportions(&value));
        }
        let shorter = in_proportions(&read("pi0^4 - 2*pi0^3 + pi0 + 2/5").unwrap());
        assert_eq!(shorter, "pi0^2*pi1^2 + pi0*pi1 + 2/5");
    }
}
