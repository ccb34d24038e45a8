#!/usr/bin/env bash
# Verifies Tests/VendorServers: the vendors' own Python clients read their flags from them, including changes by a
# stream or by polling. The built flagmenu reads the same flags from the same servers, if necessary with other requests
# than those clients, and must get the same. So our sources read what real clients read.
#
# usage: vendor-clients.sh [--program PATH] [--flagmenu PATH] [SERVICE]...
#
# SERVICE: fast-feature, ofrep, unleash, launchdarkly, split, posthog, flagsmith, growthbook, statsig, cloudkit, firebase; by
# default, all. The paths are those of a built LoopbackServers and of a built flagmenu.
#
# Installs the clients from the package index into .build/vendor-clients. If there is no Python with venv, or no index,
# prints so and exits with 77, which is "skipped" and not "passed". Fails with the wrong result of a client.
set -euo pipefail
cd "$(dirname "$0")/../.."
source .github/scripts/python-packages.sh
scripts=$PWD/.github/scripts/vendor-clients

program= flagmenu=
while true; do
    case ${1:-} in
    --program) program=${2:?--program needs a path} ;;
    --flagmenu) flagmenu=${2:?--flagmenu needs a path} ;;
    *) break ;;
    esac
    shift 2
done
services=("$@")
if [ ${#services[@]} -eq 0 ]; then
    for client in "$scripts"/*.py; do
        name=$(basename "$client" .py)
        [ "$name" = loopback ] || services+=("$name")
    done
fi
for service in "${services[@]}"; do
    [ -f "$scripts/$service.py" ] && [ "$service" != loopback ] || {
        echo "There is no client for \"$service\" in $scripts." >&2
        exit 2
    }
done

place=$PWD/.build/vendor-clients
python_packages "$place" "the vendors' clients" "$scripts/requirements.txt"

absolute() { printf '%s/%s\n' "$(cd "$(dirname "$1")" && pwd)" "$(basename "$1")"; }
if [ -z "$program" ]; then
    swift build --product LoopbackServers
    program=$(swift build --show-bin-path)/LoopbackServers
fi
if [ -z "$flagmenu" ]; then
    swift build --product flagmenu
    flagmenu=$(swift build --show-bin-path)/flagmenu
fi
program=$(absolute "$program") flagmenu=$(absolute "$flagmenu")

# Nothing that clients and flagmenu store is needed afterwards.
TMPDIR=$(mktemp -d)
export TMPDIR
trap 'rm -rf "$TMPDIR"' EXIT
failed=()
for service in "${services[@]}"; do
    # Proxies are for external hosts; PYTHONPATH and the like could select other clients.
    env -u PYTHONPATH -u PYTHONHOME NO_PROXY=127.0.0.1 no_proxy=127.0.0.1 \
        timeout --kill-after=5 300 "$place/bin/python" -B "$scripts/$service.py" "$program" "$flagmenu" ||
        failed+=("$service")
done
[ ${#failed[@]} -eq 0 ] || {
    echo "Real clients and flagmenu do not read the same from these servers: ${failed[*]}." >&2
    exit 1
}
