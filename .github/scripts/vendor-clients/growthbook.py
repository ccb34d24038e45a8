"""growthbook reads its features from LoopbackGrowthBook: with an ETag, and by remote evaluation. It evaluates the rules
that FlagMenu's source evaluates too."""
import json
from importlib.metadata import version

from growthbook import GrowthBook, feature_repo

from services import FlagMenu, Loopback

server = Loopback("growthbook")
local, remote = server.facts["clientKey"], server.facts["remoteKey"]


def client(attributes, key=local, **settings):
    feature_repo.clear_cache()
    result = GrowthBook(api_host=server.url, client_key=key, attributes=attributes, **settings)
    result.load_features()
    return result


user = {"id": "user-1", "plan": "pro"}
reader = client(user)
server.expect("demo", reader.is_on("demo"), True)
server.expect("color", reader.get_feature_value("color", ""), "blue")
server.expect("limit", reader.get_feature_value("limit", 0), 42)
server.expect("ratio", reader.get_feature_value("ratio", 0.5), 7.5)
server.expect("screen", reader.get_feature_value("screen", {}), {"label": "Welcome", "sizes": [1, 2]})
server.expect("for its plan", reader.eval_feature("checkout").source, "force")
server.expect("an experiment", reader.eval_feature("layout").source, "experiment")
server.expect("unknown", reader.get_feature_value("unknown", "kept"), "kept")
server.expect("requests", server.requests(), [f"GET /api/features/{local}"])


def found(reader):
    """Every feature with its value, and with the words that FlagMenu's note must contain: the origin of the value."""
    wanted = {}
    for key in reader.get_features():
        result = reader.eval_feature(key)
        wanted[key] = (result.value,)
        if result.source == "defaultValue": wanted[key] += ("default value",)
        if result.source == "experiment":
            name = result.experimentResult.name
            wanted[key] += (f"experiment {result.experiment.key}", f"variation {name}")
    return wanted


def flagmenu(attributes, key=local, **members):
    return FlagMenu(f"growthbook:{server.url}", {"GROWTHBOOK_CLIENT_KEY": key}, attributes=attributes, **members)


contexts = [user, {}, {"plan": "free"}] + [{"id": f"user-{number}"} for number in range(2, 10)]
for attributes in contexts:
    server.expect_in(flagmenu(attributes), json.dumps(attributes), found(client(attributes)))
for attributes in contexts[:3]:
    evaluated = {key: value[:1] for key, value in found(client(attributes, remote, remote_eval=True)).items()}
    server.expect_in(
        flagmenu(attributes, remote, remoteEval="yes"), f"{json.dumps(attributes)}, by the server", evaluated)
posts = [line for line in server.requests() if line.startswith("POST")]
server.expect("remote evaluations", posts, [f"POST /api/eval/{remote}"] * 3)

server.change("update")
server.expect("demo, changed", client(user).is_on("demo"), False)
server.expect_in(flagmenu(user), "changed", found(client(user)))
server.expect("a wrong key", client(user, "sdk-wrong").get_features(), {})

server.finish(f"growthbook {version('growthbook')}")
