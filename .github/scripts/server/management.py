"""schemathesis drives the management API of flagmenu serve from its OpenAPI document, which is in the program.
Statuses that it cannot reach are requested one by one, and all responses validated."""
import json
import os
import subprocess
import sys
import time

import requests
import schemathesis
from schemathesis.core.failures import FailureGroup

from common import SHOP, Checks, Server

document = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../Sources/FlagServer/Page/openapi.json")
checks, server = Checks("management"), Server(SHOP)
described = schemathesis.openapi.from_path(document)
KEY = "/overrides/new_checkout"
FOREIGN, STRANGER, NOBODY = {"Origin": "https://example.com"}, {"Host": "example.com"}, {"Authorization": None}


def errors(method, path, response):
    """What violates the document."""
    parts = path.partition("?")[0].split("/")
    if len(parts) > 2: parts[2] = "{name}" if parts[1] == "scenarios" else "{key}"
    try:
        described["/".join(parts)][method].validate_response(response)
        return ""
    except (Exception, FailureGroup) as error:
        return str(error)


def expect(server, method, path, status, code=None, body=None, headers={}):
    """Sends a request, and validates its response against the document."""
    what = f"{method} {path} {headers} {str(body)[:80]}"
    data = body if body is None or isinstance(body, bytes) else json.dumps(body)
    response = requests.request(
        method, f"{server.url}/api/v1{path}", headers={"Authorization": f"Bearer {server.token}"} | headers, data=data,
        timeout=20)
    checks.expect(f"{what}: status", response.status_code, status)
    if status in (401, 403): time.sleep(0.06)  # Above 20 rejections a second, the server answers with 429.
    if code: checks.expect(f"{what}: code", response.json().get("error", {}).get("code"), code)
    checks.expect(f"{what}: errors of the response", errors(method, path, response), "")
    return response


# Every status of every path that can be reached without a broken disk, in this order.
for path in ["/status", "/flags", "/overrides", "/scenarios", "/clients"]:
    for headers in [{}, NOBODY]: expect(server, "GET", path, 200, headers=headers)
    for headers in [STRANGER, FOREIGN]: expect(server, "GET", path, 403, "forbidden", headers=headers)
    if path != "/clients": expect(server, "GET", f"{path}?client=", 400, "usage")
server.save_scenario("demo", {"new_checkout": "false", "gone": "1"})
server.write(f"{server.store}/scenarios/broken.json", "{")
on, steps, apply = {"value": "true"}, ("/undo", "/redo", "/links"), "/scenarios/demo/apply"
new = {"mode": "add", "revision": server.call("GET", "scenarios")[1]["revision"]}
for request in [
    ("GET", "/scenarios/demo/preview?mode=replace", 200), ("GET", "/scenarios/demo/preview", 400, "usage"),
    ("GET", "/scenarios/nope/preview?mode=add", 404, "not_found"),
    ("POST", "/scenarios/nope/apply", 404, "not_found", new), ("POST", apply, 400, "usage", {"mode": "add"}),
    ("GET", "/scenarios/broken/preview?mode=add", 422, "invalid_value"),
    ("POST", "/scenarios/broken/apply", 422, "invalid_value", new), ("POST", apply, 403, "forbidden", new, FOREIGN),
    ("POST", apply, 401, "unauthorized", new, NOBODY), ("POST", apply, 409, "conflict", new | {"revision": 99}),
    ("POST", apply, 200, None, new), ("POST", "/undo", 200),
    ("PUT", "/scenarios/mine", 200, None, {}), ("PUT", "/scenarios/mine", 409, "taken", {}),
    ("PUT", "/scenarios/mine", 200, None, {"replace": True}), ("PUT", "/scenarios/mine", 400, "usage", []),
    ("PUT", "/scenarios/mine", 401, "unauthorized", {}, NOBODY), ("PUT", "/scenarios/mine", 403, "forbidden", {}, FOREIGN),
    ("POST", "/scenarios/mine/rename", 409, "taken", {"name": "demo"}), ("POST", "/scenarios/mine/rename", 400, "usage", {}),
    ("POST", "/scenarios/mine/rename", 200, None, {"name": "yours"}),
    ("POST", "/scenarios/mine/rename", 404, "not_found", {"name": "x"}), ("DELETE", "/scenarios/yours", 200),
    ("DELETE", "/scenarios/yours", 404, "not_found"), ("DELETE", "/scenarios/demo", 401, "unauthorized", None, NOBODY),
    ("GET", "/flags/ads%2Ftop", 200), ("GET", "/flags/nope", 404, "not_found"),
    ("PUT", KEY, 200, None, {"value": "on"}), ("PUT", KEY, 400, "usage", []),
    ("PUT", KEY, 200, None, {"note": "BUG-4711", "for": "2h"}), ("PUT", KEY, 400, "usage", {"for": "soon"}),
    ("PUT", "/overrides/max_items", 422, "invalid_value", {"value": "101"}), ("PUT", f"{KEY}?client=", 400, "usage", on),
    ("PUT", "/overrides/theme_color", 200, None, {"value": "pink", "any": True}),
    ("PUT", "/overrides/nope", 404, "not_found", {"value": "1"}),
    ("PUT", "/overrides/n%2Few%20%F0%9F%98%80", 200, None, {"value": 1, "new": True}),
    ("PUT", KEY, 413, "too_large", b" " * 70_000), ("PUT", KEY, 403, "forbidden", on, FOREIGN),
    ("PUT", KEY, 401, "unauthorized", on, {"Authorization": "Bearer x"}),
    ("DELETE", "/overrides/nope2", 404, "not_found"), ("DELETE", "/overrides/theme_color", 200),
    ("POST", "/undo", 200), ("POST", "/redo", 200), ("POST", "/redo", 409, "nothing_to_undo"),
    ("POST", "/undo?client=zoe", 409, "nothing_to_undo"), ("GET", "/explanations/new_checkout", 200),
    *[("POST", path, 401, "unauthorized", None, NOBODY) for path in steps],
    *[("POST", path, 403, "forbidden", None, STRANGER) for path in steps], ("POST", "/links", 200),
]:
    expect(server, *request)
