//! Linear relations between integrals that hold for every curve, found by elimination.

use super::lower::{Integral, Lowering, Track, Unsupported};
use super::reduce::reduce;
use super::relation::{LinearRelation, Potential};
use super::symbol::Symbol;
use rocproof_arith::multivariate::{Monomial, Multinomial};
use rocproof_arith::{Fraction, Rational, Variable};
use std::collections::BTreeMap;

/// The place of a one-form's coefficient.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Slot {
    track: Track,
    stretch: usize,
    /// 0 for `dx`, 1 for `dR`, 2 for `dc`.
    differential: usize,
}

/// The slot of numbers, which belong to no form. No curve has a stretch with this number.
const NUMBER_SLOT: Slot = Slot { track: Track::Own, stretch: usize::MAX, differential: 0 };

/// The entries of a row that are not zero: coefficients by slot and by monomial in the coordinates.
type Row = BTreeMap<(Slot, Monomial), Fraction>;

/// An integral as the growth of potentials plus the integral of a remainder, given as coefficients.
struct ReducedIntegral {
    remainder: Vec<(Slot, Fraction)>,
    potentials: Vec<Potential>,
}

impl ReducedIntegral {
    /// Reduces the form of an integral on each stretch of its track; `None` if that is not possible on one of them.
    fn new(lowering: &Lowering, integral: &Integral) -> Option<ReducedIntegral> {
        let track = integral.track;
        let (mut remainder, mut potentials) = (Vec::new(), Vec::new());
        for (stretch, curve_stretch) in lowering.stretches(track).iter().enumerate() {
            let reduced = reduce(&integral.form, curve_stretch, lowering)?;
            for (differential, coefficient) in reduced.remainder.parts().into_iter().enumerate() {
                remainder.push((Slot { track, stretch, differential }, coefficient.clone()));
            }
            potentials.push(Potential { track, stretch, function: reduced.potential });
        }
        Some(ReducedIntegral { remainder, potentials })
    }
}

/// An integral in normal form: the growth of potentials plus the integral of a remainder, given as a row. The remainders of all integrals of a
/// list are multiplied by the same denominators, so that linear relations between integrals are linear relations between rows.
struct NormalIntegral {
    row: Row,
    potentials: Vec<Potential>,
}

impl NormalIntegral {
    /// The growth of the potentials along the curve; `None` if one has no value at an end of its stretch.
    fn growth(&self, lowering: &Lowering) -> Option<Fraction> {
        self.potentials.iter().try_fold(Fraction::zero(), |sum, potential| {
            Some(sum + lowering.stretches(potential.track)[potential.stretch].growth(&potential.function)?)
        })
    }
}

/// Brings the integrals of a lowering to their normal forms; `None` if one of them cannot be reduced.
fn normal_forms(lowering: &Lowering) -> Option<Vec<NormalIntegral>> {
    let integrals = lowering.integrals.iter();
    let reduced: Vec<ReducedIntegral> =
        integrals.map(|integral| ReducedIntegral::new(lowering, integral)).collect::<Option<_>>()?;
    let mut denominators = CommonDenominators::default();
    for (slot, coefficient) in reduced.iter().flat_map(|integral| &integral.remainder) {
        denominators.include(*slot, coefficient);
    }
    let normal_integral = |ReducedIntegral { remainder, potentials }| {
        let mut row = Row::new();
        for (slot, coefficient) in remainder {
            let cleared = coefficient * Fraction::from(denominators.product(slot));
            row.extend(by_coordinates(&cleared).into_iter().map(|(monomial, value)| ((slot, monomial), value)));
        }
        NormalIntegral { row, potentials }
    };
    Some(reduced.into_iter().map(normal_integral).collect())
}

/// The least common denominator of each slot, as far as it varies along the curve: its factors, with their powers.
#[derive(Default)]
struct CommonDenominators(BTreeMap<Slot, BTreeMap<Multinomial, u32>>);

impl CommonDenominators {
    /// Takes in the denominator of a coefficient.
    fn include(&mut self, slot: Slot, coefficient: &Fraction) {
        let factors = self.0.entry(slot).or_default();
        let varies = |factor: &Multinomial| factor.variables().iter().any(|variable| is_coordinate(*variable));
        for (factor, power) in coefficient.factors().filter(|(factor, _)| varies(factor)) {
            let largest = factors.entry(factor.clone()).or_default();
            *largest = power.max(*largest);
        }
    }

    /// The common denominator of a slot.
    fn product(&self, slot: Slot) -> Multinomial {
        let factors = self.0.get(&slot).into_iter().flatten();
        factors.fold(Multinomial::one(), |product, (factor, power)| product * factor.power(*power))
    }
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
    let no_normal_form = || Unsupported::new("an integrand has no normal form");
    let integrals = normal_forms(lowering).ok_or_else(|| (terms.len() - 1, no_normal_form()))?;
    let mut elimination = Elimination::default();
    let mut constants = Vec::new();
    let mut combinations = Vec::new();
    for (k, term) in terms.iter().enumerate() {
        let NormalTerm { row, constant } = NormalTerm::new(lowering, &integrals, term).map_err(|why| (k, why))?;
        constants.push(constant);
        let reduction = elimination.reduce(k, row).ok_or_else(|| (k, no_normal_form()))?;
        if let RowReduction::Vanishes(factors) = reduction {
            let constant = factors.iter().fold(Fraction::zero(), |sum, (j, factor)| sum + &constants[*j] * factor);
            let others = factors.iter().filter(|(j, _)| **j != k).map(|(j, factor)| (*j, -factor)).collect();
            combinations.push(Combination { term: k, others, constant });
        }
    }
    Ok(combinations)
}

