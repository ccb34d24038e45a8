#!/usr/bin/env bash
# Measures what it costs an app to announce itself: reads, 1,000 changes a second, a start with 300 flags, and memory.
#
# usage: presence-cost.sh
#
# Builds a release of FlagBenchmarks. Runs with and without presence alternate. Fails if a start takes 2 ms longer, if
# memory grows by 1 MiB, or if changes cost 2 % of a core more, by the medians.
set -euo pipefail
source "$(dirname "$0")/shared.sh"

build=(swift build -c release --product FlagBenchmarks --disable-default-traits)
"${build[@]}"
program=$("${build[@]}" --show-bin-path)/FlagBenchmarks
TMPDIR=$(mktemp -d)
export TMPDIR XDG_STATE_HOME="$TMPDIR/state"
trap 'rm -rf "$TMPDIR"' EXIT

"$program" reads
"$program" changes | tee "$TMPDIR/changes"

for _ in $(seq 41); do
    for presence in on off; do
        echo "$presence $("$program" start "$presence")"
    done
done >"$TMPDIR/starts"
# median PRESENCE COLUMN
median() { awk -v presence="$1" -v column="$2" '$1 == presence { print $column }' "$TMPDIR/starts" | sort -n | sed -n 21p; }
start=$(($(median on 2) - $(median off 2)))
memory=$(($(median on 3) - $(median off 3)))
echo "start with 300 flags: on $(median on 2) us, off $(median off 2) us, presence $start us"
echo "memory: on $(median on 3) KiB, off $(median off 3) KiB, presence $memory KiB"

[ "$start" -lt 2000 ] || fail "A start takes 2 ms longer with presence."
[ "$memory" -lt 1024 ] || fail "Memory grows by 1 MiB with presence."
awk '{ for (i = 1; i < NF; i++) if ($i == "presence" && $(i + 1) >= 2) exit 1 }' "$TMPDIR/changes" ||
    fail "Changes cost 2 % of a core more with presence."
