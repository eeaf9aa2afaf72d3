//! Printed digits: the values that round to them, and how wrong digits may have come about.

use crate::arith::rational::{parse_decimal, to_decimal, to_f64};
use crate::arith::{Interval, Rational};
use crate::functional::Value;
use crate::functional::definition::metric_named;
use crate::functional::program::Program;
use crate::model::Model;
use crate::paper::claim::Explanation;
use dashu_int::UBig;

/// A number as the paper prints it.
#[derive(Clone, Debug, PartialEq)]
pub struct Digits {
    /// The digits as text.
    pub text: String,
    /// Their value.
    value: Rational,
    /// The number of decimals.
    decimals: usize,
}

impl Digits {
    /// Reads digits; `None` if the text is not a decimal number.
    ///
    /// ```
    /// use rocproof::paper::audit::Digits;
    /// assert_eq!(Digits::new("0.857").unwrap().bounds().map(|end| end.to_string()), ["1713/2000", "343/400"]);
    /// ```
    pub fn new(text: &str) -> Option<Digits> {
        let decimals = text.split_once('.').map_or(0, |(_, decimals)| decimals.len());
        Some(Digits { text: text.to_owned(), value: parse_decimal(text)?, decimals })
    }

    /// One unit of the last digit.
    fn unit(&self) -> Rational {
        Rational::ONE / Rational::from(UBig::from(10u8).pow(self.decimals))
    }

    /// The interval of values that round to the digits. A number without decimals stands for itself.
    pub fn bounds(&self) -> [Rational; 2] {
        let half = if self.decimals == 0 { Rational::ZERO } else { self.unit() / Rational::from(2) };
        [&self.value - &half, &self.value + half]
    }

    /// Whether a rational number rounds to the digits.
    pub(crate) fn are_of(&self, value: &Rational) -> bool {
        let [low, high] = self.bounds();
        (low..=high).contains(value)
    }

    /// A value rounded to as many decimals; `None` unless both ends of its enclosure round alike.
    pub fn rounded(&self, value: &Value) -> Option<String> {
        let enclosure = value.enclosure()?;
        let round = |x: f64| Some(to_decimal(&Rational::try_from(x).ok()?, self.decimals));
        let [low, high] = [round(enclosure.lo())?, round(enclosure.hi())?];
        (low == high).then_some(low)
    }

    /// Whether truncating a number gives these digits.
    fn are_cut_from(&self, value: f64) -> bool {
        (to_f64(&self.value)..to_f64(&(&self.value + self.unit()))).contains(&value)
    }
}

/// A computation that gives printed digits which are not those of the value.
#[derive(Clone, Debug)]
pub struct Explained {
    /// The computation.
    pub how: Explanation,
    /// Its result.
    pub gives: f64,
}

/// Tries an explanation of wrong digits; `None` if it does not give them.
pub(super) fn explain(how: &Explanation, model: &Model, value: &Value, digits: &Digits) -> Option<Explained> {
    let gives = match how {
        Explanation::Cut(_) => value.estimate()?.value,
        Explanation::Mean { mean_of, points } => mean(model, mean_of, *points)?,
    };
    digits.are_cut_from(gives).then(|| Explained { how: how.clone(), gives })
}

/// The mean of the integrand of a metric at equally spaced scores from 0 to 1. `None` if the integrand uses more than densities and proportions.
fn mean(model: &Model, metric: &str, points: u32) -> Option<f64> {
    let program = Program::new(&[metric_named(metric)?.reading.text()?]).ok()?;
    let [pi0, pi1] = model.enclosed_proportions();
    let steps = points.checked_sub(1).filter(|steps| *steps > 0)?;
    let mut sum = Interval::ZERO;
    for k in 0..points {
        let x = f64::from(k) / f64::from(steps);
        let [f0, f1] = [0, 1].map(|class| Interval::from(model.density(class).density(x)));
        let one = Interval::from(1.0);
        let value_of = |name: &str| match name {
            "dx" => Some(&one),
            "dF0" => Some(&f0),
            "dF1" => Some(&f1),
            "pi0" => Some(&pi0),
            "pi1" => Some(&pi1),
            _ => None,
        };
        sum = sum + program.value(value_of)?;
    }
    Some(sum.mid() / f64::from(points))
}
