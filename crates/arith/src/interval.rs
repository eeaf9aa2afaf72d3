//! Intervals of floating-point numbers, rounded outward: the result contains the results for all members of the arguments.
//!
//! Directed rounding is exact and needs no rounding mode: the rounding error of the operation is computed, and its sign says whether to
//! take the neighbouring float. Nothing depends on the processor or on flags of the compiler.

use super::rational::{Rational, to_f64_down, to_f64_up};
use std::ops::{Add, Div, Mul, Neg, Sub};

/// Below this size the error of a product or quotient may underflow, so the neighbour is always taken.
const SMALL: f64 = 1e-280;

/// The sum, rounded down.
pub(crate) fn add_down(a: f64, b: f64) -> f64 {
    let sum = a + b;
    if !sum.is_finite() {
        return overflow_down(sum, a.is_finite() && b.is_finite());
    }
    if sum_error(a, b, sum) < 0.0 { sum.next_down() } else { sum }
}

/// The rounding error `a + b - sum`, exactly (Knuth's two-sum).
pub(super) fn sum_error(a: f64, b: f64, sum: f64) -> f64 {
    let of_b = sum - a;
    (a - (sum - of_b)) + (b - of_b)
}

/// A lower bound for a result that overflowed or is undefined. `of_finite` says whether the arguments were finite.
fn overflow_down(result: f64, of_finite: bool) -> f64 {
    if result == f64::INFINITY && of_finite {
        // The true result is finite, and at least the largest float.
        f64::MAX
    } else if result == f64::INFINITY {
        result
    } else {
        f64::NEG_INFINITY
    }
}

/// The product, rounded down. 0 times anything is 0, infinities included.
pub(crate) fn mul_down(a: f64, b: f64) -> f64 {
    if a == 0.0 || b == 0.0 {
        return 0.0;
    }
    let product = a * b;
    if !product.is_finite() {
        return overflow_down(product, a.is_finite() && b.is_finite());
    }
    // The fused operation gives the rounding error a·b - product exactly.
    if product.abs() < SMALL || a.mul_add(b, -product) < 0.0 { product.next_down() } else { product }
}

/// The quotient by a number that is not 0, rounded down.
pub(crate) fn div_down(a: f64, b: f64) -> f64 {
    if a == 0.0 {
        return 0.0;
    }
    if b.is_infinite() {
        // A finite number over an infinite bound: 0 from one side, or the smallest negative float.
        return match a.is_finite() {
            true if (a > 0.0) == (b > 0.0) => 0.0,
            true => -f64::from_bits(1),
            false => f64::NEG_INFINITY,
        };
    }
    let quotient = a / b;
    if !quotient.is_finite() {
        return overflow_down(quotient, a.is_finite());
    }
    if quotient.abs() < SMALL || a.abs() < SMALL {
        return quotient.next_down();
    }
    // a - quotient·b, exactly. The true quotient is quotient + remainder/b.
    let remainder = (-quotient).mul_add(b, a);
    if remainder != 0.0 && (remainder < 0.0) == (b > 0.0) { quotient.next_down() } else { quotient }
}

/// The sum, rounded up.
pub(crate) fn add_up(a: f64, b: f64) -> f64 {
    -add_down(-a, -b)
}

/// The product, rounded up.
pub(crate) fn mul_up(a: f64, b: f64) -> f64 {
    -mul_down(-a, b)
}

/// The quotient, rounded up.
pub(crate) fn div_up(a: f64, b: f64) -> f64 {
    -div_down(-a, b)
}

/// The square root, rounded down.
pub(crate) fn sqrt_down(a: f64) -> f64 {
    if a <= 0.0 || a == f64::INFINITY {
        return a.max(0.0);
    }
    let root = a.sqrt();
    if a < SMALL || root.mul_add(-root, a) < 0.0 { root.next_down() } else { root }
}

/// The square root, rounded up.
pub(crate) fn sqrt_up(a: f64) -> f64 {
    if a <= 0.0 || a == f64::INFINITY {
        return a.max(0.0);
    }
    let root = a.sqrt();
    if a < SMALL || root.mul_add(-root, a) > 0.0 { root.next_up() } else { root }
}

/// The closed interval `[lo, hi]`. The ends may be infinite.
///
/// ```
/// use rocproof_arith::{Interval, Rational};
/// let tenth = Interval::of(&(Rational::ONE / Rational::from(10)));
/// assert_eq!(tenth.lo().next_up(), tenth.hi());
/// assert!((tenth * Interval::from(10.0)).contains(1.0));
/// assert_eq!(Interval::from(0.5) + Interval::from(0.25), Interval::from(0.75));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    lo: f64,
    hi: f64,
}

