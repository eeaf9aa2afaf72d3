//! Expressions in `x` as densities, enclosed: values with derivatives along a stretch, and growth towards an end.

use super::density::EnclosedDensity;
use super::expand::Expanded;
use super::jet::Jet;
use super::scores::{Points, ScoreSeries};
use super::tail::Tail;
use super::trend::{self, Decline};
use crate::constant::Constant;
use crate::model::endpoint::Endpoint;
use crate::model::family::expression;
use rocproof_arith::rational::from_f64;
use rocproof_arith::{Balls, Interval, Polynomial, Rational, RationalFunction, Series};
use rocproof_language::{Diagnostic, Expr, Kind, Op, Source};
use std::cmp::Ordering;

/// A remainder at an end that is smaller than this is looked at by itself.
const CLOSE: f64 = 0.25;

/// Up to this degree hardly anything cancels in a polynomial in the distance from an end.
const LOW_DEGREE: usize = 4;

/// Beyond this degree nothing is said of the ratio of two polynomials in closed form.
const MOST_POWERS: usize = 3;

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
    /// The logarithm, and what is added to 1 in it where it starts from 1 at an end.
    Log(Box<Node>, [Option<Box<Node>>; 2]),
    /// The sine of something and so many quarter turns, and the same near an end where it is a whole number of them.
    Turn(Box<Node>, i32, [Option<(Box<Node>, i32)>; 2]),
}

/// A polynomial in the distance to either end and in the score, as far as these are rational; each with its derivative.
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
    /// By which power of the distance it changes: `d ln|f| / d ln(distance)`.
    elasticity: Interval,
    /// `df / d ln(distance)`.
    change: Interval,
}

fn enclosed(polynomial: &Polynomial) -> [Vec<Interval>; 2] {
    let of = |p: &Polynomial| p.coefficients().map(|c| Interval::of(&c)).collect();
    [of(polynomial), of(&polynomial.derivative())]
}

/// The coefficients of the derivative.
fn derived(coefficients: &[Interval]) -> Vec<Interval> {
    coefficients.iter().enumerate().skip(1).map(|(k, c)| *c * Interval::from(k as f64)).collect()
}

impl Expansions {
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

    fn derivative(&self) -> Expansions {
        let of = |[_, slope]: &[Vec<Interval>; 2]| [slope.clone(), derived(slope)];
        // The distance to the right end falls as the score grows.
        let back = |c: Vec<Interval>| c.into_iter().map(|c| -c).collect();
        let [left, right] = self.by_distance.each_ref().map(|c| c.as_ref().map(of));
        let by_distance = [left, right.map(|[value, slope]| [back(value), back(slope)])];
        let exact = self.exact.as_ref().map(Polynomial::derivative);
        Expansions { by_distance, by_score: self.by_score.as_ref().map(of), exact }
    }

    /// The coefficients in the distance to an end.
    pub(super) fn in_distance(&self, side: usize) -> Option<&[Interval]> {
        self.by_distance[side].as_ref().map(|[value, _]| value.as_slice())
    }

    /// By its coefficients around the middle of a stretch, each rounded but once.
    fn recentred(&self, site: &ScoreSeries, ends: &[Endpoint; 2]) -> Option<Jet> {
        let exact = self.exact.as_ref().filter(|exact| exact.degree() > 1)?;
        let of = |p: &Polynomial| p.coefficients().map(|c| Interval::of(&c)).collect::<Vec<_>>();
        if let Some([middle, half]) = site.affine() {
            let here = exact.shifted(&middle).stretched(&half);
            return Some(Jet::new(Series::polynomial(&of(&here)), Series::polynomial(&of(&here.derivative()))));
        }
        // Where the score is not linear what little there is of a power far towards an end counts more.
        if exact.degree() <= LOW_DEGREE {
            return None;
        }
        let distances = [site.above(&ends[0]), site.below(&ends[1])];
        let side = usize::from(distances[1].value.bound() < distances[0].value.bound());
        let away = distances[side].value.rough_range().mid();
        let (end, by) = (ends[side].constant.exact.as_ref()?, from_f64(away)?);
        let beyond = distances[side].value - Series::from(away);
        let here =
            if side == 0 { exact.shifted(&(end + by)) } else { exact.shifted(&(end - by)).stretched(&-Rational::ONE) };
        let slope = beyond.under(&of(&here.derivative())) * distances[side].slope;
        Some(Jet::new(beyond.under(&of(&here)), slope))
    }

