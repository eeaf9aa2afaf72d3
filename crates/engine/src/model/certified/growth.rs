//! How functions grow in a tail: enclosures of their values and of their elasticity.

use rocproof_arith::Interval;

/// How a function behaves in a tail.
#[derive(Clone, Copy, Debug)]
pub(super) struct Growth {
    /// All values.
    pub(super) range: Interval,
    /// The local power of the distance: `d ln|f| / d ln(distance)`.
    pub(super) elasticity: Interval,
    /// `df / d ln(distance)`.
    pub(super) change: Interval,
}

impl Growth {
    /// The growth of a function of which nothing is known.
    pub(super) const UNKNOWN: Growth =
        Growth { range: Interval::ALL, elasticity: Interval::ALL, change: Interval::ALL };

    /// A growth in which elasticity and change are also enclosed by each other: `change = f·elasticity`.
    pub(super) fn new(range: Interval, elasticity: Interval, change: Interval) -> Growth {
        Growth { range, elasticity: elasticity.meet(change / range), change: change.meet(range * elasticity) }
    }

    /// The growth of the polynomial with these coefficients in the distance `y`, near 0. The lowest power is factored out, so that the
    /// elasticity stays bounded: for `f = y^k·p(y)` it is `k + y·p'/p`.
    pub(super) fn of_polynomial_at_zero(coefficients: &[Interval], y: Interval) -> Growth {
        let order = coefficients.iter().position(|c| *c != Interval::ZERO).unwrap_or(0);
        let quotient = &coefficients[order.min(coefficients.len())..];
        let (value, slope) = horner(quotient, y);
        let elasticity = Interval::from(order as f64) + y * slope / value;
        let (_, slope_of_whole) = horner(coefficients, y);
        Growth::new(y.power(order as i32) * value, elasticity, y * slope_of_whole)
    }

    /// The growth of the polynomial with these coefficients in the distance `y`, near infinity. The highest power is factored out, so that
    /// the elasticity stays bounded: for `f = y^n·p(s)` with `s = 1/y` it is `n - s·p'/p`.
    pub(super) fn of_polynomial_at_infinity(coefficients: &[Interval], y: Interval) -> Growth {
        let degree = coefficients.iter().rposition(|c| *c != Interval::ZERO).unwrap_or(0);
        let reversed: Vec<Interval> = coefficients.iter().take(degree + 1).rev().copied().collect();
        let s = Interval::new(0.0, (Interval::ONE / y).hi());
        let (value, slope) = horner(&reversed, s);
        let range = y.power(degree as i32) * value;
        Growth::new(range, Interval::from(degree as f64) - s * slope / value, Interval::ALL)
    }

    pub(super) fn negated(self) -> Growth {
        Growth { range: -self.range, change: -self.change, ..self }
    }

    /// The growth of the sum.
    pub(super) fn plus(self, other: Growth) -> Growth {
        if self.range == Interval::ZERO {
            return other;
        }
        let same_sign =
            (self.range.lo() >= 0.0 && other.range.lo() >= 0.0) || (self.range.hi() <= 0.0 && other.range.hi() <= 0.0);
        // If the signs are the same, the elasticity is an average of both, weighted by the shares in the sum. The shares help where one
        // summand is negligible, the hull where they are unknown.
        let elasticity = if same_sign {
            let ratio = other.range / self.range;
            let share = (Interval::ONE / (Interval::ONE + ratio)).meet(Interval::UNIT);
            let average = self.elasticity * share + other.elasticity * (Interval::ONE - share);
            average.meet(self.elasticity.hull(other.elasticity))
        } else {
            Interval::ALL
        };
        Growth::new(self.range + other.range, elasticity, self.change + other.change)
    }

    /// The growth of the product: elasticities add up.
    pub(super) fn times(self, other: Growth) -> Growth {
        let change = self.change * other.range + self.range * other.change;
        Growth::new(self.range * other.range, self.elasticity + other.elasticity, change)
    }

    /// The growth of `1/f`.
    pub(super) fn inverse(self) -> Growth {
        Growth::new(Interval::ONE / self.range, -self.elasticity, -self.change / self.range.square())
    }

    /// The growth of `f^exponent`.
    pub(super) fn power(self, exponent: Interval) -> Growth {
        Growth::new(self.range.pow(exponent), self.elasticity * exponent, Interval::ALL)
    }

    /// The growth of `e^f`, whose elasticity is the change of `f`.
    pub(super) fn exp(self) -> Growth {
        Growth::new(self.range.exp(), self.change, Interval::ALL)
    }

    /// The growth of `ln f`, whose change is the elasticity of `f`.
    pub(super) fn ln(self) -> Growth {
        Growth::new(self.range.ln(), Interval::ALL, self.elasticity)
    }

    /// The growth of `ln(1 + g)` for small `g`: `1 - |g| <= g/((1+g)·ln(1+g)) <= 1 + |g|`.
    pub(super) fn ln_1p(self) -> Growth {
        let factor = Interval::ONE + Interval::around(0.0, self.range.magnitude());
        let change = self.change / (Interval::ONE + self.range);
        Growth::new(self.range.ln_1p(), factor * self.elasticity, change)
    }

    /// The growth of `sin g`. Its elasticity is that of `g` times `g·cot(g)`, and `1 - g²/2 <= g·cot(g) <= 1` for `|g| <= 1`.
    pub(super) fn sin(self) -> Growth {
        let g_cot_g = Interval::ONE - self.range.square() * Interval::new(0.0, 0.5);
        let elasticity = if self.range.magnitude() > 1.0 { Interval::ALL } else { g_cot_g * self.elasticity };
        Growth::new(self.range.sin(), elasticity, self.range.cos() * self.change)
    }

    /// The growth of `cos g`.
    pub(super) fn cos(self) -> Growth {
        Growth::new(self.range.cos(), Interval::ALL, -(self.range.sin() * self.change))
    }
}

/// A polynomial and its derivative at `y`, by Horner's rule.
pub(super) fn horner(coefficients: &[Interval], y: Interval) -> (Interval, Interval) {
    let zero = (Interval::ZERO, Interval::ZERO);
    coefficients.iter().rev().fold(zero, |(value, slope), c| (value * y + *c, slope * y + value))
}
