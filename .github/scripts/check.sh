#!/usr/bin/env bash
# The checks that a change must pass.
#
# usage: check.sh [--all] [STEP ...]
#
# Without --all: what a contributor runs before each commit. It builds with the package trait CommandLine, as the README
# does, so without the network packages and their tests, and leaves out the suites that take most of the time.
# With --all: everything, as CI runs it. Both install missing packages. With STEP, only these steps run, on the programs
# that were built before; step "build" makes them.
#
# All steps run, even if one fails, except those that need a failed build. The end lists the failures, each with the
# command that repeats it alone. Exits with 1 if a step failed. A step that this machine cannot run says why and counts
# as skipped.
set -euo pipefail
source "$(dirname "$0")/shared.sh"

steps=(packages format words purity places reducer build tests)
traits=(--traits CommandLine)
packages=tests
command=.github/scripts/check.sh
# The tests that are marked as slow take two thirds of the time of all tests; see Tests/TestSupport/SlowTests.swift.
export SKIP_SLOW=1
if [ "${1:-}" = --all ]; then
    shift
    unset SKIP_SLOW
    steps=(
        packages format words purity places reducer build docs tests adopter vendor-clients ofrep team-faults
        running-apps running-demo server agents page generated-code kotlin-demo fuzz pictures
        start-cost
    )
    traits=()
    packages=all
    command+=" --all"
fi
# Every import must be declared. All builds have this option: with another one, everything is built again.
imports=(--explicit-target-dependency-import-check error)
# What needs the programs and tests that step "build" makes.
built=" tests vendor-clients ofrep team-faults running-apps running-demo server agents page generated-code"
built+=" kotlin-demo pictures start-cost "

built_programs() { swift build ${traits[@]+"${traits[@]}"} --show-bin-path; }

# absent WHAT PATTERN [GREP OPTION]... PATH...: no Swift line below the paths matches.
absent() {
    local what=$1 pattern=$2
    shift 2
    if grep -rnE --include='*.swift' "$pattern" "$@"; then
        echo "The lines above break a rule: $what." >&2
        return 1
    fi
}

# Steps that only read the sources.

step_packages() { .github/scripts/packages.sh $packages; }
step_format() { swift format lint --parallel --strict --recursive Sources Tests Package.swift; }
# No banned word of the vocabulary in names and texts.
step_words() { .github/scripts/words.sh; }

step_purity() {
    local impure='^[^/]*(import (Essentials|Foundation|Platform|Dispatch|Synchronization)|(^|[^"])\bawait\b|\bTask\b *[.{]'
    impure+='|\bprint\(|\bDate\(|ContinuousClock|\bgetenv\b|\breadLine\()'
    absent "a pure target has no I/O, clock, task or print; move it to FlagStorage, a source or a shell" "$impure" \
        Sources/FlagModel Sources/FlagFormats Sources/TerminalUI Sources/FlagQueries Sources/DeveloperMenu \
        Sources/FlagAgents Sources/FlagMenuDemo/Stage Sources/FlagSharing
}

# What only one module may do.
step_places() {
    local failed=0
    absent "only Platform imports the C library" '^[^/]*\bimport (Glibc|Musl|Darwin)' \
        --exclude-dir=Platform Sources || failed=1
    absent "only Essentials and the transport of Foundation import Foundation" '^[^/]*\bimport Foundation' \
        --exclude-dir=Essentials --exclude-dir=FlagSourceURLSession Sources || failed=1
    absent "only TerminalShell imports CNcurses" '^[^/]*\bimport CNcurses' --exclude-dir=TerminalShell Sources || failed=1
    absent "only FlagSourceFile imports CExpat" '^[^/]*\bimport CExpat' --exclude-dir=FlagSourceFile Sources || failed=1
    absent "only FlagSharing imports CZlib" '^[^/]*\bimport CZlib' --exclude-dir=FlagSharing Sources || failed=1
    absent "only FlagSourceFile imports CYAML" '^[^/]*\bimport CYAML' --exclude-dir=FlagSourceFile Sources || failed=1
    absent "only FlagSourceHTTP imports the client, and only FlagServer and FlagTesting besides it NIO" \
        '^[^/]*\bimport (AsyncHTTPClient|NIO[A-Za-z0-9]*)' --exclude-dir=FlagSourceHTTP --exclude-dir=FlagServer \
        --exclude-dir=FlagTesting Sources || failed=1
    absent "only what opens the menu and reads its preferences imports the menu; queries are in FlagQueries" \
        '^[^/]*\bimport DeveloperMenu$' --exclude=RunMenu.swift --exclude-dir=Settings Sources/FlagMenuCLI \
        Sources/FlagWorkspace Sources/FlagServer || failed=1
    # The exceptions replace a closed standard stream with /dev/null, and check whether that has happened.
    absent "only FlagStorage opens files for writing" \
        '^[^/]*(\bO_(WRONLY|RDWR|CREAT|TRUNC|APPEND)\b|\b(fopen|creat|freopen)\()' \
        --exclude-dir=FlagStorage --exclude=StandardStreams.swift --exclude=LineTerminal.swift Sources || failed=1
    # The controls are run by hand, so an edit that no longer fits would be found late.
    python3 .github/scripts/controls/run.py --check || failed=1
    return $failed
}

