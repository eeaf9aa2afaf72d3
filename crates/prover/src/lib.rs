//! Statements about all models, settled: proofs, counterexamples, verdicts.
//!
//! | module | what lives there |
//! | --- | --- |
//! | [`clock`] | the clock, which a host without one may set |
//! | [`budget`] | how much work a search may do, and when it must stop |
//! | [`statement`] | statements about models: names resolved, classes, conditions |
//! | [`theory`] | how proofs are found and written down; the checker is [`rocproof_checker`] |
//! | [`search`] | counterexamples: families of models, decided and made simple |
//! | [`verdict`] | proved, refuted, supported or undecided |
//! | [`discover`](mod@discover) | linear relations between functionals, proved |

#![forbid(unsafe_code)]
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

pub mod budget;
pub mod clock;
pub mod discover;
mod parallel;
pub mod search;
pub mod statement;
pub mod theory;
pub mod verdict;
