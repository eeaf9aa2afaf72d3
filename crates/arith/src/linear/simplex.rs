//! The simplex method in exact arithmetic: it always ends, and its end is right. Slow, so it only does what is left to do
//! after floating point.

use super::system::System;
use crate::Rational;
use dashu_base::Signed;

/// Where the costs no longer fall, and a column along which they fall for ever if there is one.
pub(super) struct End {
    pub(super) basis: Vec<usize>,
    pub(super) for_ever: Option<usize>,
}

/// A basis with a solution; `None` if the system has none.
pub(super) fn feasible_basis(system: &System) -> Option<Vec<usize>> {
    let width = system.columns.len();
    let units = (width..width + system.target.len()).collect();
    // The unit columns are to vanish.
    let basis = descend(system, units, &|j| Rational::from(u8::from(j >= width)), false)?.basis;
    system.solution(&basis).is_some().then_some(basis)
}

/// Goes from a basis with a solution to the least costs. `settled` says that the unit columns are to stay at zero; else they may
/// be positive. `None` only for a basis without a solution.
pub(super) fn descend(
    system: &System,
    mut basis: Vec<usize>,
    cost: &dyn Fn(usize) -> Rational,
    settled: bool,
) -> Option<End> {
    let width = system.columns.len();
    let is_free = |j: usize| system.free.get(j).copied().unwrap_or(false);
    let mut values = system.combination(&basis, &system.target)?;
    let mut still = false;
    loop {
        let prices = system.prices(&basis, cost)?;
        let mut basic = vec![false; width + system.target.len()];
        basis.iter().for_each(|j| basic[*j] = true);
        let slopes = (0..width).filter(|j| !basic[*j]).map(|j| (j, cost(j) - system.worth(j, &prices)));
        let mut falling = slopes.filter(|(j, slope)| slope.is_negative() || (is_free(*j) && !slope.is_zero()));
        // The first column after a step in place (Bland's rule: no basis comes twice), else the steepest.
        let steepness = |slope: &Rational| if slope.is_negative() { -slope } else { slope.clone() };
        let entering =
            if still { falling.next() } else { falling.max_by(|(_, a), (_, b)| steepness(a).cmp(&steepness(b))) };
        let Some((entering, slope)) = entering else { return Some(End { basis, for_ever: None }) };
        let rises = slope.is_negative();
        let direction = system.combination(&basis, &system.dense(entering))?;
        let allowed = |(i, d): (usize, &Rational)| {
            let j = basis[i];
            if settled && j >= width {
                return (!d.is_zero()).then_some((Rational::ZERO, j, i));
            }
            let falls = !d.is_zero() && d.is_negative() != rises && !is_free(j);
            falls.then(|| (&values[i] / if rises { d.clone() } else { -d }, j, i))
        };
        let Some((length, _, leaving)) = direction.iter().enumerate().filter_map(allowed).min() else {
            return Some(End { basis, for_ever: Some(entering) });
        };
        still = length.is_zero();
        let length = if rises { length } else { -length };
        values.iter_mut().zip(&direction).for_each(|(x, d)| *x -= &length * d);
        values[leaving] = length;
        basis[leaving] = entering;
    }
}
