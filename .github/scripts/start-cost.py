#!/usr/bin/env python3
"""Checks that flagmenu does not start with more work than before. No clock is read, so a busy machine changes nothing.

usage: .github/scripts/start-cost.py PROGRAMS [--accept]

Counts, with 1,000 flags, the instructions of `get`, of `set` and of the menu until it rests, by callgrind, and what the
system has to load and the runtime to search: bytes, relocations and conformances. The check fails if one of them is
above its figure in start-cost.json by more than is allowed; with --accept, the figures become what is counted now.

PROGRAMS is the folder of a debug build, as CI has no time for another one. A release build does an eighth of these
instructions, but what both do grows in both. The figures are those of one version of Swift.
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from common import Home, instructions, many_flags

FIGURES = pathlib.Path(__file__).with_suffix(".json")
# Runs of `get` and of `set` differ by less than 0.001 %. Those of the menu differ by 2 %, as it draws more or fewer
# frames while it reads; the smallest of three runs differs by 1 %.
LIMITS = {"instructions of get": 3, "instructions of set": 3, "instructions of the menu's start": 3,
          "relocations": 2, "conformances": 2, "bytes to load": 2}
RUNS = 3


def counted_instructions(programs):
    # A store of its own for each run. The seed of hashes is random otherwise.
    home = Home(programs, SWIFT_DETERMINISTIC_HASHING="1")
    home.write("remote.json", many_flags(1_000))
    home.write("flagmenu.json", {"app": "shop", "source": "remote.json"})
    yield "instructions of get", instructions(home, "get", "flag_501")
    yield "instructions of set", instructions(home, "set", "flag_501", "true")
    yield "instructions of the menu's start", instructions(home, shown="Flag number")


def counted_parts(program):
    """What readelf says about the parts of a program."""
    def read(option):
        return subprocess.run(["readelf", option, program], stdout=subprocess.PIPE, text=True, check=True).stdout

    sections = re.findall(r"\] +(\S+) +(\S+) +\S+ +\S+ +(\S+) +\S+ +(\w*A\w*) ", read("-SW"))
    sizes = {name: int(size, 16) for name, kind, size, _ in sections if kind != "NOBITS"}
    relocations = re.findall(r"contains (\d+) entr", read("-rW"))
    yield "relocations", sum(map(int, relocations))
    yield "conformances", sizes["swift5_protocol_conformances"] // 4
    yield "bytes to load", sum(sizes.values())


def counts(program):
    """The smallest of several runs, without the further ones if the first is within the limits."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["strip", "-g", "-o", f"{folder}/flagmenu", program], check=True)
        found = dict(counted_parts(f"{folder}/flagmenu"))
        for _ in range(RUNS):
            found |= {name: min(count, found.get(name, count)) for name, count in counted_instructions(folder)}
            if not is_accepting and not any(growth(name, found[name]) > LIMITS[name] for name in found): break
    return found


def skip(reason):
    """This machine cannot run the check."""
    print(f"skipped: {reason}", file=sys.stderr)
    sys.exit(77)


def growth(name, count): return 100 * (count / figures[name] - 1)


if len(sys.argv) < 2: sys.exit(__doc__)
for tool in ("valgrind", "tmux", "readelf"):
    if not shutil.which(tool): skip(f"there is no {tool}: .github/scripts/packages.sh all installs it")
is_accepting = "--accept" in sys.argv
version = subprocess.run(["swift", "--version"], capture_output=True, text=True).stdout.strip().split("\n")
build = ", ".join(line.strip() for line in version)
accept = f".github/scripts/start-cost.py {os.path.relpath(sys.argv[1])} --accept"
figures = json.loads(FIGURES.read_text()) if FIGURES.exists() else {}
if not is_accepting and figures.get("build") != build:
    skip(f"the figures are those of {figures.get('build')}, and this is {build}; new ones: {accept}")
found = counts(f"{sys.argv[1]}/flagmenu")
if is_accepting:
    FIGURES.write_text(json.dumps({"build": build} | found, indent=2) + "\n")
grown = []
for name, count in found.items():
    change = 0 if is_accepting else growth(name, count)
    print(f"{name}: {count:,}, {change:+.1f} %")
    if change > LIMITS[name]:
        grown.append(f"The {name} grew by {change:.1f} %, from {figures[name]:,} to {count:,}; {LIMITS[name]} % are "
                     f"allowed. Find what grew, or accept it: {accept}")
    elif change < -LIMITS[name]:
        print(f"  This is less than before. Keep the gain: {accept}")
sys.exit("\n".join(grown) if grown else None)
