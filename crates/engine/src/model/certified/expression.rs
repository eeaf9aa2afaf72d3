//! Expressions in `x` as densities, enclosed: values with derivatives along a chart, and growth towards an end.

use super::density::EnclosedDensity;
use super::expand::Expanded;
use super::expansions::Expansions;
use super::growth::Growth;
use super::jet::Jet;
use super::scores::{Points, ScoreSeries};
use super::tail::Tail;
use super::trend::{self, TailBound};
use crate::constant::Constant;
use crate::model::endpoint::Endpoint;
use crate::model::family::expression;
use rocproof_arith::rational::from_f64;
use rocproof_arith::{Balls, Interval, Polynomial, Rational, RationalFunction, Series};
use rocproof_language::{Diagnostic, Expr, Kind, Op, Source};
use std::cmp::Ordering;

/// Where the argument of a logarithm or a sine differs by less than this from its value at an end, the difference is evaluated by
/// itself. It has no cancellation there, and the bounds for small arguments are tight.
const CLOSE: f64 = 0.25;

/// The largest degree of a polynomial whose logarithmic slope is given as a rational function: higher degrees make the sign of the slope
/// of a ratio expensive.
const LARGEST_LOG_SLOPE_DEGREE: usize = 3;

/// An expression in `x` on an interval.
#[derive(Clone, Debug)]
pub struct ExpressionDensity {
    root: Node,
    ends: [Endpoint; 2],
    /// The exact integral, where it is a polynomial between rational ends.
    pub exact_mass: Option<Rational>,
}

/// An expression in `x`.
#[derive(Clone, Debug)]
pub(super) enum Node {
    Polynomial(Box<Expansions>),
    Add(Box<Node>, Box<Node>),
    Sub(Box<Node>, Box<Node>),
    Mul(Box<Node>, Box<Node>),
    Div(Box<Node>, Box<Node>),
    Power(Box<Node>, Interval),
    Exp(Box<Node>),
    /// The logarithm of an argument. For each end where the argument is exactly 1, `less_one` is the argument less 1, without cancellation.
    Log {
        argument: Box<Node>,
        less_one: [Option<Box<Node>>; 2],
    },
    /// `sin(argument + quarters·π/2)`. For each end where the argument is exactly a multiple of π/2, `near_end` is the same angle with that
    /// multiple split off.
    ShiftedSine {
        argument: Box<Node>,
        quarters: i32,
        near_end: [Option<SplitAngle>; 2],
    },
}

/// The angle `remainder + quarters·π/2`, where the remainder is 0 at an end.
#[derive(Clone, Debug)]
pub(super) struct SplitAngle {
    pub(super) remainder: Box<Node>,
    pub(super) quarters: i32,
}

/// The exponent as an integer, if it is a whole number from 0 to 63.
fn whole(exponent: Interval) -> Option<u32> {
    let is_whole = exponent.is_point() && exponent.lo().fract() == 0.0 && (0.0..64.0).contains(&exponent.lo());
    is_whole.then_some(exponent.lo() as u32)
}

impl Node {
    /// The value and its derivative with respect to the parameter of the scores, bottom up.
    fn jet(&self, scores: &ScoreSeries, ends: &[Endpoint; 2]) -> Jet {
        let jet = |node: &Node| node.jet(scores, ends);
        match self {
            Node::Polynomial(expansions) => expansions.jet(scores, ends),
            Node::Add(a, b) => jet(a).plus(jet(b)),
            Node::Sub(a, b) => jet(a).plus(jet(b).negated()),
            Node::Mul(a, b) => jet(a).times(jet(b)),
            Node::Div(a, b) => jet(a).over(jet(b)),
            Node::Power(a, k) => jet(a).power(*k),
            Node::Exp(a) => {
                let exponent = jet(a);
                Jet::with_log(exponent.value, exponent.slope)
            }
            Node::Log { argument, less_one } => {
                let mut jets_less_one = less_one.iter().flatten().map(|node| jet(node));
                match jets_less_one.find(|less_one| less_one.value.bound() < CLOSE) {
                    Some(small) => small.ln_1p(),
                    None => {
                        let (log, rate) = jet(argument).logarithm();
                        Jet::new(log, rate)
                    }
                }
            }
            Node::ShiftedSine { argument, quarters, near_end } => {
                let mut remainders = near_end.iter().flatten().map(|split| (jet(&split.remainder), split.quarters));
                let small = remainders.find(|(remainder, _)| remainder.value.bound() < CLOSE);
                let (angle, quarters) = small.unwrap_or_else(|| (jet(argument), *quarters));
                shifted_sine(angle, quarters, Jet::sin, Jet::cos, Jet::negated)
            }
        }
    }

