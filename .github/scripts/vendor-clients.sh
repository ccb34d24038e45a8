#!/usr/bin/env bash
# Verifies Tests/VendorServers: the vendors' own Python clients read their flags from them, including changes by a
# stream or by polling. The built flagmenu reads the same flags from the same servers, if necessary with other requests
# than those clients, and must get the same. So our sources read what real clients read.
#
# usage: vendor-clients.sh [--programs FOLDER] [SERVICE]...
#
# By default, all services. FOLDER has the built flagmenu and LoopbackServers. Installs the clients from the package
# index into .build; exits with 77 if it cannot.
set -euo pipefail
source "$(dirname "$0")/shared.sh"
services="fast-feature ofrep unleash launchdarkly split posthog flagsmith growthbook statsig cloudkit firebase"
python_checks vendor-clients "$services" "$@"
