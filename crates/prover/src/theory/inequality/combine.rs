//! Combinations of rules that are the goal, as solutions of linear equations.

use super::candidates::Candidate;
use super::rows::Whole;
use crate::statement::Statement;
use crate::theory::effort::Effort;
use crate::theory::rules::{Fact, Rule};
use crate::theory::symbol::Symbol;
use rocproof_arith::linear::{Column, System};
use rocproof_arith::multivariate::Monomial;
use rocproof_arith::{Multinomial, Rational};
use std::collections::HashMap;

/// The most columns and rows of a system: larger ones take too long.
const MOST: [usize; 2] = [6000, 900];

/// A rule that is offered, and what it says is not negative.
pub struct Offer {
    /// The rule.
    pub candidate: Candidate,
    /// What it says, over the common denominators.
    pub whole: Whole,
}

/// A rule of a combination: how often it is taken, and which offer it came from.
pub struct Taken {
    /// How often.
    pub factor: Rational,
    /// The rule with the numbers that it is multiplied by.
    pub rule: Rule,
    /// The offer.
    pub offer: usize,
    /// Whether what it says is not negative is positive.
    pub positive: bool,
}

/// The goal as a combination of offers; with a number for `pi0`, if one is given. A strict goal takes as much as it can of what is
/// positive.
pub fn combination(
    goal: &Whole,
    offers: &[(usize, &Offer)],
    pi0: Option<&Rational>,
    statement: &Statement,
    strict: bool,
    effort: &Effort,
) -> Option<Vec<Taken>> {
    let mut rows = Rows { pi0, rows: HashMap::new() };
    let goal = rows.column(goal, &Multinomial::one());
    let (mut columns, mut origins): (Vec<Column>, Vec<Taken>) = (Vec::new(), Vec::new());
    for (offer, Offer { candidate, whole }) in offers {
        for (rule, by) in candidate.multiplied(pi0.is_some()) {
            columns.push(rows.column(whole, by));
            let positive = is_positive(&rule, statement);
            origins.push(Taken { factor: Rational::ZERO, rule, offer: *offer, positive });
        }
        if columns.len() > MOST[0] {
            return None;
        }
    }
    let mut target = vec![Rational::ZERO; rows.rows.len()];
    goal.into_iter().for_each(|(row, value)| target[row] = value);
    let kept = useful(&columns, &target)?;
    let (columns, target) = compact(kept.iter().map(|j| columns[*j].clone()).collect(), &target);
    if target.len() > MOST[1] {
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
    let solution = System::new(&columns, &target, &[]).quickly(&costs, &mut work);
    effort.spend(before - work);
    let solution = solution?;
    let mut origins: Vec<Option<Taken>> = origins.into_iter().map(Some).collect();
    let taken = solution.into_iter().filter_map(|(j, factor)| Some(Taken { factor, ..origins[kept[j]].take()? }));
    Some(taken.collect())
}

/// One rule that the goal is a positive multiple of, if there is one among the offers; of a strict goal, one that is positive.
pub fn single(goal: &Whole, offers: &[Offer], statement: &Statement, strict: bool) -> Option<Taken> {
    let (slot, polynomial) = goal.iter().find(|(_, polynomial)| !polynomial.is_zero())?;
    let (lead, wanted) = polynomial.monomials().next()?;
    offers.iter().enumerate().find_map(|(k, Offer { candidate, whole })| {
        candidate.multiplied(false).find_map(|(rule, by)| {
            let positive = is_positive(&rule, statement);
            let product: Whole = whole.iter().map(|(slot, polynomial)| (*slot, polynomial * by)).collect();
            let same = product.iter().find(|(known, _)| known == slot)?;
            let (_, found) = same.1.monomials().find(|(monomial, _)| *monomial == lead)?;
            let factor = wanted / found;
            let is_goal = || {
                let scaled = product.iter().map(|(slot, polynomial)| (*slot, polynomial.scaled(&factor)));
                let scaled: Whole = scaled.filter(|(_, polynomial)| !polynomial.is_zero()).collect();
                let goal: Vec<_> = goal.iter().filter(|(_, polynomial)| !polynomial.is_zero()).collect();
                goal.len() == scaled.len() && goal.iter().all(|part| scaled.contains(part))
            };
            ((positive || !strict) && factor > Rational::ZERO && is_goal()).then(|| Taken {
                factor,
                rule,
                offer: k,
                positive,
            })
        })
    })
}

/// Whether a rule says that something is positive.
fn is_positive(rule: &Rule, statement: &Statement) -> bool {
    let fact = match &rule.fact {
        Fact::One => true,
        Fact::Supposed { condition, .. } => super::factor::supposed(statement, *condition)
            .is_ok_and(|condition| super::factor::is_strict(condition.relation)),
        _ => false,
    };
    fact && rule.square.is_none() && rule.factors.iter().all(|(factor, _)| factor.is_positive(statement))
}

/// The numbering of the equations: one for each monomial of each slot.
struct Rows<'a> {
    pi0: Option<&'a Rational>,
    rows: HashMap<(super::rows::Slot, Monomial), usize>,
}

impl Rows<'_> {
    /// The coefficients of a sum times a polynomial.
    fn column(&mut self, whole: &Whole, by: &Multinomial) -> Column {
        let mut column = Column::new();
        for (slot, polynomial) in whole {
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

/// The columns that may be taken: an equation of 0 whose entries have one sign takes none of them. `None` if an equation cannot hold.
fn useful(columns: &[Column], target: &[Rational]) -> Option<Vec<usize>> {
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

/// The same equations without those that say nothing.
fn compact(mut columns: Vec<Column>, target: &[Rational]) -> (Vec<Column>, Vec<Rational>) {
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
