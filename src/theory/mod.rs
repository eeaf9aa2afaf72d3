//! Proofs about all models of a class.

pub mod discover;
pub mod form;
pub mod identity;
pub mod lower;
pub mod path;
pub mod readable;
pub mod reduce;
pub mod relations;
