#!/usr/bin/env bash
# Lets each system call on files fail in turn, with strace, and checks what a command leaves behind. Takes some ten
# minutes, so it is not part of the check of every change.
#
# usage: .github/scripts/torture.sh [FLAGMENU [COMMAND ...]]
#
# FLAGMENU is a static release build, from release.sh, which is built by default. The commands set, reset, undo, import,
# export and init run on a good, a damaged and a missing store. Every call on a file or a descriptor fails once with
# each of seven errors, and the process is killed once at each. Promised is:
#
# - The file that the command writes has its old or its new content, and nothing else. With exit code 0, the new one.
# - The exit code is the one of the run without a failure, or 4; also 2 or 5 if a file could not be read or written that
#   is not the store's, such as the project file or an imported one; then the message names it and nothing was written.
#   A failure that is none of the command's business, or that is tried again as EINTR is, changes nothing.
# - A damaged file is kept aside before anything replaces it.
# - No temporary file stays: not after a failure, and after a kill not beyond the next run; nor does one of the cache,
#   which is written behind the command.
#
# Calls of the dynamic linker are left out. If libdispatch cannot have its event queue it ends the process, which counts
# as a kill.
set -euo pipefail
source "$(dirname "$0")/shared.sh"
command -v strace >/dev/null || fail "torture.sh needs strace; apt-get install strace"
program="${1:-}"
if [ -z "$program" ]; then
    .github/scripts/release.sh --scratch-path .build-static
    program=$(find .build-static -path '*release/flagmenu' -type f | head -1)
fi
exec python3 .github/scripts/torture.py "$program" "${@:2}"
