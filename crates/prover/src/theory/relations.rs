//! Linear relations between integrals that hold for every curve, found by elimination.

use super::form::OneForm;
use super::lower::{Integral, Lowering, Track, Unsupported};
use super::reduce::reduce;
use super::relation::{LinearRelation, Potential};
use super::symbol::Symbol;
use rocproof_arith::multivariate::{Monomial, Multinomial};
use rocproof_arith::{Fraction, Rational, Variable};
use std::collections::BTreeMap;

/// The position of a coefficient of a remainder: the track, the stretch, the differential, and the monomial in the coordinates.
type CoefficientKey = (Track, usize, usize, Monomial);
/// The coefficients of a remainder that are not zero.
type Row = BTreeMap<CoefficientKey, Fraction>;
/// The remainder of a form on a stretch of a track.
type Remainder = (Track, usize, OneForm);

/// An integral as the growth of potentials plus the integral of a remainder.
pub(super) struct NormalIntegral {
    pub row: Row,
    pub potentials: Vec<Potential>,
}

impl NormalIntegral {
    /// The growth of the potentials along the curve.
    fn growth(&self, lowering: &Lowering) -> Option<Fraction> {
        self.potentials.iter().try_fold(Fraction::zero(), |sum, potential| {
            Some(sum + lowering.stretches(potential.track)[potential.stretch].growth(&potential.function)?)
        })
    }
}

/// Brings integrals to their normal forms; `None` if one has none.
pub(super) fn normal_forms(lowering: &Lowering, integrals: &[Integral]) -> Option<Vec<NormalIntegral>> {
    let mut found: Vec<(Vec<Remainder>, Vec<Potential>)> = Vec::new();
    for integral in integrals {
        let (mut remainders, mut potentials) = (Vec::new(), Vec::new());
        for (k, stretch) in lowering.stretches(integral.track).iter().enumerate() {
            let reduced = reduce(&integral.form, stretch, lowering)?;
            potentials.push(Potential { track: integral.track, stretch: k, function: reduced.potential });
            remainders.push((integral.track, k, reduced.remainder));
        }
        found.push((remainders, potentials));
    }
    // All remainders share a common denominator, as far as it varies with the coordinates.
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
    Some(
        found
            .into_iter()
            .map(|(remainders, potentials)| NormalIntegral { row: row(&remainders), potentials })
            .collect(),
    )
}

/// Whether a factor varies along the curve.
fn varies(factor: &Multinomial) -> bool {
    factor.variables().iter().any(|variable| is_coordinate(*variable))
}

fn is_coordinate(variable: Variable) -> bool {
    Symbol::of(variable).varies()
}

/// A fraction as a polynomial in the coordinates: its coefficients, by monomial. Its denominator must be free of the coordinates.
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

/// A term as a combination of others: `term = Σ factor·other + constant`.
#[derive(Clone, Debug)]
pub struct Combination {
    /// The index of the term.
    pub of: usize,
    /// The indices of the others, with their factors.
    pub others: Vec<(usize, Fraction)>,
    /// The constant, free of integrals.
    pub constant: Fraction,
}

/// Expresses terms that are linear in the integrals by terms before them. An error names the term that is not linear, by its index.
pub fn combinations(lowering: &Lowering, terms: &[Fraction]) -> Result<Vec<Combination>, (usize, Unsupported)> {
    let normal = normal_forms(lowering, &lowering.integrals);
    let normal = normal.ok_or_else(|| (terms.len() - 1, Unsupported::new("an integrand has no normal form")))?;
    let mut elimination = Elimination::default();
    let mut found = Vec::new();
    for (k, term) in terms.iter().enumerate() {
        let lost = |why: &str| (k, Unsupported::new(why));
        let (mut row, mut rest) = (BTreeMap::new(), term.clone());
        for (integral, form) in lowering.integrals.iter().zip(&normal) {
            let factor = term.derivative(integral.name);
            if lowering.integrals.iter().any(|other| factor.depends_on(other.name)) {
                return Err(lost("it is not linear in functionals"));
            }
            rest = rest.substitute(integral.name, &Fraction::zero()).ok_or_else(|| lost("it divides by zero"))?;
            subtract(&mut row, &form.row, &-&factor);
            let growth = form.growth(lowering).ok_or_else(|| lost("it has no value at an end of the curve"))?;
            rest = rest + growth * factor;
        }
        // Values at points of the curve and other unknown numbers are independent directions.
        let (known, own) = known_numbers(&rest);
        row.extend(own.into_iter().map(|(monomial, factor)| ((Track::Own, usize::MAX, 0, monomial), factor)));
        if let Some(of) = elimination.reduce(k, row).ok_or_else(|| lost("an integrand has no normal form"))? {
            elimination.constants.insert(k, known);
            let constant = of.iter().fold(Fraction::zero(), |sum, (j, factor)| {
                sum + elimination.constants.get(j).map_or_else(Fraction::zero, |constant| constant * factor)
            });
            let others = of.iter().filter(|(j, _)| **j != k).map(|(j, factor)| (*j, -factor)).collect();
            found.push(Combination { of: k, others, constant });
        } else {
            elimination.constants.insert(k, known);
        }
    }
    Ok(found)
}

