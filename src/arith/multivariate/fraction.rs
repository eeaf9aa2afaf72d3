//! Quotients of polynomials in named variables.

use super::{Monomial, Multinomial, Variable, by_value};
use crate::arith::{Rational, RationalFunction};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::{Add, Mul, Neg, Sub};

/// The most terms that a power of a polynomial may have.
const MOST_TERMS: u64 = 100_000;
/// The largest degree of a power, and the most binary digits of its coefficients.
const LARGEST_POWER: u64 = 20_000;

/// A product of powers of polynomials. They are not constant, primitive and none divides another as far as was needed.
type Factors = BTreeMap<Multinomial, u32>;

/// A quotient of polynomials in named variables.
///
/// The denominator is kept as a product of factors; those cancel which divide the numerator. Two quotients are equal if their
/// difference vanishes, whatever their factors.
///
/// ```
/// use rocproof::arith::multivariate::{Fraction, Multinomial};
/// let [x, y] = ["x", "y"].map(Fraction::variable);
/// let f = (&x * &x - &y * &y).over(&(&x - &y)).unwrap();
/// assert_eq!(f.to_string(), "x + y");
/// assert_eq!((x.over(&f).unwrap() + y.over(&f).unwrap()).as_rational(), Some(1.into()));
/// assert_eq!(f.over(&Fraction::zero()), None);
/// ```
#[derive(Clone)]
pub struct Fraction {
    numerator: Multinomial,
    /// None divides the numerator; empty if that vanishes.
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

    /// What cancels does.
    fn cancelled(mut numerator: Multinomial, factors: Factors) -> Fraction {
        let mut left = Factors::new();
        if numerator.is_zero() {
            return Fraction { numerator, factors: left };
        }
        for (factor, mut power) in factors {
            while power > 0
                && let Some(quotient) = numerator.divided_exactly_by(&factor)
            {
                numerator = quotient;
                power -= 1;
            }
            if power > 0 {
                left.insert(factor, power);
            }
        }
        // The numerator may be a part of a factor.
        let (content, primitive) = numerator.content_and_primitive();
        if !primitive.is_constant()
            && let Some((factor, quotient)) =
                left.keys().find_map(|f| Some((f.clone(), f.divided_exactly_by(&primitive)?)))
        {
            let power = left.remove(&factor).unwrap_or(0);
            *left.entry(quotient).or_default() += 1;
            if power > 1 {
                *left.entry(factor).or_default() += power - 1;
            }
            numerator = Multinomial::constant(content);
        }
        Fraction { numerator, factors: left }
    }

    /// The numerator; its coefficients may be fractions.
    pub fn numerator(&self) -> &Multinomial {
        &self.numerator
    }

    /// The factors of the denominator, primitive, and their powers.
    pub fn factors(&self) -> impl Iterator<Item = (&Multinomial, u32)> {
        self.factors.iter().map(|(factor, power)| (factor, *power))
    }

