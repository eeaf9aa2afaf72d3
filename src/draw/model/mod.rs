//! The figures of models, after the appendix of the paper.
//!
//! ```
//! use rocproof::Model;
//! use rocproof::draw::{Palette, model::Portrait};
//! let model = Model::new("1", "1/2 + x", "1/2")?.named("simple");
//! let svg = Portrait::of(&model)?.figure(Palette::default()).to_svg();
//! assert!(svg.contains("simple, π₀ = 1/2") && svg.contains("0.10903 bijective + 0.13556 singular"));
//! # Ok::<(), rocproof::lang::Diagnostic>(())
//! ```
//!
//! | file | what it does |
//! | --- | --- |
//! | `curves` | the curves that are drawn, as pieces |
//! | `portrait` | the panels laid out; the ROC curve |
//! | `scores` | the panels of densities and of distribution functions |
//! | `losses` | the panels of losses |
//! | `stems` | point masses as stems |
//! | `axes` | how far axes go, and which places they name |
//! | `numbers` | numbers in legends |
//! | `rate_driven` | the rate-driven method at work |

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
