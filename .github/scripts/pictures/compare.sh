# The comparison of --check. Sourced by pictures.sh.

compare_all() {
    local there=$1 one wrong=0
    for one in ${played[@]+"${played[@]}"}; do
        diff -u --label "screenshots/$one.txt" --label "the program now" "$there/$one.txt" "$made/$one.txt" || wrong=$((wrong + 1))
        compare_seal "$there/$one" || wrong=$((wrong + 1))
        [ -z "$with_pictures" ] || compare_picture "$there" "$one" || wrong=$((wrong + 1))
    done
    [ ${#chosen[@]} -gt 0 ] || compare_names "$there" || wrong=$((wrong + 1))
    if [ "$wrong" -gt 0 ]; then
        echo "$wrong differences: the pictures no longer show the program. Make them again: .github/scripts/pictures.sh" >&2
        return 1
    fi
    echo "${#played[@]} scenes match the program."
}

# A text without its picture, or a picture without its text, was not made by this script.
compare_seal() {
    local picture
    for picture in "$1.png" "$1.gif"; do
        [ -f "$picture" ] && LC_ALL=C grep -qaF -- "$(seal "$1.txt")" "$picture" && return 0
    done
    echo "The picture of $1.txt is missing or was made with another text." >&2
    return 1
}

# Letters of another font version or smoothing differ slightly everywhere, so only pictures from the same tools are
# compared.
compare_picture() {
    local old=$1/$2.png new=$made/$2.png different
    [ -f "$new" ] || return 0
    [ -f "$old" ] || { echo "screenshots/$2.png is missing." >&2; return 1; }
    if [ "$(identify -format %c "$old" | sed 's/; text .*//')" != "$maker" ]; then
        echo "  $2.png was made with other versions, so only its text is compared."
        return 0
    fi
    different=$(compare -metric AE -fuzz 8% "$old" "$new" null: 2>&1 || true)
    # The number of pixels of one letter.
    case $different in
    '' | *[!0-9]*) ;;
    *) [ "$different" -le 60 ] && return 0 ;;
    esac
    echo "screenshots/$2.png differs from the program in pixels: $different" >&2
    return 1
}

# Pictures of removed scenes.
compare_names() {
    local file scene equal=0
    for file in "$1"/*; do
        scene=$(basename "${file%.*}")
        is_known "$scene" || { echo "No scene makes screenshots/$(basename "$file")." >&2; equal=1; }
    done
    return $equal
}

remove_unmade() {
    local file
    for file in "$1"/*; do
        [ -e "$made/$(basename "$file")" ] || rm "$file"
    done
}
