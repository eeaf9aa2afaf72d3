//! The expected loss of one row over a distribution of operating conditions.

use rocproof_engine::calculus::rule::RULE;
use rocproof_engine::functional::Cost;

/// The continued fraction of the incomplete beta function ends after at most this many steps.
const MOST_STEPS: u32 = 20_000;

/// Below this width two nodes integrate the loss of a driven prediction.
const NARROW: f64 = 1e-3;

/// Losses of a row that is predicted to be of class 0 under some of the conditions.
pub(super) struct RowLoss<'a>(pub(super) &'a Cost);

impl RowLoss<'_> {
    /// The loss of a row of a class that is predicted to be of class 0 with probability `q`, whatever the condition.
    pub(super) fn fixed(&self, class: usize, q: f64) -> f64 {
        let mean = self.0.mean();
        if class == 0 { 2.0 * mean * (1.0 - q) } else { 2.0 * (1.0 - mean) * q }
    }

    /// The loss of a row of a class that is predicted to be of class 0 if the condition is at least `u`: the integral of `2c` below `u`
    /// for class 0, of `2(1-c)` above it for class 1.
    pub(super) fn driven(&self, class: usize, u: f64) -> f64 {
        let x = if class == 0 { u } else { 1.0 - u };
        if self.0.is_uniform() {
            return x * x;
        }
        let [a, b] = self.0.exponents();
        let density = self.0.density(u, 1.0 - u);
        // 1 - c has the beta distribution with exchanged parameters.
        let [a, b] = if class == 0 { [a, b] } else { [b, a] };
        let front = density * x * x * (1.0 - x) * (a + b) / a;
        2.0 * a / (a + b) * incomplete_beta(a + 1.0, b, x, front)
    }

    /// The mean of [`RowLoss::driven`] over `u` from `from` to `to`.
    pub(super) fn driven_between(&self, class: usize, from: f64, to: f64) -> f64 {
        let width = to - from;
        if width == 0.0 {
            return self.driven(class, from);
        }
        if self.0.is_uniform() {
            let [x, y] = if class == 0 { [from, to] } else { [1.0 - to, 1.0 - from] };
            return (x * x + x * y + y * y) / 3.0;
        }
        if width < NARROW {
            let off = width / 12f64.sqrt();
            let middle = from + width / 2.0;
            return (self.driven(class, middle - off) + self.driven(class, middle + off)) / 2.0;
        }
        let nodes = RULE.nodes.iter().zip(RULE.kronrod);
        nodes.map(|(node, weight)| weight * self.driven(class, from + width * node)).sum()
    }
}

/// The regularised incomplete beta function at `x`, given `front = x^a (1-x)^b / B(a, b)`, by its continued fraction.
fn incomplete_beta(a: f64, b: f64, x: f64, front: f64) -> f64 {
    if x <= 0.0 {
        0.0
    } else if x >= 1.0 {
        1.0
    } else if x < (a + 1.0) / (a + b + 2.0) {
        front * continued_fraction(a, b, x) / a
    } else {
        1.0 - front * continued_fraction(b, a, 1.0 - x) / b
    }
}

/// The continued fraction of the incomplete beta function, by Lentz's method.
fn continued_fraction(a: f64, b: f64, x: f64) -> f64 {
    let away_from_zero = |y: f64| if y.abs() < 1e-300 { 1e-300 } else { y };
    let mut c = 1.0;
    let mut d = 1.0 / away_from_zero(1.0 - (a + b) * x / (a + 1.0));
    let mut fraction = d;
    for step in 1..=MOST_STEPS {
        let m = f64::from(step);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        let mut growth = 1.0;
        for term in [even, odd] {
            d = 1.0 / away_from_zero(1.0 + term * d);
            c = away_from_zero(1.0 + term / c);
            growth = c * d;
            fraction *= growth;
        }
        if (growth - 1.0f64).abs() <= f64::EPSILON {
            break;
        }
    }
    fraction
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against polynomials integrated by hand: with beta(2, 2), `w = 6c(1-c)`, the integral of `2c w` up to `u` is `4u³ - 3u⁴`; with
    /// beta(1, 3), `w = 3(1-c)²`, it is `3u² - 4u³ + 3u⁴/2`, and that of `2(1-c) w` from `u` on is `3(1-u)⁴/2`.
    #[test]
    fn losses_of_beta_distributions() {
        let close = |found: f64, truth: f64| assert!((found - truth).abs() < 1e-14, "{found} {truth}");
        for u in [0.0, 0.01, 0.3, 0.5, 0.77, 0.999, 1.0] {
            let v: f64 = 1.0 - u;
            let (cost, uniform) = (Cost::parse("beta(2,2)").unwrap(), Cost::uniform());
            close(RowLoss(&cost).driven(0, u), 4.0 * u.powi(3) - 3.0 * u.powi(4));
            close(RowLoss(&cost).driven(1, u), 4.0 * v.powi(3) - 3.0 * v.powi(4));
            close(RowLoss(&uniform).driven(1, u), v * v);
            let cost = Cost::parse("beta(1,3)").unwrap();
            close(RowLoss(&cost).driven(0, u), 3.0 * u * u - 4.0 * u.powi(3) + 1.5 * u.powi(4));
            close(RowLoss(&cost).driven(1, u), 1.5 * v.powi(4));
            close(RowLoss(&cost).fixed(1, u), 1.5 * u);
            // Integrals: 4u³ - 3u⁴ has the antiderivative u⁴ - 3u⁵/5.
            let cost = Cost::parse("beta(2,2)").unwrap();
            let up_to = |u: f64| u.powi(4) - 0.6 * u.powi(5);
            for width in [0.0005, 0.2] {
                let to = (u + width).min(1.0);
                if to > u {
                    let found = RowLoss(&cost).driven_between(0, u, to);
                    assert!((found - (up_to(to) - up_to(u)) / (to - u)).abs() < 1e-12, "{u} {to} {found}");
                }
            }
        }
    }
}
