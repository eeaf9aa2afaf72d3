//! All metrics and losses of a model at the certified level: the same definitions, read in series with proved errors.
//!
//! | file | what it does |
//! | --- | --- |
//! | `weight` | the density of operating conditions |
//! | `along` | integrals along the curve |
//! | `graded` | straight stretches towards conditions that have a singular density |
//! | `optimal` | the optimal loss along the hull, corners included |
//! | `points` | values at thresholds and rates, largest values |

mod along;
mod graded;
mod optimal;
mod points;
mod weight;

use super::cost::Cost;
use super::definition::{Definition, METRICS, Method, Prior, Reading, metric_named};
use super::evaluate::{AT_POINTS, Condition};
use super::group::{Group, Groups, HULL, OF_PROBABILITIES, OF_SCORES, compiled};
use super::program::{Algebra, Program};
use super::settle::Thresholds;
use crate::arith::{Balls, Interval, Series};
use crate::lang::Diagnostic;
use crate::model::certified::march::REACH;
use crate::model::certified::place::written_alike;
use crate::model::certified::straight::Integrand;
use crate::model::certified::{EnclosedCurve, Parts, Trouble};
use crate::model::constant::Constant;
use crate::model::{Model, Transform};
use crate::transform::certified as transform;
use crate::transform::certified_hull::{EnclosedHull, enclosed_hull};
use along::{MOST_LOSS, View};
use std::collections::HashMap;
use std::sync::LazyLock;
use weight::Weight;

/// How narrow values should be unless told otherwise.
pub const WIDTH: f64 = 4e-13;

/// Beyond this degree polynomials are not read as what they are: families are faster.
const LARGEST_DEGREE: usize = 24;

/// A class that is rarer than this is not followed any more closely.
const RAREST: f64 = 1e-15;

/// Why a model has no certified evaluation.
#[derive(Clone, Debug)]
pub enum Refusal {
    /// Something about a density, with its place in the text.
    Density(Box<Diagnostic>),
    /// The curve could not be enclosed.
    Curve(Trouble),
    /// A transform rests on a hull that could not be verified near this score.
    Hull(f64),
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Refusal::Density(diagnostic) => write!(f, "{}: {}", diagnostic.source.name, diagnostic.message),
            Refusal::Curve(trouble) => write!(f, "no certified level here: {trouble}"),
            Refusal::Hull(x) => {
                write!(
                    f,
                    "no certified level here: the hull that the transform needs could not be verified near x = {x}"
                )
            }
        }
    }
}

/// Everything that `eval` says of a model, enclosed. Values are `None` where there is nothing to be said.
#[derive(Clone, Debug)]
pub struct CertifiedEvaluation {
    /// Whether the ROC curve is convex, if that could be decided.
    pub convex: Option<bool>,
    /// The non-hull intervals, their ends enclosed.
    pub gaps: Vec<[Interval; 2]>,
    /// A score near which the hull could not be verified.
    pub undecided: Option<f64>,
    /// The metrics, in the order of [`METRICS`].
    pub metrics: Vec<Option<Interval>>,
    /// The expected losses over cost proportions, in the order of [`Method::all`].
    pub cost_losses: Vec<Option<Interval>>,
    /// The expected losses over skews.
    pub skew_losses: Vec<Option<Interval>>,
}

impl CertifiedEvaluation {
    /// A metric by name.
    pub fn metric(&self, name: &str) -> Option<Interval> {
        METRICS.iter().position(|m| m.name == name).and_then(|k| self.metrics[k])
    }

    /// An expected loss.
    pub fn loss(&self, condition: Condition, method: Method) -> Option<Interval> {
        let position = Method::ALL.iter().position(|m| m.title() == method.title())?;
        let losses = if condition == Condition::Cost { &self.cost_losses } else { &self.skew_losses };
        losses[position]
    }
}

/// The curve of a model, enclosed; `least_power` is the smallest power with which the mass of operating conditions vanishes
/// towards 0 or 1, or 1.
pub fn enclosed_curve(model: &Model, least_power: f64) -> Result<EnclosedCurve, Refusal> {
    let parts = |class: usize| model.density(class).enclosed().map_err(|d| Refusal::Density(Box::new(d)));
    let proportions = model.enclosed_proportions();
    let rarest = proportions[0].lo().min(proportions[1].lo()).max(RAREST);
    let reach = ((REACH - core_math::log(rarest)) / least_power).min(650.0);
    let alike = written_alike(&model.density(0).syntax, &model.density(1).syntax);
    let graded = least_power < 1.0;
    let classes = [parts(0)?, parts(1)?];
    let exact = match [0, 1].map(|class| model.density(class)) {
        // Two densities of one family say exactly how their ratio changes.
        _ if classes.iter().all(|class| class.is_family()) => None,
        [f0, f1] => f0.piecewise().ok().zip(f1.piecewise().ok()).map(|(f0, f1)| [f0, f1]),
    };
    let exact = exact.filter(|classes| classes.iter().all(|class| class.degree() <= LARGEST_DEGREE));
    // One polynomial between any two places is known better than a sum of densities.
    let polynomials = exact.map(|classes| classes.map(Parts::of_pieces));
    let classes = polynomials.as_ref().map_or(classes, |[f0, f1]| [f0, f1]);
    let curve = EnclosedCurve::new(classes, alike, reach, graded, exact).map_err(Refusal::Curve)?;
    let undecided = |hull: transform::UndecidedHull| Refusal::Hull(hull.0);
    model.transforms().iter().try_fold(curve, |curve, transform| match transform {
        Transform::Conv => transform::conv(&curve).map_err(undecided),
        Transform::Cal => transform::cal(&curve, proportions).map_err(undecided),
        Transform::Even => Ok(transform::even(&curve, proportions)),
    })
}

