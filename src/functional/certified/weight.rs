//! The density of operating conditions, enclosed.

use crate::arith::{Interval, Series};
use crate::model::certified::parts::beta_mass;
use crate::model::constant::Constant;

/// Below this a condition, or one minus it, is close to 0.
const SMALL: f64 = 0.25;

/// A beta density.
#[derive(Clone, Debug)]
pub(super) struct Weight {
    /// `a` and `b`.
    parameters: [Interval; 2],
    /// `a - 1` and `b - 1`.
    exponents: [Interval; 2],
    /// `1/B(a, b)`.
    scale: Interval,
    uniform: bool,
}

/// A whole exponent that is not worth a logarithm.
fn whole(exponent: Interval) -> Option<i32> {
    let small = exponent.is_point() && exponent.lo().fract() == 0.0 && (0.0..=64.0).contains(&exponent.lo());
    small.then_some(exponent.lo() as i32)
}

impl Weight {
    /// The beta density with these parameters; `None` if its scale could not be enclosed.
    pub(super) fn new(parameters: &[Constant; 2]) -> Option<Weight> {
        let uniform = parameters.iter().all(|p| p.enclosure == Interval::ONE);
        let exponents = parameters.each_ref().map(|p| p.enclosure - Interval::ONE);
        let scale = if uniform { Interval::ONE } else { Interval::ONE / beta_mass(parameters)? };
        Some(Weight { parameters: parameters.each_ref().map(|p| p.enclosure), exponents, scale, uniform })
    }

    /// The mean operating condition.
    pub(super) fn mean(&self) -> Interval {
        let [a, b] = self.parameters;
        // Grows with a and falls with b.
        let end = |a: f64, b: f64| Interval::from(a) / (Interval::from(a) + Interval::from(b));
        Interval::new(end(a.lo(), b.hi()).lo(), end(a.hi(), b.lo()).hi())
    }

    /// Whether it is a polynomial.
    pub(super) fn is_smooth(&self) -> bool {
        self.uniform || self.exponents.iter().all(|exponent| whole(*exponent).is_some())
    }

    /// The smaller parameter, or 1.
    pub(super) fn least_power(&self) -> f64 {
        self.parameters.iter().map(|p| p.lo()).fold(1.0, f64::min)
    }

    /// The density along a stretch, at a condition given with one minus it.
    pub(super) fn along(&self, c: &Series, complement: &Series) -> Series {
        if self.uniform {
            return Series::from(1.0);
        }
        let power = |of: &Series, other: &Series, exponent: Interval| match whole(exponent) {
            Some(n) => of.power(n),
            // Close to 1 what it lacks of it is known better.
            None if other.bound() < SMALL => (-*other).ln_1p().scaled(exponent).exp(),
            None => of.ln().scaled(exponent).exp(),
        };
        let [a, b] = self.exponents;
        (power(c, complement, a) * power(complement, c, b)).scaled(self.scale)
    }

    /// The density at all conditions of an interval.
    pub(super) fn at(&self, c: Interval, complement: Interval) -> Interval {
        if self.uniform {
            return Interval::ONE;
        }
        c.pow(self.exponents[0]) * complement.pow(self.exponents[1]) * self.scale
    }

    /// The derivative of the density at all conditions of an interval.
    pub(super) fn slope(&self, c: Interval, complement: Interval) -> Interval {
        if self.uniform {
            return Interval::ZERO;
        }
        let [p, q] = self.exponents;
        let term = |power: Interval, of: Interval, other: Interval, rest: Interval| {
            if power == Interval::ZERO {
                Interval::ZERO
            } else {
                power * of.pow(power - Interval::ONE) * other.pow(rest)
            }
        };
        (term(p, c, complement, q) - term(q, complement, c, p)) * self.scale
    }

    /// A bound on the mass of all conditions between the ends of an interval.
    pub(super) fn mass(&self, c: Interval, complement: Interval) -> f64 {
        let width = c.width().min(complement.width()).max(0.0);
        if self.uniform || width == 0.0 {
            return width;
        }
        let within = |v: Interval| v.meet(Interval::UNIT);
        let (c, complement) = (within(c), within(complement));
        let plain = (self.at(c, complement) * Interval::from(width)).hi();
        // ∫ c^(a-1) from 0 is c^a/a; the other factor at its largest.
        let near = |side: usize, of: Interval, other: Interval| {
            let a = self.parameters[side];
            let rest = Interval::new(other.lo(), 1.0).pow(self.exponents[1 - side]).hi();
            (Interval::from(of.hi()).pow(a) / a * self.scale * Interval::from(rest)).hi()
        };
        let bounds = [plain, near(0, c, complement), near(1, complement, c), 1.0];
        bounds.into_iter().filter(|b| !b.is_nan()).fold(f64::INFINITY, f64::min)
    }
}