    /// The value of a constant expression; `None` if it depends on `x`.
    fn constant(&self) -> Option<Interval> {
        if let Node::Polynomial(expansions) = self { expansions.constant() } else { None }
    }

    /// The expression, where it is a sum or product of polynomials with rational coefficients; `None` if not.
    fn rational(&self) -> Option<RationalFunction> {
        Some(match self {
            Node::Polynomial(expansions) => RationalFunction::from(expansions.exact()?.clone()),
            Node::Add(a, b) => &a.rational()? + &b.rational()?,
            Node::Sub(a, b) => &a.rational()? - &b.rational()?,
            Node::Mul(a, b) => &a.rational()? * &b.rational()?,
            _ => return None,
        })
    }

    /// `(ln|f|)'`, where it is a rational function with rational coefficients of low degree; `None` if not.
    fn log_slope(&self) -> Option<RationalFunction> {
        Some(match self {
            Node::Polynomial(_) if self.constant().is_some_and(|c| !c.contains(0.0)) => {
                RationalFunction::constant(Rational::ZERO)
            }
            Node::Polynomial(expansions) => {
                let is_suitable = |p: &&Polynomial| !p.is_zero() && p.degree() <= LARGEST_LOG_SLOPE_DEGREE;
                let exact = expansions.exact().filter(is_suitable)?;
                RationalFunction::new(exact.derivative(), exact.clone())
            }
            Node::Mul(a, b) => &a.log_slope()? + &b.log_slope()?,
            Node::Div(a, b) => &a.log_slope()? - &b.log_slope()?,
            Node::Power(base, exponent) if exponent.is_point() => base.log_slope()?.scaled(&from_f64(exponent.lo())?),
            Node::Exp(exponent) => exponent.rational()?.derivative(),
            _ => return None,
        })
    }

    /// Whether the expression is analytic in the whole complex plane; false if that does not follow from its form.
    fn is_entire(&self) -> bool {
        match self {
            Node::Polynomial(_) => true,
            Node::Add(a, b) | Node::Sub(a, b) | Node::Mul(a, b) => a.is_entire() && b.is_entire(),
            Node::Power(a, k) => whole(*k).is_some() && a.is_entire(),
            Node::Exp(a) | Node::ShiftedSine { argument: a, .. } => a.is_entire(),
            Node::Div(a, b) => a.is_entire() && b.constant().is_some(),
            Node::Log { .. } => false,
        }
    }

    /// The order of the zero at the left (0) or right (1) end, where it is exact; 0 where it is not known.
    fn order(&self, side: usize) -> u32 {
        match self {
            Node::Polynomial(expansions) => expansions.order(side),
            Node::Add(a, b) | Node::Sub(a, b) => a.order(side).min(b.order(side)),
            Node::Mul(a, b) => a.order(side).saturating_add(b.order(side)),
            Node::Div(a, b) if b.order(side) == 0 => a.order(side),
            Node::Power(a, k) => whole(*k).map_or(0, |k| a.order(side).saturating_mul(k)),
            _ => 0,
        }
    }

    /// The values around some scores, divided by the distance from the left (0) or right (1) end to the given power. The power is at most
    /// the order of the zero there, and is divided among the factors of a product.
    fn around(&self, points: &Points, ends: &[Endpoint; 2], side: usize, power: u32) -> Balls {
        let around = |node: &Node, power: u32| node.around(points, ends, side, power);
        match self {
            Node::Polynomial(expansions) => expansions.around(points, ends, side, power),
            Node::Add(a, b) => around(a, power) + around(b, power),
            Node::Sub(a, b) => around(a, power) - around(b, power),
            Node::Mul(a, b) => {
                let power_of_a = if power == 0 { 0 } else { power.min(a.order(side)) };
                around(a, power_of_a) * around(b, power - power_of_a)
            }
            Node::Div(a, b) => around(a, power) / around(b, 0),
            Node::Power(a, k) if power == 0 => around(a, 0).pow(*k),
            Node::Power(a, k) => {
                // a = d^n·q with the distance d: a^k/d^power = q^k·d^(n·k - power).
                let order = a.order(side);
                let undivided = order.saturating_mul(whole(*k).unwrap_or(0)) - power;
                around(a, order).pow(*k) * points.distance(side, &ends[side]).power(undivided as i32)
            }
            Node::Exp(a) => around(a, 0).exp(),
            Node::Log { argument, .. } => around(argument, 0).ln(),
            Node::ShiftedSine { argument, quarters, .. } => {
                shifted_sine(around(argument, 0), *quarters, |a| a.sin(), |a| a.cos(), |a| -a)
            }
        }
    }

