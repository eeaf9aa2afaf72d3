//! The audit of one claim: which question is put to the engine, and what the answer means for the claim.

use super::printed::{Digits, explain};
use super::{AuditedClaim, Evidence, Outcome};
use crate::arith::Rational;
use crate::arith::rational::to_f64;
use crate::functional::Value;
use crate::functional::{Request, evaluate};
use crate::lang::{Diagnostic, Source, parse};
use crate::model::Model;
use crate::model::constant::Constant;
use crate::paper;
use crate::paper::claim::{Check, Claim, Densities, Explanation, Kind, PrintedInterval, Subject};
use crate::search::{Decision, examine, is_member};
use crate::statement::{Class, Statement};
use crate::transform::ScoreInterval;
use crate::verdict::{self, Verdict};
use std::time::Duration;

/// The metrics in which two models are compared, in this order.
const COMPARED: [&str; 6] = ["BS", "MAE", "AUC", "RL", "RL_conv", "KS"];
/// Safety margin for ends of intervals that are known in floating point only.
const NUMERIC: f64 = 1e-9;

/// Whether the claim as written holds (`None` if that is open), and the evidence.
type Answer = (Option<bool>, Evidence);

/// Audits a claim. `all` are the claims of the paper: some of them say more about the same model.
pub(super) fn audit(claim: &Claim, all: &[Claim], time: Duration) -> AuditedClaim {
    let (holds, evidence) = match &claim.check {
        Check::Determined { unless } => check_uniqueness(claim, unless, all),
        Check::Statement(text) if claim.subject == Subject::Every => check_for_all_models(text, time),
        _ => match model_of(&claim.subject) {
            Ok(model) => check_on_model(&claim.check, model),
            Err(why) if claim.check == Check::Model => (Some(false), Evidence::NoModel(why)),
            Err(why) => (None, Evidence::Fault(why)),
        },
    };
    // A denied claim is right if its check fails.
    let outcome = match holds {
        None => Outcome::Undecided,
        Some(holds) if holds == claim.denied => Outcome::Refuted,
        Some(_) => confirmed_as(claim, &evidence),
    };
    AuditedClaim { claim: claim.clone(), outcome, evidence }
}

/// The outcome of a claim that is right, by the kind of its evidence.
fn confirmed_as(claim: &Claim, evidence: &Evidence) -> Outcome {
    let Evidence::Everywhere(_, Verdict::Proved(certificate)) = evidence else { return Outcome::Confirmed };
    let is_definition = claim.kind == Kind::Definition && certificate.integrates_nothing();
    if certificate.holds_by_reading() || is_definition { Outcome::ByDefinition } else { Outcome::Proved }
}

/// The model that a claim is about.
fn model_of(subject: &Subject) -> Result<Model, String> {
    let model = match subject {
        Subject::Worded(Densities { f0, f1, pi0 }) => {
            Model::new(f0, f1, pi0).map(|model| model.named("the densities as worded"))
        }
        Subject::Named(label) => paper::model(label).ok_or_else(|| format!("there is no model @{label}"))?,
        Subject::Every => return Err("it is about all models".to_owned()),
    };
    model.map_err(|why| why.message)
}

/// A statement about all models: proved or refuted.
fn check_for_all_models(text: &str, time: Duration) -> Answer {
    let statement = match Statement::parse(text) {
        Ok(statement) => statement,
        Err(why) => return (None, Evidence::Fault(why.to_string())),
    };
    let (verdict, _) = verdict::judge(&statement, time);
    let holds = match &verdict {
        Verdict::Proved(_) => Some(true),
        Verdict::Refuted(_) => Some(false),
        Verdict::Supported(_) | Verdict::Undecided(_) => None,
    };
    (holds, Evidence::Everywhere(statement, verdict))
}

