//! One claim settled: which question is put to the engine, and what its answer means for the claim.

use super::printed::{Digits, explained};
use super::{Evidence, Outcome, Settled};
use crate::arith::Rational;
use crate::functional::{Cost, Value};
use crate::functional::{Thresholds, settle::evaluate_best};
use crate::lang::{Diagnostic, Source, parse};
use crate::model::Model;
use crate::model::constant::Constant;
use crate::paper;
use crate::paper::claim::{Check, Claim, Densities, Explanation, Kind, PrintedInterval, Subject};
use crate::search::{Decision, examine, is_member};
use crate::statement::{Class, Statement};
use crate::transform::Interval;
use crate::verdict::{self, Verdict};
use std::time::Duration;

/// In which values two models are looked for to differ.
const TELLING: [&str; 6] = ["BS", "MAE", "AUC", "RL", "RL_conv", "KS"];
/// How far the ends of intervals that are not known exactly may be off.
const NUMERIC: f64 = 1e-9;

/// Settles a claim; `all` are those of the paper, which say what else is said of the same model.
pub(super) fn settle(claim: &Claim, all: &[Claim], time: Duration) -> Settled {
    let (outcome, evidence) = match &claim.check {
        Check::Determined { unless } => determined(claim, unless, all),
        Check::Statement(text) if claim.subject == Subject::Every => everywhere(text, time),
        _ => match subject(&claim.subject) {
            Ok(model) => on_model(&claim.check, model),
            Err(why) if claim.check == Check::Model => (Some(false), Evidence::NoModel(why)),
            Err(why) => (None, Evidence::Fault(why)),
        },
    };
    let proof = match &evidence {
        Evidence::Everywhere(_, Verdict::Proved(certificate)) => Some(certificate),
        _ => None,
    };
    let outcome = match outcome {
        None => Outcome::Undecided,
        Some(holds) if holds == claim.denied => Outcome::Refuted,
        Some(_) => match proof {
            Some(certificate) if certificate.holds_by_reading() => Outcome::ByDefinition,
            Some(certificate) if claim.kind == Kind::Definition && certificate.integrates_nothing() => {
                Outcome::ByDefinition
            }
            Some(_) => Outcome::Proved,
            None => Outcome::Confirmed,
        },
    };
    Settled { claim: claim.clone(), outcome, evidence }
}

type Answer = (Option<bool>, Evidence);

/// The model that a claim is about.
fn subject(subject: &Subject) -> Result<Model, String> {
    let model = match subject {
        Subject::Worded(Densities { f0, f1, pi0 }) => {
            Model::new(f0, f1, pi0).map(|model| model.named("the densities as worded"))
        }
        Subject::Named(label) => paper::model(label).ok_or_else(|| format!("there is no model @{label}"))?,
        Subject::Every => return Err("it is about all models".to_owned()),
    };
    model.map_err(|why| why.message)
}

/// A statement about all models.
fn everywhere(text: &str, time: Duration) -> Answer {
    let statement = match Statement::parse(text) {
        Ok(statement) => statement,
        Err(why) => return (None, Evidence::Fault(why.message)),
    };
    let (verdict, _) = verdict::judge(&statement, time);
    let holds = match &verdict {
        Verdict::Proved(_) => Some(true),
        Verdict::Refuted(_) => Some(false),
        Verdict::Supported(_) | Verdict::Undecided(_) => None,
    };
    (holds, Evidence::Everywhere(statement, verdict))
}

