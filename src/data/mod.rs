//! Scored data: a curve of ties and gaps.
//!
//! | file | what it does |
//! | --- | --- |
//! | `keys` | scores and classes as whole numbers that sort |
//! | `scored` | scores of both classes, sorted |
//! | `chain` | a curve as straight stretches, chunk by chunk |
//! | `segments` | pooling of adjacent violators: the segments of the hull |
//! | `form`, `moments`, `nodes` | definitions along stretches: as sums of monomials, or run at nodes |
//! | `reading` | everything that `eval` says, of data |
//! | [`read`] | scored data from CSV and Parquet files |

mod chain;
mod form;
mod keys;
mod moments;
mod nodes;
pub mod read;
mod reading;
mod scored;
mod segments;
mod sum;

pub use reading::evaluate_scored;
pub use scored::{BadScore, Direction, Rows, Scored, Step};
