//! Models at the certified level: densities enclosed by series with proved errors, and their ROC curve.
//!
//! | file | contents |
//! | --- | --- |
//! | [`density`] | one smooth density: the trait that families and expressions implement |
//! | [`mixture`] | the reading of a density tree: components and atoms, with every mass certified |
//! | [`expression`] | expressions in `x` |
//! | `expansions` | polynomials, expanded around the ends of an interval |
//! | `growth` | values and elasticities of expressions in a tail |
//! | `expand` | the zeros of sines and logarithms in expressions |
//! | `trend` | upper bounds of expressions in a tail |
//! | [`jet`] | functions with derivatives along a stretch |
//! | [`scores`] | coordinates: linear, or exponential towards singular and infinite ends |
//! | `bend` | the sign of the curvature for polynomial densities, exactly |
//! | [`ratio`] | whether the likelihood ratio increases everywhere, in closed form |
//! | `between` | the score axis, cut at every endpoint and atom |
//! | `chart` | how an interval is cut into charts, each with a coordinate |
//! | [`tail`] | the mass between the outermost chart and an end |
//! | `draft` | a piece of curve before the distribution functions are known, and the errors of its series |
//! | [`march`] | the curve: distribution functions as integrals of the densities |
//! | [`straight`] | integrals straight from the densities, without a curve |

mod bend;
mod between;
mod chart;
pub mod density;
mod draft;
mod expand;
mod expansions;
pub mod expression;
mod growth;
pub mod jet;
pub mod march;
pub mod mixture;
pub mod ratio;
pub mod scores;
pub mod straight;
pub mod tail;
mod trend;

pub use march::{Aim, EnclosedCurve, Trouble};
pub use mixture::EnclosedMixture;
