"""launchdarkly-server-sdk reads its flags from LoopbackLaunchDarkly: by stream, and by polling. It evaluates what the
server tells FlagMenu's source evaluated."""
from ldclient import Context, LDClient
from ldclient.config import Config

from services import Loopback

server = Loopback("launchdarkly")


def client(**settings):
    return LDClient(
        Config(
            server.facts["sdkKey"], base_uri=server.url, stream_uri=server.url, events_uri=server.url,
            initial_reconnect_delay=0.1, **settings), start_wait=20)


def user(plan): return Context.builder("user-1").set("plan", plan).build()


def value(key, default=None): return listening.variation(key, context, default)


context, listening = user("pro"), client()
server.expect("initialized", listening.is_initialized())
server.expect_values(value)
server.expect("reason", listening.variation_detail("demo", context, False).reason["kind"], "FALLTHROUGH")
server.expect("requests", [line for line in server.requests() if line.startswith("GET")], ["GET /all"])


ways = {
    "as a browser": {"place": server.facts["environment"]},
    "by REPORT": {"place": server.facts["environment"], "useREPORT": "yes"},
    "as an app": {"place": "shop", "variables": {"LAUNCHDARKLY_MOBILE_KEY": server.facts["mobileKey"]}},
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
    for way, members in ways.items():
        server.expect_flags(f"{what}, {way}", wanted, url=server.url, context=context.to_dict(), **members)


server.expect("for its plan", value("checkout"), "express")
expect_in_flagmenu("at first")
expect_in_flagmenu("another plan", user("free"))
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
server.expect("put replaces all", (value("demo"), value("color", "kept")), (False, "kept"))
expect_in_flagmenu("after a put")

server.change("silently")
server.tell("breakOff")
server.wait("after the stream broke off", lambda: value("demo"), True)
expect_in_flagmenu("after the stream broke off")
server.wait("listeners", server.listeners, 1)

polling = client(stream=False)
server.expect("polling", (polling.is_initialized(), polling.variation("demo", context, False)), (True, True))
server.expect("polling: request", server.count("GET /sdk/latest-all") > 0)

server.finish_with("launchdarkly-server-sdk")
