"""schemathesis drives the management API of flagmenu serve from its OpenAPI document, which is in the program.
Statuses that it cannot reach are requested one by one, and all responses validated."""
import json
import os
import subprocess
import sys
import time
from importlib.metadata import version

import requests
import schemathesis
from schemathesis.core.failures import FailureGroup

from common import SHOP, Checks, Server

document = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../Sources/FlagServer/Page/openapi.json")
checks, server = Checks("management"), Server(SHOP)
described = schemathesis.openapi.from_path(document)
FLAG, OVERRIDE = "/flags/{key}", "/overrides/{key}"
KEY = "/overrides/new_checkout"
PREVIEW, APPLY = "/scenarios/{name}/preview", "/scenarios/{name}/apply"
FOREIGN, STRANGER, NOBODY = {"Origin": "https://example.com"}, {"Host": "example.com"}, {"Authorization": None}


def expect(server, method, path, template, status, code=None, body=None, headers=None):
    """Sends a request, and validates its response against the document."""
    what = f"{method} {path} {headers or ''} {str(body)[:80]}"
    fields = {"Authorization": f"Bearer {server.token}"} | (headers or {})
    data = body if body is None or isinstance(body, bytes) else json.dumps(body)
    response = requests.request(method, f"{server.url}/api/v1{path}", headers=fields, data=data, timeout=20)
    checks.expect(f"{what}: status", response.status_code, status)
    if code: checks.expect(f"{what}: code", response.json().get("error", {}).get("code"), code)
    try:
        described[template][method].validate_response(response)
    except (Exception, FailureGroup) as error:
        checks.expect(f"{what}: errors of the response", str(error), "")
    return response


# Every status of every path that can be reached without a broken disk, in this order.
for path in ["/status", "/flags", "/overrides", "/scenarios", "/clients"]:
    for headers, status, code in [
        ({}, 200, None), (NOBODY, 200, None), (STRANGER, 403, "forbidden"), (FOREIGN, 403, "forbidden"),
    ]:
        expect(server, "GET", path, path, status, code, headers=headers)
    if path != "/clients": expect(server, "GET", f"{path}?client=", path, 400, "usage")
for method, path, template, status, code, body, headers in [
    ("GET", "/flags/ads%2Ftop", FLAG, 200, None, None, {}), ("GET", "/flags/nope", FLAG, 404, "not_found", None, {}),
    ("PUT", KEY, OVERRIDE, 200, None, {"value": "on"}, {}), ("PUT", KEY, OVERRIDE, 400, "usage", [], {}),
    ("PUT", KEY, OVERRIDE, 200, None, {"note": "BUG-4711", "for": "2h"}, {}),
    ("PUT", KEY, OVERRIDE, 400, "usage", {"for": "soon"}, {}),
    ("PUT", f"{KEY}?client=", OVERRIDE, 400, "usage", {"value": "true"}, {}),
    ("PUT", "/overrides/max_items", OVERRIDE, 422, "invalid_value", {"value": "101"}, {}),
    ("PUT", "/overrides/theme_color", OVERRIDE, 200, None, {"value": "pink", "any": True}, {}),
    ("PUT", "/overrides/nope", OVERRIDE, 404, "not_found", {"value": "1"}, {}),
    ("PUT", "/overrides/n%2Few%20%F0%9F%98%80", OVERRIDE, 200, None, {"value": 1, "new": True}, {}),
    ("PUT", KEY, OVERRIDE, 413, "too_large", b" " * 70_000, {}),
    ("PUT", KEY, OVERRIDE, 401, "unauthorized", {"value": "true"}, {"Authorization": "Bearer x"}),
    ("PUT", KEY, OVERRIDE, 403, "forbidden", {"value": "true"}, FOREIGN),
    ("DELETE", "/overrides/nope2", OVERRIDE, 404, "not_found", None, {}),
    ("DELETE", "/overrides/theme_color", OVERRIDE, 200, None, None, {}),
    ("POST", "/undo", "/undo", 200, None, None, {}), ("POST", "/redo", "/redo", 200, None, None, {}),
    ("POST", "/redo", "/redo", 409, "nothing_to_undo", None, {}),
    ("POST", "/undo?client=zoe", "/undo", 409, "nothing_to_undo", None, {}),
    *[("POST", path, path, 401, "unauthorized", None, NOBODY) for path in ("/undo", "/redo", "/links")],
    *[("POST", path, path, 403, "forbidden", None, STRANGER) for path in ("/undo", "/redo", "/links")],
    ("POST", "/links", "/links", 200, None, None, {}),
]:
    expect(server, method, path, template, status, code, body, headers)
