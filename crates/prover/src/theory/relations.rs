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

/// Brings integrals to their normal forms; `None` if one of them cannot be reduced.
pub(super) fn normal_forms(lowering: &Lowering, integrals: &[Integral]) -> Option<Vec<NormalIntegral>> {
    let mut split_integrals: Vec<(Vec<Remainder>, Vec<Potential>)> = Vec::new();
    for integral in integrals {
        let (mut remainders, mut potentials) = (Vec::new(), Vec::new());
        for (k, stretch) in lowering.stretches(integral.track).iter().enumerate() {
            let reduced = reduce(&integral.form, stretch, lowering)?;
            potentials.push(Potential { track: integral.track, stretch: k, function: reduced.potential });
            remainders.push((integral.track, k, reduced.remainder));
        }
        split_integrals.push((remainders, potentials));
    }
    // All remainders share a common denominator, as far as it varies with the coordinates.
    let mut common: BTreeMap<(Track, usize, usize), BTreeMap<Multinomial, u32>> = BTreeMap::new();
    for (track, k, form) in split_integrals.iter().flat_map(|(remainders, _)| remainders) {
        for (i, part) in form.parts().into_iter().enumerate() {
            let factors = common.entry((*track, *k, i)).or_default();
            for (factor, power) in part.factors().filter(|(factor, _)| varies(factor)) {
                let largest = factors.entry(factor.clone()).or_default();
                *largest = power.max(*largest);
            }
        }
    }
    let common_denominator = |key: (Track, usize, usize)| {
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
                let cleared = part * &Fraction::from(common_denominator((*track, *k, i)));
                for (monomial, coefficient) in by_coordinates(&cleared) {
                    row.insert((*track, *k, i, monomial), coefficient);
                }
            }
        }
        row
    };
    Some(
        split_integrals
            .into_iter()
            .map(|(remainders, potentials)| NormalIntegral { row: row(&remainders), potentials })
            .collect(),
    )
}

/// Whether a factor varies along the curve.
fn varies(factor: &Multinomial) -> bool {
    factor.variables().iter().any(|variable| is_coordinate(*variable))
}

/// Whether a variable is a coordinate of the curve, or a weight at one.
fn is_coordinate(variable: Variable) -> bool {
    Symbol::of(variable).varies()
}

/// A fraction as a polynomial in the coordinates: its coefficients, by monomial. Its denominator must be free of the coordinates.
fn by_coordinates(fraction: &Fraction) -> BTreeMap<Monomial, Fraction> {
    group_terms(fraction, is_coordinate).into_iter().filter(|(_, coefficient)| !coefficient.is_zero()).collect()
}

/// A fraction as a polynomial in the variables that satisfy a predicate: its coefficients, by monomial. The denominator is taken as a constant.
fn group_terms(fraction: &Fraction, is_grouped: impl Fn(Variable) -> bool) -> BTreeMap<Monomial, Fraction> {
    let mut terms_by_monomial: BTreeMap<Monomial, Vec<(Monomial, Rational)>> = BTreeMap::new();
    for (monomial, coefficient) in fraction.numerator().monomials() {
        let (grouped, others): (Vec<_>, Vec<_>) = monomial.powers().iter().copied().partition(|(v, _)| is_grouped(*v));
        let terms = terms_by_monomial.entry(Monomial::new(grouped)).or_default();
        terms.push((Monomial::new(others), coefficient.clone()));
    }
    let denominator = fraction.denominator();
    terms_by_monomial
        .into_iter()
        .filter_map(|(monomial, terms)| Some((monomial, Fraction::new(Multinomial::from_terms(terms), &denominator)?)))
        .collect()
}

/// A term as a combination of others: `term = Σ factor·other + constant`.
#[derive(Clone, Debug)]
pub struct Combination {
    /// The index of the term.
    pub term: usize,
    /// The indices of the others, with their factors.
    pub others: Vec<(usize, Fraction)>,
    /// The constant, free of integrals.
    pub constant: Fraction,
}

