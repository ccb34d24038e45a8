# The stage: runs the scenes. Sourced by pictures.sh.
#
# The commands of a scene, in this order:
#   scene NAME COLUMNSxROWS [light] [VARIABLE=VALUE...]   begins; variables are those of the program's environment
#   overridden KEY=VALUE...                               overrides, set by ana 3 days ago
#   does COMMAND                                          runs in the shop's folder; also while the menu is open
#   opens [COMMAND]                                       opens the terminals; `flagmenu` unless said otherwise
#   presses KEY...                                        characters and tmux's names of keys
#   types TEXT                                            a text, character by character, and waits until it is there
#   sees TEXT...                                          waits until all of it is on the screens, and fails if it never is
#   rests_at TEXT                                         waits until it is the last line, as a prompt is
#   shot                                                  takes text and picture, and closes the terminals
# The tour has `frame CAPTION HUNDREDTHS` in between.

terminals=(tmux)
played=() known=() failed=()
# Whether the current scene has failed, so that its rest is skipped.
is_broken=''
# The expected text, so that a check need not wait for the screen to rest.
expected=/dev/null
# The tools of the pictures: only pictures from the same tools are compared.
maker=''
x_server='' x_terminal='' window=''

# xterm's colours: the 16 of a modern terminal, not those of 1987. The menu names colours; these define them.
palette_dark='#0d1117 #c9d1d9 #161b22 #da3633 #3fb950 #d29922 #58a6ff #bc8cff #39c5cf #e6edf3 #6e7681 #ffa198 #56d364 #e3b341 #79c0ff #d2a8ff #56d4dd #f0f6fc'
palette_light='#ffffff #24292f #24292f #cf222e #116329 #bf8700 #0969da #8250df #1b7c83 #ffffff #57606a #a40e26 #1a7f37 #d4a72c #218bff #a475f9 #3192aa #ffffff'

open_stage() {
    printf '%s\n' 'set -g status off' 'set -g default-terminal screen-256color' 'set -g escape-time 0' \
        >"$temporary/tmux.conf"
    # The server exits with its last window, so one stays open until the end.
    in_tmux new-session -d -s keeper cat
    [ -n "$with_pictures" ] || return 0
    terminals=(tmux xterm)
    # Xvfb finds a free display itself and prints its number.
    Xvfb -displayfd 3 -screen 0 2600x1800x24 -nolisten tcp 3>"$temporary/display" 2>"$temporary/xvfb.log" &
    x_server=$!
    wait_for 20 test -s "$temporary/display" || fail "Xvfb did not start: $(cat "$temporary/xvfb.log")"
    DISPLAY=:$(cat "$temporary/display")
    export DISPLAY
    maker="$(xterm -version), $(fc-match -f '%{file} %{fontversion}' 'DejaVu Sans Mono'), $(convert -version | sed -n '1s/.*\(ImageMagick [^ ]*\).*/\1/p')"
}

close_stage() {
    close_terminals
    in_tmux kill-server 2>/dev/null || true
    [ -n "$x_server" ] && kill "$x_server" 2>/dev/null
    rm -rf "$temporary"
}

close_terminals() {
    in_tmux kill-session -t stage 2>/dev/null || true
    [ -n "$x_terminal" ] || return 0
    kill "$x_terminal" 2>/dev/null || true
    wait "$x_terminal" 2>/dev/null || true
    x_terminal=''
}

# ---- Commands of scenes

