//! A value with its evidence.

use super::exact_value::ExactValue;
use super::missing::Missing;
use crate::calculus::Estimate;
use rocproof_arith::Interval;
use std::borrow::Cow;
use std::fmt;

/// A number with its evidence, or why there is none.
#[derive(Clone, Debug)]
pub enum Value {
    /// The number itself: written out, or with any number of certified digits.
    Exact(Box<ExactValue>),
    /// An interval that contains the number, by proof; and why it is wider than was asked for, if it is.
    Certified(Interval, Option<Cow<'static, str>>),
    /// An estimate with its error, at the numeric level.
    Numeric(Estimate),
    /// No value: the functional does not apply to this model, or the level asked for has none.
    Missing(Missing),
}

impl Value {
    /// The estimate, if there is one.
    pub fn estimate(&self) -> Option<Estimate> {
        match self {
            Value::Exact(exact) => Some(exact.estimate()),
            Value::Certified(interval, _) => Some(Estimate { value: interval.mid(), error: interval.radius() }),
            Value::Numeric(estimate) => Some(*estimate),
            Value::Missing(_) => None,
        }
    }

    /// The interval that contains the value by proof, at the certified or exact level.
    pub fn enclosure(&self) -> Option<Interval> {
        match self {
            Value::Exact(exact) => Some(Interval::new(exact.lo, exact.hi)),
            Value::Certified(interval, _) => Some(*interval),
            Value::Numeric(_) | Value::Missing(_) => None,
        }
    }

    /// The value at the exact level, if it is known there.
    pub fn exact(&self) -> Option<&ExactValue> {
        match self {
            Value::Exact(exact) => Some(exact),
            _ => None,
        }
    }
}

/// The number itself with some digits, or its interval, or its estimate, or why there is none.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Value::Exact(exact) => match &exact.form {
                // Not a whole number: its digits are written as well.
                Ok(form) if form.contains(|c: char| !c.is_ascii_digit() && c != '-') => {
                    write!(f, "{form} = {}", trimmed(&exact.digits(6)))
                }
                Ok(form) => f.write_str(form),
                Err(_) => f.write_str(&exact.digits(15)),
            },
            Value::Certified(interval, _) => write!(f, "[{}, {}]", interval.lo(), interval.hi()),
            Value::Numeric(estimate) => write!(f, "{} ± {:.0e}", estimate.value, estimate.error),
            Value::Missing(why) => why.fmt(f),
        }
    }
}

/// A decimal number without trailing zeros; one with an exponent is left as it is.
fn trimmed(digits: &str) -> &str {
    if digits.contains('.') && !digits.contains('e') {
        return digits.trim_end_matches('0').trim_end_matches('.');
    }
    digits
}

impl From<Missing> for Value {
    fn from(why: Missing) -> Value {
        Value::Missing(why)
    }
}
