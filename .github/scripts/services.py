"""What the checks of services share: LoopbackServers, and flagmenu with one of them as its source."""
import json
import subprocess
import sys

from common import Checks, Home

# How an app reads a value, by the flag's type.
DECODED = {
    "bool": {"true": True, "on": True, "false": False, "off": False}.get, "int": int, "double": float,
    "json": json.loads, "string": str}


class FlagMenu(Home):
    """flagmenu with one source, with the same context and credentials as a vendor's client."""

    def __init__(self, source, variables={}, **members):
        super().__init__(sys.argv[1], **variables)
        self.write("flagmenu.json", {"app": "shop", "source": {"source": source, **members}})

    def flags(self):
        """Fetches, and returns the value and the note of each flag that has a remote value, by key."""
        # The project file names the server's address, to which credentials are sent.
        for command in ("trust", "fetch", "activate"): self.json(command)
        return {flag["key"]: self._flag(flag) for flag in self.json("list") if flag["layer"] == "remote"}

    def _flag(self, listed):
        key = listed["key"]
        got = self.json("get", key)
        if any(got[member] != listed[member] for member in ("value", "type", "layer")):
            sys.exit(f"flagmenu lists {listed} and gets {got}")
        note = next(layer.get("note") for layer in self.json("explain", key)["layers"] if layer["layer"] == "remote")
        return DECODED[listed["type"]](listed["value"]), note or ""


class Loopback(Checks):
    """Checks of the process LoopbackServers with one service."""

    def __init__(self, service, *arguments, **secrets):
        """secrets has the variables of flagmenu's environment, each with the name of the fact that is its value."""
        super().__init__(service)
        self.process = Home(sys.argv[1]).open("LoopbackServers", service, *arguments, stdin=subprocess.PIPE)
        self.facts = self._answer()
        self.url = self.facts["url"]
        self.secrets = {variable: self.facts[fact] for variable, fact in secrets.items()}
        self.counted = []

    def flagmenu(self, variables={}, place=None, **members):
        """flagmenu with the service as its source, at another place than its address if it has one."""
        return FlagMenu(f"{self.name}:{place or self.url}", self.secrets | variables, **members)

    def expect_flags(self, what, wanted, variables={}, **members):
        """Records whether flagmenu with the service as its source has the same flags; see expect_in."""
        self.expect_in(self.flagmenu(variables, **members), what, wanted)

    def expect_values(self, read):
        """Records whether a client reads the usual flags of LoopbackServers. read takes a key and a default."""
        defaults = {"demo": False, "color": "", "limit": 0, "ratio": 0.5, "screen": {}, "unknown": "kept"}
        self.expect("values", {key: read(key, default) for key, default in defaults.items()}, {
            "demo": True, "color": "blue", "limit": 42, "ratio": 7.5, "screen": {"label": "Welcome", "sizes": [1, 2]},
            "unknown": "kept"})

    def _answer(self):
        line = self.process.stdout.readline()
        if not line: sys.exit(f"{self.name}: the server has ended")
        return json.loads(line)

    def tell(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        return self._answer()

    def change(self, name):
        """Changes the service's flags; returns once every subscriber has the change."""
        self.tell(f"change {name}")

    def listeners(self): return self.tell("listeners")["listeners"]

    def requests(self):
        """Method and target of the requests since the last call."""
        self.counted = []
        return self.tell("requests")["requests"]

    def count(self, start):
        """The number of requests since the last call of requests() whose method and target begin with a text."""
        self.counted += self.tell("requests")["requests"]
        return sum(line.startswith(start) for line in self.counted)
