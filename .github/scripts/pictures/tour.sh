# The tour: the animated picture at the top of the README. Sourced by pictures.sh after scenes.sh.
#
# Its frames are grabs of xterm like every other picture, each with a caption below that names the keys.

frames=0 tour_hundredths=0

# Captures the screen: `frame HUNDREDTHS CAPTION`.
frame() {
    is_chosen || return 0
    frames=$((frames + 1))
    tour_hundredths=$((tour_hundredths + $1))
    local number
    number=$(printf %02d $frames)
    expected=$place/expected.txt
    part_of_tour "$number" >"$expected"
    settle
    is_chosen || return 0
    mkdir -p "$place/frames"
    { printf '== %s: %s\n' "$number" "$2" && dump && echo; } >"$place/frames/$number.txt"
    refuse_what_varies "$place/frames/$number.txt"
    is_chosen || return 0
    [ -z "$x_terminal" ] || grab_with_caption "$2" "$place/frames/$number-$1.gif"
}

# The lines of a frame in the tour's text, without its head.
part_of_tour() {
    awk -v head="== $1: " 'index($0, "== ") == 1 { here = index($0, head) == 1; next } here' \
        "$root/screenshots/tour.txt" 2>/dev/null || true
}

grab_with_caption() {
    import -window "$window" png:- | convert png:- -strip \
        \( -size "$(xdotool getwindowgeometry --shell "$window" | sed -n 's/^WIDTH=//p')x48" xc:'#161b22' \
        -font DejaVu-Sans -pointsize 19 -fill '#e6edf3' -gravity center -annotate 0 "$1" \) \
        -append +dither -colors 48 "$2"
}

end_of_tour() {
    is_chosen || return 0
    cat "$place"/frames/*.txt >"$made/tour.txt"
    [ -z "$x_terminal" ] || join_frames
    is_chosen || return 0
    close_terminals
    played+=("$name")
    printf '  %s (%s frames, %s.%02d s)\n' "$name" "$frames" $((tour_hundredths / 100)) $((tour_hundredths % 100))
}

join_frames() {
    local file list=() delay
    for file in "$place"/frames/*.gif; do
        delay=${file##*-}
        list+=(--delay "${delay%.gif}" "$file")
    done
    gifsicle --no-warnings -O3 --colors 64 --loopcount=forever --comment "$(seal "$made/tour.txt")" "${list[@]}" -o "$made/tour.gif"
    local size
    size=$(wc -c <"$made/tour.gif")
    [ "$size" -le 2000000 ] || fail "tour.gif has $size bytes, more than 2 MB."
    [ "$tour_hundredths" -le 2000 ] || fail "tour.gif takes $tour_hundredths hundredths of a second, more than 20 s."
}

scene tour 80x24
overridden passkeys_enabled=true
opens
sees 'Express checkout' '1 changed'
frame 180 'flagmenu: every flag, the value apps use, and where it comes from'
for step in 1 2 3; do
    presses j
    frame 18 'j  k  or arrows: move'
done
frame 50 'j  k  or arrows: move'
presses /
frame 40 '/  filter as you type'
presses v
frame 35 '/ v'
presses o
sees 'Voice search'
frame 120 '/ v o  two letters find it'
presses Enter
frame 40 'Enter: keep the filter'
presses Space
sees '2 changed'
frame 190 'Space: true, and saved the moment it is done'
presses Escape
sees 'Express checkout'
frame 70 'Esc: all flags again'
presses k
frame 25 'Enter: the options'
presses Enter
sees '50' 'esc'
frame 120 'Enter: the options, with what remote says'
presses j Enter
sees '3 changed'
frame 110 'j  Enter: the next one'
presses u
sees '2 changed'
frame 140 'u: undo, also what was done yesterday'
does 'flagmenu set login_variant B'
sees '3 changed' 'was A'
frame 220 '$ flagmenu set login_variant B      in another terminal'
presses C
sees 'Reset 3 overrides'
frame 180 'C: reset everything asks first, with the list'
presses y
sees 'nothing changed'
frame 260 'y: everything follows remote again'
end_of_tour
