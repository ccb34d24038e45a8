#!/usr/bin/env bash
# Injects a fault into every system call of the commands that write, in turn, and kills them at every call; see
# torture.py. Takes some ten minutes, so it is not part of the check of every change.
#
# usage: .github/scripts/torture.sh [FLAGMENU [COMMAND ...]]
#
# FLAGMENU is a static release build, from release.sh, which is built by default.
set -euo pipefail
cd "$(dirname "$0")/../.."
command -v strace > /dev/null || { echo "torture.sh needs strace; apt-get install strace" >&2; exit 2; }
program="${1:-}"
if [ -z "$program" ]; then
    .github/scripts/release.sh --scratch-path .build-static
    program=$(find .build-static -path '*release/flagmenu' -type f | head -1)
fi
exec python3 .github/scripts/torture.py "$program" "${@:2}"
