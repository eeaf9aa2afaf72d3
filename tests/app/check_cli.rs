//! `rocproof check`, `verify` and `discover` as a user types them.

use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output};

fn rocproof(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_rocproof")).args(arguments).env("NO_COLOR", "1").output().unwrap()
}

fn status(arguments: &[&str]) -> i32 {
    rocproof(arguments).status.code().unwrap()
}

fn json(arguments: &[&str]) -> Value {
    let output = rocproof(arguments);
    serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{arguments:?}: {e}: {output:?}"))
}

fn text(arguments: &[&str]) -> String {
    String::from_utf8(rocproof(arguments).stdout).unwrap()
}

#[test]
fn exit_status_tells_the_verdict() {
    assert_eq!(status(&["check", "L[rd] == pi0*pi1*(1 - 2*AUC) + 1/3"]), 0);
    assert_eq!(status(&["check", "L[o] == RL"]), 1);
    assert_eq!(status(&["check", "L[o] == RM"]), 2);
    // True, but beyond the rules.
    assert_eq!(status(&["check", "for m, n: AUC(m) + AUC(n) >= 0", "--time", "3"]), 3);
}

#[test]
fn contract_of_check() {
    let proved = json(&["check", "for convex m: L[o] == RL", "--json"]);
    assert_eq!(proved["verdict"], "proved");
    assert_eq!(proved["class"], "convex");
    assert!(proved["certificate"].is_object() && proved["counterexample"].is_null() && proved["support"].is_null());
    let refuted = json(&["check", "L[o] == RL", "--json"]);
    assert_eq!((refuted["verdict"].as_str(), refuted["class"].as_str()), (Some("refuted"), Some("all")));
    let found = &refuted["counterexample"];
    for side in ["lhs", "rhs"] {
        assert_eq!(found[side]["level"], "exact", "{found}");
        assert!(found[side]["exact"].is_string());
    }
    assert!(found["lhs"]["value"] != found["rhs"]["value"]);
    let supported = json(&["check", "for m, n: AUC(m) + AUC(n) >= 0", "--time", "3", "--json"]);
    assert_eq!(supported["verdict"], "supported");
    assert!(supported["support"]["models"].as_u64() > Some(100));
}

#[test]
fn a_counterexample_pastes_back() {
    for statement in ["L[o] == RL", "BS == MAE/2", "L[sd] <= L[rd]", "L[rd] > 1/12", "AUC >= 1/2"] {
        let found = json(&["check", statement, "--json"]);
        let model = &found["counterexample"]["model"];
        let [f0, f1, pi0] = ["f0", "f1", "pi0"].map(|key| model[key].as_str().unwrap().to_owned());
        let options = ["--f0", &f0, "--f1", &f1, "--pi0", &pi0];
        let mut check = vec!["check", statement];
        check.extend(options);
        assert_eq!(status(&check), 1, "{statement}: {options:?}");
        let mut eval = vec!["eval"];
        eval.extend(options);
        assert_eq!(status(&eval), 0, "{statement}: {options:?}");
    }
}

#[test]
fn what_would_have_been_true_is_said() {
    assert!(text(&["check", "L[o] == RL"]).contains("for convex m: L[o] == RL   proved"));
    assert!(text(&["check", "BS == MAE/2"]).contains("for calibrated m: BS == MAE/2   proved"));
    assert!(
        text(&["check", "for perfect m: L[ru] == 1/4"])
            .contains("for perfect m: L[ru] == 1/4 where pi0 == 1/2   proved")
    );
    assert!(text(&["check", "MAE > BS"]).contains("MAE >= BS   proved"));
    assert!(text(&["check", "L[rd] == pi0*pi1*(1 - 2*AUC) + 1/4"]).contains("is 1/12"));
}

#[test]
fn on_one_model() {
    let model = ["--f0", "2*(1-x)", "--f1", "2*x"];
    let on = |statement: &str| {
        let mut arguments = vec!["check", statement];
        arguments.extend(model);
        status(&arguments)
    };
    assert_eq!([on("L[o] == 1/6"), on("L[o] == 1/5"), on("L[o] <= 1/5"), on("for random m: AUC == 1/2")], [0, 1, 0, 2]);
    // Equal to more digits than enclosures have, which is no proof.
    assert_eq!(status(&["check", "L[o] == 1/2 + pi/20 - 4*log(2)/5", "--model", "@strictlyconvex"]), 3);
    assert_eq!(status(&["check", "L[o] == RL <= 0.10257", "--model", "@strictlyconvex"]), 0);
    assert_eq!(status(&["check", "L[o] == 0.10245", "--model", "@strictlyconvex"]), 1);
    assert_eq!(status(&["check", "L[rd] == L[rd]", "--over", "binormal"]), 0);
    assert_eq!(status(&["check", "AUC == 1", "--over", "gamma"]), 2);
    assert_eq!(status(&["check", "BS == 1", "--over", "binormal"]), 2);
}

