//! All metrics and losses of a model at the exact level: the same definitions, read in rational functions and exact numbers.

use super::cost::Cost;
use super::definition::{METRICS, Method, Prior};
use super::evaluate::{Condition, standard};
use super::group::{Group, OPTIMAL, Origin};
use super::plan::{AtPoint, Bundle, Given, Path, Plan, Reader, Site, ViewOf};
use super::program::{Algebra, Program};
use super::question::Why;
use crate::arith::polynomial::sign;
use crate::arith::rational::{from_f64, to_f64};
use crate::arith::roots::real_roots;
use crate::arith::{Interval, Number, Polynomial, Rational, RationalFunction};
use crate::calculus::quantity::Quantity;
use crate::model::Model;
use crate::model::constant::Constant;
use crate::model::exact_curve::{ExactArc, ExactCorner, ExactCurve, ExactPiece, ExactPoint, Undecided};
use crate::model::piecewise::NotPiecewise;
use crate::transform::exact::{self as transform, ExactInterval};
use crate::transform::exact_hull::{ExactGap, exact_hull};
use std::sync::OnceLock;

/// The largest `a + b` of a cost distribution `beta(a, b)` that is followed exactly.
const LARGEST_WEIGHT: usize = 64;
/// The largest degree along a straight piece of what is integrated node by node.
const LARGEST_DEGREE: usize = 2 * LARGEST_WEIGHT;
/// Why there is no value where two numbers are too close to tell which is larger.
pub(super) const UNDECIDED: &str =
    "it could not be told from numbers too close to it; another level gives it numerically";

/// What can be told from 0, and divided by if it is not.
trait Divisible {
    fn is_nothing(&self) -> bool;
}

impl Divisible for RationalFunction {
    fn is_nothing(&self) -> bool {
        self.is_zero()
    }
}

impl Divisible for Number {
    fn is_nothing(&self) -> bool {
        self.is_zero()
    }
}

/// Functions or numbers, or nothing where something was divided by 0.
impl<T: Algebra + Divisible> Algebra for Option<T> {
    fn constant(value: &Rational) -> Option<T> {
        Some(T::constant(value))
    }
    fn plus(&self, other: &Option<T>) -> Option<T> {
        Some(self.as_ref()?.plus(other.as_ref()?))
    }
    fn minus(&self, other: &Option<T>) -> Option<T> {
        Some(self.as_ref()?.minus(other.as_ref()?))
    }
    fn times(&self, other: &Option<T>) -> Option<T> {
        Some(self.as_ref()?.times(other.as_ref()?))
    }
    fn over(&self, other: &Option<T>) -> Option<T> {
        let (above, below) = (self.as_ref()?, other.as_ref()?);
        if above.is_nothing() || !below.is_nothing() { Some(above.over(below)) } else { None }
    }
    fn power(&self, exponent: i32) -> Option<T> {
        self.as_ref().filter(|base| exponent >= 0 || !base.is_nothing()).map(|base| base.power(exponent))
    }
}

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
struct Weight {
    powers: [usize; 2],
    scale: Rational,
}

impl Weight {
    fn new(parameters: &[Rational; 2]) -> Option<Weight> {
        let whole = |p: &Rational| p.is_int().then(|| usize::try_from(p.numerator()).ok()).flatten();
        let (a, b) = (whole(&parameters[0])?, whole(&parameters[1])?);
        if a == 0 || b == 0 || a + b > LARGEST_WEIGHT {
            return None;
        }
        // 1/B(a, b) = a·C(a+b-1, a).
        let scale = (1..b).fold(Rational::from(a), |scale, k| scale * Rational::from(a + k) / Rational::from(k));
        Some(Weight { powers: [a - 1, b - 1], scale })
    }

