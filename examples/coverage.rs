//! Coverage of sampling intervals, by simulation: how often a 95 % interval holds the truth.
//!
//!     cargo run --release --example coverage -- 1000 > docs/coverage.md
//!
//! The argument is the number of samples for each row of the table.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rand_distr::{Beta, Distribution};
use rocproof::Cost;
use rocproof::data::{Bootstrap, Paired, ScoreDirection, Scored, Spread, Spreads, bootstrap};
use rocproof::functional::Thresholds;

/// A distribution of rows: scores of both classes are beta variables, and a second model adds noise to their logits.
struct Population {
    name: &'static str,
    /// The parameters of the scores of class 0 and of class 1.
    beta: [[f64; 2]; 2],
    pi0: f64,
    /// Scores are rounded to multiples of one over this; 0 if they are not rounded.
    steps: f64,
    /// The numbers of rows of the samples.
    rows: &'static [usize],
}

const POPULATIONS: [Population; 6] = [
    Population { name: "balanced", beta: [[2.0, 3.0], [3.0, 2.0]], pi0: 0.5, steps: 0.0, rows: &[200, 1000] },
    Population { name: "π0 = 0.9", beta: [[2.0, 3.0], [3.0, 2.0]], pi0: 0.9, steps: 0.0, rows: &[200, 1000] },
    Population { name: "well separated", beta: [[2.0, 8.0], [8.0, 2.0]], pi0: 0.5, steps: 0.0, rows: &[200, 1000] },
    Population { name: "nearly random", beta: [[2.0, 2.2], [2.2, 2.0]], pi0: 0.5, steps: 0.0, rows: &[200, 1000] },
    Population { name: "ties in tenths", beta: [[2.0, 3.0], [3.0, 2.0]], pi0: 0.5, steps: 10.0, rows: &[200, 1000] },
    Population { name: "small", beta: [[2.0, 3.0], [3.0, 2.0]], pi0: 0.5, steps: 0.0, rows: &[60] },
];

/// The quantities in the table: metrics, and losses over cost proportions.
const QUANTITIES: [&str; 7] = ["AUC", "BS", "o", "H", "AUCH", "KS", "MCB"];

/// The standard deviation of the noise of the second model.
const NOISE: f64 = 0.75;

/// The rows from which the truth is computed.
const TRUTH_ROWS: usize = 4_000_000;

/// The cells into which scores are put for the truth: so coarse that the hull of these rows has no bias, so fine that nothing is lost.
const TRUTH_CELLS: f64 = 400.0;

/// Rows: the scores of two models, and whether a row is of class 1.
type Rows = ([Vec<f64>; 2], Vec<bool>);

impl Population {
    fn draw(&self, rows: usize, generator: &mut ChaCha8Rng) -> Rows {
        let betas = self.beta.map(|[a, b]| Beta::new(a, b).expect("the parameters are positive"));
        let round = |x: f64| if self.steps > 0.0 { (x * self.steps).round() / self.steps } else { x };
        let (mut scores, mut is_1) = ([Vec::new(), Vec::new()], Vec::new());
        for _ in 0..rows {
            let class = usize::from(generator.random::<f64>() >= self.pi0);
            let x: f64 = betas[class].sample(generator).clamp(1e-12, 1.0 - 1e-12);
            // The sum of twelve uniform variables is close to normal, with the variance 1.
            let noise = (0..12).map(|_| generator.random::<f64>()).sum::<f64>() - 6.0;
            let noisy = 1.0 / (1.0 + (-(x / (1.0 - x)).ln() - NOISE * noise).exp());
            scores[0].push(round(x));
            scores[1].push(round(noisy));
            is_1.push(class == 1);
        }
        (scores, is_1)
    }

