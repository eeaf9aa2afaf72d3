//! Polynomials in named variables: construction, inspection, calculus, substitution, exact division.

use super::{Monomial, Variable};
use crate::rational::common_denominator;
use crate::{Polynomial, Rational};
use dashu_base::{DivRem, Gcd, Signed, UnsignedAbs};
use dashu_int::{IBig, UBig};
use std::collections::{BTreeMap, BTreeSet};

/// A polynomial in named variables with rational coefficients.
///
/// ```
/// use rocproof_algebra::multivariate::Multinomial;
/// let [x, y] = ["x", "y"].map(Multinomial::variable);
/// let p = (&x + &y).power(2) - y.power(2);
/// assert_eq!(p.to_string(), "x^2 + 2*x*y");
/// assert_eq!(p.derivative("x").to_string(), "2*x + 2*y");
/// assert_eq!(p.divided_exactly_by(&x), Some(x + y.scaled(&2.into())));
/// ```
#[derive(Clone, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Multinomial {
    /// The coefficients by monomial; none is 0.
    pub(super) terms: BTreeMap<Monomial, Rational>,
}

impl Multinomial {
    /// The polynomial `0`.
    pub fn zero() -> Multinomial {
        Multinomial::default()
    }

    /// The polynomial `1`.
    pub fn one() -> Multinomial {
        Multinomial::constant(Rational::ONE)
    }

    /// A constant polynomial.
    pub fn constant(value: impl Into<Rational>) -> Multinomial {
        Multinomial::term(Monomial::default(), value.into())
    }

    /// The polynomial that is one variable.
    pub fn variable(variable: impl Into<Variable>) -> Multinomial {
        Multinomial::term(Monomial::new([(variable.into(), 1)]), Rational::ONE)
    }

    /// One monomial with a coefficient.
    pub fn term(monomial: Monomial, coefficient: Rational) -> Multinomial {
        let terms = if coefficient.is_zero() { BTreeMap::new() } else { BTreeMap::from([(monomial, coefficient)]) };
        Multinomial { terms }
    }

    /// The sum of terms. Coefficients of the same monomial add up.
    pub fn from_terms(terms: impl IntoIterator<Item = (Monomial, Rational)>) -> Multinomial {
        let mut sum = Multinomial::zero();
        terms.into_iter().for_each(|(monomial, coefficient)| sum.add_term(monomial, coefficient));
        sum
    }

    /// Converts to a polynomial in one variable; `None` if another variable occurs.
    pub fn to_univariate(&self, variable: impl Into<Variable>) -> Option<Polynomial> {
        let coefficients = self.coefficients_in(variable);
        let constants: Option<Vec<Rational>> = coefficients.iter().map(Multinomial::as_constant).collect();
        Some(Polynomial::from_coefficients(&constants?))
    }

    /// Adds a term in place. A coefficient that becomes 0 is removed.
    pub(super) fn add_term(&mut self, monomial: Monomial, coefficient: Rational) {
        use std::collections::btree_map::Entry;
        match self.terms.entry(monomial) {
            _ if coefficient.is_zero() => {}
            Entry::Vacant(entry) => {
                entry.insert(coefficient);
            }
            Entry::Occupied(mut entry) => {
                *entry.get_mut() += coefficient;
                if entry.get().is_zero() {
                    entry.remove();
                }
            }
        }
    }

    /// Whether it is the polynomial 0.
    pub fn is_zero(&self) -> bool {
        self.terms.is_empty()
    }

    /// Whether no variable occurs.
    pub fn is_constant(&self) -> bool {
        self.degree() == 0
    }

    /// The value, if the polynomial is constant.
    pub fn as_constant(&self) -> Option<Rational> {
        // The last monomial is the highest.
        match self.terms.last_key_value() {
            None => Some(Rational::ZERO),
            Some((monomial, coefficient)) => (monomial.degree() == 0).then(|| coefficient.clone()),
        }
    }

    /// The terms, highest monomial first: the powers of variables, and the coefficient.
    pub fn terms(&self) -> impl DoubleEndedIterator<Item = (&[(Variable, u32)], &Rational)> + ExactSizeIterator {
        self.monomials().map(|(monomial, coefficient)| (monomial.powers(), coefficient))
    }

    /// The monomials, highest first, with their coefficients.
    pub fn monomials(&self) -> impl DoubleEndedIterator<Item = (&Monomial, &Rational)> + ExactSizeIterator {
        self.terms.iter().rev()
    }

