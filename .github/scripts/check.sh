#!/usr/bin/env bash
# Every check that must pass before a change lands; CI runs this very script.
#
# usage: check.sh
#
# Installs missing packages, checks format, words, purity and places, builds with warnings as errors and with every
# import declared, compiles the documentation, runs all tests, has the vendors' clients and flagmenu read the same flags
# from our vendor servers, validates OFREP's exchanges against its OpenAPI document, injects faults into a team's etcd,
# kills running apps, tests flagmenu serve and its page from outside, compiles generated code, and compares screenshots/
# with the program. Stops at the first failure. Reads exit statuses, never texts.
set -euo pipefail
cd "$(dirname "$0")/../.."

step() { printf '\n== %s\n' "$*"; }

# unless_impossible COMMAND...: a step that exits with 77 if this machine cannot run it. The last lines repeat that.
skipped=()
unless_impossible() {
    local status=0
    "$@" || status=$?
    if [ "$status" -eq 77 ]; then skipped+=("$1"); else return "$status"; fi
}

step "packages"
.github/scripts/packages.sh tests

step "format"
swift format lint --strict --recursive Sources Tests Package.swift

step "words: no banned word of the vocabulary in names and texts"
.github/scripts/words.sh

step "purity: no I/O, clock, task or print in FlagModel, FlagFormats, TerminalUI, DeveloperMenu and the screens of the demo"
impure='^[^/]*(import (Essentials|Foundation|Platform|Dispatch|Synchronization)|(^|[^"])\bawait\b|\bTask\b *[.{]|\bprint\(|\bDate\(|ContinuousClock|\bgetenv\b|\breadLine\()'
if grep -rnE "$impure" Sources/FlagModel Sources/FlagFormats Sources/TerminalUI Sources/DeveloperMenu Sources/FlagMenuDemo/Stage; then
    echo "The lines above do what a pure target may not: move them to FlagStorage, a source or a shell." >&2
    exit 1
fi

step "places: what only one module may do is done nowhere else"
# absent WHAT PATTERN [GREP OPTION]...: no Swift line in Sources matches.
absent() {
    local what=$1 pattern=$2
    shift 2
    if grep -rnE --include='*.swift' "$@" "$pattern" Sources; then
        echo "The lines above break a rule: $what." >&2
        exit 1
    fi
}
absent "only Platform imports the C library" '^[^/]*\bimport (Glibc|Musl|Darwin)' --exclude-dir=Platform
absent "only Essentials imports Foundation" '^[^/]*\bimport Foundation' --exclude-dir=Essentials
absent "only TerminalShell imports CNcurses" '^[^/]*\bimport CNcurses' --exclude-dir=TerminalShell
absent "only FlagSourceFile imports CExpat" '^[^/]*\bimport CExpat' --exclude-dir=FlagSourceFile
absent "only FlagSourceHTTP imports the client, and only FlagServer and FlagTesting besides it NIO" \
    '^[^/]*\bimport (AsyncHTTPClient|NIO[A-Za-z0-9]*)' --exclude-dir=FlagSourceHTTP --exclude-dir=FlagServer \
    --exclude-dir=FlagTesting
# The exceptions replace a closed standard stream with /dev/null, and check whether that has happened.
absent "only FlagStorage opens files for writing" '^[^/]*(\bO_(WRONLY|RDWR|CREAT|TRUNC|APPEND)\b|\b(fopen|creat|freopen)\()' \
    --exclude-dir=FlagStorage --exclude=StandardStreams.swift --exclude=LineTerminal.swift

step "reducer: every event and every action is handled by name"
if grep -nE '^ *default:' Sources/DeveloperMenu/Reducer/*.swift Sources/DeveloperMenu/Actions/*Actions.swift \
    Sources/DeveloperMenu/Sheets/*/*+Actions.swift Sources/DeveloperMenuTerminal/EffectRunner.swift; then
    echo "The lines above leave cases out: name them, so that the compiler finds what a new case needs." >&2
    exit 1
fi

step "build: every import declared, warnings as errors"
swift build --build-tests --explicit-target-dependency-import-check error

step "documentation: every link leads somewhere, every parameter is described"
.github/scripts/docs.sh

step "tests"
# The runner names failures among thousands of lines: those lines are printed again at the end.
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if ! swift test --skip-build 2>&1 | tee "$log"; then
    step "failed tests"
    grep -aE '^✘|^error: |Fatal error' "$log" || tail -n 40 "$log"
    exit 1
fi

step "vendor servers: the vendors' own clients and flagmenu read the same flags from them"
programs=$(swift build --show-bin-path)
unless_impossible .github/scripts/vendor-clients.sh --program "$programs/LoopbackServers" --flagmenu "$programs/flagmenu"

step "OFREP: requests and responses conform to the protocol's OpenAPI document"
unless_impossible .github/scripts/ofrep-openapi.sh --programs "$programs"

step "a team: faults of three etcd members lose no change and leave no client behind"
unless_impossible .github/scripts/team-faults.sh --short --program "$programs/flagmenu"

step "running apps: kills at random, the wait for apps, and two demos beside a menu"
.github/scripts/running-apps.py --programs "$programs" --short
unless_impossible .github/scripts/running-demo.sh --programs "$programs" --check

step "server: a real client, every response of the management API, and hostile requests"
unless_impossible .github/scripts/server-tests.sh --flagmenu "$programs/flagmenu"

step "page: a real Chromium, by keyboard, and axe-core"
unless_impossible .github/scripts/page-tests.sh --flagmenu "$programs/flagmenu"

step "an app: an empty package with Flags fetches swift-log alone, and builds"
.github/scripts/empty-package.sh

step "generated code: for all fixtures, it compiles with Flags alone and is a fixed point"
.github/scripts/generated-code.sh --flagmenu "$programs/flagmenu"

step "pictures: screenshots/ still shows the program"
.github/scripts/pictures.sh --check-text --program "$programs/flagmenu"

step "done, with ${#skipped[@]} steps skipped${skipped[*]:+: ${skipped[*]}}"
