//! The operators `+ - *` of polynomials in named variables, on references and on values.

use super::{Monomial, Multinomial, Variable, by_value};
use crate::Rational;
use dashu_int::IBig;
use std::collections::HashMap;
use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

impl From<Rational> for Multinomial {
    fn from(value: Rational) -> Multinomial {
        Multinomial::constant(value)
    }
}

impl From<Variable> for Multinomial {
    fn from(variable: Variable) -> Multinomial {
        Multinomial::variable(variable)
    }
}

impl AddAssign<&Multinomial> for Multinomial {
    fn add_assign(&mut self, other: &Multinomial) {
        for (monomial, coefficient) in &other.terms {
            self.add_term(monomial.clone(), coefficient.clone());
        }
    }
}

impl AddAssign for Multinomial {
    fn add_assign(&mut self, other: Multinomial) {
        for (monomial, coefficient) in other.terms {
            self.add_term(monomial, coefficient);
        }
    }
}

impl SubAssign<&Multinomial> for Multinomial {
    fn sub_assign(&mut self, other: &Multinomial) {
        *self += -other;
    }
}

impl SubAssign for Multinomial {
    fn sub_assign(&mut self, other: Multinomial) {
        for (monomial, coefficient) in other.terms {
            self.add_term(monomial, -coefficient);
        }
    }
}

impl Add for &Multinomial {
    type Output = Multinomial;

    fn add(self, other: &Multinomial) -> Multinomial {
        let (long, short) = if self.terms.len() >= other.terms.len() { (self, other) } else { (other, self) };
        let mut sum = long.clone();
        sum += short;
        sum
    }
}

impl Sub for &Multinomial {
    type Output = Multinomial;

    fn sub(self, other: &Multinomial) -> Multinomial {
        let mut difference = self.clone();
        difference -= other;
        difference
    }
}

impl Neg for &Multinomial {
    type Output = Multinomial;

    fn neg(self) -> Multinomial {
        Multinomial { terms: self.terms.iter().map(|(m, c)| (m.clone(), -c)).collect() }
    }
}

impl Neg for Multinomial {
    type Output = Multinomial;

    fn neg(mut self) -> Multinomial {
        self.terms.values_mut().for_each(|c| *c = -std::mem::take(c));
        self
    }
}

impl Mul for &Multinomial {
    type Output = Multinomial;

    fn mul(self, other: &Multinomial) -> Multinomial {
        let (long, short) = if self.terms.len() >= other.terms.len() { (self, other) } else { (other, self) };
        if let (1, Some((monomial, coefficient))) = (short.terms.len(), short.terms.first_key_value()) {
            return long.times_term(monomial, coefficient);
        }
        // In integers: rationals would be reduced to lowest terms after every product.
        let (a, denominator_of_a) = long.integer_terms();
        let (b, denominator_of_b) = short.integer_terms();
        let mut coefficients: HashMap<Monomial, IBig> = HashMap::with_capacity(a.len() * 2);
        for (m, c) in &a {
            for (n, d) in &b {
                *coefficients.entry(m.times(n)).or_default() += c * d;
            }
        }
        let denominator = denominator_of_a * denominator_of_b;
        let nonzero = coefficients.into_iter().filter(|(_, c)| !c.is_zero());
        Multinomial { terms: nonzero.map(|(m, c)| (m, Rational::from_parts(c, denominator.clone()))).collect() }
    }
}

by_value!(Multinomial: Add add, Sub sub, Mul mul);

impl std::iter::Sum for Multinomial {
    fn sum<I: Iterator<Item = Multinomial>>(mut terms: I) -> Multinomial {
        let mut sum = terms.next().unwrap_or_default();
        terms.for_each(|term| sum += term);
        sum
    }
}
