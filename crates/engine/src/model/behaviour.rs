//! How a density behaves at an end of its support.

/// The leading term of a density at an end of its support: `f ~ (distance to the end)^exponent`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Behaviour {
    /// The exponent; above -1, or the density has no integral.
    pub exponent: f64,
    /// Whether the density is analytic at the end, so that polynomials in the score approximate it well there.
    pub analytic: bool,
}

impl Behaviour {
    /// The behaviour of a density that is analytic at the end and does not vanish there.
    pub const REGULAR: Behaviour = Behaviour { exponent: 0.0, analytic: true };

    /// The behaviour of the power `distance^exponent`, which is analytic only if the exponent is a whole number and not negative.
    ///
    /// A fractional exponent counts as singular however large it is. The density is then almost zero near the end, but the ratio of two
    /// such densities need not be, and it is not analytic either.
    pub fn power(exponent: f64) -> Behaviour {
        Behaviour { exponent, analytic: exponent >= 0.0 && exponent.fract() == 0.0 }
    }
}
