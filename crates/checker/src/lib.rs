//! What statements about models mean, what rules say is not negative, and whether a certificate proves what it says.
//!
//! This crate is what must be believed to believe a proof, together with the [algebra](rocproof_algebra) and the
//! [language](rocproof_language) that it stands on. It searches for nothing and evaluates no model.
//!
//! | file | what it holds |
//! | --- | --- |
//! | [`statement`] | statements: names resolved, classes, conditions |
//! | [`symbol`] | what the variables of forms stand for |
//! | [`form`], [`path`] | one-forms along a curve; classes as parametrisations of curves |
//! | [`lower`], [`integrand`] | functionals as integrals of forms, by their definitions and the meaning of integrands on each piece |
//! | [`rules`] | what is not negative for every model of a class |
//! | [`relation`], [`sum`], [`inequalities`] | equal integrals; sums of integrals; comparisons taken apart |
//! | [`certificate`], [`check`] | proofs as objects, and their check |
//! | [`foundations`] | where what they use is proved on paper |

#![forbid(unsafe_code)]
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

pub mod certificate;
pub mod check;
pub mod form;
pub mod foundations;
pub mod inequalities;
pub mod integrand;
pub mod lower;
pub mod path;
pub mod relation;
pub mod rules;
pub mod statement;
pub mod sum;
pub mod symbol;
