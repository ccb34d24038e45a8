"""Runs flagmenu serve on a document of its own, and compares what clients get from it with what they should get."""
import atexit
import http.client
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from urllib.parse import quote

# Checks is shared with the tests that read the services of others.
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "vendor-clients"))
from loopback import Checks  # noqa: E402

CATALOG = [
    {"category": "Shop", "items": [
        {"key": "new_checkout", "value": "true|false", "title": "New Checkout"},
        {"key": "theme_color", "value": "red|blue|green"},
        {"key": "max_items", "type": "int", "min": 1, "max": 100},
        {"key": "ratio", "type": "double"},
        {"key": "login_screen", "type": "json"}]}]
VALUES = {
    "new_checkout": False, "theme_color": "red", "max_items": 42, "ratio": 7.0,
    "login_screen": {"label": "Welcome", "sizes": [1, 2]}, "odd key.ü": "plain", "ads/top": True}


class Server:
    """A running server, with a home folder that contains only its own files."""

    def __init__(self, program, *arguments, file_limit=None, environment=None):
        self.program = program
        self.home = tempfile.mkdtemp(prefix="flagmenu-serve-")
        self.environment = {"PATH": os.environ["PATH"], "HOME": self.home, "LC_ALL": "C.UTF-8", "NO_PROXY": "127.0.0.1"}
        self.environment |= environment or {}
        self.write("remote.json", VALUES | {"config_categories": CATALOG})
        self.write("flagmenu.json", {"app": "shop", "source": "remote.json"})
        self.errors = open(os.path.join(self.home, "errors.txt"), "w+")
        self.process = subprocess.Popen(
            [program, "serve", "--port", "0", "--json", *arguments], cwd=self.home, env=self.environment,
            stdout=subprocess.PIPE, stderr=self.errors, text=True,
            preexec_fn=file_limit and (lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (file_limit, file_limit))))
        atexit.register(self.process.kill)
        line = self.process.stdout.readline()
        if not line:
            sys.exit(f"flagmenu serve exits with {self.process.wait()}: {self.error_text()}")
        facts = json.loads(line)
        self.url, self.link = facts["url"], facts["link"]
        self.port = int(self.url.rsplit(":", 1)[1])
        with open(facts["tokenFile"]) as file:
            self.token = json.load(file)["token"]
        self.store = os.path.dirname(facts["tokenFile"])

    def write(self, name, content):
        with open(os.path.join(self.home, name), "w") as file:
            json.dump(content, file)

    def error_text(self):
        self.errors.seek(0)
        return self.errors.read().strip()

    def flagmenu(self, *arguments):
        """Runs another command of the same user in the same folder."""
        run = subprocess.run(
            [self.program, *arguments], cwd=self.home, env=self.environment, capture_output=True, text=True, timeout=60)
        if run.returncode:
            sys.exit(f"flagmenu {' '.join(arguments)} exits with {run.returncode}: {run.stderr.strip()}")

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

    def end(self):
        """Ends the server, as a user does; returns its exit status and how long that took, in seconds."""
        start = time.monotonic()
        self.process.terminate()
        try:
            return self.process.wait(timeout=20), time.monotonic() - start
        except subprocess.TimeoutExpired:
            self.process.kill()
            return "it did not end within 20 s", 20


class ServerChecks(Checks):
    """Checks of a server that ends with them."""

    def __init__(self, part, *arguments):
        super().__init__(part)
        self.server = Server(sys.argv[1], *arguments)

    def finish(self, client):
        status, seconds = self.server.end()
        self.expect("the exit status after SIGTERM", status, 0)
        self.expect(f"an end within 1 s, found {seconds:.1f} s", seconds < 1, True)
        self.expect("messages on standard error", self.server.error_text(), "")
        for difference in self.differences:
            print(f"{self.service}: {difference}", file=sys.stderr)
        good = self.found - len(self.differences)
        print(f"{self.service}: {client}: {good} of {self.found} results are as expected")
        sys.stdout.flush()
        sys.stderr.flush()
        # A thread of a client may never end.
        os._exit(1 if self.differences else 0)
