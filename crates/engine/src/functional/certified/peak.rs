//! A beta density with large parameters, evaluated around its center.
//!
//! For such parameters `1/B(a, b)` overflows, and the logarithms of `c` and `1-c` times large exponents cancel. So the density is
//! written as its value at a center `c0` times `e^g`. With `d = c - c0`, `p = a - 1`, `q = b - 1` and `h(t) = ln(1 + t) - t`,
//!
//! `g = p ln(1 + d/c0) + q ln(1 - d/(1-c0)) = (p/c0 - q/(1-c0)) d + p h(d/c0) + q h(-d/(1-c0))`.
//!
//! The linear terms cancel once, in exact arithmetic, instead of at every `c`.

use crate::constant::Constant;
use crate::model::family::centered_beta_mass;
use rocproof_arith::rational::from_f64;
use rocproof_arith::{Interval, Rational, Series};

/// Parameters from here on count as large.
const LARGE: f64 = 40.0;
/// Relative distances from the center up to which `h` is summed as a Taylor series.
const FLAT: f64 = 0.0625;
/// The highest power in that series.
const TERMS: u32 = 16;
/// Relative distances from the center up to which `ln(1 + t)` is used instead of a difference of logarithms.
const NEAR: f64 = 0.6;

/// A beta density with large parameters.
#[derive(Clone, Debug)]
pub(super) struct Peak {
    /// `p = a - 1` and `q = b - 1`.
    exponents: [Interval; 2],
    /// `c0`, a float, and `1 - c0`.
    center: [Interval; 2],
    /// The slope of `g` at the center: `p/c0 - q/(1-c0)`.
    tilt: Interval,
    /// The density at the center.
    height: Interval,
    /// The mode minus the center.
    mode: Interval,
}

/// The Taylor coefficients of `h(t)/t²` up to `t^(TERMS-2)`, for `|t| <= FLAT`. The last one is widened to cover the truncated terms: their
/// sum is at most `FLAT/((TERMS + 1)(1 - FLAT))` times the last power.
fn nonlinear_coefficients() -> Vec<Interval> {
    // h(t) = -t²/2 + t³/3 - t⁴/4 + …
    let sign = |k: u32| if k.is_multiple_of(2) { -Interval::ONE } else { Interval::ONE };
    let mut terms: Vec<Interval> = (2..=TERMS).map(|k| sign(k) / Interval::from(f64::from(k))).collect();
    if let Some(last) = terms.last_mut() {
        *last = *last + Interval::around(0.0, 2.0 * FLAT / f64::from(TERMS + 1));
    }
    terms
}

impl Peak {
    /// Whether both parameters are large.
    pub(super) fn applies_to(parameters: &[Constant; 2]) -> bool {
        parameters.iter().all(|p| p.enclosure.lo() >= LARGE)
    }

    /// The density with these parameters; `None` if its height could not be enclosed.
    pub(super) fn new(parameters: &[Constant; 2]) -> Option<Peak> {
        let (center, mass) = centered_beta_mass(parameters)?;
        let [p, q] = parameters.each_ref().map(|p| p.enclosure - Interval::ONE);
        let exact_exponents = parameters.each_ref().map(|p| p.exact.as_ref().map(|exact| exact - Rational::ONE));
        // The two terms cancel: exact arithmetic loses nothing.
        let tilt = match (exact_exponents, from_f64(center[0].lo())) {
            ([Some(p), Some(q)], Some(c0)) => Interval::of(&(p / &c0 - q / (Rational::ONE - c0))),
            _ => p / center[0] - q / center[1],
        };
        let mode = p / (p + q) - center[0];
        Some(Peak { exponents: [p, q], center, tilt, height: Interval::ONE / mass, mode })
    }

