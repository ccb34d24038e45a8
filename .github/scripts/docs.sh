#!/usr/bin/env bash
# Compiles the documentation of Flags: a broken link or an undocumented parameter is an error.
#
# usage: docs.sh [OUTPUT]
#
# OUTPUT is the path of the archive; by default, it is deleted. Needs docc, which is part of Swift's toolchains.
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
mkdir "$place/symbols"
swift symbolgraph-extract -module-name Flags -I "$(swift build --show-bin-path)/Modules" -target "$triple" \
    ${sdk[@]+"${sdk[@]}"} -minimum-access-level public -skip-synthesized-members -output-dir "$place/symbols"
"$docc" convert Sources/Flags/Documentation.docc --additional-symbol-graph-dir "$place/symbols" \
    --fallback-display-name Flags --fallback-bundle-identifier flags --warnings-as-errors \
    --output-path "${1:-$place/Flags.doccarchive}"
