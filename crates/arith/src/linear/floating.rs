//! The simplex method in floating point, with an explicit inverse of the basis.
//!
//! Its result is a guess of a basis. The caller solves with that basis exactly and checks.

use super::system::System;
use crate::Rational;
use crate::rational::to_f64;
use nalgebra::DMatrix;

/// Values and slopes below this count as 0.
const ZERO: f64 = 1e-9;
/// Pivots below this are not taken: dividing by them would amplify rounding errors.
const PIVOT: f64 = 1e-7;
/// How far below 0 a perturbed value may fall so that a larger pivot can be taken.
const SLACK: f64 = 1e-3;
/// If the unit columns keep more than this in sum, there seems to be no solution.
const INFEASIBLE: f64 = 1e-7;
/// The values are recomputed after this many steps.
const REFRESH: usize = 60;
/// The golden ratio: its multiples modulo 1 are evenly spread.
const GOLDEN: f64 = 0.618_033_988_749_894_9;

/// Guessed bases. A basis has as many columns, of the system or unit columns, as there are equations.
pub(super) struct Guess {
    /// The basis at which the sum of the unit columns' values is least.
    pub(super) nearest: Vec<usize>,
    /// The scale of each row in that sum: a power of 2.
    pub(super) units: Vec<f64>,
    /// The basis at which the costs are least, if there seems to be a solution.
    pub(super) cheapest: Option<Vec<usize>>,
}

/// Guesses a basis with a solution, and the one at which the costs are least. `None` if the method does not end within its limits or
/// the budget of work, which is reduced by the work done.
pub(super) fn guess(system: &System, costs: Option<&[Rational]>, work: &mut u64) -> Option<Guess> {
    let mut simplex = Simplex::new(system);
    simplex.work = *work;
    let guess = simplex.guess(costs);
    *work = simplex.work;
    guess
}

/// The state of the revised simplex method in floating point.
struct Simplex<'a> {
    /// The number of columns of the system. The unit column of row `i`, with the sign of the target, is column `width + i`.
    width: usize,
    /// The scaled columns: rows are scaled to entries of about 1, then columns to norm 1.
    columns: Vec<Vec<(usize, f64)>>,
    /// The scale factors of the rows.
    units: Vec<f64>,
    /// The scale factors of the columns.
    scales: Vec<f64>,
    free: &'a [bool],
    /// The target, scaled to entries of at most 1.
    target: Vec<f64>,
    basis: Vec<usize>,
    basic: Vec<bool>,
    inverse: Vec<Vec<f64>>,
    values: Vec<f64>,
    /// Perturbed values during a degenerate phase (Wolfe's rule): while values of 0 block every step, these decide which column leaves,
    /// so that no basis occurs twice. The phase ends with the first step of positive length.
    perturbed: Option<Vec<f64>>,
    /// The remaining budget of work.
    work: u64,
}

