"""splitio_client reads its flags from LoopbackSplit, and hears of changes by its stream."""
from importlib.metadata import version

from splitio import get_factory

from loopback import Loopback

server = Loopback("split")
# Within this run nothing is found by polling.
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
server.expect("by set", client.get_treatments_by_flag_set("user-1", "s1"), {"demo": "on"})
manager = factory.manager()
server.expect("names", sorted(manager.split_names()), ["color", "demo"])

server.wait("listeners", server.listeners, 1)
# The first fetch is two, as the client asks until nothing is new. With the third, which brings what it may have missed, it
# listens.
asked = []


def fetches():
    asked.extend(line for line in server.requests() if line.startswith("GET /api/splitChanges"))
    return len(asked)


server.wait("a fetch after the stream has opened", lambda: fetches() >= 3, True)
before = fetches()
server.change("update")
server.wait("a change that comes with its flag", lambda: treatment("color"), "green")
server.expect("its configuration", client.get_treatment_with_config("user-1", "color"), ("green", "{}"))
server.expect("no fetch for it", fetches(), before)
server.change("set")
server.wait("a change to fetch", lambda: treatment("demo"), "v2")
server.expect("the other flag", treatment("color"), "red")
server.expect("the new flag", treatment("added"), "on")
server.expect("a fetch for it", fetches() > before, True)

server.finish(f"splitio_client {version('splitio_client')}")
