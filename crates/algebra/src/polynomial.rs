//! Polynomials in one variable with rational coefficients.
//!
//! Coefficients are integers over one common denominator, so that most operations are sums and products of integers.

use super::rational::Rational;
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
        let denominator = coefficients.iter().fold(UBig::ONE, |lcm, c| {
            let common = (&lcm).gcd(c.denominator());
            lcm / common * c.denominator()
        });
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

    /// Integers over a denominator, brought to lowest terms.
    fn over(mut numerators: Vec<IBig>, mut denominator: UBig) -> Polynomial {
        while numerators.last().is_some_and(IBig::is_zero) {
            numerators.pop();
        }
        if !denominator.is_one() {
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

    /// The degree; 0 for the polynomial 0.
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

    /// The coefficient of the highest power.
    pub fn leading(&self) -> Rational {
        self.coefficient(self.degree())
    }

    /// The value at a rational.
    pub fn at(&self, x: &Rational) -> Rational {
        let (above, below) = self.fraction_at(x);
        Rational::from_parts(above, below)
    }

    /// The value at a rational as a fraction, not in lowest terms: Horner's rule in integers.
    pub fn fraction_at(&self, x: &Rational) -> (IBig, UBig) {
        let (p, q) = (x.numerator(), IBig::from(x.denominator().clone()));
        let mut terms = self.numerators.iter().rev();
        let Some(first) = terms.next() else { return (IBig::ZERO, UBig::ONE) };
        if q.is_one() {
            return (terms.fold(first.clone(), |sum, n| sum * p + n), self.denominator.clone());
        }
        let mut scale = IBig::ONE;
        let value = terms.fold(first.clone(), |sum, n| {
            scale *= &q;
            sum * p + n * &scale
        });
        (value, self.denominator.clone() * scale.unsigned_abs())
    }

    /// The value at a rational to about 64 significant bits. The sign is exact, and 0 is exact.
    pub fn approximate_at(&self, x: &Rational) -> Rational {
        let (above, below) = self.fraction_at(x);
        let excess_bits = |bits: usize| bits.saturating_sub(64);
        let (m, n) = (excess_bits(above.bit_len()), excess_bits(below.bit_len()));
        // Shift the magnitude: a shifted negative number would round away from 0.
        let ratio = Rational::from_parts(above.signum() * (above.abs() >> m), below >> n);
        if m >= n { ratio * Rational::from(IBig::ONE << (m - n)) } else { ratio / Rational::from(IBig::ONE << (n - m)) }
    }

    /// A bound on `|p'|` on `[-x, x]`.
    pub fn slope_bound(&self, x: &Rational) -> Rational {
        let mut slope = self.derivative();
        slope.numerators.iter_mut().for_each(|n| *n = std::mem::take(n).abs());
        slope.at(x)
    }

    /// The sign at a rational.
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
        let coefficients = self.coefficients().enumerate().map(|(k, c)| c / Rational::from(k + 1));
        let shifted: Vec<Rational> = std::iter::once(Rational::ZERO).chain(coefficients).collect();
        Polynomial::from_coefficients(&shifted)
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

    /// `p(centre + h)` as a polynomial in `h` (Taylor shift).
    pub fn shifted(&self, centre: &Rational) -> Polynomial {
        // With centre = p/q and n the degree: q^n f(p/q + y/q) has whole coefficients in y, by repeated synthetic division.
        let n = self.degree();
        let (p, q) = (centre.numerator(), IBig::from(centre.denominator().clone()));
        let mut work = self.numerators.clone();
        let mut scale = IBig::ONE;
        for k in (0..work.len()).rev() {
            work[k] *= &scale;
            scale *= &q;
        }
        for i in 0..n {
            for k in (i..n).rev() {
                let step = &work[k + 1] * p;
                work[k] += step;
            }
        }
        // y = q·h, and q^n divides out.
        let mut scale = IBig::ONE;
        for coefficient in &mut work {
            *coefficient *= &scale;
            scale *= &q;
        }
        Polynomial::over(work, &self.denominator * centre.denominator().pow(n))
    }

    /// `p(by·t)` as a polynomial in `t`.
    pub fn stretched(&self, by: &Rational) -> Polynomial {
        let (p, q, n) = (by.numerator(), IBig::from(by.denominator().clone()), self.degree());
        let mut above = IBig::ONE;
        let mut below = q.pow(n);
        let numerators = self.numerators.iter().map(|c| {
            let term = c * &above * &below;
            above *= p;
            below /= &q;
            term
        });
        Polynomial::over(numerators.collect(), &self.denominator * by.denominator().pow(n))
    }

    /// The composition `p(inner(x))`.
    pub fn compose(&self, inner: &Polynomial) -> Polynomial {
        self.coefficients().rev().fold(Polynomial::zero(), |sum, c| &(&sum * inner) + &Polynomial::constant(c))
    }

    /// Quotient and remainder. The divisor must not be 0.
    pub fn divided_by(&self, divisor: &Polynomial) -> (Polynomial, Polynomial) {
        debug_assert!(!divisor.is_zero());
        let (n, m) = (self.numerators.len(), divisor.numerators.len());
        if n < m || m == 0 {
            return (Polynomial::zero(), self.clone());
        }
        // Pseudo-division in integers: scale·self = quotient·divisor + remainder, where the scale divides a power of the leading
        // coefficient.
        let leading = &divisor.numerators[m - 1];
        let mut remainder = self.numerators.clone();
        let mut quotient = vec![IBig::ZERO; n - m + 1];
        let mut scale = IBig::ONE;
        for k in (0..=n - m).rev() {
            let top = remainder[k + m - 1].clone();
            if top.is_zero() {
                continue;
            }
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
        let negative = scale.is_negative();
        let under = scale.unsigned_abs() * &self.denominator;
        let signed = |v: Vec<IBig>| if negative { v.into_iter().map(|c| -c).collect() } else { v };
        let remainder = Polynomial::over(signed(remainder), under.clone());
        let quotient = Polynomial::over(signed(quotient), under);
        (quotient.scaled(&Rational::from(divisor.denominator.clone())), remainder)
    }

    /// The primitive part: a multiple with coprime integer coefficients and a positive leading one.
    pub fn primitive(&self) -> Polynomial {
        let free = self.without_content();
        if free.numerators.last().is_some_and(|last| last.is_negative()) { -&free } else { free }
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

    /// The greatest common divisor, primitive.
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
        let (mut a, mut b) = (self.clone(), other.clone());
        let (mut u, mut next_u) = (Polynomial::one(), Polynomial::zero());
        while !b.is_zero() {
            let (quotient, remainder) = a.divided_by(&b);
            // Remainders matter only up to a constant: make them monic to keep the coefficients small.
            let scale = remainder.numerators.last().map_or(Rational::ONE, |_| Rational::ONE / remainder.leading());
            let u_after = (&u - &(&quotient * &next_u)).scaled(&scale);
            (a, b) = (b, remainder.scaled(&scale));
            (u, next_u) = (next_u, u_after);
        }
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
        let common = (&long.denominator).gcd(&short.denominator);
        let (of_long, of_short) = (IBig::from(&short.denominator / &common), IBig::from(&long.denominator / &common));
        let mut sum: Vec<IBig> = long.numerators.iter().map(|n| n * &of_long).collect();
        sum.iter_mut().zip(&short.numerators).for_each(|(s, n)| *s += n * &of_short);
        Polynomial::over(sum, &long.denominator * of_long.unsigned_abs())
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
        let term = |k: usize| {
            let coefficient = self.coefficient(k);
            let (negative, size) = (coefficient.is_negative(), coefficient.abs());
            let power = if k == 1 { "x".to_owned() } else { format!("x^{k}") };
            let text = match (k, size == Rational::ONE) {
                (0, _) => size.to_string(),
                (_, true) => power,
                (_, false) => format!("{size}*{power}"),
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
