#!/usr/bin/env bash
# Everything that must hold before a change lands; CI runs this very script.
#
# usage: check.sh
#
# Installs missing packages, checks format and purity, builds with warnings as errors and with every import declared,
# runs all tests, and compares screenshots/ with the program. Stops at the first failure. Reads exit statuses, never texts.
set -euo pipefail
cd "$(dirname "$0")/../.."

step() { printf '\n== %s\n' "$*"; }

step "packages"
.github/scripts/packages.sh tests

step "format"
swift format lint --strict --recursive Sources Tests Package.swift

step "purity: no I/O, clock, task or print in FlagModel, TerminalUI and DeveloperMenu"
impure='^[^/]*(import (Foundation|Glibc|Darwin|Dispatch)|\bawait\b|\bTask\b *[.{]|\bprint\(|\bDate\()'
if grep -rnE "$impure" Sources/FlagModel Sources/TerminalUI Sources/DeveloperMenu; then
    echo "The lines above do what a pure target may not: move them to FlagStorage, a source or a shell." >&2
    exit 1
fi

step "build: every import declared, warnings as errors"
swift build --build-tests --explicit-target-dependency-import-check error

step "tests"
swift test --skip-build

step "pictures: screenshots/ still shows the program"
.github/scripts/pictures.sh --check-text --program "$(swift build --show-bin-path)/flagmenu"
