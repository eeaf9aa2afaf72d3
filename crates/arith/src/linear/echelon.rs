//! Matrices over a field in reduced row echelon form.

use super::{fraction_free, lifting};
use crate::modular::Field as Residues;
use crate::{Fraction, Polynomial, Rational, RationalFunction};
use dashu_base::BitTest;
use dashu_int::IBig;
use rocproof_algebra::invariant;

/// Where rational functions are evaluated modulo a prime: a place without a pattern.
const PLACE: u64 = 1_234_567_891;

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
    /// An image in the integers modulo a prime that keeps sums and products; `None` if it has none.
    fn residue(&self, _field: Residues) -> Option<u64> {
        None
    }
    /// The solutions of a square system for some right sides, faster than by elimination.
    fn solutions(_rows: &[Vec<Self>], _targets: &[Vec<Self>]) -> Option<Vec<Vec<Self>>> {
        None
    }
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
    fn residue(&self, field: Residues) -> Option<u64> {
        let prime = IBig::from(field.prime);
        let [above, below] =
            [self.numerator().clone(), IBig::from(self.denominator().clone())].map(|n| lifting::residue(&n, &prime));
        (below != 0).then(|| above * field.inverse(below) % field.prime)
    }
    fn solutions(rows: &[Vec<Rational>], targets: &[Vec<Rational>]) -> Option<Vec<Vec<Rational>>> {
        let sparse = |row: &Vec<Rational>| row.iter().cloned().enumerate().filter(|(_, v)| !v.is_zero()).collect();
        let rows: Vec<Vec<(usize, Rational)>> = rows.iter().map(sparse).collect();
        targets.iter().map(|target| lifting::solve(&rows, target)).collect()
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
    fn residue(&self, field: Residues) -> Option<u64> {
        let at = |p: &Polynomial| {
            p.coefficients().rev().try_fold(0, |sum, c| Some((sum * PLACE + c.residue(field)?) % field.prime))
        };
        let below = at(self.denominator()).filter(|below| *below != 0)?;
        Some(at(self.numerator())? * field.inverse(below) % field.prime)
    }
    fn solutions(
        rows: &[Vec<RationalFunction>],
        targets: &[Vec<RationalFunction>],
    ) -> Option<Vec<Vec<RationalFunction>>> {
        fraction_free::solutions(rows, targets)
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
        Fraction::over(self, divisor).unwrap_or_else(|| invariant!("a pivot is 0"))
    }
    fn size(&self) -> usize {
        self.numerator().terms().len() + self.factors().map(|(factor, _)| factor.terms().len()).sum::<usize>()
    }
}

/// Brings rows of equal length to reduced row echelon form; returns the columns of the pivots. Rows of zeros go.
///
/// ```
/// use rocproof_arith::{Rational, linear::row_echelon};
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
