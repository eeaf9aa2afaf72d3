//! Linear equations in unknowns some of which must not be negative.
//!
//! Answers are proved: a solution by inserting it, infeasibility by a combination of the equations that no unknowns satisfy (Farkas'
//! lemma). The simplex method only proposes where to look.

use super::lifting::solve;
use super::{floating, simplex};
use crate::rational::{Rational, from_f64};
use dashu_base::{Abs, Signed};
use std::collections::BTreeMap;

/// A sparse column of the equations: row numbers with entries. Entries of the same row add up.
pub type Column = Vec<(usize, Rational)>;

/// The unknowns that are not 0, by column number. There are at most as many as equations.
pub type Solution = Vec<(usize, Rational)>;

/// The system `Σ λ_j·column_j = target` with `λ_j >= 0` unless column `j` is free.
///
/// Methods number the columns of the system first. After them come unit columns, one for each row, with the sign of the target: the
/// usual start of the simplex method.
#[derive(Clone, Debug)]
pub struct System {
    pub(super) columns: Vec<Column>,
    pub(super) target: Vec<Rational>,
    pub(super) free: Vec<bool>,
}

/// The largest number of refinements of a guess. Each refinement is about a million times closer.
const ROUNDS: usize = 6;
/// A value this many times larger than the residual stays non-negative under refinement.
const LARGE: u32 = 1_000_000;

/// Some `λ` with `Σ λ_j·column_j = target`, and `λ_j >= 0` unless `free[j]`; `None` if there is none.
///
/// ```
/// use rocproof_arith::{Rational, linear::feasible};
/// let r = Rational::from;
/// // a + 2b = 4, a - b = 1
/// let columns = [vec![(0, r(1)), (1, r(1))], vec![(0, r(2)), (1, r(-1))]];
/// assert_eq!(feasible(&columns, &[r(4), r(1)], &[]), Some(vec![(0, r(2)), (1, r(1))]));
/// // With 1 and 3 on the right, b would be -2/3.
/// assert_eq!(feasible(&columns, &[r(1), r(3)], &[]), None);
/// assert!(feasible(&columns, &[r(1), r(3)], &[false, true]).is_some());
/// ```
pub fn feasible(columns: &[Column], target: &[Rational], free: &[bool]) -> Option<Solution> {
    System::new(columns, target, free).feasible()
}

/// The sum of rationals.
fn sum(terms: impl Iterator<Item = Rational>) -> Rational {
    terms.fold(Rational::ZERO, |sum, term| sum + term)
}

impl System {
    /// The system with these columns. Columns beyond the end of `free` are not free; rows beyond the end of `target` have target 0.
    pub fn new(columns: &[Column], target: &[Rational], free: &[bool]) -> System {
        let rows = columns.iter().flatten().map(|(i, _)| i + 1).max().unwrap_or(0);
        let mut target = target.to_vec();
        target.resize(rows.max(target.len()), Rational::ZERO);
        let mut free = free.to_vec();
        free.resize(columns.len(), false);
        let merge_rows = |column: &Column| {
            let mut sum: BTreeMap<usize, Rational> = BTreeMap::new();
            column.iter().for_each(|(i, v)| *sum.entry(*i).or_insert(Rational::ZERO) += v);
            sum.into_iter().filter(|(_, v)| !v.is_zero()).collect()
        };
        System { columns: columns.iter().map(merge_rows).collect(), target, free }
    }

    /// A solution; `None` if there is none.
    ///
    /// Each round guesses a basis in floating point, and checks exactly whether it has a solution, or prices that exclude one. If neither, the next
    /// round guesses the correction of the approximate solution. The exact simplex method is the last resort.
    pub(super) fn feasible(&self) -> Option<Solution> {
        let mut near = self.clone();
        for _ in 0..ROUNDS {
            // There is no budget of work here.
            let Some(guess) = floating::guess(&near, None, &mut u64::MAX.clone()) else { break };
            if let Some(solution) = self.solution(&guess.nearest) {
                return Some(solution);
            }
            if near.unit_prices(&guess.nearest, &guess.units).is_some_and(|prices| self.is_excluded_by(&prices)) {
                return None;
            }
            match self.residual_system(&guess.nearest) {
                Some(system) => near = system,
                None => break,
            }
        }
        self.solution(&simplex::feasible_basis(self)?)
    }

    /// A solution with small costs `Σ cost_j·λ_j`, within a budget of work, which is reduced by the work done.
    ///
    /// The solution is exact. That its costs are the least is not proved, and `None` proves nothing.
    ///
    /// ```
    /// use rocproof_arith::{Rational, linear::System};
    /// let r = Rational::from;
    /// // a + b = 1, where a costs more.
    /// let system = System::new(&[vec![(0, r(1))], vec![(0, r(1))]], &[r(1)], &[]);
    /// assert_eq!(system.solve_cheaply(&[r(2), r(1)], &mut 1_000_000), Some(vec![(1, r(1))]));
    /// ```
    pub fn solve_cheaply(&self, costs: &[Rational], work: &mut u64) -> Option<Solution> {
        let guess = floating::guess(self, Some(costs), work)?;
        let basis = guess.cheapest?;
        if let Some(solution) = self.solution(&basis) {
            return Some(solution);
        }
        // The guessed columns suffice, but they are not a basis with a solution. Solve the system of these columns alone.
        let kept: Vec<usize> = basis.into_iter().filter(|j| *j < self.columns.len()).collect();
        let columns: Vec<Column> = kept.iter().map(|j| self.columns[*j].clone()).collect();
        let free: Vec<bool> = kept.iter().map(|j| self.free[*j]).collect();
        let smaller = System { columns, target: self.target.clone(), free };
        let solution = smaller.solution(&simplex::feasible_basis(&smaller)?)?;
        Some(solution.into_iter().map(|(j, value)| (kept[j], value)).collect())
    }

