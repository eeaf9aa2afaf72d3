//! All metrics and losses of a model at the exact level: the same definitions, read in rational functions and exact numbers.

use super::cost::Cost;
use super::definition::{Definition, METRICS, Method, Prior, Reading, metric_named};
use super::evaluate::{AT_POINTS, Condition};
use super::group::{Group, Groups, HULL, OF_PROBABILITIES, OF_SCORES, OPTIMAL};
use super::program::{Algebra, Program};
use crate::arith::polynomial::sign;
use crate::arith::{Number, Polynomial, Rational, RationalFunction};
use crate::calculus::quantity::Quantity;
use crate::model::exact_curve::{ExactArc, ExactCorner, ExactCurve, ExactPiece, ExactPoint, Undecided};
use crate::model::piecewise::NotPiecewise;
use crate::model::{Model, Transform};
use crate::transform::exact::{self as transform, ExactInterval};
use crate::transform::exact_hull::{ExactGap, exact_hull};
use std::collections::HashMap;

/// The largest `a + b` of a cost distribution `beta(a, b)` that is followed exactly.
const LARGEST_WEIGHT: usize = 64;
/// The largest degree in the score, the distribution functions and the operating condition of a definition along a straight
/// piece, apart from the weight of operating conditions.
const DEGREE: usize = 3;

impl Algebra for RationalFunction {
    fn constant(value: &Rational) -> RationalFunction {
        RationalFunction::constant(value.clone())
    }
    fn plus(&self, other: &RationalFunction) -> RationalFunction {
        self + other
    }
    fn minus(&self, other: &RationalFunction) -> RationalFunction {
        self - other
    }
    fn times(&self, other: &RationalFunction) -> RationalFunction {
        self * other
    }
    fn over(&self, other: &RationalFunction) -> RationalFunction {
        if self.is_zero() { self.clone() } else { self / other }
    }
    fn power(&self, exponent: i32) -> RationalFunction {
        self.power(exponent)
    }
}

impl Algebra for Number {
    fn constant(value: &Rational) -> Number {
        Number::from(value.clone())
    }
    fn plus(&self, other: &Number) -> Number {
        self + other
    }
    fn minus(&self, other: &Number) -> Number {
        self - other
    }
    fn times(&self, other: &Number) -> Number {
        self * other
    }
    fn over(&self, other: &Number) -> Number {
        self / other
    }
    fn power(&self, exponent: i32) -> Number {
        self.power(exponent)
    }
}

/// A beta density with whole parameters: `scale·c^p·(1-c)^q`.
#[derive(Clone, Debug)]
pub(crate) struct Weight {
    powers: [usize; 2],
    scale: Rational,
}

impl Weight {
    pub(crate) fn new(parameters: &[Rational; 2]) -> Option<Weight> {
        let whole = |p: &Rational| p.is_int().then(|| usize::try_from(p.numerator()).ok()).flatten();
        let (a, b) = (whole(&parameters[0])?, whole(&parameters[1])?);
        if a == 0 || b == 0 || a + b > LARGEST_WEIGHT {
            return None;
        }
        // 1/B(a, b) = a·C(a+b-1, a).
        let scale = (1..b).fold(Rational::from(a), |scale, k| scale * Rational::from(a + k) / Rational::from(k));
        Some(Weight { powers: [a - 1, b - 1], scale })
    }

    pub(crate) fn at<A: Algebra>(&self, c: &A, complement: &A) -> A {
        let [p, q] = self.powers.map(|p| p as i32);
        A::constant(&self.scale).times(&c.power(p)).times(&complement.power(q))
    }

    fn degree(&self) -> usize {
        self.powers[0] + self.powers[1]
    }
}

/// Under which class proportions, costs and scale a definition is read.
#[derive(Clone, Debug)]
struct View {
    proportions: [Rational; 2],
    mean: Rational,
    /// `None` if the weight is not that of a beta distribution with whole parameters.
    weight: Option<Weight>,
    range: [Rational; 2],
}

impl View {
    fn new(proportions: [Rational; 2], parameters: &[Rational; 2], range: &[Rational; 2]) -> View {
        let [a, b] = parameters;
        View { proportions, mean: a / (a + b), weight: Weight::new(parameters), range: range.clone() }
    }

