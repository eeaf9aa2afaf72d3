//! Square systems of rational functions, solved without fractions on the way (Bareiss).

use crate::{Polynomial, RationalFunction};

/// The solutions for some right sides; `None` if the matrix is singular.
pub(super) fn solutions(
    rows: &[Vec<RationalFunction>],
    targets: &[Vec<RationalFunction>],
) -> Option<Vec<Vec<RationalFunction>>> {
    let n = rows.len();
    let with_targets = |i: usize| rows[i].iter().chain(targets.iter().map(move |target| &target[i]));
    let mut rows: Vec<Vec<Polynomial>> = (0..n).map(|i| without_denominators(with_targets(i))).collect();
    let mut before = Polynomial::one();
    for k in 0..n {
        let row = (k..n).filter(|i| !rows[*i][k].is_zero()).min_by_key(|i| rows[*i][k].degree())?;
        rows.swap(k, row);
        let (pivot, source) = (rows[k][k].clone(), rows[k].clone());
        for (_, row) in rows.iter_mut().enumerate().filter(|(i, _)| *i != k) {
            let factor = row[k].clone();
            for (entry, other) in row.iter_mut().zip(&source).skip(k + 1) {
                // A minor of the matrix: the division has no remainder.
                *entry = (&(&pivot * &*entry) - &(&factor * other)).divided_by(&before).0;
            }
        }
        before = pivot;
    }
    let value = |above: &Polynomial| RationalFunction::new(above.clone(), before.clone());
    Some((0..targets.len()).map(|t| rows.iter().map(|row| value(&row[n + t])).collect()).collect())
}

/// An equation times the least common multiple of its denominators.
fn without_denominators<'a>(row: impl Iterator<Item = &'a RationalFunction> + Clone) -> Vec<Polynomial> {
    let multiple = row.clone().fold(Polynomial::one(), |multiple, f| {
        let common = multiple.gcd(f.denominator());
        &multiple * &f.denominator().divided_by(&common).0
    });
    row.map(|f| f.numerator() * &multiple.divided_by(f.denominator()).0).collect()
}