/// Expresses terms that are linear in the integrals by terms before them, where that is possible. An error names the term that is not linear,
/// by its index.
pub fn combinations(lowering: &Lowering, terms: &[Fraction]) -> Result<Vec<Combination>, (usize, Unsupported)> {
    let normal = normal_forms(lowering, &lowering.integrals);
    let normal = normal.ok_or_else(|| (terms.len() - 1, Unsupported::new("an integrand has no normal form")))?;
    let mut elimination = Elimination::default();
    let mut combinations = Vec::new();
    for (k, term) in terms.iter().enumerate() {
        let unsupported = |why: &str| (k, Unsupported::new(why));
        // The term is the integral of the forms in `row`, plus `constant`.
        let (mut row, mut constant) = (BTreeMap::new(), term.clone());
        for (integral, form) in lowering.integrals.iter().zip(&normal) {
            let factor = term.derivative(integral.name);
            if lowering.integrals.iter().any(|other| factor.depends_on(other.name)) {
                return Err(unsupported("it is not linear in functionals"));
            }
            constant = constant
                .substitute(integral.name, &Fraction::zero())
                .ok_or_else(|| unsupported("it divides by zero"))?;
            subtract(&mut row, &form.row, &-&factor);
            let growth = form.growth(lowering).ok_or_else(|| unsupported("it has no value at an end of the curve"))?;
            constant = constant + growth * factor;
        }
        // Values at points of the curve and other unknown numbers are independent directions.
        let (known, unknown) = known_numbers(&constant);
        row.extend(unknown.into_iter().map(|(monomial, factor)| ((Track::Own, usize::MAX, 0, monomial), factor)));
        elimination.constants.insert(k, known);
        let vanishing = elimination.reduce(k, row).ok_or_else(|| unsupported("an integrand has no normal form"))?;
        if let Some(factors) = vanishing {
            let constant = factors.iter().fold(Fraction::zero(), |sum, (j, factor)| {
                sum + elimination.constants.get(j).map_or_else(Fraction::zero, |constant| constant * factor)
            });
            let others = factors.iter().filter(|(j, _)| **j != k).map(|(j, factor)| (*j, -factor)).collect();
            combinations.push(Combination { term: k, others, constant });
        }
    }
    Ok(combinations)
}

/// Splits a fraction into its part in `π0`, the scale and the mean operating condition alone, and the other parts by monomial.
fn known_numbers(fraction: &Fraction) -> (Fraction, BTreeMap<Monomial, Fraction>) {
    use Symbol::{High, Low, Mean, Pi0};
    let is_known = |variable: Variable| [Pi0, Low, High, Mean].contains(&Symbol::of(variable));
    let mut unknown = group_terms(fraction, |variable| !is_known(variable));
    let known = unknown.remove(&Monomial::new([])).unwrap_or_else(Fraction::zero);
    (known, unknown)
}

/// A row that others are reduced by, its leading key, and the original rows that it is a combination of.
struct Pivot {
    key: CoefficientKey,
    row: Row,
    /// The original rows, by index, with their factors.
    factors: BTreeMap<usize, Fraction>,
}

/// Gaussian elimination, row by row.
#[derive(Default)]
struct Elimination {
    pivots: Vec<Pivot>,
    /// The constant that belongs to each original row.
    constants: BTreeMap<usize, Fraction>,
}

impl Elimination {
    /// Reduces row `k` by the pivots. `Some(Some(factors))` if the row vanishes: the combination of original rows with these factors is 0.
    /// `Some(None)` if it does not, and so became a pivot. `None` if that divides by zero.
    fn reduce(&mut self, k: usize, mut row: Row) -> Option<Option<BTreeMap<usize, Fraction>>> {
        let mut factors = BTreeMap::from([(k, Fraction::one())]);
        for pivot in &self.pivots {
            if let Some(factor) = row.get(&pivot.key).cloned() {
                subtract(&mut row, &pivot.row, &factor);
                subtract(&mut factors, &pivot.factors, &factor);
            }
        }
        let Some((key, leading)) = row.first_key_value().map(|(key, value)| (key.clone(), value.clone())) else {
            return Some(Some(factors));
        };
        row.values_mut().try_for_each(|value| value.over(&leading).map(|v| *value = v))?;
        factors.values_mut().try_for_each(|value| value.over(&leading).map(|v| *value = v))?;
        self.pivots.push(Pivot { key, row, factors });
        Some(None)
    }
}

/// Expresses integrals by later ones; the integrals without a relation are independent. `None` if an integrand cannot be reduced.
pub fn relations(lowering: &Lowering) -> Option<Vec<LinearRelation>> {
    let normal = normal_forms(lowering, &lowering.integrals)?;
    let mut elimination = Elimination::default();
    let mut relations = Vec::new();
    for (k, form) in normal.iter().enumerate().rev() {
        if let Some(factors) = elimination.reduce(k, form.row.clone())? {
            relations.push(relation(lowering, &normal, k, &factors)?);
        }
    }
    relations.reverse();
    Some(relations)
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

/// The relation for integral `k` that follows from a vanishing combination of integrals, in which `k` has the factor 1.
fn relation(
    lowering: &Lowering,
    normal: &[NormalIntegral],
    k: usize,
    factors: &BTreeMap<usize, Fraction>,
) -> Option<LinearRelation> {
    let name = |k: usize| lowering.integrals[k].name;
    let others: Vec<(Variable, Fraction)> =
        factors.iter().filter(|(j, _)| **j != k).map(|(j, factor)| (name(*j), -factor)).collect();
    let mut sums: BTreeMap<(Track, usize), Fraction> = BTreeMap::new();
    for (j, factor) in factors {
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
