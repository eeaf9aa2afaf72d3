//! A density that the user typed, on one interval.

use super::{Behaviour, End, NoDensity, NumericDensity, Places, Sites, mass_and_mean_beyond};
use crate::calculus::root::lowest;
use crate::constant::Constant;
use crate::model::tree;
use rocproof_arith::Polynomial;
use rocproof_arith::rational::{self, Rational};
use rocproof_language::{Diagnostic, Expr, Kind, Op, Source, Span, closest};

/// An expression in `x` on `[lo, hi]`.
///
/// Every sum in the expression that is a polynomial with rational coefficients is expanded exactly around both ends, so that `(1-x)^(-1/2)` is
/// as accurate near 1 as `x^(-1/2)` is near 0. Derivatives are computed by the rules of differentiation, not by differences.
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

/// Up to this degree a polynomial has no peak so narrow that the first panels could miss it.
const TAME_DEGREE: usize = 20;

/// Values count as negative below minus this times the largest value. Smaller negative values may be rounding errors of 0.
const NEGATIVE: f64 = 1e-13;

/// A sine or cosine below this counts as 0 at an end.
const ZERO_BY_ROUNDING: f64 = 1e-14;

/// The functions of the language.
pub const FUNCTIONS: [&str; 5] = ["exp", "log", "sqrt", "sin", "cos"];

/// The coefficients of a polynomial in `x - left` and in `right - x`, lowest power first; an infinite end is replaced by 0.
#[derive(Clone, Debug)]
struct Expansions {
    from_left: Vec<f64>,
    from_right: Vec<f64>,
}

impl Expression {
    /// Reads an expression in `x` on `[lo, hi]`.
    pub fn new(source: &Source, expr: &Expr, lo: &Constant, hi: &Constant) -> Result<Expression, Diagnostic> {
        let expansion_point = |end: &Constant| end.as_rational().unwrap_or(Rational::ZERO);
        let reader = Reader { source, left: expansion_point(lo), right: expansion_point(hi) };
        let polynomial = polynomial(expr);
        let degree = polynomial.as_ref().map(Polynomial::degree);
        let integral = |p: Polynomial| Some(p.integral(lo.exact.as_ref()?, hi.exact.as_ref()?));
        let exact_mass = polynomial.and_then(integral).map(|mass| rational::to_f64(&mass));
        let root = reader.read(expr)?;
        let mut expression = Expression { lo: lo.value, hi: hi.value, root, landmarks: Vec::new(), exact_mass };
        if degree.is_none_or(|degree| degree > TAME_DEGREE) {
            expression.landmarks = expression.find_landmarks();
        }
        Ok(expression)
    }

    /// The value and derivative at the score `x`, given its distances to the left and right end.
    fn value_and_slope(&self, x: f64, left: f64, right: f64) -> (f64, f64) {
        self.root.value_and_slope(&At { x, left, right })
    }

    /// The value at the score `x`.
    fn value(&self, x: f64) -> f64 {
        self.value_and_slope(x, x - self.lo, self.hi - x).0
    }

    /// The score from which infinite ends are searched: the finite end of a half-infinite interval, 0 on the whole line.
    fn center(&self) -> f64 {
        [self.lo, self.hi].into_iter().find(|end| end.is_finite()).unwrap_or(0.0)
    }

