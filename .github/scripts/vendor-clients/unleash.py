"""UnleashClient reads its toggles from LoopbackUnleash, and finds changes by polling."""
import tempfile
from importlib.metadata import version

from UnleashClient import UnleashClient

from loopback import Loopback

server = Loopback("unleash")


def client(token, name):
    result = UnleashClient(
        url=f"{server.url}/api", app_name=name, instance_id=name, refresh_interval=1, metrics_interval=1,
        custom_headers={"Authorization": token}, cache_directory=tempfile.mkdtemp())
    result.initialize_client()
    return result


known = client(server.facts["token"], "known")
context = {"userId": "user-1", "properties": {"plan": "pro"}}
server.expect("demo", known.is_enabled("demo", context), True)
server.expect("dark_mode", known.is_enabled("dark_mode", context), False)
server.expect("unknown", known.is_enabled("unknown", context, fallback_function=lambda name, context: True), True)
variant = known.get_variant("color", context)
server.expect("variant", (variant["name"], variant["enabled"]), ("blue", True))
server.expect("payload", variant["payload"], {"type": "json", "value": '{"hex": "#00f"}'})
server.expect("no variant", known.get_variant("demo", context)["name"], "disabled")

server.change("on")
server.wait("demo, changed", lambda: known.is_enabled("demo", context), False)
server.expect("dark_mode, changed", known.is_enabled("dark_mode", context), True)
server.expect("variant, changed", known.get_variant("color", context)["name"], "green")

asked = []


def has_asked(request):
    asked.extend(server.requests())
    return any(line.startswith(request) for line in asked)


for request in ["POST /api/client/register", "GET /api/client/features", "POST /api/client/metrics"]:
    server.wait(request, lambda: has_asked(request), True)
stranger = client("*:development.wrong", "stranger")
server.expect("with a wrong token", stranger.is_enabled("dark_mode", context), False)

server.finish(f"UnleashClient {version('UnleashClient')}")
