//! Counterexamples: statements refuted by the simplest model that breaks them, by proof.
//!
//! [`refute`] tries models, simple ones first, in floating point; what breaks a statement there is decided with the numbers themselves or
//! with enclosures that do not overlap, and made simpler as long as it stays a counterexample. [`examine`] decides a statement on
//! models that are given.

mod assignments;
mod candidates;
mod climb;
mod counterexample;
mod decide;
mod membership;
mod panel;
mod recipe;
mod refute;
mod scalar;
mod shape;
mod shrink;
mod simplicity;
mod trial;
mod value;
mod witness;

pub use crate::budget::{Budget, Ceiling};
pub use counterexample::Counterexample;
pub use decide::{Decision, FailedClaim, examine};
pub use membership::is_member;
pub use panel::{guard, independent};
pub use refute::{SearchOutcome, Support, refute};
pub use shape::ModelText;
pub use witness::{Witness, witness};
