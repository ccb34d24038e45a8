# Packages from Python's index, for the scripts that source this file.

# skip WORDS...: this machine cannot run the step. Exits with 77, which is "skipped" and not "passed".
skip() {
    echo "skipped: $*" >&2
    exit 77
}

# python_packages FOLDER WHAT FILE [ALONE]: installs the packages that FILE lists, and those that ALONE lists without their
# dependencies, so that FOLDER/bin/python has them. Does nothing if FOLDER has them already. WHAT names them in a message.
python_packages() {
    local folder=$1 what=$2 install wanted
    shift 2
    python3 -c 'import sys; sys.exit(sys.version_info < (3, 10))' 2>/dev/null || skip "$what need Python 3.10 or later"
    wanted=$(cat "$@" | cksum)
    [ "$(cat "$folder/installed" 2>/dev/null)" != "$wanted" ] || return 0
    rm -rf "$folder"
    mkdir -p "$(dirname "$folder")"
    # Debian splits venv off; its own message is no better than this line.
    python3 -m venv "$folder" >/dev/null 2>&1 || skip "this Python has no venv (Debian: apt-get install python3-venv)"
    install=("$folder/bin/pip" install --quiet --disable-pip-version-check)
    "${install[@]}" --requirement "$1" >"$folder/pip.log" 2>&1 &&
        { [ $# -eq 1 ] || "${install[@]}" --no-deps --requirement "$2" >>"$folder/pip.log" 2>&1; } ||
        skip "the package index did not give $what: $(tail -n 1 "$folder/pip.log")"
    echo "$wanted" >"$folder/installed"
}
