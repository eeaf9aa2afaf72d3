//! Exact rationals. What a user writes is exact: `0.495` is 99/200.

use dashu_base::{BitTest, UnsignedAbs};
use dashu_int::{IBig, UBig};
pub use dashu_ratio::RBig as Rational;

/// The largest power of ten accepted in a literal; beyond it a number is a slip, and would only eat memory.
const LARGEST_EXPONENT: i64 = 400;

/// The most binary digits that a power may have.
const LARGEST_POWER: u64 = 20_000;

/// The rational that a decimal literal such as `12`, `0.495`, `.5` or `1e-9` denotes.
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
    let digits: IBig = format!("{whole}{fraction}").parse().ok()?;
    let shift = exponent.checked_sub(i64::try_from(fraction.len()).ok()?)?;
    if shift.abs() > LARGEST_EXPONENT + 40 || exponent.abs() > LARGEST_EXPONENT {
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

/// The largest `f64` that is not above a rational.
///
/// ```
/// use rocproof_algebra::rational::{Rational, at_least, at_most};
/// let third = Rational::ONE / Rational::from(3);
/// assert_eq!(at_most(&third).next_up(), at_least(&third));
/// assert_eq!(at_most(&Rational::ONE), 1.0);
/// ```
pub fn at_most(value: &Rational) -> f64 {
    let nearest = to_f64(value);
    if nearest == f64::INFINITY || from_f64(nearest).is_some_and(|n| &n > value) {
        nearest.next_down()
    } else {
        nearest
    }
}

/// The smallest `f64` that is not below a rational.
pub fn at_least(value: &Rational) -> f64 {
    let nearest = to_f64(value);
    let above = nearest == f64::NEG_INFINITY || from_f64(nearest).is_some_and(|n| &n < value);
    if above { nearest.next_up() } else { nearest }
}

/// `base` to the power `exponent`; `None` for 0 to a negative power or an exponent too large to write out.
pub fn power(base: &Rational, exponent: &Rational) -> Option<Rational> {
    if !exponent.is_int() {
        return None;
    }
    let exponent: i64 = exponent.numerator().try_into().ok()?;
    let digits = base.numerator().bit_len().max(base.denominator().bit_len()) as u64;
    let result_digits = digits.saturating_mul(exponent.unsigned_abs());
    if result_digits > LARGEST_POWER || (exponent < 0 && base.is_zero()) {
        return None;
    }
    Some(base.pow(isize::try_from(exponent).ok()?))
}

/// The rational that an `f64` is, exactly; `None` for infinities and NaN.
pub fn from_f64(value: f64) -> Option<Rational> {
    Rational::try_from(value).ok()
}

/// A rational with so many decimals, rounded to the nearest.
///
/// ```
/// use rocproof_algebra::rational::{decimal, parse_decimal};
/// assert_eq!(decimal(&parse_decimal("-0.0625").unwrap(), 3), "-0.063");
/// assert_eq!(decimal(&parse_decimal("12.5").unwrap(), 0), "13");
/// ```
pub fn decimal(value: &Rational, decimals: usize) -> String {
    let scaled = value * Rational::from(UBig::from(10u8).pow(decimals));
    let whole = scaled.round();
    let digits = whole.clone().unsigned_abs().to_string();
    // A zero has no sign.
    let sign = if whole < IBig::ZERO { "-" } else { "" };
    if decimals == 0 {
        return format!("{sign}{digits}");
    }
    let digits = format!("{digits:0>width$}", width = decimals + 1);
    let (before, after) = digits.split_at(digits.len() - decimals);
    format!("{sign}{before}.{after}")
}
