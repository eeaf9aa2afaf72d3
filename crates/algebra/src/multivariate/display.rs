//! How polynomials and fractions are printed: in the syntax of the language, so that they can be parsed again.

use super::{Fraction, Monomial, Multinomial};
use crate::{Rational, signed_sum};
use dashu_base::{Abs, Signed};
use std::fmt;

impl fmt::Display for Monomial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.degree() == 0 {
            return f.write_str("1");
        }
        for (i, (variable, power)) in self.powers().iter().enumerate() {
            f.write_str(if i == 0 { "" } else { "*" })?;
            match power {
                1 => write!(f, "{variable}")?,
                _ => write!(f, "{variable}^{power}")?,
            }
        }
        Ok(())
    }
}

impl fmt::Display for Multinomial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_zero() {
            return f.write_str("0");
        }
        let terms = self.monomials().map(|(monomial, coefficient)| {
            let absolute = coefficient.clone().abs();
            // A coefficient 1 is not written before a monomial.
            let text = match (monomial.degree(), absolute == Rational::ONE) {
                (0, _) => absolute.to_string(),
                (_, true) => monomial.to_string(),
                (_, false) => format!("{absolute}*{monomial}"),
            };
            (coefficient.is_negative(), text)
        });
        f.write_str(&signed_sum(terms))
    }
}

/// Numerator and denominator have integer coefficients: `(x + 1)/(2*y*(x - 1)^2)`.
impl fmt::Display for Fraction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.factors().next().is_none() {
            return write!(f, "{}", self.numerator());
        }
        let (content, primitive) = self.numerator().content_and_primitive();
        let numerator = primitive.scaled(&Rational::from(content.numerator().clone()));
        match numerator.terms().len() {
            1 => write!(f, "{numerator}/")?,
            _ => write!(f, "({numerator})/")?,
        }
        let mut factors = Vec::new();
        let integer = Rational::from(content.denominator().clone());
        if integer != Rational::ONE {
            factors.push(integer.to_string());
        }
        for (factor, power) in self.factors() {
            let base = if factor.terms().len() == 1 { factor.to_string() } else { format!("({factor})") };
            factors.push(if power == 1 { base } else { format!("{base}^{power}") });
        }
        match factors.as_slice() {
            [only] => f.write_str(only),
            _ => write!(f, "({})", factors.join("*")),
        }
    }
}

impl fmt::Debug for Multinomial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Debug for Fraction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
