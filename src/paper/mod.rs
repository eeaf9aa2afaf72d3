//! What the paper prints, as data: its appendix models, and its statements.

use crate::lang::{Diagnostic, closest};
use crate::model::{Model, file};
use serde::Deserialize;

macro_rules! models {
    ($($name:literal),* $(,)?) => {
        /// The models of the appendix: the label of the figure and the model file, which says how its densities follow from
        /// the caption.
        pub const MODELS: &[(&str, &str)] = &[$(($name, include_str!(concat!("models/", $name, ".toml")))),*];
    };
}

models![
    "perfectlycalibrated",
    "noncalibrated",
    "noncalibrated2",
    "strictlyconvex",
    "nonstrictlyconvex",
    "severalconcavities",
    "diagonal",
    "diagonal2",
    "notcumulative-simple",
    "notcumulative2",
    "discontinuous",
];

/// A model of the paper by the label of its figure.
///
/// ```
/// let model = rocproof::paper::model("strictlyconvex").unwrap().unwrap();
/// assert_eq!(model.density(1).text(), "4*x^3");
/// assert!(rocproof::paper::model("nosuchmodel").is_none());
/// ```
pub fn model(label: &str) -> Option<Result<Model, Diagnostic>> {
    let (name, text) = MODELS.iter().find(|(name, _)| *name == label)?;
    Some(file::parse(&format!("@{name}"), text))
}

/// The label nearest to a misspelt one.
pub fn closest_label(label: &str) -> Option<&'static str> {
    closest(label, MODELS.iter().map(|(name, _)| *name))
}

/// A statement of the paper.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Claim {
    /// A name of its own, after the paper's label.
    pub id: String,
    /// Where it stands.
    pub place: String,
    /// The statement, in the language.
    pub statement: String,
    /// The claim that it stands for, if that is not true as the paper has it.
    pub repairs: Option<String>,
}

/// The statements of the paper, in its order.
///
/// ```
/// use rocproof::statement::Statement;
/// for claim in rocproof::paper::claims()? {
///     assert!(Statement::parse(&claim.statement).is_ok(), "{}", claim.id);
/// }
/// # Ok::<(), toml::de::Error>(())
/// ```
pub fn claims() -> Result<Vec<Claim>, toml::de::Error> {
    #[derive(Deserialize)]
    struct File {
        statement: Vec<Claim>,
    }
    toml::from_str(include_str!("statements.toml")).map(|file: File| file.statement)
}
