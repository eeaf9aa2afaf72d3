//! Evaluations: all metrics and expected losses of a model, at a level of evidence.

use super::certified::{CertifiedReading, HullShape, decide_shape, read_certified};
use super::cost::Cost;
use super::evaluation::{EnclosedShape, Evaluation, ExactShape};
use super::exact::{self, ExactReading, exact_curve, read_exact};
use super::exact_value::ExactValue;
use super::ladder::{climb, is_low_degree, is_open};
use super::missing::Missing;
use super::numeric::{Numeric, value};
use super::plan::Given;
use super::question::{Inquiry, STANDARD};
use super::readable::Readable;
use super::request::{Level, Refusal, Request};
use super::thresholds::Thresholds;
use super::value::Value;
use crate::calculus::quantity::Quantity;
use crate::model::{Curve, Model};
use crate::transform::exact::intervals_of_hull;
use crate::transform::exact_hull::exact_hull;
use crate::transform::{self, ScoreInterval};
use rocproof_arith::{Interval, Number};
use std::borrow::Cow;

/// An enclosure wider than this is not limited by rounding alone.
const ROUNDING: f64 = 1e-8;

/// An enclosure wider than this, and than asked for, is intersected with the exact value where there is one.
const WIDE: f64 = 1e-12;

/// Evaluates a model.
///
/// ```
/// use rocproof_engine::{Condition, Level, Method, Model, Request, evaluate};
/// let model = Model::new("2*(1-x)", "4*x^3", "1/2")?;
/// let exact = evaluate(&model, &Request::at(Level::Exact))?;
/// assert_eq!(exact.metric("AUC").unwrap().exact().unwrap().form.as_deref(), Ok("14/15"));
/// let numeric = evaluate(&model, &Request::at(Level::Numeric))?;
/// let auc = numeric.metric("AUC").unwrap().estimate().unwrap();
/// assert!((auc.value - 14.0 / 15.0).abs() <= auc.error && auc.error < 1e-13);
///
/// let model = Model::new("beta(2.5, 4)", "beta(5, 1.5)", "1/3")?;
/// let certified = evaluate(&model, &Request::at(Level::Certified))?;
/// let brier_score = certified.metric("BS").unwrap().enclosure().unwrap();
/// let score_driven = certified.loss(Condition::Cost, Method::ScoreDriven).unwrap().enclosure().unwrap();
/// assert!(brier_score.meets(score_driven) && brier_score.width() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn evaluate(model: &Model, request: &Request) -> Result<Evaluation, Refusal> {
    match request.level {
        Level::Numeric => match model.beyond_floating_point() {
            Some(diagnostic) => Err(diagnostic.into()),
            None => Ok(evaluate_in_floats(model, request)),
        },
        Level::Certified => evaluate_in_enclosures(model, request),
        Level::Exact => evaluate_in_rationals(model, request),
        Level::Best => evaluate_at_best(model, request),
    }
}

/// The numeric level. For a model beyond floating point, it only decides which functionals apply; their values are missing.
fn evaluate_in_floats(model: &Model, request: &Request) -> Evaluation {
    let Request { cost, thresholds, .. } = request;
    if model.beyond_floating_point().is_none() {
        return evaluate_curve(&model.curve(), model.proportions(), cost, thresholds);
    }
    // Which functionals apply does not depend on the proportions.
    let mut evaluation = evaluate_in_floats(&model.balanced(), request);
    evaluation.intervals.clear();
    let numeric = evaluation.values.iter_mut().filter(|value| matches!(value, Value::Numeric(_)));
    numeric.for_each(|value| *value = Missing::BeyondFloat.into());
    evaluation
}

/// The exact level. A value that it cannot give says why.
fn evaluate_in_rationals(model: &Model, request: &Request) -> Result<Evaluation, Refusal> {
    let parameters = request.thresholds.parameters();
    let reading = read_exact(model, Inquiry::standard(&request.cost, &parameters))?;
    let hull = ExactHull::new(&reading)?;
    let to_value = |quantity: Result<Quantity, Missing>| match quantity.map(ExactValue::new) {
        Ok(Some(exact)) => Value::Exact(Box::new(exact)),
        Ok(None) => Missing::Undecided.into(),
        Err(why) => why.into(),
    };
    let values = reading.values.into_iter().map(to_value).collect();
    let mut evaluation = Evaluation::without_shape(&request.thresholds, values);
    hull.describe(&mut evaluation);
    Ok(evaluation)
}

