//! Linear equations in unknowns some of which may not be negative.
//!
//! Answers are proved: a solution by inserting it, that there is none by a combination of the equations that no unknowns satisfy
//! (Farkas), a maximum by prices of the equations (duality). The simplex method only says where to look.

use super::lifting::solve;
use super::{floating, simplex};
use crate::rational::{Rational, from_f64};
use dashu_base::{Abs, Signed};
use std::collections::BTreeMap;

/// A column of the equations: rows, and the entries there. Entries of the same row add up.
pub type Column = Vec<(usize, Rational)>;

/// The unknowns that are not zero, by column. No more than there are equations.
pub type Solution = Vec<(usize, Rational)>;

/// What is known about a maximum.
#[derive(Clone, Debug, PartialEq)]
pub enum Optimum {
    /// There is no solution.
    Infeasible,
    /// There are solutions with arbitrarily large values.
    Unbounded,
    /// The largest value, and a solution that has it.
    At(Rational, Solution),
}

/// `Σ λ_j·column_j = target` with `λ_j >= 0` unless free.
#[derive(Clone, Debug)]
pub struct System {
    pub(super) columns: Vec<Column>,
    pub(super) target: Vec<Rational>,
    pub(super) free: Vec<bool>,
}

/// How often a guess may be refined; each time it is a million times closer.
const ROUNDS: usize = 6;
/// What is so many times larger than what the equations lack does not become negative when they are mended.
const LARGE: u32 = 1_000_000;

/// What the guesses led to.
enum Found {
    Infeasible,
    /// A basis with a solution, and a column along which costs seem to fall for ever.
    Basis(Vec<usize>, Option<usize>),
}

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

/// As [`feasible`], with small `Σ cost_j·λ_j`: costs that are not negative, large for columns to avoid. Those of free columns do
/// not count. The solution is exact; that its costs are the least is not proved.
///
/// ```
/// use rocproof_arith::{Rational, linear::cheapest};
/// let r = Rational::from;
/// // a + b = 1 with a dear.
/// let columns = [vec![(0, r(1))], vec![(0, r(1))]];
/// assert_eq!(cheapest(&columns, &[r(1)], &[], &[r(2), r(1)]), Some(vec![(1, r(1))]));
/// ```
pub fn cheapest(columns: &[Column], target: &[Rational], free: &[bool], costs: &[Rational]) -> Option<Solution> {
    System::new(columns, target, free).cheapest(costs)
}

/// The largest `Σ objective_j·λ_j`.
///
/// ```
/// use rocproof_arith::{Rational, linear::{Optimum, maximise}};
/// let r = Rational::from;
/// // a + b = 2
/// let columns = [vec![(0, r(1))], vec![(0, r(1))]];
/// let largest = maximise(&columns, &[r(2)], &[false; 2], &[r(1), r(3)]);
/// assert_eq!(largest, Optimum::At(r(6), vec![(1, r(2))]));
/// assert_eq!(maximise(&columns, &[r(2)], &[true, false], &[r(1), r(3)]), Optimum::Unbounded);
/// ```
pub fn maximise(columns: &[Column], target: &[Rational], free: &[bool], objective: &[Rational]) -> Optimum {
    System::new(columns, target, free).maximise(objective)
}

fn sum(terms: impl Iterator<Item = Rational>) -> Rational {
    terms.fold(Rational::ZERO, |sum, term| sum + term)
}

impl System {
    /// The equations; a column without a mark is not free. Entries beyond the target are equations of 0.
    pub fn new(columns: &[Column], target: &[Rational], free: &[bool]) -> System {
        let rows = columns.iter().flatten().map(|(i, _)| i + 1).max().unwrap_or(0);
        let mut target = target.to_vec();
        target.resize(rows.max(target.len()), Rational::ZERO);
        let mut free = free.to_vec();
        free.resize(columns.len(), false);
        let added_up = |column: &Column| {
            let mut sum: BTreeMap<usize, Rational> = BTreeMap::new();
            column.iter().for_each(|(i, v)| *sum.entry(*i).or_insert(Rational::ZERO) += v);
            sum.into_iter().filter(|(_, v)| !v.is_zero()).collect()
        };
        System { columns: columns.iter().map(added_up).collect(), target, free }
    }

    /// A solution, if there is one.
    pub fn feasible(&self) -> Option<Solution> {
        match self.found(None) {
            Found::Infeasible => None,
            Found::Basis(basis, _) => self.solution(&basis),
        }
    }