    /// The true values of both models.
    fn truth(&self) -> [Vec<f64>; 2] {
        let ([one, other], is_1) = self.draw(TRUTH_ROWS, &mut ChaCha8Rng::seed_from_u64(1));
        [one, other].map(|scores| {
            let cell = |x: &f64| ((x * TRUTH_CELLS).floor() + 0.5) / TRUTH_CELLS;
            let coarse: Vec<f64> = if self.steps > 0.0 { scores.clone() } else { scores.iter().map(cell).collect() };
            let evaluate = |scores: &[f64]| {
                let data = Scored::from_rows(scores, &is_1, None).expect("scores are finite");
                rocproof::data::evaluate_scored(&data, &Cost::uniform(), &Thresholds::default())
            };
            let (fine, coarse) = (evaluate(&scores), evaluate(&coarse));
            let value = |evaluation: &rocproof::functional::Evaluation, name: &str| {
                evaluation.metric(name).and_then(|v| v.estimate()).expect("it has a value").value
            };
            let miscalibration = (value(&fine, "BS") - value(&coarse, "RL_conv")).max(0.0);
            QUANTITIES
                .map(|name| match name {
                    "o" => value(&coarse, "RL_conv"),
                    "MCB" => miscalibration,
                    "AUC" | "BS" => value(&fine, name),
                    hull => value(&coarse, hull),
                })
                .to_vec()
        })
    }
}

/// How often intervals held the truth, among those without a caveat, and how many had one.
#[derive(Clone, Copy, Default)]
struct Coverage {
    covered: usize,
    relied_on: usize,
    caveats: usize,
    covered_with_caveat: usize,
}

impl Coverage {
    fn count(&mut self, spread: &Spread, truth: f64) {
        let holds = spread.interval.0 <= truth + 1e-12 && truth <= spread.interval.1;
        match spread.caveat {
            None => {
                self.relied_on += 1;
                self.covered += usize::from(holds);
            }
            Some(_) => {
                self.caveats += 1;
                self.covered_with_caveat += usize::from(holds);
            }
        }
    }
}

impl std::fmt::Display for Coverage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let share = |count: usize, of: usize| 100.0 * count as f64 / of as f64;
        match (self.relied_on, self.caveats) {
            (_, 0) => write!(f, "{:.1}", share(self.covered, self.relied_on)),
            (0, _) => write!(f, "({:.1})", share(self.covered_with_caveat, self.caveats)),
            _ => write!(
                f,
                "{:.1} ({:.1} of {:.0} %)",
                share(self.covered, self.relied_on),
                share(self.covered_with_caveat, self.caveats),
                share(self.caveats, self.caveats + self.relied_on)
            ),
        }
    }
}

/// The spread of a quantity.
fn spread_of(spreads: &Spreads, of_model: &[Option<Spread>], name: &str) -> Spread {
    let is_named = |q: &rocproof::data::MetricOrLoss| q.label(&Thresholds::default()) == name;
    let k = spreads.quantities.iter().position(is_named).expect("it is among the quantities");
    of_model[k].expect("it has a value")
}

fn main() {
    let samples: usize = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(200);
    let plan = Bootstrap { replicates: 200, seed: 1, level: 0.95 };
    println!("| rows | | {} |", QUANTITIES.join(" | "));
    println!("| --- | --- |{}", " --- |".repeat(QUANTITIES.len()));
    for population in &POPULATIONS {
        let truth = population.truth();
        for rows in population.rows {
            let mut coverage = [[Coverage::default(); QUANTITIES.len()]; 2];
            for sample in 0..samples {
                let mut generator = ChaCha8Rng::seed_from_u64(1000 + sample as u64);
                let ([one, other], is_1) = population.draw(*rows, &mut generator);
                let plan = Bootstrap { seed: sample as u64, ..plan };
                let data = Paired::new(&[&one, &other], &[ScoreDirection::TowardClass1; 2], &is_1, None);
                let Ok(data) = data else { continue };
                let spreads = bootstrap(&data, &Cost::uniform(), &Thresholds::default(), &plan, || ());
                for (k, name) in QUANTITIES.iter().enumerate() {
                    coverage[0][k].count(&spread_of(&spreads, &spreads.models[0], name), truth[0][k]);
                    let difference = spread_of(&spreads, &spreads.differences[0].2, name);
                    coverage[1][k].count(&difference, truth[0][k] - truth[1][k]);
                }
            }
            for (what, coverage) in ["value", "difference"].iter().zip(coverage) {
                let cells: Vec<String> = coverage.iter().map(Coverage::to_string).collect();
                println!("| {}, n = {rows} | {what} | {} |", population.name, cells.join(" | "));
            }
        }
    }
}
