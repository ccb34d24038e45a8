#!/usr/bin/env python3
"""Injects faults into etcd members while flagmenu writes and follows a team's values. See team-faults.sh."""
import argparse
import base64
import fcntl
import json
import os
import pty
import re
import select
import shutil
import signal
import socket
import statistics
import struct
import subprocess
import sys
import tempfile
import termios
import threading
import time
import urllib.request

CONVERGENCE = 5.0  # seconds after a fault until every client must have etcd's values
PREFIX = "shop"


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


class Cluster:
    """Members, by default three, which can be killed, stopped, started again, and given other data."""

    def __init__(self, folder, count=3):
        self.folder, self.clients, self.peers = folder, free_ports(count), free_ports(count)
        self.processes = [None] * count
        for index in range(count):
            self.start(index)
        self.wait()

    def start(self, index):
        client, peer = f"http://127.0.0.1:{self.clients[index]}", f"http://127.0.0.1:{self.peers[index]}"
        self.processes[index] = subprocess.Popen(
            ["etcd", *self.identity(index), "--listen-client-urls", client, "--advertise-client-urls", client,
             "--listen-peer-urls", peer, "--quota-backend-bytes", str(32 << 20), "--logger", "zap"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def identity(self, index):
        """What a member and its restored data have in common."""
        names = ",".join(f"m{i}=http://127.0.0.1:{port}" for i, port in enumerate(self.peers))
        return ["--name", f"m{index}", "--data-dir", f"{self.folder}/m{index}", "--initial-cluster", names,
                "--initial-advertise-peer-urls", f"http://127.0.0.1:{self.peers[index]}"]

    def replace(self, snapshot=None):
        """Ends all members, and starts them with the data of a snapshot, or without any."""
        self.end()
        for index in range(len(self.processes)):
            shutil.rmtree(f"{self.folder}/m{index}")
            if snapshot:
                tool = "etcdutl" if shutil.which("etcdutl") else "etcdctl"
                subprocess.run([tool, "snapshot", "restore", snapshot, *self.identity(index)], check=True,
                               env={**os.environ, "ETCDCTL_API": "3"}, capture_output=True)
        for index in range(len(self.processes)):
            self.start(index)
        self.wait()

    def ctl(self, *arguments, index=None, check=True):
        ports = self.clients if index is None else [self.clients[index]]
        result = subprocess.run(
            ["etcdctl", "--endpoints", ",".join(f"http://127.0.0.1:{port}" for port in ports), *arguments],
            env={**os.environ, "ETCDCTL_API": "3"}, capture_output=True, text=True)
        if check and result.returncode != 0:
            raise RuntimeError(f"etcdctl {arguments}: {result.stderr}")
        return result.stdout

    def wait(self):
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            health = [self.ctl("endpoint", "health", index=i, check=False) for i in range(len(self.clients))]
            if all("healthy" in text or self.status(i) for i, text in enumerate(health)):
                return
            time.sleep(0.2)
        raise RuntimeError("the cluster does not respond")

    def status(self, index):
        text = self.ctl("endpoint", "status", "-w", "json", index=index, check=False)
        return json.loads(text)[0]["Status"] if text.strip() else None

    def leader(self):
        for index in range(3):
            status = self.status(index)
            if status and status["leader"] == status["header"]["member_id"]:
                return index
        raise RuntimeError("there is no leader")

    def values(self):
        """The values of the flags that commands write."""
        return {key: value for key, value in self.all_values().items() if is_written(key)}

    def all_values(self):
        reply = json.loads(self.ctl("get", "--prefix", f"{PREFIX}/flags/", "-w", "json"))
        return {text(kv["key"]).rsplit("/", 1)[1]: json.loads(text(kv["value"]))["value"] for kv in reply.get("kvs", [])}

    def end(self):
        for process in self.processes:
            process.kill()
            process.wait()


def is_written(key):
    return key.startswith("k")


def text(base64_text):
    return base64.b64decode(base64_text).decode()


class History:
    """Every change from the start on, in the order of etcd's revisions; etcd itself keeps the newest 1,000."""

    def __init__(self, cluster):
        self.entries, self.newest = [], ""
        ports = ",".join(f"http://127.0.0.1:{port}" for port in cluster.clients)
        self.process = subprocess.Popen(
            ["etcdctl", "--endpoints", ports, "watch", "--prefix", f"{PREFIX}/history/", "-w", "json", "--rev", "1"],
            env={**os.environ, "ETCDCTL_API": "3"}, stdout=subprocess.PIPE, text=True)
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stdout:
            for event in json.loads(line).get("Events") or []:
                if event.get("type", 0) in (0, "PUT"):
                    self.entries.append(json.loads(text(event["kv"]["value"])))
                    self.newest = text(event["kv"]["key"])

    def changes(self, cluster):
        """All changes, after the newest one has arrived."""
        reply = cluster.ctl(
            "get", "--prefix", f"{PREFIX}/history/", "--sort-by", "CREATE", "--order", "DESCEND", "--limit", "1",
            "--keys-only")
        deadline = time.monotonic() + 20
        while self.newest != reply.strip() and time.monotonic() < deadline:
            time.sleep(0.05)
        side = lambda change, name: (change[name] or {}).get("value")
        return [{"key": change["key"], "old": side(change, "old"), "new": side(change, "new")}
                for entry in self.entries for change in entry["changes"]]


class Proxy:
    """Forwards connections to one port, until it is cut: then bytes stop in both directions, without an end."""

    def __init__(self, target):
        self.target, self.is_cut = target, threading.Event()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            client, _ = self.listener.accept()
            threading.Thread(target=self.serve, args=(client,), daemon=True).start()

    def serve(self, client):
        try:
            server = socket.create_connection(("127.0.0.1", self.target))
        except OSError:
            return client.close()
        for source, sink in ((client, server), (server, client)):
            threading.Thread(target=self.forward, args=(source, sink), daemon=True).start()

    def forward(self, source, sink):
        try:
            while data := source.recv(65536):
                while self.is_cut.is_set():
                    time.sleep(0.05)
                sink.sendall(data)
        except OSError:
            pass
        for one in (source, sink):
            try:
                one.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass


class Watcher:
    """A client that follows the values: `flagmenu watch`."""

    def __init__(self, name, run, ports):
        self.name, self.lines, self.warnings = name, [], []
        self.process = subprocess.Popen(
            [run.program, "watch", "--initial", "--sample"], env=run.environment(ports, name), cwd=run.folder,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        threading.Thread(target=self.read, daemon=True).start()
        threading.Thread(target=self.warn, daemon=True).start()

    def read(self):
        for line in self.process.stdout:
            change = json.loads(line)
            if is_written(change["key"]):
                self.lines.append({"key": change["key"], "value": change["new"], "at": time.time()})

    def warn(self):
        for line in self.process.stderr:
            self.warnings.append((time.time(), line.strip()))

    def latest(self):
        values = {}
        for line in list(self.lines):
            values[line["key"]] = line["value"]
        return {key: value for key, value in values.items() if value is not None}


class Menu:
    """An open menu on a pseudo-terminal."""

    def __init__(self, run, name):
        self.id, self.terminal = pty.fork()
        if self.id == 0:
            environment = {**run.environment(run.cluster.clients, name), "TERM": "xterm-256color", "LC_ALL": "C.UTF-8"}
            os.chdir(run.folder)
            os.execve(run.program, [run.program, "--sample", "--fresh", "--store", f"{run.folder}/store-{name}"], environment)
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 120, 0, 0))

    def read(self, seconds):
        """The output within some seconds, until there is a pause."""
        output = b""
        while select.select([self.terminal], [], [], seconds)[0]:
            output += os.read(self.terminal, 65536)
            seconds = 0.3
        return output

    def press(self, keys):
        os.write(self.terminal, keys)
        return self.read(1)

    def delay(self, writer):
        """The time in ms from the confirmation in another menu to the first output here."""
        writer.press(b" ")
        writer.press(b"t")
        self.read(0.2)
        start = time.monotonic()
        os.write(writer.terminal, b"y")
        is_shown = select.select([self.terminal], [], [], 5)[0]
        delay = (time.monotonic() - start) * 1000
        self.read(0.5)
        writer.read(0.5)
        return delay if is_shown else 5000

    def end(self):
        os.kill(self.id, signal.SIGKILL)
        os.waitpid(self.id, 0)


class Screen:
    """An open menu in tmux, with the flags that commands write."""

    def __init__(self, run, name):
        self.name, self.socket = name, f"{run.folder}/tmux-{name}"
        program = [run.program, "--sample", "--fresh", "--store", f"{run.folder}/store-{name}"]
        environment = {**run.environment(run.cluster.clients, name), "TERM": "xterm-256color", "LC_ALL": "C.UTF-8"}
        subprocess.run(["tmux", "-S", self.socket, "-f", "/dev/null", "new-session", "-d", "-x", "120", "-y", "50",
                        "-c", run.folder, "env", "-i", *(f"{key}={value}" for key, value in environment.items()),
                        *program], check=True)

    def text(self):
        return subprocess.run(["tmux", "-S", self.socket, "capture-pane", "-p"], capture_output=True, text=True).stdout

    def latest(self):
        return dict(re.findall(r"^[> ]+(k\d+) +(\S+) +team", self.text(), re.MULTILINE))

    def end(self):
        subprocess.run(["tmux", "-S", self.socket, "kill-server"])


class Server:
    """A running `flagmenu serve`."""

    def __init__(self, run, name):
        self.name = name
        self.process = subprocess.Popen(
            [run.program, "serve", "--sample", "--port", "0", "--json"], env=run.environment(run.cluster.clients, name),
            cwd=run.folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.url = json.loads(self.process.stdout.readline())["url"]

    def latest(self):
        with urllib.request.urlopen(f"{self.url}/api/v1/flags", timeout=5) as response:
            flags = json.load(response)["flags"]
        return {flag["key"]: flag["value"] for flag in flags if is_written(flag["key"]) and flag["value"] is not None}

    def end(self):
        self.process.kill()
        self.process.wait()


class Run:
    def __init__(self, program, folder, cluster):
        self.program, self.folder, self.cluster = program, folder, cluster
        self.writes, self.lock, self.failures = [], threading.Lock(), []

    def environment(self, ports, name):
        address = ",".join(f"127.0.0.1:{port}" for port in ports)
        return {"PATH": os.environ["PATH"], "HOME": self.folder, "FLAGMENU_TEAM": f"etcd://{address}/{PREFIX}",
                "XDG_STATE_HOME": f"{self.folder}/state", "XDG_CACHE_HOME": f"{self.folder}/cache-{name}", "USER": name}

    def write(self, key, value, name="writer", extra=()):
        start = time.time()
        result = subprocess.run(
            [self.program, "set", key, value, "--layer", "team", "--new", "--any", "--sample", "-q", *extra],
            env=self.environment(self.cluster.clients, name), cwd=self.folder, capture_output=True, text=True)
        outcome = "made" if result.returncode == 0 else "unknown" if "not known" in result.stderr else "notMade"
        with self.lock:
            self.writes.append({"key": key, "value": value, "start": start, "end": time.time(), "outcome": outcome})
        return outcome, result.stderr.strip()

    def check(self, condition, sentence):
        print(f"    {'ok  ' if condition else 'FAIL'} {sentence}", flush=True)
        if not condition:
            self.failures.append(sentence)

    def converge(self, watchers, what):
        """Waits until every client has etcd's values."""
        start = time.monotonic()
        values = self.cluster.values()
        while any(watcher.latest() != values for watcher in watchers) and time.monotonic() - start < CONVERGENCE:
            time.sleep(0.02)
            values = self.cluster.values()
        late = [watcher.name for watcher in watchers if watcher.latest() != values]
        self.check(not late, f"{what}: clients equal etcd after {time.monotonic() - start:.2f} s {late or ''}")


def write_during(run, seconds, label):
    """Writes one value after another for some seconds; returns the outcomes."""
    outcomes, number, end = [], 0, time.monotonic() + seconds
    while time.monotonic() < end:
        outcomes.append(run.write("k0", f"{label}-{number}")[0])
        number += 1
    return outcomes


def counted(outcomes):
    return ", ".join(f"{outcomes.count(word)} {word}" for word in ("made", "notMade", "unknown") if word in outcomes)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--program", default=".build/debug/flagmenu")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        cluster = Cluster(folder)
        run = Run(os.path.abspath(options.program), folder, cluster)
        history = History(cluster)
        proxies = [Proxy(port) for port in cluster.clients]
        watchers = [Watcher(f"client{number}", run, cluster.clients) for number in range(3)]
        watchers.append(Watcher("proxied", run, [proxy.port for proxy in proxies]))
        try:
            faults(run, cluster, history, proxies, watchers, options.short)
        finally:
            history.process.kill()
            for watcher in watchers:
                watcher.process.kill()
                watcher.process.wait()
            cluster.end()
    with tempfile.TemporaryDirectory() as folder:
        cluster = Cluster(folder, 1)
        single = Run(run.program, folder, cluster)
        watcher = Watcher("watcher", single, cluster.clients)
        try:
            go_back(single, cluster, [watcher], "an empty folder")
        finally:
            watcher.process.kill()
            watcher.process.wait()
            cluster.end()
    for failure in run.failures + single.failures:
        print(f"failed: {failure}")
    return 1 if run.failures + single.failures else 0


def faults(run, cluster, history, proxies, watchers, is_short):
    wait = 9 if is_short else 30
    # In milliseconds. The short form runs after a build, whose files are still being written out.
    limit = 250 if is_short else 50
    os.sync()
    run.write("k0", "first")
    run.converge(watchers, "start")

    print("delay of a change")
    delays, starts = [], []
    for number in range(10 if is_short else 40):
        start = time.time()
        run.write("k0", f"delay-{number}")
        acknowledged = time.time()
        deadline = time.monotonic() + 5
        while watchers[0].latest().get("k0") != f"delay-{number}" and time.monotonic() < deadline:
            time.sleep(0.001)
        line = next((line for line in watchers[0].lines if line["value"] == f"delay-{number}"), None)
        delays.append((line["at"] - acknowledged) * 1000 if line else 5000)
        starts.append((line["at"] - start) * 1000 if line else 5000)
        time.sleep(0.3)
    median = statistics.median(delays)
    print(f"    {statistics.median(starts):.1f} ms (median) after the start of the command that writes")
    run.check(median <= limit, f"a change is on another client {median:.1f} ms (median) after the acknowledgement")

    print("delay from menu to menu")
    menus = [Menu(run, "ana"), Menu(run, "bo")]
    for menu in menus:
        menu.read(5)
        menu.press(b"g")
    delays = [menus[1].delay(menus[0]) for _ in range(5 if is_short else 20)]
    for menu in menus:
        menu.end()
    median = statistics.median(delays)
    run.check(median <= limit, f"a change is on the screen of another menu {median:.1f} ms (median) after the key")
    run.check(
        cluster.all_values().get("enable_multiple_locations") is not None, "the menu has moved its override to the team")

    print("kill -9 of the leader")
    leader = cluster.leader()
    cluster.processes[leader].send_signal(signal.SIGKILL)
    cluster.processes[leader].wait()
    outcomes = write_during(run, 5, "killed")
    print(f"    {counted(outcomes)}")
    run.check("made" in outcomes, "writes continue without the old leader")
    run.converge(watchers, "leader killed")
    cluster.start(leader)
    cluster.wait()

    print(f"SIGSTOP of a member for {wait} s")
    stopped = cluster.leader()
    cluster.processes[stopped].send_signal(signal.SIGSTOP)
    begin = time.time()
    outcomes = write_during(run, wait, "stopped")
    print(f"    {counted(outcomes)}")
    run.check("made" in outcomes, "writes continue while a member is stopped")
    time.sleep(max(0, begin + 8 - time.time()))
    run.converge(watchers, "member still stopped")
    cluster.processes[stopped].send_signal(signal.SIGCONT)
    run.converge(watchers, "member continued")

    print("compaction under a watch")
    run.write("k1", "before-compaction")
    revision = cluster.status(0)["header"]["revision"]
    cluster.ctl("compaction", str(revision))
    run.write("k1", "after-compaction")
    run.converge(watchers, "compacted")

    print("network cut of one client")
    for proxy in proxies:
        proxy.is_cut.set()
    begin = time.time()
    outcomes = write_during(run, 9, "cut")
    marked = [sentence for moment, sentence in watchers[-1].warnings if moment > begin and "Team" in sentence]
    run.check(bool(marked), "the client that is cut off says that the values may be outdated")
    run.check(watchers[-1].latest() != cluster.values(), "the cut was real")
    for proxy in proxies:
        proxy.is_cut.clear()
    run.converge(watchers, "connected again")

    print("lease expiry")
    run.write("k2", "ends", extra=("--for", "3s"))
    run.converge(watchers, "with an end")
    time.sleep(3)
    deadline = time.monotonic() + CONVERGENCE + 2
    while "k2" in cluster.values() and time.monotonic() < deadline:
        time.sleep(0.1)
    run.check("k2" not in cluster.values(), "the value has ended by itself")
    run.converge(watchers, "ended")

    writers, changes = (8, 5) if is_short else (32, 100)
    print(f"{writers} writers x {changes} changes")
    begin = time.monotonic()

    def work(writer):
        for number in range(changes):
            outcome, errors = run.write(f"k{3 + number % 4}", f"w{writer}-{number}", name=f"w{writer}")
            if outcome != "made":
                run.check(False, f"w{writer}-{number}: {outcome}: {errors}")

    threads = [threading.Thread(target=work, args=(writer,)) for writer in range(writers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    print(f"    {time.monotonic() - begin:.1f} s")
    run.converge(watchers, "all written")

    print("no space (alarm NOSPACE)")
    filler = "x" * (1 << 20)
    for number in range(60):
        if subprocess.run(["etcdctl", "--endpoints", f"http://127.0.0.1:{cluster.clients[0]}", "put", f"filler/{number}"],
                          env={**os.environ, "ETCDCTL_API": "3"}, input=filler, text=True, capture_output=True).returncode:
            break
    outcome, errors = run.write("k1", "no-space")
    run.check(outcome == "notMade" and "no space left" in errors, f"a write says so: {errors}")
    run.converge(watchers, "no space")
    cluster.ctl("del", "--prefix", "filler/")
    revision = cluster.status(0)["header"]["revision"]
    cluster.ctl("compaction", str(revision))
    for index in range(3):
        cluster.ctl("defrag", index=index)
    cluster.ctl("alarm", "disarm")
    outcome, errors = run.write("k1", "space-again")
    run.check(outcome == "made", f"after compaction, defragmentation and disarming, writes are made {errors}")
    run.converge(watchers, "space again")

    print("the model")
    verify(run, cluster, history, watchers)
    # Last, as the history of the model does not go back.
    go_back(run, cluster, watchers, "a snapshot", f"{run.folder}/snapshot")


def go_back(run, cluster, watchers, what, snapshot=None):
    """Replaces the data of all members by older data, which has lower revisions in the same cluster."""
    print(f"restored: {what}")
    others = []
    try:
        others += [Screen(run, "menu")]
        others += [Server(run, "server")]
        run.write("k0", "before")
        run.write("k8", "kept")
        if snapshot:
            cluster.ctl("snapshot", "save", snapshot, index=0)
        old = cluster.values()
        run.write("k0", "lost")
        run.write("k9", "lost")
        run.converge(watchers + others, "before the restore")
        new, revision = cluster.values(), cluster.status(0)["header"]["revision"]
        counts = [len(watcher.lines) for watcher in watchers]
        cluster.replace(snapshot)
        expected = old if snapshot else {}
        run.check(cluster.values() == expected and cluster.status(0)["header"]["revision"] < revision,
                  "the restore was real")
        run.converge(watchers + others, "restored")
        changed = sorted(key for key in {**old, **new} if expected.get(key) != new.get(key))
        for watcher, count in zip(watchers, counts):
            keys = sorted(line["key"] for line in watcher.lines[count:])
            run.check(keys == changed, f"{watcher.name} writes each change once: {keys}")
        run.write("k0", "after")
        cluster.ctl("put", f"{PREFIX}/flags/k7", '{"value": "put"}')
        run.converge(watchers + others, "changed after the restore")
    finally:
        for one in others:
            one.end()


def verify(run, cluster, history, watchers):
    """Checks the record with the model. k2 is left out: the end of a lease is not a write."""
    def is_checked(key):
        return is_written(key) and key != "k2"

    record = {
        "writes": [write for write in run.writes if is_checked(write["key"])],
        "history": [change for change in history.changes(cluster) if is_checked(change["key"])],
        "values": {key: value for key, value in cluster.values().items() if is_checked(key)},
        "watchers": [{"name": watcher.name, "lines": [line for line in watcher.lines if is_checked(line["key"])]}
                     for watcher in watchers]}
    path = os.path.join(run.folder, "record.json")
    with open(path, "w") as file:
        json.dump(record, file)
    checker = os.path.join(os.path.dirname(os.path.abspath(__file__)), "team-history.py")
    result = subprocess.run([sys.executable, checker, path], capture_output=True, text=True)
    print("    " + result.stdout.strip().replace("\n", "\n    "))
    run.check(result.returncode == 0, "the model finds no lost and no reordered write")


if __name__ == "__main__":
    sys.exit(main())
