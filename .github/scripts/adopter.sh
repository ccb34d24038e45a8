#!/usr/bin/env bash
# Builds the package Tests/Examples from clean, as an adopter has it: without FlagMenu's traits, with strict settings, without a
# default isolation and then isolated to the main actor. Runs each example, and compares its output with the comment at
# the start of its code. Prints the seconds and what SwiftPM fetched.
#
# usage: adopter.sh
#
# Fails if a build fails or warns, if an example prints something else, or if anything but swift-log was fetched. The
# seconds are not checked: they depend on the machine and its load. SwiftPM's own cache counts; the first fetch of
# swift-log takes longer.
set -euo pipefail
source "$(dirname "$0")/shared.sh"

place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
options=(--package-path Tests/Examples --scratch-path "$place/build")

# timed WHAT COMMAND...: runs a command, and prints its seconds, or what it printed if it fails.
timed() {
    local what=$1 start=$SECONDS
    shift
    "$@" >"$place/log" 2>&1 || fail "$(cat "$place/log")"
    echo "$what in $((SECONDS - start)) s on $(getconf _NPROCESSORS_ONLN) processors"
}

# check_examples: runs what was built, in an empty folder.
check_examples() {
    local code name programs
    programs=$(swift build "${options[@]}" --show-bin-path)
    for code in Tests/Examples/Sources/*/main.swift; do
        name=$(basename "$(dirname "$code")")
        mkdir "$place/run"
        (cd "$place/run" && env -i HOME="$PWD" TMPDIR="$PWD" timeout 60 "$programs/$name") >"$place/output" 2>"$place/log" ||
            fail "The example $name failed: $(cat "$place/output" "$place/log")"
        rm -r "$place/run"
        # The first comment, after its first empty line.
        sed -n '/^\/\/$/,/^$/s|^// ||p' "$code" | diff - "$place/output" || fail "The example $name prints this instead."
    done
}

# As an adopter builds it.
unset FLAGMENU_STRICT
timed resolved swift package "${options[@]}" resolve
timed built swift build "${options[@]}"
check_examples
timed "built for the main actor" swift build "${options[@]}" --traits MainActor
check_examples

fetched=$(cd "$place/build/checkouts" && echo *)
echo "fetched: $fetched"
[ "$fetched" = swift-log ] || fail \
    "An app that links Flags alone is made to fetch more than swift-log. Put the rest behind a trait."
