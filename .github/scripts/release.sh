#!/usr/bin/env bash
# Builds the program for use: .build/release/flagmenu, which needs only the system's C library on Linux.
#
# usage: release.sh [OPTION OF SWIFT BUILD]...
#
# Linux: Swift's runtime, libstdc++, ncurses, expat and zlib are linked statically. Finding and loading five shared
# libraries is a tenth of the time until the menu's first frame. The C library stays shared: linked statically, it
# crashes for users who are in a name service only, as it loads code of its own for them. Libraries without a static
# version here stay shared too.
set -euo pipefail
cd "$(dirname "$0")/../.."

[ "$(uname)" = Darwin ] && exec swift build -c release --product flagmenu "$@"

# The linker uses the first library with a name that it finds, so a folder of links to static ones goes first.
folder=$PWD/.build/static
mkdir -p "$folder"
flags=(-Xswiftc -L -Xswiftc "$folder" -Xswiftc -Xclang-linker -Xswiftc -static-libgcc)
# The program exports nothing, but the compiler exports all of its 37,000 symbols, which Swift's runtime searches for
# its own address at each start.
flags+=(-Xlinker --no-export-dynamic)
for library in stdc++ expat ncursesw tinfo z; do
    rm -f "$folder/lib$library.a"
    # Prints only the name if there is no such file.
    archive=$(clang -print-file-name="lib$library.a")
    [ -e "$archive" ] && ln -s "$archive" "$folder/"
done
# A static ncurses does not name the other library that it needs.
[ -e "$folder/libncursesw.a" ] && [ -e "$folder/libtinfo.a" ] && flags+=(-Xlinker -ltinfo)
# No library is beside the program, so none is searched there.
exec swift build -c release --static-swift-stdlib --disable-local-rpath --product flagmenu "${flags[@]}" "$@"
