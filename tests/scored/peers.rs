//! Values that other packages print for their own data: `tests/peers/peers.json` names the packages.

use rocproof::data::curves::{CurveKind, Curves};
use rocproof::data::read::{ColumnRequest, Dataset, read_csv};
use rocproof::data::{ScoreDirection, Scored, Severity, Tie, corp, evaluate_scored, hand_measure};
use rocproof::functional::Value;
use rocproof::lang::Source;
use rocproof::{Condition, Cost, Evaluation, Method, Thresholds};
use serde_json::Value as Json;
use std::sync::LazyLock;

static PEERS: LazyLock<Json> = LazyLock::new(|| serde_json::from_str(include_str!("../peers/peers.json")).unwrap());

fn case(name: &str) -> &'static Json {
    PEERS["cases"].as_array().unwrap().iter().find(|case| case["name"] == name).unwrap()
}

fn numbers(list: &Json) -> Vec<f64> {
    list.as_array().unwrap().iter().map(|number| number.as_f64().unwrap()).collect()
}

/// Rows of numbers.
fn table(list: &Json) -> Vec<Vec<f64>> {
    list.as_array().unwrap().iter().map(numbers).collect()
}

/// Labels and scores as a file with the command line's defaults, or with options.
fn read(labels: &[f64], scores: &[f64], request: &ColumnRequest) -> Dataset {
    let rows: String = labels.iter().zip(scores).map(|(y, s)| format!("{s},{y}\n")).collect();
    read_csv("-", format!("score,label\n{rows}").as_bytes(), request).unwrap()
}

fn scored(labels: &[f64], scores: &[f64]) -> Scored {
    read(labels, scores, &ColumnRequest::default()).scored(0).unwrap()
}

fn number(value: &Value) -> f64 {
    value.estimate().unwrap().value
}

fn evaluate(data: &Scored) -> Evaluation {
    evaluate_scored(data, &Cost::uniform(), &Thresholds::default())
}

#[track_caller]
fn agree(what: &str, found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() <= tolerance, "{what}: {found} and {expected}");
}

/// Which label is called positive changes nothing about hmeasure, whose class 1 is the one that higher scores speak for.
fn orientations(labels: &[f64], scores: &[f64]) -> Vec<Scored> {
    let said = |label: &str| Some(label.to_owned());
    let exchanged: Vec<f64> = labels.iter().map(|y| 1.0 - y).collect();
    [(labels, "1", "1"), (labels, "0", "1"), (&exchanged[..], "1", "0"), (&exchanged[..], "0", "0")]
        .map(|(labels, positive, higher)| {
            let request =
                ColumnRequest { positive: said(positive), higher_means: said(higher), ..ColumnRequest::default() };
            read(labels, scores, &request).scored(0).unwrap()
        })
        .to_vec()
}

