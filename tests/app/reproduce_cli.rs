//! `rocproof reproduce` as a user types it.

use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

fn reproduce(out: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rocproof"));
    command.arg("reproduce").arg("--out").arg(out).env("NO_COLOR", "1").output().unwrap()
}

fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut pending = vec![folder.to_owned()];
    while let Some(at) = pending.pop() {
        for entry in fs::read_dir(at).unwrap().map(Result::unwrap) {
            if entry.file_type().unwrap().is_dir() {
                pending.push(entry.path());
            } else {
                let name = entry.path().strip_prefix(folder).unwrap().to_string_lossy().into_owned();
                found.insert(name, fs::read(entry.path()).unwrap());
            }
        }
    }
    found
}

#[test]
fn a_report_is_written_and_replaced_by_the_same() {
    let place = tempfile::tempdir().unwrap();
    let out = place.path().join("a/report");
    let first = reproduce(&out);
    assert_eq!(first.status.code(), Some(0), "{first:?}");
    let summary = String::from_utf8(first.stdout).unwrap();
    assert!(summary.contains(" 0 undecided") && summary.contains("fig:strictlyconvex"), "{summary}");
    let written = files(&out);
    // A report that lacks something is replaced all the same.
    fs::remove_file(out.join("figures/diagonal.svg")).unwrap();
    assert_eq!(reproduce(&out).status.code(), Some(0));
    let again = files(&out);
    // The objects of a PDF stand in an order of their own each time.
    let kept = |name: &&String| !name.ends_with(".pdf") && written.get(*name) != again.get(*name);
    let differ: Vec<&String> = written.keys().filter(kept).collect();
    assert!(differ.is_empty() && written.len() == again.len(), "{differ:?}");
    // Nothing else is left beside it.
    assert_eq!(fs::read_dir(out.parent().unwrap()).unwrap().count(), 1);
    let claims: Value = serde_json::from_slice(&written["claims.json"]).unwrap();
    for claim in claims["claims"].as_array().unwrap() {
        for key in ["id", "place", "kind", "statement", "verdict", "evidence"] {
            assert!(!claim[key].is_null(), "{key} of {claim}");
        }
        let evidence = &claim["evidence"];
        let named = evidence["models"].as_array().into_iter().flatten().chain(evidence.get("certificate"));
        for file in named.filter_map(Value::as_str) {
            assert!(written.contains_key(file), "{file} of {claim}");
        }
    }
    for finding in claims["findings"].as_array().unwrap() {
        for key in ["id", "claim", "paper_says", "true_is", "evidence"] {
            assert!(!finding[key].is_null(), "{key} of {finding}");
        }
    }
}

/// Every command that the report gives does what the report says.
#[test]
fn commands_of_the_report_check_it_again() {
    let place = tempfile::tempdir().unwrap();
    let out = place.path().join("report");
    assert_eq!(reproduce(&out).status.code(), Some(0));
    let claims: Value = serde_json::from_slice(&fs::read(out.join("claims.json")).unwrap()).unwrap();
    let folder = Path::new(env!("CARGO_BIN_EXE_rocproof")).parent().unwrap();
    let path = std::env::join_paths(
        [folder.to_owned()].into_iter().chain(std::env::split_paths(&std::env::var_os("PATH").unwrap())),
    );
    let path = path.unwrap();
    for claim in claims["claims"].as_array().unwrap() {
        let command = claim["evidence"]["command"].as_str().unwrap();
        let output = Command::new("sh").args(["-c", command]).env("PATH", &path).current_dir(&out).output().unwrap();
        let holds = (claim["verdict"] != "refuted") != claim["denied"].as_bool().unwrap();
        let expected = match command.split(' ').nth(1) {
            Some("verify") => 0,
            Some("check") => i32::from(!holds),
            // Words that make no model are refused.
            Some("eval") => {
                if claim["evidence"]["why"].is_string() {
                    2
                } else {
                    0
                }
            }
            _ => panic!("{command}"),
        };
        assert_eq!(output.status.code(), Some(expected), "{command}: {output:?}");
    }
}

#[test]
fn what_cannot_be_written_is_told_and_nothing_is_changed() {
    let place = tempfile::tempdir().unwrap();
    // A folder with something else in it.
    let full = place.path().join("thesis");
    fs::create_dir(&full).unwrap();
    fs::write(full.join("chapter1.tex"), "precious").unwrap();
    // A file of that name.
    let file = place.path().join("file");
    fs::write(&file, "precious").unwrap();
    // The same by a way that is not there yet, and by a link to nothing.
    let around = place.path().join("missing/../thesis");
    let link = place.path().join("link");
    std::os::unix::fs::symlink("nowhere", &link).unwrap();
    // Somebody's own claims.
    fs::write(full.join("claims.json"), "{}").unwrap();
    let cases = [
        (full.clone(), "not of an earlier report"),
        (around, "not of an earlier report"),
        (file.clone(), "a file"),
        (file.join("below"), "is a file"),
        (link.clone(), "a link to nothing"),
    ];
    for (out, says) in cases {
        let output = reproduce(&out);
        let told = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{told}");
        assert!(told.contains("cannot write the report") && told.contains(says), "{told}");
    }
    assert_eq!(fs::read(full.join("chapter1.tex")).unwrap(), b"precious");
    assert_eq!(fs::read(&file).unwrap(), b"precious");
    fs::remove_dir(place.path().join("missing")).unwrap();
    assert_eq!(fs::read_dir(place.path()).unwrap().count(), 3);
}

#[test]
fn notes_in_a_report_are_not_lost() {
    let place = tempfile::tempdir().unwrap();
    let out = place.path().join("report");
    assert_eq!(reproduce(&out).status.code(), Some(0));
    fs::write(out.join("figures/notes.txt"), "precious").unwrap();
    let output = reproduce(&out);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8(output.stderr).unwrap().contains("figures/notes.txt"));
    assert_eq!(fs::read(out.join("figures/notes.txt")).unwrap(), b"precious");
}

/// A disk that is full: a small file system of its own, where one can be made.
#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_leaves_the_old_report() {
    // Where no more than so many bytes may be written to a file, the report cannot be whole.
    let place = tempfile::tempdir().unwrap();
    let out = place.path().join("report");
    assert_eq!(reproduce(&out).status.code(), Some(0));
    let before = files(&out);
    let program = env!("CARGO_BIN_EXE_rocproof");
    // A file may have 16 blocks of 512 bytes; the signal that tells so is ignored, so that writing fails.
    let script = format!("trap '' XFSZ; ulimit -f 16; exec {program} reproduce --out {}", out.display());
    let output = Command::new("bash").args(["-c", &script]).output().unwrap();
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{told}");
    assert!(told.contains("cannot write the report"), "{told}");
    assert_eq!(files(&out), before);
    assert_eq!(fs::read_dir(place.path()).unwrap().count(), 1);
}
