"""openfeature-provider-ofrep evaluates flags of flagmenu serve, with overrides that are set meanwhile."""
from importlib.metadata import version

from openfeature import api
from openfeature.contrib.provider.ofrep import OFREPProvider
from openfeature.evaluation_context import EvaluationContext

from common import SHOP, VALUES, Checks, Server

checks, server = Checks("openfeature-sdk"), Server(SHOP)
api.set_provider(OFREPProvider(server.url))
client = api.get_client()
context = EvaluationContext("user-1", {"plan": "pro", "list": [1, "x"], "deep": {"y": True}})


def details(kind, key, default, context=context):
    return getattr(client, f"get_{kind}_details")(key, default, context)


def expect(what, kind, key, default, value, layer, context=context, remote_reason="STATIC"):
    """Expects a value from a layer. Values for testing are told from remote values by reason and variant."""
    found = details(kind, key, default, context)
    checks.expect(f"{what}: value", found.value, value)
    checks.expect(f"{what}: error", found.error_code, None)
    checks.expect(f"{what}: variant", found.variant, layer)
    checks.expect(f"{what}: reason", str(found.reason), remote_reason if layer == "remote" else "TARGETING_MATCH")
    return found


def expect_failure(what, kind, key, default, code, *words):
    found = details(kind, key, default)
    checks.expect(f"{what}: default", found.value, default)
    checks.expect(f"{what}: code", str(getattr(found.error_code, "value", found.error_code)), code)
    checks.expect(f"{what}: missing words in {found.error_message!r}",
                  [word for word in words if word not in (found.error_message or "")], [])


kinds = {
    "new_checkout": ("boolean", True, True), "theme_color": ("string", "", "blue"), "max_items": ("integer", 0, 7),
    "ratio": ("float", 0.0, 3.0), "login_screen": ("object", {}, {"label": "Hi", "deep": {"a": [1.5, None]}}),
    "odd key.ü": ("string", "", "ä\"\\ 😀")}

for key, (kind, default, _) in kinds.items():
    found = expect(f"{key}, remote", kind, key, default, VALUES[key], "remote")
    checks.expect(f"{key}, remote: source", found.flag_metadata.get("source", "").endswith("remote.json"), True)
expect("without a context", "boolean", "new_checkout", True, False, "remote", None)

# An override of another process is in the evaluations some milliseconds later, one of the management API in the next.
server.flagmenu("set", "new_checkout", "true")
checks.wait("flagmenu set", lambda: details("boolean", "new_checkout", False).value, True, seconds=2)
found = expect("after flagmenu set", "boolean", "new_checkout", False, True, "override")
checks.expect("after flagmenu set: members", sorted(found.flag_metadata), ["setAt", "setBy", "type"])
server.flagmenu("reset", "new_checkout")
checks.wait("flagmenu reset", lambda: details("boolean", "new_checkout", True).value, False, seconds=2)
expect("after flagmenu reset", "boolean", "new_checkout", True, False, "remote")
for key, (kind, default, value) in kinds.items():
    server.set(key, value)
    expect(f"{key}, overridden", kind, key, default, value, "override")
server.flagmenu("set", "not_released", "true", "--new")
checks.wait("flagmenu set --new", lambda: details("boolean", "not_released", False).value, True, seconds=2)
expect("a key that no document has", "boolean", "not_released", False, True, "override")

expect_failure("an unknown flag", "boolean", "nope", True, "FLAG_NOT_FOUND", "nope", "is not a flag")
expect_failure("an empty key", "boolean", " ", True, "FLAG_NOT_FOUND")
expect_failure("an integer as a double", "float", "max_items", 0.5, "TYPE_MISMATCH")

# A client's own override wins over the shared one, and others do not have it.
ana, ben = EvaluationContext("ana"), EvaluationContext("ben")
server.set("theme_color", "green", client="ana")
expect("ana", "string", "theme_color", "", "green", "override", ana)
expect("ben", "string", "theme_color", "", "blue", "override", ben)
expect("nobody", "string", "theme_color", "", "blue", "override", None)
expect("ana: a shared override", "integer", "max_items", 0, 7, "override", ana)
odd = "../../ana %2Fé"
server.set("theme_color", "red", client=odd)
expect("an odd name", "string", "theme_color", "", "red", "override", EvaluationContext(odd))
expect("ana after an odd name", "string", "theme_color", "", "green", "override", ana)
server.call("DELETE", "overrides")
expect("ana, without shared overrides", "string", "theme_color", "", "green", "override", ana)
# Clients may keep a value that is STATIC for every context, so one that other clients override is not.
expect("ben, without shared overrides", "string", "theme_color", "", "red", "remote", ben, "DEFAULT")
server.call("DELETE", "overrides/theme_color?client=ana")
expect("ana, without her own", "string", "theme_color", "", "red", "remote", ana, "DEFAULT")
server.call("POST", "undo?client=ana")
expect("ana, after undo", "string", "theme_color", "", "green", "override", ana)

clients = {entry["client"]: entry for entry in server.call("GET", "clients")[1]["clients"]}
checks.expect("the clients", sorted(clients, key=str), sorted([None, "ana", "ben", "user-1", odd], key=str))
wanted = {"lastKey": "theme_color", "lastValue": "green", "lastLayer": "override", "overrides": 1}
checks.expect("ana in the list", {name: clients["ana"][name] for name in wanted}, wanted)

# A document that changes on disk.
server.write("remote.json", VALUES | {"theme_color": "green"})
checks.wait("a changed document", lambda: details("string", "theme_color", "", ben).value, "green", seconds=10)

server.end(checks)
checks.finish(f"openfeature-provider-ofrep {version('openfeature-provider-ofrep')}")
