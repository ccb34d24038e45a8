"""A client of CloudKit, written from Apple's page "Composing Web Service Requests" with Python's cryptography.

Apple has no client for Python, and the one that the package index has, requests-cloudkit 1.0.0, runs on Python 2 alone.
"""
import base64
import hashlib
import json
import os
import subprocess
import tempfile
import urllib.error
import urllib.request
from datetime import datetime, timedelta, timezone
from importlib.metadata import version

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from common import FlagMenu, Loopback

place = tempfile.mkdtemp()
key = ec.generate_private_key(ec.SECP256R1())


def write(name, content):
    path = os.path.join(place, name)
    with open(path, "wb") as file:
        file.write(content)
    return path


private = write("private.pem", key.private_bytes(
    serialization.Encoding.PEM, serialization.PrivateFormat.TraditionalOpenSSL, serialization.NoEncryption()))
public = write("public.pem", key.public_key().public_bytes(
    serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo))
server = Loopback("cloudkit", private, public)
path = f"/database/1/{server.facts['container']}/development/public/records/query"


def message(date, body, path):
    digest = base64.b64encode(hashlib.sha256(body).digest()).decode()
    return f"{date}:{digest}:{path}".encode()


def ask(body, key=key, key_id="key-id", moment=None, signed=None):
    """The answer to a query: status and JSON."""
    body = json.dumps(body).encode()
    date = (moment or datetime.now(timezone.utc)).strftime("%Y-%m-%dT%H:%M:%SZ")
    signature = key.sign(message(date, signed or body, path), ec.ECDSA(hashes.SHA256()))
    request = urllib.request.Request(server.url + path, body, {
        "Content-Type": "text/plain",
        "X-Apple-CloudKit-Request-KeyID": key_id,
        "X-Apple-CloudKit-Request-ISO8601Date": date,
        "X-Apple-CloudKit-Request-SignatureV1": base64.b64encode(signature).decode(),
    })
    try:
        with urllib.request.urlopen(request, timeout=10) as response:
            return response.status, json.load(response)
    except urllib.error.HTTPError as error:
        return error.code, json.load(error)


def flags(query):
    """All pages as CloudKitFeatureToggles would map them: records that are no flags are passed over."""
    found, body = {}, dict(query)
    while True:
        status, answer = ask(body)
        server.expect("status", status, 200)
        for record in answer["records"]:
            fields = record["fields"]
            if not record["deleted"] and "isActive" in fields:
                found[fields["featureName"]["value"]] = fields["isActive"]["value"]
        if "continuationMarker" not in answer:
            return found
        body["continuationMarker"] = answer["continuationMarker"]


def expect_in_flagmenu(what):
    """The same records, asked for with the same key."""
    reader = FlagMenu(
        f"cloudkit:{server.facts['container']}", {"CLOUDKIT_KEY_ID": "key-id", "CLOUDKIT_PRIVATE_KEY_FILE": private},
        url=server.url, environment="development")
    server.expect_in(reader, what, {name: (value != 0,) for name, value in flags(query).items()})


query = {"query": {"recordType": "FeatureStatus"}}
server.expect("flags", flags(query), {"new_ui": 1, "dark_mode": 0, "search": 1})
server.expect("pages", len(server.requests()), 3)
server.expect("as strings", flags({**query, "numbersAsStrings": True}), {"new_ui": "1", "dark_mode": "0", "search": "1"})
only = {"comparator": "EQUALS", "fieldName": "featureName", "fieldValue": {"value": "search", "type": "STRING"}}
server.expect("filtered", flags({"query": {"recordType": "FeatureStatus", "filterBy": [only]}}), {"search": 1})
expect_in_flagmenu("at first")
server.change("on")
server.expect("changed", flags(query), {"dark_mode": 1})
expect_in_flagmenu("changed")


def expect_failure(what, answer, status, code):
    server.expect(what, (answer[0], answer[1]["serverErrorCode"]), (status, code))


now = datetime.now(timezone.utc)
expect_failure("other key", ask(query, key=ec.generate_private_key(ec.SECP256R1())), 401, "AUTHENTICATION_FAILED")
expect_failure("other id", ask(query, key_id="other"), 401, "AUTHENTICATION_FAILED")
expect_failure("other body", ask(query, signed=b"{}"), 401, "AUTHENTICATION_FAILED")
expect_failure("late", ask(query, moment=now - timedelta(minutes=11)), 401, "AUTHENTICATION_FAILED")
expect_failure("early", ask(query, moment=now + timedelta(minutes=11)), 401, "AUTHENTICATION_FAILED")
expect_failure("unknown type", ask({"query": {"recordType": "Other"}}), 404, "NOT_FOUND")
server.change("throttle")
status, answer = ask(query)
expect_failure("throttled", (status, answer), 429, "THROTTLED")
server.expect("retryAfter", answer["retryAfter"], 7)

# The reverse: what FlagSourceCloudKit signs.
ours = server.facts["signed"]
server.expect("date", ours["date"], "2026-01-02T03:04:05Z")
server.expect("path", ours["path"], path)
text = message(ours["date"], ours["body"].encode(), ours["path"])
signature = base64.b64decode(ours["signature"], validate=True)
try:
    key.public_key().verify(signature, text, ec.ECDSA(hashes.SHA256()))
    server.expect("FlagSourceCloudKit's signature", "good", "good")
except InvalidSignature:
    server.expect("FlagSourceCloudKit's signature", "bad", "good")
verdict = subprocess.run(
    ["openssl", "dgst", "-sha256", "-verify", public, "-signature", write("signature", signature), write("message", text)],
    capture_output=True, text=True) if os.path.exists("/usr/bin/openssl") else None
if verdict:
    server.expect("OpenSSL's word for it", verdict.stdout.strip(), "Verified OK")

server.finish(f"a client with cryptography {version('cryptography')}")
