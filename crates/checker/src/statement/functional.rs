//! Functionals as statements name them.

use super::{Class, Statement};
use rocproof_language::definition::{Beta, Condition, Definition, Method, Primitive, Scores, Transform, metric_named};
use rocproof_language::{Expr, Kind, Literal, Source, parse};
use std::fmt;

/// A functional of one of the models of a statement.
#[derive(Clone, Debug, PartialEq)]
pub struct Functional {
    /// Which of the models.
    pub model: usize,
    /// The name of that model.
    pub model_name: String,
    /// Whether it is the only model, which need not be named.
    pub only: bool,
    /// The transforms applied to it, the first one first.
    pub transforms: Vec<Transform>,
    /// Over cost proportions, or over skews: then classes are taken as balanced.
    pub condition: Condition,
    /// The distribution of operating conditions.
    pub weight: CostDistribution,
    /// What is asked.
    pub asked: Asked,
}

/// A distribution of operating conditions.
#[derive(Clone, Debug, PartialEq)]
pub enum CostDistribution {
    /// A known one.
    Known(Box<Beta>),
    /// `w`: whichever.
    Any,
}

/// What is asked of a model.
#[derive(Clone, Debug, PartialEq)]
pub enum Asked {
    /// A metric.
    Metric(&'static Definition),
    /// A metric at a place: `Acc(t)`.
    MetricAt(&'static Definition, CurvePoint),
    /// An expected loss.
    Loss(Choice),
    /// The integral of an expression along the curve.
    Integral(Integrand),
    /// `F0`, `F1` or `R` at a place.
    At(&'static str, CurvePoint),
}

/// What is integrated, with its places in the statement.
#[derive(Clone, Debug)]
pub struct Integrand {
    expr: Expr,
    text: String,
}

impl Integrand {
    /// An expression along the curve.
    pub(crate) fn new(expr: Expr) -> Integrand {
        Integrand { text: expr.to_string(), expr }
    }

    /// The expression.
    pub fn expr(&self) -> &Expr {
        &self.expr
    }

    /// How it is written.
    pub fn text(&self) -> &str {
        &self.text
    }
}

/// Integrands are the same if they are written alike, wherever they stand.
impl PartialEq for Integrand {
    fn eq(&self, other: &Integrand) -> bool {
        self.text == other.text
    }
}

/// A threshold choice method.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub enum Choice {
    /// A fixed threshold: by its score (`sf`) or by its rate (`rf`).
    Fixed(CurvePoint),
    ScoreUniform,
    ScoreDriven,
    RateUniform,
    RateDriven,
    Optimal,
}

/// A place on the curve.
#[derive(Clone, Debug, PartialEq)]
pub enum CurvePoint {
    /// Where the score is so much.
    Score(Amount),
    /// Where the predicted positive rate is so much.
    Rate(Amount),
}

/// A number, or a parameter that stands for one.
#[derive(Clone, Debug, PartialEq)]
pub enum Amount {
    /// A number.
    Number(Literal),
    /// A parameter.
    Symbol(String),
}

impl CurvePoint {
    /// How far along.
    pub fn amount(&self) -> &Amount {
        match self {
            CurvePoint::Score(amount) | CurvePoint::Rate(amount) => amount,
        }
    }
}

impl Choice {
    /// The methods without parameters, by the names that the language gives them.
    pub const NAMED: [(&'static str, Choice); 5] = [
        ("su", Choice::ScoreUniform),
        ("sd", Choice::ScoreDriven),
        ("ru", Choice::RateUniform),
        ("rd", Choice::RateDriven),
        ("o", Choice::Optimal),
    ];

    /// The method; its parameter, where it has one, is not read.
    pub fn method(&self) -> Method {
        match self {
            Choice::Fixed(CurvePoint::Score(_)) => Method::ScoreFixed(f64::NAN),
            Choice::Fixed(CurvePoint::Rate(_)) => Method::RateFixed(f64::NAN),
            Choice::ScoreUniform => Method::ScoreUniform,
            Choice::ScoreDriven => Method::ScoreDriven,
            Choice::RateUniform => Method::RateUniform,
            Choice::RateDriven => Method::RateDriven,
            Choice::Optimal => Method::Optimal,
        }
    }
}

impl Functional {
    /// The parameter that it depends on, if it does.
    pub fn parameter(&self) -> Option<&str> {
        match self.point()?.amount() {
            Amount::Symbol(name) => Some(name),
            Amount::Number(_) => None,
        }
    }

    /// The place that it looks at, if it looks at one only.
    pub fn point(&self) -> Option<&CurvePoint> {
        match &self.asked {
            Asked::MetricAt(_, place) | Asked::At(_, place) | Asked::Loss(Choice::Fixed(place)) => Some(place),
            _ => None,
        }
    }

    /// Whether it looks where a rate, or a score that is a rate, is its parameter: in a statement about evenly spaced scores all are.
    pub(crate) fn looks_at_rate(&self, statement: &Statement) -> bool {
        let even = self.transforms.contains(&Transform::Even) || statement.classes.contains(&Class::Even);
        matches!(self.point(), Some(CurvePoint::Rate(_))) || (even && self.point().is_some())
    }

    /// The primitive behind its definition; `None` for integrals and coordinates.
    fn primitive(&self) -> Option<Primitive> {
        let reading = match &self.asked {
            Asked::Metric(definition) | Asked::MetricAt(definition, _) => definition.reading,
            Asked::Loss(choice) => choice.method().reading(),
            Asked::Integral(_) | Asked::At(..) => return None,
        };
        reading.resolve(self.condition).map(|resolved| resolved.primitive)
    }

    /// Whether it reads the scores of the model themselves, and not only their order.
    pub fn reads_scores(&self) -> bool {
        if self.transforms.iter().any(|transform| *transform != Transform::Conv) {
            return false;
        }
        if let Asked::Integral(integrand) = &self.asked {
            return reads(&integrand.expr, &SCORES);
        }
        match self.primitive() {
            Some(Primitive::Integral { text, hull: false, .. }) => {
                let expr = parse(&Source::new("definition", text));
                expr.is_ok_and(|expr| reads(&expr, &SCORES))
            }
            _ => false,
        }
    }

    /// Whether its value depends on the hull of the curve.
    pub fn reads_hull(&self) -> bool {
        let hulled = |transform: &Transform| matches!(transform, Transform::Conv | Transform::Cal);
        let defined =
            matches!(self.primitive(), Some(Primitive::Integral { hull: true, .. } | Primitive::ShareOfChance(_)));
        defined || self.transforms.iter().any(hulled)
    }

    /// What it asks of the scores of the model, before the transforms.
    pub fn scores(&self) -> Scores {
        // Even and Cal make probabilities of any scores.
        if self.transforms.iter().any(|transform| *transform != Transform::Conv) {
            return Scores::Any;
        }
        match &self.asked {
            Asked::Metric(definition) | Asked::MetricAt(definition, _) => match definition.reading {
                rocproof_language::definition::Reading::Balanced(other) => {
                    metric_named(other).map_or(definition.scores, |other| other.scores)
                }
                _ => definition.scores,
            },
            Asked::Loss(choice) => choice.method().scores(),
            // Operating conditions lie in [0, 1].
            Asked::Integral(integrand) if calls(&integrand.expr, &|name, at| name == "w" && reads(at, &["x"])) => {
                Scores::Probabilities
            }
            Asked::Integral(_) | Asked::At(..) => Scores::Any,
        }
    }
}

impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Amount::Number(value) => write!(f, "{value}"),
            Amount::Symbol(name) => f.write_str(name),
        }
    }
}

