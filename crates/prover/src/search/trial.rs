//! Statements tried on models in floating point: which models break one, and by how much.

use super::assignments;
use super::recipe::Recipe;
use super::shape::ModelText;
use super::value::{Assignment, ComparedSides, Environment, Sides};
use crate::statement::{Functional, Statement};
use rocproof_arith::{Interval, Rational};
use rocproof_engine::constant::Constant;
use rocproof_engine::functional::question::{Question, Questions};
use rocproof_engine::model::Model;
use rocproof_language::Relation;
use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

/// A statement made ready to be tried.
pub struct Trial<'a> {
    /// The statement.
    pub statement: &'a Statement,
    /// Its sides.
    pub sides: Sides,
    /// What is asked under each class proportion; under all, if conditions on parameters do not speak of it.
    ready: Mutex<HashMap<String, Option<Arc<PreparedQuestions>>>>,
    depends: bool,
    /// Whether hulls are needed.
    hulls: bool,
    /// In how many assignments the last model was tried.
    assignments: AtomicUsize,
}

/// How many simple models are as much work as one of a family of densities, and as one whose hull is needed.
const OF_FAMILY: usize = 8;
const OF_HULL: usize = 3;
/// How many assignments are as much work as one.
const SETTINGS: usize = 8;

/// Questions about each model in all assignments.
struct PreparedQuestions {
    assignments: Vec<Assignment>,
    /// The questions of each model, each asked once.
    questions: Vec<Questions>,
    /// Where the values of each model in each assignment are among the answers.
    places: Vec<Vec<Vec<usize>>>,
}

/// How a statement screen_recipes on models in a assignment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Screening {
    /// It does not speak of these models, or has no value.
    OutOfScope,
    /// It holds, and by so much; the sides of an equation are alike to within the error.
    Holds(f64),
    /// Both sides of a strict inequality are alike to within the error.
    Tie,
    /// It is broken, by so much.
    Broken(f64),
}

/// The values of a model in every assignment.
pub struct Values {
    ready: Arc<PreparedQuestions>,
    pi0: Constant,
    /// For each model of the statement that it may stand for, and each assignment.
    answers: Vec<Vec<Vec<Option<Interval>>>>,
}

impl Values {
    /// The assignments.
    pub fn assignments(&self) -> &[Assignment] {
        &self.ready.assignments
    }

    /// The proportion of class 0.
    pub fn pi0(&self) -> &Constant {
        &self.pi0
    }
}

fn ready(sides: &Sides, pi0: &Rational) -> Option<PreparedQuestions> {
    of_settings(sides, assignments::assignments(sides, pi0, &[]))
}

fn of_settings(sides: &Sides, assignments: Vec<Assignment>) -> Option<PreparedQuestions> {
    let (mut questions, mut places) = (Vec::new(), Vec::new());
    for model in 0..sides.models() {
        let mut distinct: Vec<Question> = Vec::new();
        let mut place = |question: Question| {
            distinct.iter().position(|known| *known == question).unwrap_or_else(|| {
                distinct.push(question);
                distinct.len() - 1
            })
        };
        let in_setting =
            |assignment: &Assignment| sides.questions(model, assignment).into_iter().map(&mut place).collect();
        places.push(assignments.iter().map(in_setting).collect());
        questions.push(Questions::new(&distinct).ok()?);
    }
    Some(PreparedQuestions { assignments, questions, places })
}

