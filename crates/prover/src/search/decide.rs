//! Statements decided on given models: at the exact level where it serves, else by enclosures that do not overlap.

use super::assignments;
use super::membership::is_member;
use super::scalar::Scalar;
use super::value::{Assignment, ComparedSides, Environment, Sides};
use crate::statement::Statement;
use rocproof_arith::{Interval, Rational};
use rocproof_engine::calculus::quantity::Quantity;
use rocproof_engine::functional::ExactValue;
use rocproof_engine::functional::question::Questions;
use rocproof_engine::functional::{Cost, Value};
use rocproof_engine::model::{Model, Piecewise};

/// The width that enclosures of values aim at.
const WIDTH: f64 = 1e-12;
/// Densities of a higher degree are enclosed first: the exact level is slow on them.
const LARGEST_DEGREE: usize = 12;
/// The most scores of a model that are tried as thresholds.
const MOST_SCORES: usize = 24;

/// Whether a statement holds on given models.
#[derive(Clone, Debug)]
pub enum Decision {
    /// All claims hold.
    Holds {
        /// Both sides of each claim, under the first assignment that was tried.
        sides: Vec<[Value; 2]>,
        /// Whether the statement has parameters or an open distribution of operating conditions, so that only some values were tried.
        sampled: bool,
    },
    /// A claim fails.
    Fails(Box<FailedClaim>),
    /// The statement says nothing about these models.
    OutOfScope {
        /// The supposition that they do not meet.
        why: String,
    },
    /// Neither could be shown.
    Unknown,
}

/// A claim that fails, with the values that show it.
#[derive(Clone, Debug)]
pub struct FailedClaim {
    /// Its index among the claims.
    pub claim: usize,
    /// Both sides.
    pub sides: [Value; 2],
    /// The values of the parameters.
    pub parameters: Vec<(String, Rational)>,
    /// The value of `w`, if the statement leaves it open.
    pub cost: Option<Cost>,
}

impl FailedClaim {
    /// A claim that fails under an assignment, with the values of its sides.
    fn new(compiled: &Sides, assignment: &Assignment, claim: usize, sides: [Value; 2]) -> FailedClaim {
        let parameters = compiled.parameters.iter().cloned().zip(assignment.numbers.iter().cloned()).collect();
        FailedClaim { claim, sides, parameters, cost: compiled.open_cost.then(|| assignment.cost.clone()) }
    }
}

/// Encloses the answers to questions about a model; `None` where an answer has no enclosure.
pub fn enclose_answers(questions: &Questions, model: &Model) -> Option<Vec<Option<Interval>>> {
    let answers = questions.certified(model, WIDTH).ok()?;
    Some(answers.into_iter().map(Result::ok).collect())
}

/// Whether the claims of a statement hold.
#[derive(Clone, Copy, PartialEq)]
enum Outcome {
    /// All claims hold.
    AllHold,
    /// A claim fails: the first, by its index.
    Fails(usize),
    /// Neither is shown, or a supposition is not shown to hold.
    Undecided,
}

/// The comparisons of a statement, evaluated on models under one assignment.
struct Findings {
    /// Whether the claims hold.
    outcome: Outcome,
    /// Both sides of each claim.
    sides: Vec<[Option<Value>; 2]>,
    /// The first premise or condition that fails.
    unmet: Option<usize>,
    /// Whether all premises and conditions are shown to hold.
    all_supposed: bool,
}

impl Findings {
    /// Whether they settle the statement: the claims hold, one fails, or a supposition fails.
    fn are_decisive(&self) -> bool {
        self.outcome != Outcome::Undecided || self.unmet.is_some()
    }
}

