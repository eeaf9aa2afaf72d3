//! Rational functions of the class proportions in a readable form: in `pi0` and `pi1`, factored.

use rocproof_algebra::signed_sum;
use rocproof_arith::multivariate::Multinomial;
use rocproof_arith::{Fraction, Rational};

/// A fraction in the language, with `pi1` for `1 - pi0` where that is shorter.
pub fn in_proportions(fraction: &Fraction) -> String {
    let plain = fraction.to_string();
    let above = factored(fraction.numerator());
    let below = factored(&fraction.denominator());
    let text = match below.as_str() {
        "1" => above,
        _ => format!("{}/{}", bracketed(&above, false), bracketed(&below, true)),
    };
    if text.chars().count() <= plain.chars().count() { text } else { plain }
}

/// Puts a sum in parentheses; with `single`, also anything that is not a single factor.
fn bracketed(text: &str, single: bool) -> String {
    let sum = text.contains(" + ") || text.contains(" - ");
    let needed = sum || (single && text.contains(['*', '/']));
    if needed { format!("({text})") } else { text.to_owned() }
}

/// A polynomial as `pi0^a*pi1^b*(rest)`.
fn factored(polynomial: &Multinomial) -> String {
    if polynomial.is_zero() {
        return "0".to_owned();
    }
    let pi0 = Multinomial::variable("pi0");
    let pi1 = Multinomial::one() - &pi0;
    let mut rest = polynomial.clone();
    let mut powers = [0u32; 2];
    for (factor, power) in [&pi0, &pi1].into_iter().zip(&mut powers) {
        while let Some(quotient) = rest.divided_exactly_by(factor) {
            rest = quotient;
            *power += 1;
        }
    }
    let written = |name: &str, power: u32| match power {
        0 => None,
        1 => Some(name.to_owned()),
        _ => Some(format!("{name}^{power}")),
    };
    let names: Vec<String> = [written("pi0", powers[0]), written("pi1", powers[1])].into_iter().flatten().collect();
    let names = names.join("*");
    if names.is_empty() {
        return by_product(&rest);
    }
    match rest.as_constant() {
        Some(one) if one.is_one() => names,
        Some(one) if (-one.clone()).is_one() => format!("-{names}"),
        Some(constant) => format!("{constant}*{names}"),
        None => {
            let rest = by_product(&rest);
            format!("{}*{names}", bracketed(&rest, false))
        }
    }
}

/// A polynomial in `pi0` as a sum of `(a + b·pi0)·(pi0·pi1)^k`, if that is shorter.
fn by_product(polynomial: &Multinomial) -> String {
    let plain = polynomial.to_string();
    let Some(univariate) = polynomial.to_univariate("pi0") else { return plain };
    let product = rocproof_arith::Polynomial::whole(&[0, 1, -1]);
    let (mut rest, mut terms, mut k) = (univariate, Vec::new(), 0usize);
    while !rest.is_zero() {
        let (quotient, remainder) = rest.divided_by(&product);
        for (power, coefficient) in remainder.coefficients().enumerate().filter(|(_, c)| !c.is_zero()) {
            terms.push((coefficient, power, k));
        }
        (rest, k) = (quotient, k + 1);
    }
    let term = |(coefficient, power, k): &(Rational, usize, usize)| {
        let negative = *coefficient < Rational::ZERO;
        let size = if negative { -coefficient } else { coefficient.clone() };
        let mut factors = Vec::new();
        if !size.is_one() || (*power == 0 && *k == 0) {
            factors.push(size.to_string());
        }
        match k {
            0 => {}
            1 => factors.push("pi0*pi1".to_owned()),
            _ => factors.push(format!("pi0^{k}*pi1^{k}")),
        }
        if *power == 1 {
            factors.push("pi0".to_owned());
        }
        (negative, factors.join("*"))
    };
    if terms.len() <= polynomial.terms().len() { signed_sum(terms.iter().rev().map(term)) } else { plain }
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
