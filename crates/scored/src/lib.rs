//! Scored data: scores with class labels, read as a curve of ties and gaps.
//!
//! | file | contents |
//! | --- | --- |
//! | [`read`] | scored data from CSV, Parquet and Arrow |
//! | `scored`, `builder` | the scores of both classes, sorted; rows collected one by one |
//! | `keys` | a score and its class packed into one sortable integer |
//! | `paired`, `rows` | several models that scored the same rows; the rows of models that were sorted |
//! | `chain` | a curve as straight links, visited chunk by chunk |
//! | `segments`, `pools` | pooling of adjacent violators: the segments of the ROC hull, and score transforms |
//! | `reading` | all metrics and expected losses |
//! | `polynomial`, `moments`, `nodes` | definitions integrated along links: as sums of monomials, or at quadrature nodes |
//! | `atoms` | the data as a model of atoms, for the exact level |
//! | [`curves`] | ROC, cost, Brier and other curves, piece by piece |
//! | `partition` | ties, hull segments and stated bins |
//! | `decomposition` | the Brier score decomposed by a partition and by isotonic recalibration |
//! | `severity` | Hand's H for a severity ratio or a beta prior |
//! | `calibration` | the expected calibration error by stated bins |
//! | `finite` | expected losses with `n+1` cutpoints, or with thresholds at the scores of `n` rows |
//! | `choice` | which methods apply, given when the operating condition is known |
//! | `operating_point`, `threshold` | the threshold of each method at one operating condition, and its loss there |
//! | `held_out` | losses on rows that thresholds were not chosen on, and the method to deploy |
//! | `resample`, `bootstrap` | samples drawn from the rows, and intervals |
//! | `quantity`, `sample_size` | the quantities that have intervals; the rows that these need to be relied on |
//! | `interval` | intervals of means of losses: Wilson's with an effective number of rows, combined ones |
//! | `smooth`, `smoothed` | a smooth model of the class given the score, and samples from it for quantities of the hull |
//! | `spread` | sampling intervals: methods, caveats, quantiles |
//! | `delong` | DeLong's variance of the AUC |
//! | `power` | how many rows tell two models apart |
//! | `sorted` | sorted rows, evaluated in one pass |
//! | `bins` | scores known by bins only: ranges over all ways to place them there |
//! | `formulas` | intervals without samples: of the AUC and of means over rows |
//! | `sum` | compensated and exact sums |

#![forbid(unsafe_code)]
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod atoms;
mod bins;
mod bootstrap;
mod builder;
mod calibration;
mod chain;
mod choice;
pub mod curves;
mod decomposition;
mod delong;
mod finite;
mod formulas;
mod held_out;
mod interval;
mod keys;
mod memory;
mod moments;
mod nodes;
mod operating_point;
mod paired;
mod partition;
mod polynomial;
mod pools;
mod power;
mod quantity;
pub mod read;
mod reading;
mod resample;
mod rows;
mod sample_size;
mod scored;
mod segments;
mod severity;
mod smooth;
mod smoothed;
mod sorted;
mod spread;
mod sum;
mod threshold;

pub use bins::{BadBins, BinRows, Binned, BinnedCorp, BinnedEvaluation, RangeOrMissing, ValueRange, evaluate_bins};
pub use bootstrap::{Bootstrap, Spreads, best_spreads, bootstrap};
pub use builder::ScoredBuilder;
pub use calibration::{CalibrationError, ENOUGH_ROWS_PER_SCORE, calibration_error, rows_per_score};
pub use choice::{Advice, KnownAt, MethodComparison, Suggestion, UnknownTime, compare_methods, needs_condition};
pub use decomposition::{Corp, Decomposition, corp, corp_of_hull, decompose};
pub use delong::{AucDifference, DeLong, NoVariance};
pub use finite::{FINITE_FORMULAS, FiniteFormula, FiniteValue, TieRule, finite_sample};
pub use formulas::{Formulas, formula_spreads};
pub use held_out::{
    Alternative, ChosenOn, DeployedThreshold, HeldOutBy, HeldOutLosses, LossAt, MOST_HELD_OUT_ROWS, NotHeldOut,
    OutOfSample, Recommendation, deployed_threshold, losses_out_of_sample, recommend,
};
pub use memory::available_memory;
pub use operating_point::OperatingPoint;
pub use paired::{Paired, Units, pairs};
pub use partition::{BadPartition, Closed, Partition, PartitionCell};
pub use pools::{Pool, pools};
pub use power::Power;
pub use quantity::{CorpPart, MetricOrLoss};
pub use reading::{evaluate_scored, evaluate_transformed};
pub use rows::Rows;
pub use scored::{BadScore, ScoreDirection, Scored, Tie};
pub use severity::{HandMeasure, Severity, hand_measure};
pub use sorted::{NotSorted, SortedRows};
pub use spread::{Caveat, IntervalMethod, Spread};
pub use threshold::{AtCondition, ChosenThreshold, MinimiserInterval, Rates, Threshold, thresholds_at};
