"""Attacks on what flagmenu serve protects: foreign pages, guesses of tokens and links, and too many writes."""
import time
from collections import Counter
from itertools import product

EVALUATIONS = "/ofrep/v1/evaluate/flags"


def foreign(checks, server):
    """Every path is closed to other names of the server (DNS rebinding) and to other origins, whatever the token. An
    allowed origin may evaluate flags, and nothing else."""
    host, bearer = f"127.0.0.1:{server.port}", {"Authorization": f"Bearer {server.token}"}
    paths = [("PUT", "/api/v1/overrides/new_checkout"), ("DELETE", "/api/v1/overrides"), ("POST", "/api/v1/undo"),
             ("POST", "/api/v1/links"), ("POST", "/api/v1/scenarios/demo/apply"), ("OPTIONS", "/api/v1/overrides")]
    paths += [("GET", path) for path in ("/", "/page.js", "/api/v1/flags", "/api/v1/events", "/login?code=x")]
    evaluations = [("POST", EVALUATIONS), ("POST", f"{EVALUATIONS}/new_checkout"), ("OPTIONS", EVALUATIONS)]
    hosts = ["example.com", f"localhost.example.com:{server.port}", f"{host}@example.com", "0.0.0.0", "2130706433", ""]
    origins = ["null", *(f"http://{name}" for name in ("example.com", f"{host}.example.com", "localhost:3001", ""))]
    allowed = {"Origin": "http://localhost:3000"}
    fields = [{"Host": name} for name in hosts] + [{"Origin": origin} for origin in origins]
    fields += [allowed | {"Host": "example.com"}, {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"}]
    for (method, path), field in [*product(paths + evaluations, fields), *product(paths, [allowed])]:
        body = None if method == "GET" else '{"value":"true","context":{}}'
        status, headers, _ = server.request(method, path, body, bearer | field)
        checks.expect(f"{method} {path} with {field}: status {status}", status in (400, 403, 429))
        if field.get("Origin") == allowed["Origin"] and path.startswith(EVALUATIONS): continue
        permission = headers.get("Access-Control-Allow-Origin")
        checks.expect(f"{method} {path} with {field}: no permission of CORS", permission, None)
    status, headers, _ = server.request("POST", EVALUATIONS, '{"context":{}}', allowed)
    found = (status, headers.get("Access-Control-Allow-Origin"), headers.get("Vary"))
    checks.expect("an allowed origin: status, origin and Vary", found, (200, "http://localhost:3000", "Origin"))


def guesses(checks, server):
    """Many wrong tokens, in the header, the query and a cookie, are answered with 429, while the right one works. A
    link opens once, and its session is for the server's own pages."""
    time.sleep(1.1)  # The rejections of one second are over.
    found, query = Counter(), f"?token={server.token}&access_token={server.token}"
    fields = [{"Authorization": f"Basic {server.token}"}, {"Authorization": f"Bearer {server.token.swapcase()}"},
              {"Cookie": f"flagmenu-session={server.token}"}, {"X-API-Key": server.token[:16]}]
    fields += [{"Authorization": f"Bearer {number:032}"} for number in range(300)]
    for field in fields:
        status, headers, _ = server.request("POST", f"/api/v1/undo{query}", None, field)
        found[status] += 1
        if status == 429: checks.expect("429 has Retry-After", headers.get("Retry-After", "").isdigit())
    checks.expect(f"statuses of wrong tokens, {dict(found)}", sorted(found), [401, 429])
    checks.expect("the right token meanwhile", server.call("GET", "status")[1].get("writable"))
    path = server.link.removeprefix(server.url)
    status, headers, _ = server.request("GET", path)
    checks.expect("the link", status, 303)
    cookie, *words = headers.get("Set-Cookie", "").split("; ")
    checks.expect("words of the cookie", words, ["Path=/", "HttpOnly", "SameSite=Strict"])
    session = {"Cookie": cookie}
    checks.expect("the session writes", server.request("POST", "/api/v1/links", None, session)[0], 200)
    status = server.request("POST", "/api/v1/links", None, session | {"Origin": "http://localhost:1"})[0]
    checks.expect(f"the session writes for its own origin only, found {status}", status in (403, 429))
    time.sleep(1.1)
    checks.expect("the link, again", server.request("GET", path)[0], 403)
    found = Counter(server.request("GET", f"/login?code={number:032}")[0] for number in range(100))
    checks.expect(f"statuses of guessed links, {dict(found)}", sorted(found), [403, 429])


def flood(checks, server):
    """More writes than the limit get 429, and none of them is half done."""
    found = Counter(server.call("PUT", "overrides/max_items", {"value": 1 + number % 100})[0] for number in range(300))
    checks.expect(f"writes get 200 or 429, found {dict(found)}", set(found) <= {200, 429} and found[200] >= 100)
    time.sleep(1.1)
    server.set("max_items", 7)
    checks.expect("a write after the flood", server.call("GET", "flags/max_items")[1]["value"], "7")
    server.call("DELETE", "overrides")
