//! Proofs about all models of a class.
//!
//! A functional is the integral of a one-form along the curve of a model, read off its definition ([`lower`], [`form`]); a class of
//! models is a parametrisation of its curves ([`path`]). That is what proofs are *about*, it is short, and it is a crate of its own
//! ([`rocproof_checker`]). How proofs are *found* ([`reduce`], [`relations`], [`identity`], [`inequality`]) may be as clever as it likes.

pub mod derivation;
pub mod effort;
pub mod identity;
pub mod inequality;
pub mod proof;
pub mod prove;
mod python;
pub mod readable;
pub mod reduce;
pub mod relations;
mod rule_text;
pub mod sympy;
pub mod typeset;
mod unproved;

pub use unproved::Unproved;

pub use rocproof_checker::{
    certificate, check, form, foundations, inequalities, integrand, lower, path, relation, rules, sum, symbol,
};
