# What the checks in Python share: comparing, waiting, and flagmenu in a home folder of its own.
#
# usage: common.py SCRIPT [ARGUMENT]... runs a script that imports this module and none of the files beside it, as some
# have the name of the package that they check.
import atexit
import http.client
import json
import logging
import os
import pathlib
import re
import resource
import runpy
import shutil
import subprocess
import sys
import tempfile
import time
from importlib.metadata import version
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


def many_flags(count):
    """A document of many flags, in 40 categories."""
    items = [{"key": f"flag_{number}", "value": "true|false", "title": f"Flag number {number}",
              "description": f"Turns number {number} on for those who test it."} for number in range(count)]
    size = count // 40
    groups = [{"category": f"Category {place}", "items": items[place * size:(place + 1) * size]} for place in range(40)]
    return {item["key"]: True for item in items} | {"config_categories": groups}


# What ends with this process.
opened = []
# Clients log errors about faults that are injected on purpose.
logging.disable(logging.CRITICAL)


@atexit.register
def end_opened():
    for process in opened: process.kill()
    for process in opened: process.wait()


def wait_until(holds, seconds=30, pause=0.02):
    """Waits until a condition holds; returns its last value."""
    end = time.monotonic() + seconds
    while not (found := holds()) and time.monotonic() < end: time.sleep(pause)
    return found


def typed(value):
    """A value that equals another one only if their types are equal, too: in Python, True is 1 and 1 is 1.0."""
    if isinstance(value, dict): return {key: typed(one) for key, one in value.items()}
    return type(value), [typed(one) for one in value] if isinstance(value, (list, tuple)) else value


class Checks:
    """Compares what was found with what should be found."""

    def __init__(self, name):
        self.name, self.found, self.differences = name, 0, []

    def expect(self, what, found, wanted=True):
        self.found += 1
        if typed(found) != typed(wanted): self.differences.append(f"{what}: found {found!r}, expected {wanted!r}")

    def wait(self, what, read, wanted, seconds=30):
        wait_until(lambda: read() == wanted, seconds)
        self.expect(f"{what}, within {seconds} s", read(), wanted)

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

    def finish_with(self, *packages):
        """Ends the process as finish does; names the packages of a client, with their versions."""
        self.finish(" and ".join(f"{package} {version(package)}" for package in packages))

    def finish(self, client):
        """Ends the process with all threads of the client, because such a thread may never end by itself."""
        for difference in self.differences: print(f"{self.name}: {difference}", file=sys.stderr)
        if not self.differences: print(f"{self.name}: {client}: all {self.found} results are as expected")
        end_opened()
        sys.stdout.flush()
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
        path = pathlib.Path(self.place, name)
        path.write_text(content if isinstance(content, str) else json.dumps(content))
        return str(path)

    def open(self, program, *arguments, **options):
        """Starts a program, which ends with this process at the latest."""
        process = subprocess.Popen(
            [f"{self.programs}/{program}", *arguments], cwd=self.place, env=self.environment, text=True,
            **{"stdout": subprocess.PIPE} | options)
        opened.append(process)
        return process

    def attempt(self, *arguments, **variables):
        """Runs flagmenu, whatever its exit status is."""
        return subprocess.run(
            [f"{self.programs}/flagmenu", *arguments], cwd=self.place, env=self.environment | variables,
            stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)

    def flagmenu(self, *arguments):
        run = self.attempt(*arguments)
        if run.returncode: sys.exit(f"flagmenu {' '.join(arguments)} exits with {run.returncode}: {run.stderr.strip()}")
        return run.stdout

    def json(self, *arguments): return json.loads(self.flagmenu(*arguments, "--json"))


