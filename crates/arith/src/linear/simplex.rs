//! Phase one of the simplex method in exact arithmetic.
//!
//! It always ends with the right answer, but slowly. So it is used only where the guess in floating point fails.

use super::system::System;
use crate::Rational;
use dashu_base::Signed;

/// A basis with a solution; `None` if the system has no solution.
///
/// Starts from the unit columns and minimises their sum. The system has a solution if and only if the minimum is 0.
pub(super) fn feasible_basis(system: &System) -> Option<Vec<usize>> {
    let width = system.columns.len();
    let mut basis: Vec<usize> = (width..width + system.target.len()).collect();
    let mut values = system.combination(&basis, &system.target)?;
    let cost = |j: usize| Rational::from(u8::from(j >= width));
    // Whether the last step had length 0.
    let mut is_degenerate = false;
    loop {
        let prices = system.prices(&basis, &cost)?;
        let Some((entering, slope)) = entering_column(system, &basis, &prices, &cost, is_degenerate) else { break };
        // The costs fall if the entering unknown rises along a negative slope, or falls, being free, along a positive one.
        let rises = slope.is_negative();
        let direction = system.combination(&basis, &system.dense(entering))?;
        let Some((length, leaving)) = leaving_row(system, &basis, &values, &direction, rises) else { break };
        is_degenerate = length.is_zero();
        let length = if rises { length } else { -length };
        values.iter_mut().zip(&direction).for_each(|(x, d)| *x -= &length * d);
        values[leaving] = length;
        basis[leaving] = entering;
    }
    system.solution(&basis).is_some().then_some(basis)
}

/// A column outside the basis along which the costs fall, and their slope; `None` at the minimum. `prices` are the dual values of the basis.
///
/// Takes the steepest column, but after a degenerate step the first one: with Bland's rule no basis occurs twice.
fn entering_column(
    system: &System,
    basis: &[usize],
    prices: &[Rational],
    cost: &dyn Fn(usize) -> Rational,
    is_degenerate: bool,
) -> Option<(usize, Rational)> {
    let outside = (0..system.columns.len()).filter(|j| !basis.contains(j));
    let slopes = outside.map(|j| (j, cost(j) - system.worth(j, prices)));
    let mut falling = slopes.filter(|(j, slope)| slope.is_negative() || (system.free[*j] && !slope.is_zero()));
    let steepness = |slope: &Rational| if slope.is_negative() { -slope } else { slope.clone() };
    if is_degenerate { falling.next() } else { falling.max_by(|(_, a), (_, b)| steepness(a).cmp(&steepness(b))) }
}

/// The ratio test: how far the entering unknown can move until a value of the basis becomes 0, and the row of that value. Values change by
/// `-direction` for each unit that the entering unknown rises. `None` if no value limits the step.
fn leaving_row(
    system: &System,
    basis: &[usize],
    values: &[Rational],
    direction: &[Rational],
    rises: bool,
) -> Option<(Rational, usize)> {
    let is_free = |j: usize| system.free.get(j).copied().unwrap_or(false);
    let candidate = |(row, d): (usize, &Rational)| {
        let column = basis[row];
        let falls = !d.is_zero() && d.is_negative() != rises && !is_free(column);
        falls.then(|| (&values[row] / if rises { d.clone() } else { -d }, column, row))
    };
    // Of equal lengths the smallest column leaves, as Bland's rule asks.
    let (length, _, row) = direction.iter().enumerate().filter_map(candidate).min()?;
    Some((length, row))
}
