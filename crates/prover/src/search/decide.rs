//! Statements decided on given models: exactly where that is to be had, else by enclosures that do not overlap.

use super::membership::is_member;
use super::scalar::Scalar;
use super::settings;
use super::value::{Compared, Given, Setting, Sides};
use crate::statement::Statement;
use rocproof_arith::{Interval, Rational};
use rocproof_engine::calculus::quantity::Quantity;
use rocproof_engine::functional::question::Questions;
use rocproof_engine::functional::settled::Settled;
use rocproof_engine::functional::{Cost, Value};
use rocproof_engine::model::{Model, Piecewise};

/// How narrow enclosures are meant to be.
const WIDTH: f64 = 1e-12;
/// The largest degree of a polynomial density that is decided exactly before it is enclosed.
const LARGEST_DEGREE: usize = 12;
/// How many scores of a model are looked at as thresholds.
const MOST_PLACES: usize = 24;

/// How a statement turns out on given models.
#[derive(Clone, Debug)]
pub enum Decision {
    /// All claims hold.
    Holds {
        /// Both sides of each claim; with the first values of the parameters, if there are any.
        sides: Vec<[Value; 2]>,
        /// Whether it speaks of parameters or of a distribution of operating conditions, for which only some values were looked at.
        sampled: bool,
    },
    /// A claim fails.
    Fails(Box<Failure>),
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
    pub parameters: Vec<(String, Rational)>,
    /// What stands for `w`, if the statement speaks of it.
    pub cost: Option<Cost>,
}

impl Failure {
    fn new(of: &Sides, setting: &Setting, claim: usize, sides: [Value; 2]) -> Failure {
        let parameters = of.parameters.iter().cloned().zip(setting.numbers.iter().cloned()).collect();
        Failure { claim, sides, parameters, cost: of.open_cost.then(|| setting.cost.clone()) }
    }
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
    /// Whether all that is supposed holds.
    supposed: bool,
}

fn known<S: Scalar>(sides: &Sides, given: Given<S>, shown: impl Fn(S) -> Option<Value>) -> Known {
    // Conditions on proportions and parameters alone are decided exactly, whatever functionals are known to.
    let plain = Given::<Quantity> { pi0: given.pi0, setting: given.setting, values: &[] };
    let holds = |c: &Compared| if c.is_plain() { c.holds(plain).or_else(|| c.holds(given)) } else { c.holds(given) };
    let supposed: Vec<Option<bool>> = sides.supposed.iter().map(holds).collect();
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
        supposed: all_supposed,
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
    let exact = exactly();
    if exact.as_ref().is_some_and(decided) {
        return exact;
    }
    // One side may be a number that is written out all the same.
    let mut found = enclosed()?;
    for (sides, exact) in found.sides.iter_mut().zip(exact.into_iter().flat_map(|exact| exact.sides)) {
        for (side, exact) in sides.iter_mut().zip(exact) {
            *side = exact.or_else(|| side.take());
        }
    }
    Some(found)
}

/// The left-hand sides of the claims on a model, where all of them are rational.
pub fn rational_sides(sides: &Sides, model: &Model, setting: &Setting) -> Option<Vec<Rational>> {
    let questions = Questions::new(&sides.questions(0, setting)).ok()?;
    let exact: Vec<Option<Quantity>> = questions.exact(model).ok()?.into_iter().map(Result::ok).collect();
    let given = Given { pi0: model.pi0(), setting, values: &[exact.as_slice()] };
    sides.claims.iter().map(|claim| claim.sides(given)[0].as_ref()?.as_rational().cloned()).collect()
}

/// The degree of the densities, if they are piecewise polynomial.
fn degree(model: &Model) -> Option<usize> {
    let of = |class: usize| model.density(class).piecewise().ok().map(|density| density.degree());
    Some(of(0)?.max(of(1)?))
}

/// Whether a statement speaks of models in a setting, its premises and conditions apart: rates lie on their scale, the scale of scores has
/// a length where it is spoken of, and the models are in the classes and share one proportion.
fn speaks_of(statement: &Statement, sides: &Sides, models: &[Model], setting: &Setting) -> bool {
    let on_scale = |rate: &bool, number: &Rational| !rate || (Rational::ZERO..=Rational::ONE).contains(number);
    let lengthless = |model: &Model| {
        let (l, h) = model.curve().range;
        l >= h
    };
    let within = |model: &Model| statement.classes.iter().all(|class| is_member(model, *class) == Some(true));
    // All that the statement speaks of must apply, whichever claim is looked at.
    let applies = |model: &Model| statement.scores().refusal(model.curve().range).is_none();
    models.iter().all(applies)
        && sides.rates.iter().zip(&setting.numbers).all(|(rate, number)| on_scale(rate, number))
        && !(statement.speaks_of_scale() && models.iter().any(lengthless))
        && models.iter().all(|model| model.pi0() == models[0].pi0())
        && models.iter().all(within)
}