    /// Landmarks: evenly spaced scores, or on infinite supports scores on all scales, and scores around every peak that a scan finds.
    fn find_landmarks(&self) -> Vec<f64> {
        let (lo, hi) = self.effective_support();
        let is_cut = lo != self.lo || hi != self.hi;
        let mut landmarks: Vec<f64> = if is_cut {
            // Distances from 1e-3 to 3e14 on either side of the center, in steps of a factor 4.
            let distances = (0..30).map(|k| 1e-3 * 4f64.powi(k));
            distances.flat_map(|distance| [self.center() - distance, self.center() + distance]).collect()
        } else {
            (1..16).map(|i| lo + (hi - lo) * f64::from(i) / 16.0).collect()
        };
        let step = (hi - lo) / STEPS as f64;
        let grid_score = |i: usize| lo + step * i as f64;
        let values: Vec<f64> = (1..STEPS).map(|i| self.value(grid_score(i))).collect();
        for (i, neighbours) in values.windows(3).enumerate() {
            let [before, middle, after] = [neighbours[0], neighbours[1], neighbours[2]];
            if middle > before && middle > after {
                // The window starts at grid score i + 1, as the values do at grid score 1.
                let peak = lowest(grid_score(i + 1), grid_score(i + 3), 1e-9 * step, |x| -self.value(x));
                // Panels end at the peak and close to it, so that their nodes resolve it.
                landmarks.extend([peak - step, peak - step / 8.0, peak, peak + step / 8.0, peak + step]);
            }
        }
        landmarks.retain(|x| lo < *x && *x < hi);
        landmarks
    }

    /// Walks from the center towards the infinite end on the side of `sign`, in distances that grow by a quarter, to a score beyond which the
    /// mass is negligible: where density × distance, an estimate of that mass, has fallen below 1e-22 of its largest value.
    fn reach(&self, sign: f64) -> f64 {
        const FARTHEST: f64 = 1e12;
        const NEGLIGIBLE: f64 = 1e-22;
        let mut distance = 1e-3;
        let mut largest: f64 = 0.0;
        while distance < FARTHEST {
            let x = self.center() + sign * distance;
            let mass = self.value(x).abs() * distance;
            largest = largest.max(mass);
            if mass < NEGLIGIBLE * largest {
                return x;
            }
            distance *= 1.25;
        }
        self.center() + sign * distance
    }

    /// Whether the expression is zero everywhere.
    pub fn is_zero(&self) -> bool {
        matches!(&self.root, Node::Polynomial(p) if p.from_left.iter().all(|c| *c == 0.0))
    }