#[test]
fn hmeasure() {
    let rows = table(&case("pima_lda")["rows"]);
    let (labels, scores): (Vec<f64>, Vec<f64>) = rows.iter().map(|row| (row[0], row[1])).unzip();
    for data in orientations(&labels, &scores) {
        let evaluation = evaluate(&data);
        for row in case("pima_lda")["expected_by_cost"].as_array().unwrap() {
            let expected = row["H"].as_f64().unwrap();
            let found = match row["sev_ratio"].as_f64() {
                None => number(evaluation.metric("H_hmeasure").unwrap()),
                // A negative ratio stands for Beta(1+π1, 1+π0).
                Some(ratio) if ratio < 0.0 => number(evaluation.metric("H_priors").unwrap()),
                Some(ratio) => {
                    let severity = Severity::read(&Source::new("severity", ratio.to_string())).unwrap();
                    number(&hand_measure(&data, &severity).value)
                }
            };
            agree(&format!("severity {}", row["sev_ratio"]), found, expected, 1e-12);
            // The costs are those of the label 0, which lower scores speak for.
            let [a, b]: [f64; 2] = numbers(&row["cost"]).try_into().unwrap();
            let [a, b] = if data.is_reversed() { [b, a] } else { [a, b] };
            let prior = Cost::parse(&format!("beta({a}, {b})")).unwrap();
            let loss = evaluate_scored(&data, &prior, &Thresholds::default());
            let loss = number(loss.loss(Condition::Cost, Method::Optimal).unwrap());
            agree("L[o]", loss, row["L[o;beta]"].as_f64().unwrap(), 1e-12);
            let severity = Severity::read(&Source::new("severity", prior.to_string())).unwrap();
            agree("H of the prior", number(&hand_measure(&data, &severity).value), expected, 1e-12);
        }
    }
    let rows = table(&case("catala4")["rows"]);
    let (labels, scores): (Vec<f64>, Vec<f64>) = rows.iter().map(|row| (row[0], row[1])).unzip();
    for data in orientations(&labels, &scores) {
        let by_ratio = &case("catala4")["hmeasure_R_1.0-2"];
        for (ratio, expected) in by_ratio.as_object().unwrap() {
            let expected = expected["H"].as_f64().unwrap();
            let found = match ratio.strip_prefix("sr") {
                Some("NA") | None => number(evaluate(&data).metric("H_hmeasure").unwrap()),
                Some(ratio) => {
                    number(&hand_measure(&data, &Severity::read(&Source::new("severity", ratio)).unwrap()).value)
                }
            };
            agree(ratio, found, expected, 1e-12);
        }
        let evaluation = evaluate(&data);
        let expected = &case("catala4")["expected"];
        for name in ["BS", "AUC", "CL", "RL"] {
            agree(name, number(evaluation.metric(name).unwrap()), expected[name].as_f64().unwrap(), 1e-12);
        }
    }
}

/// Thresholds are those of the file, so that no row falls on the wrong side of one.
#[test]
fn dcurves() {
    let case = case("dcurves_df_binary");
    let labels = numbers(&case["label"]);
    for model in ["famhistory", "cancerpredmarker"] {
        let data = scored(&labels, &numbers(&case[model]));
        let curves = Curves::new(&data);
        let net_benefit = curves.curve(CurveKind::NetBenefit).unwrap();
        let treat_all = curves.curve(CurveKind::TreatAll).unwrap();
        let avoided = curves.curve(CurveKind::InterventionsAvoided).unwrap();
        let expected = table(&case["net_benefit"][model]);
        let inner: Vec<&Vec<f64>> = expected.iter().filter(|row| row[0] > 0.0).collect();
        assert_eq!(inner.len(), 99);
        for row in inner {
            let (p, expected) = (row[0], row[1]);
            let found = net_benefit.limits(p).value.unwrap();
            agree(&format!("{model} at {p}"), found, expected, 1e-12);
            // Interventions avoided are the difference to treating all, in interventions.
            let gain = (found - treat_all.limits(p).value.unwrap()) * (1.0 - p) / p;
            agree("avoided", avoided.limits(p).value.unwrap(), gain, 1e-12);
        }
    }
}

/// The values at a knot and its limits on both sides.
#[test]
fn murphy_diagrams() {
    let case = case("niamey");
    let labels = numbers(&case["obs"]);
    for (model, knots) in case["murphy"].as_object().unwrap() {
        let scores = numbers(&case["forecasts"][model]);
        let data = scored(&labels, &scores);
        let curves = Curves::new(&data);
        let murphy = curves.curve(CurveKind::Murphy).unwrap();
        for knot in table(knots) {
            let limits = murphy.limits(knot[0]);
            // A knot is a score of the file, to the last bit.
            assert!([0.0, 1.0].contains(&knot[0]) || scores.contains(&knot[0]), "{model}: {}", knot[0]);
            for (found, expected) in [(limits.left, knot[1]), (limits.right, knot[2])] {
                agree(&format!("{model} at {}", knot[0]), found.unwrap_or(expected), expected, 1e-12);
            }
        }
    }
    let case = self::case("recession");
    let labels = numbers(&case["label"]);
    for model in ["probit", "spf"] {
        let data = scored(&labels, &numbers(&case[model]));
        let curves = Curves::new(&data);
        let murphy = curves.curve(CurveKind::Murphy).unwrap();
        for (theta, expected) in numbers(&case["theta"]).into_iter().zip(numbers(&case["murphy"][model])) {
            agree(&format!("{model} at {theta}"), murphy.limits(theta).value.unwrap(), expected, 1e-12);
        }
    }
}