    fn numbers<A: Algebra>(&self) -> [A; 5] {
        let ([pi0, pi1], [l, h]) = (&self.proportions, &self.range);
        [pi0, pi1, &self.mean, l, h].map(A::constant)
    }

    fn values<A: Algebra>(&self, program: &Program, inputs: &[A; 14]) -> Vec<Option<A>> {
        program.values(inputs, &self.numbers(), |c, complement| Some(self.weight.as_ref()?.at(c, complement)))
    }
}

/// The inputs of a definition: score, `F0`, `F1`, their differentials, the direction with its differential.
pub(crate) fn inputs<A: Algebra>(x: A, [f0, f1]: [A; 2], d: [A; 3], q: [A; 3]) -> [A; 14] {
    let one = A::constant(&Rational::ONE);
    let complements = [&x, &f0, &f1].map(|v| one.minus(v));
    let [not_x, not_f0, not_f1] = complements;
    let ([dx, d0, d1], [q0, q1, dq1]) = (d, q);
    [x, not_x, f0, not_f0, f1, not_f1, dx, d0, d1, q0, q1, dq1, A::constant(&Rational::ZERO), one]
}

fn inputs_of_arc(arc: &ExactArc) -> [RationalFunction; 14] {
    let f = [0, 1].map(|k| RationalFunction::from(arc.f[k].clone()));
    let d = [arc.x.derivative(), f[0].derivative(), f[1].derivative()];
    let [g0, g1] = &arc.direction;
    let sum = g0 + g1;
    let q1 = RationalFunction::new(g1.clone(), sum.clone());
    let q = [RationalFunction::new(g0.clone(), sum), q1.clone(), q1.derivative()];
    inputs(arc.x.clone(), f, d, q)
}

fn inputs_of_straight(from: &ExactPoint, to: &ExactPoint, share: &Number) -> [Number; 14] {
    let at = from.between(to, share);
    let [d0, d1] = from.towards(to);
    let sum = &d0 + &d1;
    let q = [&d0 / &sum, &d1 / &sum, Number::ZERO];
    inputs(at.x, at.f, [&to.x - &from.x, d0, d1], q)
}

/// At a corner the posterior moves evenly from one end to the other.
fn inputs_of_corner(corner: &ExactCorner, proportions: &[Rational; 2], share: &Number) -> [Number; 14] {
    let [from, to] = &corner.posterior;
    let step = to - from;
    let c = from + &(share * &step);
    let [pi0, pi1] = proportions.clone().map(Number::from);
    let (of0, of1) = (&pi1 * &(&Number::ONE - &c), &pi0 * &c);
    let sum = &of0 + &of1;
    let dq1 = &(&(&pi0 * &pi1) * &step) / &(&sum * &sum);
    let still = [Number::ZERO, Number::ZERO, Number::ZERO];
    inputs(corner.at.x.clone(), corner.at.f.clone(), still, [&of0 / &sum, &of1 / &sum, dq1])
}

/// Nodes in [0, 1] and weights of the rule that integrates polynomials up to a degree exactly.
fn rule(degree: usize) -> Vec<(Rational, Rational)> {
    let node = |k: usize| Rational::from(k) / Rational::from(degree.max(1));
    let nodes: Vec<Rational> = (0..=degree).map(node).collect();
    nodes
        .iter()
        .enumerate()
        .map(|(i, at)| {
            let others = nodes.iter().enumerate().filter(|(j, _)| *j != i);
            let lagrange = others.fold(Polynomial::one(), |product, (_, other)| {
                let scale = Rational::ONE / (at - other);
                &product * &Polynomial::linear(&(-other * &scale), &scale)
            });
            (at.clone(), lagrange.integral(&Rational::ZERO, &Rational::ONE))
        })
        .collect()
}

