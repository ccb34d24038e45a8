# A client of CloudKit, written from Apple's page "Composing Web Service Requests" with Python's cryptography.
#
# Apple has no client for Python, and the one that the package index has, requests-cloudkit 1.0.0, runs on Python 2 alone.
import base64
import hashlib
import json
import pathlib
import tempfile
import urllib.request
from datetime import datetime, timezone

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from services import Loopback

key, pem = ec.generate_private_key(ec.SECP256R1()), serialization.Encoding.PEM
place = pathlib.Path(tempfile.mkdtemp())
private, public = str(place / "private.pem"), str(place / "public.pem")
pathlib.Path(private).write_bytes(key.private_bytes(
    pem, serialization.PrivateFormat.TraditionalOpenSSL, serialization.NoEncryption()))
pathlib.Path(public).write_bytes(key.public_key().public_bytes(pem, serialization.PublicFormat.SubjectPublicKeyInfo))
server = Loopback("cloudkit", public)
path = f"/database/1/{server.facts['container']}/development/public/records/query"


def ask(body):
    """The JSON of the answer to a query."""
    body = json.dumps(body).encode()
    date = datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    digest = base64.b64encode(hashlib.sha256(body).digest()).decode()
    signature = key.sign(f"{date}:{digest}:{path}".encode(), ec.ECDSA(hashes.SHA256()))
    request = urllib.request.Request(server.url + path, body, {
        "Content-Type": "text/plain",
        "X-Apple-CloudKit-Request-KeyID": "key-id",
        "X-Apple-CloudKit-Request-ISO8601Date": date,
        "X-Apple-CloudKit-Request-SignatureV1": base64.b64encode(signature).decode(),
    })
    with urllib.request.urlopen(request, timeout=10) as response: return json.load(response)


def flags(query):
    """All pages as CloudKitFeatureToggles would map them: records that are no flags are passed over."""
    found, body = {}, dict(query)
    while True:
        answer = ask(body)
        for record in answer["records"]:
            fields = record["fields"]
            if not record["deleted"] and "isActive" in fields:
                found[fields["featureName"]["value"]] = fields["isActive"]["value"]
        if "continuationMarker" not in answer: return found
        body["continuationMarker"] = answer["continuationMarker"]


def expect_in_flagmenu(what):
    """The same records, asked for with the same key."""
    server.expect_flags(
        what, {name: (value != 0,) for name, value in flags(query).items()},
        {"CLOUDKIT_KEY_ID": "key-id", "CLOUDKIT_PRIVATE_KEY_FILE": private}, place=server.facts["container"],
        url=server.url, environment="development")


query = {"query": {"recordType": "FeatureStatus"}}
server.expect("flags", flags(query), {"new_ui": 1, "dark_mode": 0, "search": 1})
server.expect("pages", len(server.requests()), 3)
expect_in_flagmenu("at first")
server.change("on")
server.expect("changed", flags(query), {"dark_mode": 1})
expect_in_flagmenu("changed")

server.finish_with("cryptography")
