//! Products of powers of coprime polynomials: the denominators of fractions.
//!
//! A denominator is kept factored, because products and derivatives of fractions then share most factors and stay small.

use super::Multinomial;
use std::collections::BTreeMap;

/// A product of powers of polynomials, which are primitive, not constant and pairwise coprime.
#[derive(Clone, Default, PartialEq, Eq)]
pub(super) struct FactoredProduct {
    /// The power of each factor; none is 0.
    powers: BTreeMap<Multinomial, u32>,
}

/// A factor of a product that is not coprime to a new one: `factor = common·cofactor`, `new = common·cofactor_of_new`.
struct Overlap {
    factor: Multinomial,
    common: Multinomial,
    cofactor: Multinomial,
    cofactor_of_new: Multinomial,
}

impl FactoredProduct {
    /// Splits a primitive polynomial: variables and repeated factors become factors of their own.
    pub(super) fn of(polynomial: &Multinomial) -> FactoredProduct {
        let mut factors = FactoredProduct::default();
        let monomial = polynomial.monomial_content();
        for (variable, power) in monomial.powers() {
            factors.powers.insert(Multinomial::variable(*variable), *power);
        }
        let cofactor = polynomial.over_monomial(&monomial);
        // A repeated factor divides all partial derivatives.
        let derivatives = cofactor.variables().into_iter().map(|v| cofactor.derivative(v));
        let repeated = derivatives.fold(cofactor.clone(), |common, derivative| common.gcd(&derivative));
        match cofactor.divided_exactly_by(&repeated) {
            Some(distinct) if !repeated.is_constant() => {
                factors.multiply(distinct, 1);
                FactoredProduct::of(&repeated).powers.into_iter().for_each(|(f, power)| factors.multiply(f, power));
            }
            _ => factors.multiply(cofactor, 1),
        }
        factors
    }

    /// Whether it is the empty product, 1.
    pub(super) fn is_empty(&self) -> bool {
        self.powers.is_empty()
    }

    /// The factors with their powers.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&Multinomial, u32)> {
        self.powers.iter().map(|(factor, power)| (factor, *power))
    }

    /// The power of a factor; 0 if it does not occur.
    pub(super) fn power_of(&self, factor: &Multinomial) -> u32 {
        self.powers.get(factor).copied().unwrap_or(0)
    }

    /// Multiplies the product out.
    pub(super) fn expanded(&self) -> Multinomial {
        self.iter().fold(Multinomial::one(), |product, (factor, power)| product * factor.power(power))
    }

    /// Replaces the power of each factor by `new_power(factor, power)`; factors with power 0 are dropped.
    pub(super) fn with_powers(&self, new_power: impl Fn(&Multinomial, u32) -> u32) -> FactoredProduct {
        let powers = self.iter().map(|(f, n)| (f.clone(), new_power(f, n))).filter(|(_, n)| *n > 0);
        FactoredProduct { powers: powers.collect() }
    }

    /// Multiplies by a power of a primitive polynomial, and splits factors until they are coprime again.
    ///
    /// If a factor `f` with power `m` and the new `g` with power `n` have the common divisor `d`, then `f^m g^n` becomes
    /// `(f/d)^m (g/d)^n d^(m+n)`. Each split lowers the degree of `f`, so the loop ends.
    pub(super) fn multiply(&mut self, factor: Multinomial, power: u32) {
        let mut pending = vec![(factor, power)];
        while let Some((factor, power)) = pending.pop() {
            if factor.is_constant() || power == 0 {
                continue;
            }
            if let Some(known) = self.powers.get_mut(&factor) {
                *known += power;
                continue;
            }
            let Some(overlap) = self.find_overlap(&factor) else {
                self.powers.insert(factor, power);
                continue;
            };
            let known_power = self.powers.remove(&overlap.factor).unwrap_or(0);
            pending.extend([
                (overlap.cofactor, known_power),
                (overlap.cofactor_of_new, power),
                (overlap.common, known_power + power),
            ]);
        }
    }

    /// Finds a factor that has a common divisor with a new polynomial.
    fn find_overlap(&self, new: &Multinomial) -> Option<Overlap> {
        self.powers.keys().find_map(|factor| {
            let common = factor.gcd(new);
            let (cofactor, cofactor_of_new) = (factor.divided_exactly_by(&common)?, new.divided_exactly_by(&common)?);
            let overlap = Overlap { factor: factor.clone(), common, cofactor, cofactor_of_new };
            (!overlap.common.is_constant()).then_some(overlap)
        })
    }

    /// The product of two products.
    pub(super) fn times(&self, other: &FactoredProduct) -> FactoredProduct {
        let mut product = self.clone();
        other.iter().for_each(|(factor, power)| product.multiply(factor.clone(), power));
        product
    }

    /// Writes two products as powers of the same coprime factors.
    pub(super) fn align(&self, other: &FactoredProduct) -> [FactoredProduct; 2] {
        // The factors of the product of both refine the factors of each.
        let refined = self.times(other);
        [self, other].map(|product| refined.with_powers(|factor, _| product.multiplicity(factor)))
    }

    /// The power to which a polynomial divides the product. It must divide one factor at most.
    fn multiplicity(&self, divisor: &Multinomial) -> u32 {
        if let Some(power) = self.powers.get(divisor) {
            return *power;
        }
        let multiplicity_in = |factor: &Multinomial| {
            let mut cofactor = factor.clone();
            let mut count = 0;
            while let Some(quotient) = cofactor.divided_exactly_by(divisor) {
                cofactor = quotient;
                count += 1;
            }
            count
        };
        self.iter().map(|(factor, power)| multiplicity_in(factor) * power).sum()
    }

    /// Reduces the fraction `numerator/self` to lowest terms. Returns its numerator and its denominator.
    pub(super) fn cancel(self, mut numerator: Multinomial) -> (Multinomial, FactoredProduct) {
        let mut denominator = FactoredProduct::default();
        if numerator.is_zero() {
            return (numerator, denominator);
        }
        // Once a factor has been split, its parts may coincide with others: then `multiply` must merge them.
        let mut split = false;
        let mut pending: Vec<(Multinomial, u32)> = self.powers.into_iter().collect();
        while let Some((factor, power)) = pending.pop() {
            let common = if numerator.is_constant() { Multinomial::one() } else { numerator.gcd(&factor) };
            match (numerator.divided_exactly_by(&common), factor.divided_exactly_by(&common)) {
                // Cancel the common divisor d once: f^n = (f/d)^n d^n becomes (f/d)^n d^(n-1).
                (Some(quotient), Some(cofactor)) if !common.is_constant() => {
                    numerator = quotient;
                    split |= !cofactor.is_constant();
                    let remaining = [(cofactor, power), (common, power - 1)];
                    pending.extend(remaining.into_iter().filter(|(f, n)| *n > 0 && !f.is_constant()));
                }
                _ if split => denominator.multiply(factor, power),
                _ => {
                    denominator.powers.insert(factor, power);
                }
            }
        }
        (numerator, denominator)
    }
}
