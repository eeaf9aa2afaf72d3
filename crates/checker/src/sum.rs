//! Sums of integrals and a number, with one form for each stretch of a curve.

use crate::form::OneForm;
use crate::lower::{Lowering, Track, Unsupported};
use rocproof_algebra::{Fraction, multivariate::Monomial};
use std::collections::BTreeMap;

/// `Σ ∫ form + value`: one form for each stretch that is integrated along, and a number.
#[derive(Clone, Debug)]
pub struct IntegralSum {
    /// The forms by track and stretch.
    pub forms: BTreeMap<(Track, usize), OneForm>,
    /// The number.
    pub value: Fraction,
}

impl IntegralSum {
    /// A sum without integrals.
    pub(crate) fn number(value: Fraction) -> IntegralSum {
        IntegralSum { forms: BTreeMap::new(), value }
    }

    /// The integral of a form along a track: along one of its stretches, or all of them if `stretch` is `None`. `None` if the form is not
    /// defined there.
    pub(crate) fn along(
        lowering: &Lowering,
        track: Track,
        stretch: Option<usize>,
        form: &OneForm,
    ) -> Option<IntegralSum> {
        // A convex curve is its own hull.
        let track = if lowering.is_convex(Track::Own) { Track::Own } else { track };
        let mut sum = IntegralSum::number(Fraction::zero());
        for (k, curve_stretch) in lowering.stretches(track).iter().enumerate() {
            if stretch.is_none_or(|only| only == k) {
                sum.forms.insert((track, k), curve_stretch.restrict(form)?);
            }
        }
        Some(sum)
    }

    /// Reads a fraction as a sum. Terms `a·I`, linear in one integral `I` and free of others, become `∫ a·form of I`. All other terms,
    /// with products of integrals among them, stay numbers.
    pub fn of(lowering: &Lowering, fraction: &Fraction) -> Result<IntegralSum, Unsupported> {
        let occurring: Vec<_> =
            lowering.integrals.iter().filter(|integral| fraction.depends_on(integral.name)).collect();
        if occurring.iter().any(|integral| fraction.factors().any(|(factor, _)| factor.depends_on(integral.name))) {
            return Err(Unsupported::new("it divides by a functional"));
        }
        let is_linear = |m: &Monomial| occurring.iter().map(|integral| m.power_of(integral.name)).sum::<u32>() == 1;
        let [linear, others] = fraction.partition_terms(is_linear);
        let mut sum = IntegralSum::number(others);
        for integral in &occurring {
            // The derivative in the integral is its coefficient.
            let form = integral.form.times(&linear.derivative(integral.name));
            let along = IntegralSum::along(lowering, integral.track, None, &form)
                .ok_or_else(|| Unsupported::new("an integrand is not defined everywhere"))?;
            sum.add(&along, &Fraction::one());
        }
        Ok(sum)
    }

    /// Adds `factor·other`.
    pub fn add(&mut self, other: &IntegralSum, factor: &Fraction) {
        for (track_and_stretch, form) in &other.forms {
            let total = self.forms.entry(*track_and_stretch).or_insert_with(OneForm::zero);
            *total = &*total + &form.times(factor);
        }
        self.value = &self.value + &(&other.value * factor);
    }

    /// The product with a factor.
    pub fn times(&self, factor: &Fraction) -> IntegralSum {
        let forms = self.forms.iter().map(|(key, form)| (*key, form.times(factor))).collect();
        IntegralSum { forms, value: &self.value * factor }
    }

    /// The coefficients of all forms, and the number.
    pub fn fractions(&self) -> impl Iterator<Item = &Fraction> {
        self.forms.values().flat_map(OneForm::parts).chain([&self.value])
    }
}
