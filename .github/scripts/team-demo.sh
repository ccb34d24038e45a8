#!/usr/bin/env bash
# Shows a team on this machine: three members of etcd, two menus in tmux that share a team's overrides, a server, and a
# Python client that prints each change.
#
# usage: team-demo.sh [--programs FOLDER] [--check]
#
# FOLDER has the built flagmenu. --check changes a flag for the team, waits until both menus and the client show it, and
# ends; without it, the demo runs in tmux until its window is closed. Exits with 77 if etcd, tmux or the client's
# packages are missing.
set -euo pipefail
source "$(dirname "$0")/shared.sh"
needs etcd tmux
python_checks team-demo demo "$@"
