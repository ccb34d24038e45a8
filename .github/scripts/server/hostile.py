"""Attacks flagmenu serve from outside: malformed and slow requests, floods of connections, foreign pages, and guesses of
tokens. Afterwards it has changed nothing, has no more memory and files open than before, and responds as fast.

usage: hostile.py PROGRAM [--long]"""
import asyncio
import json
import os
import re
import resource
import socket
import statistics
import sys
import time
from collections import Counter

from malformed import Malformed
from served import Server, ServerChecks

if not os.path.isdir("/proc/self/fd"):
    print("skipped: hostile needs /proc, to measure the server", file=sys.stderr)
    sys.exit(77)
is_long = "--long" in sys.argv
# Numbers of the short and of the long form.
malformed_count, idle_count, stream_count, slow_count = (10_000, 1_000, 200, 50) if is_long else (800, 150, 40, 10)
seed = int(os.environ.get("SEED", time.time()))
checks = ServerChecks("hostile")
server = checks.server
resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
host = f"127.0.0.1:{server.port}"
bearer = {"Authorization": f"Bearer {server.token}"}


def expect(what, holds): checks.expect(what, holds, True)


def memory():
    """The resident memory, in bytes."""
    with open(f"/proc/{server.process.pid}/statm") as file: return int(file.read().split()[1]) * resource.getpagesize()


def processor_time(server):
    """The processor time that a server has used, in seconds."""
    with open(f"/proc/{server.process.pid}/stat") as file:
        return sum(int(ticks) for ticks in file.read().rsplit(")", 1)[1].split()[11:13]) / os.sysconf("SC_CLK_TCK")


def files(): return len(os.listdir(f"/proc/{server.process.pid}/fd"))


def threads(): return len(os.listdir(f"/proc/{server.process.pid}/task"))


def status_time():
    """How long a request takes on a new connection, in seconds."""
    start = time.monotonic()
    expect("a request in between has status 200", server.request("GET", "/api/v1/status")[0] == 200)
    return time.monotonic() - start


async def connection(): return await asyncio.open_connection("127.0.0.1", server.port)


async def response(data, seconds=10, ends=True):
    """Everything that the server sends to a request. It is None if the server neither responds nor closes in time."""
    try:
        reader, writer = await connection()
    except OSError:
        return b""
    try:
        writer.write(data)
        await writer.drain()
        if ends and writer.can_write_eof(): writer.write_eof()
        return await asyncio.wait_for(reader.read(-1), seconds)
    except asyncio.TimeoutError:
        return None
    except OSError:
        return b""  # The server has closed the connection while the request was sent.
    finally:
        writer.close()


def statuses(data): return [int(found) for found in re.findall(rb"(?:^|\n|\})HTTP/1\.[01] (\d{3}) ", data or b"")]


async def each(makers, width=50):
    """Runs coroutines, at most `width` at the same time."""
    limit = asyncio.Semaphore(width)

    async def one(maker):
        async with limit: return await maker()

    return await asyncio.gather(*[one(maker) for maker in makers])


async def malformed(count, seed):
    requests = Malformed(server.port, server.token, seed)
    data = [requests.next() for _ in range(count)]
    found, counts = await each([lambda one=one: response(one) for one in data]), Counter()
    for request, answer in zip(data, found):
        shown = f"seed {seed}, {request[:300]!r}"
        if answer is None: checks.expect(f"a response or an end within 10 s to {shown}", answer, b"")
        for status in statuses(answer): counts[status] += 1
        errors = [status for status in statuses(answer) if status >= 500 or status in (101, 206)]
        if errors: checks.expect(f"statuses of {shown}", errors, [])
        if b"root:" in (answer or b"") or server.token.encode() in (answer or b""):
            checks.expect(f"no secrets for {shown}", answer, b"")
    errors = sum(counts[status] for status in counts if status >= 400)
    expect(f"a quarter of the responses are errors, found {counts}", errors > count / 4)
    expect("the server runs", server.process.poll() is None)
    return counts


