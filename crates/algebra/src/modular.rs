//! Polynomials modulo a prime below 2³¹, in machine words.
//!
//! They give quick answers about polynomials over the rationals: polynomials that are coprime modulo a prime are coprime, and a factor
//! over the rationals is a factor modulo the prime.

use super::polynomial::Polynomial;
use dashu_base::RemEuclid;
use dashu_int::IBig;

/// A polynomial modulo a prime: the coefficients, the constant term first. The last is not 0; the polynomial 0 has none.
pub(crate) type Residues = Vec<u64>;

/// The Mersenne prime 2³¹ - 1, by which coprimality is tested.
const MERSENNE: u64 = 2_147_483_647;

/// Whether a number above 1 is prime, by trial division up to its square root.
pub fn is_prime(n: u64) -> bool {
    (2..).take_while(|d| d * d <= n).all(|d| !n.is_multiple_of(d))
}

/// The odd primes below 2³¹, the largest first.
pub fn primes() -> impl Iterator<Item = u64> {
    let smaller_odd_numbers = (3..MERSENNE - 1).rev().step_by(2);
    std::iter::once(MERSENNE).chain(smaller_odd_numbers.filter(|n| is_prime(*n)))
}

/// A quick test for coprime polynomials: `true` proves it, `false` says nothing.
///
/// A common factor over the rationals stays one modulo every prime that keeps the degrees, so coprime residues prove coprimality.
pub(crate) fn are_surely_coprime(a: &Polynomial, b: &Polynomial) -> bool {
    let field = PrimeField { prime: MERSENNE };
    let (Some(a), Some(b)) = (field.reduce(a), field.reduce(b)) else { return false };
    let gcd = field.gcd(a, b);
    gcd.len() == 1
}

/// The field of integers modulo a prime, with the arithmetic of polynomials over it.
///
/// Residues are below 2³¹, so a product of two and a further residue fit in a `u64`.
#[derive(Clone, Copy, Debug)]
pub struct PrimeField {
    /// The prime, odd and below 2³¹.
    pub prime: u64,
}

impl PrimeField {
    /// The numerators of a polynomial modulo the prime; the common denominator is left out. `None` if the degree falls.
    pub fn reduce(self, polynomial: &Polynomial) -> Option<Residues> {
        let prime = IBig::from(self.prime);
        let (numerators, _) = polynomial.parts();
        let residue = |n: &IBig| match u64::try_from(n.rem_euclid(&prime)) {
            Ok(residue) => residue,
            Err(_) => invariant!("a residue modulo {prime} is not below 2^64"),
        };
        let residues: Residues = numerators.iter().map(residue).collect();
        let keeps_degree = residues.last().is_some_and(|leading| *leading != 0);
        keeps_degree.then_some(residues)
    }

    /// Removes zeros in front of the leading coefficient, which stand at the end of the list.
    fn trim(self, mut a: Residues) -> Residues {
        while a.last() == Some(&0) {
            a.pop();
        }
        a
    }

    /// `base^exponent` modulo the prime, by repeated squaring.
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

    /// The inverse of a residue that is not 0: `residue^(p-2)`, by Fermat's little theorem.
    pub fn inverse(self, residue: u64) -> u64 {
        self.power_of(residue, self.prime - 2)
    }

    /// Divides by the leading coefficient.
    pub fn monic(self, mut a: Residues) -> Residues {
        if let Some(last) = a.last().copied().filter(|last| *last != 1) {
            let inverse = self.inverse(last);
            a.iter_mut().for_each(|c| *c = *c * inverse % self.prime);
        }
        a
    }

    /// Quotient and remainder of the division by a monic polynomial, by long division.
    pub(crate) fn divide(self, mut a: Residues, divisor: &[u64]) -> (Residues, Residues) {
        let m = divisor.len();
        if a.len() < m {
            return (Vec::new(), a);
        }
        let mut quotient = vec![0; a.len() - m + 1];
        for k in (0..quotient.len()).rev() {
            let top = a[k + m - 1];
            quotient[k] = top;
            // Subtract top·x^k·divisor: `p - top` is the residue of `-top`.
            for (j, d) in divisor.iter().enumerate() {
                a[k + j] = (a[k + j] + (self.prime - top) * d) % self.prime;
            }
        }
        (quotient, self.trim(a))
    }

    /// The greatest common divisor, monic, by Euclid's algorithm.
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
        let coefficient = |v: &[u64], k: usize| v.get(k).copied().unwrap_or(0);
        let difference =
            (0..a.len().max(b.len())).map(|k| (coefficient(a, k) + self.prime - coefficient(b, k)) % self.prime);
        self.trim(difference.collect())
    }

    /// The monic irreducible factors of degree 1 and 2 of a monic squarefree polynomial, by distinct-degree factorization.
    pub fn small_factors(self, polynomial: &[u64]) -> Vec<Residues> {
        let x = vec![0, 1];
        let mut factors = Vec::new();
        // The cofactor of the factors that were found.
        let mut cofactor = polynomial.to_vec();
        // x^(p^degree) modulo the cofactor, for degree 0, 1, 2.
        let mut frobenius = self.divide(x.clone(), &cofactor).1;
        for degree in [1, 2] {
            if cofactor.len() <= degree {
                break;
            }
            frobenius = self.power_modulo(&self.divide(frobenius, &cofactor).1, self.prime, &cofactor);
            // x^(p^degree) - x is the product of all monic irreducible polynomials whose degree divides `degree`.
            let product = self.gcd(cofactor.clone(), self.minus(&frobenius, &x));
            if product.len() > 1 {
                cofactor = self.divide(cofactor, &product).0;
                self.split(product, degree, &mut factors);
            }
        }
        factors
    }

    /// Splits a product of distinct monic irreducible polynomials of one degree, 1 or 2, and adds them to `factors` (Cantor and
    /// Zassenhaus).
    ///
    /// `t^((p^degree - 1)/2)` is 1 modulo about half of the factors and -1 modulo the others, so its difference from 1 has a proper
    /// common divisor with the product for most `t`. Some `t` splits any product if the prime is above 64. At degree 1, the squares would
    /// otherwise have the period `a - b`, for roots `a` and `b`. At degree 2, the norm of `t` at a root is a quartic in the shift, which tells
    /// the factors apart; by Weil's bound the quadratic characters of two quartics cannot agree for all shifts.
    fn split(self, product: Residues, degree: usize, factors: &mut Vec<Residues>) {
        if product.len() - 1 == degree {
            factors.push(product);
            return;
        }
        for shift in 0..self.prime {
            // t = x + shift, or x² + shift·x + shift² + 1 for factors of degree 2.
            let t = if degree == 1 { vec![shift, 1] } else { vec![(shift * shift + 1) % self.prime, shift, 1] };
            let t = self.divide(t, &product).1;
            // t^((p^degree - 1)/2); for degree 2, (p² - 1)/2 = (p - 1)/2·(p + 1).
            let mut power = self.power_modulo(&t, (self.prime - 1) / 2, &product);
            if degree == 2 {
                power = self.power_modulo(&power, self.prime + 1, &product);
            }
            let divisor = self.gcd(product.clone(), self.minus(&power, &[1]));
            if divisor.len() > 1 && divisor.len() < product.len() {
                let cofactor = self.divide(product, &divisor).0;
                self.split(divisor, degree, factors);
                self.split(cofactor, degree, factors);
                return;
            }
        }
        invariant!("no shift splits a product of factors of degree {degree} modulo {}", self.prime);
    }
}
