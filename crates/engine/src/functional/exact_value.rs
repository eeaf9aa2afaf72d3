//! Exact values: in closed form where there is one, and enclosed to any precision.

use crate::calculus::Estimate;
use crate::calculus::quantity::Quantity;
use dashu_base::{Abs, BitTest};
use rocproof_arith::Rational;
use rocproof_arith::rational::{from_f64, to_decimal, to_f64, to_f64_down, to_f64_up};

/// Binary digits of the first enclosure of a value: about twice those of an `f64`.
const BITS: usize = 112;

/// Largest number of binary digits of an enclosure, for values close to 0.
const MOST_BITS: usize = 2048;

/// A value at the exact level.
#[derive(Clone, Debug)]
pub struct ExactValue {
    quantity: Quantity,
    /// The closed form, or why there is none.
    pub form: Result<String, String>,
    /// The nearest `f64`, or one next to it.
    pub value: f64,
    /// The largest `f64` known not to be above the value.
    pub lo: f64,
    /// The smallest `f64` known not to be below the value.
    pub hi: f64,
}

impl ExactValue {
    /// Writes out and encloses a quantity; `None` if it could not be enclosed.
    pub fn new(quantity: Quantity) -> Option<ExactValue> {
        let form = quantity.closed_form();
        // If all irrational terms cancel, the closed form shows it.
        let quantity = match form.as_ref().ok().and_then(|form| form.as_rational()) {
            Some(value) => Quantity::from(value),
            None => quantity,
        };
        let [lo, hi] = ends(&quantity, BITS)?;
        let value = to_f64(&((&lo + &hi) / Rational::from(2)));
        let form = form.map(|form| form.to_string()).map_err(|why| why.to_string());
        Some(ExactValue { quantity, form, value, lo: to_f64_down(&lo), hi: to_f64_up(&hi) })
    }

    /// The number itself.
    pub fn quantity(&self) -> &Quantity {
        &self.quantity
    }

    /// The level of evidence: exact if the value is written out, certified if only its digits are.
    pub fn level(&self) -> &'static str {
        if self.form.is_ok() { "exact" } else { "certified" }
    }

    /// The value, with the larger distance to an end of its enclosure as error.
    pub fn estimate(&self) -> Estimate {
        Estimate { value: self.value, error: (self.hi - self.value).max(self.value - self.lo) }
    }

    /// The value in decimals, rounded to this number of significant digits, or to as many as are known.
    pub fn digits(&self, significant: usize) -> String {
        let significant = significant.max(1);
        // A decimal digit takes log2(10) ≈ 10/3 binary ones; 16 more let both ends round alike in almost all cases.
        let mut bits = significant * 10 / 3 + 16;
        let mut known = [self.lo, self.hi].map(|end| from_f64(end).unwrap_or(Rational::ZERO));
        loop {
            let Some([lo, hi]) = ends(&self.quantity, bits) else { break };
            // Both ends round to the same digits, unless the value lies close to midway between two decimals.
            let place = first_place(&lo, &hi);
            let (from, to) = (write_decimal(&lo, place, significant), write_decimal(&hi, place, significant));
            if from == to {
                return from;
            }
            (known, bits) = ([lo, hi], 2 * bits);
            // A value that is midway never rounds alike: give up.
            if bits > 8 * (significant + 64) {
                break;
            }
        }
        // A zero that is known by enclosures only, or a tie: the digits on which both ends agree.
        let [lo, hi] = &known;
        let mut rounded = (0..=significant).rev().map(|places| (to_decimal(lo, places), to_decimal(hi, places)));
        let agreed = rounded.find(|(from, to)| from == to);
        agreed.map_or_else(|| format!("{}", self.value), |(digits, _)| digits)
    }
}

/// With more zeros than this after the point, a number is written with an exponent.
const MOST_ZEROS: i64 = 4;

/// Writes a number with `significant` digits, of which the first has the decimal place `place`: 1 for tenths.
fn write_decimal(value: &Rational, place: i64, significant: usize) -> String {
    if place > MOST_ZEROS + 1 {
        let scaled = value * Rational::from(10).pow(place as isize);
        let digits = to_decimal(&scaled, significant - 1);
        // Digits that round up to ten start a place earlier.
        if digits.trim_start_matches('-').starts_with("10") {
            return write_decimal(value, place - 1, significant);
        }
        return format!("{digits}e-{place}");
    }
    to_decimal(value, usize::try_from(place + significant as i64 - 1).unwrap_or(0))
}

/// The decimal place of the first digit that is not 0 in the larger of two numbers: 1 for tenths, 0 for units and for zero.
fn first_place(lo: &Rational, hi: &Rational) -> i64 {
    let size = lo.clone().abs().max(hi.clone().abs());
    if size.is_zero() {
        return 0;
    }
    // A lower bound from the binary sizes, then upwards until 10^place times the number is at least 1.
    let binary_place = size.denominator().bit_len() as f64 - size.numerator().bit_len() as f64;
    let mut place = (binary_place * std::f64::consts::LOG10_2).floor() as i64 - 1;
    let ten = Rational::from(10);
    while &size * ten.pow(place as isize) < Rational::ONE {
        place += 1;
    }
    place
}

/// The ends of an enclosure that is narrow relative to the value: about `bits` significant binary digits. `None` if the quantity could not
/// be enclosed.
fn ends(quantity: &Quantity, bits: usize) -> Option<[Rational; 2]> {
    if let Some(value) = quantity.as_rational() {
        return Some([value.clone(), value.clone()]);
    }
    // A small value needs a narrower enclosure for the same number of digits. A value that may be 0 needs a limit.
    let most = if quantity.rests_on_enclosures() { 2 * bits } else { bits.max(MOST_BITS) };
    let mut working_bits = bits;
    loop {
        let [lo, hi] = quantity.enclosure_within(working_bits)?.ends();
        // The number of binary zeros after the point.
        let size = lo.clone().abs().max(hi.clone().abs());
        let zeros = size.denominator().bit_len().saturating_sub(size.numerator().bit_len());
        // Up to eight digits fewer than asked for are accepted.
        if bits + zeros <= working_bits + 8 || working_bits >= most {
            return Some([lo, hi]);
        }
        working_bits = (bits + zeros).max(2 * working_bits).min(most);
    }
}
