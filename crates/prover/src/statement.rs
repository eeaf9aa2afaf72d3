//! Statements about models: what `for convex m: L[o] == RL where pi0 == 1/2` means, as the [checker](rocproof_checker) reads it.

pub use crate::theory::family::terms;
pub use rocproof_checker::statement::*;