    fn at<A: Algebra>(&self, c: &A, complement: &A) -> A {
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

    fn values<A: Algebra + Divisible>(&self, program: &Program, inputs: [A; 14]) -> Vec<Option<A>> {
        let weight = |c: &Option<A>, complement: &Option<A>| Some(self.weight.as_ref()?.at(c, complement));
        let values = program.values(&inputs.map(Some), &self.numbers(), weight);
        values.into_iter().map(Option::flatten).collect()
    }
}

/// The inputs of a definition: score, `F0`, `F1`, their differentials, the direction with its differential.
fn inputs<A: Algebra>(x: A, [f0, f1]: [A; 2], d: [A; 3], q: [A; 3]) -> [A; 14] {
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
fn rule(degree: usize) -> &'static [(Number, Number)] {
    static RULES: [OnceLock<Vec<(Number, Number)>>; LARGEST_DEGREE + 1] =
        [const { OnceLock::new() }; LARGEST_DEGREE + 1];
    RULES[degree].get_or_init(|| {
        let node = |k: usize| Rational::from(k) / Rational::from(degree.max(1));
        let nodes: Vec<Rational> = (0..=degree).map(node).collect();
        let weight = |i: usize, at: &Rational| {
            let others = nodes.iter().enumerate().filter(|(j, _)| *j != i);
            let lagrange = others.fold(Polynomial::one(), |product, (_, other)| {
                let scale = Rational::ONE / (at - other);
                &product * &Polynomial::linear(&(-other * &scale), &scale)
            });
            (Number::from(at.clone()), Number::from(lagrange.integral(&Rational::ZERO, &Rational::ONE)))
        };
        nodes.iter().enumerate().map(|(i, at)| weight(i, at)).collect()
    })
}

/// The integrals of a group along a curve, piece by piece; `None` for those that have no exact value.
struct Integration<'a> {
    group: &'a Group,
    view: &'a View,
    sums: Vec<Option<Quantity>>,
}

/// How the inputs of a program depend on the way along a straight piece, and along a corner.
const ALONG_STRAIGHT: [u32; 14] = [1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0];
const ALONG_CORNER: [u32; 14] = [0; 14];

impl Integration<'_> {
    /// The degree of an integrand along a straight piece (with a posterior of degree 0) or along a corner (of degree 1).
    fn degree(&self, k: usize, inputs: &[u32; 14], posterior: u32) -> Option<usize> {
        let weight = self.view.weight.as_ref().and_then(|weight| u32::try_from(weight.degree()).ok());
        let degree = self.group.program.degree(k, inputs, posterior, weight)?;
        usize::try_from(degree).ok().filter(|degree| *degree <= LARGEST_DEGREE)
    }

    /// Adds what lies between the shares 0 and 1 of the way along something: numbers at nodes where that is a polynomial, else
    /// a function, if there is one.
    fn add_way(
        &mut self,
        (inputs, posterior): (&[u32; 14], u32),
        at: impl Fn(&Number) -> [Number; 14],
        along: impl Fn() -> Option<[RationalFunction; 14]>,
    ) {
        let degrees: Vec<Option<usize>> = (0..self.sums.len()).map(|k| self.degree(k, inputs, posterior)).collect();
        if let Some(degree) = degrees.iter().flatten().max() {
            for (share, part) in rule(*degree) {
                let values = self.view.values(&self.group.program, at(share));
                for (k, value) in
                    values.into_iter().take(self.sums.len()).enumerate().filter(|(k, _)| degrees[*k].is_some())
                {
                    match (self.sums[k].as_mut(), value) {
                        (Some(sum), Some(value)) => sum.add_number(&value * part),
                        _ => self.sums[k] = None,
                    }
                }
            }
        }
        if degrees.iter().any(Option::is_none) {
            let those: Vec<bool> = degrees.iter().map(Option::is_none).collect();
            match along() {
                Some(inputs) => self.add_function(inputs, &[Number::ZERO, Number::ONE], &those),
                None => self.sums.iter_mut().zip(those).filter(|(_, is)| *is).for_each(|(sum, _)| *sum = None),
            }
        }
    }

    /// Adds the integrals of some of the expressions as functions.
    fn add_function(&mut self, inputs: [RationalFunction; 14], ends: &[Number; 2], those: &[bool]) {
        let values = self.view.values(&self.group.program, inputs);
        for (k, value) in values.into_iter().take(self.sums.len()).enumerate().filter(|(k, _)| those[*k]) {
            // Definitions have no poles on the way.
            let value = value.filter(|f| self.group.origins[k] != Origin::Typed || !has_pole(f, ends));
            match (self.sums[k].as_mut(), value) {
                (Some(sum), Some(value)) => sum.add_integral(&value, &ends[0], &ends[1]),
                _ => self.sums[k] = None,
            }
        }
    }
}

/// Whether a function may have a pole between two numbers, or at one of them.
fn has_pole(f: &RationalFunction, [from, to]: &[Number; 2]) -> bool {
    let (Some([lo, _]), Some([_, hi])) = (from.bounds(64), to.bounds(64)) else { return true };
    let inside = |root: Number| {
        let beyond = |distance: Number| distance.sign().is_some_and(|sign| sign < 0);
        !(beyond(&root - from) || beyond(to - &root))
    };
    real_roots(f.denominator(), &lo, &hi).iter().any(|root| inside(Number::from(root)))
}

