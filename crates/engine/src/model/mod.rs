//! Models: densities, their families, and the curve they make.

mod arc_panel;
pub mod behaviour;
pub mod certified;
pub mod curve;
pub mod density;
pub mod endpoint;
pub mod exact_curve;
pub mod family;
pub mod file;
#[allow(clippy::module_inception)]
pub mod model;
pub mod numeric;
pub mod piecewise;
pub mod sample;
pub mod tree;

pub use crate::constant;
pub use curve::Curve;
pub use density::Density;
pub use exact_curve::ExactCurve;
pub use model::{Model, Transform};
pub use piecewise::Piecewise;
