//! Polynomials modulo a prime below 2³¹, in machine words.
//!
//! They give quick answers about polynomials over the rationals: polynomials that are coprime modulo a prime are coprime, and a factor
//! over the rationals is a factor modulo the prime.

use super::polynomial::Polynomial;
use dashu_base::RemEuclid;
use dashu_int::IBig;

/// A polynomial modulo a prime: the constant term first, the last coefficient not 0.
pub(crate) type Residues = Vec<u64>;

/// The Mersenne prime 2³¹ - 1, by which coprimality is tested.
const MERSENNE: u64 = 2_147_483_647;

/// Whether a number above 1 is prime, by trial division.
pub fn is_prime(n: u64) -> bool {
    (2..).take_while(|d| d * d <= n).all(|d| !n.is_multiple_of(d))
}

/// The odd primes below 2³¹, the largest first.
pub fn primes() -> impl Iterator<Item = u64> {
    std::iter::once(MERSENNE).chain((3..MERSENNE - 1).rev().step_by(2).filter(|n| is_prime(*n)))
}

/// A quick test for coprime polynomials: `true` proves it, `false` says nothing.
///
/// A common factor over the rationals stays one modulo every prime that keeps the degrees, so coprime residues prove coprimality.
pub(crate) fn are_surely_coprime(a: &Polynomial, b: &Polynomial) -> bool {
    let field = PrimeField { prime: MERSENNE };
    let (Some(a), Some(b)) = (field.reduce(a), field.reduce(b)) else { return false };
    field.gcd(a, b).len() == 1
}

/// The field of integers modulo a prime, with the arithmetic of polynomials over it.
#[derive(Clone, Copy, Debug)]
pub struct PrimeField {
    /// The prime, odd and below 2³¹.
    pub prime: u64,
}

impl PrimeField {
    /// The integer coefficients of a polynomial modulo the prime; `None` if the degree falls.
    pub fn reduce(self, polynomial: &Polynomial) -> Option<Residues> {
        let prime = IBig::from(self.prime);
        let residues: Residues =
            polynomial.parts().0.iter().map(|n| u64::try_from(n.rem_euclid(&prime)).unwrap_or(0)).collect();
        residues.last().is_some_and(|last| *last != 0).then_some(residues)
    }

    /// Removes leading zeros.
    fn trim(self, mut a: Residues) -> Residues {
        while a.last() == Some(&0) {
            a.pop();
        }
        a
    }

    fn power_of(self, mut base: u64, mut exponent: u64) -> u64 {
        let mut power = 1;
        while exponent > 0 {
            if exponent & 1 == 1 {
                power = power * base % self.prime;
            }
            base = base * base % self.prime;
            exponent >>= 1;
        }
        power
    }

    /// The inverse of a residue that is not 0: `of^(p-2)`, by Fermat.
    pub fn inverse(self, of: u64) -> u64 {
        self.power_of(of, self.prime - 2)
    }

    /// Divides by the leading coefficient.
    pub fn monic(self, mut a: Residues) -> Residues {
        if let Some(last) = a.last().copied().filter(|last| *last != 1) {
            let inverse = self.inverse(last);
            a.iter_mut().for_each(|c| *c = *c * inverse % self.prime);
        }
        a
    }

    /// Quotient and remainder of the division by a monic polynomial.
    pub(crate) fn divide(self, mut a: Residues, by: &[u64]) -> (Residues, Residues) {
        let m = by.len();
        if a.len() < m {
            return (Vec::new(), a);
        }
        let mut quotient = vec![0; a.len() - m + 1];
        for k in (0..quotient.len()).rev() {
            let top = a[k + m - 1];
            quotient[k] = top;
            for (j, d) in by.iter().enumerate() {
                a[k + j] = (a[k + j] + (self.prime - top) * d) % self.prime;
            }
        }
        (quotient, self.trim(a))
    }