impl<'a> Simplex<'a> {
    /// Scales the system, and starts from the basis of unit columns.
    fn new(system: &'a System) -> Simplex<'a> {
        let (width, height) = (system.columns.len(), system.target.len());
        let mut columns: Vec<Vec<(usize, f64)>> =
            system.columns.iter().map(|c| c.iter().map(|(i, v)| (*i, to_f64(v))).collect()).collect();
        let mut target: Vec<f64> = system.target.iter().map(to_f64).collect();
        let inverse_of = |size: f64| if size > 0.0 { 1.0 / size } else { 1.0 };
        // Scale each row by a power of 2 so that its largest entry is about 1.
        let mut largest = vec![0.0f64; height];
        columns.iter().flatten().for_each(|(i, v)| largest[*i] = largest[*i].max(v.abs()));
        let units: Vec<f64> = largest.iter().map(|size| inverse_of(*size).log2().round().exp2()).collect();
        columns.iter_mut().flatten().for_each(|(i, v)| *v *= units[*i]);
        target.iter_mut().zip(&units).for_each(|(t, unit)| *t *= unit);
        // Scale each column to norm 1.
        let norm = |column: &Vec<(usize, f64)>| column.iter().map(|(_, v)| v * v).sum::<f64>().sqrt();
        let scales: Vec<f64> = columns.iter().map(|column| inverse_of(norm(column))).collect();
        columns.iter_mut().zip(&scales).for_each(|(column, s)| column.iter_mut().for_each(|(_, v)| *v *= s));
        let scale = inverse_of(target.iter().fold(0.0, |m: f64, t| m.max(t.abs())));
        target.iter_mut().for_each(|t| *t *= scale);
        // The unit columns are the first basis. Its inverse is diagonal, and its values are the absolute targets.
        columns.extend(target.iter().enumerate().map(|(i, t)| vec![(i, if *t < 0.0 { -1.0 } else { 1.0 })]));
        let mut inverse = vec![vec![0.0; height]; height];
        for (i, row) in inverse.iter_mut().enumerate() {
            row[i] = columns[width + i][0].1;
        }
        let mut basic = vec![false; width];
        basic.resize(width + height, true);
        let values = target.iter().map(|t| t.abs()).collect();
        let basis = (width..width + height).collect();
        let free = &system.free;
        Simplex {
            width,
            columns,
            units,
            scales,
            free,
            target,
            basis,
            basic,
            inverse,
            values,
            perturbed: None,
            work: u64::MAX,
        }
    }

    /// Runs both phases: least sum of the unit columns, then least costs. `None` if a phase does not end within its limits.
    fn guess(&mut self, costs: Option<&[Rational]>) -> Option<Guess> {
        let width = self.width;
        self.minimise(&|j| if j < width { 0.0 } else { 1.0 }, false)?;
        let (nearest, units) = (self.basis.clone(), std::mem::take(&mut self.units));
        let unit_values = self.basis.iter().zip(&self.values).filter(|(j, _)| **j >= width).map(|(_, x)| x);
        if unit_values.sum::<f64>() > INFEASIBLE {
            return Some(Guess { nearest, units, cheapest: None });
        }
        let Some(costs) = costs else { return Some(Guess { cheapest: Some(nearest.clone()), units, nearest }) };
        let costs: Vec<f64> = costs.iter().zip(&self.scales).map(|(c, scale)| to_f64(c) * scale).collect();
        self.minimise(&|j| costs.get(j).copied().unwrap_or(0.0), true)?;
        Some(Guess { nearest, units, cheapest: Some(self.basis.clone()) })
    }

    /// Whether the unknown of a column may be negative. Those of unit columns may not.
    fn is_free(&self, j: usize) -> bool {
        self.free.get(j).copied().unwrap_or(false)
    }

    /// Moves the basis until the costs are least, or unbounded along a column. `None` if the limit of steps or the work is used up.
    /// `units_stay_zero` keeps the unit columns at 0.
    fn minimise(&mut self, cost: &dyn Fn(usize) -> f64, units_stay_zero: bool) -> Option<()> {
        let limit = 20 * (self.columns.len() + 50);
        let mut prices = self.prices(cost);
        let height = self.target.len() as u64;
        let work_per_step = height * height + self.columns.iter().map(Vec::len).sum::<usize>() as u64;
        for step in 1..limit {
            self.work = self.work.checked_sub(work_per_step)?;
            let Some((entering, slope)) = self.entering_column(cost, &prices) else { return Some(()) };
            // The entering column in terms of the basis: the inverse times the column.
            let product = |row: &Vec<f64>| self.columns[entering].iter().map(|(i, v)| row[*i] * v).sum();
            let mut direction: Vec<f64> = self.inverse.iter().map(product).collect();
            // With this sign the direction is the rate at which values fall along the step.
            let sign = -slope.signum();
            direction.iter_mut().for_each(|d| *d *= sign);
            let Some(leaving) = self.step(&direction, sign, units_stay_zero) else { return Some(()) };
            direction.iter_mut().for_each(|d| *d *= sign);
            self.exchange(leaving, entering, &direction);
            // The prices at which the entering column is worth its cost: a rank-one update.
            prices.iter_mut().zip(&self.inverse[leaving]).for_each(|(y, r)| *y += slope * r);
            if step % REFRESH == 0 {
                self.refresh()?;
                prices = self.prices(cost);
            }
        }
        None
    }

    /// The prices of the rows (dual values).
    fn prices(&self, cost: &dyn Fn(usize) -> f64) -> Vec<f64> {
        let mut prices = vec![0.0; self.target.len()];
        for (j, row) in self.basis.iter().zip(&self.inverse) {
            let cost = cost(*j);
            if cost != 0.0 {
                prices.iter_mut().zip(row).for_each(|(y, r)| *y += cost * r);
            }
        }
        prices
    }

    /// The column outside the basis along which costs fall most steeply, free columns first, with the slope.
    fn entering_column(&self, cost: &dyn Fn(usize) -> f64, prices: &[f64]) -> Option<(usize, f64)> {
        // The best column so far, its slope, and its rank: free columns first, then the steepest.
        let mut best: Option<(usize, f64, (bool, f64))> = None;
        for j in (0..self.width).filter(|j| !self.basic[*j]) {
            let slope = cost(j) - self.columns[j].iter().map(|(i, v)| prices[*i] * v).sum::<f64>();
            let steep = slope.abs();
            if steep < ZERO || (slope > 0.0 && !self.is_free(j)) {
                continue;
            }
            let rank = (self.is_free(j), steep);
            if best.is_none_or(|(_, _, most)| rank > most) {
                best = Some((j, slope, rank));
            }
        }
        best.map(|(j, slope, _)| (j, slope))
    }

    /// Moves along a direction until the first value of the basis is 0, and returns its row; `None` if none falls. `sign` is the sign of
    /// the entering column's change.
    fn step(&mut self, direction: &[f64], sign: f64, units_stay_zero: bool) -> Option<usize> {
        // A unit column of the basis that would move from 0 leaves first, in a step of length 0.
        if units_stay_zero
            && let Some(row) = largest(direction, |i| self.basis[i] >= self.width && direction[i].abs() > PIVOT)
        {
            self.values[row] = 0.0;
            self.perturbed = None;
            return Some(row);
        }
        let falls: Vec<bool> = self.basis.iter().zip(direction).map(|(j, d)| *d > PIVOT && !self.is_free(*j)).collect();
        // Values of 0 that would fall block the step: the perturbed values choose which of them leaves.
        let stuck: Vec<bool> = self.values.iter().zip(&falls).map(|(x, falls)| *falls && *x <= ZERO).collect();
        if stuck.contains(&true) {
            let perturbed = self.perturbed.get_or_insert_with(|| (1..=falls.len()).map(perturbation).collect());
            let (row, length) = ratio_test(perturbed, direction, SLACK, &stuck)?;
            perturbed.iter_mut().zip(direction).for_each(|(x, d)| *x -= length * d);
            perturbed[row] = length;
            self.values[row] = 0.0;
            return Some(row);
        }
        self.perturbed = None;
        let (row, length) = ratio_test(&self.values, direction, ZERO, &falls)?;
        self.values.iter_mut().zip(direction).for_each(|(x, d)| *x -= length * d);
        self.values[row] = sign * length;
        Some(row)
    }

    /// Exchanges the column in row `leaving` of the basis for the column `entering`, and updates the inverse by elimination. `direction` is the
    /// entering column in terms of the basis.
    fn exchange(&mut self, leaving: usize, entering: usize, direction: &[f64]) {
        let pivot = 1.0 / direction[leaving];
        let mut source = std::mem::take(&mut self.inverse[leaving]);
        source.iter_mut().for_each(|r| *r *= pivot);
        for (i, row) in self.inverse.iter_mut().enumerate() {
            let factor = direction[i];
            if i != leaving && factor != 0.0 {
                row.iter_mut().zip(&source).for_each(|(r, s)| *r -= factor * s);
            }
        }
        self.inverse[leaving] = source;
        self.basic[self.basis[leaving]] = false;
        self.basic[entering] = true;
        self.basis[leaving] = entering;
    }

    /// Recomputes the values, and the inverse too if the residual is large. `None` if the basis is singular in floating point.
    fn refresh(&mut self) -> Option<()> {
        self.set_values();
        let mut residual = self.target.clone();
        for (j, x) in self.basis.iter().zip(&self.values) {
            self.columns[*j].iter().for_each(|(i, v)| residual[*i] -= x * v);
        }
        if residual.iter().all(|r| r.abs() < ZERO) {
            return Some(());
        }
        let n = self.basis.len();
        let mut matrix = DMatrix::zeros(n, n);
        for (k, j) in self.basis.iter().enumerate() {
            self.columns[*j].iter().for_each(|(i, v)| matrix[(*i, k)] += v);
        }
        let inverse = matrix.try_inverse()?;
        self.inverse = (0..n).map(|i| inverse.row(i).iter().copied().collect()).collect();
        self.set_values();
        Some(())
    }

    /// The values of the basis: the inverse times the target.
    fn set_values(&mut self) {
        let product = |row: &Vec<f64>| row.iter().zip(&self.target).map(|(r, t)| r * t).sum();
        self.values = self.inverse.iter().map(product).collect();
    }
}

/// Among the rows that satisfy a predicate, the one where the direction is largest.
fn largest(direction: &[f64], rows: impl Fn(usize) -> bool) -> Option<usize> {
    (0..direction.len()).filter(|i| rows(*i)).max_by(|a, b| direction[*a].abs().total_cmp(&direction[*b].abs()))
}

/// Harris' ratio test: of the values that are among the first to reach 0, up to a slack, the row with the largest pivot; and the length
/// of the step.
fn ratio_test(values: &[f64], direction: &[f64], slack: f64, rows: &[bool]) -> Option<(usize, f64)> {
    let ratio = |i: usize, slack: f64| (values[i].max(0.0) + slack) / direction[i];
    let length = (0..rows.len()).filter(|i| rows[*i]).map(|i| ratio(i, slack)).min_by(f64::total_cmp)?;
    let row = largest(direction, |i| rows[i] && ratio(i, 0.0) <= length)?;
    Some((row, ratio(row, 0.0)))
}

/// The k-th of a sequence of numbers between 1 and 2 that are evenly spread.
fn perturbation(k: usize) -> f64 {
    1.0 + (k as f64 * GOLDEN) % 1.0
}
