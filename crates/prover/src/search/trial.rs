//! Statements evaluated on models in floating point: which models break a statement, and by how much.

use super::assignments;
use super::recipe::Recipe;
use super::shape::ModelText;
use super::value::{Assignment, ComparedSides, Environment, Sides};
use crate::statement::{Functional, Statement};
use rocproof_arith::{Interval, Rational};
use rocproof_engine::constant::Constant;
use rocproof_engine::functional::Value;
use rocproof_engine::functional::question::{Question, Questions};
use rocproof_engine::model::Model;
use rocproof_language::Relation;
use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

/// A statement prepared for evaluation on many models.
pub struct Trial<'a> {
    /// The statement.
    pub statement: &'a Statement,
    /// Its comparisons, compiled.
    pub sides: Sides,
    /// The questions for each class proportion; one entry for all, unless conditions couple parameters to the proportion.
    prepared: Mutex<HashMap<String, Option<Arc<PreparedQuestions>>>>,
    /// Whether a premise or condition couples a parameter to the class proportions.
    coupled_to_pi0: bool,
    /// Whether a functional reads the hull.
    needs_hull: bool,
    /// The largest number of assignments that a model was tried under.
    assignments: AtomicUsize,
}

/// The factor by which a model of a named family costs more work than a simple model.
const FAMILY_FACTOR: usize = 8;
/// The factor by which a model costs more work if its hull is needed.
const HULL_FACTOR: usize = 3;
/// The number of assignments that cost one unit of work.
const ASSIGNMENTS_PER_UNIT: usize = 8;

/// The questions about all models of a statement, under all assignments.
struct PreparedQuestions {
    assignments: Vec<Assignment>,
    /// The questions about each model of the statement.
    of_models: Vec<ModelQuestions>,
}

/// The questions about one model of a statement, under all assignments.
struct ModelQuestions {
    /// The questions, each asked once.
    distinct: Questions,
    /// For each assignment, and each slot of the model in [`Sides::questions`]: the index of its question among the distinct ones.
    slots: Vec<Vec<usize>>,
}

/// The values of the slots of a model under each assignment; `None` where a slot has no value.
type SlotValues = Vec<Vec<Option<Interval>>>;

/// The result of evaluating a statement on models under one assignment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Screening {
    /// A class, premise or condition does not hold, or a side has no value.
    OutOfScope,
    /// The statement holds, with this margin; the margin of an equation is 0.
    Holds(f64),
    /// Both sides of a strict inequality agree within their errors.
    Tie,
    /// A claim fails by this much.
    Broken(f64),
}

/// The values of a model under every assignment.
pub struct ModelValues {
    prepared: Arc<PreparedQuestions>,
    pi0: Constant,
    /// For each model of the statement that this one may stand for, the values of its slots.
    slots: Vec<SlotValues>,
}

impl ModelValues {
    /// The assignments that the values belong to.
    pub fn assignments(&self) -> &[Assignment] {
        &self.prepared.assignments
    }

    /// The proportion of class 0.
    pub fn pi0(&self) -> &Constant {
        &self.pi0
    }
}

impl PreparedQuestions {
    /// The questions under given assignments; `None` if one cannot be asked.
    fn new(sides: &Sides, assignments: Vec<Assignment>) -> Option<PreparedQuestions> {
        let of_models = (0..sides.models()).map(|model| ModelQuestions::new(sides, model, &assignments));
        Some(PreparedQuestions { of_models: of_models.collect::<Option<_>>()?, assignments })
    }
}

impl ModelQuestions {
    /// The questions about a model of the statement under given assignments; `None` if one cannot be asked.
    fn new(sides: &Sides, model: usize, assignments: &[Assignment]) -> Option<ModelQuestions> {
        let mut distinct: Vec<Question> = Vec::new();
        let mut index_of = |question: Question| {
            distinct.iter().position(|known| *known == question).unwrap_or_else(|| {
                distinct.push(question);
                distinct.len() - 1
            })
        };
        let mut slots = Vec::new();
        for assignment in assignments {
            slots.push(sides.questions(model, assignment).into_iter().map(&mut index_of).collect());
        }
        Some(ModelQuestions { distinct: Questions::new(&distinct).ok()?, slots })
    }

