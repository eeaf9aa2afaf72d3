//! Functionals as statements name them.

use crate::functional::definition::{Definition, Reading, Scores, metric_named};
use crate::functional::program::Program;
use crate::functional::{Condition, Cost};
use crate::model::Transform;
use crate::model::constant::Constant;
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
    pub weight: Weight,
    /// What is asked.
    pub asked: Asked,
}

/// A distribution of operating conditions.
#[derive(Clone, Debug, PartialEq)]
pub enum Weight {
    /// A known one.
    Known(Box<Cost>),
    /// `w`: whichever.
    Any,
}

/// What is asked of a model.
#[derive(Clone, Debug, PartialEq)]
pub enum Asked {
    /// A metric.
    Metric(&'static Definition),
    /// A metric at a place: `Acc(t)`.
    MetricAt(&'static Definition, Place),
    /// An expected loss.
    Loss(Choice),
    /// The integral of a text along the curve.
    Integral(String),
    /// `F0`, `F1` or `R` at a place.
    At(&'static str, Place),
}

/// A threshold choice method.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub enum Choice {
    /// A fixed threshold: by its score (`sf`) or by its rate (`rf`).
    Fixed(Place),
    ScoreUniform,
    ScoreDriven,
    RateUniform,
    RateDriven,
    Optimal,
}

/// A place on the curve.
#[derive(Clone, Debug, PartialEq)]
pub enum Place {
    /// Where the score is so much.
    Score(Amount),
    /// Where the predicted positive rate is so much.
    Rate(Amount),
}

/// A number, or a parameter that stands for one.
#[derive(Clone, Debug, PartialEq)]
pub enum Amount {
    /// A number.
    Number(Constant),
    /// A parameter.
    Symbol(String),
}

impl Place {
    /// How far along.
    pub fn amount(&self) -> &Amount {
        match self {
            Place::Score(amount) | Place::Rate(amount) => amount,
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
    pub fn method(&self) -> crate::functional::Method {
        use crate::functional::Method;
        match self {
            Choice::Fixed(Place::Score(_)) => Method::ScoreFixed(f64::NAN),
            Choice::Fixed(Place::Rate(_)) => Method::RateFixed(f64::NAN),
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
        match self.place()?.amount() {
            Amount::Symbol(name) => Some(name),
            Amount::Number(_) => None,
        }
    }

    /// The place that it looks at, if it looks at one only.
    pub fn place(&self) -> Option<&Place> {
        match &self.asked {
            Asked::MetricAt(_, place) | Asked::At(_, place) | Asked::Loss(Choice::Fixed(place)) => Some(place),
            _ => None,
        }
    }

    /// Whether it reads the scores of the model themselves, and not only their order.
    pub fn reads_scores(&self) -> bool {
        if self.transforms.iter().any(|transform| *transform != Transform::Conv) {
            return false;
        }
        let reads = |text: &str| Program::new(&[text]).is_ok_and(|program| program.reads(0, &["x", "1-x", "dx"]));
        let text = match &self.asked {
            Asked::Metric(definition) | Asked::MetricAt(definition, _) => match definition.reading {
                Reading::Along(text) => text,
                _ => return false,
            },
            Asked::Loss(choice) => match choice.method().reading() {
                Reading::Along(text) => text,
                _ => return false,
            },
            Asked::Integral(text) => text,
            Asked::At(..) => return false,
        };
        reads(text)
    }

    /// What it asks of the scores of the model, before the transforms.
    pub fn scores(&self) -> Scores {
        // Even and Cal make probabilities of any scores.
        if self.transforms.iter().any(|transform| *transform != Transform::Conv) {
            return Scores::Any;
        }
        match &self.asked {
            Asked::Metric(definition) | Asked::MetricAt(definition, _) => match definition.reading {
                Reading::Balanced(other) => metric_named(other).map_or(definition.scores, |other| other.scores),
                _ => definition.scores,
            },
            Asked::Loss(choice) => choice.method().scores(),
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

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Place::Score(amount) => write!(f, "{amount}"),
            Place::Rate(amount) => write!(f, "Rinv({amount})"),
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
                    Choice::Fixed(Place::Score(amount)) => format!("sf({amount})"),
                    Choice::Fixed(Place::Rate(amount)) => format!("rf({amount})"),
                    other => other.method().name(),
                };
                write!(f, "{}[{method}", if balanced { "Lz" } else { "L" })?;
                match &self.weight {
                    Weight::Known(cost) if cost.is_uniform() => {}
                    Weight::Known(cost) => write!(f, "; {cost}")?,
                    Weight::Any => write!(f, "; w")?,
                }
                f.write_str("]")?;
            }
            Asked::Integral(text) => write!(f, "int({text})")?,
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
pub const ONLY_MODEL: &str = "m";
