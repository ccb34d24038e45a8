#!/usr/bin/env bash
# Validates flagmenu's requests, LoopbackOFREP's responses, and those of flagmenu serve against OFREP's own OpenAPI document.
#
# usage: ofrep-openapi.sh [--programs FOLDER]
#
# FOLDER contains built flagmenu and LoopbackServers. The document is the file in OFREP_OPENAPI, or that of the
# protocol's repository in the version that the source was written from.
#
# Installs a validator from the package index into .build/ofrep-openapi. If the document or the validator is not
# available, prints so and exits with 77, which is "skipped" and not "passed". Fails with violations of the document's
# rules.
set -euo pipefail
cd "$(dirname "$0")/../.."
source .github/scripts/python-packages.sh
scripts=$PWD/.github/scripts/ofrep-openapi
place=$PWD/.build/ofrep-openapi
# Version 0.3.0 of the document.
revision=d1a63a4e84e6297599ce566126e7764c1419f80a
address=https://raw.githubusercontent.com/open-feature/protocol/$revision/service/openapi.yaml

programs=
if [ "${1:-}" = --programs ]; then programs=${2:?--programs needs a folder}; fi

mkdir -p "$place"
document=${OFREP_OPENAPI:-$place/openapi-$revision.yaml}
if [ ! -f "$document" ]; then
    [ -z "${OFREP_OPENAPI:-}" ] || {
        echo "OFREP_OPENAPI names $document, which is not a valid file." >&2
        exit 2
    }
    curl --fail --silent --show-error --location --max-time 30 --output "$document.part" "$address" 2>"$place/curl.log" ||
        skip "OFREP's OpenAPI document cannot be had: $(tail -n 1 "$place/curl.log"); OFREP_OPENAPI can name a copy"
    mv "$document.part" "$document"
fi
python_packages "$place/venv" "the validator's packages" "$scripts/requirements.txt"
if [ -z "$programs" ]; then
    swift build --product flagmenu
    swift build --product LoopbackServers
    programs=$(swift build --show-bin-path)
fi
for script in check serve; do
    env -u PYTHONPATH -u PYTHONHOME NO_PROXY=127.0.0.1 no_proxy=127.0.0.1 \
        timeout --kill-after=5 120 "$place/venv/bin/python" -B "$scripts/$script.py" "$document" "$(cd "$programs" && pwd)"
done
