//! All metrics and losses of a model at the numeric level, by the curve route.

use super::cost::Cost;
use super::definition::{Condition, Definition, METRICS, Method};
use super::numeric::{BEYOND, Numeric, value};
use super::plan::{Given, standard};
use super::readable::Readable;
use super::settled::Settled;
use super::thresholds::Thresholds;
use crate::calculus::Estimate;
use crate::model::{Curve, Model};
use crate::transform::{self, ScoreInterval};
use rocproof_arith::Interval;
use std::borrow::Cow;
use std::fmt;

/// A number with its evidence, or why there is none.
#[derive(Clone, Debug)]
pub enum Value {
    /// The number itself, at the exact level, or certified to as many digits as one likes.
    Settled(Box<Settled>),
    /// An interval that the number lies in, by proof; and why it is no narrower, if it was meant to be.
    Certified(Interval, Option<Cow<'static, str>>),
    /// An estimate with its error, at the numeric level.
    Numeric(Estimate),
    /// The functional does not apply to this model, or there is no value at the level asked for: why.
    Unavailable(Cow<'static, str>),
}

impl Value {
    /// The estimate, if there is one.
    pub fn estimate(&self) -> Option<Estimate> {
        match self {
            Value::Settled(settled) => Some(settled.estimate()),
            Value::Certified(interval, _) => Some(Estimate { value: interval.mid(), error: interval.radius() }),
            Value::Numeric(estimate) => Some(*estimate),
            Value::Unavailable(_) => None,
        }
    }

    /// The interval that the value is proved to lie in, at the certified or exact level.
    pub fn enclosure(&self) -> Option<Interval> {
        match self {
            Value::Settled(settled) => Some(Interval::new(settled.lo, settled.hi)),
            Value::Certified(interval, _) => Some(*interval),
            Value::Numeric(_) | Value::Unavailable(_) => None,
        }
    }

    /// The value at the exact level, if it is known there.
    pub fn settled(&self) -> Option<&Settled> {
        match self {
            Value::Settled(settled) => Some(settled),
            _ => None,
        }
    }
}

/// In a few words: the number itself with some digits, or the interval that it lies in.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Value::Settled(settled) => match &settled.form {
                Ok(form) if form.contains(|c: char| !c.is_ascii_digit() && c != '-') => {
                    write!(f, "{form} = {}", trimmed(&settled.digits(6)))
                }
                Ok(form) => f.write_str(form),
                Err(_) => f.write_str(&settled.digits(15)),
            },
            Value::Certified(interval, _) => write!(f, "[{}, {}]", interval.lo(), interval.hi()),
            Value::Numeric(estimate) => write!(f, "{} ± {:.0e}", estimate.value, estimate.error),
            Value::Unavailable(why) => f.write_str(why),
        }
    }
}

/// Digits without zeros at their end that say nothing.
fn trimmed(digits: &str) -> &str {
    if digits.contains('.') && !digits.contains('e') {
        return digits.trim_end_matches('0').trim_end_matches('.');
    }
    digits
}

/// The shape of a hull, written out.
#[derive(Clone, Debug, PartialEq)]
pub struct Shape {
    /// The ends of the non-hull intervals.
    pub gaps: Vec<[String; 2]>,
    /// The ends of `tau` and of `sigma` for each interval.
    pub intervals: Vec<[[String; 2]; 2]>,
}

/// What is proved of a hull at the certified level.
#[derive(Clone, Debug, PartialEq)]
pub struct EnclosedShape {
    /// The non-hull intervals, their ends enclosed.
    pub gaps: Vec<[Interval; 2]>,
    /// A score near which the hull could not be verified.
    pub undecided: Option<f64>,
}

