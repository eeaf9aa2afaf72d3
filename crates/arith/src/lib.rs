//! The numbers: exact rationals, polynomials and what follows from them, and the few special functions that the densities
//! need.
//!
//! | file | what it holds |
//! | --- | --- |
//! | [`rational`] | exact rationals |
//! | [`polynomial`] | polynomials over the rationals; [`modular`] modulo a prime |
//! | [`factor`] | their linear and quadratic factors |
//! | [`rational_function`] | quotients of polynomials |
//! | [`multivariate`] | polynomials and quotients of polynomials in named variables |
//! | [`linear`] | linear equations and inequalities, solved exactly |
//! | [`roots`] | Sturm sequences, real roots, algebraic numbers |
//! | [`enclosure`] | intervals of binary fractions, to any precision |
//! | [`log_beta`] | logarithms of rationals and of the beta function, enclosed that way |
//! | [`number`] | real numbers: rational, algebraic, or known by enclosures |
//! | [`closed_form`] | numbers written out |
//! | [`whole`] | small primes, squares and coprime bases of whole numbers |
//! | [`special`] | special functions in floating point |
//! | [`libm`] | elementary functions of floats, from CORE-MATH or pxfm |
//! | [`interval`] | intervals of floats, rounded outward; [`elementary`] functions of them |
//! | [`series`] | functions on [-1, 1] as power series with a proved error |
//! | [`balls`] | real or complex numbers with errors, sixteen at once; [`gauss`] integrals of analytic functions by them |

#![forbid(unsafe_code)]
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

pub mod balls;
pub mod closed_form;
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
