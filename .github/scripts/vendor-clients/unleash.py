"""UnleashClient reads its toggles from LoopbackUnleash, and finds changes by polling. It evaluates what the server
tells FlagMenu's source evaluated."""
import json
import tempfile

from UnleashClient import UnleashClient

from services import Loopback

server = Loopback("unleash", UNLEASH_FRONTEND_TOKEN="frontendToken")


def client(token, name):
    result = UnleashClient(
        url=f"{server.url}/api", app_name=name, instance_id=name, refresh_interval=1, metrics_interval=1,
        custom_headers={"Authorization": token}, cache_directory=tempfile.mkdtemp())
    result.initialize_client()
    return result


known = client(server.facts["token"], "known")
context = {"userId": "user-1", "properties": {"plan": "pro"}}
is_enabled = {name: known.is_enabled(name, context) for name in ("demo", "dark_mode")}
server.expect("enabled", is_enabled, {"demo": True, "dark_mode": False})
server.expect("unknown", known.is_enabled("unknown", context, fallback_function=lambda name, context: True))
variant = known.get_variant("color", context)
wanted = {"name": "blue", "enabled": True, "payload": {"type": "json", "value": '{"hex": "#00f"}'}}
server.expect("variant", {member: variant[member] for member in wanted}, wanted)
server.expect("no variant", known.get_variant("demo", context)["name"], "disabled")


def payload(found):
    """What a payload is to an app, by the type that the service gives it."""
    return json.loads(found["value"]) if found["type"] in ("json", "number") else found["value"]


def expect_in(reader, what, context, told=frozenset()):
    """Expects those that are on, with their variants, and returns them. That one is off, an app is told only where it
    was told of it before."""
    wanted = {}
    for name in told | set(known.feature_definitions()):
        if not known.is_enabled(name, context):
            if name in told: wanted[name] = (False,)
            continue
        variant = known.get_variant(name, context)
        wanted[name] = (True, f"variant {variant['name']}") if variant["enabled"] else (True,)
        if variant["enabled"]: wanted[f"{name}.variant"] = (variant["name"],)
        if "payload" in variant: wanted[f"{name}.payload"] = (payload(variant["payload"]),)
    server.expect_in(reader, what, wanted)
    return {name for name, flag in wanted.items() if flag[0] is True}


reader = server.flagmenu(context=context)
told = expect_in(reader, "a user of a plan", context)
server.expect("for its plan, and for nobody of its id", ("checkout" in told, "own" in told), (True, False))
for what, other in [
    ("nobody", {}), ("another user", {"userId": "user-2"}),
    ("another plan", {"userId": "user-1", "properties": {"plan": "free"}}),
]:
    expect_in(server.flagmenu(context=other), what, other)
    expect_in(server.flagmenu(context=other, usePOST="yes"), f"{what}, by POST", other)

server.change("on")
server.wait("demo, changed", lambda: known.is_enabled("demo", context), False)
server.expect("dark_mode, changed", known.is_enabled("dark_mode", context))
server.expect("variant, changed", known.get_variant("color", context)["name"], "green")
expect_in(reader, "changed", context, told)

for request in ["POST /api/client/register", "GET /api/client/features", "POST /api/client/metrics"]:
    server.wait(request, lambda: server.count(request) > 0, True)
stranger = client("*:development.wrong", "stranger")
server.expect("with a wrong token", stranger.is_enabled("dark_mode", context), False)

server.finish_with("UnleashClient")
