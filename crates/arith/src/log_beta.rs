//! Enclosures of logarithms of rationals, of the gamma function and of the beta function, to about 100 bits.
//!
//! Logarithms by the series of artanh, `ln Γ` by Stirling's series from 24 on, and the recurrence below.

use super::enclosure::Enclosure;
use super::interval::Interval;
use super::rational::{Rational, from_f64, parse_decimal, to_f64_down, to_f64_up};
use dashu_base::BitTest;
use dashu_int::UBig;
use std::sync::LazyLock;

/// Binary digits after the point.
const BITS: usize = 112;
/// From here on Stirling's series is used.
const FAR: u8 = 24;
/// The coefficients `B(2k)/(2k (2k - 1))` of `1/z`, `1/z³`, … in Stirling's series. The truncation error is less than the next term,
/// which is below `14/24^21`.
const STIRLING: [(i64, u32); 10] = [
    (1, 12),
    (-1, 360),
    (1, 1260),
    (-1, 1680),
    (1, 1188),
    (-691, 360_360),
    (1, 156),
    (-3617, 122_400),
    (43_867, 244_188),
    (-174_611, 125_400),
];
/// A bound on the truncation error of Stirling's series.
const STIRLING_ERROR: f64 = 2e-28;

/// Encloses a rational.
fn of(value: &Rational) -> Enclosure {
    Enclosure::of(value, BITS)
}

/// The interval `[-radius, radius]`.
fn around_zero(radius: f64) -> Enclosure {
    let radius = from_f64(radius).unwrap_or(Rational::ONE);
    Enclosure::between(&-&radius, &radius, BITS)
}

/// `2 artanh(t) = ln((1 + t)/(1 - t)) = 2 (t + t³/3 + t⁵/5 + …)` for `|t| <= 1/3`.
fn twice_artanh(t: &Rational) -> Enclosure {
    let t = of(t);
    let square = t.times(&t);
    let (mut power, mut sum) = (t.clone(), t);
    let mut k = 1u32;
    // Each power is at most a ninth of the one before, so the truncated ones add up to less than the last.
    while power.size_exponent() > 4 - BITS as i64 {
        power = power.times(&square);
        k += 2;
        sum = sum.plus(&power.over_whole(k));
    }
    let truncation = around_zero(f64::powi(2.0, 8 - BITS as i32));
    sum.plus(&sum).plus(&truncation)
}

/// `ln 2`.
static LN_2: LazyLock<Enclosure> = LazyLock::new(|| twice_artanh(&Rational::from_parts(1.into(), 3u8.into())));

/// `½ ln 2π`, from a literal whose last digit is rounded.
static HALF_LN_2_PI: LazyLock<Enclosure> = LazyLock::new(|| {
    let digits = parse_decimal("0.918938533204672741780329736405617639861397").unwrap_or(Rational::ONE);
    of(&digits).plus(&around_zero(1e-42))
});

/// The logarithm of a positive rational.
///
/// ```
/// use rocproof_arith::{Rational, log_beta::ln};
/// let ln_3 = rocproof_arith::rational::parse_decimal("1.0986122886681096913952452369225").unwrap();
/// let found = ln(&Rational::from(3));
/// assert!(found.minus(&rocproof_arith::Enclosure::of(&ln_3, 112)).width_exponent() < -95);
/// ```
pub fn ln(value: &Rational) -> Enclosure {
    let (above, below) = (value.numerator().clone(), value.denominator().clone());
    // Scale by a power of two to about [2/3, 4/3].
    let mut shift = above.bit_len() as i64 - below.bit_len() as i64;
    let scaled = |shift: i64| {
        let power = UBig::ONE << shift.unsigned_abs() as usize;
        if shift >= 0 { value / Rational::from(power) } else { value * Rational::from(power) }
    };
    let mut rest = scaled(shift);
    if rest > Rational::from_parts(4.into(), 3u8.into()) {
        shift += 1;
        rest = scaled(shift);
    }
    let t = (&rest - Rational::ONE) / (&rest + Rational::ONE);
    twice_artanh(&t).plus(&LN_2.times(&of(&Rational::from(shift))))
}

/// `ln Γ(z)` for `z` at or above [`FAR`], by Stirling's series.
fn ln_gamma_far(z: &Rational) -> Enclosure {
    let half = Rational::from_parts(1.into(), 2u8.into());
    let mut sum = of(&(z - half)).times(&ln(z)).minus(&of(z)).plus(&HALF_LN_2_PI).plus(&around_zero(STIRLING_ERROR));
    let inverse = of(&(Rational::ONE / z));
    let square = inverse.times(&inverse);
    let mut power = inverse;
    for (above, below) in STIRLING {
        sum = sum.plus(&power.times(&of(&Rational::from_parts(above.into(), below.into()))));
        power = power.times(&square);
    }
    sum
}

/// The product `z (z + 1) (z + 2) …` of the factors below [`FAR`], and the first factor that is not: `Γ(end) = product·Γ(z)`.
fn rising_product(z: &Rational) -> (Rational, Rational) {
    let (mut at, mut product) = (z.clone(), Rational::ONE);
    while at < Rational::from(FAR) {
        product *= &at;
        at += Rational::ONE;
    }
    (product, at)
}