    /// Encloses value, elasticity and change in a tail, from the operands to the whole expression.
    fn growth(&self, tail: &Tail, ends: &[Endpoint; 2]) -> Growth {
        let growth = |node: &Node| node.growth(tail, ends);
        let side = usize::from(!tail.left);
        match self {
            Node::Polynomial(expansions) => expansions.growth(tail, ends),
            Node::Add(a, b) => growth(a).plus(growth(b)),
            Node::Sub(a, b) => growth(a).plus(growth(b).negated()),
            Node::Mul(a, b) => growth(a).times(growth(b)),
            Node::Div(a, b) => growth(a).times(growth(b).inverse()),
            Node::Power(a, k) => growth(a).power(*k),
            Node::Exp(a) => growth(a).exp(),
            Node::Log { argument, less_one } => {
                let less_one = less_one[side].as_ref().map(|node| growth(node));
                match less_one.filter(|less_one| less_one.range.magnitude() < CLOSE) {
                    Some(small) => small.ln_1p(),
                    None => growth(argument).ln(),
                }
            }
            Node::ShiftedSine { argument, quarters, near_end } => {
                let (angle, quarters) = match &near_end[side] {
                    Some(split) => (growth(&split.remainder), split.quarters),
                    None => (growth(argument), *quarters),
                };
                shifted_sine(angle, quarters, Growth::sin, Growth::cos, Growth::negated)
            }
        }
    }

    /// The derivative, by the rules of differentiation.
    pub(super) fn derivative(&self) -> Node {
        let add = |a: Node, b: Node| Node::Add(Box::new(a), Box::new(b));
        let sub = |a: Node, b: Node| Node::Sub(Box::new(a), Box::new(b));
        let mul = |a: Node, b: Node| Node::Mul(Box::new(a), Box::new(b));
        let div = |a: Node, b: &Node| Node::Div(Box::new(a), Box::new(b.clone()));
        match self {
            Node::Polynomial(expansions) => Node::Polynomial(Box::new(expansions.derivative())),
            Node::Add(a, b) => add(a.derivative(), b.derivative()),
            Node::Sub(a, b) => sub(a.derivative(), b.derivative()),
            Node::Mul(a, b) => add(mul(a.derivative(), (**b).clone()), mul((**a).clone(), b.derivative())),
            // (a/b)' = a'/b - (a/b)·(b'/b).
            Node::Div(a, b) => sub(div(a.derivative(), b), mul(self.clone(), div(b.derivative(), b))),
            // (a^k)' = k·a^k·(a'/a).
            Node::Power(a, k) => mul(mul(constant(*k), self.clone()), div(a.derivative(), a)),
            Node::Exp(a) => mul(self.clone(), a.derivative()),
            Node::Log { argument, .. } => div(argument.derivative(), argument),
            Node::ShiftedSine { argument, quarters, near_end } => {
                // The cosine is the sine of a quarter turn more.
                let turned = |split: SplitAngle| SplitAngle { quarters: split.quarters + 1, ..split };
                let cosine = Node::ShiftedSine {
                    argument: argument.clone(),
                    quarters: quarters + 1,
                    near_end: near_end.clone().map(|split| split.map(turned)),
                };
                mul(cosine, argument.derivative())
            }
        }
    }
}

/// `sin(a + quarters·π/2)`, by the sine and the cosine of `a`. The functions are arguments since `a` may be a ball, a jet or a bound.
pub(super) fn shifted_sine<T>(
    a: T,
    quarters: i32,
    sin: impl Fn(T) -> T,
    cos: impl Fn(T) -> T,
    negated: impl Fn(T) -> T,
) -> T {
    match quarters.rem_euclid(4) {
        0 => sin(a),
        1 => cos(a),
        2 => negated(sin(a)),
        _ => negated(cos(a)),
    }
}