/// The claim that fails on models in a setting, if one is shown to, and all that is supposed is shown to hold.
pub fn failure(statement: &Statement, sides: &Sides, models: &[Model], setting: &Setting) -> Option<Failure> {
    let found = in_setting(sides, models, setting)?;
    let Some(Err(claim)) = found.outcome else { return None };
    let [Some(left), Some(right)] = found.sides.into_iter().nth(claim)? else { return None };
    speaks_of(statement, sides, models, setting).then(|| Failure::new(sides, setting, claim, [left, right]))
}

/// Whether models are shown to meet all that a statement supposes, in a setting, and its claims have values on them.
pub fn meets(statement: &Statement, sides: &Sides, models: &[Model], setting: &Setting) -> bool {
    let has_values = |found: &Known| found.sides.iter().flatten().all(Option::is_some);
    let met = in_setting(sides, models, setting).is_some_and(|found| found.supposed && has_values(&found));
    met && speaks_of(statement, sides, models, setting)
}

/// Decides a statement on given models, one for each that it speaks of. Its parameters take simple values, and the scores of interest;
/// that it holds for all of those says nothing of others.
///
/// ```
/// use rocproof_engine::Model;
/// use rocproof_prover::{search::{Decision, examine}, statement::Statement};
/// let model = Model::new("2*(1-x)", "2*x", "1/2")?;
/// let brier_score = Statement::parse("BS == 1/6")?;
/// assert!(matches!(examine(&brier_score, &[model]), Decision::Holds { .. }));
/// # Ok::<(), rocproof_language::Diagnostic>(())
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
    let supposed: Vec<String> =
        statement.premises.iter().chain(&statement.conditions).map(ToString::to_string).collect();
    let unmet = |k: usize| Decision::Beside { why: format!("{} does not hold", supposed[k]) };
    let nothing = Setting { numbers: Vec::new(), cost: Cost::uniform() };
    let given = Given::<Interval> { pi0: models[0].pi0(), setting: &nothing, values: &[] };
    if let Some(k) = sides.supposed.iter().position(|c| c.is_plain() && c.holds(given) == Some(false)) {
        return unmet(k);
    }
    let pi0 = models[0].pi0().as_rational().unwrap_or(Rational::ONE / Rational::from(2));
    let (mut shown, mut beside) = (None, None);
    for setting in settings::settings(&sides, &pi0, &places(models)) {
        let Some(found) = in_setting(&sides, models, &setting) else {
            clear = false;
            continue;
        };
        if let Some(k) = found.beside {
            beside = Some(k);
            continue;
        }
        let values = found.sides.into_iter().map(|[left, right]| Some([left?, right?]));
        let values: Option<Vec<[Value; 2]>> = values.collect();
        match (found.outcome, values) {
            (Some(Err(claim)), Some(values)) if clear => {
                let values = values[claim].clone();
                return Decision::Fails(Box::new(Failure::new(&sides, &setting, claim, values)));
            }
            (Some(Ok(())), Some(values)) => {
                shown.get_or_insert(values);
            }
            _ => clear = false,
        }
    }
    match (shown, beside) {
        (Some(values), _) if clear => {
            let sampled = !sides.parameters.is_empty() || sides.open_cost;
            Decision::Holds { sides: values, sampled }
        }
        (None, Some(k)) if clear => unmet(k),
        _ => Decision::Unknown,
    }
}

/// The scores at which something happens in given models, and the middle between each two of them.
fn places(models: &[Model]) -> Vec<Rational> {
    let of = |density: &Piecewise| -> Vec<Rational> {
        let ends = density.pieces.iter().flat_map(|piece| [piece.lo.clone(), piece.hi.clone()]);
        ends.chain(density.atoms.iter().map(|(at, _)| at.clone())).collect()
    };
    let densities = models.iter().flat_map(|model| [0, 1].map(|class| model.density(class)));
    let mut found: Vec<Rational> = densities.filter_map(|density| density.piecewise().ok()).flat_map(of).collect();
    found.sort();
    found.dedup();
    let between: Vec<Rational> = found.windows(2).map(|pair| (&pair[0] + &pair[1]) / Rational::from(2)).collect();
    found.into_iter().chain(between).take(MOST_PLACES).collect()
}
