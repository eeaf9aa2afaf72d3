//! The beta density `w(c) = c^(a-1) (1-c)^(b-1) / B(a, b)` of operating conditions, in enclosures.

use super::peak::Peak;
use crate::constant::Constant;
use crate::model::family::beta_mass;
use rocproof_arith::{Interval, Rational, Series};

/// If the complement `1-c` is below this, `ln c` is computed as `ln(1 - (1-c))`, which is more accurate.
const SMALL: f64 = 0.25;
/// Whole exponents up to this are computed by repeated multiplication.
const LARGEST_WHOLE: f64 = 64.0;

/// A beta density, enclosed.
#[derive(Clone, Debug)]
pub(super) struct EnclosedCosts {
    /// `a` and `b`.
    parameters: [Interval; 2],
    /// `a - 1` and `b - 1`.
    exponents: [Interval; 2],
    form: BetaForm,
}

/// How the density is evaluated.
#[derive(Clone, Debug)]
enum BetaForm {
    Uniform,
    /// Powers times `1/B(a, b)`.
    Powers(Interval),
    /// Around the center of a narrow peak, for large parameters: the density, and those with `a - 1` and with `b - 1` in place of `a` and
    /// `b`, which make up its derivative.
    Peak(Box<[Peak; 3]>),
}

/// The parameter minus 1, exactly if it is rational.
fn less_one(parameter: &Constant) -> Constant {
    match &parameter.exact {
        Some(exact) => Constant::rational(exact - Rational::ONE),
        None => Constant::real(parameter.value - 1.0, parameter.enclosure - Interval::ONE),
    }
}

/// The exponent, if it is a small whole number: repeated multiplication is then better than `exp(exponent·ln c)`.
fn as_small_whole(exponent: Interval) -> Option<i32> {
    let is_whole = exponent.is_point() && exponent.lo().fract() == 0.0;
    (is_whole && (0.0..=LARGEST_WHOLE).contains(&exponent.lo())).then_some(exponent.lo() as i32)
}

impl EnclosedCosts {
    /// The beta density with these parameters; `None` if its scale could not be enclosed.
    pub(super) fn new(parameters: &[Constant; 2]) -> Option<EnclosedCosts> {
        let uniform = parameters.iter().all(|p| p.enclosure == Interval::ONE);
        let exponents = parameters.each_ref().map(|p| p.enclosure - Interval::ONE);
        let [a, b] = parameters;
        let form = if uniform {
            BetaForm::Uniform
        } else if Peak::applies_to(parameters) {
            let lower_a = [less_one(a), b.clone()];
            let lower_b = [a.clone(), less_one(b)];
            BetaForm::Peak(Box::new([Peak::new(parameters)?, Peak::new(&lower_a)?, Peak::new(&lower_b)?]))
        } else {
            BetaForm::Powers(Interval::ONE / beta_mass(parameters)?)
        };
        Some(EnclosedCosts { parameters: parameters.each_ref().map(|p| p.enclosure), exponents, form })
    }

    /// The mean operating condition.
    pub(super) fn mean(&self) -> Interval {
        let [a, b] = self.parameters;
        // a/(a + b) grows with a and falls with b.
        let end = |a: f64, b: f64| Interval::from(a) / (Interval::from(a) + Interval::from(b));
        Interval::new(end(a.lo(), b.hi()).lo(), end(a.hi(), b.lo()).hi())
    }

    /// Whether the density is smooth at 0 and 1: a polynomial, or a narrow peak, which is flat at both ends.
    pub(super) fn is_smooth(&self) -> bool {
        !matches!(self.form, BetaForm::Powers(_))
            || self.exponents.iter().all(|exponent| as_small_whole(*exponent).is_some())
    }

    /// The smallest of `a`, `b` and 1. Towards 0 and 1, the mass vanishes at least as fast as this power of the distance.
    pub(super) fn least_power(&self) -> f64 {
        self.parameters.iter().map(|p| p.lo()).fold(1.0, f64::min)
    }

