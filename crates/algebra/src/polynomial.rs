//! Polynomials in one variable with rational coefficients.
//!
//! Coefficients are integers over one common denominator, so that most operations are sums and products of integers.

use super::rational::{Rational, common_denominator};
use crate::signed_sum;
use dashu_base::{Abs, BitTest, Gcd, Sign, Signed, UnsignedAbs};
use dashu_int::{IBig, UBig};
use std::fmt;
use std::ops::{Add, Mul, Neg, Sub};

/// A polynomial in one variable: integer coefficients over one common denominator.
///
/// ```
/// use rocproof_algebra::Polynomial;
/// let p = Polynomial::whole(&[1, -1, 0, 2]);
/// assert_eq!(p.to_string(), "2*x^3 - x + 1");
/// assert_eq!(p.derivative().to_string(), "6*x^2 - 1");
/// assert_eq!(p.at(&2.into()), 15.into());
/// assert_eq!(p.antiderivative().derivative(), p);
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Polynomial {
    /// The constant term first. The last is not zero; the numerators and the denominator have no common factor.
    numerators: Vec<IBig>,
    denominator: UBig,
}

impl Polynomial {
    /// The polynomial `0`.
    pub fn zero() -> Polynomial {
        Polynomial { numerators: Vec::new(), denominator: UBig::ONE }
    }

    /// The polynomial `1`.
    pub fn one() -> Polynomial {
        Polynomial::constant(Rational::ONE)
    }

    /// The polynomial `x`.
    pub fn x() -> Polynomial {
        Polynomial { numerators: vec![IBig::ZERO, IBig::ONE], denominator: UBig::ONE }
    }

    /// A constant polynomial.
    pub fn constant(value: Rational) -> Polynomial {
        let (numerator, denominator) = value.into_parts();
        Polynomial::over(vec![numerator], denominator)
    }

    /// `a + b·x`.
    pub fn linear(a: &Rational, b: &Rational) -> Polynomial {
        Polynomial::from_coefficients(&[a.clone(), b.clone()])
    }

    /// The polynomial with these coefficients, the constant term first.
    pub fn from_coefficients(coefficients: &[Rational]) -> Polynomial {
        let denominator = common_denominator(coefficients.iter());
        let numerators =
            coefficients.iter().map(|c| c.numerator() * IBig::from(&denominator / c.denominator())).collect();
        Polynomial::over(numerators, denominator)
    }

    /// The polynomial with these small integer coefficients, the constant term first.
    pub fn whole(coefficients: &[i64]) -> Polynomial {
        Polynomial::from_integers(coefficients.iter().map(|c| IBig::from(*c)).collect())
    }

    /// The polynomial with these integer coefficients, the constant term first.
    pub fn from_integers(numerators: Vec<IBig>) -> Polynomial {
        Polynomial::over(numerators, UBig::ONE)
    }

    /// The polynomial with these integer coefficients over a common denominator: drops leading zeros and reduces to lowest terms.
    fn over(mut numerators: Vec<IBig>, mut denominator: UBig) -> Polynomial {
        while numerators.last().is_some_and(IBig::is_zero) {
            numerators.pop();
        }
        if !denominator.is_one() {
            // The greatest common divisor of the denominator and all numerators.
            let mut common = denominator.clone();
            for numerator in &numerators {
                if common.is_one() {
                    break;
                }
                common = common.gcd(numerator.unsigned_abs());
            }
            if !common.is_one() {
                let divisor = IBig::from(common.clone());
                numerators.iter_mut().for_each(|n| *n /= &divisor);
                denominator /= common;
            }
        }
        Polynomial { numerators, denominator }
    }

    /// Whether it is the polynomial 0.
    pub fn is_zero(&self) -> bool {
        self.numerators.is_empty()
    }

    /// Whether it does not depend on `x`.
    pub fn is_constant(&self) -> bool {
        self.numerators.len() <= 1
    }

    /// Whether it is 1.
    pub(crate) fn is_one(&self) -> bool {
        self.denominator.is_one() && self.numerators.len() == 1 && self.numerators[0].is_one()
    }

    /// The degree; also 0 for the polynomial 0.
    pub fn degree(&self) -> usize {
        self.numerators.len().saturating_sub(1)
    }

