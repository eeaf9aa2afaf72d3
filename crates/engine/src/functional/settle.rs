//! A model evaluated at the strongest level of evidence that serves it.

use super::certified::{self, CertifiedEvaluation, evaluate_certified};
use super::cost::Cost;
use super::evaluate::{EnclosedShape, Evaluation, Shape, Value, evaluate_at};
use super::exact::{ExactEvaluation, Refusal, UNDECIDED, evaluate_exact, exact_curve};
use super::numeric::{BEYOND, FAILED};
use super::question::{Questions, Why};
use super::settled::Settled;
use super::thresholds::Thresholds;
use crate::calculus::quantity::Quantity;
use crate::model::Model;
use crate::model::piecewise::NotPiecewise;
use crate::transform::ScoreInterval;
use crate::transform::exact_hull::exact_hull;
use rocproof_arith::{Interval, Number};
use rocproof_language::Diagnostic;

/// Beyond this degree `best` does not try the exact level, which would take its time.
pub(super) const LARGEST_DEGREE: usize = 40;

/// Evaluates a model at the exact level: what has no exact value says why.
pub fn evaluate_exactly(model: &Model, cost: &Cost, thresholds: &Thresholds) -> Result<Evaluation, Refusal> {
    let exact = evaluate_exact(model, cost, thresholds)?;
    let mut evaluation = evaluate_at(model, cost, thresholds);
    settle(&mut evaluation, exact, true);
    Ok(evaluation)
}

/// Evaluates a model at the certified level, aiming at the given width: what has no enclosure says why, and what is wider says so.
pub fn evaluate_enclosed(
    model: &Model,
    cost: &Cost,
    thresholds: &Thresholds,
    width: f64,
) -> Result<Evaluation, certified::Refusal> {
    let mut found = evaluate_certified(model, cost, thresholds, width)?;
    let takes_its_time = || degree(model).ok().flatten().is_none_or(|degree| degree > LARGEST_DEGREE);
    if found.undecided.is_some()
        && !takes_its_time()
        && let Some(gaps) = exact_gaps(model)
    {
        (found.convex, found.gaps, found.undecided) = (Some(gaps.is_empty()), gaps, None);
    }
    let is_wide = |value: &Option<Interval>| value.is_some_and(|interval| interval.width() > width.max(WIDE));
    if found.values().any(|value| is_wide(value))
        && !takes_its_time()
        && let Ok(exact) = evaluate_exact(model, cost, thresholds)
    {
        let exact = exact.metrics.into_iter().chain(exact.cost_losses).chain(exact.skew_losses);
        for (value, exact) in found.values().zip(exact).filter(|(value, _)| is_wide(value)) {
            narrow(value, exact.ok().and_then(Settled::new));
        }
    }
    let mut evaluation = evaluate_at(model, cost, thresholds);
    enclose(&mut evaluation, found, |interval| match interval {
        Some(interval) => {
            let wider = interval.width() > width;
            let left = if interval.width() <= ROUNDING { "rounding" } else { "what enclosures cannot tell apart" };
            let why = || format!("the width asked for was {width:e}, and {left} leaves {:.0e}", interval.width());
            Some(Value::Certified(interval, wider.then(|| why().into())))
        }
        None => Some(Value::Unavailable("it could not be enclosed; --level numeric estimates it".into())),
    });
    Ok(evaluation)
}

/// More than this is no rounding.
const ROUNDING: f64 = 1e-8;

/// An enclosure that is wider than this is not what was promised: where the densities are piecewise polynomial exact arithmetic knows better.
const WIDE: f64 = 1e-12;

/// What an enclosure and the exact value have in common.
fn narrow(value: &mut Option<Interval>, exact: Option<Settled>) {
    let Some(exact) = exact.map(|exact| Interval::new(exact.lo, exact.hi)).filter(|exact| exact.is_bounded()) else {
        return;
    };
    *value = Some(value.map_or(exact, |enclosed| enclosed.meet(exact)));
}

/// The non-hull intervals by exact arithmetic, enclosed, where the densities are piecewise polynomial: there a hull is decided that
/// enclosures leave open.
fn exact_gaps(model: &Model) -> Option<Vec<[Interval; 2]>> {
    let (curve, _) = exact_curve(model).ok()?;
    let (_, gaps) = exact_hull(&curve).ok()?;
    let enclosed = |end: &Number| {
        let [lo, hi] = end.enclosure(80)?.ends();
        Some(Interval::of(&lo).hull(Interval::of(&hi)))
    };
    gaps.iter().map(|[a, b]| Some([enclosed(a)?, enclosed(b)?])).collect()
}

