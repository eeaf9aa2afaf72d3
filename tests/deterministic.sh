#!/usr/bin/env bash
# Settles the statements of the battery twice, the second time beside four busy processes: the answers must be the same, byte for byte.
#
#     tests/deterministic.sh target/release/rocproof
set -euo pipefail
program=$1
here=$(dirname "$0")
work=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null || true; rm -rf "$work"' EXIT
grep -hv '^#' "$here"/battery/true.txt "$here"/battery/false.txt | grep . > "$work/statements"
"$program" check - < "$work/statements" > "$work/quiet"
for _ in 1 2 3 4; do (while :; do :; done) & done
"$program" check - < "$work/statements" > "$work/busy"
for run in quiet busy; do
  stopped=$(grep -n '"stopped":"time"' "$work/$run" | cut -d: -f1) || true
  for line in $stopped; do echo "$run: the ceiling on time was reached: $(sed -n "${line}p" "$work/statements")"; done
done
cmp "$work/quiet" "$work/busy"
if [ -n "$stopped" ]; then exit 1; fi
echo "$(wc -l < "$work/statements") statements: the same answers on a quiet and on a busy machine"
