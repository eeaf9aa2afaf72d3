//! A density that the user typed, on one interval.

use super::{Behaviour, End, NoDensity, NumericDensity, Places, Sites, mass_and_mean_beyond};
use crate::calculus::root::lowest;
use crate::constant::Constant;
use crate::model::tree;
use rocproof_arith::Polynomial;
use rocproof_arith::rational::{self, Rational};
use rocproof_language::{Diagnostic, Expr, Kind, Op, Source, closest};

/// An expression in `x` on `[lo, hi]`.
///
/// Every sum in it that is a polynomial with rational coefficients is expanded exactly around both ends, so that
/// `(1-x)^(-1/2)` is as good near 1 as `x^(-1/2)` is near 0. Derivatives are exact (by the rules, not by
/// differences).
#[derive(Clone, Debug)]
pub struct Expression {
    lo: f64,
    hi: f64,
    root: Node,
    landmarks: Vec<f64>,
    /// The integral of a polynomial between rational ends.
    exact_mass: Option<f64>,
}

/// An expression in `x`.
#[derive(Clone, Debug)]
enum Node {
    Polynomial(Expansions),
    Add(Box<Node>, Box<Node>),
    Sub(Box<Node>, Box<Node>),
    Mul(Box<Node>, Box<Node>),
    Div(Box<Node>, Box<Node>),
    /// A constant power.
    Power(Box<Node>, f64),
    /// `e^(…)`. A power with a variable exponent, `f^g`, is `e^(g ln f)`.
    Exp(Box<Node>),
    Log(Box<Node>),
    Sin(Box<Node>),
    Cos(Box<Node>),
}

/// The number of steps in which an expression is scanned for peaks and for negative values.
const STEPS: usize = 2000;

/// The functions of the language.
pub const FUNCTIONS: [&str; 5] = ["exp", "log", "sqrt", "sin", "cos"];

/// A polynomial expanded around each finite end (around 0 where the end is infinite).
#[derive(Clone, Debug)]
struct Expansions {
    from_left: Vec<f64>,
    from_right: Vec<f64>,
}

impl Expression {
    /// Reads an expression in `x` on `[lo, hi]`.
    pub fn new(source: &Source, expr: &Expr, lo: &Constant, hi: &Constant) -> Result<Expression, Diagnostic> {
        let center = |end: &Constant| end.as_rational().unwrap_or(Rational::ZERO);
        let reader = Reader { source, left: center(lo), right: center(hi) };
        let polynomial = polynomial(expr);
        let degree = polynomial.as_ref().map(Polynomial::degree);
        let mass = |p: Polynomial| Some(p.integral(lo.exact.as_ref()?, hi.exact.as_ref()?));
        let exact_mass = polynomial.and_then(mass).map(|mass| rational::to_f64(&mass));
        let mut expression =
            Expression { lo: lo.value, hi: hi.value, root: reader.node(expr)?, landmarks: Vec::new(), exact_mass };
        if degree.is_none_or(|d| d > 20) {
            expression.landmarks = expression.find_landmarks();
        }
        Ok(expression)
    }

    /// The value and derivative at `x`, with its distances to the ends.
    fn value(&self, x: f64, left: f64, right: f64) -> (f64, f64) {
        self.root.value(&At { x, left, right })
    }

    /// The score from which infinite ends are searched: the finite end of a half-infinite interval, 0 on the whole line.
    fn center(&self) -> f64 {
        [self.lo, self.hi].into_iter().find(|end| end.is_finite()).unwrap_or(0.0)
    }

    /// Landmarks: evenly spaced scores, or on infinite supports scores on all scales, and scores around every peak that a scan finds.
    fn find_landmarks(&self) -> Vec<f64> {
        let (lo, hi) = self.effective_support();
        let mut places: Vec<f64> = (1..16).map(|i| lo + (hi - lo) * f64::from(i) / 16.0).collect();
        if lo != self.lo || hi != self.hi {
            let scales = (0..30).map(|k| 1e-3 * 4f64.powi(k));
            places = scales.flat_map(|s| [self.center() - s, self.center() + s]).collect();
        }
        let width = (hi - lo) / STEPS as f64;
        let place = |i: usize| lo + width * i as f64;
        let value = |x: f64| self.value(x, x - self.lo, self.hi - x).0;
        let values: Vec<f64> = (1..STEPS).map(|i| value(place(i))).collect();
        for (i, three) in values.windows(3).enumerate() {
            if three[1] > three[0] && three[1] > three[2] {
                let peak = lowest(place(i + 1), place(i + 3), 1e-9 * width, |x| -value(x));
                places.extend([peak - width, peak - width / 8.0, peak, peak + width / 8.0, peak + width]);
            }
        }
        places.retain(|x| lo < *x && *x < hi);
        places
    }

