"""Clients that follow a team's values in etcd, and a writer, simulated by their requests."""
import asyncio
import base64
import bisect
import json
import re
import time

from connections import connect
from team.cluster import PREFIX


def coded(text): return base64.b64encode(text.encode()).decode()


# How many flags a team has.
FLAGS = 20
RANGE = {"key": coded(f"{PREFIX}/flags/"), "range_end": coded(f"{PREFIX}/flags0")}


def revision(answer): return int(re.search(rb'"revision":"(\d+)"', answer)[1])


class Follower:
    """Follows a team's values as flagmenu does (EtcdSubscription, LiveUpdates): watches them, and reads all of them
    every 3 s and after a change, but after more than four reads in a second waits for the next one."""

    async def follow(self, port):
        self.revisions, self.times, self.changed = [], [], asyncio.Event()
        self.reading = await connect(port)
        await self.read()
        self.watch = await connect(port, lambda data: b'"events"' in data and self.changed.set())
        self.watch.send("POST", "/v3/watch", {"create_request": RANGE | {"start_revision": self.revisions[-1] + 1}})
        self.tasks = [asyncio.create_task(self.refresh()), asyncio.create_task(self.confirm())]

    async def read(self):
        self.revisions.append(revision(await self.reading.ask("POST", "/v3/kv/range", RANGE)))
        self.times.append(time.monotonic())

    async def refresh(self):
        second, count = 0, 0
        while await self.changed.wait():
            self.changed.clear()
            await self.read()
            second, count = int(time.time()), count + 1 if second == int(time.time()) else 1
            if count > 4: await asyncio.sleep(1)

    async def confirm(self):
        while await asyncio.sleep(3, True): await self.read()

    def delays(self, written):
        return [self.times[bisect.bisect_left(self.revisions, wanted)] - start for wanted, start in written]


async def write(connection, number):
    """Changes a flag of the team as flagmenu does, with an entry in the history; returns the revision."""
    value = json.dumps({"value": f"value {number}", "by": "ana", "at": "2026-11-30T10:00:00Z"})
    texts = {f"{PREFIX}/flags/flag_{number % FLAGS}": value, f"{PREFIX}/history/{number}": value * 3}
    puts = [{"request_put": {"key": coded(key), "value": coded(text)}} for key, text in texts.items()]
    return revision(await connection.ask("POST", "/v3/kv/txn", {"success": puts}))
