//! A definition that is broken turns claims of the paper red: the program is built again with the break, and runs its audit.
//!
//! Each break is a build of its own (some ten seconds after the first), so these run when they are asked for:
//! `cargo test --test broken_definitions -- --ignored`.

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A copy of the sources with one text replaced by another.
fn broken(from: &str, to: &str) -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let copy = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("broken");
    for folder in ["src", "crates"] {
        let _ = fs::remove_dir_all(copy.join(folder));
        copy_folder(&here.join(folder), &copy.join(folder));
    }
    for file in ["Cargo.lock", "README.md"] {
        fs::copy(here.join(file), copy.join(file)).unwrap();
    }
    // Nothing but the library and the program.
    let manifest = fs::read_to_string(here.join("Cargo.toml")).unwrap();
    let (before, after) = manifest.split_once("[[bench]]").unwrap();
    let (_, workspace) = after.split_once("[workspace]").unwrap();
    let workspace = workspace.replace(", \"python\"", "");
    fs::write(copy.join("Cargo.toml"), format!("{before}[workspace]{workspace}")).unwrap();
    let file = copy.join("crates/language/src/definition.rs");
    let text = fs::read_to_string(&file).unwrap();
    assert_eq!(text.matches(from).count(), 1, "{from}");
    fs::write(&file, text.replace(from, to)).unwrap();
    copy
}

fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        match entry.file_type().unwrap().is_dir() {
            true => copy_folder(&entry.path(), &target),
            false => drop(fs::copy(entry.path(), target).unwrap()),
        }
    }
}

/// What the audit says of claims when a definition is broken.
fn verdicts(from: &str, to: &str) -> Value {
    let copy = broken(from, to);
    let target = copy.join("target");
    let built = Command::new(env!("CARGO"))
        // The versions of the lock, but for what only the Python package needs, which leaves it.
        .args(["build", "--quiet", "--offline", "--bin", "rocproof", "--target-dir"])
        .arg(&target)
        .args(["--config", "profile.dev.debug=0", "--config", "profile.dev.opt-level=1"])
        .current_dir(&copy)
        .status()
        .unwrap();
    assert!(built.success());
    let out = copy.join("report");
    // An undecided claim is no success, and that is fine here.
    let output = Command::new(target.join("debug/rocproof"))
        .args(["reproduce", "--json", "--time", "4", "--out"])
        .arg(out)
        .output()
        .unwrap();
    serde_json::from_slice(&output.stdout).unwrap_or_else(|why| panic!("{why}: {output:?}"))
}

/// Asserts that claims turn red, and that others stay as they are.
fn turns(from: &str, to: &str, red: &[&str], green: &[&str]) {
    let found = verdicts(from, to);
    let verdict = |id: &str| {
        let claims = found["claims"].as_array().unwrap();
        let claim = claims.iter().find(|claim| claim["id"] == id).unwrap_or_else(|| panic!("{id}"));
        claim["verdict"].as_str().unwrap().to_owned()
    };
    for id in red {
        assert!(["refuted", "undecided"].contains(&verdict(id).as_str()), "{from} -> {to}: {id} is {}", verdict(id));
    }
    for id in green {
        assert!(
            ["by-definition", "proved", "confirmed"].contains(&verdict(id).as_str()),
            "{from} -> {to}: {id} is {}",
            verdict(id)
        );
    }
}

#[test]
#[ignore = "builds the program several times"]
fn broken_definitions_turn_claims_red() {
    // A wrong constant in the loss.
    turns(
        r#"LOSS: &str = "2*("#,
        r#"LOSS: &str = "3*("#,
        &["thm:LcostsfU", "thm:LcostpUequalsBS2", "thm:LcostrdU", "thm:RL"],
        &["eqBSContdecom", "CLzero"],
    );
    // Classes exchanged in the area under the curve.
    turns(
        r#"Along("F0 dF1")"#,
        r#"Along("F1 dF0")"#,
        &["eq:AUC", "th::LcostiUUU", "thm:evenly"],
        &["thm:RL", "thm:LcostsU"],
    );
    // Half of the optimal loss.
    turns(
        r#"AlongHull("Q(c)*w(c) dc")"#,
        r#"AlongHull("Q(c)*w(c)*dc/2")"#,
        &["thm:RL", "cor:RLConv", "fig:diagonal"],
        &["thm:LcostpUequalsBS2", "eqBSContdecom"],
    );
    // Refinement loss over balanced classes.
    turns(
        r#"Along("pi0*dF0*pi1*dF1/dR")"#,
        r#"Along("pi0*dF0*pi1*dF1/(dF0 + dF1)")"#,
        &["eqBSContdecom", "thm:RL", "fig:strictlyconvex-loss"],
        &["th::LcostiUUU", "thm:LcostsU"],
    );
}
