//! Expressions in `x` as densities, enclosed: values with derivatives along a chart, and growth towards an end.

use super::density::EnclosedDensity;
use super::expand::Expanded;
use super::jet::Jet;
use super::scores::{Distance, Points, ScoreSeries};
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

/// Up to this degree a polynomial in the distance from an end loses few digits by cancellation, and is not recentred.
const LOW_DEGREE: usize = 4;

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
    /// The logarithm, and `g` of `ln(1 + g)` near an end where the argument is 1.
    Log(Box<Node>, [Option<Box<Node>>; 2]),
    /// `sin(a + k·π/2)`; near an end where the argument is a multiple of π/2, also with that multiple split off.
    ShiftedSine(Box<Node>, i32, [Option<(Box<Node>, i32)>; 2]),
}

/// A polynomial, expanded in the distance from either end and in the score. Each expansion comes with its derivative; `None` if it is
/// not known.
#[derive(Clone, Debug)]
pub(super) struct Expansions {
    by_distance: [Option<[Vec<Interval>; 2]>; 2],
    by_score: Option<[Vec<Interval>; 2]>,
    /// The polynomial in the score itself, if its coefficients are rational.
    exact: Option<Polynomial>,
}

/// How a function behaves in a tail.
#[derive(Clone, Copy, Debug)]
struct Growth {
    /// All values.
    range: Interval,
    /// The local power of the distance: `d ln|f| / d ln(distance)`.
    elasticity: Interval,
    /// `df / d ln(distance)`.
    change: Interval,
}

/// The coefficients of a polynomial and of its derivative.
fn enclosed(polynomial: &Polynomial) -> [Vec<Interval>; 2] {
    [enclosed_coefficients(polynomial), enclosed_coefficients(&polynomial.derivative())]
}

fn enclosed_coefficients(polynomial: &Polynomial) -> Vec<Interval> {
    polynomial.coefficients().map(|c| Interval::of(&c)).collect()
}

/// The coefficients of the derivative of the polynomial with these coefficients.
fn derivative_coefficients(coefficients: &[Interval]) -> Vec<Interval> {
    coefficients.iter().enumerate().skip(1).map(|(k, c)| *c * Interval::from(k as f64)).collect()
}

impl Expansions {
    /// Expands a polynomial in the score, and in the distance from each rational end.
    pub(super) fn new(polynomial: &Polynomial, ends: &[Endpoint; 2]) -> Expansions {
        let [left, right] = ends.each_ref().map(|end| end.constant.exact.clone());
        let from_left = left.map(|a| enclosed(&polynomial.shifted(&a)));
        // In b - x.
        let from_right = right.map(|b| enclosed(&polynomial.shifted(&b).stretched(&-Rational::ONE)));
        let exact = Some(polynomial.clone());
        Expansions { by_distance: [from_left, from_right], by_score: Some(enclosed(polynomial)), exact }
    }

    /// A polynomial in the distance from one end alone.
    fn from_end(coefficients: [Vec<Interval>; 2], side: usize) -> Expansions {
        let mut by_distance = [None, None];
        by_distance[side] = Some(coefficients);
        Expansions { by_distance, by_score: None, exact: None }
    }

    /// The derivative with respect to the score.
    fn derivative(&self) -> Expansions {
        let differentiate = |[_, slope]: &[Vec<Interval>; 2]| [slope.clone(), derivative_coefficients(slope)];
        // The distance to the right end falls as the score grows.
        let negated = |c: Vec<Interval>| c.into_iter().map(|c| -c).collect();
        let [left, right] = self.by_distance.each_ref().map(|c| c.as_ref().map(differentiate));
        let by_distance = [left, right.map(|[value, slope]| [negated(value), negated(slope)])];
        let exact = self.exact.as_ref().map(Polynomial::derivative);
        Expansions { by_distance, by_score: self.by_score.as_ref().map(differentiate), exact }
    }