/// Splits a fraction into its part in `π0`, the scale and the mean operating condition alone, and the other parts by monomial.
fn known_numbers(fraction: &Fraction) -> (Fraction, BTreeMap<Monomial, Fraction>) {
    use Symbol::{High, Low, Mean, Pi0};
    let is_known = |variable: Variable| [Pi0, Low, High, Mean].contains(&Symbol::of(variable));
    let mut found: BTreeMap<Monomial, Vec<(Monomial, Rational)>> = BTreeMap::new();
    for (monomial, coefficient) in fraction.numerator().monomials() {
        let (outer, inner): (Vec<_>, Vec<_>) = monomial.powers().iter().copied().partition(|(v, _)| is_known(*v));
        found.entry(Monomial::new(inner)).or_default().push((Monomial::new(outer), coefficient.clone()));
    }
    let below = fraction.denominator();
    let mut found: BTreeMap<Monomial, Fraction> = found
        .into_iter()
        .filter_map(|(monomial, terms)| Some((monomial, Fraction::new(Multinomial::from_terms(terms), &below)?)))
        .collect();
    let known = found.remove(&Monomial::new([])).unwrap_or_else(Fraction::zero);
    (known, found)
}

/// A row that others are reduced by, its leading key, and the original rows that it is a combination of.
struct Pivot {
    key: CoefficientKey,
    row: Row,
    of: BTreeMap<usize, Fraction>,
}

/// Gaussian elimination, row by row.
#[derive(Default)]
struct Elimination {
    pivots: Vec<Pivot>,
    /// The constant that belongs to each original row.
    constants: BTreeMap<usize, Fraction>,
}

impl Elimination {
    /// Reduces row `k` by the pivots. If it vanishes, returns the combination of rows that does; otherwise it becomes a pivot. `None` if that
    /// divides by zero.
    fn reduce(&mut self, k: usize, mut row: Row) -> Option<Option<BTreeMap<usize, Fraction>>> {
        let mut of = BTreeMap::from([(k, Fraction::one())]);
        for pivot in &self.pivots {
            if let Some(factor) = row.get(&pivot.key).cloned() {
                subtract(&mut row, &pivot.row, &factor);
                subtract(&mut of, &pivot.of, &factor);
            }
        }
        let Some((key, leading)) = row.first_key_value().map(|(key, value)| (key.clone(), value.clone())) else {
            return Some(Some(of));
        };
        row.values_mut().try_for_each(|value| value.over(&leading).map(|v| *value = v))?;
        of.values_mut().try_for_each(|value| value.over(&leading).map(|v| *value = v))?;
        self.pivots.push(Pivot { key, row, of });
        Some(None)
    }
}

/// Expresses integrals by later ones; the integrals without a relation are independent.
pub fn relations(lowering: &Lowering) -> Option<Vec<LinearRelation>> {
    let normal = normal_forms(lowering, &lowering.integrals)?;
    let mut elimination = Elimination::default();
    let mut found = Vec::new();
    for (k, form) in normal.iter().enumerate().rev() {
        if let Some(of) = elimination.reduce(k, form.row.clone())? {
            found.push(relation(lowering, &normal, k, &of)?);
        }
    }
    found.reverse();
    Some(found)
}

/// `row -= factor·other`; entries that become zero are removed.
fn subtract<K: Ord + Clone>(row: &mut BTreeMap<K, Fraction>, other: &BTreeMap<K, Fraction>, factor: &Fraction) {
    for (key, value) in other {
        let entry = row.entry(key.clone()).or_insert_with(Fraction::zero);
        *entry = &*entry - &(value * factor);
        if entry.is_zero() {
            row.remove(key);
        }
    }
}

/// The relation that a vanishing combination of integrals gives for integral `k`.
fn relation(
    lowering: &Lowering,
    normal: &[NormalIntegral],
    k: usize,
    of: &BTreeMap<usize, Fraction>,
) -> Option<LinearRelation> {
    let name = |k: usize| lowering.integrals[k].name;
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
        constant = constant + lowering.stretches(track)[stretch].growth(&function)?;
        potentials.push(Potential { track, stretch, function });
    }
    Some(LinearRelation { integral: name(k), others, constant, potentials })
}
