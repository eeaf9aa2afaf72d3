//! Greatest common divisors of polynomials in named variables.

use super::{Multinomial, Variable};
use crate::Rational;
use crate::modular::{Field, primes};
use dashu_base::RemEuclid;
use dashu_int::IBig;
use std::collections::BTreeMap;

impl Multinomial {
    /// The greatest common divisor, primitive; 0 if both vanish.
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
        let [(a, of_a), (b, of_b)] = [self, other].map(|p| {
            let monomial = p.monomial_content();
            (p.content_and_primitive().1.over_monomial(&monomial), monomial)
        });
        let common = Multinomial::term(of_a.common(&of_b), Rational::ONE);
        common * without_monomials(&a, &b)
    }

    /// The greatest common divisor of the coefficients of the powers of a variable.
    fn content_in(&self, variable: Variable) -> Multinomial {
        let mut coefficients = self.coefficients_in(variable);
        // Those with few terms first: their divisors are few.
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

    /// The values modulo a prime along a line, as a polynomial of one variable: the others have the given residues. `None` if its
    /// degree falls. The coefficients must be whole.
    fn image(&self, variable: Variable, others: &BTreeMap<Variable, u64>, field: Field) -> Option<Vec<u64>> {
        let prime = IBig::from(field.prime);
        let mut image = vec![0; self.degree_in(variable) as usize + 1];
        for (monomial, coefficient) in self.monomials() {
            let mut value = u64::try_from(coefficient.numerator().rem_euclid(&prime)).ok()?;
            for (v, power) in monomial.powers().iter().filter(|(v, _)| *v != variable) {
                let residue = others.get(v)?;
                value = (0..*power).fold(value, |value, _| value * residue % field.prime);
            }
            let place = &mut image[monomial.power_of(variable) as usize];
            *place = (*place + value) % field.prime;
        }
        image.last().is_some_and(|last| *last != 0).then_some(image)
    }
}

/// The greatest common divisor of primitive polynomials that no variable divides.
fn without_monomials(a: &Multinomial, b: &Multinomial) -> Multinomial {
    if a.is_constant() || b.is_constant() {
        return Multinomial::one();
    }
    if a == b {
        return a.clone();
    }
    // A variable that a common divisor does not have can only be in what is left of it.
    let (of_a, of_b) = (a.variables(), b.variables());
    if let Some(variable) = of_a.difference(&of_b).next() {
        return a.content_in(*variable).gcd(b);
    }
    if let Some(variable) = of_b.difference(&of_a).next() {
        return a.gcd(&b.content_in(*variable));
    }
    if let Some(variable) = of_a.iter().find(|v| seen_free(a, b, **v)) {
        return a.content_in(*variable).gcd(&b.content_in(*variable));
    }
    let (small, large) = if a.degree() <= b.degree() { (a, b) } else { (b, a) };
    if large.divided_exactly_by(small).is_some() {
        return small.clone();
    }
    let Some(variable) = of_a.into_iter().min_by_key(|v| a.degree_in(*v).min(b.degree_in(*v))) else {
        return Multinomial::one();
    };
    euclid(a, b, variable)
}

/// Whether common divisors are seen not to have a variable; `false` says nothing.
///
/// A common divisor is one along every line, and keeps its degree where one of the polynomials does.
fn seen_free(a: &Multinomial, b: &Multinomial, variable: Variable) -> bool {
    let Some(field) = primes().next().map(|prime| Field { prime }) else { return false };
    // Residues without a pattern: the powers of a primitive root.
    let residues = (0u32..).scan(16_807u64, |power, _| {
        *power = *power * 48_271 % field.prime;
        Some(*power)
    });
    let others: BTreeMap<Variable, u64> = a.variables().into_iter().chain(b.variables()).zip(residues).collect();
    let images = a.image(variable, &others, field).zip(b.image(variable, &others, field));
    images.is_some_and(|(a, b)| field.gcd(a, b).len() == 1)
}

/// Euclid's algorithm in one variable, with primitive remainders.
fn euclid(a: &Multinomial, b: &Multinomial, variable: Variable) -> Multinomial {
    let without_content = |p: &Multinomial| {
        let content = p.content_in(variable);
        match p.divided_exactly_by(&content) {
            Some(quotient) => (quotient, content),
            None => invariant!("the content of {p} does not divide it"),
        }
    };
    let ((mut a, of_a), (mut b, of_b)) = (without_content(a), without_content(b));
    if a.degree_in(variable) < b.degree_in(variable) {
        std::mem::swap(&mut a, &mut b);
    }
    while b.depends_on(variable) {
        let rest = remainder(&a, &b, variable);
        a = b;
        b = if rest.is_zero() { rest } else { without_content(&rest).0.content_and_primitive().1 };
    }
    let divisor = if b.is_zero() { a } else { Multinomial::one() };
    (of_a.gcd(&of_b) * divisor).content_and_primitive().1
}

/// The remainder of some multiple of `a`, the factor without the variable, by `b`.
fn remainder(a: &Multinomial, b: &Multinomial, variable: Variable) -> Multinomial {
    let (mut rest, divisor) = (a.coefficients_in(variable), b.coefficients_in(variable));
    let Some((leading, lower)) = divisor.split_last() else { return Multinomial::zero() };
    while rest.len() >= divisor.len()
        && let Some(top) = rest.pop()
    {
        let shift = rest.len() - lower.len();
        rest.iter_mut().for_each(|c| *c = &*c * leading);
        rest.iter_mut().skip(shift).zip(lower).for_each(|(c, d)| *c -= &top * d);
        while rest.last().is_some_and(Multinomial::is_zero) {
            rest.pop();
        }
    }
    let x = Multinomial::variable(variable);
    rest.iter().rev().fold(Multinomial::zero(), |sum, coefficient| sum * &x + coefficient)
}
