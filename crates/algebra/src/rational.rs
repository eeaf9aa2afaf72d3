//! Exact rationals.
//!
//! Numbers that a user writes are exact: `0.495` is 99/200. This file reads them, rounds them to `f64` in either direction, and prints
//! them as decimals.

use dashu_base::{BitTest, Gcd, UnsignedAbs};
use dashu_int::{IBig, UBig};
pub use dashu_ratio::RBig as Rational;

/// The largest power of ten accepted in a literal. A larger one is a typing error and would exhaust memory.
const LARGEST_EXPONENT: i64 = 400;

/// The number of decimals that a literal with the largest negative exponent may have.
const MOST_DECIMALS: i64 = 40;

/// The largest size of a power, in binary digits. It bounds memory.
const LARGEST_POWER: u64 = 20_000;

/// The least common multiple of the denominators.
pub(crate) fn common_denominator<'a>(values: impl Iterator<Item = &'a Rational>) -> UBig {
    values.fold(UBig::ONE, |lcm, value| {
        let common = (&lcm).gcd(value.denominator());
        lcm / common * value.denominator()
    })
}

/// Reads a decimal literal such as `12`, `0.495`, `.5` or `1e-9`.
///
/// Returns `None` when the text is not such a literal or its exponent is beyond ±400.
///
/// ```
/// use rocproof_algebra::rational::{parse_decimal, Rational};
/// assert_eq!(parse_decimal("0.495"), Some(Rational::from_parts(99.into(), 200u32.into())));
/// assert_eq!(parse_decimal("1e-2"), parse_decimal("0.01"));
/// assert_eq!(parse_decimal("1e999"), None);
/// ```
pub fn parse_decimal(text: &str) -> Option<Rational> {
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i64>().ok()?),
        None => (text, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    if whole.is_empty() && fraction.is_empty() {
        return None;
    }
    // The literal is digits·10^shift.
    let digits: IBig = format!("{whole}{fraction}").parse().ok()?;
    let shift = exponent.checked_sub(i64::try_from(fraction.len()).ok()?)?;
    if shift.abs() > LARGEST_EXPONENT + MOST_DECIMALS || exponent.abs() > LARGEST_EXPONENT {
        return None;
    }
    let power = UBig::from(10u8).pow(usize::try_from(shift.unsigned_abs()).ok()?);
    Some(if shift < 0 { Rational::from_parts(digits, power) } else { Rational::from(digits * IBig::from(power)) })
}

/// The nearest `f64`.
///
/// ```
/// use rocproof_algebra::rational::{parse_decimal, to_f64};
/// assert_eq!(to_f64(&parse_decimal("0.1").unwrap()), 0.1);
/// ```
pub fn to_f64(value: &Rational) -> f64 {
    value.to_f64().value()
}

/// Rounds down: the largest `f64` that is at most a rational.
///
/// ```
/// use rocproof_algebra::rational::{Rational, to_f64_down, to_f64_up};
/// let third = Rational::ONE / Rational::from(3);
/// assert_eq!(to_f64_down(&third).next_up(), to_f64_up(&third));
/// assert_eq!(to_f64_down(&Rational::ONE), 1.0);
/// ```
pub fn to_f64_down(value: &Rational) -> f64 {
    let nearest = to_f64(value);
    if nearest == f64::INFINITY || from_f64(nearest).is_some_and(|n| &n > value) {
        nearest.next_down()
    } else {
        nearest
    }
}

/// Rounds up: the smallest `f64` that is at least a rational.
pub fn to_f64_up(value: &Rational) -> f64 {
    let nearest = to_f64(value);
    if nearest == f64::NEG_INFINITY || from_f64(nearest).is_some_and(|n| &n < value) {
        nearest.next_up()
    } else {
        nearest
    }
}

/// `base^exponent`. `None` if the exponent is not whole, for 0 to a negative power, and if the power has too many digits.
pub fn power(base: &Rational, exponent: &Rational) -> Option<Rational> {
    if !exponent.is_int() {
        return None;
    }
    let exponent: i64 = exponent.numerator().try_into().ok()?;
    let bits = base.numerator().bit_len().max(base.denominator().bit_len()) as u64;
    let bits_of_power = bits.saturating_mul(exponent.unsigned_abs());
    if bits_of_power > LARGEST_POWER || (exponent < 0 && base.is_zero()) {
        return None;
    }
    Some(base.pow(isize::try_from(exponent).ok()?))
}

/// The exact value of an `f64`; `None` for infinities and NaN.
pub fn from_f64(value: f64) -> Option<Rational> {
    Rational::try_from(value).ok()
}

/// Prints a rational with a number of decimals, rounded to the nearest.
///
/// ```
/// use rocproof_algebra::rational::{parse_decimal, to_decimal};
/// assert_eq!(to_decimal(&parse_decimal("-0.0625").unwrap(), 3), "-0.063");
/// assert_eq!(to_decimal(&parse_decimal("12.5").unwrap(), 0), "13");
/// ```
pub fn to_decimal(value: &Rational, decimals: usize) -> String {
    let scaled = value * Rational::from(UBig::from(10u8).pow(decimals));
    let whole = scaled.round();
    let digits = whole.clone().unsigned_abs().to_string();
    // A value that rounds to 0 is printed without a sign.
    let sign = if whole < IBig::ZERO { "-" } else { "" };
    if decimals == 0 {
        return format!("{sign}{digits}");
    }
    // Pad with zeros, so that a digit stands before the point: 5 with 3 decimals is 0005, that is 0.005.
    let digits = format!("{digits:0>width$}", width = decimals + 1);
    let (before, after) = digits.split_at(digits.len() - decimals);
    format!("{sign}{before}.{after}")
}
