//! Square systems of rational equations, solved modulo a prime and lifted digit by digit (Dixon's method).
//!
//! The result is checked by inserting it, so neither the prime nor an early guess can make it wrong.

use crate::Rational;
use crate::modular::{Field, primes};
use dashu_base::{Abs, BitTest, Gcd, RemEuclid, SquareRoot, UnsignedAbs};
use dashu_int::{IBig, UBig};
use rocproof_algebra::invariant;

/// The solution of a square system, given its rows as places and entries and what they should give; `None` if the matrix is
/// singular.
///
/// ```
/// use rocproof_arith::{Rational, linear::solve};
/// let [one, two, three] = [1, 2, 3].map(Rational::from);
/// // 2x + y = 3, 3y = 1
/// let rows = [vec![(0, two), (1, one.clone())], vec![(1, three.clone())]];
/// let solution = solve(&rows, &[three.clone(), one]).unwrap();
/// assert_eq!(solution, [(4, 3u8), (1, 3)].map(|(n, d)| Rational::from_parts(n.into(), d.into())));
/// # assert_eq!(solve(&[rows[0].clone(), rows[0].clone()], &[three.clone(), three]), None);
/// ```
pub fn solve(rows: &[Vec<(usize, Rational)>], target: &[Rational]) -> Option<Vec<Rational>> {
    let equations = Equations::new(rows, target);
    // A determinant that so many primes divide is 0.
    let most = equations.enough_bits() / 30 + 1;
    let field = |prime| Field { prime };
    let regular = primes().take(most).map(field).find_map(|f| Some((f, Elimination::new(&equations.rows, f)?)));
    regular.and_then(|(field, inverse)| equations.lifted(field, &inverse))
}

/// A square system with whole coefficients.
struct Equations {
    rows: Vec<Vec<(usize, IBig)>>,
    target: Vec<IBig>,
}

impl Equations {
    /// Every equation times its common denominator.
    fn new(rows: &[Vec<(usize, Rational)>], target: &[Rational]) -> Equations {
        let whole = |scale: &UBig, c: &Rational| c.numerator() * IBig::from(scale / c.denominator());
        let (rows, target) = rows
            .iter()
            .zip(target)
            .map(|(row, target)| {
                let denominators = row.iter().map(|(_, c)| c).chain([target]).map(Rational::denominator);
                let scale = denominators.fold(UBig::ONE, |lcm, d| {
                    let common = (&lcm).gcd(d);
                    lcm / common * d
                });
                (row.iter().map(|(j, c)| (*j, whole(&scale, c))).collect(), whole(&scale, target))
            })
            .unzip();
        Equations { rows, target }
    }

    /// The solution, from the inverse modulo a prime.
    fn lifted(&self, field: Field, inverse: &Elimination) -> Option<Vec<Rational>> {
        let n = self.rows.len();
        let prime = IBig::from(field.prime);
        // The solution modulo prime^digits, and what the equations lack, divided by that.
        let mut solution = vec![UBig::ZERO; n];
        let mut rest = self.target.clone();
        let mut modulus = UBig::ONE;
        let enough = self.enough_bits();
        let mut next_try = 1;
        for digits in 1usize.. {
            let residues = rest.iter().map(|r| residue(r, &prime)).collect();
            let digit = inverse.solve(residues);
            for (row, rest) in self.rows.iter().zip(&mut rest) {
                row.iter().filter(|(j, _)| digit[*j] != 0).for_each(|(j, c)| *rest -= c * IBig::from(digit[*j]));
                *rest /= &prime;
            }
            solution
                .iter_mut()
                .zip(&digit)
                .filter(|(_, d)| **d != 0)
                .for_each(|(s, d)| *s += &modulus * UBig::from(*d));
            modulus *= UBig::from(field.prime);
            let last = modulus.bit_len() > enough || rest.iter().all(IBig::is_zero);
            if digits == next_try || last {
                if let Some(found) = reconstructed(&solution, &modulus).filter(|found| self.hold_for(found)) {
                    let (numerators, denominator) = found;
                    return Some(
                        numerators.into_iter().map(|n| Rational::from_parts(n, denominator.clone())).collect(),
                    );
                }
                next_try = digits + 1 + digits / 2;
            }
            if modulus.bit_len() > enough {
                return None;
            }
        }
        None
    }

    /// So many binary digits fix the solution: by Cramer's rule and Hadamard's bound.
    fn enough_bits(&self) -> usize {
        let norms = self.rows.iter().zip(&self.target).map(|(row, target)| {
            let entries = row.iter().map(|(_, c)| c).chain([target]);
            entries.map(|c| c * c).sum::<IBig>().bit_len().div_ceil(2) + 1
        });
        2 * norms.sum::<usize>() + 64
    }

    fn hold_for(&self, (numerators, denominator): &(Vec<IBig>, UBig)) -> bool {
        self.rows.iter().zip(&self.target).all(|(row, target)| {
            row.iter().map(|(j, c)| c * &numerators[*j]).sum::<IBig>() == target * IBig::from(denominator.clone())
        })
    }
}

/// A number modulo a prime of at most 64 bits.
pub(super) fn residue(value: &IBig, prime: &IBig) -> u64 {
    u64::try_from(value.rem_euclid(prime)).unwrap_or_else(|_| invariant!("a residue has more than 64 bits"))
}

