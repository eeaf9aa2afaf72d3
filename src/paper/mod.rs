//! The paper as data: its models and its claims; and their audit.

pub mod audit;
pub mod claim;

pub use claim::{Claim, Slip};

use crate::lang::{Diagnostic, closest};
use crate::model::{Model, file};

macro_rules! models {
    ($(#[$what:meta])* $list:ident: $($name:literal),* $(,)?) => {
        $(#[$what])*
        pub const $list: &[(&str, &str)] = &[$(($name, include_str!(concat!("models/", $name, ".toml")))),*];
    };
}

models![
    /// The two models of the introduction, reconstructed: labels and model files.
    INTRODUCTION: "intro-a", "intro-b"
];

models![
    /// The models of the appendix: labels of figures and model files. Each file says how its densities follow from the caption.
    MODELS:
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

/// Models whose densities or data the paper does not print. They were found from the paper's claims about them, so that meeting these claims only
/// shows that the claims are consistent.
const RECONSTRUCTED: [&str; 6] =
    ["intro-a", "intro-b", "noncalibrated", "noncalibrated2", "severalconcavities", "notcumulative2"];

/// Whether a model is reconstructed from the paper's claims about it, because the paper does not print it.
///
/// ```
/// assert!(rocproof::paper::is_reconstructed("intro-a"));
/// assert!(!rocproof::paper::is_reconstructed("strictlyconvex"));
/// ```
pub fn is_reconstructed(label: &str) -> bool {
    RECONSTRUCTED.contains(&label)
}

/// A model of the paper by the label of its figure.
///
/// ```
/// let model = rocproof::paper::model("strictlyconvex").unwrap().unwrap();
/// assert_eq!(model.density(1).text(), "4*x^3");
/// assert!(rocproof::paper::model("nosuchmodel").is_none());
/// ```
pub fn model(label: &str) -> Option<Result<Model, Diagnostic>> {
    let (name, text) = MODELS.iter().chain(INTRODUCTION).find(|(name, _)| *name == label)?;
    Some(file::parse(&format!("@{name}"), text))
}

/// The label that is closest to a misspelt one.
pub(crate) fn closest_label(label: &str) -> Option<&'static str> {
    closest(label, MODELS.iter().chain(INTRODUCTION).map(|(name, _)| *name))
}

macro_rules! claims {
    ($($name:literal: $title:literal),* $(,)?) => {
        /// The claims, one file per section: its name, the title of the section, and its content.
        const CLAIMS: &[(&str, &str, &str)] = &[$(($name, $title, include_str!(concat!("claims/", $name, ".toml")))),*];
    };
}

claims![
    "01-introduction": "1. Introduction",
    "02-background": "2. Background",
    "03-fixed": "3. Expected loss for fixed-threshold classifiers",
    "04-scores": "4. Threshold choice methods using scores",
    "05-rates": "5. Threshold choice methods using rates",
    "06-optimal": "6. The optimal threshold choice method",
    "07-relating": "7. Relating performance metrics",
    "08-discussion": "8. Discussion",
    "09-appendix": "Appendix: proofs and examples",
];

/// A section of the paper.
#[derive(Clone, Debug)]
pub struct Section {
    /// Its title.
    pub title: &'static str,
    /// Its claims in order, each followed by its repairs.
    pub claims: Vec<Claim>,
    /// Its slips of the pen in order.
    pub slips: Vec<Slip>,
}

/// The sections of the paper, in its order.
pub fn sections() -> Result<Vec<Section>, String> {
    let section = |(name, title, text): &(&str, &'static str, &str)| {
        let (claims, slips) = claim::read_all(text).map_err(|why| format!("{name}: {why}"))?;
        Ok(Section { title, claims, slips })
    };
    CLAIMS.iter().map(section).collect()
}

/// The claims of the paper in order, each followed by its repairs.
///
/// ```
/// use rocproof::statement::Statement;
/// for claim in rocproof::paper::claims()? {
///     if let Some(theorem) = claim.theorem() {
///         assert!(Statement::parse(theorem).is_ok(), "{}", claim.id);
///     }
/// }
/// # Ok::<(), String>(())
/// ```
pub fn claims() -> Result<Vec<Claim>, String> {
    Ok(sections()?.into_iter().flat_map(|section| section.claims).collect())
}

/// The slips of the pen of the paper in order: wrong words, indices and signs, found by reading.
///
/// ```
/// assert!(rocproof::paper::slips()?.iter().all(|slip| slip.words != slip.meant));
/// # Ok::<(), String>(())
/// ```
pub fn slips() -> Result<Vec<Slip>, String> {
    Ok(sections()?.into_iter().flat_map(|section| section.slips).collect())
}
