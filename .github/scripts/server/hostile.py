"""Attacks flagmenu serve from outside: malformed and slow requests, and floods of connections. Afterwards it has changed
nothing, has no more memory and files open than before, and responds as fast."""
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
from contextlib import closing

from common import SHOP, Checks, Server, processor_time, wait_until
from server.malformed import Malformed

if not os.path.isdir("/proc/self/fd"):
    print("skipped: hostile needs /proc, to measure the server", file=sys.stderr)
    sys.exit(77)
malformed_count, idle_count, stream_count, slow_count = 800, 150, 40, 10
EVALUATIONS = "/ofrep/v1/evaluate/flags"
seed = int(os.environ.get("SEED", time.time()))
checks, server, times = Checks("hostile"), Server(SHOP, "--allow-origin", "http://localhost:3000"), []
resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
host = f"127.0.0.1:{server.port}"


def usage(server):
    """The bytes of memory, the open files, the threads, and the seconds of processor time."""
    place = f"/proc/{server.process.pid}"
    with open(f"{place}/statm") as file: memory = int(file.read().split()[1]) * resource.getpagesize()
    files, threads = len(os.listdir(f"{place}/fd")), len(os.listdir(f"{place}/task"))
    return memory, files, threads, processor_time(server.process.pid)


def status_time():
    """How long a request takes on a new connection, in seconds."""
    start = time.monotonic()
    checks.expect("a request in between", server.request("GET", "/api/v1/status")[0], 200)
    return time.monotonic() - start


def head(method, path, *fields):
    return "\r\n".join([f"{method} {path} HTTP/1.1", f"Host: {host}", *fields, "", ""]).encode()


async def connection(): return await asyncio.open_connection("127.0.0.1", server.port)


async def response(data):
    """All that the server sends to a request. It is None if the server neither responds nor closes in time."""
    try:
        reader, writer = await connection()
        with closing(writer):
            writer.write(data)
            await writer.drain()
            if writer.can_write_eof(): writer.write_eof()
            return await asyncio.wait_for(reader.read(-1), 10)
    except asyncio.TimeoutError:
        return None
    except OSError:
        return b""  # The server has closed the connection while the request was sent, or before.


async def malformed(count, seed):
    requests, limit, counts = Malformed(host, server.token, seed), asyncio.Semaphore(50), Counter()

    async def one(request):
        async with limit: return request, await response(request)

    for request, answer in await asyncio.gather(*[one(requests.next()) for _ in range(count)]):
        shown = f"seed {seed}, {request[:300]!r}"
        if answer is None: checks.expect(f"a response or an end within 10 s to {shown}", answer, b"")
        found = [int(one) for one in re.findall(rb"(?:^|\n|\})HTTP/1\.[01] (\d{3}) ", answer or b"")]
        counts.update(found)
        errors = [status for status in found if status >= 500 or status in (101, 206)]
        if errors: checks.expect(f"statuses of {shown}", errors, [])
        if b"root:" in (answer or b"") or server.token.encode() in (answer or b""):
            checks.expect(f"no secrets for {shown}", answer, b"")
    errors = sum(counts[status] for status in counts if status >= 400)
    checks.expect(f"a quarter of the responses are errors, found {counts}", errors > count / 4)
    checks.expect("the server runs", server.process.poll(), None)


async def slow():
    """Heads and bodies byte by byte, and connections that send nothing, must not keep others waiting."""
    writing = head("PUT", "/api/v1/overrides/ratio", f"Authorization: Bearer {server.token}", "Content-Length: 500")
    slow_head = head("GET", "/api/v1/status", f"X-Slow: {'x' * 500}")
    kinds = [(b"", b"")] * idle_count + [(b"", slow_head), (writing, b"x" * 500)] * slow_count
    clients = [(data, (await connection())[1]) for _, data in kinds]
    for (first, _), (_, writer) in zip(kinds, clients): writer.write(first)
    start, place = time.monotonic(), 0
    while time.monotonic() - start < 2:
        for data, writer in clients:
            writer.write(data[place:place + 1])
            await writer.drain()
        place += 1
        times.append(await asyncio.to_thread(status_time))
        await asyncio.sleep(0.2)
    for _, writer in clients: writer.close()


async def open_stream(path):
    """A new event stream, and the first line of its response."""
    reader, writer = await connection()
    writer.write(head("GET", path, "Accept: text/event-stream"))
    first = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 10)
    if first.startswith(b"HTTP/1.1 200"): await asyncio.wait_for(reader.readuntil(b"retry: 1000"), 10)
    return reader, writer, first[9:12]


async def next_event(reader, kind):
    while kind not in await reader.readuntil(b"\n"): pass
    return time.monotonic()


