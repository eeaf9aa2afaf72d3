//! What must be opened to believe a proof is small, and stands on nothing of the rest.

use std::path::{Path, PathBuf};

/// The crates that a proof rests on, the lowest first.
const CRATES: [&str; 3] = ["algebra", "language", "checker"];
/// How many lines they may have together.
const MOST_LINES: usize = 10_000;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("crates")
}

/// The source files below a folder, those of tests apart.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|end| end == "rs") && path.file_name().is_some_and(|n| n != "tests.rs") {
            found.push(path);
        }
    }
    found
}

#[test]
fn the_trusted_base_is_small() {
    let lines = |name: &str| -> usize {
        sources(&root().join(name).join("src"))
            .iter()
            .map(|path| {
                let text = std::fs::read_to_string(path).unwrap();
                // Tests at the end of a file need not be believed.
                text.split("#[cfg(test)]\nmod tests {").next().unwrap().lines().count()
            })
            .sum()
    };
    let counts = CRATES.map(lines);
    println!("{CRATES:?}: {counts:?}");
    assert!(counts.iter().sum::<usize>() <= MOST_LINES, "{counts:?}");
}

#[test]
fn the_trusted_base_stands_on_nothing_of_the_rest() {
    for (k, name) in CRATES.into_iter().enumerate() {
        let manifest = std::fs::read_to_string(root().join(name).join("Cargo.toml")).unwrap();
        let dependencies = manifest.split("[dependencies]").nth(1).unwrap().split("\n[").next().unwrap();
        for line in dependencies.lines().filter(|line| line.starts_with("rocproof")) {
            let known = CRATES[..k].iter().any(|lower| line.starts_with(&format!("rocproof-{lower}.")));
            assert!(known, "{name} depends on {line}");
        }
        assert!(!dependencies.lines().any(|line| line.starts_with("rocproof =")), "{name}");
    }
}

/// A broken invariant stops the work: nothing in the trusted base falls back on a default for what cannot happen.
#[test]
fn nothing_falls_back_on_a_default_in_the_checker() {
    for path in sources(&root().join("checker").join("src")) {
        let text = std::fs::read_to_string(&path).unwrap();
        for word in ["unwrap_or_default()", "unwrap_or_else(Fraction::zero)", "unwrap_or(Fraction"] {
            // Texts for messages may be empty.
            let found: Vec<&str> = text.lines().filter(|line| line.contains(word)).collect();
            assert!(found.is_empty(), "{}: {found:?}", path.display());
        }
    }
}
