"""openfeature-provider-ofrep reads its flags from LoopbackOFREP. It asks for one flag at a time, where FlagMenu's
source asks for all, and hears no stream."""
from openfeature_client import PACKAGE, Client, EvaluationContext
from services import Loopback

server = Loopback("ofrep", OFREP_TOKEN="token", OFREP_API_KEY="apiKey")
headers = {"Authorization": f"Bearer {server.facts['token']}", "X-API-Key": server.facts["apiKey"]}
client = Client(server.url, headers_factory=lambda: headers)
context = EvaluationContext("user-1", {"plan": "pro", "list": [1, "x"], "deep": {"y": True}})


def expect(key, default, *wanted):
    found = client.details(key, default, context)
    facts = (found.value, found.variant, str(found.reason), found.error_code)
    server.expect(f"{key}: value, variant, reason and error", facts, (*wanted, None))


def expect_failure(key, code, message, default="kept"):
    server.expect(f"{key}: message", client.expect_failure(server, key, key, default, code, context), message)


expect("discount-banner", False, True, "enabled", "TARGETING_MATCH")
metadata = dict(client.details("discount-banner", False, context).flag_metadata)
server.expect("metadata", metadata, {"team": "ecommerce", "priority": 2, "ratio": 0.5, "beta": True})
expect("theme-color", "red", "blue", "default", "STATIC")
expect("max-items", 1, 42, "many", "STATIC")
expect("ratio", 0.1, 7.5, "b", "SPLIT")
expect("login-screen", {}, {"label": "Welcome", "sizes": [1, 2]}, "plain", "STATIC")
expect_failure("unknown", "FLAG_NOT_FOUND", "Flag 'unknown' was not found")
expect_failure("broken", "INVALID_CONTEXT", 'The field "email" is missing')
client.expect_failure(server, "max-items", "max-items", "kept", "TYPE_MISMATCH", context)
server.expect("without a context", client.value("discount-banner", False))

defaults = {
    "discount-banner": False, "theme-color": "", "max-items": 0, "ratio": 0.0, "login-screen": {}, "odd/key ü": True,
    "checkout": "", "broken": ""}


def expect_in_flagmenu(what, context=context):
    wanted = client.flags(defaults, context)
    server.expect_flags(what, wanted, context={"targetingKey": context.targeting_key, **context.attributes})
    return wanted


server.expect("for its plan", expect_in_flagmenu("at first")["checkout"], ("express", "variant b", "TARGETING_MATCH"))
expect_in_flagmenu("another plan", EvaluationContext("user-1", {"plan": "free"}))

server.change("off")
expect("discount-banner", True, False, "disabled", "DISABLED")
expect_in_flagmenu("changed")

headers["Authorization"] = "Bearer wrong"
expect_failure("theme-color", "GENERAL", "unauthorized")
headers["Authorization"] = f"Bearer {server.facts['token']}"


def color(): return client.value("theme-color", "kept", context)


server.change("throttle")
server.requests()
server.expect("throttled, twice", [color(), color()], ["kept", "kept"])
server.expect("no request while it is throttled", len(server.requests()), 1)
server.wait("after Retry-After", color, "blue", seconds=10)

server.finish_with(PACKAGE)
