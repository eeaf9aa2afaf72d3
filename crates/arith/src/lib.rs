//! Numbers: algebraic numbers, closed forms, intervals, series with proved errors, linear programs, and the special functions that
//! densities need. The exact algebra below them is re-exported.
//!
//! | file | what it holds |
//! | --- | --- |
//! | [`rational`], [`polynomial`], [`modular`], [`multivariate`] | re-exports of the exact algebra |
//! | [`factor`] | linear and quadratic factors of polynomials over the rationals |
//! | [`rational_function`] | quotients of polynomials in one variable |
//! | [`linear`] | linear equations and inequalities, solved exactly |
//! | [`roots`] | real roots of polynomials: isolation and refinement |
//! | [`enclosure`] | intervals with binary fractions as ends, to any precision |
//! | [`log_beta`] | enclosures of logarithms of rationals and of the beta function |
//! | [`number`] | real numbers: rational, algebraic, or given by enclosures |
//! | [`closed_form`] | numbers in closed form, for printing |
//! | [`whole`] | integers: small prime factors, square factors, coprime bases |
//! | [`special`] | special functions in floating point |
//! | [`libm`] | elementary functions of floats, from CORE-MATH or pxfm |
//! | [`interval`], [`elementary`] | intervals of floats, rounded outward, and elementary functions of them |
//! | [`series`] | functions on [-1, 1] as polynomials with proved errors |
//! | [`balls`] | sixteen real or complex numbers with errors at once |
//! | [`gauss`] | integrals of analytic functions, by Gauss rules with proved errors |

#![forbid(unsafe_code)]
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

pub mod balls;
pub mod closed_form;
pub mod decimal;
pub mod elementary;
pub mod enclosure;
pub mod factor;
pub mod gauss;
pub mod interval;
pub mod libm;
pub mod linear;
pub mod log_beta;
pub mod number;
pub mod rational_function;
pub mod roots;
pub mod series;
pub mod special;
pub mod whole;

pub use rocproof_algebra::{modular, multivariate, polynomial, rational};

pub use balls::Balls;
pub use enclosure::Enclosure;
pub use interval::Interval;
pub use multivariate::{Fraction, Multinomial, Variable};
pub use number::Number;
pub use polynomial::Polynomial;
pub use rational::Rational;
pub use rational_function::RationalFunction;
pub use series::Series;
