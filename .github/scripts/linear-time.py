#!/usr/bin/env python3
# Checks that no command takes more than linear time for long texts, whatever they are made of.
#
# usage: .github/scripts/linear-time.py PROGRAMS [KIND ...]
#
# PROGRAMS is the folder of a release build without debug information (strip -g), which valgrind 3.19 cannot read. Each
# command, and the menu up to its first frame, runs on values of 100 KB and of 200 KB of eleven kinds of text. Counted are
# instructions, by callgrind, as times vary too much. The check fails if twice the text takes more than 2.5 times the
# instructions. It takes some ten minutes.
import sys

from common import Home, instructions

KINDS = {
    "plain": "abcdefghi ", "del": "\x7f", "bidi": "\u202e", "combining": "\u0301", "zwj": "\u200d",
    "flags": "\U0001F1E9\U0001F1EA", "jamo": "\u1100\u1161\u11a8", "devanagari": "\u0915\u094d", "line feeds": "\n",
    "quotes": '"', "backslashes": "\\"}
# In this order: each works on the result of the one before. The search finds nothing, and so exits with 1.
COMMANDS = """get k1, list, list --json, list --matching zz, explain k1, explain k1 --json,
    import import.json --new --any,
    get k1, list, explain k1, export, history, reset k1, undo, redo, status, doctor, the menu"""
LIMIT = 2.5


def count(home, command):
    if command == "the menu": return instructions(home, shown="k2")
    return instructions(home, *command.split(), status=1 if command == "list --matching zz" else 0)


def counts(kind, size):
    """The instructions of each command on a text of a kind and size."""
    unit, home = KINDS[kind], Home(sys.argv[1])
    value = (unit * (size // len(unit.encode()) + 1)).encode()[:size].decode(errors="ignore")
    items = [{"key": "k1", "title": value}, {"key": "k2"}]
    home.write("remote.json", {"k1": value, "k2": "x", "config_categories": [{"category": "C", "items": items}]})
    home.write("import.json", {"k1": value + "!", "n1": value})
    home.write("flagmenu.json", {"app": "shop", "source": "remote.json"})
    return [(command, count(home, command)) for command in map(str.strip, COMMANDS.split(","))]


if len(sys.argv) < 2: sys.exit("usage: linear-time.py PROGRAMS [KIND ...]")
failures = 0
for kind in sys.argv[2:] or KINDS:
    for (name, small), (_, large) in zip(counts(kind, 100_000), counts(kind, 200_000)):
        failures += large > LIMIT * small
        mark = "TOO MUCH " if large > LIMIT * small else ""
        print(f"{mark}{kind}: {name}: {small / 1e6:.0f} million instructions, x {large / small:.2f}", flush=True)
sys.exit(f"{failures} are not linear." if failures else 0)
