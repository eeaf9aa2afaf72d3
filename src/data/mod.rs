//! Scored data: a curve of ties and gaps.
//!
//! | file | what it does |
//! | --- | --- |
//! | `scored` | scores of both classes, sorted; ties; pooling of adjacent violators |
//! | `integrals` | definitions read along ties and gaps |
//! | `reading` | everything that `eval` says, of data |
//! | `pools` | the segments of the ROC convex hull, with the scores they span |
//! | `partition` | ties, hull segments and stated bins |
//! | `decomposition` | the Brier score taken apart by a partition, and by isotonic recalibration |
//! | `finite` | expected losses with `n+1` cutpoints, or thresholds at the scores of `n` rows |
//! | `choice` | which methods apply given what is known of the operating condition, side by side |
//! | `threshold` | the threshold of each method at one operating condition, and its loss there |

mod choice;
mod decomposition;
mod finite;
mod integrals;
mod partition;
mod pools;
mod reading;
mod scored;
mod threshold;

pub use choice::{Advice, BadKnown, Choice, Known, Suggestion, advice, choose};
pub use decomposition::{Corp, Decomposition, corp, decompose};
pub use finite::{FINITE_FORMULAS, FiniteFormula, FiniteValue, Ties, finite_sample};
pub use partition::{BadPartition, Cell, Closed, Partition};
pub use pools::{Pool, pools};
pub use reading::evaluate_scored;
pub use scored::{BadScore, Scored, Step};
pub use threshold::{AtCondition, Chosen, Minimisers, OperatingPoint, Rates, Threshold, thresholds_at};
