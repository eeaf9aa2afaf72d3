//! Which threshold choice methods apply, given what is known about the operating condition and when: the paper's table of required
//! information and its conclusions, as data.

use super::decomposition::{formula_of, not_computed};
use super::scored::Scored;
use rocproof_engine::calculus::Estimate;
use rocproof_engine::functional::definition::LOSSES_BY_AUC;
use rocproof_engine::functional::{Condition, Cost, Evaluation, Method, Value};
use std::fmt;
use std::str::FromStr;

/// When the operating condition is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KnownAt {
    /// At evaluation time already: the threshold can be fixed.
    Evaluation,
    /// At deployment time only: the threshold can be driven by it.
    Deployment,
    /// At no time.
    Never,
}

impl KnownAt {
    /// All cases.
    pub const ALL: [KnownAt; 3] = [KnownAt::Evaluation, KnownAt::Deployment, KnownAt::Never];

    /// Its name: `evaluation`, `deployment`, `never`.
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

/// The text names no time at which an operating condition is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownTime(String);

impl fmt::Display for UnknownTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = KnownAt::ALL.map(KnownAt::name).join(", ");
        write!(f, "`{}` does not say when the operating condition is known; that is one of {names}", self.0)
    }
}

impl std::error::Error for UnknownTime {}

impl FromStr for KnownAt {
    type Err = UnknownTime;

    fn from_str(text: &str) -> Result<KnownAt, UnknownTime> {
        KnownAt::ALL.into_iter().find(|known| known.name() == text).ok_or_else(|| UnknownTime(text.to_owned()))
    }
}

/// What the paper says of a threshold choice method.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Advice {
    /// When the operating condition must be known for the method to be reasonable.
    pub requires: KnownAt,
    /// What it takes the scores for.
    pub uses: &'static str,
    /// When it is recommended.
    pub when: &'static str,
    /// The metric that is its expected loss under uniform cost proportions, in the names of metrics.
    pub cost_metric: &'static str,
    /// The same under uniform skews.
    pub skew_metric: &'static str,
}

/// What the paper says of a method ("Choosing a threshold choice method", "Conclusions").
pub const fn advice(method: Method) -> Advice {
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
            when: "the ranking is reliable, the scores are not, and the hull is not reliable enough to compare_methods thresholds by",
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

/// A method, what is said of it, and what it costs on these data.
#[derive(Clone, Debug)]
pub struct Suggestion {
    /// The method.
    pub method: Method,
    /// What the paper says of it.
    pub advice: Advice,
    /// Whether what is known is what it requires; always if that was not said.
    pub applies: bool,
    /// Its expected loss over cost proportions, or why it has none.
    pub cost_loss: Value,
    /// The same over skews.
    pub skew_loss: Value,
    /// The metric that is its expected loss under uniform cost proportions, where there is one by name.
    pub metric: Option<Value>,
}

/// Methods side by side.
#[derive(Clone, Debug)]
pub struct MethodComparison {
    /// When the operating condition is known, if that was said.
    pub known: Option<KnownAt>,
    /// The distribution of operating conditions under which losses are expected.
    pub cost: String,
    /// All methods; those that apply first, the lower expected loss over cost proportions first among them.
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

/// Sets methods side by side, given when the operating condition is known (all apply if that is not said) and the evaluation of
/// the same data under `cost`.
///
/// ```
/// use rocproof_scored::{KnownAt, Scored, compare_methods, evaluate_scored};
/// use rocproof_engine::{Condition, Cost, Method, functional::Thresholds};
/// let data = Scored::from_rows(&[0.1, 0.4, 0.35, 0.8], &[false, false, true, true], None).unwrap();
/// let cost = Cost::uniform();
/// let evaluation = evaluate_scored(&data, &cost, &Thresholds::default());
/// let choice = compare_methods(&data, &evaluation, &cost, Some(KnownAt::Never));
/// assert_eq!(choice.lowest(Condition::Cost).unwrap().method, Method::ScoreUniform);
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
    let metric = |text: &str| {
        let words: Vec<&str> = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').collect();
        let metrics = evaluation.metrics().map(|(definition, value)| (definition.name, value));
        let read: Vec<(&str, &Value)> =
            named.iter().copied().chain(metrics).filter(|(n, _)| words.contains(n)).collect();
        formula_of(text, &read)
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
                applies: known.is_none_or(|known| known == advice.requires),
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
