//! The density of operating conditions, enclosed.

use super::peak::Peak;
use crate::constant::Constant;
use crate::model::certified::parts::beta_mass;
use rocproof_arith::{Interval, Rational, Series};

/// Below this a condition, or one minus it, is close to 0.
const SMALL: f64 = 0.25;

/// A beta density.
#[derive(Clone, Debug)]
pub(super) struct EnclosedBeta {
    /// `a` and `b`.
    parameters: [Interval; 2],
    /// `a - 1` and `b - 1`.
    exponents: [Interval; 2],
    form: BetaForm,
}

/// How its values are told.
#[derive(Clone, Debug)]
enum BetaForm {
    Uniform,
    /// Powers times `1/B(a, b)`.
    Powers(Interval),
    /// From the center of a narrow peak; and the densities with one parameter less by 1, `a` or `b`, which its derivative is made of.
    Peak(Box<[Peak; 3]>),
}

/// One less.
fn less_one(parameter: &Constant) -> Constant {
    match &parameter.exact {
        Some(exact) => Constant::rational(exact - Rational::ONE),
        None => Constant::real(parameter.value - 1.0, parameter.enclosure - Interval::ONE),
    }
}

/// A whole exponent that is not worth a logarithm.
fn whole(exponent: Interval) -> Option<i32> {
    let small = exponent.is_point() && exponent.lo().fract() == 0.0 && (0.0..=64.0).contains(&exponent.lo());
    small.then_some(exponent.lo() as i32)
}

impl EnclosedBeta {
    /// The beta density with these parameters; `None` if its scale could not be enclosed.
    pub(super) fn new(parameters: &[Constant; 2]) -> Option<EnclosedBeta> {
        let uniform = parameters.iter().all(|p| p.enclosure == Interval::ONE);
        let exponents = parameters.each_ref().map(|p| p.enclosure - Interval::ONE);
        let [a, b] = parameters;
        let form = if uniform {
            BetaForm::Uniform
        } else if Peak::applies_to(parameters) {
            let lesser = [[less_one(a), b.clone()], [a.clone(), less_one(b)]];
            BetaForm::Peak(Box::new([Peak::new(parameters)?, Peak::new(&lesser[0])?, Peak::new(&lesser[1])?]))
        } else {
            BetaForm::Powers(Interval::ONE / beta_mass(parameters)?)
        };
        Some(EnclosedBeta { parameters: parameters.each_ref().map(|p| p.enclosure), exponents, form })
    }

    /// The mean operating condition.
    pub(super) fn mean(&self) -> Interval {
        let [a, b] = self.parameters;
        // Grows with a and falls with b.
        let end = |a: f64, b: f64| Interval::from(a) / (Interval::from(a) + Interval::from(b));
        Interval::new(end(a.lo(), b.hi()).lo(), end(a.hi(), b.lo()).hi())
    }

    /// Whether it is a polynomial, or vanishes at both ends as fast as one.
    pub(super) fn is_smooth(&self) -> bool {
        !matches!(self.form, BetaForm::Powers(_)) || self.exponents.iter().all(|exponent| whole(*exponent).is_some())
    }

    /// The smaller parameter, or 1.
    pub(super) fn least_power(&self) -> f64 {
        self.parameters.iter().map(|p| p.lo()).fold(1.0, f64::min)
    }

    /// The density along a stretch, at a condition given with one minus it.
    pub(super) fn along(&self, c: &Series, complement: &Series) -> Series {
        let scale = match &self.form {
            BetaForm::Uniform => return Series::from(1.0),
            BetaForm::Peak(peaks) => return peaks[0].along(c, complement),
            BetaForm::Powers(scale) => *scale,
        };
        let power = |of: &Series, other: &Series, exponent: Interval| match whole(exponent) {
            Some(n) => of.power(n),
            // Close to 1 what it lacks of it is known better.
            None if other.bound() < SMALL => (-*other).ln_1p().scaled(exponent).exp(),
            None => of.ln().scaled(exponent).exp(),
        };
        let [a, b] = self.exponents;
        (power(c, complement, a) * power(complement, c, b)).scaled(scale)
    }

    /// The density at all conditions of an interval.
    pub(super) fn at(&self, c: Interval, complement: Interval) -> Interval {
        match &self.form {
            BetaForm::Uniform => Interval::ONE,
            BetaForm::Peak(peaks) => peaks[0].at(c, complement),
            BetaForm::Powers(scale) => c.pow(self.exponents[0]) * complement.pow(self.exponents[1]) * *scale,
        }
    }

