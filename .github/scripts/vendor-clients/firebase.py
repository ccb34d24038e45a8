# firebase-admin reads a template for servers from LoopbackFirebase, signed in with google-auth's service accounts,
# which also publish a template for clients through the REST interface. FlagMenu's sources read the same templates, and
# what an app gets of them.
import asyncio

import firebase_admin
from firebase_admin import credentials, remote_config
from google.auth.transport.requests import AuthorizedSession
from google.oauth2 import service_account

from services import Loopback

server = Loopback("firebase")
account, project = server.facts["account"], server.facts["project"]
app = firebase_admin.initialize_app(credentials.Certificate(account))
server.expect("project", app.project_id, project)

template = remote_config.init_server_template(app=app, default_config={"own": "compiled in"})
# The package has no setting for the address.
template._rc_service._client._base_url = server.url


def menu(context={}): return template.evaluate(context).get_string("menu")


def flagmenu(**members):
    """A reader of the project, signed in as the same account."""
    reader = server.flagmenu(place=project, url=server.url, **members)
    reader.environment["GOOGLE_APPLICATION_CREDENTIALS"] = reader.write("account.json", account)
    reader.write("google-services.json", server.facts["app"])
    return reader


contexts = {
    "nobody": {}, "in half": {"randomization_id": "three", "plan": "pro"}, "no id": {"plan": "pro"},
    "a plan": {"randomization_id": "one", "plan": "pro"}, "another plan": {"randomization_id": "one", "plan": "free"}}


def expect_in_flagmenu(what):
    """What firebase-admin evaluates from the template in each context, and takes from nowhere else."""
    for who, context in contexts.items():
        config = template.evaluate(context)
        read = {"menu": config.get_string, "limit": config.get_float, "own": config.get_string}
        wanted = {key: (get(key),) for key, get in read.items() if config.get_value_source(key) == "remote"}
        server.expect_in(flagmenu(namespace="server", context=context), f"{what}, {who}", wanted)


asyncio.run(template.load())
wanted = {"nobody": "plain", "in half": "half", "a plan": "pro"}
server.expect("menu", {who: menu(contexts[who]) for who in wanted}, wanted)
config = template.evaluate({})
server.expect("limit, in-app default", (config.get_int("limit"), config.get_string("own")), (42, "compiled in"))
server.expect("requests", server.requests(), [
    "POST /token", f"GET /v1/projects/{project}/namespaces/firebase-server/serverRemoteConfig"])

expect_in_flagmenu("at first")

server.change("publish")
asyncio.run(template.load())
server.expect("published", menu(), "fancy")
server.expect("the token is used again", len(server.requests()), 1)
expect_in_flagmenu("published")
server.change("revoke")
asyncio.run(template.load())
server.expect("a revoked token is renewed", len(server.requests()), 3)
server.change("unavailable")
asyncio.run(template.load())
server.expect("a failure is got over", len(server.requests()), 2)

# The REST API, as documented.
scope = "https://www.googleapis.com/auth/firebase.remoteconfig"
rest = AuthorizedSession(service_account.Credentials.from_service_account_info(account, scopes=[scope]))
home = f"{server.url}/v1/projects/{project}/remoteConfig"


def expect_clients_in_flagmenu(what, value):
    """What the REST interface has as the template for clients, and what an app gets."""
    answer = rest.get(home, headers={"Accept-Encoding": "gzip"})
    wanted = {key: (found["defaultValue"]["value"],) for key, found in answer.json()["parameters"].items()}
    server.expect(what, wanted, {"welcome": (value,)})
    server.expect_in(flagmenu(), f"{what}: the template", wanted)
    server.expect_in(flagmenu(appFile="google-services.json"), f"{what}: an app", wanted)
    return answer


answer = expect_clients_in_flagmenu("the first template", "hi")
identity = rest.get(home, headers={"Accept-Encoding": "identity"})
server.expect("no ETag without gzip", "etag" in identity.headers, False)
draft = answer.json()
draft["parameters"]["welcome"]["defaultValue"]["value"] = "hello"
headers = {"If-Match": answer.headers["etag"], "Content-Type": "application/json; UTF-8"}
published = rest.put(home, json=draft, headers=headers)
server.expect("published by REST", published.json()["version"]["versionNumber"], "2")
expect_clients_in_flagmenu("published by REST", "hello")
server.expect_in(flagmenu(version=1), "the first version", {"welcome": ("hi",)})

server.finish_with("firebase-admin", "google-auth")
