//! A counterexample as it is shown to the user.

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
    /// The models, each with its name in the statement.
    pub models: Vec<(String, ModelText)>,
    /// The values of the parameters.
    pub parameters: Vec<(String, Rational)>,
    /// The value of `w`, if the statement leaves it open.
    pub cost: Option<Cost>,
    /// The claim that fails.
    pub claim: Comparison,
    /// Its left-hand side: an exact value or an enclosure.
    pub lhs: Value,
    /// Its right-hand side.
    pub rhs: Value,
}

impl Counterexample {
    /// The counterexample that recipes make under an assignment, if they make one. It is decided on models that are read from their texts.
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

    /// Whether both sides are known exactly.
    pub fn is_exact(&self) -> bool {
        [&self.lhs, &self.rhs].iter().all(|side| matches!(side, Value::Exact(side) if side.level() == "exact"))
    }
}

impl fmt::Display for Counterexample {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        for (name, ModelText { pi0, f0, f1 }) in &self.models {
            writeln!(f, "{name}: f0 = {f0}, f1 = {f1}, pi0 = {pi0}")?;
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
