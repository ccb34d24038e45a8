#!/usr/bin/env bash
# Feeds random input, made from real documents, to what reads input from outside: libFuzzer with Address Sanitizer.
#
# usage: fuzz.sh [SECONDS [TARGET ...]]
#
# SECONDS is the time of each target, 10 by default. TARGET is a file of Tests/Fuzzing without .swift; by default all.
# An input that crashes, hangs for 10 s or needs more than 2 GB ends the run; its file is named. Builds in .build/fuzz, without
# Package.swift, as options like these would bar other packages from depending on this one. Inputs that reach new code
# are kept in .build/fuzz/corpus.
set -euo pipefail
source "$(dirname "$0")/shared.sh"
seconds=${1:-10}
shift $(($# > 0 ? 1 : 0))
folder=$PWD/.build/fuzz
options=(
    -swift-version 6 -enable-upcoming-feature InternalImportsByDefault -O -parse-as-library -package-name flagmenu
    -sanitize=fuzzer,address -use-ld=lld -I "$folder" -module-cache-path "$folder/cache" -I Sources/CZlib
)
mkdir -p "$folder"
# Swift's own report of a crash does not work beside the sanitizer's.
export SWIFT_BACKTRACE=enable=no
[ "$(uname)" = Linux ] || skip "the toolchain of this system has no libFuzzer"

# Each imports only those before it.
for module in FlagModel FlagFormats FlagSharing Platform TerminalUI; do
    find "Sources/$module" -name '*.swift' -print0 | xargs -0 swiftc "${options[@]}" -enable-testing -wmo \
        -module-name "$module" -emit-module -emit-module-path "$folder/$module.swiftmodule" -c -o "$folder/$module.o"
done

# fuzz TARGET: builds a target and runs it.
fuzz() {
    # The real documents to start from are those of known.
    local target=$1 sources=(Tests/Fuzzing/Entry.swift "Tests/Fuzzing/$1.swift") known=() name documents
    case $target in
        JSON) known=(json-test-suite config_categories) ;;
        Catalog) known=(config_categories reports) ;;
        Template) known=(firebase reports) ;;
        EventStream) sources+=(Sources/FlagRemote/Events/EventStreamParser.swift) ;;
        Keys) sources+=(Sources/TerminalShell/{KeyDecoder,MouseReport,TerminalReply}.swift) ;;
    esac
    swiftc "${options[@]}" -module-name Fuzz "${sources[@]}" "$folder"/{FlagModel,FlagFormats,FlagSharing,Platform,TerminalUI}.o \
        -lz -o "$folder/$target"
    mkdir -p "$folder/corpus/$target"
    for name in ${known[@]+"${known[@]}"}; do
        documents=../shared/fixtures/$name
        [ ! -d "$documents" ] || find "$documents" -type f -size -64k -exec cp {} "$folder/corpus/$target/" \;
    done
    "$folder/$target" -max_total_time="$seconds" -timeout=10 -max_len=65536 -print_final_stats=1 \
        -artifact_prefix="$folder/$target-" "$folder/corpus/$target" > "$folder/$target.log" 2>&1 ||
        fail "$(tail -n 40 "$folder/$target.log")" "fuzz.sh: $target failed; the input is in $folder/$target-*"
    echo "$target, $seconds s"
    grep -E '^stat::(number_of_executed_units|new_units_added|peak_rss_mb)' "$folder/$target.log"
}

targets=("$@") running=() failed=0
[ $# -gt 0 ] || targets=(JSON Catalog Template EventStream Keys Sharing)
# Two at a time, as each has one thread.
for target in "${targets[@]}"; do
    fuzz "$target" &
    running+=($!)
    [ ${#running[@]} -eq 2 ] || continue
    wait "${running[0]}" || failed=1
    running=("${running[@]:1}")
done
for process in "${running[@]}"; do wait "$process" || failed=1; done
exit $failed
