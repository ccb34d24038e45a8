"""Every tool of flagmenu mcp, and its resource, by a real client in each mode that it has."""
import asyncio
import json
import sys
import time
import warnings
from contextlib import asynccontextmanager
from importlib.metadata import version

from common import SHOP, Checks, Home
from mcp import StdioServerParameters

# The client warns that the former era has other methods.
warnings.simplefilter("ignore")
FLAGS = "flagmenu://flags"
READING = {
    "list_flags": {"matching": "cat:shop"}, "get_flag": {"key": "max_items"}, "explain_flag": {"key": "max_items"},
    "list_changes": {}, "list_apps": {}, "list_scenarios": {},
    "preview_scenario": {"name": "sale", "replace": False}, "wait_for_apps": {"seconds": 1}}
# In this order, each finds what the one before has done.
WRITING = {
    "set_flag": {"key": "max_items", "value": "7"}, "add_note": {"key": "max_items", "note": "why"},
    "reset_flag": {"key": "max_items"}, "undo": {}, "apply_scenario": {"name": "sale", "replace": True},
    "reset_all": {}}

if version("mcp").startswith("1."):
    from mcp import ClientSession
    from mcp.client.stdio import stdio_client
    from mcp.types import Implementation

    MODES = ["legacy"]

    @asynccontextmanager
    async def connected(parameters, mode, handler):
        async with stdio_client(parameters) as streams:
            info = Implementation(name="robot", version="1")
            async with ClientSession(*streams, message_handler=handler, client_info=info) as session:
                await session.initialize()
                yield session
else:
    from mcp import Client
    from mcp.types import Implementation

    MODES = ["auto", "legacy", "2026-07-28"]

    def connected(parameters, mode, handler):
        info = Implementation(name="robot", version="1")
        return Client(parameters, mode=mode, message_handler=handler, client_info=info)


def member(value, *names):
    """A member, whose name differs between the versions of the client."""
    return next(getattr(value, name) for name in names if hasattr(value, name))


def outcome(result):
    """What a tool returned, and whether it failed."""
    return member(result, "structured_content", "structuredContent"), member(result, "is_error", "isError")


async def told_of_change(client, mode, changes, home):
    """Whether the client is told that a person has changed a flag."""
    async def change(): await asyncio.to_thread(home.flagmenu, "set", "theme_color", "blue")
    if version("mcp").startswith("1.") or mode == "legacy":
        await client.subscribe_resource(FLAGS)
        changes.clear()
        await change()
        await asyncio.wait_for(changes.wait(), 20)
    else:
        async with client.listen(resource_subscriptions=[FLAGS]) as subscription:
            await change()
            await asyncio.wait_for(anext(subscription), 20)
    return True


async def use(checks, home, mode, writes):
    what = f"{mode}{' --write' if writes else ''}"
    changes = asyncio.Event()

    async def handler(message):
        if "updated" in str(getattr(getattr(message, "root", message), "method", "")): changes.set()

    parameters = StdioServerParameters(
        command=f"{home.programs}/flagmenu", args=["mcp", *(["--write"] if writes else [])], env=home.environment,
        cwd=home.place)
    async with connected(parameters, mode, handler) as client:
        wanted = [*READING, *(WRITING if writes else [])]
        tools = (await client.list_tools()).tools
        checks.expect(f"{what}: the tools", sorted(tool.name for tool in tools), sorted(wanted))
        for tool, arguments in READING.items():
            found, failed = outcome(await client.call_tool(tool, arguments))
            checks.expect(f"{what}: {tool} succeeds, {found}", (failed, "untrusted" in (found or {})), (False, True))
        for tool, arguments in WRITING.items() if writes else ():
            dry, _ = outcome(await client.call_tool(tool, arguments | {"dryRun": True}))
            found, failed = outcome(await client.call_tool(tool, arguments))
            checks.expect(f"{what}: {tool} succeeds, {found}", failed, False)
            checks.expect(f"{what}: {tool} changes what its dry run says", found["changes"], dry["changes"])
            checks.expect(f"{what}: {tool} changes something, {found}", len(found["changes"]) > 0)
        if writes:
            authors = {entry["by"] for entry in home.json("history")}
            checks.expect(f"{what}: the author, {authors}", "robot (agent)" in authors)
        resources = (await client.list_resources()).resources
        checks.expect(f"{what}: the resources", [str(resource.uri) for resource in resources], [FLAGS])
        content = (await client.read_resource(FLAGS)).contents[0].text
        checks.expect(f"{what}: the resource", json.loads(content)["total"], len(SHOP) - 1)
        checks.expect(f"{what}: a change is told", await told_of_change(client, mode, changes, home))
        start = time.monotonic()
    seconds = time.monotonic() - start
    checks.expect(f"{what}: an end within 1.5 s, found {seconds:.2f} s", seconds < 1.5)


def main():
    checks = Checks("agents")
    for mode in MODES:
        for writes in (False, True):
            home = Home(sys.argv[1])
            home.write("remote.json", SHOP)
            home.write("flagmenu.json", {"app": "shop", "source": "remote.json"})
            home.flagmenu("set", "theme_color", "green")
            home.flagmenu("scenario", "save", "sale")
            home.flagmenu("reset", "theme_color")
            asyncio.run(asyncio.wait_for(use(checks, home, mode, writes), 120))
    checks.finish_with("mcp")


main()