    pub(super) fn jet(&self, site: &ScoreSeries, ends: &[Endpoint; 2]) -> Jet {
        if let Some(local) = self.recentred(site, ends) {
            return local;
        }
        let distance = |side: usize| {
            let coefficients = self.by_distance[side].as_ref()?;
            let distance = if side == 0 { site.above(&ends[0]) } else { site.below(&ends[1]) };
            Some((coefficients, distance))
        };
        let (left, right) = (distance(0), distance(1));
        let size = |of: &Option<(&[Vec<Interval>; 2], super::scores::Distance)>| {
            of.as_ref().map_or(f64::INFINITY, |(_, d)| d.value.bound())
        };
        let nearer = if size(&left) <= size(&right) { left } else { right };
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
        // A power of the distance alone has a logarithm.
        let alone = value
            .iter()
            .rposition(|c| *c != Interval::ZERO)
            .filter(|last| value[..*last].iter().all(|c| *c == Interval::ZERO) && value[*last].is_positive());
        if let Some(power) = alone {
            let power = Interval::from(power as f64);
            let zero = power == Interval::ZERO;
            let log = if zero { Series::from(0.0) } else { distance.ln().scaled(power) };
            let scale = value.last().copied().unwrap_or(Interval::ZERO);
            let rate = if zero { Series::from(0.0) } else { distance.rate().scaled(power) };
            let local = Jet::with_log(log + Series::from(scale.ln()), rate);
            if zero {
                return Jet { value: Series::from(scale), ..local };
            }
            let plain = distance.value.under(value);
            return local.or_value(plain, distance.value.under(slope) * distance.slope);
        }
        Jet::new(distance.value.under(value), distance.value.under(slope) * distance.slope)
    }

    /// The coefficients of the powers of the distance beyond a stretch.
    pub(super) fn coefficients(&self, beyond: &Tail, ends: &[Endpoint; 2]) -> Option<Vec<Interval>> {
        let side = usize::from(!beyond.left);
        if ends[side].compare(beyond.end) == Some(Ordering::Equal)
            && let Some([value, _]) = &self.by_distance[side]
        {
            return Some(value.clone());
        }
        // From where the coordinate starts.
        let [a, b] = ends.each_ref().map(Endpoint::enclosure);
        let (coefficients, from, sign) = match (&self.by_score, &self.by_distance) {
            (Some([value, _]), _) => (value, beyond.from, beyond.sign()),
            (None, [Some([value, _]), _]) => (value, beyond.from - a, beyond.sign()),
            (None, [None, Some([value, _])]) => (value, b - beyond.from, -beyond.sign()),
            _ => return None,
        };
        Some(shifted(coefficients, from, sign))
    }

    fn growth(&self, beyond: &Tail, ends: &[Endpoint; 2]) -> Growth {
        let Some(coefficients) = self.coefficients(beyond, ends) else { return Growth::UNKNOWN };
        // At infinity the highest power leads.
        let powers = if beyond.end.is_finite() { powers_from_zero } else { powers_at_infinity };
        powers(&coefficients, beyond.distance)
    }
}

impl Expansions {
    /// How often it vanishes at an end, exactly; a polynomial that is zero does as often as one likes.
    fn order(&self, side: usize) -> u32 {
        let of = |[value, _]: &[Vec<Interval>; 2]| value.iter().position(|c| *c != Interval::ZERO);
        self.by_distance[side].as_ref().map_or(0, |of_side| of(of_side).map_or(u32::MAX, |order| order as u32))
    }

    /// The values divided by a power, not above the order, of the distance from an end.
    fn at(&self, points: &Points, ends: &[Endpoint; 2], side: usize, power: u32) -> Balls {
        let by_distance = |side: usize| self.by_distance[side].as_ref().map(|[value, _]| (side, value));
        let near = if power > 0 { Some(side) } else { points.near_side() };
        let nearest = near.and_then(by_distance);
        if let (None, Some([value, _])) = (nearest, &self.by_score) {
            return points.x.under(value);
        }
        let Some((side, value)) = nearest.or(by_distance(0)).or(by_distance(1)) else { return Balls::UNKNOWN };
        let value = value.get(power as usize..).unwrap_or(&[]);
        if let [constant] = value { Balls::from(*constant) } else { points.distance(side, &ends[side]).under(value) }
    }
}

