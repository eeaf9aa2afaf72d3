//! Pieces of curves: quadratic polynomials on an interval.

use rocproof_arith::Interval;
use rocproof_arith::rational::{self, Rational};
use rocproof_engine::functional::program::Algebra;

/// A polynomial of degree at most 2 on [0, 1]: `start·(1-u) + end·u + bend·u·(1-u)`.
///
/// In this form each end is computed from the inputs at that end only, so that pieces that meet agree there to the last bit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UnitQuadratic {
    /// The value at `u = 0`.
    pub start: f64,
    /// The value at `u = 1`.
    pub end: f64,
    /// Four times the distance from the chord at `u = 1/2`.
    pub bend: f64,
}

impl UnitQuadratic {
    /// The linear polynomial between two values.
    pub fn straight(start: f64, end: f64) -> UnitQuadratic {
        UnitQuadratic { start, end, bend: 0.0 }
    }

    /// The value at `u`.
    pub fn at(&self, u: f64) -> f64 {
        let chord = if self.start == self.end { self.start } else { (1.0 - u) * self.start + u * self.end };
        if self.bend == 0.0 { chord } else { chord + self.bend * u * (1.0 - u) }
    }

    /// The restriction to [u0, u1], as a polynomial on [0, 1].
    pub fn part(&self, u0: f64, u1: f64) -> UnitQuadratic {
        UnitQuadratic { start: self.at(u0), end: self.at(u1), bend: self.bend * (u1 - u0) * (u1 - u0) }
    }

    /// The integral over `u` from 0 to 1.
    pub fn mean(&self) -> f64 {
        (self.start + self.end) / 2.0 + self.bend / 6.0
    }

    /// The coefficients of 1, `u`, `u²`, without trailing zeros.
    pub fn coefficients(&self) -> Vec<f64> {
        let slope = self.end - self.start + self.bend;
        if self.bend != 0.0 {
            vec![self.start, slope, -self.bend]
        } else if slope != 0.0 {
            vec![self.start, slope]
        } else {
            vec![self.start]
        }
    }

    /// The smallest and the largest value.
    pub fn extremes(&self) -> (f64, f64) {
        let mut values = vec![self.start, self.end];
        // The zero of the derivative `end - start + bend·(1 - 2u)`.
        let u = 0.5 + (self.end - self.start) / (2.0 * self.bend);
        if self.bend != 0.0 && 0.0 < u && u < 1.0 {
            values.push(self.at(u));
        }
        (values.iter().copied().fold(f64::INFINITY, f64::min), values.iter().copied().fold(f64::NEG_INFINITY, f64::max))
    }

    /// Whether the polynomial has one value everywhere.
    fn is_constant(&self) -> bool {
        self.start == self.end && self.bend == 0.0
    }

    /// The polynomial with a function applied to each of its numbers.
    fn map(&self, f: impl Fn(f64) -> f64) -> UnitQuadratic {
        UnitQuadratic { start: f(self.start), end: f(self.end), bend: f(self.bend) }
    }
}

/// Arithmetic by which definitions are evaluated along a piece. The bend of a result that is not quadratic is NaN.
impl Algebra for UnitQuadratic {
    fn constant(value: &Rational) -> UnitQuadratic {
        let value = rational::to_f64(value);
        UnitQuadratic::straight(value, value)
    }

    fn plus(&self, other: &UnitQuadratic) -> UnitQuadratic {
        UnitQuadratic { start: self.start + other.start, end: self.end + other.end, bend: self.bend + other.bend }
    }

    fn minus(&self, other: &UnitQuadratic) -> UnitQuadratic {
        UnitQuadratic { start: self.start - other.start, end: self.end - other.end, bend: self.bend - other.bend }
    }

    fn times(&self, other: &UnitQuadratic) -> UnitQuadratic {
        let bend = match (self.bend == 0.0, other.bend == 0.0) {
            (true, true) => -(self.end - self.start) * (other.end - other.start),
            (false, _) if other.is_constant() => self.bend * other.start,
            (_, false) if self.is_constant() => other.bend * self.start,
            _ => f64::NAN,
        };
        UnitQuadratic { start: self.start * other.start, end: self.end * other.end, bend }
    }

    fn over(&self, other: &UnitQuadratic) -> UnitQuadratic {
        // Zero divided by anything is zero, even by zero.
        let quotient = |a: f64, b: f64| if a == 0.0 { 0.0 } else { a / b };
        let bend = if other.is_constant() { quotient(self.bend, other.start) } else { f64::NAN };
        UnitQuadratic { start: quotient(self.start, other.start), end: quotient(self.end, other.end), bend }
    }

    fn power(&self, exponent: i32) -> UnitQuadratic {
        match exponent {
            1 => *self,
            2 => self.times(self),
            _ if self.is_constant() => self.map(|v| v.powi(exponent)),
            _ => UnitQuadratic { bend: f64::NAN, ..self.map(|v| v.powi(exponent)) },
        }
    }

    fn literal(_: &Rational, enclosed: Interval) -> UnitQuadratic {
        UnitQuadratic::straight(enclosed.mid(), enclosed.mid())
    }
}

