//! The rules that are offered for a proof: those about symbols of the goal, up to its degrees.
//!
//! The linear program takes what it needs of the offers; the checker judges each rule by itself. Offers decide only which proofs are found.

mod degrees;
mod hull;
mod integrals;
mod multiplier;
mod numbers;

use super::rows::NormalForm;
use crate::statement::Statement;
use crate::theory::lower::{Lowering, Track};
use crate::theory::rules::{Fact, Rule, factor::Factor};
use crate::theory::sum::IntegralSum;
use crate::theory::symbol::Symbol;
use multiplier::Multiplier;
use rocproof_arith::{Fraction, Multinomial};
use std::rc::Rc;

/// Factors and their powers.
type Product = Vec<(Factor, u32)>;

/// A rule with the numbers that it may be multiplied by.
pub struct Offer {
    /// The rule.
    pub rule: Rule,
    multipliers: Rc<Vec<Multiplier>>,
}

impl Offer {
    /// The rule times each of its multipliers, with the value of the multiplier. With `at_fixed_pi0`, multipliers that differ only in powers
    /// of `pi0` and `pi1` are taken once, since they are then proportional.
    pub fn multiples(&self, at_fixed_pi0: bool) -> impl Iterator<Item = (Rule, &Multinomial)> {
        let multipliers = self.multipliers.iter();
        multipliers.filter(move |multiplier| multiplier.is_representative || !at_fixed_pi0).map(|multiplier| {
            let mut rule = self.rule.clone();
            rule.factors.extend(multiplier.factors.iter().cloned());
            (rule, &multiplier.value)
        })
    }
}

/// Collects the rules that are offered for a goal.
pub struct Offers<'a> {
    lowering: &'a mut Lowering,
    statement: &'a Statement,
    goal: &'a IntegralSum,
    normal: &'a NormalForm,
    offers: Vec<Offer>,
}

impl<'a> Offers<'a> {
    /// An empty collection, for a goal and its normal form.
    pub fn new(
        lowering: &'a mut Lowering,
        statement: &'a Statement,
        goal: &'a IntegralSum,
        normal: &'a NormalForm,
    ) -> Self {
        Offers { lowering, statement, goal, normal, offers: Vec::new() }
    }

    /// The rules of a round. Round 0 has single facts, round 1 their multiples, round 2 integrals of products; from round 3 on degrees are
    /// higher by one.
    pub fn round(mut self, round: usize) -> Vec<Offer> {
        if round == 0 {
            self.offer_conditions(0);
            self.offer_optimality(0);
            self.offer_triangles(0);
            return self.offers;
        }
        let multiplied = self.multiplied_integrals();
        let extra_degree = u32::from(round > 2 || !multiplied.is_empty());
        let pi0_degree = self.degree_in_pi0() + extra_degree;
        self.offer_numbers(pi0_degree);
        self.offer_conditions(pi0_degree);
        self.offer_optimality(pi0_degree);
        self.offer_hull_comparisons(pi0_degree, extra_degree);
        self.offer_triangles(pi0_degree);
        self.offer_values(&multiplied, pi0_degree);
        if round > 1 {
            for track in [Track::Own, Track::Hull] {
                if self.follows(track) {
                    self.offer_integrals(track, pi0_degree, extra_degree);
                }
            }
        }
        self.offers
    }

    /// Adds a rule, with its multipliers, to the offers.
    fn offer(&mut self, rule: Rule, multipliers: &Rc<Vec<Multiplier>>) {
        self.offers.push(Offer { rule, multipliers: multipliers.clone() });
    }

    /// Adds a fact without factors, with its multipliers, to the offers.
    fn offer_fact(&mut self, fact: Fact, multipliers: &Rc<Vec<Multiplier>>) {
        self.offer(Rule::of(fact), multipliers);
    }

    /// Whether the goal has an integral along a track.
    fn follows(&self, track: Track) -> bool {
        self.goal.forms.keys().any(|(known, _)| *known == track)
    }

    /// The coefficients of the goal, its number, and the number of its normal form.
    fn goal_fractions(&self) -> impl Iterator<Item = &Fraction> {
        self.goal.fractions().chain(self.normal.slots.get(&None))
    }

    /// Whether the goal or the number of its normal form depends on a symbol.
    fn depends_on(&self, symbol: &Symbol) -> bool {
        self.goal_fractions().any(|fraction| fraction.depends_on(symbol))
    }

    /// The degree of the goal in `pi0`.
    fn degree_in_pi0(&self) -> u32 {
        self.goal_fractions().map(|fraction| degree(fraction, Symbol::Pi0)).max().unwrap_or(0)
    }

    /// The degree of the goal's integrands in numbers other than `pi0`.
    fn degree_in_numbers(&self) -> u32 {
        self.goal.forms.values().flat_map(|form| form.parts()).map(degree_in_numbers).max().unwrap_or(0)
    }
}

/// The degree of a fraction's numerator in a variable.
fn degree(fraction: &Fraction, symbol: Symbol) -> u32 {
    fraction.numerator().degree_in(symbol)
}

/// The degree of a fraction's numerator in numbers other than `pi0`: symbols that do not vary along the curve.
fn degree_in_numbers(fraction: &Fraction) -> u32 {
    let counts = |symbol: Symbol| symbol != Symbol::Pi0 && !symbol.varies();
    let degree_of = |powers: &[(rocproof_arith::Variable, u32)]| {
        powers.iter().filter(|(variable, _)| counts(Symbol::of(*variable))).map(|(_, power)| power).sum::<u32>()
    };
    fraction.numerator().terms().map(|(powers, _)| degree_of(powers)).max().unwrap_or(0)
}

/// The Bernstein basis of degree `n`, without binomial coefficients: `low^k high^(n-k)` for every `k`.
fn bernstein(n: u32, low: &Factor, high: &Factor) -> Vec<Product> {
    let powers = |k: u32| [(low.clone(), k), (high.clone(), n - k)].into_iter().filter(|(_, k)| *k > 0).collect();
    (0..=n).map(powers).collect()
}
