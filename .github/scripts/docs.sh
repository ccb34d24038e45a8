#!/usr/bin/env bash
# Compiles the documentation of Flags: a broken link or an undocumented parameter is an error. Checks also what types an
# app sees; see surface.py.
#
# usage: docs.sh
#
# Needs docc, which is part of Swift's toolchains.
set -euo pipefail
cd "$(dirname "$0")/../.."

place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
docc=$(command -v docc || xcrun --find docc)
triple=$(swift -print-target-info | sed -n 's/^ *"triple": "\(.*\)",$/\1/p')
sdk=()
if command -v xcrun >/dev/null; then sdk=(-sdk "$(xcrun --show-sdk-path)"); fi

# The same option as in check.sh: with other options, everything below Flags would be built again.
export FLAGMENU_STRICT=1
swift build --target Flags --explicit-target-dependency-import-check error
# graph MODULE: the public symbols of a module.
graph() {
    mkdir -p "$place/$1"
    swift symbolgraph-extract -module-name "$1" -I "$(swift build --show-bin-path)/Modules" -target "$triple" \
        ${sdk[@]+"${sdk[@]}"} -minimum-access-level public -skip-synthesized-members -output-dir "$place/$1"
}
for module in Flags FlagModel FlagRemote FlagStorage; do graph $module; done
mkdir "$place/all"
cp "$place"/Flag*/*.symbols.json "$place/all"
python3 .github/scripts/surface.py "$place/all"
"$docc" convert Sources/Flags/Documentation.docc --additional-symbol-graph-dir "$place/Flags" \
    --fallback-display-name Flags --fallback-bundle-identifier flags --warnings-as-errors \
    --output-path "$place/Flags.doccarchive"
