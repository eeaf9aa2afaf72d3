//! Functions on `[-1, 1]` as polynomials with proved errors (Taylor models).
//!
//! Sums, products and integrals carry the errors of their arguments and the rounding along. Quotients, exponentials, logarithms, sines
//! and cosines are computed in plain floating point, by the recurrences of power series, and then *verified*: the defect of the
//! polynomial in the equation that defines the function is bounded, and with it the error. So nothing rests on how the polynomial was
//! found.

use super::interval::{Interval, add_up, div_up, mul_up, sum_error};
use super::libm::{self, RELATIVE_ERROR};

/// The number of coefficients of a series.
pub(crate) const TERMS: usize = 20;

/// The unit roundoff: the largest relative error of one rounding.
const ROUNDING: f64 = f64::EPSILON / 2.0;
/// Safety factor that covers the rounding in the computation of a bound.
const SAFE: f64 = 1.0 + 128.0 * f64::EPSILON;
/// More than the underflow of one operation on coefficients.
const UNDERFLOW: f64 = 1e-320;
/// The number of parts of the interval where a bound must be sharp.
const PARTS: usize = 8;

type Coefficients = [f64; TERMS];

/// A polynomial and a bound on the error: the set of functions that differ from the polynomial by at most the error on `[-1, 1]`.
///
/// ```
/// use rocproof_arith::{Interval, Series};
/// let u = Series::linear(Interval::ZERO, Interval::from(0.5));
/// let one = u.exp() * (-u).exp();
/// assert!((one - Series::from(1.0)).bound() < 1e-14);
/// assert!(u.exp().integral().contains(2.0 * (0.5f64.exp() - (-0.5f64).exp())));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Series {
    c: Coefficients,
    error: f64,
}

impl From<f64> for Series {
    fn from(value: f64) -> Series {
        Series::from(Interval::from(value))
    }
}

impl From<Interval> for Series {
    /// A constant function.
    fn from(value: Interval) -> Series {
        if !value.is_bounded() {
            return Series::UNKNOWN;
        }
        let mut c = [0.0; TERMS];
        c[0] = value.mid();
        Series { c, error: value.radius() }
    }
}

/// The sum of the absolute values: a bound on the polynomial on `[-1, 1]`.
fn norm(c: &[f64]) -> f64 {
    c.iter().map(|v| v.abs()).sum::<f64>() * SAFE
}

/// The sum of the absolute values, each times its index: a bound on the derivative.
fn weighted_norm(c: &[f64]) -> f64 {
    c.iter().enumerate().map(|(k, v)| k as f64 * v.abs()).sum::<f64>() * SAFE
}

/// The number of coefficients up to the last that is not 0.
fn length(c: &Coefficients) -> usize {
    c.iter().rposition(|v| *v != 0.0).map_or(0, |last| last + 1)
}

/// Whether all coefficients are 0.
fn is_zero(c: &Coefficients) -> bool {
    c.iter().all(|v| *v == 0.0)
}

/// The truncated product of two polynomials, and a bound on its error.
fn product(a: &Coefficients, b: &Coefficients) -> (Coefficients, f64) {
    let (la, lb) = (length(a), length(b));
    let mut c = [0.0; TERMS];
    if la == 0 || lb == 0 {
        return (c, 0.0);
    }
    for (i, x) in a[..la].iter().enumerate() {
        let end = lb.min(TERMS - i);
        for (out, y) in c[i..i + end].iter_mut().zip(&b[..end]) {
            *out += x * y;
        }
    }
    let (na, nb) = (norm(a), norm(b));
    // A coefficient of degree k is a sum of at most k + 1 products, and of at most min(la, lb). Each product a_i·b_j takes part in as many
    // roundings: their sum is at most Σ (i + j + 1)·|a_i|·|b_j|, or min(la, lb)·Σ |a_i|·|b_j|.
    let roundings = (na * nb + weighted_norm(a) * nb + na * weighted_norm(b)).min(la.min(lb) as f64 * na * nb);
    let mut error = ROUNDING * roundings + UNDERFLOW;
    if la + lb > TERMS + 1 {
        // Terms of too high a degree: |a_i| times all |b_j| with i + j >= TERMS. That sum of |b_j| grows with i.
        let mut truncated = 0.0;
        let mut j = TERMS;
        for (i, x) in a[..la].iter().enumerate() {
            while j > TERMS - i {
                j -= 1;
                truncated += b[j].abs();
            }
            error += x.abs() * truncated;
        }
    }
    (c, error * SAFE)
}