    /// The integer coefficients, the constant term first, and their common denominator.
    pub fn parts(&self) -> (&[IBig], &UBig) {
        (&self.numerators, &self.denominator)
    }

    /// The coefficient of `x^k`.
    pub fn coefficient(&self, k: usize) -> Rational {
        self.numerators.get(k).map_or(Rational::ZERO, |n| Rational::from_parts(n.clone(), self.denominator.clone()))
    }

    /// The coefficients, the constant term first.
    pub fn coefficients(&self) -> impl DoubleEndedIterator<Item = Rational> + '_ {
        (0..self.numerators.len()).map(|k| self.coefficient(k))
    }

    /// The coefficient of the highest power; 0 for the polynomial 0.
    pub fn leading(&self) -> Rational {
        self.coefficient(self.degree())
    }

    /// The value at a rational.
    pub fn at(&self, x: &Rational) -> Rational {
        let (numerator, denominator) = self.fraction_at(x);
        Rational::from_parts(numerator, denominator)
    }

    /// The value at a rational as numerator and denominator, not in lowest terms.
    ///
    /// At `p/q`, with integer coefficients `a_k` over the denominator `D` and degree `n`, it is `Σ a_k p^k q^(n-k) / (D q^n)`. The sum is
    /// computed by Horner's rule in integers.
    pub fn fraction_at(&self, x: &Rational) -> (IBig, UBig) {
        let (p, q) = (x.numerator(), IBig::from(x.denominator().clone()));
        let Some((leading, lower)) = self.numerators.split_last() else { return (IBig::ZERO, UBig::ONE) };
        let lower = lower.iter().rev();
        if q.is_one() {
            return (lower.fold(leading.clone(), |sum, a| sum * p + a), self.denominator.clone());
        }
        let mut power_of_q = IBig::ONE;
        let sum = lower.fold(leading.clone(), |sum, a| {
            power_of_q *= &q;
            sum * p + a * &power_of_q
        });
        (sum, self.denominator.clone() * power_of_q.unsigned_abs())
    }

    /// The value at a rational to about 64 significant bits, from the leading 64 bits of its numerator and denominator. The sign is exact,
    /// and 0 is exact.
    pub fn approximate_at(&self, x: &Rational) -> Rational {
        let (numerator, denominator) = self.fraction_at(x);
        let excess_bits = |bits: usize| bits.saturating_sub(64);
        let (m, n) = (excess_bits(numerator.bit_len()), excess_bits(denominator.bit_len()));
        // Shift the magnitude: a shifted negative number would round away from 0.
        let ratio = Rational::from_parts(numerator.signum() * (numerator.abs() >> m), denominator >> n);
        // The value is about ratio·2^(m-n).
        if m >= n { ratio * Rational::from(IBig::ONE << (m - n)) } else { ratio / Rational::from(IBig::ONE << (n - m)) }
    }

    /// A bound on `|p'|` on `[-x, x]`, for `x >= 0`: `Σ |k a_k| x^(k-1)`.
    pub fn slope_bound(&self, x: &Rational) -> Rational {
        let mut majorant = self.derivative();
        majorant.numerators.iter_mut().for_each(|n| *n = std::mem::take(n).abs());
        majorant.at(x)
    }

    /// The sign at a rational: -1, 0 or 1.
    pub fn sign_at(&self, x: &Rational) -> i8 {
        match self.fraction_at(x).0 {
            value if value.is_zero() => 0,
            value if value.is_positive() => 1,
            _ => -1,
        }
    }

    /// The derivative.
    pub fn derivative(&self) -> Polynomial {
        let numerators = self.numerators.iter().enumerate().skip(1).map(|(k, n)| n * IBig::from(k)).collect();
        Polynomial::over(numerators, self.denominator.clone())
    }

    /// The antiderivative that vanishes at 0.
    pub fn antiderivative(&self) -> Polynomial {
        let higher = self.coefficients().enumerate().map(|(k, c)| c / Rational::from(k + 1));
        let coefficients: Vec<Rational> = std::iter::once(Rational::ZERO).chain(higher).collect();
        Polynomial::from_coefficients(&coefficients)
    }

    /// The integral from one rational to another.
    pub fn integral(&self, from: &Rational, to: &Rational) -> Rational {
        let antiderivative = self.antiderivative();
        antiderivative.at(to) - antiderivative.at(from)
    }

    /// The product with a rational.
    pub fn scaled(&self, by: &Rational) -> Polynomial {
        let numerators = self.numerators.iter().map(|n| n * by.numerator()).collect();
        Polynomial::over(numerators, &self.denominator * by.denominator())
    }

    /// A power, by repeated squaring.
    pub fn power(&self, exponent: usize) -> Polynomial {
        let mut power = Polynomial::one();
        for bit in (0..usize::BITS - exponent.leading_zeros()).rev() {
            power = &power * &power;
            if exponent >> bit & 1 == 1 {
                power = &power * self;
            }
        }
        power
    }

    /// `f(centre + h)` as a polynomial in `h`, where `f` is this polynomial (Taylor shift).
    ///
    /// All steps are in integers. With `centre = p/q`, degree `n` and integer coefficients `a_k`: `g(z) = q^n f(z/q)` has the coefficients
    /// `a_k q^(n-k)`; `g(p + y)` follows by repeated synthetic division; then `y = q h`, and `q^n` divides out.
    pub fn shifted(&self, centre: &Rational) -> Polynomial {
        let n = self.degree();
        let (p, q) = (centre.numerator(), IBig::from(centre.denominator().clone()));
        let mut coefficients = self.numerators.clone();
        // g(z) = q^n f(z/q).
        let mut power_of_q = IBig::ONE;
        for coefficient in coefficients.iter_mut().rev() {
            *coefficient *= &power_of_q;
            power_of_q *= &q;
        }
        // g(p + y): pass i divides by z - p and leaves the coefficient of y^i in place i.
        for i in 0..n {
            for k in (i..n).rev() {
                let carried = &coefficients[k + 1] * p;
                coefficients[k] += carried;
            }
        }
        // y = q h.
        let mut power_of_q = IBig::ONE;
        for coefficient in &mut coefficients {
            *coefficient *= &power_of_q;
            power_of_q *= &q;
        }
        Polynomial::over(coefficients, &self.denominator * centre.denominator().pow(n))
    }

    /// `f(factor·t)` as a polynomial in `t`, where `f` is this polynomial.
    ///
    /// With `factor = p/q` and degree `n`, its coefficients are `a_k p^k q^(n-k) / q^n`.
    pub fn stretched(&self, factor: &Rational) -> Polynomial {
        let (p, q, n) = (factor.numerator(), IBig::from(factor.denominator().clone()), self.degree());
        let mut power_of_p = IBig::ONE;
        let mut power_of_q = q.pow(n);
        let numerators = self.numerators.iter().map(|a| {
            let numerator = a * &power_of_p * &power_of_q;
            power_of_p *= p;
            power_of_q /= &q;
            numerator
        });
        Polynomial::over(numerators.collect(), &self.denominator * factor.denominator().pow(n))
    }

    /// The composition `f(inner(x))`, where `f` is this polynomial, by Horner's rule.
    pub fn compose(&self, inner: &Polynomial) -> Polynomial {
        self.coefficients().rev().fold(Polynomial::zero(), |sum, c| &(&sum * inner) + &Polynomial::constant(c))
    }

    /// Quotient and remainder: `self = quotient·divisor + remainder`, the remainder of smaller degree than the divisor. The divisor must not
    /// be 0: that is a broken invariant.
    ///
    /// Pseudo-division in integers: `scale·self = quotient·divisor + remainder` holds after every step, where `scale` divides a power of the
    /// divisor's leading coefficient and grows only as far as the next step needs.
    pub fn divided_by(&self, divisor: &Polynomial) -> (Polynomial, Polynomial) {
        if divisor.is_zero() {
            invariant!("a polynomial is divided by 0");
        }
        let (n, m) = (self.numerators.len(), divisor.numerators.len());
        if n < m {
            return (Polynomial::zero(), self.clone());
        }
        let leading = &divisor.numerators[m - 1];
        let mut remainder = self.numerators.clone();
        let mut quotient = vec![IBig::ZERO; n - m + 1];
        let mut scale = IBig::ONE;
        for k in (0..=n - m).rev() {
            let top = remainder[k + m - 1].clone();
            if top.is_zero() {
                continue;
            }
            // The least factor that makes the leading coefficient divide the top one: factor·top = step·leading.
            let common = IBig::from((&top).gcd(leading));
            let (factor, step) = (leading / &common, top / common);
            if !factor.is_one() {
                remainder.iter_mut().take(k + m).for_each(|r| *r *= &factor);
                quotient.iter_mut().for_each(|q| *q *= &factor);
                scale *= factor;
            }
            for (j, d) in divisor.numerators.iter().enumerate() {
                remainder[k + j] -= d * &step;
            }
            quotient[k] = step;
        }
        // Divide by scale and denominator. A denominator is positive, so the sign of the scale goes to the numerators.
        let negative = scale.is_negative();
        let denominator = scale.unsigned_abs() * &self.denominator;
        let with_sign = |v: Vec<IBig>| if negative { v.into_iter().map(|c| -c).collect() } else { v };
        let remainder = Polynomial::over(with_sign(remainder), denominator.clone());
        let quotient = Polynomial::over(with_sign(quotient), denominator);
        (quotient.scaled(&Rational::from(divisor.denominator.clone())), remainder)
    }

    /// The primitive part: a multiple with coprime integer coefficients and a positive leading one.
    pub fn primitive(&self) -> Polynomial {
        let multiple = self.without_content();
        if multiple.numerators.last().is_some_and(|last| last.is_negative()) { -&multiple } else { multiple }
    }

    /// A positive multiple with coprime integer coefficients.
    pub(crate) fn without_content(&self) -> Polynomial {
        let mut content = UBig::ZERO;
        for numerator in self.numerators.iter().filter(|n| !n.is_zero()) {
            content = if content.is_zero() { numerator.unsigned_abs() } else { content.gcd(numerator.unsigned_abs()) };
            if content.is_one() {
                return Polynomial::from_integers(self.numerators.clone());
            }
        }
        let divisor = IBig::from(content);
        Polynomial::from_integers(self.numerators.iter().map(|n| n / &divisor).collect())
    }

    /// The greatest common divisor, primitive, by Euclid's algorithm with primitive remainders.
    pub fn gcd(&self, other: &Polynomial) -> Polynomial {
        if self.is_zero() || other.is_zero() {
            return (self + other).primitive();
        }
        if self.is_constant() || other.is_constant() || super::modular::are_surely_coprime(self, other) {
            return Polynomial::one();
        }
        let (mut a, mut b) = (self.primitive(), other.primitive());
        while !b.is_zero() {
            let (_, remainder) = a.divided_by(&b);
            a = b;
            b = remainder.primitive();
        }
        a
    }

    /// The squarefree part: the product of the distinct irreducible factors, primitive.
    pub fn squarefree(&self) -> Polynomial {
        let common = self.gcd(&self.derivative());
        if common.is_constant() { self.primitive() } else { self.divided_by(&common).0.primitive() }
    }

    /// The squarefree factorization: pairwise coprime, squarefree `s_1, s_2, …` with `p = constant · s_1 s_2² s_3³ …` (Musser).
    pub fn squarefree_factors(&self) -> Vec<Polynomial> {
        let mut factors = Vec::new();
        if self.is_constant() {
            return factors;
        }
        let primitive = self.primitive();
        // In round k, `distinct` is s_k s_(k+1) …, and `repeated` is s_(k+1) s_(k+2)² ….
        let mut repeated = primitive.gcd(&primitive.derivative());
        let mut distinct = primitive.divided_by(&repeated).0;
        while !distinct.is_constant() {
            let next = distinct.gcd(&repeated);
            factors.push(distinct.divided_by(&next).0.primitive());
            repeated = repeated.divided_by(&next).0;
            distinct = next;
        }
        factors
    }

    /// `(u, v)` with `u·self + v·other = 1`, for coprime polynomials: `deg u < deg other`, `deg v < deg self`.
    pub fn bezout(&self, other: &Polynomial) -> (Polynomial, Polynomial) {
        // The extended Euclidean algorithm. Modulo `other`, a = u·self and b = next_u·self.
        let (mut a, mut b) = (self.clone(), other.clone());
        let (mut u, mut next_u) = (Polynomial::one(), Polynomial::zero());
        while !b.is_zero() {
            let (quotient, remainder) = a.divided_by(&b);
            // Remainders matter only up to a constant: make them monic to keep the coefficients small.
            let scale = remainder.numerators.last().map_or(Rational::ONE, |_| Rational::ONE / remainder.leading());
            let u_of_remainder = (&u - &(&quotient * &next_u)).scaled(&scale);
            (a, b) = (b, remainder.scaled(&scale));
            (u, next_u) = (next_u, u_of_remainder);
        }
        // The greatest common divisor `a` is a constant.
        let u = u.scaled(&(Rational::ONE / a.leading()));
        let v = (&Polynomial::one() - &(&u * self)).divided_by(other).0;
        (u, v)
    }
}