/// Whether another level may have a value where the numeric one has none for this reason.
fn is_provisional(why: &str) -> bool {
    [BEYOND, FAILED].contains(&why)
}

/// Puts enclosures in the place of numeric values.
fn enclose(
    evaluation: &mut Evaluation,
    found: CertifiedEvaluation,
    value_of: impl Fn(Option<Interval>) -> Option<Value>,
) {
    let replace = |value: &mut Value, interval: Option<Interval>| {
        let stays = match value {
            Value::Unavailable(why) => !is_provisional(why),
            Value::Settled(_) => true,
            _ => false,
        };
        if let Some(enclosed) = (!stays).then(|| value_of(interval)).flatten() {
            *value = enclosed;
        }
    };
    let metrics = evaluation.metrics.iter_mut().map(|(_, value)| value).zip(found.metrics);
    let cost = evaluation.cost_losses.iter_mut().map(|(_, value)| value).zip(found.cost_losses);
    let skew = evaluation.skew_losses.iter_mut().map(|(_, value)| value).zip(found.skew_losses);
    metrics.chain(cost).chain(skew).for_each(|(value, interval)| replace(value, interval));
    if evaluation.shape.is_ok() {
        return;
    }
    evaluation.convex = found.convex;
    if found.undecided.is_none() {
        evaluation.gaps = found.gaps.iter().map(|[a, b]| (a.mid(), b.mid())).collect();
    }
    evaluation.enclosed_shape = Some(EnclosedShape { gaps: found.gaps, undecided: found.undecided });
}

/// Evaluates a model at the strongest level that serves it: values are exact where they can be, certified where that is telling,
/// and numeric elsewhere. An error tells
/// of a density that exact arithmetic shows to be negative somewhere, or of proportions that no level can follow.
///
/// ```
/// use rocproof_engine::functional::{Thresholds, settle::evaluate_best};
/// use rocproof_engine::{Condition, Cost, Method, Model};
/// let model = Model::new("2*(1-x)", "2*x", "1/2")?;
/// let evaluation = evaluate_best(&model, &Cost::uniform(), &Thresholds::default())?;
/// let optimal = evaluation.loss(Condition::Cost, Method::Optimal).unwrap().settled().unwrap();
/// assert_eq!(optimal.form.as_deref(), Ok("1/6"));
/// # Ok::<(), rocproof_language::Diagnostic>(())
/// ```
pub fn evaluate_best(model: &Model, cost: &Cost, thresholds: &Thresholds) -> Result<Evaluation, Diagnostic> {
    let degree = degree(model)?;
    let mut evaluation = evaluate_at(model, cost, thresholds);
    if let Some(degree) = degree.filter(|degree| *degree > LARGEST_DEGREE) {
        let limit = format!("degree {degree} takes its time exactly; --level exact does it all the same");
        evaluation.shape = Err(limit);
        enclose_best(&mut evaluation, model, cost, thresholds)?;
        return Ok(evaluation);
    }
    match evaluate_exact(model, cost, thresholds) {
        Ok(exact) => settle(&mut evaluation, exact, false),
        Err(refusal) => evaluation.shape = Err(refusal.to_string()),
    }
    // Where the curve is exact it stays with that: what little has no exact value is estimated.
    if evaluation.shape.is_err() {
        enclose_best(&mut evaluation, model, cost, thresholds)?;
    }
    match model.beyond_floating_point().filter(|_| evaluation.shape.is_err() && evaluation.enclosed_shape.is_none()) {
        Some(diagnostic) => Err(diagnostic),
        None => Ok(evaluation),
    }
}

/// The largest degree of densities that are piecewise polynomial; an error tells of one that is negative somewhere.
fn degree(model: &Model) -> Result<Option<usize>, Diagnostic> {
    let mut degree = None;
    for class in [0, 1] {
        match model.density(class).piecewise() {
            Ok(pieces) => degree = degree.max(Some(pieces.degree())),
            Err(NotPiecewise::Negative(diagnostic)) => return Err(diagnostic),
            Err(_) => {}
        }
    }
    Ok(degree)
}