    /// The system for the correction of an approximate solution: the residual, scaled to size 1, is its target. `None` if the basis is singular or the
    /// residual is 0.
    ///
    /// Floating point then sees the digits that were lost before. The unknowns are corrections, so large values become free.
    fn residual_system(&self, basis: &[usize]) -> Option<System> {
        let values = self.combination(basis, &self.target)?;
        // The approximate solution: the values of the system's own columns that are allowed. Unit columns and negative values are dropped.
        let own = basis.iter().zip(values).filter(|(j, _)| **j < self.columns.len());
        let kept: Solution = own.map(|(j, v)| (*j, v)).filter(|(j, v)| self.free[*j] || v.is_positive()).collect();
        let mut near = self.clone();
        for (j, value) in &kept {
            self.columns[*j].iter().for_each(|(i, v)| near.target[*i] -= value * v);
        }
        let residual = near.target.iter().map(|t| t.clone().abs()).max().filter(|residual| !residual.is_zero())?;
        for (j, value) in kept {
            near.free[j] |= value > &residual * Rational::from(LARGE);
        }
        near.target.iter_mut().for_each(|t| *t /= &residual);
        Some(near)
    }

    /// A column of the system, or a unit column.
    fn column(&self, j: usize) -> Column {
        match self.columns.get(j) {
            Some(column) => column.clone(),
            None => {
                let row = j - self.columns.len();
                let negative = self.target[row].is_negative();
                vec![(row, if negative { -Rational::ONE } else { Rational::ONE })]
            }
        }
    }

    /// A column with its zeros.
    pub(super) fn dense(&self, j: usize) -> Vec<Rational> {
        let mut dense = vec![Rational::ZERO; self.target.len()];
        self.column(j).into_iter().for_each(|(i, v)| dense[i] += v);
        dense
    }

    /// The coefficients with which the columns of a basis combine to a vector; `None` if the basis is singular.
    pub(super) fn combination(&self, basis: &[usize], vector: &[Rational]) -> Option<Vec<Rational>> {
        let mut rows = vec![Vec::new(); vector.len()];
        for (k, j) in basis.iter().enumerate() {
            self.column(*j).into_iter().for_each(|(i, value)| rows[i].push((k, value)));
        }
        solve(&rows, vector)
    }

    /// The solution in the columns of a basis; `None` if it needs a unit column or a negative value.
    pub(super) fn solution(&self, basis: &[usize]) -> Option<Solution> {
        let values = self.combination(basis, &self.target)?;
        let mut solution: Solution = basis.iter().copied().zip(values).filter(|(_, v)| !v.is_zero()).collect();
        solution.sort_unstable();
        let allowed = |(j, v): &(usize, Rational)| *j < self.columns.len() && (self.free[*j] || !v.is_negative());
        solution.iter().all(allowed).then_some(solution)
    }

    /// Prices of the rows (dual values) at which each column of a basis is worth its cost.
    pub(super) fn prices(&self, basis: &[usize], cost: &dyn Fn(usize) -> Rational) -> Option<Vec<Rational>> {
        let rows: Vec<Column> = basis.iter().map(|j| self.column(*j)).collect();
        let costs: Vec<Rational> = basis.iter().map(|j| cost(*j)).collect();
        solve(&rows, &costs)
    }

    /// Prices at which the unit columns of a basis are worth the given units, and its other columns 0.
    fn unit_prices(&self, basis: &[usize], units: &[f64]) -> Option<Vec<Rational>> {
        let unit = |j: usize| from_f64(*units.get(j.checked_sub(self.columns.len())?)?);
        self.prices(basis, &|j| unit(j).unwrap_or(Rational::ZERO))
    }

    /// The worth of a column of the system at prices of the rows.
    pub(super) fn worth(&self, j: usize, prices: &[Rational]) -> Rational {
        sum(self.columns[j].iter().map(|(i, v)| v * &prices[*i]))
    }

    /// Whether prices prove that there is no solution (Farkas): no column has a positive worth, but the target has.
    pub(super) fn is_excluded_by(&self, prices: &[Rational]) -> bool {
        let target = sum(self.target.iter().zip(prices).map(|(t, y)| t * y));
        let has_no_worth = |j: usize| {
            let worth = self.worth(j, prices);
            worth.is_zero() || (worth.is_negative() && !self.free[j])
        };
        target > Rational::ZERO && (0..self.columns.len()).all(has_no_worth)
    }
}