async def streams():
    """All event streams get an event within a second, and end with their readers."""
    client, page = ("/ofrep/v1/events", b"refetchEvaluation"), ("/api/v1/events", b'"changed"')
    kinds = [page if number % 2 else client for number in range(stream_count)]
    opened = [(await open_stream(path), kind) for path, kind in kinds]
    for value in ("true", "false"):
        waiting = [asyncio.wait_for(next_event(stream[0], kind), 10) for stream, kind in opened]
        start = time.monotonic()
        found = asyncio.gather(*waiting, return_exceptions=True)
        await asyncio.to_thread(server.set, "new_checkout", value)
        late = [one for one in await found if isinstance(one, Exception) or one - start > 1]
        checks.expect(f"streams of {stream_count} without an event within 1 s", late, [])
        await asyncio.sleep(0.5)  # The change may be announced twice, so events of this change may still come.
        for stream, _ in opened: stream[0]._buffer.clear()
    # Readers that do not read while flags change, and evaluations that change the list of clients.
    for number in range(20):
        await asyncio.to_thread(server.set, "max_items", number + 1)
        body = json.dumps({"context": {"targetingKey": f"reader-{number}"}}).encode()
        await response(head("POST", EVALUATIONS, "Connection: close", f"Content-Length: {len(body)}") + body)
        await asyncio.sleep(0.011)
    for (_, writer, _), _ in opened: writer.close()
    # Readers that go at once, whose streams must not keep the server from ending.
    await asyncio.gather(*[response(head("GET", "/api/v1/events")) for _ in range(stream_count)])
    # A reader that is gone gives back its place at once.
    await asyncio.sleep(0.5)
    _, writer, status = await open_stream("/api/v1/events")
    checks.expect("a new stream after all have ended", status, b"200")
    writer.close()
    server.call("DELETE", "overrides")


def allowed_origin():
    """A web app of the origin that serve was told of may evaluate flags, and read the response."""
    origin = {"Origin": "http://localhost:3000"}
    status, headers, _ = server.request("POST", EVALUATIONS, '{"context":{}}', origin)
    found = (status, headers.get("Access-Control-Allow-Origin"), headers.get("Vary"))
    checks.expect("an allowed origin: status, origin and Vary", found, (200, origin["Origin"], "Origin"))


async def large_bodies():
    """Bodies above the limit get 413, or an end, before they are sent completely."""
    kinds = [(f"Content-Length: {200 << 20}", b"x" * 65_536),
             ("Transfer-Encoding: chunked", b"10000\r\n" + b"x" * 65_536 + b"\r\n")]
    paths = [("PUT", "/api/v1/overrides/new_checkout"), ("POST", EVALUATIONS), ("POST", "/api/v1/undo")]
    for (field, block), (method, path) in [(kind, path) for kind in kinds for path in paths]:
        reader, writer = await connection()
        writer.write(head(method, path, f"Authorization: Bearer {server.token}", field))
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
        is_rejected = sent < 100 << 20 and (answer == b"" or answer.startswith(b"HTTP/1.1 413"))
        checks.expect(f"{method} {path}, {field}: {answer[:60]!r} after {sent >> 20} MB", is_rejected)
        writer.close()


def few_files():
    """More connections than files that the system allows: further ones wait, and the server neither spins nor ends."""
    other = Server(SHOP, file_limit=256)
    opened = [socket.create_connection(("127.0.0.1", other.port), timeout=10) for _ in range(400)]
    opened[0].sendall(f"GET /api/v1/status HTTP/1.1\r\nHost: 127.0.0.1:{other.port}\r\n\r\n".encode())
    checks.expect("an open connection while others wait", opened[0].recv(15), b"HTTP/1.1 200 OK")
    start, used = time.monotonic(), usage(other)[3]
    # Dispatch opens a file of /proc every second, and traps if it cannot.
    time.sleep(3)
    checks.expect("the server with few files runs", other.process.poll(), None)
    share = (usage(other)[3] - used) / (time.monotonic() - start)
    checks.expect(f"the server with few files uses {share:.0%} of a processor while it is idle", share < 0.3)
    for one in opened: one.close()
    time.sleep(1)
    other.set("max_items", 7)
    other.end(checks)


async def attack():
    await malformed(malformed_count, seed)
    for part in (slow, streams, large_bodies): await part()
    for part in (allowed_origin, few_files): await asyncio.to_thread(part)


# Once before the measurement, so that everything that is made once is there.
asyncio.run(malformed(200, 1))
server.set("theme_color", "blue")
server.call("DELETE", "overrides")
time.sleep(1)
before, saved = usage(server), server.overrides()
asyncio.run(malformed(200, 2))
checks.expect("malformed requests have not changed the overrides", server.overrides() == saved)
asyncio.run(attack())
time.sleep(2)
# A connection whose head was too large, and was not read to its end, ends after the idle time of 60 seconds.
wait_until(lambda: usage(server)[1] <= before[1] + 10, seconds=70)
after = usage(server)
memory = f"{before[0] >> 20} MB before, {after[0] >> 20} MB after"
checks.expect(f"memory is within 30 % + 20 MB: {memory}", after[0] < before[0] * 1.3 + (20 << 20))
checks.expect(f"files that are open: {before[1]} before, {after[1]} after", after[1] <= before[1] + 10)
checks.expect(f"threads: {before[2]} before, {after[2]} after", after[2] <= before[2] + 10)
for what, found in [("afterwards", [status_time() for _ in range(20)]), ("meanwhile", times)]:
    median = statistics.median(found)
    checks.expect(f"a median below 100 ms {what}, found {median * 1e3:.0f} ms", median < 0.1)
# An open page does not keep the server from ending.
page = socket.create_connection(("127.0.0.1", server.port))
page.sendall(head("GET", "/api/v1/events"))
page.recv(4_096)
server.end(checks)
checks.finish(f"{malformed_count} malformed requests (SEED={seed}), {stream_count} streams; memory: {memory}")