impl From<f64> for Interval {
    /// The number itself; NaN becomes all reals.
    fn from(value: f64) -> Interval {
        Interval::new(value, value)
    }
}

impl From<u8> for Interval {
    fn from(value: u8) -> Interval {
        Interval::from(f64::from(value))
    }
}

impl Interval {
    /// Zero.
    pub const ZERO: Interval = Interval { lo: 0.0, hi: 0.0 };
    /// One.
    pub const ONE: Interval = Interval { lo: 1.0, hi: 1.0 };
    /// From 0 to 1.
    pub const UNIT: Interval = Interval { lo: 0.0, hi: 1.0 };
    /// All reals.
    pub const ALL: Interval = Interval { lo: f64::NEG_INFINITY, hi: f64::INFINITY };
    /// π, between two neighbouring floats.
    pub const PI: Interval = Interval { lo: std::f64::consts::PI, hi: 3.141_592_653_589_793_6 };

    /// The interval `[lo, hi]`; all reals if an end is NaN or `lo > hi`.
    pub fn new(lo: f64, hi: f64) -> Interval {
        if lo <= hi { Interval { lo, hi } } else { Interval::ALL }
    }

    /// The narrowest interval around a rational.
    pub fn of(value: &Rational) -> Interval {
        Interval { lo: to_f64_down(value), hi: to_f64_up(value) }
    }

    /// The interval `center ± radius`.
    pub fn around(center: f64, radius: f64) -> Interval {
        Interval::new(add_down(center, -radius), add_up(center, radius))
    }

    /// The left end.
    pub fn lo(self) -> f64 {
        self.lo
    }

    /// The right end.
    pub fn hi(self) -> f64 {
        self.hi
    }

    /// A number close to the midpoint, inside the interval and finite.
    pub fn mid(self) -> f64 {
        if self.lo == self.hi {
            return self.lo;
        }
        let middle = self.lo / 2.0 + self.hi / 2.0;
        if middle.is_finite() { middle.clamp(self.lo, self.hi) } else { self.lo.clamp(-f64::MAX, f64::MAX) }
    }

    /// The largest distance of an end from [`Interval::mid`], rounded up.
    pub fn radius(self) -> f64 {
        let middle = self.mid();
        add_up(self.hi, -middle).max(add_up(middle, -self.lo))
    }

    /// The width, rounded up.
    pub fn width(self) -> f64 {
        add_up(self.hi, -self.lo)
    }

    /// Whether a float lies inside.
    pub fn contains(self, value: f64) -> bool {
        self.lo <= value && value <= self.hi
    }

    /// Whether a rational lies inside.
    pub fn holds(self, value: &Rational) -> bool {
        self.lo <= to_f64_down(value) && to_f64_up(value) <= self.hi
    }

    /// Whether both ends are finite.
    pub fn is_bounded(self) -> bool {
        self.lo.is_finite() && self.hi.is_finite()
    }

    /// Whether both ends are equal.
    pub fn is_point(self) -> bool {
        self.lo == self.hi
    }

    /// Whether all members are positive.
    pub fn is_positive(self) -> bool {
        self.lo > 0.0
    }

    /// Whether all members are negative.
    pub fn is_negative(self) -> bool {
        self.hi < 0.0
    }

    /// The largest absolute value.
    pub fn magnitude(self) -> f64 {
        self.hi.max(-self.lo)
    }

    /// The smallest absolute value.
    pub fn least_magnitude(self) -> f64 {
        self.lo.max(-self.hi).max(0.0)
    }

    /// The smallest interval that contains both.
    pub fn hull(self, other: Interval) -> Interval {
        Interval { lo: self.lo.min(other.lo), hi: self.hi.max(other.hi) }
    }

    /// The intersection of two enclosures of the same number. If they do not intersect, the first.
    pub fn meet(self, other: Interval) -> Interval {
        let (lo, hi) = (self.lo.max(other.lo), self.hi.min(other.hi));
        if lo <= hi { Interval { lo, hi } } else { self }
    }

    /// Whether two intervals intersect.
    pub fn meets(self, other: Interval) -> bool {
        self.lo <= other.hi && other.lo <= self.hi
    }

    /// The absolute value.
    pub fn abs(self) -> Interval {
        Interval { lo: self.least_magnitude(), hi: self.magnitude() }
    }