/// A bound on `|c - a·b|` on `[-1, 1]`: how far `c` is from solving the equation `c = a·b`.
fn defect(c: &Coefficients, a: &Coefficients, b: &Coefficients) -> f64 {
    let (computed, error) = product(a, b);
    let difference: f64 = c.iter().zip(&computed).map(|(x, y)| (x - y).abs()).sum();
    (difference * (1.0 + f64::EPSILON) + error) * SAFE
}

/// The derivative of a polynomial, and a bound on its rounding error.
fn derivative(c: &Coefficients) -> (Coefficients, f64) {
    let mut d = [0.0; TERMS];
    for k in 1..TERMS {
        d[k - 1] = k as f64 * c[k];
    }
    // The derivative of a linear function is one of its coefficients, and is not rounded.
    let rounding = if length(c) <= 2 { 0.0 } else { ROUNDING * norm(&d) + UNDERFLOW };
    (d, rounding)
}

/// An upper bound on `e^x`.
fn exp_up(x: f64) -> f64 {
    Interval::from(x).exp().hi()
}

impl Series {
    /// A series about which nothing is known: its error is infinite.
    pub const UNKNOWN: Series = Series { c: [0.0; TERMS], error: f64::INFINITY };

    /// `a + b·u`.
    pub fn linear(a: Interval, b: Interval) -> Series {
        if !(a.is_bounded() && b.is_bounded()) {
            return Series::UNKNOWN;
        }
        let mut c = [0.0; TERMS];
        (c[0], c[1]) = (a.mid(), b.mid());
        Series { c, error: add_up(a.radius(), b.radius()) }
    }

    /// The polynomial with these coefficients. Terms beyond the last coefficient become errors.
    pub fn polynomial(coefficients: &[Interval]) -> Series {
        let mut series = Series::from(0.0);
        for (k, value) in coefficients.iter().enumerate() {
            if k < TERMS {
                series.c[k] = value.mid();
                series.error = add_up(series.error, value.radius());
            } else {
                series.error = add_up(series.error, value.magnitude());
            }
        }
        if series.is_known() { series } else { Series::UNKNOWN }
    }

    /// Turns the highest term into an error, so that an antiderivative fits.
    pub fn without_highest_term(mut self) -> Series {
        let last = std::mem::take(&mut self.c[TERMS - 1]);
        self.widen(last.abs())
    }

    /// Whether it is exactly 0.
    pub fn is_zero(&self) -> bool {
        self.error == 0.0 && is_zero(&self.c)
    }

    /// Whether it is exactly a constant.
    pub fn is_constant(&self) -> bool {
        self.error == 0.0 && length(&self.c) <= 1
    }

    /// `[a, b]` if it is exactly `a + b·u`.
    pub fn as_linear(&self) -> Option<[f64; 2]> {
        (self.error == 0.0 && length(&self.c) <= 2).then_some([self.c[0], self.c[1]])
    }

    /// Whether the error and all coefficients are finite.
    pub fn is_known(&self) -> bool {
        self.error.is_finite() && self.c.iter().all(|c| c.is_finite())
    }

    /// The bound on the error; infinite if nothing is known.
    pub fn error(&self) -> f64 {
        if self.is_known() { self.error } else { f64::INFINITY }
    }

    /// Increases the error.
    pub(crate) fn widen(mut self, by: f64) -> Series {
        self.error = add_up(self.error, by);
        self
    }