/// A claim about one model.
fn check_on_model(check: &Check, model: Model) -> Answer {
    match check {
        Check::Statement(text) => match decide(text, &model) {
            Ok((statement, decision)) => (holds(&decision), Evidence::OnModel(model, statement, decision)),
            Err(why) => (None, Evidence::Fault(why.to_string())),
        },
        Check::Printed { value, printed, explained_by } => check_digits(model, value, printed, explained_by.as_ref()),
        Check::Intervals(printed) => check_intervals(model, printed),
        Check::Class(name) => match Class::named(name) {
            Some(Some(class)) => {
                let member = is_member(&model, class);
                (member, Evidence::Class(model, member))
            }
            _ => (None, Evidence::Fault(format!("there is no class `{name}`"))),
        },
        Check::Model => (Some(true), Evidence::Model(model)),
        Check::Determined { .. } => (None, Evidence::Fault("it takes two models".to_owned())),
    }
}

/// Decides a statement on a model.
fn decide(text: &str, model: &Model) -> Result<(Statement, Decision), Diagnostic> {
    let statement = Statement::parse(text)?;
    let decision = examine(&statement, std::slice::from_ref(model));
    Ok((statement, decision))
}

/// Whether a decision settles the statement, and how.
fn holds(decision: &Decision) -> Option<bool> {
    match decision {
        Decision::Holds { sampled: false, .. } => Some(true),
        Decision::Fails(_) => Some(false),
        Decision::Holds { .. } | Decision::OutOfScope { .. } | Decision::Unknown => None,
    }
}

/// Whether a value rounds to the printed digits.
fn check_digits(model: Model, value: &str, printed: &str, how: Option<&Explanation>) -> Answer {
    let Some(digits) = Digits::new(printed) else {
        return (None, Evidence::Fault(format!("`{printed}` is not a decimal number")));
    };
    let [low, high] = digits.bounds();
    let (statement, decision) = match decide(&format!("{low} <= {value} <= {high}"), &model) {
        Ok(decided) => decided,
        Err(why) => return (None, Evidence::Fault(why.to_string())),
    };
    // The value is on the right of comparison 0 and on the left of comparison 1.
    let computed: Option<Value> = match &decision {
        Decision::Holds { sides, .. } => sides.first().map(|[_, value]| value.clone()),
        Decision::Fails(failure) => Some(failure.sides[1 - failure.claim].clone()),
        Decision::OutOfScope { .. } | Decision::Unknown => None,
    };
    let holds = holds(&decision);
    let explained = match (holds, how, &computed) {
        (Some(false), Some(how), Some(value)) => explain(how, &model, value, &digits),
        _ => None,
    };
    (holds, Evidence::Printed { model, statement, value: computed, digits, explained })
}

/// Whether the intervals of a model are the printed ones, at the printed digits.
fn check_intervals(model: Model, printed: &[PrintedInterval]) -> Answer {
    let evaluation = match evaluate(&model, &Request::default()) {
        Ok(evaluation) => evaluation,
        Err(why) => return (None, Evidence::Fault(why.to_string())),
    };
    let exact = evaluation.exact_shape.ok().map(|shape| shape.intervals);
    let found = evaluation.intervals;
    let exact_ends = |k: usize| exact.as_ref().and_then(|all| all.get(k));
    let same = if printed.len() == found.len() {
        let pairs = printed.iter().zip(&found).enumerate();
        all_hold(pairs.map(|(k, (printed, computed))| is_same_interval(printed, computed, exact_ends(k))))
    } else {
        Some(false)
    };
    (same, Evidence::Intervals { model, found, exact })
}