step_reducer() {
    absent "every event and every action is handled by name, so that the compiler finds what a new case needs" \
        '^ *default:' Sources/DeveloperMenu/Reducer Sources/DeveloperMenu/Actions/*Actions.swift \
        Sources/DeveloperMenu/Sheets/*/*+Actions.swift Sources/DeveloperMenuTerminal/EffectRunner.swift
}

# Steps that build. Warnings are errors.

step_build() { swift build ${traits[@]+"${traits[@]}"} --build-tests "${imports[@]}"; }
# Every link of the documentation leads somewhere, every parameter is described.
step_docs() { .github/scripts/docs.sh; }
# The examples and the code of the articles compile in a package that fetches swift-log alone, in both isolations.
step_adopter() { .github/scripts/adopter.sh; }

# Steps that run what was built.

# The tests run in three parts: targets that only compute, targets of the library and its sources, and all others, most
# of which start programs. The runner starts all tests of a run at once, so in one run of all of them, the limits of
# time of tests that wait would pass while they wait for those that compute.
computing='Flag(Agents|Model|Queries|Formats|Sharing|SourceFile|Storage)|TerminalUI|DeveloperMenu'
library='Flags|FlagsConfiguration|FlagsService|FlagRemote|FlagSource[^F][A-Za-z]*|FlagSourceFlagsmith|FlagTeamEtcd'

