//! Integrals of analytic functions, enclosed: Gauss-Legendre rules with proved errors.
//!
//! Let `f` be analytic and bounded by `M` in the Bernstein ellipse with foci -1 and 1 whose half axes add up to `ρ`. The rule with `n` nodes
//! integrates `f` over `[-1, 1]` with an error of at most `64/15 M ρ^(-2n)/(1 - ρ^-2)` (Rabinowitz 1969; Trefethen, Approximation Theory
//! and Approximation Practice, theorem 19.3). `M` is found by covering the ellipse with balls.

use super::balls::{Balls, LANES};
use super::interval::Interval;
use std::array::from_fn;

/// The positive nodes of the rule with 16 nodes, and their weights, correctly rounded.
#[rustfmt::skip]
const RULE_16: [[f64; 2]; 8] = [
    [0.095_012_509_837_637_44, 0.189_450_610_455_068_5],
    [0.281_603_550_779_258_9, 0.182_603_415_044_923_58],
    [0.458_016_777_657_227_37, 0.169_156_519_395_002_54],
    [0.617_876_244_402_643_8, 0.149_595_988_816_576_74],
    [0.755_404_408_355_003, 0.124_628_971_255_533_88],
    [0.865_631_202_387_831_8, 0.095_158_511_682_492_79],
    [0.944_575_023_073_232_6, 0.062_253_523_938_647_894],
    [0.989_400_934_991_649_9, 0.027_152_459_411_754_096],
];
/// The positive nodes of the rule with 32 nodes, and their weights, correctly rounded.
#[rustfmt::skip]
const RULE_32: [[f64; 2]; 16] = [
    [0.048_307_665_687_738_32, 0.096_540_088_514_727_8],
    [0.144_471_961_582_796_5, 0.095_638_720_079_274_86],
    [0.239_287_362_252_137_06, 0.093_844_399_080_804_57],
    [0.331_868_602_282_127_67, 0.091_173_878_695_763_89],
    [0.421_351_276_130_635_33, 0.087_652_093_004_403_81],
    [0.506_899_908_932_229_4, 0.083_311_924_226_946_75],
    [0.587_715_757_240_762_3, 0.078_193_895_787_070_31],
    [0.663_044_266_930_215_2, 0.072_345_794_108_848_5],
    [0.732_182_118_740_289_7, 0.065_822_222_776_361_85],
    [0.794_483_795_967_942_4, 0.058_684_093_478_535_544],
    [0.849_367_613_732_57, 0.050_998_059_262_376_175],
    [0.896_321_155_766_052_1, 0.042_835_898_022_226_68],
    [0.934_906_075_937_739_7, 0.034_273_862_913_021_43],
    [0.964_762_255_587_506_4, 0.025_392_065_309_262_06],
    [0.985_611_511_545_268_4, 0.016_274_394_730_905_67],
    [0.997_263_861_849_481_6, 0.007_018_610_009_470_096],
];

/// The nodes of a rule with their weights, in batches of sixteen.
type NodesAndWeights = [[Balls; 2]];

/// All nodes of a rule and their weights, from the positive nodes: each node is followed by its negative, with the same weight. Constant functions
/// have no `for` loops.
const fn batches<const HALF: usize, const BATCHES: usize>(half: &[[f64; 2]; HALF]) -> [[Balls; 2]; BATCHES] {
    let mut batches = [[Balls::UNKNOWN; 2]; BATCHES];
    let mut batch = 0;
    while batch < BATCHES {
        let (mut nodes, mut weights, mut k) = ([0.0; LANES], [0.0; LANES], 0);
        while k < LANES {
            let [node, weight] = half[(batch * LANES + k) / 2];
            (nodes[k], weights[k]) = (if k % 2 == 0 { node } else { -node }, weight);
            k += 1;
        }
        batches[batch] = [Balls::rounded(nodes), Balls::rounded(weights)];
        batch += 1;
    }
    batches
}

/// The rules with 16 and 32 nodes.
static RULES: (&NodesAndWeights, &NodesAndWeights) = (&batches::<8, 1>(&RULE_16), &batches::<16, 2>(&RULE_32));

/// The cuts of an ellipse into slabs, relative to the half axis: close to the cosines of equal angles.
#[rustfmt::skip]
const CUTS: [f64; LANES + 1] = [
    -1.0, -0.981, -0.924, -0.831, -0.707, -0.556, -0.383, -0.195, 0.0,
    0.195, 0.383, 0.556, 0.707, 0.831, 0.924, 0.981, 1.0,
];
/// Safety factor that covers the rounding in the size of an ellipse and in error bounds.
const SLACK: f64 = 1.0 + 1e-12;

