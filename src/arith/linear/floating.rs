//! The simplex method in floating point, with the inverse of the basis at hand. What it finds is a guess: the basis counts,
//! and whoever uses it solves with that basis exactly and checks.

use super::system::{End, System};
use crate::arith::rational::to_f64;
use nalgebra::DMatrix;

/// Smaller values, slopes and pivots count as zero.
const ZERO: f64 = 1e-9;
/// How far below zero a value may be while the largest of the possible pivots is chosen.
const SLACK: f64 = 1e-9;
/// After so many steps the values are computed afresh.
const REFRESH: usize = 60;
/// After so many steps in place the choice follows Bland's rule, which does not go round in circles.
const PATIENCE: usize = 200;

/// Looks for the basis at which costs are least; `None` if it finds no end.
pub(super) fn guess(system: &System, costs: Option<&[f64]>) -> Option<End> {
    let mut simplex = Simplex::new(system);
    let width = simplex.width;
    simplex.run(&|j| if j < width { 0.0 } else { 1.0 }, false)?;
    let lacking: f64 = simplex.basis.iter().zip(&simplex.values).filter(|(j, _)| **j >= width).map(|(_, x)| x).sum();
    if lacking > 1e-7 * (1.0 + simplex.scale) {
        return Some(End::Infeasible(simplex.basis));
    }
    let Some(costs) = costs else { return Some(End::Optimal(simplex.basis)) };
    let entering = simplex.run(&|j| costs.get(j).copied().unwrap_or(0.0), true)?;
    Some(match entering {
        Some(j) => End::Unbounded(simplex.basis, j),
        None => End::Optimal(simplex.basis),
    })
}

struct Simplex<'a> {
    /// How many columns the system has; the unit column of row `i`, with the sign of the target, comes as `width + i`.
    width: usize,
    columns: Vec<Vec<(usize, f64)>>,
    norms: Vec<f64>,
    free: &'a [bool],
    target: Vec<f64>,
    scale: f64,
    basis: Vec<usize>,
    basic: Vec<bool>,
    inverse: Vec<Vec<f64>>,
    values: Vec<f64>,
}

impl<'a> Simplex<'a> {
    fn new(system: &'a System) -> Simplex<'a> {
        let (width, height) = (system.columns.len(), system.target.len());
        let target: Vec<f64> = system.target.iter().map(to_f64).collect();
        let mut columns: Vec<Vec<(usize, f64)>> =
            system.columns.iter().map(|c| c.iter().map(|(i, v)| (*i, to_f64(v))).collect()).collect();
        columns.extend(target.iter().enumerate().map(|(i, t)| vec![(i, if *t < 0.0 { -1.0 } else { 1.0 })]));
        let norms = columns.iter().map(|c| c.iter().map(|(_, v)| v * v).sum::<f64>().sqrt().max(ZERO)).collect();
        let mut inverse = vec![vec![0.0; height]; height];
        for i in 0..height {
            inverse[i][i] = columns[width + i][0].1;
        }
        let mut basic = vec![false; width];
        basic.resize(width + height, true);
        let scale = target.iter().fold(0.0, |m: f64, t| m.max(t.abs()));
        let values = target.iter().map(|t| t.abs()).collect();
        let basis = (width..width + height).collect();
        Simplex { width, columns, norms, free: &system.free, target, scale, basis, basic, inverse, values }
    }

    fn is_free(&self, j: usize) -> bool {
        self.free.get(j).copied().unwrap_or(false)
    }

    /// Goes to the least costs; `Some(Some(j))` if they fall for ever along column `j`, `None` if no end is found. `settled` says
    /// that the unit columns are to stay at zero.
    fn run(&mut self, cost: &dyn Fn(usize) -> f64, settled: bool) -> Option<Option<usize>> {
        let limit = 50 * (self.columns.len() + 20);
        let mut still = 0;
        let mut prices = self.prices(cost);
        for step in 1..limit {
            let Some((entering, slope)) = self.entering(cost, &prices, still > PATIENCE) else { return Some(None) };
            let direction: Vec<f64> =
                self.inverse.iter().map(|row| self.columns[entering].iter().map(|(i, v)| row[*i] * v).sum()).collect();
            let sign = -slope.signum();
            let Some(leaving) = self.leaving(&direction, sign, settled, still > PATIENCE) else {
                return Some(Some(entering));
            };
            let length = (self.values[leaving] / direction[leaving]) * sign;
            let length = if length > 0.0 { length } else { 0.0 };
            still = if length > ZERO { 0 } else { still + 1 };
            self.values.iter_mut().zip(&direction).for_each(|(x, d)| *x -= sign * length * d);
            self.values[leaving] = sign * length;
            self.exchange(leaving, entering, &direction);
            prices.iter_mut().zip(&self.inverse[leaving]).for_each(|(y, r)| *y += slope * r);
            if step % REFRESH == 0 {
                self.refresh()?;
                prices = self.prices(cost);
            }
        }
        None
    }

    /// What a unit of each row costs.
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

    /// The column along which costs fall the most, free ones first, and how they change.
    fn entering(&self, cost: &dyn Fn(usize) -> f64, prices: &[f64], bland: bool) -> Option<(usize, f64)> {
        let mut best: Option<(usize, f64, f64)> = None;
        for j in (0..self.width).filter(|j| !self.basic[*j]) {
            let slope = cost(j) - self.columns[j].iter().map(|(i, v)| prices[*i] * v).sum::<f64>();
            let steep = slope.abs() / self.norms[j];
            if steep < ZERO || (slope > 0.0 && !self.is_free(j)) {
                continue;
            }
            if bland {
                return Some((j, slope));
            }
            let rank = if self.is_free(j) { steep + 1e30 } else { steep };
            if best.is_none_or(|(_, _, most)| rank > most) {
                best = Some((j, slope, rank));
            }
        }
        best.map(|(j, slope, _)| (j, slope))
    }

    /// The row whose value is the first to reach zero.
    fn leaving(&self, direction: &[f64], sign: f64, settled: bool, bland: bool) -> Option<usize> {
        // What each row allows; unit columns that are to stay at zero allow nothing.
        let allowed = |i: usize, slack: f64| {
            let (fall, j) = (sign * direction[i], self.basis[i]);
            if settled && j >= self.width {
                return (fall.abs() > ZERO).then_some(0.0);
            }
            (fall > ZERO && !self.is_free(j)).then(|| (self.values[i].max(0.0) + slack) / fall)
        };
        let rows = 0..direction.len();
        let slack = if bland { 0.0 } else { SLACK * (1.0 + self.scale) };
        let length = rows.clone().filter_map(|i| allowed(i, slack)).min_by(f64::total_cmp)?;
        let possible = rows.filter(|i| allowed(*i, 0.0).is_some_and(|a| a <= length));
        if bland {
            return possible.min_by_key(|i| self.basis[*i]);
        }
        possible.max_by(|a, b| direction[*a].abs().total_cmp(&direction[*b].abs()))
    }

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

    /// Computes the values afresh, and the inverse if they do not fit the target.
    fn refresh(&mut self) -> Option<()> {
        self.set_values();
        let mut lack = self.target.clone();
        for (j, x) in self.basis.iter().zip(&self.values) {
            self.columns[*j].iter().for_each(|(i, v)| lack[*i] -= x * v);
        }
        if lack.iter().all(|l| l.abs() < ZERO * (1.0 + self.scale)) {
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

    fn set_values(&mut self) {
        let product = |row: &Vec<f64>| row.iter().zip(&self.target).map(|(r, t)| r * t).sum();
        self.values = self.inverse.iter().map(product).collect();
    }
}
