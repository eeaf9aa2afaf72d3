//! All metrics and losses of a model at the numeric level, by the curve route.

use super::along::{SENSITIVITY, along};
use super::cost::Cost;
use super::definition::{Definition, Fixed, METRICS, Method, Prior};
use super::group::{MEANS, OPTIMAL, Origin};
use super::plan::{AtPoint, Given, Path, Plan, Reader, Site, ViewOf};
use super::program::View;
use super::question::{Question, Why};
use super::readable::{Doubts, Readable};
use super::rough::{self, Doubt};
use super::settled::Settled;
use crate::arith::Interval;
use crate::calculus::Estimate;
use crate::calculus::panel::Point;
use crate::model::constant::Constant;
use crate::model::{Curve, Model};
use crate::transform::{self, Interval as ScoreInterval};
use std::borrow::Cow;
use std::sync::LazyLock;

/// A tail beyond the largest scores looked at that would still move a mean by this much: there may be no mean.
const NO_MEAN: f64 = 1e-6;
/// Why a value is not to be had in floating point.
pub(super) const BEYOND: &str = "π0 is too close to 0 or 1 for floating point";
/// Why there is no value where there should be one.
pub(super) const FAILED: &str = "it could not be computed";
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
    let (gaps, hull) = hull(curve);
    Evaluation {
        convex: transform::convexity(curve, &gaps),
        gaps: gaps.iter().map(|g| g.scores).collect(),
        intervals: transform::intervals_of_hull(&hull, proportions.0, proportions.1),
        ..evaluate_readable(curve, &*hull, proportions, cost, fixed)
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
    let plan = standard(curve.range() == (0.0, 1.0), proportions.0 == proportions.1);
    let parameters = [fixed.threshold, fixed.rate].map(|value| Constant::real(value, Interval::from(value)));
    let given = Given { costs: std::slice::from_ref(cost), parameters: &parameters };
    let readers = plan.sites.iter().map(|site| Numeric::new(site, plan, curve, Some(hull), proportions, given));
    let readers: Vec<Numeric<C, H>> = readers.collect();
    let mut values = plan.answers.iter().map(|answer| value(plan.read(answer, &readers[answer.site], given)));
    let metrics = METRICS.iter().copied().zip(values.by_ref()).collect();
    let methods = Method::all(fixed);
    let cost_losses = methods.into_iter().zip(values.by_ref()).collect();
    let skew_losses = methods.into_iter().zip(values.by_ref()).collect();
    Evaluation {
        fixed,
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

/// What `eval` asks, of scores that are probabilities or not, and of balanced classes or not. Its only distribution of operating conditions
/// and its parameters, the threshold and the rate, stand for any.
pub(super) fn standard(probabilistic: bool, balanced: bool) -> &'static Plan {
    static PLANS: LazyLock<[[Plan; 2]; 2]> = LazyLock::new(|| {
        let questions = Question::all(&Cost::uniform(), &Constant::from(0), &Constant::from(1));
        // That they compile is tested.
        [false, true].map(|p| [false, true].map(|b| Plan::new(&questions, p, b).unwrap_or_default()))
    });
    &PLANS[usize::from(probabilistic)][usize::from(balanced)]
}

/// The answers that a plan asks for.
pub(super) fn read_numeric(plan: &Plan, curve: Curve, proportions: (f64, f64)) -> Vec<Value> {
    let given = plan.given();
    let (curves, places) = plan.curves(curve, |curve, transform| transform::transformed(curve, transform, proportions));
    let hulls: Vec<Option<Cow<Curve>>> =
        plan.sites.iter().zip(&places).map(|(site, k)| site.hull.then(|| hull(&curves[*k]).1)).collect();
    let reader =
        |s: usize| Numeric::new(&plan.sites[s], plan, &curves[places[s]], hulls[s].as_deref(), proportions, given);
    let readers: Vec<Numeric<Curve, Curve>> = (0..plan.sites.len()).map(reader).collect();
    plan.answers.iter().map(|answer| value(plan.read(answer, &readers[answer.site], given))).collect()
}

/// The non-hull intervals of a curve, and its hull.
fn hull(curve: &Curve) -> (Vec<transform::Gap>, Cow<'_, Curve>) {
    let gaps = transform::gaps(curve);
    let hull = if gaps.is_empty() { Cow::Borrowed(curve) } else { Cow::Owned(transform::convexify(curve, &gaps)) };
    (gaps, hull)
}

/// A curve and its hull, read in floating point.
struct Numeric<'a, C, H> {
    site: &'a Site,
    curve: &'a C,
    hull: Option<&'a H>,
    proportions: (f64, f64),
    range: (f64, f64),
    costs: &'a [Cost],
    integrals: Vec<Vec<Estimate>>,
    largest: Vec<f64>,
}