/// A term that is linear in the integrals: the integral of the remainder in `row`, plus the numbers in `row`, plus `constant`.
struct NormalTerm {
    row: Row,
    /// The part in `π0`, the scale and the mean operating condition alone.
    constant: Fraction,
}

impl NormalTerm {
    /// Brings a term to its normal form, given those of the integrals of the lowering.
    fn new(lowering: &Lowering, integrals: &[NormalIntegral], term: &Fraction) -> Result<NormalTerm, Unsupported> {
        let (mut row, mut number) = (Row::new(), term.clone());
        for (integral, normal) in lowering.integrals.iter().zip(integrals) {
            let factor = term.derivative(integral.name);
            if lowering.integrals.iter().any(|other| factor.depends_on(other.name)) {
                return Err(Unsupported::new("it is not linear in functionals"));
            }
            number = number
                .substitute(integral.name, &Fraction::zero())
                .ok_or_else(|| Unsupported::new("it divides by zero"))?;
            subtract(&mut row, &normal.row, &-&factor);
            let growth =
                normal.growth(lowering).ok_or_else(|| Unsupported::new("it has no value at an end of the curve"))?;
            number = number + growth * factor;
        }
        // Values at points of the curve and other unknown numbers are independent directions.
        let (constant, unknown) = known_numbers(&number);
        row.extend(unknown.into_iter().map(|(monomial, factor)| ((NUMBER_SLOT, monomial), factor)));
        Ok(NormalTerm { row, constant })
    }
}

/// Splits a fraction into its part in `π0`, the scale and the mean operating condition alone, and the other parts by monomial.
fn known_numbers(fraction: &Fraction) -> (Fraction, BTreeMap<Monomial, Fraction>) {
    use Symbol::{High, Low, Mean, Pi0};
    let is_known = |variable: Variable| [Pi0, Low, High, Mean].contains(&Symbol::of(variable));
    let mut unknown = group_terms(fraction, |variable| !is_known(variable));
    let known = unknown.remove(&Monomial::new([])).unwrap_or_else(Fraction::zero);
    (known, unknown)
}

/// A row that others are reduced by. Its leading entry is 1.
struct Pivot {
    /// The position of the leading entry.
    key: (Slot, Monomial),
    row: Row,
    /// The original rows that it is a combination of, by index, with their factors.
    factors: BTreeMap<usize, Fraction>,
}

/// The result of the elimination of a row.
enum RowReduction {
    /// Nothing: the combination of original rows with these factors, by index, is 0.
    Vanishes(BTreeMap<usize, Fraction>),
    /// A new pivot: the row does not depend on those before it.
    Independent,
}

/// Gaussian elimination, row by row.
#[derive(Default)]
struct Elimination {
    pivots: Vec<Pivot>,
}

impl Elimination {
    /// Reduces row `k` by the pivots; `None` if that divides by zero.
    fn reduce(&mut self, k: usize, mut row: Row) -> Option<RowReduction> {
        let mut factors = BTreeMap::from([(k, Fraction::one())]);
        for pivot in &self.pivots {
            if let Some(factor) = row.get(&pivot.key).cloned() {
                subtract(&mut row, &pivot.row, &factor);
                subtract(&mut factors, &pivot.factors, &factor);
            }
        }
        let Some((key, leading)) = row.first_key_value().map(|(key, value)| (key.clone(), value.clone())) else {
            return Some(RowReduction::Vanishes(factors));
        };
        for value in row.values_mut().chain(factors.values_mut()) {
            *value = value.over(&leading)?;
        }
        self.pivots.push(Pivot { key, row, factors });
        Some(RowReduction::Independent)
    }
}

/// Expresses integrals by later ones; the integrals without a relation are independent. `None` if an integrand cannot be reduced.
pub fn relations(lowering: &Lowering) -> Option<Vec<LinearRelation>> {
    let integrals = normal_forms(lowering)?;
    let mut elimination = Elimination::default();
    let mut relations = Vec::new();
    for (k, integral) in integrals.iter().enumerate().rev() {
        if let RowReduction::Vanishes(factors) = elimination.reduce(k, integral.row.clone())? {
            relations.push(relation(lowering, &integrals, k, &factors)?);
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
    integrals: &[NormalIntegral],
    k: usize,
    factors: &BTreeMap<usize, Fraction>,
) -> Option<LinearRelation> {
    let name = |k: usize| lowering.integrals[k].name;
    let others: Vec<(Variable, Fraction)> =
        factors.iter().filter(|(j, _)| **j != k).map(|(j, factor)| (name(*j), -factor)).collect();
    // The potentials of the combination, by track and stretch.
    let mut sums: BTreeMap<(Track, usize), Fraction> = BTreeMap::new();
    for (j, factor) in factors {
        for potential in &integrals[*j].potentials {
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