async def slow():
    """Heads and bodies byte by byte must not keep others waiting, and must end."""
    head = f"GET /api/v1/status HTTP/1.1\r\nHost: {host}\r\nX-Slow: {'x' * 500}".encode()
    body = (f"PUT /api/v1/overrides/ratio HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {server.token}\r\n"
            "Content-Length: 500\r\n\r\n").encode()
    clients = [(await connection(), head, b"") for _ in range(slow_count)]
    clients += [(await connection(), b"x" * 500, body) for _ in range(slow_count)]
    for (_, writer), _, first in clients: writer.write(first)
    start, ended, place = time.monotonic(), {}, 0
    # A head is limited by the idle time of 60 s, a body by 20 s.
    limit = 100 if is_long else 2
    while time.monotonic() - start < limit and len(ended) < len(clients):
        for number, ((reader, writer), data, _) in enumerate(clients):
            if number in ended: continue
            try:
                writer.write(data[place % len(data):][:1])
                await writer.drain()
            except OSError:
                ended[number] = time.monotonic() - start
            if reader.at_eof(): ended.setdefault(number, time.monotonic() - start)
        place += 1
        times.append(await asyncio.to_thread(status_time))
        await asyncio.sleep(0.2)
    if is_long:
        for what, first in [("heads", 0), ("bodies", slow_count)]:
            found = [ended.get(number) for number in range(first, first + slow_count)]
            late = sum(one is None for one in found)
            expect(f"slow {what} end within {limit} s: {late} of {len(found)} are open, the others took up to "
                   f"{max([one for one in found if one] or [0]):.0f} s", late == 0)
    for (_, writer), _, _ in clients: writer.close()


async def idle():
    """Connections that send nothing."""
    found = await asyncio.gather(*[connection() for _ in range(idle_count)], return_exceptions=True)
    open_ones = [one for one in found if not isinstance(one, Exception)]
    checks.expect("idle connections that were accepted", len(open_ones), idle_count)
    for _ in range(5): times.append(await asyncio.to_thread(status_time))
    if is_long:
        start = time.monotonic()
        ends = await asyncio.gather(*[asyncio.wait_for(reader.read(-1), 90) for reader, _ in open_ones],
            return_exceptions=True)
        late = sum(isinstance(one, asyncio.TimeoutError) for one in ends)
        checks.expect(f"idle connections that are open after {time.monotonic() - start:.0f} s", late, 0)
    for _, writer in open_ones: writer.close()


class Stream:
    """An event stream."""

    @classmethod
    async def open(cls, path):
        stream = cls()
        stream.reader, stream.writer = await connection()
        stream.writer.write(f"GET {path} HTTP/1.1\r\nHost: {host}\r\nAccept: text/event-stream\r\n\r\n".encode())
        stream.head = await asyncio.wait_for(stream.reader.readuntil(b"\r\n\r\n"), 10)
        if stream.head.startswith(b"HTTP/1.1 200"): await asyncio.wait_for(stream.reader.readuntil(b"retry: 1000"), 10)
        return stream

    async def event(self, kind):
        """Returns when an event has come."""
        while kind not in await self.reader.readuntil(b"\n"): pass
        return time.monotonic()


async def streams():
    """All event streams get an event within a second; those above the limit get 429; all end with their readers."""
    client, page = ("/ofrep/v1/events", b"refetchEvaluation"), ("/api/v1/events", b'"changed"')
    kinds = [page if number % 2 else client for number in range(stream_count)]
    opened = [(await Stream.open(path), kind) for path, kind in kinds]
    for value in ("true", "false"):
        waiting = [asyncio.create_task(stream.event(kind)) for stream, kind in opened]
        start = time.monotonic()
        await asyncio.to_thread(server.set, "new_checkout", value)
        done = await asyncio.gather(*[asyncio.wait_for(one, 10) for one in waiting], return_exceptions=True)
        late = [one for one in done if isinstance(one, Exception)]
        slowest = max([one - start for one in done if not isinstance(one, Exception)] or [99])
        expect(f"{len(opened)} streams get an event within 1 s: {len(late)} got none, the slowest took {slowest:.2f} s",
               not late and slowest < 1)
        await asyncio.sleep(0.5)  # The change may be announced twice, so events of this change may still come.
        for stream, _ in opened: stream.reader._buffer.clear()
    # Readers that do not read while flags change, and evaluations that change the list of clients.
    for number in range(100 if is_long else 20):
        await asyncio.to_thread(server.set, "max_items", number % 100 + 1)
        await response(server_post({"context": {"targetingKey": f"reader-{number}"}}))
        await asyncio.sleep(0.011)
    if is_long:
        further = [await Stream.open("/api/v1/events") for _ in range(301 - stream_count)]
        checks.expect("the stream above the limit", further[-1].head[:12], b"HTTP/1.1 429")
        for stream in further: stream.writer.close()
    for stream, _ in opened: stream.writer.close()
    # A reader that is gone gives back its place at once.
    await asyncio.sleep(0.5)
    stream = await Stream.open("/api/v1/events")
    checks.expect("a new stream after all have ended", stream.head[:12], b"HTTP/1.1 200")
    stream.writer.close()
    server.call("DELETE", "overrides")


