#!/usr/bin/env bash
# Tests flagmenu serve from outside: with a real OpenFeature client, with requests made from the OpenAPI document of its
# management API, and with attacks.
#
# usage: server-tests.sh [--programs FOLDER] [openfeature-sdk | management | hostile]...
#
# By default, all parts. FOLDER has the built flagmenu. Installs the clients from the package index into .build; exits
# with 77 if it cannot.
set -euo pipefail
source "$(dirname "$0")/shared.sh"
python_checks server "openfeature-sdk management hostile" "$@"
