//! Linear equations and inequalities, solved exactly.
//!
//! | file | what it does |
//! | --- | --- |
//! | [`echelon`] | reduced row echelon form over a field |
//! | [`nullspace`](mod@nullspace) | null spaces |
//! | `fraction_free` | square systems of rational functions |
//! | [`lifting`] | square systems of rationals, digit by digit modulo a prime |
//! | [`system`] | equations in unknowns some of which may not be negative: solutions, cheapest ones, maxima |
//! | `floating` | the simplex method in floating point, which guesses the basis of a solution |
//! | `simplex` | the same exactly, where the guess is wrong |

pub mod echelon;
mod floating;
mod fraction_free;
pub mod lifting;
pub mod nullspace;
mod simplex;
pub mod system;

#[cfg(test)]
mod tests;

pub use echelon::{Field, row_echelon};
pub use lifting::solve;
pub use nullspace::nullspace;
pub use system::{Column, Optimum, Solution, System, cheapest, feasible, maximise};
