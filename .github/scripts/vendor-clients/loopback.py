"""A server of the test kit, and what a client finds there."""
import json
import logging
import os
import subprocess
import sys
import time

# The clients complain of what is done to them on purpose.
logging.disable(logging.CRITICAL)


class Loopback:
    """The process LoopbackServers with one service."""

    def __init__(self, service, *arguments):
        self.service = service
        self.process = subprocess.Popen(
            [sys.argv[1], service, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.facts = self._answer()
        self.url = self.facts["url"]
        self.found = 0
        self.differences = []

    def _answer(self):
        line = self.process.stdout.readline()
        if not line:
            sys.exit(f"{self.service}: the server has ended")
        return json.loads(line)

    def _ask(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        return self._answer()

    def change(self, name):
        """Changes the service's flags; whoever listens has been told when this returns."""
        self._ask(f"change {name}")

    def listeners(self):
        return self._ask("listeners")["listeners"]

    def requests(self):
        """Method and target of the requests since the last call."""
        return self._ask("requests")["requests"]

    def break_off(self):
        self._ask("breakOff")

    def expect(self, what, found, wanted):
        """Notes whether a client has found what it should."""
        self.found += 1
        if found != wanted or type(found) is not type(wanted):
            self.differences.append(f"{what}: the client has {found!r} where {wanted!r} is right")

    def wait(self, what, read, wanted, seconds=30):
        """Notes whether a client finds something in time."""
        end = time.monotonic() + seconds
        while (found := read()) != wanted and time.monotonic() < end:
            time.sleep(0.02)
        self.expect(f"{what}, within {seconds} s", found, wanted)

    def finish(self, client):
        """Ends the process, threads of the client included, which may have no end of their own."""
        self.process.stdin.close()
        for difference in self.differences:
            print(f"{self.service}: {difference}", file=sys.stderr)
        if not self.differences:
            print(f"{self.service}: {client} has found all {self.found} things it should")
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(1 if self.differences else 0)
