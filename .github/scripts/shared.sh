# What the scripts of checks share: how they end, and checks in Python with packages from Python's index. Sourced by
# them, in the folder of the package.

# Package.swift makes warnings errors. All scripts that build have it: without it, everything is built again.
export FLAGMENU_STRICT=1

# fail WORDS...: the check has failed.
fail() {
    printf '%s\n' "$@" >&2
    exit 1
}

# skip WORDS...: this machine cannot run the step. Exits with 77, which is "skipped" and not "passed".
skip() {
    echo "skipped: $*" >&2
    exit 77
}

# needs PROGRAM...: skips the step if a program is missing.
needs() {
    local program
    for program in "$@"; do
        command -v "$program" >/dev/null || skip "there is no $program: .github/scripts/packages.sh all installs it"
    done
}

# python_packages FOLDER FILE [ALONE]: installs the packages that FILE lists, and those that ALONE lists without their
# dependencies, so that FOLDER/bin/python has them. Does nothing if FOLDER has them already.
python_packages() {
    local folder=$1 install wanted
    shift
    python3 -c 'import sys; sys.exit(sys.version_info < (3, 10))' 2>/dev/null || skip "Python 3.10 or later is missing"
    wanted=$(cat "$@" | cksum)
    [ "$(cat "$folder/installed" 2>/dev/null)" != "$wanted" ] || return 0
    rm -rf "$folder"
    mkdir -p "$(dirname "$folder")"
    # Debian splits venv off; its own message is no better than this line.
    python3 -m venv "$folder" >/dev/null 2>&1 || skip "this Python has no venv (Debian: apt-get install python3-venv)"
    install=("$folder/bin/pip" install --quiet --disable-pip-version-check)
    "${install[@]}" --requirement "$1" >"$folder/pip.log" 2>&1 &&
        { [ $# -eq 1 ] || "${install[@]}" --no-deps --requirement "$2" >>"$folder/pip.log" 2>&1; } ||
        skip "the package index did not give the packages of $1: $(tail -n 1 "$folder/pip.log")"
    echo "$wanted" >"$folder/installed"
}

# programs [PROGRAM]...: sets `programs` to the folder that --programs named, or builds the programs.
programs() {
    local product
    if [ -z "$programs" ]; then
        for product in "$@"; do swift build --product "$product"; done
        programs=$(swift build --show-bin-path)
    fi
    programs=$(realpath "$programs")
}

# python_checks NAME PARTS [ARGUMENT]...: runs PARTS, or those that the arguments name, which are scripts in the folder
# NAME, with the packages that the folder lists. Each gets the folder of the programs, and the arguments that begin with
# --. Fails if a part fails, and exits with 77 if a part was skipped.
python_checks() {
    local name=$1 all=$2 chosen=() options=() failed=() part status worst=0 packages python=python3
    local limit=(timeout --kill-after=5 900)
    shift 2
    # A demo that waits for its user has no limit of time, and keeps the terminal.
    [[ $name != *-demo || " $* " == *" --check "* ]] || limit=()
    programs=
    while [ $# -gt 0 ]; do
        case $1 in
        --programs)
            programs=${2:?--programs needs a folder}
            shift
            ;;
        --*) options+=("$1") ;;
        *)
            [[ " $all " == *" $1 "* ]] || fail "\"$1\" is not a part of $name; these are: $all"
            chosen+=("$1")
            ;;
        esac
        shift
    done
    [ ${#chosen[@]} -gt 0 ] || read -ra chosen <<<"$all"
    packages=("$scripts/$name"/requirements.txt "$scripts/$name"/alone.txt)
    [ -f "${packages[1]}" ] || unset "packages[1]"
    if [ -f "${packages[0]}" ]; then
        python_packages "$PWD/.build/$name-packages" "${packages[@]}"
        python=$PWD/.build/$name-packages/bin/python
    fi
    programs flagmenu flagmenu-demo LoopbackServers
    # Nothing that clients and flagmenu store is needed afterwards.
    TMPDIR=$(mktemp -d)
    export TMPDIR
    trap 'rm -rf "$TMPDIR"' EXIT
    for part in "${chosen[@]}"; do
        status=0
        # Proxies are for external hosts; PYTHONPATH and the like could select other clients.
        env -u PYTHONPATH -u PYTHONHOME NO_PROXY=127.0.0.1 no_proxy=127.0.0.1 \
            ${limit[@]+"${limit[@]}"} "$python" -B "$scripts/common.py" "$scripts/$name/$part.py" "$programs" \
            ${options[@]+"${options[@]}"} || status=$?
        [ $status -eq 0 ] || [ $status -eq 77 ] || failed+=("$part")
        [ $status -ne 77 ] || worst=77
    done
    [ ${#failed[@]} -eq 0 ] || fail "These parts of $name failed: ${failed[*]}."
    exit $worst
}

cd "$(dirname "${BASH_SOURCE[0]}")/../.."
scripts=$PWD/.github/scripts