/// The divisor of a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Divisor {
    /// 1: the piece is a polynomial.
    One,
    /// One minus the abscissa. Such pieces are net benefits by threshold probability, with a linear numerator.
    Complement,
    /// The abscissa. Such pieces are interventions avoided by threshold probability, with a linear numerator.
    Abscissa,
}

impl Divisor {
    /// The divisor as text in the abscissa `x`.
    pub fn name(self) -> &'static str {
        match self {
            Divisor::One => "1",
            Divisor::Complement => "1-x",
            Divisor::Abscissa => "x",
        }
    }
}

/// A piece of a curve: on an interval a polynomial of degree at most 2, or a linear function divided by the abscissa or by one minus it.
///
/// A piece of width 0 is a vertical part of the curve, or a single point if its ends agree.
///
/// ```
/// use rocproof_scored::curves::CurvePiece;
/// let piece = CurvePiece::straight(0.5, 1.0, 0.2, 0.4);
/// assert_eq!((piece.at(0.75), piece.left(), piece.right()), (0.30000000000000004, 0.2, 0.4));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CurvePiece {
    /// The left end of the interval.
    pub from: f64,
    /// The right end of the interval.
    pub to: f64,
    /// The polynomial in `u = (x - from)/(to - from)`.
    pub polynomial: UnitQuadratic,
    /// The divisor of the polynomial.
    pub divisor: Divisor,
}

impl CurvePiece {
    /// A straight piece.
    pub fn straight(from: f64, to: f64, left: f64, right: f64) -> CurvePiece {
        CurvePiece::of(from, to, UnitQuadratic::straight(left, right))
    }

    /// A polynomial piece.
    pub fn of(from: f64, to: f64, polynomial: UnitQuadratic) -> CurvePiece {
        CurvePiece { from, to, polynomial, divisor: Divisor::One }
    }

    /// The width of the interval.
    pub fn width(&self) -> f64 {
        self.to - self.from
    }

    /// The limit at the left end.
    pub fn left(&self) -> f64 {
        self.value(0.0)
    }

    /// The limit at the right end.
    pub fn right(&self) -> f64 {
        self.value(1.0)
    }

    /// The value at an abscissa of the piece.
    pub fn at(&self, x: f64) -> f64 {
        self.value(self.parameter(x))
    }

    /// `u` at an abscissa, clamped to [0, 1].
    fn parameter(&self, x: f64) -> f64 {
        if x <= self.from {
            0.0
        } else if x >= self.to {
            1.0
        } else {
            (x - self.from) / self.width()
        }
    }

    /// The value at `u`.
    pub fn value(&self, u: f64) -> f64 {
        let value = self.polynomial.at(u);
        if self.divisor == Divisor::One {
            return value;
        }
        let complement = if u == 1.0 { 1.0 - self.to } else { 1.0 - self.from - u * self.width() };
        let abscissa = if u == 1.0 { self.to } else { self.from + u * self.width() };
        let divisor = if self.divisor == Divisor::Abscissa { abscissa } else { complement };
        if divisor == 0.0 && value == 0.0 && self.width() > 0.0 {
            // Numerator and divisor vanish at an end: the ratio of their derivatives.
            let UnitQuadratic { start, end, bend } = self.polynomial;
            return match self.divisor {
                Divisor::Abscissa => (end - start + bend) / self.width(),
                _ => -(end - start - bend) / self.width(),
            };
        }
        value / divisor
    }

    /// The restriction to an interval inside the piece.
    pub fn part(&self, from: f64, to: f64) -> CurvePiece {
        let polynomial = if (from, to) == (self.from, self.to) {
            self.polynomial
        } else {
            self.polynomial.part(self.parameter(from), self.parameter(to))
        };
        CurvePiece { from, to, polynomial, divisor: self.divisor }
    }

    /// The integral over the interval; `None` if the piece is not a polynomial.
    pub fn area(&self) -> Option<f64> {
        (self.divisor == Divisor::One).then(|| self.width() * self.polynomial.mean())
    }

    /// The smallest and the largest value.
    pub fn extremes(&self) -> (f64, f64) {
        match self.divisor {
            Divisor::One => self.polynomial.extremes(),
            // A quotient of linear functions is monotone.
            Divisor::Complement | Divisor::Abscissa => {
                debug_assert!(self.polynomial.bend == 0.0);
                (self.left().min(self.right()), self.left().max(self.right()))
            }
        }
    }

    /// This piece and the next as one, if both lie on one vertical or horizontal line.
    pub(super) fn joined(self, next: CurvePiece) -> Option<CurvePiece> {
        let (a, b) = (self.polynomial, next.polynomial);
        let are_contiguous = self.to == next.from && a.end == b.start && self.divisor == next.divisor;
        let are_vertical = self.from == self.to && next.from == next.to;
        let are_horizontal = a.is_constant() && b.is_constant() && self.width() > 0.0 && next.width() > 0.0;
        if are_contiguous && (are_vertical || are_horizontal) {
            Some(CurvePiece { to: next.to, polynomial: UnitQuadratic::straight(a.start, b.end), ..self })
        } else {
            None
        }
    }
}
