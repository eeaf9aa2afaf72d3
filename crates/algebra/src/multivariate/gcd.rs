//! Greatest common divisors of polynomials in named variables.
//!
//! Euclid's algorithm with primitive remainders, in one variable after another. Cheaper tests come first and decide most cases: a variable
//! that occurs in one polynomial only, or whose images modulo a prime are coprime, cannot occur in a common divisor.

use super::{Multinomial, Variable};
use crate::Rational;
use crate::modular::{PrimeField, primes};
use dashu_base::RemEuclid;
use dashu_int::IBig;
use std::collections::BTreeMap;

impl Multinomial {
    /// The greatest common divisor, primitive; 0 if both are 0.
    ///
    /// ```
    /// use rocproof_algebra::Multinomial;
    /// let [x, y] = ["x", "y"].map(Multinomial::variable);
    /// let p = (&x * &x - &y * &y) * &x;
    /// assert_eq!(p.gcd(&((&x + &y) * &y)), x + y);
    /// ```
    pub fn gcd(&self, other: &Multinomial) -> Multinomial {
        if self.is_zero() || other.is_zero() {
            let sum = self + other;
            return if sum.is_zero() { sum } else { sum.content_and_primitive().1 };
        }
        // Divide the greatest monomials out first. They are coprime to the cofactors.
        let [(a, monomial_of_a), (b, monomial_of_b)] = [self, other].map(|p| {
            let monomial = p.monomial_content();
            (p.content_and_primitive().1.over_monomial(&monomial), monomial)
        });
        let common = Multinomial::term(monomial_of_a.gcd(&monomial_of_b), Rational::ONE);
        common * gcd_without_monomials(&a, &b)
    }

    /// The content with respect to a variable: the greatest common divisor of the coefficients of its powers.
    fn content_in(&self, variable: Variable) -> Multinomial {
        let mut coefficients = self.coefficients_in(variable);
        // Coefficients with few terms first: the common divisor becomes small early.
        coefficients.sort_by_key(|c| c.terms().len());
        let mut content = Multinomial::zero();
        for coefficient in coefficients.iter().filter(|c| !c.is_zero()) {
            content = content.gcd(coefficient);
            if content.is_constant() {
                break;
            }
        }
        content
    }

    /// The image modulo a prime as a polynomial in one variable, with `residues` substituted for the other variables. `None` if the
    /// degree falls. The coefficients must be integers.
    fn image(&self, variable: Variable, residues: &BTreeMap<Variable, u64>, field: PrimeField) -> Option<Vec<u64>> {
        let prime = IBig::from(field.prime);
        let mut image = vec![0; self.degree_in(variable) as usize + 1];
        for (monomial, coefficient) in self.monomials() {
            let mut value = u64::try_from(coefficient.numerator().rem_euclid(&prime)).ok()?;
            for (v, power) in monomial.powers().iter().filter(|(v, _)| *v != variable) {
                let residue = residues.get(v)?;
                value = (0..*power).fold(value, |value, _| value * residue % field.prime);
            }
            let sum = &mut image[monomial.power_of(variable) as usize];
            *sum = (*sum + value) % field.prime;
        }
        let keeps_degree = image.last().is_some_and(|leading| *leading != 0);
        keeps_degree.then_some(image)
    }
}

/// The greatest common divisor of primitive polynomials that no variable divides.
fn gcd_without_monomials(a: &Multinomial, b: &Multinomial) -> Multinomial {
    if a.is_constant() || b.is_constant() {
        return Multinomial::one();
    }
    if a == b {
        return a.clone();
    }
    // A common divisor does not contain a variable that occurs in one polynomial only. So it divides every coefficient of that variable's
    // powers, and hence the content in that variable.
    let (variables_of_a, variables_of_b) = (a.variables(), b.variables());
    if let Some(variable) = variables_of_a.difference(&variables_of_b).next() {
        return a.content_in(*variable).gcd(b);
    }
    if let Some(variable) = variables_of_b.difference(&variables_of_a).next() {
        return a.gcd(&b.content_in(*variable));
    }
    if let Some(variable) = variables_of_a.iter().find(|v| is_surely_absent(a, b, **v)) {
        return a.content_in(*variable).gcd(&b.content_in(*variable));
    }
    // The divisor may be one of the polynomials itself.
    let (small, large) = if a.degree() <= b.degree() { (a, b) } else { (b, a) };
    if large.divided_exactly_by(small).is_some() {
        return small.clone();
    }
    // Euclid's algorithm takes the fewest steps in the variable of least degree.
    let Some(variable) = variables_of_a.into_iter().min_by_key(|v| a.degree_in(*v).min(b.degree_in(*v))) else {
        return Multinomial::one();
    };
    euclid(a, b, variable)
}

