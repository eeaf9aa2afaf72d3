//! The simplex method in floating point, with the inverse of the basis at hand. What it finds is a guess: the basis counts,
//! and whoever uses it solves with that basis exactly and checks.

use super::system::System;
use crate::Rational;
use crate::rational::to_f64;
use nalgebra::DMatrix;

/// Smaller values and slopes count as zero.
const ZERO: f64 = 1e-9;
/// Smaller pivots are not taken.
const PIVOT: f64 = 1e-7;
/// How far below zero a made-up value may fall so that a larger pivot can be taken.
const SLACK: f64 = 1e-3;
/// If more is left to the unit columns there seems to be no solution.
const LACKING: f64 = 1e-7;
/// After so many steps the values are computed afresh.
const REFRESH: usize = 60;
/// Multiples of the golden section, modulo 1, are spread out.
const GOLDEN: f64 = 0.618_033_988_749_894_9;

/// Bases: units and columns of the system, as many as there are equations.
pub(super) struct Guess {
    /// Where as little as possible is left to the unit columns.
    pub(super) nearest: Vec<usize>,
    /// What a unit of each row counted for that: powers of 2.
    pub(super) units: Vec<f64>,
    /// Where costs are least, with a column along which they fall for ever if there is one.
    pub(super) cheapest: Option<(Vec<usize>, Option<usize>)>,
}

/// Looks for a basis with a solution and the one at which costs are least; `None` if it finds no end, or needs more work than there is. The
/// work that it does is taken off.
pub(super) fn guess(system: &System, costs: Option<&[Rational]>, work: &mut u64) -> Option<Guess> {
    let mut simplex = Simplex::new(system);
    simplex.work = *work;
    let guess = simplex.guess(costs);
    *work = simplex.work;
    guess
}

struct Simplex<'a> {
    /// How many columns the system has; the unit column of row `i`, with the sign of the target, comes as `width + i`.
    width: usize,
    /// Rows have entries about 1, then columns the norm 1.
    columns: Vec<Vec<(usize, f64)>>,
    /// By what the rows were multiplied for that.
    units: Vec<f64>,
    /// By what the columns were multiplied for that.
    scales: Vec<f64>,
    free: &'a [bool],
    /// With entries up to 1.
    target: Vec<f64>,
    basis: Vec<usize>,
    basic: Vec<bool>,
    inverse: Vec<Vec<f64>>,
    values: Vec<f64>,
    /// While values at zero keep the costs from falling, made-up ones stand in for them and say which leaves: so no basis comes
    /// twice (Wolfe). When none of them is in the way any more there is a step of some length.
    shadow: Option<Vec<f64>>,
    /// How much work is left.
    work: u64,
}

impl<'a> Simplex<'a> {
    fn new(system: &'a System) -> Simplex<'a> {
        let (width, height) = (system.columns.len(), system.target.len());
        let mut columns: Vec<Vec<(usize, f64)>> =
            system.columns.iter().map(|c| c.iter().map(|(i, v)| (*i, to_f64(v))).collect()).collect();
        let mut target: Vec<f64> = system.target.iter().map(to_f64).collect();
        let inverse_of = |size: f64| if size > 0.0 { 1.0 / size } else { 1.0 };
        let mut largest = vec![0.0f64; height];
        columns.iter().flatten().for_each(|(i, v)| largest[*i] = largest[*i].max(v.abs()));
        let units: Vec<f64> = largest.iter().map(|size| inverse_of(*size).log2().round().exp2()).collect();
        columns.iter_mut().flatten().for_each(|(i, v)| *v *= units[*i]);
        target.iter_mut().zip(&units).for_each(|(t, unit)| *t *= unit);
        let norm = |column: &Vec<(usize, f64)>| column.iter().map(|(_, v)| v * v).sum::<f64>().sqrt();
        let scales: Vec<f64> = columns.iter().map(|column| inverse_of(norm(column))).collect();
        columns.iter_mut().zip(&scales).for_each(|(column, s)| column.iter_mut().for_each(|(_, v)| *v *= s));
        let scale = inverse_of(target.iter().fold(0.0, |m: f64, t| m.max(t.abs())));
        target.iter_mut().for_each(|t| *t *= scale);
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
            shadow: None,
            work: u64::MAX,
        }
    }