    /// The density along a patch, as a series, given the condition `c` and `1-c`.
    pub(super) fn along(&self, c: &Series, complement: &Series) -> Series {
        let [c0, y0] = self.center;
        // d = c - c0, from the smaller of the two numbers.
        let distance = if c0.lo() <= 0.5 { *c - Series::from(c0) } else { Series::from(y0) - *complement };
        // d/c0 and -d/(1-c0).
        let relative = [distance.scaled(Interval::ONE / c0), -distance.scaled(Interval::ONE / y0)];
        // The logarithm g of the density over its height: near the center with cancelled linear terms, elsewhere as a sum of logarithms.
        let log = if relative.iter().all(|t| t.bound() <= FLAT) {
            let coefficients = nonlinear_coefficients();
            let nonlinear = [0, 1]
                .map(|k| (relative[k] * relative[k] * relative[k].under(&coefficients)).scaled(self.exponents[k]));
            distance.scaled(self.tilt) + nonlinear[0] + nonlinear[1]
        } else {
            let log_ratio = |k: usize, value: &Series| {
                if relative[k].bound() < NEAR {
                    relative[k].ln_1p()
                } else {
                    value.ln() - Series::from(self.center[k].ln())
                }
            };
            log_ratio(0, c).scaled(self.exponents[0]) + log_ratio(1, complement).scaled(self.exponents[1])
        };
        log.exp().scaled(self.height)
    }

    /// The range of the density over an interval of conditions `c`, given with that of `1-c`. The density rises up to the mode and falls
    /// after it.
    pub(super) fn at(&self, c: Interval, complement: Interval) -> Interval {
        let [c0, y0] = self.center;
        let distance = (c.meet(Interval::UNIT) - c0).meet(y0 - complement.meet(Interval::UNIT));
        let (lo, hi) = (distance.lo(), distance.hi());
        let [at_lo, at_hi] = [lo, hi].map(|end| self.ratio(Interval::from(end)));
        // The largest value is at the mode, or at the end next to it.
        let [top_lo, top_hi] = [self.mode.lo(), self.mode.hi()].map(|mode| mode.clamp(lo, hi));
        let at_top = self.ratio(Interval::new(top_lo, top_hi));
        Interval::new(at_lo.lo().min(at_hi.lo()), at_top.hi().max(at_lo.hi()).max(at_hi.hi())) * self.height
    }

    /// The range of `e^g` for a range of distances `d` from the center: the density divided by its value at the center.
    fn ratio(&self, distance: Interval) -> Interval {
        let relative = [distance / self.center[0], -distance / self.center[1]];
        // There `c` or `1-c` is at most 0: outside of the support.
        if relative.iter().any(|t| t.hi() <= -1.0) {
            return Interval::ZERO;
        }
        let log = if relative.iter().all(|t| t.magnitude() <= FLAT) {
            // h(t)/t² by Horner's rule.
            let h_over_square = |t: Interval| {
                nonlinear_coefficients().into_iter().rev().fold(Interval::ZERO, |sum, term| sum * t + term)
            };
            let nonlinear = [0, 1].map(|k| relative[k].square() * h_over_square(relative[k]) * self.exponents[k]);
            self.tilt * distance + nonlinear[0] + nonlinear[1]
        } else {
            // Both terms grow with their relative distance: bounds are at the ends.
            let log = |k: usize, t: f64| Interval::from(t).ln_1p() * self.exponents[k];
            let most = (log(0, relative[0].hi()) + log(1, relative[1].hi())).hi();
            // The range reaches the end of the support, where the density is 0.
            if relative.iter().any(|t| t.lo() <= -1.0) {
                return Interval::new(0.0, Interval::from(most).exp().hi());
            }
            Interval::new((log(0, relative[0].lo()) + log(1, relative[1].lo())).lo(), most)
        };
        log.exp()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rocproof_arith::{Enclosure, log_beta};

    /// The series of `h(t) = ln(1 + t) - t` on its whole range, against a computation with more digits.
    #[test]
    fn the_series_is_the_logarithm_without_its_linear_term() {
        let coefficients = nonlinear_coefficients();
        for k in -64i32..=64 {
            let t = Rational::from_parts(k.into(), 1024u32.into());
            let exact = log_beta::ln(&(Rational::ONE + &t)).minus(&Enclosure::of(&t, 112));
            let [lo, hi] = exact.ends();
            let truth = Interval::of(&lo).hull(Interval::of(&hi));
            let t = Interval::of(&t);
            let h = t.square() * coefficients.iter().rev().fold(Interval::ZERO, |sum, term| sum * t + *term);
            assert!(h.meets(truth) && h.width() <= 1e-15 * t.square().hi(), "{k}: {h:?} {truth:?}");
        }
    }
}
