"""growthbook reads its features from LoopbackGrowthBook: with an ETag, and by remote evaluation. It evaluates the rules
that FlagMenu's source evaluates too."""
import json

from growthbook import GrowthBook, feature_repo

from services import Loopback

server = Loopback("growthbook", GROWTHBOOK_CLIENT_KEY="clientKey")
local, remote = server.facts["clientKey"], server.facts["remoteKey"]


def client(attributes, key=local, **settings):
    feature_repo.clear_cache()
    result = GrowthBook(api_host=server.url, client_key=key, attributes=attributes, **settings)
    result.load_features()
    return result


user = {"id": "user-1", "plan": "pro"}
reader = client(user)
server.expect_values(reader.get_feature_value)
sources = [reader.eval_feature(key).source for key in ("checkout", "layout")]
server.expect("for its plan, and an experiment", sources, ["force", "experiment"])
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


contexts = [user, {}, {"plan": "free"}] + [{"id": f"user-{number}"} for number in range(2, 10)]
for attributes in contexts:
    server.expect_flags(json.dumps(attributes), found(client(attributes)), attributes=attributes)
for attributes in contexts[:3]:
    evaluated = {key: value[:1] for key, value in found(client(attributes, remote, remote_eval=True)).items()}
    server.expect_flags(
        f"{json.dumps(attributes)}, by the server", evaluated, {"GROWTHBOOK_CLIENT_KEY": remote},
        attributes=attributes, remoteEval="yes")
server.expect("remote evaluations", (server.count(f"POST /api/eval/{remote}"), server.count("POST")), (3, 3))

server.change("update")
server.expect("demo, changed", client(user).is_on("demo"), False)
server.expect_flags("changed", found(client(user)), attributes=user)
server.expect("a wrong key", client(user, "sdk-wrong").get_features(), {})

server.finish_with("growthbook")
