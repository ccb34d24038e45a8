#!/usr/bin/env bash
# Shows running apps on this machine: the menu, and beside it two demos in tmux. The upper demo follows its flags, the lower one
# reads them only at its start.
#
# usage: running-demo.sh [--programs FOLDER] [--check]
#
# FOLDER has the built flagmenu and flagmenu-demo; by default, .build/debug. --check changes a flag, waits until the upper demo
# shows it and the menu says which demo took it and which one needs a restart, restarts the lower one, and ends; without it, the
# demo runs in tmux until its window is closed. Everything is in a temporary folder. Exits with 77 if tmux is missing.
set -euo pipefail
cd "$(dirname "$0")/../.."

programs=.build/debug check=
while [ $# -gt 0 ]; do
    case $1 in
    --programs)
        programs=${2:?--programs needs a folder}
        shift
        ;;
    --check) check=1 ;;
    *)
        echo "\"$1\" is not an option of running-demo.sh." >&2
        exit 2
        ;;
    esac
    shift
done
for program in flagmenu flagmenu-demo; do
    [ -x "$programs/$program" ] || {
        echo "There is no program $programs/$program. Build it with: swift build --traits CommandLine --product $program" >&2
        exit 2
    }
done
programs=$(realpath "$programs")
command -v tmux >/dev/null || { echo "running-demo.sh was skipped: there is no tmux." >&2; exit 77; }

folder=$(mktemp -d)
socket=flagmenu-running-demo-$$
finish() {
    tmux -L "$socket" kill-server 2>/dev/null || true
    # The programs may still be writing.
    for _ in 1 2 3; do rm -rf "$folder" 2>/dev/null && return; sleep 0.3; done
}
trap finish EXIT

# in_home PROGRAM [ARGUMENT...]: the command line of a program with the home of this demo.
in_home() { echo "env HOME=$folder TERM=xterm-256color LC_ALL=C.UTF-8 $programs/$*"; }
once=$(in_home flagmenu-demo --once --screen onboarding)

tmux -L "$socket" -f /dev/null new-session -d -x 170 -y 44 -s demo "$(in_home flagmenu --sample)"
tmux -L "$socket" split-window -h -l 70 -t demo "$(in_home flagmenu-demo --screen onboarding)"
tmux -L "$socket" split-window -v -t demo "$once"
tmux -L "$socket" select-pane -t demo.0
if [ -z "$check" ]; then
    tmux -L "$socket" attach -t demo
    exit
fi

# wait_for WHAT PANE PATTERN: until the pane shows the pattern, at most 30 seconds.
wait_for() {
    for _ in $(seq 300); do
        tmux -L "$socket" capture-pane -p -t "demo.$2" | grep -q "$3" && return
        sleep 0.1
    done
    echo "This did not happen within 30 seconds: $1. The pane shows:" >&2
    tmux -L "$socket" capture-pane -p -t "demo.$2" >&2
    exit 1
}
wait_for "the menu lists two apps" 0 "2 apps running"
wait_for "the first demo opens" 1 "Good morning"
wait_for "the second demo opens" 2 "flags read at the start"
$(in_home flagmenu --sample) set greeting_text Hello --quiet
wait_for "the first demo shows the override" 1 "Hello"
wait_for "the second demo keeps its text" 2 "Good morning"
status=0
$(in_home flagmenu --sample) set greeting_text Hello --wait 1 2>"$folder/said" || status=$?
[ "$status" -eq 6 ] && grep -q "restart it" "$folder/said" || {
    echo "set --wait exited with $status, not with 6: $(cat "$folder/said")" >&2
    exit 1
}
tmux -L "$socket" send-keys -t demo.0 / greeting Enter i
wait_for "the details name the demo that uses the value" 0 "took Hello after"
wait_for "the details name the demo that must be restarted" 0 "restart it"
tmux -L "$socket" respawn-pane -k -t demo.2 "$once"
wait_for "the restarted demo shows the override" 2 "Hello"
$(in_home flagmenu --sample) set greeting_text Hello --wait
echo "One demo took the change at once, the other after its restart, and the menu said so."
