//! Sixteen numbers at once, each real or complex and known up to an error: what holds the arguments holds the result.
//!
//! A ball is all that is no farther than its error from its middle, which is a float, in the complex plane. One number is computed
//! by each operation and a bound on all else, without a branch, so that sixteen of them cost little more than one. Around a point of the real axis
//! a ball is a number with its rounding errors; around a part of the plane it bounds a function there, and what is finite is analytic
//! inside.

use super::interval::Interval;
use super::libm::{self, RELATIVE_ERROR};
use std::array::from_fn;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// How many numbers are computed at once.
pub(crate) const LANES: usize = 16;

/// Half a unit in the last place of 1: what one rounding can do, relatively.
const ROUNDING: f64 = f64::EPSILON / 2.0;
/// What the computation of a bound loses to rounding is made up for by this factor.
const SAFE: f64 = 1.0 + 16.0 * f64::EPSILON;
/// What a difference may have gained by rounding is taken off by this factor.
const SHY: f64 = 1.0 - 4.0 * f64::EPSILON;
/// More than what underflows in one operation.
const UNDERFLOW: f64 = 1e-305;

/// Sixteen balls.
///
/// ```
/// use rocproof_arith::Balls;
/// let third = Balls::from(1.0) / Balls::from(3.0);
/// assert!((third * Balls::from(3.0)).sum().contains(16.0));
/// // The exponential of all that is no farther than 1 from 0.
/// let unit = Balls::around([0.0; 16], [1.0; 16]);
/// assert!(unit.exp().bound() > 2.718 && unit.exp().bound() < 3.1);
/// assert!((unit / unit).bound().is_infinite());
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Balls {
    middle: [f64; LANES],
    error: [f64; LANES],
}

impl From<f64> for Balls {
    fn from(value: f64) -> Balls {
        Balls { middle: [value; LANES], error: [0.0; LANES] }
    }
}

impl From<Interval> for Balls {
    fn from(value: Interval) -> Balls {
        if value.is_point() {
            return Balls::from(value.lo());
        }
        if !value.is_bounded() {
            return Balls::UNKNOWN;
        }
        Balls { middle: [value.mid(); LANES], error: [value.radius(); LANES] }
    }
}

impl Balls {
    /// Nothing is known.
    pub const UNKNOWN: Balls = Balls { middle: [0.0; LANES], error: [f64::INFINITY; LANES] };

    /// All that is no farther than these errors from these numbers.
    pub fn around(middle: [f64; LANES], error: [f64; LANES]) -> Balls {
        Balls { middle, error }
    }

    /// Numbers that are correctly rounded.
    pub(crate) const fn rounded(middle: [f64; LANES]) -> Balls {
        let (mut error, mut k) = ([0.0; LANES], 0);
        while k < LANES {
            error[k] = ROUNDING * middle[k].abs() + UNDERFLOW;
            k += 1;
        }
        Balls { middle, error }
    }

