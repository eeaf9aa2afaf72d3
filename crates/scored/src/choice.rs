//! The threshold choice methods that apply, given when the operating condition is known: the paper's table of required information and
//! its conclusions, as data.

use super::decomposition::{evaluate_formula, not_computed};
use super::scored::Scored;
use rocproof_engine::calculus::Estimate;
use rocproof_engine::functional::definition::LOSSES_BY_AUC;
use rocproof_engine::functional::{Condition, Cost, Evaluation, Method, Value};
use std::fmt;
use std::str::FromStr;

/// The time at which the operating condition is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KnownAt {
    /// At evaluation time: the threshold can be fixed.
    Evaluation,
    /// At deployment time, not before: the threshold can be driven by the condition.
    Deployment,
    /// Never.
    Never,
}

impl KnownAt {
    /// All times.
    pub const ALL: [KnownAt; 3] = [KnownAt::Evaluation, KnownAt::Deployment, KnownAt::Never];

    /// The name: `evaluation`, `deployment`, `never`.
    pub fn name(self) -> &'static str {
        match self {
            KnownAt::Evaluation => "evaluation",
            KnownAt::Deployment => "deployment",
            KnownAt::Never => "never",
        }
    }
}

impl fmt::Display for KnownAt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            KnownAt::Evaluation => "the operating condition is known at evaluation time",
            KnownAt::Deployment => "the operating condition is known at deployment time, not before",
            KnownAt::Never => "nothing is known about the operating condition at any time",
        })
    }
}

/// The text does not name a time at which an operating condition is known.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` does not say when the operating condition is known; that is one of {names}", names = KnownAt::ALL.map(KnownAt::name).join(", "))]
pub struct UnknownTime(String);

impl FromStr for KnownAt {
    type Err = UnknownTime;

    fn from_str(text: &str) -> Result<KnownAt, UnknownTime> {
        KnownAt::ALL.into_iter().find(|known| known.name() == text).ok_or_else(|| UnknownTime(text.to_owned()))
    }
}

/// The paper's advice on a threshold choice method.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Advice {
    /// When the operating condition must be known for the method to be reasonable.
    pub requires: KnownAt,
    /// The basis of the choice: scores, rates or the hull.
    pub uses: &'static str,
    /// When the method is recommended.
    pub when: &'static str,
    /// The expected loss under uniform cost proportions, as a formula in metrics.
    pub cost_metric: &'static str,
    /// The expected loss under uniform skews, as a formula in metrics.
    pub skew_metric: &'static str,
}

/// The paper's advice on a method (sections "Choosing a threshold choice method" and "Conclusions").
pub(crate) const fn advice(method: Method) -> Advice {
    match method {
        Method::ScoreFixed(_) => Advice {
            requires: KnownAt::Evaluation,
            uses: "scores",
            when: "the threshold is fixed: the condition is given before, or the classifier has no scores to move it by",
            cost_metric: "1 - Acc",
            skew_metric: "1 - MAcc",
        },
        Method::RateFixed(_) => Advice {
            requires: KnownAt::Evaluation,
            uses: "rates",
            when: "a share of positive predictions is fixed: screening, or a known or estimated class proportion",
            cost_metric: "1 - Acc where R = r",
            skew_metric: "1 - MAcc where R = r, classes balanced",
        },
        Method::ScoreUniform => Advice {
            requires: KnownAt::Never,
            uses: "scores",
            when: "no condition will be known, and scores are to be used as probabilities",
            cost_metric: "MAE",
            skew_metric: "MMAE",
        },
        Method::ScoreDriven => Advice {
            requires: KnownAt::Deployment,
            uses: "scores",
            when: "scores are reliable: a good probability estimator, or calibrated",
            cost_metric: "BS",
            skew_metric: "MBS",
        },
        Method::RateUniform => Advice {
            requires: KnownAt::Never,
            uses: "rates",
            when: "no condition will be known, and only the ranking is to be used",
            cost_metric: LOSSES_BY_AUC[0][0],
            skew_metric: LOSSES_BY_AUC[0][1],
        },
        Method::RateDriven => Advice {
            requires: KnownAt::Deployment,
            uses: "rates",
            when: "the ranking is reliable, the scores are not, and the hull is not reliable enough to choose thresholds by",
            cost_metric: LOSSES_BY_AUC[1][0],
            skew_metric: LOSSES_BY_AUC[1][1],
        },
        Method::Optimal => Advice {
            requires: KnownAt::Deployment,
            uses: "the ROC convex hull",
            when: "the scores are not reliable, and thresholds are chosen by the hull of a reliable ROC curve; its loss is \
                   an optimistic bound: it takes the calibration by this hull to hold for new data",
            cost_metric: "RL_conv",
            skew_metric: "RL_conv, classes balanced",
        },
    }
}

