//! Densities that the user typed, enclosed: values with derivatives along a stretch, and growth towards an end.

use super::place::Place;
use super::shape::Local;
use super::site::{Points, Site};
use crate::arith::{Balls, Interval, Polynomial, Rational, Series};
use crate::lang::{Diagnostic, Expr, Kind, Op, Source};
use crate::model::constant::Constant;
use crate::model::family::expression;
use std::cmp::Ordering;

/// An expression in `x` on an interval.
#[derive(Clone, Debug)]
pub struct Typed {
    root: Node,
    ends: [Place; 2],
    /// The exact integral, where it is a polynomial between rational ends.
    pub exact_mass: Option<Rational>,
}

#[derive(Clone, Debug)]
enum Node {
    Polynomial(Box<Expansions>),
    Add(Box<Node>, Box<Node>),
    Sub(Box<Node>, Box<Node>),
    Mul(Box<Node>, Box<Node>),
    Div(Box<Node>, Box<Node>),
    Power(Box<Node>, Interval),
    Exp(Box<Node>),
    Log(Box<Node>),
    Sin(Box<Node>),
    Cos(Box<Node>),
}

/// A polynomial in the distance to either end and in the score, as far as these are rational; each with its derivative.
#[derive(Clone, Debug)]
struct Expansions {
    by_distance: [Option<[Vec<Interval>; 2]>; 2],
    by_score: Option<[Vec<Interval>; 2]>,
}

/// How a function behaves beyond all stretches.
#[derive(Clone, Copy, Debug)]
struct Growth {
    /// All values.
    range: Interval,
    /// By which power of the distance it changes: `d ln|f| / d ln(distance)`.
    elasticity: Interval,
    /// `df / d ln(distance)`.
    change: Interval,
}

/// The region between a stretch and an end.
#[derive(Clone, Copy, Debug)]
pub struct Beyond<'a> {
    /// Whether it lies to the left.
    pub left: bool,
    /// The end.
    pub end: &'a Place,
    /// Where distances start: a finite end itself, else where the coordinate starts.
    pub from: Interval,
    /// The distances: from 0 on, or up to infinity.
    pub distance: Interval,
    /// The scores.
    pub x: Interval,
}

impl Beyond<'_> {
    /// Whether scores grow with the distance (1) or fall (-1).
    pub fn sign(&self) -> Interval {
        if self.left == self.end.is_finite() { Interval::ONE } else { -Interval::ONE }
    }
}

fn enclosed(polynomial: &Polynomial) -> [Vec<Interval>; 2] {
    let of = |p: &Polynomial| p.coefficients().map(|c| Interval::of(&c)).collect();
    [of(polynomial), of(&polynomial.derivative())]
}

impl Expansions {
    fn new(polynomial: &Polynomial, ends: &[Place; 2]) -> Expansions {
        let [left, right] = ends.each_ref().map(|end| end.constant.exact.clone());
        let from_left = left.map(|a| enclosed(&polynomial.shifted(&a)));
        // In b - x.
        let from_right = right.map(|b| enclosed(&polynomial.shifted(&b).stretched(&-Rational::ONE)));
        Expansions { by_distance: [from_left, from_right], by_score: Some(enclosed(polynomial)) }
    }

    fn local(&self, site: &Site, ends: &[Place; 2]) -> Local {
        let distance = |side: usize| {
            let coefficients = self.by_distance[side].as_ref()?;
            let distance = if side == 0 { site.above(&ends[0]) } else { site.below(&ends[1]) };
            Some((coefficients, distance))
        };
        let (left, right) = (distance(0), distance(1));
        let size = |of: &Option<(&[Vec<Interval>; 2], super::site::Distance)>| {
            of.as_ref().map_or(f64::INFINITY, |(_, d)| d.value.bound())
        };
        let nearer = if size(&left) <= size(&right) { left } else { right };
        let Some(([value, slope], distance)) = nearer else {
            let Some([value, slope]) = &self.by_score else { return Local::new(Series::UNKNOWN, Series::UNKNOWN) };
            return Local::new(site.x.under(value), site.x.under(slope) * site.speed);
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
            let local = Local::with_log(log + Series::from(scale.ln()), rate);
            if zero {
                return Local { value: Series::from(scale), ..local };
            }
            let plain = distance.value.under(value);
            return local.or_value(plain, distance.value.under(slope) * distance.slope);
        }
        Local::new(distance.value.under(value), distance.value.under(slope) * distance.slope)
    }

