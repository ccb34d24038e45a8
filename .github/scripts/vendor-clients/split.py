"""splitio_client reads its flags from LoopbackSplit, and receives changes by its stream. FlagMenu's source must read
the same treatments from an evaluator."""
import json
from importlib.metadata import version

from splitio import get_factory

from services import FlagMenu, Loopback

server = Loopback("split")
# Polling finds nothing within this run.
factory = get_factory(
    server.facts["sdkKey"],
    config={"featuresRefreshRate": 3600, "segmentsRefreshRate": 3600, "streamingEnabled": True, "impressionsMode": "NONE"},
    sdk_api_base_url=f"{server.url}/api", events_api_base_url=f"{server.url}/api",
    auth_api_base_url=f"{server.url}/api", streaming_api_base_url=server.url,
    telemetry_api_base_url=f"{server.url}/api")
factory.block_until_ready(20)
client = factory.client()


def treatment(name):
    return client.get_treatment("user-1", name)


server.expect("demo", client.get_treatment_with_config("user-1", "demo"), ("on", '{"c": 1}'))
server.expect("color", client.get_treatment_with_config("user-1", "color"), ("blue", None))
server.expect("unknown", treatment("unknown"), "control")
server.expect("by set", client.get_treatments_by_flag_set("user-1", "s1"), {"demo": "on", "checkout": "classic"})
manager = factory.manager()
server.expect("names", sorted(manager.split_names()), ["checkout", "color", "demo", "legacy"])
pro = {"plan": "pro"}
server.expect("for its plan", client.get_treatment("user-1", "checkout", pro), "express")


def configuration(text):
    """A configuration as an app reads it: JSON if it is a number, an object or a list, else a text."""
    try:
        found = json.loads(text)
        return found if isinstance(found, (int, float, dict, list)) else text
    except ValueError:
        return text


def expect_in_flagmenu(what, attributes=None, sets=None):
    wanted = {}
    found = client.get_treatments_with_config_by_flag_set("user-1", sets, attributes) if sets else \
        client.get_treatments_with_config("user-1", manager.split_names(), attributes)
    for name, (treatment, config) in found.items():
        wanted[name] = (treatment, f"treatment {treatment}")
        if config is not None: wanted[f"{name}.config"] = (configuration(config), f"configuration of treatment {treatment}")
    members = {"matchingKey": "user-1"} | ({"attributes": attributes} if attributes else {})
    if sets: members["flagSets"] = sets
    for way, more in [("by GET", {}), ("by POST", {"usePOST": "yes"})]:
        environment = {"SPLIT_EVALUATOR_AUTH_TOKEN": server.facts["token"]}
        server.expect_in(FlagMenu(f"split:{server.url}", environment, **members, **more), f"{what}, {way}", wanted)


expect_in_flagmenu("without attributes")
expect_in_flagmenu("a plan", pro)
expect_in_flagmenu("another plan", {"plan": "free"})
expect_in_flagmenu("a set", pro, "s1")

server.wait("listeners", server.listeners, 1)
# The first fetch sends two requests, because the client repeats the request until nothing is new. The client subscribes
# after a third request, which gets changes that the client may have missed.
asked = []


def fetches():
    asked.extend(line for line in server.requests() if line.startswith("GET /api/splitChanges"))
    return len(asked)


server.wait("a fetch after the stream has opened", lambda: fetches() >= 3, True)
before = fetches()
server.change("update")
server.wait("a change that comes with its flag", lambda: treatment("color"), "green")
server.expect("its configuration", client.get_treatment_with_config("user-1", "color"), ("green", "{}"))
expect_in_flagmenu("a change that comes with its flag")
server.expect("no fetch for it", fetches(), before)
server.change("set")
server.wait("a change to fetch", lambda: treatment("demo"), "v2")
server.expect("the other flag", treatment("color"), "red")
server.expect("the new flag", treatment("added"), "on")
server.expect("a fetch for it", fetches() > before, True)
expect_in_flagmenu("a change to fetch")

server.finish(f"splitio_client {version('splitio_client')}")
