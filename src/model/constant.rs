//! Numbers that a user writes: exact where they are rational.

use crate::arith::Interval;
use crate::arith::rational::{self, Rational};
use crate::lang::{Diagnostic, Expr, Kind, Op, Source};
use std::fmt;

/// A function of intervals.
type Enclosing = fn(Interval) -> Interval;

/// A constant: exact if it is rational, and its nearest `f64`.
#[derive(Clone, Debug, PartialEq)]
pub struct Constant {
    /// The rational it is, if it is one.
    pub exact: Option<Rational>,
    /// The nearest `f64`, or one close to it for a constant such as `sqrt(2)/2`.
    pub value: f64,
    /// What it is known to lie in.
    pub enclosure: Interval,
}

impl Constant {
    /// A rational constant.
    pub fn rational(exact: Rational) -> Constant {
        Constant { value: rational::to_f64(&exact), enclosure: Interval::of(&exact), exact: Some(exact) }
    }

    /// A real constant, known by an `f64` close to it and an enclosure.
    pub fn real(value: f64, enclosure: Interval) -> Constant {
        Constant { exact: None, value, enclosure }
    }

    /// Evaluates an expression in which nothing varies.
    pub fn of(source: &Source, expr: &Expr) -> Result<Constant, Diagnostic> {
        let constant = evaluate(source, expr)?;
        if constant.value.is_finite() {
            return Ok(constant);
        }
        Err(source.error(expr.span, "a finite number is needed here", format!("this is {}", constant.value)))
    }

    /// Evaluates an expression that may also be `inf` or `-inf`.
    pub fn extended(source: &Source, expr: &Expr) -> Result<Constant, Diagnostic> {
        let constant = evaluate(source, expr)?;
        if constant.value.is_nan() {
            return Err(source.error(expr.span, "a number is needed here", "this is undefined"));
        }
        Ok(constant)
    }

    /// The rational that stands for this constant in exact shifts: itself, or its `f64`.
    pub fn as_rational(&self) -> Option<Rational> {
        self.exact.clone().or_else(|| rational::from_f64(self.value))
    }
}

impl fmt::Display for Constant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.exact {
            Some(exact) => write!(f, "{exact}"),
            None => write!(f, "{}", self.value),
        }
    }
}

fn evaluate(source: &Source, expr: &Expr) -> Result<Constant, Diagnostic> {
    let value = match &expr.kind {
        Kind::Number(value) => return Ok(Constant::rational(value.clone())),
        Kind::Name(name) => match name.as_str() {
            "pi" => Constant::real(std::f64::consts::PI, Interval::PI),
            "inf" => Constant::real(f64::INFINITY, Interval::from(f64::INFINITY)),
            "x" => {
                return Err(source
                    .error(expr.span, "a number is needed here", "`x` varies")
                    .help("parameters, ends of intervals and π0 are constants such as 1/3, 0.25, sqrt(2)/2"));
            }
            _ => {
                return Err(source
                    .error(expr.span, format!("unknown name `{name}`"), "not a constant")
                    .help("constants are numbers, pi, inf, and exp log sqrt sin cos of them"));
            }
        },
        Kind::Negate(inner) => {
            let inner = evaluate(source, inner)?;
            Constant { exact: inner.exact.map(|v| -v), value: -inner.value, enclosure: -inner.enclosure }
        }
        Kind::Binary(op, left, right) => {
            let (l, r) = (evaluate(source, left)?, evaluate(source, right)?);
            if *op == Op::Div && r.value == 0.0 {
                return Err(source.error(right.span, "division by zero", "this is 0"));
            }
            binary(*op, &l, &r)
        }
        Kind::Call(name, span, arguments) => {
            let (apply, enclose): (fn(f64) -> f64, Enclosing) = match name.as_str() {
                "exp" => (f64::exp, Interval::exp),
                "log" => (f64::ln, Interval::ln),
                "sqrt" => (f64::sqrt, Interval::sqrt),
                "sin" => (f64::sin, Interval::sin),
                "cos" => (f64::cos, Interval::cos),
                _ => {
                    return Err(source.error(*span, format!("`{name}` is not a number here"), "a constant is needed"));
                }
            };
            let [argument] = arguments.as_slice() else {
                return Err(source.error(expr.span, format!("`{name}` takes one argument"), "write one"));
            };
            let argument = evaluate(source, argument)?;
            Constant::real(apply(argument.value), enclose(argument.enclosure))
        }
        _ => return Err(source.error(expr.span, "a number is needed here", "this is not a number")),
    };
    Ok(value)
}

fn binary(op: Op, l: &Constant, r: &Constant) -> Constant {
    if let (Some(a), Some(b)) = (&l.exact, &r.exact) {
        let exact = match op {
            Op::Add => Some(a + b),
            Op::Sub => Some(a - b),
            Op::Mul => Some(a * b),
            Op::Div => Some(a / b),
            Op::Pow => rational::power(a, b),
        };
        if let Some(exact) = exact {
            return Constant::rational(exact);
        }
    }
    let ((a, b), (m, n)) = ((l.value, r.value), (l.enclosure, r.enclosure));
    let (value, enclosure) = match op {
        Op::Add => (a + b, m + n),
        Op::Sub => (a - b, m - n),
        Op::Mul => (a * b, m * n),
        Op::Div => (a / b, m / n),
        Op::Pow => (a.powf(b), m.pow(n)),
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
        binary(Op::Add, &self, &other)
    }
}

impl std::ops::Div for Constant {
    type Output = Constant;
    fn div(self, other: Constant) -> Constant {
        binary(Op::Div, &self, &other)
    }
}