/// The integrals of a group of definitions along a curve; `None` for those whose weight is not to be had.
fn along(curve: &ExactCurve, corners: &[ExactCorner], program: &Program, view: &View) -> Vec<Option<Quantity>> {
    let mut sums = vec![Some(Quantity::default()); program.len()];
    let rule = rule(DEGREE + view.weight.as_ref().map_or(0, Weight::degree));
    let add_straight = |sums: &mut Vec<Option<Quantity>>, inputs: &dyn Fn(&Number) -> [Number; 14]| {
        for (share, part) in &rule {
            let values = view.values(program, &inputs(&Number::from(share.clone())));
            for (sum, value) in sums.iter_mut().zip(values) {
                match (sum.as_mut(), value) {
                    (Some(sum), Some(value)) => sum.add_number(&value * &Number::from(part.clone())),
                    _ => *sum = None,
                }
            }
        }
    };
    for piece in &curve.pieces {
        match piece {
            ExactPiece::Straight { from, to, .. } => {
                add_straight(&mut sums, &|share| inputs_of_straight(from, to, share));
            }
            ExactPiece::Arc(arc) => {
                let values = view.values(program, &inputs_of_arc(arc));
                for (sum, value) in sums.iter_mut().zip(values) {
                    match (sum.as_mut(), value) {
                        (Some(sum), Some(value)) => sum.add_integral(&value, &arc.u[0], &arc.u[1]),
                        _ => *sum = None,
                    }
                }
            }
        }
    }
    for corner in corners {
        add_straight(&mut sums, &|share| inputs_of_corner(corner, &view.proportions, share));
    }
    sums
}

/// The optimal loss: along a hull, corners included.
fn optimal(hull: &ExactCurve, view: &View) -> Result<Option<Quantity>, Undecided> {
    let corners = hull.corners(&view.proportions)?;
    Ok(along(hull, &corners, &OPTIMAL.program, view).into_iter().next().flatten())
}

/// The parameters of the fixed methods, where they are rational.
#[derive(Clone, Debug, PartialEq)]
pub struct ExactFixed {
    /// The threshold of the score-fixed method and of accuracy.
    pub threshold: Option<Rational>,
    /// The predicted positive rate of the rate-fixed method.
    pub rate: Option<Rational>,
}

impl Default for ExactFixed {
    fn default() -> ExactFixed {
        let half = Some(Rational::ONE / Rational::from(2));
        ExactFixed { threshold: half.clone(), rate: half }
    }
}

/// Everything that `eval` says of a model, exactly. Values are `None` where the exact level has no answer.
#[derive(Clone, Debug)]
pub struct ExactEvaluation {
    /// Whether the ROC curve is convex.
    pub convex: bool,
    /// The non-hull intervals.
    pub gaps: Vec<ExactGap>,
    /// The bijective, constant and singular intervals of the hull.
    pub intervals: Vec<ExactInterval>,
    /// The metrics, in the order of [`METRICS`].
    pub metrics: Vec<Option<Quantity>>,
    /// The expected losses over cost proportions, in the order of [`Method::all`].
    pub cost_losses: Vec<Option<Quantity>>,
    /// The expected losses over skews.
    pub skew_losses: Vec<Option<Quantity>>,
}

impl ExactEvaluation {
    /// A metric by name.
    pub fn metric(&self, name: &str) -> Option<&Quantity> {
        METRICS.iter().position(|m| m.name == name).and_then(|k| self.metrics[k].as_ref())
    }

