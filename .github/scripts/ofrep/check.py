"""flagmenu reads LoopbackOFREP through a proxy that holds both to OFREP's OpenAPI document."""
import http.client
import threading
from urllib.parse import urlsplit

from werkzeug.serving import make_server
from werkzeug.test import Client
from werkzeug.wrappers import Request, Response

from common import wait_until
from ofrep.exchanges import Exchanges, WerkzeugOpenAPIRequest, WerkzeugOpenAPIResponse, errors, rules
from services import Loopback

server = Loopback("ofrep", OFREP_TOKEN="token", OFREP_API_KEY="apiKey")
exchanges = Exchanges(server)
# The proxy sends these itself.
OWN_FIELDS = ("host", "accept-encoding", "connection", "transfer-encoding", "content-length", "date", "server")


def passed_on(headers): return {key: value for key, value in headers.items() if key.lower() not in OWN_FIELDS}


@Request.application
def proxy(request):
    connection = http.client.HTTPConnection(urlsplit(server.url).netloc, timeout=20)
    target = request.environ["REQUEST_URI"]
    connection.request(request.method, target, request.get_data(), passed_on(request.headers))
    answer = connection.getresponse()
    fields = passed_on(answer.headers)
    # A stream, which the document does not describe.
    if request.method == "GET": return Response(iter(lambda: answer.read1(65536), b""), answer.status, fields)
    response = Response(answer.read(), answer.status, fields)
    exchanges.add(request, response)
    return response


listener = make_server("127.0.0.1", 0, proxy, threaded=True)
threading.Thread(target=listener.serve_forever, daemon=True).start()
address = f"http://127.0.0.1:{listener.server_port}"
context = {"targetingKey": "user-1", "plan": "pro", "age": 31, "beta": True, "tags": ["a", 1], "deep": {"x": None}}
menu = server.flagmenu(place=address, context=context)
BULK, ONE = "POST /ofrep/v1/evaluate/flags", "/ofrep/v1/evaluate/flags/"

# The project file names the server's address, to which credentials are sent.
menu.flagmenu("trust")
menu.flagmenu("fetch")
exchanges.expect(f"{BULK} 200", "a first request")
menu.flagmenu("fetch")
exchanges.expect(f"{BULK} 304", "a second request with the ETag of the first")
watch = menu.open("flagmenu", "watch")
server.wait("a reader of the stream", server.listeners, 1)
server.change("off")
wait_until(lambda: any("flagConfigEtag=" in line for line in exchanges.lines))
watch.kill()
exchanges.expect("flagConfigEtag=", "a request after an event")

# A response that is a failure in the document's form, of which flagmenu prints what the service says itself.
for status, change, words, variables in [
    (401, None, "401", {"OFREP_TOKEN": "wrong"}), (400, "refuseContext", "INVALID_CONTEXT: the age is no text", {}),
    (403, "forbid", "403", {}), (500, "fail", "the rules cannot be read", {}), (429, "throttleForLong", "429", {}),
]:
    if change: server.change(change)
    run = menu.attempt("fetch", **variables)
    if change: server.change("recover")
    exchanges.expect(f"{BULK} {status}", run.stderr)
    missing = [word for word in (*words.split(": "), "stay in use") if word not in run.stderr]
    server.expect(f"missing words in {run.stderr!r}, exit status {run.returncode}", missing, [])


def ask(path, body):
    """What the vendors' clients send and no source of a menu does: single flags, and bodies without a context."""
    headers = {"Authorization": f"Bearer {server.facts['token']}", "X-API-Key": server.facts["apiKey"]}
    return Client(proxy).post(path, json=body, headers=headers)


user = {"context": {"targetingKey": "user-1"}}
for key, status in [("discount-banner", 200), ("theme-color", 200), ("max-items", 200), ("ratio", 200),
                    ("login-screen", 200), ("broken", 400), ("unknown", 404)]:
    ask(f"{ONE}{key}", user)
    exchanges.expect(f"{ONE}{key} {status}", key)
# Requests that the server itself rejects, including bodies that the document does not allow.
exchanges.is_request_checked = False
for body, code in [({"context": {}}, "TARGETING_KEY_MISSING"), ({}, "INVALID_CONTEXT"), ([], "PARSE_ERROR")]:
    server.expect(f"the body {body}", ask("/ofrep/v1/evaluate/flags", body).json["errorCode"], code)
    exchanges.expect(f"{BULK} 400", f"the body {body}")
for change, status in [("forbid", 403), ("fail", 500), ("throttle", 429)]:
    server.change(change)
    ask(f"{ONE}ratio", user)
    server.change("recover")
    exchanges.expect(f"{ONE}ratio {status}", change)

# Checks the check: a response that violates the rules is found.
asked = WerkzeugOpenAPIRequest(Request.from_values("/ofrep/v1/evaluate/flags", method="POST", json={"context": {}}))
wrong = WerkzeugOpenAPIResponse(Response('{"flags":[{"value":true}]}', content_type="application/json"))
server.expect("the validator finds a flag without a key", bool(errors(rules.validate_response, asked, wrong)))
server.finish("OFREP's OpenAPI document")