    fn growth(&self, beyond: &Beyond, ends: &[Place; 2]) -> Growth {
        let side = usize::from(!beyond.left);
        if ends[side].compare(beyond.end) == Some(Ordering::Equal)
            && let Some([value, _]) = &self.by_distance[side]
        {
            return powers_from_zero(value, beyond.distance);
        }
        // In the distance from where the coordinate starts; at infinity the highest power leads.
        let [a, b] = ends.each_ref().map(Place::enclosure);
        let (coefficients, from, sign) = match (&self.by_score, &self.by_distance) {
            (Some([value, _]), _) => (value, beyond.from, beyond.sign()),
            (None, [Some([value, _]), _]) => (value, beyond.from - a, beyond.sign()),
            (None, [None, Some([value, _])]) => (value, b - beyond.from, -beyond.sign()),
            _ => return Growth::UNKNOWN,
        };
        let powers = if beyond.end.is_finite() { powers_from_zero } else { powers_at_infinity };
        powers(&shifted(coefficients, from, sign), beyond.distance)
    }
}

impl Expansions {
    /// How often it vanishes at an end, exactly; a polynomial that is zero does as often as one likes.
    fn order(&self, side: usize) -> u32 {
        let of = |[value, _]: &[Vec<Interval>; 2]| value.iter().position(|c| *c != Interval::ZERO);
        self.by_distance[side].as_ref().map_or(0, |of_side| of(of_side).map_or(u32::MAX, |order| order as u32))
    }

