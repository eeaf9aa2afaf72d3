//! Polynomials in named variables.

use super::{Monomial, Variable};
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
    /// No coefficient is 0.
    pub(super) terms: BTreeMap<Monomial, Rational>,
}

impl Multinomial {
    /// The polynomial that vanishes.
    pub fn zero() -> Multinomial {
        Multinomial::default()
    }

    /// The polynomial `1`.
    pub fn one() -> Multinomial {
        Multinomial::constant(Rational::ONE)
    }

    /// A constant.
    pub fn constant(value: impl Into<Rational>) -> Multinomial {
        Multinomial::term(Monomial::default(), value.into())
    }

    /// A variable.
    pub fn variable(variable: impl Into<Variable>) -> Multinomial {
        Multinomial::term(Monomial::new([(variable.into(), 1)]), Rational::ONE)
    }

    /// A monomial with its coefficient.
    pub fn term(monomial: Monomial, coefficient: Rational) -> Multinomial {
        let terms = if coefficient.is_zero() { BTreeMap::new() } else { BTreeMap::from([(monomial, coefficient)]) };
        Multinomial { terms }
    }

    /// The sum of monomials with coefficients; a monomial may come more than once.
    pub fn from_terms(terms: impl IntoIterator<Item = (Monomial, Rational)>) -> Multinomial {
        let mut sum = Multinomial::zero();
        terms.into_iter().for_each(|(monomial, coefficient)| sum.add_term(monomial, coefficient));
        sum
    }

    /// A polynomial of one variable, in a variable.
    pub fn from_univariate(polynomial: &Polynomial, variable: impl Into<Variable>) -> Multinomial {
        let variable = variable.into();
        let powers = (0u32..).map(|k| Monomial::new([(variable, k)]));
        Multinomial::from_terms(powers.zip(polynomial.coefficients()))
    }

    /// The same as a polynomial of one variable; `None` if it has another.
    pub fn to_univariate(&self, variable: impl Into<Variable>) -> Option<Polynomial> {
        let coefficients: Option<Vec<Rational>> =
            self.coefficients_in(variable).iter().map(Multinomial::as_constant).collect();
        Some(Polynomial::from_coefficients(&coefficients?))
    }

    /// Adds a term.
    pub(super) fn add_term(&mut self, monomial: Monomial, coefficient: Rational) {
        use std::collections::btree_map::Entry;
        match self.terms.entry(monomial) {
            _ if coefficient.is_zero() => {}
            Entry::Vacant(place) => {
                place.insert(coefficient);
            }
            Entry::Occupied(mut place) => {
                *place.get_mut() += coefficient;
                if place.get().is_zero() {
                    place.remove();
                }
            }
        }
    }

    /// Whether it vanishes.
    pub fn is_zero(&self) -> bool {
        self.terms.is_empty()
    }

    /// Whether it has no variable.
    pub fn is_constant(&self) -> bool {
        self.degree() == 0
    }

    /// The constant that it is, if it is one.
    pub fn as_constant(&self) -> Option<Rational> {
        match self.terms.last_key_value() {
            None => Some(Rational::ZERO),
            Some((monomial, coefficient)) => (monomial.degree() == 0).then(|| coefficient.clone()),
        }
    }

    /// The monomials, highest first, as variables with their powers, and their coefficients.
    pub fn terms(&self) -> impl DoubleEndedIterator<Item = (&[(Variable, u32)], &Rational)> + ExactSizeIterator {
        self.monomials().map(|(monomial, coefficient)| (monomial.powers(), coefficient))
    }

    /// The monomials, highest first, and their coefficients.
    pub fn monomials(&self) -> impl DoubleEndedIterator<Item = (&Monomial, &Rational)> + ExactSizeIterator {
        self.terms.iter().rev()
    }

    /// The coefficient of a monomial.
    pub fn coefficient(&self, monomial: &Monomial) -> Rational {
        self.terms.get(monomial).cloned().unwrap_or(Rational::ZERO)
    }

    /// The coefficient of the highest monomial; 0 if there is none.
    pub fn leading(&self) -> Rational {
        self.terms.last_key_value().map_or(Rational::ZERO, |(_, coefficient)| coefficient.clone())
    }

    /// The variables in it, by name.
    pub fn variables(&self) -> BTreeSet<Variable> {
        self.terms.keys().flat_map(|monomial| monomial.powers().iter().map(|(variable, _)| *variable)).collect()
    }

