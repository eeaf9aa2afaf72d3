//! Fractions: quotients of polynomials in named variables, in lowest terms.

use super::factors::FactoredProduct;
use super::{Monomial, Multinomial, Variable, by_value};
use crate::Rational;
use std::collections::BTreeSet;
use std::ops::{Add, Mul, Neg, Sub};

/// The largest number of terms of a power of a polynomial. It bounds time and memory.
const MOST_TERMS: u64 = 300_000;
/// The largest degree of a power, and the largest size of its coefficients in binary digits.
const LARGEST_POWER: u64 = 20_000;

/// A quotient of polynomials in named variables.
///
/// It is in lowest terms, and its denominator is a product of factors. The factors are not unique, so `==` compares by the difference.
///
/// ```
/// use rocproof_algebra::multivariate::{Fraction, Multinomial};
/// let [x, y] = ["x", "y"].map(Fraction::variable);
/// let f = (&x * &x - &y * &y).over(&(&x - &y)).unwrap();
/// assert_eq!(f.to_string(), "x + y");
/// assert_eq!((x.over(&f).unwrap() + y.over(&f).unwrap()).as_rational(), Some(1.into()));
/// assert_eq!(f.over(&Fraction::zero()), None);
/// ```
#[derive(Clone)]
pub struct Fraction {
    numerator: Multinomial,
    /// Coprime to the numerator; empty if the numerator is 0.
    factors: FactoredProduct,
}

impl Fraction {
    /// Zero.
    pub fn zero() -> Fraction {
        Fraction::from(Multinomial::zero())
    }

    /// One.
    pub fn one() -> Fraction {
        Fraction::from(Multinomial::one())
    }

    /// A constant fraction.
    pub fn constant(value: impl Into<Rational>) -> Fraction {
        Fraction::from(Multinomial::constant(value))
    }

    /// The fraction that is one variable.
    pub fn variable(variable: impl Into<Variable>) -> Fraction {
        Fraction::from(Multinomial::variable(variable))
    }

    /// A quotient of polynomials; `None` if the denominator is 0.
    pub fn new(numerator: Multinomial, denominator: &Multinomial) -> Option<Fraction> {
        Fraction::from(numerator).over(&Fraction::from(denominator.clone()))
    }

    /// Brings a numerator and a factored denominator to lowest terms.
    fn reduced(numerator: Multinomial, factors: FactoredProduct) -> Fraction {
        let (numerator, factors) = factors.cancel(numerator);
        Fraction { numerator, factors }
    }

    /// The numerator; its coefficients are rationals.
    pub fn numerator(&self) -> &Multinomial {
        &self.numerator
    }

    /// The factors of the denominator with their powers; each factor is primitive.
    pub fn factors(&self) -> impl Iterator<Item = (&Multinomial, u32)> {
        self.factors.iter()
    }

    /// The denominator, multiplied out. It is primitive.
    pub fn denominator(&self) -> Multinomial {
        self.factors.expanded()
    }

    /// Whether it is 0.
    pub fn is_zero(&self) -> bool {
        self.numerator.is_zero()
    }

    /// The numerator, if the denominator is 1.
    pub fn as_polynomial(&self) -> Option<&Multinomial> {
        self.factors.is_empty().then_some(&self.numerator)
    }

    /// The value, if the fraction is constant.
    pub fn as_rational(&self) -> Option<Rational> {
        self.as_polynomial()?.as_constant()
    }

    /// The factors of the denominator, and the numerator.
    fn polynomials(&self) -> impl Iterator<Item = &Multinomial> {
        self.factors.iter().map(|(factor, _)| factor).chain([&self.numerator])
    }

    /// The variables that occur, sorted by name.
    pub fn variables(&self) -> BTreeSet<Variable> {
        self.polynomials().flat_map(Multinomial::variables).collect()
    }

    /// Whether a variable occurs.
    pub fn depends_on(&self, variable: impl Into<Variable>) -> bool {
        let variable = variable.into();
        self.polynomials().any(|p| p.depends_on(variable))
    }

    /// The product with a rational.
    pub fn scaled(&self, by: &Rational) -> Fraction {
        if by.is_zero() {
            return Fraction::zero();
        }
        Fraction { numerator: self.numerator.scaled(by), factors: self.factors.clone() }
    }

    /// The reciprocal; `None` for 0.
    pub(crate) fn inverse(&self) -> Option<Fraction> {
        if self.is_zero() {
            return None;
        }
        let (content, primitive) = self.numerator.content_and_primitive();
        let numerator = self.denominator().scaled(&(Rational::ONE / content));
        Some(Fraction { numerator, factors: FactoredProduct::of(&primitive) })
    }

    /// The quotient; `None` if the divisor is 0.
    pub fn over(&self, divisor: &Fraction) -> Option<Fraction> {
        Some(self * &divisor.inverse()?)
    }

