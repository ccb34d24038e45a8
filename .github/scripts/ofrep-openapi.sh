#!/usr/bin/env bash
# Validates flagmenu's requests, LoopbackOFREP's responses, and those of flagmenu serve against OFREP's own OpenAPI
# document: the file in OFREP_OPENAPI, or that of the protocol's repository.
#
# usage: ofrep-openapi.sh [--programs FOLDER] [check | serve]...
#
# FOLDER has the built flagmenu and LoopbackServers. Installs a validator from the package index into .build; exits with
# 77 if it cannot, or if the document is not available.
set -euo pipefail
source "$(dirname "$0")/shared.sh"
# Version 0.3.0 of the document.
revision=d1a63a4e84e6297599ce566126e7764c1419f80a
address=https://raw.githubusercontent.com/open-feature/protocol/$revision/service/openapi.yaml
document=$PWD/.build/ofrep-openapi-$revision.yaml
export OFREP_OPENAPI=${OFREP_OPENAPI:-$document}
if [ ! -f "$OFREP_OPENAPI" ]; then
    [ "$OFREP_OPENAPI" = "$document" ] || fail "OFREP_OPENAPI names $OFREP_OPENAPI, which is not a file."
    mkdir -p .build
    log=$(curl --fail --silent --show-error --location --max-time 30 --output "$document.part" "$address" 2>&1) ||
        skip "OFREP's OpenAPI document is not available: $log; OFREP_OPENAPI can name a copy"
    mv "$document.part" "$document"
fi
python_checks ofrep "check serve" "$@"
