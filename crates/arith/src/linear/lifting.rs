//! Square systems of rational equations, by p-adic lifting (Dixon's method).
//!
//! The system is solved modulo a prime, then digit by digit modulo its powers, until rational reconstruction finds a solution. The
//! result is checked by inserting it, so neither the prime nor an early reconstruction can make it wrong.

use crate::Rational;
use crate::modular::{PrimeField, primes};
use dashu_base::{Abs, BitTest, Gcd, RemEuclid, SquareRoot, UnsignedAbs};
use dashu_int::{IBig, UBig};
use rocproof_algebra::invariant;

/// Solves a square system; `None` if its matrix is singular. Each row lists column numbers with entries; `target` is the right-hand side.
pub(super) fn solve(rows: &[Vec<(usize, Rational)>], target: &[Rational]) -> Option<Vec<Rational>> {
    let equations = Equations::new(rows, target);
    // A determinant that is divisible by this many primes exceeds Hadamard's bound, unless it is 0.
    let most_primes = equations.enough_bits() / 30 + 1;
    let regular = primes().take(most_primes).find_map(|prime| {
        let field = PrimeField { prime };
        Some((field, ModularElimination::new(&equations.rows, field)?))
    });
    regular.and_then(|(field, elimination)| equations.lift(field, &elimination))
}

/// A square system with integer coefficients.
struct Equations {
    rows: Vec<Vec<(usize, IBig)>>,
    target: Vec<IBig>,
}

impl Equations {
    /// Multiplies every equation by its common denominator.
    fn new(rows: &[Vec<(usize, Rational)>], target: &[Rational]) -> Equations {
        let scaled = |scale: &UBig, c: &Rational| c.numerator() * IBig::from(scale / c.denominator());
        let (rows, target) = rows
            .iter()
            .zip(target)
            .map(|(row, target)| {
                let denominators = row.iter().map(|(_, c)| c).chain([target]).map(Rational::denominator);
                let scale = denominators.fold(UBig::ONE, |lcm, d| {
                    let common = (&lcm).gcd(d);
                    lcm / common * d
                });
                (row.iter().map(|(j, c)| (*j, scaled(&scale, c))).collect(), scaled(&scale, target))
            })
            .unzip();
        Equations { rows, target }
    }

