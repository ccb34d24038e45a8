"""openfeature-provider-ofrep reads its flags from LoopbackOFREP. It asks for one flag at a time, where FlagMenu's source
asks for all, and hears no stream."""
import time
from importlib.metadata import version

from openfeature import api
from openfeature.contrib.provider.ofrep import OFREPProvider
from openfeature.evaluation_context import EvaluationContext

from services import FlagMenu, Loopback

server = Loopback("ofrep")
headers = {"Authorization": f"Bearer {server.facts['token']}", "X-API-Key": server.facts["apiKey"]}
api.set_provider(OFREPProvider(server.url, headers_factory=lambda: headers))
client = api.get_client()
context = EvaluationContext("user-1", {"plan": "pro", "list": [1, "x"], "deep": {"y": True}})


def details(kind, key, default, context=context):
    return getattr(client, f"get_{kind}_details")(key, default, context)


def expect(kind, key, default, value, variant, reason):
    found = details(kind, key, default)
    server.expect(f"{key}: value", found.value, value)
    server.expect(f"{key}: variant", found.variant, variant)
    server.expect(f"{key}: reason", str(found.reason), reason)
    server.expect(f"{key}: error", found.error_code, None)
    return found


def expect_failure(key, code, message, default="kept"):
    found = details("string", key, default)
    server.expect(f"{key}: default", found.value, default)
    server.expect(f"{key}: code", str(getattr(found.error_code, "value", found.error_code)), code)
    server.expect(f"{key}: message", found.error_message, message)


banner = expect("boolean", "discount-banner", False, True, "enabled", "TARGETING_MATCH")
server.expect("metadata", dict(banner.flag_metadata), {"team": "ecommerce", "priority": 2, "ratio": 0.5, "beta": True})
expect("string", "theme-color", "red", "blue", "default", "STATIC")
expect("integer", "max-items", 1, 42, "many", "STATIC")
expect("float", "ratio", 0.1, 7.5, "b", "SPLIT")
expect("object", "login-screen", {}, {"label": "Welcome", "sizes": [1, 2]}, "plain", "STATIC")
expect_failure("unknown", "FLAG_NOT_FOUND", "Flag 'unknown' was not found")
expect_failure("broken", "INVALID_CONTEXT", 'The field "email" is missing')
expect_failure("max-items", "TYPE_MISMATCH", details("string", "max-items", "").error_message)
server.expect("without a context", details("boolean", "discount-banner", False, None).value, True)

# The client needs to know the type of each.
kinds = {
    "discount-banner": ("boolean", False), "theme-color": ("string", ""), "max-items": ("integer", 0), "ratio": ("float", 0.0),
    "login-screen": ("object", {}), "odd/key ü": ("boolean", True), "checkout": ("string", ""), "broken": ("string", ""),
}
secrets = {"OFREP_TOKEN": server.facts["token"], "OFREP_API_KEY": server.facts["apiKey"]}


def expect_in_flagmenu(what, context=context):
    wanted = {}
    for key, (kind, default) in kinds.items():
        found = details(kind, key, default, context)
        if found.error_code is None: wanted[key] = (found.value, f"variant {found.variant}", str(found.reason))
    members = {"context": {"targetingKey": context.targeting_key, **context.attributes}}
    server.expect_in(FlagMenu(f"ofrep:{server.url}", secrets, **members), what, wanted)
    return wanted


server.expect("for its plan", expect_in_flagmenu("at first")["checkout"], ("express", "variant b", "TARGETING_MATCH"))
expect_in_flagmenu("another plan", EvaluationContext("user-1", {"plan": "free"}))

server.change("off")
expect("boolean", "discount-banner", True, False, "disabled", "DISABLED")
expect_in_flagmenu("changed")

headers["Authorization"] = "Bearer wrong"
expect_failure("theme-color", "GENERAL", "unauthorized")
headers["Authorization"] = f"Bearer {server.facts['token']}"

server.change("throttle")
server.requests()
server.expect("throttled", details("string", "theme-color", "kept").value, "kept")
server.expect("throttled, again", details("string", "theme-color", "kept").value, "kept")
server.expect("no request while it is throttled", len(server.requests()), 1)
server.wait("after Retry-After", lambda: details("string", "theme-color", "kept").value, "blue", seconds=10)

server.finish(f"openfeature-provider-ofrep {version('openfeature-provider-ofrep')}")
