//! Elementary functions of intervals.
//!
//! They rest on the correctly rounded functions of CORE-MATH: the float next to a correctly rounded value, on either side, is
//! beyond the true one. The functions of the standard library may differ from one platform to the next and are not used here.

use super::interval::Interval;

/// The floats around a correctly rounded value.
fn around(rounded: f64) -> [f64; 2] {
    [rounded.next_down(), rounded.next_up()]
}

impl Interval {
    /// `e^x`.
    ///
    /// ```
    /// use rocproof::arith::Interval;
    /// let e = Interval::ONE.exp();
    /// assert!(e.contains(std::f64::consts::E) && e.width() < 1e-15);
    /// ```
    pub fn exp(self) -> Interval {
        let end = |x: f64| if x == 0.0 { [1.0, 1.0] } else { around(core_math::exp(x)) };
        let hi = if self.hi() == f64::NEG_INFINITY { 0.0 } else { end(self.hi())[1] };
        Interval::new(if self.lo() == f64::NEG_INFINITY { 0.0 } else { end(self.lo())[0].max(0.0) }, hi)
    }

    /// The natural logarithm of what is positive; nothing is known from below if 0 is inside.
    pub fn ln(self) -> Interval {
        let end = |x: f64| if x == 1.0 { [0.0, 0.0] } else { around(core_math::log(x)) };
        if self.hi() <= 0.0 {
            return Interval::ALL;
        }
        let lo = if self.lo() <= 0.0 { f64::NEG_INFINITY } else { end(self.lo())[0] };
        Interval::new(lo, if self.hi() == f64::INFINITY { f64::INFINITY } else { end(self.hi())[1] })
    }

    /// `ln(1 + x)` of what is above -1.
    pub fn ln_1p(self) -> Interval {
        let end = |x: f64| if x == 0.0 { [0.0, 0.0] } else { around(core_math::log1p(x)) };
        if self.lo() <= -1.0 || !self.is_bounded() {
            return (Interval::ONE + self).ln();
        }
        Interval::new(end(self.lo())[0], end(self.hi())[1])
    }

    /// The sine: no steeper than 1.
    pub fn sin(self) -> Interval {
        self.near_middle(core_math::sin)
    }

    /// The cosine.
    pub fn cos(self) -> Interval {
        self.near_middle(core_math::cos)
    }

    fn near_middle(self, function: fn(f64) -> f64) -> Interval {
        let unit = Interval::new(-1.0, 1.0);
        if !self.is_bounded() {
            return unit;
        }
        let [lo, hi] = around(function(self.mid()));
        (Interval::new(lo, hi) + Interval::around(0.0, self.radius())).meet(unit)
    }

    /// A power of what is positive.
    pub fn pow(self, exponent: Interval) -> Interval {
        if exponent.is_point() && exponent.lo().fract() == 0.0 && exponent.magnitude() < 1e6 {
            return self.power(exponent.lo() as i32);
        }
        if exponent == Interval::from(0.5) {
            return self.sqrt();
        }
        if self.hi() <= 0.0 {
            return Interval::ALL;
        }
        (exponent * self.ln()).exp()
    }
}
