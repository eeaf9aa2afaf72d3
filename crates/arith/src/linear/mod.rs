//! Linear equations and inequalities, solved exactly.
//!
//! | file | what it does |
//! | --- | --- |
//! | [`system`] | equations in unknowns some of which must not be negative: is there a solution? |
//! | `floating` | the simplex method in floating point, which guesses the basis of a solution |
//! | `simplex` | the simplex method in exact arithmetic, where the guess is wrong |
//! | `lifting` | square systems of rational equations, by Dixon's p-adic lifting |

mod floating;
mod lifting;
mod simplex;
pub mod system;

#[cfg(test)]
mod tests;

pub use system::{Column, Solution, System, feasible};
