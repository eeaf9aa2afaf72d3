//! How long one evaluation takes, by kind of model: `cargo bench`.

use divan::Bencher;
use rocproof::{Level, Model, Request, evaluate, paper};

fn main() {
    divan::main();
}

const MODELS: [(&str, &str, &str); 6] = [
    ("beta(2, 5)", "beta(5, 2)", "1/2"),
    ("beta(0.5, 2)", "beta(3, 0.7)", "0.2"),
    ("beta(200, 180)", "beta(190, 150)", "0.01"),
    ("normal(0, 1)", "normal(1, 2)", "0.3"),
    ("6*x*(1-x)", "1 + sin(6*pi*x)/2", "0.3"),
    ("0.5*beta(2,5) + 0.5*{ 0.25: 1 }", "0.3*uniform(0,1) + 0.7*{ 0.25: 0.5; 0.75: 0.5 }", "0.4"),
];

#[divan::bench(args = MODELS)]
fn evaluation(bencher: Bencher, (f0, f1, pi0): (&str, &str, &str)) {
    if let Ok(model) = Model::new(f0, f1, pi0) {
        bencher.bench(|| evaluate(&model, &Request::at(Level::Numeric)).unwrap());
    }
}

#[divan::bench(args = MODELS)]
fn sampling_the_curve(bencher: Bencher, (f0, f1, pi0): (&str, &str, &str)) {
    if let Ok(model) = Model::new(f0, f1, pi0) {
        bencher.bench(|| model.curve());
    }
}

/// Everything at the certified level; what concerns one density alone is kept from the first run on.
#[divan::bench(args = MODELS)]
fn certified(bencher: Bencher, (f0, f1, pi0): (&str, &str, &str)) {
    if let Ok(model) = Model::new(f0, f1, pi0) {
        bencher.bench(|| evaluate(&model, &Request::at(Level::Certified)).is_ok());
    }
}

#[divan::bench]
fn reading_a_model() -> bool {
    Model::new("0.3*beta(2,5) + 0.7*uniform(0,1)", "{ 18/5*x on [0,1/3]; 6/5 on [1/3,1] }", "1/3").is_ok()
}

#[divan::bench]
fn all_models_of_the_paper() -> usize {
    let models = paper::MODELS.iter().filter_map(|(name, _)| paper::model(name)?.ok());
    models.map(|m| evaluate(&m, &Request::at(Level::Numeric)).unwrap().values.len()).sum()
}

/// Each model of the paper at the exact level: all values, closed forms and the hull. (One has a sine and is refused.)
#[divan::bench(args = paper::MODELS.iter().map(|(name, _)| *name).filter(|name| *name != "severalconcavities"))]
fn exactly(bencher: Bencher, name: &str) {
    if let Some(Ok(model)) = paper::model(name) {
        bencher.bench(|| evaluate(&model, &Request::at(Level::Exact)).is_ok());
    }
}