impl<'a, C: Readable, H: Readable> Numeric<'a, C, H> {
    fn new(
        site: &'a Site,
        plan: &Plan,
        curve: &'a C,
        hull: Option<&'a H>,
        proportions: (f64, f64),
        given: Given<'a>,
    ) -> Self {
        let scale = curve.range();
        // Where all scores are equal no threshold is drawn from their scale, and nothing is to be divided by its length.
        let range = if scale.0 < scale.1 { scale } else { (0.0, 1.0) };
        let (integrals, largest) = (Vec::with_capacity(site.bundles.len()), Vec::new());
        let mut reader = Numeric { site, curve, hull, proportions, range, costs: given.costs, integrals, largest };
        let views: Vec<View> = site.bundles.iter().map(|bundle| reader.view(bundle.view)).collect();
        let along = |path: Path| {
            let asked = site.bundles.iter().zip(&views).filter(move |(bundle, _)| bundle.path == path);
            asked.map(|(bundle, view)| (&bundle.group, view)).collect::<Vec<_>>()
        };
        let plain = reader.view(ViewOf { condition: Condition::Cost, cost: 0 });
        let extremes: Vec<_> = site.extremes.iter().map(|point| (&plan.points[*point].program, &plain)).collect();
        let (of_curve, largest) = curve.integrals(&along(Path::Curve), &extremes);
        let of_hull = hull.map_or(Vec::new(), |hull| hull.integrals(&along(Path::Hull), &[]).0);
        let (mut of_curve, mut of_hull) = (of_curve.into_iter(), of_hull.into_iter());
        for (bundle, view) in site.bundles.iter().zip(&views) {
            let found = match bundle.path {
                Path::Curve => of_curve.next(),
                Path::Hull => of_hull.next(),
                Path::Corners => Some(curve.with_corners(&bundle.group, view)),
                Path::Optimal => hull.and_then(|hull| optimal(hull, view)).map(|loss| vec![loss]),
            };
            reader.integrals.push(found.unwrap_or_default());
        }
        reader.largest = largest;
        reader
    }

    fn view(&self, of: ViewOf) -> View<'a> {
        let (pi0, pi1) = if of.condition == Condition::Cost { self.proportions } else { (0.5, 0.5) };
        View { pi0, pi1, cost: &self.costs[of.cost], range: self.range }
    }

    /// What the cut tails may add to a mean score, and what errors of the distribution functions do to it: it scales with the scores.
    fn of_mean(&self, class: usize, estimate: Estimate) -> Result<Estimate, Why> {
        let Doubts { uncertainty, width, mean_tail, .. } = self.curve.doubts();
        if mean_tail[class] > NO_MEAN {
            return Err("the tails are too heavy for a mean score".into());
        }
        Ok(estimate.widened(SENSITIVITY * uncertainty * width + mean_tail[class]))
    }

    /// The value of an expression at a point.
    fn at(&self, point: &Point, of: &AtPoint, view: &View) -> Estimate {
        let value = of.program.value_at(point, view);
        let Doubts { uncertainty, score_noise, .. } = self.curve.doubts();
        let doubt = match of.origin {
            Origin::Typed => {
                // Where a score or a rate is reached is known up to a rounding.
                let doubt = Doubt { mass: SENSITIVITY * (uncertainty + 4.0 * f64::EPSILON), score: score_noise };
                rough::at_point(&of.program, point, view, doubt).map_or(f64::INFINITY, |rough| rough.error)
            }
            _ => SENSITIVITY * uncertainty,
        };
        Estimate { value, error: doubt + 8.0 * f64::EPSILON * value.abs() }
    }
}

