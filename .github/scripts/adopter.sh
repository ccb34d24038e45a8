#!/usr/bin/env bash
# Builds the package Tests/Examples from clean, as an adopter has it: without FlagMenu's traits, with strict settings, without a
# default isolation and then isolated to the main actor. Runs each example, and compares its output with the comment at
# the start of its code.
#
# usage: adopter.sh
#
# Fails if a build fails or warns, if an example prints something else, or if anything but swift-log was fetched.
set -euo pipefail
source "$(dirname "$0")/shared.sh"

place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
options=(--package-path Tests/Examples --scratch-path "$place/build")

# quietly COMMAND...: runs a command, and prints what it printed only if it fails.
quietly() { "$@" >"$place/log" 2>&1 || fail "$(cat "$place/log")"; }

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
quietly swift build "${options[@]}"
check_examples
quietly swift build "${options[@]}" --traits MainActor
check_examples

fetched=$(cd "$place/build/checkouts" && echo *)
echo "fetched: $fetched"
[ "$fetched" = swift-log ] || fail \
    "An app that links Flags alone is made to fetch more than swift-log. Put the rest behind a trait."
