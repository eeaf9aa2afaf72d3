//! All metrics and losses of a model at the numeric level, by the curve route.

use super::along::{SENSITIVITY, along};
use super::cost::Cost;
use super::definition::{Definition, Fixed, METRICS, Method, Prior, Reading, metric_named};
use super::group::{Groups, HULL, OF_PROBABILITIES, OF_SCORES, OPTIMAL, compiled};
use super::program::{Program, View};
use super::readable::{Doubts, Readable};
use super::settled::Settled;
use crate::arith::Interval;
use crate::calculus::Estimate;
use crate::calculus::panel::Point;
use crate::model::{Curve, Model};
use crate::transform::{self, Interval as ScoreInterval};
use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::LazyLock;

/// A tail beyond the largest scores looked at that would still move a mean by this much: there may be no mean.
const NO_MEAN: f64 = 1e-6;
/// Why a value is not to be had in floating point.
pub(super) const BEYOND: &str = "π0 is too close to 0 or 1 for floating point";
/// The largest error of an optimal loss that still tells something.
const MEANINGFUL: f64 = 1e-4;

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

/// The two kinds of operating condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// A cost proportion under a fixed class proportion.
    Cost,
    /// A skew, which takes in both; the same as a cost proportion when classes are balanced.
    Skew,
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
    pub fixed: Fixed,
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
/// use rocproof::{Cost, Model, evaluate};
/// let model = Model::new("2*(1-x)", "4*x^3", "1/2")?;
/// let evaluation = evaluate(&model, &Cost::uniform());
/// let auc = evaluation.metric("AUC").unwrap().estimate().unwrap();
/// assert!((auc.value - 14.0 / 15.0).abs() <= auc.error && auc.error < 1e-13);
/// # Ok::<(), rocproof::lang::Diagnostic>(())
/// ```
pub fn evaluate(model: &Model, cost: &Cost) -> Evaluation {
    evaluate_at(model, cost, Fixed::default())
}

/// The same with the threshold and the rate of the fixed methods chosen.
pub fn evaluate_at(model: &Model, cost: &Cost, fixed: Fixed) -> Evaluation {
    if model.beyond_floating_point().is_some() {
        // What applies does not depend on the proportions; no value is to be had.
        let mut evaluation = evaluate_at(&model.balanced(), cost, fixed);
        evaluation.intervals.clear();
        let metrics = evaluation.metrics.iter_mut().map(|(_, value)| value);
        let losses = evaluation.cost_losses.iter_mut().chain(&mut evaluation.skew_losses).map(|(_, value)| value);
        for value in metrics.chain(losses).filter(|v| matches!(v, Value::Numeric(_))) {
            *value = Value::Unavailable(BEYOND.into());
        }
        return evaluation;
    }
    evaluate_curve(&model.curve(), model.proportions(), cost, fixed)
}

/// Evaluates a curve.
pub fn evaluate_curve(curve: &Curve, proportions: (f64, f64), cost: &Cost, fixed: Fixed) -> Evaluation {
    let gaps = transform::gaps(curve);
    let hull = if gaps.is_empty() { Cow::Borrowed(curve) } else { Cow::Owned(transform::convexify(curve, &gaps)) };
    Evaluation {
        convex: transform::convexity(curve, &gaps),
        gaps: gaps.iter().map(|g| g.scores).collect(),
        intervals: transform::intervals_of_hull(&hull, proportions.0, proportions.1),
        ..evaluate_readable(curve, hull.as_ref(), proportions, cost, fixed)
    }
}

