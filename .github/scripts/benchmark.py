#!/usr/bin/env python3
"""Measures flagmenu beside programs that people know: mconf (kconfig-frontends), fzf, dialog and git.

usage: benchmark.py PROGRAM... [--rounds 15] [--flags 100,1000,10000] [--empty PROGRAM] [--json FILE]

PROGRAM is a release build of flagmenu; several are also compared with each other. All programs run in turn, on the same
flags, in terminals of 80x24, each with its own home folder. Printed are medians; in brackets, how many times as much
the first PROGRAM takes. Keys are the arrow down (move) and two letters of a filter. --flags 100000 is possible, too.
--empty is a program that does nothing, such as an empty Swift program with a static runtime: it shows what no change of
FlagMenu can gain.

Linux only. The peers are Debian's packages kconfig-frontends, fzf, dialog and git.
"""
import argparse
import fcntl
import json
import os
import platform
import pty
import re
import select
import shutil
import statistics
import struct
import sys
import tempfile
import termios
import time

PACKAGES = {"mconf": "kconfig-frontends", "fzf": "fzf", "dialog": "dialog", "git": "git"}
# The arguments of menus, at a number of flags.
MENUS = {
    "flagmenu": "--source {flags}.json --app menu{flags}", "mconf": "{flags}.Kconfig", "fzf": "--layout=reverse",
    "dialog": "--file {flags}.dialog"}
# git has the commands `config get` and `config set` only since 2.46.
COMMANDS = {
    "flagmenu": {
        "--version": "--version", "get": "get enable_feature_1 --source 1000.json --app commands",
        "set": "set enable_feature_1 {value} --source 1000.json --app commands"},
    "git": {
        "--version": "--version", "get": "config --file 1000.git --get flags.enable-feature-1",
        "set": "config --file 1000.git flags.enable-feature-1 {value}"},
    "empty": {"--version": ""}}
# At most so many times what the slowest of these peers takes; without peers, at most so much.
TARGETS = {
    ("first frame, ms", 1000): (1.2, ["mconf", "fzf"]), ("first frame, ms", 10_000): (1.5, ["fzf"]),
    ("peak memory, MiB", 1000): (16, []), ("get, ms", 1000): (3, ["git"]), ("set, ms", 1000): (3, ["git"])}
DOWN = b"\x1bOB"
NO_TEXT = re.compile(rb"\x1b(\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(\x07|\x1b\\)|[ -/]+[0-~]|[0-~])|[\x00- ]")
# What a terminal says about its background, itself and its cursor.
REPLIES = {
    b"\x1b]11;?\x07": b"\x1b]11;rgb:0000/0000/0000\x07", b"\x1b[c": b"\x1b[?62;22c", b"\x1b[6n": b"\x1b[1;1R"}