    /// A power. `None` for 0 to a negative power, and if the power would be too large to write out.
    pub fn power(&self, exponent: i32) -> Option<Fraction> {
        let base = if exponent < 0 { self.inverse()? } else { self.clone() };
        let n = exponent.unsigned_abs();
        let mut polynomials = base.factors().chain([(&base.numerator, 1)]);
        let is_small = polynomials.all(|(p, power)| is_power_writable(p, power.saturating_mul(n)));
        is_small.then(|| base.small_power(n))
    }

    /// A power, without a check of its size. Powers of coprime polynomials are coprime, so it is in lowest terms.
    fn small_power(&self, n: u32) -> Fraction {
        Fraction { numerator: self.numerator.power(n), factors: self.factors.with_powers(|_, power| power * n) }
    }

    /// The derivative with respect to a variable.
    pub fn derivative(&self, variable: impl Into<Variable>) -> Fraction {
        let variable = variable.into();
        // (N / ∏ f^e)' = (N' ∏ f - N Σ e f' ∏ other f) / ∏ f^(e+1). The products run over the factors f that contain the variable.
        let dependent: Vec<(&Multinomial, u32)> = self.factors().filter(|(f, _)| f.depends_on(variable)).collect();
        let product_without = |omitted: Option<usize>| {
            let others = dependent.iter().enumerate().filter(|(i, _)| Some(*i) != omitted);
            others.fold(Multinomial::one(), |product, (_, (factor, _))| product * *factor)
        };
        let mut numerator = self.numerator.derivative(variable) * product_without(None);
        for (i, (factor, power)) in dependent.iter().enumerate() {
            let derivative = factor.derivative(variable).scaled(&Rational::from(*power));
            numerator -= &self.numerator * derivative * product_without(Some(i));
        }
        let factors = self.factors.with_powers(|factor, power| power + u32::from(factor.depends_on(variable)));
        Fraction::reduced(numerator, factors)
    }

    /// The antiderivative with respect to a variable that is 0 where the variable is 0; `None` if the denominator depends on the
    /// variable.
    ///
    /// ```
    /// use rocproof_algebra::Fraction;
    /// let [x, y] = ["x", "y"].map(Fraction::variable);
    /// let f = (&x * &x).over(&y).unwrap();
    /// assert_eq!(f.antiderivative("x").unwrap().derivative("x"), f);
    /// assert!(f.antiderivative("y").is_none());
    /// ```
    pub fn antiderivative(&self, variable: impl Into<Variable>) -> Option<Fraction> {
        let variable = variable.into();
        if self.factors().any(|(factor, _)| factor.depends_on(variable)) {
            return None;
        }
        Some(Fraction::reduced(self.numerator.antiderivative(variable), self.factors.clone()))
    }

    /// Splits into two summands: the terms of the numerator whose monomials satisfy a predicate, and the others.
    pub fn partition_terms(&self, predicate: impl Fn(&Monomial) -> bool) -> [Fraction; 2] {
        let terms = self.numerator.monomials().map(|(m, k)| (m.clone(), k.clone()));
        let (matching, others): (Vec<_>, Vec<_>) = terms.partition(|(m, _)| predicate(m));
        [matching, others].map(|terms| Fraction::reduced(Multinomial::from_terms(terms), self.factors.clone()))
    }

    /// Substitutes a fraction for a variable; `None` if the denominator becomes 0.
    pub fn substitute(&self, variable: impl Into<Variable>, by: &Fraction) -> Option<Fraction> {
        let variable = variable.into();
        // 1/∏ f^e after the substitution.
        let reciprocal = self.factors().try_fold(Fraction::one(), |product, (factor, power)| {
            let factor = substitute_into(factor, variable, by);
            Some(&product * &factor.inverse()?.small_power(power))
        })?;
        Some(&substitute_into(&self.numerator, variable, by) * &reciprocal)
    }

    /// The value, where `value_of` gives the value of a variable by its name; `None` if it has none for a variable that occurs, or if the
    /// denominator is 0.
    pub fn value(&self, value_of: impl Fn(&str) -> Option<Rational>) -> Option<Rational> {
        let mut value = self.numerator.value(&value_of)?;
        for (factor, power) in self.factors() {
            let divisor = factor.value(&value_of)?;
            if divisor.is_zero() {
                return None;
            }
            value /= divisor.pow(power as isize);
        }
        Some(value)
    }
}

