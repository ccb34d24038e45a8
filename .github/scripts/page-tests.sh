#!/usr/bin/env bash
# Operates the page of flagmenu serve in a real Chromium: by keyboard alone, with changes made elsewhere, without a connection,
# read-only, on a phone and on a desktop, light and dark. axe-core must find no violation in any of these states.
#
# usage: page-tests.sh [--flagmenu PATH | --url LINK --token TOKEN] [--pictures FOLDER]
#
# PATH is that of a built flagmenu, which serves its sample. LINK is the link that a running `flagmenu serve` printed for the
# sample, and TOKEN its token. Without them, a stand-in for the API in Python serves the page from Sources; then, the page's
# speed with 1,000 and 10,000 flags is measured as well. FOLDER gets a picture of each size and colour scheme.
#
# Installs Selenium and axe-core from the package index into .build/page-tests. If there is no Chromium with its driver, no
# Python with venv, or no index, prints so and exits with 77, which is "skipped" and not "passed".
set -euo pipefail
cd "$(dirname "$0")/../.."
source .github/scripts/python-packages.sh
scripts=$PWD/.github/scripts/page

link= token= pictures= flagmenu=
while [ $# -gt 0 ]; do
    case $1 in
    --flagmenu) flagmenu=$(realpath "${2:?--flagmenu needs a path}") ;;
    --url) link=${2:?--url needs a link} ;;
    --token) token=${2:?--token needs a token} ;;
    --pictures) pictures=${2:?--pictures needs a folder} ;;
    *)
        echo "\"$1\" is not an option of page-tests.sh." >&2
        exit 2
        ;;
    esac
    shift 2
done
[ -z "$link" ] || [ -n "$token" ] || {
    echo "--url needs --token: the checks also make changes outside of the browser." >&2
    exit 2
}

for program in chromium chromedriver; do
    command -v "$program" >/dev/null || skip "there is no $program (Debian: apt-get install chromium chromium-driver)"
done
place=$PWD/.build/page-tests
python_packages "$place" "Selenium and axe-core" "$scripts/requirements.txt" "$scripts/axe.txt"

# Proxies are for external hosts, and would not reach this one.
run() {
    env -u PYTHONPATH -u PYTHONHOME NO_PROXY=127.0.0.1 no_proxy=127.0.0.1 \
        timeout --kill-after=5 600 "$place/bin/python" -B "$@"
}
if [ -n "$pictures" ]; then
    mkdir -p "$pictures"
    run "$scripts/pictures.py" "$PWD" "$pictures"
fi
if [ -n "$flagmenu" ]; then
    home=$(mktemp -d)
    (cd "$home" && exec env -i HOME="$home" PATH="$PATH" LC_ALL=C.UTF-8 "$flagmenu" serve --sample --port 0 --json >"$home/served") &
    server=$!
    trap 'kill "$server" 2>/dev/null; wait "$server" 2>/dev/null; rm -rf "$home"' EXIT
    for _ in $(seq 100); do
        [ -s "$home/served" ] && break
        sleep 0.1
    done
    member() { python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))[sys.argv[2]])' "$@"; }
    link=$(member "$home/served" link)
    token=$(member "$(member "$home/served" tokenFile)" token)
fi
run "$scripts/checks.py" "$PWD" ${link:+"$link" "$token"}