/// CORP: conditional event probabilities by forecast, and the parts of the score.
#[test]
fn reliability_diagrams() {
    for (name, label) in [("niamey", "obs"), ("ex_binary", "y")] {
        let case = case(name);
        let tolerance = case["tolerance"].as_f64().unwrap();
        let labels = numbers(&case[label]);
        for (model, expected) in case["corp"].as_object().unwrap() {
            let data = scored(&labels, &numbers(&case["forecasts"][model]));
            let parts = corp(&data, &evaluate(&data));
            for (part, key) in [
                (&parts.brier_score, "mean_score"),
                (&parts.miscalibration, "miscalibration"),
                (&parts.discrimination, "discrimination"),
                (&parts.uncertainty, "uncertainty"),
            ] {
                agree(&format!("{model}, {key}"), number(part), expected[key].as_f64().unwrap(), tolerance);
            }
            let Some(probabilities) = case["cep"].get(model) else { continue };
            let curves = Curves::new(&data);
            let reliability = curves.curve(CurveKind::Reliability).unwrap();
            for point in table(probabilities) {
                agree(model, reliability.limits(point[0]).value.unwrap(), point[1], tolerance);
            }
        }
    }
}

#[test]
fn areas_and_brier_scores() {
    let value = |data: &Scored, name: &str| number(evaluate(data).metric(name).unwrap());
    let asah = case("aSAH");
    for (marker, expected) in asah["expected"].as_object().unwrap() {
        let data = scored(&numbers(&asah["y"]), &numbers(&asah[marker]));
        agree(marker, value(&data, "AUC"), expected["auc"].as_f64().unwrap(), 1e-12);
        if let Some(youden) = asah["youden"][marker].as_f64() {
            agree(marker, value(&data, "KS"), youden, 1e-12);
        }
    }
    for name in ["ROCR.simple", "P10N10"] {
        let case = case(name);
        let (labels, scores): (Vec<f64>, Vec<f64>) = table(&case["rows"]).iter().map(|row| (row[0], row[1])).unzip();
        let data = scored(&labels, &scores);
        for metric in ["AUC", "BS"] {
            if let Some(expected) = case["expected"][metric].as_f64() {
                agree(name, value(&data, metric), expected, 1e-12);
            }
        }
    }
    // Soft labels are fractional counts.
    let soft = case("soft_labels");
    let weights = numbers(&soft["weight_of_1"]);
    let groups: Vec<Tie> =
        numbers(&soft["score"]).into_iter().zip(weights).map(|(x, w)| Tie { x, mass: [1.0 - w, w] }).collect();
    let data = Scored::from_groups(&groups).unwrap();
    agree("soft labels", value(&data, "AUC"), soft["expected"]["AUC"].as_f64().unwrap(), 1e-12);
    let literals = case("literals");
    let directed = |labels: &[f64], scores: &[f64]| {
        let is_class_1: Vec<bool> = labels.iter().map(|y| *y == 0.0).collect();
        Scored::directed(ScoreDirection::TowardClass0, scores, &is_class_1, None).unwrap()
    };
    let brier = literals["brier"].as_array().unwrap();
    let data = directed(&numbers(&brier[0]), &numbers(&brier[1]));
    agree("scikit-learn", value(&data, "BS"), brier[2].as_f64().unwrap(), 1e-12);
    for roc in literals["roc"].as_array().unwrap() {
        let data = directed(&numbers(&roc[0]), &numbers(&roc[1]));
        agree("scikit-learn", value(&data, "AUC"), roc[2].as_f64().unwrap(), 1e-12);
    }
}