def server_post(body, path="/ofrep/v1/evaluate/flags"):
    data = json.dumps(body).encode()
    head = f"POST {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\nContent-Length: {len(data)}\r\n\r\n"
    return head.encode() + data


async def large_bodies():
    """Bodies above the limit get 413, or an end, before they are sent completely."""
    for what, head, block in [
        ("with a length", f"Content-Length: {200 << 20}", b"x" * 65_536),
        ("in chunks", "Transfer-Encoding: chunked", b"10000\r\n" + b"x" * 65_536 + b"\r\n"),
    ]:
        for method, path in [
            ("PUT", "/api/v1/overrides/new_checkout"), ("POST", "/ofrep/v1/evaluate/flags"), ("POST", "/api/v1/undo"),
        ]:
            reader, writer = await connection()
            line = f"{method} {path} HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {server.token}"
            writer.write(f"{line}\r\n{head}\r\n\r\n".encode())
            sent = 0
            try:
                while sent < 200 << 20 and not reader.at_eof() and not reader._buffer:
                    writer.write(block)
                    await asyncio.wait_for(writer.drain(), 10)
                    sent += len(block)
                    await asyncio.sleep(0)
                answer = await asyncio.wait_for(reader.read(4_096), 10)
            except OSError:
                answer = bytes(reader._buffer)
            except asyncio.TimeoutError:
                answer = b"neither a response nor an end"
            expect(f"{method} {path}, a large body {what}: found {answer[:60]!r} after {sent >> 20} MB",
                   sent < 100 << 20 and (answer == b"" or answer.startswith(b"HTTP/1.1 413")))
            writer.close()


def foreign():
    """Other names of the server (DNS rebinding) and other origins get nothing, whatever the token."""
    paths = [("GET", "/"), ("GET", "/page.js"), ("GET", "/api/v1/flags"), ("GET", "/api/v1/events"),
        ("GET", "/login?code=x"), ("PUT", "/api/v1/overrides/new_checkout"), ("DELETE", "/api/v1/overrides"),
        ("POST", "/api/v1/undo"), ("POST", "/api/v1/links"), ("POST", "/ofrep/v1/evaluate/flags"),
        ("POST", "/ofrep/v1/evaluate/flags/new_checkout"), ("OPTIONS", "/ofrep/v1/evaluate/flags"),
        ("OPTIONS", "/api/v1/overrides")]
    port = server.port
    hosts = ["example.com", f"example.com:{port}", f"localhost.example.com:{port}", f"127.0.0.1.example.com:{port}",
        "127.0.0.1.", f"127.0.0.1:{port}@example.com", "0.0.0.0", "127.0.0.2", "[::2]", "2130706433",
        "localhost,example.com", ""]
    origins = ["null", "http://example.com", f"http://localhost:{port + 1}", f"https://127.0.0.1:{port}",
        f"http://127.0.0.1:{port}.example.com", f"http://example.com/http://127.0.0.1:{port}", "file://", "http://",
        f"http://localhost:{port}"]
    fields = [{"Host": name} for name in hosts] + [{"Origin": origin} for origin in origins]
    fields.append({"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"})
    for method, path in paths:
        for field in fields:
            body = None if method == "GET" else '{"value":"true","context":{}}'
            status, headers, _ = server.request(method, path, body, bearer | field)
            expect(f"{method} {path} with {field}: status {status}", status in (400, 403, 429))
            checks.expect(f"{method} {path} with {field}: no permission of CORS",
                          headers.get("Access-Control-Allow-Origin"), None)
    # Two hosts must get 400 (RFC 9112, section 3.2), as servers disagree which one counts.
    for first, second in [(host, "example.com"), ("example.com", host)]:
        answer = asyncio.run(response(f"GET / HTTP/1.1\r\nHost: {first}\r\nHost: {second}\r\n\r\n".encode()))
        expect(f"hosts {first} and {second}: {answer[:30]!r}", statuses(answer) in ([400], [403], [429]))
    for field in [
        {"Host": f"localhost:{port}"}, {"Host": f"LOCALHOST:{port}"}, {"Host": f"[::1]:{port}"}, {"Origin": f"http://{host}"},
    ]:
        checks.expect(f"own name {field}", server.request("GET", "/api/v1/flags", None, field)[0], 200)


