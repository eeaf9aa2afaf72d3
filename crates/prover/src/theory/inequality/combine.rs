//! Expresses the goal as a combination of rules with non-negative coefficients, by solving linear equations.

use super::candidates::Candidate;
use super::rows::ClearedSum;
use crate::statement::Statement;
use crate::theory::effort::Effort;
use crate::theory::rules::{Fact, Rule};
use crate::theory::symbol::Symbol;
use rocproof_arith::linear::{Column, System};
use rocproof_arith::multivariate::Monomial;
use rocproof_arith::{Multinomial, Rational};
use std::collections::HashMap;

/// The most columns and rows of a system; larger systems take too long.
const LARGEST_SYSTEM: [usize; 2] = [6000, 900];

/// A rule that is offered, and the sum that it proves not to be negative.
pub struct OfferedRule {
    /// The rule.
    pub candidate: Candidate,
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

/// Expresses the goal as a combination of offers; at a value of `pi0`, if one is given. A strict goal maximises the coefficients of positive
/// rules.
pub fn solve_combination(
    goal: &ClearedSum,
    offers: &[(usize, &OfferedRule)],
    pi0: Option<&Rational>,
    statement: &Statement,
    strict: bool,
    effort: &Effort,
) -> Option<Vec<ChosenRule>> {
    let mut rows = EquationIndex { pi0, rows: HashMap::new() };
    let goal = rows.column(goal, &Multinomial::one());
    let (mut columns, mut origins): (Vec<Column>, Vec<ChosenRule>) = (Vec::new(), Vec::new());
    for (offer, OfferedRule { candidate, cleared }) in offers {
        for (rule, by) in candidate.multiples(pi0.is_some()) {
            columns.push(rows.column(cleared, by));
            let positive = is_positive(&rule, statement);
            origins.push(ChosenRule { factor: Rational::ZERO, rule, offer: *offer, positive });
        }
        if columns.len() > LARGEST_SYSTEM[0] {
            return None;
        }
    }
    let mut target = vec![Rational::ZERO; rows.rows.len()];
    goal.into_iter().for_each(|(row, value)| target[row] = value);
    let kept = usable_columns(&columns, &target)?;
    let (columns, target) = drop_empty_rows(kept.iter().map(|j| columns[*j].clone()).collect(), &target);
    if target.len() > LARGEST_SYSTEM[1] {
        return None;
    }
    let cost = |j: &usize| match (strict, origins[*j].positive) {
        (true, true) => -Rational::ONE,
        (true, false) => Rational::ZERO,
        (false, _) => Rational::from(1 + origins[*j].rule.factors.len()),
    };
    let costs: Vec<Rational> = kept.iter().map(cost).collect();
    let before = effort.left();
    let mut work = before;
    let solution = System::new(&columns, &target, &[]).solve_cheaply(&costs, &mut work);
    effort.spend(before - work);
    let solution = solution?;
    let mut origins: Vec<Option<ChosenRule>> = origins.into_iter().map(Some).collect();
    let taken = solution.into_iter().filter_map(|(j, factor)| Some(ChosenRule { factor, ..origins[kept[j]].take()? }));
    Some(taken.collect())
}

/// An offer of which the goal is a positive multiple, if there is one; for a strict goal the rule must be positive.
pub fn find_single_rule(
    goal: &ClearedSum,
    offers: &[OfferedRule],
    statement: &Statement,
    strict: bool,
) -> Option<ChosenRule> {
    let (slot, polynomial) = goal.iter().find(|(_, polynomial)| !polynomial.is_zero())?;
    let (lead, wanted) = polynomial.monomials().next()?;
    offers.iter().enumerate().find_map(|(k, OfferedRule { candidate, cleared })| {
        candidate.multiples(false).find_map(|(rule, by)| {
            let positive = is_positive(&rule, statement);
            let product: ClearedSum = cleared.iter().map(|(slot, polynomial)| (*slot, polynomial * by)).collect();
            let same = product.iter().find(|(known, _)| known == slot)?;
            let (_, found) = same.1.monomials().find(|(monomial, _)| *monomial == lead)?;
            let factor = wanted / found;
            let is_goal = || {
                let scaled = product.iter().map(|(slot, polynomial)| (*slot, polynomial.scaled(&factor)));
                let scaled: ClearedSum = scaled.filter(|(_, polynomial)| !polynomial.is_zero()).collect();
                let goal: Vec<_> = goal.iter().filter(|(_, polynomial)| !polynomial.is_zero()).collect();
                goal.len() == scaled.len() && goal.iter().all(|part| scaled.contains(part))
            };
            ((positive || !strict) && factor > Rational::ZERO && is_goal()).then(|| ChosenRule {
                factor,
                rule,
                offer: k,
                positive,
            })
        })
    })
}

/// Whether a rule proves that its sum is positive.
fn is_positive(rule: &Rule, statement: &Statement) -> bool {
    let fact = match &rule.fact {
        Fact::One => true,
        Fact::Supposed { condition, .. } => super::factor::supposed(statement, *condition)
            .is_ok_and(|condition| super::factor::is_strict(condition.relation)),
        _ => false,
    };
    fact && rule.square.is_none() && rule.factors.iter().all(|(factor, _)| factor.is_positive(statement))
}

/// The numbers of the equations: one equation for each monomial of each slot.
struct EquationIndex<'a> {
    pi0: Option<&'a Rational>,
    rows: HashMap<(super::rows::Slot, Monomial), usize>,
}

impl EquationIndex<'_> {
    /// The column of a sum times a polynomial.
    fn column(&mut self, cleared: &ClearedSum, by: &Multinomial) -> Column {
        let mut column = Column::new();
        for (slot, polynomial) in cleared {
            let mut product = polynomial * by;
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

/// The columns that a solution may use: where the target is 0 and all entries have one sign, none of these columns can be used. `None` if an
/// equation cannot hold.
fn usable_columns(columns: &[Column], target: &[Rational]) -> Option<Vec<usize>> {
    let mut kept: Vec<usize> = (0..columns.len()).filter(|j| !columns[*j].is_empty()).collect();
    loop {
        let mut signs = vec![[0usize; 2]; target.len()];
        for j in &kept {
            columns[*j].iter().for_each(|(row, value)| signs[*row][usize::from(*value < Rational::ZERO)] += 1);
        }
        let lacks = |row: usize| match target[row].cmp(&Rational::ZERO) {
            std::cmp::Ordering::Equal => false,
            std::cmp::Ordering::Greater => signs[row][0] == 0,
            std::cmp::Ordering::Less => signs[row][1] == 0,
        };
        if (0..target.len()).any(lacks) {
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
    let mut met: Vec<bool> = target.iter().map(|value| !value.is_zero()).collect();
    columns.iter().flatten().for_each(|(row, _)| met[*row] = true);
    let before = |count: &mut usize, met: &bool| {
        *count += usize::from(*met);
        Some(count.saturating_sub(1))
    };
    let number: Vec<usize> = met.iter().scan(0, before).collect();
    columns.iter_mut().flatten().for_each(|(row, _)| *row = number[*row]);
    let target = target.iter().zip(&met).filter(|(_, met)| **met).map(|(value, _)| value.clone()).collect();
    (columns, target)
}
