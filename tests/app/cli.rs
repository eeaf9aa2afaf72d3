//! The command line as a user meets it: results, errors that point at the place, exit statuses.

use serde_json::Value;
use std::process::{Command, Output};

fn rocproof(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_rocproof")).args(arguments).output().unwrap()
}

fn json(arguments: &[&str]) -> Value {
    let output = rocproof(arguments);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Exit status 2, nothing on standard output, and a message with all of the given words.
fn refused(arguments: &[&str], words: &[&str]) {
    let output = rocproof(arguments);
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {message}");
    assert!(output.stdout.is_empty(), "{arguments:?} wrote to standard output");
    assert!(!message.contains("panicked"), "{arguments:?}: {message}");
    for word in words {
        assert!(message.contains(word), "{arguments:?}: no `{word}` in\n{message}");
    }
}

fn density(text: &str, words: &[&str]) {
    refused(&["eval", "--f0", text, "--f1", "beta(2, 2)"], words);
    refused(&["eval", "--f0", "beta(2, 2)", "--f1", text], words);
}

#[test]
fn json_keeps_the_contract() {
    let result = json(&["eval", "@strictlyconvex", "--json"]);
    let keys = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert_eq!(keys(&result), ["model", "cost", "convex", "gaps", "intervals", "metrics", "loss", "hull"]);
    for key in ["name", "pi0", "f0", "f1"] {
        assert!(result["model"][key].is_string(), "{key}");
    }
    let metrics = ["AUC", "AUCH", "Gini", "KS", "MAE", "MMAE", "BS", "MBS", "CL", "RL", "RL_conv", "H", "s0", "s1"];
    for metric in metrics {
        let number = &result["metrics"][metric];
        assert_eq!(keys(number), ["value", "lo", "hi", "exact", "level"], "{metric}");
        let part = |key: &str| number[key].as_f64().unwrap();
        assert!(part("lo") <= part("value") && part("value") <= part("hi") && number["level"] == "exact");
    }
    let numeric = json(&["eval", "@strictlyconvex", "--level", "numeric", "--json"]);
    assert_eq!(keys(&numeric["metrics"]["RL"]), ["value", "lo", "hi", "exact", "level"]);
    assert_eq!((&numeric["metrics"]["RL"]["level"], &numeric["hull"]["level"]), (&"numeric".into(), &"numeric".into()));
    assert!(numeric["metrics"]["RL"]["exact"].is_null());
    for condition in ["cost", "skew"] {
        assert_eq!(keys(&result["loss"][condition]), ["sf(1/2)", "rf(1/2)", "su", "sd", "ru", "rd", "o"]);
    }
    assert_eq!(result["convex"], true);
    assert_eq!(result["intervals"][0]["kind"], "bijective");
    assert_eq!(result["cost"], "uniform");
}

#[test]
fn what_does_not_apply_says_why() {
    let result = json(&["eval", "--f0", "normal(0,1)", "--f1", "normal(1,2)", "--pi0", "0.3", "--json"]);
    assert!(result["metrics"]["BS"]["value"].is_null());
    assert!(result["metrics"]["BS"]["why"].as_str().unwrap().contains("outside [0, 1]"));
    assert!(result["loss"]["cost"]["su"]["why"].as_str().unwrap().contains("bounded"));
    assert!(result["metrics"]["AUC"]["value"].is_f64());
    // The hull of a binormal model with unequal variances has an unbounded interval.
    assert_eq!(result["gaps"][0][0], "-inf");
    assert_eq!(result["model"]["pi0"], "3/10");
}

#[test]
fn transforms_and_costs_are_options() {
    let plain = json(&["eval", "@severalconcavities", "--json"]);
    let hull = json(&["eval", "@severalconcavities", "--transform", "conv", "--json"]);
    assert_eq!(plain["convex"], false);
    assert_eq!(hull["convex"], true);
    assert_eq!(hull["model"]["name"], "Conv(severalconcavities)");
    let difference = |a: &Value, b: &Value| (a["value"].as_f64().unwrap() - b["value"].as_f64().unwrap()).abs();
    assert!(difference(&plain["loss"]["cost"]["o"], &hull["loss"]["cost"]["o"]) < 1e-12);
    let weighted = json(&["eval", "@diagonal", "--cost", "beta(2, 2)", "--json"]);
    assert_eq!(weighted["cost"], "beta(2, 2)");
    // ∫ 2 min(c, 1-c)/2 · 6c(1-c) dc = 5/16.
    assert!((weighted["loss"]["cost"]["o"]["value"].as_f64().unwrap() - 5.0 / 16.0).abs() < 1e-13);
}

#[test]
fn tables_are_for_people() {
    let output = rocproof(&["eval", "@discontinuous"]);
    let text = String::from_utf8(output.stdout).unwrap();
    for words in
        ["AUC", "0.983333333333", "score-driven", "singular", "the ROC curve is convex", "= 59/60", "level: exact"]
    {
        assert!(text.contains(words), "no `{words}` in\n{text}");
    }
}

#[test]
fn the_exact_level_writes_numbers_out() {
    let result = json(&["eval", "@strictlyconvex", "--level", "exact", "--digits", "50", "--json"]);
    let optimal = &result["loss"]["cost"]["o"];
    assert_eq!(optimal["exact"], "1/2 + pi/20 - 4*ln(2)/5");
    // 1/2 + pi/20 - 4 ln(2)/5 to 50 digits, by mpmath.
    assert_eq!(optimal["digits"], "0.10256188823153341438934647199743388974945836248055");
    assert_eq!(result["metrics"]["AUC"]["exact"], "14/15");
    assert_eq!(result["loss"]["cost"]["rf(1/2)"]["exact"], "7/2 - 3*sqrt(5)/2");
    assert!(result["metrics"]["H_priors"]["why"].as_str().unwrap().contains("whole numbers"));
    let hull = json(&["eval", "--f0", "beta(3, 3)", "--f1", "beta(2, 2)", "--pi0", "1/3", "--json"]);
    assert_eq!((&hull["convex"], &hull["hull"]["level"]), (&false.into(), &"exact".into()));
    assert_eq!(hull["hull"]["gaps"][0], serde_json::json!(["0", "5/4 - sqrt(5)/4"]));
    assert_eq!(hull["intervals"][1]["exact"]["sigma"][0], "4/29 + 20*sqrt(5)/87");
}

#[test]
fn the_exact_level_says_why_it_does_not_serve() {
    let exact = |f0: &str, words: &[&str]| {
        refused(&["eval", "--f0", f0, "--f1", "beta(2, 2)", "--level", "exact"], words);
        assert_eq!(rocproof(&["eval", "--f0", f0, "--f1", "beta(2, 2)"]).status.code(), Some(0), "{f0}");
    };
    exact("beta(5/2, 2)", &["both parameters are whole numbers", "1:6", "--level numeric"]);
    exact("1/2*beta(2, 2) + 1/2*normal(0, 1)", &["a normal density is not piecewise polynomial", "--level numeric"]);
    exact("1 + sin(2*pi*x)/2", &["not a polynomial in x", "1:5"]);
    exact("uniform(0, sqrt(2)/2)", &["not rational", "--level numeric"]);
    exact("0.3333333333333 + 4/3*x", &["the exact integral of this density is not 1", "normalize("]);
    let f = ["--f0", "1", "--f1", "1", "--level", "exact", "--pi0", "sqrt(2)/2"];
    refused(&[&["eval"], &f[..]].concat(), &["π0 is not rational"]);
    // A dip that sampling does not see.
    let dip = "normalize((x - 1/2)^2 - 1e-14)";
    refused(&["eval", "--f0", dip, "--f1", "1"], &["must not be negative"]);
}

#[test]
fn the_certified_level_encloses() {
    let result = json(&[
        "eval",
        "--f0",
        "beta(2.5, 4)",
        "--f1",
        "beta(5, 1.5)",
        "--pi0",
        "1/3",
        "--level",
        "certified",
        "--json",
    ]);
    assert_eq!((&result["convex"], &result["hull"]["level"]), (&true.into(), &"certified".into()));
    for group in [&result["metrics"], &result["loss"]["cost"], &result["loss"]["skew"]] {
        for (name, number) in group.as_object().unwrap() {
            let [lo, value, hi] = ["lo", "value", "hi"].map(|key| number[key].as_f64().unwrap());
            assert!(
                number["level"] == "certified" && lo <= value && value <= hi && hi - lo < 1e-12,
                "{name}: {number}"
            );
        }
    }
    // What the level best does by itself; a width that floats cannot reach is said to be none.
    let best = json(&["eval", "@severalconcavities", "--json"]);
    assert_eq!((&best["metrics"]["AUC"]["level"], &best["convex"]), (&"certified".into(), &false.into()));
    let narrow = json(&["eval", "@severalconcavities", "--level", "certified", "--width", "1e-20", "--json"]);
    assert!(narrow["metrics"]["AUC"]["why"].as_str().unwrap().contains("1e-20"));
    // Where enclosures leave a hull of polynomials open, exact arithmetic decides it.
    let exact = json(&["eval", "@strictlyconvex", "--level", "certified", "--json"]);
    assert_eq!((&exact["convex"], &exact["hull"]["level"]), (&true.into(), &"certified".into()));
    let certified = |f0: &str, words: &[&str]| {
        refused(&["eval", "--f0", f0, "--f1", "beta(2, 2)", "--level", "certified"], words);
    };
    certified(
        "0.3333333333333 + 4/3*x",
        &["provably does not", "its integral lies in [0.99999999999996", "normalize("],
    );
    certified("normalize(exp(-sqrt(x)) on [0, inf])", &["could not be enclosed near x = 4.3368", "--level numeric"]);
    let bell = "normalize((1 + sin(2*x)/2)*exp(-x^2/4) on [-inf, inf])";
    let bell = json(&["eval", "--f0", bell, "--f1", "beta(2, 2)", "--level", "certified", "--json"]);
    let [lo, hi] = ["lo", "hi"].map(|key| bell["metrics"]["AUC"][key].as_f64().unwrap());
    assert!(hi - lo < 1e-10, "{bell}");
    // A dip that sampling does not see, of a density that is no polynomial.
    let dip = "normalize(1 - 2*exp(-1e12*(x-0.50013)^2))";
    refused(&["eval", "--f0", dip, "--f1", "1"], &["must not be negative", "provably"]);
}

#[test]
fn syntax_errors_point_at_the_place() {
    density("2*(1-x", &["expected `)`", "1:6"]);
    density("2x", &["expected an operator", "2*x"]);
    density("beta(2,, 5)", &["expected a number"]);
    density("", &["found the end"]);
    density("1 $ 2", &["unexpected character"]);
    density("{ x on [0,1] ", &["expected `}`"]);
    density("{ 0.2: 0.5; 0.3 }", &["expected `:`"]);
    density(&"(".repeat(500), &["nested too deeply"]);
    density("1e99999", &["cannot be read"]);
}

#[test]
fn unknown_names_and_wrong_arity() {
    density("bata(2, 5)", &["unknown function `bata`", "did you mean `beta`?"]);
    density("2*y", &["unknown name `y`"]);
    density("beta(2)", &["takes 2 arguments, not 1", "beta(a, b)"]);
    density("normal(0, 1, 2)", &["takes 2 arguments, not 3"]);
    density("sin(x, x)", &["takes one argument"]);
    density("beta(x, 2)", &["a number is needed", "varies"]);
}

#[test]
fn impossible_parameters() {
    density("beta(0, 5)", &["must be positive"]);
    density("beta(-1, 5)", &["must be positive"]);
    density("normal(0, 0)", &["must be positive"]);
    density("logistic(0, -2)", &["must be positive"]);
    density("uniform(1, 0)", &["lo < hi"]);
    density("triangular(0, 2, 1)", &["between lo and hi"]);
    density("truncate(beta(2,2), 2, 3)", &["no mass lies in this interval"]);
    // It was said that there is none, and how much.
    density("truncate(normal(0,1), 37, 38)", &["too little mass for floating point", "e-300"]);
    // Its integral is 1/ln 2, though none was found; it was said to have none.
    density("normalize(1/(x*log(x)^2) on [0, 1/2])", &["no integral of the density was found", "x = 0 "]);
    // It was said to be -0.0000.
    density("normalize((x-1/2)^2 - 1e-6)", &["negative: -7.500e-7 at x = 0.4995"]);
    density("truncate(beta(2,2), 1, 0)", &["smaller end first"]);
    density("uniform(1/0, 2)", &["division by zero"]);
    density("beta(inf, 2)", &["finite number"]);
}

#[test]
fn functions_that_are_no_densities() {
    density("x", &["integrates to 0.5", "normalize(x)"]);
    density("0.5*beta(2,5) + 0.6*uniform(0,1)", &["integrates to 1.1", "normalize"]);
    density("2 - 4*x", &["negative"]);
    density("normalize(sin(6*pi*x))", &["negative"]);
    density("1/x", &["no integral"]);
    density("1/(x-1/2)^2", &["not a finite number"]);
    density("log(x-1)", &["not a finite number"]);
    density("0", &["integrates to 0"]);
    density("{ 1 on [0,1]; 1 on [1/2,2] }", &["pieces overlap"]);
    density("{ 2*x }", &["needs an interval"]);
    density("{ 0.5: 0.4; 0.5: 0.6 }", &["two atoms at the same place"]);
    density("{ 0.5: -1; 0.6: 2 }", &["must be positive"]);
    density("beta(2,2)*beta(2,2)", &["only be added and weighted"]);
    density("beta(2,2) - 0.5*beta(2,3)", &["only be added and weighted"]);
    density("-0.5*beta(2,2) + 1.5*beta(2,3)", &["positive"]);
    density("beta(2,2) on [0,1]", &["truncate"]);
}

#[test]
fn proportions_files_and_options() {
    for pi0 in ["0", "1", "-0.2", "7/5", "1e-2000"] {
        refused(&["eval", "--f0", "1", "--f1", "1", "--pi0", pi0], &["pi0"]);
    }
    refused(&["eval", "--f0", "1", "--f1", "1", "--pi0", "a"], &["unknown name `a`"]);
    refused(&["eval", "no-such-file.toml"], &["cannot read the model file no-such-file.toml"]);
    refused(&["eval", "strictlyconvex"], &["did you mean @strictlyconvex?"]);
    refused(&["eval", "@strictlyconvx"], &["no model @strictlyconvx", "did you mean @strictlyconvex?"]);
    refused(&["eval", "@diagonal", "--cost", "beta(0, 1)"], &["between 0.05 and 1e6"]);
    refused(&["eval", "@diagonal", "--cost", "gamma(2)"], &["unknown cost distribution"]);
    refused(&["eval", "@diagonal", "--width", "1e-12"], &["--level certified"]);
    refused(&["eval", "@diagonal", "--level", "certified", "--width", "0"], &["a width is above 0"]);
    refused(&["eval", "@diagonal", "--level", "sure"], &["possible values"]);
    refused(&["eval"], &["MODEL", "--f0", "for example"]);
    refused(&["eval", "--f0", "1"], &["--f1"]);
}

#[test]
fn model_files() {
    let folder = std::env::temp_dir().join(format!("rocproof-files-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let good = write("mine.toml", "pi0 = 0.3\nf0 = 'beta(2, 5)'\nf1 = 'beta(5, 2)'\n");
    let result = json(&["eval", &good, "--json"]);
    assert_eq!((&result["model"]["name"], &result["model"]["pi0"]), (&"mine".into(), &"3/10".into()));
    refused(&["eval", &write("broken.toml", "pi0 = \nf0 = 'x'")], &["not a model file", "broken.toml"]);
    refused(&["eval", &write("typo.toml", "pi0 = '1/2'\nf0 = '1'\nf1 = '1'\nf2 = '1'")], &["f2"]);
    refused(&["eval", &write("missing.toml", "pi0 = '1/2'\nf0 = '1'")], &["f1"]);
    refused(&["eval", &write("bad.toml", "pi0 = '1/2'\nf0 = '1'\nf1 = 'bata(2,3)'")], &["bad.toml, f1", "beta"]);
    refused(&["eval", &write("binary.toml", "\u{0}\u{1}")], &["not a model file"]);

    // No output file appears when something is wrong; one does when nothing is.
    let out = folder.join("out.json");
    refused(&["eval", "--f0", "x", "--f1", "1", "-o", out.to_str().unwrap()], &["integrates to 0.5"]);
    assert!(!out.exists());
    assert_eq!(rocproof(&["eval", "@diagonal", "--json", "-o", out.to_str().unwrap()]).status.code(), Some(0));
    assert!(out.exists());
    refused(&["eval", "@diagonal", "-o", folder.join("no/such/folder").to_str().unwrap()], &["cannot write"]);
    std::fs::remove_dir_all(&folder).unwrap();
}

/// A pipe that closes early is not an error.
#[test]
fn a_broken_pipe_is_fine() {
    use std::process::Stdio;
    let mut child = Command::new(env!("CARGO_BIN_EXE_rocproof"))
        .args(["eval", "@diagonal"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
}

/// `L[sf(t)] = 1 - Acc(t)` and the skew version, at a threshold of the user's.
#[test]
fn thresholds_and_rates_can_be_chosen() {
    let result = json(&["eval", "@strictlyconvex", "--threshold", "3/10", "--rate", "1/4", "--json"]);
    let value = |v: &Value| v["value"].as_f64().unwrap();
    let (accuracy, macro_accuracy) = (value(&result["metrics"]["Acc(0.3)"]), value(&result["metrics"]["MAcc(0.3)"]));
    // F0(0.3) = 1 - 0.7², F1(0.3) = 0.3⁴.
    assert!((accuracy - (0.5 * 0.51 + 0.5 * (1.0 - 0.0081))).abs() < 1e-14);
    assert!((value(&result["loss"]["cost"]["sf(0.3)"]) - (1.0 - accuracy)).abs() < 1e-13);
    assert!((value(&result["loss"]["skew"]["sf(0.3)"]) - (1.0 - macro_accuracy)).abs() < 1e-13);
    assert!(result["loss"]["cost"]["rf(0.25)"]["value"].is_f64());
    refused(&["eval", "@diagonal", "--rate", "2"], &["between 0 and 1"]);
    refused(&["eval", "@diagonal", "--threshold", "x"], &["a number is needed"]);
}