    /// The variables that occur, sorted by name.
    pub fn variables(&self) -> BTreeSet<Variable> {
        self.terms.keys().flat_map(|monomial| monomial.powers().iter().map(|(variable, _)| *variable)).collect()
    }

    /// Whether a variable occurs.
    pub fn depends_on(&self, variable: impl Into<Variable>) -> bool {
        let variable = variable.into();
        self.terms.keys().any(|monomial| monomial.power_of(variable) > 0)
    }

    /// The total degree; 0 for the polynomial 0.
    pub fn degree(&self) -> u32 {
        self.terms.last_key_value().map_or(0, |(monomial, _)| monomial.degree())
    }

    /// The degree in a variable; 0 for the polynomial 0.
    pub fn degree_in(&self, variable: impl Into<Variable>) -> u32 {
        let variable = variable.into();
        self.terms.keys().map(|monomial| monomial.power_of(variable)).max().unwrap_or(0)
    }

    /// The coefficients of the powers of a variable, that of power 0 first. The last is not 0; the polynomial 0 has none.
    pub fn coefficients_in(&self, variable: impl Into<Variable>) -> Vec<Multinomial> {
        let variable = variable.into();
        let mut coefficients: Vec<Multinomial> = Vec::new();
        for (monomial, coefficient) in &self.terms {
            let power = monomial.power_of(variable) as usize;
            if coefficients.len() <= power {
                coefficients.resize(power + 1, Multinomial::zero());
            }
            coefficients[power].terms.insert(monomial.with_power(variable, 0), coefficient.clone());
        }
        coefficients
    }

    /// The product with a rational.
    pub fn scaled(&self, by: &Rational) -> Multinomial {
        if by.is_zero() {
            return Multinomial::zero();
        }
        Multinomial { terms: self.terms.iter().map(|(m, c)| (m.clone(), c * by)).collect() }
    }

    /// The terms with integer coefficients over a common denominator, lowest monomial first, and that denominator.
    pub(super) fn integer_terms(&self) -> (Vec<(&Monomial, IBig)>, UBig) {
        let denominator = common_denominator(self.terms.values());
        let numerator = |c: &Rational| c.numerator() * IBig::from(&denominator / c.denominator());
        (self.terms.iter().map(|(m, c)| (m, numerator(c))).collect(), denominator)
    }

    /// The product with one term, whose coefficient is not 0.
    pub(super) fn times_term(&self, monomial: &Monomial, coefficient: &Rational) -> Multinomial {
        Multinomial { terms: self.terms.iter().map(|(m, c)| (m.times(monomial), c * coefficient)).collect() }
    }

    /// A power, by repeated squaring.
    pub fn power(&self, exponent: u32) -> Multinomial {
        let mut power = Multinomial::one();
        for bit in (0..u32::BITS - exponent.leading_zeros()).rev() {
            power = &power * &power;
            if exponent >> bit & 1 == 1 {
                power = &power * self;
            }
        }
        power
    }

    /// The derivative with respect to a variable.
    pub fn derivative(&self, variable: impl Into<Variable>) -> Multinomial {
        let variable = variable.into();
        let terms = self.terms.iter().filter_map(|(monomial, coefficient)| {
            let power = monomial.power_of(variable);
            (power > 0).then(|| (monomial.with_power(variable, power - 1), coefficient * Rational::from(power)))
        });
        Multinomial { terms: terms.collect() }
    }

    /// The antiderivative with respect to a variable that is 0 where the variable is 0.
    pub fn antiderivative(&self, variable: impl Into<Variable>) -> Multinomial {
        let variable = variable.into();
        let terms = self.terms.iter().map(|(monomial, coefficient)| {
            let power = monomial.power_of(variable) + 1;
            (monomial.with_power(variable, power), coefficient / Rational::from(power))
        });
        Multinomial { terms: terms.collect() }
    }

    /// Substitutes a polynomial for a variable, by Horner's rule.
    pub fn substitute(&self, variable: impl Into<Variable>, by: &Multinomial) -> Multinomial {
        let coefficients = self.coefficients_in(variable);
        coefficients.iter().rev().fold(Multinomial::zero(), |sum, coefficient| sum * by + coefficient)
    }

    /// Substitutes a rational for a variable.
    pub fn at(&self, variable: impl Into<Variable>, value: &Rational) -> Multinomial {
        let variable = variable.into();
        Multinomial::from_terms(self.terms.iter().map(|(monomial, coefficient)| {
            let power = monomial.power_of(variable);
            let factor = value.pow(power as isize);
            (monomial.with_power(variable, 0), coefficient * factor)
        }))
    }

