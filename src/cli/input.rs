//! A model from the command line: a file, `@name`, or densities.

use crate::front::{Failure, read_model};
use crate::lang::Source;
use crate::model::{Model, Transform};
use clap::{Args, ValueEnum};

/// The model of a command.
#[derive(Args)]
pub(crate) struct ModelArguments {
    /// A model file (TOML), or one of the paper's models as @name
    #[arg(value_name = "MODEL", conflicts_with_all = ["f0", "f1", "pi0"])]
    model: Option<String>,
    /// Score density of class 0, e.g. 'beta(2, 5)' or '2*(1-x)'
    #[arg(long, value_name = "DENSITY", requires = "f1", allow_hyphen_values = true)]
    f0: Option<String>,
    /// Score density of class 1
    #[arg(long, value_name = "DENSITY", requires = "f0", allow_hyphen_values = true)]
    f1: Option<String>,
    /// Proportion of class 0 [default: 1/2]
    #[arg(long, value_name = "NUMBER", requires = "f0", allow_hyphen_values = true)]
    pi0: Option<String>,
    /// Transform the model first; may be repeated, the first one is applied first
    #[arg(long, value_name = "TRANSFORM")]
    transform: Vec<TransformName>,
}

/// A score transform by name.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum TransformName {
    /// The convex hull of the ROC curve
    Conv,
    /// Scores become posteriors along the hull
    Cal,
    /// Scores become predicted positive rates
    Even,
}

impl TransformName {
    /// The transform.
    pub fn transform(self) -> Transform {
        match self {
            TransformName::Conv => Transform::Conv,
            TransformName::Cal => Transform::Cal,
            TransformName::Even => Transform::Even,
        }
    }
}

impl ModelArguments {
    /// Reads the model and applies the transforms.
    pub fn read(&self) -> Result<Model, Failure> {
        let model = match (&self.model, &self.f0, &self.f1) {
            (Some(name), _, _) => read_model(name)?,
            (None, Some(f0), Some(f1)) => read_densities(f0, f1, self.pi0.as_deref().unwrap_or("1/2"))?,
            _ => {
                return Err(Failure::with_help(
                    "which model? Give a MODEL file, a model of the paper as @name, or --f0 and --f1",
                    "for example: @strictlyconvex, or --f0 'beta(2, 5)' --f1 'beta(5, 2)'",
                ));
            }
        };
        Ok(self.transform.iter().fold(model, |model, name| model.transformed(name.transform())))
    }
}

/// Reads a model from densities on the command line.
pub(super) fn read_densities(f0: &str, f1: &str, pi0: &str) -> Result<Model, Failure> {
    Ok(Model::from_sources(Source::new("--f0", f0), Source::new("--f1", f1), Source::new("--pi0", pi0))?)
}
