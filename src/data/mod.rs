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

mod decomposition;
mod finite;
mod integrals;
mod partition;
mod pools;
mod reading;
mod scored;

pub use decomposition::{Corp, Decomposition, corp, decompose};
pub use finite::{FINITE_FORMULAS, FiniteFormula, FiniteValue, Ties, finite_sample};
pub use partition::{BadPartition, Cell, Closed, Partition};
pub use pools::{Pool, pools};
pub use reading::evaluate_scored;
pub use scored::{BadScore, Scored, Step};
