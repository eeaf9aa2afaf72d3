//! Hand's H for a severity ratio or a beta distribution of cost proportions.

use super::reading::evaluate_scored;
use super::scored::Scored;
use rocproof_engine::calculus::Estimate;
use rocproof_engine::constant::Constant;
use rocproof_engine::functional::evaluate::evaluate_curve;
use rocproof_engine::functional::{Condition, Cost, Evaluation, Method, Missing, Thresholds, Value};
use rocproof_engine::model::Curve;
use rocproof_language::{Diagnostic, Source, parse};
use std::fmt;
use std::ops::RangeInclusive;

/// The severity ratios that are accepted: those whose prior has admissible parameters.
const RATIOS: RangeInclusive<f64> = 1e-5..=1e5;

/// The relative severity of both errors, as a user writes it.
#[derive(Clone, Debug, PartialEq)]
pub enum Severity {
    /// The severity ratio of R's `hmeasure`: how much more severe a false alarm is than a miss, for the class that higher scores indicate.
    Ratio(Constant),
    /// A distribution of the cost proportion `c`.
    Prior(Box<Cost>),
}

impl Severity {
    /// Reads a severity ratio such as `2` or `1/3`, or a distribution `beta(a, b)`.
    ///
    /// ```
    /// use rocproof_language::Source;
    /// use rocproof_scored::Severity;
    /// assert_eq!(Severity::read(&Source::new("severity", "1/3"))?.to_string(), "1/3");
    /// assert!(Severity::read(&Source::new("severity", "-1")).is_err());
    /// # Ok::<(), rocproof_language::Diagnostic>(())
    /// ```
    pub fn read(source: &Source) -> Result<Severity, Diagnostic> {
        let text = source.text.trim();
        if text.starts_with("beta") || text == "uniform" {
            let named = |mut error: Diagnostic| {
                error.source.name = source.name.clone();
                error
            };
            return Cost::parse(text).map(|prior| Severity::Prior(Box::new(prior))).map_err(named);
        }
        let ratio = Constant::of(source, &parse(source)?)?;
        if RATIOS.contains(&ratio.value) {
            return Ok(Severity::Ratio(ratio));
        }
        let message = "a severity ratio lies between 0.00001 and 100000";
        Err(source.error(source.whole(), message, format!("this is {ratio}")).help("for example 2, or beta(2, 3)"))
    }

    /// The distribution of the cost proportion `c` for the data; `None` if it has no admissible parameters.
    fn prior(&self, data: &Scored) -> Option<Cost> {
        let ratio = match self {
            Severity::Prior(prior) => return Some((**prior).clone()),
            Severity::Ratio(ratio) => ratio.value,
        };
        // R: Beta(2, 1 + 1/ratio) for the cost share of a false alarm for the class that higher scores indicate, which is a miss of the other.
        let [false_alarm, miss] = [2.0, 1.0 + 1.0 / ratio];
        let [a, b] = if data.is_reversed() { [miss, false_alarm] } else { [false_alarm, miss] };
        Cost::parse(&format!("beta({a}, {b})")).ok()
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Severity::Ratio(ratio) => ratio.fmt(f),
            Severity::Prior(prior) => prior.fmt(f),
        }
    }
}

/// Hand's H under one severity.
#[derive(Clone, Debug)]
pub struct HandMeasure {
    /// The severity.
    pub severity: Severity,
    /// The distribution of the cost proportion `c`.
    pub prior: Option<Cost>,
    /// `1 - L[o]/chance`, with the optimal loss of the data and of random scores under the prior.
    pub value: Value,
}

/// Hand's H of scored data under a severity.
pub fn hand_measure(data: &Scored, severity: &Severity) -> HandMeasure {
    let prior = severity.prior(data);
    let share = prior.as_ref().and_then(|prior| {
        let thresholds = Thresholds::default();
        let optimal = |evaluation: Evaluation| evaluation.loss(Condition::Cost, Method::Optimal)?.estimate();
        let loss = optimal(evaluate_scored(data, prior, &thresholds))?;
        let chance = optimal(evaluate_curve(&Curve::diagonal(), data.proportions(), prior, &thresholds))?;
        let share = loss.value / chance.value;
        let error = (loss.error + share.abs() * chance.error) / chance.value + f64::EPSILON;
        Some(Estimate { value: 1.0 - share, error })
    });
    let value = share.map_or_else(|| Missing::NotComputed.into(), Value::Numeric);
    HandMeasure { severity: severity.clone(), prior, value }
}