/// The sign of a rational: -1, 0 or 1.
pub fn sign(value: &Rational) -> i8 {
    match value.sign() {
        _ if value.is_zero() => 0,
        Sign::Positive => 1,
        Sign::Negative => -1,
    }
}

impl Add for &Polynomial {
    type Output = Polynomial;

    fn add(self, other: &Polynomial) -> Polynomial {
        if self.is_zero() {
            return other.clone();
        }
        if other.is_zero() {
            return self.clone();
        }
        let (long, short) = if self.numerators.len() >= other.numerators.len() { (self, other) } else { (other, self) };
        if long.denominator == short.denominator {
            let mut sum = long.numerators.clone();
            sum.iter_mut().zip(&short.numerators).for_each(|(s, n)| *s += n);
            return Polynomial::over(sum, long.denominator.clone());
        }
        // Bring both to the least common denominator.
        let common = (&long.denominator).gcd(&short.denominator);
        let factor_of_long = IBig::from(&short.denominator / &common);
        let factor_of_short = IBig::from(&long.denominator / &common);
        let mut sum: Vec<IBig> = long.numerators.iter().map(|n| n * &factor_of_long).collect();
        sum.iter_mut().zip(&short.numerators).for_each(|(s, n)| *s += n * &factor_of_short);
        Polynomial::over(sum, &long.denominator * factor_of_long.unsigned_abs())
    }
}