    /// Whether it is zero everywhere.
    pub fn is_zero(&self) -> bool {
        matches!(&self.root, Node::Polynomial(p) if p.from_left.iter().all(|c| *c == 0.0))
    }

    /// Looks for a place where the expression is negative, not finite, or not integrable.
    pub fn check(&self) -> Result<(), NoDensity> {
        for (end, at) in [(End::Left, self.lo), (End::Right, self.hi)] {
            if at.is_finite() && self.behaviour(end).exponent <= -1.0 {
                return Err(NoDensity::Diverges { at });
            }
        }
        // Minima between steps are refined.
        let (lo, hi) = self.effective_support();
        let place = |i: usize| lo + (hi - lo) * i as f64 / STEPS as f64;
        let value = |x: f64| self.value(x, x - self.lo, self.hi - x).0;
        let values: Vec<f64> = (1..STEPS).map(|i| value(place(i))).collect();
        let scale = values.iter().filter(|v| v.is_finite()).fold(0.0, |m: f64, v| m.max(v.abs()));
        let negligible = -1e-13 * scale;
        for (i, v) in values.iter().enumerate() {
            let at = place(i + 1);
            if !v.is_finite() {
                return Err(NoDensity::NotFinite { at });
            }
            if *v < negligible {
                return Err(NoDensity::Negative { at, value: *v });
            }
            let (before, after) = (values.get(i.wrapping_sub(1)), values.get(i + 1));
            if before.is_none_or(|b| b > v) && after.is_none_or(|a| a > v) {
                let at = lowest(place(i), place(i + 2), 0.0, value);
                if value(at) < negligible {
                    return Err(NoDensity::Negative { at, value: value(at) });
                }
            }
        }
        Ok(())
    }
}

impl NumericDensity for Expression {
    fn support(&self) -> (f64, f64) {
        (self.lo, self.hi)
    }

    fn behaviour(&self, end: End) -> Behaviour {
        let at = match end {
            End::Left => At { x: self.lo, left: 0.0, right: self.hi - self.lo },
            End::Right => At { x: self.hi, left: self.hi - self.lo, right: 0.0 },
        };
        let (exponent, analytic) = self.root.order(&at, end);
        Behaviour { exponent, analytic: analytic && exponent >= 0.0 }
    }

    fn landmarks(&self) -> Vec<f64> {
        self.landmarks.clone()
    }

    fn effective_support(&self) -> (f64, f64) {
        if self.lo.is_finite() && self.hi.is_finite() {
            return (self.lo, self.hi);
        }
        // Walks outward until the remaining mass is negligible.
        let start = self.center();
        let reach = |sign: f64| {
            let mut step = 1e-3;
            let mut peak: f64 = 0.0;
            while step < 1e12 {
                let x = start + sign * step;
                let mass = self.value(x, x - self.lo, self.hi - x).0.abs() * step;
                peak = peak.max(mass);
                if mass < 1e-22 * peak {
                    return x;
                }
                step *= 1.25;
            }
            start + sign * step
        };
        (
            if self.lo.is_finite() { self.lo } else { reach(-1.0) },
            if self.hi.is_finite() { self.hi } else { reach(1.0) },
        )
    }

    fn log_density(&self, places: &Places, log: &mut Sites, slope: &mut Sites) {
        for i in 0..log.len() {
            let (v, d) = self.value(places.x[i], places.above(self.lo, i), places.below(self.hi, i));
            log[i] = if v.is_nan() { v } else { v.max(0.0).ln() };
            slope[i] = if v > 0.0 { d / v } else { 0.0 };
        }
    }