    /// Whether a variable is in it.
    pub fn depends_on(&self, variable: impl Into<Variable>) -> bool {
        let variable = variable.into();
        self.terms.keys().any(|monomial| monomial.power_of(variable) > 0)
    }

    /// The total degree; that of zero is taken as 0.
    pub fn degree(&self) -> u32 {
        self.terms.last_key_value().map_or(0, |(monomial, _)| monomial.degree())
    }

    /// The degree in a variable; that of zero is taken as 0.
    pub fn degree_in(&self, variable: impl Into<Variable>) -> u32 {
        let variable = variable.into();
        self.terms.keys().map(|monomial| monomial.power_of(variable)).max().unwrap_or(0)
    }

    /// The coefficients of the powers of a variable, that of power 0 first; the last does not vanish. Zero has none.
    pub fn coefficients_in(&self, variable: impl Into<Variable>) -> Vec<Multinomial> {
        let variable = variable.into();
        let mut found: Vec<Multinomial> = Vec::new();
        for (monomial, coefficient) in &self.terms {
            let power = monomial.power_of(variable) as usize;
            if found.len() <= power {
                found.resize(power + 1, Multinomial::zero());
            }
            found[power].terms.insert(monomial.with_power(variable, 0), coefficient.clone());
        }
        found
    }

    /// The product with a rational.
    pub fn scaled(&self, by: &Rational) -> Multinomial {
        if by.is_zero() {
            return Multinomial::zero();
        }
        Multinomial { terms: self.terms.iter().map(|(m, c)| (m.clone(), c * by)).collect() }
    }

    /// Whole coefficients and their common denominator.
    pub(super) fn whole(&self) -> (Vec<(&Monomial, IBig)>, UBig) {
        let denominator = self.terms.values().fold(UBig::ONE, |lcm, c| {
            let common = (&lcm).gcd(c.denominator());
            lcm / common * c.denominator()
        });
        let whole = |c: &Rational| c.numerator() * IBig::from(&denominator / c.denominator());
        (self.terms.iter().map(|(m, c)| (m, whole(c))).collect(), denominator)
    }

    /// The product with a monomial and a coefficient that is not 0.
    pub(super) fn times_term(&self, monomial: &Monomial, coefficient: &Rational) -> Multinomial {
        Multinomial { terms: self.terms.iter().map(|(m, c)| (m.times(monomial), c * coefficient)).collect() }
    }

    /// A power.
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

    /// The antiderivative with respect to a variable that vanishes where the variable does.
    pub fn antiderivative(&self, variable: impl Into<Variable>) -> Multinomial {
        let variable = variable.into();
        let terms = self.terms.iter().map(|(monomial, coefficient)| {
            let power = monomial.power_of(variable) + 1;
            (monomial.with_power(variable, power), coefficient / Rational::from(power))
        });
        Multinomial { terms: terms.collect() }
    }

    /// The same with a polynomial in place of a variable.
    pub fn substitute(&self, variable: impl Into<Variable>, by: &Multinomial) -> Multinomial {
        let coefficients = self.coefficients_in(variable);
        coefficients.iter().rev().fold(Multinomial::zero(), |sum, coefficient| sum * by + coefficient)
    }

    /// The same with polynomials in place of variables, all at once; those that `by` does not know stay.
    ///
    /// ```
    /// use rocproof_algebra::multivariate::Multinomial;
    /// let [x, y] = ["x", "y"].map(Multinomial::variable);
    /// let swapped = (&x - &y).substitute_all(|v| Some(if v.name() == "x" { y.clone() } else { x.clone() }));
    /// assert_eq!(swapped, y - x);
    /// ```
    pub fn substitute_all(&self, by: impl Fn(Variable) -> Option<Multinomial>) -> Multinomial {
        let known: BTreeMap<Variable, Multinomial> =
            self.variables().into_iter().map(|v| (v, by(v).unwrap_or_else(|| Multinomial::variable(v)))).collect();
        let mut sum = Multinomial::zero();
        for (monomial, coefficient) in &self.terms {
            let powers = monomial.powers().iter().filter_map(|(v, power)| Some(known.get(v)?.power(*power)));
            sum += powers.fold(Multinomial::constant(coefficient.clone()), |product, power| product * power);
        }
        sum
    }