    /// The coefficients in the distance to an end.
    pub(super) fn in_distance(&self, side: usize) -> Option<&[Interval]> {
        self.by_distance[side].as_ref().map(|[value, _]| value.as_slice())
    }

    /// The jet by an exact expansion around the middle of the scores, whose coefficients are rounded once each. `None` where the
    /// polynomial is not rational, or the expansion gains nothing.
    fn recentred(&self, site: &ScoreSeries, ends: &[Endpoint; 2]) -> Option<Jet> {
        let exact = self.exact.as_ref().filter(|exact| exact.degree() > 1)?;
        if let Some([middle, half]) = site.affine() {
            let recentred = exact.shifted(&middle).stretched(&half);
            let [value, slope] = enclosed(&recentred);
            return Some(Jet::new(Series::polynomial(&value), Series::polynomial(&slope)));
        }
        // Where the score is not linear in the parameter, the scores come close to an end, and relative accuracy there counts more.
        if exact.degree() <= LOW_DEGREE {
            return None;
        }
        let distances = [site.above(&ends[0]), site.below(&ends[1])];
        let side = usize::from(distances[1].value.bound() < distances[0].value.bound());
        let middle = distances[side].value.rough_range().mid();
        let (end, shift) = (ends[side].constant.exact.as_ref()?, from_f64(middle)?);
        let from_middle = distances[side].value - Series::from(middle);
        let recentred = if side == 0 {
            exact.shifted(&(end + shift))
        } else {
            exact.shifted(&(end - shift)).stretched(&-Rational::ONE)
        };
        let [value, slope] = enclosed(&recentred);
        Some(Jet::new(from_middle.under(&value), from_middle.under(&slope) * distances[side].slope))
    }

    /// The value and its derivative with respect to the parameter of the scores, by the expansion around the nearer end.
    pub(super) fn jet(&self, site: &ScoreSeries, ends: &[Endpoint; 2]) -> Jet {
        if let Some(jet) = self.recentred(site, ends) {
            return jet;
        }
        let from_end = |side: usize| {
            let coefficients = self.by_distance[side].as_ref()?;
            let distance = if side == 0 { site.above(&ends[0]) } else { site.below(&ends[1]) };
            Some((coefficients, distance))
        };
        let (left, right) = (from_end(0), from_end(1));
        let farthest = |expansion: &Option<(&[Vec<Interval>; 2], Distance)>| {
            expansion.as_ref().map_or(f64::INFINITY, |(_, distance)| distance.value.bound())
        };
        let nearer = if farthest(&left) <= farthest(&right) { left } else { right };
        let Some(([value, slope], distance)) = nearer else {
            let Some([value, slope]) = &self.by_score else { return Jet::new(Series::UNKNOWN, Series::UNKNOWN) };
            if let [c] = value.as_slice()
                && c.is_positive()
            {
                let zero = Series::from(0.0);
                return Jet { value: Series::from(*c), slope: zero, log: Some([Series::from(c.ln()), zero]) };
            }
            return Jet::new(site.x.under(value), site.x.under(slope) * site.speed);
        };
        // The logarithm is known of a polynomial `c·y^k` with one positive coefficient.
        let single_power = value
            .iter()
            .rposition(|c| *c != Interval::ZERO)
            .filter(|last| value[..*last].iter().all(|c| *c == Interval::ZERO) && value[*last].is_positive());
        if let Some(power) = single_power {
            let power = Interval::from(power as f64);
            let is_constant = power == Interval::ZERO;
            let log = if is_constant { Series::from(0.0) } else { distance.ln().scaled(power) };
            let scale = value.last().copied().unwrap_or(Interval::ZERO);
            let rate = if is_constant { Series::from(0.0) } else { distance.rate().scaled(power) };
            let by_log = Jet::with_log(log + Series::from(scale.ln()), rate);
            if is_constant {
                return Jet { value: Series::from(scale), ..by_log };
            }
            return by_log.or_value(distance.value.under(value), distance.value.under(slope) * distance.slope);
        }
        Jet::new(distance.value.under(value), distance.value.under(slope) * distance.slope)
    }

