#!/usr/bin/env bash
# Shows a menu and, beside it in tmux, an app in Kotlin: the flags of a Firebase template with config_categories, served
# by flagmenu serve, and read by the app with the code of flagmenu generate kotlin.
#
# usage: kotlin-demo.sh [--programs FOLDER] [--check]
#
# FOLDER has the built flagmenu. --check toggles the flag in the menu, waits until the app shows it, and ends; without
# it, the demo runs in tmux until its window is closed. Exits with 77 if tmux, Java or the Kotlin compiler is missing.
set -euo pipefail
source "$(dirname "$0")/shared.sh"
needs tmux kotlinc java
python_checks kotlin-demo demo "$@"
