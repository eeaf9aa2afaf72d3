//! The quadrature rule of a panel: 21-point Gauss-Kronrod with its embedded 10-point Gauss rule. The polynomial through the 21 node values
//! gives running integrals, derivatives, interpolation, and the limits at the ends.

use nalgebra::SMatrix;
use std::sync::LazyLock;

/// The number of nodes of a panel.
pub const NODES: usize = 21;

/// One value for each node.
pub type Lane = [f64; NODES];

/// The defect up to which an integral over a panel counts as resolved.
pub(crate) const RESOLVED: f64 = 1e-15;

/// The share of a panel beyond its outermost node, at either end.
pub(crate) const SHARE_OF_END: f64 = 2.2e-3;

/// The number of sites of a panel: its nodes, its start and its end.
pub const SITES: usize = NODES + 2;

/// One value for each node, then one for the start and one for the end.
pub type Sites = [f64; SITES];

/// The values at the nodes.
pub fn at_nodes(sites: &Sites) -> Lane {
    std::array::from_fn(|i| sites[i])
}

/// Nodes in (0, 1) of the Kronrod rule, from the outermost to the middle; every second one, starting from the second,
/// is a Gauss node. R. Piessens et al., QUADPACK (1983), rule QK21; checked here by their moments.
#[allow(clippy::excessive_precision)]
const HALF_NODES: [f64; 11] = [
    0.995_657_163_025_808_080_735_527_280_689_003,
    0.973_906_528_517_171_720_077_964_012_084_452,
    0.930_157_491_355_708_226_001_207_180_059_508,
    0.865_063_366_688_984_510_732_096_688_423_493,
    0.780_817_726_586_416_897_063_717_578_345_042,
    0.679_409_568_299_024_406_234_327_365_114_874,
    0.562_757_134_668_604_683_339_000_099_272_694,
    0.433_395_394_129_247_190_799_265_943_165_784,
    0.294_392_862_701_460_198_131_126_603_103_866,
    0.148_874_338_981_631_210_884_826_001_129_720,
    0.0,
];
/// The Kronrod weights of these nodes, on [-1, 1].
#[allow(clippy::excessive_precision)]
const HALF_KRONROD: [f64; 11] = [
    0.011_694_638_867_371_874_278_064_396_062_192,
    0.032_558_162_307_964_727_478_818_972_459_390,
    0.054_755_896_574_351_996_031_381_300_244_580,
    0.075_039_674_810_919_952_767_043_140_916_190,
    0.093_125_454_583_697_605_535_065_465_083_366,
    0.109_387_158_802_297_641_899_210_590_325_805,
    0.123_491_976_262_065_851_077_958_109_585_166,
    0.134_709_217_311_473_325_928_054_001_771_707,
    0.142_775_938_577_060_080_797_094_273_138_717,
    0.147_739_104_901_338_491_374_841_515_972_068,
    0.149_445_554_002_916_905_664_936_468_389_821,
];
/// The Gauss weights of every second of these nodes, on [-1, 1].
#[allow(clippy::excessive_precision)]
const HALF_GAUSS: [f64; 5] = [
    0.066_671_344_308_688_137_593_568_809_893_332,
    0.149_451_349_150_580_593_145_863_396_957_698,
    0.219_086_362_515_982_043_995_534_934_228_163,
    0.269_266_719_309_996_355_091_226_921_569_469,
    0.295_524_224_714_752_870_173_815_619_188_769,
];

