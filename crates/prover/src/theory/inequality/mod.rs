//! Finds proofs of inequalities by linear programming.
//!
//! The difference of the sides must be a combination of rules with non-negative coefficients, up to differentials. For given rules that is a
//! system of linear equations in the coefficients: one equation for each monomial of the normal form. Rules are offered in rounds, the
//! likely ones first.

mod combine;
mod offers;
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
use super::unproved::Unproved;
use crate::statement::{Comparison, Statement, Term};
use combine::{ChosenRule, ClearedOffer, find_single_rule, solve_combination};
use offers::Offers;
use rocproof_arith::{Fraction, Multinomial, Rational};
use rocproof_engine::functional::Condition;
use rows::{ClearedSum, Denominators, NormalForm};
use std::collections::BTreeSet;

/// Values of `pi0`, as numerator and denominator, at which a combination of rules is looked for before it is looked for symbolically.
const TRIAL_PROPORTIONS: [[u8; 2]; 3] = [[1, 2], [1, 5], [9, 10]];
/// The number of rounds in which rules are offered.
const ROUNDS: usize = 5;

/// Proves a comparison of a statement with a limited effort: one proof for each of its [`inequalities`].
pub fn prove(
    statement: &Statement,
    comparison: &Comparison,
    effort: &Effort,
) -> Result<Vec<InequalityProof>, Unproved> {
    inequalities(comparison)?.iter().map(|part| prove_inequality(statement, part, effort)).collect()
}

/// Proves one inequality, over either base, round by round. The error says why no proof was found.
fn prove_inequality(
    statement: &Statement,
    inequality: &Comparison,
    effort: &Effort,
) -> Result<InequalityProof, Unproved> {
    let (mut first_error, mut searches) = (None, Vec::new());
    for base in Base::ALL {
        match InequalitySearch::new(statement, inequality, base) {
            Ok(search) => searches.push(search),
            Err(error) => first_error = first_error.or(Some(error)),
        }
    }
    drop_needless_base(&mut searches, statement);
    for round in 0..ROUNDS {
        for search in &mut searches {
            if effort.is_spent() {
                return Err(Unproved::OutOfWork);
            }
            if let Some(proof) = search.try_round(round, effort) {
                return Ok(proof);
            }
        }
    }
    if searches.iter().any(|search| search.may_be_equal) {
        return Err(Unproved::MayBeEqual);
    }
    Err(first_error.filter(|_| searches.is_empty()).unwrap_or(Unproved::NoRules))
}

/// Drops one of the searches over both bases, unless both may be needed. Balanced proportions serve skews, and inequalities that do not depend
/// on the class proportions.
fn drop_needless_base(searches: &mut Vec<InequalitySearch>, statement: &Statement) {
    let [given, balanced] = &searches[..] else { return };
    let has_skews = statement.functionals().iter().any(|functional| functional.condition == Condition::Skew);
    if !given.is_pi0_known() && !balanced.depends_on_pi0() {
        searches.remove(0);
    } else if !has_skews {
        searches.remove(1);
    }
}

/// The search for a proof of one inequality over one base.
struct InequalitySearch<'a> {
    statement: &'a Statement,
    base: Base,
    lowering: Lowering,
    /// Whether the inequality is strict.
    strict: bool,
    /// The positive factor that clears constant denominators.
    scale: Fraction,
    /// The larger side minus the smaller one, times the scale.
    goal: IntegralSum,
    /// The normal form of the goal.
    normal: NormalForm,
    /// Whether a combination was found that proves `<=` where `<` is claimed.
    may_be_equal: bool,
}

