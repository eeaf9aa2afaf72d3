//! Arithmetic in which sides of a comparison are evaluated: intervals (certified level) and quantities (exact level).

use rocproof_arith::polynomial::sign;
use rocproof_arith::roots::real_roots;
use rocproof_arith::{Enclosure, Interval, Number, Polynomial, Rational};
use rocproof_engine::calculus::quantity::Quantity;
use rocproof_engine::constant::Constant;
use std::cmp::Ordering;

/// The bits of precision with which a sign is tried before algebra is, which is slower.
const FIRST_BITS: [usize; 2] = [64, 128];
/// The bits of precision with which it is tried after algebra. A quantity known by enclosures alone may need the larger ones.
const MORE_BITS: [usize; 3] = [256, 512, 1024];

/// Arithmetic on the values of functionals, with comparison.
///
/// Operations may fail, unlike those of the engine's `Algebra`: `None` says that the result does not exist (a division by 0), or that the
/// type cannot decide whether it does.
pub trait Scalar: Clone {
    /// A number.
    fn constant(value: &Constant) -> Option<Self>;
    /// The sum.
    fn plus(&self, other: &Self) -> Self;
    /// The difference.
    fn minus(&self, other: &Self) -> Self;
    /// The product.
    fn times(&self, other: &Self) -> Self;
    /// The quotient.
    fn over(&self, other: &Self) -> Option<Self>;
    /// A whole power.
    fn power(&self, exponent: i32) -> Option<Self>;
    /// The maximum.
    fn max(&self, other: &Self) -> Self;
    /// The square root.
    fn sqrt(&self) -> Option<Self>;
    /// The order of two numbers; `None` if it is undecided.
    fn compare(&self, other: &Self) -> Option<Ordering>;

    /// The negation.
    fn neg(&self) -> Self {
        let zero = self.minus(self);
        zero.minus(self)
    }

    /// The minimum.
    fn min(&self, other: &Self) -> Self {
        self.neg().max(&other.neg()).neg()
    }

    /// The absolute value.
    fn abs(&self) -> Self {
        self.max(&self.neg())
    }
}

impl Scalar for Interval {
    fn constant(value: &Constant) -> Option<Interval> {
        Some(value.enclosure)
    }

    fn plus(&self, other: &Interval) -> Interval {
        *self + *other
    }

    fn minus(&self, other: &Interval) -> Interval {
        *self - *other
    }

    fn times(&self, other: &Interval) -> Interval {
        *self * *other
    }

    fn over(&self, other: &Interval) -> Option<Interval> {
        let excludes_zero = other.is_positive() || other.is_negative();
        excludes_zero.then(|| *self / *other).filter(|quotient| quotient.is_bounded())
    }

    fn power(&self, exponent: i32) -> Option<Interval> {
        Some(Interval::power(*self, exponent)).filter(|power| power.is_bounded())
    }

    fn max(&self, other: &Interval) -> Interval {
        Interval::new(self.lo().max(other.lo()), self.hi().max(other.hi()))
    }

    fn sqrt(&self) -> Option<Interval> {
        // An interval with negative numbers may enclose a number without a root.
        (self.lo() >= 0.0).then(|| Interval::sqrt(*self))
    }

    fn neg(&self) -> Interval {
        -*self
    }

    fn abs(&self) -> Interval {
        Interval::abs(*self)
    }

    fn compare(&self, other: &Interval) -> Option<Ordering> {
        if self.is_point() && self == other {
            Some(Ordering::Equal)
        } else if self.hi() < other.lo() {
            Some(Ordering::Less)
        } else if self.lo() > other.hi() {
            Some(Ordering::Greater)
        } else {
            None
        }
    }
}

/// The quantity as a rational, where its irrational parts cancel.
fn rational(quantity: &Quantity) -> Option<Rational> {
    if let Some(value) = quantity.as_rational() {
        return Some(value.clone());
    }
    quantity.closed_form().ok()?.as_rational()
}

/// A quantity that is known only by its enclosures; `enclose` takes the bits of precision.
fn enclosed(enclose: impl Fn(usize) -> Option<Enclosure> + Send + Sync + 'static) -> Quantity {
    Quantity::from(Number::computed(enclose))
}

/// The sign of a quantity: -1, 0 or 1; `None` if neither algebra nor enclosures decide it.
fn sign_of(quantity: &Quantity) -> Option<i8> {
    if let Some(value) = quantity.as_rational() {
        return Some(sign(value));
    }
    // The sign of an enclosure that excludes 0.
    let sign_at = |bits: usize| quantity.enclosure(bits)?.sign().filter(|sign| *sign != 0);
    if let Some(sign) = FIRST_BITS.into_iter().find_map(sign_at) {
        return Some(sign);
    }
    if quantity.equals(&Quantity::default()) == Some(true) {
        return Some(0);
    }
    if let Some(value) = rational(quantity) {
        return Some(sign(&value));
    }
    let tries = if quantity.rests_on_enclosures() { MORE_BITS.len() } else { 1 };
    MORE_BITS.into_iter().take(tries).find_map(sign_at)
}

/// The largest multiple of `2^-bits` that is at most the square root of a number: `floor(sqrt(value·4^bits))/2^bits`. `None` for negative
/// numbers.
fn root_rounded_down(value: &Rational, bits: usize) -> Option<Rational> {
    let scaled = value * Rational::from(2).pow(2 * bits as isize);
    let whole = dashu_int::UBig::try_from(scaled.floor()).ok()?;
    Some(Rational::from(dashu_base::SquareRoot::sqrt(&whole)) / Rational::from(2).pow(bits as isize))
}