/// All metrics and losses of a curve and its hull; what the hull looks like is left out.
pub(crate) fn evaluate_readable<C: Readable, H: Readable>(
    curve: &C,
    hull: &H,
    proportions: (f64, f64),
    cost: &Cost,
    fixed: Fixed,
) -> Evaluation {
    let evaluator = Evaluator::new(curve, hull, proportions, cost, fixed);
    let metrics = METRICS.map(|definition| (definition, evaluator.metric(&definition)));
    let methods = Method::all(fixed);
    let cost_losses = methods.map(|method| (method, evaluator.loss(Condition::Cost, method)));
    // With balanced classes a skew is a cost proportion.
    let skew_losses = if proportions.0 == proportions.1 {
        cost_losses.clone()
    } else {
        methods.map(|method| (method, evaluator.loss(Condition::Skew, method)))
    };
    Evaluation {
        fixed,
        convex: None,
        gaps: Vec::new(),
        intervals: Vec::new(),
        shape: Err("the numeric level was asked for".into()),
        enclosed_shape: None,
        metrics: metrics.to_vec(),
        cost_losses: cost_losses.to_vec(),
        skew_losses: skew_losses.to_vec(),
    }
}

struct Evaluator<'a, C, H> {
    curve: &'a C,
    hull: &'a H,
    groups: &'static Groups,
    fixed: Fixed,
    cost_view: View<'a>,
    skew_view: View<'a>,
    cost: Vec<Estimate>,
    skew: Vec<Estimate>,
    of_hull: Vec<Estimate>,
    /// The largest absolute values of [`EXTREMES`].
    largest: Vec<f64>,
}

impl<'a, C: Readable, H: Readable> Evaluator<'a, C, H> {
    fn new(curve: &'a C, hull: &'a H, (pi0, pi1): (f64, f64), cost: &'a Cost, fixed: Fixed) -> Self {
        let scale = curve.range();
        // Where all scores are equal no threshold is drawn from their scale, and nothing is to be divided by its length.
        let range = if scale.0 < scale.1 { scale } else { (0.0, 1.0) };
        let cost_view = View { pi0, pi1, cost, range };
        let skew_view = View { pi0: 0.5, pi1: 0.5, cost, range };
        let groups: &Groups = if scale == (0.0, 1.0) { &OF_PROBABILITIES } else { &OF_SCORES };
        let extremes: Vec<(&Program, &View)> = EXTREMES.iter().map(|(_, program)| (program, &cost_view)).collect();
        let ([cost, skew], largest) =
            curve.integrals([(&groups.cost, &cost_view), (&groups.skew, &skew_view)], &extremes);
        let ([of_hull], _) = hull.integrals([(&*HULL, &cost_view)], &[]);
        Evaluator { curve, hull, groups, fixed, cost, skew, of_hull, largest, cost_view, skew_view }
    }

