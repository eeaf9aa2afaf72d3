//! Linear equations in unknowns some of which may not be negative.
//!
//! Answers are proved: a solution by inserting it, that there is none by a combination of the equations that no unknowns satisfy
//! (Farkas), a maximum by prices of the equations (duality). The simplex method only says where to look.

use super::lifting::solve;
use super::{floating, simplex};
use crate::arith::Rational;
use crate::arith::rational::to_f64;
use dashu_base::Signed;

/// A column of the equations: rows, and the entries there. A row comes once.
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

/// Where the simplex method ended: with which columns, and what it saw there.
pub(super) enum End {
    Infeasible(Vec<usize>),
    Unbounded(Vec<usize>, usize),
    Optimal(Vec<usize>),
}

/// Some `λ` with `Σ λ_j·column_j = target`, and `λ_j >= 0` unless `free[j]`; `None` if there is none.
///
/// ```
/// use rocproof::arith::{Rational, linear::feasible};
/// let r = Rational::from;
/// // a + 2b = 4, a - c = 3
/// let columns = [vec![(0, r(1)), (1, r(1))], vec![(0, r(2))], vec![(1, r(-1))]];
/// let solution = feasible(&columns, &[r(4), r(3)], &[false; 3]).unwrap();
/// assert_eq!(solution, [(0, r(4)), (2, r(1))]);
/// assert_eq!(feasible(&columns, &[r(1), r(3)], &[false; 3]), None);
/// ```
pub fn feasible(columns: &[Column], target: &[Rational], free: &[bool]) -> Option<Solution> {
    System::new(columns, target, free).feasible()
}

/// As [`feasible`], with small `Σ cost_j·|λ_j|`: costs that are not negative, large for columns to avoid. Those of free columns do
/// not count.
pub fn cheapest(columns: &[Column], target: &[Rational], free: &[bool], costs: &[Rational]) -> Option<Solution> {
    System::new(columns, target, free).cheapest(costs)
}