    /// A bound on the absolute values of the function.
    pub fn bound(&self) -> f64 {
        if self.is_known() { (norm(&self.c) + self.error) * SAFE } else { f64::INFINITY }
    }

    /// A bound on `|p(u) - p(0)|` for the polynomial `p` and `u` in `[-1, 1]`.
    fn variation(&self) -> f64 {
        norm(&self.c[1..])
    }

    /// Encloses the range, quickly: by the sum of the absolute coefficients.
    pub fn rough_range(&self) -> Interval {
        if !self.is_known() {
            return Interval::ALL;
        }
        Interval::around(self.c[0], (self.variation() + self.error) * SAFE)
    }

    /// Encloses the range, more sharply: by parts of the interval.
    pub fn range(&self) -> Interval {
        let rough = self.rough_range();
        if !self.is_known() || length(&self.c) <= 2 {
            return rough;
        }
        let step = 2.0 / PARTS as f64;
        let range_of_part = |k: usize| {
            let from = -1.0 + step * k as f64;
            self.part(from, from + step).rough_range()
        };
        (1..PARTS).fold(range_of_part(0), |all, k| all.hull(range_of_part(k))).meet(rough)
    }

    /// A lower bound on the absolute values; 0 if the function may have a zero.
    fn least_magnitude(&self) -> f64 {
        let rough = self.rough_range().least_magnitude();
        // The quick bound is sharp enough if it is at least half of the value at 0.
        if rough > 0.5 * self.c[0].abs() { rough } else { self.range().least_magnitude() }
    }

    /// The function on `[from, to]`, rescaled to `[-1, 1]`: `v ↦ p(middle + half·v)`.
    pub fn part(&self, from: f64, to: f64) -> Series {
        if (from, to) == (-1.0, 1.0) || length(&self.c) <= 1 {
            return *self;
        }
        let (middle, half) = (from / 2.0 + to / 2.0, to / 2.0 - from / 2.0);
        let mut c = self.c;
        let n = length(&c);
        // The Taylor shift to the middle, by repeated synthetic division.
        for i in 0..n {
            for j in (i..n - 1).rev() {
                c[j] += middle * c[j + 1];
            }
        }
        // The coefficient of degree k times half^k.
        let mut scale = 1.0;
        for value in &mut c[..n] {
            *value *= scale;
            scale *= half;
        }
        // A coefficient of degree k takes part in at most k steps with two roundings each, and is scaled. The midpoint and the
        // half width are rounded once.
        let roundings: f64 = self.c[..n].iter().enumerate().map(|(k, v)| (3 * k + 1) as f64 * v.abs()).sum();
        let is_middle_exact = sum_error(from / 2.0, to / 2.0, middle) == 0.0;
        let is_half_exact = sum_error(from / 2.0, -to / 2.0, -half) == 0.0;
        let of_ends = if is_middle_exact && is_half_exact { 0.0 } else { 2.0 * weighted_norm(&self.c) };
        Series { c, error: add_up(self.error, ROUNDING * (roundings + of_ends) * SAFE + UNDERFLOW) }
    }

    /// Encloses the value at a point of `[-1, 1]`, by Horner's rule.
    pub fn at(&self, u: Interval) -> Interval {
        if !self.is_known() {
            return Interval::ALL;
        }
        let n = length(&self.c);
        if n <= 1 {
            return Interval::around(self.c[0], self.error);
        }
        // The value at the middle of `u`. A coefficient of degree k takes part in at most 2k + 1 roundings of Horner's rule. The value varies by at
        // most the radius of `u` times a bound on the derivative.
        let middle = u.mid().clamp(-1.0, 1.0);
        let value = self.c[..n].iter().rev().fold(0.0, |value, c| value * middle + c);
        let roundings: f64 = self.c[..n].iter().enumerate().map(|(k, v)| (2 * k + 1) as f64 * v.abs()).sum();
        let variation = if u.is_point() { 0.0 } else { u.radius() * weighted_norm(&self.c) };
        Interval::around(value, (ROUNDING * roundings + UNDERFLOW + variation + self.error) * SAFE)
    }

