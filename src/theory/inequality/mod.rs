//! Finding proofs of inequalities.
//!
//! The difference of the sides is to be a sum of what rules say is not negative, up to differentials. With rules at hand that is a system
//! of linear equations in numbers that may not be negative: one equation for each monomial of the normal form. Rules are offered in
//! rounds, the likely ones first.

mod candidates;
mod parts;
mod rows;
#[cfg(test)]
mod tests;

pub use parts::parts;

use super::lower::{Base, Setting};
use super::proof::InequalityProof;
use super::rules::factor::{is_positive, is_strict, larger_minus_smaller};
use super::rules::{Context, Fact, Rule};
use super::sum::Sum;
use crate::arith::linear::{Column, System};
use crate::arith::{Fraction, Multinomial, Rational};
use crate::statement::{Comparison, Statement};
use candidates::{Candidate, Candidates};
use rows::{Normal, Table};
use std::time::{Duration, Instant};

/// The most columns of a system: larger ones take too long.
const MOST_COLUMNS: usize = 6000;
/// How often more rules are offered.
const ROUNDS: usize = 4;

/// Proves a comparison of a statement: a proof for each of its [`parts`]. Why not, if it finds none in time.
pub fn prove(statement: &Statement, comparison: &Comparison, limit: Duration) -> Result<Vec<InequalityProof>, String> {
    let end = Instant::now() + limit;
    parts(comparison)?.iter().map(|part| prove_part(statement, part, end)).collect()
}

/// Checks the proofs of a comparison of a statement.
pub fn verify(statement: &Statement, comparison: &Comparison, proofs: &[InequalityProof]) -> Result<(), String> {
    let parts = parts(comparison)?;
    if parts.len() != proofs.len() {
        return Err(format!("{} proofs are needed, not {}", parts.len(), proofs.len()));
    }
    parts.iter().zip(proofs).try_for_each(|(part, proof)| proof.verify(statement, part))
}

fn prove_part(statement: &Statement, part: &Comparison, end: Instant) -> Result<InequalityProof, String> {
    let mut why = None;
    let mut searches = Vec::new();
    for base in Base::ALL {
        match Search::new(statement, part, base) {
            Ok(search) => searches.push(search),
            Err(error) => why = why.or(Some(error)),
        }
    }
    for round in 0..ROUNDS {
        for search in &mut searches {
            if Instant::now() > end {
                return Err("no proof was found in time".into());
            }
            if let Some(proof) = search.round(round) {
                // Only what the check accepts counts.
                return proof.verify(statement, part).map(|()| proof);
            }
        }
    }
    Err(why.filter(|_| searches.is_empty()).unwrap_or_else(|| "no rules that prove it were found".into()))
}

/// A comparison whose proof is looked for.
struct Search<'a> {
    statement: &'a Statement,
    base: Base,
    setting: Setting,
    strict: bool,
    scale: Fraction,
    goal: Sum,
    normal: Normal,
}