    fn rounding(&self) -> f64 {
        32.0 * f64::EPSILON
    }

    fn tails(&self) -> (f64, f64) {
        let (lo, hi) = self.effective_support();
        let cut = [(lo, self.lo), (hi, self.hi)].into_iter().filter(|(at, end)| at != end);
        cut.fold((0.0, 0.0), |(mass, mean), (x, _)| {
            let (more_mass, more_mean) = mass_and_mean_beyond(x, self.value(x, x - self.lo, self.hi - x).0);
            (mass + more_mass, mean + more_mean)
        })
    }

    fn known_mass(&self) -> Option<f64> {
        self.exact_mass
    }
}

/// A score at which an expression is evaluated, with its distances to the left and right end.
struct At {
    x: f64,
    left: f64,
    right: f64,
}

impl Expansions {
    /// Expands a polynomial in `x - left` and in `right - x`.
    fn new(polynomial: &Polynomial, left: &Rational, right: &Rational) -> Expansions {
        let rounded = |p: Polynomial| {
            let coefficients: Vec<f64> = p.coefficients().map(|c| rational::to_f64(&c)).collect();
            if coefficients.is_empty() { vec![0.0] } else { coefficients }
        };
        let mut mirrored = rounded(polynomial.shifted(right));
        mirrored.iter_mut().skip(1).step_by(2).for_each(|c| *c = -*c);
        Expansions { from_left: rounded(polynomial.shifted(left)), from_right: mirrored }
    }

    /// The coefficients of the expansion around the nearer end, the distance from that end, and the derivative of the distance.
    fn expansion(&self, at: &At) -> (&[f64], f64, f64) {
        match (at.left.is_finite(), at.right.is_finite()) {
            (true, true) if at.left <= at.right => (&self.from_left, at.left, 1.0),
            (_, true) => (&self.from_right, at.right, -1.0),
            (true, false) => (&self.from_left, at.left, 1.0),
            (false, false) => (&self.from_left, at.x, 1.0),
        }
    }

    /// `p - 1`, without cancellation where an expansion starts from 1.
    fn value_minus_one(&self, at: &At) -> f64 {
        let (coefficients, t, _) = self.expansion(at);
        let higher = coefficients.iter().skip(1).rev().fold(0.0, |v, c| v * t + c);
        higher * t + (coefficients.first().copied().unwrap_or(0.0) - 1.0)
    }

    /// The value and derivative, by Horner's rule.
    fn value(&self, at: &At) -> (f64, f64) {
        let (coefficients, t, sign) = self.expansion(at);
        let (v, d) = coefficients.iter().rev().fold((0.0, 0.0), |(v, d), c| (v * t + c, d * t + v));
        (v, sign * d)
    }
}

impl Node {
    /// The value and derivative, by the rules of differentiation.
    fn value(&self, at: &At) -> (f64, f64) {
        match self {
            Node::Polynomial(p) => p.value(at),
            Node::Add(a, b) => {
                let ((a, da), (b, db)) = (a.value(at), b.value(at));
                (a + b, da + db)
            }
            Node::Sub(a, b) => {
                let ((a, da), (b, db)) = (a.value(at), b.value(at));
                (a - b, da - db)
            }
            Node::Mul(a, b) => {
                let ((a, da), (b, db)) = (a.value(at), b.value(at));
                (a * b, da * b + a * db)
            }
            Node::Div(a, b) => {
                let ((a, da), (b, db)) = (a.value(at), b.value(at));
                (a / b, (da - a / b * db) / b)
            }
            Node::Power(a, k) => {
                let (a, da) = a.value(at);
                let v = if k.fract() == 0.0 && k.abs() < 1e6 { a.powi(*k as i32) } else { a.powf(*k) };
                (v, if a == 0.0 { 0.0 } else { k * v / a * da })
            }
            Node::Exp(a) => {
                let (a, da) = a.value(at);
                (a.exp(), a.exp() * da)
            }
            Node::Log(inner) => {
                let (a, da) = inner.value(at);
                let log = match &**inner {
                    // Close to 1 the logarithm is computed from the difference to 1, which has no cancellation.
                    Node::Polynomial(p) if (a - 1.0).abs() < 0.5 => p.value_minus_one(at).ln_1p(),
                    _ => a.ln(),
                };
                (log, da / a)
            }
            Node::Sin(a) => {
                let (a, da) = a.value(at);
                (a.sin(), a.cos() * da)
            }
            Node::Cos(a) => {
                let (a, da) = a.value(at);
                (a.cos(), -a.sin() * da)
            }
        }
    }

