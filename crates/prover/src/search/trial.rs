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
    coupled_to_pi0: bool,
    /// Whether a functional reads the hull.
    needs_hull: bool,
    /// The largest number of assignments that a model was tried under.
    assignments: AtomicUsize,
}

/// The work of evaluating a model of a named family, and of a hull, in units of one simple model.
const OF_FAMILY: usize = 8;
const OF_HULL: usize = 3;
/// The number of assignments that cost one unit of work.
const ASSIGNMENTS_PER_UNIT: usize = 8;

/// The questions about each model of a statement, under all assignments.
struct PreparedQuestions {
    assignments: Vec<Assignment>,
    /// The questions of each model, each asked once.
    questions: Vec<Questions>,
    /// For each model and assignment, the indices of its values among the answers.
    answer_indices: Vec<Vec<Vec<usize>>>,
}

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
    /// For each model of the statement that this one may stand for, and each assignment: the values of its slots.
    answers: Vec<Vec<Vec<Option<Interval>>>>,
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

/// The questions under the assignments that are tried for a class proportion.
fn prepare(sides: &Sides, pi0: &Rational) -> Option<PreparedQuestions> {
    prepare_assignments(sides, assignments::assignments(sides, pi0, &[]))
}

/// The questions under given assignments, each asked once.
fn prepare_assignments(sides: &Sides, assignments: Vec<Assignment>) -> Option<PreparedQuestions> {
    let (mut questions, mut answer_indices) = (Vec::new(), Vec::new());
    for model in 0..sides.models() {
        let mut distinct: Vec<Question> = Vec::new();
        let mut index = |question: Question| {
            distinct.iter().position(|known| *known == question).unwrap_or_else(|| {
                distinct.push(question);
                distinct.len() - 1
            })
        };
        let under_assignment =
            |assignment: &Assignment| sides.questions(model, assignment).into_iter().map(&mut index).collect();
        answer_indices.push(assignments.iter().map(under_assignment).collect());
        questions.push(Questions::new(&distinct).ok()?);
    }
    Some(PreparedQuestions { assignments, questions, answer_indices })
}