server.save_scenario("demo", {"new_checkout": "false", "gone": "1"})
server.write(os.path.join(server.store, "scenarios/broken.json"), "{")
revision = expect(server, "GET", "/scenarios", "/scenarios", 200).json()["revision"]
shown = {"mode": "add", "revision": revision}
for method, path, template, status, code, body, headers in [
    ("GET", "/scenarios/demo/preview?mode=replace", PREVIEW, 200, None, None, {}),
    ("GET", "/scenarios/demo/preview", PREVIEW, 400, "usage", None, {}),
    ("GET", "/scenarios/nope/preview?mode=add", PREVIEW, 404, "not_found", None, {}),
    ("GET", "/scenarios/broken/preview?mode=add", PREVIEW, 422, "invalid_value", None, {}),
    ("POST", "/scenarios/demo/apply", APPLY, 401, "unauthorized", shown, NOBODY),
    ("POST", "/scenarios/demo/apply", APPLY, 403, "forbidden", shown, FOREIGN),
    ("POST", "/scenarios/demo/apply", APPLY, 400, "usage", {"mode": "add"}, {}),
    ("POST", "/scenarios/nope/apply", APPLY, 404, "not_found", shown, {}),
    ("POST", "/scenarios/broken/apply", APPLY, 422, "invalid_value", shown, {}),
    ("POST", "/scenarios/demo/apply", APPLY, 409, "conflict", {"mode": "add", "revision": revision + 1}, {}),
    ("POST", "/scenarios/demo/apply", APPLY, 200, None, shown, {}), ("POST", "/undo", "/undo", 200, None, None, {}),
]:
    expect(server, method, path, template, status, code, body, headers)
clients = [entry["client"] for entry in server.call("GET", "clients")[1]["clients"]]
checks.expect("a client after an undo without a change has no overrides", "zoe" in clients, False)
found = server.call("GET", "flags?matching=new+checkout")[1]["flags"]
checks.expect("a filter as forms encode it", [flag["key"] for flag in found], ["new_checkout"])
cleared = expect(server, "DELETE", "/overrides", "/overrides", 200).json()["changes"]
checks.expect("DELETE clears all", len(cleared), 2)
with open(document) as file:
    served = expect(server, "GET", "/openapi.json", "/openapi.json", 200).json()
    checks.expect("the document is the one in the repository", served == json.load(file))

# HEAD is GET without the body, and needs the same token; it opens no session, as a preview of a link would use it up.
guarded = Server(SHOP, FLAGMENU_SERVER_READ_TOKEN="r" * 32)
paths = ["status", "flags", "flags/nope", "flags?matching=is:nope", "overrides", "events"]
for path in ["/", "/page.js", "/nope", "/ofrep/v1/events", *(f"/api/v1/{path}" for path in paths)]:
    for one, fields in [(server, {}), (guarded, {"Authorization": f"Bearer {'r' * 32}"}), (guarded, {})]:
        with requests.Session() as session:
            found = session.head(one.url + path, headers=fields, timeout=20)
            # On the same connection, if it is still open: what follows the head is the next response.
            with session.get(one.url + path, headers=fields, timeout=20, stream=True) as wanted:
                what = f"HEAD {path}, {wanted.status_code}"
                checks.expect(f"{what}: status and body", (found.status_code, found.content), (wanted.status_code, b""))
                names = set(wanted.headers) - {"Date"}
                checks.expect(f"{what}: headers", {name: found.headers.get(name) for name in names},
                              {name: wanted.headers[name] for name in names})
guarded.process.kill()
link = server.call("POST", "links")[1]["path"]
checks.expect("HEAD of a link", requests.head(server.url + link, timeout=20).status_code, 405)
checks.expect("GET of the same link", requests.get(server.url + link, timeout=20).status_code, 200)

# A server that may not change overrides.
reader = Server(SHOP, "--read-only")
reader.save_scenario("demo", {"new_checkout": "false"})
expect(reader, "POST", "/scenarios/demo/apply", APPLY, 403, "read_only", {"mode": "add", "revision": 0})
expect(reader, "PUT", KEY, OVERRIDE, 403, "read_only", {"value": "true"})
expect(reader, "DELETE", "/overrides", "/overrides", 403, "read_only")
writable = expect(reader, "GET", "/status", "/status", 200).json()["writable"]
checks.expect("read-only: writable and overrides", (writable, reader.overrides()), (False, None))
reader.process.kill()

# A store that cannot be written, since the place of its file is a folder.
broken = Server(SHOP)
os.mkdir(os.path.join(broken.store, "overrides.json"))
expect(broken, "PUT", KEY, OVERRIDE, 507, "store", {"value": "true"})
broken.process.kill()

# Checks the check: a response that violates the document is found.
response = requests.get(f"{server.url}/api/v1/status", timeout=20)
response._content = response.content.replace(b'"revision":', b'"revisions":')
try:
    described["/status"]["GET"].validate_response(response)
    checks.expect("the validator finds a wrong response", False)
except FailureGroup:
    pass

# The writes above do not count for the limits of the run.
time.sleep(1)
run = subprocess.run(
    [os.path.join(os.path.dirname(sys.executable), "schemathesis"), "run", document, "--url", f"{server.url}/api/v1",
     "--header", f"Authorization: Bearer {server.token}", "--exclude-path", "/events", "--checks", "all",
     # A value may be invalid for its flag, which the document cannot say.
     "--exclude-checks", "positive_data_acceptance", "--continue-on-failure", "--rate-limit", "90/s",
     "--max-examples", "30", "--max-response-time", "5", "--seed", "7110", "--no-color"],
    cwd=server.place, env=server.environment | {"PYTHONDONTWRITEBYTECODE": "1"}, capture_output=True, text=True)
if run.returncode: print(run.stdout + run.stderr, file=sys.stderr)
checks.expect("the exit status of schemathesis", run.returncode, 0)
server.end(checks)
checks.finish(f"schemathesis {version('schemathesis')}")
