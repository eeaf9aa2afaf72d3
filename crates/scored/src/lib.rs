//! Scored data: a curve of ties and gaps.
//!
//! | file | what it does |
//! | --- | --- |
//! | `keys` | scores and classes as whole numbers that sort |
//! | `scored` | scores of both classes, sorted |
//! | `chain` | a curve as straight links, chunk by chunk |
//! | `segments`, `pools` | pooling of adjacent violators: the segments of the hull, with the scores they span |
//! | `form`, `moments`, `nodes` | definitions along links: as sums of monomials, or run at nodes |
//! | [`curves`] | ROC, cost, Brier and other curves, piece by piece |
//! | `reading` | everything that `eval` says, of data |
//! | `atoms` | the same data as a model |
//! | `partition` | ties, hull segments and stated bins |
//! | `decomposition` | the Brier score taken apart by a partition, and by isotonic recalibration |
//! | `finite` | expected losses with `n+1` cutpoints, or thresholds at the scores of `n` rows |
//! | `choice` | which methods apply given what is known of the operating condition, side by side |
//! | `threshold` | the threshold of each method at one operating condition, and its loss there |
//! | `paired` | several scores of the same rows |
//! | `resample`, `bootstrap` | samples drawn from the rows, and intervals for everything |
//! | `delong` | the variance of the AUC |
//! | [`read`] | scored data from CSV and Parquet files |

#![forbid(unsafe_code)]
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod atoms;
mod bootstrap;
mod chain;
mod choice;
pub mod curves;
mod decomposition;
mod delong;
mod finite;
mod keys;
mod moments;
mod nodes;
mod paired;
mod partition;
mod polynomial;
mod pools;
pub mod read;
mod reading;
mod resample;
mod scored;
mod segments;
mod sum;
mod threshold;

pub use bootstrap::{Bootstrap, MetricOrLoss, Spread, Spreads, bootstrap};
pub use choice::{Advice, KnownAt, MethodComparison, Suggestion, UnknownTime, advice, compare_methods};
pub use decomposition::{Corp, Decomposition, corp, decompose};
pub use delong::{DeLong, NoVariance};
pub use finite::{FINITE_FORMULAS, FiniteFormula, FiniteValue, TieRule, finite_sample};
pub use paired::{Paired, Units};
pub use partition::{BadPartition, Closed, Partition, PartitionCell};
pub use pools::{Pool, pools};
pub use reading::{evaluate_scored, evaluate_transformed};
pub use scored::{BadScore, ScoreDirection, Scored, ScoredBuilder, Tie};
pub use threshold::{AtCondition, ChosenThreshold, Minimisers, OperatingPoint, Rates, Threshold, thresholds_at};
