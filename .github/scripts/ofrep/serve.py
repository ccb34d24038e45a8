"""flagmenu serve responds as OFREP's OpenAPI document says: flags of every type, bulk evaluations, and errors."""
import json
from urllib.parse import quote

from werkzeug.wrappers import Request, Response

from common import Checks, Server
from ofrep.exchanges import Exchanges

checks = Checks("ofrep serve")
exchanges = Exchanges(checks)
# The requests are those of this test.
exchanges.is_request_checked = False
flags = {
    "bool": True, "int": 7, "double": 7.0, "text": "é \" \\ 😀", "empty": "",
    "object": {"a": [1, None], "b": {"c": 0.5}}, "list": [1, "x"], "a/b ü": "odd", "wrong": "x"}
types = {"int": "int", "double": "double", "object": "json", "list": "json", "undecided": "bool", "wrong": "int"}
items = [{"key": key, "type": type} for key, type in types.items()]
document = flags | {"config_categories": [{"category": "All", "items": items}]}
context = {"context": {"targetingKey": "user-1", "plan": "pro", "tags": ["a", 1], "deep": {"x": None}}}


def post(server, path, body, status, **headers):
    """Sends a request, and validates its response; returns the headers of the response."""
    target = f"/ofrep/v1/evaluate/flags{path}"
    place, _, query = target.partition("?")
    headers = {"Content-Type": "application/json"} | {name.replace("_", "-"): text for name, text in headers.items()}
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    found, fields, text = server.request("POST", target, data, headers)
    # Quoted once more, as the validator needs the path as it was sent.
    request = Request.from_values(quote(place), query_string=query, method="POST", headers=headers, data=data)
    exchanges.add(request, Response(text, found, fields.items()))
    checks.expect(f"POST {target} {data[:80]!r} {headers}: status", found, status)
    return fields


server = Server(document)
for key in [*flags, "undecided"]: post(server, f"/{quote(key, safe='')}", context, 200)
post(server, "/nope", context, 404)
tag = post(server, "", context, 200)["ETag"]
post(server, "", context, 304, If_None_Match=tag)
post(server, "?flagConfigEtag=%22x%22&flagConfigLastModified=1771622898", context, 304, If_None_Match=tag)
post(server, "", context, 200, If_None_Match='"other"')
server.set("text", "changed")
post(server, "", context, 200, If_None_Match=tag)
server.call("DELETE", "overrides")
post(server, "", context, 304, If_None_Match=tag)
# Requests that the document does not allow.
for path in ("", "/bool"):
    post(server, path, {"context": {}}, 200)
    for body in ({}, [], {"context": 1}, b"{", b"", {"context": {"targetingKey": 1}}, b'{"context":{"a":"\xff"}}'):
        post(server, path, body, 400)
post(server, "/bool", context, 403, Origin="http://example.com")
post(server, "", context, 403, Host="example.com")
for _ in range(60): server.request("POST", "/api/v1/undo")
checks.expect("Retry-After", post(server, "/bool", context, 429, Origin="http://example.com").get("Retry-After"), "1")
server.end(checks)

# A server that needs a token for reading.
token = "a-token-for-reading-only"
server = Server(document, FLAGMENU_SERVER_READ_TOKEN=token)
post(server, "/bool", context, 401)
post(server, "", context, 401, Authorization="Bearer wrong")
post(server, "/bool", context, 200, Authorization=f"Bearer {token}")
post(server, "", context, 200, X_API_Key=token)
server.end(checks)
checks.finish(f"{len(exchanges.lines)} responses keep to OFREP's OpenAPI document")