    /// The values divided by a power, not above the order, of the distance from an end.
    fn at(&self, points: &Points, ends: &[Place; 2], side: usize, power: u32) -> Balls {
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

fn horner(coefficients: &[Interval], y: Interval) -> (Interval, Interval) {
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
    fn local(&self, site: &Site, ends: &[Place; 2]) -> Local {
        let of = |node: &Node| node.local(site, ends);
        match self {
            Node::Polynomial(expansions) => expansions.local(site, ends),
            Node::Add(a, b) => of(a).plus(of(b)),
            Node::Sub(a, b) => of(a).plus(of(b).negated()),
            Node::Mul(a, b) => of(a).times(of(b)),
            Node::Div(a, b) => of(a).over(of(b)),
            Node::Power(a, k) => of(a).power(*k),
            Node::Exp(a) => {
                let a = of(a);
                Local::with_log(a.value, a.slope)
            }
            Node::Log(a) => {
                let a = of(a);
                let (log, rate) = a.logarithm();
                Local::new(log, rate)
            }
            Node::Sin(a) => {
                let a = of(a);
                let [sin, cos] = a.value.sin_cos();
                Local::new(sin, cos * a.slope)
            }
            Node::Cos(a) => {
                let a = of(a);
                let [sin, cos] = a.value.sin_cos();
                Local::new(cos, -(sin * a.slope))
            }
        }
    }

    /// Its value, if it is constant.
    fn constant(&self) -> Option<Interval> {
        let Node::Polynomial(expansions) = self else { return None };
        let coefficients = expansions.by_score.as_ref().or(expansions.by_distance.iter().flatten().next());
        if let [constant] = coefficients?[0].as_slice() { Some(*constant) } else { None }
    }

    /// Whether it is analytic in the whole plane.
    fn is_entire(&self) -> bool {
        match self {
            Node::Polynomial(_) => true,
            Node::Add(a, b) | Node::Sub(a, b) | Node::Mul(a, b) => a.is_entire() && b.is_entire(),
            Node::Power(a, k) => whole(*k).is_some() && a.is_entire(),
            Node::Exp(a) | Node::Sin(a) | Node::Cos(a) => a.is_entire(),
            Node::Div(a, b) => a.is_entire() && b.constant().is_some(),
            Node::Log(_) => false,
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
    fn at(&self, points: &Points, ends: &[Place; 2], side: usize, power: u32) -> Balls {
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
            Node::Log(a) => of(a, 0).ln(),
            Node::Sin(a) => of(a, 0).sin(),
            Node::Cos(a) => of(a, 0).cos(),
        }
    }

    fn growth(&self, beyond: &Beyond, ends: &[Place; 2]) -> Growth {
        let of = |node: &Node| node.growth(beyond, ends);
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
            Node::Log(a) => {
                let a = of(a);
                Growth::of(a.range.ln(), Interval::ALL, a.elasticity)
            }
            Node::Sin(a) => {
                let a = of(a);
                // 1 - g²/2 <= g·cot(g) <= 1 for |g| <= 1.
                let cot = Interval::ONE - a.range.square() * Interval::new(0.0, 0.5);
                let small = if a.range.magnitude() > 1.0 { Interval::ALL } else { cot * a.elasticity };
                Growth::of(a.range.sin(), small, a.range.cos() * a.change)
            }
            Node::Cos(a) => {
                let a = of(a);
                Growth::of(a.range.cos(), Interval::ALL, -(a.range.sin() * a.change))
            }
        }
    }
}

impl Typed {
    /// Reads an expression that has been checked already.
    pub fn read(source: &Source, expr: &Expr, ends: [Place; 2]) -> Result<Typed, Diagnostic> {
        let polynomial = expression::polynomial(expr);
        let [lo, hi] = ends.each_ref().map(|end| end.constant.exact.as_ref());
        let exact_mass = polynomial.zip(lo.zip(hi)).map(|(p, (lo, hi))| p.integral(lo, hi));
        let root = node(source, expr, &ends)?;
        Ok(Typed { root, ends, exact_mass })
    }

    /// A polynomial in the distance from an end: the left one (0) or the right one (1).
    pub fn in_distance(polynomial: &Polynomial, side: usize, ends: [Place; 2]) -> Typed {
        let by_distance = [0, 1].map(|k| (k == side).then(|| enclosed(polynomial)));
        let root = Node::Polynomial(Box::new(Expansions { by_distance, by_score: None }));
        Typed { root, ends, exact_mass: None }
    }

    /// The density along a stretch.
    pub fn local(&self, site: &Site) -> Local {
        self.root.local(site, &self.ends)
    }

    /// How often it vanishes at an end, if it does so exactly.
    pub fn order(&self, side: usize, end: &Place) -> u32 {
        let order = self.root.order(side);
        if order > 0 && self.ends[side].compare(end) == Some(Ordering::Equal) { order } else { 0 }
    }

    /// The values divided by a power, not above the order, of the distance from an end.
    pub fn at(&self, points: &Points, side: usize, power: u32) -> Balls {
        self.root.at(points, &self.ends, side, power)
    }

    /// Its value, if it is constant.
    pub fn constant(&self) -> Option<Interval> {
        self.root.constant()
    }

    /// Whether it is analytic in the whole plane.
    pub fn is_entire(&self) -> bool {
        self.root.is_entire()
    }

    /// All values beyond a stretch.
    pub fn range(&self, beyond: &Beyond) -> Interval {
        self.root.growth(beyond, &self.ends).range
    }

    /// By which power of the distance it changes towards an end.
    pub fn elasticity(&self, beyond: &Beyond) -> Interval {
        self.root.growth(beyond, &self.ends).elasticity
    }
}

fn node(source: &Source, expr: &Expr, ends: &[Place; 2]) -> Result<Node, Diagnostic> {
    let is_product = matches!(expr.kind, Kind::Binary(Op::Mul | Op::Div | Op::Pow, ..));
    if let Some(polynomial) = expression::polynomial(expr).filter(|p| !is_product || p.degree() <= 1) {
        return Ok(Node::Polynomial(Box::new(Expansions::new(&polynomial, ends))));
    }
    let boxed = |expr: &Expr| node(source, expr, ends).map(Box::new);
    let constant = |value: Interval| {
        Node::Polynomial(Box::new(Expansions {
            by_distance: [None, None],
            by_score: Some([vec![value], vec![Interval::ZERO]]),
        }))
    };
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
            Err(_) => Node::Exp(Box::new(Node::Mul(Box::new(Node::Log(boxed(l)?)), boxed(r)?))),
        },
        Kind::Call(name, _, arguments) if arguments.len() == 1 => {
            let inner = boxed(&arguments[0])?;
            match name.as_str() {
                "exp" => Node::Exp(inner),
                "log" => Node::Log(inner),
                "sqrt" => Node::Power(inner, Interval::from(0.5)),
                "sin" => Node::Sin(inner),
                _ => Node::Cos(inner),
            }
        }
        _ => return Err(source.error(expr.span, "an expression in x is needed here", "not an expression")),
    })
}
