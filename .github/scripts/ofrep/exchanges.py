"""What OFREP's OpenAPI document says, and the requests and responses that are held to it."""
import os
import threading

import yaml
from openapi_core import OpenAPI
from openapi_core.contrib.werkzeug import WerkzeugOpenAPIRequest, WerkzeugOpenAPIResponse

with open(os.environ["OFREP_OPENAPI"]) as file: document = yaml.safe_load(file)


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


def errors(validate, *messages):
    """What violates the document."""
    try:
        validate(*messages)
        return []
    except Exception as error:
        return [f"{error} {[str(cause.message) for cause in getattr(error.__cause__, 'schema_errors', [])]}"]


class Exchanges:
    """All requests with their responses, of which the checks record what violates the document."""

    def __init__(self, checks):
        self.checks, self.lines, self.lock = checks, [], threading.Lock()
        # Off while requests violate the rules on purpose.
        self.is_request_checked = True

    def add(self, request, response):
        """Adds a request and a response of werkzeug."""
        line = f"{request.method} {request.full_path.rstrip('?')} {response.status_code}"
        asked = WerkzeugOpenAPIRequest(request)
        found = errors(rules.validate_request, asked) if self.is_request_checked else []
        found += errors(rules.validate_response, asked, WerkzeugOpenAPIResponse(response))
        with self.lock:
            self.lines.append(line)
            self.checks.expect(f"{line}: violations of the document", found, [])

    def expect(self, part, what):
        """Records whether an exchange since the last call contains a part."""
        with self.lock:
            self.checks.expect(f"{what}: {part} in {self.lines}", any(part in line for line in self.lines))
            self.lines.clear()