def allowed_origin():
    """A web app of an allowed origin may evaluate flags, and nothing else."""
    other = Server(sys.argv[1], "--allow-origin", "http://localhost:3000")
    own, foreign_one = {"Origin": "http://localhost:3000"}, {"Origin": "http://localhost:3001"}
    path, body = "/ofrep/v1/evaluate/flags", '{"context":{}}'
    status, headers, _ = other.request("POST", path, body, own)
    found = (status, headers.get("Access-Control-Allow-Origin"), headers.get("Vary"))
    checks.expect("an allowed origin: status, origin and Vary", found, (200, "http://localhost:3000", "Origin"))
    checks.expect("its preflight", other.request("OPTIONS", path, None, own)[0], 204)
    for name in ["example.com", f"example.com:{other.port}", ""]:
        checks.expect(f"its preflight with the host {name!r}",
                      other.request("OPTIONS", path, None, own | {"Host": name})[0], 403)
    for method, path, fields in [
        ("POST", path, foreign_one), ("OPTIONS", path, foreign_one), ("GET", "/api/v1/flags", own),
        ("OPTIONS", "/api/v1/overrides", own), ("GET", "/api/v1/events", own), ("GET", "/", own),
        ("DELETE", "/api/v1/overrides", own | {"Authorization": f"Bearer {other.token}"}),
    ]:
        status, headers, _ = other.request(method, path, body if method == "POST" else None, fields)
        checks.expect(f"{method} {path} with {fields['Origin']}: status, origin",
                      (status, headers.get("Access-Control-Allow-Origin")), (403, None))
    checks.expect("an allowed origin has changed nothing", other.overrides(), None)
    other.end()


def without_token():
    """No write without the token."""
    before, half = server.overrides(), server.token[:16]
    writes = [
        ("PUT", "overrides/new_checkout"), ("PUT", "overrides/theme_color?client=eve"), ("DELETE", "overrides/new_checkout"),
        ("DELETE", "overrides"), ("POST", "undo"), ("POST", "redo"), ("POST", "links")]
    attempts = [
        {}, {"X-API-Key": half}, {"Cookie": f"flagmenu-session={server.token}"}, {"Cookie": "flagmenu-session="},
        {"X-Token": server.token}]
    attempts += [{"Authorization": text} for text in [
        "Bearer", "Bearer ", f"Bearer {half}", f"Bearer {server.token}x", f"Bearer x{server.token}", f"Basic {server.token}",
        server.token, f"Bearer {server.token.swapcase()}", f"Bearer {server.token[::-1]}", "Bearer null"]]
    found = Counter()
    for method, path in writes:
        for fields in attempts:
            status = server.request(method, f"/api/v1/{path}", '{"value":"true","any":true,"new":true}', fields)[0]
            found[status] += 1
            if status not in (401, 429): checks.expect(f"{method} {path} with {fields}", status, 401)
        query = f"{'&' if '?' in path else '?'}token={server.token}&access_token={server.token}"
        status = server.request(method, f"/api/v1/{path}{query}", '{"value":"true"}')[0]
        expect(f"{method} {path} with the token in the query: {status}", status in (401, 429))
    expect(f"overrides are unchanged without a token, found {found}", server.overrides() == before)
    expect("the client without a token has no overrides", "eve" not in str(server.call("GET", "clients")[1]))


def guesses():
    """Many wrong tokens are answered with 429, while the right one works. A link opens once."""
    time.sleep(1.1)  # The rejections of one second are over.
    found = Counter()
    for number in range(300):
        status, headers, _ = server.request("POST", "/api/v1/undo", None, {"Authorization": f"Bearer {number:032}"})
        found[status] += 1
        if status == 429: expect("429 has Retry-After", headers.get("Retry-After", "").isdigit())
    checks.expect(f"statuses of wrong tokens, {dict(found)}", sorted(found), [401, 429])
    checks.expect("the right token meanwhile", server.call("GET", "status")[1].get("writable"), True)
    path = server.link.removeprefix(server.url)
    status, headers, _ = server.request("GET", path)
    checks.expect("the link", status, 303)
    cookie = headers.get("Set-Cookie", "")
    words = ("HttpOnly", "SameSite=Strict", "Path=/")
    expect(f"the cookie is not for scripts and other sites, found {cookie!r}", all(word in cookie for word in words))
    session = {"Cookie": cookie.split(";")[0]}
    checks.expect("the session writes", server.request("POST", "/api/v1/links", None, session)[0], 200)
    status = server.request("POST", "/api/v1/links", None, session | {"Origin": "http://localhost:1"})[0]
    expect(f"the session writes for its own origin only, found {status}", status in (403, 429))
    time.sleep(1.1)  # The rejections of one second are over.
    checks.expect("the link, again", server.request("GET", path)[0], 403)
    found = Counter(server.request("GET", f"/login?code={number:032}")[0] for number in range(100))
    checks.expect(f"statuses of guessed links, {dict(found)}", sorted(found), [403, 429])


