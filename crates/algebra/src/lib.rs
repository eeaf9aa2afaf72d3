//! Exact algebra: rationals, polynomials in one variable and in several, and their quotients.
//!
//! | file | what it holds |
//! | --- | --- |
//! | [`rational`] | exact rationals: reading, rounding, powers |
//! | [`polynomial`] | polynomials in one variable over the rationals |
//! | [`modular`] | polynomials in one variable modulo a prime |
//! | [`sturm`] | signs of polynomials on intervals, and counts of their real roots |
//! | [`multivariate`] | polynomials and fractions in named variables |
//! | `invariant` | the macro `invariant!`, which stops the work |
//! | [`signed_sum`] | sums as text |

#![forbid(unsafe_code)]
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

#[macro_use]
mod invariant;
pub mod modular;
pub mod multivariate;
pub mod polynomial;
pub mod rational;
mod signed_sum;
pub mod sturm;

pub use multivariate::{Fraction, Multinomial, Variable};
pub use polynomial::Polynomial;
pub use rational::Rational;
pub use signed_sum::signed_sum;
