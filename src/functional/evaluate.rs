//! All metrics and losses of a model at the numeric level, by the curve route.

use super::cost::Cost;
use super::definition::{Definition, Fixed, METRICS, Method, Prior, Reading, Scores, metric_named};
use super::program::{Inputs, PanelIntegral, Program, Registers, View};
use crate::calculus::Estimate;
use crate::calculus::panel::{Corner, Motion, Panel, Point, posterior};
use crate::calculus::root::bracketed;
use crate::calculus::rule::NODES;
use crate::model::{Curve, Model};
use crate::transform::{self, Interval};
use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::LazyLock;

/// How much an error of `F0` or `F1` can be magnified in a functional: `Q` has slope at most 2 in each.
pub(super) const SENSITIVITY: f64 = 4.0;
/// How far the integral of `dc` over a panel may be from the difference of the posteriors at its ends.
const MISSED_POSTERIOR: f64 = 1e-11;
/// How many panels are tried for one integral; beyond, they are taken as they are and the error tells.
const MOST_PANELS: usize = 10_000;
/// A tail beyond the largest scores looked at that would still move a mean by this much: there may be no mean.
const NO_MEAN: f64 = 1e-6;
/// The largest error of an optimal loss that still tells something.
const MEANINGFUL: f64 = 1e-4;
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
    /// The threshold and the rate of the fixed methods.
    pub fixed: Fixed,
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
    evaluate_at(model, cost, Fixed::default())
}

/// The same with the threshold and the rate of the fixed methods chosen.
pub fn evaluate_at(model: &Model, cost: &Cost, fixed: Fixed) -> Evaluation {
    evaluate_curve(&model.curve(), model.proportions(), cost, fixed)
}

/// Evaluates a curve.
pub fn evaluate_curve(curve: &Curve, proportions: (f64, f64), cost: &Cost, fixed: Fixed) -> Evaluation {
    let gaps = transform::gaps(curve);
    let hull = if gaps.is_empty() { Cow::Borrowed(curve) } else { Cow::Owned(transform::convexify(curve, &gaps)) };
    let evaluator = Evaluator::new(curve, &hull, proportions, cost, fixed);
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
        convex: transform::convexity(curve, &gaps),
        gaps: gaps.iter().map(|g| g.scores).collect(),
        intervals: transform::intervals_of_hull(&hull, proportions.0, proportions.1),
        metrics: metrics.to_vec(),
        cost_losses: cost_losses.to_vec(),
        skew_losses: skew_losses.to_vec(),
    }
}

/// Definitions that are integrated together.
struct Group {
    names: Vec<String>,
    program: Program,
    /// Where `dc` is among the outputs, if the posterior is integrated over.
    posterior: Option<usize>,
}

impl Group {
    fn new(metrics: &[&str], methods: &[Method]) -> Group {
        let metric = |name: &&str| metric_named(name).map(|m| (m.name.to_owned(), m.reading));
        let of_metrics = metrics.iter().filter_map(metric);
        let readings = of_metrics.chain(methods.iter().map(|m| (m.name(), m.reading())));
        let (names, texts): (Vec<String>, Vec<&str>) = readings
            .filter_map(|(name, reading)| match reading {
                Reading::Along(text) | Reading::AlongHull(text) => Some((name, text)),
                _ => None,
            })
            .unzip();
        let posterior = texts.iter().any(|t| t.contains("dc")).then_some(names.len());
        let texts: Vec<&str> = texts.into_iter().chain(posterior.map(|_| "dc")).collect();
        Group { names, program: compiled(&texts), posterior }
    }

    /// Whether the defects of the integrals just computed over a panel are small.
    fn resolves(&self, registers: &Registers) -> bool {
        (0..self.names.len()).all(|k| self.program.integral(k, registers).is_resolved())
    }

