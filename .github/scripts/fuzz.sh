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
cd "$(dirname "$0")/../.."
seconds=${1:-10}
shift $(($# > 0 ? 1 : 0))
folder=$PWD/.build/fuzz
options=(
    -swift-version 6 -enable-upcoming-feature InternalImportsByDefault -O -parse-as-library -package-name flagmenu
    -sanitize=fuzzer,address -use-ld=lld -I "$folder" -module-cache-path "$folder/cache"
)
mkdir -p "$folder"
# Swift's own report of a crash does not work beside the sanitizer's.
export SWIFT_BACKTRACE=enable=no
[ "$(uname)" = Linux ] || { echo "fuzz.sh: the toolchain of this system has no libFuzzer" >&2; exit 77; }

# module NAME: builds a target that imports only those built before.
module() {
    find "Sources/$1" -name '*.swift' -print0 | xargs -0 swiftc "${options[@]}" -enable-testing -wmo -module-name "$1" \
        -emit-module -emit-module-path "$folder/$1.swiftmodule" -c -o "$folder/$1.o"
}
module FlagModel
module FlagFormats
module Platform
module TerminalUI

# inputs TARGET: the real documents to start from.
inputs() {
    case $1 in
        JSON) echo ../shared/fixtures/json-test-suite ../shared/fixtures/config_categories ;;
        Catalog) echo ../shared/fixtures/config_categories ../shared/fixtures/reports ;;
        Template) echo ../shared/fixtures/firebase ../shared/fixtures/reports ;;
    esac
}

targets=("$@")
[ $# -gt 0 ] || targets=(JSON Catalog Template EventStream Keys)
for target in "${targets[@]}"; do
    sources=(Tests/Fuzzing/Entry.swift "Tests/Fuzzing/$target.swift")
    case $target in
        EventStream) sources+=(Sources/FlagRemote/Events/EventStreamParser.swift) ;;
        Keys) sources+=(Sources/TerminalShell/{BackgroundColor,KeyDecoder,MouseReport,PastedText,TerminalReply}.swift) ;;
    esac
    swiftc "${options[@]}" -module-name Fuzz "${sources[@]}" "$folder"/{FlagModel,FlagFormats,Platform,TerminalUI}.o \
        -o "$folder/$target"
    mkdir -p "$folder/corpus/$target"
    read -ra known <<< "$(inputs "$target")"
    for document in ${known[@]+"${known[@]}"}; do
        [ ! -d "$document" ] || find "$document" -type f -size -64k -exec cp {} "$folder/corpus/$target/" \;
    done
    echo "-- $target, $seconds s"
    "$folder/$target" -max_total_time="$seconds" -timeout=10 -max_len=65536 -print_final_stats=1 \
        -artifact_prefix="$folder/$target-" "$folder/corpus/$target" > "$folder/$target.log" 2>&1 || {
        tail -n 40 "$folder/$target.log"
        echo "fuzz.sh: $target failed; the input is in $folder/$target-*" >&2
        exit 1
    }
    grep -E '^stat::(number_of_executed_units|new_units_added|peak_rss_mb)' "$folder/$target.log"
done
