//! Linear relations between integrals that hold for every curve.

use super::form::Form;
use super::lower::{Integral, Setting, Track};
use super::path::COORDINATES;
use super::reduce::{is_opaque, reduce};
use crate::arith::multivariate::{Monomial, Multinomial};
use crate::arith::{Fraction, Rational, Variable};
use std::collections::BTreeMap;

/// An integral as a combination of others: `integral = Σ factor·other + constant`, with the potentials that show it.
#[derive(Clone, Debug, PartialEq)]
pub struct Relation {
    /// The integral.
    pub integral: Variable,
    /// The others, and what they are multiplied by.
    pub others: Vec<(Variable, Fraction)>,
    /// What is added.
    pub constant: Fraction,
    /// For every stretch of every track, in order: the function of which the difference of the forms is the differential.
    pub potentials: Vec<Potential>,
}

/// A function of the coordinates on a stretch of a curve.
#[derive(Clone, Debug, PartialEq)]
pub struct Potential {
    /// Whose curve.
    pub track: Track,
    /// Which stretch.
    pub stretch: usize,
    /// The function.
    pub function: Fraction,
}

/// Where a coefficient of a remainder belongs: the track, the stretch, the differential, and the monomial in the coordinates.
type Key = (Track, usize, usize, Monomial);
type Row = BTreeMap<Key, Fraction>;
/// What is left of a form on a stretch of a track.
type Remainder = (Track, usize, Form);

/// The remainder of an integral, and the functions split off.
pub(super) struct Normal {
    pub row: Row,
    pub potentials: Vec<Potential>,
}

/// Brings integrals to their normal form; `None` if one has none.
pub(super) fn normal_forms(setting: &Setting, integrals: &[Integral]) -> Option<Vec<Normal>> {
    let mut found: Vec<(Vec<Remainder>, Vec<Potential>)> = Vec::new();
    for integral in integrals {
        let (mut remainders, mut potentials) = (Vec::new(), Vec::new());
        for (k, stretch) in setting.stretches(integral.track).iter().enumerate() {
            let reduced = reduce(&integral.form, stretch, setting)?;
            potentials.push(Potential { track: integral.track, stretch: k, function: reduced.potential });
            remainders.push((integral.track, k, reduced.remainder));
        }
        found.push((remainders, potentials));
    }
    // One common denominator wherever the coordinates divide.
    let mut common: BTreeMap<(Track, usize, usize), BTreeMap<Multinomial, u32>> = BTreeMap::new();
    for (track, k, form) in found.iter().flat_map(|(remainders, _)| remainders) {
        for (i, part) in form.parts().into_iter().enumerate() {
            let factors = common.entry((*track, *k, i)).or_default();
            for (factor, power) in part.factors().filter(|(factor, _)| varies(factor)) {
                let known = factors.entry(factor.clone()).or_default();
                *known = power.max(*known);
            }
        }
    }
    let scale = |key: (Track, usize, usize)| {
        common
            .get(&key)
            .into_iter()
            .flatten()
            .fold(Multinomial::one(), |product, (factor, n)| product * factor.power(*n))
    };
    let row = |remainders: &[Remainder]| {
        let mut row = Row::new();
        for (track, k, form) in remainders {
            for (i, part) in form.parts().into_iter().enumerate() {
                let whole = part * &Fraction::from(scale((*track, *k, i)));
                for (monomial, coefficient) in by_coordinates(&whole) {
                    row.insert((*track, *k, i, monomial), coefficient);
                }
            }
        }
        row
    };
    Some(found.into_iter().map(|(remainders, potentials)| Normal { row: row(&remainders), potentials }).collect())
}

fn varies(factor: &Multinomial) -> bool {
    factor.variables().iter().any(|variable| is_coordinate(*variable))
}

fn is_coordinate(variable: Variable) -> bool {
    COORDINATES.contains(&variable.name()) || is_opaque(variable.name())
}

/// The coefficients of a fraction whose denominator is free of the coordinates.
fn by_coordinates(fraction: &Fraction) -> BTreeMap<Monomial, Fraction> {
    let mut found: BTreeMap<Monomial, Vec<(Monomial, Rational)>> = BTreeMap::new();
    for (monomial, coefficient) in fraction.numerator().monomials() {
        let (inner, outer): (Vec<_>, Vec<_>) = monomial.powers().iter().copied().partition(|(v, _)| is_coordinate(*v));
        found.entry(Monomial::new(inner)).or_default().push((Monomial::new(outer), coefficient.clone()));
    }
    let below = fraction.denominator();
    found
        .into_iter()
        .filter_map(|(monomial, terms)| Some((monomial, Fraction::new(Multinomial::from_terms(terms), &below)?)))
        .filter(|(_, coefficient)| !coefficient.is_zero())
        .collect()
}

/// A row that others are reduced by: its leading key, itself, and the integrals that it is made of.
struct Pivot {
    key: Key,
    row: Row,
    of: BTreeMap<usize, Fraction>,
}

/// Expresses integrals by others, the later ones first: those that are left over are independent.
pub fn relations(setting: &Setting) -> Option<Vec<Relation>> {
    let normal = normal_forms(setting, &setting.integrals)?;
    let mut pivots: Vec<Pivot> = Vec::new();
    let mut found = Vec::new();
    for (k, form) in normal.iter().enumerate().rev() {
        let mut row = form.row.clone();
        let mut of = BTreeMap::from([(k, Fraction::one())]);
        for pivot in &pivots {
            if let Some(factor) = row.get(&pivot.key).cloned() {
                subtract(&mut row, &pivot.row, &factor);
                subtract(&mut of, &pivot.of, &factor);
            }
        }
        let Some((key, leading)) = row.first_key_value().map(|(key, value)| (key.clone(), value.clone())) else {
            found.push(relation(setting, &normal, k, &of)?);
            continue;
        };
        row.values_mut().try_for_each(|value| value.over(&leading).map(|v| *value = v))?;
        of.values_mut().try_for_each(|value| value.over(&leading).map(|v| *value = v))?;
        pivots.push(Pivot { key, row, of });
    }
    found.reverse();
    Some(found)
}

fn subtract<K: Ord + Clone>(row: &mut BTreeMap<K, Fraction>, other: &BTreeMap<K, Fraction>, factor: &Fraction) {
    for (key, value) in other {
        let entry = row.entry(key.clone()).or_insert_with(Fraction::zero);
        *entry = &*entry - &(value * factor);
        if entry.is_zero() {
            row.remove(key);
        }
    }
}

/// The relation that a vanishing combination of integrals tells.
fn relation(setting: &Setting, normal: &[Normal], k: usize, of: &BTreeMap<usize, Fraction>) -> Option<Relation> {
    let name = |k: usize| setting.integrals[k].name;
    let others: Vec<(Variable, Fraction)> =
        of.iter().filter(|(j, _)| **j != k).map(|(j, factor)| (name(*j), -factor)).collect();
    let mut sums: BTreeMap<(Track, usize), Fraction> = BTreeMap::new();
    for (j, factor) in of {
        for potential in &normal[*j].potentials {
            let sum = sums.entry((potential.track, potential.stretch)).or_insert_with(Fraction::zero);
            *sum = &*sum + &(&potential.function * factor);
        }
    }
    let mut constant = Fraction::zero();
    let mut potentials = Vec::new();
    for ((track, stretch), function) in sums {
        constant = constant + setting.stretches(track)[stretch].growth(&function)?;
        potentials.push(Potential { track, stretch, function });
    }
    Some(Relation { integral: name(k), others, constant, potentials })
}
