//! Scored data: a curve of ties and gaps.
//!
//! | file | what it does |
//! | --- | --- |
//! | `scored` | scores of both classes, sorted; ties; pooling of adjacent violators |
//! | `integrals` | definitions read along ties and gaps |
//! | `reading` | everything that `eval` says, of data |
//! | [`read`] | scored data from CSV and Parquet files |

mod integrals;
pub mod read;
mod reading;
mod scored;

pub use reading::evaluate_scored;
pub use scored::{BadScore, Scored, Step};
