#!/usr/bin/env bash
# Shows running apps on this machine: the menu, and beside it two demos in tmux. The upper demo follows its flags, the
# lower one reads them only at its start.
#
# usage: running-demo.sh [--programs FOLDER] [--check]
#
# FOLDER has the built flagmenu and flagmenu-demo. --check changes a flag, waits until the upper demo shows it and the
# menu says which demo took it and which one needs a restart, restarts the lower one, and ends; without it, the demo
# runs in tmux until its window is closed. Exits with 77 if tmux is missing.
set -euo pipefail
source "$(dirname "$0")/shared.sh"
needs tmux
python_checks running-demo demo "$@"