    /// The values at -1 and at 1.
    pub fn ends(&self) -> [Interval; 2] {
        [self.at(Interval::from(-1.0)), self.at(Interval::ONE)]
    }

    /// The integral over `[-1, 1]`: that of `u^k` is `2/(k + 1)` for even `k` and 0 for odd `k`.
    pub fn integral(&self) -> Interval {
        if !self.is_known() {
            return Interval::ALL;
        }
        let even = self.c.iter().enumerate().step_by(2).filter(|(_, c)| **c != 0.0);
        let sum =
            even.fold(Interval::ZERO, |sum, (k, c)| sum + Interval::from(2.0 * c) / Interval::from((k + 1) as f64));
        sum + Interval::around(0.0, 2.0 * self.error)
    }

    /// The antiderivative with a given value at -1.
    pub fn integrated_from(&self, start: Interval) -> Series {
        if !(self.is_known() && start.is_bounded()) {
            return Series::UNKNOWN;
        }
        let antiderivative = self.antiderivative();
        let polynomial = Series { error: 0.0, ..antiderivative };
        let offset = start - polynomial.at(Interval::from(-1.0));
        // An error of the function adds up over the whole interval, twice the distance from the middle to an end.
        polynomial + Series::from(offset).widen(2.0 * antiderivative.error)
    }

    /// The antiderivative that is 0 at 0. Its highest term, which does not fit, becomes an error.
    fn antiderivative(&self) -> Series {
        let mut c = [0.0; TERMS];
        for (k, (to, from)) in c[1..].iter_mut().zip(&self.c).enumerate() {
            *to = from / (k + 1) as f64;
        }
        let truncated = self.c[TERMS - 1].abs() / TERMS as f64;
        let rounding = if length(&self.c) <= 1 { 0.0 } else { ROUNDING * norm(&c) + UNDERFLOW };
        Series { c, error: (self.error + truncated + rounding) * SAFE }
    }

    /// The product, if the other factor is a power of two: then nothing is rounded.
    fn times_power_of_two(&self, other: &Series) -> Option<Series> {
        let by = other.c[0];
        // Shifting out the sign and the exponent leaves the mantissa, which is 0 for a power of two.
        let is_power = other.is_constant() && by.is_normal() && by.to_bits() << 12 == 0;
        // Neither factor is so large or small that the product overflows or underflows.
        let is_moderate = (1e-9..1e9).contains(&by.abs());
        let is_safe = |c: &f64| *c == 0.0 || (1e-290..1e290).contains(&c.abs());
        (is_power && is_moderate && self.c.iter().all(is_safe))
            .then(|| Series { c: self.c.map(|c| c * by), error: mul_up(self.error, by.abs()) })
    }

    /// The product with a number.
    pub fn scaled(self, by: Interval) -> Series {
        self * Series::from(by)
    }

    /// The polynomial `Σ coefficients[k]·self^k`, by Horner's scheme; its coefficients are enclosed.
    pub fn under(&self, coefficients: &[Interval]) -> Series {
        let mut terms = coefficients.iter().rev();
        let Some(first) = terms.next() else { return Series::from(0.0) };
        terms.fold(Series::from(*first), |value, c| value * *self + Series::from(*c))
    }

    /// A power with an integer exponent, by repeated squaring.
    pub fn power(self, exponent: i32) -> Series {
        let (mut result, mut square, mut n) = (None, self, exponent.unsigned_abs());
        while n > 0 {
            if n & 1 == 1 {
                result = Some(result.map_or(square, |r| r * square));
            }
            n >>= 1;
            if n > 0 {
                square = square * square;
            }
        }
        let result = result.unwrap_or(Series::from(1.0));
        if exponent < 0 { Series::from(1.0) / result } else { result }
    }

