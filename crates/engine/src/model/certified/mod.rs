//! Models at the certified level: densities enclosed by series with proved errors, and the curve they make.
//!
//! | file | what it does |
//! | --- | --- |
//! | [`place`] | places on the score axis, in a proved order |
//! | [`site`] | coordinates: linear, or exponential towards singular and infinite ends |
//! | [`shape`] | the families, along a stretch and towards an end |
//! | [`typed`] | what the user typed |
//! | `expand` | where its sines and logarithms are zero |
//! | `trend` | what it is not above towards an end |
//! | [`parts`] | syntax to parts, with every mass certified |
//! | `bend` | which way a curve of polynomial densities bends, exactly |
//! | [`ratio`] | whether the ratio of two densities grows throughout, in closed form |
//! | `between` | the score axis, cut at every place |
//! | `stretch` | how an interval is cut into stretches, and in which coordinates |
//! | `rest` | what no stretch reaches |
//! | `draft` | a stretch before the distribution functions are known |
//! | [`march`] | parts to a curve: distribution functions as integrals |
//! | [`straight`] | integrals straight from the densities, without a curve |

mod bend;
mod between;
mod draft;
mod expand;
pub mod march;
pub mod parts;
pub mod place;
pub mod ratio;
mod rest;
pub mod shape;
pub mod site;
pub mod straight;
mod stretch;
mod trend;
pub mod typed;

pub use march::{Aim, EnclosedCurve, Trouble};
pub use parts::Parts;