/// `ln Γ(z)` for a positive rational.
///
/// ```
/// use rocproof_arith::{Rational, log_beta::{ln, ln_gamma}};
/// // Γ(5) = 24.
/// let difference = ln_gamma(&Rational::from(5)).minus(&ln(&Rational::from(24)));
/// assert!(difference.contains(&Rational::ZERO) && difference.width_exponent() < -85);
/// ```
pub fn ln_gamma(z: &Rational) -> Enclosure {
    let (product, far) = rising_product(z);
    ln_gamma_far(&far).minus(&ln(&product))
}

/// `ln B(a, b)` for positive rationals.
///
/// ```
/// use rocproof_arith::{Rational, log_beta::{ln, ln_beta}};
/// // B(2, 3) = 1/12.
/// let difference = ln_beta(&Rational::from(2), &Rational::from(3)).plus(&ln(&Rational::from(12)));
/// assert!(difference.contains(&Rational::ZERO) && difference.width_exponent() < -85);
/// ```
pub fn ln_beta(a: &Rational, b: &Rational) -> Enclosure {
    let [(of_a, a), (of_b, b), (of_sum, sum)] = [rising_product(a), rising_product(b), rising_product(&(a + b))];
    let far = ln_gamma_far(&a).plus(&ln_gamma_far(&b)).minus(&ln_gamma_far(&sum));
    far.plus(&ln(&(of_sum / (of_a * of_b))))
}

/// `e^x` as an interval of floats.
pub fn exp(x: &Enclosure) -> Interval {
    let [lo, hi] = x.ends();
    let main = to_f64_down(&lo);
    let Some(exact) = from_f64(main) else { return Interval::ALL };
    // Split x into a float and a small rest.
    let rest = Interval::new(to_f64_down(&(lo - &exact)), to_f64_up(&(hi - exact)));
    Interval::from(main).exp() * rest.exp()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::libm;

    fn decimal(text: &str) -> Rational {
        parse_decimal(text).unwrap()
    }

    fn holds(found: &Enclosure, truth: &str) {
        let truth = decimal(truth);
        // The last digit is rounded.
        let slack = decimal("1e-37");
        let slack = Enclosure::between(&(&truth - &slack), &(&truth + slack), 140);
        assert!(found.meets(&slack) && found.width_exponent() < -80, "{truth} {found:?}");
    }

    /// Against 40 digits of other means, from small to large.
    #[test]
    fn logarithms_hold_reference_values() {
        holds(&ln(&decimal("0.7")), "-0.356674943938732378912638711241184477964");
        holds(&ln(&decimal("200.25")), "5.299566585948468602273841771598547492549");
        holds(&ln(&decimal("1e-30")), "-69.07755278982137052053974364053092622803");
        assert!(ln(&Rational::ONE).contains(&Rational::ZERO));
        let two_pi = decimal("6.28318530717958647692528676655900576839433879875021");
        assert!(HALF_LN_2_PI.plus(&HALF_LN_2_PI).meets(&ln(&two_pi)) && HALF_LN_2_PI.width_exponent() < -100);
    }

    #[test]
    fn the_beta_function_holds_reference_values() {
        for (a, b, truth) in REFERENCE {
            holds(&ln_beta(&decimal(a), &decimal(b)), truth);
        }
        // B(n, b) is a product for whole n.
        let b = decimal("1000.5");
        let product = (&b * (&b + Rational::ONE)) * (&b + Rational::from(2)) / Rational::from(2);
        let zero = ln_beta(&Rational::from(3), &b).plus(&ln(&product));
        assert!(zero.contains(&Rational::ZERO) && zero.width_exponent() < -80);
    }

    const REFERENCE: [(&str, &str, &str); 5] = [
        ("0.3", "0.3", "1.793362131566916143737482064339336872656"),
        ("0.3", "200", "-0.4931720406064203358788488001982820530176"),
        ("2.5", "3.5", "-3.301835269962052609799184383389828128309"),
        ("199", "16.25", "-58.03651204897855171560366029352730632238"),
        ("23.999", "0.0001", "9.209966955091369044557976783406766489564"),
    ];

    #[test]
    fn exponentials_are_a_few_floats_wide() {
        for text in ["0", "1", "-37.25", "1e-20", "-0.00001234567890123456789", "-58.03651204897855171560366", "600.1"]
        {
            let found = exp(&of(&decimal(text)));
            assert!(ln(&from_f64(found.lo()).unwrap()).ends()[0] <= decimal(text));
            assert!(ln(&from_f64(found.hi()).unwrap()).ends()[1] >= decimal(text));
            let widest = f64::from(6 * libm::FLOATS_BEYOND) * f64::EPSILON * found.hi();
            assert!(found.width() <= widest, "{text}: {found:?}");
        }
    }
    /// Both ends count.
    #[test]
    fn exponentials_hold_those_of_all_numbers_between() {
        let [lo, hi] = ["-12.3000000001", "-12.3"].map(decimal);
        let found = exp(&Enclosure::between(&lo, &hi, BITS));
        let [of_lo, of_hi] = [found.lo(), found.hi()].map(|end| ln(&from_f64(end).unwrap()).ends());
        assert!(of_lo[0] <= lo && of_hi[1] >= hi, "{found:?}");
        assert!(found.width() < 1.001e-10 * found.hi());
    }
}