    /// A solution with small costs, if there is a solution.
    pub fn cheapest(&self, costs: &[Rational]) -> Option<Solution> {
        let counts = |j: usize, c: &Rational| !self.free[j] && !c.is_negative();
        let cost = |j: usize| costs.get(j).filter(|c| counts(j, c)).cloned().unwrap_or(Rational::ZERO);
        let costs: Vec<Rational> = (0..self.columns.len()).map(cost).collect();
        match self.found(Some(&costs)) {
            Found::Infeasible => None,
            Found::Basis(basis, _) => self.solution(&basis),
        }
    }

    /// A solution with small costs, if one is found quickly and with the work that there is, which is taken off. That none is found
    /// proves nothing.
    pub fn quickly(&self, costs: &[Rational], work: &mut u64) -> Option<Solution> {
        let guess = floating::guess(self, Some(costs), work)?;
        let (basis, _) = guess.cheapest?;
        if let Some(solution) = self.solution(&basis) {
            return Some(solution);
        }
        // The columns are right, but not all of them belong to a basis.
        let kept: Vec<usize> = basis.into_iter().filter(|j| *j < self.columns.len()).collect();
        let columns: Vec<Column> = kept.iter().map(|j| self.columns[*j].clone()).collect();
        let free: Vec<bool> = kept.iter().map(|j| self.free[*j]).collect();
        let smaller = System { columns, target: self.target.clone(), free };
        let solution = smaller.solution(&simplex::feasible_basis(&smaller)?)?;
        Some(solution.into_iter().map(|(j, value)| (kept[j], value)).collect())
    }

    /// The largest value of a linear objective.
    pub fn maximise(&self, objective: &[Rational]) -> Optimum {
        let mut costs: Vec<Rational> = objective.iter().take(self.columns.len()).map(|c| -c).collect();
        costs.resize(self.columns.len(), Rational::ZERO);
        let Found::Basis(mut basis, mut for_ever) = self.found(Some(&costs)) else { return Optimum::Infeasible };
        loop {
            if let Some(optimum) = self.optimum(&basis, for_ever, &costs) {
                return optimum;
            }
            let cost = |j: usize| costs.get(j).cloned().unwrap_or(Rational::ZERO);
            match simplex::descend(self, basis, &cost, true) {
                Some(end) => (basis, for_ever) = (end.basis, end.for_ever),
                None => return Optimum::Infeasible,
            }
        }
    }

    /// A basis with a solution and, as it seems, the least costs.
    fn found(&self, costs: Option<&[Rational]>) -> Found {
        let mut near = self.clone();
        for _ in 0..ROUNDS {
            let Some(guess) = floating::guess(&near, costs, &mut u64::MAX.clone()) else { break };
            if let Some((basis, for_ever)) = guess.cheapest
                && self.solution(&basis).is_some()
            {
                return Found::Basis(basis, for_ever);
            }
            if self.solution(&guess.nearest).is_some() {
                return Found::Basis(guess.nearest, None);
            }
            if near.unit_prices(&guess.nearest, &guess.units).is_some_and(|prices| self.excluded_by(&prices)) {
                return Found::Infeasible;
            }
            match self.magnified(&guess.nearest) {
                Some(system) => near = system,
                None => break,
            }
        }
        match simplex::feasible_basis(self) {
            Some(basis) => Found::Basis(basis, None),
            None => Found::Infeasible,
        }
    }

    /// What the values of a basis lack to be a solution, as a system of its own: floating point sees it then. Its unknowns are changes
    /// of the values; large values may change either way.
    fn magnified(&self, basis: &[usize]) -> Option<System> {
        let values = self.combination(basis, &self.target)?;
        let own = basis.iter().zip(values).filter(|(j, _)| **j < self.columns.len());
        let kept: Solution = own.map(|(j, v)| (*j, v)).filter(|(j, v)| self.free[*j] || v.is_positive()).collect();
        let mut near = self.clone();
        for (j, value) in &kept {
            self.columns[*j].iter().for_each(|(i, v)| near.target[*i] -= value * v);
        }
        let lack = near.target.iter().map(|t| t.clone().abs()).max().filter(|lack| !lack.is_zero())?;
        for (j, value) in kept {
            near.free[j] |= value > &lack * Rational::from(LARGE);
        }
        near.target.iter_mut().for_each(|t| *t /= &lack);
        Some(near)
    }

