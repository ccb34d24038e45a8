"""The states of the page of flagmenu serve in a real Chromium: live, without a connection, for
one client, read-only, and in each size and colour scheme, where axe-core must find no violation."""
import statistics
import time

from page.browser import ROW, SCHEMES, SIZES, Browser, run

browser = Browser()
browser.serve({}, "--sample")
sample = browser.server
SWITCH = "row.querySelector('[role=switch]').ariaChecked"


def override(key, value): browser.server.set(key, value)


# Notes when the switch of a row shows another value.
WATCH = ROW + """
    window.seen = [];
    new MutationObserver(() => seen.push(performance.timeOrigin + performance.now())).observe(
        row.querySelector('[role=switch]'), {attributes: true, attributeFilter: ['aria-checked']});"""


def check_live():
    browser.start()
    browser.run(WATCH, "maintenance_mode")
    delays = []
    for number in range(20):
        begin = time.time() * 1000
        override("maintenance_mode", "false" if number % 2 else "true")
        seen = browser.wait("the change", "return seen.length > arguments[0] && seen[arguments[0]]", number)
        delays.append(seen - begin)
    browser.expect_below("a change elsewhere, median of 20", statistics.median(delays), 100)


def check_resetting():
    """What a flag is after its override was reset is what the response says, with its layer."""
    browser.start()
    browser.run("""
        const fetched = window.fetch;
        window.fetch = async (path, options) => options.method !== 'DELETE' ? fetched(path, options) : Response.json({
            notes: [], changes: [
                {key: 'a', old: 'false', oldLayer: 'override', new: 'true', newLayer: 'team'},
                {key: 'b', old: '1', oldLayer: 'override', new: null, newLayer: null},
                {key: 'c', old: '2', oldLayer: 'launch', new: '2', newLayer: 'launch'},
                {key: 'd', old: '2', oldLayer: 'override', new: '3', newLayer: 'remote'}]});""")
    override("maintenance_mode", "true")
    browser.wait_row("maintenance_mode")
    browser.press("X", "TAB", "ENTER")
    browser.message("a is true again (team). b is not set again. c is still 2 (launch). And 1 more.")


def check_clients():
    browser.start("?client=phone")
    browser.start()
    browser.evaluate("login_variant", "phone")
    browser.get("#toClients", "click()")
    link = "[...document.querySelectorAll('tbody a')].find((link) => link.textContent === 'phone')"
    browser.wait("the client", f"return {link}")
    browser.evaluate("maintenance_mode", "phone")
    last = "return document.querySelector('tbody tr').textContent.includes('maintenance_mode')"
    browser.wait("what it evaluated last", last)
    override("AWESOME_FEATURE", "false")
    browser.run(f"{link}.click()")
    browser.wait("its own set", "return location.search === '?client=phone' && document.querySelector('.row')")
    browser.expect("named", browser.get("#client", "textContent.trim()"), "client phone Shared set")
    browser.search("multiple")
    browser.press(" ")
    browser.message("enable_multiple_locations: false -> true")
    values = [browser.value("enable_multiple_locations", client) for client in ("?client=phone", "")]
    browser.expect("for this client only", values, ["true", "false"])
    browser.press("ESCAPE")
    browser.expect("only its own override can be reset here", browser.count(".reset"), 1)
    browser.call("DELETE", "overrides?client=phone")


def check_read_only():
    browser.start()
    browser.command("Network.clearBrowserCookies")
    browser.open("/?read")
    browser.message("open the link that flagmenu serve printed", "readOnly")
    enabled = "fieldset:enabled, .reset:not([hidden]), .actions :enabled"
    browser.expect("enabled controls", browser.count(enabled), 0)
    for size in SIZES:
        for scheme in SCHEMES:
            browser.size(size)
            browser.media(scheme)
            browser.expect_accessible(f"read-only, {size}, {scheme}")
    browser.size("desktop")
    browser.media()
    sample.link = sample.url + sample.call("POST", "links")[1]["path"]
    browser.use(sample)


def expect_no_scrolling(what):
    wide = browser.run("return document.documentElement.scrollWidth > innerWidth")
    browser.expect(f"wider than the screen, {what}", wide, False)