    /// The value, where `value_of` gives the value of a variable by its name; `None` if it has none for a variable that occurs.
    pub(crate) fn value(&self, value_of: impl Fn(&str) -> Option<Rational>) -> Option<Rational> {
        let values: Option<BTreeMap<Variable, Rational>> =
            self.variables().into_iter().map(|v| Some((v, value_of(v.name())?))).collect();
        let values = values?;
        let mut sum = Rational::ZERO;
        for (monomial, coefficient) in &self.terms {
            let mut product = coefficient.clone();
            for (variable, power) in monomial.powers() {
                product *= values.get(variable)?.pow(*power as isize);
            }
            sum += product;
        }
        Some(sum)
    }

    /// Splits into content and primitive part: a rational times a polynomial with coprime integer coefficients and a positive leading one.
    /// For 0 they are 0 and 1.
    pub fn content_and_primitive(&self) -> (Rational, Multinomial) {
        let Some((_, leading)) = self.terms.last_key_value() else { return (Rational::ZERO, Multinomial::one()) };
        // The content is the gcd of the numerators over the lcm of the denominators, with the sign of the leading coefficient.
        let numerators = self.terms.values().map(|c| c.numerator().unsigned_abs());
        let gcd_of_numerators = numerators.fold(leading.numerator().unsigned_abs(), |gcd, n| gcd.gcd(n));
        let sign = if leading.is_negative() { -IBig::ONE } else { IBig::ONE };
        let content =
            Rational::from_parts(sign * IBig::from(gcd_of_numerators), common_denominator(self.terms.values()));
        let primitive = self.scaled(&(Rational::ONE / &content));
        (content, primitive)
    }

    /// The greatest monomial that divides every term; 1 for the polynomial 0.
    pub(crate) fn monomial_content(&self) -> Monomial {
        let mut monomials = self.terms.keys();
        let Some(first) = monomials.next() else { return Monomial::default() };
        monomials.fold(first.clone(), |common, monomial| common.gcd(monomial))
    }

    /// Divides by a monomial that divides every term.
    pub(super) fn over_monomial(&self, divisor: &Monomial) -> Multinomial {
        if divisor.degree() == 0 {
            return self.clone();
        }
        let terms = self.terms.iter().filter_map(|(m, c)| Some((m.over(divisor)?, c.clone())));
        Multinomial { terms: terms.collect() }
    }

    /// The quotient; `None` if it is not a polynomial or the divisor is 0.
    ///
    /// Cheap necessary conditions come first; then long division, from the highest monomial down, which stops at the first term that does
    /// not divide.
    pub fn divided_exactly_by(&self, divisor: &Multinomial) -> Option<Multinomial> {
        if let Some(constant) = divisor.as_constant() {
            return (!constant.is_zero()).then(|| self.scaled(&(Rational::ONE / constant)));
        }
        let Some((lowest, _)) = self.terms.first_key_value() else { return Some(Multinomial::zero()) };
        // If a quotient exists, its lowest monomial is the quotient of the lowest monomials, and the monomial contents divide too.
        let lowest_of_quotient = lowest.over(divisor.terms.first_key_value()?.0)?;
        self.monomial_content().over(&divisor.monomial_content())?;
        // By Gauss's lemma an integer polynomial divided by a primitive one has integer coefficients, so the division stays in integers.
        let (content, primitive) = divisor.content_and_primitive();
        let (divisor, _) = primitive.integer_terms();
        let ((highest, leading), lower_terms) = divisor.split_last()?;
        let (dividend, denominator) = self.integer_terms();
        let scale = Rational::ONE / (content * Rational::from(denominator));
        // The dividend minus the multiples of the divisor that were subtracted so far.
        let mut remainder: BTreeMap<Monomial, IBig> = dividend.into_iter().map(|(m, c)| (m.clone(), c)).collect();
        let mut quotient = Multinomial::zero();
        while let Some((top, coefficient)) = remainder.pop_last() {
            if coefficient.is_zero() {
                continue;
            }
            let monomial = top.over(highest)?;
            let (factor, inexact) = coefficient.div_rem(leading);
            if monomial < lowest_of_quotient || !inexact.is_zero() {
                return None;
            }
            for (m, c) in lower_terms {
                *remainder.entry(m.times(&monomial)).or_default() -= c * &factor;
            }
            quotient.terms.insert(monomial, &scale * Rational::from(factor));
        }
        Some(quotient)
    }
}