    /// The denominator, multiplied out; primitive.
    pub fn denominator(&self) -> Multinomial {
        expanded(&self.factors)
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

    /// The variables in it, by name.
    pub fn variables(&self) -> BTreeSet<Variable> {
        self.factors.keys().chain([&self.numerator]).flat_map(Multinomial::variables).collect()
    }

    /// Whether a variable is in it.
    pub fn depends_on(&self, variable: impl Into<Variable>) -> bool {
        let variable = variable.into();
        self.factors.keys().chain([&self.numerator]).any(|p| p.depends_on(variable))
    }

    /// The product with a rational.
    pub fn scaled(&self, by: &Rational) -> Fraction {
        Fraction::cancelled_unless_zero(self.numerator.scaled(by), self.factors.clone())
    }

    /// A quotient from which nothing cancels unless all of it vanishes.
    fn cancelled_unless_zero(numerator: Multinomial, factors: Factors) -> Fraction {
        if numerator.is_zero() { Fraction::zero() } else { Fraction { numerator, factors } }
    }

    /// One over it; `None` for zero.
    pub fn inverse(&self) -> Option<Fraction> {
        if self.is_zero() {
            return None;
        }
        let (content, primitive) = self.numerator.content_and_primitive();
        // The variables that divide it are factors of their own.
        let monomial = primitive.monomial_content();
        let mut factors: Factors =
            monomial.powers().iter().map(|(variable, power)| (Multinomial::variable(*variable), *power)).collect();
        let rest = primitive.divided_exactly_by(&Multinomial::term(monomial, Rational::ONE))?;
        if !rest.is_constant() {
            factors.insert(rest, 1);
        }
        Some(Fraction::cancelled(self.denominator().scaled(&(Rational::ONE / content)), factors))
    }

    /// The quotient; `None` if the divisor vanishes.
    pub fn over(&self, divisor: &Fraction) -> Option<Fraction> {
        Some(self * &divisor.inverse()?)
    }

    /// A whole power; `None` for 0 to a negative power or a power too large to write out.
    pub fn power(&self, exponent: i32) -> Option<Fraction> {
        let base = if exponent < 0 { self.inverse()? } else { self.clone() };
        let n = exponent.unsigned_abs();
        if !writable(&base.numerator, n)
            || !base.factors.iter().all(|(factor, power)| writable(factor, power.checked_mul(n).unwrap_or(u32::MAX)))
        {
            return None;
        }
        let factors =
            if n == 0 { Factors::new() } else { base.factors.into_iter().map(|(f, power)| (f, power * n)).collect() };
        Some(Fraction { numerator: base.numerator.power(n), factors })
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
        let mut factors = self.factors.clone();
        factors.iter_mut().for_each(|(factor, power)| *power += u32::from(factor.depends_on(variable)));
        Fraction::cancelled(numerator, factors)
    }

    /// The antiderivative with respect to a variable that vanishes at 0; `None` if the denominator depends on it.
    ///
    /// ```
    /// use rocproof::arith::Fraction;
    /// let [x, y] = ["x", "y"].map(Fraction::variable);
    /// let f = (&x * &x).over(&y).unwrap();
    /// assert_eq!(f.antiderivative("x").unwrap().to_string(), "1/3*x^3/y");
    /// assert!(f.antiderivative("y").is_none());
    /// ```
    pub fn antiderivative(&self, variable: impl Into<Variable>) -> Option<Fraction> {
        let variable = variable.into();
        if self.factors().any(|(factor, _)| factor.depends_on(variable)) {
            return None;
        }
        Some(Fraction::cancelled(self.numerator.antiderivative(variable), self.factors.clone()))
    }

    /// The part whose numerator's terms are of a kind, and the rest.
    pub fn parted(&self, is_of_kind: impl Fn(&Monomial) -> bool) -> [Fraction; 2] {
        let (one, other): (Vec<_>, Vec<_>) =
            self.numerator.monomials().map(|(m, k)| (m.clone(), k.clone())).partition(|(m, _)| is_of_kind(m));
        [one, other].map(|terms| Fraction::cancelled(Multinomial::from_terms(terms), self.factors.clone()))
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

    /// A power that is known to be small.
    fn repeated(&self, power: u32) -> Fraction {
        let factors =
            self.factors.iter().map(|(factor, n)| (factor.clone(), n * power)).filter(|(_, n)| *n > 0).collect();
        Fraction { numerator: self.numerator.power(power), factors }
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

    /// A rational function of one variable, in a variable.
    pub fn from_univariate(function: &RationalFunction, variable: impl Into<Variable>) -> Fraction {
        let variable = variable.into();
        let [above, below] =
            [function.numerator(), function.denominator()].map(|p| Multinomial::from_univariate(p, variable));
        // The denominator of a rational function does not vanish.
        Fraction::new(above, &below).unwrap_or_else(Fraction::zero)
    }

    /// The same as a rational function of one variable; `None` if it has another.
    pub fn to_univariate(&self, variable: impl Into<Variable>) -> Option<RationalFunction> {
        let variable = variable.into();
        let above = self.numerator.to_univariate(variable)?;
        Some(RationalFunction::new(above, self.denominator().to_univariate(variable)?))
    }
}

/// Whether a power of a polynomial can be written out.
fn writable(base: &Multinomial, exponent: u32) -> bool {
    use dashu_base::BitTest;
    let exponent = u64::from(exponent);
    let digits = base.terms().map(|(_, c)| c.numerator().bit_len().max(c.denominator().bit_len())).max().unwrap_or(0);
    // A sum of t terms to the power n has at most (n+1)(n+2)…(n+t-1)/(t-1)! of them.
    let mut terms = 1u64;
    for k in 1..base.terms().len() as u64 {
        terms = terms.saturating_mul(exponent + k) / k;
        if terms > MOST_TERMS {
            return false;
        }
    }
    // The constants 1 and -1 have all powers.
    let trivial = base.is_constant() && digits <= 1;
    trivial || (u64::from(base.degree()) + digits as u64).saturating_mul(exponent) <= LARGEST_POWER
}

/// The product of powers.
fn expanded(factors: &Factors) -> Multinomial {
    factors.iter().fold(Multinomial::one(), |product, (factor, power)| product * factor.power(*power))
}

/// The same product, with the given polynomials split off where they divide.
fn split(factors: &Factors, by: &Factors) -> Factors {
    let mut found = Factors::new();
    for (factor, power) in factors {
        let mut rest = factor.clone();
        if !by.contains_key(factor) {
            for divisor in by.keys() {
                while let Some(quotient) = rest.divided_exactly_by(divisor) {
                    *found.entry(divisor.clone()).or_default() += power;
                    rest = quotient;
                }
            }
        }
        if !rest.is_constant() {
            *found.entry(rest).or_default() += power;
        }
    }
    found
}

/// The factors of two products, split by each other.
fn split_both(a: &Factors, b: &Factors) -> (Factors, Factors) {
    if a == b {
        return (a.clone(), b.clone());
    }
    let b = split(b, a);
    (split(a, &b), b)
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
    let factors = by.factors.iter().map(|(factor, power)| (factor.clone(), power * degree));
    Fraction::cancelled(sum, factors.filter(|(_, power)| *power > 0).collect())
}

impl From<Multinomial> for Fraction {
    fn from(numerator: Multinomial) -> Fraction {
        Fraction { numerator, factors: Factors::new() }
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
            return Fraction::cancelled(&self.numerator + &other.numerator, self.factors.clone());
        }
        let (a, b) = split_both(&self.factors, &other.factors);
        let mut common = a.clone();
        for (factor, power) in &b {
            let entry = common.entry(factor.clone()).or_default();
            *entry = (*entry).max(*power);
        }
        let lacking = |own: &Factors| {
            let powers = common.iter().map(|(f, power)| (f.clone(), power - own.get(f).copied().unwrap_or(0)));
            expanded(&powers.collect())
        };
        let numerator = &self.numerator * lacking(&a) + &other.numerator * lacking(&b);
        Fraction::cancelled(numerator, common)
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
        let Fraction { numerator: p, factors: below_p } =
            Fraction::cancelled(self.numerator.clone(), other.factors.clone());
        let Fraction { numerator: q, factors: below_q } =
            Fraction::cancelled(other.numerator.clone(), self.factors.clone());
        let (mut factors, others) = split_both(&below_q, &below_p);
        for (factor, power) in others {
            *factors.entry(factor).or_default() += power;
        }
        Fraction::cancelled(p * q, factors)
    }
}

by_value!(Fraction: Add add, Sub sub, Mul mul);

impl std::iter::Sum for Fraction {
    fn sum<I: Iterator<Item = Fraction>>(terms: I) -> Fraction {
        terms.fold(Fraction::zero(), |sum, term| sum + term)
    }
}