    /// The middles and errors.
    #[cfg(test)]
    pub(crate) fn lanes(&self) -> impl Iterator<Item = [f64; 2]> + '_ {
        self.middle.iter().zip(&self.error).map(|(m, e)| [*m, *e])
    }

    /// A bound on all absolute values; infinite if one is not known.
    pub fn bound(&self) -> f64 {
        let sizes: [f64; LANES] = from_fn(|k| (self.middle[k].abs() + self.error[k]) * SAFE);
        // A NaN is not known.
        let known = sizes.iter().all(|size| *size < f64::INFINITY);
        if known { sizes.into_iter().fold(0.0, f64::max) } else { f64::INFINITY }
    }

    /// The middle of the first and of the last ball, on average.
    pub fn center(&self) -> f64 {
        self.middle[0] / 2.0 + self.middle[LANES - 1] / 2.0
    }

    /// The sum of sixteen real numbers.
    pub fn sum(&self) -> Interval {
        let all = (0..LANES).fold(Interval::ZERO, |sum, k| sum + Interval::from(self.middle[k]));
        all + Interval::around(0.0, self.error.iter().sum::<f64>() * SAFE)
    }

    /// A function of each number and its error.
    fn each(&self, f: impl Fn(f64, f64) -> [f64; 2]) -> Balls {
        let found: [[f64; 2]; LANES] = from_fn(|k| f(self.middle[k], self.error[k]));
        Balls { middle: found.map(|f| f[0]), error: found.map(|f| f[1]) }
    }

    /// What a polynomial with enclosed coefficients makes of them.
    pub fn under(&self, coefficients: &[Interval]) -> Balls {
        let Some((last, others)) = coefficients.split_last() else { return Balls::from(0.0) };
        let mut value = Balls::from(*last);
        for c in others.iter().rev() {
            value = &value * self + Balls::from(*c);
        }
        value
    }

    /// A whole power.
    pub fn power(&self, exponent: i32) -> Balls {
        let n = exponent.unsigned_abs();
        let mut result = if n == 0 { Balls::from(1.0) } else { *self };
        // Digits below the first one.
        for digit in (0..n.max(1).ilog2()).rev() {
            result = result * result;
            if n >> digit & 1 == 1 {
                result = &result * self;
            }
        }
        if exponent < 0 { Balls::from(1.0) / result } else { result }
    }

    /// A power of what is to the right of 0.
    pub fn pow(&self, exponent: Interval) -> Balls {
        if exponent.is_point() && exponent.lo().fract() == 0.0 && exponent.magnitude() < 64.0 {
            return self.power(exponent.lo() as i32);
        }
        (self.ln() * Balls::from(exponent)).exp()
    }

    /// `e^z`.
    pub fn exp(&self) -> Balls {
        self.each(|m, r| {
            let value = libm::exp(m);
            // |e^(m + d) - e^m| <= e^m (e^|d| - 1).
            let away = if r < 1.0 { r * (1.0 + r) } else { libm::exp(r) - 1.0 };
            [value, (value * (away * SAFE + RELATIVE_ERROR) + UNDERFLOW * (1.0 + away)) * SAFE]
        })
    }

    /// The logarithm of what is to the right of 0, real on the real axis.
    pub fn ln(&self) -> Balls {
        self.each(|m, r| {
            let value = libm::log(m);
            // |ln(1 + d/m)| <= -ln(1 - q) <= q (1 - q/2)/(1 - q) for q = |d|/m.
            let q = r / m * SAFE + UNDERFLOW;
            let away = if m > 0.0 && q < 1.0 { q * (1.0 - q / 2.0) / ((1.0 - q) * SHY) } else { f64::INFINITY };
            [value, (away + RELATIVE_ERROR * value.abs() + UNDERFLOW) * SAFE]
        })
    }

    /// The sine.
    pub fn sin(&self) -> Balls {
        self.turned(libm::sin, libm::cos)
    }

    /// The cosine.
    pub fn cos(&self) -> Balls {
        self.turned(libm::cos, libm::sin)
    }

    /// Sine or cosine, given the other one: `f(m + d) = f(m) cos(d) ± g(m) sin(d)`.
    fn turned(&self, f: fn(f64) -> f64, g: fn(f64) -> f64) -> Balls {
        self.each(|m, r| {
            let value = f(m);
            // |cos(d) - 1| <= cosh|d| - 1 and |sin(d)| <= sinh|d|.
            let [cos, sin] = if r < 1.0 { [0.55 * r * r, r * (1.0 + 0.25 * r * r)] } else { [0.5 * libm::exp(r); 2] };
            // At a point the other one need not be known.
            let other = if r < 1e-9 { 1.0 } else { g(m).abs() };
            [
                value,
                (value.abs() * (cos + RELATIVE_ERROR) + other * sin * (1.0 + 2.0 * RELATIVE_ERROR) + UNDERFLOW) * SAFE,
            ]
        })
    }
}

