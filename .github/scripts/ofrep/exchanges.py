"""What OFREP's OpenAPI document says, and the requests and responses that are held to it."""
import os
import threading
from urllib.parse import parse_qs, urlsplit

import yaml
from openapi_core import OpenAPI
from openapi_core.datatypes import RequestParameters
from werkzeug.datastructures import Headers, ImmutableMultiDict

with open(os.environ["OFREP_OPENAPI"]) as file:
    document = yaml.safe_load(file)


def take_any(schema):
    """Lets overlapping alternatives pass: a flag with a value is also one that leaves its value to the code, and an
    integer also a float, so that `oneOf` refuses the document's own examples."""
    if isinstance(schema, list):
        for part in schema: take_any(part)
    elif isinstance(schema, dict):
        if any(str(part.get("$ref", "")).endswith("Flag") for part in schema.get("oneOf", [])):
            schema["anyOf"] = schema.pop("oneOf")
        for part in schema.values(): take_any(part)


take_any(document["components"]["schemas"])
# The server sends seconds, one of two formats for all flags. For one flag the document allows only dates; the vendors'
# client reads none of those, but seconds. The validator does not read a header as a number if it could also be a date.
for path in document["paths"].values():
    if throttled := path.get("post", {}).get("responses", {}).get("429"):
        throttled["headers"]["Retry-After"]["schema"] = {"type": "integer"}
rules = OpenAPI.from_dict(document)


class Request:
    """What the validator needs of a request."""

    def __init__(self, method, target, headers, body):
        parts = urlsplit(target)
        self.host_url, self.path, self.method, self.body = "http://127.0.0.1", parts.path, method.lower(), body or None
        self.content_type = headers.get("Content-Type", "").split(";")[0]
        query = [(key, value) for key, values in parse_qs(parts.query).items() for value in values]
        self.parameters = RequestParameters(
            query=ImmutableMultiDict(query), header=Headers(list(headers.items())), path={})


class Response:
    """What the validator needs of a response."""

    def __init__(self, status, headers, body):
        self.status_code, self.data, self.headers = status, body, Headers(list(headers.items()))
        self.content_type = headers.get("Content-Type", "").split(";")[0]


class Exchanges:
    """All requests with their responses, of which the checks record what violates the document."""

    def __init__(self, checks):
        self.checks, self.lines, self.lock = checks, [], threading.Lock()
        # Off while requests violate the rules on purpose.
        self.is_request_checked = True

    def add(self, request, response, target):
        line = f"{request.method.upper()} {target} {response.status_code}"
        errors = []
        for check in [
            lambda: self.is_request_checked and rules.validate_request(request),
            lambda: rules.validate_response(request, response),
        ]:
            try:
                check()
            except Exception as error:
                causes = [str(cause.message) for cause in getattr(error.__cause__, "schema_errors", [])]
                errors.append(f"{error} {causes}")
        with self.lock:
            self.lines.append(line)
            self.checks.expect(f"{line}: violations of the document", errors, [])

    def expect(self, part, what):
        """Records whether an exchange since the last call contains a part."""
        with self.lock:
            self.checks.expect(f"{what}: {part} in {self.lines}", any(part in line for line in self.lines))
            self.lines.clear()