/// The certified level, aiming at the width of the request. A value that is wider says so.
fn evaluate_in_enclosures(model: &Model, request: &Request) -> Result<Evaluation, Refusal> {
    let parameters = request.thresholds.parameters();
    let inquiry = Inquiry::standard(&request.cost, &parameters);
    let CertifiedReading { mut values, hull, least_power } = read_certified(model, request.width, inquiry, None)?;
    let mut shape = hull.map(|hull| decide_shape(model, least_power, hull));
    // Where exact arithmetic is fast, it decides a shape that enclosures leave open, and narrows wide values.
    let exact_is_fast = is_low_degree(model);
    if let Some(shape) = shape.as_mut().filter(|shape| exact_is_fast && shape.undecided.is_some())
        && let Some(non_hull) = exact_non_hull_intervals(model)
    {
        *shape = HullShape { convex: Some(non_hull.is_empty()), gaps: non_hull, undecided: None };
    }
    let is_wide = |value: &Result<Interval, Missing>| {
        value.as_ref().is_ok_and(|interval| interval.width() > request.width.max(WIDE))
    };
    if exact_is_fast
        && values.iter().any(is_wide)
        && let Ok(exact) = read_exact(model, inquiry)
    {
        for (value, exact) in values.iter_mut().zip(exact.values).filter(|(value, _)| is_wide(value)) {
            narrow(value, exact.ok().and_then(ExactValue::new));
        }
    }
    // The numeric level decides which functionals apply, and gives the hull's intervals.
    let mut evaluation = evaluate_in_floats(model, request);
    for (value, enclosure) in evaluation.values.iter_mut().zip(values).filter(|(value, _)| is_open(value)) {
        *value = enclosure.map_or(Missing::NotEnclosed.into(), |interval| {
            Value::Certified(interval, excess_width(interval, request.width))
        });
    }
    if let Some(shape) = shape {
        shape.describe(&mut evaluation);
    }
    Ok(evaluation)
}

/// Why an enclosure is wider than was asked for, if it is.
pub(super) fn excess_width(interval: Interval, asked: f64) -> Option<Cow<'static, str>> {
    let width = interval.width();
    let cause = if width <= ROUNDING { "rounding" } else { "what enclosures cannot tell apart" };
    (width > asked).then(|| format!("the width asked for was {asked:e}, and {cause} leaves {width:.0e}").into())
}

/// Intersects an enclosure with that of the exact value.
fn narrow(value: &mut Result<Interval, Missing>, exact: Option<ExactValue>) {
    let exact = exact.map(|exact| Interval::new(exact.lo, exact.hi)).filter(|exact| exact.is_bounded());
    if let (Ok(enclosed), Some(exact)) = (value, exact) {
        *enclosed = enclosed.meet(exact);
    }
}

/// The non-hull intervals by exact arithmetic, enclosed; `None` if the exact level does not serve the model.
fn exact_non_hull_intervals(model: &Model) -> Option<Vec<[Interval; 2]>> {
    let (curve, _) = exact_curve(model).ok()?;
    let (_, non_hull) = exact_hull(&curve).ok()?;
    /// Binary digits of the enclosures of ends: more than an interval of floats can hold.
    const BITS: usize = 80;
    let enclose = |end: &Number| {
        let [lo, hi] = end.enclosure(BITS)?.ends();
        Some(Interval::of(&lo).hull(Interval::of(&hi)))
    };
    non_hull.iter().map(|[a, b]| Some([enclose(a)?, enclose(b)?])).collect()
}

