//! Proofs about all models of a class.
//!
//! A functional is the integral of a one-form along the curve of a model, by its definition ([`lower`], [`form`]); a class of models is a
//! parametrisation of its curves ([`path`]). These are parts of the checker ([`rocproof_checker`]), and must be believed. The modules here
//! find proofs (`reduce`, `relations`, `identity`, `inequality`) and present them ([`derivation`], [`sympy`], [`typeset`]); nothing
//! that they say is believed.

pub mod derivation;
pub mod effort;
pub(crate) mod identity;
pub(crate) mod inequality;
pub(crate) mod proof;
pub mod prove;
mod python;
pub(crate) mod readable;
pub(crate) mod reduce;
pub(crate) mod relations;
mod rule_text;
pub mod sympy;
pub mod typeset;
mod unproved;

pub use unproved::Unproved;

pub use rocproof_checker::{
    certificate, check, form, foundations, inequalities, integrand, lower, path, relation, rules, sum, symbol,
};