/// A number that is rational, as a constant function.
fn constant(number: &Number) -> Option<RationalFunction> {
    number.as_rational().cloned().map(RationalFunction::constant)
}

/// The inputs along a straight piece as functions of the share of the way.
fn inputs_along_straight(from: &ExactPoint, to: &ExactPoint) -> Option<[RationalFunction; 14]> {
    let way = |a: &Number, b: &Number| {
        let (a, b) = (a.as_rational()?, b.as_rational()?);
        Some((RationalFunction::from(Polynomial::linear(a, &(b - a))), RationalFunction::constant(b - a)))
    };
    let ((x, dx), (f0, d0), (f1, d1)) = (way(&from.x, &to.x)?, way(&from.f[0], &to.f[0])?, way(&from.f[1], &to.f[1])?);
    let sum = &d0 + &d1;
    let q = [d0.over(&sum), d1.over(&sum), RationalFunction::constant(Rational::ZERO)];
    Some(inputs(x, [f0, f1], [dx, d0, d1], q))
}

/// The inputs along a corner as functions of the share of the way.
fn inputs_along_corner(corner: &ExactCorner, proportions: &[Rational; 2]) -> Option<[RationalFunction; 14]> {
    let [from, to] = corner.posterior.each_ref().map(Number::as_rational);
    let (from, to) = (from?, to?);
    let [pi0, pi1] = proportions;
    let c = Polynomial::linear(from, &(to - from));
    let (of0, of1) = ((&Polynomial::one() - &c).scaled(pi1), c.scaled(pi0));
    let sum = &of0 + &of1;
    let q = [of0, of1].map(|of| RationalFunction::new(of, sum.clone()));
    let [q0, q1] = q;
    let (dq1, still) = (q1.derivative(), || RationalFunction::constant(Rational::ZERO));
    let f = [constant(&corner.at.f[0])?, constant(&corner.at.f[1])?];
    Some(inputs(constant(&corner.at.x)?, f, [still(), still(), still()], [q0, q1, dq1]))
}

/// The integrals of a group along a curve; `None` for those that have no exact value.
fn along(curve: &ExactCurve, corners: &[ExactCorner], group: &Group, view: &View) -> Vec<Option<Quantity>> {
    let mut integration = Integration { group, view, sums: vec![Some(Quantity::default()); group.len()] };
    let all = vec![true; group.len()];
    for piece in &curve.pieces {
        match piece {
            ExactPiece::Straight { from, to, .. } => integration.add_way(
                (&ALONG_STRAIGHT, 0),
                |share| inputs_of_straight(from, to, share),
                || inputs_along_straight(from, to),
            ),
            ExactPiece::Arc(arc) => integration.add_function(inputs_of_arc(arc), &arc.u, &all),
        }
    }
    for corner in corners {
        integration.add_way(
            (&ALONG_CORNER, 1),
            |share| inputs_of_corner(corner, &view.proportions, share),
            || inputs_along_corner(corner, &view.proportions),
        );
    }
    integration.sums
}

/// The integrals of a group along a curve, corners included.
fn with_corners(curve: &ExactCurve, group: &Group, view: &View) -> Result<Vec<Option<Quantity>>, Undecided> {
    Ok(along(curve, &curve.corners(&view.proportions)?, group, view))
}