    /// What a basis proves about the least costs.
    pub(super) fn optimum(&self, basis: &[usize], for_ever: Option<usize>, costs: &[Rational]) -> Option<Optimum> {
        let solution = self.solution(basis)?;
        if let Some(column) = for_ever {
            return self.falls_for_ever(basis, column, costs).then_some(Optimum::Unbounded);
        }
        let cost = |j: usize| costs.get(j).cloned().unwrap_or(Rational::ZERO);
        let prices = self.prices(basis, &cost)?;
        // No column is cheaper than its prices: then no solution is cheaper than this one.
        let fair = (0..self.columns.len()).all(|j| {
            let slope = cost(j) - self.worth(j, &prices);
            if self.free[j] { slope.is_zero() } else { !slope.is_negative() }
        });
        let value = sum(solution.iter().map(|(j, v)| -cost(*j) * v));
        fair.then_some(Optimum::At(value, solution))
    }

    /// The column with that number; the unit columns come after those of the system.
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

    /// What the columns of a basis must be taken with to give something.
    pub(super) fn combination(&self, basis: &[usize], of: &[Rational]) -> Option<Vec<Rational>> {
        let mut rows = vec![Vec::new(); of.len()];
        for (k, j) in basis.iter().enumerate() {
            self.column(*j).into_iter().for_each(|(i, value)| rows[i].push((k, value)));
        }
        solve(&rows, of)
    }

    /// The solution with the columns of a basis, if it is one.
    pub(super) fn solution(&self, basis: &[usize]) -> Option<Solution> {
        let values = self.combination(basis, &self.target)?;
        let mut solution: Solution = basis.iter().copied().zip(values).filter(|(_, v)| !v.is_zero()).collect();
        solution.sort_unstable();
        let allowed = |(j, v): &(usize, Rational)| *j < self.columns.len() && (self.free[*j] || !v.is_negative());
        solution.iter().all(allowed).then_some(solution)
    }

    /// Prices of the rows at which the columns of a basis are worth their costs.
    pub(super) fn prices(&self, basis: &[usize], cost: &dyn Fn(usize) -> Rational) -> Option<Vec<Rational>> {
        let rows: Vec<Column> = basis.iter().map(|j| self.column(*j)).collect();
        let costs: Vec<Rational> = basis.iter().map(|j| cost(*j)).collect();
        solve(&rows, &costs)
    }

    /// Prices at which the unit columns of a basis are worth something, and the others nothing.
    fn unit_prices(&self, basis: &[usize], units: &[f64]) -> Option<Vec<Rational>> {
        let unit = |j: usize| from_f64(*units.get(j.checked_sub(self.columns.len())?)?);
        self.prices(basis, &|j| unit(j).unwrap_or(Rational::ZERO))
    }

    /// What a column is worth.
    pub(super) fn worth(&self, j: usize, prices: &[Rational]) -> Rational {
        sum(self.columns[j].iter().map(|(i, v)| v * &prices[*i]))
    }

    /// Whether prices prove that there is no solution: no column is worth anything, but the target is.
    pub(super) fn excluded_by(&self, prices: &[Rational]) -> bool {
        let target = sum(self.target.iter().zip(prices).map(|(t, y)| t * y));
        let worthless = |j: usize| {
            let worth = self.worth(j, prices);
            worth.is_zero() || (worth.is_negative() && !self.free[j])
        };
        target > Rational::ZERO && (0..self.columns.len()).all(worthless)
    }

    /// Whether costs fall for ever along a column that is not in the basis.
    fn falls_for_ever(&self, basis: &[usize], entering: usize, costs: &[Rational]) -> bool {
        let Some(direction) = self.combination(basis, &self.dense(entering)) else { return false };
        let cost = |j: usize| costs.get(j).cloned().unwrap_or(Rational::ZERO);
        let slope = cost(entering) - sum(basis.iter().zip(&direction).map(|(j, d)| cost(*j) * d));
        let rises = !slope.is_negative();
        let allowed = basis
            .iter()
            .zip(&direction)
            .all(|(j, d)| d.is_zero() || (*j < self.columns.len() && (self.free[*j] || d.is_negative() != rises)));
        allowed && !slope.is_zero() && (!rises || self.free[entering])
    }
}
