# Turns what `tmux capture-pane -e` writes into words: each row that is not plain, by its number, with {styles} where
# they change. Which sequences lead to a style is not told, so that the version of tmux does not matter.

function names(    text) {
    text = attributes["bold"] attributes["dim"] attributes["italic"] attributes["underlined"] attributes["blinking"]
    text = text attributes["reversed"] attributes["struck"] foreground background
    sub(/^ /, "", text)
    return text
}

function colour(code) {
    return substr("black  red    green  yellow blue   magentacyan   white  ", code * 7 + 1, 7)
}

function trimmed(text) {
    sub(/ +$/, "", text)
    return text
}

function select_style(list,    codes, count, i, code) {
    count = split(list == "" ? "0" : list, codes, ";")
    for (i = 1; i <= count; i++) {
        code = codes[i] + 0
        if (code == 0) { split("", attributes); foreground = background = "" }
        else if (code == 1) attributes["bold"] = " bold"
        else if (code == 2) attributes["dim"] = " dim"
        else if (code == 3) attributes["italic"] = " italic"
        else if (code == 4) attributes["underlined"] = " underlined"
        else if (code == 5) attributes["blinking"] = " blinking"
        else if (code == 7) attributes["reversed"] = " reversed"
        else if (code == 9) attributes["struck"] = " struck"
        else if (code == 22) { delete attributes["bold"]; delete attributes["dim"] }
        else if (code == 23) delete attributes["italic"]
        else if (code == 24) delete attributes["underlined"]
        else if (code == 25) delete attributes["blinking"]
        else if (code == 27) delete attributes["reversed"]
        else if (code == 29) delete attributes["struck"]
        else if (code >= 30 && code <= 37) foreground = " " trimmed(colour(code - 30))
        else if (code == 39) foreground = ""
        else if (code >= 40 && code <= 47) background = " on " trimmed(colour(code - 40))
        else if (code == 49) background = ""
        else if (code >= 90 && code <= 97) foreground = " bright " trimmed(colour(code - 90))
        else if (code >= 100 && code <= 107) background = " on bright " trimmed(colour(code - 100))
        else if (code == 38 && codes[i + 1] == 5) { foreground = " colour " codes[i + 2]; i += 2 }
        else if (code == 48 && codes[i + 1] == 5) { background = " on colour " codes[i + 2]; i += 2 }
        else if (code == 38) { foreground = " rgb " codes[i + 2] "," codes[i + 3] "," codes[i + 4]; i += 4 }
        else if (code == 48) { background = " on rgb " codes[i + 2] "," codes[i + 3] "," codes[i + 4]; i += 4 }
        else foreground = foreground " (" code ")"
    }
}

function shows_on_blanks(style) { return style ~ /(^| )on |reversed|underlined|struck/ }

# Colours of letters do not show on blanks.
function add(text,    style) {
    if (text == "") return
    style = names()
    if (text ~ /^ +$/ && !shows_on_blanks(style)) style = shows_on_blanks(shown) ? "" : shown
    if (style != shown) { row = row "{" style "}"; is_plain = 0 }
    shown = style
    row = row text
}

{
    row = shown = ""; is_plain = 1
    rest = $0
    while (match(rest, /\033\[[0-9;:]*m|\033\][^\033\007]*(\007|\033\\)|[\016\017]/)) {
        add(substr(rest, 1, RSTART - 1))
        sequence = substr(rest, RSTART, RLENGTH)
        rest = substr(rest, RSTART + RLENGTH)
        if (sequence ~ /^\033\[/) select_style(substr(sequence, 3, length(sequence) - 3))
    }
    add(rest)
    if (!shows_on_blanks(shown)) sub(/( |\{\})+$/, "", row)
    if (!is_plain) styled = styled sprintf("%3d %s\n", NR, row)
}

END { printf "%s", styled }
