//! Numbers that a user writes: exact if they are rational, always with a float and an enclosure.

use rocproof_algebra::invariant;
use rocproof_arith::Interval;
use rocproof_arith::rational::{self, Rational};
use rocproof_language::{Diagnostic, Expr, Kind, Literal, Op, Source, parse};
use std::fmt;

/// A function that maps an interval to an enclosure of its image.
type Enclosing = fn(Interval) -> Interval;

/// A constant: its nearest `f64`, an enclosure, and its exact value if it is rational.
#[derive(Clone, Debug, PartialEq)]
pub struct Constant {
    /// The exact value, if it is rational.
    pub exact: Option<Rational>,
    /// The nearest `f64`, or one close to it for a constant such as `sqrt(2)/2`.
    pub value: f64,
    /// An interval that contains the constant.
    pub enclosure: Interval,
}

impl Constant {
    /// A rational constant.
    pub fn rational(exact: Rational) -> Constant {
        Constant { value: rational::to_f64(&exact), enclosure: Interval::of(&exact), exact: Some(exact) }
    }

    /// A real constant, given by an `f64` close to it and an enclosure.
    pub fn real(value: f64, enclosure: Interval) -> Constant {
        Constant { exact: None, value, enclosure }
    }

    /// Evaluates an expression without variables.
    pub fn of(source: &Source, expr: &Expr) -> Result<Constant, Diagnostic> {
        Literal::of(source, expr).map(|literal| Constant::from_literal(literal, expr))
    }

    /// Evaluates an expression without variables, which may also be `inf` or `-inf`.
    pub fn extended(source: &Source, expr: &Expr) -> Result<Constant, Diagnostic> {
        Literal::extended(source, expr).map(|literal| Constant::from_literal(literal, expr))
    }

    /// The constant of a literal that was read from `expr`. An irrational one is enclosed by evaluating `expr` in interval arithmetic.
    fn from_literal(literal: Literal, expr: &Expr) -> Constant {
        match literal.exact {
            Some(exact) => Constant::rational(exact),
            None => Constant::real(literal.value, enclosure(expr)),
        }
    }

    /// A bound on the distance between the constant and its `f64`; 0 if the constant is infinite.
    pub fn rounding(&self) -> f64 {
        let (lo, hi) = (self.enclosure.lo(), self.enclosure.hi());
        if lo == self.value && hi == self.value {
            // Infinite ends would give NaN.
            0.0
        } else if self.exact.is_some() {
            // Half the distance of neighbouring floats; below the normal ones that half would round.
            ((hi - lo) / 2.0).max(f64::from_bits(1))
        } else {
            (hi - self.value).max(self.value - lo)
        }
    }

    /// A rational equal or close to the constant: the exact value, or else the `f64` as a rational. `None` if the constant is infinite.
    pub fn as_rational(&self) -> Option<Rational> {
        self.exact.clone().or_else(|| rational::from_f64(self.value))
    }
}

impl fmt::Display for Constant {
    /// Writes the exact value as a fraction, or else the float.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.exact {
            Some(exact) => write!(f, "{exact}"),
            None => write!(f, "{}", self.value),
        }
    }
}

impl From<&Literal> for Constant {
    /// Parses the text of the literal again, since the enclosure of an irrational number needs its expression.
    fn from(literal: &Literal) -> Constant {
        match parse(&Source::new("number", literal.text())) {
            Ok(expr) => Constant::from_literal(literal.clone(), &expr),
            Err(error) => invariant!("the number `{literal}` does not read back: {error}"),
        }
    }
}

/// Encloses the value of an expression without variables: rational subexpressions exactly, all others in interval arithmetic.
/// The expression must be one that [`Literal::extended`] accepts.
fn enclosure(expr: &Expr) -> Interval {
    // The source is for error messages only, and an error here only means that the number is irrational or not finite.
    let exact = Literal::extended(&Source::new("number", ""), expr).ok().and_then(|literal| literal.exact);
    if let Some(exact) = exact {
        return Interval::of(&exact);
    }
    match &expr.kind {
        Kind::Name(name) if name == "pi" => Interval::PI,
        Kind::Name(name) if name == "inf" => Interval::from(f64::INFINITY),
        Kind::Negate(inner) => -enclosure(inner),
        Kind::Binary(op, left, right) => {
            let (left, right) = (enclosure(left), enclosure(right));
            match op {
                Op::Add => left + right,
                Op::Sub => left - right,
                Op::Mul => left * right,
                Op::Div => left / right,
                Op::Pow => left.pow(right),
            }
        }
        Kind::Call(name, _, arguments) => {
            let apply: Enclosing = match name.as_str() {
                "exp" => Interval::exp,
                "log" => Interval::ln,
                "sqrt" => Interval::sqrt,
                "sin" => Interval::sin,
                "cos" => Interval::cos,
                _ => invariant!("`{name}` is not a function of numbers"),
            };
            match arguments.as_slice() {
                [argument] => apply(enclosure(argument)),
                _ => invariant!("`{name}` has one argument"),
            }
        }
        _ => invariant!("`{expr}` is not a number"),
    }
}

/// Applies an operation to two constants: exactly if the result is rational, else separately to the floats and to the enclosures.
fn apply(op: Op, left: &Constant, right: &Constant) -> Constant {
    if let (Some(a), Some(b)) = (&left.exact, &right.exact) {
        let exact = match op {
            Op::Add => Some(a + b),
            Op::Sub => Some(a - b),
            Op::Mul => Some(a * b),
            Op::Div => Some(a / b),
            // `None` for an irrational power such as 2^(1/2).
            Op::Pow => rational::power(a, b),
        };
        if let Some(exact) = exact {
            return Constant::rational(exact);
        }
    }
    let (a, b) = (left.value, right.value);
    let value = match op {
        Op::Add => a + b,
        Op::Sub => a - b,
        Op::Mul => a * b,
        Op::Div => a / b,
        Op::Pow => a.powf(b),
    };
    let (a, b) = (left.enclosure, right.enclosure);
    let enclosure = match op {
        Op::Add => a + b,
        Op::Sub => a - b,
        Op::Mul => a * b,
        Op::Div => a / b,
        Op::Pow => a.pow(b),
    };
    Constant::real(value, enclosure)
}

impl From<u8> for Constant {
    fn from(value: u8) -> Constant {
        Constant::rational(value.into())
    }
}

impl std::ops::Add for Constant {
    type Output = Constant;
    fn add(self, other: Constant) -> Constant {
        apply(Op::Add, &self, &other)
    }
}

impl std::ops::Div for Constant {
    type Output = Constant;
    fn div(self, other: Constant) -> Constant {
        apply(Op::Div, &self, &other)
    }
}
