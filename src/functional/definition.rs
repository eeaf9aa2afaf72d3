//! Every definition, once, as text in the language.
//!
//! A functional is an integral along the curve of an expression that is homogeneous of degree one in the differentials
//! `dx`, `dF0`, `dF1`; all else is defined from those:
//!
//! * `R` is the predicted positive rate, `c` the posterior `π1 dF1/dR` (the cost proportion for which a point of a convex
//!   curve is optimal), both with the differentials `dR`, `dc`. At a corner of the ROC curve `c` moves while all else
//!   stands still, so `c` is written with the direction `(q0, q1) = (dF0, dF1)/(dF0 + dF1)`, which a corner has too.
//! * `Q(c)` is the loss at a point of the curve under cost proportion `c`, `w` the density of cost proportions, `mean` its
//!   mean; `[l, h]` is the scale of the scores.

use std::ops::{Add, Div};

/// `Q(t; c)`, the loss at a threshold under cost proportion `c`, with `b = 2`.
pub const LOSS: &str = "2*(c*pi0*(1-F0) + (1-c)*pi1*F1)";

/// The skew `z` that a cost proportion `c` makes with the class proportions.
pub const SKEW: &str = "c*pi0/(c*pi0 + (1-c)*pi1)";
/// The cost proportion of a skew.
pub const COST_OF_SKEW: &str = "z*pi1/(z*pi1 + (1-z)*pi0)";
/// What the loss under a cost proportion is in units of the loss under its skew.
pub const UNIT_OF_SKEW: &str = "2*(c*pi0 + (1-c)*pi1)";

/// Names defined from others: the name, its definition, and its complement where `1 - name` would cancel.
pub const VOCABULARY: [(&str, &str, Option<&str>); 4] = [
    ("R", "pi0*F0 + pi1*F1", Some("pi0*(1-F0) + pi1*(1-F1)")),
    ("dR", "pi0*dF0 + pi1*dF1", None),
    ("c", "pi1*q1/(pi0*q0 + pi1*q1)", Some("pi0*q0/(pi0*q0 + pi1*q1)")),
    ("dc", "pi0*pi1*dq1/(pi0*q0 + pi1*q1)^2", None),
];

/// The names that an expression may have, besides the functions `Q(c)` and `w(c)`.
pub const NAMES: [&str; 15] =
    ["x", "F0", "F1", "R", "c", "pi0", "pi1", "mean", "l", "h", "dx", "dF0", "dF1", "dR", "dc"];