impl<'a> InequalitySearch<'a> {
    /// Lowers an inequality over a base, and brings its goal to the normal form.
    fn new(statement: &'a Statement, inequality: &Comparison, base: Base) -> Result<InequalitySearch<'a>, Unproved> {
        let mut lowering = Lowering::new(statement, base)?;
        let context = &mut Context { lowering: &mut lowering, statement };
        let difference = larger_minus_smaller(context, inequality)?;
        let sum = IntegralSum::of(context.lowering, &difference)?;
        let scale = positive_scale(context, &sum)?;
        let goal = sum.times(&scale);
        let normal = NormalForm::of(&goal, &lowering).ok_or(Unproved::NoNormalForm)?;
        Ok(InequalitySearch {
            statement,
            base,
            lowering,
            strict: is_strict(inequality.relation),
            scale,
            goal,
            normal,
            may_be_equal: false,
        })
    }

    /// Whether the statement fixes the class proportion.
    fn is_pi0_known(&self) -> bool {
        self.lowering.pi[0].as_rational().is_some()
    }

    /// Whether the goal depends on the class proportion.
    fn depends_on_pi0(&self) -> bool {
        self.goal.fractions().any(|fraction| fraction.depends_on(Symbol::Pi0))
    }

    /// The proof with these rules and coefficients. The goal minus their combination is a differential: that of its potentials.
    fn proof_from(&self, terms: Vec<(Rational, Rule)>) -> Option<InequalityProof> {
        let mut lowering = self.lowering.clone();
        let mut difference = self.goal.clone();
        for (factor, rule) in &terms {
            let known = rule.non_negative(&mut lowering, self.statement).ok()?;
            difference.add(&known.sum, &Fraction::constant(-factor));
        }
        let potentials = NormalForm::of(&difference, &lowering)?.potentials;
        Some(InequalityProof { base: self.base, scale: self.scale.clone(), terms, potentials })
    }

    /// Looks for a proof with the rules of a round: in round 0 with none, in round 1 with a single rule, then with combinations. `None` if
    /// there is no such proof, or the effort is spent.
    fn try_round(&mut self, round: usize, effort: &Effort) -> Option<InequalityProof> {
        if round == 0 {
            return self.prove_number();
        }
        let (offers, goal) = self.offers(round - 1, effort)?;
        // A single rule is the best explanation.
        if let Some(chosen) = find_single_rule(&goal, &offers, self.statement, self.strict) {
            return self.proof_from(vec![(chosen.factor, chosen.rule)]);
        }
        if round == 1 {
            return None;
        }
        let chosen = self.combine(&goal, &offers, effort)?;
        self.proof_from(chosen.into_iter().map(|chosen| (chosen.factor, chosen.rule)).collect())
    }

    /// Writes the goal as a combination of offered rules that holds for every class proportion.
    fn combine(&mut self, goal: &ClearedSum, offers: &[ClearedOffer], effort: &Effort) -> Option<Vec<ChosenRule>> {
        let all_offers: Vec<(usize, &ClearedOffer)> = offers.iter().enumerate().collect();
        // The indices of the offers that combinations at fixed values of π0 use.
        let mut used = BTreeSet::new();
        if !self.is_pi0_known() {
            // Try fixed values of π0 first: a failure at one rules out a proof, and rules that suffice at each probably suffice for all.
            for pi0 in self.trial_proportions() {
                let chosen = self.solve(goal, &all_offers, Some(&pi0), effort)?;
                if effort.is_spent() {
                    return None;
                }
                used.extend(chosen.into_iter().map(|chosen| chosen.offer));
            }
        }
        let may_be_equal_before = self.may_be_equal;
        let is_likely = |k: usize, offer: &ClearedOffer| used.contains(&k) || offer.offer.rule.fact == Fact::One;
        let likely_offers: Vec<_> = all_offers.iter().copied().filter(|(k, offer)| is_likely(*k, offer)).collect();
        if !used.is_empty()
            && let Some(chosen) = self.solve(goal, &likely_offers, None, effort)
        {
            return Some(chosen);
        }
        if effort.is_spent() {
            return None;
        }
        // Whether the sides may be equal is decided by all offers.
        self.may_be_equal = may_be_equal_before;
        self.solve(goal, &all_offers, None, effort)
    }

    /// Expresses the goal as a combination of offers, at a value of `pi0` if one is given. A combination without a positive rule does not prove
    /// a strict inequality: it is dropped, and noted in `may_be_equal`.
    fn solve(
        &mut self,
        goal: &ClearedSum,
        offers: &[(usize, &ClearedOffer)],
        pi0: Option<&Rational>,
        effort: &Effort,
    ) -> Option<Vec<ChosenRule>> {
        let chosen = solve_combination(goal, offers, pi0, self.statement, self.strict, effort)?;
        if self.strict && !chosen.iter().any(|rule| rule.positive) {
            self.may_be_equal = true;
            return None;
        }
        Some(chosen)
    }

    /// The trial values of `pi0` that the conditions of the statement allow.
    fn trial_proportions(&self) -> Vec<Rational> {
        let conditions = self.statement.premises.iter().chain(&self.statement.conditions);
        let conditions: Vec<&Comparison> = conditions
            .filter(|c| c.sides().into_iter().flat_map(Term::symbols).any(|name| name.starts_with("pi")))
            .collect();
        let mut lowering = self.lowering.clone();
        let context = &mut Context { lowering: &mut lowering, statement: self.statement };
        // A condition whose difference of sides has no value in `pi0` alone allows nothing.
        let mut allows = |pi0: &Rational| {
            conditions.iter().all(|condition| {
                let difference = larger_minus_smaller(context, condition).ok();
                let value = difference.and_then(|f| f.value(|name| (name == "pi0").then(|| pi0.clone())));
                value.is_some_and(|value| value >= Rational::ZERO)
            })
        };
        let quotient = |[numerator, denominator]: [u8; 2]| Rational::from(numerator) / Rational::from(denominator);
        TRIAL_PROPORTIONS.map(quotient).into_iter().filter(|pi0| allows(pi0)).collect()
    }

    /// The rules of a round and the goal, over common denominators; `None` if the effort is spent. Rules whose side conditions fail, or that
    /// have no normal form, are left out; so are rules about sums that vanish.
    fn offers(&mut self, round: usize, effort: &Effort) -> Option<(Vec<ClearedOffer>, ClearedSum)> {
        let offers = Offers::new(&mut self.lowering, self.statement, &self.goal, &self.normal).round(round);
        let mut denominators = Denominators::default();
        denominators.admit(&self.normal);
        let mut normal_forms = Vec::new();
        for offer in offers {
            if !effort.spend(effort::RULE) {
                return None;
            }
            let mut lowering = self.lowering.clone();
            let Ok(known) = offer.rule.non_negative(&mut lowering, self.statement) else { continue };
            let Some(normal) = NormalForm::of(&known.sum, &lowering).filter(|normal| !normal.slots.is_empty()) else {
                continue;
            };
            denominators.admit(&normal);
            normal_forms.push((offer, normal));
        }
        let cleared = |(offer, normal)| ClearedOffer { offer, cleared: denominators.clear(&normal) };
        let goal = denominators.clear(&self.normal);
        Some((normal_forms.into_iter().map(cleared).collect(), goal))
    }

    /// Proves a goal whose normal form is a number, by its sign.
    fn prove_number(&mut self) -> Option<InequalityProof> {
        let number = self.normal.number()?;
        if number.is_zero() {
            return if self.strict { None } else { self.proof_from(Vec::new()) };
        }
        let number = number.as_polynomial()?;
        let factor::Signs { not_negative, positive } = factor::signs(number)?;
        self.may_be_equal |= self.strict && not_negative && !positive;
        if !not_negative || self.may_be_equal {
            return None;
        }
        self.proof_from(vec![(Rational::ONE, Rule::of(Fact::Share(number.to_string())))])
    }
}

/// A positive factor that clears the denominators of a sum that do not vary along the curve.
fn positive_scale(context: &Context, sum: &IntegralSum) -> Result<Fraction, Unproved> {
    let is_constant = |factor: &Multinomial| !Symbol::COORDINATES.iter().any(|symbol| factor.depends_on(symbol));
    let mut scale = Fraction::one();
    for fraction in sum.fractions() {
        // The factors of the denominator that the scale does not cancel yet.
        let product = fraction * &scale;
        for (factor, power) in product.factors().filter(|(factor, _)| is_constant(factor)) {
            for _ in 0..power {
                scale = scale * Fraction::from(factor.clone());
            }
        }
    }
    // Factors are known up to their sign.
    [scale.clone(), -&scale].into_iter().find(|scale| is_positive(context, scale)).ok_or(Unproved::DivisorOfUnknownSign)
}