class Tmux:
    """Programs of homes in panes of a tmux of its own, which ends with this process at the latest."""

    def __init__(self, width=120, height=50):
        self.socket, self.size = tempfile.mkdtemp() + "/tmux", ["-x", str(width), "-y", str(height)]
        opened.append(self)

    def run(self, *arguments, **options):
        command = ["tmux", "-S", self.socket, "-f", "/dev/null", *arguments]
        return subprocess.run(command, **{"stdout": subprocess.PIPE, "text": True} | options).stdout

    def open(self, home, program, *arguments, split=None):
        """Opens a pane in a new session, or beside the others: to the right with "-h", below with "-v"."""
        where = ["split-window", split] if split else ["new-session", "-d", *self.size]
        variables = [f"{key}={value}" for key, value in home.environment.items()]
        self.run(*where, "-c", home.place, "env", "-i", *variables, os.path.join(home.programs, program), *arguments)

    def press(self, *keys, pane=0): self.run("send-keys", "-t", f":.{pane}", *keys)

    def text(self, pane=0): return self.run("capture-pane", "-p", "-t", f":.{pane}")

    def expect(self, checks, what, pane, words):
        """Records whether a pane shows the words in time, whatever blanks are between them."""
        def is_shown():
            text = " ".join(self.text(pane).split())
            return words in text or text

        checks.wait(what, is_shown, True)

    def show(self):
        """Shows the panes to a user, until they are closed; not in a check."""
        if "--check" in sys.argv: return
        self.run("attach", stdout=None)
        sys.exit()

    def kill(self): self.run("kill-server", stderr=subprocess.DEVNULL)

    def wait(self): pass  # It has ended.


def memory(process):
    """The memory of a process that is its own, in KiB."""
    with open(f"/proc/{process}/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("RssAnon"))


def processor_time(process):
    """The processor time that a process has used, in seconds."""
    with open(f"/proc/{process}/stat") as file: ticks = file.read().rsplit(")", 1)[1].split()[11:13]
    return sum(map(int, ticks)) / os.sysconf("SC_CLK_TCK")


def instructions(home, *command, status=0, shown=None):
    """The instructions of flagmenu, counted by callgrind.

    Counts a command that exits with a status or, with a text, the menu until it shows the text and rests, and its end.
    The programs must be without debug information (strip -g), which valgrind 3.19 cannot read."""
    log = f"{home.place}/callgrind"
    # Threads that take turns do the same work in each run, or nearly.
    line = ["valgrind", "--tool=callgrind", "--fair-sched=yes", "--callgrind-out-file=/dev/null", f"--log-file={log}",
            f"{home.programs}/flagmenu", *command]
    if shown is None:
        run = subprocess.run(line, cwd=home.place, env=home.environment, capture_output=True, timeout=600)
        if run.returncode != status: sys.exit(f"{command} ended with {run.returncode}: {run.stderr[:500]}")
    else:
        tmux = Tmux(80, 24)
        tmux.open(home, shutil.which(line[0]), *line[1:])
        if not wait_until(lambda: shown in tmux.text(), 300): sys.exit(f"The menu does not open: {tmux.text()}")
        process = int(tmux.run("list-panes", "-F", "#{pane_pid}"))

        def rests():
            used = processor_time(process)
            time.sleep(0.5)
            return processor_time(process) - used < 0.05

        wait_until(rests, 60)
        tmux.press("q")
        wait_until(lambda: not os.path.exists(f"/proc/{process}"), 60)
    return int(re.search(r"Collected : (\d+)", pathlib.Path(log).read_text()).group(1))


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
        if not line: sys.exit(f"flagmenu serve exits with {self.process.wait()}: {self.error_text()}")
        facts = json.loads(line)
        self.url, self.link = facts["url"], facts["link"]
        self.port = int(self.url.rsplit(":", 1)[1])
        self.token = json.loads(pathlib.Path(facts["tokenFile"]).read_text())["token"]
        self.store = os.path.dirname(facts["tokenFile"])

    def error_text(self):
        self.errors.seek(0)
        return self.errors.read().strip()

    def overrides(self):
        """The saved overrides, byte by byte; None if there are none."""
        path = pathlib.Path(self.store, "overrides.json")
        return path.read_bytes() if path.exists() else None

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

    def save_scenario(self, name, values):
        """Saves a scenario in the folder of the store."""
        os.makedirs(f"{self.store}/scenarios", exist_ok=True)
        self.write(f"{self.store}/scenarios/{name}.json", {"exportedAt": "2026-11-29T10:00:00Z", "overrides": values})

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
