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
//! | `atoms` | the same data as a model |
//! | `paired` | several scores of the same rows |
//! | `resample`, `bootstrap` | samples drawn from the rows, and intervals for everything |
//! | `delong` | the variance of the AUC |
//! | [`read`] | scored data from CSV and Parquet files |

mod atoms;
mod bootstrap;
mod chain;
mod delong;
mod form;
mod keys;
mod moments;
mod nodes;
mod paired;
pub mod read;
mod reading;
mod resample;
mod scored;
mod segments;
mod sum;

pub use bootstrap::{Bootstrap, Quantity, Spread, Spreads, bootstrap};
pub use delong::{DeLong, NoVariance};
pub use paired::{Paired, Units};
pub use reading::{evaluate_scored, evaluate_transformed};
pub use scored::{BadScore, Direction, Rows, Scored, Step};
