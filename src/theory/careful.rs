//! Definitions read in fractions that are divided only by what never vanishes.
//!
//! Along a curve `0/0` counts as 0, and a fraction that cancels forgets where it was `0/0`: `dF1/c` is `dR/π1` only where `c` is not 0. So
//! what is divided by must be positive wherever something moves: class proportions, the length of the scale of scores, `dR`, and
//! what is positive for every posterior.

use super::rules::factor::signs;
use crate::arith::{Fraction, Multinomial, Rational};
use crate::functional::program::Algebra;

/// A fraction, unless it divides by what may vanish.
#[derive(Clone, Debug)]
pub struct Careful {
    /// The fraction.
    pub value: Option<Fraction>,
    /// Whether it is known to vanish nowhere.
    never_zero: bool,
}

impl From<Fraction> for Careful {
    fn from(value: Fraction) -> Careful {
        Careful { never_zero: never_zero(&value), value: Some(value) }
    }
}

impl Careful {
    fn made(value: Option<Fraction>) -> Careful {
        let never_zero = value.as_ref().is_some_and(never_zero);
        Careful { value, never_zero }
    }

    fn both(&self, other: &Careful, of: impl Fn(&Fraction, &Fraction) -> Fraction) -> Careful {
        Careful::made(self.value.as_ref().zip(other.value.as_ref()).map(|(a, b)| of(a, b)))
    }
}

/// Whether a fraction vanishes nowhere on a curve but where nothing moves: its numerator is a product of `dR`, class proportions and
/// `h - l`, and of something linear in `c` that has one sign at both ends.
fn never_zero(fraction: &Fraction) -> bool {
    let mut rest = fraction.numerator().clone();
    if rest.is_zero() {
        return false;
    }
    let scale = Multinomial::variable("h") - Multinomial::variable("l");
    for factor in [Multinomial::variable("dR"), scale] {
        while let Some(quotient) = rest.divided_exactly_by(&factor) {
            rest = quotient;
        }
    }
    if rest.degree_in("c") > 1 {
        return false;
    }
    let sign = |c: &Rational| {
        let end = rest.at("c", c);
        [end.clone(), -end].map(|end| matches!(signs(&end), Some([_, true])))
    };
    let (start, end) = (sign(&Rational::ZERO), sign(&Rational::ONE));
    (start[0] && end[0]) || (start[1] && end[1])
}

impl Algebra for Careful {
    fn constant(value: &Rational) -> Careful {
        Careful::made(Some(Fraction::constant(value.clone())))
    }
    fn plus(&self, other: &Careful) -> Careful {
        self.both(other, |a, b| a + b)
    }
    fn minus(&self, other: &Careful) -> Careful {
        self.both(other, |a, b| a - b)
    }
    fn times(&self, other: &Careful) -> Careful {
        let product = self.both(other, |a, b| a * b);
        Careful { never_zero: product.never_zero || (self.never_zero && other.never_zero), ..product }
    }
    fn over(&self, other: &Careful) -> Careful {
        let divides = self.value.as_ref().zip(other.value.as_ref().filter(|_| other.never_zero));
        let quotient = Careful::made(divides.and_then(|(a, b)| a.over(b)));
        Careful { never_zero: quotient.never_zero || (self.never_zero && other.never_zero), ..quotient }
    }
    fn power(&self, exponent: i32) -> Careful {
        let base = self.value.as_ref().filter(|_| exponent >= 0 || self.never_zero);
        let power = Careful::made(base.and_then(|base| base.power(exponent)));
        Careful { never_zero: power.never_zero || (self.never_zero && power.value.is_some()), ..power }
    }
}
