//! Normal forms of sums of integrals: sums with the same normal form are equal for every model.

use crate::theory::form::OneForm;
use crate::theory::lower::{Lowering, Track};
use crate::theory::reduce::reduce;
use crate::theory::relation::Potential;
use crate::theory::sum::IntegralSum;
use rocproof_arith::{Fraction, Multinomial};
use std::collections::BTreeMap;

/// The position of a coefficient: `None` for the number, else a track, a stretch of it, and a differential (0 for dx, 1 for dR, 2 for dc).
pub type Slot = Option<(Track, usize, usize)>;

/// A sum up to differentials: the remainders of its forms, and its number plus the growth of the potentials.
#[derive(Clone, Debug)]
pub struct NormalForm {
    /// The coefficients that are not zero.
    pub slots: BTreeMap<Slot, Fraction>,
    /// The potentials that were split off.
    pub potentials: Vec<Potential>,
}

impl NormalForm {
    /// Brings a sum to its normal form; `None` if one of its one-forms cannot be reduced.
    pub fn of(sum: &IntegralSum, lowering: &Lowering) -> Option<NormalForm> {
        let mut number = sum.value.clone();
        let (mut slots, mut potentials) = (BTreeMap::new(), Vec::new());
        for ((track, k), form) in &sum.forms {
            let stretches = lowering.stretches(*track);
            let stretch = stretches.get(*k)?;
            let reduced = reduce(form, stretch, lowering)?;
            number = number + stretch.growth(&reduced.potential)?;
            slots.extend(nonzero_parts(&reduced.remainder).map(|(i, part)| (Some((*track, *k, i)), part.clone())));
            potentials.push(Potential { track: *track, stretch: *k, function: reduced.potential });
        }
        if !number.is_zero() {
            slots.insert(None, number);
        }
        Some(NormalForm { slots, potentials })
    }

    /// The number, if no integral is left.
    pub fn number(&self) -> Option<Fraction> {
        match self.slots.iter().collect::<Vec<_>>()[..] {
            [] => Some(Fraction::zero()),
            [(None, value)] => Some(value.clone()),
            _ => None,
        }
    }
}

/// The coefficients of a form that are not zero, each with the number of its differential.
fn nonzero_parts(form: &OneForm) -> impl Iterator<Item = (usize, &Fraction)> {
    form.parts().into_iter().enumerate().filter(|(_, part)| !part.is_zero())
}

/// The least common denominator of each slot: its factors, with their powers.
#[derive(Default)]
pub struct Denominators {
    common: BTreeMap<Slot, BTreeMap<Multinomial, u32>>,
}

/// A sum multiplied by the common denominator of each slot.
pub type ClearedSum = Vec<(Slot, Multinomial)>;

impl Denominators {
    /// Takes the denominators of a sum into the common ones.
    pub fn admit(&mut self, normal: &NormalForm) {
        for (slot, fraction) in &normal.slots {
            let factors = self.common.entry(*slot).or_default();
            for (factor, power) in fraction.factors() {
                let largest = factors.entry(factor.clone()).or_default();
                *largest = power.max(*largest);
            }
        }
    }

    /// Multiplies a sum, which must have been admitted, by the common denominators.
    pub fn clear(&self, normal: &NormalForm) -> ClearedSum {
        normal.slots.iter().map(|(slot, fraction)| (*slot, self.clear_fraction(slot, fraction))).collect()
    }

    /// Multiplies a coefficient by the common denominator of its slot: the numerator, times the factors that its own denominator lacks.
    fn clear_fraction(&self, slot: &Slot, fraction: &Fraction) -> Multinomial {
        let own: BTreeMap<&Multinomial, u32> = fraction.factors().collect();
        let mut product = fraction.numerator().clone();
        for (factor, power) in self.common.get(slot).into_iter().flatten() {
            let missing_power = power - own.get(factor).copied().unwrap_or(0);
            if missing_power > 0 {
                product = product * factor.power(missing_power);
            }
        }
        product
    }
}