/// Whether an interval is the printed one: kind, thresholds and posteriors. `exact` holds the exact ends of both as text, if they are known.
fn is_same_interval(
    printed: &PrintedInterval,
    computed: &ScoreInterval,
    exact: Option<&[[String; 2]; 2]>,
) -> Option<bool> {
    let [exact_tau, exact_sigma] = match exact {
        Some([tau, sigma]) => [Some(tau), Some(sigma)],
        None => [None, None],
    };
    let ends_agree = |printed: &[String; 2], (low, high): (f64, f64), exact: Option<&[String; 2]>| {
        let low = rounds_to(&printed[0], low, exact.map(|[low, _]| low.as_str()));
        let high = rounds_to(&printed[1], high, exact.map(|[_, high]| high.as_str()));
        all_hold([low, high].into_iter())
    };
    let answers = [
        ends_agree(&printed.tau, computed.tau, exact_tau),
        ends_agree(&printed.sigma, computed.sigma, exact_sigma),
        Some(printed.kind == computed.kind.name()),
    ];
    all_hold(answers.into_iter())
}

/// Whether the end of an interval rounds to printed digits; `None` if floating point cannot tell.
fn rounds_to(printed: &str, value: f64, exact: Option<&str>) -> Option<bool> {
    let digits = Digits::new(printed)?;
    if let Some(exact) = exact.and_then(parse_rational) {
        return Some(digits.are_of(&exact));
    }
    let [low, high] = digits.bounds().map(|end| to_f64(&end));
    let is_clear = low + NUMERIC <= value && value <= high - NUMERIC;
    // The ends of the scale are whole numbers and known exactly.
    (is_clear || (low == high && value == low)).then_some(true)
}

/// The conjunction of three-valued answers, `None` being unknown: false if one is false, true if all are true.
fn all_hold(answers: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    let answers: Vec<Option<bool>> = answers.collect();
    if answers.contains(&Some(false)) { Some(false) } else { answers.iter().all(Option::is_some).then_some(true) }
}

/// A rational number from its text; `None` for any other number.
fn parse_rational(text: &str) -> Option<Rational> {
    let source = Source::new("number", text);
    Constant::of(&source, &parse(&source).ok()?).ok()?.as_rational()
}

/// Whether the paper's claims about a model determine it. They do not if a second model, that of the densities `unless`, meets all of them that hold
/// of the first, and differs from it in a metric. `all` are the claims of the paper.
fn check_uniqueness(claim: &Claim, unless: &Densities, all: &[Claim]) -> Answer {
    let models = match (model_of(&claim.subject), Model::new(&unless.f0, &unless.f1, &unless.pi0)) {
        (Ok(first), Ok(second)) => [first, second.named("another model")],
        (Err(why), _) => return (None, Evidence::Fault(why)),
        (_, Err(why)) => return (None, Evidence::Fault(why.to_string())),
    };
    let mut met = Vec::new();
    for other in all {
        let is_about_it = other.subject == claim.subject && other.repairs.is_none();
        if !is_about_it || matches!(other.check, Check::Determined { .. }) {
            continue;
        }
        let [first, second] = models.each_ref().map(|model| check_on_model(&other.check, model.clone()).0);
        if first != Some(!other.denied) {
            // The second model need not meet a claim that the first one breaks.
            continue;
        }
        if second != first {
            let why = format!("the other model does not meet {}", other.id);
            return (None, Evidence::Fault(why));
        }
        met.push(other.id.clone());
    }
    let differ = find_difference(&models);
    // A second model that differs refutes the claim. Without a difference it stays open.
    let is_determined = differ.as_ref().map(|_| false);
    (is_determined, Evidence::Two { models, met, differ })
}

/// The first metric whose enclosures on two models do not intersect, with both values.
fn find_difference(models: &[Model; 2]) -> Option<(&'static str, [Value; 2])> {
    let [first, second] = models.each_ref().map(|model| evaluate(model, &Request::default()).ok());
    let (first, second) = (first?, second?);
    COMPARED.into_iter().find_map(|name| {
        let values = [first.metric(name)?.clone(), second.metric(name)?.clone()];
        let [a, b] = values.each_ref().map(Value::enclosure);
        let are_apart = !a?.meets(b?);
        are_apart.then_some((name, values))
    })
}