/// The strongest level for each value. An error means that a density is proved to be negative somewhere, or
/// that no level can handle the class proportions.
fn evaluate_at_best(model: &Model, request: &Request) -> Result<Evaluation, Refusal> {
    let parameters = request.thresholds.parameters();
    let inquiry = Inquiry::standard(&request.cost, &parameters);
    let mut evaluation = evaluate_in_floats(model, request);
    let readings = climb(model, inquiry, &mut evaluation.values)?;
    let hull = readings.exact.and_then(|exact| ExactHull::new(&exact).map_err(|refusal| refusal.to_string()));
    match hull {
        Ok(hull) => hull.describe(&mut evaluation),
        Err(why) => {
            // Enclosures may still decide whether the curve is convex, and where its hull leaves it.
            evaluation.exact_shape = Err(why);
            if let Some(CertifiedReading { hull: Some(hull), least_power, .. }) = readings.certified {
                decide_shape(model, least_power, hull).describe(&mut evaluation);
            }
        }
    }
    Ok(evaluation)
}

/// A hull at the exact level: its non-hull intervals, and its bijective, constant and singular intervals.
struct ExactHull {
    non_hull: Vec<[Number; 2]>,
    intervals: Vec<transform::exact::ExactInterval>,
}

impl ExactHull {
    /// The hull of a reading; refused if it is undecided.
    fn new(reading: &ExactReading) -> Result<ExactHull, exact::ExactRefusal> {
        let Some(Ok((hull, gaps))) = &reading.hull else { return Err(exact::ExactRefusal::Undecided) };
        Ok(ExactHull { non_hull: gaps.clone(), intervals: intervals_of_hull(hull, &reading.proportions)? })
    }

    /// Writes the shape of the hull into an evaluation.
    fn describe(&self, evaluation: &mut Evaluation) {
        let ExactHull { non_hull, intervals } = self;
        let pair = |ends: &[Number; 2]| (to_float(&ends[0]), to_float(&ends[1]));
        evaluation.convex = Some(non_hull.is_empty());
        evaluation.gaps = non_hull.iter().map(pair).collect();
        let interval = |i: &transform::exact::ExactInterval| ScoreInterval {
            kind: i.kind,
            tau: pair(&i.tau),
            sigma: pair(&i.sigma),
        };
        evaluation.intervals = intervals.iter().map(interval).collect();
        let ends = |ends: &[Number; 2]| ends.each_ref().map(write_number);
        evaluation.exact_shape = Ok(ExactShape {
            gaps: non_hull.iter().map(ends).collect(),
            intervals: intervals.iter().map(|i| [&i.tau, &i.sigma].map(ends)).collect(),
        });
    }
}

impl HullShape {
    /// Writes the shape of the hull into an evaluation.
    fn describe(self, evaluation: &mut Evaluation) {
        evaluation.convex = self.convex;
        if self.undecided.is_none() {
            evaluation.gaps = self.gaps.iter().map(|[a, b]| (a.mid(), b.mid())).collect();
        }
        evaluation.enclosed_shape = Some(EnclosedShape { gaps: self.gaps, undecided: self.undecided });
    }
}

/// The float nearest to a number, or next to the nearest; NaN if the number could not be enclosed.
fn to_float(number: &Number) -> f64 {
    ExactValue::new(Quantity::from(number.clone())).map_or(f64::NAN, |exact| exact.value)
}

/// The closed form of a number, or its digits.
fn write_number(number: &Number) -> String {
    match ExactValue::new(Quantity::from(number.clone())) {
        Some(exact) => exact.form.clone().unwrap_or_else(|_| format!("{}…", exact.digits(30))),
        None => "?".into(),
    }
}

/// Evaluates a sampled curve at the numeric level.
pub fn evaluate_curve(curve: &Curve, proportions: (f64, f64), cost: &Cost, thresholds: &Thresholds) -> Evaluation {
    let (non_hull, hull) = non_hull_and_hull(curve);
    Evaluation {
        convex: transform::convexity(curve, &non_hull),
        gaps: non_hull.iter().map(|g| g.scores).collect(),
        intervals: transform::intervals_of_hull(&hull, proportions.0, proportions.1),
        ..evaluate_readable(curve, &*hull, proportions, cost, thresholds)
    }
}

