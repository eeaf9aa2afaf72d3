//! Witnesses: models that satisfy the suppositions of a statement. A proved statement without witness may be vacuous.

use super::candidates::ModelSpace;
use super::decide::satisfies_premises;
use super::recipe::Recipe;
use super::shape::ModelText;
use super::trial::Trial;
use crate::budget::Ceiling;
use crate::statement::Statement;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rocproof_arith::Rational;
use rocproof_engine::functional::Cost;

/// The most models and assignments that are decided by proof.
const MOST_DECIDED: usize = 150;
/// The most models that are tried in floating point.
const MOST_TRIED: usize = 4000;

/// A model that satisfies the class, the premises and the conditions of a statement, decided exactly or by enclosures.
#[derive(Clone, Debug)]
pub struct Witness {
    /// The model.
    pub model: ModelText,
    /// The values of the parameters.
    pub parameters: Vec<(String, Rational)>,
    /// The value of `w`, if the statement leaves it open.
    pub cost: Option<Cost>,
}

/// Looks for a simple witness of a statement about one model: among systematic models, then among random ones. `None` if none was found,
/// also if the statement is about several models.
///
/// ```
/// use rocproof_prover::{search::{Ceiling, witness}, statement::Statement};
/// use std::time::Duration;
/// let ceiling = Ceiling::after(Duration::from_secs(60));
/// assert!(witness(&Statement::parse("for convex m: AUC > 3/4 implies L[rd] < 1/3")?, &ceiling).is_some());
/// assert!(witness(&Statement::parse("AUC >= 3/2 implies BS == 7")?, &ceiling).is_none());
/// # Ok::<(), rocproof_language::Diagnostic>(())
/// ```
pub fn witness(statement: &Statement, ceiling: &Ceiling) -> Option<Witness> {
    if statement.models.len() != 1 {
        return None;
    }
    let trial = Trial::new(statement);
    let space = ModelSpace::new(statement, &trial.sides);
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let systematic = (0..2).flat_map(|round| space.round(round));
    let random = std::iter::from_fn(|| Some(space.random(&mut rng))).take(MOST_TRIED).flatten();
    let mut decided = 0;
    for recipe in systematic.chain(random).take(MOST_TRIED) {
        if decided >= MOST_DECIDED || ceiling.is_reached() {
            return None;
        }
        if let Some(witness) = witness_from(&trial, &recipe, &mut decided) {
            return Some(witness);
        }
    }
    None
}

/// The witness that a recipe makes under some assignment, if it makes one. Each decision by proof is added to `decided`; there is none after
/// [`MOST_DECIDED`].
fn witness_from(trial: &Trial, recipe: &Recipe, decided: &mut usize) -> Option<Witness> {
    let texts = recipe.build()?.text();
    let values = trial.values(&texts)?;
    for (k, assignment) in values.assignments().iter().enumerate() {
        if !trial.may_satisfy_premises(&values, k) {
            continue;
        }
        *decided += 1;
        if satisfies_premises(trial.statement, &trial.sides, &[texts.model()?], assignment) {
            let parameters = trial.sides.parameters.iter().cloned().zip(assignment.numbers.iter().cloned()).collect();
            let cost = trial.sides.open_cost.then(|| assignment.cost.clone());
            return Some(Witness { model: texts, parameters, cost });
        }
        if *decided >= MOST_DECIDED {
            return None;
        }
    }
    None
}
