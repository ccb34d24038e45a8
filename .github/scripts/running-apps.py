#!/usr/bin/env python3
"""Kills running apps at random and measures `set --wait`, and checks what flagmenu says about them.

usage: running-apps.py --programs FOLDER [--rounds N] [--short]

FOLDER has the built programs flagmenu and AppProbe. All files are in a temporary folder.

1. Kills: 20 processes share one store. In each round some of them are killed with SIGKILL, and as many others start. Promised is
   that `flagmenu apps` lists exactly the running ones within 200 ms after the kills, and again after the starts; at the end, no file
   of a dead process is left after the next start.
2. Waits: `set --wait` against an app that reads its flags returns at most 10 ms after the file was written, by the median.
3. Wrong success: with an app that never reads the flag, read it only at its start, is stopped, or ignores overrides, `set --wait`
   exits with 6 and names the reason, each time.

--short runs a tenth of the rounds, for a check of every change. Its time limits are longer, because other work may run: on a machine that
writes out a finished build, each write that is synchronized takes 100 ms and more.
"""
import argparse
import json
import os
import random
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

PROCESSES = 20
REASONS = {
    "never": "has not read it yet", "once": "has not read it since", "stopped": "has not noticed the change",
    "closed": "ignores overrides",
}


class Place:
    """A home of its own, with a document and the apps that run in it."""

    def __init__(self, programs, folder):
        self.programs = os.path.abspath(programs)
        self.folder = folder
        os.makedirs(folder)
        with open(f"{folder}/probe.json", "w") as file:
            json.dump({"probe_switch": "false"}, file)
        self.environment = {"HOME": folder, "PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "FLAGMENU_SOURCE": "probe.json",
            "FLAGMENU_APP": "probe"}
        self.apps = {}

    def start(self, mode):
        app = subprocess.Popen(
            [f"{self.programs}/AppProbe", mode], cwd=self.folder, env=self.environment, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL)
        self.apps[app.pid] = app
        return app

    @staticmethod
    def await_ready(app):
        if app.stdout.readline() != b"ready\n":
            sys.exit("AppProbe has not started.")
        app.stdout.close()

    def kill(self, app):
        app.kill()
        app.wait()
        del self.apps[app.pid]

    def flagmenu(self, *arguments):
        return subprocess.run(
            [f"{self.programs}/flagmenu", *arguments], cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)

    def listed(self):
        return {app["process"] for app in json.loads(self.flagmenu("apps", "--json").stdout)}

    def files(self):
        running = f"{self.folder}/.local/state/flagmenu/probe/running"
        return os.listdir(running) if os.path.isdir(running) else []

    def end(self):
        for app in list(self.apps.values()):
            self.kill(app)


def time_until_right(place, since):
    """The milliseconds from a moment to the start of the first command that lists exactly the running apps."""
    while True:
        began = time.monotonic()
        if place.listed() == set(place.apps):
            return 1000 * max(0, began - since)
        if began - since > 10:
            sys.exit(f"After 10 s the list is {sorted(place.listed())}, and {sorted(place.apps)} run.")


def kills(place, rounds, limit):
    print(f"kills: {PROCESSES} processes, {rounds} rounds", flush=True)
    for app in [place.start("once") for _ in range(PROCESSES)]:
        place.await_ready(app)
    after_kills, after_starts, killed = [], [], 0
    for _ in range(rounds):
        victims = random.sample(list(place.apps.values()), random.randint(1, 5))
        for victim in victims:
            os.kill(victim.pid, signal.SIGKILL)
        for victim in victims:
            place.kill(victim)
        after_kills.append(time_until_right(place, time.monotonic()))
        started = [place.start(random.choice(["once", "never"])) for _ in victims]
        for app in started:
            place.await_ready(app)
        after_starts.append(time_until_right(place, time.monotonic()))
        killed += len(victims)
    for what, times in [("kills", after_kills), ("starts", after_starts)]:
        print(f"  right after {what}: median {statistics.median(times):.0f} ms, slowest {max(times):.0f} ms")
        if max(times) > limit:
            sys.exit(f"The list was wrong for {max(times):.0f} ms after {what}; {limit} ms are promised.")
    place.end()
    last = place.start("once")
    place.await_ready(last)
    time_until_right(place, time.monotonic())
    left = [name for name in place.files() if not name.startswith(".")]
    if len(left) != 1:
        sys.exit(f"After {killed} kills and the next start, these files are left: {left}")
    print(f"  {killed} processes killed, and no file is left")
    place.end()


