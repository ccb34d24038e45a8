# Announces a running app of the shop until the scene ends: an app with another process id each time would change the
# pictures.
#
# usage: sh announce.sh NAME PROCESS KEY TYPE VALUE LAYER READ [KEY TYPE VALUE LAYER READ]...
#
# READ is `read` if the code has read the value, else `unread`.
state=$HOME/.local/state/flagmenu/shop
mkdir -p "$state/running"
chmod 700 "$state" "$state/running"
now=$(date +%s)000
file=$state/running/000000000000$2.app.json
{
    printf '{"format":1,"id":"000000000000%s","name":"%s","process":%s,"startedAt":%s,"ignoredOverrides":null,' \
        "$2" "$1" "$2" "$((now - 180000))"
    printf '"overrideFolder":"%s","flags":[' "$state"
    shift 2
    comma=''
    while [ $# -gt 0 ]; do
        printf '%s\n{"key":"%s","type":"%s","use":{"value":"%s","layer":"%s","since":%s,%s"wasRead":%s}}' "$comma" \
            "$1" "$2" "$3" "$4" "$((now - 60000))" "$([ "$5" = read ] && echo "\"readAt\":$((now - 60000)),")" \
            "$([ "$5" = read ] && echo true || echo false)"
        shift 5
        comma=,
    done
    printf '\n]}\n'
} >"$file"
# The lock shows that the app runs.
flock "$file" sleep 60 >/dev/null 2>&1 &
