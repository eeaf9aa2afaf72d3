//! Counterexamples: models that break a statement, by proof.
//!
//! [`refute`] evaluates a statement on models in floating point, simple models first. A model that breaks the statement there is decided
//! exactly, or by enclosures that do not overlap, and then simplified. [`examine`] decides a statement on given models.
//! [`witness()`] looks for a model that satisfies the suppositions, [`guard`] evaluates a proved statement on a fixed panel of models.

mod assignments;
mod candidates;
mod climb;
mod complexity;
mod counterexample;
mod decide;
mod membership;
mod panel;
mod recipe;
mod refute;
mod scalar;
mod shape;
mod shrink;
mod trial;
mod value;
mod witness;

pub use crate::budget::{Budget, Ceiling};
pub use counterexample::Counterexample;
pub use decide::{Decision, FailedClaim, examine};
pub use membership::is_member;
pub use panel::guard;
pub(crate) use panel::show_independence;
pub use refute::{SearchOutcome, Support, refute};
pub use shape::ModelText;
pub use witness::{Witness, witness};