    /// The coefficients of the powers of the distance in a tail.
    pub(super) fn coefficients(&self, tail: &Tail, ends: &[Endpoint; 2]) -> Option<Vec<Interval>> {
        let side = usize::from(!tail.left);
        if ends[side].compare(tail.end) == Some(Ordering::Equal)
            && let Some([value, _]) = &self.by_distance[side]
        {
            return Some(value.clone());
        }
        // Distances start at the origin of the tail: another expansion is shifted there.
        let [a, b] = ends.each_ref().map(Endpoint::enclosure);
        let (coefficients, origin, sign) = match (&self.by_score, &self.by_distance) {
            (Some([value, _]), _) => (value, tail.from, tail.sign()),
            (None, [Some([value, _]), _]) => (value, tail.from - a, tail.sign()),
            (None, [None, Some([value, _])]) => (value, b - tail.from, -tail.sign()),
            _ => return None,
        };
        Some(shifted(coefficients, origin, sign))
    }

    /// The growth in a tail.
    fn growth(&self, tail: &Tail, ends: &[Endpoint; 2]) -> Growth {
        let Some(coefficients) = self.coefficients(tail, ends) else { return Growth::UNKNOWN };
        if tail.end.is_finite() {
            polynomial_growth_at_zero(&coefficients, tail.distance)
        } else {
            polynomial_growth_at_infinity(&coefficients, tail.distance)
        }
    }
}

impl Expansions {
    /// The order of the zero at an end, where it is exact; `u32::MAX` of the polynomial 0.
    fn order(&self, side: usize) -> u32 {
        let Some([value, _]) = &self.by_distance[side] else { return 0 };
        value.iter().position(|c| *c != Interval::ZERO).map_or(u32::MAX, |order| order as u32)
    }

    /// The values divided by `(distance from an end)^power`. The power is at most the order of the zero there.
    fn around(&self, points: &Points, ends: &[Endpoint; 2], side: usize, power: u32) -> Balls {
        let by_distance = |side: usize| self.by_distance[side].as_ref().map(|[value, _]| (side, value));
        // Only the expansion around the end in question can be divided.
        let wanted_side = if power > 0 { Some(side) } else { points.near_side() };
        let wanted = wanted_side.and_then(by_distance);
        if let (None, Some([value, _])) = (wanted, &self.by_score) {
            return points.x.under(value);
        }
        let Some((side, value)) = wanted.or(by_distance(0)).or(by_distance(1)) else { return Balls::UNKNOWN };
        let quotient = value.get(power as usize..).unwrap_or(&[]);
        if let [constant] = quotient {
            Balls::from(*constant)
        } else {
            points.distance(side, &ends[side]).under(quotient)
        }
    }
}

/// The coefficients of `p(origin + sign·y)` in `y`, by repeated synthetic division.
fn shifted(coefficients: &[Interval], origin: Interval, sign: Interval) -> Vec<Interval> {
    let mut c = coefficients.to_vec();
    let n = c.len();
    for i in 0..n {
        for j in (i..n.saturating_sub(1)).rev() {
            c[j] = c[j] + origin * c[j + 1];
        }
    }
    let mut scale = Interval::ONE;
    for value in &mut c {
        *value = *value * scale;
        scale = scale * sign;
    }
    c
}

/// The growth of the polynomial with these coefficients in the distance `y`, near 0. The lowest power is factored out, so that the
/// elasticity stays bounded.
fn polynomial_growth_at_zero(coefficients: &[Interval], y: Interval) -> Growth {
    let order = coefficients.iter().position(|c| *c != Interval::ZERO).unwrap_or(0);
    let quotient = &coefficients[order.min(coefficients.len())..];
    let (value, slope) = horner(quotient, y);
    let elasticity = Interval::from(order as f64) + y * slope / value;
    Growth::of(y.power(order as i32) * value, elasticity, y * horner(coefficients, y).1)
}

