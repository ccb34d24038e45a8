"""flagsmith reads its flags from LoopbackFlagsmith: those of the environment, and those of identities that are
not stored."""
import json

from flagsmith import Flagsmith
from flagsmith.exceptions import FlagsmithAPIError

from services import Loopback

server = Loopback("flagsmith", FLAGSMITH_ENVIRONMENT_KEY="environmentKey")


def client(key): return Flagsmith(environment_key=key, api_url=f"{server.url}/api/v1/")


known = client(server.facts["environmentKey"])
flags = known.get_environment_flags()
values = {"demo": None, "off": "unused", "limit": 42, "digits": "42"}
server.expect("values", {key: flags.get_feature_value(key) for key in values}, values)
server.expect("enabled", (flags.is_feature_enabled("demo"), flags.is_feature_enabled("off")), (True, False))
server.expect("for servers only", "internal" in flags.flags, False)
server.expect("no variant without an identity", flags.get_flag("color").variant, None)
trusted = client(server.facts["serverKey"]).get_environment_flags()
server.expect("with the server-side key", trusted.is_feature_enabled("internal"))


def value(found):
    """A value as an app reads it: a text may be JSON."""
    return json.loads(found) if isinstance(found, str) and found[:1] in ("{", "[") else found


def expect_in_flagmenu(what, flags, variables={}, **members):
    wanted = {}
    for flag in flags.all_flags():
        words = [f"variant {flag.variant}"] if flag.variant else []
        wanted[flag.feature_name] = (flag.enabled, *words)
        if flag.value is None: continue
        if not flag.enabled: words = [*words, "not enabled"]
        wanted[f"{flag.feature_name}.value"] = (value(flag.value), *words)
    server.expect_flags(what, wanted, variables, **members)


expect_in_flagmenu("the environment", flags)
expect_in_flagmenu(
    "the environment, with the server-side key", trusted, {"FLAGSMITH_ENVIRONMENT_KEY": server.facts["serverKey"]})
for what, identifier, traits in [
    ("a user of a plan", "user-1", {"plan": "pro", "age": 42}), ("another plan", "user-1", {"plan": "free"}),
    ("a user with an override", "user-2", {}),
]:
    found = known.get_identity_flags(identifier, traits, transient=True)
    is_enabled = (found.is_feature_enabled("checkout"), found.is_feature_enabled("own"))
    server.expect(f"{what}: segment, override", is_enabled, (traits.get("plan") == "pro", identifier == "user-2"))
    color = found.get_flag("color")
    server.expect(f"{what}: variant", (color.variant, color.value), ("blue", "navy"))
    expect_in_flagmenu(what, found, context={"identifier": identifier, **traits})
    expect_in_flagmenu(f"{what}, in traits", found, context={"identifier": identifier, "traits": traits})

# Flagsmith stores an identity with its traits if the identity is not transient.
known.get_identity_flags("user-3", {"plan": "max"})
stored = known.get_identity_flags("user-3", {}, transient=True)
server.expect("with a stored trait", stored.get_feature_value("checkout"), "express")
expect_in_flagmenu("with a stored trait", stored, context={"identifier": "user-3"})
server.expect("requests", set(server.requests()), {"GET /api/v1/flags/", "POST /api/v1/identities/"})

server.change("set")
changed = known.get_environment_flags()
server.expect("changed", (changed.is_feature_enabled("demo"), changed.get_feature_value("limit")), (False, 7))
expect_in_flagmenu("changed", changed)


def fails(client):
    try:
        client.get_environment_flags()
        return False
    except FlagsmithAPIError:
        return True


server.expect("with a wrong key", fails(client("wrong")))
server.change("disable")
server.expect("above the plan's limit", fails(known))

server.finish_with("flagsmith")