/// The rule on [0, 1].
pub struct Rule {
    /// The nodes, increasing.
    pub nodes: Lane,
    /// One minus each node, without cancellation.
    pub complements: Lane,
    /// Kronrod weights (they sum to one).
    pub kronrod: Lane,
    /// Kronrod minus Gauss weights: applied to an integrand they give the error estimate.
    pub defect: Lane,
    /// `running[i][j]` is the integral up to node `j` of the polynomial that is 1 at node `i` and 0 at the others.
    pub running: [Lane; NODES],
    /// The weights of the node values in the value at 0.
    pub at_start: Lane,
    /// The weights of the node values in the value at 1.
    pub at_end: Lane,
    /// The weights of the node values in the values at the nodes of the first and of the second half.
    pub halves: [[Lane; NODES]; 2],
    /// `slope[j]` are the weights of the node values in the derivative at node `j`.
    pub slope: [Lane; NODES],
    /// Barycentric weights.
    barycentric: Lane,
}

/// The tables unfolded to all nodes, increasing.
struct Tables {
    /// The nodes on [-1, 1].
    signed: Lane,
    /// The Kronrod weights on [0, 1].
    kronrod: Lane,
    /// The Gauss weights on [0, 1]; 0 at the other nodes.
    gauss: Lane,
}

impl Tables {
    /// Unfolds the tables, which hold one half of the symmetric rule.
    fn unfold() -> Tables {
        let mut tables = Tables { signed: [0.0; NODES], kronrod: [0.0; NODES], gauss: [0.0; NODES] };
        for i in 0..NODES {
            let half = i.min(NODES - 1 - i);
            tables.signed[i] = if i < NODES / 2 { -HALF_NODES[half] } else { HALF_NODES[half] };
            tables.kronrod[i] = HALF_KRONROD[half] / 2.0;
            tables.gauss[i] = if half % 2 == 1 { HALF_GAUSS[half / 2] / 2.0 } else { 0.0 };
        }
        tables
    }
}

/// The rule that all panels share.
pub static RULE: LazyLock<Rule> = LazyLock::new(Rule::new);

impl Rule {
    /// Builds all weights from the tables, by way of the Legendre basis.
    fn new() -> Rule {
        let Tables { signed, kronrod, gauss } = Tables::unfold();
        // In the Legendre basis the node values are V·a, so a = V⁻¹·values; V is well conditioned.
        let v = SMatrix::<f64, NODES, NODES>::from_fn(|j, n| legendre(signed[j])[n]);
        let inverse = v.try_inverse().unwrap_or_else(SMatrix::identity);
        // ∫_{-1}^{x} P_n = (P_{n+1}(x) - P_{n-1}(x)) / (2n+1), and x + 1 for n = 0.
        let integrals = SMatrix::<f64, NODES, NODES>::from_fn(|j, n| {
            let p = legendre(signed[j]);
            if n == 0 { p[1] + 1.0 } else { (p[n + 1] - p[n - 1]) / (2 * n + 1) as f64 }
        });
        let running = integrals * inverse / 2.0;
        // The weights of the node values in the value at `x` on [-1, 1].
        let limit = |x: f64| -> Lane {
            let row = SMatrix::<f64, 1, NODES>::from_fn(|_, n| legendre(x)[n]) * inverse;
            std::array::from_fn(|i| row[i])
        };
        let mut rule = Rule {
            nodes: std::array::from_fn(|i| (1.0 + signed[i]) / 2.0),
            complements: std::array::from_fn(|i| (1.0 - signed[i]) / 2.0),
            kronrod,
            defect: std::array::from_fn(|i| kronrod[i] - gauss[i]),
            running: std::array::from_fn(|i| std::array::from_fn(|j| running[(j, i)])),
            at_start: limit(-1.0),
            at_end: limit(1.0),
            barycentric: std::array::from_fn(|i| {
                (0..NODES).filter(|k| *k != i).map(|k| 0.5 / (signed[i] - signed[k])).product()
            }),
            halves: [[[0.0; NODES]; NODES]; 2],
            slope: [[0.0; NODES]; NODES],
        };
        rule.slope = std::array::from_fn(|j| rule.derivative(j));
        rule.halves = [0.0, 0.5].map(|from| std::array::from_fn(|i| rule.interpolation(from + rule.nodes[i] / 2.0)));
        rule
    }