/// How a functional reads a model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Reading {
    /// The integral along the curve.
    Along(&'static str),
    /// The integral along the hull of the curve, corners included.
    AlongHull(&'static str),
    /// The value where the score is the parameter.
    AtScore(&'static str),
    /// The value where the predicted positive rate is the parameter.
    AtRate(&'static str),
    /// The largest absolute value on the curve.
    Largest(&'static str),
    /// An affine function `a + b·m` of another metric `m`.
    Affine(f64, f64, &'static str),
    /// Another metric, classes taken as balanced.
    Balanced(&'static str),
    /// Another metric of the hull.
    OfHull(&'static str),
    /// One minus the optimal loss as a share of that of chance, under a beta distribution of costs.
    ShareOfChance(Prior),
}

impl Reading {
    /// The expression that is integrated or looked at, if there is one.
    pub fn text(self) -> Option<&'static str> {
        match self {
            Reading::Along(text) | Reading::AlongHull(text) => Some(text),
            Reading::AtScore(text) | Reading::AtRate(text) | Reading::Largest(text) => Some(text),
            _ => None,
        }
    }
}

/// The cost distributions of Hand's H.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prior {
    /// Beta(2, 2): Hand (2009).
    Symmetric,
    /// Beta(1+π1, 1+π0): Hand and Anagnostopoulos (2014), "A better Beta for the H measure".
    ClassProportions,
    /// Beta(2, 1+π0/π1): what the R package `hmeasure` uses unless told otherwise (severity ratio π1/π0).
    PackageDefault,
}

impl Prior {
    /// The parameters of the beta distribution.
    pub fn parameters<T>(self, [pi0, pi1]: [T; 2]) -> [T; 2]
    where
        T: From<u8> + Add<Output = T> + Div<Output = T>,
    {
        let (one, two) = (T::from(1), T::from(2));
        match self {
            Prior::Symmetric => [two, T::from(2)],
            Prior::ClassProportions => [one + pi1, T::from(1) + pi0],
            Prior::PackageDefault => [two, one + pi0 / pi1],
        }
    }
}

/// What a functional asks of the scores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scores {
    /// Nothing.
    Any,
    /// A bounded scale.
    Bounded,
    /// Probabilities: all in [0, 1].
    Probabilities,
}

impl Scores {
    /// Why a functional that asks this does not apply to scores on a scale, if it does not.
    pub fn refusal(self, (l, h): (f64, f64)) -> Option<&'static str> {
        match self {
            Scores::Probabilities if (l, h) != (0.0, 1.0) => {
                Some("scores are not probabilities: some lie outside [0, 1]")
            }
            Scores::Bounded if (h - l).is_infinite() => Some("scores have no bounded scale to draw a threshold from"),
            Scores::Bounded if l >= h => Some("all scores are equal: there is no scale to draw a threshold from"),
            _ => None,
        }
    }
}

/// A metric.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Definition {
    /// Its name in the language and in JSON.
    pub name: &'static str,
    /// Its name in words.
    pub title: &'static str,
    /// How it reads a model.
    pub reading: Reading,
    /// What it asks of the scores.
    pub scores: Scores,
}

/// The parameters of fixed thresholds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fixed {
    /// The threshold of the score-fixed method and of accuracy.
    pub threshold: f64,
    /// The predicted positive rate of the rate-fixed method.
    pub rate: f64,
}

impl Default for Fixed {
    fn default() -> Fixed {
        Fixed { threshold: 0.5, rate: 0.5 }
    }
}

/// A name with its parameter: `sf(1/2)`.
fn with_parameter(name: &str, value: f64) -> String {
    if value == 0.5 { format!("{name}(1/2)") } else { format!("{name}({value})") }
}

impl Definition {
    /// The name, with the threshold if it depends on one.
    pub fn label(&self, fixed: Fixed) -> String {
        match self.reading {
            Reading::AtScore(_) | Reading::Balanced("Acc") => with_parameter(self.name, fixed.threshold),
            _ => self.name.to_owned(),
        }
    }
}

/// The expected loss of rate-uniform and of rate-driven thresholds over uniform cost proportions, and over uniform skews, by the AUC: the
/// paper's theorems.
pub const LOSSES_BY_AUC: [[&str; 2]; 2] =
    [["pi0*pi1*(1-2*AUC) + 1/2", "(1-2*AUC)/4 + 1/2"], ["pi0*pi1*(1-2*AUC) + 1/3", "(1-2*AUC)/4 + 1/3"]];

/// A metric by name.
pub fn metric_named(name: &str) -> Option<&'static Definition> {
    METRICS.iter().find(|m| m.name == name)
}

const fn metric(name: &'static str, title: &'static str, scores: Scores, reading: Reading) -> Definition {
    Definition { name, title, reading, scores }
}

/// The metrics, in the order in which they are shown.
pub const METRICS: [Definition; 18] = {
    use Reading::*;
    use Scores::*;
    [
        metric("AUC", "area under the ROC curve", Any, Along("F0 dF1")),
        metric("AUCH", "area under the ROC convex hull", Any, OfHull("AUC")),
        metric("Gini", "Gini coefficient", Any, Affine(-1.0, 2.0, "AUC")),
        metric("KS", "Kolmogorov-Smirnov distance", Any, Largest("F0 - F1")),
        metric("MAE", "mean absolute error", Probabilities, Along("x*pi0*dF0 + (1-x)*pi1*dF1")),
        metric("MMAE", "macro-averaged absolute error", Probabilities, Balanced("MAE")),
        metric("BS", "Brier score", Probabilities, Along("x^2*pi0*dF0 + (1-x)^2*pi1*dF1")),
        metric("MBS", "macro-averaged Brier score", Probabilities, Balanced("BS")),
        metric("CL", "calibration loss", Probabilities, Along("(x-c)^2*dR")),
        metric("RL", "refinement loss", Any, Along("pi0*dF0*pi1*dF1/dR")),
        metric("RL_conv", "refinement loss of the hull", Any, OfHull("RL")),
        metric("H", "Hand's H, Beta(2, 2)", Any, ShareOfChance(Prior::Symmetric)),
        metric("H_priors", "Hand's H, Beta(1+π1, 1+π0)", Any, ShareOfChance(Prior::ClassProportions)),
        metric("H_hmeasure", "Hand's H, Beta(2, 1+π0/π1)", Any, ShareOfChance(Prior::PackageDefault)),
        metric("Acc", "accuracy at a threshold", Any, AtScore("pi0*F0 + pi1*(1-F1)")),
        metric("MAcc", "macro-averaged accuracy", Any, Balanced("Acc")),
        metric("s0", "mean score of class 0", Any, Along("x dF0")),
        metric("s1", "mean score of class 1", Any, Along("x dF1")),
    ]
};

