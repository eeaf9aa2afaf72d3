//! Dependencies point one way: crates use crates below them, and rooms of a crate rooms below them. What
//! must be opened to believe a proof is small, and stands on nothing of the rest. `docs/architecture.md` prints the graph.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// The crates, the lowest first, and their rooms, the lowest first.
const CRATES: [(&str, &[&str]); 8] = [
    ("algebra", &[]),
    ("arith", &[]),
    ("language", &[]),
    ("checker", &[]),
    ("engine", &["constant", "calculus", "model", "transform", "functional"]),
    ("prover", &["clock", "parallel", "budget", "statement", "theory", "search", "verdict", "discover"]),
    ("scored", &[]),
    ("rocproof", &["output", "paper", "draw", "report", "front", "cli"]),
];

/// The crates that must be opened to believe a proof, and how many lines they may have together.
const TRUSTED: [&str; 3] = ["algebra", "language", "checker"];
const MOST_LINES: usize = 10_000;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn folder(name: &str) -> PathBuf {
    if name == "rocproof" { root().to_owned() } else { root().join("crates").join(name) }
}

/// The source files below a folder, those of tests apart.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|end| end == "rs") && !path.ends_with("tests.rs") {
            found.push(path);
        }
    }
    found
}

/// The code of a file without comments and tests.
fn code(path: &Path) -> String {
    let text = std::fs::read_to_string(path).unwrap();
    let text = text.split("\n#[cfg(test)]\n").next().unwrap();
    text.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
}

/// The crates that a crate depends on.
fn dependencies(name: &str) -> Vec<String> {
    let manifest = std::fs::read_to_string(folder(name).join("Cargo.toml")).unwrap();
    let listed = manifest.split("[dependencies]").nth(1).unwrap().split("\n[").next().unwrap();
    let ours = listed.lines().filter_map(|line| line.strip_prefix("rocproof-"));
    ours.map(|line| line.split(['.', ' ']).next().unwrap().to_owned()).collect()
}

/// How often each room of a crate names each other one.
fn edges(name: &str, rooms: &[&str]) -> BTreeMap<(String, String), usize> {
    let mut found = BTreeMap::new();
    let source = folder(name).join("src");
    for path in sources(&source) {
        let inside = path.strip_prefix(&source).unwrap();
        let own = inside.components().next().unwrap().as_os_str().to_str().unwrap().trim_end_matches(".rs");
        let text = code(&path);
        for room in rooms.iter().filter(|room| **room != own && rooms.contains(&own)) {
            let count = text.matches(&format!("crate::{room}")).count();
            if count > 0 {
                *found.entry((own.to_owned(), (*room).to_owned())).or_insert(0) += count;
            }
        }
    }
    found
}

#[test]
fn crates_use_crates_below_them() {
    for (k, (name, _)) in CRATES.iter().enumerate() {
        for dependency in dependencies(name) {
            assert!(CRATES[..k].iter().any(|(lower, _)| *lower == dependency), "{name} depends on {dependency}");
        }
    }
    let on_disk: Vec<PathBuf> =
        std::fs::read_dir(root().join("crates")).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(on_disk.len() + 1, CRATES.len(), "{on_disk:?}");
}

#[test]
fn rooms_use_rooms_below_them() {
    for (name, rooms) in CRATES {
        for (own, other) in edges(name, rooms).keys() {
            let place = |room: &String| rooms.iter().position(|known| known == room);
            assert!(place(other) < place(own), "{name}: {own} uses {other}, which stands above it");
        }
    }
}

/// The graph as `docs/architecture.md` has it.
fn graph() -> String {
    let mut text = String::new();
    for (name, rooms) in CRATES {
        let files = sources(&folder(name).join("src"));
        let lines: usize = files.iter().map(|path| std::fs::read_to_string(path).unwrap().lines().count()).sum();
        let uses = dependencies(name);
        let uses = if uses.is_empty() { "nothing of ours".to_owned() } else { uses.join(", ") };
        writeln!(text, "{name:10} {:>2},000 lines  uses {uses}", lines.div_ceil(1000)).unwrap();
        let edges = edges(name, rooms);
        for room in rooms {
            let of = edges.iter().filter(|((own, _), _)| own == room).map(|((_, other), _)| other.as_str());
            let of: Vec<&str> = of.collect();
            writeln!(
                text,
                "    {room:12} -> {}",
                if of.is_empty() { "(nothing here)".to_owned() } else { of.join(", ") }
            )
            .unwrap();
        }
    }
    text
}

/// `ROCPROOF_BLESS=1 cargo test --test layers` writes it anew.
#[test]
fn the_graph_in_the_documentation_is_the_graph() {
    let path = root().join("docs/architecture.md");
    let page = std::fs::read_to_string(&path).unwrap();
    let (before, rest) = page.split_once("<!-- graph -->\n```\n").unwrap();
    let (printed, after) = rest.split_once("```\n").unwrap();
    let graph = graph();
    if std::env::var_os("ROCPROOF_BLESS").is_some() {
        std::fs::write(&path, format!("{before}<!-- graph -->\n```\n{graph}```\n{after}")).unwrap();
    } else {
        assert_eq!(printed, graph);
    }
}

#[test]
fn the_trusted_base_is_small() {
    let lines = |name: &str| -> usize {
        sources(&folder(name).join("src"))
            .iter()
            .map(|path| {
                let text = std::fs::read_to_string(path).unwrap();
                // Tests at the end of a file need not be believed.
                text.split("#[cfg(test)]\nmod tests {").next().unwrap().lines().count()
            })
            .sum()
    };
    let counts = TRUSTED.map(lines);
    println!("{TRUSTED:?}: {counts:?}");
    assert!(counts.iter().sum::<usize>() <= MOST_LINES, "{counts:?}");
}

#[test]
fn the_trusted_base_stands_on_nothing_of_the_rest() {
    for name in TRUSTED {
        for dependency in dependencies(name) {
            assert!(TRUSTED.contains(&dependency.as_str()), "{name} depends on {dependency}");
        }
    }
}

/// A broken invariant stops the work: nothing in the trusted base falls back on a default for what cannot happen.
#[test]
fn nothing_falls_back_on_a_default_in_the_checker() {
    for path in sources(&folder("checker").join("src")) {
        let text = std::fs::read_to_string(&path).unwrap();
        for word in ["unwrap_or_default()", "unwrap_or_else(Fraction::zero)", "unwrap_or(Fraction"] {
            // Texts for messages may be empty.
            let found: Vec<&str> = text.lines().filter(|line| line.contains(word)).collect();
            assert!(found.is_empty(), "{}: {found:?}", path.display());
        }
    }
}