    /// The square.
    pub fn square(self) -> Interval {
        let Interval { lo, hi } = self.abs();
        Interval { lo: mul_down(lo, lo), hi: mul_up(hi, hi) }
    }

    /// The square root of the members that are not negative.
    pub fn sqrt(self) -> Interval {
        if self.hi < 0.0 { Interval::ALL } else { Interval { lo: sqrt_down(self.lo), hi: sqrt_up(self.hi) } }
    }

    /// A power with an integer exponent.
    pub fn power(self, exponent: i32) -> Interval {
        let n = exponent.unsigned_abs();
        match exponent {
            0 => Interval::ONE,
            ..0 => Interval::ONE / self.positive_power(n),
            1.. => self.positive_power(n),
        }
    }

    /// A power with a positive exponent. It is monotone where the interval is not negative, so that the ends suffice.
    fn positive_power(self, n: u32) -> Interval {
        if self.lo >= 0.0 {
            let [lo, hi] = [self.lo, self.hi].map(|end| Interval::from(end).power_by_squaring(n));
            return Interval { lo: lo.lo, hi: hi.hi };
        }
        self.power_by_squaring(n)
    }

    /// A power by repeated squaring, with interval products.
    fn power_by_squaring(self, mut n: u32) -> Interval {
        let (mut result, mut square) = (Interval::ONE, self);
        while n > 0 {
            if n & 1 == 1 {
                result = result * square;
            }
            square = square.square();
            n >>= 1;
        }
        result
    }
}

impl Neg for Interval {
    type Output = Interval;
    fn neg(self) -> Interval {
        Interval { lo: -self.hi, hi: -self.lo }
    }
}

impl Add for Interval {
    type Output = Interval;
    fn add(self, other: Interval) -> Interval {
        Interval { lo: add_down(self.lo, other.lo), hi: add_up(self.hi, other.hi) }
    }
}

impl Sub for Interval {
    type Output = Interval;
    fn sub(self, other: Interval) -> Interval {
        self + -other
    }
}

impl Mul for Interval {
    type Output = Interval;
    fn mul(self, other: Interval) -> Interval {
        let corners = [(self.lo, other.lo), (self.lo, other.hi), (self.hi, other.lo), (self.hi, other.hi)];
        Interval {
            lo: corners.iter().map(|(a, b)| mul_down(*a, *b)).fold(f64::INFINITY, f64::min),
            hi: corners.iter().map(|(a, b)| mul_up(*a, *b)).fold(f64::NEG_INFINITY, f64::max),
        }
    }
}

