#!/usr/bin/env bash
# Calls every tool of flagmenu mcp with the Python clients of the Model Context Protocol: the one that speaks both eras of
# the protocol, in each of its modes, and the last one that speaks the former era alone; with --write and without.
#
# usage: agents.sh [--programs FOLDER]
#
# FOLDER has the built flagmenu. Installs the clients from the package index into .build; exits with 77 if it cannot.
set -euo pipefail
source "$(dirname "$0")/shared.sh"
if [ "${1:-}" = --client ]; then python_checks "$2" ../agents/tools "${@:3}"; fi
worst=0
for client in agents agents-former; do
    status=0
    "$scripts/agents.sh" --client "$client" "$@" || status=$?
    [ $status -eq 0 ] || [ $worst -eq 1 ] || worst=$status
done
exit $worst