    /// The derivative of the density at all conditions of an interval.
    pub(super) fn slope(&self, c: Interval, complement: Interval) -> Interval {
        let scale = match &self.form {
            BetaForm::Uniform => return Interval::ZERO,
            BetaForm::Peak(peaks) => {
                // Both terms are densities again, as a B(a, b) = (a + b) B(a + 1, b).
                let [a, b] = self.parameters;
                return (a + b - Interval::ONE) * (peaks[1].at(c, complement) - peaks[2].at(c, complement));
            }
            BetaForm::Powers(scale) => *scale,
        };
        let [p, q] = self.exponents;
        let term = |power: Interval, of: Interval, other: Interval, rest: Interval| {
            if power == Interval::ZERO {
                Interval::ZERO
            } else {
                power * of.pow(power - Interval::ONE) * other.pow(rest)
            }
        };
        (term(p, c, complement, q) - term(q, complement, c, p)) * scale
    }

    /// A bound on the mass of all conditions between the ends of an interval.
    pub(super) fn mass(&self, c: Interval, complement: Interval) -> f64 {
        let width = c.width().min(complement.width()).max(0.0);
        if matches!(self.form, BetaForm::Uniform) || width == 0.0 {
            return width;
        }
        let within = |v: Interval| v.meet(Interval::UNIT);
        let (c, complement) = (within(c), within(complement));
        let plain = (self.at(c, complement) * Interval::from(width)).hi();
        let BetaForm::Powers(scale) = self.form else { return plain.min(1.0) };
        // ∫ c^(a-1) from 0 is c^a/a; the other factor at its largest.
        let near = |side: usize, of: Interval, other: Interval| {
            let a = self.parameters[side];
            let rest = Interval::new(other.lo(), 1.0).pow(self.exponents[1 - side]).hi();
            (Interval::from(of.hi()).pow(a) / a * scale * Interval::from(rest)).hi()
        };
        let bounds = [plain, near(0, c, complement), near(1, complement, c), 1.0];
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

    /// No float is `1/B(600, 600)`: the weight was refused, and with it the whole evaluation. A peak told from its center has the
    /// same values as powers have, and mass 1.
    #[test]
    fn narrow_peaks_have_mass_1() {
        let pairs = [[40.0, 40.0], [600.0, 600.0], [1e3, 3e3], [1e6, 5e5], [5e5, 1e6], [1e6, 1e6], [45.0, 1e6]];
        for [a, b] in pairs.into_iter().chain([[1e6, 45.0], [41.5, 77.25]]) {
            let weight = EnclosedBeta::new(&[rational(a), rational(b)]).unwrap();
            let (mean, deviation) = (a / (a + b), (a * b / (a + b + 1.0)).sqrt() / (a + b));
            let mut sum = Interval::ZERO;
            let (from, to) = ((mean - 40.0 * deviation).max(0.0), (mean + 40.0 * deviation).min(1.0));
            const PARTS: usize = 4000;
            for k in 0..PARTS {
                let place = |k: usize| from + (to - from) * k as f64 / PARTS as f64;
                let [lo, hi] = [place(k), place(k + 1)].map(Interval::from);
                let half = (hi - lo) * Interval::from(0.5);
                let c = Series::linear((hi + lo) * Interval::from(0.5), half);
                let complement = Series::from(1.0) - c;
                let range = Interval::new(lo.lo(), hi.hi());
                let at = weight.at(range, Interval::ONE - range);
                let along = weight.along(&c, &complement);
                let found = if along.is_known() { (along * Series::from(half)).integral() } else { at * (hi - lo) };
                // What is bounded holds what is followed, and the mass.
                let middle = c.at(Interval::ZERO);
                let there = weight.at(middle, Interval::ONE - middle);
                assert!(
                    !along.is_known()
                        || at.hi() >= along.at(Interval::ZERO).lo() && there.meets(along.at(Interval::ZERO))
                );
                assert!(weight.mass(range, Interval::ONE - range) >= found.lo(), "{a} {b}: {found:?}");
                sum = sum + found.meet(at * (hi - lo));
                // How fast it changes is what it changes by.
                let [left, right] = [lo, hi].map(|c| weight.at(c, Interval::ONE - c));
                let slope = weight.slope(range, Interval::ONE - range) * (hi - lo);
                assert!(slope.meets(right - left), "{a} {b}: {slope:?} {left:?} {right:?}");
            }
            assert!(sum.contains(1.0) && sum.width() < 1e-10, "{a} {b}: {sum:?}");
        }
    }

    /// Parameters that are no rational numbers are integrated.
    #[test]
    fn peaks_and_powers_agree() {
        let real = |value: f64| Constant::real(value, Interval::from(value));
        for [a, b] in [[50.0, 60.0], [150.0, 41.0]] {
            let peak = EnclosedBeta::new(&[real(a), real(b)]).unwrap();
            let powers = EnclosedBeta {
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
