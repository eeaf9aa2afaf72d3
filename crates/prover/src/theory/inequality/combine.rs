//! Expresses the goal as a combination of rules with non-negative coefficients, by solving linear equations.

use super::offers::Offer;
use super::rows::ClearedSum;
use crate::statement::Statement;
use crate::theory::effort::Effort;
use crate::theory::rules::{Fact, Rule};
use crate::theory::symbol::Symbol;
use rocproof_arith::linear::{Column, System};
use rocproof_arith::multivariate::Monomial;
use rocproof_arith::{Multinomial, Rational};
use std::collections::HashMap;

/// The most columns of a system; larger systems take too long.
const MOST_COLUMNS: usize = 6000;
/// The most equations of a system.
const MOST_ROWS: usize = 900;

/// An offer, and the sum that its rule proves not to be negative.
pub struct ClearedOffer {
    /// The rule and its multipliers.
    pub offer: Offer,
    /// The sum, over the common denominators.
    pub cleared: ClearedSum,
}

/// A rule of a combination.
pub struct ChosenRule {
    /// Its coefficient.
    pub factor: Rational,
    /// The rule, with the factors of its multiplier.
    pub rule: Rule,
    /// The index of the offer.
    pub offer: usize,
    /// Whether the rule proves that its sum is positive.
    pub positive: bool,
}

/// Expresses the goal as a combination of offers, given with their indices, with non-negative coefficients, by a linear program; at a value of
/// `pi0`, if one is given. The program prefers rules with few factors; for a strict goal it maximises the coefficients of positive rules.
/// `None` if there is no combination, the system is too large, or the effort is spent.
pub fn solve_combination(
    goal: &ClearedSum,
    offers: &[(usize, &ClearedOffer)],
    pi0: Option<&Rational>,
    statement: &Statement,
    strict: bool,
    effort: &Effort,
) -> Option<Vec<ChosenRule>> {
    // One column for each multiple of an offer, with the rule that it stands for; one row for each monomial.
    let mut equations = EquationIndex { pi0, rows: HashMap::new() };
    let goal = equations.column(goal, &Multinomial::one());
    let (mut columns, mut rules): (Vec<Column>, Vec<ChosenRule>) = (Vec::new(), Vec::new());
    for (k, ClearedOffer { offer, cleared }) in offers {
        for (rule, multiplier) in offer.multiples(pi0.is_some()) {
            columns.push(equations.column(cleared, multiplier));
            let positive = is_positive(&rule, statement);
            rules.push(ChosenRule { factor: Rational::ZERO, rule, offer: *k, positive });
        }
        if columns.len() > MOST_COLUMNS {
            return None;
        }
    }
    let mut target = vec![Rational::ZERO; equations.rows.len()];
    goal.into_iter().for_each(|(row, value)| target[row] = value);
    // Presolve: drop columns that no solution uses, and rows that become empty.
    let kept = usable_columns(&columns, &target)?;
    let (columns, target) = drop_empty_rows(kept.iter().map(|j| columns[*j].clone()).collect(), &target);
    if target.len() > MOST_ROWS {
        return None;
    }
    let cost = |rule: &ChosenRule| match (strict, rule.positive) {
        (true, true) => -Rational::ONE,
        (true, false) => Rational::ZERO,
        (false, _) => Rational::from(1 + rule.rule.factors.len()),
    };
    let costs: Vec<Rational> = kept.iter().map(|j| cost(&rules[*j])).collect();
    let solution = solve_within(&System::new(&columns, &target, &[]), &costs, effort)?;
    let mut rules: Vec<Option<ChosenRule>> = rules.into_iter().map(Some).collect();
    let chosen = solution.into_iter().filter_map(|(j, factor)| Some(ChosenRule { factor, ..rules[kept[j]].take()? }));
    Some(chosen.collect())
}

/// Solves a linear program with the work that is left, and deducts the work that it took. Gives the columns that are used, with their
/// coefficients.
fn solve_within(system: &System, costs: &[Rational], effort: &Effort) -> Option<Vec<(usize, Rational)>> {
    let before = effort.left();
    let mut left = before;
    let solution = system.solve_cheaply(costs, &mut left);
    effort.spend(before - left);
    solution
}

