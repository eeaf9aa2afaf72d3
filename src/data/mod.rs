//! Scored data: a curve of ties and gaps.
//!
//! | file | what it does |
//! | --- | --- |
//! | `scored` | scores of both classes, sorted; ties; pooling of adjacent violators |
//! | `integrals` | definitions read along ties and gaps |
//! | [`curves`] | ROC, cost, Brier and other curves, piece by piece |
//! | `reading` | everything that `eval` says, of data |

pub mod curves;
mod integrals;
mod reading;
mod scored;

pub use reading::evaluate_scored;
pub use scored::{BadScore, Scored, Step};
