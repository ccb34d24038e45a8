"""schemathesis drives the management API of flagmenu serve from its OpenAPI document, which is compiled into the program."""
import json
import os
import subprocess
import sys
import time
from importlib.metadata import version

import requests
import schemathesis
from schemathesis.core.failures import FailureGroup

from served import Server, ServerChecks

document = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../Sources/FlagServer/Page/openapi.json")
examples = sys.argv[2] if len(sys.argv) > 2 else "30"
checks = ServerChecks("management")
server = checks.server
described = schemathesis.openapi.from_path(document)
reached = set()


def error_code(response):
    try:
        return response.json()["error"]["code"]
    except (ValueError, KeyError, TypeError):
        return None


def expect(what, server, method, path, template, status, code=None, token="", **arguments):
    """Sends one request, and validates its response against the document."""
    headers = arguments.pop("headers", {})
    if token is not None: headers["Authorization"] = f"Bearer {token or server.token}"
    response = requests.request(method, f"{server.url}/api/v1{path}", headers=headers, timeout=20, **arguments)
    checks.expect(f"{what}: status", response.status_code, status)
    if code: checks.expect(f"{what}: code", error_code(response), code)
    reached.add((method, template, response.status_code))
    try:
        described[template][method].validate_response(response)
    except (Exception, FailureGroup) as error:
        checks.expect(f"{what}: errors of the response", str(error), "")
    return response


def changes(response):
    return [(change["key"], change["new"], change["newLayer"]) for change in response.json().get("changes", [])]


# Every status of every path that can be reached without a broken disk.
flag, override = "/flags/{key}", "/overrides/{key}"
for path in ["/status", "/flags", "/overrides", "/clients"]:
    expect(f"GET {path}", server, "GET", path, path, 200)
    expect(f"GET {path}, without a token", server, "GET", path, path, 200, token=None)
    expect(f"GET {path}, another host", server, "GET", path, path, 403, "forbidden", headers={"Host": "example.com"})
    expect(f"GET {path}, another origin", server, "GET", path, path,
           403, "forbidden", headers={"Origin": "https://example.com"})
    if path != "/clients": expect(f"GET {path}, empty client", server, "GET", f"{path}?client=", path, 400, "usage")
expect("GET a flag", server, "GET", "/flags/ads%2Ftop", flag, 200)
expect("GET an unknown flag", server, "GET", "/flags/nope", flag, 404, "not_found")
found = expect("a filter", server, "GET", "/flags?matching=is:overridden%20theme", "/flags", 200)
checks.expect("a filter: flags", found.json().get("flags", []), [])
found = expect("a filter as forms encode it", server, "GET", "/flags", "/flags", 200, params={"matching": "new checkout"})
checks.expect("a filter as forms encode it: flags", [flag["key"]
              for flag in found.json().get("flags", [])], ["new_checkout"])
expect("a long filter", server, "GET", f"/flags?matching={'x' * 1_025}", "/flags", 400, "usage")
expect("an unknown filter word", server, "GET", "/flags?matching=is:nope", "/flags", 400, "usage")

checks.expect("PUT", changes(expect("PUT", server, "PUT", "/overrides/new_checkout", override, 200, json={"value": "on"})),
              [("new_checkout", "true", "override")])
for what, body in [("no value", {}), ("null", {"value": None}), ("a list", []), ("any", {"value": "true", "any": 1})]:
    expect(f"PUT, {what}", server, "PUT", "/overrides/new_checkout", override, 400, "usage", json=body)
expect("PUT, not JSON", server, "PUT", "/overrides/new_checkout", override, 400, "usage", data="{")
expect("PUT, an empty client", server, "PUT", "/overrides/new_checkout?client=", override, 400, "usage",
    json={"value": "true"})
expect("PUT, a long client", server, "PUT", f"/overrides/new_checkout?client={'x' * 81}", override, 400, "usage",
    json={"value": "true"})
expect("PUT, not an option", server, "PUT", "/overrides/theme_color", override, 422, "invalid_value", json={"value": "pink"})
expect("PUT, out of bounds", server, "PUT", "/overrides/max_items", override, 422, "invalid_value", json={"value": "101"})
expect("PUT, any", server, "PUT", "/overrides/theme_color", override, 200, json={"value": "pink", "any": True})
expect("PUT, an unknown key", server, "PUT", "/overrides/nope", override, 404, "not_found", json={"value": "1"})
expect("PUT, a new key", server, "PUT", "/overrides/n%2Few%20%F0%9F%98%80", override, 200, json={"value": 1, "new": True})
expect("PUT, too large", server, "PUT", "/overrides/login_screen", override, 413, "too_large", data=b" " * 70_000)
expect("PUT, a wrong token", server, "PUT", "/overrides/new_checkout", override, 401, "unauthorized", token="x" * 32,
    json={"value": "true"})
expect("PUT, another origin", server, "PUT", "/overrides/new_checkout", override, 403, "forbidden",
       headers={"Origin": "https://example.com"}, json={"value": "true"})
expect("DELETE an unknown key", server, "DELETE", "/overrides/nope2", override, 404, "not_found")
expect("DELETE", server, "DELETE", "/overrides/theme_color", override, 200)
expect("undo", server, "POST", "/undo", "/undo", 200)
expect("redo", server, "POST", "/redo", "/redo", 200)
expect("redo again", server, "POST", "/redo", "/redo", 409, "nothing_to_undo")
expect("undo of a new client", server, "POST", "/undo?client=zoe", "/undo", 409, "nothing_to_undo")
clients = expect("the clients", server, "GET", "/clients", "/clients", 200).json()["clients"]
found = [entry["client"] for entry in clients]
checks.expect("a client after an undo without a change has no overrides", "zoe" in found, False)
for path in ["/undo", "/redo", "/links"]:
    expect(f"{path}, without a token", server, "POST", path, path, 401, "unauthorized", token=None)
    expect(f"{path}, another host", server, "POST", path, path, 403, "forbidden", headers={"Host": "example.com:80"})