/// A pair of multipliers of the Lehmer generator modulo 2³¹ - 1: primitive roots, whose powers serve as pseudo-random residues.
const PRIMITIVE_ROOTS: [u64; 2] = [16_807, 48_271];

/// A quick test: `true` proves that no common divisor contains the variable, `false` says nothing.
///
/// The image of a common divisor divides both images, and keeps its degree in the variable if one of the polynomials does. So coprime
/// images exclude a common divisor of positive degree.
fn is_surely_absent(a: &Multinomial, b: &Multinomial, variable: Variable) -> bool {
    let Some(field) = primes().next().map(|prime| PrimeField { prime }) else { return false };
    let [first, multiplier] = PRIMITIVE_ROOTS;
    let pseudo_random = (0u32..).scan(first, |residue, _| {
        *residue = *residue * multiplier % field.prime;
        Some(*residue)
    });
    let variables = a.variables().into_iter().chain(b.variables());
    let residues: BTreeMap<Variable, u64> = variables.zip(pseudo_random).collect();
    let images = a.image(variable, &residues, field).zip(b.image(variable, &residues, field));
    images.is_some_and(|(a, b)| field.gcd(a, b).len() == 1)
}

/// Euclid's algorithm with respect to one variable, with primitive pseudo-remainders.
fn euclid(a: &Multinomial, b: &Multinomial, variable: Variable) -> Multinomial {
    // The primitive part with respect to the variable, and the content.
    let split = |p: &Multinomial| {
        let content = p.content_in(variable);
        match p.divided_exactly_by(&content) {
            Some(quotient) => (quotient, content),
            None => invariant!("the content of {p} does not divide it"),
        }
    };
    let ((mut a, content_of_a), (mut b, content_of_b)) = (split(a), split(b));
    if a.degree_in(variable) < b.degree_in(variable) {
        std::mem::swap(&mut a, &mut b);
    }
    while b.depends_on(variable) {
        let remainder = pseudo_remainder(&a, &b, variable);
        a = b;
        b = if remainder.is_zero() { remainder } else { split(&remainder).0.content_and_primitive().1 };
    }
    // A last remainder without the variable that is not 0 shows that the primitive parts are coprime.
    let divisor = if b.is_zero() { a } else { Multinomial::one() };
    (content_of_a.gcd(&content_of_b) * divisor).content_and_primitive().1
}

/// The pseudo-remainder with respect to a variable: the remainder of `a`, times a power of the leading coefficient of `b`, divided by `b`.
fn pseudo_remainder(a: &Multinomial, b: &Multinomial, variable: Variable) -> Multinomial {
    let (mut remainder, divisor) = (a.coefficients_in(variable), b.coefficients_in(variable));
    let Some((leading, lower)) = divisor.split_last() else { return Multinomial::zero() };
    while remainder.len() >= divisor.len()
        && let Some(top) = remainder.pop()
    {
        // remainder := leading·remainder - top·x^shift·divisor. The top coefficients cancel; `top` is already removed.
        let shift = remainder.len() - lower.len();
        remainder.iter_mut().for_each(|c| *c = &*c * leading);
        remainder.iter_mut().skip(shift).zip(lower).for_each(|(c, d)| *c -= &top * d);
        while remainder.last().is_some_and(Multinomial::is_zero) {
            remainder.pop();
        }
    }
    let x = Multinomial::variable(variable);
    remainder.iter().rev().fold(Multinomial::zero(), |sum, coefficient| sum * &x + coefficient)
}