impl ExpressionDensity {
    /// Reads an expression that has been checked already. An error if it is not an expression in `x` after all.
    pub fn read(source: &Source, expr: &Expr, ends: [Endpoint; 2]) -> Result<ExpressionDensity, Diagnostic> {
        let polynomial = expression::polynomial(expr);
        let [lo, hi] = ends.each_ref().map(|end| end.constant.exact.as_ref());
        let exact_mass = polynomial.zip(lo.zip(hi)).map(|(p, (lo, hi))| p.integral(lo, hi));
        let root = read_node(source, expr, &ends)?;
        Ok(ExpressionDensity { root, ends, exact_mass })
    }

    /// A polynomial.
    pub fn polynomial(polynomial: &Polynomial, ends: [Endpoint; 2]) -> ExpressionDensity {
        let root = Node::Polynomial(Box::new(Expansions::new(polynomial, &ends)));
        ExpressionDensity { root, ends, exact_mass: None }
    }

    /// A polynomial in the distance from an end: the left one (0) or the right one (1).
    pub fn in_distance(polynomial: &Polynomial, side: usize, ends: [Endpoint; 2]) -> ExpressionDensity {
        let root = Node::Polynomial(Box::new(Expansions::from_end(polynomial, side)));
        ExpressionDensity { root, ends, exact_mass: None }
    }

    /// The jet at scores so far out that a subexpression overflows: bounds that hold from there to an infinite end. `None` if the end is
    /// finite, or there are no bounds.
    fn jet_far_out(&self, scores: &ScoreSeries) -> Option<Jet> {
        let x = scores.x.rough_range();
        let left = x.hi() < 0.0;
        let end = &self.ends[usize::from(!left)];
        if end.is_finite() {
            return None;
        }
        let distance = Interval::new(x.least_magnitude(), f64::INFINITY);
        let tail = Tail { left, end, from: Interval::ZERO, distance, x: if left { -distance } else { distance } };
        let range = |node: &Node| Series::from(trend::range_in_tail(node, &tail, &self.ends));
        let jet = Jet::new(range(&self.root), range(&self.root.derivative()) * scores.speed);
        jet.value.is_known().then_some(jet)
    }

    /// All values in a tail.
    pub fn range(&self, tail: &Tail) -> Interval {
        self.root.growth(tail, &self.ends).range
    }
}

impl EnclosedDensity for ExpressionDensity {
    fn jet(&self, scores: &ScoreSeries) -> Jet {
        let jet = self.root.jet(scores, &self.ends);
        let is_log_known = jet.log.is_some_and(|[log, rate]| log.is_known() && rate.is_known());
        let is_known = jet.value.is_known() && jet.slope.is_known();
        if is_known || is_log_known { jet } else { self.jet_far_out(scores).unwrap_or(jet) }
    }

    fn around(&self, points: &Points, side: usize, power: u32) -> Balls {
        self.root.around(points, &self.ends, side, power)
    }

    fn log_slope(&self, _: Interval) -> Interval {
        Interval::ALL
    }

    fn constant(&self) -> Option<Interval> {
        self.root.constant()
    }

    fn is_entire(&self) -> bool {
        self.root.is_entire()
    }

    fn is_expression(&self) -> bool {
        true
    }

    fn order(&self, side: usize, end: &Endpoint) -> u32 {
        let order = self.root.order(side);
        if order > 0 && self.ends[side].compare(end) == Some(Ordering::Equal) { order } else { 0 }
    }

    fn elasticity(&self, tail: &Tail) -> Interval {
        self.root.growth(tail, &self.ends).elasticity
    }

    fn tail_bound(&self, tail: &Tail) -> Option<TailBound> {
        trend::tail_bound(&self.root, tail, &self.ends)
    }

    fn rational_log_slope(&self) -> Option<RationalFunction> {
        self.root.log_slope()
    }
}

/// A constant expression.
fn constant(value: Interval) -> Node {
    Node::Polynomial(Box::new(Expansions::of_constant(value)))
}