def flood():
    """More writes than the limit get 429, and none of them is half done."""
    found = Counter()
    for number in range(300): found[server.call("PUT", "overrides/max_items", {"value": number % 100 + 1})[0]] += 1
    expect(f"writes get 200 or 429, found {dict(found)}", set(found) <= {200, 429} and found[200] >= 100)
    time.sleep(1.1)
    checks.expect("a write after the flood", server.call("PUT", "overrides/max_items", {"value": 7})[0], 200)
    checks.expect("its value", server.call("GET", "flags/max_items")[1]["value"], "7")
    server.call("DELETE", "overrides")


def few_files():
    """More connections than files that the system allows: further ones wait, and the server neither spins nor ends."""
    other = Server(sys.argv[1], file_limit=256)
    opened = [socket.create_connection(("127.0.0.1", other.port), timeout=10) for _ in range(400)]
    opened[0].sendall(f"GET /api/v1/status HTTP/1.1\r\nHost: 127.0.0.1:{other.port}\r\n\r\n".encode())
    try:
        answer = opened[0].recv(15)
    except OSError as error:
        answer = repr(error).encode()
    checks.expect("an open connection while others wait", answer, b"HTTP/1.1 200 OK")
    start, used = time.monotonic(), processor_time(other)
    # Dispatch opens a file of /proc every second, and traps if it cannot.
    time.sleep(10 if is_long else 3)
    checks.expect("the server with few files runs", other.process.poll(), None)
    if other.process.poll() is None:
        share = (processor_time(other) - used) / (time.monotonic() - start)
        expect(f"the server with few files uses {share:.0%} of a processor while it is idle", share < 0.3)
        for one in opened: one.close()
        time.sleep(1)
        checks.expect("a request after the connections have ended", other.request("GET", "/api/v1/status")[0], 200)
        status = other.call("PUT", "overrides/max_items", {"value": 7})[0]
        checks.expect("a write after the connections have ended", status, 200)
    other.end()


async def attack():
    await malformed(malformed_count, seed)
    for part in (slow, idle, streams, large_bodies): await part()
    for part in (foreign, allowed_origin, without_token, guesses, flood, few_files): await asyncio.to_thread(part)


times = []
# Once before the measurement, so that everything that is made once is there.
asyncio.run(malformed(200, 1))
server.call("PUT", "overrides/theme_color", {"value": "blue"})
server.call("DELETE", "overrides")
time.sleep(1)
before = (memory(), files(), threads())
saved = server.overrides()
asyncio.run(malformed(200, 2))
expect("malformed requests have not changed the overrides", server.overrides() == saved)
asyncio.run(attack())
time.sleep(2)
# A connection whose head was too large, and was not read to its end, ends after the idle time of 60 seconds.
deadline = time.monotonic() + 70
while files() > before[1] + 10 and time.monotonic() < deadline: time.sleep(0.1)
after = (memory(), files(), threads())
expect(f"memory is within 30 % + 20 MB: {before[0] >> 20} MB before, {after[0] >> 20} MB after",
       after[0] < before[0] * 1.3 + (20 << 20))
expect(f"files that are open: {before[1]} before, {after[1]} after", after[1] <= before[1] + 10)
expect(f"threads: {before[2]} before, {after[2]} after", after[2] <= before[2] + 10)
last = [status_time() for _ in range(20)]
expect(f"a median below 100 ms afterwards, found {statistics.median(last) * 1e3:.0f} ms", statistics.median(last) < 0.1)
expect(f"a median below 100 ms meanwhile, found {statistics.median(times) * 1e3:.0f} ms", statistics.median(times) < 0.1)
# An open page does not keep the server from ending.
page = socket.create_connection(("127.0.0.1", server.port))
page.sendall(f"GET /api/v1/events HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
page.recv(4_096)
checks.finish(
    f"{malformed_count} malformed requests (SEED={seed}), {idle_count} idle connections, {stream_count} streams; memory "
    f"{before[0] >> 20} MB, then {after[0] >> 20} MB; responses in {statistics.median(times) * 1e3:.0f} ms, at most "
    f"{max(times) * 1e3:.0f} ms")