/// The coefficients of `p(from + sign·y)` in `y`.
fn shifted(coefficients: &[Interval], from: Interval, sign: Interval) -> Vec<Interval> {
    let mut c = coefficients.to_vec();
    let n = c.len();
    for i in 0..n {
        for j in (i..n.saturating_sub(1)).rev() {
            c[j] = c[j] + from * c[j + 1];
        }
    }
    let mut scale = Interval::ONE;
    for value in &mut c {
        *value = *value * scale;
        scale = scale * sign;
    }
    c
}

/// `p = y^m (c_m + c_(m+1) y + …)` for small distances.
fn powers_from_zero(coefficients: &[Interval], y: Interval) -> Growth {
    let order = coefficients.iter().position(|c| *c != Interval::ZERO).unwrap_or(0);
    let rest = &coefficients[order.min(coefficients.len())..];
    let (value, slope) = horner(rest, y);
    let elasticity = Interval::from(order as f64) + y * slope / value;
    Growth::of(y.power(order as i32) * value, elasticity, y * horner(coefficients, y).1)
}

/// `p = y^d (c_d + c_(d-1)/y + …)` for large distances.
fn powers_at_infinity(coefficients: &[Interval], y: Interval) -> Growth {
    let degree = coefficients.iter().rposition(|c| *c != Interval::ZERO).unwrap_or(0);
    let reversed: Vec<Interval> = coefficients.iter().take(degree + 1).rev().copied().collect();
    let s = Interval::new(0.0, (Interval::ONE / y).hi());
    let (value, slope) = horner(&reversed, s);
    let range = y.power(degree as i32) * value;
    Growth::of(range, Interval::from(degree as f64) - s * slope / value, Interval::ALL)
}

/// A polynomial and its derivative.
pub(super) fn horner(coefficients: &[Interval], y: Interval) -> (Interval, Interval) {
    coefficients
        .iter()
        .rev()
        .fold((Interval::ZERO, Interval::ZERO), |(value, slope), c| (value * y + *c, slope * y + value))
}

impl Growth {
    const UNKNOWN: Growth = Growth { range: Interval::ALL, elasticity: Interval::ALL, change: Interval::ALL };

    /// Each of power and change may be known by the other.
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
        let alike =
            (self.range.lo() >= 0.0 && other.range.lo() >= 0.0) || (self.range.hi() <= 0.0 && other.range.hi() <= 0.0);
        // An average of both powers if the signs are the same; the shares say more if one is negligible.
        let elasticity = if alike {
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

    fn ln(self) -> Growth {
        Growth::of(self.range.ln(), Interval::ALL, self.elasticity)
    }

    /// `ln(1 + g)` for small `g`: `1 - |g| <= g/((1+g)·ln(1+g)) <= 1 + |g|`.
    fn ln_1p(self) -> Growth {
        let near = Interval::ONE + Interval::around(0.0, self.range.magnitude());
        let change = self.change / (Interval::ONE + self.range);
        Growth::of(self.range.ln_1p(), near * self.elasticity, change)
    }

    fn sin(self) -> Growth {
        // 1 - g²/2 <= g·cot(g) <= 1 for |g| <= 1.
        let cot = Interval::ONE - self.range.square() * Interval::new(0.0, 0.5);
        let small = if self.range.magnitude() > 1.0 { Interval::ALL } else { cot * self.elasticity };
        Growth::of(self.range.sin(), small, self.range.cos() * self.change)
    }

    fn cos(self) -> Growth {
        Growth::of(self.range.cos(), Interval::ALL, -(self.range.sin() * self.change))
    }

    fn inverse(self) -> Growth {
        Growth::of(Interval::ONE / self.range, -self.elasticity, -self.change / self.range.square())
    }
}

/// A whole exponent.
fn whole(exponent: Interval) -> Option<u32> {
    let small = exponent.is_point() && exponent.lo().fract() == 0.0 && (0.0..64.0).contains(&exponent.lo());
    small.then_some(exponent.lo() as u32)
}

impl Node {
    fn jet(&self, site: &ScoreSeries, ends: &[Endpoint; 2]) -> Jet {
        let of = |node: &Node| node.jet(site, ends);
        match self {
            Node::Polynomial(expansions) => expansions.jet(site, ends),
            Node::Add(a, b) => of(a).plus(of(b)),
            Node::Sub(a, b) => of(a).plus(of(b).negated()),
            Node::Mul(a, b) => of(a).times(of(b)),
            Node::Div(a, b) => of(a).over(of(b)),
            Node::Power(a, k) => of(a).power(*k),
            Node::Exp(a) => {
                let a = of(a);
                Jet::with_log(a.value, a.slope)
            }
            Node::Log(a, near) => {
                let close = near.iter().flatten().map(|node| of(node)).find(|r| r.value.bound() < CLOSE);
                close.map(Jet::ln_1p).unwrap_or_else(|| {
                    let (log, rate) = of(a).logarithm();
                    Jet::new(log, rate)
                })
            }
            Node::Turn(a, quarters, near) => {
                let close = near.iter().flatten().map(|(node, quarters)| (of(node), *quarters));
                let close = close.into_iter().find(|(r, _)| r.value.bound() < CLOSE);
                let (a, quarters) = close.unwrap_or_else(|| (of(a), *quarters));
                turned(a, quarters, Jet::sin, Jet::cos, Jet::negated)
            }
        }
    }

