//! Offers that are numbers of the model, suppositions, and values of integrals.

use super::{Offers, degree_in_numbers};
use crate::theory::lower::Integral;
use crate::theory::rules::factor::Factor;
use crate::theory::rules::{Differential, Fact, Rule};
use rocproof_language::Relation;

/// Polynomials in the coordinates whose distance from the value of an integral is offered as a square.
const COORDINATES: [&str; 11] = ["x", "1 - x", "x^2", "(1 - x)^2", "F0", "F1", "1 - F0", "1 - F1", "c", "1 - c", "R"];

impl Offers<'_> {
    /// Offers products of numbers: class proportions, constant factors, and `(pi0 - 1/2)^2`.
    pub(super) fn offer_numbers(&mut self, pi0_degree: u32) {
        let degree = self.degree_in_numbers().max(self.normal.slots.get(&None).map_or(0, degree_in_numbers));
        // A supposed inequality between numbers is offered also if the goal has no other numbers.
        let has_supposed = self.constant_factors().iter().any(|factor| matches!(factor, Factor::Supposed(_)));
        let multipliers = self.multipliers(pi0_degree, degree.max(u32::from(has_supposed)));
        self.offer_fact(Fact::One, &multipliers);
        if pi0_degree >= 2 && self.lowering.pi[0].as_rational().is_none() {
            let multipliers = self.multipliers(pi0_degree - 2, degree);
            self.offer(square(Fact::One, "pi0 - 1/2".into()), &multipliers);
        }
    }

    /// Offers the premises and conditions of the statement; an equation in both directions.
    pub(super) fn offer_conditions(&mut self, pi0_degree: u32) {
        let suppositions: Vec<_> =
            self.statement.premises.iter().chain(&self.statement.conditions).enumerate().collect();
        if suppositions.is_empty() {
            return;
        }
        let multipliers = self.multipliers(pi0_degree, self.degree_in_numbers());
        for (condition, comparison) in suppositions {
            self.offer_fact(Fact::Supposed { condition, turned: false }, &multipliers);
            if comparison.relation == Relation::Equal {
                self.offer_fact(Fact::Supposed { condition, turned: true }, &multipliers);
            }
        }
    }

    /// The integrals that occur in products of integrals. Terms linear in one integral are forms of the goal; its number has the others.
    pub(super) fn multiplied_integrals(&self) -> Vec<Integral> {
        let is_in_product = |integral: &&Integral| self.goal.value.depends_on(integral.name);
        self.lowering.integrals.iter().filter(is_in_product).cloned().collect()
    }

    /// For goals with products of integrals: offers each such integral minus its value (which is 0) times another value, and squares that
    /// contain the values.
    pub(super) fn offer_values(&mut self, multiplied: &[Integral], pi0_degree: u32) {
        let multipliers = self.multipliers(pi0_degree, 0);
        for integral in multiplied {
            let name = integral.name.name();
            let numbers = ["1", "1/2"].into_iter().chain(multiplied.iter().map(|other| other.name.name()));
            for number in numbers {
                for sign in ["", "-"] {
                    let (functional, times) = (name.to_owned(), format!("{sign}{number}"));
                    self.offer_fact(Fact::Value { functional, times }, &multipliers);
                }
                self.offer(square(Fact::One, format!("{name} - {number}")), &multipliers);
            }
            self.offer(square(Fact::One, name.to_owned()), &multipliers);
            let has_scores = integral.form.depends_on("x");
            for coordinate in COORDINATES.into_iter().filter(|text| has_scores || !text.contains('x')) {
                for differential in [Differential::F0, Differential::F1, Differential::Rate] {
                    let fact = Fact::Along { track: integral.track, stretch: None, differential };
                    self.offer(square(fact, format!("{coordinate} - {name}")), &multipliers);
                }
            }
        }
    }
}

/// A fact times the square of a polynomial, given as text.
fn square(fact: Fact, root: String) -> Rule {
    Rule { fact, factors: Vec::new(), square: Some(root) }
}
