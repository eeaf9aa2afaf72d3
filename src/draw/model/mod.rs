//! The figures of models, after the appendix of the paper.
//!
//! ```
//! use rocproof::Model;
//! use rocproof::draw::{Palette, model::Portrait};
//! let model = Model::new("1", "1/2 + x", "1/2")?.named("simple");
//! let svg = Portrait::of(&model)?.figure(Palette::default()).to_svg();
//! assert!(svg.contains("simple, π₀ = 1/2") && svg.contains("0.10903 bijective + 0.13556 singular"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | file | content |
//! | --- | --- |
//! | `curves` | the curves that are drawn, as pieces |
//! | `portrait` | the layout of the panels; the ROC curve |
//! | `scores` | the panels of densities and of distribution functions |
//! | `losses` | the panels of losses |
//! | `stems` | point masses as stems |
//! | `axes` | ranges and ticks |
//! | `numbers` | numbers in legends |
//! | `rate_driven` | the illustration of the rate-driven method |

mod axes;
mod curves;
mod losses;
mod numbers;
mod portrait;
mod rate_driven;
mod scores;
mod stems;

pub use curves::{Atom, ModelCurves};
pub use portrait::Portrait;
pub use rate_driven::rate_driven;
