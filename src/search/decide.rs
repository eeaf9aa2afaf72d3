//! Statements decided on given models: exactly where that is to be had, else by enclosures that do not overlap.

use super::membership::is_member;
use super::scalar::Scalar;
use super::settings;
use super::value::{Given, Setting, Sides};
use crate::arith::{Interval, Rational};
use crate::calculus::quantity::Quantity;
use crate::functional::Value;
use crate::functional::question::Questions;
use crate::functional::settled::Settled;
use crate::model::Model;
use crate::statement::Statement;

/// How narrow enclosures are meant to be.
const WIDTH: f64 = 1e-12;
/// The largest degree of a polynomial density that is decided exactly before it is enclosed.
const LARGEST_DEGREE: usize = 12;

/// How a statement turns out on given models.
#[derive(Clone, Debug)]
pub enum Decision {
    /// All claims hold, in every setting that was looked at.
    Holds {
        /// Both sides of each claim, in the first setting.
        sides: Vec<[Value; 2]>,
    },
    /// A claim fails.
    Fails(Failure),
    /// The models are not what the statement is about.
    Beside {
        /// What they are not.
        why: String,
    },
    /// It could not be told.
    Unknown,
}

/// A claim that fails.
#[derive(Clone, Debug)]
pub struct Failure {
    /// Which of the claims.
    pub claim: usize,
    /// Both sides of it.
    pub sides: [Value; 2],
    /// What stands for the parameters.
    pub setting: Setting,
}

/// The values of the questions, enclosed; `None` where one has no enclosure.
pub fn certified(questions: &Questions, model: &Model) -> Option<Vec<Option<Interval>>> {
    let found = questions.certified(model, WIDTH).ok()?;
    Some(found.into_iter().map(Result::ok).collect())
}

/// What is known of a comparison or of all of them.
struct Known {
    /// The first claim that fails, if it is known that all that is supposed holds; `Ok` if all claims hold.
    outcome: Option<Result<(), usize>>,
    sides: Vec<[Option<Value>; 2]>,
    /// What is supposed and fails.
    beside: Option<usize>,
}

fn known<S: Scalar>(sides: &Sides, given: Given<S>, shown: impl Fn(S) -> Option<Value>) -> Known {
    let supposed: Vec<Option<bool>> = sides.supposed.iter().map(|c| c.holds(given)).collect();
    let claims: Vec<Option<bool>> = sides.claims.iter().map(|c| c.holds(given)).collect();
    let all_supposed = supposed.iter().all(|holds| *holds == Some(true));
    let outcome = match claims.iter().position(|holds| *holds == Some(false)) {
        Some(claim) => Some(Err(claim)),
        None => claims.iter().all(|holds| *holds == Some(true)).then_some(Ok(())),
    };
    Known {
        outcome: outcome.filter(|_| all_supposed),
        sides: sides.claims.iter().map(|c| c.sides(given).map(|side| side.and_then(&shown))).collect(),
        beside: supposed.iter().position(|holds| *holds == Some(false)),
    }
}

/// What is known of models in one setting.
fn in_setting(sides: &Sides, models: &[Model], setting: &Setting) -> Option<Known> {
    let questions: Vec<Questions> =
        (0..sides.models()).map(|k| Questions::new(&sides.questions(k, setting)).ok()).collect::<Option<_>>()?;
    let pi0 = models.first()?.pi0();
    let asked = || questions.iter().zip(models);
    let exactly = || {
        let exact = |(q, model): (&Questions, &Model)| Some(q.exact(model).ok()?.into_iter().map(Result::ok).collect());
        let exact: Vec<Vec<Option<Quantity>>> = asked().map(exact).collect::<Option<_>>()?;
        let values: Vec<&[Option<Quantity>]> = exact.iter().map(Vec::as_slice).collect();
        let settled = |side: Quantity| Settled::new(side).map(|settled| Value::Settled(Box::new(settled)));
        Some(known(sides, Given { pi0, setting, values: &values }, settled))
    };
    let enclosed = || {
        let enclosed: Vec<Vec<Option<Interval>>> =
            asked().map(|(q, model)| certified(q, model)).collect::<Option<_>>()?;
        let values: Vec<&[Option<Interval>]> = enclosed.iter().map(Vec::as_slice).collect();
        Some(known(sides, Given { pi0, setting, values: &values }, |side| Some(Value::Certified(side, None))))
    };
    let decided = |found: &Known| found.outcome.is_some() || found.beside.is_some();
    // Polynomials of high degree take their time exactly.
    if models.iter().any(|model| degree(model).is_none_or(|degree| degree > LARGEST_DEGREE)) {
        return enclosed().filter(decided).or_else(exactly);
    }
    exactly().filter(decided).or_else(enclosed)
}