    /// The weights of the node values in the derivative at node `j`: `(wᵢ/wⱼ)/(uⱼ - uᵢ)` with the barycentric weights `w`.
    fn derivative(&self, j: usize) -> Lane {
        let weight = |i: usize| self.barycentric[i] / self.barycentric[j] / (self.nodes[j] - self.nodes[i]);
        let mut weights: Lane = std::array::from_fn(|i| if i == j { 0.0 } else { weight(i) });
        // The derivative of a constant is 0.
        weights[j] = -weights.iter().sum::<f64>();
        weights
    }

    /// The weights of the node values in the value at `u` in [0, 1], by the barycentric formula.
    pub(crate) fn interpolation(&self, u: f64) -> Lane {
        let mut weights = [0.0; NODES];
        let mut total = 0.0;
        for i in 0..NODES {
            let distance = u - self.nodes[i];
            if distance == 0.0 {
                weights = [0.0; NODES];
                weights[i] = 1.0;
                return weights;
            }
            weights[i] = self.barycentric[i] / distance;
            total += weights[i];
        }
        weights.map(|w| w / total)
    }
}

/// The Legendre polynomials `P_0(x) … P_21(x)`, by their three-term recurrence.
fn legendre(x: f64) -> [f64; NODES + 1] {
    let mut p = [1.0; NODES + 1];
    p[1] = x;
    for n in 1..NODES {
        let k = n as f64;
        p[n + 1] = ((2.0 * k + 1.0) * x * p[n] - k * p[n - 1]) / (k + 1.0);
    }
    p
}

/// `Σ aᵢ bᵢ`, in seven independent sums, so that the additions run in parallel.
pub fn dot(a: &Lane, b: &Lane) -> f64 {
    /// A divisor of [`NODES`].
    const PARALLEL_SUMS: usize = 7;
    let mut sums = [0.0; PARALLEL_SUMS];
    for (a, b) in a.chunks_exact(PARALLEL_SUMS).zip(b.chunks_exact(PARALLEL_SUMS)) {
        for k in 0..PARALLEL_SUMS {
            sums[k] += a[k] * b[k];
        }
    }
    sums.iter().sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kronrod_integrates_powers_to_degree_31_and_gauss_to_19() {
        for degree in 0..=31 {
            let powers = RULE.nodes.map(|x| x.powi(degree));
            let truth = 1.0 / f64::from(degree + 1);
            assert!((dot(&RULE.kronrod, &powers) - truth).abs() < 1e-15, "degree {degree}");
            assert!(degree > 19 || dot(&RULE.defect, &powers).abs() < 1e-15, "degree {degree}");
        }
        assert!(
            dot(&RULE.defect, &RULE.nodes.map(|x| (2.0 * x - 1.0).powi(20))).abs() > 1e-7,
            "the defect sees degree 20"
        );
    }

    #[test]
    fn weights_integrate_differentiate_and_interpolate_a_smooth_function() {
        let f = |x: f64| (3.0 * x).exp();
        let values = RULE.nodes.map(f);
        for j in 0..NODES {
            assert!((dot(&RULE.slope[j], &values) - 3.0 * values[j]).abs() < 1e-11, "the derivative at node {j}");
            let running: f64 = (0..NODES).map(|i| RULE.running[i][j] * values[i]).sum();
            let truth = ((3.0 * RULE.nodes[j]).exp() - 1.0) / 3.0;
            assert!((running - truth).abs() < 2e-15 * (1.0 + truth), "node {j}: {running} against {truth}");
        }
        assert!((dot(&RULE.at_start, &values) - 1.0).abs() < 1e-13);
        assert!((dot(&RULE.at_end, &values) - f(1.0)).abs() < 1e-13);
        let u = 0.123;
        assert!((dot(&RULE.interpolation(u), &values) - f(u)).abs() < 1e-14);
    }
}
