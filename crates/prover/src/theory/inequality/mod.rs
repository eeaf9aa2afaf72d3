//! Finding proofs of inequalities.
//!
//! The difference of the sides is to be a sum of what rules say is not negative, up to differentials. With rules at hand that is a system
//! of linear equations in numbers that may not be negative: one equation for each monomial of the normal form. Rules are offered in
//! rounds, the likely ones first.

mod candidates;
mod combine;
mod rows;
#[cfg(test)]
mod tests;

pub use super::inequalities::inequalities;

use super::effort::{self, Effort};
use super::lower::{Base, Lowering};
use super::proof::InequalityProof;
use super::rules::factor::{self, is_positive, is_strict, larger_minus_smaller};
use super::rules::{Context, Fact, Rule};
use super::sum::IntegralSum;
use super::symbol::Symbol;
use crate::statement::{Comparison, Statement, Term};
use candidates::Candidates;
use combine::{Offer, combination, single};
use rocproof_arith::{Fraction, Multinomial, Rational};
use rocproof_engine::functional::Condition;
use rows::{Denominators, Normal, Whole};
use std::collections::BTreeSet;

/// Class proportions `pi0` that are tried before all of them.
const SHARES: [[u8; 2]; 3] = [[1, 2], [1, 5], [9, 10]];
/// How often more rules are offered.
const ROUNDS: usize = 5;

/// Proves a comparison of a statement: a proof for each of its [`parts`]. Why not, if it finds none with the effort that there is.
pub fn prove(statement: &Statement, comparison: &Comparison, effort: &Effort) -> Result<Vec<InequalityProof>, String> {
    inequalities(comparison)?.iter().map(|part| prove_part(statement, part, effort)).collect()
}

fn prove_part(statement: &Statement, part: &Comparison, effort: &Effort) -> Result<InequalityProof, String> {
    let (mut why, mut searches) = (None, Vec::new());
    for base in Base::ALL {
        match Search::new(statement, part, base) {
            Ok(search) => searches.push(search),
            Err(error) => why = why.or(Some(error)),
        }
    }
    // Balanced proportions are for skews, and for what does not depend on the proportions at all.
    let skewed = statement.functionals().iter().any(|functional| functional.condition == Condition::Skew);
    if let [given, balanced] = &searches[..] {
        match (given.is_share_known() || balanced.depends_on_share(), skewed) {
            (false, _) => drop(searches.remove(0)),
            (true, false) => drop(searches.remove(1)),
            (true, true) => {}
        }
    }
    for round in 0..ROUNDS {
        for search in &mut searches {
            if effort.is_spent() {
                return Err("no proof was found with the work that it is worth".into());
            }
            if let Some(proof) = search.round(round, effort) {
                return Ok(proof);
            }
        }
    }
    if searches.iter().any(|search| search.weak) {
        return Err("the sides compare, but nothing shows that they cannot be equal".into());
    }
    Err(why.filter(|_| searches.is_empty()).unwrap_or_else(|| "no rules that prove it were found".into()))
}

/// A comparison whose proof is looked for.
struct Search<'a> {
    statement: &'a Statement,
    base: Base,
    setting: Lowering,
    strict: bool,
    scale: Fraction,
    goal: IntegralSum,
    normal: Normal,
    /// Whether the sides compare, but nothing shows that they differ.
    weak: bool,
}

