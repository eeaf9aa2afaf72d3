//! One operating condition, as a user writes it.

use rocproof_arith::Rational;
use rocproof_engine::constant::Constant;
use rocproof_engine::functional::Condition;
use rocproof_language::{Diagnostic, Source, Span, parse};
use std::fmt;

/// Advice on the syntax of operating conditions.
const FORM: &str = "write c=0.2 for a cost proportion, z=0.2 for a skew";

/// An operating condition: a cost proportion `c=0.2` or a skew `z=0.2`, exactly as it was written.
///
/// ```
/// use rocproof_scored::OperatingPoint;
/// assert_eq!(OperatingPoint::parse("c = 0.2")?.to_string(), "c = 1/5");
/// assert_eq!(OperatingPoint::parse("z=2")
///     .unwrap_err().message, "an operating condition lies between 0 and 1");
/// # Ok::<(), rocproof_language::Diagnostic>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct OperatingPoint {
    condition: Condition,
    value: Rational,
}

impl OperatingPoint {
    /// A cost proportion or a skew; `None` if it does not lie in [0, 1].
    pub fn new(condition: Condition, value: Rational) -> Option<OperatingPoint> {
        (value >= Rational::ZERO && value <= Rational::ONE).then_some(OperatingPoint { condition, value })
    }

    /// Reads `c=0.2` or `z=1/5`.
    pub fn parse(text: &str) -> Result<OperatingPoint, Diagnostic> {
        OperatingPoint::read(&Source::new("operating condition", text))
    }

    /// Reads `c=0.2` or `z=1/5`; errors point into the source.
    pub fn read(source: &Source) -> Result<OperatingPoint, Diagnostic> {
        let text = &source.text;
        let Some((name, value)) = text.split_once('=') else {
            return Err(source.error(source.whole(), "an operating condition is needed", "has no `=`").help(FORM));
        };
        let condition = match name.trim() {
            "c" => Condition::Cost,
            "z" => Condition::Skew,
            other => {
                let span = Span { start: 0, end: name.len() };
                let message = format!("unknown operating condition `{other}`");
                return Err(source.error(span, message, "not c or z").help(FORM));
            }
        };
        let start = text.len() - value.len();
        // Blanks instead of the name, so that the positions of errors are those in the text.
        let padded = Source::new(&source.name, format!("{}{value}", " ".repeat(start)));
        let constant = Constant::of(&padded, &parse(&padded)?)?;
        let point = constant.as_rational().and_then(|value| OperatingPoint::new(condition, value));
        point.ok_or_else(|| {
            let span = Span { start, end: text.len() };
            source.error(span, "an operating condition lies between 0 and 1", format!("this is {}", constant.value))
        })
    }

    /// Whether the value is a cost proportion or a skew.
    pub fn condition(&self) -> Condition {
        self.condition
    }

    /// The value.
    pub fn value(&self) -> &Rational {
        &self.value
    }
}

impl fmt::Display for OperatingPoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} = {}", if self.condition == Condition::Cost { "c" } else { "z" }, self.value)
    }
}
