#!/usr/bin/env bash
# Shows a team on this machine: three members of etcd, two menus in tmux that share a team's overrides, a server, and a Python
# client that prints each change.
#
# usage: team-demo.sh [--flagmenu PATH] [--check]
#
# PATH is that of a built flagmenu; by default, .build/debug/flagmenu. --check changes a flag for the team, waits until both
# menus and the client show it, and ends; without it, the demo runs in tmux until its window is closed. Everything is in a
# temporary folder. Exits with 77 if etcd, tmux or the client's packages are missing.
set -euo pipefail
cd "$(dirname "$0")/../.."
source .github/scripts/python-packages.sh
scripts=$PWD/.github/scripts

flagmenu=.build/debug/flagmenu check=
while [ $# -gt 0 ]; do
    case $1 in
    --flagmenu)
        flagmenu=${2:?--flagmenu needs a path}
        shift
        ;;
    --check) check=1 ;;
    *)
        echo "\"$1\" is not an option of team-demo.sh." >&2
        exit 2
        ;;
    esac
    shift
done
[ -x "$flagmenu" ] || {
    echo "There is no program $flagmenu. Build it with: swift build --product flagmenu" >&2
    exit 2
}
flagmenu=$(realpath "$flagmenu")

for program in etcd tmux python3; do command -v "$program" >/dev/null || skip "there is no $program"; done
place=$PWD/.build/team-demo
python_packages "$place" "the client's packages" "$scripts/team-demo/requirements.txt"

folder=$(mktemp -d)
socket=flagmenu-team-demo-$$
children=()
finish() {
    tmux -L "$socket" kill-server 2>/dev/null || true
    for child in "${children[@]}"; do kill "$child" 2>/dev/null || true; done
    wait 2>/dev/null || true
    rm -rf "$folder"
}
trap finish EXIT

# A program without these parts says so at once, and needs no server for it.
for line in "serve --sample --link" "--sample --team etcd://127.0.0.1:1/demo list"; do
    HOME="$folder/parts" "$flagmenu" $line >/dev/null 2>"$folder/parts.log" || true
    if grep -q "not compiled into this program" "$folder/parts.log"; then
        cat "$folder/parts.log" >&2
        echo "The demo needs the server and the network. Build them with: swift build --product flagmenu" >&2
        exit 2
    fi
done

free_port() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }
members=() cluster=()
for number in 1 2 3; do
    members+=("127.0.0.1:$(free_port)")
    cluster+=("m$number=http://127.0.0.1:$(free_port)")
done
for number in 1 2 3; do
    peer=${cluster[number - 1]#*=}
    client=http://${members[number - 1]}
    etcd --name "m$number" --data-dir "$folder/m$number" --listen-peer-urls "$peer" --initial-advertise-peer-urls "$peer" \
        --listen-client-urls "$client" --advertise-client-urls "$client" \
        --initial-cluster "$(IFS=,; echo "${cluster[*]}")" >"$folder/m$number.log" 2>&1 &
    children+=($!)
done
team="etcd://$(IFS=,; echo "${members[*]}")/demo"

# person NAME: the command line of one person's flagmenu, with a home of its own.
person() { echo "env HOME=$folder/$1 USER=$1 TERM=xterm-256color LC_ALL=C.UTF-8 $flagmenu --sample --team $team"; }
mkdir -p "$folder/ana" "$folder/bob" "$folder/server"

# wait_for WHAT COMMAND...: until the command succeeds, at most 30 seconds.
wait_for() {
    local what=$1
    shift
    for _ in $(seq 300); do
        "$@" >/dev/null 2>&1 && return
        sleep 0.1
    done
    echo "This did not happen within 30 seconds: $what" >&2
    cat "$folder/serve.log" >&2 2>/dev/null || true
    exit 1
}
wait_for "etcd responds" $(person server) list --layer team

env HOME="$folder/server" "$flagmenu" serve --sample --team "$team" --port 0 --json >"$folder/served" 2>"$folder/serve.log" &
children+=($!)
wait_for "the server starts" test -s "$folder/served"
url=$(python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["url"])' "$folder/served")
key=enable_multiple_locations
client="$place/bin/python $scripts/team-demo/client.py $url $key"

tmux -L "$socket" -f /dev/null new-session -d -x 160 -y 40 -s demo "$(person ana)"
tmux -L "$socket" split-window -h -t demo "$(person bob)"
tmux -L "$socket" split-window -v -t demo "$client 0"
if [ -z "$check" ]; then
    echo "Pages: $(python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["link"])' "$folder/served")"
    tmux -L "$socket" attach -t demo
    exit
fi

shows() { tmux -L "$socket" capture-pane -p -t "demo.$1" | grep -q "$2"; }
wait_for "the menus open" shows 0 "Multiple locations"
wait_for "the client prints the first value" shows 2 "$key = false (remote)"
$(person ana) set "$key" true --layer team
wait_for "ana's menu shows the team's value" shows 0 "true *team"
wait_for "bob's menu shows the team's value" shows 1 "true *team"
wait_for "the client prints the team's value" shows 2 "$key = true (team)"
echo "Both menus and the client have the team's value."