impl Neg for Balls {
    type Output = Balls;
    fn neg(self) -> Balls {
        Balls { middle: self.middle.map(|m| -m), error: self.error }
    }
}

impl Add for &Balls {
    type Output = Balls;
    fn add(self, other: &Balls) -> Balls {
        let middle: [f64; LANES] = from_fn(|k| self.middle[k] + other.middle[k]);
        let error = from_fn(|k| (self.error[k] + other.error[k] + ROUNDING * middle[k].abs()) * SAFE);
        Balls { middle, error }
    }
}

impl Sub for &Balls {
    type Output = Balls;
    fn sub(self, other: &Balls) -> Balls {
        let middle: [f64; LANES] = from_fn(|k| self.middle[k] - other.middle[k]);
        let error = from_fn(|k| (self.error[k] + other.error[k] + ROUNDING * middle[k].abs()) * SAFE);
        Balls { middle, error }
    }
}

impl Mul for &Balls {
    type Output = Balls;
    fn mul(self, other: &Balls) -> Balls {
        let middle: [f64; LANES] = from_fn(|k| self.middle[k] * other.middle[k]);
        let error = from_fn(|k| {
            let (a, b) = (self.middle[k].abs(), other.middle[k].abs());
            let (of_a, of_b) = (self.error[k], other.error[k]);
            (a * of_b + of_a * (b + of_b) + ROUNDING * middle[k].abs() + UNDERFLOW) * SAFE
        });
        Balls { middle, error }
    }
}

impl Div for &Balls {
    type Output = Balls;
    /// Nothing is known where the divisor may be 0.
    fn div(self, other: &Balls) -> Balls {
        let middle: [f64; LANES] = from_fn(|k| self.middle[k] / other.middle[k]);
        let error = from_fn(|k| {
            let least = (other.middle[k].abs() - other.error[k]) * SHY;
            let size = middle[k].abs();
            // (a + da)/(b + db) - a/b = (da - (a/b) db)/(b + db).
            let off = (self.error[k] + (size + UNDERFLOW) * other.error[k] * SAFE + UNDERFLOW) / least;
            if least > 0.0 { (off + ROUNDING * size + UNDERFLOW) * SAFE } else { f64::INFINITY }
        });
        Balls { middle, error }
    }
}