impl<C: Readable, H: Readable> Reader for Numeric<'_, C, H> {
    type Number = Estimate;

    fn scale(&self) -> (f64, f64) {
        self.curve.range()
    }

    fn integral(&self, bundle: usize, k: usize) -> Result<Estimate, Why> {
        let estimate = self.integrals[bundle].get(k).copied();
        let estimate = estimate.filter(|e| e.value.is_finite() && e.error.is_finite()).ok_or(FAILED)?;
        match self.site.bundles[bundle].group.origins[k] {
            Origin::Mean(class) => self.of_mean(class, estimate),
            _ => Ok(estimate),
        }
    }

    fn affine(&self, a: f64, b: f64, of: Estimate) -> Estimate {
        Estimate { value: a + b * of.value, error: b.abs() * of.error + f64::EPSILON }
    }

    fn largest(&self, k: usize) -> Result<Estimate, Why> {
        let value = self.largest.get(k).copied().ok_or(FAILED)?;
        Ok(Estimate { value, error: SENSITIVITY * self.curve.doubts().uncertainty + 4.0 * f64::EPSILON })
    }

    fn at_score(&self, of: &AtPoint, at: &Constant, view: ViewOf) -> Result<Estimate, Why> {
        let (t, view) = (at.value, self.view(view));
        // Beyond all scores the threshold is still what it is.
        let point = |at: f64| Point { x: t, x_complement: 1.0 - t, ..self.curve.at_score(at) };
        let estimate = self.at(&point(t), of, &view);
        // Where scores were computed, an atom may stand on the wrong side of the threshold by a rounding.
        let noise = self.curve.doubts().score_noise;
        if noise == 0.0 {
            return Ok(estimate);
        }
        let around = [t - noise, t + noise].map(|at| of.program.value_at(&point(at), &view));
        Ok(estimate.widened(around.iter().map(|v| (v - estimate.value).abs()).fold(0.0, f64::max)))
    }

    fn at_rate(&self, of: &AtPoint, at: &Constant, view: ViewOf) -> Result<Estimate, Why> {
        let view = self.view(view);
        // Where a rate is reached is known up to a rounding of the rate.
        Ok(self.at(&self.curve.at_rate(at.value, view.pi0), of, &view).widened(8.0 * f64::EPSILON))
    }

    fn share_of_chance(&self, prior: Prior, view: ViewOf) -> Result<Estimate, Why> {
        let plain = self.view(view);
        let [a, b] = prior.parameters([plain.pi0, plain.pi1]);
        let cost = Cost::beta(a, b);
        let view = View { cost: &cost, ..plain };
        let loss = self.hull.and_then(|hull| optimal(hull, &view)).ok_or(FAILED)?;
        let most = optimal(&Curve::diagonal(), &view).ok_or(FAILED)?;
        let share = loss.value / most.value;
        Ok(Estimate { value: 1.0 - share, error: (loss.error + share.abs() * most.error) / most.value + f64::EPSILON })
    }
}

/// The mean score of a class.
pub(crate) fn mean_score(curve: &Curve, class: usize) -> f64 {
    let cost = Cost::uniform();
    let view = View { pi0: 0.5, pi1: 0.5, cost: &cost, range: curve.range };
    along(curve, &[], &MEANS, &view).get(class).map_or(f64::NAN, |mean| mean.value)
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
fn value(found: Result<Estimate, Why>) -> Value {
    match found {
        Ok(estimate) if estimate.value.is_finite() && estimate.error.is_finite() => Value::Numeric(estimate),
        Ok(_) => Value::Unavailable(FAILED.into()),
        Err(why) => Value::Unavailable(why),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::functional::program::{Inputs, Program, Registers};

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
        assert_eq!((OPTIMAL.len(), MEANS.len()), (1, 2));
        let asked = METRICS.len() + 2 * Method::ALL.len();
        for (probabilistic, balanced) in [(true, true), (true, false), (false, true), (false, false)] {
            assert_eq!(standard(probabilistic, balanced).answers.len(), asked);
        }
        let evaluation = evaluate_curve(&Curve::diagonal(), (0.5, 0.5), &Cost::uniform(), Fixed::default());
        let values = evaluation.metrics.iter().map(|(_, v)| v).chain(evaluation.cost_losses.iter().map(|(_, v)| v));
        assert!(values.into_iter().all(|v| v.estimate().is_some()), "{evaluation:?}");
    }
}
