//! Intervals with binary fractions as ends, to any precision.
//!
//! Each operation rounds outward: the result contains the results for all members of its arguments.

use super::polynomial::Polynomial;
use super::rational::Rational;
use super::rational_function::RationalFunction;
use dashu_base::{Abs, DivEuclid, Sign};
use dashu_int::{IBig, UBig};
use std::cmp::Ordering;

/// The interval `[lo/2^bits, hi/2^bits]`.
///
/// ```
/// use rocproof_arith::{Enclosure, Rational};
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

/// `⌊a/b⌋` for positive `b`.
fn floor_div(a: IBig, b: &IBig) -> IBig {
    // The Euclidean quotient by a positive number is the floor.
    a.div_euclid(b)
}

/// `⌈a/b⌉` for positive `b`.
fn ceil_div(a: IBig, b: &IBig) -> IBig {
    -floor_div(-a, b)
}

/// `⌈a/2^bits⌉`. A right shift alone rounds down.
fn ceil_shift(a: IBig, bits: usize) -> IBig {
    -((-a) >> bits)
}

impl Enclosure {
    /// Encloses a rational.
    pub fn of(value: &Rational, bits: usize) -> Enclosure {
        Enclosure::fraction(value.numerator().clone(), value.denominator().clone(), bits)
    }

    /// Encloses a fraction, which need not be in lowest terms.
    pub fn fraction(above: IBig, below: UBig, bits: usize) -> Enclosure {
        let (above, below) = (above << bits, IBig::from(below));
        let lo = floor_div(above.clone(), &below);
        let hi = if &lo * &below == above { lo.clone() } else { &lo + IBig::ONE };
        Enclosure { lo, hi, bits }
    }

    /// Encloses the interval between two rationals.
    pub fn between(lo: &Rational, hi: &Rational, bits: usize) -> Enclosure {
        let of = |v: &Rational| Enclosure::fraction(v.numerator().clone(), v.denominator().clone(), bits);
        Enclosure { lo: of(lo).lo, hi: of(hi).hi, bits }
    }

    /// The two ends.
    pub fn ends(&self) -> [Rational; 2] {
        [&self.lo, &self.hi].map(|end| Rational::from_parts(end.clone(), UBig::ONE << self.bits))
    }

    /// The number of binary digits after the point.
    pub fn bits(&self) -> usize {
        self.bits
    }

    /// Whether a rational lies inside.
    pub fn contains(&self, value: &Rational) -> bool {
        let [lo, hi] = self.ends();
        &lo <= value && value <= &hi
    }

    /// Whether two enclosures intersect.
    pub fn meets(&self, other: &Enclosure) -> bool {
        let ([a, b], [c, d]) = (self.ends(), other.ends());
        a <= d && c <= b
    }

    /// An exponent `e` such that the width is at most `2^e`.
    pub fn width_exponent(&self) -> i64 {
        use dashu_base::BitTest;
        (&self.hi - &self.lo).bit_len() as i64 - self.bits as i64
    }

    /// An exponent `e` such that all members have absolute value at most `2^e`.
    pub(crate) fn size_exponent(&self) -> i64 {
        use dashu_base::BitTest;
        self.lo.bit_len().max(self.hi.bit_len()) as i64 - self.bits as i64
    }

    /// The quotient by a positive integer.
    pub(crate) fn over_whole(&self, divisor: u32) -> Enclosure {
        let divisor = IBig::from(divisor.max(1));
        Enclosure { lo: floor_div(self.lo.clone(), &divisor), hi: ceil_div(self.hi.clone(), &divisor), bits: self.bits }
    }

    /// The common sign of all members; `None` if they have different signs.
    pub fn sign(&self) -> Option<i8> {
        match (self.lo.sign(), self.hi.sign()) {
            _ if self.lo.is_zero() && self.hi.is_zero() => Some(0),
            (Sign::Positive, _) if !self.lo.is_zero() => Some(1),
            (_, Sign::Negative) if !self.hi.is_zero() => Some(-1),
            _ => None,
        }
    }

    /// The midpoint, to about 64 significant bits.
    pub fn approximate_midpoint(&self) -> Rational {
        use dashu_base::BitTest;
        // The midpoint is twice/2^scale. Its last `dropped` bits are cut off.
        let (twice, scale) = (&self.lo + &self.hi, self.bits + 1);
        let dropped = twice.bit_len().saturating_sub(64);
        let digits = twice >> dropped;
        if dropped >= scale {
            Rational::from(digits << (dropped - scale))
        } else {
            Rational::from_parts(digits, UBig::ONE << (scale - dropped))
        }
    }