/// An expression less its value at an end, as a polynomial in the distance from the end.
fn less_value_at_end(expanded: &Expanded, side: usize) -> Box<Node> {
    let expansions = Expansions::in_powers_of_distance(&expanded.by_distance, side);
    Box::new(Node::Polynomial(Box::new(expansions)))
}

/// The logarithm of an argument, given as a node and as syntax.
fn log_node(argument: Box<Node>, syntax: &Expr, ends: &[Endpoint; 2]) -> Node {
    let less_one = [0, 1].map(|side| {
        let expanded = Expanded::new(syntax, ends, side).filter(Expanded::is_one_at_end)?;
        Some(less_value_at_end(&expanded, side))
    });
    Node::Log { argument, less_one }
}

/// `sin(argument + quarters·π/2)` of an argument, given as a node and as syntax.
fn shifted_sine_node(argument: Box<Node>, syntax: &Expr, quarters: i32, ends: &[Endpoint; 2]) -> Node {
    let near_end = [0, 1].map(|side| {
        let expanded = Expanded::new(syntax, ends, side)?;
        let quarters = quarters + expanded.quarters()?;
        Some(SplitAngle { remainder: less_value_at_end(&expanded, side), quarters })
    });
    Node::ShiftedSine { argument, quarters, near_end }
}

/// Reads an expression. Sums that are polynomials are expanded; products and powers keep the factors that the user wrote.
fn read_node(source: &Source, expr: &Expr, ends: &[Endpoint; 2]) -> Result<Node, Diagnostic> {
    let is_product = matches!(expr.kind, Kind::Binary(Op::Mul | Op::Div | Op::Pow, ..));
    if let Some(polynomial) = expression::polynomial(expr).filter(|p| !is_product || p.degree() <= 1) {
        return Ok(Node::Polynomial(Box::new(Expansions::new(&polynomial, ends))));
    }
    if let Ok(value) = Constant::of(source, expr) {
        return Ok(constant(value.enclosure));
    }
    let boxed = |expr: &Expr| read_node(source, expr, ends).map(Box::new);
    Ok(match &expr.kind {
        Kind::Negate(inner) => Node::Sub(Box::new(constant(Interval::ZERO)), boxed(inner)?),
        Kind::Binary(Op::Add, l, r) => Node::Add(boxed(l)?, boxed(r)?),
        Kind::Binary(Op::Sub, l, r) => Node::Sub(boxed(l)?, boxed(r)?),
        Kind::Binary(Op::Mul, l, r) => Node::Mul(boxed(l)?, boxed(r)?),
        Kind::Binary(Op::Div, l, r) => Node::Div(boxed(l)?, boxed(r)?),
        Kind::Binary(Op::Pow, base, exponent) => match Constant::of(source, exponent) {
            Ok(exponent) => Node::Power(boxed(base)?, exponent.enclosure),
            // a^b = e^(b·ln a).
            Err(_) => {
                let log = log_node(boxed(base)?, base, ends);
                Node::Exp(Box::new(Node::Mul(Box::new(log), boxed(exponent)?)))
            }
        },
        Kind::Call(name, _, arguments) if arguments.len() == 1 => read_call(source, name, &arguments[0], ends)?,
        _ => return Err(source.error(expr.span, "an expression in x is needed here", "not an expression")),
    })
}

/// Reads a call of `exp`, `log`, `sqrt`, `sin` or `cos`.
fn read_call(source: &Source, name: &str, argument: &Expr, ends: &[Endpoint; 2]) -> Result<Node, Diagnostic> {
    // ln(c/g) = ln c - ln g.
    if name == "log"
        && let Kind::Binary(Op::Div, c, g) = &argument.kind
        && let Some(c) = Constant::of(source, c).ok().filter(|c| c.enclosure.is_positive())
    {
        let log_g = log_node(Box::new(read_node(source, g, ends)?), g, ends);
        return Ok(Node::Sub(Box::new(constant(c.enclosure.ln())), Box::new(log_g)));
    }
    let inner = Box::new(read_node(source, argument, ends)?);
    Ok(match name {
        "exp" => Node::Exp(inner),
        "log" => log_node(inner, argument, ends),
        "sqrt" => Node::Power(inner, Interval::from(0.5)),
        "sin" => shifted_sine_node(inner, argument, 0, ends),
        // cos a = sin(a + π/2).
        _ => shifted_sine_node(inner, argument, 1, ends),
    })
}
