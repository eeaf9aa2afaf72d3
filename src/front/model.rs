//! Models by name.

use super::Failure;
use crate::model::{Model, file};
use crate::paper;

/// Reads a model from its file, or from the paper if its name begins with `@`.
pub fn read_model(name: &str) -> Result<Model, Failure> {
    if let Some(label) = name.strip_prefix('@') {
        let Some(model) = paper::model(label) else {
            let all: Vec<String> =
                paper::MODELS.iter().chain(paper::INTRODUCTION).map(|(name, _)| format!("@{name}")).collect();
            let help = match paper::closest_label(label) {
                Some(near) => format!("did you mean @{near}? There are: {}", all.join(" ")),
                None => format!("there are: {}", all.join(" ")),
            };
            return Err(Failure::with_help(format!("there is no model @{label}"), help));
        };
        return Ok(model?);
    }
    let text = std::fs::read_to_string(name).map_err(|error| {
        let help = match paper::closest_label(name) {
            Some(near) => format!("models of the paper are written with an @: did you mean @{near}?"),
            None => {
                "MODEL is a TOML file with pi0, f0 and f1, or one of the paper's models, such as @strictlyconvex".into()
            }
        };
        Failure::with_help(format!("cannot read the model file {name}: {error}"), help)
    })?;
    Ok(file::parse(name, &text)?)
}
