//! Integrals, roots and minima at the numeric level; integrals of rational functions at the exact one; stretches of curve at the
//! certified one.
//!
//! | file | what it does |
//! | --- | --- |
//! | [`rule`] | Gauss-Kronrod on one panel, and the matrices that integrate and interpolate on its nodes |
//! | [`coordinate`] | the coordinate of an arc: linear, or exponential towards a singular end |
//! | [`panel`] | a stretch of curve sampled at the nodes of the rule |
//! | [`integrate`] | adaptive integration of a function of one variable |
//! | [`root`] | roots inside a bracket, minima |
//! | [`rational_integral`] | rational functions integrated exactly: Hermite's reduction, closed forms, enclosures |
//! | [`patch`] | a stretch of curve enclosed by series |
//! | [`quantity`] | values at the exact level, and when they are equal |

pub mod coordinate;
pub mod integrate;
pub mod panel;
pub mod patch;
pub mod quantity;
pub mod rational_integral;
pub mod root;
pub mod rule;

/// A number and its error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The number.
    pub value: f64,
    /// An estimate of the distance to the truth, meant never to be smaller.
    pub error: f64,
}

impl Estimate {
    /// A number known exactly.
    pub fn exact(value: f64) -> Estimate {
        Estimate { value, error: 0.0 }
    }

    /// The same number with a larger error.
    pub fn widened(self, by: f64) -> Estimate {
        Estimate { value: self.value, error: self.error + by }
    }

    /// Whether `other` lies within both errors of this one.
    pub fn agrees_with(self, other: Estimate) -> bool {
        (self.value - other.value).abs() <= self.error + other.error
    }
}