/// The growth of the polynomial with these coefficients in the distance `y`, near infinity. The highest power is factored out, so that a
/// polynomial in `s = 1/y` remains and the elasticity stays bounded.
fn polynomial_growth_at_infinity(coefficients: &[Interval], y: Interval) -> Growth {
    let degree = coefficients.iter().rposition(|c| *c != Interval::ZERO).unwrap_or(0);
    let reversed: Vec<Interval> = coefficients.iter().take(degree + 1).rev().copied().collect();
    let s = Interval::new(0.0, (Interval::ONE / y).hi());
    let (value, slope) = horner(&reversed, s);
    let range = y.power(degree as i32) * value;
    Growth::of(range, Interval::from(degree as f64) - s * slope / value, Interval::ALL)
}

/// A polynomial and its derivative at `y`, by Horner's rule.
pub(super) fn horner(coefficients: &[Interval], y: Interval) -> (Interval, Interval) {
    coefficients
        .iter()
        .rev()
        .fold((Interval::ZERO, Interval::ZERO), |(value, slope), c| (value * y + *c, slope * y + value))
}

impl Growth {
    const UNKNOWN: Growth = Growth { range: Interval::ALL, elasticity: Interval::ALL, change: Interval::ALL };

    /// A growth in which elasticity and change are also enclosed by each other: `change = f·elasticity`.
    fn of(range: Interval, elasticity: Interval, change: Interval) -> Growth {
        Growth { range, elasticity: elasticity.meet(change / range), change: change.meet(range * elasticity) }
    }

    fn negated(self) -> Growth {
        Growth { range: -self.range, change: -self.change, ..self }
    }

    fn times(self, other: Growth) -> Growth {
        let change = self.change * other.range + self.range * other.change;
        Growth::of(self.range * other.range, self.elasticity + other.elasticity, change)
    }

    fn plus(self, other: Growth) -> Growth {
        if self.range == Interval::ZERO {
            return other;
        }
        let same_sign =
            (self.range.lo() >= 0.0 && other.range.lo() >= 0.0) || (self.range.hi() <= 0.0 && other.range.hi() <= 0.0);
        // If the signs are the same, the elasticity is an average of both, weighted by the shares in the sum. The shares help where one
        // summand is negligible, the hull where they are unknown.
        let elasticity = if same_sign {
            let ratio = other.range / self.range;
            let share = (Interval::ONE / (Interval::ONE + ratio)).meet(Interval::UNIT);
            let average = self.elasticity * share + other.elasticity * (Interval::ONE - share);
            average.meet(self.elasticity.hull(other.elasticity))
        } else {
            Interval::ALL
        };
        Growth::of(self.range + other.range, elasticity, self.change + other.change)
    }

    fn power(self, exponent: Interval) -> Growth {
        Growth::of(self.range.pow(exponent), self.elasticity * exponent, Interval::ALL)
    }

    /// `d ln f / d ln(distance)` is the elasticity of `f`.
    fn ln(self) -> Growth {
        Growth::of(self.range.ln(), Interval::ALL, self.elasticity)
    }

    /// `ln(1 + g)` for small `g`: `1 - |g| <= g/((1+g)·ln(1+g)) <= 1 + |g|`.
    fn ln_1p(self) -> Growth {
        let factor = Interval::ONE + Interval::around(0.0, self.range.magnitude());
        let change = self.change / (Interval::ONE + self.range);
        Growth::of(self.range.ln_1p(), factor * self.elasticity, change)
    }

