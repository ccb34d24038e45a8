#!/usr/bin/env python3
"""Measures how far the setups go: a server with many clients, a team with many followers, and files of many flags.

usage: .github/scripts/scale.py PROGRAMS [serve | streams | team | files]...

PROGRAMS is the folder of a release build. Prints the rows of the tables in Scale.md; by default all, in some four
minutes. Times are right only on a quiet machine. The team needs etcd, and the files GNU's time.
"""
import asyncio
import math
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

from common import Home, Server, many_flags, memory, processor_time
from connections import connect
from team.cluster import Cluster
from team.follower import FLAGS, Follower, write

# How often a client of OFREP asks for its flags, in seconds, by the default of OpenFeature's providers.
POLL_INTERVAL = 30
WRITES, WRITES_PER_SECOND = 100, 10


def row(*cells): print("|", " | ".join(one if isinstance(one, str) else f"{one:,}" for one in cells), "|", flush=True)


def header(*cells):
    print()
    row(*cells)
    print("|---" * len(cells) + "|")


def milliseconds(times, share=0.5):
    return round(1e3 * sorted(times)[min(len(times) - 1, int(share * len(times)))], 1)


async def evaluate(server, clients, path, fields, rate=None):
    """Lets clients evaluate over 16 connections, as fast as possible or at a rate; returns how long each waited."""
    start, left, times = time.monotonic(), enumerate(clients), []

    async def work():
        connection = await connect(server.port)
        for number, client in left:
            due = start + number / rate if rate else time.monotonic()
            await asyncio.sleep(max(0, due - time.monotonic()))
            answer = await connection.ask("POST", path, {"context": {"targetingKey": f"client-{client}"}}, **fields)
            if answer[9:12] != (b"304" if fields else b"200"): sys.exit(f"{path}: {answer[:300]}")
            times.append(time.monotonic() - due)
        connection.transport.close()

    await asyncio.gather(*[work() for _ in range(16)])
    return times


async def serve():
    header("Clients", "They ask for", "Memory, MiB", "Requests/s", "Processor, ms", "Median, ms", "p99, ms")
    for count in (1_000, 10_000):
        for kind in ("one flag", "one flag, own overrides", "all 1,000 flags, unchanged"):
            server, path, fields = Server(many_flags(1_000)), "/ofrep/v1/evaluate/flags", {}
            if "own" in kind: give_overrides(server, count)
            if "all" in kind: fields = {"If-None-Match": server.request("POST", path, '{"context": {}}')[1]["ETag"]}
            else: path += "/flag_7"
            start, used = time.monotonic(), processor_time(server.process.pid)
            await evaluate(server, range(count), path, fields)
            rate, used = count / (time.monotonic() - start), processor_time(server.process.pid) - used
            paced = count // POLL_INTERVAL
            times = await evaluate(server, range(10 * paced), path, fields, paced)
            size = memory(server.process.pid) // 1024
            row(count, kind, size, round(rate), round(1e3 * used / count, 3), milliseconds(times),
                milliseconds(times, 0.99))
            server.process.terminate()
    await connections(Server(many_flags(1_000)))


async def connections(server):
    """Opens connections, as clients keep theirs between two requests, until a request on one waits."""
    for number in range(1, 10_001):
        request = (await connect(server.port)).ask("POST", "/ofrep/v1/evaluate/flags/flag_7", {"context": {}})
        try: await asyncio.wait_for(request, 2)
        except asyncio.TimeoutError: return print(f"\nA request on connection {number:,} waits.")


def give_overrides(server, count):
    """Gives each client an override of its own, while the server does not run."""
    server.set("flag_1", "false", client="client-0")
    server.process.terminate()
    server.process.wait()
    folder = f"{server.store}/clients"
    for number in range(1, count): shutil.copytree(f"{folder}/client-0", f"{folder}/client-{number}")
    server.start()


