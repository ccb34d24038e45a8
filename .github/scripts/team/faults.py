"""Injects faults into etcd members while flagmenu writes and follows a team's values. See team-faults.sh."""
import json
import os
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time

from common import Checks, Home, Server, Tmux, wait_until
from team.cluster import PREFIX, Cluster, Proxy, history, is_written
from team.history import errors

is_short = "--short" in sys.argv
CONVERGENCE = 5.0  # seconds after a fault until every client must have etcd's values
checks = Checks("team-faults")


class Watcher:
    """A client that follows the values: `flagmenu watch`."""

    def __init__(self, name, ports):
        self.name, self.lines, self.warnings = name, [], []
        self.process = home(name, ports).open("flagmenu", "watch", "--initial", "--sample", stderr=subprocess.PIPE)
        threading.Thread(target=self.read, daemon=True).start()
        threading.Thread(target=lambda: self.warnings.extend(self.process.stderr), daemon=True).start()

    def read(self):
        for line in self.process.stdout:
            change = json.loads(line)
            if is_written(change["key"]): self.lines.append((change["key"], change["new"]))

    def latest(self): return {key: value for key, value in dict(list(self.lines)).items() if value is not None}

    def kill(self): self.process.kill()


class Menu(Tmux):
    """An open menu, with the flags that commands write."""

    def __init__(self, name, ports):
        super().__init__()
        self.name = name
        self.open(home(name, ports), "flagmenu", "--sample", "--fresh")

    def latest(self): return dict(re.findall(r"^[> ]+(k\d+) +(\S+) +team", self.text(), re.MULTILINE))


class TeamServer(Server):
    """A running `flagmenu serve`."""

    def __init__(self, name, ports):
        self.name = name
        super().__init__({}, "--sample", **variables(name, ports))

    def latest(self):
        values = {flag["key"]: flag["value"] for flag in self.call("GET", "flags")[1]["flags"]}
        return {key: value for key, value in values.items() if is_written(key) and value is not None}

    def kill(self): self.process.kill()


def variables(name, ports):
    """What one client of the team has in its environment."""
    address = ",".join(f"127.0.0.1:{port}" for port in ports)
    return {"USER": name, "FLAGMENU_TEAM": f"etcd://{address}/{PREFIX}"}


def home(name, ports): return Home(sys.argv[1], **variables(name, ports))


class Run:
    """Writes to one cluster, and what its clients have of it."""

    def __init__(self, folder, count):
        self.folder, self.cluster, self.writes = folder, Cluster(folder, count), []
        ports = self.cluster.clients
        self.writer, self.proxies = home("writer", ports), [Proxy(port) for port in ports]
        self.clients = [Watcher(f"client{number}", ports) for number in range(3)]
        self.clients.append(Watcher("proxied", [proxy.port for proxy in self.proxies]))

    def write(self, key, value):
        start = time.time()
        result = self.writer.attempt("set", key, value, "--layer", "team", "--new", "--any", "--sample", "-q")
        outcome = "made" if result.returncode == 0 else "unknown" if "not known" in result.stderr else "notMade"
        self.writes.append({"key": key, "value": value, "start": start, "end": time.time(), "outcome": outcome})
        return outcome

    def write_during(self, seconds, label, what):
        """Writes one value after another for some seconds, of which some must be made."""
        outcomes, end = [], time.monotonic() + seconds
        while time.monotonic() < end: outcomes.append(self.write("k0", f"{label}-{len(outcomes)}"))
        print(f"    {({word: outcomes.count(word) for word in set(outcomes)})}")
        checks.expect(what, "made" in outcomes)

    def converge(self, what):
        """Waits until every client has etcd's values."""
        start = time.monotonic()

        def late():
            values = self.cluster.values()
            return [client.name for client in self.clients if client.latest() != values]

        wait_until(lambda: not late(), CONVERGENCE)
        print(f"    {what}: {time.monotonic() - start:.2f} s", flush=True)
        checks.expect(f"{what}: clients that are late", late(), [])

    def end(self):
        for client in self.clients: client.kill()
        self.cluster.end()


def menus(run):
    """The delay from the key in a menu to the screen of another one."""
    menus = [Menu(name, run.cluster.clients) for name in ("ana", "bo")]
    for menu in menus: menu.expect(checks, "a menu opens", 0, "Multiple locations")
    delays = []
    menus[0].press("g")
    for _ in range(5 if is_short else 20):
        menus[0].press("Space", "t")
        time.sleep(1)
        before, start = menus[1].text(), time.monotonic()
        menus[0].press("y")
        wait_until(lambda: menus[1].text() != before, seconds=5, pause=0)
        delays.append((time.monotonic() - start) * 1000)
        time.sleep(0.5)
    for menu in menus: menu.kill()
    # The short form runs after a build, whose files are still being written out.
    limit, median = 250 if is_short else 50, statistics.median(delays)
    checks.expect(f"a change is in another menu {median:.1f} ms (median) after the key", median <= limit)
    is_moved = run.cluster.all_values().get("enable_multiple_locations") is not None
    checks.expect("the menu has moved its override to the team", is_moved)