    /// Whether no part of the way of the posterior has slipped between the nodes.
    fn sees_posterior(&self, panel: &Panel, view: &View, registers: &Registers) -> bool {
        let [from, to] = [panel.start_share, panel.end_share].map(|q| posterior(q, (view.pi0, view.pi1))[1]);
        self.posterior
            .is_none_or(|k| (self.program.integral(k, registers).value - (to - from)).abs() <= MISSED_POSTERIOR)
    }

    fn position(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|n| n == name)
    }
}

/// Compiles texts of this crate; that they compile is tested.
fn compiled(texts: &[&str]) -> Program {
    Program::new(texts).unwrap_or_else(|_| Program::empty())
}

/// What is integrated along the curve itself, for cost proportions and for skews.
struct Groups {
    cost: Group,
    skew: Group,
}

impl Groups {
    /// All integrals along the curve that apply: to probabilities, or to scores of any kind.
    fn new(to_probabilities: bool) -> Groups {
        let applies = |scores: Scores| to_probabilities || scores != Scores::Probabilities;
        let methods: Vec<Method> = Method::ALL
            .into_iter()
            .filter(|m| matches!(m.reading(), Reading::Along(_)) && applies(m.scores()))
            .collect();
        let along = || METRICS.iter().filter(|m| matches!(m.reading, Reading::Along(_)) && applies(m.scores));
        let is_balanced = |name: &str| METRICS.iter().any(|m| matches!(m.reading, Reading::Balanced(of) if of == name));
        let cost: Vec<&str> = along().map(|m| m.name).collect();
        let skew: Vec<&str> = cost.iter().copied().filter(|name| is_balanced(name)).collect();
        Groups { cost: Group::new(&cost, &methods), skew: Group::new(&skew, &methods) }
    }
}

static OF_PROBABILITIES: LazyLock<Groups> = LazyLock::new(|| Groups::new(true));
static OF_SCORES: LazyLock<Groups> = LazyLock::new(|| Groups::new(false));
static HULL: LazyLock<Group> = LazyLock::new(|| {
    let of_hull = |m: &Definition| if let Reading::OfHull(name) = m.reading { Some(name) } else { None };
    Group::new(&METRICS.iter().filter_map(of_hull).collect::<Vec<_>>(), &[])
});
static OPTIMAL: LazyLock<Group> = LazyLock::new(|| Group::new(&[], &[Method::Optimal]));
static RESOLUTION: LazyLock<Group> = LazyLock::new(|| Group::new(&["RL"], &[Method::Optimal]));
static UNWEIGHTED: LazyLock<Cost> = LazyLock::new(Cost::uniform);

/// A test whether a panel resolves refinement loss and optimal loss, for the given and for balanced class proportions: the
/// functionals that see most of the shape of the curve.
pub(crate) fn resolves(pi0: f64, pi1: f64) -> impl FnMut(&Panel) -> bool {
    let mut registers = Registers::default();
    move |panel| {
        let balanced = (pi0 != pi1).then_some((0.5, 0.5));
        [Some((pi0, pi1)), balanced].into_iter().flatten().all(|(pi0, pi1)| {
            let view = View { pi0, pi1, cost: &UNWEIGHTED, range: (0.0, 1.0) };
            RESOLUTION.program.run(&Inputs::of(panel), &view, &mut registers);
            RESOLUTION.resolves(&registers) && RESOLUTION.sees_posterior(panel, &view, &registers)
        })
    }
}

/// The integrals of a group along a curve and the given corners.
fn along(curve: &Curve, corners: &[(usize, Corner)], group: &Group, view: &View) -> Vec<Estimate> {
    let mut integration = Integration {
        group,
        view,
        registers: Registers::default(),
        sums: vec![(0.0, 0.0, 0.0); group.names.len()],
        integrals: Vec::with_capacity(group.names.len()),
        pending: Vec::new(),
        budget: MOST_PANELS,
    };
    for panel in &curve.panels {
        match singular_end(panel, view) {
            None => integration.add(panel),
            // Both ends, perhaps: each half has one.
            Some(_) => {
                for half in [panel.part(0.0, 0.5), panel.part(0.5, 1.0)] {
                    match singular_end(&half, view) {
                        None => integration.add(&half),
                        Some(toward_end) => integration.add_graded(&half, toward_end),
                    }
                }
            }
        }
    }
    corners.iter().for_each(|(_, corner)| integration.add_corner(corner));
    let rounding = 8.0 * f64::EPSILON + view.cost.rounding();
    let estimate = |(value, defect, magnitude): (f64, f64, f64)| Estimate {
        value,
        error: defect + rounding * magnitude + SENSITIVITY * curve.uncertainty,
    };
    integration.sums.into_iter().map(estimate).collect()
}