    /// `d/d ln(distance)` of the exponent `self` of an exponential, very close to `end`: the power of the distance with which the
    /// exponential goes there. It is clamped, as an exponential may go faster than any power, and 0 if it is rounding.
    fn change_towards(&self, at: &At, end: End) -> f64 {
        const CLOSE: f64 = 1e-100;
        const HIGHEST: f64 = 100.0;
        const NOTHING: f64 = 1e-9;
        let (near, sign) = match end {
            End::Left => (At { left: CLOSE, ..*at }, 1.0),
            End::Right => (At { right: CLOSE, ..*at }, -1.0),
        };
        let near = if near.x == 0.0 { At { x: sign * CLOSE, ..near } } else { near };
        let change = sign * CLOSE * self.value(&near).1;
        if change.abs() > NOTHING { change.clamp(-HIGHEST, HIGHEST) } else { 0.0 }
    }

    /// The exponent of the leading power of the distance to `end`, and whether the expression is analytic there.
    fn order(&self, at: &At, end: End) -> (f64, bool) {
        match self {
            Node::Polynomial(p) => {
                let coefficients = if end == End::Left { &p.from_left } else { &p.from_right };
                let order = coefficients.iter().position(|c| *c != 0.0).unwrap_or(coefficients.len());
                (order as f64, true)
            }
            Node::Add(a, b) | Node::Sub(a, b) => {
                let ((a, fine_a), (b, fine_b)) = (a.order(at, end), b.order(at, end));
                (a.min(b), fine_a && fine_b)
            }
            Node::Mul(a, b) => {
                let ((a, fine_a), (b, fine_b)) = (a.order(at, end), b.order(at, end));
                (a + b, fine_a && fine_b)
            }
            Node::Div(a, b) => {
                let ((a, fine_a), (b, fine_b)) = (a.order(at, end), b.order(at, end));
                (a - b, fine_a && fine_b)
            }
            Node::Power(a, k) => {
                let (a, fine) = a.order(at, end);
                (a * k, fine && (a == 0.0 || (k * a).fract() == 0.0))
            }
            Node::Exp(inner) => {
                let (a, fine) = inner.order(at, end);
                (inner.change_towards(at, end), fine && a >= 0.0)
            }
            Node::Log(a) => {
                let (a, fine) = a.order(at, end);
                (0.0, fine && a == 0.0)
            }
            Node::Sin(a) | Node::Cos(a) => {
                let (inner, fine) = a.order(at, end);
                let zero = self.value(at).0.abs() < 1e-14;
                (if zero { inner.max(1.0) } else { 0.0 }, fine && inner >= 0.0)
            }
        }
    }
}

/// The expression as a polynomial with rational coefficients; `None` if it is none, or of too high a degree.
pub fn polynomial(expr: &Expr) -> Option<Polynomial> {
    /// Beyond this degree exact expansion costs more than it gives.
    const LARGEST_DEGREE: usize = 60;
    let value = match &expr.kind {
        Kind::Number(value) => Polynomial::constant(value.clone()),
        Kind::Name(name) if name == "x" => Polynomial::x(),
        Kind::Negate(inner) => -&polynomial(inner)?,
        Kind::Binary(op, left, right) => {
            let (l, r) = (polynomial(left)?, polynomial(right)?);
            match op {
                Op::Add => &l + &r,
                Op::Sub => &l - &r,
                Op::Mul => &l * &r,
                Op::Div if r.is_constant() && !r.is_zero() => l.scaled(&(Rational::ONE / r.coefficient(0))),
                Op::Pow if r.is_constant() && r.coefficient(0).is_int() => {
                    let exponent: usize = r.coefficient(0).numerator().try_into().ok()?;
                    if exponent > LARGEST_DEGREE || exponent * l.degree() > LARGEST_DEGREE {
                        return None;
                    }
                    l.power(exponent)
                }
                _ => return None,
            }
        }
        _ => return None,
    };
    Some(value).filter(|p| p.degree() <= LARGEST_DEGREE)
}

