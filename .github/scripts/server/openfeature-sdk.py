"""openfeature-provider-ofrep evaluates flags of flagmenu serve, with overrides that are set meanwhile."""
from common import SHOP, VALUES, Checks, Server
from openfeature_client import PACKAGE, Client, EvaluationContext

checks, server = Checks("openfeature-sdk"), Server(SHOP)
client = Client(server.url)
context = EvaluationContext("user-1", {"plan": "pro", "list": [1, "x"], "deep": {"y": True}})


def expect(what, key, default, value, layer, context=context, remote_reason="STATIC"):
    """Expects a value from a layer. Values for testing are told from remote values by reason and variant."""
    found = client.details(key, default, context)
    facts = (found.value, found.error_code, found.variant, str(found.reason))
    wanted = (value, None, layer, remote_reason if layer == "remote" else "TARGETING_MATCH")
    checks.expect(f"{what}: value, error, variant and reason", facts, wanted)
    return found.flag_metadata


def wait(what, key, default, wanted, seconds=2):
    checks.wait(what, lambda: client.value(key, default, context), wanted, seconds)


# The default in the code, and an override.
values = {
    "new_checkout": (True, True), "theme_color": ("", "blue"), "max_items": (0, 7), "ratio": (0.0, 3.0),
    "login_screen": ({}, {"label": "Hi", "deep": {"a": [1.5, None]}}), "odd key.ü": ("", "ä\"\\ 😀")}
for key, (default, _) in values.items():
    source = expect(f"{key}, remote", key, default, VALUES[key], "remote").get("source", "")
    checks.expect(f"{key}, remote: source", source.endswith("remote.json"))
expect("without a context", "new_checkout", True, False, "remote", None)

# An override of another process is in the evaluations some milliseconds later, one of the management API in the next.
server.flagmenu("set", "new_checkout", "true")
wait("flagmenu set", "new_checkout", False, True)
metadata = expect("after flagmenu set", "new_checkout", False, True, "override")
checks.expect("after flagmenu set: members", sorted(metadata), ["setAt", "setBy", "type"])
server.flagmenu("reset", "new_checkout")
wait("flagmenu reset", "new_checkout", True, False)
expect("after flagmenu reset", "new_checkout", True, False, "remote")
for key, (default, value) in values.items():
    server.set(key, value)
    expect(f"{key}, overridden", key, default, value, "override")
server.flagmenu("set", "not_released", "true", "--new")
wait("flagmenu set --new", "not_released", False, True)
expect("a key that no document has", "not_released", False, True, "override")

message = client.expect_failure(checks, "an unknown flag", "nope", True, "FLAG_NOT_FOUND", context)
checks.expect(f"words in {message!r}", "nope" in message and "is not a flag" in message)
client.expect_failure(checks, "an empty key", " ", True, "FLAG_NOT_FOUND", context)
client.expect_failure(checks, "an integer as a double", "max_items", 0.5, "TYPE_MISMATCH", context)

# A client's own override wins over the shared one, and others do not have it.
ana, ben = EvaluationContext("ana"), EvaluationContext("ben")
server.set("theme_color", "green", client="ana")
expect("ana", "theme_color", "", "green", "override", ana)
expect("ben", "theme_color", "", "blue", "override", ben)
server.call("DELETE", "overrides")
# Clients may keep a value that is STATIC for every context, so one that other clients override is not.
expect("ben, without shared overrides", "theme_color", "", "red", "remote", ben, "DEFAULT")

# A document that changes on disk.
server.write("remote.json", VALUES | {"theme_color": "green"})
checks.wait("a changed document", lambda: client.value("theme_color", "", ben), "green", seconds=10)

server.end(checks)
checks.finish_with(PACKAGE)
