//! Quotients of polynomials in named variables.

use super::factors::Factors;
use super::{Monomial, Multinomial, Variable, by_value};
use crate::Rational;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::{Add, Mul, Neg, Sub};

/// The most terms that a power of a polynomial may have.
const MOST_TERMS: u64 = 300_000;
/// The largest degree of a power, and the most binary digits of its coefficients.
const LARGEST_POWER: u64 = 20_000;

/// A quotient of polynomials in named variables.
///
/// It is in lowest terms, the denominator a product of factors. Two quotients are equal if their difference vanishes, whatever
/// their factors.
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
    /// None has a divisor in common with the numerator; empty if that vanishes.
    factors: Factors,
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

    /// A constant.
    pub fn constant(value: impl Into<Rational>) -> Fraction {
        Fraction::from(Multinomial::constant(value))
    }

    /// A variable.
    pub fn variable(variable: impl Into<Variable>) -> Fraction {
        Fraction::from(Multinomial::variable(variable))
    }

    /// A quotient of polynomials; `None` if the denominator vanishes.
    pub fn new(numerator: Multinomial, denominator: &Multinomial) -> Option<Fraction> {
        Fraction::from(numerator).over(&Fraction::from(denominator.clone()))
    }

    /// In lowest terms.
    fn reduced(numerator: Multinomial, factors: Factors) -> Fraction {
        let (numerator, factors) = factors.cancel(numerator);
        Fraction { numerator, factors }
    }

    /// The numerator; its coefficients may be fractions.
    pub fn numerator(&self) -> &Multinomial {
        &self.numerator
    }

    /// The factors of the denominator, primitive, and their powers.
    pub fn factors(&self) -> impl Iterator<Item = (&Multinomial, u32)> {
        self.factors.iter()
    }

    /// The denominator, multiplied out; primitive.
    pub fn denominator(&self) -> Multinomial {
        self.factors.expanded()
    }

    /// Whether it vanishes.
    pub fn is_zero(&self) -> bool {
        self.numerator.is_zero()
    }

    /// The polynomial that it is, if it is one.
    pub fn as_polynomial(&self) -> Option<&Multinomial> {
        self.factors.is_empty().then_some(&self.numerator)
    }

    /// The constant that it is, if it is one.
    pub fn as_rational(&self) -> Option<Rational> {
        self.as_polynomial()?.as_constant()
    }

    fn polynomials(&self) -> impl Iterator<Item = &Multinomial> {
        self.factors.iter().map(|(factor, _)| factor).chain([&self.numerator])
    }

    /// The variables in it, by name.
    pub fn variables(&self) -> BTreeSet<Variable> {
        self.polynomials().flat_map(Multinomial::variables).collect()
    }

    /// Whether a variable is in it.
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

    /// One over it; `None` for zero.
    pub fn inverse(&self) -> Option<Fraction> {
        if self.is_zero() {
            return None;
        }
        let (content, primitive) = self.numerator.content_and_primitive();
        let numerator = self.denominator().scaled(&(Rational::ONE / content));
        Some(Fraction { numerator, factors: Factors::of(&primitive) })
    }

    /// The quotient; `None` if the divisor vanishes.
    pub fn over(&self, divisor: &Fraction) -> Option<Fraction> {
        Some(self * &divisor.inverse()?)
    }

    /// A whole power; `None` for 0 to a negative power or a power too large to write out.
    pub fn power(&self, exponent: i32) -> Option<Fraction> {
        let base = if exponent < 0 { self.inverse()? } else { self.clone() };
        let n = exponent.unsigned_abs();
        let all = base.factors().chain([(&base.numerator, 1)]).all(|(p, power)| writable(p, power.saturating_mul(n)));
        all.then(|| base.repeated(n))
    }

    /// A power that is known to be small.
    fn repeated(&self, n: u32) -> Fraction {
        Fraction { numerator: self.numerator.power(n), factors: self.factors.with_powers(|_, power| power * n) }
    }

    /// The derivative with respect to a variable.
    pub fn derivative(&self, variable: impl Into<Variable>) -> Fraction {
        let variable = variable.into();
        // (N / ∏ f^e)' = (N' ∏ f - N Σ e f' ∏ of the others) / ∏ f^(e+1), over the factors with the variable in them.
        let inner: Vec<(&Multinomial, u32)> = self.factors().filter(|(f, _)| f.depends_on(variable)).collect();
        let product = |without: Option<usize>| {
            let kept = inner.iter().enumerate().filter(|(i, _)| Some(*i) != without);
            kept.fold(Multinomial::one(), |product, (_, (factor, _))| product * *factor)
        };
        let mut numerator = self.numerator.derivative(variable) * product(None);
        for (i, (factor, power)) in inner.iter().enumerate() {
            let slope = factor.derivative(variable).scaled(&Rational::from(*power));
            numerator -= &self.numerator * slope * product(Some(i));
        }
        let factors = self.factors.with_powers(|factor, power| power + u32::from(factor.depends_on(variable)));
        Fraction::reduced(numerator, factors)
    }

    /// The antiderivative with respect to a variable that vanishes at 0; `None` if the denominator depends on it.
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

    /// The part whose numerator's terms are of a kind, and the rest.
    pub fn parted(&self, is_of_kind: impl Fn(&Monomial) -> bool) -> [Fraction; 2] {
        let (one, other): (Vec<_>, Vec<_>) =
            self.numerator.monomials().map(|(m, k)| (m.clone(), k.clone())).partition(|(m, _)| is_of_kind(m));
        [one, other].map(|terms| Fraction::reduced(Multinomial::from_terms(terms), self.factors.clone()))
    }

    /// The same with a quotient in place of a variable; `None` where the denominator vanishes.
    pub fn substitute(&self, variable: impl Into<Variable>, by: &Fraction) -> Option<Fraction> {
        let variable = variable.into();
        let below = self.factors().try_fold(Fraction::one(), |product, (factor, power)| {
            let factor = substituted(factor, variable, by);
            Some(&product * &factor.inverse()?.repeated(power))
        })?;
        Some(&substituted(&self.numerator, variable, by) * &below)
    }

    /// The same with quotients in place of variables, all at once; those that `by` does not know stay. `None` where the denominator
    /// vanishes.
    pub fn substitute_all(&self, by: impl Fn(Variable) -> Option<Fraction>) -> Option<Fraction> {
        let known: BTreeMap<Variable, Fraction> =
            self.variables().into_iter().map(|v| (v, by(v).unwrap_or_else(|| Fraction::variable(v)))).collect();
        let apply = |p: &Multinomial| -> Fraction {
            let term = |(powers, coefficient): (&[(Variable, u32)], &Rational)| {
                let powers = powers.iter().filter_map(|(v, power)| Some(known.get(v)?.repeated(*power)));
                powers.fold(Fraction::constant(coefficient.clone()), |product, power| product * power)
            };
            p.terms().map(term).sum()
        };
        let mut result = apply(&self.numerator);
        for (factor, power) in self.factors() {
            result = result * apply(factor).inverse()?.repeated(power);
        }
        Some(result)
    }

    /// The value, given those of the variables; `None` if one has none or the denominator vanishes there.
    pub fn value(&self, given: impl Fn(&str) -> Option<Rational>) -> Option<Rational> {
        let mut value = self.numerator.value(&given)?;
        for (factor, power) in self.factors() {
            let below = factor.value(&given)?;
            if below.is_zero() {
                return None;
            }
            value /= below.pow(power as isize);
        }
        Some(value)
    }
}

