//! The numbers: exact rationals, and the few special functions that the densities need.

pub mod rational;
pub mod special;

pub use rational::Rational;