/// The degree of the densities, if they are piecewise polynomial.
fn degree(model: &Model) -> Option<usize> {
    let of = |class: usize| model.density(class).piecewise().ok().map(|density| density.degree());
    Some(of(0)?.max(of(1)?))
}

/// The claim that fails on models in a setting, if one is shown to, and all that is supposed is shown to hold.
pub fn failure(statement: &Statement, sides: &Sides, models: &[Model], setting: &Setting) -> Option<Failure> {
    let found = in_setting(sides, models, setting)?;
    let Some(Err(claim)) = found.outcome else { return None };
    let [Some(left), Some(right)] = found.sides.into_iter().nth(claim)? else { return None };
    let within = |model: &Model| statement.classes.iter().all(|class| is_member(model, *class) == Some(true));
    let one_proportion = models.iter().all(|model| model.pi0() == models[0].pi0());
    (one_proportion && models.iter().all(within)).then(|| Failure {
        claim,
        sides: [left, right],
        setting: setting.clone(),
    })
}

/// Decides a statement on given models, one for each that it speaks of. Its parameters take simple values, and the scores of interest;
/// that it holds for all of those says nothing of others.
///
/// ```
/// use rocproof::{Model, search::{Decision, examine}, statement::Statement};
/// let model = Model::new("2*(1-x)", "2*x", "1/2")?;
/// let brier_score = Statement::parse("BS == 1/6")?;
/// assert!(matches!(examine(&brier_score, &[model]), Decision::Holds { .. }));
/// # Ok::<(), rocproof::lang::Diagnostic>(())
/// ```
pub fn examine(statement: &Statement, models: &[Model]) -> Decision {
    let sides = Sides::new(statement);
    if models.len() != sides.models() {
        let why = format!("{} models are needed, and {} given", sides.models(), models.len());
        return Decision::Beside { why };
    }
    if models.iter().any(|model| model.pi0() != models[0].pi0()) {
        return Decision::Beside { why: "the models do not share one class proportion".to_owned() };
    }
    let mut clear = true;
    for class in &statement.classes {
        for model in models {
            match is_member(model, *class) {
                Some(true) => {}
                Some(false) => return Decision::Beside { why: format!("{} is not {}", model.name(), class.name()) },
                None => clear = false,
            }
        }
    }
    let pi0 = models[0].pi0().as_rational().unwrap_or(Rational::ONE / Rational::from(2));
    let supposed: Vec<String> =
        statement.premises.iter().chain(&statement.conditions).map(ToString::to_string).collect();
    let (mut shown, mut beside) = (None, None);
    for setting in settings::settings(&sides, &pi0) {
        let Some(found) = in_setting(&sides, models, &setting) else {
            clear = false;
            continue;
        };
        if let Some(k) = found.beside {
            beside = supposed.get(k).cloned();
            continue;
        }
        let values = found.sides.into_iter().map(|[left, right]| Some([left?, right?]));
        let values: Option<Vec<[Value; 2]>> = values.collect();
        match (found.outcome, values) {
            (Some(Err(claim)), Some(values)) if clear => {
                let sides = values[claim].clone();
                return Decision::Fails(Failure { claim, sides, setting });
            }
            (Some(Ok(())), Some(values)) => {
                shown.get_or_insert(values);
            }
            _ => clear = false,
        }
    }
    match (shown, beside) {
        (Some(sides), _) if clear => Decision::Holds { sides },
        (None, Some(condition)) if clear => Decision::Beside { why: format!("{condition} does not hold") },
        _ => Decision::Unknown,
    }
}
