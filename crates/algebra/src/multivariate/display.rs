//! How polynomials and fractions are written: in the language, so that they read back.

use super::{Fraction, Monomial, Multinomial};
use crate::Rational;
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
        for (i, (monomial, coefficient)) in self.monomials().enumerate() {
            f.write_str(match (i, coefficient.is_negative()) {
                (0, true) => "-",
                (0, false) => "",
                (_, true) => " - ",
                (_, false) => " + ",
            })?;
            let size = coefficient.clone().abs();
            match (monomial.degree(), size == Rational::ONE) {
                (0, _) => write!(f, "{size}")?,
                (_, true) => write!(f, "{monomial}")?,
                (_, false) => write!(f, "{size}*{monomial}")?,
            }
        }
        Ok(())
    }
}

/// Whole coefficients above and below the line: `(x + 1)/(2*y*(x - 1)^2)`.
impl fmt::Display for Fraction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.factors().next().is_none() {
            return write!(f, "{}", self.numerator());
        }
        let (content, primitive) = self.numerator().content_and_primitive();
        let above = primitive.scaled(&Rational::from(content.numerator().clone()));
        let below = Rational::from(content.denominator().clone());
        match above.terms().len() {
            1 => write!(f, "{above}/")?,
            _ => write!(f, "({above})/")?,
        }
        let mut parts = Vec::new();
        if below != Rational::ONE {
            parts.push(below.to_string());
        }
        for (factor, power) in self.factors() {
            let single = factor.terms().len() == 1;
            let base = if single { factor.to_string() } else { format!("({factor})") };
            parts.push(if power == 1 { base } else { format!("{base}^{power}") });
        }
        match parts.as_slice() {
            [only] => f.write_str(only),
            _ => write!(f, "({})", parts.join("*")),
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
