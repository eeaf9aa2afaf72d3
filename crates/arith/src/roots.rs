//! Real roots of polynomials: isolated by Sturm sequences, refined to any width by quadratic interval refinement.

use super::enclosure::Enclosure;
use super::factor::{self, SmallFactors};
use super::polynomial::{Polynomial, sign};
use super::rational::Rational;
use dashu_base::BitTest;
use dashu_int::{IBig, UBig};
pub use rocproof_algebra::sturm::{Sturm, binary_between, sign_between};
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

/// An irrational real root of a polynomial with rational coefficients.
pub struct Root {
    polynomial: Polynomial,
    /// The polynomial has exactly one root between these, and different signs at them.
    bounds: Mutex<(Rational, Rational)>,
}

impl Root {
    /// The root between two rationals. The polynomial must have exactly one there, and different signs at the two.
    fn between(polynomial: Polynomial, lo: Rational, hi: Rational) -> Root {
        Root { polynomial, bounds: Mutex::new((lo, hi)) }
    }

    /// The positive square root of an integer that is not a square.
    pub(crate) fn square_root(of: &UBig) -> Root {
        let polynomial = Polynomial::from_integers(vec![-IBig::from(of.clone()), IBig::ZERO, IBig::ONE]);
        Root::between(polynomial, Rational::ZERO, Rational::from(of.clone()) + Rational::ONE)
    }

    /// The defining polynomial: primitive, squarefree, irreducible if its degree is 2, without rational roots.
    pub fn polynomial(&self) -> &Polynomial {
        &self.polynomial
    }

    /// An isolating interval: no other root of the polynomial lies in it.
    pub(crate) fn bounds(&self) -> (Rational, Rational) {
        self.bounds.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Bounds at most `2^-bits` apart. They are kept for later calls.
    pub(crate) fn refine(&self, bits: usize) -> (Rational, Rational) {
        let mut bounds = self.bounds.lock().unwrap_or_else(PoisonError::into_inner);
        let narrow = Rational::from_parts(IBig::ONE, UBig::ONE << bits);
        if &bounds.1 - &bounds.0 > narrow {
            refine(&mut bounds, bits, |x| Some(self.polynomial.approximate_at(x)));
        }
        bounds.clone()
    }

    /// An enclosure that is about `2^-bits` wide.
    pub(crate) fn enclosure(&self, bits: usize) -> Enclosure {
        let (lo, hi) = self.refine(bits);
        Enclosure::between(&lo, &hi, bits)
    }

    /// Whether it is a root of another polynomial, too.
    pub fn is_root_of(&self, polynomial: &Polynomial) -> bool {
        if polynomial.is_zero() {
            return true;
        }
        let common = self.polynomial.gcd(polynomial);
        if common.is_constant() {
            return false;
        }
        // Exactly one root lies between the bounds, and it is simple. So the common divisor has it if and only if its sign changes.
        let (lo, hi) = self.bounds();
        common.sign_at(&lo) * common.sign_at(&hi) < 0
    }

    /// Whether two roots are the same number.
    pub fn is_same(&self, other: &Root) -> bool {
        if std::ptr::eq(self, other) {
            return true;
        }
        if !self.is_root_of(&other.polynomial) {
            return false;
        }
        let ((a, b), (c, d)) = (self.bounds(), other.bounds());
        let (lo, hi) = (a.max(c), b.min(d));
        // A common root lies in both intervals, and each interval has only one root.
        lo < hi && self.polynomial.sign_at(&lo) * self.polynomial.sign_at(&hi) < 0
    }
}

impl fmt::Debug for Root {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (lo, hi) = self.bounds();
        write!(f, "root of {} in ({lo}, {hi})", self.polynomial)
    }
}

/// An interval in which a function changes its sign, with its values at both ends.
struct Bracket {
    lo: Rational,
    hi: Rational,
    at_lo: Rational,
    at_hi: Rational,
}

impl Bracket {
    /// The width.
    fn width(&self) -> Rational {
        &self.hi - &self.lo
    }

    /// Whether the root lies above the point at which the function has a value.
    fn is_root_above(&self, value: &Rational) -> bool {
        sign(value) == sign(&self.at_lo)
    }

    /// Cuts the interval at a point inside and keeps the part with the root. `value` is the function's value at the point.
    fn cut(&mut self, point: Rational, value: Rational) {
        if self.is_root_above(&value) {
            (self.lo, self.at_lo) = (point, value);
        } else {
            (self.hi, self.at_hi) = (point, value);
        }
    }