/// Whether a power of a polynomial has few enough terms and digits to be written out.
fn is_power_writable(base: &Multinomial, exponent: u32) -> bool {
    use dashu_base::BitTest;
    let bits = base.terms().map(|(_, c)| c.numerator().bit_len().max(c.denominator().bit_len())).max().unwrap_or(0);
    if base.is_constant() && bits <= 1 {
        // All powers of 0, 1 and -1 are small.
        return true;
    }
    let (degree, exponent) = (u64::from(base.degree()), u64::from(exponent));
    if (degree + bits as u64).saturating_mul(exponent) > LARGEST_POWER {
        return false;
    }
    // Two bounds on the number of terms: the products of `exponent` terms of the base, and the monomials up to the degree of the power.
    // Products of `exponent` terms out of m, with repetition, are counted as monomials of that degree in m - 1 variables.
    let products_of_terms = count_monomials(base.terms().len().saturating_sub(1), exponent);
    let monomials = count_monomials(base.variables().len(), degree * exponent);
    products_of_terms.min(monomials) <= MOST_TERMS
}

/// The number of monomials in `k` variables of degree at most `n`: `(n+1)(n+2)…(n+k)/k!`.
fn count_monomials(k: usize, n: u64) -> u64 {
    (1..=k as u64).fold(1u64, |product, i| product.saturating_mul(n + i) / i)
}

/// Substitutes a fraction `by = p/q` for a variable of a polynomial.
fn substitute_into(polynomial: &Multinomial, variable: Variable, by: &Fraction) -> Fraction {
    let coefficients = polynomial.coefficients_in(variable);
    let Some((leading, lower)) = coefficients.split_last() else { return Fraction::zero() };
    // Σ c_k (p/q)^k = (Σ c_k p^k q^(n-k)) / q^n, by Horner's rule.
    let (p, q) = (&by.numerator, by.denominator());
    let mut power_of_q = Multinomial::one();
    let mut sum = leading.clone();
    for coefficient in lower.iter().rev() {
        power_of_q = power_of_q * &q;
        sum = sum * p + coefficient * &power_of_q;
    }
    let degree = u32::try_from(lower.len()).unwrap_or(u32::MAX);
    Fraction::reduced(sum, by.factors.with_powers(|_, power| power * degree))
}

impl From<Multinomial> for Fraction {
    fn from(numerator: Multinomial) -> Fraction {
        Fraction { numerator, factors: FactoredProduct::default() }
    }
}

impl From<Rational> for Fraction {
    fn from(value: Rational) -> Fraction {
        Fraction::constant(value)
    }
}

impl From<Variable> for Fraction {
    fn from(variable: Variable) -> Fraction {
        Fraction::variable(variable)
    }
}

impl PartialEq for Fraction {
    fn eq(&self, other: &Fraction) -> bool {
        if self.factors == other.factors {
            return self.numerator == other.numerator;
        }
        (self - other).is_zero()
    }
}

impl Eq for Fraction {}

impl Add for &Fraction {
    type Output = Fraction;

    fn add(self, other: &Fraction) -> Fraction {
        if self.factors == other.factors {
            return Fraction::reduced(&self.numerator + &other.numerator, self.factors.clone());
        }
        // Expand both sides to the least common multiple of the denominators a and b.
        let [a, b] = self.factors.align(&other.factors);
        let missing = |from: &FactoredProduct, other: &FactoredProduct| {
            other.with_powers(|factor, power| power.saturating_sub(from.power_of(factor)))
        };
        let (missing_in_a, missing_in_b) = (missing(&a, &b), missing(&b, &a));
        let numerator = &self.numerator * missing_in_a.expanded() + &other.numerator * missing_in_b.expanded();
        Fraction::reduced(numerator, a.times(&missing_in_a))
    }
}

impl Neg for &Fraction {
    type Output = Fraction;

    fn neg(self) -> Fraction {
        Fraction { numerator: -&self.numerator, factors: self.factors.clone() }
    }
}

impl Neg for Fraction {
    type Output = Fraction;

    fn neg(self) -> Fraction {
        Fraction { numerator: -self.numerator, factors: self.factors }
    }
}

impl Sub for &Fraction {
    type Output = Fraction;

    fn sub(self, other: &Fraction) -> Fraction {
        self + &-other
    }
}

impl Mul for &Fraction {
    type Output = Fraction;

    fn mul(self, other: &Fraction) -> Fraction {
        if self.is_zero() || other.is_zero() {
            return Fraction::zero();
        }
        // Each side is in lowest terms, so a numerator can only cancel against the other side's denominator.
        let (numerator, other_factors) = other.factors.clone().cancel(self.numerator.clone());
        let (other_numerator, factors) = self.factors.clone().cancel(other.numerator.clone());
        Fraction { numerator: numerator * other_numerator, factors: factors.times(&other_factors) }
    }
}

by_value!(Fraction: Add add, Sub sub, Mul mul);

impl std::iter::Sum for Fraction {
    fn sum<I: Iterator<Item = Fraction>>(terms: I) -> Fraction {
        terms.fold(Fraction::zero(), |sum, term| sum + term)
    }
}
