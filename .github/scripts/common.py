"""What the checks in Python share: comparing, waiting, and flagmenu in a home folder of its own.

usage: common.py SCRIPT [ARGUMENT]... runs a script that imports this module and none of the files beside it, as some
have the name of the package that they check.
"""
import atexit
import http.client
import json
import logging
import os
import resource
import runpy
import subprocess
import sys
import tempfile
import time
from urllib.parse import quote

VALUES = {
    "new_checkout": False, "theme_color": "red", "max_items": 42, "ratio": 7.0,
    "login_screen": {"label": "Welcome", "sizes": [1, 2]}, "odd key.ü": "plain", "ads/top": True}
SHOP = VALUES | {"config_categories": [
    {"category": "Shop", "items": [
        {"key": "new_checkout", "value": "true|false", "title": "New Checkout"},
        {"key": "theme_color", "value": "red|blue|green"},
        {"key": "max_items", "type": "int", "min": 1, "max": 100},
        {"key": "ratio", "type": "double"},
        {"key": "login_screen", "type": "json"}]}]}

# Clients log errors about faults that are injected on purpose.
logging.disable(logging.CRITICAL)


def wait_until(holds, seconds=30, pause=0.02):
    """Waits until a condition holds; returns whether it held in time."""
    end = time.monotonic() + seconds
    while not (found := holds()) and time.monotonic() < end:
        time.sleep(pause)
    return bool(found)


class Checks:
    """Compares what was found with what should be found."""

    def __init__(self, name):
        self.name, self.found, self.differences = name, 0, []

    def expect(self, what, found, wanted=True):
        self.found += 1
        if found != wanted or type(found) is not type(wanted):
            self.differences.append(f"{what}: found {found!r}, expected {wanted!r}")

    def wait(self, what, read, wanted, seconds=30):
        found = []

        def is_there():
            found[:] = [read()]
            return found[0] == wanted

        wait_until(is_there, seconds)
        self.expect(f"{what}, within {seconds} s", found[0], wanted)

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
            print(f"{self.name}: {difference}", file=sys.stderr)
        if not self.differences:
            print(f"{self.name}: {client}: all {self.found} results are as expected")
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(1 if self.differences else 0)


class Home:
    """A folder that is the home of built programs, and has only their own files."""

    def __init__(self, programs, **variables):
        self.programs, self.place = os.path.abspath(programs), tempfile.mkdtemp(prefix="flagmenu-")
        self.environment = {
            "PATH": os.environ["PATH"], "HOME": self.place, "LC_ALL": "C.UTF-8", "TERM": "xterm-256color",
            "NO_PROXY": "127.0.0.1"} | variables

    def write(self, name, content):
        """Writes a text, or JSON, beside the project file; returns its path."""
        path = os.path.join(self.place, name)
        with open(path, "w") as file:
            file.write(content if isinstance(content, str) else json.dumps(content))
        return path

    def open(self, program, *arguments, **options):
        """Starts a program, which ends with this process at the latest."""
        process = subprocess.Popen(
            [f"{self.programs}/{program}", *arguments], cwd=self.place, env=self.environment, text=True,
            stdout=subprocess.PIPE, **options)
        atexit.register(process.kill)
        return process

    def attempt(self, *arguments, **variables):
        """Runs flagmenu, whatever its exit status is."""
        return subprocess.run(
            [f"{self.programs}/flagmenu", *arguments], cwd=self.place, env=self.environment | variables,
            stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)

    def flagmenu(self, *arguments):
        run = self.attempt(*arguments)
        if run.returncode:
            sys.exit(f"flagmenu {' '.join(arguments)} exits with {run.returncode}: {run.stderr.strip()}")
        return run.stdout

    def json(self, *arguments): return json.loads(self.flagmenu(*arguments, "--json"))


