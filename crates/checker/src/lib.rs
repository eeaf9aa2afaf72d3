//! The meaning of statements about models, the rules of proof, and the check of certificates.
//!
//! A proof rests on this crate, the [algebra](rocproof_algebra) and the [language](rocproof_language), and on nothing else. The crate
//! searches for nothing and evaluates no model.
//!
//! | file | what it holds |
//! | --- | --- |
//! | [`statement`] | statements with resolved names: classes, premises, claims, conditions |
//! | [`symbol`] | the symbols behind the variables of fractions |
//! | [`form`] | one-forms along a curve |
//! | [`path`] | classes of models as parametrised curves |
//! | [`lower`] | statements and functionals as integrals of one-forms, by their definitions |
//! | [`integrand`] | integrands as fractions of the coordinates, with every divisor checked |
//! | [`rules`] | quantities that are not negative for every model of a class |
//! | [`relation`] | linear relations between integrals |
//! | [`sum`] | sums of integrals |
//! | [`inequalities`] | comparisons split into inequalities |
//! | [`certificate`] | proofs as data |
//! | [`check`] | the check of a certificate |
//! | [`foundations`] | the anchors of lemmas and rules in `docs/foundations.md` |

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