    /// Its value, if it is constant.
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

    /// `(ln|f|)'`.
    fn log_slope(&self) -> Option<RationalFunction> {
        Some(match self {
            Node::Polynomial(_) if self.constant().is_some_and(|c| !c.contains(0.0)) => {
                RationalFunction::constant(Rational::ZERO)
            }
            Node::Polynomial(expansions) => {
                let exact =
                    expansions.exact.as_ref().filter(|exact| !exact.is_zero() && exact.degree() <= MOST_POWERS)?;
                RationalFunction::new(exact.derivative(), exact.clone())
            }
            Node::Mul(a, b) => &a.log_slope()? + &b.log_slope()?,
            Node::Div(a, b) => &a.log_slope()? - &b.log_slope()?,
            Node::Power(of, exponent) if exponent.is_point() => of.log_slope()?.scaled(&from_f64(exponent.lo())?),
            Node::Exp(of) => of.rational()?.derivative(),
            _ => return None,
        })
    }

    /// Whether it is analytic in the whole plane.
    fn is_entire(&self) -> bool {
        match self {
            Node::Polynomial(_) => true,
            Node::Add(a, b) | Node::Sub(a, b) | Node::Mul(a, b) => a.is_entire() && b.is_entire(),
            Node::Power(a, k) => whole(*k).is_some() && a.is_entire(),
            Node::Exp(a) | Node::Turn(a, ..) => a.is_entire(),
            Node::Div(a, b) => a.is_entire() && b.constant().is_some(),
            Node::Log(..) => false,
        }
    }

    /// How often it vanishes at an end, if it does so exactly.
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

    /// The values divided by a power, not above the order, of the distance from an end.
    fn at(&self, points: &Points, ends: &[Endpoint; 2], side: usize, power: u32) -> Balls {
        let of = |node: &Node, power: u32| node.at(points, ends, side, power);
        match self {
            Node::Polynomial(expansions) => expansions.at(points, ends, side, power),
            Node::Add(a, b) => of(a, power) + of(b, power),
            Node::Sub(a, b) => of(a, power) - of(b, power),
            Node::Mul(a, b) => {
                let share = if power == 0 { 0 } else { power.min(a.order(side)) };
                of(a, share) * of(b, power - share)
            }
            Node::Div(a, b) => of(a, power) / of(b, 0),
            Node::Power(a, k) if power == 0 => of(a, 0).pow(*k),
            Node::Power(a, k) => {
                let order = a.order(side);
                let rest = order.saturating_mul(whole(*k).unwrap_or(0)) - power;
                of(a, order).pow(*k) * points.distance(side, &ends[side]).power(rest as i32)
            }
            Node::Exp(a) => of(a, 0).exp(),
            Node::Log(a, _) => of(a, 0).ln(),
            Node::Turn(a, quarters, _) => turned(of(a, 0), *quarters, |a| a.sin(), |a| a.cos(), |a| -a),
        }
    }

