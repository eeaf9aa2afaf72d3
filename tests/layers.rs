//! Dependencies point one way: crates use crates below them, and rooms of a crate rooms below them. `docs/architecture.md` prints the graph.

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
    ("prover", &["budget", "statement", "theory", "search", "verdict", "discover"]),
    ("scored", &[]),
    ("rocproof", &["output", "paper", "draw", "report", "front", "cli"]),
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn folder(name: &str) -> PathBuf {
    if name == "rocproof" { root().to_owned() } else { root().join("crates").join(name) }
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|end| end == "rs") {
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
        writeln!(text, "{name:10} {:>6} lines  uses {uses}", 100 * lines.div_ceil(100)).unwrap();
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