    /// The density along a patch, as a series, given the condition `c` and `1-c`.
    pub(super) fn along(&self, c: &Series, complement: &Series) -> Series {
        let scale = match &self.form {
            BetaForm::Uniform => return Series::from(1.0),
            BetaForm::Peak(peaks) => return peaks[0].along(c, complement),
            BetaForm::Powers(scale) => *scale,
        };
        let power = |base: &Series, one_minus_base: &Series, exponent: Interval| match as_small_whole(exponent) {
            Some(n) => base.power(n),
            // Close to 1 the complement is more accurate.
            None if one_minus_base.bound() < SMALL => (-*one_minus_base).ln_1p().scaled(exponent).exp(),
            None => base.ln().scaled(exponent).exp(),
        };
        let [a, b] = self.exponents;
        (power(c, complement, a) * power(complement, c, b)).scaled(scale)
    }

    /// The range of the density over an interval of conditions `c`, given with that of `1-c`.
    pub(super) fn at(&self, c: Interval, complement: Interval) -> Interval {
        match &self.form {
            BetaForm::Uniform => Interval::ONE,
            BetaForm::Peak(peaks) => peaks[0].at(c, complement),
            BetaForm::Powers(scale) => c.pow(self.exponents[0]) * complement.pow(self.exponents[1]) * *scale,
        }
    }

    /// The range of the derivative `w'(c)` over an interval of conditions, given with that of `1-c`.
    pub(super) fn slope(&self, c: Interval, complement: Interval) -> Interval {
        let scale = match &self.form {
            BetaForm::Uniform => return Interval::ZERO,
            BetaForm::Peak(peaks) => {
                // w' = (a + b - 1)·(w with a - 1, minus w with b - 1), since (a - 1) B(a - 1, b) = (a + b - 1) B(a, b).
                let [a, b] = self.parameters;
                return (a + b - Interval::ONE) * (peaks[1].at(c, complement) - peaks[2].at(c, complement));
            }
            BetaForm::Powers(scale) => *scale,
        };
        let [p, q] = self.exponents;
        // The product rule gives two terms of the form p·base^(p-1)·other^q.
        let term = |p: Interval, base: Interval, other: Interval, q: Interval| {
            if p == Interval::ZERO { Interval::ZERO } else { p * base.pow(p - Interval::ONE) * other.pow(q) }
        };
        (term(p, c, complement, q) - term(q, complement, c, p)) * scale
    }

