#!/usr/bin/env bash
# Makes the pictures in screenshots/ from the real program, or checks that they still show it.
#
# usage: pictures.sh [--check | --check-text] [--program FILE] [SCENE...]
#
#   pictures.sh               builds a release and makes every picture and its text
#   pictures.sh list tour     only these
#   pictures.sh --check       makes them in a temporary folder and compares: texts exactly; pictures within a small
#                             tolerance, if the terminal and the fonts are the same
#   pictures.sh --check-text  compares texts only, which needs tmux and no X server; prints so without tmux
#   --program FILE            uses this flagmenu, and the flagmenu-demo beside it, and builds nothing
#
# Each scene of pictures/scenes.sh runs twice at the same time, with the same keys: in tmux, which prints the screen as
# text and style (NAME.txt), and in xterm under Xvfb, which shows it (NAME.png). A picture is taken if xterm's own print
# of its screen equals the text from tmux, so the two cannot disagree.
#
# Exit status: 0 done or equal, 1 a scene failed or a picture does not match the program, 2 usage.
set -euo pipefail
export LC_ALL=C.UTF-8 TZ=UTC

root=$(cd "$(dirname "$0")/../.." && pwd)
scripts=$root/.github/scripts/pictures
goal=make program='' chosen=()
while [ $# -gt 0 ]; do
    case $1 in
    --check | --check-text) goal=${1#--} ;;
    --program)
        [ $# -gt 1 ] || { echo "--program needs a file." >&2; exit 2; }
        program=$(cd "$(dirname "$2")" && pwd)/$(basename "$2")
        shift
        ;;
    -*) echo "There is no option $1. See the top of $0." >&2; exit 2 ;;
    *) chosen+=("$1") ;;
    esac
    shift
done

if ! command -v tmux >/dev/null; then
    [ "$goal" = check-text ] && { echo "skipped: tmux is not installed, so no text of a screen can be taken."; exit 0; }
    echo "tmux is missing: .github/scripts/packages.sh pictures" >&2
    exit 2
fi
has_x() { for tool in Xvfb xterm xdotool import convert gifsicle; do command -v "$tool" >/dev/null || return 1; done; }
with_pictures=yes
if [ "$goal" = check-text ]; then
    with_pictures=''
elif ! has_x; then
    [ "$goal" = make ] && { echo "A program is missing: .github/scripts/packages.sh pictures" >&2; exit 2; }
    echo "Only texts are compared: Xvfb, xterm, xdotool, imagemagick or gifsicle is not installed."
    with_pictures=''
fi

if [ -z "$program" ]; then
    swift build --package-path "$root" -c release --product flagmenu >&2
    swift build --package-path "$root" -c release --product flagmenu-demo >&2
    program=$(swift build --package-path "$root" -c release --show-bin-path)/flagmenu
fi
[ -x "$program" ] || { echo "There is no program $program." >&2; exit 2; }

temporary=$(cd "$(mktemp -d)" && pwd -P)
made=$temporary/made
mkdir "$made"
. "$scripts/stage.sh"
. "$scripts/compare.sh"
trap close_stage EXIT

open_stage
. "$scripts/scenes.sh"
. "$scripts/tour.sh"
require_scenes

is_equal=yes
case $goal in
make)
    mkdir -p "$root/screenshots"
    [ ${#played[@]} -eq 0 ] || cp "$made"/* "$root/screenshots/"
    [ ${#chosen[@]} -gt 0 ] || [ ${#failed[@]} -gt 0 ] || remove_unmade "$root/screenshots"
    echo "${#played[@]} scenes, $(cat "$root"/screenshots/*.[pg]* | wc -c | tr -d ' ') bytes of pictures in screenshots/"
    ;;
*) compare_all "$root/screenshots" || is_equal='' ;;
esac
[ ${#failed[@]} -eq 0 ] || echo "These scenes could not be played: ${failed[*]}" >&2
[ ${#failed[@]} -eq 0 ] && [ -n "$is_equal" ]
