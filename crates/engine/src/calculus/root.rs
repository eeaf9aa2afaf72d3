//! Roots in a bracket, by Brent's method with bisection as a fallback, and minima by golden section.

use roots::{Convergency, find_root_brent};

/// The stopping rule of Brent's method: at an exact zero, or when the bracket is a few floats wide.
struct ToTheLastBit;

impl Convergency<f64> for ToTheLastBit {
    fn is_root_found(&mut self, y: f64) -> bool {
        y == 0.0
    }
    fn is_converged(&mut self, x1: f64, x2: f64) -> bool {
        (x1 - x2).abs() <= 4.0 * f64::EPSILON * x1.abs().max(x2.abs()).max(f64::MIN_POSITIVE)
    }
    fn is_iteration_limit_reached(&mut self, iterations: usize) -> bool {
        iterations > 100
    }
}

/// A root of `f` in `[lo, hi]`, given `f(lo) <= 0 <= f(hi)` or the reverse. Without such a bracket, the end where `|f|` is smaller.
///
/// Brent's method of the crate `roots`; if it has not converged after 100 steps, bisection. With a bracket the result is within a few floats
/// of a change of sign.
pub fn root_in_bracket(lo: f64, hi: f64, f: impl Fn(f64) -> f64) -> f64 {
    let (at_lo, at_hi) = (f(lo), f(hi));
    if at_lo == 0.0 {
        return lo;
    }
    if at_hi == 0.0 || (at_lo > 0.0) == (at_hi > 0.0) {
        // Without a bracket the end with the smaller value is the best answer.
        return if at_lo.abs() < at_hi.abs() { lo } else { hi };
    }
    find_root_brent(lo, hi, &f, &mut ToTheLastBit).unwrap_or_else(|_| bisect(lo, hi, at_lo > 0.0, f))
}

/// Bisects for a change of sign until the bracket has no float inside. `positive_at_lo` is whether `f(lo) > 0`.
fn bisect(mut lo: f64, mut hi: f64, positive_at_lo: bool, f: impl Fn(f64) -> f64) -> f64 {
    loop {
        let middle = lo + (hi - lo) / 2.0;
        if middle <= lo.min(hi) || middle >= lo.max(hi) {
            return middle;
        }
        if (f(middle) > 0.0) == positive_at_lo { lo = middle } else { hi = middle }
    }
}

/// The position of a local minimum of `f` between `a` and `b`, to a given width, by golden section search; of the minimum if there is only
/// one.
pub fn lowest(mut a: f64, mut b: f64, width: f64, f: impl Fn(f64) -> f64) -> f64 {
    /// (√5 - 1)/2.
    const GOLDEN: f64 = 0.618_033_988_749_894_9;
    // a < c < d < b, and both inner points divide the interval in the golden section: one of them is kept in each step.
    let (mut c, mut d) = (b - GOLDEN * (b - a), a + GOLDEN * (b - a));
    let (mut at_c, mut at_d) = (f(c), f(d));
    // Each step keeps 0.618 of the interval; a hundred steps exceed the precision of a float.
    for _ in 0..100 {
        if b - a <= width {
            break;
        }
        if at_c < at_d {
            (b, d, at_d) = (d, c, at_c);
            c = b - GOLDEN * (b - a);
            at_c = f(c);
        } else {
            (a, c, at_c) = (c, d, at_d);
            d = a + GOLDEN * (b - a);
            at_d = f(d);
        }
    }
    (a + b) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_minima_inside_and_at_an_end() {
        assert!((lowest(0.0, 1.0, 1e-9, |x| (x - 0.3).powi(2)) - 0.3).abs() < 1e-8);
        assert!(lowest(0.0, 1.0, 1e-9, |x| x) < 1e-8);
    }

    #[test]
    fn finds_roots_that_are_steep_flat_or_at_an_end() {
        assert!((root_in_bracket(0.0, 1.0, |x| x * x - 0.25) - 0.5).abs() < 1e-15);
        assert!((root_in_bracket(0.0, 1.0, |x| (x - 0.3).powi(9)) - 0.3).abs() < 1e-3);
        assert!((root_in_bracket(0.0, 1.0, |x| if x < 0.7 { -1.0 } else { 1e-300 }) - 0.7).abs() < 1e-15);
        assert_eq!(root_in_bracket(0.0, 1.0, |x| x), 0.0);
    }
}