async def streams():
    """Opens event streams until the server refuses one, and changes a flag."""
    server, opened, seen = Server(many_flags(1_000)), 0, {}
    before = memory(server.process.pid)
    header("Event streams", "Memory of each, KiB", "From a change to all, ms (median)", "slowest")
    while opened < 2_000:
        pieces = asyncio.Queue()

        def take(data, number=opened, pieces=pieces):
            if b"refetchEvaluation" in data: seen[number] = time.monotonic()
            pieces.put_nowait(data)

        (await connect(server.port, take)).send("GET", "/ofrep/v1/events", Accept="text/event-stream")
        answer = await asyncio.wait_for(pieces.get(), 10)
        if not answer.startswith(b"HTTP/1.1 200"): return print(f"\nStream {opened + 1} gets {answer[9:12].decode()}.")
        opened += 1
        if opened not in (100, 200, 300, 1_000, 2_000): continue
        each, times = (memory(server.process.pid) - before) / opened, []
        for value in ("false", "true") * 5:
            seen.clear()
            start = time.monotonic()
            await asyncio.to_thread(server.set, "flag_1", value)
            while len(seen) < opened: await asyncio.sleep(0.005)
            times.append(max(seen.values()) - start)
            await asyncio.sleep(0.3)
        row(opened, round(each), milliseconds(times), milliseconds(times, 1))


async def team():
    header("Clients", "Writes/s", "Latency, ms (median)", "p99", "Reads/s of a client", "KiB/s",
           "etcd, processors", "at rest")
    points = []
    for count in (10, 100, 1_000):
        with tempfile.TemporaryDirectory() as folder: points.append(await follow_team(Cluster(folder), count))
    slope, start = statistics.linear_regression(*zip(*points))
    print(f"\nA read takes {1e3 * slope:.2f} ms of etcd's processors, beside {start:.2f} of one for the writes.")


async def follow_team(cluster, count):
    def used(): return sum(processor_time(process.pid) for process in cluster.processes)
    def reads(): return sum(len(one.times) for one in followers)
    def kib(): return sum(one.reading.bytes + one.watch.bytes for one in followers) / 1024

    writer, followers, written = await connect(cluster.clients[0]), [Follower() for _ in range(count)], []
    for number in range(FLAGS): await write(writer, number)
    for place, one in enumerate(followers): await one.follow(cluster.clients[place % len(cluster.clients)])
    await asyncio.sleep(3)
    before = used()
    await asyncio.sleep(6)
    rest, before, start = (used() - before) / 6, (reads(), kib(), used()), time.monotonic()
    for number in range(WRITES):
        await asyncio.sleep(max(0, start + number / WRITES_PER_SECOND - time.monotonic()))
        begin = time.monotonic()
        written.append((await write(writer, number), begin))
    seconds = time.monotonic() - start
    read, received, load = [(now - old) / seconds for now, old in zip((reads(), kib(), used()), before)]
    await asyncio.sleep(6)
    delays = [delay for one in followers for delay in one.delays(written)]
    row(count, round(WRITES / seconds, 1), milliseconds(delays), milliseconds(delays, 0.99), round(read / count, 1),
        round(received / count, 1), round(load, 2), round(rest, 2))
    for task in asyncio.all_tasks() - {asyncio.current_task()}: task.cancel()
    cluster.end()
    return read, load


async def files():
    header("Flags", "File, MB", "get, ms", "MiB", "set, ms", "MiB", "list, ms", "MiB")
    found = {"get": {}, "set": {}, "list": {}}
    for count in (1_000, 10_000, 100_000):
        home = Home(sys.argv[1])
        size = os.path.getsize(home.write("remote.json", many_flags(count)))
        home.write("flagmenu.json", {"app": "shop", "source": "remote.json"})
        start, cells = run(home, "--version")[0], []
        for command in ("get flag_7", "set flag_7 false", "list"):
            taken, kib = run(home, *command.split())
            cells += [round(1e3 * taken, 1), round(kib / 1024, 1)]
            # What every start takes is no part of the law.
            found[command.split()[0]][math.log(count)] = math.log(taken - start)
        row(count, round(size / 1e6, 1), *cells)
    powers = [f"{name} {statistics.linear_regression(*zip(*one.items())).slope:.2f}" for name, one in found.items()]
    print("\nTime beyond that of `--version` grows with the flags to the power of:", ", ".join(powers))


def run(home, *command):
    """The seconds of a command, the median of 9 runs, and its KiB."""
    times = []
    for _ in range(9):
        start = time.monotonic()
        home.flagmenu(*command)
        times.append(time.monotonic() - start)
    used = subprocess.run(["time", "-f", "%M", f"{home.programs}/flagmenu", *command], cwd=home.place,
                          env=home.environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=True)
    return statistics.median(times), int(used.stderr.split()[-1])


parts = {"serve": serve, "streams": streams, "team": team, "files": files}
if len(sys.argv) < 2 or set(sys.argv[2:]) - set(parts): sys.exit(__doc__)
resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
for part in sys.argv[2:] or parts: asyncio.run(parts[part]())
