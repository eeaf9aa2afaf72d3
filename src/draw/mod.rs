//! Figures: panels with axes, curves and legends, as SVG, PDF and PNG.
//!
//! A [`Figure`] consists of rows of [`Panel`]s; a panel has two axes and marks. [`save`] writes a figure in the format of the file's
//! extension. SVG keeps text as text. The font is compiled in: text is measured in it, and PNG and PDF are drawn with it, so that nothing
//! overlaps or is cut off on any machine.
//!
//! Curves come as pieces (see [`crate::data::curves`]). A curve with more pieces than a figure can show is thinned ([`trace`]): the extremes in
//! each narrow column are kept, and no line is drawn across a visible jump.
//!
//! ```
//! use rocproof::data::curves::CurvePiece;
//! use rocproof::draw::{Axis, Figure, Ink, Panel, Stroke};
//!
//! let steps = [CurvePiece::straight(0.0, 0.5, 0.1, 0.3), CurvePiece::straight(0.5, 1.0, 0.6, 0.2)];
//! let mut panel = Panel::new("A jump", Axis::new("*c*", 0.0, 1.0), Axis::new("loss", 0.0, 0.8));
//! panel.curve(steps.into_iter(), Stroke::of(Ink::Series(0)), "mine");
//! let svg = Figure::new("").row(1.0, [panel]).to_svg();
//! assert!(svg.starts_with("<svg") && svg.contains(">mine<"));
//! ```
//!
//! | file | content |
//! | --- | --- |
//! | [`trace`] | from the pieces of a curve to lines of a drawing |
//! | `ticks` | round positions on an axis, with exact labels |
//! | `text` | labels, measured |
//! | `palette` | colours and dashes |
//! | `panel` | marks on axes |
//! | `figure` | the layout of panels, and their SVG |
//! | `save` | files: SVG, PNG, PDF |
//! | [`scored`] | the figures of scored data |
//! | [`model`] | the figures of models: densities, distribution functions, ROC curve, and the three curves of the paper's appendix |

mod figure;
#[cfg(feature = "images")]
mod image;
pub mod model;
mod palette;
mod panel;
mod save;
pub mod scored;
mod text;
mod ticks;
pub mod trace;

pub use figure::Figure;
pub use palette::{Ink, Palette};
pub use panel::{Anchor, Axis, Panel, Stroke};
pub(crate) use save::FORMATS;
pub use save::{NotSaved, check, save, to_bytes};
