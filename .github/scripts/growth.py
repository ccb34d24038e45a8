#!/usr/bin/env python3
"""Checks that an open menu, a watch and the demo do not grow while flags change.

usage: .github/scripts/growth.py PROGRAMS [MINUTES]

All three run on one store, in tmux, while overrides change 20 times a second for 10 minutes. Their own memory (RssAnon)
is read every second. The check fails if the median of the last fifth is more than 3 % and 512 KiB above the median of
the second fifth, or if one of them does not show the last values. PROGRAMS is the folder of the built programs.
"""
import statistics
import sys
import time

from common import Checks, Home, Tmux, memory, wait_until

if len(sys.argv) < 2: sys.exit(__doc__)
checks, home = Checks("growth"), Home(sys.argv[1])
seconds = 60 * float((sys.argv[2:] or ["10"])[0])


tmux = Tmux(100, 60)
tmux.open(home, "flagmenu", "--sample")
tmux.open(home, "flagmenu-demo", "--screen", "items", split="-v")
processes = dict(zip(("menu", "demo"), tmux.run("list-panes", "-F", "#{pane_pid}").split()))
with open(f"{home.place}/watch.txt", "w") as file:
    processes["watch"] = home.open("flagmenu", "watch", "--sample", stdout=file).pid
time.sleep(2)
samples, shown, number, begin = {name: [] for name in processes}, {}, 0, time.monotonic()
while time.monotonic() - begin < seconds:
    key, value = [("maximum_item_count", str(number)), ("greeting_text", f"Hello {number}")][number % 2]
    home.flagmenu("set", key, value, "--sample", "--any", "--quiet")
    shown[key] = value
    number += 1
    if time.monotonic() - begin >= len(samples["menu"]):
        for name, process in processes.items(): samples[name].append(memory(process))
    time.sleep(max(0, begin + number / 20 - time.monotonic()))
print(f"{number} changes in {seconds:.0f} s")
for name, values in samples.items():
    fifth = len(values) // 5
    early, late = statistics.median(values[fifth:2 * fifth]), statistics.median(values[-fifth:])
    print(f"{name}: {early:.0f} KiB in the second fifth, {late:.0f} KiB in the last, at most {max(values)} KiB")
    checks.expect(f"{name} has not grown", late - early <= max(512, early * 0.03))


def missing():
    """What is not on the screens yet."""
    texts = {name: tmux.text(pane) for pane, name in enumerate(["menu", "demo"])}
    with open(f"{home.place}/watch.txt") as file: texts["watch"] = "".join(file.readlines()[-4:])
    values = [(name, value) for name in ("menu", "watch") for value in shown.values()]
    return [one for one in [*values, ("demo", shown["maximum_item_count"])] if one[1] not in texts[one[0]]]


wait_until(lambda: not missing(), seconds=1)
checks.expect("last values that are not shown", missing(), [])
checks.finish("memory and last values")