/// Evaluates the comparisons of a statement; `report` turns a side into the value that is reported, if it has one.
fn compare<S: Scalar>(sides: &Sides, environment: Environment<S>, report: impl Fn(S) -> Option<Value>) -> Findings {
    // Conditions on proportions and parameters alone are decided exactly, at whatever level functionals are known.
    let plain = Environment::<Quantity> { pi0: environment.pi0, assignment: environment.assignment, values: &[] };
    let holds = |c: &ComparedSides| match c.is_plain() {
        true => c.holds(plain).or_else(|| c.holds(environment)),
        false => c.holds(environment),
    };
    let supposed: Vec<Option<bool>> = sides.supposed.iter().map(holds).collect();
    let claims: Vec<Option<bool>> = sides.claims.iter().map(|c| c.holds(environment)).collect();
    let all_supposed = supposed.iter().all(|holds| *holds == Some(true));
    let outcome = match claims.iter().position(|holds| *holds == Some(false)) {
        _ if !all_supposed => Outcome::Undecided,
        Some(claim) => Outcome::Fails(claim),
        None if claims.iter().all(|holds| *holds == Some(true)) => Outcome::AllHold,
        None => Outcome::Undecided,
    };
    Findings {
        outcome,
        sides: sides.claims.iter().map(|c| c.sides(environment).map(|side| side.and_then(&report))).collect(),
        unmet: supposed.iter().position(|holds| *holds == Some(false)),
        all_supposed,
    }
}

/// A statement compiled for one assignment, with the models that it is evaluated on.
struct Evaluator<'a> {
    sides: &'a Sides,
    models: &'a [Model],
    assignment: &'a Assignment,
    /// The questions about each model.
    questions: Vec<Questions>,
}

impl Evaluator<'_> {
    /// Evaluates the comparisons at some level: `answer` gives the answers to questions about a model, `report` the value of a side. `None`
    /// if a model cannot be evaluated at that level.
    fn compare<S: Scalar>(
        &self,
        answer: impl Fn(&Questions, &Model) -> Option<Vec<Option<S>>>,
        report: impl Fn(S) -> Option<Value>,
    ) -> Option<Findings> {
        let asked = self.questions.iter().zip(self.models);
        let answers: Vec<Vec<Option<S>>> =
            asked.map(|(questions, model)| answer(questions, model)).collect::<Option<_>>()?;
        let values: Vec<&[Option<S>]> = answers.iter().map(Vec::as_slice).collect();
        let pi0 = self.models.first()?.pi0();
        Some(compare(self.sides, Environment { pi0, assignment: self.assignment, values: &values }, report))
    }

    /// Evaluates the comparisons at the exact level.
    fn exactly(&self) -> Option<Findings> {
        let exact_value = |side: Quantity| ExactValue::new(side).map(|exact| Value::Exact(Box::new(exact)));
        self.compare(exact_answers, exact_value)
    }

    /// Evaluates the comparisons at the certified level.
    fn by_enclosures(&self) -> Option<Findings> {
        self.compare(enclose_answers, |side| Some(Value::Certified(side, None)))
    }
}

/// The exact answers to questions about a model; `None` where an answer is not exact.
fn exact_answers(questions: &Questions, model: &Model) -> Option<Vec<Option<Quantity>>> {
    Some(questions.exact(model).ok()?.into_iter().map(Result::ok).collect())
}

/// Evaluates the comparisons of a statement on models under an assignment: exactly, and by enclosures where that does not decide. `None` if
/// the models cannot be evaluated.
fn evaluate(sides: &Sides, models: &[Model], assignment: &Assignment) -> Option<Findings> {
    let questions = (0..sides.models()).map(|k| Questions::new(&sides.questions(k, assignment)).ok());
    let evaluator = Evaluator { sides, models, assignment, questions: questions.collect::<Option<_>>()? };
    // The exact level is slow on polynomials of high degree, so enclosures come first there.
    if models.iter().any(|model| degree(model).is_none_or(|degree| degree > LARGEST_DEGREE)) {
        return evaluator.by_enclosures().filter(Findings::are_decisive).or_else(|| evaluator.exactly());
    }
    let exact = evaluator.exactly();
    if exact.as_ref().is_some_and(Findings::are_decisive) {
        return exact;
    }
    // A side that has an exact value is shown by it, even where enclosures decide.
    let mut findings = evaluator.by_enclosures()?;
    for (sides, exact) in findings.sides.iter_mut().zip(exact.into_iter().flat_map(|exact| exact.sides)) {
        for (side, exact) in sides.iter_mut().zip(exact) {
            *side = exact.or_else(|| side.take());
        }
    }
    Some(findings)
}

