//! Matrices over a field in reduced row echelon form.

use crate::arith::{Fraction, Rational, RationalFunction};
use dashu_base::BitTest;

/// A field whose elements are known exactly.
pub trait Field: Clone {
    /// Zero.
    fn zero() -> Self;
    /// One.
    fn one() -> Self;
    /// Whether it is zero.
    fn is_zero(&self) -> bool;
    /// `self - factor·other`.
    fn less(&self, factor: &Self, other: &Self) -> Self;
    /// The quotient; the divisor is not zero.
    fn over(&self, divisor: &Self) -> Self;
    /// How much there is of it: one divides by small elements first.
    fn size(&self) -> usize;
}

impl Field for Rational {
    fn zero() -> Rational {
        Rational::ZERO
    }
    fn one() -> Rational {
        Rational::ONE
    }
    fn is_zero(&self) -> bool {
        Rational::is_zero(self)
    }
    fn less(&self, factor: &Rational, other: &Rational) -> Rational {
        self - factor * other
    }
    fn over(&self, divisor: &Rational) -> Rational {
        self / divisor
    }
    fn size(&self) -> usize {
        self.numerator().bit_len() + self.denominator().bit_len()
    }
}

impl Field for RationalFunction {
    fn zero() -> RationalFunction {
        RationalFunction::constant(Rational::ZERO)
    }
    fn one() -> RationalFunction {
        RationalFunction::constant(Rational::ONE)
    }
    fn is_zero(&self) -> bool {
        RationalFunction::is_zero(self)
    }
    fn less(&self, factor: &RationalFunction, other: &RationalFunction) -> RationalFunction {
        self - &(factor * other)
    }
    fn over(&self, divisor: &RationalFunction) -> RationalFunction {
        self / divisor
    }
    fn size(&self) -> usize {
        self.numerator().degree() + self.denominator().degree()
    }
}

impl Field for Fraction {
    fn zero() -> Fraction {
        Fraction::zero()
    }
    fn one() -> Fraction {
        Fraction::one()
    }
    fn is_zero(&self) -> bool {
        Fraction::is_zero(self)
    }
    fn less(&self, factor: &Fraction, other: &Fraction) -> Fraction {
        self - &(factor * other)
    }
    fn over(&self, divisor: &Fraction) -> Fraction {
        // Only what is zero has no quotient.
        Fraction::over(self, divisor).unwrap_or_else(Fraction::zero)
    }
    fn size(&self) -> usize {
        self.numerator().terms().len() + self.factors().map(|(factor, _)| factor.terms().len()).sum::<usize>()
    }
}

/// Brings rows of equal length to reduced row echelon form; returns the columns of the pivots. Rows of zeros go.
///
/// ```
/// use rocproof::arith::{Rational, linear::row_echelon};
/// let mut rows = [[1, 2, 3], [2, 4, 7]].map(|row| row.map(Rational::from).to_vec()).to_vec();
/// assert_eq!(row_echelon(&mut rows), [0, 2]);
/// assert_eq!(rows[0], [1, 2, 0].map(Rational::from));
/// ```
pub fn row_echelon<T: Field>(rows: &mut Vec<Vec<T>>) -> Vec<usize> {
    let width = rows.first().map_or(0, Vec::len);
    let mut pivots = Vec::new();
    for column in 0..width {
        let done = pivots.len();
        let candidates = (done..rows.len()).filter(|i| !rows[*i][column].is_zero());
        // The result is the same whichever row is taken.
        let Some(row) = candidates.min_by_key(|i| rows[*i].iter().map(T::size).sum::<usize>()) else { continue };
        rows.swap(done, row);
        let pivot = rows[done][column].clone();
        for entry in rows[done][column..].iter_mut().filter(|entry| !entry.is_zero()) {
            *entry = entry.over(&pivot);
        }
        let source = rows[done].clone();
        for row in (0..rows.len()).filter(|row| *row != done) {
            let factor = rows[row][column].clone();
            if factor.is_zero() {
                continue;
            }
            for (entry, other) in rows[row][column..].iter_mut().zip(&source[column..]).filter(|(_, o)| !o.is_zero()) {
                *entry = entry.less(&factor, other);
            }
        }
        pivots.push(column);
    }
    rows.truncate(pivots.len());
    pivots
}

/// A basis of the vectors whose product with every row vanishes. Each has a 1 where the others have 0, in the columns without a
/// pivot, in their order. Without rows there are no columns, and none.
///
/// ```
/// use rocproof::arith::{Rational, linear::nullspace};
/// let rows = [[1, 2, 3], [2, 4, 7]].map(|row| row.map(Rational::from).to_vec());
/// assert_eq!(nullspace(&rows), [[-2, 1, 0].map(Rational::from)]);
/// ```
pub fn nullspace<T: Field>(rows: &[Vec<T>]) -> Vec<Vec<T>> {
    let width = rows.first().map_or(0, Vec::len);
    let mut rows = rows.to_vec();
    let pivots = row_echelon(&mut rows);
    let unbound = (0..width).filter(|column| !pivots.contains(column));
    unbound
        .map(|column| {
            let mut vector = vec![T::zero(); width];
            vector[column] = T::one();
            for (row, pivot) in rows.iter().zip(&pivots) {
                vector[*pivot] = T::zero().less(&T::one(), &row[column]);
            }
            vector
        })
        .collect()
}
