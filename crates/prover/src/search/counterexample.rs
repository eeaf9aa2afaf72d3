//! A model that breaks a statement, as it is shown.

use super::decide::{FailedClaim, failed_claim};
use super::recipe::Recipe;
use super::shape::ModelText;
use super::value::{Assignment, Sides};
use crate::statement::{Comparison, Statement};
use rocproof_arith::Rational;
use rocproof_engine::functional::{Cost, Value};
use rocproof_engine::model::Model;
use std::fmt;

/// Models that break a statement, with both sides of the claim that fails.
#[derive(Clone, Debug)]
pub struct Counterexample {
    /// The models: the name of each in the statement, and its texts.
    pub models: Vec<(String, ModelText)>,
    /// What stands for the parameters.
    pub parameters: Vec<(String, Rational)>,
    /// What stands for `w`, if the statement speaks of it.
    pub cost: Option<Cost>,
    /// The claim that fails.
    pub claim: Comparison,
    /// Its left-hand side: the number itself, or an interval that it lies in.
    pub lhs: Value,
    /// Its right-hand side.
    pub rhs: Value,
}

impl Counterexample {
    /// The counterexample that recipes make in a assignment, if they make one: decided on the models that are read from their texts.
    pub(super) fn new(
        statement: &Statement,
        sides: &Sides,
        recipes: &[Recipe],
        assignment: &Assignment,
    ) -> Option<Counterexample> {
        let texts: Vec<ModelText> = recipes.iter().map(|recipe| Some(recipe.build()?.text())).collect::<Option<_>>()?;
        let models: Vec<Model> = texts.iter().map(ModelText::model).collect::<Option<_>>()?;
        let FailedClaim { claim, sides: [lhs, rhs], parameters, cost } =
            failed_claim(statement, sides, &models, assignment)?;
        Some(Counterexample {
            models: statement.models.iter().cloned().zip(texts).collect(),
            parameters,
            cost,
            claim: statement.claims.get(claim)?.clone(),
            lhs,
            rhs,
        })
    }

    /// Whether both sides are numbers written out.
    pub fn is_exact(&self) -> bool {
        [&self.lhs, &self.rhs].iter().all(|side| matches!(side, Value::Settled(settled) if settled.level() == "exact"))
    }
}

impl fmt::Display for Counterexample {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        for (name, ModelText { pi0, f0, f1 }) in &self.models {
            writeln!(f, "{name}: --f0 '{f0}' --f1 '{f1}' --pi0 {pi0}")?;
        }
        for (name, value) in &self.parameters {
            writeln!(f, "{name} = {value}")?;
        }
        if let Some(cost) = &self.cost {
            writeln!(f, "w = {cost}")?;
        }
        writeln!(f, "{}", self.claim)?;
        writeln!(f, "left:  {}", self.lhs)?;
        write!(f, "right: {}", self.rhs)
    }
}
