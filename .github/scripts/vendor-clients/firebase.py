"""firebase-admin reads a template for servers from LoopbackFirebase, signed in with google-auth's service accounts, which
also publish a template for clients through the REST interface. FlagMenu's sources read the same templates, and what an app
gets of them."""
import asyncio
import json
from importlib.metadata import version

import firebase_admin
from firebase_admin import credentials, remote_config
from google.auth.exceptions import RefreshError
from google.auth.transport.requests import AuthorizedSession, Request
from google.oauth2 import service_account

from common import FlagMenu, Loopback

server = Loopback("firebase")
account, project = server.facts["account"], server.facts["project"]
app = firebase_admin.initialize_app(credentials.Certificate(account))
server.expect("project", app.project_id, project)

template = remote_config.init_server_template(app=app, default_config={"own": "compiled in"})
# The package has no setting for the address.
template._rc_service._client._base_url = server.url


def value(context, key="menu"):
    return template.evaluate(context).get_string(key)


def flagmenu(files=None, **members):
    """A reader of the project, signed in as the same account."""
    reader = FlagMenu(f"firebase:{project}", url=server.url, **members)
    reader.environment["GOOGLE_APPLICATION_CREDENTIALS"] = reader.write("account.json", account)
    for name, content in (files or {}).items(): reader.write(name, content)
    return reader


def expect_in_flagmenu(what, context):
    """What firebase-admin evaluates from the template, and takes from nowhere else."""
    config = template.evaluate(context)
    read = {"menu": config.get_string, "limit": config.get_float, "own": config.get_string}
    wanted = {key: (get(key),) for key, get in read.items() if config.get_value_source(key) == "remote"}
    server.expect_in(flagmenu(namespace="server", context=context), what, wanted)


contexts = {
    "nobody": {}, "in half": {"randomization_id": "three", "plan": "pro"}, "a plan": {"randomization_id": "one", "plan": "pro"},
    "not in half": {"randomization_id": "one", "plan": "free"}, "no id": {"plan": "pro"},
}


def expect_all_in_flagmenu(what):
    for who, context in contexts.items(): expect_in_flagmenu(f"{what}, {who}", context)


asyncio.run(template.load())
server.expect("menu", value({}), "plain")
server.expect("in half", value({"randomization_id": "three", "plan": "pro"}), "half")
server.expect("not in half", value({"randomization_id": "one", "plan": "pro"}), "pro")
server.expect("limit", template.evaluate({}).get_int("limit"), 42)
server.expect("in-app default", value({}, "own"), "compiled in")
server.expect("requests", server.requests(), [
    "POST /token", f"GET /v1/projects/{project}/namespaces/firebase-server/serverRemoteConfig"])

expect_all_in_flagmenu("at first")

server.change("publish")
asyncio.run(template.load())
server.expect("published", value({}), "fancy")
server.expect("the token is used again", len(server.requests()), 1)
expect_all_in_flagmenu("published")
server.change("revoke")
asyncio.run(template.load())
server.expect("a revoked token is renewed", len(server.requests()), 3)
server.change("unavailable")
asyncio.run(template.load())
server.expect("a failure is got over", len(server.requests()), 2)

# The REST API, as documented.
scope = "https://www.googleapis.com/auth/firebase.remoteconfig"


def session(account):
    return AuthorizedSession(service_account.Credentials.from_service_account_info(account, scopes=[scope]))


rest, home = session(account), f"{server.url}/v1/projects/{project}"
answer = rest.get(f"{home}/remoteConfig", headers={"Accept-Encoding": "gzip"})
etag = answer.headers["etag"]
known = answer.json()
server.expect("REST", (answer.status_code, known["parameters"]["welcome"]["defaultValue"]["value"]), (200, "hi"))
server.expect("no ETag without gzip", "etag" in rest.get(
    f"{home}/remoteConfig", headers={"Accept-Encoding": "identity"}).headers, False)



def expect_clients_in_flagmenu(what, wanted):
    """What the REST interface has as the template for clients, the newest or one by its number, and what an app gets."""
    app = {"google-services.json": json.dumps(server.facts["app"])}
    server.expect_in(flagmenu(), f"{what}: the template", wanted)
    server.expect_in(flagmenu(app, appFile="google-services.json"), f"{what}: an app", wanted)


def defaults(answer):
    """The default values of a template."""
    return {key: (found["defaultValue"]["value"],) for key, found in answer.json()["parameters"].items()}


expect_clients_in_flagmenu("at first", defaults(answer))
draft = dict(known, version={"description": "from Python"})
draft["parameters"] = {"welcome": {"defaultValue": {"value": "hello"}, "valueType": "STRING"}}


def publish(etag, query="", body=draft):
    return rest.put(f"{home}/remoteConfig{query}", data=json.dumps(body), headers={
        "If-Match": etag, "Content-Type": "application/json; UTF-8"})


trial = publish(etag, "?validateOnly=true")
server.expect("trial", (trial.status_code, trial.headers["etag"].endswith("-0")), (200, True))
server.expect("published by REST", publish(etag).json()["version"]["versionNumber"], "2")
expect_clients_in_flagmenu("published by REST", defaults(rest.get(f"{home}/remoteConfig")))
server.expect("stale", publish(etag).status_code, 412)
server.expect("forced", publish("*").json()["version"]["updateType"], "FORCED_UPDATE")
server.expect("invalid", publish("*", "", {"parameters": {"1st": {}}}).json()["error"]["status"], "INVALID_ARGUMENT")
back = rest.post(f"{home}/remoteConfig:rollback", json={"versionNumber": 1}).json()["version"]
server.expect("rolled back", (back["versionNumber"], back["rollbackSource"]), ("4", "1"))
expect_clients_in_flagmenu("rolled back", defaults(rest.get(f"{home}/remoteConfig")))
for number in (1, 2):
    old = rest.get(f"{home}/remoteConfig?versionNumber={number}")
    server.expect_in(flagmenu(version=number), f"version {number}", defaults(old))
pages, token = [], ""
while token is not None:
    page = rest.get(f"{home}/remoteConfig:listVersions?pageSize=3&pageToken={token}").json()
    pages += [entry["versionNumber"] for entry in page["versions"]]
    token = page.get("nextPageToken")
server.expect("versions", pages, ["4", "3", "2", "1"])
server.expect("old version", rest.get(f"{home}/remoteConfig?versionNumber=2").json()["version"]["description"], "from Python")


def refusal(**changes):
    try:
        service_account.Credentials.from_service_account_info(dict(account, **changes), scopes=[scope]).refresh(Request())
        return "let in"
    except RefreshError as error:
        return error.args[1]["error_description"]


server.expect("another account", refusal(client_email="stranger@example.com"), "Invalid grant: account not found")
server.expect("another key", refusal(private_key_id="0"), "Invalid JWT Signature.")
server.expect("nobody", AuthorizedSession.__mro__[1]().get(f"{home}/remoteConfig").status_code, 401)

server.finish(f"firebase-admin {version('firebase-admin')} with google-auth {version('google-auth')}")