    /// Answers the questions on a model in floating point. Each value is the interval of its estimate and error.
    fn answer(&self, model: &Model) -> SlotValues {
        let interval = |value: &Value| value.estimate().map(|e| Interval::around(e.value, e.error));
        let values: Vec<Option<Interval>> = self.distinct.numeric(model).iter().map(interval).collect();
        self.slots.iter().map(|indices| indices.iter().map(|k| values[*k]).collect()).collect()
    }
}

impl<'a> Trial<'a> {
    /// Prepares a statement.
    pub fn new(statement: &'a Statement) -> Trial<'a> {
        let sides = Sides::new(statement);
        let parameters = 0..sides.parameters.len();
        let couples =
            |c: &ComparedSides| c.depends_on_proportions() && parameters.clone().any(|k| c.depends_on_parameter(k));
        let coupled_to_pi0 = sides.supposed.iter().any(couples);
        let needs_hull = statement.functionals().into_iter().any(Functional::reads_hull);
        Trial {
            statement,
            sides,
            prepared: Mutex::default(),
            coupled_to_pi0,
            needs_hull,
            assignments: AtomicUsize::new(1),
        }
    }

    /// The questions for a class proportion, prepared on the first call.
    fn prepared(&self, pi0: &Rational) -> Option<Arc<PreparedQuestions>> {
        let key = if self.coupled_to_pi0 { pi0.to_string() } else { String::new() };
        let make = || {
            let assignments = assignments::assignments(&self.sides, pi0, &[]);
            PreparedQuestions::new(&self.sides, assignments).map(Arc::new)
        };
        let mut known = self.prepared.lock().unwrap_or_else(PoisonError::into_inner);
        let prepared = known.entry(key).or_insert_with(make).clone();
        self.assignments.fetch_max(prepared.as_ref().map_or(1, |prepared| prepared.assignments.len()), Relaxed);
        prepared
    }

    /// Evaluates a model under all assignments, for any of the models of the statement that it may stand for. `None` if the text is not a
    /// model, its class proportion is not rational, or a question cannot be asked.
    pub fn values(&self, texts: &ModelText) -> Option<ModelValues> {
        let model = texts.model()?;
        Some(self.answer(&model, self.prepared(model.pi0().exact.as_ref()?)?))
    }

    /// Answers the prepared questions on a model.
    fn answer(&self, model: &Model, prepared: Arc<PreparedQuestions>) -> ModelValues {
        let slots = prepared.of_models.iter().map(|questions| questions.answer(model)).collect();
        ModelValues { prepared, pi0: model.pi0().clone(), slots }
    }

    /// Screens models, one for each that the statement speaks of, under one assignment, given by its index.
    pub fn screen(&self, models: &[&ModelValues], assignment: usize) -> Screening {
        let Some(first) = models.first() else { return Screening::OutOfScope };
        if models.iter().any(|model| model.pi0 != first.pi0) {
            return Screening::OutOfScope;
        }
        let values: Vec<&[Option<Interval>]> =
            models.iter().enumerate().map(|(k, values)| values.slots[k][assignment].as_slice()).collect();
        self.screen_values(Environment {
            pi0: &first.pi0,
            assignment: &first.prepared.assignments[assignment],
            values: &values,
        })
    }

    /// Whether floating point leaves it possible that a model satisfies all suppositions, under an assignment given by its index.
    pub fn may_satisfy_premises(&self, values: &ModelValues, assignment: usize) -> bool {
        let slots = [values.slots[0][assignment].as_slice()];
        let environment =
            Environment { pi0: &values.pi0, assignment: &values.prepared.assignments[assignment], values: &slots };
        self.sides.supposed.iter().all(|supposed| match supposed.sides(environment) {
            [Some(left), Some(right)] => excess(supposed.relation(), left, right).is_none_or(|excess| excess <= 0.0),
            _ => false,
        })
    }

    /// Screens models under an assignment that need not be among the prepared ones.
    pub fn screen_recipes(&self, recipes: &[Recipe], assignment: &Assignment) -> Screening {
        let Some(prepared) = PreparedQuestions::new(&self.sides, vec![assignment.clone()]).map(Arc::new) else {
            return Screening::OutOfScope;
        };
        let evaluate = |recipe: &Recipe| Some(self.answer(&recipe.build()?.text().model()?, prepared.clone()));
        let values: Option<Vec<ModelValues>> = recipes.iter().map(evaluate).collect();
        values.map_or(Screening::OutOfScope, |values| self.screen(&values.iter().collect::<Vec<_>>(), 0))
    }

    /// The work of evaluating a model, in units of one simple model.
    pub fn work(&self, recipe: &Recipe) -> usize {
        let assignments = self.assignments.load(Relaxed).max(1);
        let family_factor = if matches!(recipe, Recipe::Named { .. }) { FAMILY_FACTOR } else { 1 };
        let hull_factor = if self.needs_hull { HULL_FACTOR } else { 1 };
        family_factor * hull_factor * assignments.div_ceil(ASSIGNMENTS_PER_UNIT)
    }

    /// Screens the values of models under one assignment: first the suppositions, then the claims.
    fn screen_values(&self, environment: Environment<Interval>) -> Screening {
        for supposed in &self.sides.supposed {
            let [Some(left), Some(right)] = supposed.sides(environment) else { return Screening::OutOfScope };
            // Sides that agree within their errors satisfy a supposition, unless it is strict.
            let fails = match excess(supposed.relation(), left, right) {
                Some(excess) => excess > 0.0,
                None => is_strict(supposed.relation()),
            };
            if fails {
                return Screening::OutOfScope;
            }
        }
        // The smallest margin of the claims so far; whether a strict claim ties; whether a claim has no value.
        let (mut slack, mut ties, mut lacks_value) = (f64::INFINITY, false, false);
        for claim in &self.sides.claims {
            let [Some(left), Some(right)] = claim.sides(environment) else {
                lacks_value = true;
                continue;
            };
            match excess(claim.relation(), left, right) {
                Some(excess) if excess > 0.0 => return Screening::Broken(excess),
                Some(excess) => slack = slack.min(-excess),
                None => {
                    slack = 0.0;
                    ties |= is_strict(claim.relation());
                }
            }
        }
        if ties {
            Screening::Tie
        } else if lacks_value || slack.is_infinite() {
            // A model on which a claim has no value is no evidence for it.
            Screening::OutOfScope
        } else {
            Screening::Holds(slack)
        }
    }
}

/// Whether a relation excludes equality.
fn is_strict(relation: Relation) -> bool {
    matches!(relation, Relation::Less | Relation::Greater)
}

/// The amount by which a relation fails, net of errors: positive if it fails, 0 or less if it holds, `None` if the errors leave it open. A strict
/// relation does not hold where the sides may be equal, and an equation is never shown to hold.
fn excess(relation: Relation, left: Interval, right: Interval) -> Option<f64> {
    // The excess of `smaller <= larger`, or of `smaller < larger`.
    let excess_over = |smaller: Interval, larger: Interval, strict: bool| {
        let fails_by = smaller.lo() - larger.hi();
        let holds_by = larger.lo() - smaller.hi();
        if fails_by > 0.0 {
            Some(fails_by)
        } else if holds_by > 0.0 || (holds_by == 0.0 && !strict) {
            Some(-holds_by)
        } else {
            None
        }
    };
    match relation {
        Relation::AtMost => excess_over(left, right, false),
        Relation::Less => excess_over(left, right, true),
        Relation::AtLeast => excess_over(right, left, false),
        Relation::Greater => excess_over(right, left, true),
        Relation::Equal => {
            let both_ways = [excess_over(left, right, false), excess_over(right, left, false)];
            both_ways.into_iter().flatten().find(|excess| *excess > 0.0)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strict_relations_do_not_hold_where_sides_tie() {
        let point = |value: f64| Interval::from(value);
        assert_eq!(excess(Relation::Less, point(0.0), point(0.0)), None);
        assert_eq!(excess(Relation::Greater, Interval::new(0.0, 1e-32), point(0.0)), None);
        assert_eq!(excess(Relation::AtMost, point(0.0), point(0.0)), Some(-0.0));
        assert_eq!(excess(Relation::Less, point(0.0), point(1.0)), Some(-1.0));
        assert_eq!(excess(Relation::Less, point(1.0), point(0.0)), Some(1.0));
    }
}