# An empty key must not stand for all keys: a script whose variable is empty, or a client that removes "/." from a URL,
# would clear all overrides.
before = server.overrides()
for path in ["/overrides/", "/overrides//", "//overrides"]:
    response = requests.delete(f"{server.url}/api/v1{path}", headers={"Authorization": f"Bearer {server.token}"}, timeout=20)
    checks.expect(f"DELETE {path}: a status of an error", 400 <= response.status_code < 500, True)
    checks.expect(f"DELETE {path}: overrides are unchanged", server.overrides() == before, True)
checks.expect("DELETE all", len(changes(expect("DELETE all", server, "DELETE", "/overrides", "/overrides", 200))), 2)

# HEAD is GET without the body, and needs the same token; it opens no session, as a preview of a link would use it up.
guarded = Server(sys.argv[1], environment={"FLAGMENU_SERVER_READ_TOKEN": "r" * 32})
for path in ["/", "/page.js", "/nope", "/ofrep/v1/events"] + [
    f"/api/v1/{path}" for path in ["status", "flags", "flags/nope", "flags?matching=is:nope", "overrides", "events"]]:
    for one, token in [(server, None), (guarded, "r" * 32)] + [(guarded, None)] * (path == "/api/v1/flags"):
        fields = {"Authorization": f"Bearer {token}"} if token else {}
        with requests.Session() as session:
            found = session.head(one.url + path, headers=fields, timeout=20)
            # On the same connection, if it is still open: what follows the head is the next response.
            with session.get(one.url + path, headers=fields, timeout=20, stream=True) as wanted:
                what = f"HEAD {path}, {wanted.status_code}"
                checks.expect(f"{what}: status", found.status_code, wanted.status_code)
                names = set(wanted.headers) - {"Date"}
                checks.expect(f"{what}: headers", {name: found.headers.get(name) for name in names},
                              {name: wanted.headers[name] for name in names})
            checks.expect(f"{what}: body", found.content, b"")
guarded.end()
opener = server.call("POST", "links")[1]["path"]
checks.expect("HEAD of a link", requests.head(server.url + opener, timeout=20).status_code, 405)
checks.expect("GET of the same link", requests.get(server.url + opener, timeout=20).status_code, 200)

link = expect("a link", server, "POST", "/links", "/links", 200).json()["path"]
session = requests.Session()
checks.expect("the link opens the page", session.get(server.url + link, timeout=20).status_code, 200)
checks.expect("the session may write", session.get(f"{server.url}/api/v1/status", timeout=20).json()["writable"], True)
checks.expect("the link opens once", requests.get(server.url + link, timeout=20).status_code, 403)
served = expect("the document", server, "GET", "/openapi.json", "/openapi.json", 200)
with open(document) as file:
    checks.expect("the document is the one in the repository", served.json() == json.load(file), True)

# A server that may not change overrides.
reader = Server(sys.argv[1], "--read-only")
expect("read-only", reader, "PUT", "/overrides/new_checkout", override, 403, "read_only", json={"value": "true"})
expect("read-only", reader, "DELETE", "/overrides", "/overrides", 403, "read_only")
checks.expect("read-only: writable", expect("read-only", reader, "GET", "/status", "/status", 200).json()["writable"], False)
checks.expect("read-only: overrides", reader.overrides(), None)
reader.end()

# A store that cannot be written, since the place of its file is a folder.
broken = Server(sys.argv[1])
os.mkdir(os.path.join(broken.store, "overrides.json"))
expect("a broken store", broken, "PUT", "/overrides/new_checkout", override, 507, "store", json={"value": "true"})
broken.end()

# Checks the check: a response that violates the document is found.
response = requests.get(f"{server.url}/api/v1/status", timeout=20)
response._content = response.content.replace(b'"revision":', b'"revisions":')
try:
    described["/status"]["GET"].validate_response(response)
    checks.expect("the validator finds a wrong response", False, True)
except FailureGroup:
    checks.expect("the validator finds a wrong response", True, True)

# The writes above do not count for the limits of the run.
time.sleep(1)
run = subprocess.run(
    [os.path.join(os.path.dirname(sys.executable), "schemathesis"), "run", document, "--url", f"{server.url}/api/v1",
     "--header", f"Authorization: Bearer {server.token}", "--exclude-path", "/events", "--checks", "all",
     # A value may be invalid for its flag, which the document cannot say.
     "--exclude-checks", "positive_data_acceptance", "--continue-on-failure", "--rate-limit", "90/s",
     "--max-examples", examples, "--max-response-time", "5", "--seed", "7110", "--no-color"],
    cwd=server.home, env=server.environment | {"PYTHONDONTWRITEBYTECODE": "1"}, capture_output=True, text=True)
if run.returncode: print(run.stdout + run.stderr, file=sys.stderr)
checks.expect("the exit status of schemathesis", run.returncode, 0)
checks.expect("the server runs", server.process.poll(), None)
checks.finish(f"schemathesis {version('schemathesis')}, {len(reached)} statuses of paths, {examples} examples")
