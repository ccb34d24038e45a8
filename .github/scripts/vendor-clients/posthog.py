"""posthog, PostHog's client for servers, reads its flags from LoopbackPostHog. FlagMenu's source requests the same
flags from the same endpoint."""
import json

from posthog import Posthog

from services import Loopback

server = Loopback("posthog", POSTHOG_PROJECT_API_KEY="key")


def client_with(key):
    return Posthog(key, host=server.url, sync_mode=True, disable_geoip=False, feature_flags_request_max_retries=0)


client = client_with(server.facts["key"])


def evaluated(**context): return client.evaluate_flags("user-1", **context)


flags = evaluated()
# The checkout is for a plan.
wanted = {"demo": True, "dark-mode": False, "color": "blue", "checkout": False, "app-only": None, "unknown": None}
server.expect("flags", {key: flags.get_flag(key) for key in wanted}, wanted)
server.expect("a payload", flags.get_flag_payload("color"), {"hex": "#00f"})
pro = {"person_properties": {"plan": "pro"}}
acme = {"groups": {"company": "acme"}, "group_properties": {"company": {"size": "large"}}}
server.expect("for its plan", evaluated(**pro).get_flag("checkout"), "express")
server.expect("for its company", evaluated(**acme).get_flag("invoices"))
server.expect("for the size of its company", evaluated(**acme).get_flag_payload("seats"), [1, 2])


def expect_in_flagmenu(what, flag_keys=None, **context):
    """Expects all flags of the client with their reasons, and the payloads of flags that are on."""
    decision = client.get_flags_decision("user-1", flag_keys_to_evaluate=flag_keys, **context)
    found = client.get_all_flags_and_payloads("user-1", flag_keys_to_evaluate=flag_keys, **context)
    wanted = {key: (value, decision["flags"][key].reason.description) for key, value in found["featureFlags"].items()}
    for key, payload in found["featureFlagPayloads"].items():
        variant = decision["flags"][key].variant
        wanted[f"{key}.payload"] = (json.loads(payload), f"payload of variant {variant}" if variant else "payload")
    members = {"flagKeys": ",".join(flag_keys)} if flag_keys else {}
    context = {"distinct_id": "user-1", **context}
    server.expect_flags(what, wanted, evaluationRuntime="server", context=context, **members)
    return set(wanted)


expect_in_flagmenu("a person")
expect_in_flagmenu("a plan", **pro)
expect_in_flagmenu("another plan", person_properties={"plan": "free"})
server.expect("the payload for a company", "seats.payload" in expect_in_flagmenu("a company", **acme))
expect_in_flagmenu("another company", groups={"company": "other"})
expect_in_flagmenu("some flags", ["color", "limit", "none"])

server.requests()
client.capture("seen", distinct_id="user-1")
server.expect("an event", server.requests(), ["POST /batch/"])

server.change("update")
flags, wanted = evaluated(), {"color": "green", "limit": None}
server.expect("a changed variant, a flag that is gone", {key: flags.get_flag(key) for key in wanted}, wanted)
expect_in_flagmenu("after a change")
server.change("fail")
server.expect("errors", client.get_flags_decision("user-1")["errorsWhileComputingFlags"])
expect_in_flagmenu("one flag cannot be evaluated")
server.expect("with a wrong key", client_with("phc_wrong").evaluate_flags("user-1").keys, [])
server.change("limit")
server.expect("over the quota", evaluated().keys, [])

server.finish_with("posthog")