    /// Looks for a score where the expression is negative, not finite, or not integrable: by the exponents at the ends, and by a scan in which
    /// each local minimum of the grid is refined.
    pub fn check(&self) -> Result<(), NoDensity> {
        for (end, at) in [(End::Left, self.lo), (End::Right, self.hi)] {
            if at.is_finite() && self.behaviour(end).exponent <= -1.0 {
                return Err(NoDensity::Diverges { at });
            }
        }
        let (lo, hi) = self.effective_support();
        let grid_score = |i: usize| lo + (hi - lo) * i as f64 / STEPS as f64;
        let values: Vec<f64> = (1..STEPS).map(|i| self.value(grid_score(i))).collect();
        let largest = values.iter().filter(|v| v.is_finite()).fold(0.0, |m: f64, v| m.max(v.abs()));
        let threshold = -NEGATIVE * largest;
        for (i, value) in values.iter().enumerate() {
            // The values start at grid score 1.
            let at = grid_score(i + 1);
            if !value.is_finite() {
                return Err(NoDensity::NotFinite { at });
            }
            if *value < threshold {
                return Err(NoDensity::Negative { at, value: *value });
            }
            // Neighbours that do not exist are `None`; for the first value the index wraps around and is out of range.
            let (before, after) = (values.get(i.wrapping_sub(1)), values.get(i + 1));
            let is_minimum = before.is_none_or(|before| before > value) && after.is_none_or(|after| after > value);
            if is_minimum {
                let at = lowest(grid_score(i), grid_score(i + 2), 0.0, |x| self.value(x));
                let value = self.value(at);
                if value < threshold {
                    return Err(NoDensity::Negative { at, value });
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

    /// The leading power of the distance from an end, by the rules for powers of each operation.
    fn behaviour(&self, end: End) -> Behaviour {
        let at = match end {
            End::Left => At { x: self.lo, left: 0.0, right: self.hi - self.lo },
            End::Right => At { x: self.hi, left: self.hi - self.lo, right: 0.0 },
        };
        let Behaviour { exponent, analytic } = self.root.behaviour(&at, end);
        // A pole of whole order, as of 1/x, passes for analytic in the expression; for the density it is a singularity.
        Behaviour { exponent, analytic: analytic && exponent >= 0.0 }
    }

    fn landmarks(&self) -> Vec<f64> {
        self.landmarks.clone()
    }

    /// The interval, cut at infinite ends where the mass beyond is negligible.
    fn effective_support(&self) -> (f64, f64) {
        (
            if self.lo.is_finite() { self.lo } else { self.reach(-1.0) },
            if self.hi.is_finite() { self.hi } else { self.reach(1.0) },
        )
    }

    /// The logarithm of the value, and derivative divided by value.
    fn log_density(&self, places: &Places, log: &mut Sites, slope: &mut Sites) {
        for i in 0..log.len() {
            let (value, derivative) =
                self.value_and_slope(places.x[i], places.above(self.lo, i), places.below(self.hi, i));
            // A negative value is a rounding error of 0, since `check` was called before.
            log[i] = if value.is_nan() { value } else { value.max(0.0).ln() };
            slope[i] = if value > 0.0 { derivative / value } else { 0.0 };
        }
    }

    fn rounding(&self) -> f64 {
        32.0 * f64::EPSILON
    }

    /// Estimates of the mass, and of the part of the mean, beyond the cuts of infinite ends.
    fn tails(&self) -> (f64, f64) {
        let (lo, hi) = self.effective_support();
        let (mut total_mass, mut total_mean) = (0.0, 0.0);
        for (cut, end) in [(lo, self.lo), (hi, self.hi)] {
            if cut != end {
                let (mass, mean) = mass_and_mean_beyond(cut, self.value(cut));
                total_mass += mass;
                total_mean += mean;
            }
        }
        (total_mass, total_mean)
    }

    /// The exact integral of a polynomial between rational ends, rounded.
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

/// A polynomial expanded around an end, ready to be evaluated at one score.
struct Expansion<'a> {
    /// The coefficients, lowest power first.
    coefficients: &'a [f64],
    /// The distance of the score from the end.
    t: f64,
    /// `dt/dx`, 1 or -1.
    slope: f64,
}

impl Expansions {
    /// Expands a polynomial in `x - left` and in `right - x`.
    fn new(polynomial: &Polynomial, left: &Rational, right: &Rational) -> Expansions {
        let rounded = |p: Polynomial| {
            let coefficients: Vec<f64> = p.coefficients().map(|c| rational::to_f64(&c)).collect();
            if coefficients.is_empty() { vec![0.0] } else { coefficients }
        };
        // In powers of `right - x`, odd coefficients change their sign.
        let mut mirrored = rounded(polynomial.shifted(right));
        mirrored.iter_mut().skip(1).step_by(2).for_each(|c| *c = -*c);
        Expansions { from_left: rounded(polynomial.shifted(left)), from_right: mirrored }
    }

    /// The expansion around the nearer end; around 0 if both ends are infinite.
    fn around_nearer_end(&self, at: &At) -> Expansion<'_> {
        if !at.left.is_finite() && !at.right.is_finite() {
            // An infinite end was replaced by 0, so `from_left` is the expansion around 0.
            Expansion { coefficients: &self.from_left, t: at.x, slope: 1.0 }
        } else if at.left <= at.right {
            Expansion { coefficients: &self.from_left, t: at.left, slope: 1.0 }
        } else {
            Expansion { coefficients: &self.from_right, t: at.right, slope: -1.0 }
        }
    }

    /// The value minus 1, without cancellation near an end where the polynomial is 1.
    fn value_minus_one(&self, at: &At) -> f64 {
        let Expansion { coefficients, t, .. } = self.around_nearer_end(at);
        let higher = coefficients.iter().skip(1).rev().fold(0.0, |v, c| v * t + c);
        higher * t + (coefficients.first().copied().unwrap_or(0.0) - 1.0)
    }

    /// The value and derivative, by Horner's rule.
    fn value_and_slope(&self, at: &At) -> (f64, f64) {
        let Expansion { coefficients, t, slope } = self.around_nearer_end(at);
        let horner = |(value, derivative): (f64, f64), c: &f64| (value * t + c, derivative * t + value);
        let (value, derivative) = coefficients.iter().rev().fold((0.0, 0.0), horner);
        (value, slope * derivative)
    }
}

impl Node {
    /// The value and derivative, by the rules of differentiation.
    fn value_and_slope(&self, at: &At) -> (f64, f64) {
        match self {
            Node::Polynomial(p) => p.value_and_slope(at),
            Node::Add(a, b) => {
                let ((a, da), (b, db)) = (a.value_and_slope(at), b.value_and_slope(at));
                (a + b, da + db)
            }
            Node::Sub(a, b) => {
                let ((a, da), (b, db)) = (a.value_and_slope(at), b.value_and_slope(at));
                (a - b, da - db)
            }
            Node::Mul(a, b) => {
                let ((a, da), (b, db)) = (a.value_and_slope(at), b.value_and_slope(at));
                (a * b, da * b + a * db)
            }
            Node::Div(a, b) => {
                let ((a, da), (b, db)) = (a.value_and_slope(at), b.value_and_slope(at));
                (a / b, (da - a / b * db) / b)
            }
            Node::Power(a, k) => {
                let (a, da) = a.value_and_slope(at);
                // A whole exponent must fit an i32 for `powi`.
                let power = if k.fract() == 0.0 && k.abs() < 1e6 { a.powi(*k as i32) } else { a.powf(*k) };
                // The derivative k·a^(k-1)·a' as k·a^k/a·a', which is 0/0 at a zero of the base. There it is a' for k = 1, 0 for k = 0 and
                // k > 1; for the other k it is infinite, and set to 0.
                let at_zero = if *k == 1.0 { da } else { 0.0 };
                (power, if a == 0.0 { at_zero } else { k * power / a * da })
            }
            Node::Exp(a) => {
                let (a, da) = a.value_and_slope(at);
                (a.exp(), a.exp() * da)
            }
            Node::Log(inner) => {
                let (a, da) = inner.value_and_slope(at);
                let log = match &**inner {
                    // Close to 1 the logarithm is computed from the difference to 1, which has no cancellation.
                    Node::Polynomial(p) if (a - 1.0).abs() < 0.5 => p.value_minus_one(at).ln_1p(),
                    _ => a.ln(),
                };
                (log, da / a)
            }
            Node::Sin(a) => {
                let (a, da) = a.value_and_slope(at);
                (a.sin(), a.cos() * da)
            }
            Node::Cos(a) => {
                let (a, da) = a.value_and_slope(at);
                (a.cos(), -a.sin() * da)
            }
        }
    }

    /// The exponent `p` with which `e^g` goes like `distance^p` towards `end`, where `g` is this expression: `p = dg/d ln(distance)`, taken
    /// very close to the end. `at` is the end itself.
    fn exponent_of_exponential(&self, at: &At, end: End) -> f64 {
        /// The distance from the end.
        const CLOSE: f64 = 1e-100;
        /// The largest exponent, since an exponential may grow or fall faster than any power.
        const HIGHEST: f64 = 100.0;
        /// A smaller exponent is 0 but for rounding.
        const NOTHING: f64 = 1e-9;
        let (close, sign) = match end {
            End::Left => (At { left: CLOSE, ..*at }, 1.0),
            End::Right => (At { right: CLOSE, ..*at }, -1.0),
        };
        // Next to an end at 0 the score is a float of its own; next to any other end it is rounded to the end.
        let close = if close.x == 0.0 { At { x: sign * CLOSE, ..close } } else { close };
        let exponent = sign * CLOSE * self.value_and_slope(&close).1;
        if exponent.abs() > NOTHING { exponent.clamp(-HIGHEST, HIGHEST) } else { 0.0 }
    }

    /// The leading power of the distance to `end`, and whether the expression is analytic there. `at` is the end itself.
    ///
    /// The exponent of a sum is the smaller one: terms that cancel are not noticed.
    fn behaviour(&self, at: &At, end: End) -> Behaviour {
        // Sums, products and quotients are analytic if both operands are.
        let combine = |a: &Node, b: &Node, exponent: fn(f64, f64) -> f64| {
            let (a, b) = (a.behaviour(at, end), b.behaviour(at, end));
            Behaviour { exponent: exponent(a.exponent, b.exponent), analytic: a.analytic && b.analytic }
        };
        match self {
            Node::Polynomial(p) => {
                let coefficients = if end == End::Left { &p.from_left } else { &p.from_right };
                let order = coefficients.iter().position(|c| *c != 0.0).unwrap_or(coefficients.len());
                Behaviour { exponent: order as f64, analytic: true }
            }
            Node::Add(a, b) | Node::Sub(a, b) => combine(a, b, f64::min),
            Node::Mul(a, b) => combine(a, b, |p, q| p + q),
            Node::Div(a, b) => combine(a, b, |p, q| p - q),
            Node::Power(base, k) => {
                let Behaviour { exponent, analytic } = base.behaviour(at, end);
                // Any power of a function that is not 0 at the end is analytic; else the exponent must be whole.
                let is_whole = exponent == 0.0 || (k * exponent).fract() == 0.0;
                Behaviour { exponent: exponent * k, analytic: analytic && is_whole }
            }
            Node::Exp(inner) => {
                let Behaviour { exponent, analytic } = inner.behaviour(at, end);
                let power = inner.exponent_of_exponential(at, end);
                Behaviour { exponent: power, analytic: analytic && exponent >= 0.0 }
            }
            // A logarithm grows slower than any power. It is analytic where its argument is neither 0 nor infinite.
            Node::Log(inner) => {
                let Behaviour { exponent, analytic } = inner.behaviour(at, end);
                Behaviour { exponent: 0.0, analytic: analytic && exponent == 0.0 }
            }
            Node::Sin(inner) | Node::Cos(inner) => {
                let Behaviour { exponent, analytic } = inner.behaviour(at, end);
                let is_zero = self.value_and_slope(at).0.abs() < ZERO_BY_ROUNDING;
                let power = if is_zero { exponent.max(1.0) } else { 0.0 };
                Behaviour { exponent: power, analytic: analytic && exponent >= 0.0 }
            }
        }
    }
}

/// The expression as a polynomial in `x` with rational coefficients; `None` if it is not one, or its degree is too large.
pub fn polynomial(expr: &Expr) -> Option<Polynomial> {
    /// The largest degree that is expanded: beyond it the coefficients are too large for floating point to profit.
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
    /// The left score around which polynomials are expanded.
    left: Rational,
    /// The right score around which polynomials are expanded.
    right: Rational,
}

impl Reader<'_> {
    /// Reads an expression in `x`. The error marks an unknown name, or syntax that is no expression.
    fn read(&self, expr: &Expr) -> Result<Node, Diagnostic> {
        // Sums are expanded around both ends. Products and powers keep the factors that the user wrote, because an expansion would blur their
        // zeros inside the interval.
        let is_product = matches!(expr.kind, Kind::Binary(Op::Mul | Op::Div | Op::Pow, ..));
        if let Some(polynomial) = polynomial(expr).filter(|p| !is_product || p.degree() <= 1) {
            return Ok(Node::Polynomial(Expansions::new(&polynomial, &self.left, &self.right)));
        }
        let constant = |value: f64| Node::Polynomial(Expansions { from_left: vec![value], from_right: vec![value] });
        let boxed = |expr: &Expr| self.read(expr).map(Box::new);
        Ok(match &expr.kind {
            Kind::Name(name) if name == "pi" => constant(std::f64::consts::PI),
            Kind::Name(name) => return Err(self.unknown_name(name, expr.span)),
            Kind::Negate(inner) => Node::Sub(Box::new(constant(0.0)), boxed(inner)?),
            Kind::Binary(Op::Add, l, r) => Node::Add(boxed(l)?, boxed(r)?),
            Kind::Binary(Op::Sub, l, r) => Node::Sub(boxed(l)?, boxed(r)?),
            Kind::Binary(Op::Mul, l, r) => Node::Mul(boxed(l)?, boxed(r)?),
            Kind::Binary(Op::Div, l, r) => Node::Div(boxed(l)?, boxed(r)?),
            Kind::Binary(Op::Pow, l, r) => match Constant::of(self.source, r) {
                Ok(exponent) => Node::Power(boxed(l)?, exponent.value),
                // A variable exponent: f^g = e^(g ln f).
                Err(_) => Node::Exp(Box::new(Node::Mul(Box::new(Node::Log(boxed(l)?)), boxed(r)?))),
            },
            Kind::Call(name, name_span, _) if !FUNCTIONS.contains(&name.as_str()) => {
                return Err(self.unknown_function(name, *name_span));
            }
            Kind::Call(name, _, arguments) => self.read_call(name, arguments, expr.span)?,
            // Numbers were read as polynomials above; the others are densities or statements.
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

    /// Reads the call of a function of one argument, one of [`FUNCTIONS`].
    fn read_call(&self, name: &str, arguments: &[Expr], span: Span) -> Result<Node, Diagnostic> {
        let [argument] = arguments else {
            let given = arguments.len();
            let message = format!("`{name}` takes one argument, not {given}");
            return Err(self.source.error(span, message, format!("{given} arguments")));
        };
        let inner = Box::new(self.read(argument)?);
        Ok(match name {
            "exp" => Node::Exp(inner),
            "log" => Node::Log(inner),
            "sqrt" => Node::Power(inner, 0.5),
            "sin" => Node::Sin(inner),
            _ => Node::Cos(inner),
        })
    }

    /// The error for a name that is neither `x` nor a constant, with the closest known name if there is one.
    fn unknown_name(&self, name: &str, span: Span) -> Diagnostic {
        let suggestion = closest(name, FUNCTIONS.into_iter().chain(["x", "pi"]));
        let advice = suggestion.map_or("an expression is written in x".to_owned(), |n| format!("did you mean `{n}`?"));
        self.source.error(span, format!("unknown name `{name}`"), "unknown name").help(advice)
    }

    /// The error for a call of an unknown function, with the closest known one, or else a list of all.
    fn unknown_function(&self, name: &str, span: Span) -> Diagnostic {
        let suggestion = closest(name, FUNCTIONS.into_iter().chain(tree::names()));
        let densities: Vec<&str> = tree::names().collect();
        let all_names = format!("functions: {}; densities: {}", FUNCTIONS.join(" "), densities.join(" "));
        let advice = suggestion.map_or(all_names, |n| format!("did you mean `{n}`?"));
        self.source.error(span, format!("unknown function `{name}`"), "unknown function").help(advice)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The slope of `f^1` at a zero of `f` was 0.
    #[test]
    fn the_first_power_has_the_slope_of_its_base_at_a_zero() {
        let slope_at_zero = |text: &str| {
            let source = Source::new("f0", text);
            let [lo, hi] = [-1i8, 1].map(|end| Constant::rational(end.into()));
            let expr = rocproof_language::parse(&source).unwrap();
            Expression::new(&source, &expr, &lo, &hi).unwrap().value_and_slope(0.0, 1.0, 1.0).1
        };
        assert_eq!(slope_at_zero("1 + sin(x)^1"), 1.0);
        assert_eq!(slope_at_zero("1 + sin(x)^2"), 0.0);
        assert_eq!(slope_at_zero("1 + sin(x)^0"), 0.0);
    }
}
