"""Runs a server of Tests/VendorServers, and compares what a client and FlagMenu read from it."""
import json
import logging
import os
import subprocess
import sys
import tempfile
import time

# The clients log errors about faults that are injected on purpose.
logging.disable(logging.CRITICAL)


class Checks:
    """Compares what a client and FlagMenu find in a service with what they should find."""

    def __init__(self, service):
        self.service = service
        self.found = 0
        self.differences = []

    def expect(self, what, found, wanted):
        """Records whether a client has found what it should find."""
        self.found += 1
        if found != wanted or type(found) is not type(wanted):
            self.differences.append(f"{what}: found {found!r}, expected {wanted!r}")

    def wait(self, what, read, wanted, seconds=30):
        """Records whether a client finds something in time."""
        end = time.monotonic() + seconds
        while (found := read()) != wanted and time.monotonic() < end:
            time.sleep(0.02)
        self.expect(f"{what}, within {seconds} s", found, wanted)

    def expect_in(self, flagmenu, what, wanted):
        """Records whether FlagMenu's source has the same flags as the vendor's client.

        wanted has a tuple for each key. It begins with the value, whose type in Python is compared too. Words of the
        client follow, such as the variant. The note on the remote value must contain all of them."""
        found = flagmenu.flags()
        self.expect(f"{what}, in FlagMenu: the keys", sorted(found), sorted(wanted))
        for key in sorted(set(found) & set(wanted)):
            value, *words = wanted[key]
            self.expect(f"{what}, in FlagMenu: {key}", found[key][0], value)
            missing = [word for word in words if word not in found[key][1]]
            self.expect(f"{what}, in FlagMenu: missing words in the note on {key}, {found[key][1]!r}", missing, [])

    def finish(self, client):
        """Ends the process with all threads of the client, because such a thread may never end by itself."""
        for difference in self.differences:
            print(f"{self.service}: {difference}", file=sys.stderr)
        if not self.differences:
            print(f"{self.service}: {client} and flagmenu have found all {self.found} expected results")
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(1 if self.differences else 0)


class Loopback(Checks):
    """The process LoopbackServers with one service."""

    def __init__(self, service, *arguments):
        super().__init__(service)
        self.process = subprocess.Popen(
            [sys.argv[1], service, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.facts = self._answer()
        self.url = self.facts["url"]

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
        """Changes the service's flags; returns once every subscriber has the change."""
        self._ask(f"change {name}")

    def listeners(self):
        return self._ask("listeners")["listeners"]

    def requests(self):
        """Method and target of the requests since the last call."""
        return self._ask("requests")["requests"]

    def break_off(self):
        self._ask("breakOff")

    def finish(self, client):
        self.process.stdin.close()
        super().finish(client)


class FlagMenu:
    """The built program, which reads a server's flags with its own source. It gets the same context as the client, and
    credentials from the environment. Its home folder contains only its own files."""

    def __init__(self, source, variables=None, **members):
        self.place = tempfile.mkdtemp(prefix="flagmenu-")
        self.environment = {
            "PATH": os.environ["PATH"], "HOME": self.place, "LC_ALL": "C.UTF-8", "NO_PROXY": "127.0.0.1"} | (variables or {})
        self.project = {"app": "shop", "source": {"source": source, **members}}
        with open(os.path.join(self.place, "flagmenu.json"), "w") as file:
            json.dump(self.project, file)

    def file(self, name, content):
        """Writes a file beside the project file, and returns its path."""
        path = os.path.join(self.place, name)
        with open(path, "w") as file:
            file.write(content)
        return path

    def _run(self, *arguments):
        run = subprocess.run(
            [sys.argv[2], *arguments, "--json"], cwd=self.place, env=self.environment, capture_output=True, text=True,
            timeout=60)
        if run.returncode:
            sys.exit(f"flagmenu {' '.join(arguments)} exits with {run.returncode}: {run.stderr.strip()}")
        return json.loads(run.stdout)

    def flags(self):
        """Fetches, and returns the value and the note of each flag that has a remote value, by key."""
        # The project file names the server's address, to which credentials are sent.
        self._run("trust")
        self._run("fetch")
        self._run("activate")
        return {flag["key"]: self._flag(flag) for flag in self._run("list") if flag["layer"] == "remote"}

    def _flag(self, listed):
        key = listed["key"]
        got = self._run("get", key)
        if any(got[member] != listed[member] for member in ("value", "type", "layer")):
            sys.exit(f"flagmenu lists {listed} and gets {got}")
        layers = self._run("explain", key)["layers"]
        note = next(layer.get("note") for layer in layers if layer["layer"] == "remote")
        return self._decoded(listed), note or ""

    @staticmethod
    def _decoded(flag):
        """The value of a flag as an app reads it, by the flag's type."""
        text = flag["value"]
        match flag["type"]:
            case "bool": return {"true": True, "on": True, "false": False, "off": False}[text]
            case "int": return int(text)
            case "double": return float(text)
            case "json": return json.loads(text)
            case _: return text