def check_sizes():
    """Small screens and a page at 200 % need no horizontal scrolling; fingers hit what they aim at."""
    backgrounds = set()
    for scheme in SCHEMES:
        browser.media(scheme)
        browser.start()
        backgrounds.add(browser.run("return getComputedStyle(document.body).backgroundColor"))
    browser.expect("light and dark", len(backgrounds), 2)
    browser.media()
    override("AWESOME_FEATURE", "false")
    for width, height, scale in ((320, 568, 2), (390, 844, 3), (640, 400, 2), (1280, 800, 1)):
        browser.size((width, height), scale)
        browser.open(f"/?width={width}")
        expect_no_scrolling(f"{width} pixels")
        if width > 400: continue
        small = browser.run("""
            return [...document.querySelectorAll('button, input:not([type=radio]), select, nav a, label')]
                .filter((element) => element.checkVisibility() && element.getBoundingClientRect().height < 43.5)
                .map((element) => element.outerHTML.slice(0, 60))""")
        browser.expect(f"smaller than 44 pixels, {width}", small, [])
    browser.size("desktop")
    browser.media("light", "reduce")
    browser.open("/?calm")
    moving = browser.run("""
        return [...document.querySelectorAll('*')]
            .filter((element) => parseFloat(getComputedStyle(element, '::after').transitionDuration) > 0).length""")
    browser.expect("motion, if reduced", moving, 0)
    browser.media()


def states():
    """The states that are examined, each with its name."""
    override("AWESOME_FEATURE", "false")
    override("login_variant", "A")
    yield "list"
    browser.press("j", "j")
    yield "selected row"
    browser.press("/", *"price factor", "ENTER", "ENTER")
    browser.focused("#editor")
    browser.press("x", "ENTER")
    browser.message("Nothing was changed", "editError")
    yield "filter, edit with error"
    browser.press("ESCAPE", "ESCAPE", "/", *"nothing has this")
    yield "nothing found"
    browser.press("ESCAPE", "ESCAPE", "X")
    browser.focused("#resetDialog button")
    yield "reset all"
    browser.press("ESCAPE", "?")
    browser.focused("#keysDialog button")
    yield "keys"
    browser.press("ESCAPE", "s")
    browser.focused("#scenarioList button")
    yield "scenarios"
    browser.press("ENTER")
    browser.focused("#previewDialog button")
    yield "preview of a scenario"
    browser.press("ESCAPE", "/", *"login_variant", "ENTER", "e")
    browser.focused("#noteText")
    yield "note and end"
    browser.press("ESCAPE", "/", *"login_screen", "ENTER", "ENTER")
    browser.focused("#editor")
    yield "editor"
    browser.press("ESCAPE", "ESCAPE")
    browser.run("location.hash = 'view=clients'")
    browser.wait("clients", "return document.querySelector('tbody tr')")
    yield "clients"
    browser.open("/?client=phone")
    yield "client"
    browser.offline(True)
    yield "not connected"
    override("AWESOME_FEATURE", "true")
    browser.offline(False)


def check_accessibility():
    sample.save_scenario("demo", {"login_variant": "B", "gone": "1"})
    for size in SIZES:
        for scheme in SCHEMES:
            browser.size(size)
            browser.media(scheme)
            browser.start()
            for state in states():
                browser.expect_accessible(f"{state}, {size}, {scheme}")
                expect_no_scrolling(f"{state}, {size}")
    browser.size("desktop")
    browser.media()


def check_stopped_server():
    """A change without a server says that it is unknown, and a server that starts again is found."""
    browser.start()
    sample.process.kill()
    browser.wait_connected(False)
    browser.press("/", *"maint", "ENTER", " ")
    browser.message("The server does not respond. It is unknown whether this was changed.")
    browser.wait_row("maintenance_mode", f"{SWITCH} === 'false'")
    sample.start("--sample", port=sample.port)
    override("AWESOME_FEATURE", "false")
    browser.wait_connected(True)
    browser.wait_row("AWESOME_FEATURE", f"{SWITCH} === 'false'")


run(browser, [
    check_live, check_resetting, check_clients, check_read_only, check_sizes, check_accessibility,
    check_stopped_server])
