//! The definitions of all functionals, each once, as text in the language.
//!
//! A functional is the integral along the curve of an expression that is homogeneous of degree one in the differentials `dx`, `dF0`,
//! `dF1`. Other names are defined from those:
//!
//! * `R` is the predicted positive rate, `c` the posterior `π1 dF1/dR` (the cost proportion for which a point of a convex
//!   curve is optimal). Their differentials are `dR`, `dc`. At a corner of the ROC curve only `c` moves, so `c` is defined by the
//!   direction `(q0, q1) = (dF0, dF1)/(dF0 + dF1)`, which a corner has too.
//! * `Q(c)` is the loss at a point of the curve under cost proportion `c`, `w` the density of cost proportions, `mean` its
//!   mean; `[l, h]` is the scale of the scores.

use crate::{Diagnostic, Kind, Literal, Source, parse};
use rocproof_algebra::Rational;
use std::fmt;
use std::ops::{Add, Div};

/// `Q(t; c)`, the loss at a threshold under cost proportion `c`, with `b = 2`.
pub const LOSS: &str = "2*(c*pi0*(1-F0) + (1-c)*pi1*F1)";

/// The skew `z` of a cost proportion `c` under the class proportions.
pub const SKEW: &str = "c*pi0/(c*pi0 + (1-c)*pi1)";
/// The cost proportion of a skew.
pub const COST_OF_SKEW: &str = "z*pi1/(z*pi1 + (1-z)*pi0)";
/// The loss under a cost proportion divided by the loss under its skew.
pub const UNIT_OF_SKEW: &str = "2*(c*pi0 + (1-c)*pi1)";

/// Names defined from others: the name, its definition, and a definition of `1 - name` where the difference would cancel.
pub const VOCABULARY: [(&str, &str, Option<&str>); 4] = [
    ("R", "pi0*F0 + pi1*F1", Some("pi0*(1-F0) + pi1*(1-F1)")),
    ("dR", "pi0*dF0 + pi1*dF1", None),
    ("c", "pi1*q1/(pi0*q0 + pi1*q1)", Some("pi0*q0/(pi0*q0 + pi1*q1)")),
    ("dc", "pi0*pi1*dq1/(pi0*q0 + pi1*q1)^2", None),
];

/// The names that may occur in an expression, besides the functions `Q(c)` and `w(c)`.
pub const NAMES: [&str; 15] =
    ["x", "F0", "F1", "R", "c", "pi0", "pi1", "mean", "l", "h", "dx", "dF0", "dF1", "dR", "dc"];

/// The two kinds of operating condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// A cost proportion under a fixed class proportion.
    Cost,
    /// A skew, which combines cost and class proportions. With balanced classes it equals the cost proportion.
    Skew,
}

/// A score transform.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transform {
    /// The curve becomes the hull of the ROC curve.
    Conv,
    /// The score becomes the posterior along the hull.
    Cal,
    /// The score becomes the predicted positive rate.
    Even,
}

impl Transform {
    /// The name in the language.
    pub fn name(self) -> &'static str {
        match self {
            Transform::Conv => "Conv",
            Transform::Cal => "Cal",
            Transform::Even => "Even",
        }
    }
}

/// A beta distribution of operating conditions, as the user wrote it.
///
/// ```
/// use rocproof_language::definition::Beta;
/// assert_eq!(Beta::parse("beta(2, 2)")?.to_string(), "beta(2, 2)");
/// assert!(Beta::parse("uniform")?.is_uniform());
/// assert!(Beta::parse("beta(0, 2)").is_err());
/// # Ok::<(), rocproof_language::Diagnostic>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Beta {
    /// The parameters `a` and `b`.
    pub parameters: [Literal; 2],
    text: String,
}

/// The range of the parameters of a beta distribution that a user writes.
const PARAMETERS: std::ops::RangeInclusive<f64> = 0.05..=1e6;