/// The values of the left-hand sides of the claims on a model, if all of them are rational.
pub fn rational_sides(sides: &Sides, model: &Model, assignment: &Assignment) -> Option<Vec<Rational>> {
    let questions = Questions::new(&sides.questions(0, assignment)).ok()?;
    let exact = exact_answers(&questions, model)?;
    let environment = Environment { pi0: model.pi0(), assignment, values: &[exact.as_slice()] };
    sides.claims.iter().map(|claim| claim.sides(environment)[0].as_ref()?.as_rational().cloned()).collect()
}

/// The larger degree of the two densities, if both are piecewise polynomial.
fn degree(model: &Model) -> Option<usize> {
    let degree_of = |class: usize| model.density(class).piecewise().ok().map(|density| density.degree());
    Some(degree_of(0)?.max(degree_of(1)?))
}

/// Whether models and an assignment are in the scope of a statement, premises and conditions apart: rates lie in [0, 1], the scale of
/// scores has a positive length if the statement supposes a scale, and the models are in the classes and share one class proportion.
fn is_in_scope(statement: &Statement, sides: &Sides, models: &[Model], assignment: &Assignment) -> bool {
    let in_domain = |is_rate: &bool, number: &Rational| !is_rate || (Rational::ZERO..=Rational::ONE).contains(number);
    let has_point_scale = |model: &Model| {
        let (l, h) = model.curve().range;
        l >= h
    };
    let is_in_classes = |model: &Model| statement.classes.iter().all(|class| is_member(model, *class) == Some(true));
    // Every functional of the statement must apply, also those of other claims.
    let applies = |model: &Model| statement.scores().refusal(model.curve().range).is_none();
    models.iter().all(applies)
        && sides.rates.iter().zip(&assignment.numbers).all(|(is_rate, number)| in_domain(is_rate, number))
        && !(statement.supposes_scale() && models.iter().any(has_point_scale))
        && models.iter().all(|model| model.pi0() == models[0].pi0())
        && models.iter().all(is_in_classes)
}

/// The first claim that is shown to fail on models under an assignment. `None` if none is, or if a supposition is not shown to hold.
pub fn failed_claim(
    statement: &Statement,
    sides: &Sides,
    models: &[Model],
    assignment: &Assignment,
) -> Option<FailedClaim> {
    let findings = evaluate(sides, models, assignment)?;
    let Outcome::Fails(claim) = findings.outcome else { return None };
    let [Some(left), Some(right)] = findings.sides.into_iter().nth(claim)? else { return None };
    is_in_scope(statement, sides, models, assignment).then(|| FailedClaim::new(sides, assignment, claim, [left, right]))
}

/// Whether models under an assignment are shown to satisfy all that a statement supposes, and its claims have values on them.
pub fn satisfies_premises(statement: &Statement, sides: &Sides, models: &[Model], assignment: &Assignment) -> bool {
    let has_values = |findings: &Findings| findings.sides.iter().flatten().all(Option::is_some);
    let satisfied =
        evaluate(sides, models, assignment).is_some_and(|findings| findings.all_supposed && has_values(&findings));
    satisfied && is_in_scope(statement, sides, models, assignment)
}

