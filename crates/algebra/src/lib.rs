//! Exact algebra: rationals, polynomials in one variable and in several, and their quotients.
//!
//! | file | what it holds |
//! | --- | --- |
//! | [`rational`] | exact rationals |
//! | [`polynomial`] | polynomials over the rationals; [`modular`] modulo a prime |
//! | [`sturm`] | signs and real roots of polynomials, counted by Sturm's sequences |
//! | [`multivariate`] | polynomials and quotients of polynomials in named variables |
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