/// Everything that `eval` says of a model.
#[derive(Clone, Debug)]
pub struct Evaluation {
    /// The threshold and the rate of the fixed methods.
    pub thresholds: Thresholds,
    /// Whether the ROC curve is convex; `None` if that could not be decided.
    pub convex: Option<bool>,
    /// The non-hull intervals of scores.
    pub gaps: Vec<(f64, f64)>,
    /// The bijective, constant and singular intervals of the hull.
    pub intervals: Vec<ScoreInterval>,
    /// The ends of the gaps and intervals written out, at the exact level; otherwise why there is none.
    pub shape: Result<Shape, String>,
    /// What is proved of the hull, at the certified level.
    pub enclosed_shape: Option<EnclosedShape>,
    /// The metrics, in the order of [`METRICS`].
    pub metrics: Vec<(Definition, Value)>,
    /// The expected losses over cost proportions.
    pub cost_losses: Vec<(Method, Value)>,
    /// The expected losses over skews.
    pub skew_losses: Vec<(Method, Value)>,
}

impl Evaluation {
    /// A metric by name.
    pub fn metric(&self, name: &str) -> Option<&Value> {
        self.metrics.iter().find(|(definition, _)| definition.name == name).map(|(_, value)| value)
    }

    /// An expected loss.
    pub fn loss(&self, condition: Condition, method: Method) -> Option<&Value> {
        let losses = if condition == Condition::Cost { &self.cost_losses } else { &self.skew_losses };
        losses.iter().find(|(m, _)| *m == method).map(|(_, value)| value)
    }
}

/// Evaluates a model under a distribution of operating conditions.
///
/// ```
/// use rocproof_engine::{Cost, Model, evaluate};
/// let model = Model::new("2*(1-x)", "4*x^3", "1/2")?;
/// let evaluation = evaluate(&model, &Cost::uniform());
/// let auc = evaluation.metric("AUC").unwrap().estimate().unwrap();
/// assert!((auc.value - 14.0 / 15.0).abs() <= auc.error && auc.error < 1e-13);
/// # Ok::<(), rocproof_language::Diagnostic>(())
/// ```
pub fn evaluate(model: &Model, cost: &Cost) -> Evaluation {
    evaluate_at(model, cost, &Thresholds::default())
}

/// The same with the threshold and the rate of the fixed methods chosen.
pub fn evaluate_at(model: &Model, cost: &Cost, thresholds: &Thresholds) -> Evaluation {
    if model.beyond_floating_point().is_some() {
        // What applies does not depend on the proportions; no value is to be had.
        let mut evaluation = evaluate_at(&model.balanced(), cost, thresholds);
        evaluation.intervals.clear();
        let metrics = evaluation.metrics.iter_mut().map(|(_, value)| value);
        let losses = evaluation.cost_losses.iter_mut().chain(&mut evaluation.skew_losses).map(|(_, value)| value);
        for value in metrics.chain(losses).filter(|v| matches!(v, Value::Numeric(_))) {
            *value = Value::Unavailable(BEYOND.into());
        }
        return evaluation;
    }
    evaluate_curve(&model.curve(), model.proportions(), cost, thresholds)
}

/// Evaluates a curve.
pub fn evaluate_curve(curve: &Curve, proportions: (f64, f64), cost: &Cost, thresholds: &Thresholds) -> Evaluation {
    let (gaps, hull) = hull(curve);
    Evaluation {
        convex: transform::convexity(curve, &gaps),
        gaps: gaps.iter().map(|g| g.scores).collect(),
        intervals: transform::intervals_of_hull(&hull, proportions.0, proportions.1),
        ..evaluate_readable(curve, &*hull, proportions, cost, thresholds)
    }
}