    /// The same with a rational in place of a variable.
    pub fn at(&self, variable: impl Into<Variable>, value: &Rational) -> Multinomial {
        let variable = variable.into();
        Multinomial::from_terms(self.terms.iter().map(|(monomial, coefficient)| {
            let power = monomial.power_of(variable);
            let factor = value.pow(power as isize);
            (monomial.with_power(variable, 0), coefficient * factor)
        }))
    }

    /// The value, given those of the variables; `None` if one has none.
    pub fn value(&self, given: impl Fn(&str) -> Option<Rational>) -> Option<Rational> {
        let known: Option<BTreeMap<Variable, Rational>> =
            self.variables().into_iter().map(|v| Some((v, given(v.name())?))).collect();
        let known = known?;
        let mut sum = Rational::ZERO;
        for (monomial, coefficient) in &self.terms {
            let powers = monomial.powers().iter().filter_map(|(v, power)| Some(known.get(v)?.pow(*power as isize)));
            sum += powers.fold(coefficient.clone(), |product, power| product * power);
        }
        Some(sum)
    }

    /// A constant and a polynomial with whole coefficients without a common factor, the leading one positive, whose product this
    /// is. Those of zero are 0 and 1.
    pub fn content_and_primitive(&self) -> (Rational, Multinomial) {
        let Some((_, leading)) = self.terms.last_key_value() else { return (Rational::ZERO, Multinomial::one()) };
        let (mut above, mut below) = (leading.numerator().unsigned_abs(), leading.denominator().clone());
        for coefficient in self.terms.values() {
            above = above.gcd(coefficient.numerator().unsigned_abs());
            let common: UBig = (&below).gcd(coefficient.denominator());
            below = below / common * coefficient.denominator();
        }
        let sign = if leading.is_negative() { -IBig::ONE } else { IBig::ONE };
        let content = Rational::from_parts(sign * IBig::from(above), below);
        let primitive = self.scaled(&(Rational::ONE / &content));
        (content, primitive)
    }

    /// The largest monomial that divides it; 1 for zero.
    pub fn monomial_content(&self) -> Monomial {
        let mut monomials = self.terms.keys();
        let Some(first) = monomials.next() else { return Monomial::default() };
        monomials.fold(first.clone(), |common, monomial| common.common(monomial))
    }

    /// The quotient by a monomial that divides every term.
    pub(super) fn over_monomial(&self, divisor: &Monomial) -> Multinomial {
        if divisor.degree() == 0 {
            return self.clone();
        }
        let terms = self.terms.iter().filter_map(|(m, c)| Some((m.over(divisor)?, c.clone())));
        Multinomial { terms: terms.collect() }
    }

    /// The quotient, if it is a polynomial; `None` also for a divisor that vanishes.
    pub fn divided_exactly_by(&self, divisor: &Multinomial) -> Option<Multinomial> {
        if let Some(constant) = divisor.as_constant() {
            return (!constant.is_zero()).then(|| self.scaled(&(Rational::ONE / constant)));
        }
        let Some((last, _)) = self.terms.first_key_value() else { return Some(Multinomial::zero()) };
        // Both ends of the quotient are known, and the monomial contents divide.
        let last = last.over(divisor.terms.first_key_value()?.0)?;
        self.monomial_content().over(&divisor.monomial_content())?;
        // The quotient by a primitive polynomial is as whole as the dividend (Gauss).
        let (content, divisor) = divisor.content_and_primitive();
        let divisor = divisor.whole().0;
        let ((highest, leading), lower) = divisor.split_last()?;
        let (dividend, below) = self.whole();
        let mut rest: BTreeMap<Monomial, IBig> = dividend.into_iter().map(|(m, c)| (m.clone(), c)).collect();
        let scale = Rational::ONE / (content * Rational::from(below));
        let mut quotient = Multinomial::zero();
        while let Some((top, coefficient)) = rest.pop_last() {
            if coefficient.is_zero() {
                continue;
            }
            let monomial = top.over(highest)?;
            let (factor, none) = coefficient.div_rem(leading);
            if monomial < last || !none.is_zero() {
                return None;
            }
            for (m, c) in lower {
                *rest.entry(m.times(&monomial)).or_default() -= c * &factor;
            }
            quotient.terms.insert(monomial, &scale * Rational::from(factor));
        }
        Some(quotient)
    }
}