class FlagMenu(Home):
    """flagmenu with one source, with the same context and credentials as a vendor's client."""

    def __init__(self, source, variables=None, **members):
        super().__init__(sys.argv[1], **(variables or {}))
        self.write("flagmenu.json", {"app": "shop", "source": {"source": source, **members}})

    def flags(self):
        """Fetches, and returns the value and the note of each flag that has a remote value, by key."""
        # The project file names the server's address, to which credentials are sent.
        for command in ("trust", "fetch", "activate"):
            self.json(command)
        return {flag["key"]: self._flag(flag) for flag in self.json("list") if flag["layer"] == "remote"}

    def _flag(self, listed):
        key = listed["key"]
        got = self.json("get", key)
        if any(got[member] != listed[member] for member in ("value", "type", "layer")):
            sys.exit(f"flagmenu lists {listed} and gets {got}")
        note = next(layer.get("note") for layer in self.json("explain", key)["layers"] if layer["layer"] == "remote")
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


class Loopback(Checks):
    """Checks of the process LoopbackServers with one service."""

    def __init__(self, service, *arguments):
        super().__init__(service)
        self.process = subprocess.Popen(
            [f"{sys.argv[1]}/LoopbackServers", service, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            text=True)
        self.facts = self._answer()
        self.url = self.facts["url"]

    def _answer(self):
        line = self.process.stdout.readline()
        if not line:
            sys.exit(f"{self.name}: the server has ended")
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
        return self.tell("requests")["requests"]

    def finish(self, client):
        self.process.stdin.close()
        super().finish(client)


class Server(Home):
    """A running flagmenu serve, on a document."""

    def __init__(self, document, *arguments, file_limit=None, **variables):
        super().__init__(sys.argv[1], **variables)
        self.write("remote.json", document)
        self.write("flagmenu.json", {"app": "shop", "source": "remote.json"})
        self.start(*arguments, file_limit=file_limit)

    def start(self, *arguments, file_limit=None, port=0):
        limit = (file_limit, file_limit)
        self.errors = open(os.path.join(self.place, "errors.txt"), "w+")
        self.process = self.open(
            "flagmenu", "serve", "--port", str(port), "--json", *arguments, stderr=self.errors,
            preexec_fn=file_limit and (lambda: resource.setrlimit(resource.RLIMIT_NOFILE, limit)))
        line = self.process.stdout.readline()
        if not line:
            sys.exit(f"flagmenu serve exits with {self.process.wait()}: {self.error_text()}")
        facts = json.loads(line)
        self.url, self.link = facts["url"], facts["link"]
        self.port = int(self.url.rsplit(":", 1)[1])
        with open(facts["tokenFile"]) as file:
            self.token = json.load(file)["token"]
        self.store = os.path.dirname(facts["tokenFile"])

    def error_text(self):
        self.errors.seek(0)
        return self.errors.read().strip()

    def overrides(self):
        """The saved overrides, byte by byte; None if there are none."""
        try:
            with open(os.path.join(self.store, "overrides.json"), "rb") as file:
                return file.read()
        except FileNotFoundError:
            return None

    def request(self, method, path, body=None, headers=None, token=None):
        """Sends a request on a connection of its own; returns status, headers and body."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        headers = dict(headers or {})
        if token: headers["Authorization"] = f"Bearer {token}"
        connection.request(method, path, body, headers)
        response = connection.getresponse()
        # A stream has no end.
        data = b"" if response.headers.get("Content-Type") == "text/event-stream" else response.read()
        connection.close()
        return response.status, response.headers, data

    def call(self, method, path, body=None):
        """Sends a request of the management API with the token; returns status and JSON."""
        status, _, data = self.request(
            method, f"/api/v1/{path}", None if body is None else json.dumps(body), token=self.token)
        return status, json.loads(data)

    def set(self, key, value, client=None):
        query = "" if client is None else f"?client={quote(client, safe='')}"
        status, answer = self.call("PUT", f"overrides/{quote(key, safe='')}{query}", {"value": value})
        if status != 200: sys.exit(f"{key} cannot be set: {answer}")

    def end(self, checks):
        """Ends the server, as a user does."""
        start = time.monotonic()
        self.process.terminate()
        checks.expect("the exit status after SIGTERM", self.process.wait(timeout=20), 0)
        checks.expect(f"an end within 1 s, found {time.monotonic() - start:.1f} s", time.monotonic() - start < 1)
        checks.expect("messages on standard error", self.error_text(), "")


if __name__ == "__main__":
    del sys.argv[0]
    runpy.run_path(sys.argv[0], run_name="__main__")
