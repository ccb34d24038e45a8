#!/usr/bin/env bash
# Installs what building FlagMenu needs beyond Swift 6.2 or later; with "tests", also what check.sh needs, with "all",
# what check.sh --all needs, and with "pictures", what makes screenshots/.
#
# usage: packages.sh [tests | all | pictures]
#
# Debian and Ubuntu: with apt-get, as root or with sudo, and only what is missing. macOS: the system has ncurses,
# expat and zlib, and Homebrew has libyaml. Elsewhere: prints what is needed.
set -euo pipefail
source "$(dirname "$0")/shared.sh"

need=(libncurses-dev libexpat1-dev libyaml-dev zlib1g-dev)
# Tests run the menu in tmux; the shells and groff check the completion scripts and the man page; zbar reads QR codes.
[[ "${1:-}" = tests || "${1:-}" = all ]] && need+=(tmux zsh fish groff procps zbar-tools)
# openssl makes the certificate of a test's server; etcd is the real store of a team; Chromium operates the page; the
# compilers check generated code; valgrind counts instructions.
[ "${1:-}" = all ] && need+=(openssl etcd-server etcd-client chromium chromium-driver kotlin node-typescript valgrind)
# A real terminal on a headless X server, its keys, its picture, and the one font of all pictures.
[ "${1:-}" = pictures ] && need+=(tmux xterm xvfb xdotool imagemagick gifsicle fontconfig fonts-dejavu-core)

command -v swift >/dev/null || fail "Swift is missing. Install Swift 6.2 or later: https://www.swift.org/install"
if [ "$(uname)" = Darwin ]; then
    command -v brew >/dev/null || {
        echo "No Homebrew here. Install libyaml and pkg-config by other means." >&2
        exit 0
    }
    for package in libyaml pkgconf; do brew list "$package" >/dev/null 2>&1 || brew install "$package"; done
    exit 0
fi
command -v apt-get >/dev/null || {
    echo "No apt-get here. Install ncurses, expat, libyaml and zlib with their headers (and tmux for the tests) by other means." >&2
    exit 0
}

missing=()
for package in "${need[@]}"; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q "install ok installed" || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0

as_root=()
if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null ||
        fail "These packages are missing, and there is neither root nor sudo to install them: ${missing[*]}"
    as_root=(sudo)
fi
echo "installing ${missing[*]}"
"${as_root[@]}" apt-get update -qq
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}"
