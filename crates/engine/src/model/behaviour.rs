//! How a density behaves at an end of its support.

/// `f ~ (distance to the end)^exponent`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Behaviour {
    /// The exponent; above -1, or the density has no integral.
    pub exponent: f64,
    /// Whether a polynomial in the score describes the density there.
    pub analytic: bool,
}

impl Behaviour {
    /// A density that a polynomial describes and that does not vanish.
    pub const REGULAR: Behaviour = Behaviour { exponent: 0.0, analytic: true };

    /// A power. A broken one counts even where it is high and the density all but zero: the ratio of two such densities
    /// need not be.
    pub fn power(exponent: f64) -> Behaviour {
        Behaviour { exponent, analytic: exponent >= 0.0 && exponent.fract() == 0.0 }
    }
}