/// The optimal loss: along a hull, corners included.
fn optimal(hull: &ExactCurve, view: &View) -> Result<Option<Quantity>, Undecided> {
    Ok(with_corners(hull, &OPTIMAL, view)?.into_iter().next().flatten())
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
    let pi0 = model.exact_pi0().map_err(NotPiecewise::from)?;
    let proportions = [pi0.clone(), Rational::ONE - pi0];
    let densities = [model.density(0).piecewise()?, model.density(1).piecewise()?];
    let mut curve = ExactCurve::new(densities);
    for transform in model.transforms() {
        curve = transform::transformed(&curve, *transform, &proportions)?;
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
    let intervals = transform::intervals_of_hull(&hull, &proportions)?;
    let constant = |value: &Option<Rational>| match value {
        Some(value) => Constant::rational(value.clone()),
        None => Constant::real(f64::NAN, Interval::ALL),
    };
    let parameters = [&fixed.threshold, &fixed.rate].map(constant);
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

/// The answers that a plan asks for, which is chosen by whether scores are probabilities and classes balanced.
pub(super) fn read_exact<'p>(
    model: &Model,
    plan: impl Fn(bool, bool) -> &'p Plan,
) -> Result<Vec<Result<Quantity, Why>>, Refusal> {
    let (curve, proportions) = exact_curve(model)?;
    let plan = plan(is_probabilistic(&curve), proportions[0] == proportions[1]);
    let given = plan.given();
    let (curves, places) = plan.curves(Ok(curve), |curve: &Result<ExactCurve, Undecided>, transform| {
        curve.as_ref().map_err(|why| *why).and_then(|curve| transform::transformed(curve, transform, &proportions))
    });
    let curve = |s: usize| curves[places[s]].as_ref().map_err(|why| *why);
    let hull = |s: usize| plan.sites[s].hull.then(|| exact_hull(curve(s)?).map(|(hull, _)| hull));
    let hulls: Vec<Option<Result<ExactCurve, Undecided>>> = (0..plan.sites.len()).map(hull).collect();
    let reader = |s: usize| {
        let hull = hulls[s].as_ref().map(|hull| hull.as_ref().map_err(|why| *why));
        curve(s).map(|curve| Exact::new(&plan.sites[s], plan, curve, hull, &proportions, given))
    };
    let readers: Vec<Result<Exact, Undecided>> = (0..plan.sites.len()).map(reader).collect();
    let answers = plan.answers.iter().map(|answer| match &readers[answer.site] {
        Ok(reader) => plan.read(answer, reader, given),
        Err(_) => Err(UNDECIDED.into()),
    });
    Ok(answers.collect())
}

/// A curve and its hull, read in exact arithmetic.
struct Exact<'a> {
    plan: &'a Plan,
    site: &'a Site,
    curve: &'a ExactCurve,
    hull: Option<Result<&'a ExactCurve, Undecided>>,
    proportions: &'a [Rational; 2],
    costs: &'a [Cost],
    /// What was found of each bundle; nothing where two numbers were too close to tell apart.
    integrals: Vec<Result<Vec<Option<Quantity>>, Undecided>>,
}

impl<'a> Exact<'a> {
    fn new(
        site: &'a Site,
        plan: &'a Plan,
        curve: &'a ExactCurve,
        hull: Option<Result<&'a ExactCurve, Undecided>>,
        proportions: &'a [Rational; 2],
        given: Given<'a>,
    ) -> Exact<'a> {
        let mut reader = Exact { plan, site, curve, hull, proportions, costs: given.costs, integrals: Vec::new() };
        let integrals = site.bundles.iter().map(|bundle| {
            let view = reader.view(bundle.view);
            let mut found = match bundle.path {
                Path::Curve => along(curve, &[], &bundle.group, &view),
                Path::Corners => with_corners(curve, &bundle.group, &view)?,
                Path::Hull => along(reader.hull()?, &[], &bundle.group, &view),
                Path::Optimal => with_corners(reader.hull()?, &bundle.group, &view)?,
            };
            // A cost distribution that is not rational has no exact mean; what does not depend on it is still exact.
            if !reader.is_rational(bundle.view) {
                let depends = |k: usize| bundle.group.program.reads(k, &["mean", "w"]);
                found.iter_mut().enumerate().filter(|(k, _)| depends(*k)).for_each(|(_, value)| *value = None);
            }
            Ok(found)
        });
        reader.integrals = integrals.collect();
        reader
    }

    fn hull(&self) -> Result<&'a ExactCurve, Undecided> {
        self.hull.unwrap_or(Err(Undecided))
    }

    fn is_rational(&self, view: ViewOf) -> bool {
        self.costs[view.cost].exact_parameters().is_some()
    }

    fn proportions(&self, condition: Condition) -> [Rational; 2] {
        let half = Rational::ONE / Rational::from(2);
        if condition == Condition::Cost { self.proportions.clone() } else { [half.clone(), half] }
    }

    fn view(&self, of: ViewOf) -> View {
        let uniform = [Rational::ONE, Rational::ONE];
        let parameters = self.costs[of.cost].exact_parameters().unwrap_or(&uniform);
        View::new(self.proportions(of.condition), parameters, &self.curve.range)
    }

    /// The value of an expression at a point, if its place is rational.
    fn at(
        &self,
        program: &Program,
        at: &Constant,
        of: ViewOf,
        point: impl Fn(&Rational, &View) -> Result<ExactPoint, Undecided>,
    ) -> Result<Quantity, Why> {
        let irrational = "no exact value: the threshold, the rate or the mean of the costs is not rational";
        let place = at.exact.as_ref().filter(|_| self.is_rational(of) || !program.reads(0, &["mean", "w"]));
        let (place, view) = (place.ok_or(irrational)?, self.view(of));
        let point = point(place, &view).map_err(|_| UNDECIDED)?;
        number_at(&point, program, &view).map(Quantity::from).ok_or(irrational.into())
    }

    /// The largest absolute value of an expression in `F0`, `F1`, at joints and where its derivative along an arc is 0.
    fn largest_of(&self, program: &Program) -> Result<Quantity, Undecided> {
        let view = self.view(ViewOf { condition: Condition::Cost, cost: 0 });
        let mut largest = Number::ZERO;
        let mut consider = |point: &ExactPoint| {
            let Some(value) = number_at(point, program, &view) else { return };
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
            let Some(value) = view.values(program, inputs_of_arc(arc)).into_iter().next().flatten() else { continue };
            let turns = arc.roots_inside(value.derivative().numerator()).ok_or(Undecided)?;
            turns.iter().for_each(|u| consider(&arc.at(u)));
        }
        Ok(Quantity::from(largest))
    }
}