/// The fractions that leave given residues, over one denominator: numerators and denominator below the root of half the modulus.
fn reconstructed(residues: &[UBig], modulus: &UBig) -> Option<(Vec<IBig>, UBig)> {
    let bound = IBig::from((modulus >> 1).sqrt());
    let modulus = IBig::from(modulus.clone());
    let mut numerators: Vec<IBig> = Vec::with_capacity(residues.len());
    let mut denominator = IBig::ONE;
    for residue in residues {
        // Mostly the denominator so far will do.
        let value = (IBig::from(residue.clone()) * &denominator) % &modulus;
        let wrapped = &modulus - &value;
        if value <= bound {
            numerators.push(value);
        } else if wrapped <= bound {
            numerators.push(-wrapped);
        } else {
            let (numerator, factor) = fraction_of(value, &modulus, &bound)?;
            denominator *= &factor;
            if denominator > bound {
                return None;
            }
            numerators.iter_mut().for_each(|n| *n *= &factor);
            numerators.push(numerator);
        }
    }
    Some((numerators, denominator.unsigned_abs()))
}

/// Numerator and positive denominator of the fraction that leaves a residue, by Euclid's algorithm.
fn fraction_of(residue: IBig, modulus: &IBig, bound: &IBig) -> Option<(IBig, IBig)> {
    let (mut a, mut b) = (modulus.clone(), residue);
    let (mut s, mut t) = (IBig::ZERO, IBig::ONE);
    while b > *bound {
        let quotient = &a / &b;
        let rest = &a - &quotient * &b;
        (a, b) = (b, rest);
        let next = s - quotient * &t;
        (s, t) = (t, next);
    }
    let numerator = if t < IBig::ZERO { -b } else { b };
    let denominator = t.abs();
    (denominator <= *bound && !denominator.is_zero()).then_some((numerator, denominator))
}

/// A sparse row modulo a prime, by column.
type Residues = Vec<(usize, u64)>;

/// A sparse matrix modulo a prime, taken apart by elimination.
struct Elimination {
    field: Field,
    /// Row, column and inverse of each pivot, and what else was in the row.
    pivots: Vec<(usize, usize, u64, Residues)>,
    /// From a row, so many times another was subtracted, in this order: `(from, times, other)`.
    steps: Vec<(usize, u64, usize)>,
}

impl Elimination {
    /// `None` if the matrix is singular modulo the prime.
    fn new(rows: &[Vec<(usize, IBig)>], field: Field) -> Option<Elimination> {
        let n = rows.len();
        let prime = IBig::from(field.prime);
        let reduce = |row: &Vec<(usize, IBig)>| -> Residues {
            let mut row: Residues = row.iter().map(|(j, c)| (*j, residue(c, &prime))).collect();
            row.retain(|(_, c)| *c != 0);
            row.sort_unstable();
            row
        };
        let mut rows: Vec<Residues> = rows.iter().map(reduce).collect();
        let mut active: Vec<usize> = (0..n).collect();
        let mut count = vec![0usize; n];
        rows.iter().flatten().for_each(|(j, _)| count[*j] += 1);
        let (mut pivots, mut steps) = (Vec::with_capacity(n), Vec::new());
        for _ in 0..n {
            // Few entries in the row and in the column keep the rest sparse.
            let (place, &row) = active.iter().enumerate().min_by_key(|(_, row)| rows[**row].len())?;
            active.swap_remove(place);
            let mut source = std::mem::take(&mut rows[row]);
            let at = (0..source.len()).min_by_key(|k| count[source[*k].0])?;
            source.iter().for_each(|(j, _)| count[*j] -= 1);
            let (column, pivot) = source.remove(at);
            let inverse = field.inverse(pivot);
            for &other in &active {
                let Ok(at) = rows[other].binary_search_by_key(&column, |(j, _)| *j) else { continue };
                let factor = rows[other].remove(at).1 * inverse % field.prime;
                count[column] -= 1;
                rows[other] = subtracted(&rows[other], factor, &source, field, &mut count);
                steps.push((other, factor, row));
            }
            pivots.push((row, column, inverse, source));
        }
        Some(Elimination { field, pivots, steps })
    }

    /// The solution modulo the prime.
    fn solve(&self, mut target: Vec<u64>) -> Vec<u64> {
        let prime = self.field.prime;
        for (from, times, other) in &self.steps {
            if target[*other] != 0 {
                target[*from] = (target[*from] + (prime - times) * target[*other]) % prime;
            }
        }
        let mut solution = vec![0; target.len()];
        for (row, column, inverse, rest) in self.pivots.iter().rev() {
            let known = rest.iter().fold(0, |sum, (j, c)| (sum + c * solution[*j]) % prime);
            solution[*column] = (target[*row] + prime - known) % prime * inverse % prime;
        }
        solution
    }
}

/// `row - factor·other`, and how often each column is met.
fn subtracted(
    row: &[(usize, u64)],
    factor: u64,
    other: &[(usize, u64)],
    field: Field,
    count: &mut [usize],
) -> Residues {
    let minus = field.prime - factor;
    let mut sum = Vec::with_capacity(row.len() + other.len());
    let (mut a, mut b) = (row, other);
    loop {
        match (a, b) {
            ([(i, c), after_a @ ..], [(j, d), after_b @ ..]) if i == j => {
                match (c + minus * d) % field.prime {
                    0 => count[*i] -= 1,
                    left => sum.push((*i, left)),
                }
                (a, b) = (after_a, after_b);
            }
            ([first, after_a @ ..], rest) if rest.first().is_none_or(|(j, _)| first.0 < *j) => {
                sum.push(*first);
                a = after_a;
            }
            (_, [(j, d), after_b @ ..]) => {
                sum.push((*j, minus * d % field.prime));
                count[*j] += 1;
                b = after_b;
            }
            _ => return sum,
        }
    }
}
