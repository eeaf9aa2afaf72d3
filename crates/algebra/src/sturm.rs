//! Signs and real roots of polynomials, counted by Sturm's sequences.

use crate::polynomial::{Polynomial, sign};
use crate::rational::Rational;
use dashu_base::BitTest;
use dashu_int::{IBig, UBig};

/// Sturm's sequence of a squarefree polynomial.
#[derive(Clone, Debug)]
pub struct Sturm {
    sequence: Vec<Polynomial>,
}

impl Sturm {
    /// The polynomial, its derivative, and the negated remainders, each up to a positive factor.
    pub fn new(squarefree: &Polynomial) -> Sturm {
        let mut sequence = vec![squarefree.without_content(), squarefree.derivative().without_content()];
        while let [.., a, b] = sequence.as_slice()
            && !b.is_zero()
        {
            let next = (-&a.divided_by(b).1).without_content();
            sequence.push(next);
        }
        sequence.pop();
        Sturm { sequence }
    }

    fn variations(&self, x: &Rational) -> usize {
        let signs: Vec<i8> = self.sequence.iter().map(|p| p.sign_at(x)).filter(|s| *s != 0).collect();
        signs.windows(2).filter(|pair| pair[0] != pair[1]).count()
    }

    /// How many roots lie above `lo` and at or below `hi`.
    ///
    /// ```
    /// use rocproof_algebra::{Polynomial, sturm::Sturm};
    /// let sturm = Sturm::new(&Polynomial::whole(&[0, -1, 0, 1]));
    /// assert_eq!(sturm.count(&(-1).into(), &1.into()), 2);
    /// assert_eq!(sturm.count(&(-2).into(), &1.into()), 3);
    /// ```
    pub fn count(&self, lo: &Rational, hi: &Rational) -> usize {
        self.variations(lo).saturating_sub(self.variations(hi))
    }
}

/// A binary fraction with few digits strictly between two rationals, close to their middle.
pub fn binary_between(lo: &Rational, hi: &Rational) -> Rational {
    let width = hi - lo;
    // 2^-bits is at most a quarter of the width.
    let bits = (width.denominator().bit_len() + 3).saturating_sub(width.numerator().bit_len());
    let twice_middle = lo + hi;
    let scaled = (twice_middle.numerator() << bits) / IBig::from(twice_middle.denominator() << 1);
    Rational::from_parts(scaled, UBig::ONE << bits)
}

/// The sign of a polynomial between two rationals if it is the same everywhere there (zeros apart); `None` if it changes.
pub fn sign_between(polynomial: &Polynomial, lo: &Rational, hi: &Rational) -> Option<i8> {
    let probe = |from: &Rational, to: &Rational| {
        // Between two neighbouring roots any point but the roots themselves will do.
        let mut point = binary_between(from, to);
        while polynomial.sign_at(&point) == 0 {
            point = binary_between(from, &point);
        }
        polynomial.sign_at(&point)
    };
    if polynomial.is_constant() {
        return Some(sign(&polynomial.coefficient(0)));
    }
    let first = probe(lo, hi);
    // A sign changes only at roots of odd multiplicity.
    let odd = polynomial.squarefree_factors().into_iter().step_by(2);
    for factor in odd.filter(|f| !f.is_constant()) {
        let inside = |x: &Rational| usize::from(factor.sign_at(x) == 0);
        // Count (lo, hi): Sturm counts (lo, hi].
        if Sturm::new(&factor).count(lo, hi) > inside(hi) {
            return None;
        }
    }
    Some(first)
}