/// The answers to questions, each at the strongest level that serves it.
pub(super) fn best(questions: &Questions, model: &Model) -> Result<Vec<Value>, Diagnostic> {
    let degree = degree(model)?;
    let mut values = questions.numeric(model);
    let is_open = |value: &Value| match value {
        Value::Numeric(_) => true,
        Value::Unavailable(why) => is_provisional(why),
        _ => false,
    };
    if degree.is_none_or(|degree| degree <= LARGEST_DEGREE)
        && let Ok(exact) = questions.exact(model)
    {
        for (value, found) in values.iter_mut().zip(exact).filter(|(value, _)| is_open(value)) {
            if let Some(settled) = found.ok().and_then(Settled::new) {
                *value = Value::Settled(Box::new(settled));
            }
        }
    }
    if values.iter().any(is_open) {
        match questions.certified(model, certified::WIDTH) {
            Ok(found) => {
                for (value, found) in values.iter_mut().zip(found).filter(|(value, _)| is_open(value)) {
                    if let Some(interval) = found.ok().filter(|interval| interval.width() <= TELLING) {
                        *value = Value::Certified(interval, None);
                    }
                }
            }
            Err(certified::Refusal::Density(diagnostic)) if diagnostic.is_refutation() => return Err(*diagnostic),
            Err(_) => {}
        }
    }
    let beyond = |value: &Value| matches!(value, Value::Unavailable(why) if why == BEYOND);
    match model.beyond_floating_point().filter(|_| values.iter().any(beyond)) {
        Some(diagnostic) => Err(diagnostic),
        None => Ok(values),
    }
}

/// An enclosure wider than this says less than an estimate.
const TELLING: f64 = 1e-7;

/// Encloses what is not exact. An error tells of a density that is proved to be none.
fn enclose_best(
    evaluation: &mut Evaluation,
    model: &Model,
    cost: &Cost,
    thresholds: &Thresholds,
) -> Result<(), Diagnostic> {
    match evaluate_certified(model, cost, thresholds, certified::WIDTH) {
        Ok(found) => {
            let telling = |interval: &Interval| interval.width() <= TELLING;
            enclose(evaluation, found, |interval| interval.filter(telling).map(|i| Value::Certified(i, None)));
            Ok(())
        }
        Err(certified::Refusal::Density(diagnostic)) if diagnostic.is_refutation() => Err(*diagnostic),
        Err(_) => Ok(()),
    }
}

/// Puts exact values in the place of numeric ones, and where there is none the reason, if `only` those count.
fn settle(evaluation: &mut Evaluation, exact: ExactEvaluation, only: bool) {
    let replace = |(value, found): (&mut Value, Result<Quantity, Why>)| {
        if matches!(value, Value::Unavailable(why) if !is_provisional(why)) {
            return;
        }
        match found.and_then(|quantity| Settled::new(quantity).ok_or(UNDECIDED.into())) {
            Ok(settled) => *value = Value::Settled(Box::new(settled)),
            Err(why) if only => *value = Value::Unavailable(why),
            Err(_) => {}
        }
    };
    let metrics = evaluation.metrics.iter_mut().map(|(_, value)| value).zip(exact.metrics);
    let cost = evaluation.cost_losses.iter_mut().map(|(_, value)| value).zip(exact.cost_losses);
    let skew = evaluation.skew_losses.iter_mut().map(|(_, value)| value).zip(exact.skew_losses);
    metrics.chain(cost).chain(skew).for_each(replace);
    evaluation.convex = Some(exact.convex);
    evaluation.gaps = exact.gaps.iter().map(|[a, b]| (rounded(a), rounded(b))).collect();
    let pair = |ends: &[Number; 2]| (rounded(&ends[0]), rounded(&ends[1]));
    evaluation.intervals = exact
        .intervals
        .iter()
        .map(|i| ScoreInterval { kind: i.kind, tau: pair(&i.tau), sigma: pair(&i.sigma) })
        .collect();
    evaluation.shape = Ok(Shape {
        gaps: exact.gaps.iter().map(|gap| gap.each_ref().map(written)).collect(),
        intervals: exact
            .intervals
            .iter()
            .map(|i| [&i.tau, &i.sigma].map(|ends| ends.each_ref().map(written)))
            .collect(),
    });
}

fn rounded(number: &Number) -> f64 {
    Settled::new(Quantity::from(number.clone())).map_or(f64::NAN, |settled| settled.value)
}

/// A number written out, or its digits.
fn written(number: &Number) -> String {
    match Settled::new(Quantity::from(number.clone())) {
        Some(settled) => settled.form.clone().unwrap_or_else(|_| format!("{}…", settled.digits(30))),
        None => "?".into(),
    }
}
