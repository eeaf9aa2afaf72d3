//! Proofs about all models of a class.
//!
//! A functional is the integral of a one-form along the curve of a model, read off its definition ([`lower`], [`form`]); a class of
//! models is a parametrisation of its curves ([`path`]). That is what proofs are *about*, and it is short. How proofs are *found*
//! ([`reduce`], [`relations`], [`identity`], [`inequality`], [`discover`]) may be as clever as it likes.

pub mod careful;
pub mod certificate;
pub mod check;
pub mod derivation;
pub mod discover;
pub mod form;
pub mod identity;
pub mod inequality;
pub mod lower;
pub mod path;
pub mod proof;
pub mod prove;
pub mod readable;
pub mod reduce;
pub mod relations;
pub mod rules;
pub mod sum;
pub mod sympy;
pub mod typeset;
