//! Integers: small prime factors, square factors, and coprime bases.

use super::modular::is_prime;
use dashu_base::{BitTest, DivRem, Gcd, SquareRoot};
use dashu_int::UBig;
use std::sync::LazyLock;

/// The primes below 1000, for trial division.
static SMALL_PRIMES: LazyLock<Vec<u32>> = LazyLock::new(|| (2..1000).filter(|n| is_prime(u64::from(*n))).collect());

/// The prime factors below 1000 with their multiplicities, and the cofactor.
pub(crate) fn small_primes(n: &UBig) -> (Vec<(UBig, u32)>, UBig) {
    let mut cofactor = n.clone();
    let mut factors = Vec::new();
    if n.is_zero() {
        return (factors, cofactor);
    }
    for prime in SMALL_PRIMES.iter() {
        if cofactor.is_one() {
            break;
        }
        let prime = UBig::from(*prime);
        let mut multiplicity = 0;
        loop {
            let (quotient, remainder) = (&cofactor).div_rem(&prime);
            if !remainder.is_zero() {
                break;
            }
            cofactor = quotient;
            multiplicity += 1;
        }
        if multiplicity > 0 {
            factors.push((prime, multiplicity));
        }
    }
    (factors, cofactor)
}

/// `(s, d)` with `n = s²·d`. Squares of primes below 1000 are found, and a cofactor that is a square; `d` may contain other squares.
pub fn square_free(n: &UBig) -> (UBig, UBig) {
    let (primes, cofactor) = small_primes(n);
    let (mut outside, mut inside) = (UBig::ONE, UBig::ONE);
    for (prime, multiplicity) in primes {
        outside *= prime.pow(multiplicity as usize / 2);
        inside *= prime.pow(multiplicity as usize % 2);
    }
    match exact_root(&cofactor) {
        Some(root) => outside *= root,
        None => inside *= cofactor,
    }
    (outside, inside)
}

/// The square root of a perfect square; `None` for other numbers.
pub(crate) fn exact_root(n: &UBig) -> Option<UBig> {
    let root = n.sqrt();
    (&root * &root == *n).then_some(root)
}

/// A coprime base: pairwise coprime numbers above 1 such that each given number is a product of powers of them.
pub(crate) fn coprime_base(numbers: &[UBig]) -> Vec<UBig> {
    let mut base: Vec<UBig> = Vec::new();
    // The product of the base: one gcd with it shows whether a number is coprime to all members.
    let mut product = UBig::ONE;
    let mut pending: Vec<UBig> = numbers.to_vec();
    'next: while let Some(n) = pending.pop() {
        // 0 and 1 need no base.
        if n.bit_len() <= 1 {
            continue;
        }
        if (&product).gcd(&n).is_one() {
            product *= &n;
            base.push(n);
            continue;
        }
        for k in 0..base.len() {
            let common = (&base[k]).gcd(&n);
            if common.is_one() {
                continue;
            }
            if base[k] == n {
                continue 'next;
            }
            // Replace both numbers by their common divisor and the two cofactors.
            let member = base.swap_remove(k);
            product /= &member;
            pending.push(member / &common);
            pending.push(n / &common);
            pending.push(common);
            continue 'next;
        }
    }
    base
}
