#!/usr/bin/env bash
# Runs tests under a sanitizer, by default those of the core: the model, what is kept on disk, the engine, the library,
# the menu and the terminal.
#
# usage: sanitizer.sh thread | address [FILTER]
#
# FILTER names tests as for swift test. A race, or an access to memory that is not allowed, fails the run. Left out are
# tests that limit a time, as all takes several times as long; of deadly signals, which the sanitizer handles itself;
# and of programs that run without what is loaded below. Not part of check.sh: it builds everything again, and takes 20
# minutes. Builds in .build/thread and .build/address, or below SANITIZER_SCRATCH.
set -euo pipefail
cd "$(dirname "$0")/../.."
sanitizer=${1:?"usage: sanitizer.sh thread | address [FILTER]"}
filter=${2:-'^(Flag(Model|Formats|Storage|Remote|Queries|Sharing|s)|DeveloperMenu|Terminal(UI|Shell))Tests\.'}
scratch=${SANITIZER_SCRATCH:-.build}/$sanitizer
options=(--traits CommandLine --sanitize="$sanitizer" --scratch-path "$scratch")

swift build --build-tests "${options[@]}"
# A report ends its process, so that no later test hides it. Objects of the system are not freed before the end.
export TSAN_OPTIONS="halt_on_error=1 ${TSAN_OPTIONS:-}" ASAN_OPTIONS="detect_leaks=0 ${ASAN_OPTIONS:-}"
# Swift's own report of a crash does not work beside the sanitizer's.
export SWIFT_BACKTRACE=enable=no
preload=()
if [ "$(uname)/$sanitizer" = Linux/thread ]; then
    clang -shared -fPIC -O1 -Wall -Werror -o "$scratch/mutex.so" .github/scripts/sanitizer/mutex.c
    preload=("LD_PRELOAD=$(realpath "$scratch")/mutex.so")
fi
slow='linear time|5 ms or less|again and again|SubscriptionTests|OverrideFileTests|Signal|trap restores'
slow+='|AcrossProcesses|killed writers|two hundred kills|a hundred watches'
env ${preload[@]+"${preload[@]}"} swift test "${options[@]}" --skip-build --filter "$filter" --skip "$slow"
