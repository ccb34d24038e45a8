"""flagmenu serve responds as OFREP's OpenAPI document says: flags of every type, bulk evaluations, and errors."""
import atexit
import http.client
import json
import os
import subprocess
import sys
import tempfile
import time
from urllib.parse import quote, urlsplit

from exchanges import Exchanges, Request, Response, rules

programs = sys.argv[2]
exchanges, differences = Exchanges(), []
# The requests are those of this test.
exchanges.is_request_checked = False
token = "a-token-for-reading-only"
flags = {"bool": True, "int": 7, "double": 7.0, "text": "é \" \\ 😀", "empty": "",
    "object": {"a": [1, None], "b": {"c": 0.5}}, "list": [1, "x"], "a/b ü": "odd"}
catalog = [{"category": "All", "items": [{"key": "int", "type": "int"}, {"key": "double", "type": "double"},
    {"key": "object", "type": "json"}, {"key": "list", "type": "json"}, {"key": "undecided", "type": "bool"},
    {"key": "wrong", "type": "int"}]}]


class Served:
    """A running flagmenu serve."""

    def __init__(self, **variables):
        self.place = tempfile.TemporaryDirectory(prefix="ofrep-openapi-")
        self.environment = {"PATH": os.environ["PATH"], "HOME": self.place.name, "LC_ALL": "C.UTF-8"} | variables
        with open(f"{self.place.name}/remote.json", "w") as file:
            json.dump(flags | {"wrong": "x", "config_categories": catalog}, file)
        with open(f"{self.place.name}/flagmenu.json", "w") as file:
            json.dump({"app": "shop", "source": "remote.json"}, file)
        self.process = subprocess.Popen(
            [f"{programs}/flagmenu", "serve", "--port", "0", "--json"], cwd=self.place.name, env=self.environment,
            stdout=subprocess.PIPE, text=True)
        atexit.register(self.process.kill)
        self.url = json.loads(self.process.stdout.readline())["url"]

    def flagmenu(self, *arguments):
        subprocess.run([f"{programs}/flagmenu", *arguments], cwd=self.place.name,
                       env=self.environment, timeout=60, check=True, capture_output=True)

    def post(self, path, body, *statuses, **headers):
        """Sends a request, and validates its response."""
        target = f"/ofrep/v1/evaluate/flags{path}"
        headers = {"Content-Type": "application/json"} | {name.replace("_", "-"): value for name, value in headers.items()}
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        connection = http.client.HTTPConnection(urlsplit(self.url).netloc, timeout=20)
        connection.request("POST", target, data, headers)
        answer = connection.getresponse()
        text = answer.read()
        exchanges.add(Request(self.url, "POST", target, headers, data), Response(answer.status, answer.headers, text),
            target)
        if answer.status not in statuses:
            differences.append(f"POST {target} {data[:80]!r}: {answer.status} where {statuses} is right")
        return answer, json.loads(text) if text and answer.headers.get("Content-Type") == "application/json" else {}

    def until_changed(self, tag):
        """All flags after a change of another process, which the server reads within milliseconds."""
        end = time.monotonic() + 5
        while True:
            answer, body = self.post("", context, 200, 304, If_None_Match=tag)
            if answer.status == 200 or time.monotonic() > end: return answer, body
            time.sleep(0.01)

    def end(self):
        self.process.terminate()
        self.process.wait(timeout=20)


def expect(what, found, wanted):
    if found != wanted or type(found) is not type(wanted): differences.append(f"{what}: {found!r} where {wanted!r} is right")


context = {"context": {"targetingKey": "user-1", "plan": "pro", "tags": ["a", 1], "deep": {"x": None}}}
server = Served()

# Single flags. OFREP has no lists, so one is sent as text.
for key, value in flags.items():
    body = server.post(f"/{quote(key, safe='')}", context, 200)[1]
    expect(key, body.get("value"), json.dumps(value, separators=(",", ":")) if isinstance(value, list) else value)
    expect(f"{key}: key, reason and variant", (body.get("key"), body.get(
        "reason"), body.get("variant")), (key, "STATIC", "remote"))
for key in ["undecided", "wrong"]: expect(f"{key}, whose value is the code's",
    server.post(f"/{key}", context, 200)[1].get("value"), None)
expect("an unknown key", server.post("/nope", context, 404)[1].get("errorCode"), "FLAG_NOT_FOUND")

# All flags, and their entity tag.
answer, body = server.post("", context, 200)
expect("all keys", sorted(flag["key"] for flag in body["flags"]), sorted([*flags, "undecided", "wrong"]))
expect("the event stream", body["eventStreams"][0]["endpoint"]["requestUri"], "/ofrep/v1/events")
tag = answer.headers["ETag"]
server.post("", context, 304, If_None_Match=tag)
server.post("?flagConfigEtag=%22x%22&flagConfigLastModified=1771622898", context, 304, If_None_Match=tag)
server.post("", context, 200, If_None_Match='"other"')
server.flagmenu("set", "text", "changed")
answer, body = server.until_changed(tag)
expect("another entity tag after a change", answer.headers["ETag"] != tag, True)
text = next((flag for flag in body.get("flags", []) if flag["key"] == "text"), {})
expect("an override", (text.get("value"), text.get("reason"), text.get("variant")),
    ("changed", "TARGETING_MATCH", "override"))
server.flagmenu("reset", "text")
server.until_changed(answer.headers["ETag"])
expect("the first entity tag after the change was undone", server.post(
    "", context, 304, If_None_Match=tag)[0].headers["ETag"], tag)

# Requests that the document does not allow.
for path, key in [("", None), ("/bool", "bool")]:
    server.post(path, {"context": {}}, 200)
    for body, code in [
    ({}, "INVALID_CONTEXT"), ([], "INVALID_CONTEXT"), ({
        "context": 1}, "INVALID_CONTEXT"), (b"{", "PARSE_ERROR"), (b"", "PARSE_ERROR"), ({
            "context": {
                "targetingKey": 1}}, "INVALID_CONTEXT"), (b'{"context":{"a":"\xff"}}', "PARSE_ERROR")]:
        found = server.post(path, body, 400)[1]
        expect(f"{path}, {body!r}: code and key", (found.get("errorCode"), found.get("key")), (code, key))
server.post("/bool", context, 403, Origin="http://example.com")
server.post("", context, 403, Host="example.com")
limited = [answer for answer in (server.post("/bool", context, 403, 429,
    Origin="http://example.com")[0] for _ in range(60)) if answer.status == 429]
expect("Retry-After", [answer.headers.get("Retry-After") for answer in limited[:1]], ["1"])
server.end()

# A server that needs a token for reading.
server = Served(FLAGMENU_SERVER_READ_TOKEN=token)
server.post("/bool", context, 401)
server.post("", context, 401, Authorization="Bearer wrong")
server.post("/bool", context, 200, Authorization=f"Bearer {token}")
server.post("", context, 200, X_API_Key=token)
server.end()

for line in exchanges.faults + differences: print(f"ofrep serve: {line}", file=sys.stderr)
if not exchanges.faults + differences:
    print(f"ofrep serve: {len(exchanges.lines)} responses of flagmenu serve keep to OFREP's OpenAPI document")
sys.exit(1 if exchanges.faults + differences else 0)
