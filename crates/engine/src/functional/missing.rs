//! Why a value is missing.

use std::borrow::Cow;
use std::fmt;

/// Why there is no value.
#[derive(Clone, Debug, PartialEq)]
pub enum Missing {
    /// The functional has no value on this model, at any level of evidence.
    Inapplicable(Cow<'static, str>),
    /// A class is too rare for floating point.
    BeyondFloat,
    /// Floating point gave no finite number.
    NotComputed,
    /// No bounded enclosure was found.
    NotEnclosed,
    /// A transform needs a hull that could not be verified near this score.
    UnverifiedHull(f64),
    /// Exact arithmetic could not tell which of two numbers is larger.
    Undecided,
    /// The value is outside of what the exact level computes.
    NotExact(Cow<'static, str>),
}

impl Missing {
    /// Whether another level of evidence may have a value.
    pub fn depends_on_level(&self) -> bool {
        !matches!(self, Missing::Inapplicable(_))
    }
}

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Missing::Inapplicable(why) | Missing::NotExact(why) => f.write_str(why),
            Missing::BeyondFloat => f.write_str("π0 is too close to 0 or 1 for floating point"),
            Missing::NotComputed => f.write_str("it could not be computed"),
            Missing::NotEnclosed => f.write_str("it could not be enclosed; the numeric level estimates it"),
            Missing::UnverifiedHull(x) => write!(
                f,
                "no certified level here: the hull that the transform needs could not be verified near x = {}",
                rocproof_arith::decimal::short(*x, 6)
            ),
            Missing::Undecided => {
                f.write_str("it could not be told from numbers too close to it; another level gives it numerically")
            }
        }
    }
}
