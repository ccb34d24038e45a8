# The SDK for servers evaluates the rules that LoopbackStatsig sends, and finds changes by polling. No client on PyPI
# reads the response for apps, but the SDK can write it: LoopbackStatsig must send the same response. FlagMenu must read
# the values that the SDK has evaluated.
import json
import urllib.request

from statsig_python_core import Statsig, StatsigOptions, StatsigUser

from services import Loopback

server = Loopback("statsig", STATSIG_CLIENT_KEY="clientKey")
sdk = Statsig(
    server.facts["serverKey"],
    StatsigOptions(
        specs_url=f"{server.url}/v2/download_config_specs", log_event_url=f"{server.url}/v1/log_event",
        specs_sync_interval_ms=1000, disable_country_lookup=True, disable_all_logging=True))
details = sdk.initialize_with_details().result()
server.expect("initialized", (details.init_success, details.source), (True, "Network"))

USERS = {
    "a user of a plan": {"userID": "user-1", "custom": {"plan": "pro"}},
    "another user": {"userID": "user-2"}, "another plan": {"userID": "user-1", "custom": {"plan": "free"}},
}
NAMES = ["demo", "dark_mode", "checkout", "own", "colors", "price", "later", "home"]


def sdk_user(user):
    return StatsigUser(user_id=user["userID"], custom=user.get("custom"), custom_ids={"stableID": "flagmenu"})


def for_apps(user, hash):
    """The gates, configs and layers of the response that the server sends to an app."""
    user = user | {"customIDs": {"stableID": "flagmenu"}}
    request = urllib.request.Request(
        f"{server.url}/v1/initialize", json.dumps({"user": user, "hash": hash, "sinceTime": 0}).encode(),
        {"STATSIG-API-KEY": server.facts["clientKey"]})
    with urllib.request.urlopen(request) as response: return flags(json.load(response))


def flags(response):
    return {name: response[name] for name in ("hash_used", "feature_gates", "dynamic_configs", "layer_configs")}


def known(user):
    """The value of each flag as an app reads it from the SDK, and the SDK's rule and group for the flag."""
    user, result = sdk_user(user), {}
    names = flags(json.loads(sdk.get_client_initialize_response(user, hash="none")))
    for name in names["feature_gates"]:
        gate = sdk.get_feature_gate(user, name)
        result[name] = (gate.value, f"rule {gate.rule_id}")
    for name in names["dynamic_configs"]:
        config = sdk.get_experiment(user, name)
        group = [f"group {config.group_name}"] if config.group_name else []
        result[name] = (config.value, f"rule {config.rule_id}", *group)
    for name in names["layer_configs"]:
        layer = sdk.get_layer(user, name)
        result[name] = (layer.get_value(), f"rule {layer.rule_id}")
    return result


def flagmenu(user, **members): return server.flagmenu(place=f"{server.url}/v1", context=user, **members)


user = USERS["a user of a plan"]
server.expect("gates", [sdk.check_gate(sdk_user(user), name) for name in NAMES[:4]], [True, False, True, False])
server.expect("config", sdk.get_dynamic_config(sdk_user(user), "colors").value, {"sizes": [1, 2]})
server.expect("group", sdk.get_experiment(sdk_user(user), "price").group_name, "Test")
readers = {}
for what, user in USERS.items():
    for hash in ("none", "djb2"):
        wanted = flags(json.loads(sdk.get_client_initialize_response(sdk_user(user), hash=hash)))
        server.expect(f"{what}, response for apps, {hash}", for_apps(user, hash), wanted)
    wanted = known(user)
    server.expect(f"{what}, names", sorted(wanted), sorted(NAMES))
    readers[what] = flagmenu(user)
    server.expect_in(readers[what], what, wanted)
    server.expect_in(flagmenu(user, names=",".join(NAMES)), f"{what}, hashed names", wanted)

server.change("on")
what, user = next(iter(USERS.items()))
server.wait("dark_mode, changed", lambda: sdk.check_gate(sdk_user(user), "dark_mode"), True)
server.expect("demo, changed", sdk.check_gate(sdk_user(user), "demo"), False)
wanted = known(user)
server.expect("names, changed", sorted(wanted), ["colors", "dark_mode", "demo"])
server.expect_in(readers[what], "changed", wanted)
server.expect("requests of the SDK", server.count("GET /v2/download_config_specs/") > 0)

server.finish_with("statsig-python-core")