    /// `e^f`.
    pub fn exp(self) -> Series {
        if !self.is_known() {
            return Series::UNKNOWN;
        }
        let p = &self.c;
        let mut y = [0.0; TERMS];
        y[0] = libm::exp(p[0]);
        let (slope, rounding) = derivative(p);
        let n = length(p);
        // The recurrence of y' = p'y: k·y_k = Σ j·p_j·y_(k-j).
        for k in 1..TERMS {
            let sum: f64 = (1..=k.min(n.saturating_sub(1))).map(|j| slope[j - 1] * y[k - j]).sum();
            y[k] = sum / k as f64;
        }
        // e^p solves y' = p'y with a given value at 0. An error of that value grows by the factor e^(p(u) - p(0)), and a defect at v
        // by e^(p(u) - p(v)), where v lies between 0 and u.
        let (y_slope, y_rounding) = derivative(&y);
        let defect = defect(&y_slope, &slope, &y) + y_rounding + rounding * norm(&y);
        let at_middle = RELATIVE_ERROR * y[0] + UNDERFLOW;
        let variation = self.variation();
        // A bound on p(u) - p(v) for any two points on one side of 0.
        let rise = (2.0 * variation).min(weighted_norm(p));
        let error = exp_up(variation) * at_middle + exp_up(rise) * defect;
        // An error d of the argument multiplies the result by e^d: the relative error is at most e^|d| - 1.
        let of_argument = if self.error == 0.0 { 0.0 } else { add_up(exp_up(self.error), -1.0) };
        let verified = Series { c: y, error: (error + (norm(&y) + error) * of_argument) * SAFE };
        verified.or_constant(self.rough_range().exp())
    }

    /// The narrower of two enclosures of the same function: this one, or a constant.
    fn or_constant(self, range: Interval) -> Series {
        let constant = Series::from(range);
        if constant.error() < self.error() { constant } else { self }
    }

    /// The natural logarithm. Nothing is known of the result if the function may be 0 or negative.
    pub fn ln(self) -> Series {
        if !(self.is_known() && self.c[0] > 0.0) {
            return Series::UNKNOWN;
        }
        self.logarithm(self, Interval::from(self.c[0]).ln())
    }

    /// `ln(1 + f)`, with a small relative error where `f` is close to 0. Nothing is known of the result if `f` may reach -1.
    pub fn ln_1p(self) -> Series {
        if !(self.is_known() && self.c[0] > -1.0) {
            return Series::UNKNOWN;
        }
        self.logarithm(self + Series::from(1.0), Interval::from(self.c[0]).ln_1p())
    }

    /// The logarithm of `of`, which is this function plus a constant: 0 or 1. `middle` encloses the logarithm of the polynomial of `of` at 0. The
    /// logarithm of the polynomial is computed first; then the error `d` of this function adds at most `d/least`.
    fn logarithm(self, of: Series, middle: Interval) -> Series {
        let least = of.least_magnitude();
        if least.is_nan() || least <= 0.0 {
            return Series::UNKNOWN;
        }
        // The polynomial `p` of `of`, with the rounding error of the added constant only. `of` has the error of this function besides.
        let polynomial = Series { c: of.c, error: of.error - self.error.min(of.error) };
        // ln p is an antiderivative of p'/p. The constant does not change p'.
        let (slope, rounding) = derivative(&self.c);
        let rate = Series { c: slope, error: rounding } / polynomial;
        let verified = (rate.antiderivative() + Series::from(middle)).widen(div_up(self.error, least));
        verified.or_constant(Interval::new(least, of.bound()).ln())
    }

