#!/usr/bin/env bash
# Tests the Python package: built by pip in an environment of its own, beside the command line. `cargo test --release` runs this, too.
set -euo pipefail
cd "$(dirname "$0")/.."
if [ -z "${ROCPROOF:-}" ]; then
    cargo build --release --locked --bin rocproof
    export ROCPROOF="$PWD/target/release/rocproof"
fi
python3 -m venv target/python
target/python/bin/pip install --quiet --disable-pip-version-check '.[test]'
target/python/bin/mypy --config-file pyproject.toml python/rocproof
# What was installed is tested, not the sources.
target/python/bin/pytest --quiet python/tests --doctest-modules --pyargs rocproof "$@"
