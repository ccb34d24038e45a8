#!/usr/bin/env bash
# Makes the pictures in screenshots/ from the real program, or checks that they still show it.
#
# usage: pictures.sh [--check-text] [--programs FOLDER] [SCENE...]
#
#   pictures.sh               builds a release and makes every picture and its text
#   pictures.sh list tour     only these
#   pictures.sh --check-text  makes the texts in a temporary folder and compares them exactly; each picture must be one
#                             of its text. Needs tmux and no X server
#   --programs FOLDER         uses the flagmenu and the flagmenu-demo in it, and builds nothing
#
# Each scene of pictures/scenes.txt runs twice at the same time, with the same keys: in tmux, which prints the screen as
# text and style (NAME.txt), and in xterm under Xvfb, which shows it (NAME.png). A picture is taken if xterm's own print
# of its screen equals the text from tmux, so the two cannot disagree. Exits with 77 if tmux is missing.
set -euo pipefail
source "$(dirname "$0")/shared.sh"
export LC_ALL=C.UTF-8 TZ=UTC
needs tmux
[[ " $* " == *" --programs "* ]] || {
    for product in flagmenu flagmenu-demo; do swift build -c release --product "$product" >&2; done
    set -- "$@" --programs "$(swift build -c release --show-bin-path)"
}
exec python3 -B "$scripts/common.py" "$scripts/pictures/make.py" "$@"
