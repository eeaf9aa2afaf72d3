//! The Python package, with its notebooks.

use std::process::Command;

/// pip builds the package in an environment of its own, and its tests pass there, beside the command line that was built here.
#[test]
fn the_python_package_passes_its_tests() {
    let mut script = Command::new("bash");
    script
        .arg("python/test.sh")
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .env("ROCPROOF", env!("CARGO_BIN_EXE_rocproof"));
    let done = script.status().expect("bash runs; the package needs it, python3 (3.9 or newer, with venv) and pip");
    assert!(done.success(), "python/test.sh: {done}");
}
