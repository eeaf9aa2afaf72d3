//! Data sampled from a model tend to its values, at the rate of a mean: errors shrink with the root of the number of rows.

use crate::common::numbers;
use rocproof::data::{Scored, evaluate_scored};
use rocproof::{Condition, Cost, Evaluation, Level, Model, Request, Thresholds, evaluate};

/// Models over all families, with different proportions.
const MODELS: [(&str, &str, &str); 9] = [
    ("beta(2, 5)", "beta(5, 2.5)", "1/3"),
    ("beta(0.5, 2)", "beta(3, 0.7)", "0.6"),
    ("triangular(0, 1/4, 1)", "triangular(0, 3/4, 1)", "1/2"),
    ("uniform(0, 0.7)", "uniform(0.3, 1)", "0.4"),
    ("normal(0, 1)", "normal(1, 1.5)", "1/2"),
    ("logistic(0, 1)", "logistic(1.5, 0.8)", "0.3"),
    ("truncate(normal(0.3, 0.2), 0, 1)", "truncate(normal(0.6, 0.3), 0, 1)", "1/2"),
    ("{ 18/5*x on [0, 1/3]; 6/5 on [1/3, 1] }", "normalize(x + sin(6*pi*x)/8)", "0.7"),
    ("0.3*beta(2, 5) + 0.5*uniform(0, 1) + 0.2*atom(0.5)", "0.7*beta(5, 2) + 0.3*atom(0.8)", "1/2"),
];
const FEW: usize = 400;
const MANY: usize = 16 * FEW;
const SAMPLES: u64 = 60;

/// What is estimated by a mean over rows or pairs, or by the least of such. Calibration and refinement loss by ties are not: continuous
/// scores have none.
fn values(evaluation: &Evaluation) -> Vec<(String, f64)> {
    let metrics = evaluation.metrics().filter(|(d, _)| !["CL", "RL"].contains(&d.name));
    let metrics = metrics.map(|(d, v)| (d.name.to_owned(), v.estimate()));
    let losses = evaluation.losses(Condition::Cost).map(|(m, v)| (format!("L[{}]", m.name()), v.estimate()));
    let skews = evaluation.losses(Condition::Skew).map(|(m, v)| (format!("Lz[{}]", m.name()), v.estimate()));
    let all = metrics.chain(losses).chain(skews);
    all.filter_map(|(name, estimate)| Some((name, estimate?.value))).collect()
}

/// Root mean squares of the errors of samples of so many rows.
fn errors(model: &Model, truth: &[(String, f64)], rows: usize) -> Vec<f64> {
    let (curve, (pi0, _)) = (model.curve(), model.proportions());
    let mut squares = vec![0.0; truth.len()];
    for seed in 0..SAMPLES {
        let mut next = numbers(0x9e37_79b9_7f4a_7c15 ^ (seed * 7919 + rows as u64) << 7);
        let row = |_| {
            let is_1 = next() >= pi0;
            // With one class alone the rate is its distribution function.
            (curve.at_rate(next(), if is_1 { 0.0 } else { 1.0 }).x, is_1)
        };
        let (scores, classes): (Vec<f64>, Vec<bool>) = (0..rows).map(row).unzip();
        let data = Scored::from_rows(&scores, &classes, None).unwrap();
        let found = values(&evaluate_scored(&data, &Cost::uniform(), &Thresholds::default()));
        for (name, value) in found {
            let k = truth.iter().position(|(known, _)| *known == name);
            // Scores of a model without bounds have bounds in a sample.
            if let Some(k) = k {
                squares[k] += (value - truth[k].1).powi(2) / SAMPLES as f64;
            }
        }
    }
    squares.into_iter().map(f64::sqrt).collect()
}

#[test]
fn samples_tend_to_the_model() {
    for (f0, f1, pi0) in MODELS {
        let model = Model::new(f0, f1, pi0).unwrap();
        let truth = values(&evaluate(&model, &Request::at(Level::Numeric)).unwrap());
        assert!(truth.len() > 20, "{f0}");
        let (few, many) = (errors(&model, &truth, FEW), errors(&model, &truth, MANY));
        for (k, (name, _)) in truth.iter().enumerate() {
            // Sixteen times as many rows: a fourth of the error. A root mean square of sixty is known to about a tenth of itself.
            let shrinks = few[k] / many[k];
            assert!((2.6..8.0).contains(&shrinks), "{name} of {f0}, {f1}: {} {} {shrinks}", few[k], many[k]);
            // Mean scores are as spread as scores are; all else lies between -1 and 1.
            let spread = if name.starts_with('s') { 3.0 } else { 1.0 };
            assert!(many[k] < 2.0 * spread / (MANY as f64).sqrt(), "{name} of {f0}, {f1}: {}", many[k]);
        }
    }
}