    /// The sine and the cosine.
    pub fn sin_cos(self) -> [Series; 2] {
        if !self.is_known() {
            return [Series { error: 1.0, ..Series::from(0.0) }; 2];
        }
        let p = &self.c;
        let (mut s, mut c) = ([0.0; TERMS], [0.0; TERMS]);
        (s[0], c[0]) = (libm::sin(p[0]), libm::cos(p[0]));
        let (slope, rounding) = derivative(p);
        // The recurrences of s' = p'c and c' = -p's: k·s_k = Σ j·p_j·c_(k-j), and k·c_k = -Σ j·p_j·s_(k-j).
        for k in 1..TERMS {
            let sum = |other: &Coefficients| (1..=k).map(|j| slope[j - 1] * other[k - j]).sum::<f64>() / k as f64;
            (s[k], c[k]) = (sum(&c), -sum(&s));
        }
        // (cos, sin)' is p' times the vector rotated by a right angle. The equation rotates errors without growth; only the defect adds.
        let ((s_slope, s_rounding), (c_slope, c_rounding)) = (derivative(&s), derivative(&c));
        let of_s = defect(&s_slope, &slope, &c) + s_rounding + rounding * norm(&c);
        let of_c = defect(&c_slope, &slope.map(|v| -v), &s) + c_rounding + rounding * norm(&s);
        let error = (of_s + of_c + 2.0 * (RELATIVE_ERROR + UNDERFLOW) + self.error) * SAFE;
        [s, c].map(|c| Series { c, error }.or_constant(Interval::new(-1.0, 1.0)))
    }
}

impl std::ops::Neg for Series {
    type Output = Series;
    fn neg(self) -> Series {
        Series { c: self.c.map(|c| -c), error: self.error }
    }
}

impl std::ops::Add for Series {
    type Output = Series;
    fn add(self, other: Series) -> Series {
        let mut c = [0.0; TERMS];
        let mut rounding = 0.0;
        for (sum, (a, b)) in c.iter_mut().zip(self.c.iter().zip(&other.c)) {
            *sum = a + b;
            rounding += sum_error(*a, *b, *sum).abs();
        }
        let error = self.error + other.error + rounding;
        Series { c, error: if error == 0.0 { 0.0 } else { error * SAFE } }
    }
}

impl std::ops::Sub for Series {
    type Output = Series;
    fn sub(self, other: Series) -> Series {
        self + -other
    }
}

impl std::ops::Mul for Series {
    type Output = Series;
    fn mul(self, other: Series) -> Series {
        if self.is_zero() || other.is_zero() {
            return Series::from(0.0);
        }
        if let Some(exact) = self.times_power_of_two(&other).or_else(|| other.times_power_of_two(&self)) {
            return exact;
        }
        let (c, mut error) = product(&self.c, &other.c);
        if other.error != 0.0 {
            error += norm(&self.c) * other.error + UNDERFLOW;
        }
        if self.error != 0.0 {
            error += (norm(&other.c) + other.error) * self.error + UNDERFLOW;
        }
        Series { c, error: error * SAFE }
    }
}