impl Scalar for Quantity {
    fn constant(value: &Constant) -> Option<Quantity> {
        value.exact.clone().map(Quantity::from)
    }

    fn plus(&self, other: &Quantity) -> Quantity {
        let mut sum = self.clone();
        sum.add(other, &Rational::ONE);
        sum
    }

    fn minus(&self, other: &Quantity) -> Quantity {
        Quantity::minus(self, other)
    }

    fn times(&self, other: &Quantity) -> Quantity {
        if let Some(value) = rational(self) {
            return other.scaled(&value);
        }
        if let Some(value) = rational(other) {
            return self.scaled(&value);
        }
        let (a, b) = (self.clone(), other.clone());
        enclosed(move |bits| Some(a.enclosure(bits)?.times(&b.enclosure(bits)?)))
    }

    fn over(&self, other: &Quantity) -> Option<Quantity> {
        if let Some(value) = rational(other) {
            return (!value.is_zero()).then(|| self.scaled(&(Rational::ONE / value)));
        }
        // A quotient exists only if the divisor is shown to differ from 0.
        sign_of(other).filter(|sign| *sign != 0)?;
        let (a, b) = (self.clone(), other.clone());
        Some(enclosed(move |bits| a.enclosure(bits)?.over(&b.enclosure(bits)?)))
    }

    fn power(&self, exponent: i32) -> Option<Quantity> {
        let one = Quantity::from(Rational::ONE);
        if let Some(value) = rational(self) {
            if value.is_zero() && exponent < 0 {
                return None;
            }
            return Some(Quantity::from(value.pow(exponent as isize)));
        }
        let power = (0..exponent.unsigned_abs()).fold(one.clone(), |power, _| power.times(self));
        if exponent < 0 { one.over(&power) } else { Some(power) }
    }

    fn max(&self, other: &Quantity) -> Quantity {
        match self.compare(other) {
            Some(Ordering::Less) => other.clone(),
            Some(_) => self.clone(),
            None => {
                let (a, b) = (self.clone(), other.clone());
                enclosed(move |bits| Some(a.enclosure(bits)?.larger(&b.enclosure(bits)?)))
            }
        }
    }

    fn sqrt(&self) -> Option<Quantity> {
        match sign_of(self)? {
            -1 => return None,
            0 => return Some(Quantity::default()),
            _ => {}
        }
        if let Some(value) = rational(self) {
            // The positive root of x² - value lies in [0, max(1, value)].
            let square = Polynomial::from_coefficients(&[-value.clone(), Rational::ZERO, Rational::ONE]);
            let most = value.clone().max(Rational::ONE);
            return real_roots(&square, &Rational::ZERO, &most).last().map(|root| Quantity::from(Number::from(root)));
        }
        let radicand = self.clone();
        Some(enclosed(move |bits| {
            let [lo, hi] = radicand.enclosure(bits)?.ends();
            let step = Rational::ONE / Rational::from(2).pow(bits as isize);
            // The root of the lower end rounded down, and that of the upper end rounded up.
            Some(Enclosure::between(&root_rounded_down(&lo, bits)?, &(root_rounded_down(&hi, bits)? + step), bits))
        }))
    }

    fn compare(&self, other: &Quantity) -> Option<Ordering> {
        sign_of(&Quantity::minus(self, other)).map(|sign| sign.cmp(&0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rocproof_arith::rational::parse_decimal;

    fn exact(text: &str) -> Quantity {
        Quantity::from(parse_decimal(text).unwrap())
    }

    #[test]
    fn roots_compare_with_nearby_and_equal_numbers() {
        let two = exact("2").sqrt().unwrap();
        // √2 = 1.414213562373095048801688…
        assert_eq!(two.compare(&exact("1.41421356237309504880168")), Some(Ordering::Greater));
        assert_eq!(two.compare(&exact("1.41421356237309504880169")), Some(Ordering::Less));
        assert_eq!(two.plus(&exact("1")).minus(&two).compare(&exact("1")), Some(Ordering::Equal));
        assert_eq!(exact("2.25").sqrt().unwrap().compare(&exact("1.5")), Some(Ordering::Equal));
        assert!(exact("-1").sqrt().is_none());
        // The root of an irrational number: 2^(1/4) = 1.189207115002721066717…
        let fourth = two.sqrt().unwrap();
        assert_eq!(fourth.compare(&exact("1.18920711500272106671")), Some(Ordering::Greater));
        assert_eq!(fourth.compare(&exact("1.18920711500272106672")), Some(Ordering::Less));
    }

    #[test]
    fn products_and_quotients_of_irrational_numbers_are_enclosed() {
        let (two, three) = (exact("2").sqrt().unwrap(), exact("3").sqrt().unwrap());
        // √3/√2 = 1.2247448713915890490… and √2·√3 = 2.4494897427831780981…
        let quotient = three.over(&two).unwrap();
        assert_eq!(quotient.compare(&exact("1.22474487139158904")), Some(Ordering::Greater));
        assert_eq!(two.times(&three).compare(&exact("2.4494897427831780")), Some(Ordering::Greater));
        assert_eq!(two.times(&three).compare(&exact("2.4494897427831781")), Some(Ordering::Less));
        assert!(two.over(&two.minus(&two)).is_none());
        assert_eq!(two.neg().abs().compare(&two), Some(Ordering::Equal));
        assert_eq!(two.min(&three).compare(&two), Some(Ordering::Equal));
    }
}