scene() {
    known+=("$1") is_broken=''
    name=$1 size=$2 look=dark variables=() place=$temporary/$1
    shift 2
    [ "${1:-}" = light ] && { look=light; shift; }
    variables=("$@")
    columns=${size%x*} rows=${size#*x}
    is_chosen || return 0
    for terminal in "${terminals[@]}"; do
        mkdir -p "$place/$terminal/home" "$place/$terminal/shop"
        cp "$scripts"/shop/* "$place/$terminal/shop/"
    done
}

overridden() {
    is_chosen || return 0
    local terminal store entry entries='' moment
    moment=$(days_ago 3)
    for entry in "$@"; do
        entries+="${entries:+,}\"${entry%%=*}\":{\"value\":\"${entry#*=}\",\"setAt\":\"$moment\",\"setBy\":\"ana\"}"
    done
    for terminal in "${terminals[@]}"; do
        store=$place/$terminal/home/.local/state/flagmenu/shop
        mkdir -p "$store"
        printf '{"format":1,"revision":1,"overrides":{%s}}\n' "$entries" >"$store/overrides.json"
    done
}

does() {
    is_chosen || return 0
    local terminal
    for terminal in "${terminals[@]}"; do
        write_script "$terminal" "$1" "$place/$terminal/aside.sh"
        sh "$place/$terminal/aside.sh" >"$place/$terminal/said" 2>&1 \
            || fail "'$1' ended with $?: $(cat "$place/$terminal/said")"
    done
}

opens() {
    is_chosen || return 0
    local terminal
    for terminal in "${terminals[@]}"; do
        write_script "$terminal" "${1:-flagmenu}; exec cat" "$place/$terminal/window.sh"
        "open_$terminal"
    done
}

presses() {
    is_chosen || return 0
    local key
    for key in "$@"; do
        in_tmux send-keys -t stage -- "$key"
        [ -n "$x_terminal" ] && press_in_xterm "$key"
    done
    return 0
}

types() {
    is_chosen || return 0
    in_tmux send-keys -t stage -l -- "$1"
    [ -z "$x_terminal" ] || xdotool type -- "$1"
    sees "$1"
}

sees() {
    is_chosen || return 0
    local terminal text
    for terminal in "${terminals[@]}"; do
        for text in "$@"; do
            wait_for 30 shows "$terminal" "$text" \
                || fail "'$text' does not appear in $terminal, which shows:"$'\n'"$("text_of_$terminal")"
        done
    done
}

rests_at() {
    is_chosen || return 0
    local terminal
    for terminal in "${terminals[@]}"; do
        wait_for 30 ends "$terminal" "$1" || fail "'$1' is not the last line in $terminal:"$'\n'"$("text_of_$terminal")"
    done
}

shot() {
    is_chosen || return 0
    expected=$root/screenshots/$name.txt
    settle
    is_chosen || return 0
    dump >"$made/$name.txt"
    refuse_what_varies "$made/$name.txt"
    is_chosen || { rm "$made/$name.txt"; return 0; }
    if [ -n "$x_terminal" ]; then grab "$made/$name.png"; fi
    close_terminals
    played+=("$name")
    printf '  %s\n' "$name"
}

# ---- Helpers of the stage

is_chosen() {
    [ -z "$is_broken" ] || return 1
    [ ${#chosen[@]} -eq 0 ] && return 0
    local one
    for one in "${chosen[@]}"; do [ "$one" = "$name" ] && return 0; done
    return 1
}

# One scene fails, the others run all the same.
fail() {
    [ -z "$is_broken" ] || return 0
    echo "${name:-stage}: $*" >&2
    [ -n "${name:-}" ] || exit 1
    is_broken=yes
    failed+=("$name")
    close_terminals
}

# Retries a command until it succeeds, for SECONDS.
wait_for() {
    local end=$((SECONDS + $1))
    shift
    [ -z "$is_broken" ] || return 1
    until "$@"; do
        [ "$SECONDS" -lt "$end" ] || return 1
        sleep 0.05
    done
}

days_ago() {
    # An hour more, so that it is the same number of days however long a scene takes.
    local moment=$(($(date +%s) - $1 * 86400 - 3600))
    date -u -d "@$moment" +%FT%TZ 2>/dev/null || date -u -r "$moment" +%FT%TZ
}

# A script that runs a command as the shop's tester: own home, pinned locale and time zone, nothing of this machine.
write_script() {
    local terminal=$1 command=$2 file=$3 kind=xterm-256color words=''
    [ "$terminal" = tmux ] && kind=screen-256color
    local pair
    for pair in "HOME=$place/$terminal/home" "PATH=$(dirname "$program"):/usr/local/bin:/usr/bin:/bin" SHELL=/bin/sh \
        LC_ALL=C.UTF-8 TZ=UTC "TERM=$kind" ${variables[@]+"${variables[@]}"}; do
        words+=" '$pair'"
    done
    {
        printf 'printf %%s "$WINDOWID" >"%s.id"\n' "$file"
        printf 'cd "%s" && exec env -i%s sh "%s.command"\n' "$place/$terminal/shop" "$words" "$file"
    } >"$file"
    printf '%s\n' "$command" >"$file.command"
}

ends() { [ "$("text_of_$1" | grep -v '^$' | tail -1)" = "$2" ]; }
shows() { grep -qF -- "$2" <<<"$("text_of_$1")"; }

# Waits until both screens show the same and no longer change.
settle() {
    wait_for 30 is_settled || fail "the screens do not come to rest or do not agree; tmux shows:
$(text_of_tmux)
xterm shows:
$([ -z "$x_terminal" ] || text_of_xterm)"
}

is_settled() {
    local first
    first=$(dump)
    if [ -n "$x_terminal" ]; then
        [ "$(text_of_xterm)" = "$(text_of_tmux)" ] || return 1
    else
        # The expected text has come, or nothing changes any more.
        [ "$first" = "$(cat "$expected" 2>/dev/null)" ] && return 0
        sleep 0.3
    fi
    [ "$first" = "$(dump)" ]
}

# Folders and users are those of one machine; pictures must not show them.
refuse_what_varies() {
    if grep -qF -e "$temporary" -e "by $(id -un)" "$1"; then
        fail "the screen shows a folder or a user of this machine:"$'\n'"$(cat "$1")"
    fi
}

is_known() { case " ${known[*]} " in *" $1 "*) ;; *) return 1 ;; esac; }

require_scenes() {
    local one
    for one in ${chosen[@]+"${chosen[@]}"}; do
        is_known "$one" || {
            echo "There is no scene $one, but these: ${known[*]}" >&2
            exit 2
        }
    done
}

# ---- tmux

in_tmux() { TMUX='' TMUX_TMPDIR=$temporary tmux -u -L pictures -f "$temporary/tmux.conf" "$@"; }

open_tmux() {
    # tmux's response to a request for its background.
    local colours=palette_$look
    set -- ${!colours}
    in_tmux set-option -g window-style "bg=$1,fg=$2"
    in_tmux new-session -d -s stage -x "$columns" -y "$rows" "sh '$place/tmux/window.sh'"
}

text_of_tmux() { in_tmux capture-pane -p -t stage | sed 's/ *$//'; }

# The screen as a complete text: size, cursor, text, and styles.
dump() {
    in_tmux display-message -p -t stage \
        '#{pane_width}x#{pane_height}, cursor #{?cursor_flag,in row #{e|+:#{cursor_y},1} column #{e|+:#{cursor_x},1},hidden}'
    echo
    text_of_tmux
    echo
    in_tmux capture-pane -p -N -e -t stage | LC_ALL=C awk -f "$scripts/styles.awk"
}

# ---- xterm

open_xterm() {
    local colours=palette_$look settings=() index=0 colour points=13
    set -- ${!colours}
    local background=$1 foreground=$2
    shift 2
    for colour in "$@"; do settings+=(-xrm "*VT100.color$index: $colour") && index=$((index + 1)); done
    [ "$columns" -gt 100 ] && points=12
    [ "$columns" -gt 160 ] && points=10
    rm -f "$place/xterm/window.sh.id"
    # alwaysHighlight: the cursor is drawn as in the window that has the focus. Print writes the screen to a file.
    env -u SESSION_MANAGER xterm -u8 -fa 'DejaVu Sans Mono' -fs $points -b 14 -bw 0 +sb -geometry "${columns}x$rows+0+0" \
        -bg "$background" -fg "$foreground" -cr "$foreground" "${settings[@]}" \
        -xrm '*VT100.alwaysHighlight: true' -xrm '*VT100.cursorBlink: never' -xrm '*VT100.boldColors: false' \
        -xrm "*VT100.printerCommand: cat >'$temporary/print.part' && mv '$temporary/print.part' '$temporary/print'" \
        -xrm '*VT100.printAttributes: 0' -xrm '*VT100.printerAutoClose: true' \
        -xrm '*VT100.translations: #override <Key>Print: print()' \
        -e sh "$place/xterm/window.sh" 2>"$temporary/xterm.log" &
    x_terminal=$!
    wait_for 20 test -s "$place/xterm/window.sh.id" || { fail "xterm did not start: $(cat "$temporary/xterm.log")"; return 0; }
    window=$(cat "$place/xterm/window.sh.id")
    wait_for 10 xdotool windowfocus "$window" 2>/dev/null || fail "xterm does not take the focus"
}

text_of_xterm() {
    rm -f "$temporary/print"
    xdotool key --window 0 Print
    wait_for 5 test -f "$temporary/print" || return 0
    sed 's/ *$//' "$temporary/print"
}

press_in_xterm() {
    local key=$1
    case $key in
    Enter) key=Return ;;
    Space) key=space ;;
    BSpace) key=BackSpace ;;
    PPage) key=Prior ;;
    NPage) key=Next ;;
    C-?) key=ctrl+${key#C-} ;;
    esac
    if [ ${#key} -eq 1 ]; then xdotool type -- "$key"; else xdotool key "$key"; fi
}

# The comment of a picture that identifies its text.
seal() { printf 'text %s' "$(cksum <"$1" | tr ' ' '-')"; }

grab() {
    # Few colours, as in a terminal: an eighth of the size, without a visible difference. -strip would remove the
    # comment.
    import -window "$window" png:- | convert png:- +profile '*' +dither -colors 96 -set comment "$maker; $(seal "$made/$name.txt")" \
        -define png:compression-level=9 -define png:exclude-chunks=date,tIME "PNG8:$1"
}
