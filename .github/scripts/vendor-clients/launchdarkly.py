"""launchdarkly-server-sdk reads its flags from LoopbackLaunchDarkly: by stream, and by polling. It evaluates what the
server tells FlagMenu's source evaluated."""
from importlib.metadata import version

from ldclient import Context, LDClient
from ldclient.config import Config

from services import FlagMenu, Loopback

server = Loopback("launchdarkly")


def client(**settings):
    return LDClient(
        Config(
            server.facts["sdkKey"], base_uri=server.url, stream_uri=server.url, events_uri=server.url,
            initial_reconnect_delay=0.1, **settings), start_wait=20)


context = Context.builder("user-1").set("plan", "pro").build()
listening = client()


def value(key, default=None, client=listening):
    return client.variation(key, context, default)


server.expect("initialized", listening.is_initialized(), True)
server.expect("demo", value("demo", False), True)
server.expect("color", value("color", ""), "blue")
server.expect("limit", value("limit", 0), 42)
server.expect("ratio", value("ratio", 0.5), 7.5)
server.expect("screen", value("screen", {}), {"label": "Welcome", "sizes": [1, 2]})
detail = listening.variation_detail("demo", context, False)
server.expect("reason", detail.reason["kind"], "FALLTHROUGH")
server.expect("unknown", value("unknown", "kept"), "kept")
server.expect("requests", [line for line in server.requests() if line.startswith("GET")], ["GET /all"])


asking = {
    "as a browser": (server.facts["environment"], {}, {}),
    "by REPORT": (server.facts["environment"], {}, {"useREPORT": "yes"}),
    "as an app": ("shop", {"LAUNCHDARKLY_MOBILE_KEY": server.facts["mobileKey"]}, {}),
}


def expect_in_flagmenu(what, context=context):
    """What the client's store holds, evaluated, with the variation and all of the reason."""
    wanted = {}
    for key in listening.all_flags_state(context).to_values_map():
        detail = listening.variation_detail(key, context, None)
        reason = [str(word) for word in detail.reason.values()]
        wanted[key] = (detail.value, f"variation {detail.variation_index}", *reason[:1])
        if "prerequisiteKey" in detail.reason: wanted[key] += (detail.reason["prerequisiteKey"],)
        if "ruleIndex" in detail.reason: wanted[key] += (f"rule {detail.reason['ruleIndex']}",)
    for way, (environment, variables, members) in asking.items():
        reader = FlagMenu(f"launchdarkly:{environment}", variables, url=server.url, context=context.to_dict(), **members)
        server.expect_in(reader, f"{what}, {way}", wanted)


server.expect("for its plan", value("checkout"), "express")
expect_in_flagmenu("at first")
expect_in_flagmenu("another plan", Context.builder("user-1").set("plan", "free").build())
expect_in_flagmenu("several kinds", Context.create_multi(context, Context.builder("acme").kind("org").build()))
expect_in_flagmenu("a plan of another kind", Context.create_multi(
    Context.create("user-1"), Context.builder("acme").kind("org").set("plan", "pro").build()))

server.change("patch")
server.wait("patch", lambda: value("color"), "green")
expect_in_flagmenu("after a patch")
server.change("heartbeat")
server.change("delete")
server.wait("delete", lambda: value("limit", -1), -1)
expect_in_flagmenu("after a deletion")
# A stream's events are handled in order: when the next change has come, the stale one has been handled.
server.change("stale")
server.change("put")
server.wait("put", lambda: value("added"), "new")
server.expect("put, the other flag", value("demo"), False)
server.expect("put replaces all", value("color", "kept"), "kept")
expect_in_flagmenu("after a put")

server.change("silently")
server.tell("breakOff")
server.wait("after the stream broke off", lambda: value("demo"), True)
expect_in_flagmenu("after the stream broke off")
server.wait("listeners", server.listeners, 1)

polling = client(stream=False)
server.expect("polling: initialized", polling.is_initialized(), True)
server.expect("polling: demo", value("demo", False, polling), True)
server.expect("polling: request", "GET /sdk/latest-all" in [line.split("?")[0] for line in server.requests()], True)

server.finish(f"launchdarkly-server-sdk {version('launchdarkly-server-sdk')}")
