//! What reports of scored data say, for programs and for people.

use rocproof::Cost;
use rocproof::data::{
    KnownAt, OperatingPoint, Scored, compare_methods, corp, decompose, evaluate_scored, finite_sample, thresholds_at,
};
use rocproof::functional::{Evaluation, Thresholds};
use rocproof::report::{self, AsText};

fn small() -> (Scored, Evaluation) {
    let data = Scored::from_rows(&[0.1, 0.4, 0.4, 0.8], &[false, true, false, true], None).unwrap();
    let evaluation = evaluate_scored(&data, &Cost::uniform(), &Thresholds::default());
    (data, evaluation)
}

#[test]
fn decompositions() {
    let (data, evaluation) = small();
    let found = decompose(&data, &evaluation, &"edges:0,0.4,1:left".parse().unwrap()).unwrap();
    let json = report::decomposition::json(&found);
    assert_eq!(
        (&json["partition"], &json["closed"], &json["filled"]),
        (&"edges:0,0.4,1:left".into(), &"left".into(), &2.into())
    );
    assert_eq!(json["cells"][1]["weight"], serde_json::json!([1.0, 2.0]));
    assert_eq!(json["cells"][1]["edges"], serde_json::json!([0.4, 1.0]));
    assert_eq!(json["CL"]["level"], "numeric");
    assert!(json["within_covariance"]["value"].as_f64().unwrap() > 0.0);
    let text = AsText(&found).to_string();
    assert!(
        text.starts_with("Brier score by 2 bins with stated edges, [a, b), the last closed on both sides; 2 cells\n")
    );
    assert!(text.contains("0.4 to 1"), "{text}");
    let json = report::decomposition::corp_json(&corp(&data, &evaluation));
    // Recalibrated: 0, 1/2, 1.
    assert!((json["BS_recalibrated"]["value"].as_f64().unwrap() - 0.125).abs() < 1e-15);
    assert!(AsText(&corp(&data, &evaluation)).to_string().contains("BS = MCB - DSC + UNC"));
    assert!(
        AsText(&decompose(&data, &evaluation, &"ties".parse().unwrap()).unwrap()).to_string().contains("tie groups")
    );
}

#[test]
fn finite_samples() {
    let (data, evaluation) = small();
    let found = finite_sample(&data, &evaluation);
    let json = report::finite::json(&found);
    let item = json.as_array().unwrap().iter().find(|item| item["name"] == "ru_cutpoints_skew").unwrap();
    assert_eq!(item["formula"], "n/(n+1)*(1-2*AUC)/4 + 1/2");
    assert_eq!(item["ties"], "ties in random order");
    assert!((item["value"]["value"].as_f64().unwrap() - 0.35).abs() < 1e-15);
    assert!((item["difference"]["value"].as_f64().unwrap() - 0.0375).abs() < 1e-15);
    assert!(report::finite::table(&found, None).contains("one of the n+1 cutpoints"));
    let weighted = Scored::from_rows(&[0.1, 0.9], &[false, true], Some(&[0.5, 1.0])).unwrap();
    let evaluation = evaluate_scored(&weighted, &Cost::uniform(), &Thresholds::default());
    assert!(report::finite::table(&finite_sample(&weighted, &evaluation), None).contains("- : rows cannot be counted"));
}

#[test]
fn choices() {
    let (data, evaluation) = small();
    let choice = compare_methods(&data, &evaluation, &Cost::uniform(), Some(KnownAt::Deployment));
    let json = report::choice::json(&choice);
    assert_eq!((&json["known"], &json["lowest"]["cost"]), (&"deployment".into(), &"o".into()));
    assert_eq!(json["methods"][0]["method"], "o");
    assert!((json["methods"][0]["uniform"]["value"]["value"].as_f64().unwrap() - 0.125).abs() < 1e-15);
    assert!(AsText(&choice).to_string().contains("the operating condition is known at deployment time, not before\n"));
    assert!(AsText(&choice).to_string().contains("losses of the optimal method are too low"));
}

#[test]
fn thresholds() {
    let (data, evaluation) = small();
    let of = |text: &str| thresholds_at(&data, &evaluation, &OperatingPoint::parse(text).unwrap());
    let json = report::choice::thresholds_json(&of("c=1/2"));
    assert_eq!((&json["at"], &json["condition"]), (&"c = 1/2".into(), &"cost".into()));
    let method = |name: &str| json["methods"].as_array().unwrap().iter().find(|m| m["method"] == name).unwrap().clone();
    assert_eq!(method("rd")["threshold"]["score"], 0.4);
    assert_eq!(method("rd")["threshold"]["share"]["value"], 0.5);
    assert_eq!(method("sd")["threshold"], serde_json::json!({ "kind": "at", "threshold": 0.5 }));
    // At c = 1/2 both ends of the tie have the same loss.
    let optimal = &method("o")["threshold"]["minimisers"];
    assert_eq!(
        (&optimal[0]["from"], &optimal[0]["below"], &optimal[0]["points"]),
        (&0.1.into(), &0.8.into(), &2.into())
    );
    assert_eq!(optimal[0]["last"]["false_positive_rate"]["value"], 0.5);
    assert!(AsText(&of("c=1/2")).to_string().contains("several points of the ROC curve have the least loss"));
    assert!(AsText(&of("c=1/4")).to_string().contains("from 0.1 to below 0.4"));
    let json = report::choice::thresholds_json(&of("z=0"));
    assert_eq!(json["methods"][5]["threshold"]["from"], "-inf");
    assert_eq!(json["methods"][5]["threshold"]["middle"], serde_json::Value::Null);
}
