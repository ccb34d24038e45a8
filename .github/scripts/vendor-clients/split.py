"""splitio_client reads its flags from LoopbackSplit, and receives changes by its stream. FlagMenu's source must read
the same treatments from an evaluator."""
import json

from splitio import get_factory

from services import Loopback

server = Loopback("split", SPLIT_EVALUATOR_AUTH_TOKEN="token")
# Polling finds nothing within this run.
factory = get_factory(
    server.facts["sdkKey"],
    config={
        "featuresRefreshRate": 3600, "segmentsRefreshRate": 3600, "streamingEnabled": True, "impressionsMode": "NONE"},
    **{f"{name}_api_base_url": f"{server.url}/api" for name in ("sdk", "events", "auth", "telemetry")},
    streaming_api_base_url=server.url)
factory.block_until_ready(20)
client = factory.client()


def treatment(name, attributes=None): return client.get_treatment("user-1", name, attributes)


def with_config(*names, attributes=None): return client.get_treatments_with_config("user-1", list(names), attributes)


configured = {"demo": ("on", '{"c": 1}'), "color": ("blue", None)}
server.expect("with configurations", with_config(*configured), configured)
server.expect("unknown", treatment("unknown"), "control")
server.expect("by set", client.get_treatments_by_flag_set("user-1", "s1"), {"demo": "on", "checkout": "classic"})
manager = factory.manager()
server.expect("names", sorted(manager.split_names()), ["checkout", "color", "demo", "legacy"])
pro = {"plan": "pro"}
server.expect("for its plan", treatment("checkout", pro), "express")


def configuration(text):
    """A configuration as an app reads it: JSON if it is a number, an object or a list, else a text."""
    try:
        found = json.loads(text)
        return found if isinstance(found, (int, float, dict, list)) else text
    except ValueError:
        return text


def expect_in_flagmenu(what, attributes=None, sets=None):
    wanted, members = {}, {"matchingKey": "user-1"} | ({"attributes": attributes} if attributes else {})
    if sets:
        found, members["flagSets"] = client.get_treatments_with_config_by_flag_set("user-1", sets, attributes), sets
    else:
        found = with_config(*manager.split_names(), attributes=attributes)
    for name, (treatment, config) in found.items():
        wanted[name] = (treatment, f"treatment {treatment}")
        if config is None: continue
        wanted[f"{name}.config"] = (configuration(config), f"configuration of treatment {treatment}")
    server.expect_flags(f"{what}, by GET", wanted, **members)
    server.expect_flags(f"{what}, by POST", wanted, usePOST="yes", **members)


expect_in_flagmenu("without attributes")
expect_in_flagmenu("a plan", pro)
expect_in_flagmenu("another plan", {"plan": "free"})
expect_in_flagmenu("a set", pro, "s1")

server.wait("listeners", server.listeners, 1)
# The first fetch sends two requests, because the client repeats the request until nothing is new. The client subscribes
# after a third request, which gets changes that the client may have missed.
def fetches(): return server.count("GET /api/splitChanges")


server.wait("a fetch after the stream has opened", lambda: fetches() >= 3, True)
before = fetches()
server.change("update")
server.wait("a change that comes with its flag", lambda: treatment("color"), "green")
server.expect("its configuration", with_config("color")["color"], ("green", "{}"))
expect_in_flagmenu("a change that comes with its flag")
server.expect("no fetch for it", fetches(), before)
server.change("set")
server.wait("a change to fetch", lambda: treatment("demo"), "v2")
server.expect("the other flag, and the new one", (treatment("color"), treatment("added")), ("red", "on"))
server.expect("a fetch for it", fetches() > before)
expect_in_flagmenu("a change to fetch")

server.finish_with("splitio_client")