/// Evaluates a model with certified enclosures, aiming at the given width.
///
/// ```
/// use rocproof::functional::certified::{WIDTH, evaluate_certified};
/// use rocproof::functional::settle::Thresholds;
/// use rocproof::{Condition, Cost, Method, Model};
/// let model = Model::new("beta(2.5, 4)", "beta(5, 1.5)", "1/3")?;
/// let evaluation = evaluate_certified(&model, &Cost::uniform(), &Thresholds::default(), WIDTH).unwrap();
/// let (brier_score, score_driven) = (evaluation.metric("BS"), evaluation.loss(Condition::Cost, Method::ScoreDriven));
/// assert!(brier_score.unwrap().meets(score_driven.unwrap()) && brier_score.unwrap().width() < 1e-12);
/// assert_eq!(evaluation.convex, Some(true));
/// # Ok::<(), rocproof::lang::Diagnostic>(())
/// ```
pub fn evaluate_certified(
    model: &Model,
    cost: &Cost,
    thresholds: &Thresholds,
    width: f64,
) -> Result<CertifiedEvaluation, Refusal> {
    let unknown = || Refusal::Curve(Trouble::Tail(0.0));
    let weight = Weight::new(cost.parameters()).ok_or_else(unknown)?;
    let curve = enclosed_curve(model, weight.least_power())?;
    let hull = enclosed_hull(&curve);
    let proportions = model.enclosed_proportions();
    let evaluator = Evaluator::new(&curve, &hull, proportions, model.pi0(), &weight, thresholds, width);
    let metrics = METRICS.iter().map(|definition| evaluator.metric(definition)).collect();
    let losses = |condition| Method::ALL.iter().map(|method| evaluator.loss(condition, *method)).collect();
    let cost_losses: Vec<Option<Interval>> = losses(Condition::Cost);
    let balanced = proportions[0] == Interval::from(0.5);
    let skew_losses = if balanced { cost_losses.clone() } else { losses(Condition::Skew) };
    let EnclosedHull { convex, gaps, undecided, .. } = hull;
    Ok(CertifiedEvaluation { convex, gaps, undecided, metrics, cost_losses, skew_losses })
}

/// The refinement loss alone, straight from the densities: no distribution function is needed for it.
///
/// ```
/// use rocproof::Model;
/// use rocproof::functional::certified::refinement_loss;
/// // 1/2 + π/20 - 4 ln(2)/5.
/// let found = refinement_loss(&Model::new("2*(1-x)", "4*x^3", "1/2")?, 1e-12).unwrap();
/// assert!(found.contains(0.10256188823153342) && found.width() < 1e-12);
/// # Ok::<(), rocproof::lang::Diagnostic>(())
/// ```
pub fn refinement_loss(model: &Model, width: f64) -> Result<Interval, Refusal> {
    let parts = |class: usize| model.density(class).enclosed().map_err(|d| Refusal::Density(Box::new(d)));
    let proportions = model.enclosed_proportions();
    let integrand = Integrand {
        along: |d: [Series; 2]| refinement(proportions, d).unwrap_or(Series::UNKNOWN),
        around: |d: [Balls; 2]| refinement(proportions, d).unwrap_or(Balls::UNKNOWN),
        of_tie: |d: [Interval; 2]| refinement(proportions, d).unwrap_or(Interval::ALL),
        // The share of the other class is at most 1.
        of_rest: |[d0, _]: [Interval; 2]| Interval::new(0.0, (proportions[0] * d0).hi().max(0.0)),
    };
    integrand.integral([parts(0)?, parts(1)?], width).map_err(Refusal::Curve)
}

/// What the definition of refinement loss makes of the differentials of both distribution functions.
fn refinement<A: Algebra + From<Interval>>(proportions: [Interval; 2], [d0, d1]: [A; 2]) -> Option<A> {
    let [pi0, pi1] = proportions.map(A::from);
    REFINEMENT.value(|name| match name {
        "pi0" => Some(&pi0),
        "pi1" => Some(&pi1),
        "dF0" => Some(&d0),
        "dF1" => Some(&d1),
        _ => None,
    })
}

/// The definition of refinement loss, compiled.
static REFINEMENT: LazyLock<Program> = LazyLock::new(|| match metric_named("RL").map(|m| m.reading) {
    Some(Reading::Along(text)) => compiled(&[text]),
    _ => Program::empty(),
});

