//! Sturm's theorem: the number of real roots of a polynomial in an interval, and its sign there.
//!
//! The number of distinct roots in `(lo, hi]` is the number of sign changes of Sturm's sequence at `lo`, minus that at `hi`.

use crate::polynomial::{Polynomial, sign};
use crate::rational::Rational;
use dashu_base::BitTest;
use dashu_int::{IBig, UBig};

/// The Sturm sequence of a squarefree polynomial.
#[derive(Clone, Debug)]
pub struct Sturm {
    sequence: Vec<Polynomial>,
}

impl Sturm {
    /// Computes the sequence: the polynomial, its derivative, then negated remainders. Each is made primitive, which keeps its sign.
    pub fn new(squarefree: &Polynomial) -> Sturm {
        let mut sequence = vec![squarefree.without_content(), squarefree.derivative().without_content()];
        while let [.., a, b] = sequence.as_slice()
            && !b.is_zero()
        {
            let next = (-&a.divided_by(b).1).without_content();
            sequence.push(next);
        }
        // The last remainder is 0.
        sequence.pop();
        Sturm { sequence }
    }

    /// The number of sign changes of the sequence at a point; zeros do not count.
    fn sign_changes(&self, x: &Rational) -> usize {
        let signs: Vec<i8> = self.sequence.iter().map(|p| p.sign_at(x)).filter(|s| *s != 0).collect();
        signs.windows(2).filter(|pair| pair[0] != pair[1]).count()
    }

    /// The number of roots in `(lo, hi]`.
    ///
    /// ```
    /// use rocproof_algebra::{Polynomial, sturm::Sturm};
    /// let sturm = Sturm::new(&Polynomial::whole(&[0, -1, 0, 1]));
    /// assert_eq!(sturm.count(&(-1).into(), &1.into()), 2);
    /// assert_eq!(sturm.count(&(-2).into(), &1.into()), 3);
    /// ```
    pub fn count(&self, lo: &Rational, hi: &Rational) -> usize {
        self.sign_changes(lo).saturating_sub(self.sign_changes(hi))
    }
}

/// A binary fraction with few digits, strictly between two rationals and near their midpoint.
pub fn binary_between(lo: &Rational, hi: &Rational) -> Rational {
    let width = hi - lo;
    // 2^-bits is at most a quarter of the width. So the midpoint, rounded to a multiple of 2^-bits, lies strictly inside.
    let bits = (width.denominator().bit_len() + 3).saturating_sub(width.numerator().bit_len());
    let twice_midpoint = lo + hi;
    let rounded = (twice_midpoint.numerator() << bits) / IBig::from(twice_midpoint.denominator() << 1);
    Rational::from_parts(rounded, UBig::ONE << bits)
}

/// The sign of a polynomial on the open interval `(lo, hi)`: -1 or 1 away from its roots, and 0 for the polynomial 0. `None` if it
/// takes both signs.
pub fn sign_between(polynomial: &Polynomial, lo: &Rational, hi: &Rational) -> Option<i8> {
    if polynomial.is_constant() {
        return Some(sign(&polynomial.coefficient(0)));
    }
    // The sign changes only at roots of odd multiplicity: those of the first, third, … squarefree factor.
    let of_odd_multiplicity = polynomial.squarefree_factors().into_iter().step_by(2);
    for factor in of_odd_multiplicity.filter(|f| !f.is_constant()) {
        // Sturm counts the roots in (lo, hi]. A root at `hi` itself does not matter.
        let roots_at_hi = usize::from(factor.sign_at(hi) == 0);
        if Sturm::new(&factor).count(lo, hi) > roots_at_hi {
            return None;
        }
    }
    // Any point that is not a root has the sign. There are finitely many roots, so the search ends.
    let mut point = binary_between(lo, hi);
    while polynomial.sign_at(&point) == 0 {
        point = binary_between(lo, &point);
    }
    Some(polynomial.sign_at(&point))
}
