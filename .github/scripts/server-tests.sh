#!/usr/bin/env bash
# Tests flagmenu serve from outside: with a real OpenFeature client, with requests made from the OpenAPI document of its
# management API, and with attacks.
#
# usage: server-tests.sh [--flagmenu PATH] [--long] [PART]...
#
# PART: openfeature-sdk, management, hostile; by default, all. PATH is that of a built flagmenu. --long sends ten times as
# many hostile requests, waits until slow and idle connections end, and takes some minutes.
#
# Installs the clients from the package index into .build/server-tests. If there is no Python with venv, or no index,
# prints so and exits with 77, which is "skipped" and not "passed". Fails with the wrong result of a part.
set -euo pipefail
cd "$(dirname "$0")/../.."
source .github/scripts/python-packages.sh
scripts=$PWD/.github/scripts/server

flagmenu= long=
while true; do
    case ${1:-} in
    --flagmenu)
        flagmenu=${2:?--flagmenu needs a path}
        shift 2
        ;;
    --long)
        long=1
        shift
        ;;
    *) break ;;
    esac
done
parts=("$@")
if [ ${#parts[@]} -eq 0 ]; then parts=(openfeature-sdk management hostile); fi
for part in "${parts[@]}"; do
    case $part in
    openfeature-sdk | management | hostile) ;;
    *)
        echo "There is no part \"$part\" in $scripts." >&2
        exit 2
        ;;
    esac
done

place=$PWD/.build/server-tests
python_packages "$place" "the clients" "$scripts/requirements.txt"
if [ -z "$flagmenu" ]; then
    swift build --product flagmenu
    flagmenu=$(swift build --show-bin-path)/flagmenu
fi
flagmenu=$(cd "$(dirname "$flagmenu")" && pwd)/$(basename "$flagmenu")

# Nothing that clients and flagmenu store is needed afterwards.
TMPDIR=$(mktemp -d)
export TMPDIR
trap 'rm -rf "$TMPDIR"' EXIT
failed=() status=0
for part in "${parts[@]}"; do
    arguments=()
    if [ "$part" = hostile ] && [ -n "$long" ]; then arguments=(--long); fi
    # Proxies are for external hosts; PYTHONPATH and the like could select other clients.
    env -u PYTHONPATH -u PYTHONHOME NO_PROXY=127.0.0.1 no_proxy=127.0.0.1 \
        timeout --kill-after=5 900 "$place/bin/python" -B "$scripts/$part.py" "$flagmenu" ${arguments[@]+"${arguments[@]}"} ||
        status=$?
    # 77 is "skipped", for the reason that the part has printed.
    if [ "$status" -ne 0 ] && [ "$status" -ne 77 ]; then failed+=("$part"); fi
    if [ "$status" -ne 77 ]; then status=0; fi
done
[ ${#failed[@]} -eq 0 ] || {
    echo "flagmenu serve does not respond as it should: ${failed[*]}." >&2
    exit 1
}
exit "$status"
