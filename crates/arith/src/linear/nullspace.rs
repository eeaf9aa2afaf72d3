//! Null spaces over a field.

use super::echelon::{Field, row_echelon};
use crate::modular::{Field as Residues, primes};

/// A basis of the vectors whose product with every row vanishes. Each has a 1 where the others have 0, in the columns without a
/// pivot, in their order. Without rows there are no columns, and none.
///
/// ```
/// use rocproof_arith::{Rational, linear::nullspace};
/// let rows = [[1, 2, 3], [2, 4, 7]].map(|row| row.map(Rational::from).to_vec());
/// assert_eq!(nullspace(&rows), [[-2, 1, 0].map(Rational::from)]);
/// ```
pub fn nullspace<T: Field>(rows: &[Vec<T>]) -> Vec<Vec<T>> {
    guessed(rows).unwrap_or_else(|| eliminated(rows))
}

/// By elimination.
pub(super) fn eliminated<T: Field>(rows: &[Vec<T>]) -> Vec<Vec<T>> {
    let width = rows.first().map_or(0, Vec::len);
    let mut rows = rows.to_vec();
    let pivots = row_echelon(&mut rows);
    let unbound = (0..width).filter(|column| !pivots.contains(column));
    unbound.map(|column| vector(width, column, &pivots, rows.iter().map(|row| negative(&row[column])))).collect()
}

/// With the pivots that there are modulo a prime; `None` if they mislead.
///
/// Modulo a prime the rank can only be smaller. So if all vectors that it promises are in the null space, they are all.
fn guessed<T: Field>(rows: &[Vec<T>]) -> Option<Vec<Vec<T>>> {
    let width = rows.first().map_or(0, Vec::len);
    let (chosen, pivots) = pivots(rows)?;
    let unbound: Vec<usize> = (0..width).filter(|column| !pivots.contains(column)).collect();
    if unbound.is_empty() {
        return Some(Vec::new());
    }
    let square: Vec<Vec<T>> = chosen.iter().map(|i| pivots.iter().map(|j| rows[*i][*j].clone()).collect()).collect();
    let target = |column: &usize| chosen.iter().map(|i| negative(&rows[*i][*column])).collect();
    let solutions = T::solutions(&square, &unbound.iter().map(target).collect::<Vec<_>>())?;
    let vectors =
        unbound.iter().zip(solutions).map(|(column, values)| vector(width, *column, &pivots, values.into_iter()));
    let vectors: Vec<Vec<T>> = vectors.collect();
    let vanishes = |row: &Vec<T>, vector: &Vec<T>| {
        let terms = row.iter().zip(vector).filter(|(a, b)| !a.is_zero() && !b.is_zero());
        terms.fold(T::zero(), |sum, (a, b)| sum.less(a, b)).is_zero()
    };
    rows.iter().all(|row| vectors.iter().all(|vector| vanishes(row, vector))).then_some(vectors)
}

/// A 1 in a column and values in those of the pivots.
fn vector<T: Field>(width: usize, column: usize, pivots: &[usize], values: impl Iterator<Item = T>) -> Vec<T> {
    let mut vector = vec![T::zero(); width];
    vector[column] = T::one();
    values.zip(pivots).for_each(|(value, pivot)| vector[*pivot] = value);
    vector
}

fn negative<T: Field>(value: &T) -> T {
    T::zero().less(&T::one(), value)
}

/// The rows and columns of the pivots modulo a prime; the columns in order.
fn pivots<T: Field>(rows: &[Vec<T>]) -> Option<(Vec<usize>, Vec<usize>)> {
    let field = primes().next().map(|prime| Residues { prime })?;
    let mut rest: Vec<(usize, Vec<u64>)> = Vec::with_capacity(rows.len());
    for (i, row) in rows.iter().enumerate() {
        rest.push((i, row.iter().map(|v| v.residue(field)).collect::<Option<_>>()?));
    }
    let (mut chosen, mut columns) = (Vec::new(), Vec::new());
    for column in 0..rows.first().map_or(0, Vec::len) {
        let Some(place) = rest.iter().position(|(_, row)| row[column] != 0) else { continue };
        let (i, source) = rest.swap_remove(place);
        let inverse = field.inverse(source[column]);
        for (_, row) in rest.iter_mut().filter(|(_, row)| row[column] != 0) {
            let minus = field.prime - row[column] * inverse % field.prime;
            row.iter_mut().zip(&source).skip(column).for_each(|(r, s)| *r = (*r + minus * s) % field.prime);
        }
        chosen.push(i);
        columns.push(column);
    }
    Some((chosen, columns))
}