struct Integration<'a> {
    group: &'a Group,
    view: &'a View<'a>,
    registers: Registers,
    /// Value, defect and magnitude of each integral.
    sums: Vec<(f64, f64, f64)>,
    /// The integrals over the panel at hand.
    integrals: Vec<PanelIntegral>,
    pending: Vec<(Panel, u32)>,
    /// How many more panels may be tried before they are taken as they are.
    budget: usize,
}

impl Integration<'_> {
    /// Adds a panel, halved where needed.
    fn add(&mut self, panel: &Panel) {
        self.add_or_halve(panel, 0);
        while let Some((panel, halvings)) = self.pending.pop() {
            self.add_or_halve(&panel, halvings);
        }
    }

    fn add_or_halve(&mut self, panel: &Panel, halvings: u32) {
        if !self.try_add(panel, halvings == MOST_HALVINGS) {
            self.pending.push((panel.part(0.5, 1.0), halvings + 1));
            self.pending.push((panel.part(0.0, 0.5), halvings + 1));
        }
    }

    /// Adds a corner, cut evenly in the posterior.
    fn add_corner(&mut self, corner: &Corner) {
        let proportions = (self.view.pi0, self.view.pi1);
        let [a, b] = self.view.cost.exponents().map(|p| p.fract() != 0.0);
        let singular = [a && corner.from[1] == 0.0, b && corner.to[0] == 0.0];
        for (half, singular) in corner.halves().into_iter().zip(singular) {
            if singular {
                let toward_end = half.to == corner.to;
                let power = self.grading(toward_end);
                self.add_stretches(|t0, t1| half.graded(toward_end, power, t0, t1, proportions));
            } else {
                self.add_stretches(|u0, u1| half.part(u0, u1, proportions));
            }
        }
    }

    /// Adds a panel at whose start or end the density of costs is singular.
    fn add_graded(&mut self, panel: &Panel, toward_end: bool) {
        let power = self.grading(toward_end);
        self.add_stretches(|t0, t1| panel.graded(toward_end, power, t0, t1));
    }

    /// The power of the substitution that makes a cost density smooth at 0 (or 1).
    fn grading(&self, toward_end: bool) -> i32 {
        let exponent = self.view.cost.exponents()[usize::from(toward_end)];
        (8.0 / exponent.min(1.0)).ceil() as i32
    }

    /// Adds a panel given by its parts, halved where needed.
    fn add_stretches(&mut self, part: impl Fn(f64, f64) -> Panel) {
        let mut stretches = vec![(0.0, 1.0, 0)];
        while let Some((t0, t1, halvings)) = stretches.pop() {
            if !self.try_add(&part(t0, t1), halvings == MOST_HALVINGS) {
                let middle = t0 + (t1 - t0) / 2.0;
                stretches.extend([(middle, t1, halvings + 1), (t0, middle, halvings + 1)]);
            }
        }
    }

    /// What the part of the posterior's way that the nodes did not see can cost: it is known at both ends.
    fn missed_loss(&self, panel: &Panel) -> Option<f64> {
        let k = self.group.posterior.filter(|_| panel.motion == Motion::Arc)?;
        let proportions = (self.view.pi0, self.view.pi1);
        let [from, to] = [panel.start_share, panel.end_share].map(|q| posterior(q, proportions));
        let way = if from[1] < from[0] { to[1] - from[1] } else { from[0] - to[0] };
        let missed = (self.group.program.integral(k, &self.registers).value - way).abs();
        let [rest, c] = [0, 1].map(|i| (from[i] + to[i]) / 2.0);
        // No more than the loss with each of its factors at its largest.
        let (View { pi0, pi1, .. }, start, end) = (self.view, &panel.start, &panel.end);
        let most = 2.0 * (to[1].max(from[1]) * pi0 * start.above[0] + from[0].max(to[0]) * pi1 * end.below[1]);
        Some(missed * most * self.view.cost.density(c, rest))
    }

    /// Adds the integrals over a panel if they are resolved, or must be.
    fn try_add(&mut self, panel: &Panel, must: bool) -> bool {
        let must = must || self.budget == 0;
        self.budget = self.budget.saturating_sub(1);
        if !must && hides_costs(panel, self.view) {
            return false;
        }
        let program = &self.group.program;
        program.run(&Inputs::of(panel), self.view, &mut self.registers);
        self.integrals.clear();
        for k in 0..self.sums.len() {
            let integral = program.integral(k, &self.registers);
            if !must && !integral.is_resolved() {
                return false;
            }
            self.integrals.push(integral);
        }
        if let Some(missed) = self.missed_loss(panel) {
            // The optimal loss stands first in its group.
            self.sums[0].1 += missed;
        }
        for (sum, integral) in self.sums.iter_mut().zip(&self.integrals) {
            sum.0 += integral.value;
            sum.1 += integral.defect;
            sum.2 += integral.magnitude;
        }
        true
    }
}