struct Evaluator<'a> {
    curve: &'a EnclosedCurve,
    hull: &'a EnclosedHull,
    pi0: &'a Constant,
    thresholds: &'a Thresholds,
    views: [View<'a>; 2],
    integrals: [HashMap<String, Interval>; 2],
    of_hull: HashMap<String, Interval>,
}

fn by_name(curve: &EnclosedCurve, group: &Group, view: &View) -> HashMap<String, Interval> {
    group.names.iter().cloned().zip(along::along(curve, group, view)).collect()
}

impl<'a> Evaluator<'a> {
    fn new(
        curve: &'a EnclosedCurve,
        hull: &'a EnclosedHull,
        proportions: [Interval; 2],
        pi0: &'a Constant,
        weight: &'a Weight,
        thresholds: &'a Thresholds,
        width: f64,
    ) -> Evaluator<'a> {
        let half = Interval::from(0.5);
        let view = |proportions| View { proportions, weight, range: curve.range, width, scale: 1.0 };
        let views = [view(proportions), view([half; 2])];
        let groups: &Groups = if curve.probabilistic { &OF_PROBABILITIES } else { &OF_SCORES };
        let integrals = [by_name(curve, &groups.cost, &views[0]), by_name(curve, &groups.skew, &views[1])];
        let slack = Interval::around(0.0, optimal::SLACK * hull.slack);
        let of_hull = by_name(&hull.curve, &HULL, &views[0]).into_iter().map(|(name, v)| (name, v + slack)).collect();
        Evaluator { curve, hull, pi0, thresholds, views, integrals, of_hull }
    }

    fn integral(&self, condition: Condition, name: &str) -> Option<Interval> {
        self.integrals[condition as usize].get(name).copied()
    }

    fn metric(&self, definition: &Definition) -> Option<Interval> {
        let [cost, skew] = &self.views;
        let found = match definition.reading {
            Reading::Along(_) => self.integral(Condition::Cost, definition.name),
            Reading::AtScore(text) => self.at_threshold(text, cost),
            Reading::Balanced(name) => match metric_named(name).map(|m| m.reading) {
                Some(Reading::AtScore(text)) => self.at_threshold(text, skew),
                _ => self.integral(Condition::Skew, name),
            },
            Reading::OfHull(name) => self.of_hull.get(name).copied(),
            Reading::Affine(a, b, name) => {
                self.integral(Condition::Cost, name).map(|of| Interval::from(a) + Interval::from(b) * of)
            }
            Reading::Largest(text) => points::largest(self.curve, AT_POINTS.get(text)?, cost),
            Reading::ShareOfChance(prior) => self.share_of_chance(prior),
            Reading::AlongHull(_) | Reading::AtRate(_) => None,
        };
        found.filter(|value| value.is_bounded())
    }

    fn loss(&self, condition: Condition, method: Method) -> Option<Interval> {
        let view = &self.views[condition as usize];
        let found = match (method, method.reading()) {
            (_, Reading::Along(_)) => self.integral(condition, &method.name()),
            (_, Reading::AlongHull(_)) => Some(optimal::optimal_of_hull(self.hull, view)),
            (Method::ScoreFixed(_), Reading::AtScore(text)) => self.at_threshold(text, view),
            (Method::RateFixed(_), Reading::AtRate(text)) => {
                let rate = self.thresholds.rate.enclosure;
                points::value_at(&points::at_rate(self.curve, rate, view.proportions), AT_POINTS.get(text)?, view)
            }
            _ => None,
        };
        let all = Interval::new(0.0, MOST_LOSS);
        found.map(|value| value.meet(all)).filter(|value| value.is_bounded())
    }

    fn at_threshold(&self, text: &str, view: &View) -> Option<Interval> {
        let spot = points::at_score(self.curve, &self.thresholds.threshold);
        points::value_at(&spot, AT_POINTS.get(text)?, view)
    }

    /// Hand's H under a beta distribution of costs.
    fn share_of_chance(&self, prior: Prior) -> Option<Interval> {
        let proportions = match &self.pi0.exact {
            Some(exact) => [exact.clone(), crate::arith::Rational::ONE - exact].map(Constant::rational),
            None => {
                let values = [self.pi0.value, 1.0 - self.pi0.value];
                [0, 1].map(|k| Constant::real(values[k], self.views[0].proportions[k]))
            }
        };
        let weight = Weight::new(&prior.parameters(proportions))?;
        let plain = View { weight: &weight, ..self.views[0].clone() };
        let of_chance = optimal::optimal(&EnclosedCurve::diagonal(), &plain);
        // As narrow as the share should be.
        let scale = of_chance.mid().clamp(0.0, 1.0);
        let view = View { width: plain.width * scale, scale, ..plain.clone() };
        let of_chance = optimal::optimal(&EnclosedCurve::diagonal(), &view);
        let mut loss = optimal::optimal_of_hull(self.hull, &view);
        if loss.width() > plain.width {
            loss = loss.meet(optimal::optimal_of_hull(self.hull, &plain));
        }
        let share = loss / of_chance;
        Some((Interval::ONE - share).meet(Interval::UNIT))
    }
}