class Session:
    """A program in a terminal of its own."""

    def __init__(self, path, arguments, environment, lines):
        self.path = path
        self.terminal, screen = pty.openpty()
        fcntl.ioctl(screen, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        # The first terminal that a new session opens controls it.
        files = [(os.POSIX_SPAWN_OPEN, 1, os.ttyname(screen), os.O_RDWR, 0), (os.POSIX_SPAWN_DUP2, 1, 2)]
        files.append((os.POSIX_SPAWN_OPEN, 0, lines, os.O_RDONLY, 0) if lines else (os.POSIX_SPAWN_DUP2, 1, 0))
        self.start = time.perf_counter()
        self.process = os.posix_spawn(path, [path, *arguments], environment, file_actions=files, setsid=True)
        os.close(screen)

    def read(self, start, quiet, text=b""):
        """The milliseconds until the last text of a frame, which has this text, and the bytes of the frame."""
        end, size, shown = None, 0, b""
        while select.select([self.terminal], [], [], quiet if end and text in shown else 20)[0]:
            try: data = os.read(self.terminal, 1 << 16)
            except OSError: break
            for query, reply in REPLIES.items():
                if query in data: os.write(self.terminal, reply)
            size += len(data)
            # fzf hides and shows the cursor 20 ms after a frame, which nobody sees.
            if visible := NO_TEXT.sub(b"", data):
                end = time.perf_counter()
                shown += visible
        if not end or text not in shown: sys.exit(f"{self.path} does not draw: {shown[-300:].decode(errors='replace')}")
        return 1000 * (end - start), size

    def press(self, key, quiet):
        start = time.perf_counter()
        os.write(self.terminal, key)
        return self.read(start, quiet)

    def end(self):
        """Ends the program; returns its peak memory in MiB, and its page faults."""
        # The peak that wait4 returns includes that of this process, as Linux keeps it when a program is executed.
        with open(f"/proc/{self.process}/status") as status:
            peak = next(int(line.split()[1]) for line in status if line.startswith("VmHWM"))
        os.kill(self.process, 9)
        faults = os.wait4(self.process, 0)[2].ru_minflt
        os.close(self.terminal)
        return peak / 1024, faults


def write_flags(flags):
    """The same flags for each program: key, title and value; groups and descriptions for those that have them."""
    rows = [(f"enable_feature_{n}", f"Feature number {n}", ["false", "true"][n % 3 == 0]) for n in range(flags)]
    about, size = "Turns this feature on for the people who test it, and says why.", max(1, flags // 40)
    items = [{"key": key, "value": "true|false", "title": title, "description": about} for key, title, _ in rows]
    groups = [{"category": f"Group {n // size:02}", "items": items[n:n + size]} for n in range(0, flags, size)]
    texts = {
        "json": [json.dumps({key: value for key, _, value in rows} | {"config_categories": json.dumps(groups)})],
        "Kconfig": [f'config {key.upper()}\n\tbool "{title}"\n\tdefault {"y" if value == "true" else "n"}\n'
                    f"\thelp\n\t  {about}\n" for key, title, value in rows],
        "fzf": [f"{title}\n" for _, title, _ in rows],
        "dialog": ["--checklist Flags 0 0 0\n"] + [
            f'{key} "{title}" {"on" if value == "true" else "off"}\n' for key, title, value in rows],
        "git": ["[flags]\n"] + [f"\t{key.replace('_', '-')} = {value}\n" for key, _, value in rows]}
    for ending, lines in texts.items():
        with open(f"{flags}.{ending}", "w") as file: file.writelines(lines)


def kind(name): return name.split()[0]


def environment(name):
    """A home for each build, as a value that one has set would be no change for another one."""
    home = os.path.abspath(name)
    os.makedirs(home, exist_ok=True)
    kept = {key: os.environ[key] for key in ("PATH", "LD_LIBRARY_PATH") if key in os.environ}
    return kept | {"HOME": home, "TERM": "xterm-256color", "LC_ALL": "C.UTF-8"}


def add(measure, flags, name, value): samples.setdefault((measure, flags), {}).setdefault(name, []).append(value)


def measure_menu(name, flags):
    # With more flags, the results of a filter come later than its letter is shown.
    quiet = 0.05 if flags <= 10_000 else 0.3
    arguments = MENUS[kind(name)].format(flags=flags).split()
    session = Session(programs[name], arguments, environment(name), f"{flags}.fzf" if name == "fzf" else None)
    frames = [("first frame", session.read(session.start, quiet, b"Featurenumber0"))]
    frames += [("move", session.press(DOWN, quiet)) for _ in range(5)]
    if kind(name) == "flagmenu": session.press(b"/", quiet)
    if kind(name) in ("flagmenu", "fzf"):
        frames += [("filter letter", session.press(letter, quiet)) for letter in (b"7", b"3")]
    for frame, (duration, size) in frames:
        add(f"{frame}, ms", flags, name, duration)
        add(f"{frame}, bytes", flags, name, size)
    memory, faults = session.end()
    add("peak memory, MiB", flags, name, memory)
    add("menu, page faults", flags, name, faults)


def measure_commands(name, value):
    nowhere = [(os.POSIX_SPAWN_OPEN, file, "/dev/null", os.O_RDWR, 0) for file in range(3)]
    for command, arguments in COMMANDS[kind(name)].items():
        line = [programs[name], *arguments.format(value=value).split()]
        start = time.perf_counter()
        process = os.posix_spawn(line[0], line, environment(name), file_actions=nowhere)
        _, status, usage = os.wait4(process, 0)
        duration = 1000 * (time.perf_counter() - start)
        if status: sys.exit(f"{' '.join(line)} ends with the status {status}")
        add(f"{command}, ms", 1000, name, duration)
        add(f"{command}, page faults", 1000, name, usage.ru_minflt)


def check(measure, flags):
    """The target of a measure, what each build reaches, and whether the target holds."""
    limit, peers = TARGETS.get((measure, flags), (None, []))
    if limit is None: return ""
    found = medians[measure, flags]
    text = f"at most {limit}" + (f" x {' and '.join(peers)}: " if peers else ": ")
    if any(peer not in found for peer in peers): return text + "not measured"
    values = [found[name] / max([found[peer] for peer in peers] or [1]) for name in builds]
    return text + ", ".join(f"{value:.2f} {'holds' if value <= limit else 'is missed'}" for value in values)


def cell(measure, found, name):
    if name not in found: return ""
    digits = 2 if measure.endswith("ms") else 1 if measure.endswith("MiB") else 0
    ratio = "" if name == builds[0] or builds[0] not in found else f" ({found[builds[0]] / found[name]:.1f}x)"
    return f"{found[name]:,.{digits}f}{ratio}"


parser = argparse.ArgumentParser(usage=__doc__.partition("usage: ")[2])
parser.add_argument("programs", nargs="+", type=os.path.abspath)
parser.add_argument("--rounds", type=int, default=15)
parser.add_argument("--flags", type=lambda text: [int(one) for one in text.split(",")], default=[100, 1000, 10_000])
parser.add_argument("--empty", type=os.path.abspath)
parser.add_argument("--json", type=os.path.abspath)
options = parser.parse_args()
programs = {f"flagmenu {n}" if n > 1 else "flagmenu": path for n, path in enumerate(options.programs, 1)}
builds, samples = list(programs), {}
for name, package in PACKAGES.items():
    if path := shutil.which(f"kconfig-{name}" if name == "mconf" else name): programs[name] = path
    else: print(f"skipped: {name}, of the package {package}")
if options.empty: programs["empty"] = options.empty

with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    for flags in {1000, *options.flags}: write_flags(flags)
    # The first round brings files into memory and does not count.
    for number in range(options.rounds + 1):
        if number == 1: samples.clear()
        names = list(programs)[::-1 if number % 2 else 1]
        for flags in options.flags:
            for name in names:
                if kind(name) in MENUS: measure_menu(name, flags)
        for name in names:
            if kind(name) in COMMANDS: measure_commands(name, ["false", "true"][number % 2])
    os.chdir("/")

medians = {key: {name: statistics.median(values) for name, values in found.items()} for key, found in samples.items()}
order = list(dict.fromkeys(measure for measure, _ in medians))
rows = [["", "flags", *programs, "target"]]
for measure, flags in sorted(medians, key=lambda key: (order.index(key[0]), key[1])):
    cells = [cell(measure, medians[measure, flags], name) for name in programs]
    rows.append([measure, f"{flags:,}", *cells, check(measure, flags)])
widths = [max(map(len, column)) for column in zip(*rows)]
for first, *cells, last in rows:
    print("  ".join([first.ljust(widths[0]), *map(str.rjust, cells, widths[1:]), last]).rstrip())
for name in builds: print(f"{name}: {programs[name]}")
if options.json:
    measures = [
        {"measure": measure, "flags": flags, "target": check(measure, flags), "medians": medians[measure, flags],
         "samples": samples[measure, flags]} for measure, flags in medians]
    system = {"system": platform.platform(), "cores": os.cpu_count(), "load": os.getloadavg()}
    with open(options.json, "w") as file:
        json.dump(system | {"rounds": options.rounds, "programs": programs, "measures": measures}, file, indent=1)