/// All metrics and losses of a curve and its hull; what the hull looks like is left out.
pub fn evaluate_readable<C: Readable, H: Readable>(
    curve: &C,
    hull: &H,
    proportions: (f64, f64),
    cost: &Cost,
    thresholds: &Thresholds,
) -> Evaluation {
    let plan = standard(curve.range() == (0.0, 1.0), proportions.0 == proportions.1);
    let parameters = [thresholds.threshold.clone(), thresholds.rate.clone()];
    let given = Given { costs: std::slice::from_ref(cost), parameters: &parameters };
    let readers = plan.sites.iter().map(|site| Numeric::new(site, plan, curve, Some(hull), proportions, given));
    let readers: Vec<Numeric<C, H>> = readers.collect();
    let mut values = plan.answers.iter().map(|answer| value(plan.read(answer, &readers[answer.site], given)));
    let metrics = METRICS.iter().copied().zip(values.by_ref()).collect();
    let methods = thresholds.methods();
    let cost_losses = methods.into_iter().zip(values.by_ref()).collect();
    let skew_losses = methods.into_iter().zip(values.by_ref()).collect();
    Evaluation {
        thresholds: thresholds.clone(),
        convex: None,
        gaps: Vec::new(),
        intervals: Vec::new(),
        shape: Err("the numeric level was asked for".into()),
        enclosed_shape: None,
        metrics,
        cost_losses,
        skew_losses,
    }
}

/// The non-hull intervals of a curve, and its hull.
pub fn hull(curve: &Curve) -> (Vec<transform::NonHullInterval>, Cow<'_, Curve>) {
    let gaps = transform::non_hull_intervals(curve);
    let hull = if gaps.is_empty() { Cow::Borrowed(curve) } else { Cow::Owned(transform::convexify(curve, &gaps)) };
    (gaps, hull)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::functional::group::{MEANS, OPTIMAL};
    use crate::functional::program::{Environment, Inputs, Program, Registers};

    /// What the curve says of rates and posteriors is what the vocabulary says of them.
    #[test]
    fn curve_and_vocabulary_agree() {
        let (pi0, pi1) = (0.3, 0.7);
        let program = Program::new(&["R", "1-R", "dR", "c", "1-c", "dc"]).unwrap();
        let model = Model::new("beta(2, 5)", "0.5*beta(5, 2.5) + 0.5*uniform(0.2, 0.6)", "0.3").unwrap();
        let (curve, cost) = (model.curve(), Cost::uniform());
        let view = Environment { pi0, pi1, cost: &cost, range: curve.range };
        let (even, cal) = (transform::even(&curve, pi0, pi1), transform::cal(&curve, pi0, pi1));
        let hull = transform::conv(&curve);
        let mut registers = Registers::default();
        let mut same = |source: &Curve, relabelled: &Curve, outputs: [usize; 3]| {
            let (sources, targets) = (source.massive(), relabelled.massive());
            for (panel, target) in sources.zip(targets) {
                program.run(&Inputs::of(panel), &view, &mut registers);
                for (lane, k) in [&target.x, &target.x_complement, &target.dx].into_iter().zip(outputs) {
                    let defined = program.output(k, &registers);
                    assert!(lane.iter().zip(defined).all(|(a, b)| (a - b).abs() <= 1e-14 * (1.0 + b.abs())));
                }
            }
        };
        same(&curve, &even, [0, 1, 2]);
        same(&hull, &cal, [3, 4, 5]);
        let point = curve.at_score(0.4);
        let rate = pi0 * point.below[0] + pi1 * point.below[1];
        assert!((point.rate(pi0) - rate).abs() < 1e-15);
    }

    /// Every text of the definitions compiles, and every definition finds its program.
    #[test]
    fn all_definitions_compile() {
        assert_eq!((OPTIMAL.len(), MEANS.len()), (1, 2));
        let asked = METRICS.len() + 2 * Method::ALL.len();
        for (probabilistic, balanced) in [(true, true), (true, false), (false, true), (false, false)] {
            assert_eq!(standard(probabilistic, balanced).answers.len(), asked);
        }
        let evaluation = evaluate_curve(&Curve::diagonal(), (0.5, 0.5), &Cost::uniform(), &Thresholds::default());
        let values = evaluation.metrics.iter().map(|(_, v)| v).chain(evaluation.cost_losses.iter().map(|(_, v)| v));
        assert!(values.into_iter().all(|v| v.estimate().is_some()), "{evaluation:?}");
    }
}