    /// Encloses the maximum of two numbers.
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
        let is_negative = match other.sign() {
            Some(1) => false,
            Some(-1) => true,
            _ => return None,
        };
        // A fraction with a negative divisor is expanded by -1: [a, b]/[lo, hi] has a positive divisor.
        let (lo, hi) = if is_negative { (-&other.hi, -&other.lo) } else { (other.lo.clone(), other.hi.clone()) };
        let (a, b) = if is_negative { (-&self.hi, -&self.lo) } else { (self.lo.clone(), self.hi.clone()) };
        // A negative numerator gives the smallest quotient with the smallest divisor, a positive one with the largest.
        let divisor_for_lo = if a.sign() == Sign::Negative { &lo } else { &hi };
        let divisor_for_hi = if b.sign() == Sign::Negative { &hi } else { &lo };
        Some(Enclosure {
            lo: floor_div(a << self.bits, divisor_for_lo),
            hi: ceil_div(b << self.bits, divisor_for_hi),
            bits: self.bits,
        })
    }

    /// Encloses the values of a polynomial: the value at the midpoint, plus the radius times a bound on the slope (mean value theorem).
    pub fn under(&self, polynomial: &Polynomial) -> Enclosure {
        let middle = Rational::from_parts(&self.lo + &self.hi, UBig::ONE << (self.bits + 1));
        let (numerator, denominator) = polynomial.fraction_at(&middle);
        let at_middle = Enclosure::fraction(numerator, denominator, self.bits);
        if self.lo == self.hi {
            return at_middle;
        }
        // The largest absolute value, rounded up to 8 bits after the point: a coarse bound on the slope is enough.
        let largest = ceil_shift(self.lo.clone().abs().max(self.hi.clone().abs()), self.bits.saturating_sub(8));
        let steepest = polynomial.slope_bound(&Rational::from_parts(largest, UBig::ONE << self.bits.min(8)));
        let radius = Rational::from_parts(&self.hi - &self.lo, UBig::ONE << (self.bits + 1));
        let variation = steepest * radius;
        at_middle.plus(&Enclosure::between(&-&variation, &variation, self.bits))
    }

    /// Rounds outward to fewer binary digits.
    pub(crate) fn rounded(&self, bits: usize) -> Enclosure {
        let drop = self.bits.saturating_sub(bits);
        Enclosure { lo: &self.lo >> drop, hi: ceil_shift(self.hi.clone(), drop), bits: self.bits - drop }
    }

    /// Encloses the values of a rational function; `None` if there may be a pole inside.
    pub fn through(&self, function: &RationalFunction) -> Option<Enclosure> {
        if function.is_polynomial() {
            return Some(self.under(function.numerator()));
        }
        self.under(function.numerator()).over(&self.under(function.denominator()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ratio(p: i64, q: i64) -> Rational {
        Rational::from(p) / Rational::from(q)
    }

    /// Every operation contains the results of all its arguments' members, whatever their signs, and is not much wider.
    #[test]
    fn operations_enclose() {
        let bits = 12;
        let values: Vec<Rational> = (-9..=9).map(|k| ratio(5 * k + 1, 7)).collect();
        for a in &values {
            for b in &values {
                let wide = |v: &Rational| Enclosure::between(v, &(v + ratio(1, 3)), bits);
                for (x, y) in [(a.clone(), b.clone()), (a + ratio(1, 3), b.clone()), (a.clone(), b + ratio(1, 5))] {
                    let (m, n) = (wide(a), wide(b));
                    assert!(m.plus(&n).contains(&(&x + &y)) && m.minus(&n).contains(&(&x - &y)));
                    assert!(m.times(&n).contains(&(&x * &y)), "{x} {y}");
                    if let Some(quotient) = m.over(&n) {
                        assert!(quotient.contains(&(&x / &y)), "{x} {y}");
                    }
                }
                let (thin, other) = (Enclosure::of(a, bits), Enclosure::of(b, bits));
                assert!(thin.times(&other).contains(&(a * b)) && thin.contains(a));
                assert!(other.over(&thin).is_none_or(|q| q.contains(&(b / a))));
                assert!(thin.rounded(5).contains(a));
            }
        }
    }

    /// The image of an interval under a polynomial contains the values at both ends and inside.
    #[test]
    fn polynomials_enclose() {
        let p = Polynomial::whole(&[1, -4, 0, 7, -2]);
        for k in -20..20 {
            let (lo, hi) = (ratio(k, 10), ratio(k + 1, 10));
            let image = Enclosure::between(&lo, &hi, 20).under(&p);
            for x in [&lo, &hi, &ratio(2 * k + 1, 20), &ratio(10 * k + 3, 100)] {
                assert!(image.contains(&p.at(x)), "{x}");
            }
        }
    }
}
