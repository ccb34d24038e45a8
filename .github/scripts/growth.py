#!/usr/bin/env python3
"""Checks that an open menu, a watch and the demo do not grow while flags change.

usage: .github/scripts/growth.py FLAGMENU FLAGMENU_DEMO [MINUTES]

All three run on one store, in tmux, while overrides change 20 times a second for 10 minutes. Their own memory (RssAnon) is read every
second. The check fails if the median of the last fifth is more than 3 % and 512 KiB above the median of the second fifth, or if one of
them does not show the last values.
"""
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

CHANGES_PER_SECOND = 20
KEYS = ["maximum_item_count", "greeting_text"]


class Growth:
    def __init__(self, flagmenu, demo, minutes):
        self.flagmenu, self.demo = os.path.abspath(flagmenu), os.path.abspath(demo)
        self.seconds = minutes * 60
        self.folder = tempfile.mkdtemp(prefix="growth-")
        self.environment = {
            "HOME": self.folder, "PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "TERM": "xterm-256color",
        }

    def tmux(self, *arguments):
        done = subprocess.run(
            ["tmux", "-f", "/dev/null", "-S", f"{self.folder}/tmux", *arguments], env=self.environment, check=True,
            stdout=subprocess.PIPE, text=True)
        return done.stdout

    def open(self, name, command):
        self.tmux("new-session", "-d", "-s", name, "-x", "100", "-y", "30", "-c", self.folder, f"exec {command}")
        return int(self.tmux("list-panes", "-t", name, "-F", "#{pane_pid}"))

    def change(self, number):
        value = str(number) if number % 2 == 0 else f"Hello {number}"
        key = KEYS[number % 2]
        subprocess.run(
            [self.flagmenu, "set", key, value, "--sample", "--any", "--quiet"], cwd=self.folder, env=self.environment, check=True,
            stdout=subprocess.DEVNULL)
        return value

    @staticmethod
    def memory(process):
        with open(f"/proc/{process}/status") as status:
            return next(int(line.split()[1]) for line in status if line.startswith("RssAnon"))

    def run(self):
        processes = {}
        try:
            return self.measure(processes)
        finally:
            self.close(processes)

    def close(self, processes):
        subprocess.run(["tmux", "-S", f"{self.folder}/tmux", "kill-server"], stderr=subprocess.DEVNULL)
        # Each stores its session when its terminal closes.
        end = time.monotonic() + 10
        while time.monotonic() < end and any(os.path.exists(f"/proc/{process}") for process in processes.values()):
            time.sleep(0.1)
        shutil.rmtree(self.folder, ignore_errors=True)

    def measure(self, processes):
        processes |= {
            "menu": self.open("menu", f"{self.flagmenu} --sample"),
            "demo": self.open("demo", f"{self.demo} --screen items"),
            "watch": self.open("watch", f"{self.flagmenu} watch --sample > watch.txt"),
        }
        time.sleep(2)
        samples = {name: [] for name in processes}
        start = time.monotonic()
        number, next_sample, shown = 0, start, {}
        while time.monotonic() - start < self.seconds:
            shown[number % 2] = self.change(number)
            number += 1
            if time.monotonic() >= next_sample:
                next_sample += 1
                for name, process in processes.items():
                    samples[name].append(self.memory(process))
            time.sleep(max(0, start + number / CHANGES_PER_SECOND - time.monotonic()))
        time.sleep(1)
        return self.judge(number, samples, shown)

    def judge(self, number, samples, shown):
        problems = []
        print(f"{number} changes in {self.seconds:.0f} s")
        for name, values in samples.items():
            fifth = len(values) // 5
            early, late = statistics.median(values[fifth:2 * fifth]), statistics.median(values[-fifth:])
            print(f"{name}: {early:.0f} KiB in the second fifth, {late:.0f} KiB in the last, at most {max(values)} KiB")
            if late - early > max(512, early * 0.03):
                problems.append(f"{name} has grown")
        with open(f"{self.folder}/watch.txt") as file:
            texts = {"watch": "".join(file.readlines()[-4:])}
        texts["menu"], texts["demo"] = (self.tmux("capture-pane", "-p", "-t", name) for name in ("menu", "demo"))
        expected = {"menu": shown.values(), "watch": shown.values(), "demo": [shown[0]]}
        for name, values in expected.items():
            problems += [f"{name} does not show {value}" for value in values if value not in texts[name]]
        for problem in problems:
            print(problem)
        return 1 if problems else 0


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    sys.exit(Growth(sys.argv[1], sys.argv[2], float((sys.argv[3:] or ["10"])[0])).run())