impl<'a> Trial<'a> {
    /// Makes a statement ready.
    pub fn new(statement: &'a Statement) -> Trial<'a> {
        let sides = Sides::new(statement);
        let parameters = 0..sides.parameters.len();
        let coupled = |c: &ComparedSides| c.speaks_of_proportions() && parameters.clone().any(|k| c.speaks_of(k));
        let depends = sides.supposed.iter().any(coupled);
        let hulls = statement.functionals().into_iter().any(Functional::reads_hull);
        Trial { statement, sides, ready: Mutex::default(), depends, hulls, assignments: AtomicUsize::new(1) }
    }

    fn ready(&self, pi0: &Rational) -> Option<Arc<PreparedQuestions>> {
        let key = if self.depends { pi0.to_string() } else { String::new() };
        let mut known = self.ready.lock().unwrap_or_else(PoisonError::into_inner);
        let ready = known.entry(key).or_insert_with(|| ready(&self.sides, pi0).map(Arc::new)).clone();
        self.assignments.fetch_max(ready.as_ref().map_or(1, |ready| ready.assignments.len()), Relaxed);
        ready
    }

    /// The values of a model in all assignments, as any of the models of the statement.
    pub fn values(&self, texts: &ModelText) -> Option<Values> {
        let model = texts.model()?;
        self.values_in(&model, self.ready(model.pi0().exact.as_ref()?)?)
    }

    fn values_in(&self, model: &Model, ready: Arc<PreparedQuestions>) -> Option<Values> {
        let answers = ready
            .questions
            .iter()
            .zip(&ready.places)
            .map(|(questions, places)| {
                let answers: Vec<Option<Interval>> = questions
                    .numeric(model)
                    .iter()
                    .map(|value| value.estimate().map(|e| Interval::around(e.value, e.error)))
                    .collect();
                places.iter().map(|places| places.iter().map(|k| answers[*k]).collect()).collect()
            })
            .collect();
        Some(Values { ready, pi0: model.pi0().clone(), answers })
    }

    /// How models fare in one assignment, by its place.
    pub fn screen(&self, models: &[&Values], assignment: usize) -> Screening {
        let Some(first) = models.first() else { return Screening::OutOfScope };
        if models.iter().any(|other| other.pi0 != first.pi0) {
            return Screening::OutOfScope;
        }
        let values: Vec<&[Option<Interval>]> =
            models.iter().enumerate().map(|(k, of)| of.answers[k][assignment].as_slice()).collect();
        self.screen_values(Environment {
            pi0: &first.pi0,
            assignment: &first.ready.assignments[assignment],
            values: &values,
        })
    }

    /// Whether a model may meet all that is supposed, in a assignment by its place.
    pub fn may_meet(&self, values: &Values, assignment: usize) -> bool {
        let of = [values.answers[0][assignment].as_slice()];
        let given = Environment { pi0: &values.pi0, assignment: &values.ready.assignments[assignment], values: &of };
        self.sides.supposed.iter().all(|supposed| match supposed.sides(given) {
            [Some(left), Some(right)] => margin(supposed.relation(), left, right).is_none_or(|broken| broken <= 0.0),
            _ => false,
        })
    }

    /// How models fare in one assignment that need not be among the simple ones.
    pub fn screen_recipes(&self, recipes: &[Recipe], assignment: &Assignment) -> Screening {
        let Some(ready) = of_settings(&self.sides, vec![assignment.clone()]).map(Arc::new) else {
            return Screening::OutOfScope;
        };
        let values: Option<Vec<Values>> =
            recipes.iter().map(|recipe| self.values_in(&recipe.build()?.text().model()?, ready.clone())).collect();
        values.map_or(Screening::OutOfScope, |values| self.screen(&values.iter().collect::<Vec<_>>(), 0))
    }

    /// About how many simple models are as much work as trying this one.
    pub fn work(&self, recipe: &Recipe) -> usize {
        let assignments = self.assignments.load(Relaxed).max(1);
        let of_family = if matches!(recipe, Recipe::Named { .. }) { OF_FAMILY } else { 1 };
        let of_hull = if self.hulls { OF_HULL } else { 1 };
        of_family * of_hull * assignments.div_ceil(SETTINGS)
    }

    fn screen_values(&self, given: Environment<Interval>) -> Screening {
        for supposed in &self.sides.supposed {
            let [Some(left), Some(right)] = supposed.sides(given) else { return Screening::OutOfScope };
            let is_strict = matches!(supposed.relation(), Relation::Less | Relation::Greater);
            if margin(supposed.relation(), left, right).map_or(is_strict, |broken| broken > 0.0) {
                return Screening::OutOfScope;
            }
        }
        let (mut slack, mut tie, mut lacks) = (f64::INFINITY, false, false);
        for claim in &self.sides.claims {
            let [Some(left), Some(right)] = claim.sides(given) else {
                lacks = true;
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
        // A model on which a claim has no value says nothing for it.
        match (tie, lacks || slack.is_infinite()) {
            (true, _) => Screening::Tie,
            (_, true) => Screening::OutOfScope,
            _ => Screening::Holds(slack),
        }
    }
}

/// By how much a relation is broken, errors taken off; negative if it holds, `None` if the errors leave it open. A strict relation does
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