#[test]
fn certificates_are_verified_and_tampering_is_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (certificate, script, latex) = (path("proof.json"), path("proof.py"), path("proof.tex"));
    let statement = "L[ru] == L[rd] + 1/6 > L[o]";
    let written = rocproof(&["check", statement, "--certificate", &certificate, "--sympy", &script, "--latex", &latex]);
    assert!(written.status.success(), "{written:?}");
    assert!([&certificate, &script, &latex].iter().all(|file| Path::new(file).metadata().unwrap().len() > 200));
    assert_eq!(status(&["verify", &certificate]), 0);
    let text = std::fs::read_to_string(&certificate).unwrap();
    std::fs::write(&certificate, text.replace("1/6", "1/7")).unwrap();
    assert_eq!(status(&["verify", &certificate]), 1);
    std::fs::write(&certificate, "{").unwrap();
    assert_eq!(status(&["verify", &certificate]), 2);
    assert_eq!(status(&["verify", &path("none.json")]), 2);
    // What has no proof leaves no file.
    let none = path("none.py");
    assert_eq!(status(&["check", "L[o] == RL", "--sympy", &none]), 1);
    assert!(!Path::new(&none).exists());
    // What `check --json` prints can be verified as it is.
    let whole = path("whole.json");
    assert_eq!(status(&["check", statement, "--json", "-o", &whole]), 0);
    assert_eq!(status(&["verify", &whole]), 0);
}

#[test]
fn discovery_on_the_command_line() {
    assert!(text(&["discover", "L[rd]", "--basis", "AUC"]).contains("L[rd] == -2*pi0*pi1*AUC + pi0*pi1 + 1/3"));
    let found = json(&["discover", "L[rd; beta(2,2)]", "--basis", "int(F0^i F1^j dF1) for i+j <= 3", "--json"]);
    let statement = found["relation"]["statement"].as_str().unwrap();
    assert_eq!(status(&["check", statement]), 0, "{statement}");
    assert_eq!(status(&["discover", "BS", "--basis", "AUC"]), 3);
    assert_eq!(status(&["discover", "BS", "--basis", "AUC", "--for", "even"]), 0);
    assert_eq!(status(&["discover", "BS", "--basis", "AUK"]), 2);
    assert_eq!(status(&["discover", "AUC", "--basis", "int(F0^i dF1) for i >= 0"]), 2);
}

#[test]
fn bad_input_points_at_its_place() {
    for (statement, place) in [
        ("AUC + m == 1", "m` is a model, not a number"),
        ("L[xy] == 1", "`xy` is not a threshold choice method"),
        ("for binormal m: L[sd] == BS", "binormal models have no L[sd]"),
        ("AUC = 1", "`=` is not a relation"),
        ("AUC == ", "found the end"),
        ("for convx m: AUC == 1", "did you mean `convex`"),
    ] {
        let output = rocproof(&["check", statement]);
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{statement}");
        assert!(message.contains(place), "{statement}: {message}");
        assert!(output.stdout.is_empty());
    }
}

/// What has no meaning for every model of the class was called proved, by a convention that the evaluators did not share.
#[test]
fn integrands_without_a_meaning_are_refused() {
    for statement in [
        "int(dx*dR/dR) == h - l",
        "int(dc*dR/dR) == 1",
        "int(dc*dF1/dR) == 1/(2*pi1)",
        "for m: int(dx*dR/dR)(Cal(m)) == 1",
        "int((c + (1-c))*dx) == h - l",
        "int((1-c)*dx) == int(dx) - int(c*dx)",
        "int(dF1/c) == 1/pi1",
    ] {
        let output = rocproof(&["check", statement]);
        assert_eq!(output.status.code(), Some(2), "{statement}");
        let told = String::from_utf8(output.stderr).unwrap();
        assert!(told.contains("Help:") && told.contains(statement), "{told}");
    }
    // On a model without gaps it has a meaning, on another it has none.
    let on = |f0: &str, f1: &str| status(&["check", "int(c dx) == 1/2", "--f0", f0, "--f1", f1]);
    assert_eq!(on("2*(1-x)", "2*x"), 0);
    assert_eq!(on("uniform(0, 1/4)", "uniform(3/4, 1)"), 3);
    assert_eq!(status(&["check", "for even m: int(c dx) == pi1"]), 0);
    let arcs = ["check", "int(c dx on arcs) == 1/4", "--f0", "uniform(0, 1/4)", "--f1", "uniform(3/4, 1)"];
    assert_eq!(status(&arcs), 0);
}

