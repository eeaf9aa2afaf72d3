//! The simplex method in exact arithmetic, by Bland's rule: it always ends, and its end is right.

use super::system::{End, System};
use crate::arith::Rational;
use dashu_base::Signed;
use std::collections::BTreeMap;

type Row = BTreeMap<usize, Rational>;

/// The basis at which costs are least.
pub(super) fn end(system: &System, costs: Option<&[Rational]>) -> End {
    let mut tableau = Tableau::new(system);
    let width = tableau.width;
    // First the unit columns are to vanish, …
    let units = (width..width + tableau.rows.len()).map(|j| (j, Rational::ONE)).collect();
    let lacking = match tableau.run(units, false) {
        Ok(lacking) | Err((lacking, _)) => lacking,
    };
    if !lacking.is_zero() {
        return End::Infeasible(tableau.basis);
    }
    let Some(costs) = costs else { return End::Optimal(tableau.basis) };
    // … then the costs are to fall.
    let costs = costs.iter().cloned().enumerate().filter(|(_, c)| !c.is_zero()).collect();
    match tableau.run(costs, true) {
        Ok(_) => End::Optimal(tableau.basis),
        Err((_, entering)) => End::Unbounded(tableau.basis, entering),
    }
}

struct Tableau<'a> {
    width: usize,
    free: &'a [bool],
    basis: Vec<usize>,
    /// The equations, solved for the basis.
    rows: Vec<Row>,
    values: Vec<Rational>,
}

impl<'a> Tableau<'a> {
    fn new(system: &'a System) -> Tableau<'a> {
        let width = system.columns.len();
        let mut rows = vec![Row::new(); system.target.len()];
        for (j, column) in system.columns.iter().enumerate() {
            for (i, value) in column {
                *rows[*i].entry(j).or_insert(Rational::ZERO) += value;
            }
        }
        let mut values = system.target.to_vec();
        for (i, (row, value)) in rows.iter_mut().zip(&mut values).enumerate() {
            row.retain(|_, v| !v.is_zero());
            // The unit column has the sign of the target.
            if value.is_negative() {
                row.values_mut().for_each(|v| *v = -std::mem::take(v));
                *value = -std::mem::take(value);
            }
            row.insert(width + i, Rational::ONE);
        }
        let basis = (width..width + rows.len()).collect();
        Tableau { width, free: &system.free, basis, rows, values }
    }

    /// Goes to the least costs, which it returns, with the column along which they fall for ever if there is one.
    fn run(&mut self, mut costs: Row, settled: bool) -> Result<Rational, (Rational, usize)> {
        let mut total = Rational::ZERO;
        for i in 0..self.rows.len() {
            subtract(&mut costs, self.basis[i], &self.rows[i]).inspect(|cost| total += cost * &self.values[i]);
        }
        loop {
            let is_free = |j: usize| self.free.get(j).copied().unwrap_or(false);
            let falls = |(j, slope): &(&usize, &Rational)| **j < self.width && (slope.is_negative() || is_free(**j));
            let Some((&entering, slope)) = costs.iter().find(falls) else { return Ok(total) };
            let rises = !slope.is_negative();
            let allowed = |i: usize| {
                let entry = self.rows[i].get(&entering)?;
                let (falls, j) = (entry.is_negative() == rises, self.basis[i]);
                if settled && j >= self.width {
                    return Some(Rational::ZERO);
                }
                (falls && !is_free(j)).then(|| &self.values[i] / if rises { -entry } else { entry.clone() })
            };
            let rows = (0..self.rows.len()).filter_map(|i| Some((allowed(i)?, self.basis[i], i)));
            let Some((_, _, leaving)) = rows.min() else { return Err((total, entering)) };
            self.exchange(leaving, entering);
            subtract(&mut costs, entering, &self.rows[leaving]).inspect(|cost| total += cost * &self.values[leaving]);
        }
    }

    fn exchange(&mut self, leaving: usize, entering: usize) {
        let Some(pivot) = self.rows[leaving].get(&entering).cloned() else { return };
        let mut source = std::mem::take(&mut self.rows[leaving]);
        source.values_mut().for_each(|v| *v /= &pivot);
        self.values[leaving] /= pivot;
        let value = self.values[leaving].clone();
        for (i, row) in self.rows.iter_mut().enumerate().filter(|(i, _)| *i != leaving) {
            if let Some(factor) = subtract(row, entering, &source) {
                self.values[i] -= factor * &value;
            }
        }
        self.rows[leaving] = source;
        self.basis[leaving] = entering;
    }
}

/// Subtracts from a row that multiple of another, whose entry in a column is 1, that clears the column; returns it.
fn subtract(row: &mut Row, column: usize, other: &Row) -> Option<Rational> {
    let factor = row.get(&column)?.clone();
    for (j, value) in other {
        let entry = row.entry(*j).or_insert(Rational::ZERO);
        *entry -= &factor * value;
        if entry.is_zero() {
            row.remove(j);
        }
    }
    Some(factor)
}