impl Beta {
    /// The uniform distribution.
    pub fn uniform() -> Beta {
        Beta { parameters: [1, 1].map(|one: u8| Literal::rational(one.into())), text: "uniform".into() }
    }

    /// The distribution with rational parameters, which must be positive.
    pub fn rational(parameters: [Rational; 2]) -> Beta {
        let text = format!("beta({}, {})", parameters[0], parameters[1]);
        Beta { parameters: parameters.map(Literal::rational), text }
    }

    /// Reads `uniform` or `beta(a, b)`.
    pub fn parse(text: &str) -> Result<Beta, Diagnostic> {
        let source = Source::new("cost", text);
        let expr = parse(&source)?;
        match &expr.kind {
            Kind::Name(name) if name == "uniform" => Ok(Beta::uniform()),
            Kind::Call(name, _, arguments) if name == "beta" && arguments.len() == 2 => {
                let parameters = [Literal::of(&source, &arguments[0])?, Literal::of(&source, &arguments[1])?];
                for (parameter, argument) in parameters.iter().zip(arguments) {
                    if !PARAMETERS.contains(&parameter.value) {
                        return Err(source.error(
                            argument.span,
                            "the parameters of a cost distribution must lie between 0.05 and 1e6",
                            format!("this is {}", parameter.value),
                        ));
                    }
                }
                Ok(Beta { parameters, text: text.trim().to_owned() })
            }
            _ => Err(source
                .error(expr.span, "unknown cost distribution", "not a cost distribution")
                .help("cost distributions are `uniform` and `beta(a, b)` with a, b > 0")),
        }
    }

    /// Whether it is the uniform distribution.
    pub fn is_uniform(&self) -> bool {
        self.exact().is_some_and(|parameters| parameters.iter().all(Rational::is_one))
    }

    /// The parameters, if both are rational.
    pub fn exact(&self) -> Option<[Rational; 2]> {
        let [a, b] = &self.parameters;
        Some([a.exact.clone()?, b.exact.clone()?])
    }
}