impl Sub for &Polynomial {
    type Output = Polynomial;

    fn sub(self, other: &Polynomial) -> Polynomial {
        self + &-other
    }
}

impl Neg for &Polynomial {
    type Output = Polynomial;

    fn neg(self) -> Polynomial {
        Polynomial { numerators: self.numerators.iter().map(|n| -n).collect(), denominator: self.denominator.clone() }
    }
}

impl Mul for &Polynomial {
    type Output = Polynomial;

    fn mul(self, other: &Polynomial) -> Polynomial {
        if self.is_zero() || other.is_zero() {
            return Polynomial::zero();
        }
        if self.is_one() {
            return other.clone();
        }
        if other.is_one() {
            return self.clone();
        }
        let mut product = vec![IBig::ZERO; self.numerators.len() + other.numerators.len() - 1];
        for (i, a) in self.numerators.iter().enumerate().filter(|(_, a)| !a.is_zero()) {
            for (j, b) in other.numerators.iter().enumerate() {
                product[i + j] += a * b;
            }
        }
        Polynomial::over(product, &self.denominator * &other.denominator)
    }
}

impl fmt::Display for Polynomial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_zero() {
            return f.write_str("0");
        }
        // The sign and the absolute value of the term with x^k. A coefficient 1 is not written before a power.
        let term = |k: usize| {
            let coefficient = self.coefficient(k);
            let (negative, absolute) = (coefficient.is_negative(), coefficient.abs());
            let power = if k == 1 { "x".to_owned() } else { format!("x^{k}") };
            let text = match (k, absolute == Rational::ONE) {
                (0, _) => absolute.to_string(),
                (_, true) => power,
                (_, false) => format!("{absolute}*{power}"),
            };
            (negative, text)
        };
        let powers = (0..self.numerators.len()).rev().filter(|k| !self.numerators[*k].is_zero());
        f.write_str(&signed_sum(powers.map(term)))
    }
}

impl fmt::Debug for Polynomial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
