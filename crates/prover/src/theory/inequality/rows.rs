//! Sums of integrals as rows of numbers: equal rows are sums that are equal for every model.

use crate::theory::form::OneForm;
use crate::theory::lower::{Lowering, Track};
use crate::theory::reduce::reduce;
use crate::theory::relation::Potential;
use crate::theory::sum::IntegralSum;
use rocproof_arith::{Fraction, Multinomial};
use std::collections::BTreeMap;

/// Where a coefficient belongs: to the number, or to a differential on a stretch of a track.
pub type Slot = Option<(Track, usize, usize)>;

/// A sum up to differentials: what is left of its forms, and its number with what the potentials grow by.
#[derive(Clone, Debug)]
pub struct Normal {
    /// The coefficients.
    pub slots: BTreeMap<Slot, Fraction>,
    /// The functions split off.
    pub potentials: Vec<Potential>,
}

impl Normal {
    /// Brings a sum to its normal form; `None` if it has none.
    pub fn of(sum: &IntegralSum, setting: &Lowering) -> Option<Normal> {
        let mut value = sum.value.clone();
        let (mut slots, mut potentials) = (BTreeMap::new(), Vec::new());
        for ((track, k), form) in &sum.forms {
            let stretches = setting.stretches(*track);
            let stretch = stretches.get(*k)?;
            let reduced = reduce(form, stretch, setting)?;
            value = value + stretch.growth(&reduced.potential)?;
            slots.extend(parts(&reduced.remainder).map(|(i, part)| (Some((*track, *k, i)), part.clone())));
            potentials.push(Potential { track: *track, stretch: *k, function: reduced.potential });
        }
        if !value.is_zero() {
            slots.insert(None, value);
        }
        Some(Normal { slots, potentials })
    }

    /// Whether nothing but a number is left.
    pub fn number(&self) -> Option<Fraction> {
        match self.slots.iter().collect::<Vec<_>>()[..] {
            [] => Some(Fraction::zero()),
            [(None, value)] => Some(value.clone()),
            _ => None,
        }
    }
}

fn parts(form: &OneForm) -> impl Iterator<Item = (usize, &Fraction)> {
    form.parts().into_iter().enumerate().filter(|(_, part)| !part.is_zero())
}

/// Common denominators, slot by slot.
#[derive(Default)]
pub struct Denominators {
    common: BTreeMap<Slot, BTreeMap<Multinomial, u32>>,
}

/// A sum over the common denominators.
pub type Whole = Vec<(Slot, Multinomial)>;

impl Denominators {
    /// Takes notice of the denominators.
    pub fn admit(&mut self, normal: &Normal) {
        for (slot, fraction) in &normal.slots {
            let factors = self.common.entry(*slot).or_default();
            for (factor, power) in fraction.factors() {
                let known = factors.entry(factor.clone()).or_default();
                *known = power.max(*known);
            }
        }
    }

    /// A sum over the common denominators.
    pub fn whole(&self, normal: &Normal) -> Whole {
        let lift = |slot: &Slot, fraction: &Fraction| {
            let own: BTreeMap<&Multinomial, u32> = fraction.factors().collect();
            let common = self.common.get(slot).into_iter().flatten();
            common.fold(fraction.numerator().clone(), |product, (factor, power)| {
                let lacking = power - own.get(factor).copied().unwrap_or(0);
                if lacking == 0 { product } else { product * factor.power(lacking) }
            })
        };
        normal.slots.iter().map(|(slot, fraction)| (*slot, lift(slot, fraction))).collect()
    }
}