/// A threshold choice method; `P` is what the parameters of the fixed ones are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Method<P = f64> {
    /// `T(c) = t`.
    ScoreFixed(P),
    /// `T(c) = R⁻¹(r)`.
    RateFixed(P),
    /// `T(c)` uniform on the scale of the scores.
    ScoreUniform,
    /// `T(c) = c`.
    ScoreDriven,
    /// `T(c) = R⁻¹(r)`, `r` uniform.
    RateUniform,
    /// `T(c) = R⁻¹(c)`.
    RateDriven,
    /// `T(c)` minimises the loss.
    Optimal,
}

impl Method {
    /// The seven methods, the fixed ones at 1/2.
    pub const ALL: [Method; 7] = Method::all(Fixed { threshold: 0.5, rate: 0.5 });

    /// The seven methods.
    pub const fn all(fixed: Fixed) -> [Method; 7] {
        Method::each(fixed.threshold, fixed.rate)
    }

    /// The name in the language: `sf(1/2)`, `rd`.
    pub fn name(self) -> String {
        match self {
            Method::ScoreFixed(t) => with_parameter("sf", t),
            Method::RateFixed(r) => with_parameter("rf", r),
            Method::ScoreUniform => "su".into(),
            Method::ScoreDriven => "sd".into(),
            Method::RateUniform => "ru".into(),
            Method::RateDriven => "rd".into(),
            Method::Optimal => "o".into(),
        }
    }
}

impl<P> Method<P> {
    /// The seven methods with the parameters of the fixed ones.
    pub const fn each(threshold: P, rate: P) -> [Method<P>; 7] {
        [
            Method::ScoreFixed(threshold),
            Method::RateFixed(rate),
            Method::ScoreUniform,
            Method::ScoreDriven,
            Method::RateUniform,
            Method::RateDriven,
            Method::Optimal,
        ]
    }

    /// The name in words.
    pub fn title(&self) -> &'static str {
        match self {
            Method::ScoreFixed(_) => "score-fixed",
            Method::RateFixed(_) => "rate-fixed",
            Method::ScoreUniform => "score-uniform",
            Method::ScoreDriven => "score-driven",
            Method::RateUniform => "rate-uniform",
            Method::RateDriven => "rate-driven",
            Method::Optimal => "optimal",
        }
    }

    /// The expected loss as a reading of the curve.
    ///
    /// `Q` is affine in the cost proportion, so where the threshold does not depend on it, its mean is all that counts.
    pub fn reading(&self) -> Reading {
        match self {
            Method::ScoreFixed(_) => Reading::AtScore("Q(mean)"),
            Method::RateFixed(_) => Reading::AtRate("Q(mean)"),
            Method::ScoreUniform => Reading::Along("Q(mean)/(h-l) dx"),
            Method::ScoreDriven => Reading::Along("Q(x)*w(x) dx"),
            Method::RateUniform => Reading::Along("Q(mean) dR"),
            Method::RateDriven => Reading::Along("Q(R)*w(R) dR"),
            Method::Optimal => Reading::AlongHull("Q(c)*w(c) dc"),
        }
    }

    /// What the method asks of the scores.
    pub fn scores(&self) -> Scores {
        match self {
            Method::ScoreUniform => Scores::Bounded,
            Method::ScoreDriven => Scores::Probabilities,
            _ => Scores::Any,
        }
    }
}