clients = [entry["client"] for entry in server.call("GET", "clients")[1]["clients"]]
checks.expect("a client after an undo without a change has no overrides", "zoe" in clients, False)
found = server.call("GET", "flags?matching=new+checkout")[1]["flags"]
checks.expect("a filter as forms encode it", [flag["key"] for flag in found], ["new_checkout"])
checks.expect("DELETE clears all", len(expect(server, "DELETE", "/overrides", 200).json()["changes"]), 2)
with open(document) as file:
    served = expect(server, "GET", "/openapi.json", 200).json()
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
                others = [name for name, text in wanted.headers.items() if found.headers.get(name) != text]
                checks.expect(f"{what}: other headers than those of GET", set(others) - {"Date"}, set())
link = server.call("POST", "links")[1]["path"]
checks.expect("HEAD of a link", requests.head(server.url + link, timeout=20).status_code, 405)
checks.expect("GET of the same link", requests.get(server.url + link, timeout=20).status_code, 200)

# A server that may not change overrides.
reader = Server(SHOP, "--read-only")
reader.save_scenario("demo", {})
expect(reader, "POST", apply, 403, "read_only", {"mode": "add", "revision": 0})
expect(reader, "PUT", KEY, 403, "read_only", on)
expect(reader, "DELETE", "/scenarios/demo", 403, "read_only")
expect(reader, "DELETE", "/overrides", 403, "read_only")
writable = expect(reader, "GET", "/status", 200).json()["writable"]
checks.expect("read-only: writable and overrides", (writable, reader.overrides()), (False, None))

# A store that cannot be written, since the place of its file is a folder.
broken = Server(SHOP)
os.mkdir(os.path.join(broken.store, "overrides.json"))
expect(broken, "PUT", KEY, 507, "store", on)

# Checks the check: a response that violates the document is found.
response = requests.get(f"{server.url}/api/v1/status", timeout=20)
response._content = response.content.replace(b'"revision":', b'"revisions":')
checks.expect("the validator finds a wrong response", errors("GET", "/status", response) != "")

# The writes above do not count for the limits of the run.
time.sleep(1)
run = subprocess.run(
    [os.path.join(os.path.dirname(sys.executable), "schemathesis"), "run", document, "--url", f"{server.url}/api/v1",
     "--header", f"Authorization: Bearer {server.token}", "--exclude-path", "/events", "--checks", "all",
     # A value may be invalid for its flag, which the document cannot say.
     "--exclude-checks", "positive_data_acceptance", "--continue-on-failure", "--rate-limit", "50/s",
     "--max-examples", "30", "--max-response-time", "5", "--seed", "7110", "--no-color"],
    cwd=server.place, env=server.environment | {"PYTHONDONTWRITEBYTECODE": "1"}, capture_output=True, text=True)
if run.returncode: print(run.stdout + run.stderr, file=sys.stderr)
checks.expect("the exit status of schemathesis", run.returncode, 0)
server.end(checks)
checks.finish_with("schemathesis")
