#!/usr/bin/env python3
# usage: running-apps.py PROGRAMS [--short]
#
# PROGRAMS is the folder of the built flagmenu and AppProbe.
#
# 1. Kills: 20 processes share one store. In each of 500 rounds some of them are killed with SIGKILL, and as many others
#    start. Promised is that `flagmenu apps` lists exactly the running ones within 200 ms after the kills, and again after
#    the starts; at the end, no file of a dead process is left after the next start.
# 2. Waits: `set --wait` against an app that reads its flags returns at most 10 ms after the file was written, by the
#    median of 500.
#
# --short runs a tenth of the rounds, for a check of every change. Its time limits are longer, because other work may
# run: on a machine that writes out a finished build, each write that is synchronized takes 100 ms and more.
"""Kills running apps at random and measures `set --wait`, and checks what flagmenu says about them."""
import os
import random
import statistics
import sys
import time

from common import Home


class Place(Home):
    """A home with a document, and the apps that run in it."""

    def __init__(self, programs):
        super().__init__(programs, FLAGMENU_SOURCE="probe.json", FLAGMENU_APP="probe")
        self.write("probe.json", {"probe_switch": "false"})
        self.store, self.apps = f"{self.place}/.local/state/flagmenu/probe", {}

    def start(self, *modes):
        """Starts an app for each mode; returns when all are ready."""
        started = [self.open("AppProbe", mode) for mode in modes]
        for app in started:
            if app.stdout.readline() != "ready\n": sys.exit("AppProbe has not started.")
            self.apps[app.pid] = app

    def kill(self, apps):
        for app in apps: app.kill()
        for app in apps:
            app.wait()
            del self.apps[app.pid]

    def time_until_right(self):
        """The milliseconds until the start of the first command that lists exactly the running apps."""
        since = time.monotonic()
        while True:
            began = time.monotonic()
            listed = {app["process"] for app in self.json("apps")}
            if listed == set(self.apps): return 1000 * (began - since)
            if began - since > 10: sys.exit(f"After 10 s the list is {listed}, and {set(self.apps)} run.")


def kills(place, rounds, limit):
    place.start(*["once"] * 20)
    times = {"kills": [], "starts": []}
    for _ in range(rounds):
        victims = random.sample(list(place.apps.values()), random.randint(1, 5))
        place.kill(victims)
        times["kills"].append(place.time_until_right())
        place.start(*random.choices(["once", "never"], k=len(victims)))
        times["starts"].append(place.time_until_right())
    for what, found in times.items():
        print(f"right after {what}: median {statistics.median(found):.0f} ms, slowest {max(found):.0f} ms")
        if max(found) > limit: sys.exit(f"The list was wrong for longer than {limit} ms after {what}.")
    place.kill(list(place.apps.values()))
    place.start("once")
    place.time_until_right()
    left = [name for name in os.listdir(f"{place.store}/running") if not name.startswith(".")]
    if len(left) != 1: sys.exit(f"After the kills and the next start, these files are left: {left}")


def waits(place, count, limit):
    place.start("loop")
    place.time_until_right()
    times = []
    for number in range(count):
        # An app announces a change at once, and then at most every 50 ms, so that it costs little.
        time.sleep(0.1)
        value = "true" if number % 2 == 0 else "false"
        run = place.attempt("set", "probe_switch", value, "--wait", "30")
        times.append(1000 * (time.time() - os.stat(f"{place.store}/overrides.json").st_mtime))
        if run.returncode != 0 or "took it" not in run.stderr:
            sys.exit(f"set --wait exited with {run.returncode}: {run.stderr}")
        used = {flag["key"]: flag["use"]["value"] for flag in place.json("apps")[0]["flags"]}
        if used["probe_switch"] != value: sys.exit("set --wait succeeded before the app used the value.")
    median = statistics.median(times)
    print(f"set --wait after the write: median {median:.1f} ms, slowest {max(times):.1f} ms")
    if median > limit: sys.exit(f"The median is above {limit} ms.")


if len(sys.argv) < 2: sys.exit("usage: running-apps.py PROGRAMS [--short]")
is_short = "--short" in sys.argv
os.sync()
random.seed(22)
kills(Place(sys.argv[1]), 50 if is_short else 500, 2_000 if is_short else 200)
waits(Place(sys.argv[1]), 50 if is_short else 500, 500 if is_short else 10)