/// An offer of which the goal is a positive multiple, if there is one; for a strict goal the rule must be positive. The factor is the quotient of
/// the coefficients of one monomial, and then all coefficients are compared.
pub fn find_single_rule(
    goal: &ClearedSum,
    offers: &[ClearedOffer],
    statement: &Statement,
    strict: bool,
) -> Option<ChosenRule> {
    let goal = times(goal, &Multinomial::one());
    let (slot, polynomial) = goal.first()?;
    let (leading, leading_coefficient) = polynomial.monomials().next()?;
    for (k, ClearedOffer { offer, cleared }) in offers.iter().enumerate() {
        for (rule, multiplier) in offer.multiples(false) {
            let positive = is_positive(&rule, statement);
            if strict && !positive {
                continue;
            }
            let product = times(cleared, multiplier);
            let in_slot = product.iter().find(|(known, _)| known == slot);
            let coefficient = in_slot.and_then(|(_, polynomial)| polynomial.monomials().find(|(m, _)| *m == leading));
            let Some((_, coefficient)) = coefficient else { continue };
            let factor = leading_coefficient / coefficient;
            if factor > Rational::ZERO && times(&product, &Multinomial::constant(factor.clone())) == goal {
                return Some(ChosenRule { factor, rule, offer: k, positive });
            }
        }
    }
    None
}

/// A sum times a polynomial, without slots that are zero.
fn times(sum: &ClearedSum, multiplier: &Multinomial) -> ClearedSum {
    let products = sum.iter().map(|(slot, polynomial)| (*slot, polynomial * multiplier));
    products.filter(|(_, polynomial)| !polynomial.is_zero()).collect()
}

/// Whether a rule proves that its sum is positive.
fn is_positive(rule: &Rule, statement: &Statement) -> bool {
    let is_fact_positive = match &rule.fact {
        Fact::One => true,
        Fact::Supposed { condition, .. } => super::factor::supposed(statement, *condition)
            .is_ok_and(|condition| super::factor::is_strict(condition.relation)),
        _ => false,
    };
    is_fact_positive && rule.square.is_none() && rule.factors.iter().all(|(factor, _)| factor.is_positive(statement))
}

/// Numbers the equations: one for each monomial of each slot, in the order in which they occur first. At a value of `pi0`, if one is given.
struct EquationIndex<'a> {
    pi0: Option<&'a Rational>,
    rows: HashMap<(super::rows::Slot, Monomial), usize>,
}

impl EquationIndex<'_> {
    /// The column of a sum times a polynomial.
    fn column(&mut self, cleared: &ClearedSum, multiplier: &Multinomial) -> Column {
        let mut column = Column::new();
        for (slot, polynomial) in cleared {
            let mut product = polynomial * multiplier;
            if let Some(pi0) = self.pi0 {
                product = product.at(Symbol::Pi0, pi0);
            }
            for (monomial, coefficient) in product.monomials() {
                let next = self.rows.len();
                let row = *self.rows.entry((*slot, monomial.clone())).or_insert(next);
                column.push((row, coefficient.clone()));
            }
        }
        column
    }
}

/// The columns that a solution with non-negative coefficients may use. If the target of an equation is 0 and all its entries have one sign, the
/// coefficients of their columns are 0. `None` if an equation cannot hold: no entry has the sign of its target.
fn usable_columns(columns: &[Column], target: &[Rational]) -> Option<Vec<usize>> {
    let mut kept: Vec<usize> = (0..columns.len()).filter(|j| !columns[*j].is_empty()).collect();
    loop {
        // The numbers of positive and of negative entries of each row.
        let mut signs = vec![[0usize; 2]; target.len()];
        for j in &kept {
            columns[*j].iter().for_each(|(row, value)| signs[*row][usize::from(*value < Rational::ZERO)] += 1);
        }
        let cannot_hold = |row: usize| match target[row].cmp(&Rational::ZERO) {
            std::cmp::Ordering::Equal => false,
            std::cmp::Ordering::Greater => signs[row][0] == 0,
            std::cmp::Ordering::Less => signs[row][1] == 0,
        };
        if (0..target.len()).any(cannot_hold) {
            return None;
        }
        let one_sided = |row: usize| target[row].is_zero() && (signs[row][0] == 0) != (signs[row][1] == 0);
        let before = kept.len();
        kept.retain(|j| !columns[*j].iter().any(|(row, _)| one_sided(*row)));
        if kept.len() == before {
            return Some(kept);
        }
    }
}

/// Removes equations without entries and renumbers the others.
fn drop_empty_rows(mut columns: Vec<Column>, target: &[Rational]) -> (Vec<Column>, Vec<Rational>) {
    let mut is_kept: Vec<bool> = target.iter().map(|value| !value.is_zero()).collect();
    columns.iter().flatten().for_each(|(row, _)| is_kept[*row] = true);
    // The new number of a row is the number of kept rows before it.
    let renumber = |count: &mut usize, is_kept: &bool| {
        *count += usize::from(*is_kept);
        Some(count.saturating_sub(1))
    };
    let number: Vec<usize> = is_kept.iter().scan(0, renumber).collect();
    columns.iter_mut().flatten().for_each(|(row, _)| *row = number[*row]);
    let target = target.iter().zip(&is_kept).filter(|(_, is_kept)| **is_kept).map(|(value, _)| value.clone()).collect();
    (columns, target)
}