    fn sin(self) -> Growth {
        // The elasticity is that of g times g·cot(g), and 1 - g²/2 <= g·cot(g) <= 1 for |g| <= 1.
        let g_cot_g = Interval::ONE - self.range.square() * Interval::new(0.0, 0.5);
        let elasticity = if self.range.magnitude() > 1.0 { Interval::ALL } else { g_cot_g * self.elasticity };
        Growth::of(self.range.sin(), elasticity, self.range.cos() * self.change)
    }

    fn cos(self) -> Growth {
        Growth::of(self.range.cos(), Interval::ALL, -(self.range.sin() * self.change))
    }

    fn inverse(self) -> Growth {
        Growth::of(Interval::ONE / self.range, -self.elasticity, -self.change / self.range.square())
    }
}

/// The exponent as an integer, if it is a whole number from 0 to 63.
fn whole(exponent: Interval) -> Option<u32> {
    let is_whole = exponent.is_point() && exponent.lo().fract() == 0.0 && (0.0..64.0).contains(&exponent.lo());
    is_whole.then_some(exponent.lo() as u32)
}

impl Node {
    /// The value and its derivative with respect to the parameter of the scores, bottom up.
    fn jet(&self, site: &ScoreSeries, ends: &[Endpoint; 2]) -> Jet {
        let jet = |node: &Node| node.jet(site, ends);
        match self {
            Node::Polynomial(expansions) => expansions.jet(site, ends),
            Node::Add(a, b) => jet(a).plus(jet(b)),
            Node::Sub(a, b) => jet(a).plus(jet(b).negated()),
            Node::Mul(a, b) => jet(a).times(jet(b)),
            Node::Div(a, b) => jet(a).over(jet(b)),
            Node::Power(a, k) => jet(a).power(*k),
            Node::Exp(a) => {
                let exponent = jet(a);
                Jet::with_log(exponent.value, exponent.slope)
            }
            Node::Log(a, less_one) => {
                let mut less_one = less_one.iter().flatten().map(|node| jet(node));
                let small = less_one.find(|g| g.value.bound() < CLOSE);
                small.map(Jet::ln_1p).unwrap_or_else(|| {
                    let (log, rate) = jet(a).logarithm();
                    Jet::new(log, rate)
                })
            }
            Node::ShiftedSine(a, quarters, split) => {
                let mut split = split.iter().flatten().map(|(remainder, quarters)| (jet(remainder), *quarters));
                let small = split.find(|(remainder, _)| remainder.value.bound() < CLOSE);
                let (argument, quarters) = small.unwrap_or_else(|| (jet(a), *quarters));
                shifted_sine(argument, quarters, Jet::sin, Jet::cos, Jet::negated)
            }
        }
    }

    /// The value of a constant expression; `None` if it depends on `x`.
    fn constant(&self) -> Option<Interval> {
        let Node::Polynomial(expansions) = self else { return None };
        let coefficients = expansions.by_score.as_ref().or(expansions.by_distance.iter().flatten().next());
        if let [constant] = coefficients?[0].as_slice() { Some(*constant) } else { None }
    }

    /// The expression, where it is a rational function with rational coefficients.
    fn rational(&self) -> Option<RationalFunction> {
        Some(match self {
            Node::Polynomial(expansions) => RationalFunction::from(expansions.exact.clone()?),
            Node::Add(a, b) => &a.rational()? + &b.rational()?,
            Node::Sub(a, b) => &a.rational()? - &b.rational()?,
            Node::Mul(a, b) => &a.rational()? * &b.rational()?,
            _ => return None,
        })
    }