impl fmt::Display for CurvePoint {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            CurvePoint::Score(amount) => write!(f, "{amount}"),
            CurvePoint::Rate(amount) => write!(f, "Rinv({amount})"),
        }
    }
}

impl fmt::Display for Functional {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let balanced = self.condition == Condition::Skew;
        match &self.asked {
            Asked::Metric(definition) => {
                write!(f, "{}{}", if balanced { "M" } else { "" }, definition.name)?;
            }
            Asked::MetricAt(definition, place) => {
                write!(f, "{}{}({place})", if balanced { "M" } else { "" }, definition.name)?;
            }
            Asked::Loss(choice) => {
                let method = match choice {
                    Choice::Fixed(CurvePoint::Score(amount)) => format!("sf({amount})"),
                    Choice::Fixed(CurvePoint::Rate(amount)) => format!("rf({amount})"),
                    other => other.method().name(),
                };
                write!(f, "{}[{method}", if balanced { "Lz" } else { "L" })?;
                match &self.weight {
                    CostDistribution::Known(cost) if cost.is_uniform() => {}
                    CostDistribution::Known(cost) => write!(f, "; {cost}")?,
                    CostDistribution::Any => write!(f, "; w")?,
                }
                f.write_str("]")?;
            }
            Asked::Integral(integrand) => write!(f, "int({})", integrand.text)?,
            Asked::At(name, place) => write!(f, "{name}({place})")?,
        }
        if self.transforms.is_empty() && self.only {
            return Ok(());
        }
        let applied = self.transforms.iter().fold(self.model_name.clone(), |inner, t| format!("{}({inner})", t.name()));
        write!(f, "({applied})")
    }
}

/// What the model is called where a statement has only one and does not name it.
pub(crate) const ONLY_MODEL: &str = "m";

/// The names of an integrand that depend on the scores themselves, and on the ends of their scale.
pub const SCORES: [&str; 4] = ["x", "dx", "l", "h"];

/// Whether an integrand depends on the density of operating conditions, by its values or by its mean.
pub(crate) fn reads_weight(integrand: &Expr) -> bool {
    reads(integrand, &["mean"]) || calls(integrand, &|name, _| name == "w")
}

/// Whether an expression calls a function, by its name and argument.
fn calls(expr: &Expr, is: &dyn Fn(&str, &Expr) -> bool) -> bool {
    match &expr.kind {
        Kind::Negate(inner) | Kind::OnPieces(inner, _) => calls(inner, is),
        Kind::Binary(_, left, right) => calls(left, is) || calls(right, is),
        Kind::Call(name, _, arguments) => arguments.iter().any(|argument| is(name, argument) || calls(argument, is)),
        _ => false,
    }
}

/// Whether an expression has one of some names in it.
pub fn reads(expr: &Expr, names: &[&str]) -> bool {
    match &expr.kind {
        Kind::Name(name) => names.contains(&name.as_str()),
        Kind::Negate(inner) | Kind::OnPieces(inner, _) => reads(inner, names),
        Kind::Binary(_, left, right) => reads(left, names) || reads(right, names),
        Kind::Call(_, _, arguments) => arguments.iter().any(|argument| reads(argument, names)),
        _ => false,
    }
}
