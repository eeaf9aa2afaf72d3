//! Products of powers of polynomials.

use super::Multinomial;
use std::collections::BTreeMap;

/// A product of powers of polynomials that are primitive, not constant, and have no common divisors.
#[derive(Clone, Default, PartialEq, Eq)]
pub(super) struct Factors {
    powers: BTreeMap<Multinomial, u32>,
}

impl Factors {
    /// A primitive polynomial: variables and repeated factors stand apart.
    pub(super) fn of(polynomial: &Multinomial) -> Factors {
        let mut factors = Factors::default();
        let monomial = polynomial.monomial_content();
        for (variable, power) in monomial.powers() {
            factors.powers.insert(Multinomial::variable(*variable), *power);
        }
        let rest = polynomial.over_monomial(&monomial);
        // What is there twice is in the derivatives too.
        let slopes = rest.variables().into_iter().map(|v| rest.derivative(v));
        let repeated = slopes.fold(rest.clone(), |common, slope| common.gcd(&slope));
        match rest.divided_exactly_by(&repeated) {
            Some(distinct) if !repeated.is_constant() => {
                factors.multiply(distinct, 1);
                Factors::of(&repeated).powers.into_iter().for_each(|(f, power)| factors.multiply(f, power));
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

    /// The power of a factor.
    pub(super) fn power_of(&self, factor: &Multinomial) -> u32 {
        self.powers.get(factor).copied().unwrap_or(0)
    }

    /// The product, multiplied out.
    pub(super) fn expanded(&self) -> Multinomial {
        self.iter().fold(Multinomial::one(), |product, (factor, power)| product * factor.power(power))
    }

    /// The same factors with other powers.
    pub(super) fn with_powers(&self, power: impl Fn(&Multinomial, u32) -> u32) -> Factors {
        let powers = self.iter().map(|(f, n)| (f.clone(), power(f, n))).filter(|(_, n)| *n > 0);
        Factors { powers: powers.collect() }
    }

    /// Multiplies with a power of a primitive polynomial.
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
            let related = self.powers.keys().find_map(|known| {
                let common = known.gcd(&factor);
                let parts = (known.divided_exactly_by(&common)?, factor.divided_exactly_by(&common)?);
                (!common.is_constant()).then(|| (known.clone(), common, parts))
            });
            match related {
                None => {
                    self.powers.insert(factor, power);
                }
                Some((known, common, (of_known, of_factor))) => {
                    let before = self.powers.remove(&known).unwrap_or(0);
                    pending.extend([(of_known, before), (of_factor, power), (common, before + power)]);
                }
            }
        }
    }

    /// The product with another.
    pub(super) fn times(&self, other: &Factors) -> Factors {
        let mut product = self.clone();
        other.iter().for_each(|(factor, power)| product.multiply(factor.clone(), power));
        product
    }

    /// Two products written with the same factors.
    pub(super) fn aligned(&self, other: &Factors) -> [Factors; 2] {
        let all = self.times(other);
        [self, other].map(|product| Factors {
            powers: all
                .powers
                .keys()
                .filter_map(|part| Some((part.clone(), product.multiplicity(part))).filter(|(_, n)| *n > 0))
                .collect(),
        })
    }

    /// How often a polynomial that divides one of the factors or none divides the product.
    fn multiplicity(&self, part: &Multinomial) -> u32 {
        if let Some(power) = self.powers.get(part) {
            return *power;
        }
        let once = |factor: &Multinomial| {
            let mut rest = factor.clone();
            let mut count = 0;
            while let Some(quotient) = rest.divided_exactly_by(part) {
                rest = quotient;
                count += 1;
            }
            count
        };
        self.iter().map(|(factor, power)| once(factor) * power).sum()
    }

    /// Divides a polynomial and the product by what they have in common.
    pub(super) fn cancel(self, mut numerator: Multinomial) -> (Multinomial, Factors) {
        let mut left = Factors::default();
        if numerator.is_zero() {
            return (numerator, left);
        }
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
