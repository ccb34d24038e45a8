"""A stand-in for the API of flagmenu serve, with which the page can be developed without building anything.

usage: api.py PAGE_FOLDER DOCUMENT [PORT] [--flags N]

It has what the page needs, and no rules for values beyond those of types. DOCUMENT is a JSON document with
config_categories, or SampleSource.swift.
"""
import contextlib
import json
import queue
import re
import socket
import sys
import threading
import time
from datetime import datetime, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'")
FILES = {"/": ("index.html", "text/html"), "/page.css": ("page.css", "text/css"), "/page.js": ("page.js", "text/javascript")}
CODE, TOKEN = "development", "development-token"


class Failure(Exception):
    def __init__(self, status, code, message):
        super().__init__(message)
        self.status, self.code = status, code


def now():
    return datetime.now(timezone.utc).isoformat(timespec="seconds").replace("+00:00", "Z")


def read_document(path):
    text = Path(path).read_text()
    if path.endswith(".swift"):
        text = re.search(r'#"""\n(.*?)\n *"""#', text, re.S)[1]
    return json.loads(text)


def stored(value):
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, separators=(",", ":"))


class Flags:
    """Flags, overrides per client, undo and subscribers, behind one lock."""

    def __init__(self, document, defaults=None, copies=0):
        self.lock = threading.RLock()
        self.items = [
            (category["category"], item) for category in document["config_categories"] for item in category["items"]]
        self.remote = {key: stored(value) for key, value in document.items() if key != "config_categories"}
        self.groups = None
        self.defaults = {key: stored(value) for key, value in (defaults or {}).items()}
        for number in range(copies):
            key = f"generated_{number}"
            self.items.append((f"Generated {number // 50}", {"key": key, "value": "true|false", "title": f"Generated {number}"}))
            self.remote[key] = "false"
        self.overrides, self.undone, self.done = {None: {}}, [], []
        self.revision, self.started, self.subscribers, self.clients = 1, now(), [], {}
        # Errors of the team and of the store; while one is about the overrides, these cannot be read.
        self.issues = []
        # Conditions and attributes that were changed by hand, and whether fetched values wait to be activated.
        self.contexts, self.is_waiting = [], False

    def own(self, client):
        return self.overrides.setdefault(client, {})

    def flag(self, category, item, client):
        key = item["key"]
        override = self.own(client).get(key) or self.overrides[None].get(key)
        values = {"remote": self.remote.get(key)}
        if key in self.defaults: values["default"] = self.defaults[key]
        options = [value for value in item.get("value", "").split("|") if value]
        kind = item.get("type") or self.inferred(options)
        state, layer = "notSet", "remote" if values["remote"] is not None else "default"
        if override:
            values = {"override": override["value"], **values}
            if not self.castable(override["value"], kind): state = "invalid"
            elif override["value"] == values["remote"]: state, layer = "sameAsRemote", "override"
            elif options and override["value"] not in options: state, layer = "stale", "override"
            else: state, layer = "overridden", "override"
        return {
            "key": key, "value": values.get(layer), "layer": layer, "type": kind, "state": state, "title": item.get("title"),
            "category": category, "description": item.get("description"),
            "options": [{"value": value, "label": None} for value in options], "values": values,
            "setBy": override and override["setBy"], "setAt": override and override["setAt"], "source": "sample",
        }

    @staticmethod
    def inferred(options):
        if options and set(options) <= {"true", "false"}: return "bool"
        return "int" if options and all(option.isdigit() for option in options) else "string"

    @staticmethod
    def castable(value, kind):
        try:
            {"int": int, "double": float, "json": json.loads}.get(kind, str)(value)
        except ValueError:
            return False
        return kind != "bool" or value in ("true", "false")

    def all(self, client):
        return [self.flag(category, item, client) for category, item in self.items]

    def change(self, client, edits, note=None, kept=True):
        """Sets or, with None, clears the overrides, and returns what the API returns for a change."""
        before = {flag["key"]: flag for flag in self.all(client) if flag["key"] in edits}
        own = self.own(client)
        old = {key: own.get(key) for key in edits}
        for key, override in edits.items():
            own.pop(key, None)
            if override: own[key] = override
        if kept:
            self.done.append((client, old, dict(edits)))
            self.undone.clear()
        self.revision += 1
        after = {flag["key"]: flag for flag in self.all(client) if flag["key"] in edits}
        self.send({"type": "changed", "revision": self.revision})
        changes = [
            {"key": key, "old": before[key]["value"], "oldLayer": before[key]["layer"], "new": after[key]["value"],
             "newLayer": after[key]["layer"]} for key in edits]
        return {"revision": self.revision, "changes": changes, "notes": [note] if note else []}

    def put(self, client, key, body):
        item = next((item for _, item in self.items if item["key"] == key), None)
        if item is None: raise Failure(404, "not_found", f"{key} is not a flag. List the flags.")
        flag = self.flag("", item, client)
        if not body.get("any") and not self.castable(body["value"], flag["type"]):
            raise Failure(422, "invalid_value", f"\"{body['value']}\" is not a valid {flag['type']}. Nothing was changed.")
        note = f"{key} takes effect after a restart of the app." if item.get("restart") else None
        return self.change(client, {key: {"value": body["value"], "setBy": "ana", "setAt": now()}}, note)

    def step(self, client, source, target, old):
        if not source: raise Failure(409, "nothing_to_undo", "Nothing to undo." if old else "Nothing to redo.")
        entry = source.pop()
        target.append(entry)
        return self.change(entry[0], entry[1] if old else entry[2], kept=False)

    def set_issues(self, issues):
        self.issues = issues
        self.revision += 1
        self.send({"type": "changed", "revision": self.revision})

    def set_elsewhere(self, contexts=(), is_waiting=False):
        self.contexts, self.is_waiting = list(contexts), is_waiting
        self.revision += 1
        self.send({"type": "changed", "revision": self.revision})

    def explanation(self, client, key):
        flag = next((flag for flag in self.all(client) if flag["key"] == key), None)
        if flag is None: raise Failure(404, "not_found", f"{key} is not a flag. List the flags.")
        layers = [{"layer": layer, "value": value} for layer, value in flag["values"].items()]
        history = [
            {"at": now(), "by": "ana", "action": "set", "old": old[key] and old[key]["value"],
             "new": new[key] and new[key]["value"], "undone": False}
            for owner, old, new in reversed(self.done) if owner == client and key in new]
        return {"explanation": {**flag, "layers": layers, "conditions": []}, "history": history}

    def activate(self):
        was_waiting = self.is_waiting
        self.set_elsewhere(self.contexts)
        return {"revision": self.revision, "activated": was_waiting}

    def send(self, update):
        for subscriber in self.subscribers: subscriber.put(update)

    def evaluated(self, client, key):
        flag = next(flag for flag in self.all(client) if flag["key"] == key)
        entry = self.clients.pop(client, {"evaluations": 0})
        self.clients[client] = {
            "lastKey": key, "lastValue": flag["value"], "lastLayer": flag["layer"], "lastAt": now(),
            "evaluations": entry["evaluations"] + 1}
        self.send({"type": "clients"})
        return {"key": key, "value": flag["value"]}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def setup(self):
        super().setup()
        self.server.connections.add(self.connection)

    def finish(self):
        self.server.connections.discard(self.connection)
        super().finish()

    def log_message(self, *arguments): pass

    def reply(self, status, content, kind="application/json", headers=()):
        data = content if isinstance(content, bytes) else json.dumps(content, ensure_ascii=False).encode()
        self.send_response(status)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(data)))
        self.send_header("Content-Security-Policy", POLICY)
        for name, value in headers: self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    def may_write(self):
        return f"session={CODE}" in self.headers.get("Cookie", "") or self.headers.get("Authorization") == f"Bearer {TOKEN}"

    def handle_request(self):
        address = urlsplit(self.path)
        query = parse_qs(address.query)
        client = query.get("client", [None])[0]
        length = int(self.headers.get("Content-Length") or 0)
        body = json.loads(self.rfile.read(length)) if length else {}
        flags = self.server.flags
        if address.path in FILES:
            name, kind = FILES[address.path]
            return self.reply(200, (Path(self.server.folder) / name).read_bytes(), kind)
        if address.path == "/login":
            cookie = f"session={query['code'][0]}; HttpOnly; SameSite=Strict; Path=/"
            return self.reply(303, b"", "text/plain", [("Set-Cookie", cookie), ("Location", "/")])
        if address.path == "/api/v1/events": return self.events()
        if address.path.startswith("/ofrep/v1/evaluate/flags/"):
            with flags.lock: return self.reply(200, flags.evaluated(body["context"].get("targetingKey"), address.path.split("/")[-1]))
        try:
            with flags.lock: content = self.api(flags, address.path.removeprefix("/api/v1/"), client, body)
            self.reply(200, content)
        except Failure as failure:
            self.reply(failure.status, {"error": {"code": failure.code, "message": str(failure)}})

    def api(self, flags, path, client, body):
        if self.command != "GET" and not self.may_write():
            raise Failure(401, "unauthorized", "Changes need a token. Open the link that flagmenu serve printed.")
        name, _, key = path.partition("/")
        match (self.command, name, unquote(key)):
            case ("GET", "status", ""):
                sources = [{
                    "source": self.server.source, "state": "read", "valuesFrom": flags.started, "waiting": flags.is_waiting,
                    "error": None}]
                return {
                    "app": self.server.app, "version": "0", "writable": self.may_write(), "sources": sources,
                    "flags": len(flags.items), "overrides": len(flags.own(client)), "contexts": flags.contexts,
                    "revision": flags.revision, "readOnly": None, "issues": flags.issues}
            case ("GET", "flags", ""): return {"revision": flags.revision, "flags": flags.all(client), "groups": flags.groups}
            case ("GET", "explanations", key): return flags.explanation(client, key)
            case ("POST", "activate", ""): return flags.activate()
            case ("GET", "overrides", "") if any("overrides" in issue for issue in flags.issues):
                raise Failure(507, "store", flags.issues[0])
            case ("GET", "overrides", ""): return {"revision": flags.revision, "overrides": flags.own(client)}
            case ("GET", "clients", ""):
                return {"clients": [
                    {"client": name, **entry, "overrides": len(flags.own(name)) if name else 0}
                    for name, entry in reversed(flags.clients.items())]}
            case ("PUT", "overrides", key): return flags.put(client, key, body)
            case ("DELETE", "overrides", ""): return flags.change(client, {key: None for key in flags.own(client)})
            case ("DELETE", "overrides", key): return flags.change(client, {key: None})
            case ("POST", "undo", ""): return flags.step(client, flags.done, flags.undone, old=True)
            case ("POST", "redo", ""): return flags.step(client, flags.undone, flags.done, old=False)
        raise Failure(404, "not_found", f"{self.path} is not a path of this API.")

    def events(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True
        updates = queue.SimpleQueue()
        self.server.flags.subscribers.append(updates)
        try:
            self.wfile.write(b":\n\n")
            while True:
                try:
                    update = updates.get(timeout=15)
                    if update is None: return
                    self.wfile.write(f"event: message\ndata: {json.dumps(update)}\n\n".encode())
                except queue.Empty:
                    self.wfile.write(b":\n\n")
        except OSError:
            pass  # The page was closed.
        finally:
            self.server.flags.subscribers.remove(updates)

    do_GET = do_PUT = do_POST = do_DELETE = handle_request


class Server(ThreadingHTTPServer):
    daemon_threads = True
    allow_reuse_address = True


def start(folder, flags, port=0, app="sample", source="sample"):
    """Serves in a thread. Returns the server; its `url` is the page's address, and `link` allows changes."""
    server = Server(("127.0.0.1", port), Handler)
    server.folder, server.flags, server.app, server.source, server.connections = folder, flags, app, source, set()
    server.url = f"http://127.0.0.1:{server.server_address[1]}"
    server.link = f"{server.url}/login?code={CODE}"
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
    return server


def stop(server):
    server.shutdown()
    server.server_close()
    for subscriber in list(server.flags.subscribers): subscriber.put(None)
    for connection in list(server.connections):
        # The browser may have closed it first.
        with contextlib.suppress(OSError): connection.shutdown(socket.SHUT_RDWR)


if __name__ == "__main__":
    arguments = sys.argv[1:]
    copies = int(arguments.pop(arguments.index("--flags") + 1)) if "--flags" in arguments else 0
    if "--flags" in arguments: arguments.remove("--flags")
    running = start(arguments[0], Flags(read_document(arguments[1]), copies=copies), int(arguments[2]) if len(arguments) > 2 else 0)
    print(running.link, flush=True)
    while True: time.sleep(60)
