"""posthog, PostHog's client for servers, reads its flags from LoopbackPostHog. FlagMenu's source requests the same
flags from the same endpoint."""
import json
from importlib.metadata import version

from posthog import Posthog

from services import FlagMenu, Loopback

server = Loopback("posthog")


def client_with(key):
    return Posthog(key, host=server.url, sync_mode=True, disable_geoip=False, feature_flags_request_max_retries=0)


client = client_with(server.facts["key"])


def evaluated(person="user-1", **context):
    return client.evaluate_flags(person, **context)


flags = evaluated()
server.expect("demo", flags.get_flag("demo"), True)
server.expect("dark-mode", flags.get_flag("dark-mode"), False)
server.expect("a variant", flags.get_flag("color"), "blue")
server.expect("its payload", flags.get_flag_payload("color"), {"hex": "#00f"})
server.expect("unknown", flags.get_flag("unknown"), None)
server.expect("for no plan", flags.get_flag("checkout"), False)
server.expect("for apps only", flags.get_flag("app-only"), None)
pro = {"person_properties": {"plan": "pro"}}
acme = {"groups": {"company": "acme"}, "group_properties": {"company": {"size": "large"}}}
server.expect("for its plan", evaluated(**pro).get_flag("checkout"), "express")
server.expect("for its company", evaluated(**acme).get_flag("invoices"), True)
server.expect("for the size of its company", evaluated(**acme).get_flag_payload("seats"), [1, 2])


def flagmenu(**members):
    environment = {"POSTHOG_PROJECT_API_KEY": server.facts["key"]}
    return FlagMenu(f"posthog:{server.url}", environment, evaluationRuntime="server", **members)


def expect_in_flagmenu(what, flag_keys=None, **context):
    """Expects all flags of the client with their reasons, and the payloads of flags that are on."""
    decision = client.get_flags_decision("user-1", flag_keys_to_evaluate=flag_keys, **context)
    found = client.get_all_flags_and_payloads("user-1", flag_keys_to_evaluate=flag_keys, **context)
    wanted = {key: (value, decision["flags"][key].reason.description) for key, value in found["featureFlags"].items()}
    for key, payload in found["featureFlagPayloads"].items():
        variant = decision["flags"][key].variant
        wanted[f"{key}.payload"] = (json.loads(payload), f"payload of variant {variant}" if variant else "payload")
    members = {"flagKeys": ",".join(flag_keys)} if flag_keys else {}
    reader = flagmenu(context={"distinct_id": "user-1", **context}, **members)
    server.expect_in(reader, what, wanted)
    return set(wanted)


expect_in_flagmenu("a person")
expect_in_flagmenu("a plan", **pro)
expect_in_flagmenu("another plan", person_properties={"plan": "free"})
keys = expect_in_flagmenu("a company", **acme)
server.expect("the payload for a company", "seats.payload" in keys, True)
expect_in_flagmenu("another company", groups={"company": "other"})
expect_in_flagmenu("some flags", ["color", "limit", "none"])

server.requests()
client.capture("seen", distinct_id="user-1")
server.expect("an event", server.requests(), ["POST /batch/"])

server.change("update")
server.expect("a changed variant", evaluated().get_flag("color"), "green")
server.expect("a flag that is gone", evaluated().get_flag("limit"), None)
expect_in_flagmenu("after a change")
server.change("fail")
failed = client.get_flags_decision("user-1")
server.expect("errors", failed["errorsWhileComputingFlags"], True)
expect_in_flagmenu("one flag cannot be evaluated")
stranger = client_with("phc_wrong").evaluate_flags("user-1")
server.expect("with a wrong key", stranger.keys, [])
server.change("limit")
server.expect("over the quota", evaluated().keys, [])

server.finish(f"posthog {version('posthog')}")