impl<'a> Trial<'a> {
    /// Prepares a statement.
    pub fn new(statement: &'a Statement) -> Trial<'a> {
        let sides = Sides::new(statement);
        let parameters = 0..sides.parameters.len();
        let couples = |c: &ComparedSides| c.speaks_of_proportions() && parameters.clone().any(|k| c.speaks_of(k));
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
        let mut known = self.prepared.lock().unwrap_or_else(PoisonError::into_inner);
        let prepared = known.entry(key).or_insert_with(|| prepare(&self.sides, pi0).map(Arc::new)).clone();
        self.assignments.fetch_max(prepared.as_ref().map_or(1, |prepared| prepared.assignments.len()), Relaxed);
        prepared
    }

    /// Evaluates a model under all assignments, for any of the models of the statement that it may stand for.
    pub fn values(&self, texts: &ModelText) -> Option<ModelValues> {
        let model = texts.model()?;
        Some(self.answer(&model, self.prepared(model.pi0().exact.as_ref()?)?))
    }

    /// Answers the prepared questions on a model: for each model of the statement and each assignment, the values of its slots.
    fn answer(&self, model: &Model, prepared: Arc<PreparedQuestions>) -> ModelValues {
        let interval = |value: &Value| value.estimate().map(|e| Interval::around(e.value, e.error));
        let by_assignment = |questions: &Questions, slots: &[Vec<usize>]| -> Vec<Vec<Option<Interval>>> {
            let values: Vec<Option<Interval>> = questions.numeric(model).iter().map(interval).collect();
            slots.iter().map(|indices| indices.iter().map(|k| values[*k]).collect()).collect()
        };
        let asked = prepared.questions.iter().zip(&prepared.answer_indices);
        let answers = asked.map(|(questions, slots)| by_assignment(questions, slots)).collect();
        ModelValues { prepared, pi0: model.pi0().clone(), answers }
    }

    /// Screens models under one assignment, given by its index.
    pub fn screen(&self, models: &[&ModelValues], assignment: usize) -> Screening {
        let Some(first) = models.first() else { return Screening::OutOfScope };
        if models.iter().any(|other| other.pi0 != first.pi0) {
            return Screening::OutOfScope;
        }
        let values: Vec<&[Option<Interval>]> =
            models.iter().enumerate().map(|(k, values)| values.answers[k][assignment].as_slice()).collect();
        self.screen_values(Environment {
            pi0: &first.pi0,
            assignment: &first.prepared.assignments[assignment],
            values: &values,
        })
    }

    /// Whether floating point leaves it possible that a model satisfies all suppositions, under an assignment given by its index.
    pub fn may_satisfy_premises(&self, values: &ModelValues, assignment: usize) -> bool {
        let answers = [values.answers[0][assignment].as_slice()];
        let environment =
            Environment { pi0: &values.pi0, assignment: &values.prepared.assignments[assignment], values: &answers };
        self.sides.supposed.iter().all(|supposed| match supposed.sides(environment) {
            [Some(left), Some(right)] => margin(supposed.relation(), left, right).is_none_or(|broken| broken <= 0.0),
            _ => false,
        })
    }

    /// Screens models under an assignment that need not be among the prepared ones.
    pub fn screen_recipes(&self, recipes: &[Recipe], assignment: &Assignment) -> Screening {
        let Some(prepared) = prepare_assignments(&self.sides, vec![assignment.clone()]).map(Arc::new) else {
            return Screening::OutOfScope;
        };
        let values: Option<Vec<ModelValues>> = recipes
            .iter()
            .map(|recipe| Some(self.answer(&recipe.build()?.text().model()?, prepared.clone())))
            .collect();
        values.map_or(Screening::OutOfScope, |values| self.screen(&values.iter().collect::<Vec<_>>(), 0))
    }

    /// The work of evaluating a model, in units of one simple model.
    pub fn work(&self, recipe: &Recipe) -> usize {
        let assignments = self.assignments.load(Relaxed).max(1);
        let of_family = if matches!(recipe, Recipe::Named { .. }) { OF_FAMILY } else { 1 };
        let of_hull = if self.needs_hull { OF_HULL } else { 1 };
        of_family * of_hull * assignments.div_ceil(ASSIGNMENTS_PER_UNIT)
    }

    /// Screens the values of models under one assignment: first the suppositions, then the claims.
    fn screen_values(&self, environment: Environment<Interval>) -> Screening {
        for supposed in &self.sides.supposed {
            let [Some(left), Some(right)] = supposed.sides(environment) else { return Screening::OutOfScope };
            let is_strict = matches!(supposed.relation(), Relation::Less | Relation::Greater);
            if margin(supposed.relation(), left, right).map_or(is_strict, |broken| broken > 0.0) {
                return Screening::OutOfScope;
            }
        }
        let (mut slack, mut tie, mut lacks_value) = (f64::INFINITY, false, false);
        for claim in &self.sides.claims {
            let [Some(left), Some(right)] = claim.sides(environment) else {
                lacks_value = true;
                continue;
            };
            match margin(claim.relation(), left, right) {
                Some(broken) if broken > 0.0 => return Screening::Broken(broken),
                Some(holds) => slack = slack.min(-holds),
                None => {
                    slack = 0.0;
                    tie |= matches!(claim.relation(), Relation::Less | Relation::Greater);
                }
            }
        }
        // A model on which a claim has no value is no evidence for it.
        match (tie, lacks_value || slack.is_infinite()) {
            (true, _) => Screening::Tie,
            (_, true) => Screening::OutOfScope,
            _ => Screening::Holds(slack),
        }
    }
}

/// The amount by which a relation fails, net of errors: negative if it holds, `None` if the errors leave it open. A strict relation does
/// not hold where the sides may be equal.
fn margin(relation: Relation, left: Interval, right: Interval) -> Option<f64> {
    let over = |a: Interval, b: Interval, strict: bool| match (a.lo() - b.hi(), b.lo() - a.hi()) {
        (broken, _) if broken > 0.0 => Some(broken),
        (_, holds) if holds > 0.0 || (holds == 0.0 && !strict) => Some(-holds),
        _ => None,
    };
    match relation {
        Relation::AtMost => over(left, right, false),
        Relation::Less => over(left, right, true),
        Relation::AtLeast => over(right, left, false),
        Relation::Greater => over(right, left, true),
        Relation::Equal => {
            [over(left, right, false), over(right, left, false)].into_iter().flatten().find(|broken| *broken > 0.0)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strict_relations_do_not_hold_where_sides_tie() {
        let point = |value: f64| Interval::from(value);
        assert_eq!(margin(Relation::Less, point(0.0), point(0.0)), None);
        assert_eq!(margin(Relation::Greater, Interval::new(0.0, 1e-32), point(0.0)), None);
        assert_eq!(margin(Relation::AtMost, point(0.0), point(0.0)), Some(-0.0));
        assert_eq!(margin(Relation::Less, point(0.0), point(1.0)), Some(-1.0));
        assert_eq!(margin(Relation::Less, point(1.0), point(0.0)), Some(1.0));
    }
}
