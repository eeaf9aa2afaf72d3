//! Models: densities, their families, and the curve they make.

pub mod behaviour;
pub mod build;
pub mod constant;
pub mod curve;
pub mod density;
pub mod family;
pub mod file;
#[allow(clippy::module_inception)]
pub mod model;
pub mod sample;

pub use curve::Curve;
pub use density::Density;
pub use model::{Model, Transform};
