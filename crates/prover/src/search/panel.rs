//! A fixed panel of models. Every statement is evaluated on it before it is called proved.
//!
//! The panel has models on which readings of a definition may differ: ties shared and not, gaps inside and at the ends, corners, classes
//! that are disjoint or reversed, extreme class proportions, wide scores, one-point scales, stretches of one class alone, and models of each
//! class.

use super::assignments;
use super::candidates::ModelSpace;
use super::counterexample::Counterexample;
use super::decide::{FailedClaim, failed_claim, rational_sides};
use super::membership::is_member;
use super::shape::ModelText;
use super::trial::Trial;
use super::value::{Assignment, Sides};
use crate::parallel;
use crate::statement::{Class, Statement};
use rocproof_arith::Rational;
use rocproof_arith::linear::{Column, feasible};
use rocproof_engine::functional::Cost;
use rocproof_engine::model::Model;
use std::sync::LazyLock;

/// The densities of class 0 and class 1, and the proportion of class 0.
type Densities = [&'static str; 3];

/// The models for every statement.
const PANEL: [Densities; 27] = [
    ["uniform(0, 1)", "uniform(0, 1)", "1/2"],
    ["2*(1-x)", "2*x", "1/2"],
    ["2*x", "2*(1-x)", "1/2"],
    ["2*x", "2*(1-x)", "1/3"],
    ["uniform(0, 1/4)", "uniform(3/4, 1)", "1/2"],
    ["uniform(3/4, 1)", "uniform(0, 1/4)", "2/3"],
    ["uniform(1/4, 1/2)", "uniform(1/2, 3/4)", "1/3"],
    ["atom(1/2)", "atom(1/2)", "1/3"],
    ["atom(0)", "atom(1)", "1/1000"],
    ["atom(1)", "atom(0)", "999/1000"],
    ["{ 0: 1/2; 1: 1/2 }", "{ 0: 1/4; 1: 3/4 }", "999/1000"],
    ["{ 1/4: 1/3; 3/4: 2/3 }", "atom(1/2)", "1/2"],
    ["1/2*uniform(0, 1) + 1/2*atom(1/3)", "uniform(1/3, 1)", "2/5"],
    ["{ 2 on [0, 1/4]; 1 on [1/2, 1] }", "{ 1 on [0, 1/2]; 2 on [3/4, 1] }", "1/4"],
    ["2*(1-x)", "3*x^2", "1/5"],
    ["uniform(-1, 2)", "uniform(0, 3)", "1/2"],
    ["atom(2)", "atom(2)", "2/3"],
    ["atom(-1)", "{ -1: 1/3; 3: 2/3 }", "1/4"],
    // Calibrated, with ties and gaps.
    ["{ 1/4: 3/4; 3/4: 1/4 }", "{ 1/4: 1/4; 3/4: 3/4 }", "1/2"],
    ["{ 1/4: 3/4; 1/2: 1/4 }", "{ 1/4: 1/2; 1/2: 1/2 }", "2/3"],
    // Evenly spaced.
    ["3/2 on [0, 2/3]", "{ 3/4 on [0, 2/3]; 3/2 on [2/3, 1] }", "1/3"],
    ["3 on [0, 1/3]", "3/2 on [1/3, 1]", "1/3"],
    // Classes that score alike, with ties and gaps.
    ["{ 1/4: 1/2; 1: 1/2 }", "{ 1/4: 1/2; 1: 1/2 }", "1/100"],
    ["uniform(0, 1/2)", "atom(1)", "1/100"],
    // One class alone in the middle.
    ["{ 3/2 on [0, 1/3]; 3/2 on [2/3, 1] }", "3 on [1/3, 2/3]", "1/2"],
    ["{ 1/2: 1/2; 1: 1/2 }", "{ 0: 1/2; 1/2: 1/2 }", "2/5"],
    ["uniform(1/5, 2/5)", "{ 5/2 on [1/5, 2/5]; 5/2 on [3/5, 4/5] }", "9/10"],
];

/// Further models, for statements about a family of densities.
const FAMILIES: [(Class, Densities); 6] = [
    (Class::Beta, ["beta(2, 3)", "beta(3, 2)", "1/3"]),
    (Class::Beta, ["beta(2, 1)", "beta(1, 2)", "1/2"]),
    (Class::Binormal, ["normal(0, 1)", "normal(1, 1)", "1/3"]),
    (Class::Binormal, ["normal(1, 2)", "normal(0, 1)", "1/2"]),
    (Class::Triangular, ["triangular(0, 1/3, 1)", "triangular(0, 2/3, 1)", "1/3"]),
    (Class::Triangular, ["triangular(1/2, 3/4, 1)", "triangular(0, 1/4, 1/2)", "1/2"]),
];

/// The most assignments under which a statement is evaluated on each model.
const MOST_ASSIGNMENTS: usize = 8;

/// The models of the panel, read once.
static MODELS: LazyLock<Vec<(ModelText, Model)>> = LazyLock::new(|| PANEL.iter().map(read).collect());

/// Reads a model of the panel.
fn read([f0, f1, pi0]: &Densities) -> (ModelText, Model) {
    let texts = ModelText { f0: (*f0).into(), f1: (*f1).into(), pi0: (*pi0).into() };
    match texts.model() {
        Some(model) => (texts, model),
        None => rocproof_algebra::invariant!("the model {texts:?} of the panel does not read"),
    }
}

/// The first model of the panel on which a claim is shown to fail, exactly or by enclosures that do not overlap.
pub(super) fn find_failure(statement: &Statement) -> Option<(ModelText, FailedClaim)> {
    if statement.models.len() != 1 {
        return None;
    }
    let sides = Sides::new(statement);
    let asked_families = FAMILIES.iter().filter(|(class, _)| statement.classes.contains(class));
    let of_families: Vec<(ModelText, Model)> = asked_families.map(|(_, densities)| read(densities)).collect();
    let models: Vec<&(ModelText, Model)> = MODELS.iter().chain(&of_families).collect();
    parallel::find_map(&models, |(texts, model)| {
        let pi0 = model.pi0().exact.clone().unwrap_or(Rational::ONE);
        let assignments = assignments::assignments(&sides, &pi0, &[]);
        // A sample of the assignments, evenly spaced in their order.
        let step = assignments.len().div_ceil(MOST_ASSIGNMENTS).max(1);
        let fails = |assignment: &Assignment| failed_claim(statement, &sides, std::slice::from_ref(model), assignment);
        let failed_claim = assignments.iter().step_by(step).find_map(fails)?;
        Some((texts.clone(), failed_claim))
    })
}

/// The counterexample that the panel holds, if it holds one.
pub(super) fn counterexample(statement: &Statement) -> Option<Counterexample> {
    let (texts, FailedClaim { claim, sides: [lhs, rhs], parameters, cost }) = find_failure(statement)?;
    let models = statement.models.iter().cloned().zip([texts]).collect();
    Some(Counterexample { models, parameters, cost, claim: statement.claims.get(claim)?.clone(), lhs, rhs })
}

/// Panics by `invariant!` if a statement that is about to be called proved fails on a model of the panel: then a reading or a rule is wrong,
/// and no verdict may follow.
///
/// ```
/// use rocproof_prover::{search::guard, statement::Statement};
/// guard(&Statement::parse("BS == CL + RL")?);
/// let wrong = Statement::parse("L[o] == RL")?;
/// assert!(std::panic::catch_unwind(|| guard(&wrong)).is_err());
/// # Ok::<(), rocproof_language::Diagnostic>(())
/// ```
pub fn guard(statement: &Statement) {
    if let Some((ModelText { pi0, f0, f1 }, failed_claim)) = find_failure(statement) {
        let [left, right] = &failed_claim.sides;
        let claim = statement.claims.get(failed_claim.claim).map(ToString::to_string).unwrap_or_default();
        let parameters: String =
            failed_claim.parameters.iter().map(|(name, value)| format!(", {name} = {value}")).collect();
        rocproof_algebra::invariant!(
            "`{statement}` has a proof that the checker accepts, and fails on f0 = {f0}, f1 = {f1}, pi0 = {pi0}{parameters}: \
             of `{claim}` the left-hand side is {left}, the right-hand side {right}"
        );
    }
}

/// The class proportions at which linear independence is tried, as numerators and denominators.
const PROPORTIONS: [[u8; 2]; 4] = [[1, 3], [1, 2], [2, 5], [9, 10]];
/// The number of equations beyond the number of terms. A dependence that satisfies that many more is unlikely to be a coincidence.
const MORE_EQUATIONS: usize = 12;
/// The number of models that are tried for each equation: not all have rational values.
const MODELS_PER_EQUATION: usize = 8;

/// Shows that the last of some terms is no linear combination of the others and 1, by models of one class proportion whose values no
/// combination fits. Returns that proportion and the number of models. The terms are the left-hand sides of the claims of a statement.
pub fn show_independence(terms: &Statement) -> Option<(Rational, usize)> {
    if terms.models.len() != 1 || !terms.parameters().is_empty() {
        return None;
    }
    let trial = Trial::new(terms);
    let space = ModelSpace::new(terms, &trial.sides);
    let proportions = PROPORTIONS.map(|[above, below]| Rational::from(above) / Rational::from(below));
    for pi0 in proportions.into_iter().filter(|pi0| space.proportions.contains(pi0)) {
        let rows = rational_rows(terms, &trial.sides, &space, &pi0);
        if !is_last_column_dependent(&rows, terms.claims.len()) {
            return Some((pi0, rows.len()));
        }
    }
    None
}

/// The values of the terms, a row for each of some models of a class proportion: models of the panel and simple ones that are in the
/// classes of the statement and have rational values.
fn rational_rows(terms: &Statement, sides: &Sides, space: &ModelSpace, pi0: &Rational) -> Vec<Vec<Rational>> {
    let count = terms.claims.len() + MORE_EQUATIONS;
    let assignment = Assignment { numbers: Vec::new(), cost: Cost::uniform() };
    let with_proportion =
        |[f0, f1, _]: &Densities| ModelText { f0: (*f0).into(), f1: (*f1).into(), pi0: pi0.to_string() };
    let simple = (0..2).flat_map(|round| space.round(round)).filter_map(|recipe| Some(recipe.build()?.text()));
    let texts = PANEL.iter().map(with_proportion).chain(simple.filter(|texts| texts.pi0 == pi0.to_string()));
    let is_allowed = |model: &Model| {
        model.curve().is_probabilistic() && terms.classes.iter().all(|class| is_member(model, *class) == Some(true))
    };
    let models = texts.filter_map(|texts| texts.model()).filter(is_allowed).take(MODELS_PER_EQUATION * count);
    models.filter_map(|model| rational_sides(sides, &model, &assignment)).take(count).collect()
}

/// Whether the last column of a matrix is a linear combination of its other columns and a column of ones. The matrix is given by its rows.
fn is_last_column_dependent(rows: &[Vec<Rational>], column_count: usize) -> bool {
    let last = column_count - 1;
    let column = |k: usize| -> Column { rows.iter().enumerate().map(|(i, row)| (i, row[k].clone())).collect() };
    let ones: Column = (0..rows.len()).map(|i| (i, Rational::ONE)).collect();
    let columns: Vec<Column> = (0..last).map(column).chain([ones]).collect();
    let target: Vec<Rational> = rows.iter().map(|row| row[last].clone()).collect();
    // All coefficients are free in sign.
    let is_free = vec![true; columns.len()];
    feasible(&columns, &target, &is_free).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::is_member;

    #[test]
    fn every_class_has_models_of_its_own() {
        let families: Vec<(ModelText, Model)> = FAMILIES.iter().map(|(_, densities)| read(densities)).collect();
        for class in Class::ALL {
            let members = MODELS.iter().chain(&families).filter(|(_, model)| is_member(model, class) == Some(true));
            assert!(members.count() >= 2, "{}", class.name());
        }
    }

    #[test]
    fn false_statements_fail_on_the_panel() {
        for text in [
            "L[o] == RL",
            "BS == MAE/2",
            "for convex m: BS == MAE/2",
            "for even m: AUC >= 1/2",
            "AUC >= 1/2",
            "KS < 1",
            "for perfect m: BS == 0",
            "for random m: BS == pi0*pi1",
            "MBS == BS",
            "int(F0 dx) == h - s1",
            "L[sf(t)] == 1 - MAcc(t)",
            "l >= 0",
        ] {
            assert!(find_failure(&Statement::parse(text).unwrap()).is_some(), "{text}");
        }
        for text in ["L[ru] == L[rd] + 1/6", "for calibrated m: BS == MAE/2", "L[sf(t)] == 1 - Acc(t)", "KS <= 1"] {
            assert!(find_failure(&Statement::parse(text).unwrap()).is_none(), "{text}");
        }
    }
}
