//! Statements about models: what `for convex m: L[o] == RL where pi0 == 1/2` means, as the [checker](rocproof_checker) reads it.

mod family;

pub use family::terms;
pub use rocproof_checker::statement::*;