/// The same for balls that are not needed any more.
macro_rules! by_value {
    ($($operation:ident, $name:ident);*) => {$(
        impl $operation for Balls {
            type Output = Balls;
            #[inline(always)]
            fn $name(self, other: Balls) -> Balls {
                (&self).$name(&other)
            }
        }
    )*};
}
by_value!(Add, add; Sub, sub; Mul, mul; Div, div);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rational::{Rational, from_f64};

    /// Corners: zeros, neighbours of 1, tiny and huge numbers, all signs.
    const VALUES: [f64; LANES] = [
        0.0,
        1.0,
        -1.0,
        1.0 + f64::EPSILON,
        1.0 / 3.0,
        -0.1,
        3.7,
        -12.25,
        1e-17,
        -1e-160,
        1e-310,
        1e8,
        -3e15,
        1e150,
        0.5,
        2.5,
    ];

    fn rotated(by: usize) -> Balls {
        Balls { middle: from_fn(|k| VALUES[(k + by) % LANES]), error: [0.0; LANES] }
    }

    fn exact(value: f64) -> Rational {
        from_f64(value).unwrap()
    }

    /// Sums, products and quotients of points against rational arithmetic.
    #[test]
    fn errors_cover_rounding() {
        for (first, second) in (0..LANES).flat_map(|i| (0..LANES).map(move |j| (i, j))) {
            let (a, b) = (rotated(first), rotated(second));
            let covers = |found: Balls, f: &dyn Fn(Rational, Rational) -> Rational| {
                for k in (0..LANES).filter(|k| found.error[*k].is_finite()) {
                    let off = f(exact(a.middle[k]), exact(b.middle[k])) - exact(found.middle[k]);
                    let error = exact(found.error[k]);
                    assert!(off <= error && -off <= error, "{} and {}", a.middle[k], b.middle[k]);
                }
            };
            covers(a + b, &|x, y| x + y);
            covers(a - b, &|x, y| x - y);
            covers(a * b, &|x, y| x * y);
            covers(a / b, &|x, y| x / y);
            assert!((0..LANES).all(|k| b.middle[k] != 0.0 || (a / b).error[k] == f64::INFINITY));
        }
    }

    /// A complex number.
    type Complex = [f64; 2];

    fn times([a, b]: Complex, [c, d]: Complex) -> Complex {
        [a * c - b * d, a * d + b * c]
    }

    fn over(a: Complex, [c, d]: Complex) -> Complex {
        times(a, [c / (c * c + d * d), -d / (c * c + d * d)])
    }

    fn exp([x, y]: Complex) -> Complex {
        [x.exp() * y.cos(), x.exp() * y.sin()]
    }

    fn sin([x, y]: Complex) -> Complex {
        [x.sin() * y.cosh(), x.cos() * y.sinh()]
    }

    fn cos([x, y]: Complex) -> Complex {
        [x.cos() * y.cosh(), -x.sin() * y.sinh()]
    }

    fn ln([x, y]: Complex) -> Complex {
        [x.hypot(y).ln(), y.atan2(x)]
    }

    /// What functions make of balls in the plane holds their values at points on the rim, where the bounds are nearly met.
    #[test]
    fn balls_hold_values_in_the_plane() {
        for (m, r) in
            [(0.3, 0.2), (1.5, 1.2), (2.0, 1e-6), (0.7, 0.69), (-1.0, 0.4), (4.0, 2.5), (-3.0, 1.7), (0.0, 0.9)]
        {
            let (z, w) = (Balls::around([m; LANES], [r; LANES]), Balls::around([2.0 - m; LANES], [0.5 * r; LANES]));
            for k in 0..48 {
                let (s, c) = (f64::from(k) * std::f64::consts::PI / 24.0).sin_cos();
                let at = [m + r * c, r * s];
                let other = [2.0 - m + 0.5 * r * s, 0.5 * r * c];
                let holds = |found: Balls, [x, y]: Complex, what: &str| {
                    let off = (x - found.middle[0]).hypot(y);
                    let covered = off <= found.error[0] * (1.0 + 1e-9) + 1e-15;
                    assert!(covered || found.bound() == f64::INFINITY, "{what} of {m} ± {r}: {off} {found:?}");
                };
                holds(z + w, [at[0] + other[0], at[1] + other[1]], "sum");
                holds(z * w, times(at, other), "product");
                holds(z / w, over(at, other), "quotient");
                holds(z.exp(), exp(at), "exp");
                holds(z.sin(), sin(at), "sin");
                holds(z.cos(), cos(at), "cos");
                holds(z.ln(), ln(at), "ln");
                holds(z.power(3), times(at, times(at, at)), "power");
                holds(z.pow(Interval::from(0.5)), exp(ln(at).map(|v| v * 0.5)), "square root");
                holds(z.under(&[Interval::ONE, Interval::from(-2.0)]), [1.0 - 2.0 * at[0], -2.0 * at[1]], "polynomial");
            }
        }
    }

    /// What is not known stays so.
    #[test]
    fn unknown_is_unbounded() {
        let one = Balls::from(1.0);
        let unknown = one / Balls::from(Interval::new(-1.0, 1.0));
        for found in [unknown, unknown + one, unknown * Balls::from(0.0), one / unknown, unknown.exp(), unknown.ln()] {
            assert_eq!(found.bound(), f64::INFINITY);
            assert!(!found.sum().is_bounded());
        }
        assert_eq!((-one).ln().bound(), f64::INFINITY);
        assert_eq!(Balls::from(Interval::ALL).sin().bound(), f64::INFINITY);
    }
}