def waits(place, count, limit):
    print(f"waits: {count} times", flush=True)
    place.await_ready(place.start("loop"))
    time_until_right(place, time.monotonic())
    path = f"{place.folder}/.local/state/flagmenu/probe/overrides.json"
    times, totals = [], []
    for number in range(count):
        # An app announces a change at once, and then at most every 50 ms, so that it costs little.
        time.sleep(0.1)
        began = time.monotonic()
        run = place.flagmenu("set", "probe_switch", "true" if number % 2 == 0 else "false", "--wait", "30")
        ended = time.time()
        totals.append(1000 * (time.monotonic() - began))
        times.append(1000 * (ended - os.stat(path).st_mtime))
        if run.returncode != 0 or b"took it" not in run.stderr:
            sys.exit(f"set --wait exited with {run.returncode}: {run.stderr.decode()}")
        app = json.loads(place.flagmenu("apps", "--json").stdout)[0]
        used = next(flag["use"]["value"] for flag in app["flags"] if flag["key"] == "probe_switch")
        if used != ("true" if number % 2 == 0 else "false"):
            sys.exit("set --wait succeeded before the app used the value.")
    print(
        f"  after the write: median {statistics.median(times):.1f} ms, slowest {max(times):.1f} ms; "
        f"whole command: median {statistics.median(totals):.1f} ms")
    if statistics.median(times) > limit:
        sys.exit(f"The median is above {limit} ms.")
    place.end()


def wrong_success(place, count):
    """Beside an app that takes each value, because its success must not hide the other app."""
    print(f"wrong success: {count} times for each reason", flush=True)
    place.await_ready(place.start("loop"))
    # A build without overrides announces itself only if the overrides of the app were ever used.
    place.flagmenu("set", "probe_count", "4")
    for reason, words in REASONS.items():
        place.flagmenu("reset", "probe_switch")
        app = place.start("loop" if reason == "stopped" else reason)
        place.await_ready(app)
        time_until_right(place, time.monotonic())
        if reason == "stopped":
            app.send_signal(signal.SIGSTOP)
        for number in range(count):
            value = "true" if number % 2 == 0 else "false"
            run = place.flagmenu("set", "probe_switch", value, "--wait", "0.3")
            text = run.stderr.decode()
            if run.returncode != 6 or f"({app.pid})" not in text or words not in text:
                sys.exit(f"{reason}: set --wait exited with {run.returncode}: {text}")
        place.kill(app)
        print(f"  {reason}: exit 6, and the reason is named", flush=True)
    place.end()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--programs", required=True)
    parser.add_argument("--rounds", type=int, default=500)
    parser.add_argument("--short", action="store_true")
    options = parser.parse_args()
    rounds = options.rounds // 10 if options.short else options.rounds
    os.sync()
    random.seed(22)
    folder = tempfile.mkdtemp()
    places = []
    try:
        for name, test in [
            ("kills", lambda place: kills(place, rounds, 2_000 if options.short else 200)),
            ("waits", lambda place: waits(place, rounds, 500 if options.short else 10)),
            ("wrong", lambda place: wrong_success(place, max(2, rounds // 10))),
        ]:
            places.append(Place(options.programs, f"{folder}/{name}"))
            test(places[-1])
    finally:
        for place in places:
            place.end()
        shutil.rmtree(folder, ignore_errors=True)


main()