impl fmt::Display for Beta {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// The largest `a + b` of a cost distribution `beta(a, b)` whose density is expanded as a polynomial.
pub const LARGEST_WEIGHT: usize = 64;

/// The density `scale·c^p·(1-c)^q` of a beta distribution with integer parameters: `scale` and `[p, q]`. `None` for parameters that are not
/// positive integers, or whose sum is above [`LARGEST_WEIGHT`].
///
/// ```
/// use rocproof_language::definition::whole_beta;
/// let (scale, powers) = whole_beta(&[2.into(), 3.into()]).unwrap();
/// assert_eq!((scale.to_string().as_str(), powers), ("12", [1, 2]));
/// ```
pub fn whole_beta(parameters: &[Rational; 2]) -> Option<(Rational, [usize; 2])> {
    let integer = |p: &Rational| if p.is_int() { usize::try_from(p.numerator()).ok() } else { None };
    let (a, b) = (integer(&parameters[0])?, integer(&parameters[1])?);
    if a == 0 || b == 0 || a + b > LARGEST_WEIGHT {
        return None;
    }
    // 1/B(a, b) = a·C(a+b-1, a) = a·Π (a+k)/k over k from 1 to b-1.
    let scale = (1..b).fold(Rational::from(a), |scale, k| scale * Rational::from(a + k) / Rational::from(k));
    Some((scale, [a - 1, b - 1]))
}

/// How a functional is computed from the curve of a model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Reading {
    /// The integral along the curve.
    Along(&'static str),
    /// The integral along the hull of the curve, corners included.
    AlongHull(&'static str),
    /// The value at the point whose score is the parameter.
    AtScore(&'static str),
    /// The value at the point whose predicted positive rate is the parameter.
    AtRate(&'static str),
    /// The largest absolute value on the curve.
    Largest(&'static str),
    /// An affine function `a + b·m` of another metric `m`.
    Affine(i8, i8, &'static str),
    /// Another metric, with balanced classes.
    Balanced(&'static str),
    /// Another metric of the hull.
    OfHull(&'static str),
    /// `1 - optimal loss/optimal loss of chance`, under a beta distribution of costs.
    ShareOfChance(Prior),
}

impl Reading {
    /// The expression that is integrated or evaluated, if there is one.
    pub fn text(self) -> Option<&'static str> {
        match self {
            Reading::Along(text) | Reading::AlongHull(text) => Some(text),
            Reading::AtScore(text) | Reading::AtRate(text) | Reading::Largest(text) => Some(text),
            _ => None,
        }
    }
}

/// A reading without references to other metrics.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Primitive {
    /// The integral of an expression along the curve or its hull.
    Integral {
        /// The integrand.
        text: &'static str,
        /// Whether the integral follows the hull.
        hull: bool,
        /// Whether corners count, where only the posterior moves.
        corners: bool,
    },
    /// The value at the point whose score is the parameter.
    AtScore(&'static str),
    /// The value at the point whose predicted positive rate is the parameter.
    AtRate(&'static str),
    /// The largest absolute value on the curve.
    Largest(&'static str),
    /// `1 - optimal loss/optimal loss of chance`, under the beta distribution of the prior for the proportions of the [`Condition`].
    ShareOfChance(Prior),
}

/// A resolved reading. Evaluators and proofs both start from it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Resolved {
    /// The primitive that is computed.
    pub primitive: Primitive,
    /// The class proportions: the model's own (`Cost`), or one half each (`Skew`).
    pub condition: Condition,
    /// `[a, b]` if the functional is `a + b·value` of the primitive.
    pub affine: Option<[i8; 2]>,
    /// The metric that the reading refers to, if it refers to another one.
    pub metric: Option<&'static Definition>,
}

impl Reading {
    /// Resolves references to other metrics. `None` if a metric does not exist, or has no reading along the hull.
    ///
    /// ```
    /// use rocproof_language::definition::{Condition, Primitive, metric_named};
    /// let resolved = metric_named("MBS").unwrap().reading.resolve(Condition::Cost).unwrap();
    /// assert_eq!(resolved.condition, Condition::Skew);
    /// let gini = metric_named("Gini").unwrap().reading.resolve(Condition::Cost).unwrap();
    /// assert_eq!(gini.affine, Some([-1, 2]));
    /// ```
    pub fn resolve(self, condition: Condition) -> Option<Resolved> {
        // Another metric, resolved. The metric at the end of the chain of references is recorded.
        let resolve_metric = |name: &str, condition| {
            let metric = metric_named(name)?;
            let resolved = metric.reading.resolve(condition)?;
            Some(Resolved { metric: resolved.metric.or(Some(metric)), ..resolved })
        };
        let plain = |primitive| Some(Resolved { primitive, condition, affine: None, metric: None });
        match self {
            Reading::Along(text) => plain(Primitive::Integral { text, hull: false, corners: false }),
            Reading::AlongHull(text) => plain(Primitive::Integral { text, hull: true, corners: true }),
            Reading::AtScore(text) => plain(Primitive::AtScore(text)),
            Reading::AtRate(text) => plain(Primitive::AtRate(text)),
            Reading::Largest(text) => plain(Primitive::Largest(text)),
            Reading::ShareOfChance(prior) => plain(Primitive::ShareOfChance(prior)),
            Reading::Affine(a, b, name) => Some(Resolved { affine: Some([a, b]), ..resolve_metric(name, condition)? }),
            Reading::Balanced(name) => resolve_metric(name, Condition::Skew),
            Reading::OfHull(name) => {
                let resolved = resolve_metric(name, condition)?;
                match resolved.primitive {
                    Primitive::Integral { text, corners, .. } => {
                        Some(Resolved { primitive: Primitive::Integral { text, hull: true, corners }, ..resolved })
                    }
                    _ => None,
                }
            }
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
    /// Beta(2, 1+π0/π1): the default of the R package `hmeasure` (severity ratio π1/π0).
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

/// The requirement of a functional on the scores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scores {
    /// No requirement.
    Any,
    /// A bounded scale.
    Bounded,
    /// Probabilities: all in [0, 1].
    Probabilities,
}

impl Scores {
    /// Why scores on the scale `[l, h]` do not meet the requirement; `None` if they do.
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
    /// The name in the language and in JSON.
    pub name: &'static str,
    /// The name in words.
    pub title: &'static str,
    /// How it is computed.
    pub reading: Reading,
    /// The requirement on the scores.
    pub scores: Scores,
    /// The class whose mean score it is; its value then has the unit of the scores. Other metrics have no unit.
    pub mean_of: Option<usize>,
}

/// A name with its parameter: `sf(1/2)`, `sf(0.25)`. The usual parameter 1/2 is written as a fraction.
fn with_parameter(name: &str, value: f64) -> String {
    if value == 0.5 { format!("{name}(1/2)") } else { format!("{name}({value})") }
}

impl Definition {
    /// The name, with the threshold if it depends on one.
    pub fn label(&self, threshold: f64) -> String {
        match self.reading {
            Reading::AtScore(_) | Reading::Balanced("Acc") => with_parameter(self.name, threshold),
            _ => self.name.to_owned(),
        }
    }
}

/// The paper's theorems: the expected losses of rate-uniform and of rate-driven thresholds in terms of the AUC, each over uniform cost
/// proportions and over uniform skews.
pub const LOSSES_BY_AUC: [[&str; 2]; 2] =
    [["pi0*pi1*(1-2*AUC) + 1/2", "(1-2*AUC)/4 + 1/2"], ["pi0*pi1*(1-2*AUC) + 1/3", "(1-2*AUC)/4 + 1/3"]];

/// A metric by name.
pub fn metric_named(name: &str) -> Option<&'static Definition> {
    METRICS.iter().find(|metric| metric.name == name)
}

/// A metric without a unit, as a row of [`METRICS`].
const fn metric(name: &'static str, title: &'static str, scores: Scores, reading: Reading) -> Definition {
    Definition { name, title, reading, scores, mean_of: None }
}

/// A metric that is the mean score of a class, as a row of [`METRICS`].
const fn mean_score(class: usize, definition: Definition) -> Definition {
    Definition { mean_of: Some(class), ..definition }
}

/// The metrics, in the order in which they are shown.
pub const METRICS: [Definition; 18] = {
    use Reading::*;
    use Scores::*;
    [
        metric("AUC", "area under the ROC curve", Any, Along("F0 dF1")),
        metric("AUCH", "area under the ROC convex hull", Any, OfHull("AUC")),
        metric("Gini", "Gini coefficient", Any, Affine(-1, 2, "AUC")),
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
        metric("H_hmeasure", "Hand's H, as the R package hmeasure", Any, ShareOfChance(Prior::PackageDefault)),
        metric("Acc", "accuracy at a threshold", Any, AtScore("pi0*F0 + pi1*(1-F1)")),
        metric("MAcc", "macro-averaged accuracy", Any, Balanced("Acc")),
        mean_score(0, metric("s0", "mean score of the positive class", Any, Along("x dF0"))),
        mean_score(1, metric("s1", "mean score of the negative class", Any, Along("x dF1"))),
    ]
};

/// A threshold choice method. `P` is the type of the parameters of the fixed methods.
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
    pub const ALL: [Method; 7] = Method::each(0.5, 0.5);

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
    /// The seven methods, with parameters for the fixed ones.
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
    /// `Q` is affine in the cost proportion. So where the threshold does not depend on it, only its mean matters.
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

    /// The requirement of the method on the scores.
    pub fn scores(&self) -> Scores {
        match self {
            Method::ScoreUniform => Scores::Bounded,
            Method::ScoreDriven => Scores::Probabilities,
            _ => Scores::Any,
        }
    }
}
