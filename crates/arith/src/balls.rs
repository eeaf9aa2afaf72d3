//! Ball arithmetic on sixteen numbers at once.
//!
//! A ball is the set of complex numbers within an error of its middle, a float. The result of an operation contains the results for all
//! members of its arguments. Operations have no branches, so the compiler vectorises them. A small ball is a number with its rounding
//! error; a large one covers a part of the plane, and a function with a finite result is analytic there.

use super::interval::Interval;
use super::libm::{self, RELATIVE_ERROR};
use std::array::from_fn;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// The number of balls that are computed at once.
pub(crate) const LANES: usize = 16;

/// The unit roundoff: the largest relative error of one rounding.
const ROUNDING: f64 = f64::EPSILON / 2.0;
/// Safety factor for upper bounds: covers the rounding in their computation.
const SAFE: f64 = 1.0 + 16.0 * f64::EPSILON;
/// Safety factor for lower bounds: a computed difference times this is below the true one.
const SAFE_BELOW: f64 = 1.0 - 4.0 * f64::EPSILON;
/// More than the underflow of one operation.
const UNDERFLOW: f64 = 1e-305;

/// Sixteen balls.
///
/// ```
/// use rocproof_arith::Balls;
/// let third = Balls::from(1.0) / Balls::from(3.0);
/// assert!((third * Balls::from(3.0)).sum().contains(16.0));
/// // The exponential of the unit disc.
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
    /// Balls about which nothing is known: their errors are infinite.
    pub const UNKNOWN: Balls = Balls { middle: [0.0; LANES], error: [f64::INFINITY; LANES] };

    /// Balls with these middles and errors.
    pub fn around(middle: [f64; LANES], error: [f64; LANES]) -> Balls {
        Balls { middle, error }
    }

    /// Balls around correctly rounded numbers.
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

    /// A bound on all absolute values; infinite if one is unknown.
    pub fn bound(&self) -> f64 {
        let sizes: [f64; LANES] = from_fn(|k| (self.middle[k].abs() + self.error[k]) * SAFE);
        // A NaN fails this comparison, too.
        let known = sizes.iter().all(|size| *size < f64::INFINITY);
        if known { sizes.into_iter().fold(0.0, f64::max) } else { f64::INFINITY }
    }

    /// The average of the middles of the first and the last ball.
    pub fn center(&self) -> f64 {
        self.middle[0] / 2.0 + self.middle[LANES - 1] / 2.0
    }

    /// Encloses the sum of the sixteen numbers, which are real.
    pub fn sum(&self) -> Interval {
        let all = (0..LANES).fold(Interval::ZERO, |sum, k| sum + Interval::from(self.middle[k]));
        all + Interval::around(0.0, self.error.iter().sum::<f64>() * SAFE)
    }

    /// Maps each middle and error to those of the result.
    fn map(&self, f: impl Fn(f64, f64) -> [f64; 2]) -> Balls {
        let found: [[f64; 2]; LANES] = from_fn(|k| f(self.middle[k], self.error[k]));
        Balls { middle: found.map(|f| f[0]), error: found.map(|f| f[1]) }
    }

    /// The values of a polynomial with enclosed coefficients, by Horner's rule.
    pub fn under(&self, coefficients: &[Interval]) -> Balls {
        let Some((last, others)) = coefficients.split_last() else { return Balls::from(0.0) };
        let mut value = Balls::from(*last);
        for c in others.iter().rev() {
            value = &value * self + Balls::from(*c);
        }
        value
    }

    /// A power with an integer exponent.
    pub fn power(&self, exponent: i32) -> Balls {
        let n = exponent.unsigned_abs();
        let mut result = if n == 0 { Balls::from(1.0) } else { *self };
        // Binary digits of the exponent below the first one.
        for digit in (0..n.max(1).ilog2()).rev() {
            result = result * result;
            if n >> digit & 1 == 1 {
                result = &result * self;
            }
        }
        if exponent < 0 { Balls::from(1.0) / result } else { result }
    }

    /// A power. Unless the exponent is a small integer, balls must lie to the right of 0; others become unknown.
    pub fn pow(&self, exponent: Interval) -> Balls {
        if exponent.is_point() && exponent.lo().fract() == 0.0 && exponent.magnitude() < 64.0 {
            return self.power(exponent.lo() as i32);
        }
        (self.ln() * Balls::from(exponent)).exp()
    }

    /// `e^z`.
    pub fn exp(&self) -> Balls {
        self.map(|m, r| {
            let value = libm::exp(m);
            // |e^(m + d) - e^m| <= e^m (e^|d| - 1), and e^r - 1 <= r (1 + r) for r < 1.
            let away = if r < 1.0 { r * (1.0 + r) } else { libm::exp(r) - 1.0 };
            [value, (value * (away * SAFE + RELATIVE_ERROR) + UNDERFLOW * (1.0 + away)) * SAFE]
        })
    }

    /// The principal logarithm of balls to the right of 0; others become unknown.
    pub fn ln(&self) -> Balls {
        self.map(|m, r| {
            let value = libm::log(m);
            // |ln(1 + d/m)| <= -ln(1 - q) <= q (1 - q/2)/(1 - q) for q = |d|/m.
            let q = r / m * SAFE + UNDERFLOW;
            let away = if m > 0.0 && q < 1.0 { q * (1.0 - q / 2.0) / ((1.0 - q) * SAFE_BELOW) } else { f64::INFINITY };
            [value, (away + RELATIVE_ERROR * value.abs() + UNDERFLOW) * SAFE]
        })
    }

    /// The sine.
    pub fn sin(&self) -> Balls {
        self.by_addition_theorem(libm::sin, libm::cos)
    }

    /// The cosine.
    pub fn cos(&self) -> Balls {
        self.by_addition_theorem(libm::cos, libm::sin)
    }

    /// Sine or cosine `f`, with the other one as `g`: `f(m + d) = f(m) cos(d) ± g(m) sin(d)`.
    fn by_addition_theorem(&self, f: fn(f64) -> f64, g: fn(f64) -> f64) -> Balls {
        self.map(|m, r| {
            let value = f(m);
            // |cos(d) - 1| <= cosh|d| - 1 and |sin(d)| <= sinh|d|. For r < 1 these are at most 0.55 r² and r (1 + r²/4), else at most e^r/2.
            let [cos, sin] = if r < 1.0 { [0.55 * r * r, r * (1.0 + 0.25 * r * r)] } else { [0.5 * libm::exp(r); 2] };
            // For a tiny ball the bound |g| <= 1 is good enough, and saves a call.
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
    /// The quotient; unknown where the divisor may be 0.
    fn div(self, other: &Balls) -> Balls {
        let middle: [f64; LANES] = from_fn(|k| self.middle[k] / other.middle[k]);
        let error = from_fn(|k| {
            let least = (other.middle[k].abs() - other.error[k]) * SAFE_BELOW;
            let size = middle[k].abs();
            // (a + da)/(b + db) - a/b = (da - (a/b) db)/(b + db).
            let off = (self.error[k] + (size + UNDERFLOW) * other.error[k] * SAFE + UNDERFLOW) / least;
            if least > 0.0 { (off + ROUNDING * size + UNDERFLOW) * SAFE } else { f64::INFINITY }
        });
        Balls { middle, error }
    }
}

/// Derives the operators on values from those on references.
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

    /// Corner cases: zeros, neighbours of 1, tiny and huge numbers, both signs.
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

    /// The corner cases as balls without errors, moved by some lanes: with all moves every pair of values meets.
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

    /// Images of balls contain the values at points on their boundary, where the bounds are nearly sharp.
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

    /// Operations on unknown balls give unknown balls.
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
