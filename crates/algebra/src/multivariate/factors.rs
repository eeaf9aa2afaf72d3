//! Products of powers of coprime polynomials: the denominators of fractions.
//!
//! A denominator is kept factored, because products and derivatives of fractions then share most factors and stay small.

use super::Multinomial;
use std::collections::BTreeMap;

/// A product of powers of polynomials, which are primitive, not constant and pairwise coprime.
#[derive(Clone, Default, PartialEq, Eq)]
pub(super) struct FactoredProduct {
    powers: BTreeMap<Multinomial, u32>,
}

impl FactoredProduct {
    /// Splits a primitive polynomial: variables and repeated factors become factors of their own.
    pub(super) fn of(polynomial: &Multinomial) -> FactoredProduct {
        let mut factors = FactoredProduct::default();
        let monomial = polynomial.monomial_content();
        for (variable, power) in monomial.powers() {
            factors.powers.insert(Multinomial::variable(*variable), *power);
        }
        let rest = polynomial.over_monomial(&monomial);
        // A repeated factor divides all partial derivatives.
        let slopes = rest.variables().into_iter().map(|v| rest.derivative(v));
        let repeated = slopes.fold(rest.clone(), |common, slope| common.gcd(&slope));
        match rest.divided_exactly_by(&repeated) {
            Some(distinct) if !repeated.is_constant() => {
                factors.multiply(distinct, 1);
                FactoredProduct::of(&repeated).powers.into_iter().for_each(|(f, power)| factors.multiply(f, power));
            }
            _ => factors.multiply(rest, 1),
        }
        factors
    }

    pub(super) fn is_empty(&self) -> bool {
        self.powers.is_empty()
    }

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

    /// Replaces the power of each factor; a factor with power 0 goes.
    pub(super) fn with_powers(&self, power: impl Fn(&Multinomial, u32) -> u32) -> FactoredProduct {
        let powers = self.iter().map(|(f, n)| (f.clone(), power(f, n))).filter(|(_, n)| *n > 0);
        FactoredProduct { powers: powers.collect() }
    }

    /// Multiplies by a power of a primitive polynomial, and splits factors until they are coprime again.
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
            let overlapping = self.powers.keys().find_map(|known| {
                let common = known.gcd(&factor);
                let cofactors = (known.divided_exactly_by(&common)?, factor.divided_exactly_by(&common)?);
                (!common.is_constant()).then(|| (known.clone(), common, cofactors))
            });
            match overlapping {
                None => {
                    self.powers.insert(factor, power);
                }
                Some((known, common, (rest_of_known, rest_of_factor))) => {
                    let known_power = self.powers.remove(&known).unwrap_or(0);
                    pending.extend([
                        (rest_of_known, known_power),
                        (rest_of_factor, power),
                        (common, known_power + power),
                    ]);
                }
            }
        }
    }

    /// The product of two products.
    pub(super) fn times(&self, other: &FactoredProduct) -> FactoredProduct {
        let mut product = self.clone();
        other.iter().for_each(|(factor, power)| product.multiply(factor.clone(), power));
        product
    }

    /// Writes two products as powers of the same coprime factors.
    pub(super) fn align(&self, other: &FactoredProduct) -> [FactoredProduct; 2] {
        let all = self.times(other);
        [self, other].map(|product| FactoredProduct {
            powers: all
                .powers
                .keys()
                .filter_map(|part| Some((part.clone(), product.multiplicity(part))).filter(|(_, n)| *n > 0))
                .collect(),
        })
    }

    /// The power to which a polynomial divides the product. It must divide one factor at most.
    fn multiplicity(&self, part: &Multinomial) -> u32 {
        if let Some(power) = self.powers.get(part) {
            return *power;
        }
        let multiplicity_in = |factor: &Multinomial| {
            let mut rest = factor.clone();
            let mut count = 0;
            while let Some(quotient) = rest.divided_exactly_by(part) {
                rest = quotient;
                count += 1;
            }
            count
        };
        self.iter().map(|(factor, power)| multiplicity_in(factor) * power).sum()
    }

    /// Cancels: divides a numerator and the product by their common divisors. Returns the reduced numerator and product.
    pub(super) fn cancel(self, mut numerator: Multinomial) -> (Multinomial, FactoredProduct) {
        let mut left = FactoredProduct::default();
        if numerator.is_zero() {
            return (numerator, left);
        }
        // Once a factor has been split, its parts may coincide with others: then `multiply` must merge them.
        let mut split = false;
        let mut pending: Vec<(Multinomial, u32)> = self.powers.into_iter().collect();
        while let Some((factor, power)) = pending.pop() {
            let common = if numerator.is_constant() { Multinomial::one() } else { numerator.gcd(&factor) };
            match (numerator.divided_exactly_by(&common), factor.divided_exactly_by(&common)) {
                (Some(quotient), Some(rest)) if !common.is_constant() => {
                    numerator = quotient;
                    split |= !rest.is_constant();
                    pending.extend(
                        [(rest, power), (common, power - 1)].into_iter().filter(|(f, n)| *n > 0 && !f.is_constant()),
                    );
                }
                _ if split => left.multiply(factor, power),
                _ => {
                    left.powers.insert(factor, power);
                }
            }
        }
        (numerator, left)
    }
}