/// Reads expressions on an interval.
struct Reader<'a> {
    source: &'a Source,
    /// The scores around which polynomials are expanded.
    left: Rational,
    right: Rational,
}

impl Reader<'_> {
    /// Reads an expression, and reports unknown names.
    fn node(&self, expr: &Expr) -> Result<Node, Diagnostic> {
        // Sums are expanded around both ends; products and powers keep the factors that the user wrote, whose zeros inside the
        // interval an expansion would blur.
        let is_product = matches!(expr.kind, Kind::Binary(Op::Mul | Op::Div | Op::Pow, ..));
        if let Some(polynomial) = polynomial(expr).filter(|p| !is_product || p.degree() <= 1) {
            return Ok(Node::Polynomial(Expansions::new(&polynomial, &self.left, &self.right)));
        }
        let constant = |value: f64| Node::Polynomial(Expansions { from_left: vec![value], from_right: vec![value] });
        let boxed = |expr: &Expr| self.node(expr).map(Box::new);
        Ok(match &expr.kind {
            Kind::Name(name) if name == "pi" => constant(std::f64::consts::PI),
            Kind::Name(name) => {
                let near = closest(name, FUNCTIONS.into_iter().chain(["x", "pi"]));
                let advice =
                    near.map_or("an expression is written in x".to_owned(), |n| format!("did you mean `{n}`?"));
                return Err(self
                    .source
                    .error(expr.span, format!("unknown name `{name}`"), "unknown name")
                    .help(advice));
            }
            Kind::Negate(inner) => Node::Sub(Box::new(constant(0.0)), boxed(inner)?),
            Kind::Binary(Op::Add, l, r) => Node::Add(boxed(l)?, boxed(r)?),
            Kind::Binary(Op::Sub, l, r) => Node::Sub(boxed(l)?, boxed(r)?),
            Kind::Binary(Op::Mul, l, r) => Node::Mul(boxed(l)?, boxed(r)?),
            Kind::Binary(Op::Div, l, r) => Node::Div(boxed(l)?, boxed(r)?),
            Kind::Binary(Op::Pow, l, r) => match Constant::of(self.source, r) {
                Ok(exponent) => Node::Power(boxed(l)?, exponent.value),
                Err(_) => Node::Exp(Box::new(Node::Mul(Box::new(Node::Log(boxed(l)?)), boxed(r)?))),
            },
            Kind::Call(name, span, arguments) => {
                if !FUNCTIONS.contains(&name.as_str()) {
                    let near = closest(name, FUNCTIONS.into_iter().chain(tree::names()));
                    let densities: Vec<&str> = tree::names().collect();
                    let names = format!("functions: {}; densities: {}", FUNCTIONS.join(" "), densities.join(" "));
                    let advice = near.map_or(names, |n| format!("did you mean `{n}`?"));
                    return Err(self
                        .source
                        .error(*span, format!("unknown function `{name}`"), "unknown function")
                        .help(advice));
                }
                let [argument] = arguments.as_slice() else {
                    let given = arguments.len();
                    return Err(self.source.error(
                        expr.span,
                        format!("`{name}` takes one argument, not {given}"),
                        format!("{given} arguments"),
                    ));
                };
                let inner = boxed(argument)?;
                match name.as_str() {
                    "exp" => Node::Exp(inner),
                    "log" => Node::Log(inner),
                    "sqrt" => Node::Power(inner, 0.5),
                    "sin" => Node::Sin(inner),
                    _ => Node::Cos(inner),
                }
            }
            Kind::Number(_)
            | Kind::On(..)
            | Kind::OnPieces(..)
            | Kind::Pieces(_)
            | Kind::Atoms(_)
            | Kind::Bracket(..)
            | Kind::Apply(..) => {
                return Err(self.source.error(expr.span, "an expression in x is needed here", "not an expression"));
            }
        })
    }
}
