//! Monomials: products of powers of variables.

use super::variable::Variable;
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// A product of powers of variables. The order is by total degree, then by the powers of the variables in the order of their
/// names; a product with a third monomial keeps it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Monomial {
    degree: u32,
    /// By variable; no power is 0.
    powers: Vec<(Variable, u32)>,
}

impl Monomial {
    /// The product of the given powers; a variable may come more than once.
    pub fn new(powers: impl IntoIterator<Item = (Variable, u32)>) -> Monomial {
        let mut sum: BTreeMap<Variable, u32> = BTreeMap::new();
        for (variable, power) in powers.into_iter().filter(|(_, power)| *power > 0) {
            let entry = sum.entry(variable).or_default();
            *entry = entry.saturating_add(power);
        }
        Monomial::of_sorted(sum.into_iter().collect())
    }

    fn of_sorted(powers: Vec<(Variable, u32)>) -> Monomial {
        let degree = powers.iter().fold(0u32, |sum, (_, power)| sum.saturating_add(*power));
        Monomial { degree, powers }
    }

    /// The sum of the powers.
    pub fn degree(&self) -> u32 {
        self.degree
    }

    /// The variables and their powers, by name.
    pub fn powers(&self) -> &[(Variable, u32)] {
        &self.powers
    }

    /// The power of a variable.
    pub fn power_of(&self, variable: Variable) -> u32 {
        self.powers.iter().find(|(v, _)| *v == variable).map_or(0, |(_, power)| *power)
    }

    /// The product. Powers are far below 2^32: whoever raises to a power that someone wrote bounds it.
    pub fn times(&self, other: &Monomial) -> Monomial {
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
                    powers.push((*v, n.saturating_add(*m)));
                    (a, b) = (after_a, after_b);
                }
            }
        }
        powers.extend_from_slice(a);
        powers.extend_from_slice(b);
        Monomial { degree: self.degree.saturating_add(other.degree), powers }
    }

    /// The quotient, if it is a monomial.
    pub fn over(&self, other: &Monomial) -> Option<Monomial> {
        let mut rest = other.powers.iter().peekable();
        let mut powers = Vec::with_capacity(self.powers.len());
        for (variable, power) in &self.powers {
            let less = rest.next_if(|(v, _)| v == variable).map_or(0, |(_, power)| *power);
            match power.checked_sub(less)? {
                0 => {}
                left => powers.push((*variable, left)),
            }
        }
        rest.next().is_none().then(|| Monomial::of_sorted(powers))
    }

    /// The largest monomial that divides both.
    pub fn common(&self, other: &Monomial) -> Monomial {
        let both = self.powers.iter().map(|(v, power)| (*v, (*power).min(other.power_of(*v))));
        Monomial::of_sorted(both.filter(|(_, power)| *power > 0).collect())
    }

    /// The same with another power of one variable.
    pub(super) fn with_power(&self, variable: Variable, power: u32) -> Monomial {
        let others = self.powers.iter().filter(|(v, _)| *v != variable).copied();
        Monomial::new(others.chain([(variable, power)]))
    }
}

impl Ord for Monomial {
    fn cmp(&self, other: &Monomial) -> Ordering {
        self.degree.cmp(&other.degree).then_with(|| {
            for ((v, n), (w, m)) in self.powers.iter().zip(&other.powers) {
                // Who has the variable whose name comes first is the larger.
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