/// What is claimed of one model.
fn on_model(check: &Check, model: Model) -> Answer {
    match check {
        Check::Statement(text) => match decided(text, &model) {
            Ok((statement, decision)) => (holds(&decision), Evidence::OnModel(model, statement, decision)),
            Err(why) => (None, Evidence::Fault(why.message)),
        },
        Check::Printed { value, printed, explained_by } => self::printed(model, value, printed, explained_by.as_ref()),
        Check::Intervals(printed) => intervals(model, printed),
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

/// A statement decided on a model.
fn decided(text: &str, model: &Model) -> Result<(Statement, Decision), Diagnostic> {
    let statement = Statement::parse(text)?;
    let decision = examine(&statement, std::slice::from_ref(model));
    Ok((statement, decision))
}

/// Whether a statement holds on the models that it was decided on.
fn holds(decision: &Decision) -> Option<bool> {
    match decision {
        Decision::Holds { sampled: false, .. } => Some(true),
        Decision::Fails(_) => Some(false),
        Decision::Holds { .. } | Decision::Beside { .. } | Decision::Unknown => None,
    }
}

/// Whether a value rounds to the digits that are printed.
fn printed(model: Model, value: &str, printed: &str, how: Option<&Explanation>) -> Answer {
    let Some(digits) = Digits::new(printed) else {
        return (None, Evidence::Fault(format!("`{printed}` is not a decimal number")));
    };
    let [low, high] = digits.bounds();
    let (statement, decision) = match decided(&format!("{low} <= {value} <= {high}"), &model) {
        Ok(found) => found,
        Err(why) => return (None, Evidence::Fault(why.message)),
    };
    let found: Option<Value> = match &decision {
        Decision::Holds { sides, .. } => sides.first().map(|[_, value]| value.clone()),
        // The value is on the right of the first comparison and on the left of the second.
        Decision::Fails(failure) => Some(failure.sides[1 - failure.claim].clone()),
        Decision::Beside { .. } | Decision::Unknown => None,
    };
    let holds = holds(&decision);
    let explained = match (holds, how, &found) {
        (Some(false), Some(how), Some(value)) => explained(how, &model, value, &digits),
        _ => None,
    };
    (holds, Evidence::Printed { model, statement, value: found, digits, explained })
}

/// Whether the intervals of a model are those that are printed, at the digits that are printed.
fn intervals(model: Model, printed: &[PrintedInterval]) -> Answer {
    let evaluation = match evaluate_best(&model, &Cost::uniform(), &Thresholds::default()) {
        Ok(evaluation) => evaluation,
        Err(why) => return (None, Evidence::Fault(why.message)),
    };
    let exact = evaluation.shape.ok().map(|shape| shape.intervals);
    let found = evaluation.intervals;
    let same = |(k, said): (usize, &PrintedInterval)| {
        let is: &Interval = &found[k];
        let known = exact.as_ref().and_then(|all| all.get(k));
        let agrees = |text: &String, value: f64, exact: Option<&String>| {
            let digits = Digits::new(text)?;
            if let Some(exact) = exact.and_then(|text| rational(text)) {
                return Some(digits.are_of(&exact));
            }
            let [low, high] = digits.bounds().map(|end| crate::arith::rational::to_f64(&end));
            let clear = low + NUMERIC <= value && value <= high - NUMERIC;
            // The ends of the scale are as they are.
            (clear || (low == high && value == low)).then_some(true)
        };
        let end = |k: usize, said: &[String; 2], at: (f64, f64)| {
            let known = known.map(|known| &known[k]);
            let ends = [at.0, at.1];
            [0, 1].map(|e| agrees(&said[e], ends[e], known.map(|known| &known[e])))
        };
        let ends = [end(0, &said.tau, is.tau), end(1, &said.sigma, is.sigma)];
        if said.kind != is.kind.name() || ends.iter().flatten().any(|end| *end == Some(false)) {
            return Some(false);
        }
        ends.iter().flatten().all(|end| *end == Some(true)).then_some(true)
    };
    let same = if printed.len() == found.len() {
        let each: Vec<Option<bool>> = printed.iter().enumerate().map(same).collect();
        if each.contains(&Some(false)) { Some(false) } else { each.iter().all(|e| e.is_some()).then_some(true) }
    } else {
        Some(false)
    };
    (same, Evidence::Intervals { model, found, exact })
}

/// A rational number from its text; `None` if it is another number.
fn rational(text: &str) -> Option<Rational> {
    let source = Source::new("number", text);
    Constant::of(&source, &parse(&source).ok()?).ok()?.as_rational()
}

/// Whether what is said of a model leaves no other one: what another one must meet is all that holds of the first.
fn determined(claim: &Claim, unless: &Densities, all: &[Claim]) -> Answer {
    let models = match (subject(&claim.subject), Model::new(&unless.f0, &unless.f1, &unless.pi0)) {
        (Ok(first), Ok(second)) => [first, second.named("another model")],
        (Err(why), _) => return (None, Evidence::Fault(why)),
        (_, Err(why)) => return (None, Evidence::Fault(why.message)),
    };
    let mut met = Vec::new();
    for other in all {
        let about_it = other.subject == claim.subject && other.repairs.is_none();
        if !about_it || matches!(other.check, Check::Determined { .. }) {
            continue;
        }
        let [first, second] = models.each_ref().map(|model| on_model(&other.check, model.clone()).0);
        if first != Some(!other.denied) {
            // What does not hold of the first need not hold of the second.
            continue;
        }
        if second != first {
            let why = format!("the other model does not meet {}", other.id);
            return (None, Evidence::Fault(why));
        }
        met.push(other.id.clone());
    }
    let evaluations = models.each_ref().map(|model| evaluate_best(model, &Cost::uniform(), &Thresholds::default()));
    let values = |name: &str| -> Option<[Value; 2]> {
        let [first, second] = evaluations.each_ref().map(|found| found.as_ref().ok()?.metric(name).cloned());
        Some([first?, second?])
    };
    let apart = |[a, b]: &[Value; 2]| matches!((a.enclosure(), b.enclosure()), (Some(a), Some(b)) if !a.meets(b));
    let differ = TELLING.into_iter().find_map(|name| Some((name, values(name).filter(apart)?)));
    let determined = differ.as_ref().map(|_| false);
    (determined, Evidence::Two { models, met, differ })
}