    /// The greatest common divisor, monic.
    pub fn gcd(self, a: Residues, b: Residues) -> Residues {
        let (mut a, mut b) = (self.monic(a), self.monic(b));
        while !b.is_empty() {
            let remainder = self.monic(self.divide(a, &b).1);
            (a, b) = (b, remainder);
        }
        a
    }

    /// The derivative.
    pub fn derivative(self, a: &[u64]) -> Residues {
        let terms = a.iter().enumerate().skip(1).map(|(k, c)| k as u64 % self.prime * c % self.prime);
        self.trim(terms.collect())
    }

    /// The product of two polynomials modulo a third.
    fn product_modulo(self, a: &[u64], b: &[u64], modulus: &[u64]) -> Residues {
        if a.is_empty() || b.is_empty() {
            return Vec::new();
        }
        let mut product = vec![0u64; a.len() + b.len() - 1];
        for (i, x) in a.iter().enumerate() {
            for (j, y) in b.iter().enumerate() {
                product[i + j] = (product[i + j] + x * y) % self.prime;
            }
        }
        self.divide(self.trim(product), modulus).1
    }

    /// A power of a polynomial modulo another, by repeated squaring.
    fn power_modulo(self, base: &[u64], exponent: u64, modulus: &[u64]) -> Residues {
        let mut power = vec![1];
        for bit in (0..64 - exponent.leading_zeros()).rev() {
            power = self.product_modulo(&power, &power, modulus);
            if exponent >> bit & 1 == 1 {
                power = self.product_modulo(&power, base, modulus);
            }
        }
        power
    }

    /// The difference of two polynomials.
    fn minus(self, a: &[u64], b: &[u64]) -> Residues {
        let at = |v: &[u64], k: usize| v.get(k).copied().unwrap_or(0);
        let difference = (0..a.len().max(b.len())).map(|k| (at(a, k) + self.prime - at(b, k)) % self.prime);
        self.trim(difference.collect())
    }

    /// The monic irreducible factors of degree 1 and 2 of a monic squarefree polynomial, by distinct-degree factorization.
    pub fn small_factors(self, of: &[u64]) -> Vec<Residues> {
        let x = vec![0, 1];
        let mut rest = of.to_vec();
        let mut factors = Vec::new();
        let mut frobenius = self.divide(x.clone(), &rest).1;
        for degree in [1, 2] {
            if rest.len() <= degree {
                break;
            }
            // x^(p^degree) - x is the product of all monic irreducible polynomials whose degree divides `degree`.
            frobenius = self.power_modulo(&self.divide(frobenius, &rest).1, self.prime, &rest);
            let product = self.gcd(rest.clone(), self.minus(&frobenius, &x));
            if product.len() > 1 {
                rest = self.divide(rest, &product).0;
                self.split(product, degree, &mut factors);
            }
        }
        factors
    }

    /// Splits a product of irreducible factors of one degree (Cantor and Zassenhaus).
    ///
    /// `t^((p^degree - 1)/2)` is 1 modulo about half of the factors and -1 modulo the others, so its difference from 1 has a proper
    /// common divisor with the product for most `t`.
    fn split(self, product: Residues, degree: usize, factors: &mut Vec<Residues>) {
        if product.len() - 1 == degree {
            factors.push(product);
            return;
        }
        for shift in 0..self.prime {
            // t = x + shift, or x² + shift·x + shift² + 1 for factors of degree 2, to the power (p^degree - 1)/2.
            let t = if degree == 1 { vec![shift, 1] } else { vec![(shift * shift + 1) % self.prime, shift, 1] };
            let t = self.divide(t, &product).1;
            let half = self.power_modulo(&t, (self.prime - 1) / 2, &product);
            let power = if degree == 1 {
                half
            } else {
                // (p² - 1)/2 = (p + 1)·(p - 1)/2.
                self.power_modulo(&half, self.prime + 1, &product)
            };
            let part = self.gcd(product.clone(), self.minus(&power, &[1]));
            if part.len() > 1 && part.len() < product.len() {
                let other = self.divide(product, &part).0;
                self.split(part, degree, factors);
                self.split(other, degree, factors);
                return;
            }
        }
    }
}