/// Evaluates any curve with its hull at the numeric level. The shape of the hull is left out.
pub fn evaluate_readable<C: Readable, H: Readable>(
    curve: &C,
    hull: &H,
    proportions: (f64, f64),
    cost: &Cost,
    thresholds: &Thresholds,
) -> Evaluation {
    let plan = STANDARD.plan(curve.range() == (0.0, 1.0), proportions.0 == proportions.1);
    let parameters = thresholds.parameters();
    let given = Given { costs: std::slice::from_ref(cost), parameters: &parameters };
    let readers =
        plan.planned_curves.iter().map(|planned| Numeric::new(planned, plan, curve, Some(hull), proportions, given));
    let readers: Vec<Numeric<C, H>> = readers.collect();
    let answers = plan.answers.iter().map(|answer| value(plan.read(answer, &readers[answer.planned], given)));
    Evaluation::without_shape(thresholds, answers.collect())
}

impl Evaluation {
    /// An evaluation with these values, and nothing about the shape of the hull.
    fn without_shape(thresholds: &Thresholds, values: Vec<Value>) -> Evaluation {
        Evaluation {
            thresholds: thresholds.clone(),
            convex: None,
            gaps: Vec::new(),
            intervals: Vec::new(),
            exact_shape: Err("the numeric level was asked for".into()),
            enclosed_shape: None,
            values,
        }
    }
}

/// The non-hull intervals of a curve, and its hull. A curve without such intervals is its own hull, and is borrowed.
pub fn non_hull_and_hull(curve: &Curve) -> (Vec<transform::NonHullInterval>, Cow<'_, Curve>) {
    let non_hull = transform::non_hull_intervals(curve);
    let hull =
        if non_hull.is_empty() { Cow::Borrowed(curve) } else { Cow::Owned(transform::convexify(curve, &non_hull)) };
    (non_hull, hull)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::functional::definition::{METRICS, Method};
    use crate::functional::group::{MEANS, OPTIMAL};
    use crate::functional::program::{Environment, Inputs, Program, Registers};

    /// The scores after `Even` are `R`, and those after `Cal` are `c`, as the vocabulary defines both; with their complements and
    /// differentials.
    #[test]
    fn transforms_and_vocabulary_agree() {
        let (pi0, pi1) = (0.3, 0.7);
        let program = Program::new(&["R", "1-R", "dR", "c", "1-c", "dc"]).unwrap();
        let model = Model::new("beta(2, 5)", "0.5*beta(5, 2.5) + 0.5*uniform(0.2, 0.6)", "0.3").unwrap();
        let (curve, cost) = (model.curve(), Cost::uniform());
        let environment = Environment { pi0, pi1, cost: &cost, range: curve.range };
        let (even, cal) = (transform::even(&curve, pi0, pi1), transform::cal(&curve, pi0, pi1));
        let hull = transform::conv(&curve);
        let mut registers = Registers::default();
        let mut assert_scores_are = |outputs: [usize; 3], relabelled: &Curve, source: &Curve| {
            for (panel, target) in source.massive().zip(relabelled.massive()) {
                program.run(&Inputs::of(panel), &environment, &mut registers);
                for (lane, k) in [&target.x, &target.x_complement, &target.dx].into_iter().zip(outputs) {
                    let defined = program.output(k, &registers);
                    assert!(lane.iter().zip(defined).all(|(a, b)| (a - b).abs() <= 1e-14 * (1.0 + b.abs())));
                }
            }
        };
        assert_scores_are([0, 1, 2], &even, &curve);
        assert_scores_are([3, 4, 5], &cal, &hull);
        let point = curve.at_score(0.4);
        let rate = pi0 * point.below[0] + pi1 * point.below[1];
        assert!((point.rate(pi0) - rate).abs() < 1e-15);
    }

    /// Every definition compiles for every kind of model, and has a value on the diagonal.
    #[test]
    fn all_definitions_compile() {
        assert_eq!((OPTIMAL.len(), MEANS.len()), (1, 2));
        // The metrics, and the losses over cost proportions and over skews.
        let asked = METRICS.len() + 2 * Method::ALL.len();
        for (probabilistic, balanced) in [(true, true), (true, false), (false, true), (false, false)] {
            assert_eq!(STANDARD.plan(probabilistic, balanced).answers.len(), asked);
        }
        let evaluation = evaluate_curve(&Curve::diagonal(), (0.5, 0.5), &Cost::uniform(), &Thresholds::default());
        assert!(evaluation.values.iter().all(|v| v.estimate().is_some()), "{evaluation:?}");
    }
}
