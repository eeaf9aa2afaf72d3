//! All metrics and losses of a model at the numeric level, by the curve route.

use super::cost::Cost;
use super::definition::{Definition, METRICS, Method, Prior, Reading, Scores};
use super::program::{Inputs, Program, Registers, View};
use crate::calculus::Estimate;
use crate::calculus::panel::{Motion, Panel, Point};
use crate::calculus::root::bracketed;
use crate::calculus::rule::NODES;
use crate::model::sample::RESOLVED;
use crate::model::{Curve, Model};
use crate::transform::{self, Gap, Interval};
use std::sync::LazyLock;

/// How much an error of `F0` or `F1` can be magnified in a functional: `Q` has slope at most 2 in each.
const SENSITIVITY: f64 = 4.0;
/// How often one panel is halved.
const MOST_HALVINGS: u32 = 50;

/// A number with its evidence, or why there is none.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// An estimate with its error, at the numeric level.
    Numeric(Estimate),
    /// The functional does not apply to this model.
    Unavailable(&'static str),
}

impl Value {
    /// The estimate, if there is one.
    pub fn estimate(&self) -> Option<Estimate> {
        match self {
            Value::Numeric(estimate) => Some(*estimate),
            Value::Unavailable(_) => None,
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

/// Everything that `eval` says of a model.
#[derive(Clone, Debug)]
pub struct Evaluation {
    /// Whether the ROC curve is convex; `None` if that could not be decided.
    pub convex: Option<bool>,
    /// The non-hull intervals of scores.
    pub gaps: Vec<(f64, f64)>,
    /// The bijective, constant and singular intervals of the hull.
    pub intervals: Vec<Interval>,
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
    evaluate_curve(&model.curve(), model.proportions(), cost)
}

/// Evaluates a curve.
pub fn evaluate_curve(curve: &Curve, (pi0, pi1): (f64, f64), cost: &Cost) -> Evaluation {
    let gaps = transform::gaps(curve);
    let evaluator = Evaluator::new(curve, &gaps, (pi0, pi1), cost);
    let metrics = METRICS.map(|definition| (definition, evaluator.metric(&definition)));
    let losses = |condition| Method::ALL.map(|method| (method, evaluator.loss(condition, method)));
    Evaluation {
        convex: transform::is_convex(curve),
        gaps: gaps.iter().map(|g| g.scores).collect(),
        intervals: transform::intervals(curve, pi0, pi1),
        metrics: metrics.to_vec(),
        cost_losses: losses(Condition::Cost).to_vec(),
        skew_losses: losses(Condition::Skew).to_vec(),
    }
}

/// Programs for groups of definitions that are integrated together, with the names of their outputs.
struct Group {
    names: Vec<String>,
    program: Program,
}

impl Group {
    fn new(metrics: &[&str], methods: &[Method]) -> Group {
        let metric = |name: &&str| METRICS.iter().find(|m| m.name == *name).map(|m| (name.to_string(), m.reading));
        let of_metrics = metrics.iter().filter_map(metric);
        let readings = of_metrics.chain(methods.iter().map(|m| (m.name(), m.reading())));
        let (names, texts): (Vec<String>, Vec<&str>) = readings
            .filter_map(|(name, reading)| match reading {
                Reading::Along(text) | Reading::AlongHull(text) => Some((name, text)),
                _ => None,
            })
            .unzip();
        Group { names, program: compiled(&texts) }
    }

    fn position(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|n| n == name)
    }
}

/// Compiles texts of this crate; that they compile is tested.
fn compiled(texts: &[&str]) -> Program {
    Program::new(texts).unwrap_or_else(|_| Program::empty())
}

const UNIFORM: [Method; 4] = [Method::ScoreUniform, Method::ScoreDriven, Method::RateUniform, Method::RateDriven];
static COST: LazyLock<Group> = LazyLock::new(|| Group::new(&["AUC", "MAE", "BS", "CL", "RL", "s0", "s1"], &UNIFORM));
static SKEW: LazyLock<Group> = LazyLock::new(|| Group::new(&["MAE", "BS"], &UNIFORM));
static HULL: LazyLock<Group> = LazyLock::new(|| Group::new(&["AUC", "RL"], &[]));
static OPTIMAL: LazyLock<Group> = LazyLock::new(|| Group::new(&[], &[Method::Optimal]));
static RESOLUTION: LazyLock<Group> = LazyLock::new(|| Group::new(&["RL"], &[Method::Optimal]));
static UNWEIGHTED: LazyLock<Cost> = LazyLock::new(Cost::uniform);

/// A test whether a panel resolves refinement loss and optimal loss, for the given and for balanced class proportions: the
/// functionals that see most of the shape of the curve.
pub(crate) fn resolves(pi0: f64, pi1: f64) -> impl FnMut(&Panel) -> bool {
    let mut registers = Registers::default();
    move |panel| {
        let program = &RESOLUTION.program;
        let mut views = vec![(pi0, pi1)];
        if pi0 != pi1 {
            views.push((0.5, 0.5));
        }
        views.into_iter().all(|(pi0, pi1)| {
            let view = View { pi0, pi1, cost: &UNWEIGHTED, range: (0.0, 1.0) };
            program.run(&Inputs::of(panel), &view, &mut registers);
            (0..program.len()).all(|k| program.integral(k, &registers).defect <= RESOLVED)
        })
    }
}

/// The integrals of a program along a curve, panels halved where needed.
pub fn along(panels: &[Panel], program: &Program, view: &View, uncertainty: f64) -> Vec<Estimate> {
    let mut sums = vec![(0.0, 0.0, 0.0); program.len()];
    let mut registers = Registers::default();
    let mut pending: Vec<(Panel, u32)> = Vec::new();
    for panel in panels {
        add(panel, 0, program, view, &mut registers, &mut sums, &mut pending);
        while let Some((panel, halvings)) = pending.pop() {
            add(&panel, halvings, program, view, &mut registers, &mut sums, &mut pending);
        }
    }
    let rounding = 8.0 * f64::EPSILON + view.cost.rounding();
    sums.into_iter()
        .map(|(value, defect, magnitude): (f64, f64, f64)| Estimate {
            value,
            error: defect + rounding * magnitude + SENSITIVITY * uncertainty,
        })
        .collect()
}

/// Adds the integrals over a panel, or leaves its halves to be done.
fn add(
    panel: &Panel,
    halvings: u32,
    program: &Program,
    view: &View,
    registers: &mut Registers,
    sums: &mut [(f64, f64, f64)],
    pending: &mut Vec<(Panel, u32)>,
) {
    let may_halve = halvings < MOST_HALVINGS;
    if may_halve && hides_costs(panel, view) {
        pending.extend([(panel.part(0.5, 1.0), halvings + 1), (panel.part(0.0, 0.5), halvings + 1)]);
        return;
    }
    program.run(&Inputs::of(panel), view, registers);
    let fine = |k: usize| {
        let integral = program.integral(k, registers);
        integral.defect <= RESOLVED + 16.0 * f64::EPSILON * integral.magnitude
    };
    if may_halve && !(0..program.len()).all(fine) {
        pending.extend([(panel.part(0.5, 1.0), halvings + 1), (panel.part(0.0, 0.5), halvings + 1)]);
        return;
    }
    for (k, sum) in sums.iter_mut().enumerate() {
        let integral = program.integral(k, registers);
        sum.0 += integral.value;
        sum.1 += integral.defect;
        sum.2 += integral.magnitude;
    }
}

/// Whether a narrow distribution of costs could slip between the nodes of the panel.
fn hides_costs(panel: &Panel, view: &View) -> bool {
    const NARROW: f64 = 0.06;
    let deviation = view.cost.deviation();
    if deviation > NARROW {
        return false;
    }
    let (lo, hi) = (view.cost.mean() - 8.0 * deviation, view.cost.mean() + 8.0 * deviation);
    let posterior = |u: f64| {
        let [q0, q1] = panel.direction(u);
        view.pi1 * q1 / (view.pi0 * q0 + view.pi1 * q1)
    };
    let reads = [
        (panel.start.x, panel.end.x),
        (panel.start.rate(view.pi0), panel.end.rate(view.pi0)),
        (posterior(0.0), posterior(1.0)),
    ];
    reads.iter().any(|(a, b)| a.min(*b) < hi && a.max(*b) > lo && (b - a).abs() > 3.0 * deviation)
}

struct Evaluator<'a> {
    curve: &'a Curve,
    hull: Curve,
    cost_view: View<'a>,
    skew_view: View<'a>,
    cost: Vec<Estimate>,
    skew: Vec<Estimate>,
    of_hull: Vec<Estimate>,
}

impl<'a> Evaluator<'a> {
    fn new(curve: &'a Curve, gaps: &[Gap], (pi0, pi1): (f64, f64), cost: &'a Cost) -> Evaluator<'a> {
        let cost_view = View { pi0, pi1, cost, range: curve.range };
        let skew_view = View { pi0: 0.5, pi1: 0.5, cost, range: curve.range };
        let hull = transform::convexify(curve, gaps).with_corners();
        let integrals =
            |panels: &[Panel], group: &Group, view: &View| along(panels, &group.program, view, curve.uncertainty);
        Evaluator {
            curve,
            cost: integrals(&curve.panels, &COST, &cost_view),
            skew: integrals(&curve.panels, &SKEW, &skew_view),
            of_hull: integrals(&hull.panels, &HULL, &cost_view),
            hull,
            cost_view,
            skew_view,
        }
    }

