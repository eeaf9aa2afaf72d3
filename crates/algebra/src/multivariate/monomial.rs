//! Monomials: products of powers of variables.

use super::variable::Variable;
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// A product of powers of variables.
///
/// Monomials are ordered by total degree, then by the powers of the variables in the order of their names. This is a monomial order:
/// multiplication by a third monomial preserves it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Monomial {
    degree: u32,
    /// Sorted by variable; no power is 0.
    powers: Vec<(Variable, u32)>,
}

/// The sum of two exponents or degrees. They stay far below 2^32, because exponents that a user writes are bounded where they are read.
fn add_exponents(a: u32, b: u32) -> u32 {
    a.checked_add(b).unwrap_or_else(|| invariant!("the exponents {a} and {b} have no sum below 2^32"))
}

impl Monomial {
    /// The product of powers of variables. Powers of the same variable add up.
    pub fn new(powers: impl IntoIterator<Item = (Variable, u32)>) -> Monomial {
        let mut sum: BTreeMap<Variable, u32> = BTreeMap::new();
        for (variable, power) in powers.into_iter().filter(|(_, power)| *power > 0) {
            let entry = sum.entry(variable).or_default();
            *entry = add_exponents(*entry, power);
        }
        Monomial::of_sorted(sum.into_iter().collect())
    }

    /// The monomial with powers that are sorted by variable, none of them 0.
    fn of_sorted(powers: Vec<(Variable, u32)>) -> Monomial {
        let degree = powers.iter().fold(0, |sum, (_, power)| add_exponents(sum, *power));
        Monomial { degree, powers }
    }

    /// The total degree.
    pub(crate) fn degree(&self) -> u32 {
        self.degree
    }

    /// The variables and their powers, sorted by name.
    pub fn powers(&self) -> &[(Variable, u32)] {
        &self.powers
    }

    /// The power of a variable; 0 if it does not occur.
    pub fn power_of(&self, variable: Variable) -> u32 {
        self.powers.iter().find(|(v, _)| *v == variable).map_or(0, |(_, power)| *power)
    }

    /// The product. The lists of powers are sorted, so they are merged; powers of the same variable add up.
    pub(crate) fn times(&self, other: &Monomial) -> Monomial {
        let mut powers = Vec::with_capacity(self.powers.len() + other.powers.len());
        let (mut a, mut b) = (self.powers.as_slice(), other.powers.as_slice());
        while let ([(v, n), after_a @ ..], [(w, m), after_b @ ..]) = (a, b) {
            match v.cmp(w) {
                Ordering::Less => {
                    powers.push((*v, *n));
                    a = after_a;
                }
                Ordering::Greater => {
                    powers.push((*w, *m));
                    b = after_b;
                }
                Ordering::Equal => {
                    powers.push((*v, add_exponents(*n, *m)));
                    (a, b) = (after_a, after_b);
                }
            }
        }
        powers.extend_from_slice(a);
        powers.extend_from_slice(b);
        Monomial { degree: add_exponents(self.degree, other.degree), powers }
    }

    /// The quotient; `None` if it is not a monomial.
    pub(crate) fn over(&self, other: &Monomial) -> Option<Monomial> {
        let mut divisor = other.powers.iter().peekable();
        let mut powers = Vec::with_capacity(self.powers.len());
        for (variable, power) in &self.powers {
            let subtracted = divisor.next_if(|(v, _)| v == variable).map_or(0, |(_, power)| *power);
            match power.checked_sub(subtracted)? {
                0 => {}
                difference => powers.push((*variable, difference)),
            }
        }
        // A power of the divisor that is left over belongs to a variable that does not occur here.
        divisor.next().is_none().then(|| Monomial::of_sorted(powers))
    }

    /// The greatest common divisor.
    pub(crate) fn gcd(&self, other: &Monomial) -> Monomial {
        let smaller_powers = self.powers.iter().map(|(v, power)| (*v, (*power).min(other.power_of(*v))));
        Monomial::of_sorted(smaller_powers.filter(|(_, power)| *power > 0).collect())
    }

    /// This monomial with another power of one variable; power 0 removes the variable.
    pub(super) fn with_power(&self, variable: Variable, power: u32) -> Monomial {
        let others = self.powers.iter().filter(|(v, _)| *v != variable).copied();
        Monomial::new(others.chain([(variable, power)]))
    }
}

impl Ord for Monomial {
    fn cmp(&self, other: &Monomial) -> Ordering {
        self.degree.cmp(&other.degree).then_with(|| {
            // Lexicographic order of the powers. Where the variables differ, the monomial with the earlier name is the larger, because the
            // other one has power 0 of it.
            for ((v, n), (w, m)) in self.powers.iter().zip(&other.powers) {
                match w.cmp(v).then(n.cmp(m)) {
                    Ordering::Equal => {}
                    unequal => return unequal,
                }
            }
            self.powers.len().cmp(&other.powers.len())
        })
    }
}

impl PartialOrd for Monomial {
    fn partial_cmp(&self, other: &Monomial) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
