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

/// Expresses the goal as a combination of offers with non-negative coefficients, by a linear program; at a value of `pi0`, if one is given. The
/// program prefers rules with few factors; for a strict goal it maximises the coefficients of positive rules. `None` if there is no
/// combination, the system is too large, or the effort is spent.
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
        for (rule, multiplier) in candidate.multiples(pi0.is_some()) {
            columns.push(rows.column(cleared, multiplier));
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
    let chosen = solution.into_iter().filter_map(|(j, factor)| Some(ChosenRule { factor, ..origins[kept[j]].take()? }));
    Some(chosen.collect())
}

/// An offer of which the goal is a positive multiple, if there is one; for a strict goal the rule must be positive.
pub fn find_single_rule(
    goal: &ClearedSum,
    offers: &[OfferedRule],
    statement: &Statement,
    strict: bool,
) -> Option<ChosenRule> {
    let (slot, polynomial) = goal.iter().find(|(_, polynomial)| !polynomial.is_zero())?;
    let (leading, leading_coefficient) = polynomial.monomials().next()?;
    offers.iter().enumerate().find_map(|(k, OfferedRule { candidate, cleared })| {
        candidate.multiples(false).find_map(|(rule, multiplier)| {
            let positive = is_positive(&rule, statement);
            let product: ClearedSum =
                cleared.iter().map(|(slot, polynomial)| (*slot, polynomial * multiplier)).collect();
            let (_, in_slot) = product.iter().find(|(known, _)| known == slot)?;
            let (_, coefficient) = in_slot.monomials().find(|(monomial, _)| *monomial == leading)?;
            let factor = leading_coefficient / coefficient;
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

/// The numbers of the equations: one equation for each monomial of each slot. At a value of `pi0`, if one is given.
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

/// The columns that a solution may use. If the target of an equation is 0 and all its entries have one sign, the coefficients of their
/// columns are 0. `None` if an equation cannot hold.
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