/// Whether a method needs the operating condition when it is deployed. A fixed or a random threshold does not.
pub fn needs_condition(method: Method) -> bool {
    matches!(method, Method::ScoreDriven | Method::RateDriven | Method::Optimal)
}

/// A method, the advice on it, and its expected losses on the data.
#[derive(Clone, Debug)]
pub struct Suggestion {
    /// The method.
    pub method: Method,
    /// The paper's advice.
    pub advice: Advice,
    /// Whether enough is known for the method: the condition, if the method needs it. True if the time is not given.
    pub applies: bool,
    /// The expected loss over cost proportions.
    pub cost_loss: Value,
    /// The expected loss over skews.
    pub skew_loss: Value,
    /// The value of [`Advice::cost_metric`]; `None` for the rate-fixed method, whose formula is not in metrics.
    pub metric: Option<Value>,
}

/// Threshold choice methods compared by expected loss.
#[derive(Clone, Debug)]
pub struct MethodComparison {
    /// The time at which the operating condition is known, if it was given.
    pub known: Option<KnownAt>,
    /// The distribution of operating conditions.
    pub cost: String,
    /// All methods: first those that apply, each part sorted by expected loss over cost proportions.
    pub methods: Vec<Suggestion>,
}

impl MethodComparison {
    /// The method with the lowest expected loss among those that apply.
    pub fn lowest(&self, condition: Condition) -> Option<&Suggestion> {
        let loss = |s: &Suggestion| match condition {
            Condition::Cost => s.cost_loss.estimate(),
            Condition::Skew => s.skew_loss.estimate(),
        };
        let applying = self.methods.iter().filter(|s| s.applies && loss(s).is_some());
        let value = |s: &Suggestion| loss(s).map_or(f64::INFINITY, |e| e.value);
        applying.min_by(|a, b| value(a).total_cmp(&value(b)))
    }
}

/// Compares all methods, given the evaluation of the same data under `cost`, and the time at which the operating condition is known (if
/// it is not given, all methods apply).
///
/// ```
/// use rocproof_scored::{KnownAt, Scored, compare_methods, evaluate_scored};
/// use rocproof_engine::{Condition, Cost, Method, functional::Thresholds};
/// let data = Scored::from_rows(&[0.1, 0.4, 0.35, 0.8], &[false, false, true, true], None).unwrap();
/// let cost = Cost::uniform();
/// let evaluation = evaluate_scored(&data, &cost, &Thresholds::default());
/// let choice = compare_methods(&data, &evaluation, &cost, Some(KnownAt::Never));
/// assert_eq!(choice.lowest(Condition::Cost).unwrap().method, Method::ScoreFixed(0.5));
/// ```
pub fn compare_methods(
    data: &Scored,
    evaluation: &Evaluation,
    cost: &Cost,
    known: Option<KnownAt>,
) -> MethodComparison {
    let (pi0, pi1) = data.proportions();
    let proportions = [("pi0", pi0), ("pi1", pi1)];
    let proportions =
        proportions.map(|(name, p)| (name, Value::Numeric(Estimate { value: p, error: 2.0 * f64::EPSILON * p })));
    let named: Vec<(&str, &Value)> = proportions.iter().map(|(name, value)| (*name, value)).collect();
    // The value of a formula in class proportions and metrics. Only the values that it names are passed on: others may be missing.
    let metric = |text: &str| {
        let words: Vec<&str> = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').collect();
        let metrics = evaluation.metrics().map(|(definition, value)| (definition.name, value));
        let values: Vec<(&str, &Value)> =
            named.iter().copied().chain(metrics).filter(|(n, _)| words.contains(n)).collect();
        evaluate_formula(text, &values)
    };
    let mut methods: Vec<Suggestion> = evaluation
        .thresholds
        .methods()
        .into_iter()
        .map(|method| {
            let advice = advice(method);
            let loss = |condition| evaluation.loss(condition, method).cloned().unwrap_or_else(not_computed);
            let has_metric = !matches!(method, Method::RateFixed(_));
            Suggestion {
                applies: known != Some(KnownAt::Never) || !needs_condition(method),
                cost_loss: loss(Condition::Cost),
                skew_loss: loss(Condition::Skew),
                metric: has_metric.then(|| metric(advice.cost_metric)),
                method,
                advice,
            }
        })
        .collect();
    let key = |s: &Suggestion| s.cost_loss.estimate().map_or(f64::INFINITY, |e| e.value);
    methods.sort_by(|a, b| b.applies.cmp(&a.applies).then(key(a).total_cmp(&key(b))));
    MethodComparison { known, cost: cost.to_string(), methods }
}
