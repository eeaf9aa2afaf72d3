//! The engine: a model is a curve, and metrics and losses are integrals along it.
//!
//! | module | what lives there |
//! | --- | --- |
//! | [`constant`] | numbers that a user writes: exact, as a float, enclosed |
//! | [`calculus`] | one quadrature rule, coordinates, panels, integrals, roots; rational functions integrated exactly |
//! | [`model`] | densities, their families, models and model files; the curve, sampled, exact and enclosed |
//! | [`transform`] | `Conv`, `Cal`, `Even`; bijective, constant and singular intervals; hulls at each level |
//! | [`functional`] | the definitions, and their readings: along the curve in floats, exactly and in enclosures, and literally |

#![forbid(unsafe_code)]
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

pub mod calculus;
pub mod constant;
pub mod functional;
pub mod model;
pub mod transform;

pub use functional::{
    Condition, Cost, Evaluation, Level, Method, Missing, Refusal, Request, Thresholds, Value, evaluate,
};
pub use model::{Density, Model};
