//! Statements about all models, settled: proofs, counterexamples, verdicts.
//!
//! | module | what lives there |
//! | --- | --- |
//! | [`statement`] | statements about models: names resolved, classes, conditions |
//! | [`theory`] | how proofs are found and written down; the checker is [`rocproof_checker`] |
//! | [`search`] | counterexamples: families of models, decided and made simple |
//! | [`verdict`] | proved, refuted, supported or undecided |

#![forbid(unsafe_code)]
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

pub mod search;
pub mod statement;
pub mod theory;
pub mod verdict;