/// The largest `Σ objective_j·λ_j`.
///
/// ```
/// use rocproof::arith::{Rational, linear::{Optimum, maximise}};
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
        System { columns: columns.to_vec(), target, free }
    }

    /// A solution, if there is one.
    pub fn feasible(&self) -> Option<Solution> {
        match floating::guess(self, None) {
            Some(End::Infeasible(basis)) if self.no_solution(&basis) => return None,
            Some(End::Optimal(basis)) => {
                if let Some(solution) = self.solution(&basis) {
                    return Some(solution);
                }
            }
            _ => {}
        }
        match simplex::end(self, None) {
            End::Infeasible(_) => None,
            End::Optimal(basis) | End::Unbounded(basis, _) => self.solution(&basis),
        }
    }

    /// A solution with small costs, if there is a solution.
    pub fn cheapest(&self, costs: &[Rational]) -> Option<Solution> {
        let costs: Vec<Rational> = (0..self.columns.len())
            .map(|j| costs.get(j).filter(|c| !self.free[j] && !c.is_negative()).cloned().unwrap_or(Rational::ZERO))
            .collect();
        let rounded: Vec<f64> = costs.iter().map(to_f64).collect();
        match floating::guess(self, Some(&rounded)) {
            Some(End::Infeasible(basis)) if self.no_solution(&basis) => return None,
            Some(End::Optimal(basis)) => {
                if let Some(solution) = self.solution(&basis) {
                    return Some(solution);
                }
            }
            _ => {}
        }
        match simplex::end(self, Some(&costs)) {
            End::Infeasible(_) => None,
            End::Optimal(basis) | End::Unbounded(basis, _) => self.solution(&basis),
        }
    }

    /// A solution with small costs, if one is found quickly. That none is found proves nothing.
    pub fn found(&self, costs: &[f64]) -> Option<Solution> {
        let basis = match floating::guess(self, Some(costs))? {
            End::Infeasible(_) => return None,
            End::Optimal(basis) | End::Unbounded(basis, _) => basis,
        };
        if let Some(solution) = self.solution(&basis) {
            return Some(solution);
        }
        // The columns are right, but not all of them belong to a basis.
        let kept: Vec<usize> = basis.into_iter().filter(|j| *j < self.columns.len()).collect();
        let columns: Vec<Column> = kept.iter().map(|j| self.columns[*j].clone()).collect();
        let free: Vec<bool> = kept.iter().map(|j| self.free[*j]).collect();
        let smaller = System { columns, target: self.target.clone(), free };
        let End::Optimal(basis) = simplex::end(&smaller, None) else { return None };
        Some(smaller.solution(&basis)?.into_iter().map(|(j, value)| (kept[j], value)).collect())
    }

    /// The largest value of a linear objective.
    pub fn maximise(&self, objective: &[Rational]) -> Optimum {
        let mut costs: Vec<Rational> = objective.iter().take(self.columns.len()).map(|c| -c).collect();
        costs.resize(self.columns.len(), Rational::ZERO);
        let rounded: Vec<f64> = costs.iter().map(to_f64).collect();
        let guess = floating::guess(self, Some(&rounded));
        if let Some(optimum) = guess.and_then(|end| self.optimum(end, &costs)) {
            return optimum;
        }
        let end = simplex::end(self, Some(&costs));
        self.optimum(end, &costs).unwrap_or(Optimum::Infeasible)
    }

    /// What an end proves.
    pub(super) fn optimum(&self, end: End, costs: &[Rational]) -> Option<Optimum> {
        match end {
            End::Infeasible(basis) => self.no_solution(&basis).then_some(Optimum::Infeasible),
            End::Unbounded(basis, entering) => {
                let proved = self.solution(&basis).is_some() && self.falls_for_ever(&basis, entering, costs);
                proved.then_some(Optimum::Unbounded)
            }
            End::Optimal(basis) => {
                let solution = self.solution(&basis)?;
                let cost = |j: &usize| costs.get(*j).cloned().unwrap_or(Rational::ZERO);
                let prices = self.prices(&basis, |j| cost(&j))?;
                // No column is cheaper than its prices: then no solution is cheaper than this one.
                let fair = (0..self.columns.len()).all(|j| {
                    let slope = cost(&j) - self.worth(j, &prices);
                    if self.free[j] { slope.is_zero() } else { !slope.is_negative() }
                });
                let value = sum(solution.iter().map(|(j, v)| -cost(j) * v));
                fair.then_some(Optimum::At(value, solution))
            }
        }
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

    /// What the columns of a basis must be taken with to give something.
    fn combination(&self, basis: &[usize], of: &[Rational]) -> Option<Vec<Rational>> {
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
    fn prices(&self, basis: &[usize], cost: impl Fn(usize) -> Rational) -> Option<Vec<Rational>> {
        let rows: Vec<Column> = basis.iter().map(|j| self.column(*j)).collect();
        let costs: Vec<Rational> = basis.iter().map(|j| cost(*j)).collect();
        solve(&rows, &costs)
    }

    fn worth(&self, j: usize, prices: &[Rational]) -> Rational {
        sum(self.columns[j].iter().map(|(i, v)| v * &prices[*i]))
    }

    /// Whether the prices of a basis prove that there is no solution: no column is worth anything, but the target is.
    fn no_solution(&self, basis: &[usize]) -> bool {
        let unit = |j| if j < self.columns.len() { Rational::ZERO } else { Rational::ONE };
        let Some(prices) = self.prices(basis, unit) else { return false };
        let target = sum(self.target.iter().zip(&prices).map(|(t, y)| t * y));
        let worthless = |j: usize| {
            let worth = self.worth(j, &prices);
            if self.free[j] { worth.is_zero() } else { worth.is_zero() || worth.is_negative() }
        };
        target > Rational::ZERO && (0..self.columns.len()).all(worthless)
    }

    /// Whether costs fall for ever along a column that is not in the basis.
    fn falls_for_ever(&self, basis: &[usize], entering: usize, costs: &[Rational]) -> bool {
        let Some(column) = self.columns.get(entering) else { return false };
        let mut dense = vec![Rational::ZERO; self.target.len()];
        column.iter().for_each(|(i, v)| dense[*i] += v);
        let Some(direction) = self.combination(basis, &dense) else { return false };
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