    fn view(&self, condition: Condition) -> &View<'a> {
        if condition == Condition::Cost { &self.cost_view } else { &self.skew_view }
    }

    /// An integral along the curve, by the name of the definition.
    fn integral(&self, condition: Condition, name: &str) -> Option<Estimate> {
        let (group, integrals) = match condition {
            Condition::Cost => (&self.groups.cost, &self.cost),
            Condition::Skew => (&self.groups.skew, &self.skew),
        };
        group.position(name).and_then(|k| integrals.get(k)).copied()
    }

    fn metric(&self, definition: &Definition) -> Value {
        if let Some(why) = definition.scores.refusal(self.curve.range()) {
            return Value::Unavailable(why.into());
        }
        if self.mean_tail(definition) > NO_MEAN {
            return Value::Unavailable("the tails are too heavy for a mean score".into());
        }
        let estimate = match definition.reading {
            Reading::Along(_) => {
                self.integral(Condition::Cost, definition.name).map(|e| self.with_scale(definition, e))
            }
            Reading::AtScore(text) => Some(self.at_threshold(text, &self.cost_view)),
            Reading::Balanced(name) => match metric_named(name).map(|m| m.reading) {
                Some(Reading::AtScore(text)) => Some(self.at_threshold(text, &self.skew_view)),
                _ => self.integral(Condition::Skew, name),
            },
            Reading::OfHull(name) => HULL.position(name).and_then(|k| self.of_hull.get(k)).copied(),
            Reading::Affine(a, b, name) => self
                .integral(Condition::Cost, name)
                .map(|e| Estimate { value: a + b * e.value, error: b.abs() * e.error + f64::EPSILON }),
            Reading::Largest(text) => Some(self.largest(text)),
            Reading::ShareOfChance(prior) => Some(self.share_of_chance(prior)),
            Reading::AlongHull(_) | Reading::AtRate(_) => None,
        };
        finite(estimate)
    }

    /// What the cut tails may add to a definition that is a mean score.
    fn mean_tail(&self, definition: &Definition) -> f64 {
        let class = ["s0", "s1"].iter().position(|name| *name == definition.name);
        class.map_or(0.0, |class| self.curve.doubts().mean_tail[class])
    }

    /// Mean scores scale with the scores, and so does what an error of the distribution functions does to them.
    fn with_scale(&self, definition: &Definition, estimate: Estimate) -> Estimate {
        if !["s0", "s1"].contains(&definition.name) {
            return estimate;
        }
        let Doubts { uncertainty, width, .. } = self.curve.doubts();
        estimate.widened(SENSITIVITY * uncertainty * width + self.mean_tail(definition))
    }

    fn loss(&self, condition: Condition, method: Method) -> Value {
        if let Some(why) = method.scores().refusal(self.curve.range()) {
            return Value::Unavailable(why.into());
        }
        let view = self.view(condition);
        let estimate = match (method, method.reading()) {
            (_, Reading::Along(_)) => self.integral(condition, &method.name()),
            (_, Reading::AlongHull(_)) => self.optimal(view),
            (Method::ScoreFixed(_), Reading::AtScore(text)) => Some(self.at_threshold(text, view)),
            (Method::RateFixed(r), Reading::AtRate(text)) => {
                // Where a rate is reached is known up to a rounding of the rate.
                Some(self.at(&self.curve.at_rate(r, view.pi0), text, view).widened(8.0 * f64::EPSILON))
            }
            _ => None,
        };
        finite(estimate)
    }

    fn optimal(&self, view: &View) -> Option<Estimate> {
        optimal(self.hull, view)
    }

    /// The value of an expression at the fixed threshold.
    fn at_threshold(&self, text: &str, view: &View) -> Estimate {
        let t = self.fixed.threshold;
        let estimate = self.at(&self.curve.at_score(t), text, view);
        // Where scores were computed, an atom may stand on the wrong side of the threshold by a rounding.
        let noise = self.curve.doubts().score_noise;
        if noise == 0.0 {
            return estimate;
        }
        let around = [t - noise, t + noise].map(|t| value_at(&self.curve.at_score(t), text, view));
        estimate.widened(around.iter().map(|v| (v - estimate.value).abs()).fold(0.0, f64::max))
    }

    /// The value of an expression at a point.
    fn at(&self, point: &Point, text: &str, view: &View) -> Estimate {
        let value = value_at(point, text, view);
        Estimate { value, error: SENSITIVITY * self.curve.doubts().uncertainty + 8.0 * f64::EPSILON * value.abs() }
    }

    /// The largest absolute value of an expression in `F0`, `F1`.
    fn largest(&self, text: &str) -> Estimate {
        let k = EXTREMES.iter().position(|(of, _)| *of == text);
        let value = k.and_then(|k| self.largest.get(k)).copied().unwrap_or(f64::NAN);
        Estimate { value, error: SENSITIVITY * self.curve.doubts().uncertainty + 4.0 * f64::EPSILON }
    }

    /// Hand's H under a beta distribution of costs.
    fn share_of_chance(&self, prior: Prior) -> Estimate {
        let [a, b] = prior.parameters([self.cost_view.pi0, self.cost_view.pi1]);
        let cost = Cost::beta(a, b);
        let view = View { cost: &cost, ..self.cost_view.clone() };
        let of_chance = optimal(&Curve::diagonal(), &view);
        let (Some(loss), Some(most)) = (self.optimal(&view), of_chance) else {
            return Estimate { value: f64::NAN, error: 0.0 };
        };
        let share = loss.value / most.value;
        Estimate { value: 1.0 - share, error: (loss.error + share.abs() * most.error) / most.value + f64::EPSILON }
    }
}