    /// Narrows the interval to a width by quadratic interval refinement; `false` if a sign is unknown.
    fn narrow(&mut self, target_width: &Rational, value: &mut impl FnMut(&Rational) -> Option<Rational>) -> bool {
        // On a short interval a function is nearly linear: start with many parts.
        let is_short = self.width() < Rational::from_parts(IBig::ONE, UBig::from(1u32 << 20));
        let mut parts_log = if is_short { 16 } else { 2 };
        while self.width() > *target_width {
            // An end may be the root itself.
            if self.at_lo.is_zero() {
                self.hi = self.lo.clone();
                return true;
            }
            if self.at_hi.is_zero() {
                self.lo = self.hi.clone();
                return true;
            }
            // More parts than the final width asks for are of no use.
            let needed = self.width() / target_width;
            parts_log = parts_log.min(needed.ceil().bit_len()).max(1);
            let parts = IBig::ONE << parts_log;
            let part_width = self.width() / Rational::from(parts.clone());
            // The boundary between parts that is closest to the zero of the secant.
            let secant = Rational::from(parts.clone()) * &self.at_lo / (&self.at_lo - &self.at_hi);
            let guess = secant.round().clamp(IBig::ONE, &parts - IBig::ONE);
            let Some((first, at_first)) = probe(&self.lo + Rational::from(guess) * &part_width, &part_width, value)
            else {
                return false;
            };
            let is_above_first = self.is_root_above(&at_first);
            let second = if is_above_first { &first + &part_width } else { &first - &part_width };
            self.cut(first, at_first);
            // The next boundary towards the root. If it lies inside, it is the other end of the guessed part.
            if second <= self.lo || second >= self.hi {
                continue;
            }
            let Some((second, at_second)) = probe(second, &part_width, value) else { return false };
            if second >= self.hi {
                continue;
            }
            // The guess was right if the root lies between the two points.
            let is_caught = self.is_root_above(&at_second) != is_above_first;
            self.cut(second, at_second);
            parts_log = if is_caught { parts_log * 2 } else { (parts_log / 2).max(1) };
        }
        true
    }
}

/// A point and the value there. Where the sign is unknown, as at the root itself, a point a third of a part further is tried.
fn probe(
    point: Rational,
    part_width: &Rational,
    value: &mut impl FnMut(&Rational) -> Option<Rational>,
) -> Option<(Rational, Rational)> {
    if let Some(at_point) = value(&point) {
        return Some((point, at_point));
    }
    let further = point + part_width / Rational::from(3);
    value(&further).map(|at_further| (further, at_further))
}

/// Narrows the bounds of a root to `2^-bits` by quadratic interval refinement (Abbott).
///
/// The interval is cut into `2^m` parts, and the secant guesses the part with the root. `m` doubles when the guess is right and halves
/// when it is wrong.
///
/// `value` must change its sign exactly once between the bounds. Its values may be rounded, but their signs must be right; `None` means
/// that the sign is unknown. A value of 0 ends the search at that point. Returns `false` if the width was not reached: the signs at the
/// bounds are equal or unknown.
pub fn refine(
    bounds: &mut (Rational, Rational),
    bits: usize,
    mut value: impl FnMut(&Rational) -> Option<Rational>,
) -> bool {
    let target_width = Rational::from_parts(IBig::ONE, UBig::ONE << bits);
    if bounds.0 >= bounds.1 {
        return bounds.0 == bounds.1;
    }
    let (Some(at_lo), Some(at_hi)) = (value(&bounds.0), value(&bounds.1)) else { return false };
    if sign(&at_lo) == sign(&at_hi) {
        return false;
    }
    let mut bracket = Bracket { lo: bounds.0.clone(), hi: bounds.1.clone(), at_lo, at_hi };
    let is_narrow = bracket.narrow(&target_width, &mut value);
    *bounds = (bracket.lo, bracket.hi);
    is_narrow
}

