"""fast-feature, an OFREP server by other authors, sends FlagMenu's source and OpenFeature's own client the same flags.
The servers in Tests/VendorServers and our source may misread the protocol in the same way; this server does not."""
import asyncio
import socket
import threading
import time

import uvicorn
from fast_feature.core import Flag, FlagState
from fast_feature.ofrep import OfrepRouter
from fast_feature.storage.inmemory import InMemoryFlagRepository
from fastapi import FastAPI

from common import Checks
from openfeature_client import PACKAGE, Client, EvaluationContext
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

client = Client(url)
defaults = {
    "discount-banner": False, "theme.color": "?", "max_items": 1, "ratio": 0.1, "login-screen": {}, "regions": [],
    "old": True, "checkout": "?", "broken": False}


def expect_same(what, count, **attributes):
    """FlagMenu finds every flag that the client finds, with the variant and the reason."""
    wanted = client.flags(defaults, EvaluationContext("user-1", attributes))
    checks.expect(f"{what}: the flags that the client finds", len(wanted), count)
    checks.expect_in(FlagMenu(f"ofrep:{url}", context={"targetingKey": "user-1", **attributes}), what, wanted)
    return wanted


plans = {"free": ("plain", "variant plain", "DEFAULT"), "pro": ("express", "variant express", "TARGETING_MATCH")}
for plan, wanted in plans.items():
    checks.expect(f"plan {plan}", expect_same(f"plan {plan}", 8, plan=plan)["checkout"], wanted)
asyncio.run(flags.update(Flag("max_items", {"many": 42, "few": 0}, "few")))
asyncio.run(flags.delete("ratio"))
changed = expect_same("changed", 7, plan="free")
checks.expect("changed", changed["max_items"][0], 0)

# The second fetch sends the version of the first response. The server responds with 304, and nothing changes.
menu = FlagMenu(f"ofrep:{url}", context={"targetingKey": "user-1", "plan": "free"})
checks.expect_in(menu, "fetched", changed)
checks.expect_in(menu, "fetched again, unchanged", changed)
checks.finish_with(PACKAGE, "fast-feature")
