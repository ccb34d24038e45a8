"""fast-feature, an OFREP server by other authors, sends FlagMenu's source and OpenFeature's own client the same flags.
The servers in Tests/VendorServers and our source may misread the protocol in the same way; this server does not."""
import asyncio
import socket
import threading
import time
from importlib.metadata import version

import uvicorn
from fast_feature.core import Flag, FlagState
from fast_feature.ofrep import OfrepRouter
from fast_feature.storage.inmemory import InMemoryFlagRepository
from fastapi import FastAPI
from openfeature import api
from openfeature.contrib.provider.ofrep import OFREPProvider
from openfeature.evaluation_context import EvaluationContext

from common import Checks
from services import FlagMenu

checks = Checks("fast-feature")
rule = {"if": [{"==": [{"var": "plan"}, "pro"]}, "express", None]}
flags = InMemoryFlagRepository([
    Flag("discount-banner", {"on": True, "off": False}, "on", metadata={"team": "shop", "priority": 2}),
    Flag("theme.color", {"a": "blue", "b": ""}, "a"),
    Flag("max_items", {"many": 42, "few": 0}, "many"),
    Flag("ratio", {"half": 0.5}, "half"),
    Flag("login-screen", {"plain": {"label": "Wel\u00adcome \U0001f680", "sizes": [1, 2.5, None]}}, "plain"),
    Flag("regions", {"all": ["eu", "us"]}, "all"),
    Flag("old", {"on": True, "off": False}, "off", state=FlagState.DISABLED),
    Flag("checkout", {"express": "express", "plain": "plain"}, "plain", targeting=rule),
    Flag("broken", {"on": True}, "on", targeting={"no-such-operator": []}),
])
app = FastAPI()
app.include_router(OfrepRouter.build(flags))
listener = socket.create_server(("127.0.0.1", 0))
server = uvicorn.Server(uvicorn.Config(app, log_level="critical", lifespan="off"))
threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True).start()
while not server.started: time.sleep(0.01)
url = f"http://127.0.0.1:{listener.getsockname()[1]}"

api.set_provider(OFREPProvider(url))
client = api.get_client()
# The client needs the type of each flag, and a default.
kinds = {
    "discount-banner": ("boolean", False), "theme.color": ("string", "?"), "max_items": ("integer", 1), "ratio": ("float", 0.1),
    "login-screen": ("object", {}), "regions": ("object", []), "old": ("boolean", True), "checkout": ("string", "?"),
    "broken": ("boolean", False),
}


def expect_same(what, count, **attributes):
    """FlagMenu finds every flag that the client finds, with the variant and the reason."""
    wanted = {}
    for key, (kind, default) in kinds.items():
        found = getattr(client, f"get_{kind}_details")(key, default, EvaluationContext("user-1", attributes))
        if found.error_code is None: wanted[key] = (found.value, f"variant {found.variant}", str(found.reason))
    checks.expect(f"{what}: the flags that the client finds", len(wanted), count)
    checks.expect_in(FlagMenu(f"ofrep:{url}", context={"targetingKey": "user-1", **attributes}), what, wanted)
    return wanted


checks.expect("at first", expect_same("at first", 8, plan="free")["checkout"], ("plain", "variant plain", "DEFAULT"))
checks.expect("a plan", expect_same("a plan", 8, plan="pro")["checkout"], ("express", "variant express", "TARGETING_MATCH"))
asyncio.run(flags.update(Flag("max_items", {"many": 42, "few": 0}, "few")))
asyncio.run(flags.delete("ratio"))
changed = expect_same("changed", 7, plan="free")
checks.expect("changed", changed["max_items"][0], 0)

# The second fetch sends the version of the first response. The server responds with 304, and nothing changes.
menu = FlagMenu(f"ofrep:{url}", context={"targetingKey": "user-1", "plan": "free"})
checks.expect_in(menu, "fetched", changed)
checks.expect_in(menu, "fetched again, unchanged", changed)
checks.finish(f"openfeature-provider-ofrep {version('openfeature-provider-ofrep')} and fast-feature {version('fast-feature')}")
