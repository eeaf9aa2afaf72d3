#!/usr/bin/env bash
# The time and the memory of sorted rows that pass through a pipe: benches/sorted.sh [ROWS]…
set -euo pipefail
cd "$(dirname "$0")/.."
cargo build --release --quiet --bin rocproof --example sorted_rows
for rows in "${@:-10000000}"; do
    target/release/examples/sorted_rows "$rows" |
        /usr/bin/time -f "$rows rows: %e s, %M KB" target/release/rocproof score - --sorted --json --output /dev/null
done