/// Balls that cover the ellipse with foci -1 and 1 whose half axes add up to `rho`. Each covers one slab.
fn ellipse(rho: f64) -> Balls {
    let (a, b) = ((rho + 1.0 / rho) / 2.0, (rho - 1.0 / rho) / 2.0);
    let middle = from_fn(|k| a * (CUTS[k] + CUTS[k + 1]) / 2.0);
    // From the middle of a slab to its farthest corner. A slab is highest at its cut next to the centre.
    let radius = from_fn(|k| {
        let inner = CUTS[k].abs().min(CUTS[k + 1].abs());
        let (width, height) = (a * (CUTS[k + 1] - CUTS[k]) / 2.0, b * (1.0 - inner * inner).sqrt());
        (width * width + height * height).sqrt() * SLACK
    });
    Balls::around(middle, radius)
}

/// `64/15 ρ^(-2n)/(1 - ρ^-2)` for a rule with `n` nodes, rounded up.
fn error_bound(rho: f64, n: usize) -> f64 {
    let power = (0..n).fold(1.0, |power, _| power * rho);
    64.0 / 15.0 / power / power / (1.0 - 1.0 / (rho * rho)) * SLACK
}

/// A quadrature rule with a proved error.
#[derive(Clone, Copy, Debug)]
struct QuadratureRule {
    nodes: &'static NodesAndWeights,
    /// Balls that cover the ellipse.
    ellipse: Balls,
    /// The error for a function that is bounded by 1 on the ellipse.
    error: f64,
}

/// Two rules whose ellipses are chosen for a tolerance. The first has fewer nodes and needs a larger ellipse.
#[derive(Clone, Copy, Debug)]
pub struct Gauss {
    rules: [QuadratureRule; 2],
}

