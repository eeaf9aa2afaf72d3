//! Adaptive integration of a function of one variable, given at all nodes of a panel at once.

use super::Estimate;
use super::rule::{Lane, NODES, RULE, dot};

/// How often one stretch is halved.
const MOST_HALVINGS: u32 = 50;

/// Integrates `f`, which fills in its values at 21 places, over consecutive stretches `[cuts[i], cuts[i+1]]`.
///
/// The error is the sum of the defects: the distance of the Kronrod from the Gauss rule on each panel.
pub fn integrate(cuts: &[f64], tolerance: f64, mut f: impl FnMut(&Lane, &mut Lane)) -> Estimate {
    let mut sum = Estimate::exact(0.0);
    let mut pending: Vec<(f64, f64, u32)> = cuts.windows(2).rev().map(|w| (w[0], w[1], 0)).collect();
    while let Some((a, b, halvings)) = pending.pop() {
        let places = std::array::from_fn(|i| a * RULE.complements[i] + b * RULE.nodes[i]);
        let mut values = [0.0; NODES];
        f(&places, &mut values);
        let (value, defect) = ((b - a) * dot(&RULE.kronrod, &values), ((b - a) * dot(&RULE.defect, &values)).abs());
        let middle = a + (b - a) / 2.0;
        if defect <= tolerance.max(16.0 * f64::EPSILON * value.abs()) || halvings == MOST_HALVINGS || middle <= a {
            sum.value += value;
            sum.error += defect + 4.0 * f64::EPSILON * value.abs();
        } else {
            pending.extend([(middle, b, halvings + 1), (a, middle, halvings + 1)]);
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integrates_kinks_and_root_singularities() {
        let kink = integrate(&[0.0, 1.0], 1e-15, |x, y| *y = x.map(|x| (x - 0.3).abs()));
        assert!((kink.value - 0.29).abs() <= kink.error && kink.error < 1e-12, "{kink:?}");
        let root = integrate(&[0.0, 1.0], 1e-15, |x, y| *y = x.map(f64::sqrt));
        assert!((root.value - 2.0 / 3.0).abs() <= root.error && root.error < 1e-12, "{root:?}");
    }
}