    /// Lifts the solution modulo a prime to the rational solution, one p-adic digit at a time. `None` if no solution is found within the digits that
    /// determine it.
    fn lift(&self, field: PrimeField, elimination: &ModularElimination) -> Option<Vec<Rational>> {
        let n = self.rows.len();
        let prime = IBig::from(field.prime);
        // The solution modulo `modulus = prime^digits`, and the residual divided by the modulus.
        let mut solution = vec![UBig::ZERO; n];
        let mut residual = self.target.clone();
        let mut modulus = UBig::ONE;
        let enough = self.enough_bits();
        // Reconstruction is tried at numbers of digits that grow by half.
        let mut next_try = 1;
        for digits in 1usize.. {
            let residues = residual.iter().map(|r| residue(r, &prime)).collect();
            let digit = elimination.solve(residues);
            // Subtract the matrix times the digit from the residual. The difference is divisible by the prime.
            for (row, entry) in self.rows.iter().zip(&mut residual) {
                row.iter().filter(|(j, _)| digit[*j] != 0).for_each(|(j, c)| *entry -= c * IBig::from(digit[*j]));
                *entry /= &prime;
            }
            solution
                .iter_mut()
                .zip(&digit)
                .filter(|(_, d)| **d != 0)
                .for_each(|(s, d)| *s += &modulus * UBig::from(*d));
            modulus *= UBig::from(field.prime);
            let is_last = modulus.bit_len() > enough || residual.iter().all(IBig::is_zero);
            if digits == next_try || is_last {
                if let Some(found) = reconstruct(&solution, &modulus).filter(|found| self.hold_for(found)) {
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

    /// A number of binary digits that determines the solution, by Cramer's rule and Hadamard's bound.
    fn enough_bits(&self) -> usize {
        let norms = self.rows.iter().zip(&self.target).map(|(row, target)| {
            let entries = row.iter().map(|(_, c)| c).chain([target]);
            entries.map(|c| c * c).sum::<IBig>().bit_len().div_ceil(2) + 1
        });
        2 * norms.sum::<usize>() + 64
    }

    /// Whether a solution, as numerators over one denominator, satisfies all equations.
    fn hold_for(&self, (numerators, denominator): &(Vec<IBig>, UBig)) -> bool {
        self.rows.iter().zip(&self.target).all(|(row, target)| {
            row.iter().map(|(j, c)| c * &numerators[*j]).sum::<IBig>() == target * IBig::from(denominator.clone())
        })
    }
}

/// A number modulo a prime of at most 64 bits.
fn residue(value: &IBig, prime: &IBig) -> u64 {
    u64::try_from(value.rem_euclid(prime)).unwrap_or_else(|_| invariant!("a residue has more than 64 bits"))
}

/// Rational reconstruction: fractions over one denominator that have these residues. Numerators and denominator are at most the square
/// root of half the modulus.
fn reconstruct(residues: &[UBig], modulus: &UBig) -> Option<(Vec<IBig>, UBig)> {
    let bound = IBig::from((modulus >> 1).sqrt());
    let modulus = IBig::from(modulus.clone());
    let mut numerators: Vec<IBig> = Vec::with_capacity(residues.len());
    let mut denominator = IBig::ONE;
    for residue in residues {
        // Usually the denominator found so far is one of this fraction, too.
        let value = (IBig::from(residue.clone()) * &denominator) % &modulus;
        let wrapped = &modulus - &value;
        if value <= bound {
            numerators.push(value);
        } else if wrapped <= bound {
            numerators.push(-wrapped);
        } else {
            let (numerator, factor) = reconstruct_fraction(value, &modulus, &bound)?;
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

/// Numerator and positive denominator of the fraction with a residue, by Euclid's algorithm.
fn reconstruct_fraction(residue: IBig, modulus: &IBig, bound: &IBig) -> Option<(IBig, IBig)> {
    let (mut a, mut b) = (modulus.clone(), residue);
    // Modulo the modulus a = s·residue and b = t·residue, always: the fraction b/t has the residue.
    let (mut s, mut t) = (IBig::ZERO, IBig::ONE);
    while b > *bound {
        let quotient = &a / &b;
        let remainder = &a - &quotient * &b;
        (a, b) = (b, remainder);
        let next = s - quotient * &t;
        (s, t) = (t, next);
    }
    let numerator = if t < IBig::ZERO { -b } else { b };
    let denominator = t.abs();
    (denominator <= *bound && !denominator.is_zero()).then_some((numerator, denominator))
}

/// A sparse row modulo a prime, sorted by column.
type SparseResidues = Vec<(usize, u64)>;

/// The Gaussian elimination of a sparse square matrix modulo a prime.
struct ModularElimination {
    field: PrimeField,
    /// The pivots in the order of elimination.
    pivots: Vec<Pivot>,
    /// The row operations in order.
    operations: Vec<RowOperation>,
}

/// A pivot of an elimination.
struct Pivot {
    row: usize,
    column: usize,
    /// The inverse of the pivot modulo the prime.
    inverse: u64,
    /// The other entries of the row: columns whose pivots come later.
    others: SparseResidues,
}

/// Subtracts `factor` times the row `source` from the row `row`.
struct RowOperation {
    row: usize,
    factor: u64,
    source: usize,
}

impl ModularElimination {
    /// Eliminates; `None` if the matrix is singular modulo the prime.
    fn new(rows: &[Vec<(usize, IBig)>], field: PrimeField) -> Option<ModularElimination> {
        let n = rows.len();
        let prime = IBig::from(field.prime);
        let reduce = |row: &Vec<(usize, IBig)>| -> SparseResidues {
            let mut row: SparseResidues = row.iter().map(|(j, c)| (*j, residue(c, &prime))).collect();
            row.retain(|(_, c)| *c != 0);
            row.sort_unstable();
            row
        };
        let mut rows: Vec<SparseResidues> = rows.iter().map(reduce).collect();
        let mut active: Vec<usize> = (0..n).collect();
        // The number of active rows with an entry in each column.
        let mut count = vec![0usize; n];
        rows.iter().flatten().for_each(|(j, _)| count[*j] += 1);
        let (mut pivots, mut operations) = (Vec::with_capacity(n), Vec::new());
        for _ in 0..n {
            // Markowitz's rule, simplified: a pivot with few entries in its row and column keeps the rest sparse.
            let (index, &row) = active.iter().enumerate().min_by_key(|(_, row)| rows[**row].len())?;
            active.swap_remove(index);
            let mut others = std::mem::take(&mut rows[row]);
            let sparsest = (0..others.len()).min_by_key(|k| count[others[*k].0])?;
            others.iter().for_each(|(j, _)| count[*j] -= 1);
            let (column, pivot) = others.remove(sparsest);
            let inverse = field.inverse(pivot);
            // Eliminate the pivot's column from the active rows.
            for &target in &active {
                let Ok(position) = rows[target].binary_search_by_key(&column, |(j, _)| *j) else { continue };
                let factor = rows[target].remove(position).1 * inverse % field.prime;
                count[column] -= 1;
                rows[target] = subtract_multiple(&rows[target], factor, &others, field, &mut count);
                operations.push(RowOperation { row: target, factor, source: row });
            }
            pivots.push(Pivot { row, column, inverse, others });
        }
        Some(ModularElimination { field, pivots, operations })
    }

    /// Solves the system for a right-hand side, modulo the prime: repeats the row operations on it, then substitutes backwards.
    fn solve(&self, mut target: Vec<u64>) -> Vec<u64> {
        let prime = self.field.prime;
        for RowOperation { row, factor, source } in &self.operations {
            if target[*source] != 0 {
                target[*row] = (target[*row] + (prime - factor) * target[*source]) % prime;
            }
        }
        let mut solution = vec![0; target.len()];
        for Pivot { row, column, inverse, others } in self.pivots.iter().rev() {
            let of_others = others.iter().fold(0, |sum, (j, c)| (sum + c * solution[*j]) % prime);
            solution[*column] = (target[*row] + prime - of_others) % prime * inverse % prime;
        }
        solution
    }
}

/// `row - factor·other` modulo the prime, by merging two rows sorted by column. Updates the counts of entries in each column.
fn subtract_multiple(
    row: &[(usize, u64)],
    factor: u64,
    other: &[(usize, u64)],
    field: PrimeField,
    count: &mut [usize],
) -> SparseResidues {
    let minus = field.prime - factor;
    let mut sum = Vec::with_capacity(row.len() + other.len());
    let (mut a, mut b) = (row, other);
    loop {
        match (a, b) {
            ([(i, c), after_a @ ..], [(j, d), after_b @ ..]) if i == j => {
                match (c + minus * d) % field.prime {
                    0 => count[*i] -= 1,
                    entry => sum.push((*i, entry)),
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