    /// The bases that it is led to.
    fn guess(&mut self, costs: Option<&[Rational]>) -> Option<Guess> {
        let width = self.width;
        self.run(&|j| if j < width { 0.0 } else { 1.0 }, false)?;
        let (nearest, units) = (self.basis.clone(), std::mem::take(&mut self.units));
        let lacking = self.basis.iter().zip(&self.values).filter(|(j, _)| **j >= width);
        if lacking.map(|(_, x)| x).sum::<f64>() > LACKING {
            return Some(Guess { nearest, units, cheapest: None });
        }
        let Some(costs) = costs else { return Some(Guess { cheapest: Some((nearest.clone(), None)), units, nearest }) };
        let costs: Vec<f64> = costs.iter().zip(&self.scales).map(|(c, scale)| to_f64(c) * scale).collect();
        let for_ever = self.run(&|j| costs.get(j).copied().unwrap_or(0.0), true)?;
        Some(Guess { nearest, units, cheapest: Some((self.basis.clone(), for_ever)) })
    }

    fn is_free(&self, j: usize) -> bool {
        self.free.get(j).copied().unwrap_or(false)
    }

    /// Goes to the least costs; `Some(Some(j))` if they fall for ever along column `j`, `None` if no end is found. `settled` says
    /// that the unit columns are to stay at zero.
    fn run(&mut self, cost: &dyn Fn(usize) -> f64, settled: bool) -> Option<Option<usize>> {
        let limit = 20 * (self.columns.len() + 50);
        let mut prices = self.prices(cost);
        let height = self.target.len() as u64;
        let a_step = height * height + self.columns.iter().map(Vec::len).sum::<usize>() as u64;
        for step in 1..limit {
            self.work = self.work.checked_sub(a_step)?;
            let Some((entering, slope)) = self.entering(cost, &prices) else { return Some(None) };
            let product = |row: &Vec<f64>| self.columns[entering].iter().map(|(i, v)| row[*i] * v).sum();
            let mut direction: Vec<f64> = self.inverse.iter().map(product).collect();
            // This is by how much values fall along the step.
            let sign = -slope.signum();
            direction.iter_mut().for_each(|d| *d *= sign);
            let Some(leaving) = self.step(&direction, sign, settled) else { return Some(Some(entering)) };
            direction.iter_mut().for_each(|d| *d *= sign);
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
    fn entering(&self, cost: &dyn Fn(usize) -> f64, prices: &[f64]) -> Option<(usize, f64)> {
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

    /// Moves in a direction in which values fall until the first is zero; its row. `sign` is that of the column that enters.
    fn step(&mut self, direction: &[f64], sign: f64, settled: bool) -> Option<usize> {
        if settled && let Some(row) = largest(direction, |i| self.basis[i] >= self.width && direction[i].abs() > PIVOT)
        {
            self.values[row] = 0.0;
            self.shadow = None;
            return Some(row);
        }
        let falls: Vec<bool> = self.basis.iter().zip(direction).map(|(j, d)| *d > PIVOT && !self.is_free(*j)).collect();
        let stuck: Vec<bool> = self.values.iter().zip(&falls).map(|(x, falls)| *falls && *x <= ZERO).collect();
        if stuck.contains(&true) {
            let shadow = self.shadow.get_or_insert_with(|| (1..=falls.len()).map(made_up).collect());
            let (row, length) = first(shadow, direction, SLACK, &stuck)?;
            shadow.iter_mut().zip(direction).for_each(|(x, d)| *x -= length * d);
            shadow[row] = length;
            self.values[row] = 0.0;
            return Some(row);
        }
        self.shadow = None;
        let (row, length) = first(&self.values, direction, ZERO, &falls)?;
        self.values.iter_mut().zip(direction).for_each(|(x, d)| *x -= length * d);
        self.values[row] = sign * length;
        Some(row)
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
        if lack.iter().all(|l| l.abs() < ZERO) {
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

/// The row where a direction is largest, of some.
fn largest(direction: &[f64], rows: impl Fn(usize) -> bool) -> Option<usize> {
    (0..direction.len()).filter(|i| rows(*i)).max_by(|a, b| direction[*a].abs().total_cmp(&direction[*b].abs()))
}

/// Which of some values is about the first to be zero, the one with the largest pivot of those, and when.
fn first(values: &[f64], direction: &[f64], slack: f64, rows: &[bool]) -> Option<(usize, f64)> {
    let ratio = |i: usize, slack: f64| (values[i].max(0.0) + slack) / direction[i];
    let length = (0..rows.len()).filter(|i| rows[*i]).map(|i| ratio(i, slack)).min_by(f64::total_cmp)?;
    let row = largest(direction, |i| rows[i] && ratio(i, 0.0) <= length)?;
    Some((row, ratio(row, 0.0)))
}

/// Numbers between 1 and 2, spread out.
fn made_up(k: usize) -> f64 {
    1.0 + (k as f64 * GOLDEN) % 1.0
}
