//! How long it takes to answer a few questions about a small model: what a search for counterexamples does many thousand times.

use divan::Bencher;
use rocproof::functional::question::{Asked, Question, Questions};
use rocproof::{Method, Model};

fn main() {
    divan::main();
}

const MODELS: [(&str, &str, &str); 6] = [
    ("{ 3/2 on [0,1/2]; 1/2 on [1/2,1] }", "{ 1/2 on [0,1/2]; 3/2 on [1/2,1] }", "1/3"),
    ("{ 1/2 on [0,1/3]; 2 on [1/3,2/3]; 1/2 on [2/3,1] }", "{ 1 on [0,1/3]; 1/2 on [1/3,2/3]; 3/2 on [2/3,1] }", "1/3"),
    ("{ 1/4: 1/2; 3/4: 1/2 }", "{ 1/4: 1/5; 1/2: 4/5 }", "1/3"),
    ("2*(1-x)", "2*x", "1/3"),
    ("beta(2, 5)", "beta(5, 2)", "1/3"),
    ("normal(0, 1)", "normal(1, 2)", "1/3"),
];

fn named() -> Questions {
    let loss = |method| Question::new(Asked::Loss(method));
    let list = [Question::metric("AUC"), Some(loss(Method::RateDriven)), Some(loss(Method::Optimal))];
    Questions::new(&list.into_iter().flatten().collect::<Vec<_>>()).unwrap_or_else(|_| unreachable!())
}

fn typed() -> Questions {
    let list = ["F0^2 dF1", "c*(1-c) dR"].map(|text| Question::new(Asked::Integral(text.into())));
    Questions::new(&list).unwrap_or_else(|_| unreachable!())
}

fn model((f0, f1, pi0): (&str, &str, &str)) -> Model {
    Model::new(f0, f1, pi0).unwrap_or_else(|_| unreachable!())
}

/// AUC, rate-driven and optimal loss.
#[divan::bench(args = MODELS)]
fn numeric(bencher: Bencher, text: (&str, &str, &str)) {
    let (model, questions) = (model(text), named());
    bencher.bench(|| questions.numeric(&model));
}

/// Two integrals of one's own.
#[divan::bench(args = MODELS)]
fn numeric_typed(bencher: Bencher, text: (&str, &str, &str)) {
    let (model, questions) = (model(text), typed());
    bencher.bench(|| questions.numeric(&model));
}

#[divan::bench(args = &MODELS[..5])]
fn exact(bencher: Bencher, text: &(&str, &str, &str)) {
    let (model, questions) = (model(*text), named());
    bencher.bench(|| questions.exact(&model).is_ok());
}

#[divan::bench(args = &MODELS[..5])]
fn exact_typed(bencher: Bencher, text: &(&str, &str, &str)) {
    let (model, questions) = (model(*text), typed());
    bencher.bench(|| questions.exact(&model).is_ok());
}

#[divan::bench(args = MODELS)]
fn curve(bencher: Bencher, text: (&str, &str, &str)) {
    let model = model(text);
    bencher.bench(|| model.curve());
}

#[divan::bench(args = MODELS)]
fn reading_a_model(bencher: Bencher, text: (&str, &str, &str)) {
    bencher.bench(|| model(text));
}