impl Gauss {
    /// Chooses the smallest ellipses at which functions of usual size are integrated up to a tolerance.
    pub fn new(tolerance: f64) -> Gauss {
        /// Functions up to about this size on the ellipse are integrated within the tolerance.
        const SIZE: f64 = 400.0;
        // Both rules have the same ρ^(2n), so ρ is its 64th root for the second rule and its 32nd root for the first.
        let rho = (0..6).fold((SIZE / tolerance).clamp(1e6, 1e40), |power: f64, _| power.sqrt());
        let rule = |nodes: &'static NodesAndWeights, rho| QuadratureRule {
            nodes,
            ellipse: ellipse(rho),
            error: error_bound(rho, nodes.len() * LANES),
        };
        Gauss { rules: [rule(RULES.0, rho * rho), rule(RULES.1, rho)] }
    }

    /// Encloses the integral of an analytic function, real on the real axis, between two floats. `None` if neither rule has an error
    /// within the tolerance. The rule with fewer nodes is tried only if `try_fewer_nodes` is set.
    ///
    /// ```
    /// use rocproof_arith::{Balls, gauss::Gauss};
    /// let found = Gauss::new(1e-14).integral(|x| x.exp(), [0.0, 1.0], 1e-14, true).unwrap();
    /// assert!(found.contains(1f64.exp() - 1.0) && found.width() < 1e-14);
    /// // No ellipse around the interval avoids the pole.
    /// assert!(Gauss::new(1e-14).integral(|x| &Balls::from(1.0) / x, [0.0, 1.0], 1e-14, true).is_none());
    /// ```
    pub fn integral(
        &self,
        f: impl Fn(&Balls) -> Balls,
        [from, to]: [f64; 2],
        tolerance: f64,
        try_fewer_nodes: bool,
    ) -> Option<Interval> {
        let (lo, hi, half) = (Balls::from(from), Balls::from(to), Balls::from(0.5));
        let (middle, radius) = ((hi + lo) * half, (hi - lo) * half);
        // The function at `u` in [-1, 1], rescaled to the interval.
        let at = |u: &Balls| f(&(middle + &radius * u));
        for rule in &self.rules[usize::from(!try_fewer_nodes)..] {
            let error = rule.error * at(&rule.ellipse).bound() * radius.bound() * SLACK;
            if error <= tolerance {
                let mut sum = Balls::from(0.0);
                for [node, weight] in rule.nodes {
                    sum = sum + &at(node) * weight;
                }
                return Some((sum * radius).sum() + Interval::around(0.0, error));
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Polynomial;
    use crate::rational::{Rational, from_f64};

    /// `P_n`, by the recurrence `(k+1) P_(k+1) = (2k+1) x P_k - k P_(k-1)`.
    fn legendre(n: usize) -> Polynomial {
        let (mut before, mut p) = (Polynomial::one(), Polynomial::x());
        for k in 1..n {
            let next = (&Polynomial::x() * &p).scaled(&Rational::from(2 * k + 1));
            let next = (&next - &before.scaled(&Rational::from(k))).scaled(&(Rational::ONE / Rational::from(k + 1)));
            (before, p) = (p, next);
        }
        p
    }

    fn exact(value: f64) -> Rational {
        from_f64(value).unwrap()
    }

    /// A node is where `P_n` changes its sign between two neighbours of the float, a weight `2/((1-x²) P_n'(x)²)` there: one
    /// step of Newton's method in rationals finds it to twice as many digits as a float has.
    #[test]
    fn nodes_and_weights_are_correctly_rounded() {
        for half in [RULE_16.as_slice(), RULE_32.as_slice()] {
            let p = legendre(2 * half.len());
            let slope = p.derivative();
            let mut last = 0.0;
            for [node, weight] in half {
                assert!(*node > last);
                last = *node;
                let half_unit = Rational::ONE / Rational::from(1u64 << 53);
                let away = exact(*node) * &half_unit;
                let [below, above] = [exact(*node) - &away, exact(*node) + &away].map(|x| p.sign_at(&x));
                assert!(below * above < 0, "{node}");
                let x = exact(*node) - p.at(&exact(*node)) / slope.at(&exact(*node));
                let truth = Rational::from(2) / ((Rational::ONE - &x * &x) * slope.at(&x) * slope.at(&x));
                let off = exact(*weight) - &truth;
                let off = if off < Rational::ZERO { -off } else { off };
                assert!(off <= truth * half_unit, "{weight}");
            }
        }
    }

    /// The balls cover the ellipse: its boundary, and points below it at part of the height.
    #[test]
    fn ellipses_are_covered() {
        for rho in [1.05, 1.3, 1.7, 3.0, 50.0] {
            let (a, b) = ((rho + 1.0 / rho) / 2.0, (rho - 1.0 / rho) / 2.0);
            for k in 0..=1000 {
                let (sin, cos) = (f64::from(k) * std::f64::consts::PI / 1000.0).sin_cos();
                // |z - m| <= r for a ball, for z at part of the height, too.
                for height in [1.0, 0.5, 0.0] {
                    let (x, y) = (a * cos, b * sin * height);
                    assert!(ellipse(rho).lanes().any(|[m, r]| (x - m).hypot(y) <= r), "{rho} {x} {y}");
                }
            }
        }
    }

    /// Integrals with known values, analytic in more or less of the plane.
    #[test]
    fn integrals_hold_their_values() {
        let gauss = Gauss::new(1e-15);
        let one = Balls::from(1.0);
        let check = |found: Option<Interval>, truth: f64, width: f64| {
            let found = found.unwrap();
            assert!(
                found.meets(Interval::around(truth, 4e-16 * truth.abs())) && found.width() < width,
                "{found:?} {truth}"
            );
        };
        for first in [true, false] {
            check(gauss.integral(|x| x.sin(), [0.0, 1.0], 1e-15, first), 1.0 - 1f64.cos(), 1e-14);
            check(gauss.integral(|x| x.cos(), [-1.0, 2.0], 1e-15, first), 2f64.sin() + 1f64.sin(), 1e-13);
            check(gauss.integral(|x| x.ln(), [1.0, 1.5], 1e-15, first), 1.5 * 1.5f64.ln() - 0.5, 1e-14);
            check(gauss.integral(|x| one / (one + x * x), [0.0, 0.5], 1e-15, first), 0.5f64.atan(), 1e-14);
            check(
                gauss.integral(|x| x.pow(Interval::from(2.5)), [1.0, 2.0], 1e-15, first),
                (2f64.powf(3.5) - 1.0) / 3.5,
                1e-13,
            );
            check(
                gauss.integral(|x| x.power(7), [-0.25, 0.5], 1e-15, first),
                (0.5f64.powi(8) - 0.25f64.powi(8)) / 8.0,
                1e-14,
            );
        }
        // With a large tolerance the error of the rule dominates, and the enclosure holds only because of it.
        let rough = Gauss::new(1e-2).integral(|x| one / (Balls::from(0.64) + x * x), [-1.0, 1.0], 1e-2, true).unwrap();
        assert!(rough.contains(2.5 * 1.25f64.atan()) && rough.width() > 1e-9, "{rough:?}");
        // Analytic on the interval, but not on an ellipse around it.
        assert!(gauss.integral(|x| one / (Balls::from(1e-4) + x * x), [-1.0, 1.0], 1e-15, true).is_none());
        assert!(gauss.integral(|x| x.ln(), [1e-3, 1.0], 1e-15, true).is_none());
    }
}