    /// `(ln|f|)'`, where it is a rational function with rational coefficients.
    fn log_slope(&self) -> Option<RationalFunction> {
        Some(match self {
            Node::Polynomial(_) if self.constant().is_some_and(|c| !c.contains(0.0)) => {
                RationalFunction::constant(Rational::ZERO)
            }
            Node::Polynomial(expansions) => {
                let exact = expansions
                    .exact
                    .as_ref()
                    .filter(|exact| !exact.is_zero() && exact.degree() <= LARGEST_LOG_SLOPE_DEGREE)?;
                RationalFunction::new(exact.derivative(), exact.clone())
            }
            Node::Mul(a, b) => &a.log_slope()? + &b.log_slope()?,
            Node::Div(a, b) => &a.log_slope()? - &b.log_slope()?,
            Node::Power(base, exponent) if exponent.is_point() => base.log_slope()?.scaled(&from_f64(exponent.lo())?),
            Node::Exp(exponent) => exponent.rational()?.derivative(),
            _ => return None,
        })
    }

    /// Whether the expression is analytic in the whole complex plane.
    fn is_entire(&self) -> bool {
        match self {
            Node::Polynomial(_) => true,
            Node::Add(a, b) | Node::Sub(a, b) | Node::Mul(a, b) => a.is_entire() && b.is_entire(),
            Node::Power(a, k) => whole(*k).is_some() && a.is_entire(),
            Node::Exp(a) | Node::ShiftedSine(a, ..) => a.is_entire(),
            Node::Div(a, b) => a.is_entire() && b.constant().is_some(),
            Node::Log(..) => false,
        }
    }

    /// The order of the zero at an end, where it is exact; 0 where it is not known.
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

    /// The values divided by `(distance from an end)^power`. The power is at most the order of the zero there.
    fn around(&self, points: &Points, ends: &[Endpoint; 2], side: usize, power: u32) -> Balls {
        let around = |node: &Node, power: u32| node.around(points, ends, side, power);
        match self {
            Node::Polynomial(expansions) => expansions.around(points, ends, side, power),
            Node::Add(a, b) => around(a, power) + around(b, power),
            Node::Sub(a, b) => around(a, power) - around(b, power),
            Node::Mul(a, b) => {
                let of_a = if power == 0 { 0 } else { power.min(a.order(side)) };
                around(a, of_a) * around(b, power - of_a)
            }
            Node::Div(a, b) => around(a, power) / around(b, 0),
            Node::Power(a, k) if power == 0 => around(a, 0).pow(*k),
            Node::Power(a, k) => {
                let order = a.order(side);
                let undivided = order.saturating_mul(whole(*k).unwrap_or(0)) - power;
                around(a, order).pow(*k) * points.distance(side, &ends[side]).power(undivided as i32)
            }
            Node::Exp(a) => around(a, 0).exp(),
            Node::Log(a, _) => around(a, 0).ln(),
            Node::ShiftedSine(a, quarters, _) => {
                shifted_sine(around(a, 0), *quarters, |a| a.sin(), |a| a.cos(), |a| -a)
            }
        }
    }