impl Div for Interval {
    type Output = Interval;
    /// The quotient; all reals if the divisor may be 0.
    fn div(self, other: Interval) -> Interval {
        if other.lo <= 0.0 && other.hi >= 0.0 {
            return Interval::ALL;
        }
        let corners = [(self.lo, other.lo), (self.lo, other.hi), (self.hi, other.lo), (self.hi, other.hi)];
        Interval {
            lo: corners.iter().map(|(a, b)| div_down(*a, *b)).fold(f64::INFINITY, f64::min),
            hi: corners.iter().map(|(a, b)| div_up(*a, *b)).fold(f64::NEG_INFINITY, f64::max),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rational::from_f64;

    /// Corner cases: zeros, ones and their neighbours, subnormals, huge numbers, and pairs that nearly cancel.
    fn corners() -> Vec<f64> {
        let positive = [
            5e-324,
            1e-310,
            f64::MIN_POSITIVE,
            1e-300,
            3e-281,
            1e-160,
            1e-17,
            0.1,
            1.0 / 3.0,
            0.5,
            1.0f64.next_down(),
            1.0,
            1.0f64.next_up(),
            1.5,
            3.0,
            std::f64::consts::PI,
            1e16,
            9_007_199_254_740_993.0,
            1e155,
            1e300,
            f64::MAX,
        ];
        positive.iter().flat_map(|v| [*v, -v]).chain([0.0]).collect()
    }

    /// A directed operation gives the nearest float on its side, on every processor and with every flag of the compiler.
    #[test]
    fn operations_are_rounded_in_their_direction() {
        let exact = |v: f64| from_f64(v).unwrap();
        let check = |down: f64, up: f64, truth: &Rational, tight: bool, what: &str| {
            assert!(down == f64::NEG_INFINITY || exact(down) <= *truth, "{what}: {down:e} is above");
            assert!(up == f64::INFINITY || exact(up) >= *truth, "{what}: {up:e} is below");
            // Without underflow the two are equal or neighbours.
            if tight && down.is_finite() && up.is_finite() {
                assert!(down == up || down.next_up() == up, "{what}: from {down:e} to {up:e}");
            }
        };
        for a in corners() {
            for b in corners() {
                let (x, y) = (exact(a), exact(b));
                check(add_down(a, b), add_up(a, b), &(&x + &y), true, &format!("{a:e} + {b:e}"));
                let product = &x * &y;
                let tight = product.is_zero() || product.to_f64().value().abs() > 2.0 * SMALL;
                check(mul_down(a, b), mul_up(a, b), &product, tight, &format!("{a:e} * {b:e}"));
                if b != 0.0 {
                    let quotient = &x / &y;
                    let tight = a.abs() > SMALL && quotient.to_f64().value().abs() > 2.0 * SMALL;
                    check(div_down(a, b), div_up(a, b), &quotient, tight, &format!("{a:e} / {b:e}"));
                }
            }
            if a > 0.0 {
                let (down, up) = (sqrt_down(a), sqrt_up(a));
                assert!(exact(down) * exact(down) <= exact(a) && exact(up) * exact(up) >= exact(a), "sqrt {a:e}");
                assert!(a < SMALL || down == up || down.next_up() == up);
            }
        }
    }

    /// Results contain those of pairs of members, for arguments of every sign.
    #[test]
    fn intervals_hold_results() {
        let values: Vec<f64> =
            corners().into_iter().filter(|v| v.abs() < 1e150 && (*v == 0.0 || v.abs() > 1e-150)).collect();
        // Around 0, and on one side of it.
        let positive: Vec<f64> = values.iter().copied().filter(|v| *v > 0.0).collect();
        let negative: Vec<f64> = positive.iter().map(|v| -v).collect();
        let pairs = [values.windows(2).step_by(3), positive.windows(2).step_by(2), negative.windows(2).step_by(2)];
        let between = |pair: &[f64]| Interval::new(pair[0].min(pair[1]), pair[0].max(pair[1]));
        let intervals: Vec<Interval> = pairs.into_iter().flatten().map(between).collect();
        for m in intervals.iter().copied() {
            for n in intervals.iter().copied() {
                for (a, b) in
                    [(m.lo(), n.lo()), (m.hi(), n.lo()), (m.mid(), n.mid()), (m.lo(), n.hi()), (m.hi(), n.hi())]
                {
                    let (x, y) = (from_f64(a).unwrap(), from_f64(b).unwrap());
                    assert!((m + n).holds(&(&x + &y)) && (m - n).holds(&(&x - &y)) && (m * n).holds(&(&x * &y)));
                    assert!(m.square().holds(&(&x * &x)) && m.power(3).holds(&(&x * &x * &x)));
                    if b != 0.0 {
                        assert!((m / n).holds(&(&x / &y)), "{a:e} / {b:e}");
                    }
                }
            }
        }
        assert!(intervals.iter().any(|n| (*n / *n).is_bounded()));
        assert_eq!(Interval::new(f64::NAN, 1.0), Interval::ALL);
        assert_eq!(Interval::ONE / Interval::new(-1.0, 1.0), Interval::ALL);
    }

    /// Middles, radii and widths cover the ends, rounded as they are.
    #[test]
    fn radii_and_widths_cover_the_ends() {
        let exact = |v: f64| from_f64(v).unwrap();
        let values: Vec<f64> = corners().into_iter().filter(|v| v.abs() < 1e300).collect();
        for (a, b) in values.iter().flat_map(|a| values.iter().map(move |b| (*a, *b))) {
            let both = Interval::new(a.min(b), a.max(b));
            let (lo, hi, mid) = (exact(both.lo()), exact(both.hi()), exact(both.mid()));
            assert!(exact(both.width()) >= &hi - &lo, "{both:?}");
            assert!(&mid - exact(both.radius()) <= lo && mid + exact(both.radius()) >= hi, "{both:?}");
            let around = Interval::around(a, b.abs());
            let [below, above] = [exact(a) - exact(b.abs()), exact(a) + exact(b.abs())];
            assert!(exact(around.lo()) <= below && exact(around.hi()) >= above, "{a:e} and {b:e}: {around:?}");
        }
    }

    #[test]
    fn pi_is_between_neighbours() {
        // 30 digits, the last one cut.
        let pi = crate::rational::parse_decimal("3.14159265358979323846264338327").unwrap();
        assert!(Interval::PI.holds(&pi) && Interval::PI.lo().next_up() == Interval::PI.hi());
    }
}
