//! Sums of integrals and a number, as forms along every stretch.

use crate::form::Form;
use crate::lower::{Setting, Track, Unsupported};
use rocproof_algebra::{Fraction, multivariate::Monomial};
use std::collections::BTreeMap;

/// `Σ ∫ form + value`: a form for every stretch of a track that something is integrated along, and a number.
#[derive(Clone, Debug)]
pub struct Sum {
    /// What is integrated along the stretches.
    pub forms: BTreeMap<(Track, usize), Form>,
    /// What is added.
    pub value: Fraction,
}

impl Sum {
    /// A number.
    pub fn number(value: Fraction) -> Sum {
        Sum { forms: BTreeMap::new(), value }
    }

    /// The integral of a form along a track, or along one of its stretches. `None` if the form is not defined there.
    pub fn along(setting: &Setting, track: Track, stretch: Option<usize>, form: &Form) -> Option<Sum> {
        // A convex curve is its own hull.
        let track = if setting.is_convex(Track::Own) { Track::Own } else { track };
        let mut sum = Sum::number(Fraction::zero());
        for (k, part) in setting.stretches(track).iter().enumerate().filter(|(k, _)| stretch.is_none_or(|s| s == *k)) {
            sum.forms.insert((track, k), part.restrict(form)?);
        }
        Some(sum)
    }

    /// A fraction as a sum: terms with one integral of the setting are integrated, products of integrals stay numbers.
    pub fn of(setting: &Setting, fraction: &Fraction) -> Result<Sum, Unsupported> {
        let met: Vec<_> = setting.integrals.iter().filter(|integral| fraction.depends_on(integral.name)).collect();
        if met.iter().any(|integral| fraction.factors().any(|(factor, _)| factor.depends_on(integral.name))) {
            return Err(Unsupported::new("it divides by a functional"));
        }
        let one_of_them = |m: &Monomial| met.iter().map(|integral| m.power_of(integral.name)).sum::<u32>() == 1;
        let [linear, rest] = fraction.parted(one_of_them);
        let mut sum = Sum::number(rest);
        for integral in &met {
            let form = integral.form.times(&linear.derivative(integral.name));
            let along = Sum::along(setting, integral.track, None, &form)
                .ok_or_else(|| Unsupported::new("an integrand is not defined everywhere"))?;
            sum.add(&along, &Fraction::one());
        }
        Ok(sum)
    }

    /// Adds a multiple of another.
    pub fn add(&mut self, other: &Sum, factor: &Fraction) {
        for (place, form) in &other.forms {
            let entry = self.forms.entry(*place).or_insert_with(Form::zero);
            *entry = &*entry + &form.times(factor);
        }
        self.value = &self.value + &(&other.value * factor);
    }

    /// A multiple of it.
    pub fn times(&self, factor: &Fraction) -> Sum {
        let forms = self.forms.iter().map(|(place, form)| (*place, form.times(factor))).collect();
        Sum { forms, value: &self.value * factor }
    }

    /// What is integrated, part by part, and the number.
    pub fn fractions(&self) -> impl Iterator<Item = &Fraction> {
        self.forms.values().flat_map(Form::parts).chain([&self.value])
    }
}
