//! Adaptive integration of a function of one variable. The function is evaluated at all nodes of a panel at once.

use super::Estimate;
use super::rule::{Lane, NODES, RULE, SHARE_OF_END, dot};

/// Largest number of halvings of a subinterval.
const MOST_HALVINGS: u32 = 50;

/// A subinterval with its integral and its defect. The defect adds the difference of the two rules and the error of extrapolating the node
/// values to the ends.
struct Subinterval {
    a: f64,
    b: f64,
    value: f64,
    defect: f64,
    halvings: u32,
}

/// Relative distance from the ends of a subinterval, where the function may jump, to the points at which its end values are taken.
const INSIDE: f64 = 1e-9;

/// Rounding error of a sum over the nodes, relative to its value.
const ROUNDING: f64 = 4.0 * f64::EPSILON;

/// Measures the subinterval `[a, b]`: the integral of `f` by the Kronrod rule, and its defect.
fn measure(a: f64, b: f64, halvings: u32, f: &mut impl FnMut(&[f64], &mut [f64])) -> Subinterval {
    let points: Lane = std::array::from_fn(|i| a * RULE.complements[i] + b * RULE.nodes[i]);
    let mut values = [0.0; NODES];
    f(&points, &mut values);
    let mut ends = [0.0; 2];
    f(&[a + INSIDE * (b - a), b - INSIDE * (b - a)], &mut ends);
    let end_errors = [(&RULE.at_start, ends[0]), (&RULE.at_end, ends[1])]
        .map(|(weights, end)| (dot(weights, &values) - end).abs() * SHARE_OF_END);
    let value = (b - a) * dot(&RULE.kronrod, &values);
    let defect = (b - a) * (dot(&RULE.defect, &values).abs() + end_errors[0].max(end_errors[1]));
    Subinterval { a, b, value, defect, halvings }
}

/// Integrates `f`, which fills in its values at given points, over the consecutive intervals `[cuts[i], cuts[i+1]]`. `tolerance` is the
/// absolute error allowed on each subinterval.
///
/// The function may have undeclared kinks. So a subinterval is accepted only if the two rules agree on it, if it agrees with its halves
/// (a single agreement may be chance), and if the polynomial through the nodes predicts the values at its ends (a kink between the last
/// node and the end is invisible to both rules). The error is the sum of all disagreements.
pub fn integrate(cuts: &[f64], tolerance: f64, mut f: impl FnMut(&[f64], &mut [f64])) -> Estimate {
    let mut sum = Estimate::exact(0.0);
    let mut pending: Vec<Subinterval> = cuts.windows(2).rev().map(|w| measure(w[0], w[1], 0, &mut f)).collect();
    while let Some(Subinterval { a, b, value, defect, halvings }) = pending.pop() {
        if !(value.is_finite() && defect.is_finite()) {
            return Estimate { value: f64::NAN, error: f64::INFINITY };
        }
        let middle = a + (b - a) / 2.0;
        // No tolerance below rounding can be met.
        let allowed = tolerance.max(4.0 * ROUNDING * value.abs());
        if halvings == MOST_HALVINGS || middle <= a || middle >= b {
            sum.value += value;
            sum.error += defect + ROUNDING * value.abs();
            continue;
        }
        let halves = [measure(a, middle, halvings + 1, &mut f), measure(middle, b, halvings + 1, &mut f)];
        let refined = halves[0].value + halves[1].value;
        let change = (refined - value).abs();
        if defect <= allowed && change <= allowed {
            sum.value += refined;
            sum.error += change + halves[0].defect + halves[1].defect + ROUNDING * value.abs();
        } else {
            pending.extend(halves.into_iter().rev());
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Fills in `y = f(x)` point by point.
    fn each(x: &[f64], y: &mut [f64], f: impl Fn(f64) -> f64) {
        x.iter().zip(y).for_each(|(x, y)| *y = f(*x));
    }

    #[test]
    fn a_kink_beyond_the_last_node_is_seen() {
        // The last node is at 0.9978; the integral is 0.0005²/2.
        let kink = integrate(&[0.0, 1.0], 1e-14, |x, y| each(x, y, |x| (x - 0.9995).max(0.0)));
        assert!((kink.value - 0.5 * 0.0005f64.powi(2)).abs() <= kink.error, "{kink:?}");
    }

    #[test]
    fn integrates_kinks_and_root_singularities() {
        let kink = integrate(&[0.0, 1.0], 1e-15, |x, y| each(x, y, |x| (x - 0.3).abs()));
        // 0.3²/2 + 0.7²/2.
        assert!((kink.value - 0.29).abs() <= kink.error && kink.error < 1e-12, "{kink:?}");
        let root = integrate(&[0.0, 1.0], 1e-15, |x, y| each(x, y, f64::sqrt));
        assert!((root.value - 2.0 / 3.0).abs() <= root.error && root.error < 1e-12, "{root:?}");
    }
}