impl<'a> Search<'a> {
    fn new(statement: &'a Statement, part: &Comparison, base: Base) -> Result<Search<'a>, String> {
        let mut setting = Lowering::new(statement, base).map_err(|why| why.to_string())?;
        let context = &mut Context { lowering: &mut setting, statement };
        let difference = larger_minus_smaller(context, part)?;
        let sum = IntegralSum::of(context.lowering, &difference).map_err(|why| why.to_string())?;
        let scale = scale(context, &sum)?;
        let goal = sum.times(&scale);
        let normal = Normal::of(&goal, &setting).ok_or("an integrand has no normal form")?;
        Ok(Search { statement, base, setting, strict: is_strict(part.relation), scale, goal, normal, weak: false })
    }

    fn is_share_known(&self) -> bool {
        self.setting.pi[0].as_rational().is_some()
    }

    fn depends_on_share(&self) -> bool {
        self.goal.fractions().any(|fraction| fraction.depends_on(Symbol::Pi0))
    }

    fn proof(&self, terms: Vec<(Rational, Rule)>) -> Option<InequalityProof> {
        let mut setting = self.setting.clone();
        let mut rest = self.goal.clone();
        for (factor, rule) in &terms {
            let known = rule.non_negative(&mut setting, self.statement).ok()?;
            rest.add(&known.sum, &Fraction::constant(-factor));
        }
        let potentials = Normal::of(&rest, &setting)?.potentials;
        Some(InequalityProof { base: self.base, scale: self.scale.clone(), terms, potentials })
    }

    /// Looks for a proof with the rules of a round.
    fn round(&mut self, round: usize, effort: &Effort) -> Option<InequalityProof> {
        if round == 0 {
            return self.number();
        }
        let (offers, goal) = self.offers(round - 1, effort)?;
        // One rule is the best explanation.
        if let Some(taken) = single(&goal, &offers, self.statement, self.strict) {
            return self.proof(vec![(taken.factor, taken.rule)]);
        }
        if round == 1 {
            return None;
        }
        let chosen: Vec<(usize, &Offer)> = offers.iter().enumerate().collect();
        let solve = |offers: &[(usize, &Offer)], pi0: Option<&Rational>| {
            let taken = combination(&goal, offers, pi0, self.statement, self.strict, effort);
            let weak = self.strict && taken.as_ref().is_some_and(|all| !all.iter().any(|taken| taken.positive));
            (taken.filter(|_| !weak), weak)
        };
        let mut met = BTreeSet::new();
        if !self.is_share_known() {
            // Try fixed values of π0 first: a failure at one rules out a proof, and rules that suffice at each probably suffice for all.
            for pi0 in self.shares() {
                let (taken, weak) = solve(&chosen, Some(&pi0));
                if taken.is_none() || effort.is_spent() {
                    self.weak |= weak;
                    return None;
                }
                met.extend(taken.into_iter().flatten().map(|taken| taken.offer));
            }
        }
        let likely = |(k, offer): &(usize, &Offer)| met.contains(k) || offer.candidate.rule.fact == Fact::One;
        let some: Vec<_> = chosen.iter().copied().filter(likely).collect();
        let (mut taken, mut weak) = if met.is_empty() { (None, false) } else { solve(&some, None) };
        if taken.is_none() && !effort.is_spent() {
            (taken, weak) = solve(&chosen, None);
        }
        self.weak |= weak;
        let taken = taken?;
        self.proof(taken.into_iter().map(|taken| (taken.factor, taken.rule)).collect())
    }

    /// Class proportions that the conditions of the statement allow.
    fn shares(&self) -> Vec<Rational> {
        let conditions = self.statement.premises.iter().chain(&self.statement.conditions);
        let conditions: Vec<&Comparison> = conditions
            .filter(|c| c.sides().into_iter().flat_map(Term::symbols).any(|name| name.starts_with("pi")))
            .collect();
        let mut setting = self.setting.clone();
        let context = &mut Context { lowering: &mut setting, statement: self.statement };
        let mut allows = |pi0: &Rational| {
            conditions.iter().all(|condition| {
                let difference = larger_minus_smaller(context, condition).ok();
                let value = difference.and_then(|f| f.value(|name| (name == "pi0").then(|| pi0.clone())));
                value.is_some_and(|value| value >= Rational::ZERO)
            })
        };
        let shares = SHARES.map(|[above, below]| Rational::from(above) / Rational::from(below));
        shares.into_iter().filter(|pi0| allows(pi0)).collect()
    }

    /// The rules of a round, and the goal, over common denominators; `None` if there is no effort left for them.
    fn offers(&mut self, round: usize, effort: &Effort) -> Option<(Vec<Offer>, Whole)> {
        let candidates = Candidates::new(&mut self.setting, self.statement, &self.goal, &self.normal).round(round);
        let mut denominators = Denominators::default();
        denominators.admit(&self.normal);
        let mut seen = Vec::new();
        for candidate in candidates {
            if !effort.spend(effort::RULE) {
                return None;
            }
            let mut setting = self.setting.clone();
            let Ok(known) = candidate.rule.non_negative(&mut setting, self.statement) else { continue };
            let Some(normal) = Normal::of(&known.sum, &setting).filter(|normal| !normal.slots.is_empty()) else {
                continue;
            };
            denominators.admit(&normal);
            seen.push((candidate, normal));
        }
        let offer = |(candidate, normal)| Offer { candidate, whole: denominators.whole(&normal) };
        let goal = denominators.whole(&self.normal);
        Some((seen.into_iter().map(offer).collect(), goal))
    }

    /// Where nothing but a number is left.
    fn number(&mut self) -> Option<InequalityProof> {
        let number = self.normal.number()?;
        if number.is_zero() {
            return if self.strict { None } else { self.proof(Vec::new()) };
        }
        let number = number.as_polynomial()?;
        let [not_negative, positive] = factor::signs(number)?;
        self.weak |= self.strict && not_negative && !positive;
        if !not_negative || self.weak {
            return None;
        }
        self.proof(vec![(Rational::ONE, Rule::of(Fact::Share(number.to_string())))])
    }
}

/// What a sum must be multiplied by to be free of denominators, but for those that vary along the curve.
fn scale(context: &Context, sum: &IntegralSum) -> Result<Fraction, String> {
    let mut scale = Fraction::one();
    for fraction in sum.fractions() {
        let product = fraction * &scale;
        let constant = |factor: &&Multinomial| !Symbol::COORDINATES.iter().any(|symbol| factor.depends_on(symbol));
        for (factor, power) in product.factors().filter(|(factor, _)| constant(factor)) {
            for _ in 0..power {
                scale = scale * Fraction::from(factor.clone());
            }
        }
    }
    // The factors have either sign.
    [scale.clone(), -&scale]
        .into_iter()
        .find(|scale| is_positive(context, scale))
        .ok_or_else(|| "it divides by what may be negative".into())
}