/// At which end of a panel, if at one, the density of costs is singular: the score, the rate or the posterior is 0 or 1 there
/// and the density a broken power of it. `Some(true)` is the far end.
fn singular_end(panel: &Panel, view: &View) -> Option<bool> {
    let [a, b] = view.cost.exponents().map(|p| p.fract() != 0.0);
    let zero = |p: &Point, share: f64| p.x == 0.0 || p.below == [0.0; 2] || share == 0.0;
    let one = |p: &Point, share: f64| p.x_complement == 0.0 || p.above == [0.0; 2] || share == 0.0;
    let at_start = a && zero(&panel.start, panel.start_share[1]);
    let at_end = b && one(&panel.end, panel.end_share[0]);
    (at_start || at_end).then_some(at_end)
}

/// Whether a narrow distribution of costs could slip between the nodes of the panel.
fn hides_costs(panel: &Panel, view: &View) -> bool {
    const NARROW: f64 = 0.06;
    let deviation = view.cost.deviation();
    if deviation > NARROW {
        return false;
    }
    let (lo, hi) = (view.cost.mean() - 8.0 * deviation, view.cost.mean() + 8.0 * deviation);
    let posterior = |q: [f64; 2]| posterior(q, (view.pi0, view.pi1))[1];
    let reads = [
        (panel.start.x, panel.end.x),
        (panel.start.rate(view.pi0), panel.end.rate(view.pi0)),
        (posterior(panel.start_share), posterior(panel.end_share)),
    ];
    reads.iter().any(|(a, b)| a.min(*b) < hi && a.max(*b) > lo && (b - a).abs() > 3.0 * deviation)
}

struct Evaluator<'a> {
    curve: &'a Curve,
    hull: &'a Curve,
    groups: &'static Groups,
    fixed: Fixed,
    cost_view: View<'a>,
    skew_view: View<'a>,
    cost: Vec<Estimate>,
    skew: Vec<Estimate>,
    of_hull: Vec<Estimate>,
}

