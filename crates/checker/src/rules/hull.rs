//! Inequalities between integrals along a curve and along its hull.
//!
//! Let the same proportions define `R` and `c`. Then `y = beta1 F1` is a function of `R` with slope `c`. Along the hull it is the greatest
//! convex function below that of the curve.

use crate::certificate::LARGEST_POWER;
use crate::form::OneForm;
use crate::lower::{Lowering, Track};
use crate::sum::IntegralSum;
use crate::symbol::Symbol;
use rocproof_algebra::Fraction;
use serde::{Deserialize, Serialize};

/// An integrand whose integral along the curve compares with that along the hull.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum HullComparison {
    /// Pooling: `∫ φ(c) dR` along the curve is at least that along the hull, for the convex `φ` with `φ'' = c^i (1-c)^j`.
    ///
    /// On a chord the posterior of the hull is the mean of the curve's posterior, since curve and hull meet at its ends; so Jensen's
    /// inequality applies. Elsewhere curve and hull agree.
    Pooled {
        /// The power of `c`.
        i: u32,
        /// The power of `1 - c`.
        j: u32,
    },
    /// `∫ R^i (1-R)^j F1^k (1-F0)^n dR` along the curve is at least that along the hull.
    ///
    /// At equal `R` the hull has the smaller `y`, and so the smaller `F1 = y/beta1` and the larger `F0 = (R - y)/beta0`.
    Errors {
        /// The powers of `R` and `1 - R`.
        rate: [u32; 2],
        /// The powers of `F1` and `1 - F0`.
        powers: [u32; 2],
    },
    /// `∫ R^i (1-R)^j F0^k (1-F1)^n dR` along the hull is at least that along the curve, for the same reason.
    Successes {
        /// The powers of `R` and `1 - R`.
        rate: [u32; 2],
        /// The powers of `F0` and `1 - F1`.
        powers: [u32; 2],
    },
}

/// A power; `None` if its exponent is above the limit or it is too large to write out.
fn power(base: &Fraction, exponent: u32) -> Option<Fraction> {
    base.power(i32::try_from(exponent).ok().filter(|_| exponent <= LARGEST_POWER)?)
}

impl HullComparison {
    /// The larger of the two integrals minus the smaller one, which is not negative.
    pub fn sum(&self, lowering: &Lowering) -> Result<IntegralSum, String> {
        let (integrand, larger) = self.integrand(lowering).ok_or("a power is too large")?;
        let form = OneForm { dx: Fraction::zero(), dr: integrand, dc: Fraction::zero() };
        let along =
            |track| IntegralSum::along(lowering, track, None, &form).ok_or("an integrand is not defined everywhere");
        let (own, hull) = (along(Track::Own)?, along(Track::Hull)?);
        let (mut difference, smaller) = if larger == Track::Own { (own, hull) } else { (hull, own) };
        difference.add(&smaller, &-Fraction::one());
        Ok(difference)
    }

    /// The coefficient of `dR`, and the track with the larger integral.
    fn integrand(&self, lowering: &Lowering) -> Option<(Fraction, Track)> {
        let [_, f0, f1, c] = Symbol::COORDINATES.map(Symbol::fraction);
        let complement = |share: &Fraction| Fraction::one() - share;
        // R^i (1-R)^j.
        let powers_of_rate = |[i, j]: &[u32; 2]| {
            let rate = &lowering.base[0] * &f0 + &lowering.base[1] * &f1;
            Some(power(&rate, *i)? * power(&complement(&rate), *j)?)
        };
        Some(match self {
            HullComparison::Pooled { i, j } => {
                let second_derivative = power(&c, *i)? * power(&complement(&c), *j)?;
                let derivative = second_derivative.antiderivative(Symbol::Posterior)?;
                (derivative.antiderivative(Symbol::Posterior)?, Track::Own)
            }
            HullComparison::Errors { rate, powers: [k, n] } => {
                (powers_of_rate(rate)? * power(&f1, *k)? * power(&complement(&f0), *n)?, Track::Own)
            }
            HullComparison::Successes { rate, powers: [k, n] } => {
                (powers_of_rate(rate)? * power(&f0, *k)? * power(&complement(&f1), *n)?, Track::Hull)
            }
        })
    }
}