# All tests, also those that run the menu in real terminals. If some fail, their suites run again, alone, as a limit of
# time can pass in a test that is right. Fails if one fails again.
step_tests() {
    local folder part suites number=0 failed=0
    local run=(swift test ${traits[@]+"${traits[@]}"} --skip-build "${imports[@]}")
    folder=$(mktemp -d)
    # shellcheck disable=SC2064
    trap "rm -rf '$folder'" EXIT
    for part in "--filter=^($computing)Tests[.]" "--filter=^($library)Tests[.]" "--skip=^($computing|$library)Tests[.]"; do
        number=$((number + 1))
        "${run[@]}" "$part" --xunit-output "$folder/$number.xml" 2>&1 | tee -a "$folder/log" && continue
        failed=1
        # Without this file, the tests did not run to their end.
        [ -s "$folder/$number-swift-testing.xml" ] || break
    done
    [ -z "${SKIP_SLOW:-}" ] || echo "Left to --all: $(grep -ac '^➜ .*: "slow' "$folder/log") slow suites and tests."
    [ $failed -eq 1 ] || return 0
    # The runner names failures among thousands of lines: those lines are printed again.
    printf '\nFailed tests:\n'
    grep -aE '^✘|^error: |Fatal error' "$folder/log" || tail -n 40 "$folder/log"
    [ -s "$folder/$number-swift-testing.xml" ] || return 1
    suites=$(
        cat "$folder"/*.xml | grep -B 1 '<failure' | grep -o 'classname="[^"]*"' | cut -d '"' -f 2 | sort -u
    )
    [ -n "$suites" ] || return 1
    printf '\nAgain, alone:\n%s\n' "$suites"
    "${run[@]}" --filter "^($(printf '%s' "${suites//./[./]}" | tr '\n' '|'))[./]" || return 1
    return 75
}

# The vendors' own clients and flagmenu read the same flags from our imitations of their servers.
step_vendor-clients() { .github/scripts/vendor-clients.sh --programs "$(built_programs)"; }
# Requests and responses conform to OFREP's OpenAPI document.
step_ofrep() { .github/scripts/ofrep-openapi.sh --programs "$(built_programs)"; }
# Faults of three etcd members lose no change and leave no client behind.
step_team-faults() { .github/scripts/team-faults.sh --short --programs "$(built_programs)"; }
# Kills at random, and the wait for apps.
step_running-apps() { .github/scripts/running-apps.py "$(built_programs)" --short; }
# Two demos beside a menu.
step_running-demo() { .github/scripts/running-demo.sh --programs "$(built_programs)" --check; }
# A real client, every response of the management API, and hostile requests.
step_server() { .github/scripts/server-tests.sh --programs "$(built_programs)"; }
# Real clients of the Model Context Protocol call every tool of flagmenu mcp.
step_agents() { .github/scripts/agents.sh --programs "$(built_programs)"; }
# The page in a real Chromium, by keyboard, and axe-core.
step_page() { .github/scripts/page-tests.sh --programs "$(built_programs)"; }
# Generated code of all fixtures compiles with Flags alone and is a fixed point.
step_generated-code() { .github/scripts/generated-code.sh --programs "$(built_programs)"; }
# An app in Kotlin follows the menu.
step_kotlin-demo() { .github/scripts/kotlin-demo.sh --programs "$(built_programs)" --check; }
# Random input crashes no parser.
step_fuzz() { .github/scripts/fuzz.sh 10; }
# screenshots/ still shows the program.
step_pictures() { .github/scripts/pictures.sh --check-text --programs "$(built_programs)"; }
# Commands and menu do not start with more work than before, counted in instructions.
step_start-cost() { .github/scripts/start-cost.py "$(built_programs)"; }

chosen=("$@")
for step in ${chosen[@]+"${chosen[@]}"}; do
    [[ " ${steps[*]} " == *" $step "* ]] || fail "\"$step\" is not a step of $command; these are: ${steps[*]}"
done
[ ${#chosen[@]} -gt 0 ] || chosen=("${steps[@]}")

results=$(mktemp -d)
# shellcheck disable=SC2064
trap "kill \$(jobs -p) 2>/dev/null || true; rm -rf '$results'" EXIT

# run STEP: runs a step, and writes its status to a file.
run() {
    local start=$SECONDS status=1
    printf '\n== %s\n' "$1"
    if [ "$(cat "$results/build" 2>/dev/null || echo 0)" != 0 ] && [[ $built == *" $1 "* ]]; then
        echo "not run, because the build failed"
    else
        # Without errexit in this shell, so that it stays on in the step's.
        set +e
        (set -e; "step_$1")
        status=$?
        set -e
    fi
    echo $status >"$results/$1"
    echo "-- $1: $((SECONDS - start)) s"
}

# The steps that use both cores come first. Of the others, those that build something run beside those that mostly wait.
early=() building=() waiting=()
for step in "${chosen[@]}"; do
    case $step in
    adopter | generated-code | fuzz) building+=("$step") ;;
    packages | format | words | purity | places | reducer | build | docs | tests) early+=("$step") ;;
    *) waiting+=("$step") ;;
    esac
done
for step in ${early[@]+"${early[@]}"}; do run "$step"; done
if [ ${#waiting[@]} -eq 0 ]; then waiting=(${building[@]+"${building[@]}"}) building=(); fi
for step in ${building[@]+"${building[@]}"}; do run "$step"; done >"$results/log" 2>&1 &
for step in ${waiting[@]+"${waiting[@]}"}; do run "$step"; done
wait
cat "$results/log"

passed=0 failed=() skipped=() unsteady=()
for step in "${chosen[@]}"; do
    case $(cat "$results/$step") in
        0) passed=$((passed + 1)) ;;
        # What failed beside everything else did not fail alone.
        75)
            passed=$((passed + 1))
            unsteady+=("$step")
            ;;
        # The scripts of steps exit with 77 if this machine cannot run them.
        77) skipped+=("$step") ;;
        *) failed+=("$step") ;;
    esac
done

printf '\n== done in %d s\n' "$SECONDS"
for step in ${skipped[@]+"${skipped[@]}"}; do echo "skipped: $step; the reason is above"; done
for step in ${unsteady[@]+"${unsteady[@]}"}; do echo "unsteady: $step; what failed once, but not alone, is above"; done
for step in ${failed[@]+"${failed[@]}"}; do echo "failed: $step; to repeat it alone: $command $step"; done
echo "$passed passed, ${#failed[@]} failed, ${#skipped[@]} skipped"
[ ${#failed[@]} -eq 0 ]
