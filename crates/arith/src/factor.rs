//! The linear and quadratic factors of a polynomial over the rationals.
//!
//! The polynomial is factored modulo a prime that keeps it squarefree. There a factor of degree at most two stays irreducible or becomes
//! a product of two linear factors. Each modular factor is lifted to a power of the prime that exceeds twice the coefficients of any true
//! factor (Mignotte's bound), converted to integers, and tried by division. So no factor is missed.

use super::modular::{self, PrimeField};
use super::polynomial::Polynomial;
use dashu_base::{BitTest, ExtendedGcd, RemEuclid, UnsignedAbs};
use dashu_int::IBig;

/// The linear and quadratic factors of a squarefree polynomial, and the cofactor.
#[derive(Clone, Debug, PartialEq)]
pub struct SmallFactors {
    /// Primitive factors of degree 1.
    pub linear: Vec<Polynomial>,
    /// Primitive irreducible factors of degree 2.
    pub quadratic: Vec<Polynomial>,
    /// The cofactor: 1, or a product of irreducible factors of degree 3 and more.
    pub rest: Polynomial,
}

/// Finds the linear and quadratic factors of a squarefree polynomial.
///
/// ```
/// use rocproof_arith::{Polynomial, factor};
/// let quartic = Polynomial::whole(&[-1, 2, -1, 0, 1]);
/// let factors = factor::small_factors(&quartic);
/// assert_eq!(factors.rest, Polynomial::one());
/// let found: Vec<String> = factors.quadratic.iter().map(|q| q.to_string()).collect();
/// assert_eq!(found.len(), 2);
/// assert!(found.contains(&"x^2 + x - 1".to_owned()) && found.contains(&"x^2 - x + 1".to_owned()));
/// ```
pub fn small_factors(squarefree: &Polynomial) -> SmallFactors {
    let mut rest = squarefree.primitive();
    let mut factors = SmallFactors { linear: Vec::new(), quadratic: Vec::new(), rest: Polynomial::one() };
    if rest.degree() <= 1 {
        if rest.degree() == 1 {
            factors.linear.push(rest);
        }
        return factors;
    }
    // Factor modulo a prime. All but finitely many primes keep a squarefree polynomial squarefree.
    let factored = modular::primes().find_map(|prime| {
        let field = PrimeField { prime };
        let residues = field.monic(field.reduce(&rest)?);
        let squarefree = field.gcd(residues.clone(), field.derivative(&residues)).len() == 1;
        squarefree.then(|| (field, field.small_factors(&residues)))
    });
    let Some((field, modular)) = factored else { return SmallFactors { rest, ..factors } };
    let lifted: Vec<Lifted> = modular.iter().map(|factor| Lifted::new(&rest, factor, field)).collect();
    // Divides the cofactor by the integer polynomial of some lifted factors, if that is a divisor. A lifted factor belongs to one true factor only.
    let mut used = vec![false; lifted.len()];
    let mut attempt = |rest: &mut Polynomial, parts: &[usize]| {
        if parts.iter().any(|k| used[*k]) || rest.degree() < parts.iter().map(|k| lifted[*k].degree()).sum() {
            return;
        }
        let Some(candidate) = candidate(rest, &lifted, parts) else { return };
        let (quotient, remainder) = rest.divided_by(&candidate);
        if remainder.is_zero() {
            *rest = quotient.primitive();
            parts.iter().for_each(|k| used[*k] = true);
            let list = if candidate.degree() == 1 { &mut factors.linear } else { &mut factors.quadratic };
            list.push(candidate);
        }
    };
    for k in 0..lifted.len() {
        attempt(&mut rest, &[k]);
    }
    // A quadratic factor over the rationals may be a product of two linear ones modulo the prime.
    let linear: Vec<usize> = (0..lifted.len()).filter(|k| lifted[*k].degree() == 1).collect();
    for (n, i) in linear.iter().enumerate() {
        for j in &linear[n + 1..] {
            attempt(&mut rest, &[*i, *j]);
        }
    }
    SmallFactors { rest, ..factors }
}

/// A monic factor modulo a power of a prime.
struct Lifted {
    /// The coefficients below the leading 1, the constant term first: one or two.
    coefficients: Vec<IBig>,
    modulus: IBig,
}

impl Lifted {
    /// The degree: 1 or 2.
    fn degree(&self) -> usize {
        self.coefficients.len()
    }

