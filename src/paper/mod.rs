//! What the paper prints, as data: its appendix models.

use crate::lang::{Diagnostic, closest};
use crate::model::{Model, file};

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