    /// An expected loss.
    pub fn loss(&self, condition: Condition, method: Method) -> Option<&Quantity> {
        let position = Method::ALL.iter().position(|m| m.title() == method.title())?;
        let losses = if condition == Condition::Cost { &self.cost_losses } else { &self.skew_losses };
        losses[position].as_ref()
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
    let pi0 = model.exact_pi0().map_err(NotPiecewise::from)?;
    let proportions = [pi0.clone(), Rational::ONE - pi0];
    let densities = [model.density(0).piecewise()?, model.density(1).piecewise()?];
    let mut curve = ExactCurve::new(densities);
    for transform in model.transforms() {
        curve = match transform {
            Transform::Conv => transform::conv(&curve)?,
            Transform::Cal => transform::cal(&curve, &proportions)?,
            Transform::Even => transform::even(&curve, &proportions),
        };
    }
    Ok((curve, proportions))
}

/// Evaluates a model exactly under a distribution of operating conditions.
///
/// ```
/// use rocproof::functional::exact::{ExactFixed, evaluate_exact};
/// use rocproof::{Cost, Model};
/// let model = Model::new("2*(1-x)", "4*x^3", "1/2")?;
/// let evaluation = evaluate_exact(&model, &Cost::uniform(), &ExactFixed::default()).unwrap();
/// assert_eq!(evaluation.metric("AUC").unwrap().closed_form().unwrap().to_string(), "14/15");
/// assert_eq!(evaluation.metric("RL").unwrap().closed_form().unwrap().to_string(), "1/2 + pi/20 - 4*ln(2)/5");
/// # Ok::<(), rocproof::lang::Diagnostic>(())
/// ```
pub fn evaluate_exact(model: &Model, cost: &Cost, fixed: &ExactFixed) -> Result<ExactEvaluation, Refusal> {
    let (curve, proportions) = exact_curve(model)?;
    let (hull, gaps) = exact_hull(&curve)?;
    // A cost distribution that is not rational has no exact mean; what does not depend on it is still exact.
    let parameters = cost.exact_parameters();
    let evaluator = Evaluator::new(&curve, &hull, proportions.clone(), parameters, fixed);
    // What cannot be decided leaves the rest as it is.
    let metrics = METRICS.iter().map(|definition| evaluator.metric(definition).unwrap_or(None)).collect();
    let losses = |condition| -> Vec<Option<Quantity>> {
        Method::ALL.iter().map(|method| evaluator.loss(condition, *method).unwrap_or(None)).collect()
    };
    let cost_losses = losses(Condition::Cost);
    let balanced = proportions[0] == proportions[1];
    let skew_losses = if balanced { cost_losses.clone() } else { losses(Condition::Skew) };
    Ok(ExactEvaluation {
        convex: gaps.is_empty(),
        intervals: transform::intervals_of_hull(&hull, &proportions)?,
        gaps,
        metrics,
        cost_losses,
        skew_losses,
    })
}

struct Evaluator<'a> {
    curve: &'a ExactCurve,
    hull: &'a ExactCurve,
    fixed: &'a ExactFixed,
    views: [View; 2],
    weighted: bool,
    integrals: [HashMap<String, Quantity>; 2],
    of_hull: HashMap<String, Quantity>,
}

/// The integrals of a group by name.
fn by_name(curve: &ExactCurve, group: &Group, view: &View) -> HashMap<String, Quantity> {
    let values = along(curve, &[], &group.program, view);
    group.names.iter().cloned().zip(values).filter_map(|(name, value)| Some((name, value?))).collect()
}