impl std::ops::Div for Series {
    type Output = Series;
    /// The quotient; nothing is known of it if the divisor may be 0 somewhere.
    fn div(self, other: Series) -> Series {
        if self.is_zero() {
            return self;
        }
        let (a, b) = (&self.c, &other.c);
        if !(self.is_known() && other.is_known()) || b[0] == 0.0 {
            return Series::UNKNOWN;
        }
        // A lower bound on the divisor's magnitude, its error included.
        let least = other.least_magnitude();
        if least.is_nan() || least <= 0.0 {
            return Series::UNKNOWN;
        }
        // The recurrence of y·b = a: y_k·b_0 = a_k - Σ b_j·y_(k-j).
        let mut y = [0.0; TERMS];
        let n = length(b);
        for k in 0..TERMS {
            let sum: f64 = (1..=k.min(n - 1)).map(|j| b[j] * y[k - j]).sum();
            y[k] = (a[k] - sum) / b[0];
        }
        // a/b - y = (a - y·b)/b.
        let defect = defect(a, &y, b) + self.error + norm(&y) * other.error;
        Series { c: y, error: div_up(defect * SAFE, least) * SAFE }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rational::{Rational, from_f64};

    /// A polynomial with pseudo-random coefficients that fill their mantissas, so that nothing is exact by chance. They fall by the factor `decay`
    /// from each degree to the next.
    fn rough(seed: u64, decay: f64) -> Series {
        let mut state = seed;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1u64 << 53) as f64 - 0.5
        };
        let mut scale = 1.0;
        let mut c = [0.0; TERMS];
        for value in &mut c {
            *value = next() * scale;
            scale *= decay;
        }
        c[0] += 1.5;
        Series { c, error: 0.0 }
    }

    /// The coefficients as rationals.
    fn exact(c: &[f64]) -> Vec<Rational> {
        c.iter().map(|v| from_f64(*v).unwrap()).collect()
    }

    /// The sum of the absolute differences of coefficients: no two polynomials are farther apart on [-1, 1].
    fn apart(truth: &[Rational], found: &Series) -> Rational {
        let zero = Rational::ZERO;
        let n = truth.len().max(TERMS);
        let size = |v: Rational| if v < Rational::ZERO { -v } else { v };
        (0..n).fold(Rational::ZERO, |sum, k| {
            let found = found.c.get(k).map_or(Rational::ZERO, |v| from_f64(*v).unwrap());
            sum + size(truth.get(k).unwrap_or(&zero) - found)
        })
    }

    /// The product of two polynomials, exactly.
    fn times(a: &[Rational], b: &[Rational]) -> Vec<Rational> {
        let mut c = vec![Rational::ZERO; a.len() + b.len() - 1];
        for (i, x) in a.iter().enumerate() {
            for (j, y) in b.iter().enumerate() {
                c[i + j] = &c[i + j] + x * y;
            }
        }
        c
    }

    /// Whether a distance is within an error.
    fn covers(error: f64, apart: &Rational) -> bool {
        from_f64(error).is_some_and(|error| error >= *apart)
    }

    /// An error that is too small for a float does not become 0.
    #[test]
    fn errors_do_not_underflow() {
        let unsure = Series::from(Interval::around(0.0, 1e-300));
        for small in [Series::from(1e-200), Series::from(0.5e-30), Series::linear(Interval::from(1e-90), Interval::ONE)]
        {
            for product in [unsure * small * small, small * small * unsure, small * (unsure * unsure)] {
                assert!(product.error() > 0.0, "{product:?}");
            }
        }
    }

    /// Sums, products, parts and integrals against rational arithmetic: the error covers rounding and truncation, and neither is 0.
    #[test]
    fn errors_cover_rounding_and_what_is_cut_off() {
        for seed in 1..40 {
            // With slowly falling coefficients truncation dominates, with quickly falling ones rounding.
            for decay in [0.9, 0.1] {
                let (a, b) = (rough(seed, decay), rough(seed + 100, decay));
                let product = a * b;
                let off = apart(&times(&exact(&a.c), &exact(&b.c)), &product);
                assert!(off > Rational::ZERO && covers(product.error, &off), "product: {off} {}", product.error);
                let sum = a + b;
                let truth: Vec<Rational> = exact(&a.c).iter().zip(exact(&b.c)).map(|(x, y)| x + y).collect();
                assert!(covers(sum.error, &apart(&truth, &sum)));
                let truth: Vec<Rational> = std::iter::once(Rational::ZERO)
                    .chain(exact(&a.c).iter().enumerate().map(|(k, c)| c / Rational::from(k + 1)))
                    .collect();
                let antiderivative = a.antiderivative();
                let off = apart(&truth, &antiderivative);
                assert!(off > Rational::ZERO && covers(antiderivative.error, &off));
                let integral =
                    truth.iter().skip(1).step_by(2).fold(Rational::ZERO, |sum, c| sum + c * Rational::from(2));
                assert!(a.integral().holds(&integral));
                // p(m + h·u), expanded.
                let part = a.part(-0.3, 0.9);
                let ends = [-0.3, 0.9].map(|end| from_f64(end).unwrap());
                let two = Rational::from(2);
                let (m, h) = ((&ends[0] + &ends[1]) / &two, (&ends[1] - &ends[0]) / &two);
                let line = vec![m, h];
                let truth = exact(&a.c).iter().rev().fold(vec![Rational::ZERO], |value, c| {
                    let mut next = times(&value, &line);
                    next[0] = &next[0] + c;
                    next
                });
                assert!(covers(part.error, &apart(&truth, &part)), "part");
            }
        }
    }

    /// Coefficients beyond the last one become errors, and so does the last one when it makes room.
    #[test]
    fn high_terms_are_errors() {
        let coefficients = [Interval::ONE; TERMS + 3];
        let long = Series::polynomial(&coefficients);
        assert!(long.at(Interval::ONE).contains((TERMS + 3) as f64) && long.at(-Interval::ONE).contains(1.0));
        let exact = Series::polynomial(&coefficients[..TERMS]);
        assert!(exact.error == 0.0 && exact.without_highest_term().c[TERMS - 1] == 0.0);
        assert!(exact.without_highest_term().at(Interval::ONE).contains(TERMS as f64));
    }

    /// Identities between quotients, exponentials, logarithms and sines hold within the errors, and the errors are small.
    #[test]
    fn functions_obey_their_laws() {
        for (seed, decay) in (1..30).flat_map(|seed| [(seed, 0.5), (seed, 0.15)]) {
            let f = rough(seed, decay);
            let one = Series::from(1.0);
            let holds_zero = |s: Series, what: &str| {
                let range = s.range();
                assert!(range.contains(0.0) && (decay > 0.2 || range.width() < 1e-11), "{what} {range:?}");
            };
            holds_zero(f / f - one, "quotient");
            holds_zero(f.ln().exp() - f, "exp of ln");
            holds_zero((f - one).ln_1p() - f.ln(), "ln_1p");
            holds_zero(f.exp() * (-f).exp() - one, "exp");
            let [sin, cos] = f.sin_cos();
            holds_zero(sin * sin + cos * cos - one, "sin and cos");
            let raised = |exponent: f64| f.ln().scaled(Interval::from(exponent)).exp();
            holds_zero(raised(2.5) - f * f * raised(0.5), "power");
        }
    }

    /// Values at points against correctly rounded functions: the two enclosures intersect.
    #[test]
    fn functions_hold_their_values() {
        for (seed, decay) in (1..40).flat_map(|seed| [(seed, 0.6), (seed, 0.3), (seed, 0.05)]) {
            let f = rough(seed, decay);
            let exactly = |u: f64| {
                let (u, c) = (from_f64(u).unwrap(), exact(&f.c));
                Interval::of(&c.iter().rev().fold(Rational::ZERO, |value, c| value * &u + c))
            };
            for u in [-1.0, -0.9, -0.3, 0.0, 0.2, 0.7, 1.0] {
                let (value, at) = (exactly(u), Interval::from(u));
                let [sin, cos] = f.sin_cos();
                let pairs = [
                    (f, value),
                    (f.exp(), value.exp()),
                    (f.ln(), value.ln()),
                    (Series::from(1.0) / f, Interval::ONE / value),
                    (sin, value.sin()),
                    (cos, value.cos()),
                ];
                for (k, (series, truth)) in pairs.into_iter().enumerate() {
                    assert!(series.at(at).meets(truth), "function {k} of seed {seed} at {u}");
                    assert!(series.range().meets(truth) && series.rough_range().meets(truth));
                }
            }
        }
    }

    /// The error includes the truncation of the series, which here exceeds the rounding, and does not exceed it much.
    #[test]
    fn defects_count() {
        let u = Series::linear(Interval::ZERO, Interval::from(1.7));
        let e = u.exp();
        // Twenty terms leave out 1.7^20/20!, about 1.7e-14, at the end.
        let left_out = 1.7f64.powi(20) / (1..=20).map(f64::from).product::<f64>();
        assert!(e.error > left_out && e.error < 1000.0 * left_out, "{}", e.error);
        let reciprocal = Series::from(1.0) / Series::linear(Interval::ONE, Interval::from(0.5));
        assert!(
            reciprocal.error > 0.5f64.powi(20) && reciprocal.error < 10.0 * 0.5f64.powi(20),
            "{}",
            reciprocal.error
        );
    }
}