    /// The growth in a tail, bottom up.
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
            Node::Exp(a) => {
                let exponent = growth(a);
                Growth::of(exponent.range.exp(), exponent.change, Interval::ALL)
            }
            Node::Log(a, less_one) => {
                let less_one = less_one[side].as_ref().map(|node| growth(node));
                let small = less_one.filter(|g| g.range.magnitude() < CLOSE);
                small.map_or_else(|| growth(a).ln(), Growth::ln_1p)
            }
            Node::ShiftedSine(a, quarters, split) => {
                let split = split[side].as_ref().map(|(remainder, quarters)| (growth(remainder), *quarters));
                let (argument, quarters) = split.unwrap_or_else(|| (growth(a), *quarters));
                shifted_sine(argument, quarters, Growth::sin, Growth::cos, Growth::negated)
            }
        }
    }

    /// The derivative, by the rules of differentiation.
    pub(super) fn derivative(&self) -> Node {
        let both = |a: &Node, b: &Node| (Box::new(a.derivative()), Box::new(b.derivative()));
        let boxed = |node: &Node| Box::new(node.clone());
        let times = |a: Node, b: Node| Node::Mul(Box::new(a), Box::new(b));
        match self {
            Node::Polynomial(expansions) => Node::Polynomial(Box::new(expansions.derivative())),
            Node::Add(a, b) => {
                let (da, db) = both(a, b);
                Node::Add(da, db)
            }
            Node::Sub(a, b) => {
                let (da, db) = both(a, b);
                Node::Sub(da, db)
            }
            Node::Mul(a, b) => {
                let (da, db) = both(a, b);
                Node::Add(Box::new(Node::Mul(da, boxed(b))), Box::new(Node::Mul(boxed(a), db)))
            }
            Node::Div(a, b) => {
                let (da, db) = both(a, b);
                let of_divisor = times(self.clone(), Node::Div(db, boxed(b)));
                Node::Sub(Box::new(Node::Div(da, boxed(b))), Box::new(of_divisor))
            }
            Node::Power(a, k) => {
                let rate = Node::Div(Box::new(a.derivative()), boxed(a));
                times(times(constant(*k), self.clone()), rate)
            }
            Node::Exp(a) => times(self.clone(), a.derivative()),
            Node::Log(a, _) => Node::Div(Box::new(a.derivative()), boxed(a)),
            Node::ShiftedSine(a, quarters, split) => {
                // The cosine is the sine of a quarter turn more.
                let split = split.clone().map(|end| end.map(|(remainder, quarters)| (remainder, quarters + 1)));
                times(Node::ShiftedSine(a.clone(), quarters + 1, split), a.derivative())
            }
        }
    }
}

/// `sin(a + quarters·π/2)`, by the sine and the cosine of `a`.
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
    /// Reads an expression that has been checked already.
    pub fn read(source: &Source, expr: &Expr, ends: [Endpoint; 2]) -> Result<ExpressionDensity, Diagnostic> {
        let polynomial = expression::polynomial(expr);
        let [lo, hi] = ends.each_ref().map(|end| end.constant.exact.as_ref());
        let exact_mass = polynomial.zip(lo.zip(hi)).map(|(p, (lo, hi))| p.integral(lo, hi));
        let root = node(source, expr, &ends)?;
        Ok(ExpressionDensity { root, ends, exact_mass })
    }

    /// A polynomial.
    pub fn polynomial(polynomial: &Polynomial, ends: [Endpoint; 2]) -> ExpressionDensity {
        let root = Node::Polynomial(Box::new(Expansions::new(polynomial, &ends)));
        ExpressionDensity { root, ends, exact_mass: None }
    }

    /// A polynomial in the distance from an end: the left one (0) or the right one (1).
    pub fn in_distance(polynomial: &Polynomial, side: usize, ends: [Endpoint; 2]) -> ExpressionDensity {
        let root = Node::Polynomial(Box::new(Expansions::from_end(enclosed(polynomial), side)));
        ExpressionDensity { root, ends, exact_mass: None }
    }

    /// The jet at scores so far out that a subexpression overflows: bounds that hold from there to an infinite end.
    fn far_out(&self, site: &ScoreSeries) -> Option<Jet> {
        let x = site.x.rough_range();
        let left = x.hi() < 0.0;
        let end = &self.ends[usize::from(!left)];
        let distance = Interval::new(x.least_magnitude(), f64::INFINITY);
        let x = if left { -distance } else { distance };
        let tail = Tail { left, end, from: Interval::ZERO, distance, x };
        let range = |node: &Node| Series::from(trend::range_in_tail(node, &tail, &self.ends));
        let bounds = || Jet::new(range(&self.root), range(&self.root.derivative()) * site.speed);
        (!end.is_finite()).then(bounds).filter(|jet| jet.value.is_known())
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
        if is_known || is_log_known { jet } else { self.far_out(scores).unwrap_or(jet) }
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
    let by_score = Some([vec![value], vec![Interval::ZERO]]);
    Node::Polynomial(Box::new(Expansions { by_distance: [None, None], by_score, exact: None }))
}