    /// An upper bound on the mass of an interval of conditions. It is the least of four bounds: the width times the largest density, the
    /// mass from 0 to the upper end, the mass from the lower end to 1, and 1.
    pub(super) fn mass(&self, c: Interval, complement: Interval) -> f64 {
        let width = c.width().min(complement.width()).max(0.0);
        if matches!(self.form, BetaForm::Uniform) || width == 0.0 {
            return width;
        }
        let (c, complement) = (c.meet(Interval::UNIT), complement.meet(Interval::UNIT));
        let by_width = (self.at(c, complement) * Interval::from(width)).hi();
        let BetaForm::Powers(scale) = self.form else { return by_width.min(1.0) };
        // The integral of c^(a-1) from 0 is c^a/a; the other factor, (1-c)^(b-1), is bounded by its maximum. Likewise from 1.
        let mass_from_end = |side: usize, distance: Interval, other: Interval| {
            let a = self.parameters[side];
            let other_factor = Interval::new(other.lo(), 1.0).pow(self.exponents[1 - side]).hi();
            (Interval::from(distance.hi()).pow(a) / a * scale * Interval::from(other_factor)).hi()
        };
        let bounds = [by_width, mass_from_end(0, c, complement), mass_from_end(1, complement, c), 1.0];
        // A bound that is NaN, from 0·∞, says nothing.
        bounds.into_iter().filter(|b| !b.is_nan()).fold(f64::INFINITY, f64::min)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rocproof_arith::rational::from_f64;

    fn rational(value: f64) -> Constant {
        Constant::rational(from_f64(value).unwrap())
    }

    /// The mass of a weight over one interval of conditions, as the integral of its series. On the way, the readings of the weight are
    /// checked against each other.
    fn checked_mass(weight: &EnclosedCosts, lo: Interval, hi: Interval) -> Interval {
        let half = (hi - lo) * Interval::from(0.5);
        let c = Series::linear((hi + lo) * Interval::from(0.5), half);
        let density = weight.along(&c, &(Series::from(1.0) - c));
        let range = Interval::new(lo.lo(), hi.hi());
        let density_range = weight.at(range, Interval::ONE - range);
        let by_range = density_range * (hi - lo);
        let mass = if density.is_known() { (density * Series::from(half)).integral() } else { by_range };
        // The range over the interval contains the series at its midpoint, and bounds the mass.
        let middle = c.at(Interval::ZERO);
        let at_middle = weight.at(middle, Interval::ONE - middle);
        let by_series = density.at(Interval::ZERO);
        assert!(!density.is_known() || density_range.hi() >= by_series.lo() && at_middle.meets(by_series));
        assert!(weight.mass(range, Interval::ONE - range) >= mass.lo(), "{weight:?}: {mass:?}");
        // Mean value theorem: derivative times length meets the increment.
        let [left, right] = [lo, hi].map(|c| weight.at(c, Interval::ONE - c));
        let increment = weight.slope(range, Interval::ONE - range) * (hi - lo);
        assert!(increment.meets(right - left), "{weight:?}: {increment:?} {left:?} {right:?}");
        mass.meet(by_range)
    }

    /// `1/B(600, 600)` overflows: such a weight was refused, and with it the whole evaluation. A density evaluated around its center has
    /// mass 1, up to the mass beyond 40 standard deviations.
    #[test]
    fn narrow_peaks_have_mass_1() {
        const PARTS: usize = 4000;
        let pairs = [[40.0, 40.0], [600.0, 600.0], [1e3, 3e3], [1e6, 5e5], [5e5, 1e6], [1e6, 1e6], [45.0, 1e6]];
        for [a, b] in pairs.into_iter().chain([[1e6, 45.0], [41.5, 77.25]]) {
            let weight = EnclosedCosts::new(&[rational(a), rational(b)]).unwrap();
            let (mean, deviation) = (a / (a + b), (a * b / (a + b + 1.0)).sqrt() / (a + b));
            let (from, to) = ((mean - 40.0 * deviation).max(0.0), (mean + 40.0 * deviation).min(1.0));
            let cut = |k: usize| Interval::from(from + (to - from) * k as f64 / PARTS as f64);
            let masses = (0..PARTS).map(|k| checked_mass(&weight, cut(k), cut(k + 1)));
            let mass = masses.fold(Interval::ZERO, |sum, mass| sum + mass);
            assert!(mass.contains(1.0) && mass.width() < 1e-10, "{a} {b}: {mass:?}");
        }
    }

    /// For parameters that are not known to be rational, the peak's height is integrated numerically. The density and its derivative agree
    /// with those by powers.
    #[test]
    fn peaks_and_powers_agree() {
        let real = |value: f64| Constant::real(value, Interval::from(value));
        for [a, b] in [[50.0, 60.0], [150.0, 41.0]] {
            let peak = EnclosedCosts::new(&[real(a), real(b)]).unwrap();
            let powers = EnclosedCosts {
                form: BetaForm::Powers(Interval::ONE / beta_mass(&[rational(a), rational(b)]).unwrap()),
                ..peak.clone()
            };
            for k in 1..64 {
                let (c, complement) = (Interval::from(f64::from(k) / 64.0), Interval::from(1.0 - f64::from(k) / 64.0));
                let [p, q] = [peak.at(c, complement), powers.at(c, complement)];
                assert!(p.meets(q) && p.width() <= 1e-10 * (1.0 + q.hi()), "{a} {b} {c:?}: {p:?} {q:?}");
                let [p, q] = [peak.slope(c, complement), powers.slope(c, complement)];
                assert!(p.meets(q) && p.width() <= 1e-8 * (1.0 + q.magnitude()), "{a} {b} {c:?}: {p:?} {q:?}");
            }
        }
    }
}
