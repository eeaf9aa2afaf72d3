//! Jets: functions along a chart with their derivatives, by series with proved errors.

use rocproof_arith::{Interval, Series};

/// A value with a larger relative error is also computed by its logarithm, and the better one is kept.
const POOR: f64 = 1e-14;

/// The logarithm of a sum is kept where its value is smaller: a product with it may underflow.
const TINY: f64 = 1e-150;

/// Whole powers up to this one, positive or negative, are also computed by multiplication.
const LARGEST_WHOLE_POWER: f64 = 64.0;

/// Below this angle the sine is computed as the angle times a series, so that it has the relative accuracy of the angle.
const SMALL_ANGLE: f64 = 0.3;
/// The number of terms of that series: below the angle above, the next one is less than a rounding error.
const SINE_TERMS: usize = 8;

/// A function along a chart: its value, its derivative, and the logarithm with its derivative where that is known.
#[derive(Clone, Copy, Debug)]
pub struct Jet {
    /// The value.
    pub value: Series,
    /// The derivative.
    pub slope: Series,
    /// The logarithm and its derivative.
    pub log: Option<[Series; 2]>,
}

impl Jet {
    /// A value and its derivative.
    pub fn new(value: Series, slope: Series) -> Jet {
        Jet { value, slope, log: None }
    }

    /// A positive function, by its logarithm and the derivative of that.
    pub fn with_log(log: Series, rate: Series) -> Jet {
        let value = log.exp();
        Jet { value, slope: value * rate, log: Some([log, rate]) }
    }

    /// Replaces value and derivative by another enclosure of the same function if that is narrower. The logarithm stays.
    pub fn or_value(self, value: Series, slope: Series) -> Jet {
        if value.error() < self.value.error() { Jet { value, slope, ..self } } else { self }
    }

    /// The logarithm and its derivative.
    pub fn logarithm(&self) -> (Series, Series) {
        match self.log {
            Some([log, rate]) => (log, rate),
            None => (self.value.ln(), self.slope / self.value),
        }
    }

    /// The negative.
    pub fn negated(self) -> Jet {
        Jet::new(-self.value, -self.slope)
    }

    /// The sum.
    pub fn plus(self, other: Jet) -> Jet {
        let sum = Jet::new(self.value + other.value, self.slope + other.slope);
        let is_inaccurate = !sum.value.is_known() || !sum.slope.is_known() || sum.value.bound() < TINY;
        match self.log.zip(other.log) {
            // The value overflows or is tiny: ln(a + b) = ln a + ln(1 + b/a) for the larger a.
            Some((a, b)) if is_inaccurate => {
                let is_first_larger = a[0].rough_range().mid() >= b[0].rough_range().mid();
                let ([log_larger, rate_larger], [log_smaller, rate_smaller]) =
                    if is_first_larger { (a, b) } else { (b, a) };
                let ratio = (log_smaller - log_larger).exp();
                let share_of_smaller = ratio / (Series::from(1.0) + ratio);
                let log = log_larger + ratio.ln_1p();
                let rate = rate_larger + share_of_smaller * (rate_smaller - rate_larger);
                Jet { log: log.is_known().then_some([log, rate]), ..sum }
            }
            _ => sum,
        }
    }

    /// The product.
    pub fn times(self, other: Jet) -> Jet {
        let value = self.value * other.value;
        let log = self.log.zip(other.log).map(|([a, da], [b, db])| [a + b, da + db]);
        Jet { value, slope: self.slope * other.value + self.value * other.slope, log }.or_by_log()
    }

    /// The quotient.
    pub fn over(self, other: Jet) -> Jet {
        let value = self.value / other.value;
        let log = self.log.zip(other.log).map(|([a, da], [b, db])| [a - b, da - db]);
        Jet { value, slope: (self.slope - value * other.slope) / other.value, log }.or_by_log()
    }

    /// `ln(1 + f)`.
    pub fn ln_1p(self) -> Jet {
        Jet::new(self.value.ln_1p(), self.slope / (Series::from(1.0) + self.value))
    }

    /// The sine; its relative error is small where the argument is close to 0.
    pub fn sin(self) -> Jet {
        let [sin, cos] = self.value.sin_cos();
        let plain = Jet::new(sin, cos * self.slope);
        if self.value.bound() > SMALL_ANGLE {
            return plain;
        }
        let ratio = (self.value * self.value).under(&sine_over_angle());
        let log = self.log.map(|[log, rate]| [log + ratio.ln(), rate * (cos / ratio)]);
        Jet { value: self.value * ratio, log, ..plain }
    }

    /// The cosine.
    pub fn cos(self) -> Jet {
        let [sin, cos] = self.value.sin_cos();
        Jet::new(cos, -(sin * self.slope))
    }

    /// A constant power: by repeated multiplication for small whole exponents, and by the logarithm; the better value is kept.
    pub fn power(self, exponent: Interval) -> Jet {
        let is_whole =
            exponent.is_point() && exponent.lo().fract() == 0.0 && exponent.magnitude() <= LARGEST_WHOLE_POWER;
        let (log, rate) = match self.log {
            // The function may be negative, and multiplication serves.
            None if is_whole => (Series::UNKNOWN, Series::UNKNOWN),
            _ => self.logarithm(),
        };
        let by_log = Jet::with_log(log.scaled(exponent), rate.scaled(exponent));
        let by_log = Jet { log: by_log.log.filter(|[log, _]| log.is_known()), ..by_log };
        if !is_whole {
            return by_log;
        }
        let k = exponent.lo() as i32;
        if k == 0 {
            return Jet::new(Series::from(1.0), Series::from(0.0));
        }
        by_log.or_value(self.value.power(k), self.value.power(k - 1).scaled(exponent) * self.slope)
    }

    /// Recomputes an inaccurate value by the logarithm, if that is better.
    fn or_by_log(self) -> Jet {
        match self.log {
            Some([log, rate]) if self.value.error() > POOR * self.value.bound() || !self.value.is_known() => {
                let by_log = Jet::with_log(log, rate);
                if by_log.value.error() < self.value.error() { by_log } else { self }
            }
            _ => self,
        }
    }
}

/// The coefficients of `sin(a)/a = 1 - a²/3! + a⁴/5! - …` in the powers of `a²`. The last one is widened so that it covers the next term
/// for all angles up to [`SMALL_ANGLE`]: the terms alternate and fall, so the truncation error is less than that term.
fn sine_over_angle() -> Vec<Interval> {
    let mut terms = vec![Interval::ONE];
    for k in 1..SINE_TERMS {
        let factor = Interval::from(-((2 * k) as f64 * (2 * k + 1) as f64));
        terms.push(terms[k - 1] / factor);
    }
    if let Some(last) = terms.last_mut() {
        *last = *last + Interval::around(0.0, last.magnitude() * SMALL_ANGLE * SMALL_ANGLE);
    }
    terms
}
