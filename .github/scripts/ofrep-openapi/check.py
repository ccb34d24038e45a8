"""flagmenu asks LoopbackOFREP through a proxy that holds both to OFREP's OpenAPI document."""
import http.client
import json
import os
import pty
import select
import subprocess
import sys
import tempfile
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

from exchanges import Exchanges, Request, Response, rules

programs = sys.argv[2]
exchanges = Exchanges()
server = subprocess.Popen(
    [f"{programs}/LoopbackServers", "ofrep"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
facts = json.loads(server.stdout.readline())
behind = urlsplit(facts["url"])


def tell(line):
    server.stdin.write(line + "\n")
    server.stdin.flush()
    return json.loads(server.stdout.readline())


class Proxy(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self): self.forward()
    def do_POST(self): self.forward()
    def log_message(self, *_): pass

    def forward(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        connection = http.client.HTTPConnection(behind.hostname, behind.port, timeout=20)
        headers = {key: value for key, value in self.headers.items() if key.lower() not in ("host", "accept-encoding")}
        connection.request(self.command, self.path, body, headers)
        answer = connection.getresponse()
        if "/evaluate/" not in self.path:
            self.pass_on(answer)
            return
        data = answer.read()
        exchanges.add(
            Request(facts["url"], self.command, self.path, self.headers, body),
            Response(answer.status, answer.headers, data), self.path)
        self.send_response(answer.status)
        for key, value in answer.headers.items():
            if key.lower() not in ("connection", "transfer-encoding", "content-length", "date", "server"):
                self.send_header(key, value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def pass_on(self, answer):
        """A stream, which the document does not describe."""
        self.send_response(answer.status)
        self.send_header("Content-Type", answer.headers["Content-Type"])
        self.send_header("Connection", "close")
        self.end_headers()
        try:
            while data := answer.read1(65536):
                self.wfile.write(data)
                self.wfile.flush()
        except (OSError, http.client.HTTPException):
            pass  # One side has disconnected, as each may.
        self.close_connection = True


proxy = ThreadingHTTPServer(("127.0.0.1", 0), Proxy)
threading.Thread(target=proxy.serve_forever, daemon=True).start()
address = f"http://127.0.0.1:{proxy.server_port}"
place = tempfile.TemporaryDirectory(prefix="ofrep-openapi-")
with open(f"{place.name}/flagmenu.json", "w") as file:
    context = {"targetingKey": "user-1", "plan": "pro", "age": 31, "beta": True, "tags": ["a", 1], "deep": {"x": None}}
    json.dump({"source": f"ofrep:{address}", "context": context}, file)
environment = {
    "PATH": os.environ["PATH"], "HOME": place.name, "LC_ALL": "C.UTF-8", "TERM": "xterm-256color",
    "OFREP_TOKEN": facts["token"], "OFREP_API_KEY": facts["apiKey"],
}


def flagmenu(*arguments, **changes):
    """Runs a command, and answers its words. Its failure is told by the exchanges that are missing."""
    return subprocess.run(
        [f"{programs}/flagmenu", *arguments], cwd=place.name, env=environment | changes, timeout=60,
        capture_output=True, text=True).stderr


differences = []


def expect(part, count, what):
    found = exchanges.count(part)
    if found < count:
        differences.append(f"{what}: {found} exchanges \"{part}\" where {count} are right; all were {exchanges.lines}")


def menu_hears_of_a_change():
    """An open menu asks again with what the event said, in the query."""
    process, terminal = pty.fork()
    if process == 0:
        os.chdir(place.name)
        os.execve(f"{programs}/flagmenu", ["flagmenu"], environment)
    end = time.monotonic() + 30

    def until(holds):
        while not holds() and time.monotonic() < end:
            if select.select([terminal], [], [], 0.05)[0]: os.read(terminal, 65536)

    until(lambda: tell("listeners")["listeners"] > 0)
    tell("change off")
    until(lambda: exchanges.count("flagConfigEtag=") > 0)
    os.write(terminal, b"q")
    os.close(terminal)
    os.waitpid(process, 0)


bulk = "POST /ofrep/v1/evaluate/flags"
# The project file names the server's address, to which credentials are sent.
flagmenu("trust")
flagmenu("fetch")
expect(f"{bulk} 200", 1, "a first question")
flagmenu("fetch")
expect(f"{bulk} 304", 1, "a second question with the ETag of the first")
menu_hears_of_a_change()
expect("flagConfigEtag=", 1, "a question after an event")


def expect_refusal(status, what, *words, change=None, **changes):
    """An answer that is a failure in the document's form, of which flagmenu tells what the service says itself."""
    if change: tell(f"change {change}")
    said = flagmenu("fetch", **changes)
    if change: tell("change recover")
    expect(f"{bulk} {status}", 1, what)
    missing = [word for word in (*words, "stay in use") if word not in said]
    if missing: differences.append(f"{what}: flagmenu does not say {missing} but {said!r}")


expect_refusal(401, "a wrong token", "401", OFREP_TOKEN="wrong")
expect_refusal(400, "a context that is refused", "INVALID_CONTEXT", "the age is no text", change="refuseContext")
expect_refusal(403, "somebody who is not let in", "403", change="forbid")
expect_refusal(500, "a service that fails", "the rules cannot be read", change="fail")
expect_refusal(429, "a service that is busy", "429", change="throttleForLong")


def ask(path, body):
    """What the vendors' clients ask and no source of a menu does: single flags, and bodies without a context."""
    connection = http.client.HTTPConnection("127.0.0.1", proxy.server_port, timeout=20)
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {facts['token']}", "X-API-Key": facts["apiKey"]}
    connection.request("POST", path, json.dumps(body), headers)
    return connection.getresponse().read()


one = "/ofrep/v1/evaluate/flags/"
for key, status in [("discount-banner", 200), ("theme-color", 200), ("max-items", 200), ("ratio", 200),
                    ("login-screen", 200), ("broken", 400), ("unknown", 404)]:
    ask(f"{one}{key}", {"context": {"targetingKey": "user-1"}})
    expect(f"POST {one}{key} {status}", 1, key)

# Requests that the server itself rejects, including bodies that the document does not allow.
exchanges.is_request_checked = False
for body, code in [({"context": {}}, "TARGETING_KEY_MISSING"), ({}, "INVALID_CONTEXT"), ([], "PARSE_ERROR")]:
    before = exchanges.count(f"{bulk} 400")
    found = json.loads(ask("/ofrep/v1/evaluate/flags", body))["errorCode"]
    expect(f"{bulk} 400", before + 1, f"the body {body}")
    if found != code: differences.append(f"the body {body} is refused with {found} where {code} is right")
for key, change, status in [("ratio", "forbid", 403), ("ratio", "fail", 500), ("ratio", "throttle", 429)]:
    tell(f"change {change}")
    ask(f"{one}{key}", {"context": {"targetingKey": "user-1"}})
    tell("change recover")
    expect(f"POST {one}{key} {status}", 1, f"{key}, {change}")
exchanges.is_request_checked = True

# Checks the check: a response that violates the rules is found.
asked = Request(facts["url"], "POST", "/ofrep/v1/evaluate/flags", {"Content-Type": "application/json"}, b'{"context":{}}')
try:
    rules.validate_response(asked, Response(200, {"Content-Type": "application/json"}, b'{"flags":[{"value":true}]}'))
    differences.append("the validator took an answer with a flag that has no key")
except Exception:
    pass

server.stdin.close()
for line in exchanges.faults + differences: print(f"ofrep: {line}", file=sys.stderr)
if not exchanges.faults + differences:
    print(f"ofrep: {len(exchanges.lines)} requests and answers keep to OFREP's OpenAPI document")
sys.exit(1 if exchanges.faults + differences else 0)
