//! Numbers that a user writes: exact if they are rational, else floats with their text.

use crate::{Diagnostic, Expr, Kind, Op, Source};
use rocproof_algebra::rational::{self, Rational};
use std::fmt;

/// A number as it was written: a rational, or an expression such as `sqrt(2)/2`.
///
/// ```
/// use rocproof_language::{Literal, Source, parse};
/// let literal = |text: &str| { let s = Source::new("number", text); Literal::of(&s, &parse(&s).unwrap()) };
/// assert_eq!(literal("1/4 + 0.25").unwrap().to_string(), "1/2");
/// assert_eq!(literal("sqrt(2)/2").unwrap().to_string(), "sqrt(2)/2");
/// assert!(literal("1/0").is_err() && literal("x").is_err());
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Literal {
    /// The exact value, if it is rational.
    pub exact: Option<Rational>,
    /// The nearest `f64`, or one close to it for a number such as `sqrt(2)/2`.
    pub value: f64,
    text: String,
}

impl Literal {
    /// A rational number.
    pub fn rational(exact: Rational) -> Literal {
        Literal { value: rational::to_f64(&exact), text: exact.to_string(), exact: Some(exact) }
    }

    /// Evaluates a constant expression to a finite number.
    pub fn of(source: &Source, expr: &Expr) -> Result<Literal, Diagnostic> {
        let literal = Literal::extended(source, expr)?;
        if literal.value.is_finite() {
            return Ok(literal);
        }
        Err(source.error(expr.span, "a finite number is needed here", format!("this is {}", literal.value)))
    }

    /// Evaluates a constant expression, which may also be `inf` or `-inf`.
    pub fn extended(source: &Source, expr: &Expr) -> Result<Literal, Diagnostic> {
        let Value { exact, float } = evaluate(source, expr)?;
        if float.is_nan() {
            return Err(source.error(expr.span, "a number is needed here", "this is undefined"));
        }
        Ok(match exact {
            Some(exact) => Literal::rational(exact),
            None => Literal { exact: None, value: float, text: expr.to_string() },
        })
    }

    /// The text: a rational in lowest terms, any other number as it was written.
    pub fn text(&self) -> &str {
        &self.text
    }
}

impl fmt::Display for Literal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// The value of a constant expression.
struct Value {
    /// The exact value, if it is rational.
    exact: Option<Rational>,
    /// The nearest `f64`, or one close to it.
    float: f64,
}

impl Value {
    fn rational(exact: Rational) -> Value {
        Value { float: rational::to_f64(&exact), exact: Some(exact) }
    }

    fn irrational(float: f64) -> Value {
        Value { exact: None, float }
    }
}

/// Evaluates a constant expression. Errors point at the part that is not a constant.
fn evaluate(source: &Source, expr: &Expr) -> Result<Value, Diagnostic> {
    match &expr.kind {
        Kind::Number(value) => Ok(Value::rational(value.clone())),
        Kind::Name(name) => match name.as_str() {
            "pi" => Ok(Value::irrational(std::f64::consts::PI)),
            "inf" => Ok(Value::irrational(f64::INFINITY)),
            "x" => Err(source
                .error(expr.span, "a number is needed here", "`x` varies")
                .help("parameters, ends of intervals and π0 are constants such as 1/3, 0.25, sqrt(2)/2")),
            _ => Err(source
                .error(expr.span, format!("unknown name `{name}`"), "not a constant")
                .help("constants are numbers, pi, inf, and exp log sqrt sin cos of them")),
        },
        Kind::Negate(inner) => {
            let Value { exact, float } = evaluate(source, inner)?;
            Ok(Value { exact: exact.map(|exact| -exact), float: -float })
        }
        Kind::Binary(op, left, right) => {
            let [l, r] = [evaluate(source, left)?, evaluate(source, right)?];
            if *op == Op::Div && r.float == 0.0 {
                return Err(source.error(right.span, "division by zero", "this is 0"));
            }
            Ok(combine(*op, l, r))
        }
        Kind::Call(name, span, arguments) => {
            let Some(function) = elementary_function(name) else {
                return Err(source.error(*span, format!("`{name}` is not a number here"), "a constant is needed"));
            };
            let [argument] = arguments.as_slice() else {
                return Err(source.error(expr.span, format!("`{name}` takes one argument"), "write one"));
            };
            Ok(Value::irrational(function(evaluate(source, argument)?.float)))
        }
        _ => Err(source.error(expr.span, "a number is needed here", "this is not a number")),
    }
}

/// A function that constants may use, by name.
fn elementary_function(name: &str) -> Option<fn(f64) -> f64> {
    match name {
        "exp" => Some(f64::exp),
        "log" => Some(f64::ln),
        "sqrt" => Some(f64::sqrt),
        "sin" => Some(f64::sin),
        "cos" => Some(f64::cos),
        _ => None,
    }
}

/// The value of `left op right`: exact if both are and the result is rational, else in floating point. A divisor is not 0.
fn combine(op: Op, left: Value, right: Value) -> Value {
    if let (Some(a), Some(b)) = (left.exact, right.exact) {
        let exact = match op {
            Op::Add => Some(a + b),
            Op::Sub => Some(a - b),
            Op::Mul => Some(a * b),
            Op::Div => Some(a / b),
            Op::Pow => rational::power(&a, &b),
        };
        if let Some(exact) = exact {
            return Value::rational(exact);
        }
    }
    let (l, r) = (left.float, right.float);
    Value::irrational(match op {
        Op::Add => l + r,
        Op::Sub => l - r,
        Op::Mul => l * r,
        Op::Div => l / r,
        Op::Pow => l.powf(r),
    })
}
