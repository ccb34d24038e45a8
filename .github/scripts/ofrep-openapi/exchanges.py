"""What OFREP's OpenAPI document says, and the requests and responses that are held to it."""
import sys
import threading
from urllib.parse import parse_qs, urlsplit

import yaml
from openapi_core import OpenAPI
from openapi_core.datatypes import RequestParameters
from werkzeug.datastructures import Headers, ImmutableMultiDict

with open(sys.argv[1]) as file:
    rules = yaml.safe_load(file)


def take_any(schema):
    """Lets overlapping alternatives pass: a flag with a value is also one that leaves its value to the code, and an integer
    also a float, so that `oneOf` refuses the document's own examples."""
    if isinstance(schema, list):
        for part in schema: take_any(part)
    elif isinstance(schema, dict):
        alternatives = schema.get("oneOf", [])
        if any(str(part.get("$ref", "")).endswith("Flag") for part in alternatives):
            schema["anyOf"] = schema.pop("oneOf")
        for part in schema.values(): take_any(part)


take_any(rules["components"]["schemas"])
# The server sends seconds, one of two formats for all flags. For one flag the document allows only dates; the vendors'
# client reads none of those, but seconds. The validator does not read a header as a number if it could also be a date.
for path in rules["paths"].values():
    if throttled := path.get("post", {}).get("responses", {}).get("429"):
        throttled["headers"]["Retry-After"]["schema"] = {"type": "integer"}
rules = OpenAPI.from_dict(rules)


class Request:
    """What the validator wants to know of a request."""

    def __init__(self, host, method, target, headers, body):
        parts = urlsplit(target)
        self.host_url, self.path = host, parts.path
        self.method = method.lower()
        self.body = body or None
        self.content_type = headers.get("Content-Type", "").split(";")[0]
        query = [(key, value) for key, values in parse_qs(parts.query).items() for value in values]
        self.parameters = RequestParameters(query=ImmutableMultiDict(query), header=Headers(list(headers.items())), path={})


class Response:
    """What the validator wants to know of an answer."""

    def __init__(self, status, headers, body):
        self.status_code, self.data = status, body
        self.content_type = headers.get("Content-Type", "").split(";")[0]
        self.headers = Headers(list(headers.items()))


class Exchanges:
    """Everything that went through the proxy, and what was wrong with it."""

    def __init__(self):
        self.lines, self.faults, self.lock = [], [], threading.Lock()
        # Off while requests violate the rules on purpose.
        self.is_request_checked = True

    def add(self, request, response, target):
        line = f"{request.method.upper()} {target} {response.status_code}"
        faults = []
        for check, what in [
            (lambda: self.is_request_checked and rules.validate_request(request), "request"),
            (lambda: rules.validate_response(request, response), "answer"),
        ]:
            try:
                check()
            except Exception as error:
                causes = "; ".join(str(cause.message) for cause in getattr(error.__cause__, "schema_errors", []))
                faults.append(f"{what} of {line}: {error} {causes}")
        with self.lock:
            self.lines.append(line)
            self.faults += faults

    def count(self, part):
        with self.lock:
            return sum(part in line for line in self.lines)
