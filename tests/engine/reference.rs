//! Reported errors against independent reference values: tens of thousands of models, every metric and loss of each.
//!
//! The values come from `tests/reference/generate.py`, which shares nothing with this crate; its README says how.

use flate2::read::GzDecoder;
use rocproof::calculus::Estimate;
use rocproof::{Condition, Cost, Evaluation, Level, Method, Model, Request, Value, evaluate};
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

/// What every value must be within of the truth, in the files that promise it.
const PROMISED: f64 = 1e-12;

fn value(evaluation: &Evaluation, column: &str) -> Value {
    // The reference calls the default of the R package H_R.
    let name = if column == "H_R" { "H_hmeasure" } else { column };
    if let Some(value) = evaluation.metric(name) {
        return value.clone();
    }
    let (condition, name) = match name.strip_prefix('z') {
        Some(name) => (Condition::Skew, name),
        None => (Condition::Cost, name),
    };
    let method = Method::ALL.into_iter().find(|m| m.name().trim_end_matches("(1/2)") == name).unwrap();
    evaluation.loss(condition, method).unwrap().clone()
}

/// Checks a file; `promise` is what each value must be within of the truth. Returns how many models it held.
fn check(file: &str, promise: f64) -> usize {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/reference").join(file);
    let mut lines = BufReader::new(GzDecoder::new(File::open(&path).unwrap())).lines().map(Result::unwrap);
    let header: Vec<String> = lines.next().unwrap().split('\t').map(str::to_owned).collect();
    let mut models = 0;
    let mut failures: Vec<String> = Vec::new();
    for line in lines {
        let cells: Vec<&str> = line.split('\t').collect();
        let model = Model::new(cells[0], cells[1], cells[2]).unwrap_or_else(|e| panic!("{line}\n{}", e.render(false)));
        let evaluation =
            evaluate(&model, &Request::at(Level::Numeric).under(Cost::parse(cells[3]).unwrap().clone())).unwrap();
        models += 1;
        for (column, truth) in header.iter().zip(&cells).skip(4) {
            let found = value(&evaluation, column);
            let fine = match (*truth, found.estimate()) {
                ("NA", None) => true,
                ("NA", Some(_)) | (_, None) => false,
                (truth, Some(Estimate { value, error })) => {
                    let off = (value - truth.parse::<f64>().unwrap()).abs();
                    // Nor may a value hide behind a large error; H divides by what may be small, means scale with scores.
                    let scaled = ["H", "H_priors", "H_R", "s0", "s1"].contains(&column.as_str());
                    let telling = promise > PROMISED || error <= if scaled { 1000.0 } else { 10.0 } * promise;
                    off <= error && off <= promise && telling
                }
            };
            if !fine {
                let inline =
                    format!("--f0 '{}' --f1 '{}' --pi0 {} --cost '{}'", cells[0], cells[1], cells[2], cells[3]);
                failures.push(format!("{column} is {truth}, found {found:?}: rocproof eval {inline}"));
            }
        }
    }
    assert!(failures.is_empty(), "{} failures in {file}, the first:\n{}", failures.len(), failures[0]);
    models
}

#[test]
fn betas() {
    assert!(check("betas.tsv.gz", PROMISED) >= 8000);
}

#[test]
fn normals_and_logistics() {
    assert!(check("normals.tsv.gz", PROMISED) >= 2500);
}

#[test]
fn piecewise() {
    assert!(check("piecewise.tsv.gz", PROMISED) >= 6000);
}

#[test]
fn mixtures_and_atoms() {
    assert!(check("mixtures.tsv.gz", PROMISED) >= 2000);
}

#[test]
fn weighted_costs() {
    assert!(check("weights.tsv.gz", PROMISED) >= 1500);
}

/// Far beyond what is promised, errors must still be honest, and small: normals with a deviation of 1e-6 around 0.5 are known
/// only as far as 0.500001 is a float.
#[test]
fn extremes() {
    assert!(check("extreme.tsv.gz", 1e-10) >= 90);
}