/// Whether a power of a polynomial can be written out.
fn writable(base: &Multinomial, exponent: u32) -> bool {
    use dashu_base::BitTest;
    let digits = base.terms().map(|(_, c)| c.numerator().bit_len().max(c.denominator().bit_len())).max().unwrap_or(0);
    if base.is_constant() && digits <= 1 {
        // 0, 1 and -1 have all powers.
        return true;
    }
    let (degree, exponent) = (u64::from(base.degree()), u64::from(exponent));
    if (degree + digits as u64).saturating_mul(exponent) > LARGEST_POWER {
        return false;
    }
    // So many monomials there are of the powers of the terms, and of the variables.
    let of_terms = choices(base.terms().len().saturating_sub(1), exponent);
    let of_variables = choices(base.variables().len(), degree * exponent);
    of_terms.min(of_variables) <= MOST_TERMS
}

/// `(n+1)(n+2)…(n+k)/k!`: how many monomials in `k` variables have a degree of at most `n`.
fn choices(k: usize, n: u64) -> u64 {
    (1..=k as u64).fold(1u64, |product, i| product.saturating_mul(n + i) / i)
}

/// A polynomial with a quotient in place of a variable.
fn substituted(polynomial: &Multinomial, variable: Variable, by: &Fraction) -> Fraction {
    let coefficients = polynomial.coefficients_in(variable);
    let Some((last, lower)) = coefficients.split_last() else { return Fraction::zero() };
    // Σ c_k (p/q)^k = (Σ c_k p^k q^(n-k)) / q^n, by Horner's rule.
    let (p, q) = (&by.numerator, by.denominator());
    let mut scale = Multinomial::one();
    let mut sum = last.clone();
    for coefficient in lower.iter().rev() {
        scale = scale * &q;
        sum = sum * p + coefficient * &scale;
    }
    let degree = u32::try_from(lower.len()).unwrap_or(u32::MAX);
    Fraction::reduced(sum, by.factors.with_powers(|_, power| power * degree))
}

impl From<Multinomial> for Fraction {
    fn from(numerator: Multinomial) -> Fraction {
        Fraction { numerator, factors: Factors::default() }
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
        let [a, b] = self.factors.aligned(&other.factors);
        // The least common multiple, and what either side lacks of it.
        let lacking = |own: &Factors, other: &Factors| {
            other.with_powers(|factor, power| power.saturating_sub(own.power_of(factor)))
        };
        let (of_a, of_b) = (lacking(&a, &b), lacking(&b, &a));
        let numerator = &self.numerator * of_a.expanded() + &other.numerator * of_b.expanded();
        Fraction::reduced(numerator, a.times(&of_a))
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
        // What cancels stands across.
        let (p, below_q) = other.factors.clone().cancel(self.numerator.clone());
        let (q, below_p) = self.factors.clone().cancel(other.numerator.clone());
        Fraction { numerator: p * q, factors: below_p.times(&below_q) }
    }
}

by_value!(Fraction: Add add, Sub sub, Mul mul);

impl std::iter::Sum for Fraction {
    fn sum<I: Iterator<Item = Fraction>>(terms: I) -> Fraction {
        terms.fold(Fraction::zero(), |sum, term| sum + term)
    }
}
