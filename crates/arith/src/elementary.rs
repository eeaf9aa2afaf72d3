//! Elementary functions of intervals.
//!
//! They rest on the functions of [`libm`], whose errors are known. The functions of the standard library may differ from one
//! platform to the next and are not used here.

use super::interval::Interval;
use super::libm::{self, around};

impl Interval {
    /// `e^x`.
    ///
    /// ```
    /// use rocproof_arith::Interval;
    /// let e = Interval::ONE.exp();
    /// assert!(e.contains(std::f64::consts::E) && e.width() < 1e-15);
    /// ```
    pub fn exp(self) -> Interval {
        // Bounds on the exponential of a float.
        let bounds = |x: f64| if x == 0.0 { [1.0, 1.0] } else { around(libm::exp(x)) };
        let lo = if self.lo() == f64::NEG_INFINITY { 0.0 } else { bounds(self.lo())[0].max(0.0) };
        let hi = if self.hi() == f64::NEG_INFINITY { 0.0 } else { bounds(self.hi())[1] };
        Interval::new(lo, hi)
    }

    /// The natural logarithm of the positive members. The lower end is -∞ if 0 is inside.
    pub fn ln(self) -> Interval {
        if self.hi() <= 0.0 {
            return Interval::ALL;
        }
        // Bounds on the logarithm of a float.
        let bounds = |x: f64| if x == 1.0 { [0.0, 0.0] } else { around(libm::log(x)) };
        let lo = if self.lo() <= 0.0 { f64::NEG_INFINITY } else { bounds(self.lo())[0] };
        let hi = if self.hi() == f64::INFINITY { f64::INFINITY } else { bounds(self.hi())[1] };
        Interval::new(lo, hi)
    }

    /// `ln(1 + x)` of the members above -1.
    pub fn ln_1p(self) -> Interval {
        if self.lo() <= -1.0 || !self.is_bounded() {
            return (Interval::ONE + self).ln();
        }
        // Bounds on ln(1 + x) for a float.
        let bounds = |x: f64| if x == 0.0 { [0.0, 0.0] } else { around(libm::log1p(x)) };
        Interval::new(bounds(self.lo())[0], bounds(self.hi())[1])
    }

    /// The sine.
    pub fn sin(self) -> Interval {
        self.near_middle(libm::sin)
    }

    /// The cosine.
    pub fn cos(self) -> Interval {
        self.near_middle(libm::cos)
    }

    /// A function whose slope is at most 1: its value at the midpoint, plus or minus the radius.
    fn near_middle(self, function: fn(f64) -> f64) -> Interval {
        let unit = Interval::new(-1.0, 1.0);
        if !self.is_bounded() {
            return unit;
        }
        let [lo, hi] = around(function(self.mid()));
        (Interval::new(lo, hi) + Interval::around(0.0, self.radius())).meet(unit)
    }

    /// A power of the positive members; integer exponents allow negative members too.
    pub fn pow(self, exponent: Interval) -> Interval {
        let is_whole = exponent.is_point() && exponent.lo().fract() == 0.0;
        if is_whole && exponent.magnitude() < 1e6 {
            return self.power(exponent.lo() as i32);
        }
        if exponent == Interval::from(0.5) {
            return self.sqrt();
        }
        // A large integer power of a negative number exists, but is not computed by logarithms.
        if self.hi() <= 0.0 || (is_whole && self.lo() < 0.0) {
            return Interval::ALL;
        }
        (exponent * self.ln()).exp()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rational::{Rational, from_f64, parse_decimal};

    /// A float from the hexadecimal form that `tests/reference/elementary.py` writes.
    fn hex(text: &str) -> f64 {
        let (sign, rest) = text.strip_prefix('-').map_or((1.0, text), |rest| (-1.0, rest));
        let (digits, exponent) = rest.trim_start_matches("0x").split_once('p').unwrap();
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        let mantissa = u64::from_str_radix(&format!("{whole}{fraction}"), 16).unwrap();
        let exponent = exponent.parse::<i32>().unwrap() - 4 * fraction.len() as i32;
        // Exactly, even where the power of two alone would underflow.
        let (half, rest) = (exponent / 2, exponent - exponent / 2);
        sign * mantissa as f64 * 2f64.powi(half) * 2f64.powi(rest)
    }

    /// Every function at corners against 40 digits: subnormals, overflow, neighbours of 1, multiples of π, huge arguments. Each
    /// enclosure holds the value and is at most three floats wide with CORE-MATH.
    #[test]
    fn functions_hold_reference_values() {
        let table = include_str!("../../../tests/reference/elementary.tsv");
        let mut rows = 0;
        for row in table.lines() {
            let cells: Vec<&str> = row.split('\t').collect();
            let x = hex(cells[1]);
            let found = match cells[0] {
                "exp" => Interval::from(x).exp(),
                "log" => Interval::from(x).ln(),
                "sin" => Interval::from(x).sin(),
                "cos" => Interval::from(x).cos(),
                _ => Interval::from(x).sqrt(),
            };
            // Values beyond the range of literals have overflowed or underflowed; the sign of x tells which.
            let Some(truth) = parse_decimal(cells[2]) else {
                assert!(if x > 0.0 { found.hi() == f64::INFINITY } else { found.lo() == 0.0 }, "{row}");
                continue;
            };
            // The last of the 40 digits is rounded.
            let slack = truth.clone() * Rational::from_parts(1.into(), 10u8.into()).pow(39);
            let (lo, hi) = (&truth - &slack, &truth + &slack);
            let below = found.lo() == f64::NEG_INFINITY
                || from_f64(found.lo()).is_some_and(|l| l <= lo.clone().max(hi.clone()));
            let above = found.hi() == f64::INFINITY || from_f64(found.hi()).is_some_and(|h| h >= lo.min(hi));
            assert!(below && above, "{row}: {found:?}");
            let widest = (0..2 * libm::FLOATS_BEYOND).fold(found.lo(), |x, _| x.next_up());
            assert!(!found.is_bounded() || widest >= found.hi(), "{row}: {found:?}");
            rows += 1;
        }
        assert!(rows > 900, "{rows}");
    }

    /// The result for a wide interval contains the values at points inside.
    #[test]
    fn wide_arguments() {
        for (lo, hi) in [(-2.0, 1.5), (0.25, 0.75), (3.0, 3.5), (-1e-9, 1e-9), (1e9, 1e9 + 4.0)] {
            let x = Interval::new(lo, hi);
            for k in 0..=10 {
                let at = Interval::from(lo + (hi - lo) * f64::from(k) / 10.0);
                assert!(x.exp().meets(at.exp()) && x.sin().meets(at.sin()) && x.cos().meets(at.cos()));
                assert!(
                    lo <= 0.0 || x.ln().meets(at.ln()) && x.pow(Interval::from(0.3)).meets(at.pow(Interval::from(0.3)))
                );
                assert!(lo <= -1.0 || x.ln_1p().meets(at.ln_1p()));
            }
        }
    }
}