/// Like [`refine`], but tries intervals around an estimate of the root first: `estimate ± 2^-40`, then wider ones.
pub fn refine_near(
    bounds: &mut (Rational, Rational),
    estimate: f64,
    bits: usize,
    mut value: impl FnMut(&Rational) -> Option<Rational>,
) -> bool {
    for reach in [40, 28, 16] {
        let step = Rational::from_parts(IBig::ONE, UBig::ONE << reach);
        // The estimate rounded to two bits more than the step has: bounds with few digits are cheap.
        let Some(middle) = Rational::try_from((estimate * (1u64 << (reach + 2)) as f64).round()).ok() else { break };
        let middle = middle / Rational::from(1u64 << (reach + 2));
        let mut close = ((&middle - &step).max(bounds.0.clone()), (&middle + &step).min(bounds.1.clone()));
        if close.0 < close.1 && refine(&mut close, bits, &mut value) {
            *bounds = close;
            return true;
        }
    }
    refine(bounds, bits, value)
}

/// A real root of a polynomial.
#[derive(Clone, Debug)]
pub enum Real {
    /// A rational root.
    Rational(Rational),
    /// An irrational root.
    Irrational(Arc<Root>),
}

impl Real {
    /// Rationals at most `2^-bits` apart with the root between them.
    pub fn bounds(&self, bits: usize) -> (Rational, Rational) {
        match self {
            Real::Rational(value) => (value.clone(), value.clone()),
            Real::Irrational(root) => root.refine(bits),
        }
    }

    /// Whether it is larger than a rational.
    pub(crate) fn is_above(&self, value: &Rational) -> bool {
        match self {
            Real::Rational(root) => root > value,
            Real::Irrational(root) => {
                let (lo, hi) = root.bounds();
                if value <= &lo || value >= &hi {
                    return value <= &lo;
                }
                // Inside the bounds the polynomial changes its sign at the root only.
                root.polynomial.sign_at(value) == root.polynomial.sign_at(&lo)
            }
        }
    }
}

/// The distinct real roots in a closed interval, in order.
///
/// ```
/// use rocproof_arith::{Polynomial, roots};
/// // (x - 1/2)(x² - 2)
/// let found = roots::real_roots(&Polynomial::whole(&[2, -4, -1, 2]), &0.into(), &2.into());
/// assert!(matches!(&found[..], [roots::Real::Rational(_), roots::Real::Irrational(r)] if r.polynomial().degree() == 2));
/// let (lo, hi) = found[1].bounds(200);
/// assert!(&lo * &lo < 2.into() && &hi * &hi > 2.into());
/// ```
pub fn real_roots(polynomial: &Polynomial, lo: &Rational, hi: &Rational) -> Vec<Real> {
    if polynomial.is_constant() {
        return Vec::new();
    }
    let squarefree = polynomial.squarefree();
    let SmallFactors { linear, quadratic, rest } = factor::small_factors(&squarefree);
    let rational = linear.iter().map(|l| -l.coefficient(0) / l.coefficient(1));
    let mut found: Vec<Real> = rational.filter(|r| lo <= r && r <= hi).map(Real::Rational).collect();
    for part in quadratic.iter().chain((!rest.is_constant()).then_some(&rest)) {
        isolate(part, lo, hi, &mut found);
    }
    // Isolating intervals of different factors may overlap. Refine them until they do not.
    let mut bits = 8;
    while !sort_apart(&mut found, bits) {
        bits *= 2;
    }
    found
}

/// Sorts roots by their bounds of width `2^-bits`; `false` if two intervals overlap.
fn sort_apart(roots: &mut [Real], bits: usize) -> bool {
    roots.sort_by_cached_key(|root| root.bounds(bits));
    roots.windows(2).all(|pair| pair[0].bounds(bits).1 <= pair[1].bounds(bits).0)
}

/// Isolates the roots of a squarefree polynomial without rational roots by bisection, and appends them to `found`.
fn isolate(polynomial: &Polynomial, lo: &Rational, hi: &Rational, found: &mut Vec<Real>) {
    let sturm = Sturm::new(polynomial);
    // Intervals still to be examined, each with its number of roots. The leftmost is the last.
    let mut pending = vec![(lo.clone(), hi.clone(), sturm.count(lo, hi))];
    while let Some((lo, hi, count)) = pending.pop() {
        match count {
            0 => {}
            1 => found.push(Real::Irrational(Arc::new(Root::between(polynomial.clone(), lo, hi)))),
            _ => {
                let middle = binary_between(&lo, &hi);
                let below = sturm.count(&lo, &middle);
                pending.push((middle.clone(), hi, count - below));
                pending.push((lo, middle, below));
            }
        }
    }
}
