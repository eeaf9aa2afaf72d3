//! Special functions in floating point, with the accuracy that densities need.

use std::f64::consts::PI;

/// `ln(1 + t) - t`, without cancellation near `t = 0`.
///
/// With `r = t/(2+t)`: `ln(1+t) = 2 artanh(r)` and `2r - t = -rt`, so the value is
/// `-rt + 2r³(1/3 + r²/5 + r⁴/7 + …)`.
///
/// ```
/// use rocproof_arith::special::ln_1p_minus;
/// assert!((ln_1p_minus(1e-6) - (-4.9999966666691666e-13)).abs() < 1e-27);
/// ```
pub fn ln_1p_minus(t: f64) -> f64 {
    if t.abs() > 0.35 {
        return t.ln_1p() - t;
    }
    let r = t / (2.0 + t);
    let s = r * r;
    // |r| <= 0.212, so the first neglected term is below 1e-17 of the value.
    let tail = (0..12).rev().fold(0.0, |sum, k| sum * s + 1.0 / f64::from(2 * k + 3));
    r * (2.0 * s * tail - t)
}

/// The remainder of Stirling's formula, `ln Γ(z) - [(z - ½) ln z - z + ½ ln 2π]`, for `z > 0`.
///
/// The recurrence moves the argument up to at least 16; there the asymptotic series is used.
pub fn stirling_remainder(z: f64) -> f64 {
    /// From here on the asymptotic series is accurate.
    const FAR: f64 = 16.0;
    let mut from_recurrence = 0.0;
    let mut at = z;
    while at < FAR {
        from_recurrence += (at + 0.5) * (1.0 / at).ln_1p() - 1.0;
        at += 1.0;
    }
    let s = 1.0 / (at * at);
    let series = 1.0 / 12.0 - s * (1.0 / 360.0 - s * (1.0 / 1260.0 - s * (1.0 / 1680.0 - s * (1.0 / 1188.0))));
    from_recurrence + series / at
}

/// `p^a q^b / B(a, b)` with `p = a/(a+b)`, `q = b/(a+b)`: the constant factor of a beta density that is written relative to its mean.
///
/// It is computed from Stirling remainders, because large terms cancel in `ln Γ(a+b) - ln Γ(a) - ln Γ(b)`.
pub fn beta_scale(a: f64, b: f64) -> f64 {
    let remainder = stirling_remainder(a + b) - stirling_remainder(a) - stirling_remainder(b);
    // a/(a+b)·b rather than a·b/(a+b): the product may overflow.
    (a / (a + b) * b / (2.0 * PI)).sqrt() * remainder.exp()
}

/// `-a ln(a/(a+b))`, without cancellation where `b` is small.
pub fn minus_log_share(a: f64, b: f64) -> f64 {
    if b < a { a * (b / a).ln_1p() } else { -a * (a / (a + b)).ln() }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values of `ln Γ` computed with 30 digits.
    #[test]
    fn stirling_remainder_matches_reference_digits() {
        let cases = [
            (0.05, 2.968_879_201_051_730_8_f64),
            (0.3, 1.095_797_994_818_075_5),
            (1.0, 0.0),
            (7.5, 7.534_364_236_758_733),
            (200.0, 857.933_669_825_857_4),
        ];
        for (z, ln_gamma) in cases {
            let stirling = (z - 0.5) * f64::ln(z) - z + 0.5 * (2.0 * PI).ln();
            let error = (stirling + stirling_remainder(z) - ln_gamma).abs();
            assert!(error < 1e-15 * (1.0 + ln_gamma), "ln Γ({z}) is off by {error:e}");
        }
    }

    #[test]
    fn ln_1p_minus_is_continuous_where_its_branches_meet() {
        for t in [0.35, -0.35] {
            let inside = ln_1p_minus(t * (1.0 - 1e-15));
            let outside = ln_1p_minus(t * (1.0 + 1e-15));
            assert!((inside - outside).abs() < 1e-15, "{inside} against {outside}");
        }
    }
}
