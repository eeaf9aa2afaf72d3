//! The definitions read in fractions of named variables.

use super::program::Algebra;
use crate::arith::{Fraction, Rational};

/// What has no value, `x/0` or `0^-1`, is `None`, and so is all that is made of it.
///
/// ```
/// use rocproof::arith::Fraction;
/// use rocproof::functional::program::Program;
/// let program = Program::new(&["pi0*dF0/(pi0*dF0 + pi1*dF1)"])?;
/// let share = |pi1: &Fraction| {
///     let [pi0, d0, d1] = ["pi0", "dF0", "dF1"].map(|name| Some(Fraction::variable(name)));
///     let (zero, pi1) = (Some(Fraction::zero()), Some(pi1.clone()));
///     let given = |name: &str| match name {
///         "pi0" => Some(&pi0),
///         "pi1" => Some(&pi1),
///         "dF0" => Some(&d0),
///         "dF1" => Some(&d1),
///         _ => Some(&zero),
///     };
///     program.value(given).flatten()
/// };
/// assert_eq!(share(&Fraction::zero()), Some(Fraction::one()));
/// let pi1 = Fraction::one() - Fraction::variable("pi0");
/// assert_eq!(share(&pi1).unwrap().to_string(), "dF0*pi0/(dF0*pi0 - dF1*pi0 + dF1)");
/// # Ok::<(), rocproof::lang::Diagnostic>(())
/// ```
impl Algebra for Option<Fraction> {
    fn constant(value: &Rational) -> Option<Fraction> {
        Some(Fraction::constant(value.clone()))
    }
    fn plus(&self, other: &Option<Fraction>) -> Option<Fraction> {
        Some(self.as_ref()? + other.as_ref()?)
    }
    fn minus(&self, other: &Option<Fraction>) -> Option<Fraction> {
        Some(self.as_ref()? - other.as_ref()?)
    }
    fn times(&self, other: &Option<Fraction>) -> Option<Fraction> {
        Some(self.as_ref()? * other.as_ref()?)
    }
    fn over(&self, other: &Option<Fraction>) -> Option<Fraction> {
        let (above, below) = (self.as_ref()?, other.as_ref()?);
        if above.is_zero() { Some(Fraction::zero()) } else { above.over(below) }
    }
    fn power(&self, exponent: i32) -> Option<Fraction> {
        self.as_ref()?.power(exponent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_no_value_stays_without() {
        let [zero, one] = [0, 1].map(|n| Some(Fraction::constant(n)));
        let lost = one.over(&zero);
        assert_eq!(zero.over(&zero), zero);
        assert_eq!(lost, None);
        assert_eq!(zero.power(-1), None);
        for spoiled in [lost.plus(&one), one.minus(&lost), zero.times(&lost), zero.over(&lost), lost.power(0)] {
            assert_eq!(spoiled, None);
        }
    }
}
