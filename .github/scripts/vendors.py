#!/usr/bin/env python3
"""Asks the loopback servers of FlagTesting with the vendors' own clients: what our sources read is what real clients read.

usage: python3 -m venv VENV
       VENV/bin/pip install UnleashClient==6.9.1 launchdarkly-server-sdk==9.18.2 splitio_client==10.7.0
       swift build --product LoopbackHost && VENV/bin/python .github/scripts/vendors.py .build/debug/LoopbackHost

Nothing leaves this machine. Ends with 1 where a client reads something else, or nothing in time.
"""
import json
import logging
import subprocess
import sys
import tempfile
import time

import ldclient
import splitio
from UnleashClient import UnleashClient

LIMIT = 60  # seconds that a client may take to notice; polling takes up to two

logging.disable(logging.CRITICAL)


class Host:
    """The program that runs the servers."""

    def __init__(self, path):
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.urls = json.loads(self.process.stdout.readline())

    def tell(self, command):
        self.process.stdin.write(command + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline().strip()
        if answer != "done":
            sys.exit(f"{command}: {answer}")

    def end(self):
        self.process.stdin.close()
        self.process.wait(timeout=10)


def expect(what, read, wanted):
    """Reads until the wanted value comes."""
    end = time.monotonic() + LIMIT
    while (found := read()) != wanted:
        if time.monotonic() > end:
            sys.exit(f"{what}: the client reads {found!r} instead of {wanted!r}")
        time.sleep(0.05)
    print(f"{what}: {wanted!r}", flush=True)


def unleash(host):
    client = UnleashClient(
        url=host.urls["unleash"] + "/api", app_name="vendors", refresh_interval=1, metrics_interval=1,
        custom_headers={"Authorization": "*:development.client"}, cache_directory=tempfile.mkdtemp())
    client.initialize_client()

    def read():
        variant = client.get_variant("shade")
        payload = variant.get("payload") or {}
        return [client.is_enabled("on"), client.is_enabled("off"), variant["name"], payload.get("value")]

    expect("UnleashClient, at first", read, [True, False, "blue", "#00f"])
    host.tell("unleash change")
    expect("UnleashClient, after a poll", read, [False, True, "red", None])
    client.destroy()


def launchdarkly(host):
    url = host.urls["launchdarkly"]
    for stream in [True, False]:
        client = ldclient.LDClient(
            ldclient.Config(
                "sdk-key", base_uri=url, stream_uri=url, events_uri=url, stream=stream, poll_interval=30), 10)
        context = ldclient.Context.create("u1")

        def read():
            return [client.variation(key, context, None) for key in ["bool", "text", "object"]]

        if not stream:
            expect("launchdarkly-server-sdk, polling", read, [False, None, None])
        else:
            expect("launchdarkly-server-sdk, put", read, [True, "blue", {"sizes": [1, 2]}])
            host.tell("launchdarkly patch")
            expect("launchdarkly-server-sdk, patch", read, [True, "red", {"sizes": [1, 2]}])
            host.tell("launchdarkly delete")
            expect("launchdarkly-server-sdk, delete", read, [True, None, {"sizes": [1, 2]}])
            host.tell("launchdarkly put")
            expect("launchdarkly-server-sdk, another put", read, [False, None, None])
        client.close()


def split(host):
    url = host.urls["split"]
    factory = splitio.get_factory(
        # The least rate of polling is far beyond the limit, so what is noticed is noticed by the stream.
        "sdk-key", config={"featuresRefreshRate": 3600, "streamingEnabled": True, "impressionsMode": "NONE"},
        sdk_api_base_url=url + "/api", events_api_base_url=url + "/api", auth_api_base_url=url + "/api",
        streaming_api_base_url=url, telemetry_api_base_url=url + "/api")
    factory.block_until_ready(LIMIT)
    client = factory.client()

    def read():
        return [*client.get_treatments("u1", ["on", "off"]).values(), client.get_treatment_with_config("u1", "variant")]

    expect("splitio_client, at first", read, ["on", "off", ("v2", '{"c":1}')])
    expect("splitio_client listens", lambda: listens(factory), True)
    host.tell("split update")
    expect("splitio_client, told the flag itself", read, ["on", "off", ("v3", '{"c":2}')])
    host.tell("split set")
    expect("splitio_client, told to ask", read, ["off", "on", ("v4", None)])
    expect("splitio_client, by set", lambda: client.get_treatments_by_flag_set("u1", "s1"), {"variant": "v4"})
    factory.destroy()


def listens(factory):
    """Whether the stream stands; the client has no word for it."""
    push = factory._sync_manager._push
    return push._sse_client._status == push._sse_client._Status.CONNECTED


host = Host(sys.argv[1])
for test in [unleash, launchdarkly, split]:
    test(host)
host.end()
