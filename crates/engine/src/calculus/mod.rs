//! Building blocks of curves and integrals: quadrature, panels, roots and minima at the numeric level; integrals of rational functions at the
//! exact level; enclosed patches at the certified level.
//!
//! | file | what it does |
//! | --- | --- |
//! | [`rule`] | Gauss-Kronrod on one panel, and the matrices that integrate and interpolate on its nodes |
//! | [`coordinate`] | the coordinate of an arc: linear, or exponential towards a singular end |
//! | [`panel`] | a part of a curve sampled at the nodes of the rule |
//! | [`integrate`] | adaptive integration of a function of one variable |
//! | [`root`] | roots inside a bracket, minima |
//! | [`rational_integral`] | rational functions integrated exactly: Hermite's reduction, closed forms, enclosures |
//! | `patch` | a part of a curve enclosed by series |
//! | [`quantity`] | values at the exact level, and a decision procedure for their equality |

pub mod coordinate;
pub mod integrate;
pub mod panel;
pub(crate) mod patch;
pub mod quantity;
pub mod rational_integral;
pub mod root;
pub mod rule;

/// A number with an error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The number.
    pub value: f64,
    /// An estimate of the distance to the true value, meant to be an upper bound.
    pub error: f64,
}

impl Estimate {
    /// An exact number.
    pub fn exact(value: f64) -> Estimate {
        Estimate { value, error: 0.0 }
    }

    /// The number with a larger error.
    pub fn widened(self, by: f64) -> Estimate {
        Estimate { value: self.value, error: self.error + by }
    }

    /// Whether the two error intervals overlap.
    pub fn agrees_with(self, other: Estimate) -> bool {
        (self.value - other.value).abs() <= self.error + other.error
    }
}
