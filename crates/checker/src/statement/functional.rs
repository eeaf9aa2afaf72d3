//! Functionals in statements, and how they are printed.

use super::{Class, Statement};
use rocproof_language::definition::{Beta, Condition, Method, Primitive, Scores, Transform, metric_named};
use rocproof_language::question::{self, CurvePoint};
use rocproof_language::{Expr, Kind, Literal, Source, parse};
use std::fmt;

/// A functional of one of the models of a statement.
#[derive(Clone, Debug, PartialEq)]
pub struct Functional {
    /// The number of the model.
    pub model: usize,
    /// The name of that model.
    pub model_name: String,
    /// Whether it is the only model of the statement. Its name is not printed then, unless it is transformed.
    pub is_only_model: bool,
    /// The transforms applied to it, the first one first.
    pub transforms: Vec<Transform>,
    /// Cost proportions, or skews, for which classes are balanced.
    pub condition: Condition,
    /// The distribution of operating conditions.
    pub weight: CostDistribution,
    /// The quantity that is asked for.
    pub asked: Asked,
}

/// A distribution of operating conditions.
#[derive(Clone, Debug, PartialEq)]
pub enum CostDistribution {
    /// A known beta distribution.
    Known(Box<Beta>),
    /// Any density `w`.
    Any,
}

/// A quantity that a statement asks of a model.
pub type Asked = question::Asked<Amount, Integrand>;

/// An integrand: an expression whose spans point into the statement, and its text.
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

    /// The text.
    pub fn text(&self) -> &str {
        &self.text
    }
}

/// Integrands are equal if their texts are, wherever they stand in the statement.
impl PartialEq for Integrand {
    fn eq(&self, other: &Integrand) -> bool {
        self.text == other.text
    }
}

/// A threshold or a rate: a number or a parameter.
#[derive(Clone, Debug, PartialEq)]
pub enum Amount {
    /// A number.
    Number(Literal),
    /// A parameter.
    Symbol(String),
}

impl Functional {
    /// The parameter that it depends on, if any.
    pub fn parameter(&self) -> Option<&str> {
        match self.point()?.parameter() {
            Amount::Symbol(name) => Some(name),
            Amount::Number(_) => None,
        }
    }

    /// The point of the curve that it reads, if it reads one only.
    pub fn point(&self) -> Option<CurvePoint<&Amount>> {
        self.asked.point()
    }

    /// Whether it reads one point, which is fixed by a rate. Of evenly spaced scores every score is a rate.
    pub(crate) fn looks_at_rate(&self, statement: &Statement) -> bool {
        let even = self.transforms.contains(&Transform::Even) || statement.classes.contains(&Class::Even);
        matches!(self.point(), Some(CurvePoint::Rate(_))) || (even && self.point().is_some())
    }

    /// The primitive behind its definition; `None` for integrals and coordinates.
    fn primitive(&self) -> Option<Primitive> {
        let reading = match &self.asked {
            Asked::Metric(definition, _) => definition.reading,
            Asked::Loss(method) => method.reading(),
            Asked::Integral(_) | Asked::At(..) => return None,
        };
        reading.resolve(self.condition).map(|resolved| resolved.primitive)
    }

    /// Whether it depends on the scores of the model themselves, and not only on their order.
    pub fn reads_scores(&self) -> bool {
        // `Even` and `Cal` replace the scores.
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
        let by_definition =
            matches!(self.primitive(), Some(Primitive::Integral { hull: true, .. } | Primitive::ShareOfChance(_)));
        let by_transform = self.transforms.iter().any(|t| matches!(t, Transform::Conv | Transform::Cal));
        by_definition || by_transform
    }

    /// The requirement on the scores of the model before the transforms.
    pub fn scores(&self) -> Scores {
        // `Even` and `Cal` turn any scores into probabilities.
        if self.transforms.iter().any(|transform| *transform != Transform::Conv) {
            return Scores::Any;
        }
        match &self.asked {
            Asked::Metric(definition, _) => match definition.reading {
                rocproof_language::definition::Reading::Balanced(other) => {
                    metric_named(other).map_or(definition.scores, |other| other.scores)
                }
                _ => definition.scores,
            },
            Asked::Loss(method) => method.scores(),
            // Operating conditions lie in [0, 1], so the scores do if they are arguments of `w`.
            Asked::Integral(integrand)
                if calls(&integrand.expr, &|name, argument| name == "w" && reads(argument, &["x"])) =>
            {
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

/// Prints a point of the curve as in statements: `1/2`, `Rinv(r)`.
fn point_text(point: CurvePoint<&Amount>) -> String {
    match point {
        CurvePoint::Score(amount) => amount.to_string(),
        CurvePoint::Rate(amount) => format!("Rinv({amount})"),
    }
}

impl fmt::Display for Functional {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let balanced = self.condition == Condition::Skew;
        match &self.asked {
            Asked::Metric(definition, point) => {
                write!(f, "{}{}", if balanced { "M" } else { "" }, definition.name)?;
                if let Some(point) = point {
                    write!(f, "({})", point_text(point.as_ref()))?;
                }
            }
            Asked::Loss(method) => {
                let method = match method {
                    Method::ScoreFixed(threshold) => format!("sf({threshold})"),
                    Method::RateFixed(rate) => format!("rf({rate})"),
                    other => other.map(|_| 0.0).name(),
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
            Asked::At(name, point) => write!(f, "{name}({})", point_text(point.as_ref()))?,
        }
        if self.transforms.is_empty() && self.is_only_model {
            return Ok(());
        }
        let model = self.transforms.iter().fold(self.model_name.clone(), |inner, t| format!("{}({inner})", t.name()));
        write!(f, "({model})")
    }
}

/// The name of the model in a statement that names none.
pub(crate) const ONLY_MODEL: &str = "m";

/// The names in an integrand that depend on the scores themselves or on the ends of their scale.
pub const SCORES: [&str; 4] = ["x", "dx", "l", "h"];

/// Whether an integrand depends on the density of operating conditions: on its values or on its mean.
pub(crate) fn reads_weight(integrand: &Expr) -> bool {
    reads(integrand, &["mean"]) || calls(integrand, &|name, _| name == "w")
}

/// Whether an expression contains a call `name(argument)` that satisfies a predicate on the name and an argument.
fn calls(expr: &Expr, predicate: &dyn Fn(&str, &Expr) -> bool) -> bool {
    match &expr.kind {
        Kind::Negate(inner) | Kind::OnPieces(inner, _) => calls(inner, predicate),
        Kind::Binary(_, left, right) => calls(left, predicate) || calls(right, predicate),
        Kind::Call(name, _, arguments) => {
            arguments.iter().any(|argument| predicate(name, argument) || calls(argument, predicate))
        }
        _ => false,
    }
}

/// Whether one of some names occurs in an expression.
pub fn reads(expr: &Expr, names: &[&str]) -> bool {
    match &expr.kind {
        Kind::Name(name) => names.contains(&name.as_str()),
        Kind::Negate(inner) | Kind::OnPieces(inner, _) => reads(inner, names),
        Kind::Binary(_, left, right) => reads(left, names) || reads(right, names),
        Kind::Call(_, _, arguments) => arguments.iter().any(|argument| reads(argument, names)),
        _ => false,
    }
}
