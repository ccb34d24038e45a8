"""Members of etcd on this machine, which can be killed, stopped, started again, and given other data."""
import base64
import json
import os
import shutil
import socket
import subprocess
import threading
import time

from common import opened, wait_until

PREFIX = "shop"


def free_ports(count):
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets: one.close()
    return ports


def text(base64_text): return base64.b64decode(base64_text).decode()


def is_written(key):
    """Whether commands of the faults write the flag."""
    return key.startswith("k")


class Cluster:
    def __init__(self, folder, count=3):
        self.folder, self.clients, self.peers = folder, free_ports(count), free_ports(count)
        self.processes = [None] * count
        for index in range(count): self.start(index)
        self.wait()

    def start(self, index):
        client, peer = f"http://127.0.0.1:{self.clients[index]}", f"http://127.0.0.1:{self.peers[index]}"
        self.processes[index] = subprocess.Popen(
            ["etcd", *self.identity(index), "--listen-client-urls", client, "--advertise-client-urls", client,
             "--listen-peer-urls", peer, "--logger", "zap"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        opened.append(self.processes[index])

    def identity(self, index):
        """What a member and its restored data have in common."""
        names = ",".join(f"m{i}=http://127.0.0.1:{port}" for i, port in enumerate(self.peers))
        return ["--name", f"m{index}", "--data-dir", f"{self.folder}/m{index}", "--initial-cluster", names,
                "--initial-advertise-peer-urls", f"http://127.0.0.1:{self.peers[index]}"]

    def replace(self, snapshot=None):
        """Ends all members, and starts them with the data of a snapshot, or without any."""
        self.end()
        tool = "etcdutl" if shutil.which("etcdutl") else "etcdctl"
        for index in range(len(self.processes)):
            shutil.rmtree(f"{self.folder}/m{index}")
            if snapshot: self.run(tool, "snapshot", "restore", snapshot, *self.identity(index))
        for index in range(len(self.processes)): self.start(index)
        self.wait()

    @staticmethod
    def run(*command, check=True):
        return subprocess.run(
            command, env={**os.environ, "ETCDCTL_API": "3"}, capture_output=True, text=True, check=check).stdout

    def endpoints(self): return ",".join(f"http://127.0.0.1:{port}" for port in self.clients)

    def ctl(self, *arguments): return self.run("etcdctl", "--endpoints", self.endpoints(), *arguments)

    def status(self, index):
        found = self.run(
            "etcdctl", "--endpoints", f"http://127.0.0.1:{self.clients[index]}", "endpoint", "status", "-w", "json",
            check=False)
        return json.loads(found)[0]["Status"] if found.strip() else None

    def wait(self):
        if not wait_until(lambda: all(self.status(index) for index in range(len(self.clients)))):
            raise RuntimeError("the cluster does not respond")

    def leader(self):
        statuses = [self.status(index) for index in range(len(self.clients))]
        return next(i for i, one in enumerate(statuses) if one and one["leader"] == one["header"]["member_id"])

    def all_values(self):
        reply = json.loads(self.ctl("get", "--prefix", f"{PREFIX}/flags/", "-w", "json"))
        entries = [(text(entry["key"]), json.loads(text(entry["value"]))) for entry in reply.get("kvs", [])]
        return {key.rsplit("/", 1)[1]: value["value"] for key, value in entries}

    def values(self): return {key: value for key, value in self.all_values().items() if is_written(key)}

    def end(self):
        for process in self.processes:
            process.kill()
            process.wait()


def history(cluster):
    """Every change from the start on, in the order of etcd's revisions; etcd itself keeps the newest 1,000."""
    folder = f"{PREFIX}/history/"
    newest = cluster.ctl(
        "get", "--prefix", folder, "--sort-by", "CREATE", "--order", "DESCEND", "--limit", "1", "--keys-only").strip()
    watch = ["etcdctl", "--endpoints", cluster.endpoints(), "watch", "--prefix", folder, "-w", "json", "--rev", "1"]
    process = subprocess.Popen(watch, env={**os.environ, "ETCDCTL_API": "3"}, stdout=subprocess.PIPE, text=True)
    opened.append(process)
    key, changes = "", []
    while key != newest:
        for event in json.loads(process.stdout.readline()).get("Events") or []:
            if event.get("type", 0) not in (0, "PUT"): continue
            key = text(event["kv"]["key"])
            changes += json.loads(text(event["kv"]["value"]))["changes"]
    process.kill()
    return [
        {"key": change["key"]} | {side: (change[side] or {}).get("value") for side in ("old", "new")}
        for change in changes]


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
            try:
                server = socket.create_connection(("127.0.0.1", self.target))
            except OSError:
                client.close()
                continue
            for ends in ((client, server), (server, client)):
                threading.Thread(target=self.forward, args=ends, daemon=True).start()

    def forward(self, source, sink):
        try:
            while data := source.recv(65536):
                while self.is_cut.is_set(): time.sleep(0.05)
                sink.sendall(data)
            sink.shutdown(socket.SHUT_RDWR)
            source.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass  # One of them has ended already.