/// Expressions that are read at single points.
pub(super) static AT_POINTS: LazyLock<HashMap<&'static str, Program>> = LazyLock::new(|| {
    let readings = METRICS.iter().map(|m| m.reading).chain(Method::ALL.map(|m| m.reading()));
    let texts = readings.filter_map(|reading| match reading {
        Reading::AtScore(text) | Reading::AtRate(text) | Reading::Largest(text) => Some(text),
        _ => None,
    });
    texts.map(|text| (text, compiled(&[text]))).collect()
});

/// Expressions whose largest absolute value is looked for.
static EXTREMES: LazyLock<Vec<(&'static str, Program)>> = LazyLock::new(|| {
    let texts = METRICS.iter().filter_map(|m| if let Reading::Largest(text) = m.reading { Some(text) } else { None });
    texts.map(|text| (text, compiled(&[text]))).collect()
});

/// The value of an expression of the definitions at a point.
fn value_at(point: &Point, text: &str, view: &View) -> f64 {
    AT_POINTS.get(text).map_or(f64::NAN, |program| program.value_at(point, view))
}

/// The mean score of a class.
pub(crate) fn mean_score(curve: &Curve, class: usize) -> f64 {
    let cost = Cost::uniform();
    let view = View { pi0: 0.5, pi1: 0.5, cost: &cost, range: curve.range };
    let group = &OF_SCORES.cost;
    let position = group.position(["s0", "s1"][class]);
    position.and_then(|k| along(curve, &[], group, &view).get(k).map(|e| e.value)).unwrap_or(f64::NAN)
}

/// The optimal loss: along a hull, corners included.
fn optimal(hull: &impl Readable, view: &View) -> Option<Estimate> {
    let estimate = hull.with_corners(&OPTIMAL, view).first().copied()?;
    // Predicting one class always costs no less. What lies beyond was not resolved, nor what has so large a defect that the
    // defect means little: then all that is known is that the loss lies between nothing and that.
    let mean = view.cost.mean();
    let most = (2.0 * mean * view.pi0).min(2.0 * (1.0 - mean) * view.pi1);
    let beyond = (estimate.value - most).max(-estimate.value);
    let resolved = beyond <= estimate.error && estimate.error <= MEANINGFUL;
    Some(if resolved {
        estimate
    } else {
        Estimate { error: estimate.error.max(estimate.value.abs() + most), ..estimate }
    })
}

/// No NaN and no infinity leaves the house.
fn finite(estimate: Option<Estimate>) -> Value {
    match estimate {
        Some(estimate) if estimate.value.is_finite() && estimate.error.is_finite() => Value::Numeric(estimate),
        _ => Value::Unavailable("it could not be computed".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::functional::program::{Inputs, Registers};

    /// What the curve says of rates and posteriors is what the vocabulary says of them.
    #[test]
    fn curve_and_vocabulary_agree() {
        let (pi0, pi1) = (0.3, 0.7);
        let program = Program::new(&["R", "1-R", "dR", "c", "1-c", "dc"]).unwrap();
        let model = Model::new("beta(2, 5)", "0.5*beta(5, 2.5) + 0.5*uniform(0.2, 0.6)", "0.3").unwrap();
        let (curve, cost) = (model.curve(), Cost::uniform());
        let view = View { pi0, pi1, cost: &cost, range: curve.range };
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
        for group in [&OF_PROBABILITIES.cost, &OF_PROBABILITIES.skew, &OF_SCORES.cost, &OF_SCORES.skew, &HULL, &OPTIMAL]
        {
            let posterior = usize::from(group.posterior.is_some());
            assert_eq!(group.program.len(), group.names.len() + posterior, "{:?}", group.names);
        }
        assert!(!AT_POINTS.is_empty() && AT_POINTS.values().all(|program| program.len() == 1));
        let evaluation = evaluate_curve(&Curve::diagonal(), (0.5, 0.5), &Cost::uniform(), Fixed::default());
        let values = evaluation.metrics.iter().map(|(_, v)| v).chain(evaluation.cost_losses.iter().map(|(_, v)| v));
        assert!(values.into_iter().all(|v| v.estimate().is_some()), "{evaluation:?}");
    }
}