    fn view(&self, condition: Condition) -> &View<'a> {
        if condition == Condition::Cost { &self.cost_view } else { &self.skew_view }
    }

    /// An integral along the curve, by the name of the definition.
    fn integral(&self, condition: Condition, name: &str) -> Option<Estimate> {
        let (group, integrals) = match condition {
            Condition::Cost => (&COST, &self.cost),
            Condition::Skew => (&SKEW, &self.skew),
        };
        group.position(name).and_then(|k| integrals.get(k)).copied()
    }

    fn metric(&self, definition: &Definition) -> Value {
        if let Some(why) = self.refusal(definition.scores) {
            return Value::Unavailable(why);
        }
        let estimate = match definition.reading {
            Reading::Along(_) => {
                self.integral(Condition::Cost, definition.name).map(|e| self.with_scale(definition, e))
            }
            Reading::Balanced(name) => self.integral(Condition::Skew, name),
            Reading::OfHull(name) => HULL.position(name).and_then(|k| self.of_hull.get(k)).copied(),
            Reading::Affine(a, b, name) => self
                .integral(Condition::Cost, name)
                .map(|e| Estimate { value: a + b * e.value, error: b.abs() * e.error + f64::EPSILON }),
            Reading::Largest(text) => Some(self.largest(text)),
            Reading::ShareOfChance(prior) => Some(self.share_of_chance(prior)),
            Reading::AlongHull(_) | Reading::AtScore(_) | Reading::AtRate(_) => None,
        };
        finite(estimate)
    }

    /// Mean scores scale with the scores, and so does what an error of the distribution functions does to them.
    fn with_scale(&self, definition: &Definition, estimate: Estimate) -> Estimate {
        if definition.scores != Scores::Any || !definition.name.starts_with('s') {
            return estimate;
        }
        let width = self.curve.end().x - self.curve.start().x;
        estimate.widened(SENSITIVITY * self.curve.uncertainty * width.max(0.0))
    }

    fn loss(&self, condition: Condition, method: Method) -> Value {
        if let Some(why) = self.refusal(method.scores()) {
            return Value::Unavailable(why);
        }
        let view = self.view(condition);
        let estimate = match (method, method.reading()) {
            (_, Reading::Along(_)) => self.integral(condition, &method.name()),
            (_, Reading::AlongHull(_)) => self.optimal(view),
            (Method::ScoreFixed(t), Reading::AtScore(text)) => Some(self.at(&self.curve.at_score(t), text, view)),
            (Method::RateFixed(r), Reading::AtRate(text)) => {
                Some(self.at(&self.curve.at_rate(r, view.pi0), text, view))
            }
            _ => None,
        };
        finite(estimate)
    }

    fn optimal(&self, view: &View) -> Option<Estimate> {
        along(&self.hull.panels, &OPTIMAL.program, view, self.curve.uncertainty).first().copied()
    }

    fn refusal(&self, scores: Scores) -> Option<&'static str> {
        let (l, h) = self.curve.range;
        match scores {
            Scores::Probabilities if !self.curve.is_probabilistic() => {
                Some("scores are not probabilities: some lie outside [0, 1]")
            }
            Scores::Bounded if l.is_infinite() || h.is_infinite() => {
                Some("scores have no bounded scale to draw a threshold from")
            }
            Scores::Bounded if l >= h => Some("all scores are equal: there is no scale to draw a threshold from"),
            _ => None,
        }
    }

    /// The value of an expression at a point.
    fn at(&self, point: &Point, text: &str, view: &View) -> Estimate {
        let mut registers = Registers::default();
        let program = compiled(&[text]);
        program.run(&Inputs::of(&Panel::straight(*point, *point)), view, &mut registers);
        let value = if program.is_empty() { f64::NAN } else { program.output(0, &registers)[0] };
        Estimate { value, error: SENSITIVITY * self.curve.uncertainty + 8.0 * f64::EPSILON * value.abs() }
    }

    /// The largest absolute value of an expression in `F0`, `F1` at the joints of panels and where it turns inside one.
    fn largest(&self, text: &str) -> Estimate {
        let program = compiled(&[text]);
        let view = &self.cost_view;
        let mut registers = Registers::default();
        let mut value_at = |point: &Point| {
            program.run(&Inputs::of(&Panel::straight(*point, *point)), view, &mut registers);
            if program.is_empty() { f64::NAN } else { program.output(0, &registers)[0].abs() }
        };
        let mut largest: f64 = 0.0;
        for panel in self.curve.massive() {
            largest = largest.max(value_at(&panel.start)).max(value_at(&panel.end));
            if panel.motion != Motion::Arc {
                continue;
            }
            // F0 - F1 turns where both densities are equal: where the shares are.
            let excess = |q: [f64; 2]| q[0] - q[1];
            let mut before = (0.0, excess(panel.direction(0.0)));
            for i in 0..=NODES {
                let u = if i < NODES { crate::calculus::rule::RULE.nodes[i] } else { 1.0 };
                let now = (u, excess(panel.direction(u)));
                if (before.1 > 0.0) != (now.1 > 0.0) {
                    let turn = bracketed(before.0, now.0, |u| excess(panel.direction(u)));
                    largest = largest.max(value_at(&panel.at(turn)));
                }
                before = now;
            }
        }
        Estimate { value: largest, error: SENSITIVITY * self.curve.uncertainty + 4.0 * f64::EPSILON }
    }

    /// Hand's H under a beta distribution of costs.
    fn share_of_chance(&self, prior: Prior) -> Estimate {
        let (a, b) = prior.parameters(self.cost_view.pi0);
        let cost = Cost::beta(a, b);
        let view = View { cost: &cost, ..self.cost_view.clone() };
        let chance = Curve::diagonal().with_corners();
        let optimal = self.optimal(&view);
        let of_chance = along(&chance.panels, &OPTIMAL.program, &view, 0.0).first().copied();
        let (Some(loss), Some(most)) = (optimal, of_chance) else { return Estimate { value: f64::NAN, error: 0.0 } };
        let share = loss.value / most.value;
        Estimate { value: 1.0 - share, error: (loss.error + share.abs() * most.error) / most.value + f64::EPSILON }
    }
}

/// No NaN and no infinity leaves the house.
fn finite(estimate: Option<Estimate>) -> Value {
    match estimate {
        Some(estimate) if estimate.value.is_finite() && estimate.error.is_finite() => Value::Numeric(estimate),
        _ => Value::Unavailable("it could not be computed"),
    }
}