/// An expression less its value at an end, as a polynomial in the distance from the end.
fn less_value_at_end(expanded: &Expanded, side: usize) -> Box<Node> {
    let coefficients = [expanded.by_distance.clone(), derivative_coefficients(&expanded.by_distance)];
    Box::new(Node::Polynomial(Box::new(Expansions::from_end(coefficients, side))))
}

/// The logarithm of an expression, given as a node and as syntax.
fn log(inner: Box<Node>, expr: &Expr, ends: &[Endpoint; 2]) -> Node {
    let less_one = [0, 1].map(|side| {
        let expanded = Expanded::new(expr, ends, side).filter(Expanded::is_one_at_end);
        expanded.map(|expanded| less_value_at_end(&expanded, side))
    });
    Node::Log(inner, less_one)
}

/// `sin(a + quarters·π/2)` of an expression `a`, given as a node and as syntax.
fn shifted_sine_node(inner: Box<Node>, expr: &Expr, quarters: i32, ends: &[Endpoint; 2]) -> Node {
    let split = [0, 1].map(|side| {
        let expanded = Expanded::new(expr, ends, side)?;
        Some((less_value_at_end(&expanded, side), quarters + expanded.quarters()?))
    });
    Node::ShiftedSine(inner, quarters, split)
}

/// Reads an expression. Sums that are polynomials are expanded; products and powers keep the factors that the user wrote.
fn node(source: &Source, expr: &Expr, ends: &[Endpoint; 2]) -> Result<Node, Diagnostic> {
    let is_product = matches!(expr.kind, Kind::Binary(Op::Mul | Op::Div | Op::Pow, ..));
    if let Some(polynomial) = expression::polynomial(expr).filter(|p| !is_product || p.degree() <= 1) {
        return Ok(Node::Polynomial(Box::new(Expansions::new(&polynomial, ends))));
    }
    let boxed = |expr: &Expr| node(source, expr, ends).map(Box::new);
    if let Ok(value) = Constant::of(source, expr) {
        return Ok(constant(value.enclosure));
    }
    Ok(match &expr.kind {
        Kind::Negate(inner) => Node::Sub(Box::new(constant(Interval::ZERO)), boxed(inner)?),
        Kind::Binary(Op::Add, l, r) => Node::Add(boxed(l)?, boxed(r)?),
        Kind::Binary(Op::Sub, l, r) => Node::Sub(boxed(l)?, boxed(r)?),
        Kind::Binary(Op::Mul, l, r) => Node::Mul(boxed(l)?, boxed(r)?),
        Kind::Binary(Op::Div, l, r) => Node::Div(boxed(l)?, boxed(r)?),
        Kind::Binary(Op::Pow, l, r) => match Constant::of(source, r) {
            Ok(exponent) => Node::Power(boxed(l)?, exponent.enclosure),
            Err(_) => Node::Exp(Box::new(Node::Mul(Box::new(log(boxed(l)?, l, ends)), boxed(r)?))),
        },
        Kind::Call(name, _, arguments) if arguments.len() == 1 => {
            let argument = &arguments[0];
            // ln(c/g) is ln c - ln g.
            if name == "log"
                && let Kind::Binary(Op::Div, c, g) = &argument.kind
                && let Some(c) = Constant::of(source, c).ok().filter(|c| c.enclosure.is_positive())
            {
                return Ok(Node::Sub(Box::new(constant(c.enclosure.ln())), Box::new(log(boxed(g)?, g, ends))));
            }
            let inner = boxed(argument)?;
            match name.as_str() {
                "exp" => Node::Exp(inner),
                "log" => log(inner, argument, ends),
                "sqrt" => Node::Power(inner, Interval::from(0.5)),
                "sin" => shifted_sine_node(inner, argument, 0, ends),
                _ => shifted_sine_node(inner, argument, 1, ends),
            }
        }
        _ => return Err(source.error(expr.span, "an expression in x is needed here", "not an expression")),
    })
}
