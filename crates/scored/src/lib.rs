//! Scored data: scores with class labels, read as a curve of ties and gaps.
//!
//! | file | contents |
//! | --- | --- |
//! | [`read`] | scored data from CSV and Parquet files |
//! | `scored`, `builder` | the scores of both classes, sorted; rows collected one by one |
//! | `keys` | a score and its class packed into one sortable integer |
//! | `paired` | several models that scored the same rows |
//! | `chain` | a curve as straight links, visited chunk by chunk |
//! | `segments`, `pools` | pooling of adjacent violators: the segments of the ROC hull, and score transforms |
//! | `reading` | all metrics and expected losses |
//! | `polynomial`, `moments`, `nodes` | definitions integrated along links: as sums of monomials, or at quadrature nodes |
//! | `atoms` | the data as a model of atoms, for the exact level |
//! | [`curves`] | ROC, cost, Brier and other curves, piece by piece |
//! | `partition` | ties, hull segments and stated bins |
//! | `decomposition` | the Brier score decomposed by a partition and by isotonic recalibration |
//! | `finite` | expected losses with `n+1` cutpoints, or with thresholds at the scores of `n` rows |
//! | `choice` | which methods apply, given when the operating condition is known |
//! | `operating_point`, `threshold` | the threshold of each method at one operating condition, and its loss there |
//! | `resample`, `bootstrap` | samples drawn from the rows, and percentile intervals |
//! | `delong` | DeLong's variance of the AUC |
//! | `sum` | compensated and exact sums |

#![forbid(unsafe_code)]
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod atoms;
mod bootstrap;
mod builder;
mod chain;
mod choice;
pub mod curves;
mod decomposition;
mod delong;
mod finite;
mod keys;
mod moments;
mod nodes;
mod operating_point;
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
pub use builder::ScoredBuilder;
pub use choice::{Advice, KnownAt, MethodComparison, Suggestion, UnknownTime, compare_methods};
pub use decomposition::{Corp, Decomposition, corp, decompose};
pub use delong::{DeLong, NoVariance};
pub use finite::{FINITE_FORMULAS, FiniteFormula, FiniteValue, TieRule, finite_sample};
pub use operating_point::OperatingPoint;
pub use paired::{Paired, Units};
pub use partition::{BadPartition, Closed, Partition, PartitionCell};
pub use pools::{Pool, pools};
pub use reading::{evaluate_scored, evaluate_transformed};
pub use scored::{BadScore, ScoreDirection, Scored, Tie};
pub use threshold::{AtCondition, ChosenThreshold, MinimiserInterval, Rates, Threshold, thresholds_at};
