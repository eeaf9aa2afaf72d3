//! Proofs about all models of a class.

pub mod certificate;
pub mod check;
pub mod derivation;
pub mod form;
pub mod identity;
pub mod inequality;
pub mod lower;
pub mod path;
pub mod proof;
pub mod prove;
pub mod reduce;
pub mod relations;
pub mod rules;
pub mod sum;
pub mod sympy;
mod typeset;
