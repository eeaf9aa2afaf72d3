//! Intervals of binary fractions that contain what they stand for, to any precision.

use super::polynomial::Polynomial;
use super::rational::Rational;
use super::rational_function::RationalFunction;
use dashu_base::{DivEuclid, Sign};
use dashu_int::{IBig, UBig};
use std::cmp::Ordering;

/// All reals between `lo/2^bits` and `hi/2^bits`.
///
/// ```
/// use rocproof::arith::{Enclosure, Rational};
/// let third = Enclosure::of(&Rational::from_parts(1.into(), 3u8.into()), 64);
/// let one = third.times(&Enclosure::of(&3.into(), 64));
/// assert!(one.contains(&1.into()) && one.width_exponent() < -60);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Enclosure {
    lo: IBig,
    hi: IBig,
    bits: usize,
}

fn floor_div(a: IBig, b: &IBig) -> IBig {
    // The Euclidean quotient by a positive number is the floor.
    a.div_euclid(b)
}

fn ceil_div(a: IBig, b: &IBig) -> IBig {
    -floor_div(-a, b)
}

fn ceil_shift(a: IBig, bits: usize) -> IBig {
    -((-a) >> bits)
}

impl Enclosure {
    /// A rational.
    pub fn of(value: &Rational, bits: usize) -> Enclosure {
        Enclosure::between(value, value, bits)
    }

    /// All reals between two rationals.
    pub fn between(lo: &Rational, hi: &Rational, bits: usize) -> Enclosure {
        let scaled = |v: &Rational| (v.numerator() << bits, IBig::from(v.denominator().clone()));
        let ((a, p), (b, q)) = (scaled(lo), scaled(hi));
        Enclosure { lo: floor_div(a, &p), hi: ceil_div(b, &q), bits }
    }

    /// `numerator/2^bits`, give or take `error/2^bits`.
    pub fn around(numerator: &IBig, error: &IBig, bits: usize) -> Enclosure {
        Enclosure { lo: numerator - error, hi: numerator + error, bits }
    }

    /// The ends.
    pub fn ends(&self) -> [Rational; 2] {
        [&self.lo, &self.hi].map(|end| Rational::from_parts(end.clone(), UBig::ONE << self.bits))
    }

    /// Whether a rational lies inside.
    pub fn contains(&self, value: &Rational) -> bool {
        let [lo, hi] = self.ends();
        &lo <= value && value <= &hi
    }

    /// Whether two have a point in common.
    pub fn meets(&self, other: &Enclosure) -> bool {
        let ([a, b], [c, d]) = (self.ends(), other.ends());
        a <= d && c <= b
    }

    /// An exponent `e` such that the width is at most `2^e`.
    pub fn width_exponent(&self) -> i64 {
        use dashu_base::BitTest;
        (&self.hi - &self.lo).bit_len() as i64 - self.bits as i64
    }

    /// The sign of everything inside, if it has one.
    pub fn sign(&self) -> Option<i8> {
        match (self.lo.sign(), self.hi.sign()) {
            _ if self.lo.is_zero() && self.hi.is_zero() => Some(0),
            (Sign::Positive, _) if !self.lo.is_zero() => Some(1),
            (_, Sign::Negative) if !self.hi.is_zero() => Some(-1),
            _ => None,
        }
    }

    /// What encloses the larger of two numbers.
    pub fn larger(&self, other: &Enclosure) -> Enclosure {
        debug_assert_eq!(self.bits, other.bits);
        let largest = |a: &IBig, b: &IBig| if a < b { b.clone() } else { a.clone() };
        Enclosure { lo: largest(&self.lo, &other.lo), hi: largest(&self.hi, &other.hi), bits: self.bits }
    }

    /// The sum.
    pub fn plus(&self, other: &Enclosure) -> Enclosure {
        debug_assert_eq!(self.bits, other.bits);
        Enclosure { lo: &self.lo + &other.lo, hi: &self.hi + &other.hi, bits: self.bits }
    }

    /// The difference.
    pub fn minus(&self, other: &Enclosure) -> Enclosure {
        debug_assert_eq!(self.bits, other.bits);
        Enclosure { lo: &self.lo - &other.hi, hi: &self.hi - &other.lo, bits: self.bits }
    }

    /// The product.
    pub fn times(&self, other: &Enclosure) -> Enclosure {
        debug_assert_eq!(self.bits, other.bits);
        let products = [&self.lo * &other.lo, &self.lo * &other.hi, &self.hi * &other.lo, &self.hi * &other.hi];
        let [mut lo, mut hi] = [products[0].clone(), products[0].clone()];
        for product in &products[1..] {
            if product.cmp(&lo) == Ordering::Less {
                lo = product.clone();
            } else if product.cmp(&hi) == Ordering::Greater {
                hi = product.clone();
            }
        }
        Enclosure { lo: lo >> self.bits, hi: ceil_shift(hi, self.bits), bits: self.bits }
    }

    /// The quotient; `None` if the divisor may be 0.
    pub fn over(&self, other: &Enclosure) -> Option<Enclosure> {
        debug_assert_eq!(self.bits, other.bits);
        let negative = match other.sign() {
            Some(1) => false,
            Some(-1) => true,
            _ => return None,
        };
        let (lo, hi) = if negative { (-&other.hi, -&other.lo) } else { (other.lo.clone(), other.hi.clone()) };
        let (a, b) = if negative { (-&self.hi, -&self.lo) } else { (self.lo.clone(), self.hi.clone()) };
        let smallest = if a.sign() == Sign::Negative { &lo } else { &hi };
        let largest = if b.sign() == Sign::Negative { &hi } else { &lo };
        Some(Enclosure {
            lo: floor_div(a << self.bits, smallest),
            hi: ceil_div(b << self.bits, largest),
            bits: self.bits,
        })
    }

    /// What a polynomial makes of it.
    pub fn under(&self, polynomial: &Polynomial) -> Enclosure {
        // Around the middle: f(m + h) with a small h loses little.
        let middle = Rational::from_parts(&self.lo + &self.hi, UBig::ONE << (self.bits + 1));
        let step = self.minus(&Enclosure::of(&middle, self.bits));
        let terms = polynomial.shifted(&middle);
        terms.coefficients().rev().fold(Enclosure::of(&Rational::ZERO, self.bits), |sum, c| {
            sum.times(&step).plus(&Enclosure::of(&c, self.bits))
        })
    }

    /// What a rational function makes of it; `None` if it may meet a pole.
    pub fn through(&self, function: &RationalFunction) -> Option<Enclosure> {
        if function.is_polynomial() {
            return Some(self.under(function.numerator()));
        }
        self.under(function.numerator()).over(&self.under(function.denominator()))
    }
}
