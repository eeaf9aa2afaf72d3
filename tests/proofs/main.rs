//! Statements: proofs and their certificates, counterexamples, and the two against each other.

#[path = "../common/mod.rs"]
mod common;

mod certificates;
mod inequalities;
mod mutations;
mod refutation;
mod soundness;
