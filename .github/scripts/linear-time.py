#!/usr/bin/env python3
"""Checks that no command takes more than linear time for long texts, whatever they are made of.

usage: .github/scripts/linear-time.py FLAGMENU [KIND ...]

FLAGMENU is a release build without debug information (strip -g), which valgrind 3.19 cannot read. Each command, and the
menu up to its first frame, runs on values of 100 KB and of 200 KB of eleven kinds of text. Counted are instructions, by
callgrind, as times vary too much. The check fails where twice the text takes more than 2.5 times the instructions. It
takes some ten minutes.
"""
import fcntl
import json
import os
import pty
import re
import select
import struct
import subprocess
import sys
import tempfile
import termios
import time

KINDS = {
    "plain": "abcdefghi ",
    "del": "\x7f",
    "bidi": "\u202e",
    "combining": "\u0301",
    "zwj": "\u200d",
    "flags": "\U0001F1E9\U0001F1EA",
    "jamo": "\u1100\u1161\u11a8",
    "devanagari": "\u0915\u094d",
    "line feeds": "\n",
    "quotes": '"',
    "backslashes": "\\",
}
# Finds nothing, and so exits with 1.
SEARCH = "list --matching zz"
# In this order: each works on the result of the one before.
COMMANDS = [
    "get k1", "list", "list --json", SEARCH, "explain k1", "explain k1 --json",
    "import import.json --new --any", "get k1", "list", "explain k1", "export", "history", "reset k1", "undo", "redo",
    "status", "doctor",
]
LIMIT = 2.5


def text(kind, size):
    unit = KINDS[kind]
    return (unit * (size // len(unit.encode()) + 1)).encode()[:size].decode(errors="ignore")


def prepare(folder, value):
    os.makedirs(folder)

    def write(name, document):
        with open(os.path.join(folder, name), "w") as file:
            json.dump(document, file, ensure_ascii=False)

    items = [{"key": "k1", "title": value}, {"key": "k2"}]
    write("remote.json", {"k1": value, "k2": "x", "config_categories": [{"category": "C", "items": items}]})
    write("import.json", {"k1": value + "!", "n1": value})
    write("flagmenu.json", {"app": "shop", "source": "remote.json"})


def call(folder, program, arguments):
    """A command line under callgrind, and the environment for it."""
    line = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", "--log-file=" + folder + "/callgrind"]
    environment = {"HOME": folder, "TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "TZ": "UTC", "PATH": os.environ["PATH"]}
    return line + [program] + arguments, environment


def counted(folder):
    with open(folder + "/callgrind") as log:
        return int(re.search(r"Collected : (\d+)", log.read()).group(1))


def count_command(folder, program, arguments):
    line, environment = call(folder, program, arguments)
    run = subprocess.run(line, cwd=folder, env=environment, capture_output=True, timeout=600)
    if run.returncode != (1 if arguments == SEARCH.split() else 0):
        sys.exit(f"{' '.join(arguments)} ended with {run.returncode}: {run.stderr[:500]}")
    return counted(folder)


def count_menu(folder, program):
    """The open menu up to its first frame, and its end."""
    line, environment = call(folder, program, [])
    process, terminal = pty.fork()
    if process == 0:
        os.chdir(folder)
        os.execvpe(line[0], line, environment)
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    received, last, end = 0, time.monotonic(), time.monotonic() + 300
    while time.monotonic() < end:
        if select.select([terminal], [], [], 0.2)[0]:
            try:
                part = os.read(terminal, 65536)
            except OSError:
                break
            received, last = received + len(part), time.monotonic()
        elif received > 500 and time.monotonic() - last > 2:
            os.write(terminal, b"q")
            received = 0
    os.waitpid(process, 0)
    return counted(folder)


def main():
    program = os.path.abspath(sys.argv[1])
    failures = 0
    with tempfile.TemporaryDirectory() as root:
        for kind in sys.argv[2:] or KINDS:
            counts = []
            for size in (100_000, 200_000):
                folder = f"{root}/{kind}-{size}"
                prepare(folder, text(kind, size))
                counts.append([count_command(folder, program, line.split()) for line in COMMANDS])
                counts[-1].append(count_menu(folder, program))
            for name, small, large in zip(COMMANDS + ["the menu"], *counts):
                failures += large > LIMIT * small
                mark = "TOO MUCH " if large > LIMIT * small else ""
                print(f"{mark}{kind}: {name}: {small / 1e6:.0f} million instructions, x {large / small:.2f}", flush=True)
    sys.exit(f"{failures} are not linear." if failures else 0)


main()
