//! All metrics and losses of a model at the exact level: the same definitions, read in rational functions and exact numbers.
//!
//! | file | what it does |
//! | --- | --- |
//! | `algebra` | definitions in exact numbers and rational functions |
//! | `view` | class proportions, costs, and what definitions read along arcs, straight pieces and corners |
//! | `along` | integrals along the curve |
//! | `read` | the answers to questions |

mod algebra;
mod along;
mod environment;
mod read;

pub(super) use read::{UNDECIDED, read_exact};

use super::cost::Cost;
use super::definition::Condition;
use super::definition::{METRICS, Method};
use super::plan::{Given, standard};
use super::question::Why;
use super::thresholds::Thresholds;
use crate::calculus::quantity::Quantity;
use crate::model::exact_curve::{ExactCurve, Undecided};
use crate::model::piecewise::NotPiecewise;
use crate::model::{Model, Transform};
use crate::transform::exact::{self as transform, ExactInterval};
use crate::transform::exact_hull::{ExactGap, exact_hull};
use read::Exact;
use rocproof_arith::Rational;

/// Everything that `eval` says of a model, exactly; or why the exact level has no answer.
#[derive(Clone, Debug)]
pub struct ExactEvaluation {
    /// Whether the ROC curve is convex.
    pub convex: bool,
    /// The non-hull intervals.
    pub gaps: Vec<ExactGap>,
    /// The bijective, constant and singular intervals of the hull.
    pub intervals: Vec<ExactInterval>,
    /// The metrics, in the order of [`METRICS`].
    pub metrics: Vec<Result<Quantity, Why>>,
    /// The expected losses over cost proportions, in the order of [`Method::all`].
    pub cost_losses: Vec<Result<Quantity, Why>>,
    /// The expected losses over skews.
    pub skew_losses: Vec<Result<Quantity, Why>>,
}

impl ExactEvaluation {
    /// A metric by name.
    pub fn metric(&self, name: &str) -> Option<&Quantity> {
        METRICS.iter().position(|m| m.name == name).and_then(|k| self.metrics[k].as_ref().ok())
    }

    /// An expected loss.
    pub fn loss(&self, condition: Condition, method: Method) -> Option<&Quantity> {
        let position = Method::ALL.iter().position(|m| m.title() == method.title())?;
        let losses = if condition == Condition::Cost { &self.cost_losses } else { &self.skew_losses };
        losses[position].as_ref().ok()
    }
}

/// Why a model has no exact evaluation.
#[derive(Clone, Debug)]
pub enum Refusal {
    /// It is not piecewise polynomial with rational numbers throughout, or not a model at all.
    NotPiecewise(NotPiecewise),
    /// Two numbers could not be told apart.
    Undecided,
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Refusal::NotPiecewise(why) => {
                write!(f, "{}: {}", why.diagnostic().source.name, why.diagnostic().message)
            }
            Refusal::Undecided => {
                f.write_str("no exact level here: two numbers on the hull are too close to tell which is larger")
            }
        }
    }
}

impl From<NotPiecewise> for Refusal {
    fn from(why: NotPiecewise) -> Refusal {
        Refusal::NotPiecewise(why)
    }
}

impl From<Undecided> for Refusal {
    fn from(_: Undecided) -> Refusal {
        Refusal::Undecided
    }
}

/// The curve of a model at the exact level.
pub fn exact_curve(model: &Model) -> Result<(ExactCurve, [Rational; 2]), Refusal> {
    exact_curve_after(model, model.transforms())
}

/// The curve of the densities of a model after some transforms.
pub(super) fn exact_curve_after(
    model: &Model,
    transforms: &[Transform],
) -> Result<(ExactCurve, [Rational; 2]), Refusal> {
    let pi0 = model.exact_pi0().map_err(NotPiecewise::from)?;
    let proportions = [pi0.clone(), Rational::ONE - pi0];
    let densities = [model.density(0).piecewise()?, model.density(1).piecewise()?];
    let mut curve = ExactCurve::new(densities);
    for transform in transforms {
        curve = transform::apply(&curve, *transform, &proportions)?;
    }
    Ok((curve, proportions))
}

/// Evaluates a model exactly under a distribution of operating conditions.
///
/// ```
/// use rocproof_engine::functional::{Thresholds, exact::evaluate_exact};
/// use rocproof_engine::{Cost, Model};
/// let model = Model::new("2*(1-x)", "4*x^3", "1/2")?;
/// let evaluation = evaluate_exact(&model, &Cost::uniform(), &Thresholds::default()).unwrap();
/// assert_eq!(evaluation.metric("AUC").unwrap().closed_form().unwrap().to_string(), "14/15");
/// assert_eq!(evaluation.metric("RL").unwrap().closed_form().unwrap().to_string(), "1/2 + pi/20 - 4*ln(2)/5");
/// # Ok::<(), rocproof_language::Diagnostic>(())
/// ```
pub fn evaluate_exact(model: &Model, cost: &Cost, thresholds: &Thresholds) -> Result<ExactEvaluation, Refusal> {
    let (curve, proportions) = exact_curve(model)?;
    let (hull, gaps) = exact_hull(&curve)?;
    let intervals = transform::intervals_of_hull(&hull, &proportions)?;
    let parameters = [thresholds.threshold.clone(), thresholds.rate.clone()];
    let given = Given { costs: std::slice::from_ref(cost), parameters: &parameters };
    let plan = standard(is_probabilistic(&curve), proportions[0] == proportions[1]);
    let readers: Vec<Exact> =
        plan.sites.iter().map(|site| Exact::new(site, plan, &curve, Some(Ok(&hull)), &proportions, given)).collect();
    let mut values = plan.answers.iter().map(|answer| plan.read(answer, &readers[answer.site], given));
    let mut next = |count: usize| values.by_ref().take(count).collect::<Vec<_>>();
    let (metrics, cost_losses, skew_losses) = (next(METRICS.len()), next(Method::ALL.len()), next(Method::ALL.len()));
    Ok(ExactEvaluation { convex: gaps.is_empty(), intervals, gaps, metrics, cost_losses, skew_losses })
}

/// Whether all scores lie in [0, 1].
fn is_probabilistic(curve: &ExactCurve) -> bool {
    curve.range == [Rational::ZERO, Rational::ONE]
}
