//! Statements about models, such as `for convex m: L[o] == RL where pi0 == 1/2`: those of the [checker](rocproof_checker), and families of
//! terms.

mod family;

pub use family::terms;
pub use rocproof_checker::statement::*;