/// Decides a statement on given models, one for each that it speaks of. Its parameters take simple values and the critical scores of the
/// models; a statement that holds for these may fail for others.
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
    let are_members = match are_members(statement, &sides, models) {
        Ok(are_members) => are_members,
        Err(why) => return Decision::OutOfScope { why },
    };
    let supposed: Vec<String> =
        statement.premises.iter().chain(&statement.conditions).map(ToString::to_string).collect();
    let out_of_scope = |k: usize| Decision::OutOfScope { why: format!("{} does not hold", supposed[k]) };
    // Suppositions about class proportions alone are decided first: they would leave no assignment to try.
    let no_parameters = Assignment { numbers: Vec::new(), cost: Cost::uniform() };
    let environment = Environment::<Interval> { pi0: models[0].pi0(), assignment: &no_parameters, values: &[] };
    if let Some(k) = sides.supposed.iter().position(|c| c.is_plain() && c.holds(environment) == Some(false)) {
        return out_of_scope(k);
    }
    let pi0 = models[0].pi0().as_rational().unwrap_or(Rational::ONE / Rational::from(2));
    // Whether nothing was left undecided so far; the sides under the first assignment where all claims hold; the last supposition that fails.
    let (mut all_decided, mut first_values, mut unmet) = (are_members, None, None);
    for assignment in assignments::assignments(&sides, &pi0, &critical_scores(models)) {
        let Some(findings) = evaluate(&sides, models, &assignment) else {
            all_decided = false;
            continue;
        };
        if let Some(k) = findings.unmet {
            unmet = Some(k);
            continue;
        }
        let both_sides = findings.sides.into_iter().map(|[left, right]| Some([left?, right?]));
        let values: Option<Vec<[Value; 2]>> = both_sides.collect();
        match (findings.outcome, values) {
            (Outcome::Fails(claim), Some(values)) if all_decided => {
                let values = values[claim].clone();
                return Decision::Fails(Box::new(FailedClaim::new(&sides, &assignment, claim, values)));
            }
            (Outcome::AllHold, Some(values)) => {
                first_values.get_or_insert(values);
            }
            _ => all_decided = false,
        }
    }
    match (first_values, unmet) {
        (Some(values), _) if all_decided => {
            let sampled = !sides.parameters.is_empty() || sides.open_cost;
            Decision::Holds { sides: values, sampled }
        }
        (None, Some(k)) if all_decided => out_of_scope(k),
        _ => Decision::Unknown,
    }
}

/// Whether models are shown to be in the classes of a statement; `false` if that is undecided for one. The error says why the statement is
/// not about them.
fn are_members(statement: &Statement, sides: &Sides, models: &[Model]) -> Result<bool, String> {
    if models.len() != sides.models() {
        return Err(format!("{} models are needed, and {} given", sides.models(), models.len()));
    }
    if models.iter().any(|model| model.pi0() != models[0].pi0()) {
        return Err("the models do not share one class proportion".to_owned());
    }
    let mut all_shown = true;
    for class in &statement.classes {
        for model in models {
            match is_member(model, *class) {
                Some(true) => {}
                Some(false) => return Err(format!("{} is not {}", model.name(), class.name())),
                None => all_shown = false,
            }
        }
    }
    Ok(all_shown)
}

/// The ends of pieces and the atoms of given models, then the midpoints between neighbours among them; at most [`MOST_SCORES`].
fn critical_scores(models: &[Model]) -> Vec<Rational> {
    let scores_of = |density: &Piecewise| -> Vec<Rational> {
        let ends = density.pieces.iter().flat_map(|piece| [piece.lo.clone(), piece.hi.clone()]);
        ends.chain(density.atoms.iter().map(|(at, _)| at.clone())).collect()
    };
    let densities = models.iter().flat_map(|model| [0, 1].map(|class| model.density(class)));
    let mut scores: Vec<Rational> =
        densities.filter_map(|density| density.piecewise().ok()).flat_map(scores_of).collect();
    scores.sort();
    scores.dedup();
    let midpoints: Vec<Rational> = scores.windows(2).map(|pair| (&pair[0] + &pair[1]) / Rational::from(2)).collect();
    scores.into_iter().chain(midpoints).take(MOST_SCORES).collect()
}
