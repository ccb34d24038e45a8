#!/usr/bin/env bash
# Builds the program for use: .build/release/flagmenu, which needs nothing but the system's C library on Linux.
#
# usage: release.sh [OPTION OF SWIFT BUILD]...
#
# Linux: Swift's runtime, libstdc++, ncurses, expat and zlib are linked in. Finding and joining five shared libraries is a tenth
# of the time until the menu's first frame. The C library stays shared: linked in, it crashes for users whom only a name
# service knows, as it loads code of its own for them. What has no static library here stays shared too.
set -euo pipefail
cd "$(dirname "$0")/../.."

[ "$(uname)" = Darwin ] && exec swift build -c release --product flagmenu "$@"

# The linker takes the first library of a name that it finds, so a folder of links to static ones goes first.
folder=$PWD/.build/static
mkdir -p "$folder"
flags=(-Xswiftc -L -Xswiftc "$folder" -Xswiftc -Xclang-linker -Xswiftc -static-libgcc)
# Nobody links against the program, but the compiler exports all of its 37,000 symbols, through which Swift's runtime looks
# for its own address at each start.
flags+=(-Xlinker --no-export-dynamic)
for library in stdc++ expat ncursesw tinfo z; do
    rm -f "$folder/lib$library.a"
    # Prints the name alone where there is no such file.
    archive=$(clang -print-file-name="lib$library.a")
    [ -e "$archive" ] && ln -s "$archive" "$folder/"
done
# A static ncurses does not tell which other library it needs.
[ -e "$folder/libncursesw.a" ] && [ -e "$folder/libtinfo.a" ] && flags+=(-Xlinker -ltinfo)
# No library lies beside the program, so none is looked for there.
exec swift build -c release --static-swift-stdlib --disable-local-rpath --product flagmenu "${flags[@]}" "$@"