    /// Lifts a monic factor `q` of `of` modulo the prime to a power of it, by Newton's method: with `of = q·h + r`, the correction of `q` is `r/h`
    /// modulo `q`. Each step squares the modulus.
    fn new(of: &Polynomial, factor: &[u64], field: PrimeField) -> Lifted {
        let numerators = of.parts().0;
        // Mignotte's bound: a factor of degree at most two, times the leading coefficient of `of`, has coefficients below
        // 4·|leading|·|of|.
        let height: usize = numerators.iter().map(|n| n.bit_len()).max().unwrap_or(0) + numerators.len();
        let leading = numerators.last().map_or(0, |n| n.bit_len());
        let needed_bits = height + leading + 4;
        let mut modulus = IBig::from(field.prime);
        let mut coefficients: Vec<IBig> = factor[..factor.len() - 1].iter().map(|c| IBig::from(*c)).collect();
        while modulus.bit_len() <= needed_bits {
            modulus = &modulus * &modulus;
            let (quotient, remainder) = divide(numerators, &coefficients, &modulus);
            // The cofactor h matters modulo q only.
            let (_, cofactor) = divide(&quotient, &coefficients, &modulus);
            let correction = divide_modulo(&remainder, &cofactor, &coefficients, &modulus);
            for (c, d) in coefficients.iter_mut().zip(correction) {
                *c = (&*c + d).rem_euclid(&modulus).into();
            }
        }
        Lifted { coefficients, modulus }
    }
}

/// Quotient and remainder of polynomials modulo an integer, by long division. The divisor is monic and given without its leading 1.
fn divide(of: &[IBig], by: &[IBig], modulus: &IBig) -> (Vec<IBig>, Vec<IBig>) {
    let m = by.len();
    let mut work = of.to_vec();
    let mut quotient = vec![IBig::ZERO; work.len().saturating_sub(m)];
    for k in (0..quotient.len()).rev() {
        let top = IBig::from((&work[k + m]).rem_euclid(modulus));
        for (j, d) in by.iter().enumerate() {
            work[k + j] -= d * &top;
        }
        quotient[k] = top;
    }
    work.truncate(m);
    work.resize(m, IBig::ZERO);
    let remainder = work.into_iter().map(|c| IBig::from(c.rem_euclid(modulus))).collect();
    (quotient, remainder)
}

/// `a/b` modulo a monic polynomial of degree 1 or 2 and a modulus.
fn divide_modulo(a: &[IBig], b: &[IBig], by: &[IBig], modulus: &IBig) -> Vec<IBig> {
    match (a, b, by) {
        ([a0, a1], [b0, b1], [q0, q1]) => {
            // In Z[x]/(x² + q1·x + q0) the conjugate of b0 + b1·x is (b0 - b1·q1) - b1·x.
            let (c0, c1) = (b0 - b1 * q1, -b1);
            let norm = b0 * &c0 + b1 * b1 * q0;
            let inverse = inverse(&norm, modulus);
            let p2 = a1 * &c1;
            let p0 = a0 * &c0 - &p2 * q0;
            let p1 = a0 * &c1 + a1 * &c0 - &p2 * q1;
            [p0, p1].into_iter().map(|p| IBig::from((p * &inverse).rem_euclid(modulus))).collect()
        }
        ([a0], [b0], _) => vec![IBig::from((a0 * inverse(b0, modulus)).rem_euclid(modulus))],
        _ => Vec::new(),
    }
}

/// The inverse modulo an integer, by the extended Euclidean algorithm.
fn inverse(of: &IBig, modulus: &IBig) -> IBig {
    let reduced = of.rem_euclid(modulus);
    let (_, inverse, _) = reduced.gcd_ext(modulus.unsigned_abs());
    inverse
}

/// The primitive integer polynomial that corresponds to one lifted factor, or to the product of two linear ones: the monic product times the leading
/// coefficient of `of`, with residues between plus and minus half the modulus.
fn candidate(of: &Polynomial, lifted: &[Lifted], parts: &[usize]) -> Option<Polynomial> {
    let modulus = &lifted[*parts.first()?].modulus;
    let monic: Vec<IBig> = match parts {
        [k] => lifted[*k].coefficients.iter().cloned().chain([IBig::ONE]).collect(),
        [i, j] => {
            let (a, b) = (&lifted[*i].coefficients[0], &lifted[*j].coefficients[0]);
            vec![a * b, a + b, IBig::ONE]
        }
        _ => return None,
    };
    let leading = of.parts().0.last()?;
    let half = modulus >> 1;
    let whole = monic.into_iter().map(|c| {
        let residue = IBig::from((c * leading).rem_euclid(modulus));
        if residue > half { residue - modulus } else { residue }
    });
    Some(Polynomial::from_integers(whole.collect()).primitive())
}
