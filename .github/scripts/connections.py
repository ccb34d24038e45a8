"""Many connections over HTTP in one process, for clients that are only simulated."""
import asyncio
import json
import math
import re


class Connection(asyncio.Protocol):
    """A connection over HTTP. What it receives is the response to a request, or pieces for a function."""

    def __init__(self, take):
        self.take, self.bytes, self.turn = take, 0, asyncio.Lock()

    def connection_made(self, transport): self.transport = transport

    def data_received(self, data):
        self.bytes += len(data)
        if self.take: return self.take(data)
        self.buffer += data
        if self.end is None and b"\r\n\r\n" in self.buffer:
            length = re.search(rb"\r\ncontent-length: (\d+)", self.buffer, re.IGNORECASE)
            is_chunked = not length and b" 304 " not in self.buffer[:20]
            self.end = math.inf if is_chunked else self.buffer.index(b"\r\n\r\n") + 4 + int(length[1] if length else 0)
        if self.end and (len(self.buffer) >= self.end or self.end == math.inf and data.endswith(b"0\r\n\r\n")):
            self.answer.set_result(bytes(self.buffer))

    def send(self, method, path, body=None, **fields):
        text = "" if body is None else json.dumps(body)
        lines = [f"{method} {path} HTTP/1.1", f"Host: 127.0.0.1:{self.transport.get_extra_info('peername')[1]}",
                 f"Content-Length: {len(text)}", *[f"{name}: {value}" for name, value in fields.items()]]
        data = "\r\n".join([*lines, "", text]).encode()
        self.bytes += len(data)
        self.transport.write(data)

    async def ask(self, *request, **fields):
        async with self.turn:
            self.buffer, self.end, self.answer = bytearray(), None, asyncio.get_running_loop().create_future()
            self.send(*request, **fields)
            return await asyncio.wait_for(self.answer, 60)


async def connect(port, take=None):
    return (await asyncio.get_running_loop().create_connection(lambda: Connection(take), "127.0.0.1", port))[1]
