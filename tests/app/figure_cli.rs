//! `rocproof figure` and `rocproof gallery` as a user meets them.

use crate::drawing::check_svg;
use std::path::Path;
use std::process::{Command, Output};

fn rocproof(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_rocproof")).args(arguments).output().unwrap()
}

/// The exit status, and what is said on standard error.
fn run(arguments: &[&str]) -> (i32, String) {
    let output = rocproof(arguments);
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.stdout.is_empty() && !message.contains("panicked"), "{arguments:?}: {message}");
    (output.status.code().unwrap(), message)
}

fn text(path: &Path) -> String {
    path.to_str().unwrap().to_owned()
}

#[test]
fn figures_are_written_by_the_name_of_the_file() {
    let folder = tempfile::tempdir().unwrap();
    for (file, start) in [("a.svg", &b"<svg"[..]), ("a.png", b"\x89PNG"), ("a.PDF", b"%PDF")] {
        let path = folder.path().join(file);
        assert_eq!(run(&["figure", "@diagonal", "-o", &text(&path)]), (0, String::new()));
        assert!(std::fs::read(&path).unwrap().starts_with(start), "{file}");
    }
    let path = text(&folder.path().join("b.svg"));
    let inline = ["figure", "--f0", "beta(2, 5)", "--f1", "beta(5, 2)", "--pi0", "1/3", "--transform", "cal"];
    assert_eq!(run(&[&inline[..], &["-o", &path, "--colour-blind-safe"]].concat()).0, 0);
    let svg = std::fs::read_to_string(&path).unwrap();
    assert!(svg.contains("Cal(model), π₀ = 1/3") && svg.contains("#0072b2"));
}

#[test]
fn refusals_say_what_would_be_right_and_write_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let (svg, gif) = (text(&folder.path().join("a.svg")), text(&folder.path().join("a.gif")));
    let far = text(&folder.path().join("no/such/a.svg"));
    for (arguments, word) in [
        (vec!["figure", "@strictlyconvx", "-o", &svg], "@strictlyconvex"),
        (vec!["figure", "@diagonal", "-o", &gif], ".svg, .png or .pdf"),
        (vec!["figure", "@diagonal", "-o", &far], "no such folder"),
        (vec!["figure", "--f0", "2", "--f1", "1", "-o", &svg], "normalize(2)"),
        (vec!["figure", "--f0", "1", "--f1", "1", "--pi0", "1e-30", "-o", &svg], "1e-15"),
        (vec!["figure", "-o", &svg], "which model?"),
        (vec!["figure", "@diagonal"], "--output"),
        (vec!["gallery", &far], "cannot read the folder"),
        (vec!["gallery", &text(folder.path())], "no model file"),
    ] {
        let (status, message) = run(&arguments);
        assert!(status == 2 && message.contains(word), "{arguments:?}: {message}");
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

/// Models that are none are named, the others are drawn, and the page holds them all.
#[test]
fn a_gallery_shows_what_it_can() {
    let folder = tempfile::tempdir().unwrap();
    let (models, out) = (folder.path().join("models"), folder.path().join("made/here"));
    std::fs::create_dir(&models).unwrap();
    let write = |name: &str, text: &str| std::fs::write(models.join(name), text).unwrap();
    write(
        "good.toml",
        "name = \"<good> & \\\"quoted\\\"\"\npi0 = \"1/2\"\nf0 = \"2*(1-x)\"\nf1 = \"2*x\"\nnote = \"a < b\"\n",
    );
    write("a b#c.toml", "pi0 = \"1/4\"\nf0 = \"normal(0, 1)\"\nf1 = \"normal(1, 2)\"\n");
    write("bad.toml", "pi0 = \"1/2\"\nf0 = \"2\"\nf1 = \"1\"\n");
    write("notes.txt", "not a model");
    let (status, message) = run(&["gallery", &text(&models), "--out", &text(&out)]);
    assert!(
        status == 2 && message.contains("1 of 3 models not drawn") && message.contains("normalize(2)"),
        "{message}"
    );
    check_svg(&std::fs::read_to_string(out.join("good.svg")).unwrap(), "good");
    let page = std::fs::read_to_string(out.join("index.html")).unwrap();
    assert!(
        page.contains("&lt;good&gt; &amp; &quot;quoted&quot;") && page.contains("a &lt; b") && page.contains("1/6")
    );
    assert!(page.contains("href=\"a%20b%23c.svg\"") && page.matches("<svg").count() == 2);
    let mut ids: Vec<&str> = page.split("id=\"").skip(1).map(|rest| rest.split('"').next().unwrap()).collect();
    let count = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), count);
    std::fs::remove_file(models.join("bad.toml")).unwrap();
    assert_eq!(run(&["gallery", &text(&models), "--out", &text(&out)]), (0, String::new()));
}
