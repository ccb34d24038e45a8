#!/usr/bin/env bash
# Runs the library's tests under Thread Sanitizer: 8 readers and 2 writers among them, observers, fetches, other processes.
#
# usage: tsan.sh [FILTER]
#
# FILTER names tests as for swift test; left out, those of the libraries. A race fails the run. No part of check.sh: everything is built
# anew with the sanitizer, which takes minutes. Builds in .build/tsan, or where TSAN_SCRATCH says.
set -euo pipefail
cd "$(dirname "$0")/../.."
scratch=${TSAN_SCRATCH:-.build/tsan}

swift build --build-tests --sanitize=thread --scratch-path "$scratch"
# A report ends the process that it is about, so that no later test hides it.
export TSAN_OPTIONS="halt_on_error=1 ${TSAN_OPTIONS:-}"
preload=()
if [ "$(uname)" = Linux ]; then
    clang -shared -fPIC -O1 -Wall -Werror -o "$scratch/mutex.so" .github/scripts/tsan/mutex.c
    preload=("LD_PRELOAD=$(realpath "$scratch")/mutex.so")
fi
env ${preload[@]+"${preload[@]}"} \
    swift test --sanitize=thread --scratch-path "$scratch" --skip-build --filter "${1:-^Flags(Configuration)?Tests\.}"