def kill_leader(run):
    leader = run.cluster.leader()
    run.cluster.processes[leader].kill()
    run.write_during(5, "killed", "writes continue without the old leader")
    run.converge("leader killed")
    run.cluster.start(leader)
    run.cluster.wait()


def stop_member(run):
    stopped = run.cluster.processes[run.cluster.leader()]
    stopped.send_signal(signal.SIGSTOP)
    run.write_during(9 if is_short else 30, "stopped", "writes continue while a member is stopped")
    run.converge("member still stopped")
    stopped.send_signal(signal.SIGCONT)
    run.converge("member continued")


def cut_network(run):
    """Of the last client, which says so."""
    client, before = run.clients[-1], len(run.clients[-1].warnings)
    for proxy in run.proxies: proxy.is_cut.set()
    run.write_during(9, "cut", "writes continue while a client is cut off")
    marked = [sentence for sentence in client.warnings[before:] if "Team" in sentence]
    checks.expect("the client that is cut off says that the values may be outdated", bool(marked))
    checks.expect("the cut was real", client.latest() != run.cluster.values())
    for proxy in run.proxies: proxy.is_cut.clear()
    run.converge("connected again")


def many_writers(run):
    writers, changes = (8, 5) if is_short else (32, 100)

    def work(writer):
        for number in range(changes):
            outcome = run.write(f"k{3 + number % 4}", f"w{writer}-{number}")
            if outcome != "made": checks.expect(f"w{writer}-{number}", outcome, "made")

    threads = [threading.Thread(target=work, args=(writer,)) for writer in range(writers)]
    for thread in threads: thread.start()
    for thread in threads: thread.join()
    run.converge(f"{writers} writers x {changes} changes")


def verify(run):
    """Checks the record with the model."""
    changes = [change for change in history(run.cluster) if is_written(change["key"])]
    lines = {client.name: list(client.lines) for client in run.clients}
    print(f"    {len(run.writes)} writes, {len(changes)} changes, {len(lines)} clients")
    found = errors(run.writes, changes, run.cluster.values(), lines)
    checks.expect("lost and reordered writes", found[:20], [])
    # Checks the check: a change that is missing is found.
    checks.expect("the model finds a lost write", bool(errors(run.writes, changes[:-1], {}, {})))


def go_back(run, snapshot=None):
    """Replaces the data of all members by older data, which has lower revisions in the same cluster."""
    watchers, cluster = list(run.clients), run.cluster
    run.clients += [Menu("menu", cluster.clients), TeamServer("server", cluster.clients)]
    run.write("k0", "before")
    run.write("k8", "kept")
    if snapshot:
        cluster.run("etcdctl", "--endpoints", cluster.endpoints().split(",")[0], "snapshot", "save", snapshot)
    expected = cluster.values() if snapshot else {}
    run.write("k0", "lost")
    run.write("k9", "lost")
    run.converge("before the restore")
    new, revision = cluster.values(), cluster.status(0)["header"]["revision"]
    counts = [len(watcher.lines) for watcher in watchers]
    cluster.replace(snapshot)
    is_older = cluster.status(0)["header"]["revision"] < revision
    checks.expect("the restore was real", (cluster.values(), is_older), (expected, True))
    run.converge("restored")
    changed = sorted(key for key in {**expected, **new} if expected.get(key) != new.get(key))
    for watcher, count in zip(watchers, counts):
        keys = sorted(key for key, _ in watcher.lines[count:])
        checks.expect(f"{watcher.name} writes each change once", keys, changed)
    run.write("k0", "after")
    cluster.ctl("put", f"{PREFIX}/flags/k7", '{"value": "put"}')
    run.converge("changed after the restore")


def perform(count, *faults):
    with tempfile.TemporaryDirectory() as folder:
        run = Run(folder, count)
        run.write("k0", "first")
        run.converge("start")
        for fault in faults:
            print(getattr(fault, "__name__", "go_back"), flush=True)
            fault(run)
        run.end()


os.sync()
# Going back is last, as the history of the model does not.
perform(
    3, menus, kill_leader, stop_member, cut_network, many_writers, verify,
    lambda run: go_back(run, f"{run.folder}/snapshot"))
perform(1, go_back)
checks.finish("faults of etcd")