impl<'a> Evaluator<'a> {
    fn new(
        curve: &'a ExactCurve,
        hull: &'a ExactCurve,
        proportions: [Rational; 2],
        parameters: Option<&[Rational; 2]>,
        fixed: &'a ExactFixed,
    ) -> Evaluator<'a> {
        let uniform = [Rational::ONE, Rational::ONE];
        let half = Rational::ONE / Rational::from(2);
        let view = |proportions| View::new(proportions, parameters.unwrap_or(&uniform), &curve.range);
        let views = [view(proportions), view([half.clone(), half])];
        let probabilistic = curve.range == [Rational::ZERO, Rational::ONE];
        let groups: &Groups = if probabilistic { &OF_PROBABILITIES } else { &OF_SCORES };
        let integrals = [by_name(curve, &groups.cost, &views[0]), by_name(curve, &groups.skew, &views[1])];
        let of_hull = by_name(hull, &HULL, &views[0]);
        Evaluator { curve, hull, fixed, views, weighted: parameters.is_some(), integrals, of_hull }
    }

    fn integral(&self, condition: Condition, name: &str) -> Option<Quantity> {
        self.integrals[condition as usize].get(name).cloned()
    }

    fn metric(&self, definition: &Definition) -> Result<Option<Quantity>, Undecided> {
        let [cost, skew] = &self.views;
        Ok(match definition.reading {
            Reading::Along(_) => self.integral(Condition::Cost, definition.name),
            Reading::AtScore(text) => self.at_threshold(text, cost)?,
            Reading::Balanced(name) => match metric_named(name).map(|m| m.reading) {
                Some(Reading::AtScore(text)) => self.at_threshold(text, skew)?,
                _ => self.integral(Condition::Skew, name),
            },
            Reading::OfHull(name) => self.of_hull.get(name).cloned(),
            Reading::Affine(a, b, name) => {
                let [a, b] = [a, b].map(crate::arith::rational::from_f64);
                let affine = |of: Quantity, a: Rational, b: Rational| {
                    let mut value = Quantity::from(a);
                    value.add(&of, &b);
                    value
                };
                self.integral(Condition::Cost, name).zip(a.zip(b)).map(|(of, (a, b))| affine(of, a, b))
            }
            Reading::Largest(text) => self.largest(text)?,
            Reading::ShareOfChance(prior) => self.share_of_chance(prior)?,
            Reading::AlongHull(_) | Reading::AtRate(_) => None,
        })
    }

    fn loss(&self, condition: Condition, method: Method) -> Result<Option<Quantity>, Undecided> {
        if !self.weighted {
            return Ok(None);
        }
        let view = &self.views[condition as usize];
        Ok(match (method, method.reading()) {
            (_, Reading::Along(_)) => self.integral(condition, &method.name()),
            (_, Reading::AlongHull(_)) => optimal(self.hull, view)?,
            (Method::ScoreFixed(_), Reading::AtScore(text)) => self.at_threshold(text, view)?,
            (Method::RateFixed(_), Reading::AtRate(text)) => match &self.fixed.rate {
                Some(rate) => value_at(&self.curve.at_rate(rate, &view.proportions)?, text, view),
                None => None,
            },
            _ => None,
        })
    }

    fn at_threshold(&self, text: &str, view: &View) -> Result<Option<Quantity>, Undecided> {
        let Some(threshold) = &self.fixed.threshold else { return Ok(None) };
        Ok(value_at(&self.curve.at_score(threshold)?, text, view))
    }

    /// The largest absolute value of an expression in `F0`, `F1`, at joints and where its derivative along an arc is 0.
    fn largest(&self, text: &str) -> Result<Option<Quantity>, Undecided> {
        let view = &self.views[0];
        let Some(program) = AT_POINTS.get(text) else { return Ok(None) };
        let mut largest = Number::ZERO;
        let mut consider = |point: &ExactPoint| {
            let Some(value) = number_at(point, program, view) else { return };
            let size = match value.sign() {
                Some(-1) => -&value,
                Some(_) => value,
                None => larger(&value, &-&value),
            };
            match (&size - &largest).sign() {
                Some(1) => largest = size,
                Some(_) => {}
                None => largest = larger(&largest, &size),
            }
        };
        for (_, piece) in self.curve.massive() {
            // The curve starts at 0, and each piece where the one before ends.
            consider(&piece.end());
            let ExactPiece::Arc(arc) = piece else { continue };
            let Some(value) = view.values(program, &inputs_of_arc(arc)).into_iter().next().flatten() else { continue };
            let turns = arc.roots_inside(value.derivative().numerator()).ok_or(Undecided)?;
            turns.iter().for_each(|u| consider(&arc.at(u)));
        }
        Ok(Some(Quantity::from(largest)))
    }

    /// Hand's H under a beta distribution of costs.
    fn share_of_chance(&self, prior: Prior) -> Result<Option<Quantity>, Undecided> {
        let parameters = prior.parameters(self.views[0].proportions.clone());
        let view = View::new(self.views[0].proportions.clone(), &parameters, &self.curve.range);
        if view.weight.is_none() {
            return Ok(None);
        }
        let of_chance = optimal(&ExactCurve::diagonal(), &view)?;
        let Some(most) = of_chance.and_then(|q| q.as_rational().cloned()).filter(|most| sign(most) > 0) else {
            return Ok(None);
        };
        Ok(optimal(self.hull, &view)?.map(|loss| {
            let mut value = Quantity::from(Rational::ONE);
            value.add(&loss, &-(Rational::ONE / most));
            value
        }))
    }
}

/// The larger of two numbers that are too close to tell apart.
fn larger(a: &Number, b: &Number) -> Number {
    let (a, b) = (a.clone(), b.clone());
    Number::computed(move |bits| {
        let (a, b) = (a.enclosure(bits)?, b.enclosure(bits)?);
        Some(a.larger(&b))
    })
}

fn number_at(point: &ExactPoint, program: &Program, view: &View) -> Option<Number> {
    let still = || [Number::ZERO, Number::ZERO, Number::ZERO];
    view.values(program, &inputs(point.x.clone(), point.f.clone(), still(), still())).into_iter().next().flatten()
}

/// The value of an expression of the definitions at a point.
fn value_at(point: &ExactPoint, text: &str, view: &View) -> Option<Quantity> {
    number_at(point, AT_POINTS.get(text)?, view).map(Quantity::from)
}