impl Reader for Exact<'_> {
    type Number = Quantity;

    fn scale(&self) -> (f64, f64) {
        let [l, h] = &self.curve.range;
        (to_f64(l), to_f64(h))
    }

    fn integral(&self, bundle: usize, k: usize) -> Result<Quantity, Why> {
        let found = self.integrals[bundle].as_ref().map_err(|_| UNDECIDED)?;
        let Bundle { group, view, .. } = &self.site.bundles[bundle];
        found[k].clone().ok_or_else(|| {
            let (cost, weighted) = (&self.costs[view.cost], self.view(*view).weight.is_some());
            match group.program.reads(k, &["w"]) && !weighted || !self.is_rational(*view) {
                true => {
                    format!("no exact value under {cost}: its parameters must be whole numbers, not above 64 together")
                }
                false => "no exact value: it does not converge, or is no integral of rational functions".to_owned(),
            }
            .into()
        })
    }

    fn affine(&self, a: f64, b: f64, of: Quantity) -> Quantity {
        let [a, b] = [a, b].map(|number| from_f64(number).unwrap_or(Rational::ZERO));
        let mut value = Quantity::from(a);
        value.add(&of, &b);
        value
    }

    fn largest(&self, k: usize) -> Result<Quantity, Why> {
        self.largest_of(&self.plan.points[self.site.extremes[k]].program).map_err(|_| UNDECIDED.into())
    }

    fn at_score(&self, AtPoint { program, .. }: &AtPoint, at: &Constant, view: ViewOf) -> Result<Quantity, Why> {
        self.at(program, at, view, |t, _| self.curve.at_score(t))
    }

    fn at_rate(&self, AtPoint { program, .. }: &AtPoint, at: &Constant, view: ViewOf) -> Result<Quantity, Why> {
        self.at(program, at, view, |rate, view| self.curve.at_rate(rate, &view.proportions))
    }

    fn share_of_chance(&self, prior: Prior, view: ViewOf) -> Result<Quantity, Why> {
        let proportions = self.proportions(view.condition);
        let parameters = prior.parameters(proportions.clone());
        let view = View::new(proportions, &parameters, &self.curve.range);
        let broken =
            "its cost distribution has parameters that are not whole numbers; another level gives it numerically";
        let found = |of: Result<Option<Quantity>, Undecided>| match of {
            Ok(found) => found.ok_or(Why::from(broken)),
            Err(Undecided) => Err(UNDECIDED.into()),
        };
        let most = found(optimal(&ExactCurve::diagonal(), &view))?;
        let most = most.as_rational().filter(|most| sign(most) > 0).ok_or(UNDECIDED)?;
        let loss = found(self.hull().and_then(|hull| optimal(hull, &view)))?;
        let mut value = Quantity::from(Rational::ONE);
        value.add(&loss, &-(Rational::ONE / most));
        Ok(value)
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

/// The value of an expression at a point.
fn number_at(point: &ExactPoint, program: &Program, view: &View) -> Option<Number> {
    let still = || [Number::ZERO, Number::ZERO, Number::ZERO];
    view.values(program, inputs(point.x.clone(), point.f.clone(), still(), still())).into_iter().next().flatten()
}
