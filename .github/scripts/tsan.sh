#!/usr/bin/env bash
# Runs the library's tests under Thread Sanitizer: among them 8 readers and 2 writers, observers, fetches, other
# processes.
#
# usage: tsan.sh [FILTER]
#
# FILTER names tests as for swift test; by default, those of the libraries. A race fails the run. Not part of check.sh:
# everything is built again with the sanitizer, which takes minutes. Builds in .build/tsan.
set -euo pipefail
cd "$(dirname "$0")/../.."
scratch=.build/tsan

swift build --build-tests --sanitize=thread --scratch-path "$scratch"
# A report ends its process, so that no later test hides it.
export TSAN_OPTIONS="halt_on_error=1 ${TSAN_OPTIONS:-}"
preload=()
if [ "$(uname)" = Linux ]; then
    clang -shared -fPIC -O1 -Wall -Werror -o "$scratch/mutex.so" .github/scripts/tsan/mutex.c
    preload=("LD_PRELOAD=$(realpath "$scratch")/mutex.so")
fi
env ${preload[@]+"${preload[@]}"} \
    swift test --sanitize=thread --scratch-path "$scratch" --skip-build --filter "${1:-^Flags(Configuration)?Tests\.}"