impl<'a> Search<'a> {
    fn new(statement: &'a Statement, part: &Comparison, base: Base) -> Result<Search<'a>, String> {
        let mut setting = Setting::new(statement, base).map_err(|why| why.to_string())?;
        let context = &mut Context { setting: &mut setting, statement };
        let difference = larger_minus_smaller(context, part)?;
        let sum = Sum::of(context.setting, &difference).map_err(|why| why.to_string())?;
        let scale = scale(context, &sum)?;
        let goal = sum.times(&scale);
        let normal = Normal::of(&goal, &setting).ok_or("an integrand has no normal form")?;
        Ok(Search { statement, base, setting, strict: is_strict(part.relation), scale, goal, normal })
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
    fn round(&mut self, round: usize) -> Option<InequalityProof> {
        if round == 0 {
            return self.number();
        }
        let offered = Candidates::new(&mut self.setting, self.statement, &self.goal, &self.normal).round(round);
        let terms = self.combination(offered)?;
        self.proof(terms)
    }

    /// Where nothing but a number is left.
    fn number(&self) -> Option<InequalityProof> {
        let number = self.normal.number()?;
        if number.is_zero() {
            return if self.strict { None } else { self.proof(Vec::new()) };
        }
        let number = number.as_polynomial()?;
        number.to_univariate("pi0")?;
        self.proof(vec![(Rational::ONE, Rule::of(Fact::Share(number.to_string())))])
    }

    /// A combination of rules that is the goal.
    fn combination(&self, offered: Vec<Candidate>) -> Option<Vec<(Rational, Rule)>> {
        let mut table = Table::default();
        table.admit(&self.normal);
        let mut seen = Vec::new();
        for candidate in offered {
            let mut setting = self.setting.clone();
            let Ok(known) = candidate.rule.non_negative(&mut setting, self.statement) else { continue };
            let Some(normal) = Normal::of(&known.sum, &setting).filter(|normal| !normal.slots.is_empty()) else {
                continue;
            };
            table.admit(&normal);
            seen.push((candidate, normal));
        }
        let goal = table.column(&table.whole(&self.normal), &Multinomial::one());
        let mut target = vec![Rational::ZERO; table.len()];
        goal.into_iter().for_each(|(row, value)| target[row] = value);
        let (mut columns, mut origins): (Vec<Column>, Vec<Rule>) = (Vec::new(), Vec::new());
        let mut positive = Vec::new();
        for (candidate, normal) in &seen {
            let whole = table.whole(normal);
            for (rule, by) in candidate.multiplied() {
                columns.push(table.column(&whole, by));
                let strict = matches!(rule.fact, Fact::One | Fact::Supposed { .. })
                    && rule.square.is_none()
                    && rule.factors.iter().all(|(factor, _)| factor.is_positive(self.statement));
                positive.push(strict);
                origins.push(rule);
            }
        }
        if columns.len() > MOST_COLUMNS {
            return None;
        }
        target.resize(table.len(), Rational::ZERO);
        let kept = useful(&columns, &target)?;
        let columns: Vec<Column> = kept.iter().map(|j| columns[*j].clone()).collect();
        // A strict inequality needs something positive: as much of it as there can be.
        let cost = |j: usize| match (self.strict, positive[kept[j]]) {
            (true, true) => -1.0,
            (true, false) => 0.0,
            (false, _) => 1.0 + origins[kept[j]].factors.len() as f64,
        };
        let costs: Vec<f64> = (0..kept.len()).map(cost).collect();
        let solution = System::new(&columns, &target, &[]).found(&costs)?;
        Some(solution.into_iter().map(|(j, value)| (value, origins[kept[j]].clone())).collect())
    }
}

/// What a sum must be multiplied by to be free of denominators, but for those that vary along the curve.
fn scale(context: &Context, sum: &Sum) -> Result<Fraction, String> {
    let mut scale = Fraction::one();
    for fraction in sum.fractions() {
        let product = fraction * &scale;
        let constant = |factor: &&Multinomial| !["x", "F0", "F1", "c"].iter().any(|v| factor.depends_on(*v));
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

/// The columns that may be taken: an equation of 0 whose entries have one sign takes none of them. `None` if an equation cannot hold.
fn useful(columns: &[Column], target: &[Rational]) -> Option<Vec<usize>> {
    let mut kept: Vec<usize> = (0..columns.len()).collect();
    loop {
        let mut signs = vec![[0usize; 2]; target.len()];
        for j in &kept {
            columns[*j].iter().for_each(|(row, value)| signs[*row][usize::from(*value < Rational::ZERO)] += 1);
        }
        let lacks = |row: usize| match target[row].cmp(&Rational::ZERO) {
            std::cmp::Ordering::Equal => false,
            std::cmp::Ordering::Greater => signs[row][0] == 0,
            std::cmp::Ordering::Less => signs[row][1] == 0,
        };
        if (0..target.len()).any(lacks) {
            return None;
        }
        let one_sided = |row: usize| target[row].is_zero() && (signs[row][0] == 0) != (signs[row][1] == 0);
        let before = kept.len();
        kept.retain(|j| !columns[*j].iter().any(|(row, _)| one_sided(*row)));
        if kept.len() == before {
            return Some(kept);
        }
    }
}