impl<'a> Evaluator<'a> {
    fn new(curve: &'a Curve, hull: &'a Curve, (pi0, pi1): (f64, f64), cost: &'a Cost, fixed: Fixed) -> Evaluator<'a> {
        let cost_view = View { pi0, pi1, cost, range: curve.range };
        let skew_view = View { pi0: 0.5, pi1: 0.5, cost, range: curve.range };
        let groups: &Groups = if curve.is_probabilistic() { &OF_PROBABILITIES } else { &OF_SCORES };
        Evaluator {
            curve,
            hull,
            groups,
            fixed,
            cost: along(curve, &[], &groups.cost, &cost_view),
            skew: along(curve, &[], &groups.skew, &skew_view),
            of_hull: along(hull, &[], &HULL, &cost_view),
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
            Condition::Cost => (&self.groups.cost, &self.cost),
            Condition::Skew => (&self.groups.skew, &self.skew),
        };
        group.position(name).and_then(|k| integrals.get(k)).copied()
    }

    fn metric(&self, definition: &Definition) -> Value {
        if let Some(why) = definition.scores.refusal(self.curve) {
            return Value::Unavailable(why);
        }
        if self.mean_tail(definition) > NO_MEAN {
            return Value::Unavailable("the tails are too heavy for a mean score");
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
        class.map_or(0.0, |class| self.curve.mean_tail[class])
    }

    /// Mean scores scale with the scores, and so does what an error of the distribution functions does to them.
    fn with_scale(&self, definition: &Definition, estimate: Estimate) -> Estimate {
        if !["s0", "s1"].contains(&definition.name) {
            return estimate;
        }
        let width = (self.curve.end().x - self.curve.start().x).max(0.0);
        estimate.widened(SENSITIVITY * self.curve.uncertainty * width + self.mean_tail(definition))
    }

    fn loss(&self, condition: Condition, method: Method) -> Value {
        if let Some(why) = method.scores().refusal(self.curve) {
            return Value::Unavailable(why);
        }
        let view = self.view(condition);
        let estimate = match (method, method.reading()) {
            (_, Reading::Along(_)) => self.integral(condition, &method.name()),
            (_, Reading::AlongHull(_)) => self.optimal(view),
            (Method::ScoreFixed(_), Reading::AtScore(text)) => Some(self.at_threshold(text, view)),
            (Method::RateFixed(r), Reading::AtRate(text)) => {
                Some(self.at(&self.curve.at_rate(r, view.pi0), text, view))
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
        let noise = self.curve.score_noise;
        if noise == 0.0 {
            return estimate;
        }
        let around = [t - noise, t + noise].map(|t| value_at(&self.curve.at_score(t), text, view));
        estimate.widened(around.iter().map(|v| (v - estimate.value).abs()).fold(0.0, f64::max))
    }

    /// The value of an expression at a point.
    fn at(&self, point: &Point, text: &str, view: &View) -> Estimate {
        let value = value_at(point, text, view);
        Estimate { value, error: SENSITIVITY * self.curve.uncertainty + 8.0 * f64::EPSILON * value.abs() }
    }

    /// The largest absolute value of an expression in `F0`, `F1` at the joints of panels and where it turns inside one.
    fn largest(&self, text: &str) -> Estimate {
        let value_at = |point: &Point| value_at(point, text, &self.cost_view).abs();
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
        let (a, b) = prior.parameters((self.cost_view.pi0, self.cost_view.pi1));
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
static AT_POINTS: LazyLock<HashMap<&'static str, Program>> = LazyLock::new(|| {
    let readings = METRICS.iter().map(|m| m.reading).chain(Method::ALL.map(|m| m.reading()));
    let texts = readings.filter_map(|reading| match reading {
        Reading::AtScore(text) | Reading::AtRate(text) | Reading::Largest(text) => Some(text),
        _ => None,
    });
    texts.map(|text| (text, compiled(&[text]))).collect()
});

/// The value of an expression of the definitions at a point.
fn value_at(point: &Point, text: &str, view: &View) -> f64 {
    let mut registers = Registers::default();
    let Some(program) = AT_POINTS.get(text).filter(|p| !p.is_empty()) else { return f64::NAN };
    program.run(&Inputs::of(&Panel::straight(*point, *point)), view, &mut registers);
    program.output(0, &registers)[0]
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
fn optimal(hull: &Curve, view: &View) -> Option<Estimate> {
    let estimate = along(hull, &hull.corners((view.pi0, view.pi1)), &OPTIMAL, view).first().copied()?;
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
        _ => Value::Unavailable("it could not be computed"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