    fn growth(&self, beyond: &Tail, ends: &[Endpoint; 2]) -> Growth {
        let of = |node: &Node| node.growth(beyond, ends);
        let side = usize::from(!beyond.left);
        match self {
            Node::Polynomial(expansions) => expansions.growth(beyond, ends),
            Node::Add(a, b) => of(a).plus(of(b)),
            Node::Sub(a, b) => of(a).plus(of(b).negated()),
            Node::Mul(a, b) => of(a).times(of(b)),
            Node::Div(a, b) => of(a).times(of(b).inverse()),
            Node::Power(a, k) => of(a).power(*k),
            Node::Exp(a) => {
                let a = of(a);
                Growth::of(a.range.exp(), a.change, Interval::ALL)
            }
            Node::Log(a, near) => {
                let close = near[side].as_ref().map(|node| of(node)).filter(|r| r.range.magnitude() < CLOSE);
                close.map_or_else(|| of(a).ln(), Growth::ln_1p)
            }
            Node::Turn(a, quarters, near) => {
                let close = near[side].as_ref().map(|(node, quarters)| (of(node), *quarters));
                let (a, quarters) = close.unwrap_or_else(|| (of(a), *quarters));
                turned(a, quarters, Growth::sin, Growth::cos, Growth::negated)
            }
        }
    }

    /// The derivative.
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
            Node::Turn(a, quarters, near) => {
                let near = near.clone().map(|near| near.map(|(node, quarters)| (node, quarters + 1)));
                times(Node::Turn(a.clone(), quarters + 1, near), a.derivative())
            }
        }
    }
}

/// The sine of `a` and so many quarter turns.
pub(super) fn turned<T>(
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

    /// Far out, where something in the density is too large for a float: between bounds that hold all the way.
    fn far_out(&self, site: &ScoreSeries) -> Option<Jet> {
        let x = site.x.rough_range();
        let left = x.hi() < 0.0;
        let end = &self.ends[usize::from(!left)];
        let from = Interval::ZERO;
        let distance = Interval::new(x.least_magnitude(), f64::INFINITY);
        let x = if left { -distance } else { distance };
        let tail = Tail { left, end, from, distance, x };
        let range = |node: &Node| Series::from(trend::range_from(node, &tail, &self.ends));
        let local = || Jet::new(range(&self.root), range(&self.root.derivative()) * site.speed);
        (!end.is_finite()).then(local).filter(|local| local.value.is_known())
    }

    /// All values in a tail.
    pub fn range(&self, tail: &Tail) -> Interval {
        self.root.growth(tail, &self.ends).range
    }
}

impl EnclosedDensity for ExpressionDensity {
    fn jet(&self, scores: &ScoreSeries) -> Jet {
        let local = self.root.jet(scores, &self.ends);
        let by_log = local.log.is_some_and(|[log, rate]| log.is_known() && rate.is_known());
        let is_known = local.value.is_known() && local.slope.is_known();
        if is_known || by_log { local } else { self.far_out(scores).unwrap_or(local) }
    }

    fn around(&self, points: &Points, side: usize, power: u32) -> Balls {
        self.root.at(points, &self.ends, side, power)
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

    fn decline(&self, tail: &Tail) -> Option<Decline> {
        trend::decline(&self.root, tail, &self.ends)
    }

    fn rational_log_slope(&self) -> Option<RationalFunction> {
        self.root.log_slope()
    }
}

fn constant(value: Interval) -> Node {
    let by_score = Some([vec![value], vec![Interval::ZERO]]);
    Node::Polynomial(Box::new(Expansions { by_distance: [None, None], by_score, exact: None }))
}

/// An expression less its value at an end.
fn added(expanded: &Expanded, side: usize) -> Box<Node> {
    let coefficients = [expanded.rest.clone(), derived(&expanded.rest)];
    Box::new(Node::Polynomial(Box::new(Expansions::from_end(coefficients, side))))
}

/// The logarithm of an expression.
fn log(inner: Box<Node>, expr: &Expr, ends: &[Endpoint; 2]) -> Node {
    let near = [0, 1].map(|side| {
        let expanded = Expanded::new(expr, ends, side).filter(Expanded::starts_from_one);
        expanded.map(|expanded| added(&expanded, side))
    });
    Node::Log(inner, near)
}

/// The sine of an expression and so many quarter turns.
fn turn(inner: Box<Node>, expr: &Expr, quarters: i32, ends: &[Endpoint; 2]) -> Node {
    let near = [0, 1].map(|side| {
        let expanded = Expanded::new(expr, ends, side)?;
        Some((added(&expanded, side), quarters + expanded.quarters()?))
    });
    Node::Turn(inner, quarters, near)
}

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
                "sin" => turn(inner, argument, 0, ends),
                _ => turn(inner, argument, 1, ends),
            }
        }
        _ => return Err(source.error(expr.span, "an expression in x is needed here", "not an expression")),
    })
}