/// Each was supported, or proved, and is false.
#[test]
fn ties_and_variants_are_refuted() {
    for statement in [
        "pi0*pi1 < 1/4",
        "0 < 0",
        "Gini^2 > 0",
        "KS > 0",
        "int(h*dF1) == 1",
        "MH_hmeasure == 1 - (16/5)*Lz[o; beta(2,3)] where pi0 == 2/3",
    ] {
        assert_eq!(status(&["check", statement]), 1, "{statement}");
    }
}

#[test]
fn proofs_have_witnesses_or_are_vacuous() {
    let proved = json(&["check", "AUC >= 3/4 implies L[rd] <= 1/3", "--json"]);
    assert_eq!((proved["verdict"].as_str(), proved["vacuous"].as_bool()), (Some("proved"), Some(false)));
    let model = &proved["witness"]["model"];
    let [f0, f1, pi0] = ["f0", "f1", "pi0"].map(|key| model[key].as_str().unwrap());
    assert_eq!(status(&["check", "AUC >= 3/4", "--f0", f0, "--f1", f1, "--pi0", pi0]), 0);
    for statement in ["AUC >= 3/2 implies BS == 7", "BS == 1 where l == 1/2", "AUC <= 1 where pi0 > 1"] {
        let vacuous = json(&["check", statement, "--json"]);
        assert_eq!(vacuous["verdict"], "proved", "{statement}");
        assert_eq!((vacuous["vacuous"].as_bool(), vacuous["witness"].is_null()), (Some(true), true), "{statement}");
        let text = text(&["check", statement]);
        assert!(text.starts_with("proved, but vacuous") && !text.contains("since"), "{text}");
    }
    // Without models of the class there is nothing to look for.
    for statement in ["for perfect random m: BS == 7", "for perfect beta m: AUC == 3"] {
        let empty = json(&["check", statement, "--json"]);
        assert_eq!((&empty["verdict"], empty["stopped"].is_null()), (&"undecided".into(), true), "{statement}");
        assert!(empty["why"].as_str().unwrap().contains("no model satisfies the premises"), "{empty}");
    }
    // Premises that no model satisfies, or only outside the domain of a proof, or perhaps by an ulp.
    for (statement, why) in [
        ("AUC >= 5 where AUC > 1", "`AUC <= 1` is proved"),
        ("L[sf(t)] == 7 where KS < 0", "`KS >= 0` is proved"),
        ("F0(t)(Even(m)) == 5 where t >= 2", "t lies in [0, 1]"),
        ("for even m: F0(t) == 1 where t > 1", "t lies in [0, 1]"),
        ("for even m: R(t) == t where t^2 == 4", "t lies in [0, 1]"),
        ("for even m: R(t) == t where t >= 2 + AUC", "t lies in [0, 1]"),
    ] {
        let open = json(&["check", statement, "--json"]);
        assert_eq!((&open["verdict"], &open["vacuous"]), (&"undecided".into(), &Value::Null), "{statement}");
        assert!(open["why"].as_str().unwrap().contains(why), "{open}");
    }
    // A hypothesis that no model satisfies is no repair.
    assert!(!text(&["check", "R(t) >= 2 where t >= 3"]).contains("Nearby"));
}

#[test]
fn an_answer_that_disagrees_with_its_certificate_is_rejected() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("answer.json");
    let answer = json(&["check", "for convex m: L[o] == RL", "--json"]);
    let verify = |answer: &Value| {
        std::fs::write(&file, answer.to_string()).unwrap();
        status(&["verify", file.to_str().unwrap()])
    };
    assert_eq!(verify(&answer), 0);
    for (field, value) in [
        ("statement", serde_json::json!("L[o] == RL")),
        ("class", serde_json::json!("all")),
        ("verdict", serde_json::json!("refuted")),
        ("hypotheses", serde_json::json!([])),
    ] {
        let mut other = answer.clone();
        other[field] = value;
        assert_eq!(verify(&other), 1, "{field}");
    }
}

#[test]
fn statements_are_read_from_standard_input() {
    use std::io::Write;
    use std::process::Stdio;
    let mut child = Command::new(env!("CARGO_BIN_EXE_rocproof"))
        .args(["check", "-", "--proofs-only"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(b"L[sd] == BS\n\nint(c dx) == 1\nL[o] == RL\n").unwrap();
    let output = child.wait_with_output().unwrap();
    let lines: Vec<Value> =
        String::from_utf8(output.stdout).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let verdicts: Vec<&str> = lines.iter().map(|line| line["verdict"].as_str().unwrap()).collect();
    assert_eq!(verdicts, ["proved", "input-error", "undecided"]);
}
